// Other engines behind the board: chosen by name, two side by side, options by form; and what engines that die, hang or talk
// nonsense do to the page. `make web-test` runs this.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, noProgram, onBoard, picture } from "./chromium.mjs";


/** An engine that behaves as its first argument says, and writes down what it is told in the file that is the second. */
const ENGINE = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [, , manner, file] = process.argv;
const say = (line) => process.stdout.write(line + "\\n");
const think = () => {
  say("info depth 9 multipv 1 score cp 42 nodes 1000 nps 5000 wdl 400 500 100 pv d2d4 d7d5 c2c4");
  say("info depth 9 multipv 2 score cp 17 nodes 1000 nps 5000 wdl 300 500 200 pv g1f3 g8f6");
};
const NONSENSE = ["", "info depth x score cp y pv e2e5", "info score cp NaN pv", "info depth 1 multipv 9999999 score cp 3 pv e2e4",
  "info depth 3 multipv 1 score mate 2 nodes 5 nps 5 wdl a b c pv zzzz 9999", "{\\"id\\":1,\\"ok\\":{}}", "<img src=x onerror=alert(1)>",
  "option name <b>x</b> type spin default <img> min x max y", "x".repeat(200000), "bestmove e9e9", "readyok uciok"];
createInterface({ input: process.stdin }).on("line", (line) => {
  if (file) appendFileSync(file, line + "\\n");
  if (line === "uci") {
    say("id name Rival 1.0");
    say("option name Hash type spin default 16 min 1 max 1024");
    say("option name MultiPV type spin default 1 min 1 max 500");
    say("option name Style type combo default Very Solid var Very Solid var Wild One");
    say("option name Book type check default true");
    say("option name Clear Hash type button");
    say("option name Log File type string default <empty>");
    if (manner === "nonsense") NONSENSE.forEach(say);
    say("uciok");
  } else if (line === "isready") say("readyok");
  else if (line.startsWith("go")) {
    if (manner === "dies") process.exit(3);
    if (manner === "nonsense") return NONSENSE.forEach(say);
    think();
  } else if (line === "stop" && manner !== "hangs") say("bestmove d2d4");
  else if (line === "quit") process.exit(0);
});
`;

describe("other engines", { skip: noProgram, timeout: 300_000 }, () => {
  let browser;
  let folder;
  let told;
  let opened = 0;
  before(async () => {
    browser = await launch();
    folder = await mkdtemp(join(tmpdir(), "vancura-"));
    told = join(folder, "told");
    await writeFile(join(folder, "engine.mjs"), ENGINE);
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  /** Opens a board with engines of these manners. */
  const open = (manners, body, { viewport = { width: 1280, height: 860 }, colorScheme = "light", data = String(++opened) } = {}) => {
    const engines = manners.flatMap((manner) => ["--engine", `name=${manner} ${process.execPath} ${join(folder, "engine.mjs")} ${manner} ${told}`]);
    return onBoard(browser, ["--data", join(folder, data), ...engines], { viewport, colorScheme }, async (page) => {
      await page.click('[data-mode="analyse"]');
      await body(page);
      await picture(page, `engines-${manners.join("-")}-${viewport.width}-${colorScheme}`);
    });
  };
  const hasLines = (page, seat, count) => page.waitForFunction(([seat, count]) => document.querySelectorAll(`#seat-${seat} .lines li`).length === count, [seat, count]);
  const choose = (page, seat, name) => page.selectOption(`#seat-${seat} .choice-of-engine`, name);
  const fault = async (page, seat, pattern) => {
    await page.waitForFunction(([seat, source]) => new RegExp(source).test(document.querySelector(`#seat-${seat} .fault`).textContent), [seat, pattern.source], { timeout: 40_000 });
  };
  /** What the engine was told, once it was told this. */
  const wasTold = async (pattern) => {
    for (let tries = 0; tries < 200; tries++) {
      const text = existsSync(told) ? await readFile(told, "utf8") : "";
      if (pattern.test(text)) return text;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`the engine was not told ${pattern}: ${await readFile(told, "utf8")}`);
  };
  /** The board still plays and steps. */
  const isAlive = async (page, san) => {
    await page.fill("#move", san);
    await page.press("#move", "Enter");
    await page.waitForFunction((san) => document.querySelector("#moves")?.textContent.includes(san), san);
  };

  test("there is no choice where there is one engine", () =>
    open([], async (page) => {
      await hasLines(page, 1, 3);
      assert.equal(await page.isVisible("#seat-1 .who"), false);
      assert.equal(await page.isVisible("#seat-2"), false);
    }));

  for (const [viewport, colorScheme] of [[{ width: 1280, height: 860 }, "dark"], [{ width: 360, height: 740 }, "light"]]) {
    test(`two analyse side by side, ${viewport.width} wide`, () =>
      open(["good"], async (page) => {
        await hasLines(page, 1, 3);
        await page.click('[data-engine="second"]');
        assert.equal(await page.inputValue("#seat-2 .choice-of-engine"), "good");
        await hasLines(page, 2, 2);
        assert.match(await page.textContent("#seat-2 .lines li"), /\+0\.42.*1\. d4.*d5/);
        assert.match(await page.textContent("#seat-2 .chances"), /White 40\s%, draw 50\s%, Black 10/);
        // Both follow, and the second does not move the arrows of the first.
        const kept = page.waitForResponse((response) => response.url().includes("/games/") && response.request().method() === "PUT");
        await isAlive(page, "e4");
        await hasLines(page, 1, 3);
        await wasTold(/position startpos moves e2e4\ngo infinite/);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
        // The next test goes on with this game.
        await kept;
      }, { viewport, colorScheme, data: `side by side, ${viewport.width}` }));
  }

  test("what was chosen is kept, and another engine may sit in the first place", () =>
    open(["good"], async (page) => {
      // From the test before.
      assert.equal(await page.isVisible("#seat-2"), true);
      await page.click('[data-engine="close"]');
      assert.equal(await page.isVisible("#seat-2"), false);
      await choose(page, 1, "good");
      await hasLines(page, 1, 2);
      assert.match(await page.textContent("#seat-1 .lines"), /−0\.42/);
      await page.click('[data-mode="play"]');
      await page.click('[data-mode="analyse"]');
      await hasLines(page, 1, 2);
      await choose(page, 1, "Vancura");
      await hasLines(page, 1, 3);
    }, { data: "side by side, 360" }));

  test("options are set by a form, kept, and set back", () =>
    open(["good"], async (page) => {
      await choose(page, 1, "good");
      await hasLines(page, 1, 2);
      await page.click('#seat-1 [data-engine="options"]');
      const form = page.locator("#engine-options");
      await form.waitFor();
      assert.deepEqual(await form.locator("label > span").allInnerTexts(), ["Hash", "Style", "Book", "Log File"], "the board sets MultiPV");
      assert.equal(await form.locator('label:has-text("Log File") input').getAttribute("readonly"), "");
      await form.locator('label:has-text("Hash") input').fill("64");
      await form.locator("select").selectOption("Wild One");
      await form.locator('label:has-text("Book") input').uncheck();
      await form.locator('button:has-text("Clear Hash")').click();
      await wasTold(/setoption name Clear Hash\n/);
      await form.locator(".main").click();
      const text = await wasTold(/name Book value false/);
      assert.match(text, /name Hash value 64/);
      assert.match(text, /name Style value Wild One/);
      // Out of bounds is refused by the form.
      await page.click('#seat-1 [data-engine="options"]');
      await form.waitFor();
      assert.equal(await form.locator('label:has-text("Hash") input').inputValue(), "64");
      await form.locator('label:has-text("Hash") input').fill("4096");
      await form.locator(".main").click();
      assert.equal(await form.isVisible(), true);
      await form.locator('[data-option="reset"]').click();
      await form.locator(".main").click();
      await wasTold(/name Hash value 64[^]*name Hash value 16\n/);
      await choose(page, 1, "Vancura");
    }));

  test("Vancura has a form, too", () =>
    open([], async (page) => {
      await page.click('[data-do="settings"]');
      await page.click('#settings [data-do="engine-options"]');
      await page.waitForSelector("#engine-options[open]");
      const names = await page.locator("#engine-options label > span").allInnerTexts();
      assert.ok(names.length > 0 && !names.includes("Hash") && !names.includes("SyzygyPath"), names.join());
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    }));

  test("one that dies is told of, and the board goes on", () =>
    open(["dies"], async (page) => {
      await hasLines(page, 1, 3);
      await page.click('[data-engine="second"]');
      await fault(page, 2, /^dies does not analyse any more: the engine has ended/);
      await isAlive(page, "e4");
      await hasLines(page, 1, 3);
      await page.click('#seat-2 [data-engine="again"]');
      await fault(page, 2, /the engine has ended/);
      await page.click('[data-engine="close"]');
    }));

  test("one that hangs is told of, and the board goes on", () =>
    open(["hangs"], async (page) => {
      await hasLines(page, 1, 3);
      await page.click('[data-engine="second"]');
      await hasLines(page, 2, 2);
      await isAlive(page, "e4");
      await hasLines(page, 1, 3);
      await fault(page, 2, /^hangs does not analyse any more: it does not stop/);
      await isAlive(page, "e5");
      await page.click('[data-engine="close"]');
    }));

  test("nonsense is passed over", () =>
    open(["nonsense"], async (page) => {
      await hasLines(page, 1, 3);
      await page.click('[data-engine="second"]');
      await isAlive(page, "e4");
      await hasLines(page, 1, 3);
      assert.doesNotMatch(await page.textContent("#seat-2"), /NaN|undefined/);
      await page.click('#seat-2 [data-engine="options"]');
      await page.waitForSelector("#engine-options[open]");
      await page.keyboard.press("Escape");
      await page.click('[data-engine="close"]');
    }));
});
