// Positions to practise, looked through and deleted, and had back; what is damaged stands in nobody's way. In the data folder and,
// where there is no program, in the browser. `make web-test` runs this.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { browserAndFolder, noProgram, onBoard, picture } from "./chromium.mjs";

/** A back rank mate in three positions, each of a game. */
const card = (rank, names, more = {}) => {
  const fen = `3r2k1/p4ppp/8/8/${rank}/8/4RPPP/4R1K1 w - - 0 1`;
  return {
    id: fen.split(" ").slice(0, 4).join(" "), fen, turn: "white", uci: "h2h3", text: "1. h3??", line: ["e2e8", "d8e8", "e1e8"], shown: ["1. Re8+", "Rxe8", "2. Rxe8#"],
    known: [], others: null, player: "Anna", names, source: names, plan: null, ...more,
  };
};
const CARDS = [card("8", "Anna – Ben"), card("P7", "Anna – Ben"), card("1P6", "Anna – Cleo")];
/** A position that no rules allow, and what is no position. */
const NO_KING = card("2P5", "Anna – Dora", { fen: "3r2k1/p4ppp/8/8/2P5/8/4RPPP/4R3 w - - 0 1", id: "3r2k1/p4ppp/8/8/2P5/8/4RPPP/4R3 w - -" });
const DAMAGED = [null, 7, { id: "broken", fen: 3 }, NO_KING];

describe("positions to practise", { skip: noProgram, timeout: 120_000 }, () => {
  const given = browserAndFolder();

  const open = (body, { viewport = { width: 1280, height: 860 }, colorScheme = "light" } = {}) =>
    onBoard(given.browser, ["--data", given.data], { viewport, colorScheme, locale: "en" }, body);
  const keep = (cards) => writeFile(join(given.data, "practice.json"), JSON.stringify({ schema: 1, cards, seen: {} }));
  const kept = async () => JSON.parse(await readFile(join(given.data, "practice.json"), "utf8")).cards.map((each) => each?.id ?? each);
  const practise = async (page) => {
    await page.click('[data-do="practise"]');
    await page.waitForFunction(() => /are due/.test(document.querySelector("#practice-count").textContent));
  };
  const counts = (page, text) => page.waitForFunction((text) => document.querySelector("#practice-count").textContent.startsWith(text), text);
  const groups = (page) => page.locator("#practice-all > ul > li summary").allTextContents();

  for (const [name, viewport, colorScheme] of [["desktop", { width: 1280, height: 860 }, "light"], ["phone", { width: 390, height: 844 }, "dark"]]) {
    test(`are listed by games, and deleted one by one and all of a game: ${name}`, async () => {
      await keep(CARDS);
      await open(async (page) => {
        await practise(page);
        await page.click("#practice-all > summary");
        await page.waitForSelector("#practice-all > ul > li");
        assert.deepEqual(await groups(page), ["Anna – Ben (2)", "Anna – Cleo (1)"]);
        await page.click('#practice-all summary:has-text("Ben")');
        await page.click("#practice-all li li .delete >> nth=0");
        await counts(page, "2 of 2 are due");
        assert.deepEqual(await kept(), [CARDS[1].id, CARDS[2].id]);
        assert.equal(await page.textContent("#practice-deleted span"), "1 position deleted.");
        await picture(page, `cards-${name}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.keyboard.press("Control+z");
        await counts(page, "3 of 3 are due");
        await page.click('#practice-all > ul > li:has-text("Ben") > .delete');
        await counts(page, "1 of 1 are due");
        assert.deepEqual(await kept(), [CARDS[2].id]);
        assert.deepEqual(await groups(page), ["Anna – Cleo (1)"]);
        // Beside the dialog the same undo has them back.
        await page.keyboard.press("Escape");
        await page.waitForSelector("#cards", { state: "hidden" });
        await page.keyboard.press("Control+z");
        await page.waitForFunction(() => document.querySelector("#toast p").textContent === "Undone: delete.");
        assert.deepEqual((await kept()).sort(), CARDS.map(({ id }) => id).sort());
        await page.keyboard.press("Control+z");
        await page.waitForFunction(() => document.querySelector("#toast p").textContent === "There is nothing to undo.");
      }, { viewport, colorScheme });
    });
  }

  test("are deleted while one practises, and the next one comes", async () => {
    await keep(CARDS);
    await open(async (page) => {
      await practise(page);
      await page.click("#practice-begin");
      await page.waitForSelector(".practice");
      assert.equal(await page.textContent(".practice .count-of"), "1 of 3");
      await page.click('[data-practice="remove"]');
      await page.waitForFunction(() => document.querySelector(".practice .count-of").textContent === "1 of 2");
      assert.deepEqual(await kept(), [CARDS[1].id, CARDS[2].id]);
      await page.click('#toast [data-do="undo"]');
      await page.waitForFunction(() => document.querySelector("#toast p").textContent === "Undone: delete.");
      assert.equal((await kept()).length, 3);
      assert.equal(await page.textContent(".practice .count-of"), "1 of 2", "the sitting goes on as it is");
      await page.click('[data-practice="solution"]');
      await page.click('[data-practice="remove"]');
      await page.waitForFunction(() => document.querySelector(".practice .count-of").textContent === "1 of 1");
      await page.click('[data-practice="remove"]');
      await page.waitForSelector('[data-practice="again"]:not([hidden])');
      assert.equal(await page.isVisible('[data-practice="remove"]'), false);
      assert.deepEqual(await kept(), [CARDS[0].id]);
      await page.keyboard.press("Escape");
    });
  });

  test("have another solution where a longer search than the review's finds a better one", async () => {
    const overlooked = (rank) => card(rank, "Anna – Eve", { line: ["e1d1"], shown: ["1. Rd1"], known: [{ uci: "e1d1", loss: 0 }, { uci: "e2e8", loss: 100 }] });
    await keep([overlooked("8"), overlooked("P7"), card("1P6", "Anna – Cleo", { line: ["e2e8"], shown: ["1. Re8+"] })]);
    const says = (page, text) => page.waitForFunction((text) => document.querySelector(".practice .verdict").textContent.startsWith(text), text);
    await open(async (page) => {
      await practise(page);
      await page.click("#practice-begin");
      await page.waitForSelector(".practice");
      await page.fill("#move", "Rd1");
      await page.press("#move", "Enter");
      await says(page, "1. Rd1 is not it. It loses ");
      await page.fill("#move", "Re8+");
      await page.press("#move", "Enter");
      await says(page, "1. Re8+ is the best move.");
      await page.click('[data-practice="next"]');
      await page.click('[data-practice="hint"]');
      await page.waitForFunction(() => /e2/.test(document.querySelector(".practice .verdict").textContent));
      await page.click('[data-practice="solution"]');
      await says(page, "The best line is 1. Re8+ Rxe8 2. Rxe8#");
      await page.click('[data-practice="next"]');
      await page.fill("#move", "Re8+");
      await page.press("#move", "Enter");
      await says(page, "1. Re8+ is the best move.");
    });
  });

  test("that are damaged stand in nobody's way, and can be deleted", async () => {
    // Longest due comes first: the damaged one.
    await keep([...DAMAGED, ...CARDS]);
    await open(async (page) => {
      await practise(page);
      await counts(page, "4 of 4 are due");
      await page.click("#practice-begin");
      await page.waitForSelector(".practice");
      assert.match(await page.textContent("#toast p"), /^Left out, since the rules do not allow them: 1\.$/);
      assert.equal(await page.textContent(".practice .count-of"), "1 of 3");
      await page.click('[data-practice="solution"]');
      await page.waitForSelector(".practice .grading:not([hidden])");
      await page.keyboard.press("Escape");
      await practise(page);
      await counts(page, "2 of 3 are due");
      assert.deepEqual((await kept()).slice(0, 4), [null, 7, "broken", NO_KING.id], "nothing is lost");
      await page.click("#practice-all > summary");
      await page.waitForSelector("#practice-all > ul > li");
      assert.equal((await groups(page)).at(-1), "Damaged (2)");
      await page.click('#practice-all > ul > li:has-text("Damaged") > .delete');
      await page.waitForFunction(() => !/Damaged/.test(document.querySelector("#practice-all").textContent));
      assert.deepEqual((await kept()).slice(0, 3), [null, 7, CARDS[0].id]);
    });
  });

  test("that cannot be deleted stay, and the reason is said", async () => {
    await keep(CARDS);
    await open(async (page, program) => {
      await practise(page);
      await page.click("#practice-all > summary");
      await page.waitForSelector("#practice-all > ul > li");
      await page.route("**/practice", (route) => route.fulfill({ status: 507, json: { error: "the disk is full" } }));
      await page.click("#practice-all > ul > li > .delete >> nth=0");
      await page.waitForFunction(() => /could not be kept: the disk is full/.test(document.querySelector("#practice-error").textContent));
      await counts(page, "3 of 3 are due");
      assert.equal((await kept()).length, 3);
      assert.ok(program.exitCode === null);
    });
  });
});
