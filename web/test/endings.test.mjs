// What endgame tables say, beside the board; in plain words why they say nothing. `make web-test` runs this.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { browserAndFolder, noProgram, onBoard, picture } from "./chromium.mjs";

const SYZYGY = join(process.env.VANCURA_TEST_DATA ?? "/nowhere", "syzygy");
const QUEEN = "8/8/8/8/3k4/8/4Q3/K7 w - - 0 1";

describe("endgame tables", { skip: noProgram, timeout: 120_000 }, () => {
  const given = browserAndFolder();

  const open = (options, fen, body, { viewport = { width: 1280, height: 860 }, locale = "en" } = {}) =>
    onBoard(given.browser, ["--data", given.data, ...options], { viewport, locale }, async (page) => {
      await page.click('[data-do="open"]');
      await page.fill("#open-text", fen);
      await page.click("#open .main");
      await page.waitForFunction(() => document.querySelector('[data-mode="analyse"]').getAttribute("aria-pressed") === "true");
      if (await page.isVisible('#engine-switch[aria-checked="true"]')) await page.click("#engine-switch");
      await body(page);
    });
  const told = (page, start) => page.waitForFunction((start) => document.querySelector("#endings .told").textContent.startsWith(start), start);

  test("that are not there are said to be missing, and how to have them", () =>
    open([], QUEEN, async (page) => {
      await told(page, "There are no endgame tables. Start Vancura with the folder");
      assert.equal(await page.locator("#endings tbody tr").count(), 0);
      await picture(page, "endings-none", { fullPage: true });
      // With many pieces nobody looks for tables.
      await page.click('[data-do="open"]');
      await page.fill("#open-text", "1. e4 e5 *");
      await page.click("#open .main");
      await page.waitForSelector("#endings", { state: "hidden" });
    }));

  test("of a folder without any are said to be missing there", () =>
    open(["--syzygy", given.data], QUEEN, (page) => told(page, "There are no Syzygy tables in the folder")));

  for (const [name, viewport, locale, words] of [
    ["desktop", { width: 1280, height: 860 }, "en", ["White wins. The next capture, pawn move or mate is ", "A draw.", "draws"]],
    ["phone", { width: 390, height: 844 }, "de", ["Weiß gewinnt. Bis zum nächsten Schlagen, Bauernzug oder Matt sind es ", "Remis.", "remis"]],
  ]) {
    test(`tell how each move ends, and how far that is: ${name}`, { skip: !existsSync(SYZYGY) && "VANCURA_TEST_DATA has no tables" }, () =>
      open(["--syzygy", SYZYGY], QUEEN, async (page) => {
        await told(page, words[0]);
        const rows = await page.locator("#endings tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
        const distance = Number(/ (\d+) /.exec(await page.textContent("#endings .told"))[1]);
        assert.ok(rows.length > 20 && distance > 5, `${rows.length} moves, ${distance}`);
        assert.equal(Number(rows[0][2]), distance, "the best move keeps the distance");
        assert.ok(rows.some(([, result, dtz]) => result === words[2] && dtz === "0"), "a queen that is given away draws");
        await picture(page, `endings-${name}`, { fullPage: true });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        // A move of the list is made on the board, here the queen's gift.
        await page.click('#endings [data-uci="e2e3"]');
        await page.waitForFunction(() => document.querySelectorAll("#endings tbody tr").length < 10);
        await page.click('#endings [data-uci="d4e3"]');
        await page.waitForSelector("#endings", { state: "hidden" });
      }, { viewport, locale }));
  }
});
