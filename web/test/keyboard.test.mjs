// The board by the keyboard alone: a game with a clock, its end, analysis, a position that is set up; nowhere is one caught.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chess } from "chess.js";
import { noBrowser } from "./chromium.mjs";
import { servedBoard } from "./static-board.mjs";

/** More presses of Tab than the page has places. */
const MOST = 150;

describe("by the keyboard alone", { skip: noBrowser, timeout: 180_000 }, () => {
  const { open: openPage } = servedBoard();
  const open = (body) => openPage({ locale: "en" }, body);
  /** Goes on with Tab until a place has the focus, and shows that it has. */
  const tabTo = async (page, selector) => {
    for (let presses = 0; presses < MOST; presses++) {
      const isThere = await page.evaluate((selector) => Boolean(document.activeElement?.matches(selector)), selector);
      if (isThere) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${selector} is not reached: ${await page.evaluate(() => document.activeElement?.outerHTML)}`);
  };
  const press = async (page, selector, key = "Enter") => {
    await tabTo(page, selector);
    await page.keyboard.press(key);
  };
  const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#status").textContent), pattern.source, { timeout: 20_000 });
  const played = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("vancura-tab")).state.game.moves.map(({ uci }) => uci));
  /** A legal move that neither ends the game nor takes anything, as one types it. */
  const quiet = async (page) => {
    const chess = new Chess();
    for (const uci of await played(page)) chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
    const moves = chess.moves().filter((san) => !san.includes("#"));
    return moves.find((san) => !/[x+=]/.test(san)) ?? moves[0];
  };

  test("ten moves with a clock, a hint, resignation and its undoing, analysis", () =>
    open(async (page) => {
      await press(page, '[data-do="new"]');
      await page.waitForSelector("#new[open]");
      await tabTo(page, "#elo");
      await page.keyboard.press("Home");
      await tabTo(page, "#limit-kind");
      await page.keyboard.press("C");
      await page.waitForSelector("#base:visible");
      await press(page, "#new .main");
      await page.waitForSelector("#new", { state: "hidden" });
      await page.waitForFunction(() => document.querySelector("#said").textContent.startsWith("New game."));
      for (let move = 1; move <= 10; move++) {
        await says(page, /^Your move/);
        const san = await quiet(page);
        await page.keyboard.press("m");
        await page.keyboard.type(san);
        await page.keyboard.press("Enter");
        await page.waitForFunction((count) => document.querySelectorAll("#moves .move").length >= count, 2 * move);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => /^Vancura: /.test(document.querySelector("#said").textContent));
      }
      const clocks = await page.locator(".strip .clock").allTextContents();
      assert.ok(clocks.every((text) => /^[45]:\d\d$/.test(text)) && clocks.length === 2, clocks.join());
      assert.equal((await played(page)).length, 20);
      await says(page, /^Your move/);
      await page.keyboard.press("h");
      await page.waitForFunction(() => /^Look at/.test(document.querySelector("#hinted").textContent));
      await press(page, '[data-do="resign"]');
      await page.waitForSelector("#sure[open]");
      await press(page, "#sure .main");
      await says(page, /^0-1: White resigns$/);
      // Undone, and done again.
      await page.keyboard.press("Control+z");
      await says(page, /^Your move/);
      await page.keyboard.press("Control+y");
      await says(page, /^0-1/);
      await press(page, '[data-do="analyse-this"]');
      await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
      await page.keyboard.press("Escape");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      // The lines are those of this position.
      await page.waitForFunction(() => /^\S+\s*10\. /.test(document.querySelector("#lines li")?.innerText.replace(/\s+/g, " ")));
      const at = () => page.evaluate(() => document.querySelector('#moves [aria-current="true"]').textContent);
      const before = await at();
      await page.keyboard.press(" ");
      await page.waitForFunction((before) => document.querySelector('#moves [aria-current="true"]').textContent !== before, before);
      await page.keyboard.press("?");
      await page.waitForSelector("#help[open]");
      await page.keyboard.press("Escape");
      await page.waitForSelector("#help", { state: "hidden" });
    }));

  test("every dialog is opened and left, and Tab goes round without a trap", () =>
    open(async (page) => {
      for (const name of ["new", "games", "open", "save", "settings", "help"]) {
        await press(page, `[data-do="${name}"]`);
        await page.waitForSelector(`#${name}[open]`);
        await page.keyboard.press("Escape");
        await page.waitForSelector(`#${name}`, { state: "hidden" });
      }
      await press(page, '[data-do="setup"]');
      await tabTo(page, "#setup-fen");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
      await press(page, '[data-do="setup-done"]');
      await page.waitForSelector("#lines li");
      const places = new Set();
      const first = '[data-do="new"]';
      await tabTo(page, first);
      for (let presses = 0; presses < MOST; presses++) {
        await page.keyboard.press("Tab");
        places.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200)));
        if (await page.evaluate((first) => document.activeElement?.matches(first), first)) break;
      }
      assert.ok(places.size > 20, `only ${places.size} places`);
      assert.ok(await page.evaluate((first) => document.activeElement?.matches(first), first), "it comes round");
    }));
});
