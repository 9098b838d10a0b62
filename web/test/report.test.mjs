// A report that carries the engine, as `analyse --live` writes it, in headless Chromium from a file and without a network.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, noProgram, PROGRAM } from "./chromium.mjs";

const FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
const AXE = await readFile(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 740 };

const GAMES = `[White "</script><img src=x onerror=alert(1)>"]
[Black "<b>Ben</b>"]
[Result "0-1"]

1. f3 { </template><script>alert(2)</script> } e5 2. Nc3 Qf6 3. Nb1 Qd8 4. g4 (4. -- Bc5) 4... Qh4# 0-1

[White "Clara"]
[Black "Dora"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1"]

1. Nb3 Nb6 *

[White "Emil"]
[Black "Fritz"]
[Result "*"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]

1. O-O O-O-O 2. Kf2 *
`;

/** The environment of a browser that has no font but DejaVu Sans, which is wider than others; as it is without that. */
async function oneFont(folder) {
  if (!existsSync(FONT)) return {};
  const fonts = join(folder, "fonts");
  await mkdir(fonts);
  await copyFile(FONT, join(fonts, "DejaVuSans.ttf"));
  const config = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${fonts}</cachedir></fontconfig>`;
  await writeFile(join(folder, "fonts.conf"), config);
  return { FONTCONFIG_FILE: join(folder, "fonts.conf") };
}

describe("a report with the engine", { skip: noProgram, timeout: 600_000 }, () => {
  let browser;
  let folder;
  let file;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vancura-"));
    browser = await launch({ env: { ...process.env, ...(await oneFont(folder)) } });
    file = join(folder, "report.html");
    await writeFile(join(folder, "games.pgn"), GAMES);
    execFileSync(PROGRAM, ["analyse", join(folder, "games.pgn"), "--nodes", "2000", "--html", file, "--live"]);
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  /** Opens a game of the page in a browser without a network, where `taken` has been done first; what the page complains of
   * fails the test. */
  const open = async ({ game = 1, ply = 0, taken = () => {}, ...options }, body) => {
    const context = await browser.newContext({ viewport: DESKTOP, offline: true, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || problems.push(request.url()));
    await context.addInitScript(taken);
    try {
      await page.goto(`${pathToFileURL(file).href}#game-${game}/${ply}`);
      await page.waitForSelector(".engine .switch");
      await body(page);
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  };
  // Read at once: a locator finds them first, and a line that has been replaced since has no layout, and so no blanks.
  const lines = (page) => page.evaluate(() => [...document.querySelectorAll(".engine .found li")].map((line) => line.innerText));
  /** Waits until the engine has found something about the position shown, and gives the best line. */
  const found = async (page, pattern = /./) => {
    await page.waitForFunction((source) => new RegExp(source, "s").test(document.querySelector(".engine .found")?.innerText), pattern.source);
    return (await lines(page))[0];
  };
  /** Waits for the board to draw this many arrows, which it does with the next picture. */
  const drawn = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll(".board .cg-shapes line").length === count, count);
  const isOn = (page) => page.getAttribute(".engine .switch", "aria-checked");

  test("is one file of less than 4 MB", async () => {
    const { size } = await stat(file);
    assert.ok(size < 4_000_000, `${size} bytes`);
  });

  test("starts nothing before it is switched on", () =>
    open({}, async (page) => {
      assert.equal(await isOn(page), "false");
      await page.keyboard.press("ArrowRight");
      assert.equal(page.workers().length, 0);
      assert.deepEqual(await lines(page), []);
    }));

  test("shows depth, speed, score and lines, and follows when one steps", () =>
    open({}, async (page) => {
      await page.click(".engine .switch");
      assert.equal(await isOn(page), "true");
      assert.match(await found(page), /^[+−]\d+\.\d\d\s*1\.\s\S+/);
      assert.match(await page.innerText(".engine .reach"), /^depth \d+, [\d.]+( [kM])? nodes, [\d.]+( [kM])?\/s$/);
      await drawn(page, 1);

      await page.keyboard.press("ArrowRight");
      assert.match(await found(page, /1\.\.\./), /^[+−]\d+\.\d\d\s*1\.\.\.\s\S+\s2\.\s/);
      // White is about to be mated: the score is White's.
      await page.keyboard.press("End");
      assert.equal(await page.innerText(".engine .chances"), "Black mates");
      assert.deepEqual(await lines(page), []);
      await page.keyboard.press("ArrowLeft");
      assert.match(await found(page, /#/), /^#−1\s*4\.\.\.\sQh4#$/);
    }));

  test("shows up to three lines", () =>
    open({}, async (page) => {
      await page.keyboard.press("e");
      await found(page);
      await page.selectOption(".engine select", "3");
      await page.waitForFunction(() => document.querySelectorAll(".engine .found li").length === 3);
      const firsts = (await lines(page)).map((line) => /1\.\s(\S+)/.exec(line)[1]);
      assert.equal(new Set(firsts).size, 3, firsts.join(" "));
    }));

  test("analyses moves of one's own, and draws its arrow there", () =>
    open({}, async (page) => {
      await page.fill(".own input", "d4");
      await page.press(".own input", "Enter");
      await drawn(page, 0);
      await page.keyboard.press("Escape");
      await page.fill(".own input", "d4");
      await page.press(".own input", "Enter");
      await page.click(".engine .switch");
      await found(page, /1\.\.\./);
      await drawn(page, 1);
      await page.keyboard.press("a");
      await drawn(page, 0);
    }));

  test("analyses after a turn that was passed", () =>
    open({}, async (page) => {
      await page.keyboard.press("e");
      await page.locator(".variation button.move").last().click();
      assert.match(await found(page, /5\./), /5\.\s/);
    }));

  for (const [game, plies, what] of [[2, 2, "Chess960"], [3, 3, "castling"]]) {
    test(`understands the positions of a game of ${what}`, () =>
      open({ game }, async (page) => {
        await page.keyboard.press("e");
        for (let ply = 0; ply <= plies; ply++) {
          await found(page, new RegExp(ply % 2 ? `${(ply + 1) / 2}\\.\\.\\.` : `${ply / 2 + 1}\\.`));
          await page.keyboard.press("ArrowRight");
        }
        assert.equal(await isOn(page), "true");
      }));
  }

  test("castles as people write it", () =>
    open({ game: 3 }, async (page) => {
      await page.keyboard.press("e");
      await page.fill(".own input", "O-O-O");
      await page.press(".own input", "Enter");
      assert.match(await found(page, /1\.\.\./), /1\.\.\./);
      assert.match(await page.innerText(".played"), /^1\.\sO-O-O/);
    }));

  test("stops when it is switched off, while one practises, and when the game is left", () =>
    open({}, async (page) => {
      const sent = await page.evaluate(() => {
        const sent = [];
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message, ...others) {
          if (typeof message === "string") sent.push(message.split(" ", 2).join(" "));
          return post.call(this, message, ...others);
        };
        globalThis.sent = sent;
        return sent;
      });
      assert.deepEqual(sent, []);
      const last = () => page.evaluate(() => sent.at(-1));
      const begun = () => page.waitForFunction(() => document.querySelectorAll(".engine .found li").length > 0);
      await page.keyboard.press("e");
      await begun();
      assert.equal(await last(), "go infinite");
      await page.keyboard.press("e");
      assert.equal(await last(), "stop");
      assert.equal(await isOn(page), "false");
      assert.deepEqual(await lines(page), []);
      await page.keyboard.press("ArrowRight");
      assert.equal(await last(), "stop", "and stays off");

      await page.keyboard.press("e");
      await begun();
      await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      });
      assert.equal(await last(), "stop", "nobody looks");
      await page.evaluate(() => {
        delete document.hidden;
        document.dispatchEvent(new Event("visibilitychange"));
      });
      await begun();
      assert.equal(await last(), "go infinite");

      await page.click(".practise");
      // The solution would be seen. It is checked, which is not.
      await page.waitForFunction(() => sent.at(-1) === "go nodes");
      assert.equal(await page.isVisible(".engine"), false);
      await drawn(page, 0);
      await page.keyboard.press("Escape");
      await begun();
      await page.click("nav a");
      // The page hears of its new address a little later.
      await page.waitForFunction(() => sent.at(-1) === "stop");
    }));

  test("tells screen readers the best line at most once a second", () =>
    open({}, async (page) => {
      assert.equal(await page.getAttribute(".engine .heard", "aria-live"), "polite");
      // Only the clock of the page: the engine has its own.
      await page.clock.install();
      await page.evaluate(() => {
        globalThis.said = [];
        const region = document.querySelector(".engine .heard");
        new MutationObserver(() => region.textContent && said.push(Date.now())).observe(region, { childList: true });
        document.querySelector(".engine .switch").click();
      });
      for (let passed = 0; passed < 8000; passed += 100) {
        await page.clock.runFor(100);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      const said = await page.evaluate(() => said);
      assert.ok(said.length > 0);
      for (const [index, time] of said.entries()) assert.ok(index === 0 || time - said[index - 1] >= 1000, said.join(" "));
      assert.match(await page.textContent(".engine .heard"), /^score [+−]\d+\.\d\d, \w+/);
    }));

  const lacks = {
    "WebAssembly SIMD": () => delete globalThis.WebAssembly,
    DecompressionStream: () => delete globalThis.DecompressionStream,
    workers: () => delete globalThis.Worker,
  };
  for (const [name, taken] of Object.entries(lacks)) {
    test(`says in words that ${name} is missing, and the rest works`, () =>
      open({ taken }, async (page) => {
        await page.click(".engine .switch");
        assert.match(await page.innerText(".engine .fault"), new RegExp(`^This browser cannot run the engine: it lacks ${name}\\.`));
        assert.equal(await isOn(page), "false");
        await page.keyboard.press("ArrowRight");
        assert.match(await page.innerText(".played"), /^1\.\sf3/);
      }));
  }

  test("says in words that the engine has ended, and begins anew", () =>
    open({}, async (page) => {
      const program = await page.evaluate(() => {
        const element = document.getElementById("engine-program");
        const text = element.textContent;
        element.textContent = btoa("no engine");
        return text;
      });
      await page.click(".engine .switch");
      await page.waitForSelector(".engine .fault:not(:empty)");
      assert.match(await page.innerText(".engine .fault"), /^The engine has ended: /);
      assert.equal(await isOn(page), "false");
      await page.evaluate((text) => (document.getElementById("engine-program").textContent = text), program);
      await page.click(".engine .switch");
      await found(page);
    }));

  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ["light", "dark"]) {
      test(`has no faults of accessibility, and fits: ${size}, ${colorScheme}`, () =>
        open({ viewport, colorScheme, hasTouch: size === "phone" }, async (page) => {
          await page.locator(".engine .switch").click();
          await page.selectOption(".engine select", "3");
          await found(page);
          const picture = process.env.VANCURA_SCREENSHOTS;
          await page.waitForFunction(() => document.querySelectorAll(".engine .found li").length === 3);
          if (picture) {
            await page.locator(".engine").scrollIntoViewIfNeeded();
            await page.screenshot({ path: join(picture, `live-${size}-${colorScheme}.png`) });
          }
          // As an expression it needs no leave of the page's policy.
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(overflow <= 0, `${overflow} pixels too wide`);
          const place = () => page.evaluate(() => document.querySelector(".lines .known").getBoundingClientRect().top + scrollY);
          const before = await place();
          await page.waitForTimeout(1000);
          assert.equal(await place(), before, "what is below stays where it is");
        }));
    }
  }
});
