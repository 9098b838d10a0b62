// The package in headless Chromium: cross-origin isolated, where it has threads, and not. `make web-test` runs this.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, noBrowser } from "./chromium.mjs";
import { serve } from "./server.mjs";


describe("in Chromium", { skip: noBrowser }, () => {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  const open = async (path, options, body) => {
    const server = await serve(options);
    const page = await browser.newPage();
    try {
      await page.goto(server.url + path);
      return await body(page);
    } finally {
      await page.close();
      server.close();
    }
  };
  const openModule = (options, body) =>
    open("/test/page.html", options, async (page) => {
      await page.waitForFunction(() => window.engine);
      return body(page);
    });

  for (const isolated of [true, false]) {
    const name = isolated ? "isolated" : "not isolated";

    test(`${name}: the build is the best there can be`, () =>
      openModule({ isolated }, async (page) => {
        assert.equal(await page.evaluate(() => crossOriginIsolated), isolated);
        const heard = await page.evaluate(async () => {
          engine.send("setoption name Threads value 2");
          await engine.ask("isready", "readyok");
          return heard;
        });
        const refused = heard.some((line) => /info string .*Threads/.test(line));
        assert.equal(refused, !isolated, heard.join("\n"));
      }));

    test(`${name}: stop and ponderhit are heard during a search`, () =>
      openModule({ isolated }, async (page) => {
        const delays = await page.evaluate(async () => {
          const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
          const delays = [];
          for (let i = 0; i < 20; i++) {
            await engine.ask("go infinite", "info depth 1 ");
            await engine.ask("isready", "readyok");
            await pause(30);
            const begin = performance.now();
            await engine.ask("stop", "bestmove");
            delays.push(performance.now() - begin);
          }
          engine.send("go ponder wtime 2000 btime 2000");
          await pause(200);
          if (heard.at(-1).startsWith("bestmove")) throw new Error("answered while pondering");
          await engine.ask("ponderhit", "bestmove");
          return delays;
        });
        console.log(`${name}: stop answered in at most ${Math.max(...delays).toFixed(1)} ms of 20`);
        assert.equal(delays.length, 20);
      }));

    test(`${name}: an answer that is held back comes with stop`, () =>
      openModule({ isolated }, async (page) => {
        const best = await page.evaluate(async () => {
          engine.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
          engine.send("go infinite");
          await new Promise((resolve) => setTimeout(resolve, 300));
          if (heard.some((line) => line.startsWith("bestmove"))) throw new Error("answered unasked");
          return engine.ask("stop", "bestmove");
        });
        assert.match(best, /^bestmove [a-h][1-8]/);
      }));

    test(`${name}: a page written for stockfish.js plays a game to mate`, () =>
      open("/test/self_play.html", { isolated }, async (page) => {
        await page.waitForFunction(() => ["mate", "draw"].includes(document.title), null, { timeout: 120_000 });
        assert.equal(await page.title(), "mate");
        assert.match(await page.textContent("#moves"), /#/);
      }));
  }

  test("a browser without vector instructions is told so in words", () => {
    const change = (path, body) => (path.endsWith("vancura.js") ? `WebAssembly.validate = () => false;${body}` : body);
    return openModule({ isolated: false, change }, async (page) => {
      await page.waitForFunction(() => heard.length > 0);
      const [line] = await page.evaluate(() => heard);
      assert.match(line, /^info string error: .*SIMD/);
    });
  });

  test("a program that cannot be loaded is told so in words", () => {
    const change = (path, body) => {
      if (path.endsWith(".wasm")) throw new Error("lost");
      return body;
    };
    return openModule({ isolated: false, change }, async (page) => {
      await page.waitForFunction(() => heard.length > 0);
      assert.match((await page.evaluate(() => heard))[0], /^info string error: .*404/);
    });
  });
});
