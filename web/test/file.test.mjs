// The worker in a page from a file, made of a Blob: nothing is loaded, and no address reaches from one worker to another.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, noBrowser } from "./chromium.mjs";

const ofPackage = (name) => fileURLToPath(new URL(`../package/${name}`, import.meta.url));

/** A page that holds loader and program, and may do no more than it needs. */
async function pageText() {
  const [loader, program] = await Promise.all([readFile(ofPackage("vancura.js"), "utf8"), readFile(ofPackage("vancura-single.wasm"), "base64")]);
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:">
<script type="text/plain" id="loader">${loader}</script>
<script type="text/plain" id="program">${program}</script>
<script>
  const text = (name) => document.getElementById(name).textContent;
  const heard = [];
  const violations = [];
  document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
  const worker = new Worker(URL.createObjectURL(new Blob([text("loader")], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => heard.push(data);
  worker.onerror = (event) => heard.push("error " + event.message);
  worker.postMessage("isready");
  worker.postMessage(Uint8Array.from(atob(text("program")), (sign) => sign.charCodeAt(0)).buffer);
  const send = (line) => worker.postMessage(line);
  const until = async (pattern, from) => {
    for (;;) {
      const found = heard.slice(from).find((line) => pattern.test(line));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
</script>`;
}

describe("in Chromium, from a file", { skip: noBrowser, timeout: 300_000 }, () => {
  let browser;
  let folder;
  let address;
  before(async () => {
    browser = await launch();
    folder = await mkdtemp(join(tmpdir(), "vancura-"));
    await writeFile(join(folder, "page.html"), await pageText());
    address = pathToFileURL(join(folder, "page.html")).href;
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  const open = async (body) => {
    const context = await browser.newContext({ offline: true });
    try {
      const page = await context.newPage();
      await page.goto(address);
      await page.evaluate(() => until(/^readyok/, 0));
      assert.equal(await page.evaluate(() => self.origin), "null");
      await body(page);
      assert.deepEqual(await page.evaluate(() => [violations, heard.filter((line) => /error/.test(line))]), [[], []]);
    } finally {
      await context.close();
    }
  };

  test("each stop is answered by one legal move, and options and positions stay", () =>
    open(async (page) => {
      const searches = await page.evaluate(async () => {
        send("setoption name MultiPV value 2");
        const searches = [];
        for (const [moves, own] of [["", "[a-h]2|[bg]1"], ["e2e4", "[a-h]7|[bg]8"], ["e2e4 e7e5", "[a-h][1-4]"]]) {
          const from = heard.length;
          send(`position startpos moves ${moves}`);
          send("go infinite");
          await until(/multipv 2 .*pv/, from);
          send("stop");
          const best = await until(/^bestmove/, from);
          send("isready");
          await until(/^readyok/, from);
          searches.push({ best, own, answers: heard.slice(from).filter((line) => line.startsWith("bestmove")).length });
        }
        return searches;
      });
      for (const { best, own, answers } of searches) {
        assert.match(best, new RegExp(`^bestmove (${own})`));
        assert.equal(answers, 1);
      }
      const best = await page.evaluate(async () => {
        const from = heard.length;
        // The position is that before the stop.
        send("go depth 2");
        return until(/^bestmove/, from);
      });
      assert.match(best, /^bestmove [a-h][1-4]/);
    }));

  test("a stop in the same moment as the search is not lost", () =>
    open(async (page) => {
      const answers = await page.evaluate(async () => {
        for (let i = 0; i < 10; i++) {
          const from = heard.length;
          send("go infinite");
          send("stop");
          await until(/^bestmove [a-h][1-8]/, from);
        }
        return heard.filter((line) => line.startsWith("bestmove")).length;
      });
      assert.equal(answers, 10);
    }));

  test("an answer that is held back comes with stop", () =>
    open(async (page) => {
      const best = await page.evaluate(async () => {
        send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        send("go infinite");
        await new Promise((resolve) => setTimeout(resolve, 300));
        if (heard.some((line) => line.startsWith("bestmove"))) throw new Error("answered unasked");
        send("stop");
        return until(/^bestmove/, 0);
      });
      assert.match(best, /^bestmove (\(none\)|0000)/);
    }));

  test("after ponderhit the search goes on with its own time", () =>
    open(async (page) => {
      await page.evaluate(async () => {
        send("position startpos");
        send("go ponder wtime 2000 btime 2000");
        await until(/ pv /, 0);
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (heard.some((line) => line.startsWith("bestmove"))) throw new Error("answered while pondering");
        send("ponderhit");
        await until(/^bestmove [a-h][1-8]/, 0);
      });
    }));
});
