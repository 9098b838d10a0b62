// The board in headless Chromium, as any host of static files would serve it: a game by clicks, analysis, reloads, offline,
// accessibility. `make web-test` runs this.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { noBrowser, PROGRAM } from "./chromium.mjs";
import { begin, count, kept, newGame, paste, playOut, played, says, seeded, status, touch } from "./hands.mjs";
import { serve } from "./server.mjs";
import { DESKTOP, ready, root, servedBoard } from "./static-board.mjs";

const AXE = await readFile(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

const PHONE = { width: 390, height: 844 };

const GAME = `[White "Morphy, Paul"]
[Black "<img src=x onerror=alert(1)>"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {Weak. <b>} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+) 5. Qxf3 dxe5 6. Bc4 Nf6 1-0
`;

test("without the engine it takes at most 900 kB", async () => {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((file) => file.isFile() && !/^vancura.*\.wasm$/.test(file.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  assert.ok(sizes.length > 50);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 900_000);
});

describe("the board", { skip: noBrowser }, () => {
  const { open, context, url } = servedBoard();

  for (const [name, options, side] of [
    ["desktop", { viewport: DESKTOP }, "white"],
    ["phone", { viewport: PHONE, hasTouch: true, isMobile: true }, "black"],
  ]) {
    test(`${name}: a whole game by touch, to its end by the laws`, { timeout: 240_000 }, () =>
      open(options, async (page) => {
        await newGame(page, { elo: 2000, kind: "depth", value: 4, side });
        const end = await playOut(page, side === "black", seeded(7));
        assert.match(end, /^(1-0|0-1|1\/2-1\/2): /);
        const { game } = await kept(page);
        assert.ok(game.moves.length > 10 && game.result === end.split(":")[0], JSON.stringify(game));
      }));

    test(`${name}: no view breaks a rule of WCAG`, () =>
      open(options, async (page) => {
        const check = async (view) => {
          await page.addScriptTag({ content: AXE }).catch(() => page.evaluate(AXE));
          const { violations } = await page.evaluate(() =>
            axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
          const told = violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`);
          assert.deepEqual(told, []);
        };
        for (const theme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
          await page.click('[data-mode="play"]');
          await check(`${theme}, play`);
          await paste(page, GAME);
          await page.waitForSelector("#lines li");
          await check(`${theme}, analyse`);
          for (const view of ["new", "games", "open", "save", "settings", "help", "tags"]) {
            await page.click(`[data-do="${view}"]`);
            await page.waitForSelector(`#${view}[open]`);
            await check(`${theme}, ${view}`);
            await page.keyboard.press("Escape");
          }
          await page.click('[data-do="setup"]');
          await check(`${theme}, set up`);
          await page.click('[data-do="setup-cancel"]');
        }
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(width <= 0, `the page is ${width} pixels too wide`);
      }));
  }

  test("a game that was pasted is analysed, with lines, chances and arrows", () =>
    open({}, async (page) => {
      await paste(page, GAME);
      await played(page, 14);
      assert.equal(await page.textContent(".strip.far .name"), "<img src=x onerror=alert(1)>");
      assert.match(await page.textContent("#moves .comment"), /Weak\. <b>/);
      assert.match(await page.textContent("#moves .variation"), /4\.\.\. dxe5 5\. Qxd8\+/);
      await page.keyboard.press("End");
      await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
      assert.match(await page.textContent("#chances"), /^White \d+\s%, draw \d+\s%, Black \d+\s%$/);
      assert.match(await page.textContent("#lines li"), /7\. /);
      await page.waitForSelector(".cg-shapes g", { state: "attached" });
      await page.selectOption("#line-count", "5");
      await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 5);
      // The moves of a line can be played, and are a variation or go on with the game.
      await page.click("#lines li button:nth-of-type(2)");
      await played(page, 16);
      await page.keyboard.press("Home");
      await page.fill("#move", "d4");
      await page.press("#move", "Enter");
      await played(page, 17);
      assert.equal(await page.locator("#moves .variation").count(), 2);
      await page.click('[data-do="remove"]');
      await played(page, 16);
    }));

  test("moves are typed, refused in words, told to screen readers and taken back", () =>
    open({}, async (page) => {
      await newGame(page, { elo: 800, kind: "nodes", value: 50, side: "white" });
      await page.fill("#move", "Ke2");
      await page.press("#move", "Enter");
      await page.waitForFunction(() => /not a legal move/.test(document.querySelector("#typed-error").textContent));
      await page.fill("#move", "nf3");
      await page.press("#move", "Enter");
      await played(page, 2);
      await page.waitForFunction(() => /^Vancura: /.test(document.querySelector("#said").textContent));
      assert.match(await page.getAttribute("#board", "aria-label"), /White: king e1; .*knights b1, f3/);
      await page.click('[data-do="take-back"]');
      await played(page, 0);
      await page.fill("#move", "e4");
      await page.press("#move", "Enter");
      await played(page, 2);
      await page.click('[data-do="resign"]');
      await page.click("#sure [data-close]");
      assert.equal(await status(page), "Your move", "it was only asked");
      await page.click('[data-do="resign"]');
      await page.click("#sure .main");
      await says(page, "0-1: White resigns");
      assert.ok(await page.isVisible('[data-do="rematch"]'));
      await page.click("#status");
      await page.keyboard.press("Control+z");
      await says(page, "Your move");
      await page.keyboard.press("Control+y");
      await says(page, "0-1: White resigns");
      // What was left can be looked at.
      await page.click('[data-do="analyse-this"]');
      await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
    }));

  test("a game survives a reload, and the one before can be had back", () =>
    open({}, async (page) => {
      await paste(page, GAME);
      await played(page, 14);
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector('[aria-current="true"]');
      await page.reload();
      await ready(page);
      await played(page, 14);
      assert.equal(await page.textContent('#moves [aria-current="true"]'), "e4");
      await paste(page, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
      await page.waitForFunction(() => document.querySelector("#chances").textContent === "draw by stalemate");
      await page.keyboard.press("Control+z");
      await played(page, 14);
      await page.keyboard.press("Control+Shift+z");
      await played(page, 0);
    }));

  test("after the first visit it works offline, with threads where the host allows none", async () => {
    const own = await serve({ isolated: false, root });
    await open({ url: own.url, serviceWorkers: "allow" }, async (page, context) => {
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await page.evaluate(() => navigator.serviceWorker.ready);
      own.close();
      await context.setOffline(true);
      await page.reload();
      await ready(page);
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
      await newGame(page, { elo: 800, kind: "depth", value: 2, side: "black" });
      await played(page, 1);
    });
  });

  test("begins anew where the store has what is no game", async () => {
    const foreign = [
      { game: { moves: [{ parent: 5, uci: "x" }] } },
      { game: { fen: null, tags: [], comment: "", result: "*", at: 0, moves: [{ uci: "e2e5", san: "e5", text: "1. e5", squares: ["e2", "e5"], parent: null }] } },
      { game: [], settings: { limit: null, lines: "x" }, mode: 1, you: null, orientation: {}, ending: "x" },
      "x",
    ];
    for (const state of foreign) {
      await open({}, async (page) => {
        await page.evaluate((state) => {
          // The page would keep its own once more as it goes.
          Storage.prototype.setItem = () => {};
          Object.getPrototypeOf(sessionStorage).setItem = Storage.prototype.setItem;
        }, state);
        await page.addInitScript((state) => sessionStorage.setItem("vancura-tab", JSON.stringify(state)), { state: { id: "x", ...Object(state) } });
        await page.reload();
        await ready(page);
        assert.equal(await page.textContent("#status"), "Your move");
      });
    }
  });

  test("who looks back is left there while Vancura thinks, and a move can be decided on before", () =>
    open({}, async (page) => {
      await newGame(page, { elo: 2900, kind: "movetime", value: 5, side: "white" });
      await touch(page, "e2");
      await touch(page, "e4");
      await says(page, "Vancura thinks …");
      await touch(page, "g1");
      await touch(page, "f3");
      await page.waitForSelector("square.current-premove", { state: "attached" });
      // The move was decided on, and is made as soon as it can be.
      await page.waitForFunction(() => document.querySelectorAll("#moves .move")[2]?.textContent.startsWith("Nf3"));
      await page.keyboard.press("Home");
      await played(page, 4);
      assert.equal(await status(page), "An earlier position · Your move");
      await page.click('[data-do="to-game"]');
      await says(page, "Your move");
    }));

  test("with a clock: levels change, hints come in three steps, draws are declined at first, and PGN tells all", () =>
    open({}, async (page) => {
      await page.click('[data-do="new"]');
      await page.selectOption("#limit-kind", "clock");
      await page.fill("#base", "3");
      await page.fill("#increment", "2");
      await page.fill("#elo", "1200");
      await begin(page);
      await touch(page, "e2");
      await touch(page, "e4");
      await played(page, 2);
      await says(page, "Your move");
      assert.deepEqual((await page.locator(".strip .clock").allTextContents()).map((text) => /^[23]:\d\d$/.test(text)), [true, true]);
      await page.selectOption(".level:not([hidden]) select", "1900");
      const hints = [];
      for (let step = 0; step < 3; step++) {
        await page.click('[data-do="hint"]');
        await page.waitForFunction((before) => !/looks for/.test(document.querySelector("#hinted").textContent) && document.querySelector("#hinted").textContent !== before, hints.at(-1) ?? "");
        hints.push(await page.textContent("#hinted"));
      }
      assert.match(hints[0], /^Look at the (kingside|centre|queenside)\.$/);
      assert.match(hints[1], /^Move the \w+ on [a-h][1-8]\.$/);
      assert.match(hints[2], /is the move\.$/);
      await page.click('[data-do="offer-draw"]');
      await page.waitForFunction(() => /does not take/.test(document.querySelector("#hinted").textContent));
      await page.click('[data-do="save"]');
      const pgn = await page.inputValue("#save-pgn");
      for (const part of ['[White "You"]', '[Black "Vancura"]', '[BlackElo "1900"]', '[TimeControl "180+2"]', "[%clk 0:0", "1900 Elo"]) assert.ok(pgn.includes(part), `${part}: ${pgn}`);
      assert.match(pgn, /\[Date "\d{4}\.\d\d\.\d\d"\]/);
    }));

  test("several tabs are several games, and each has its own again when it is loaded anew", () =>
    open({}, async (page, context) => {
      await newGame(page, { elo: 800, kind: "nodes", value: 20, side: "white" });
      await touch(page, "e2");
      await touch(page, "e4");
      await played(page, 2);
      const other = await context.newPage();
      await other.goto(page.url());
      await ready(other);
      assert.equal(await count(other), 0);
      await touch(other, "d2");
      await touch(other, "d4");
      await played(other, 2);
      for (const [tab, first] of [[page, "e4"], [other, "d4"]]) {
        await tab.reload();
        await ready(tab);
        await played(tab, 2);
        assert.equal(await tab.textContent("#moves .move"), first);
      }
    }));

  for (const [width, height] of [[360, 740], [740, 360], [640, 430], [1366, 650], [1920, 1080], [2560, 1440], [700, 700], [320, 480]]) {
    test(`at ${width} x ${height} the board is as large as it can be, and all can be reached`, () =>
      open({ viewport: { width, height } }, async (page) => {
        const { board, overflow, isTrap } = await page.evaluate(() => {
          const { left, right, top, bottom, width: size } = document.querySelector(".frame").getBoundingClientRect();
          const fills = top < 8 && bottom > innerHeight - 8 && left < 8 && right > innerWidth - 8;
          return { board: { size, bottom }, overflow: document.documentElement.scrollWidth - innerWidth, isTrap: fills };
        });
        assert.ok(overflow <= 0, `${overflow} pixels too wide`);
        assert.ok(!isTrap && board.bottom <= height, JSON.stringify(board));
        for (const name of ["back", "forward", "flip"]) {
          assert.ok(await page.locator(`.controls [data-do="${name}"]`).isVisible(), name);
          await page.click(`.controls [data-do="${name}"]`);
        }
        // Setting up hides what else there is, so that it is seen.
        await page.click('[data-mode="analyse"]');
        await page.click('[data-do="setup"]');
        await page.waitForSelector("#setup");
        assert.deepEqual(await page.locator(".panels .card:visible").evaluateAll((cards) => cards.map(({ id }) => id)), ["setup"]);
        await page.click('[data-do="setup-cancel"]');
        await page.click('[data-mode="play"]');
        assert.ok(board.size >= Math.min(width - 60, height - 200, Math.max(width - 420, 200)) - 8, `only ${board.size}`);
        // Its size is the user's, and is remembered.
        if (!(await page.isVisible(".grip"))) return;
        await page.focus(".grip");
        for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowLeft");
        await page.reload();
        await ready(page);
        const { width: smaller } = await page.locator(".frame").boundingBox();
        assert.ok(Math.abs(smaller - 0.8 * board.size) < 2, `${smaller} of ${board.size}`);
      }));
  }

  test("in German, with German letters for the pieces", () =>
    open({ locale: "de-DE" }, async (page) => {
      assert.equal(await page.textContent('[data-do="new"]'), "Neue Partie");
      await paste(page, GAME);
      assert.match(await page.textContent("#moves"), /Sf3/);
      await page.keyboard.press("End");
      await page.fill("#move", "Sc3");
      await page.press("#move", "Enter");
      await played(page, 15);
      await page.click('[data-do="save"]');
      assert.match(await page.inputValue("#save-pgn"), /Nc3/);
    }));

  test("keys step, turn, show the threat, play the best move and tell what they do; the wheel steps", () =>
    open({}, async (page) => {
      await paste(page, GAME);
      await page.locator("#moves").hover();
      await page.keyboard.press("j");
      await page.keyboard.press("ArrowRight");
      const isCurrent = (san) => page.waitForFunction((san) => document.querySelector('#moves [aria-current="true"]')?.textContent === san, san);
      await isCurrent("e5");
      await page.keyboard.press("k");
      await isCurrent("e4");
      await page.locator("cg-board").hover();
      await page.mouse.wheel(0, 100);
      await page.waitForFunction(() => document.querySelector('#moves [aria-current="true"]').textContent === "e5");
      await page.keyboard.press("x");
      await page.waitForFunction(() => document.querySelector('[data-do="threat"]').getAttribute("aria-pressed") === "true" && /1\.\.\. |2\.\.\. /.test(document.querySelector("#lines")?.textContent));
      await page.keyboard.press("x");
      await page.keyboard.press("End");
      await page.waitForSelector("#lines li");
      await page.keyboard.press(" ");
      await played(page, 15);
      await page.keyboard.press("?");
      await page.waitForSelector("#help[open]");
      assert.match(await page.textContent("#help"), /the wheel over the board steps/);
    }));

  describe("from the program", { skip: PROGRAM ? false : "VANCURA names no program" }, () => {
    let data;
    before(async () => (data = await mkdtemp(join(tmpdir(), "vancura-board-"))));
    after(() => rm(data, { recursive: true }));
    /** Starts it, and gives its address to the body. */
    const run = async (body, ...more) => {
      const program = spawn(PROGRAM, ["board", "--no-open", "--linger", "60", "--data", data, ...more], { stdio: ["ignore", "pipe", "inherit"] });
      try {
        const [url] = await once(createInterface({ input: program.stdout }), "line");
        await body(url.replace(/\/$/, ""), program);
      } finally {
        program.kill("SIGKILL");
      }
    };

    test("it plays, analyses, and a game outlasts the program and its port", async () => {
      await run((url, program) =>
        open({ url }, async (page) => {
          assert.match(await page.textContent("#place"), /on this computer/);
          await newGame(page, { elo: 1500, kind: "movetime", value: 0.1, side: "white" });
          await says(page, "Your move");
          await touch(page, "e2");
          await touch(page, "e4");
          await played(page, 2);
          await page.reload();
          await ready(page);
          await played(page, 2);
          await page.click('[data-do="theme"]');
          await page.click('[data-mode="analyse"]');
          await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
          await page.waitForTimeout(500);
          program.kill("SIGTERM");
          await page.waitForSelector("#trouble:not([hidden])");
          assert.match(await page.textContent("#trouble"), /has ended/);
          // What has been played can be looked at, gone on with, and saved.
          await page.keyboard.press("Home");
          await page.keyboard.press("ArrowRight");
          await page.waitForSelector('#moves [aria-current="true"]');
          await touch(page, "c7");
          await touch(page, "c5");
          await page.waitForFunction(() => /c5/.test(document.querySelector("#moves").textContent));
          await page.click('[data-do="save"]');
          assert.match(await page.inputValue("#save-pgn"), /\n1\. e4 /);
        }));
      await run((url) =>
        open({ url }, async (page) => {
          await played(page, 2);
          assert.equal(await page.textContent("#moves .move"), "e4");
          assert.equal(await status(page), "Your move");
          assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "and so do the settings");
        }));
    });

    test("one game is found by its name among 50,000", async () => {
      const file = join(data, "many.pgn");
      const games = Array.from({ length: 50_000 }, (_, number) => `[White "Player ${number}"]\n[Black "Other"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n`);
      games[31_415] = games[31_415].replace("Other", "Zukertort, Johannes");
      await writeFile(file, games.join(""));
      await run((url) =>
        open({ url }, async (page) => {
          await page.click('[data-do="open"]');
          await page.setInputFiles("#open-file", file);
          await page.waitForSelector("#games-list .game");
          await page.fill("#games-search", "zukertort");
          await page.waitForFunction(() => document.querySelectorAll("#games-list .game").length === 1 && document.querySelector("#games-count").textContent === "1 game", null, { timeout: 60_000 });
          await page.click("#games-list .game");
          await played(page, 3);
          assert.match(await page.textContent("#heading"), /Player 31415 – Zukertort/);
        }));
    });
  });

  test("a browser without vector instructions is told so in words", async () => {
    const own = await context({});
    await own.addInitScript(() => (WebAssembly.validate = () => false));
    const page = await own.newPage();
    await page.goto(url());
    await page.waitForSelector("#trouble:not([hidden])");
    assert.match(await page.textContent("#trouble"), /lacks WebAssembly SIMD/);
    await own.close();
  });
});
