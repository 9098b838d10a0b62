// The review of a game in the board: begun, followed, shown, practised; it goes on when the page is closed, and is kept.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { browserAndFolder, noProgram, onBoard, picture } from "./chromium.mjs";
import { played } from "./hands.mjs";


const GAME = `[White "Anna"]
[Black "Ben"]
[Result "1-0"]

1. e4 {[%emt 0:00:05]} e5 {[%emt 0:00:12]} 2. Nf3 Nc6 3. Bc4 {[%emt 0:01:00]} h6 4. d4 exd4 5. O-O Nf6 6. e5 Ng4 7. Nxd4 Ncxe5 8. Bb5 c6 9. Bd3 Qh4 10. h3 Nxd3 11. Qxd3 Ne5 12. Re1 f6 13. f4 d6 14. fxe5 fxe5 1-0
`;

describe("a review", { skip: noProgram, timeout: 300_000 }, () => {
  const given = browserAndFolder();

  const open = (body, { viewport = { width: 1280, height: 860 }, colorScheme = "light", linger = 60, locale = "en" } = {}) =>
    onBoard(given.browser, ["--linger", String(linger), "--data", given.data], { viewport, colorScheme, locale }, body);
  const part = (page, name) => page.waitForSelector(`#review [data-part="${name}"]:not([hidden])`, { timeout: 120_000 });
  const current = (page, san) => page.waitForFunction((san) => document.querySelector('#moves [aria-current="true"]')?.textContent.startsWith(san), san);

  test("goes on when the page is closed", () =>
    open(async (page, program) => {
      await page.click('[data-do="open"]');
      await page.fill("#open-text", GAME);
      await page.click("#open .main");
      await page.click('#engine-switch');
      await part(page, "begin");
      await picture(page, "review-begin", { fullPage: true });
      await page.selectOption("#review-nodes", "50000");
      await page.click('[data-review="start"]');
      await part(page, "running");
      assert.match(await page.textContent("#review .reach"), /^\d+ of 29 positions$/);
      await picture(page, "review-running", { fullPage: true });
      await page.close();
      // It ends by itself, and not before the review is there.
      await once(program, "exit");
      const files = await readdir(join(given.data, "reviews"));
      assert.deepEqual(files.map((file) => file.slice(file.indexOf("."))).sort(), [".html", ".json", ".log", ".pgn"]);
    }, { linger: 1 }));

  for (const [name, viewport, colorScheme] of [["desktop", { width: 1280, height: 860 }, "light"], ["phone", { width: 390, height: 844 }, "dark"]]) {
    test(`shows the course, both sides and each mistake: ${name}`, () =>
      open(async (page) => {
        if (await page.isVisible('[data-mode="analyse"][aria-pressed="false"]')) await page.click('[data-mode="analyse"]');
        await part(page, "done");
        await page.waitForSelector("#review .told li");
        const rows = await page.locator("#review tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
        const accuracy = rows.find(([label]) => label === "Accuracy");
        assert.ok(accuracy.slice(1).every((value) => Number(value) > 20 && Number(value) <= 100), accuracy.join());
        const blunders = rows.find(([label]) => label === "Blunder");
        assert.ok(Number(blunders[2]) >= 1, "Black loses a piece");
        // A mistake leads to its place, and stands there with its sign.
        const mistake = page.locator('#review .told li:has-text("Blunder") button').last();
        const [, san] = /^\d+\.+ ([^?!]+)/.exec(await mistake.textContent());
        await mistake.click();
        await current(page, san);
        assert.match(await page.textContent('#moves [aria-current="true"] .label'), /^\?\?$/);
        assert.match(await page.locator('#review .told li:has-text("Blunder")').last().textContent(), /Better \d*\.*\s*\S+/);
        // What a move misses is drawn before it.
        await page.click('#review .told li:has-text("13... d6") button');
        await current(page, "d6");
        await page.keyboard.press("ArrowLeft");
        await page.waitForSelector('#board .cg-shapes [stroke="#2f7d5b"]', { state: "attached" });
        await picture(page, `review-mistake-${name}`, { fullPage: true });
        // How long each move took, as far as the game tells.
        assert.deepEqual(rows.find(([label]) => label === "Time used").slice(1), ["1:05", "0:12"]);
        assert.equal(await page.locator("#review .graph.times path").count(), 2);
        // The graph is a way through the game.
        const slider = page.locator('#review [role="slider"]');
        await slider.scrollIntoViewIfNeeded();
        const box = await slider.boundingBox();
        await page.mouse.click(box.x + 1, box.y + box.height / 2);
        await page.waitForFunction(() => document.querySelector('#review [role="slider"]').getAttribute("aria-valuenow") === "0");
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      }, { viewport, colorScheme }));
  }

  test("says in German why a move was bad", () =>
    open(async (page) => {
      await part(page, "done");
      const why = page.locator('#review .told li:has-text("13... d6") .why');
      await why.waitFor();
      assert.equal(await why.getAttribute("lang"), "de");
      assert.match(await why.textContent(), /^Verpasst, .*Turm.* zu gewinnen: Dxe1\+ schlägt den Turm auf e1, den niemand deckt\.$/);
      await picture(page, "review-german", { fullPage: true });
    }, { locale: "de" }));

  test("the page of it is one click away", () =>
    open(async (page) => {
      await part(page, "done");
      const [report] = await Promise.all([page.context().waitForEvent("page"), page.click("#review .report")]);
      await report.waitForSelector(".viewer");
      assert.match(await report.textContent("h2"), /Anna.*Ben/);
      await report.keyboard.press("ArrowRight");
      assert.match(await report.textContent(".played"), /1\.\se4/);
      // It stands apart from the board: what it runs cannot ask the program for anything.
      assert.equal(await report.evaluate(() => self.origin), "null");
    }));

  test("practice takes the best move and one as good, and no bad one", () =>
    open(async (page) => {
      await part(page, "done");
      await page.click('[data-review="practise"]');
      await page.click('.practice [data-turn="black"]');
      const verdict = page.locator(".practice .verdict");
      const says = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".practice .verdict")?.textContent), pattern.source, { timeout: 60_000 });
      await picture(page, "review-practice", { fullPage: true });
      const total = Number(/of (\d+)/.exec(await page.textContent(".practice .count-of"))[1]);
      assert.ok(total >= 1);
      // 13... d6 leaves the rook on e1 alone.
      for (let number = 1; number < total && !/^13\.\.\. d6\?\?/.test(await page.textContent(".practice .question")); number++) {
        await page.click('[data-practice="next"]');
      }
      assert.match(await page.textContent(".practice .question"), /^13\.\.\. d6\?\? was played\. Find a better move for Black\.$/);
      const type = async (san) => {
        await page.fill("#move", san);
        await page.press("#move", "Enter");
      };
      assert.equal(await page.isVisible("#moves"), false, "nothing gives the answer away");
      await type("d6");
      await says(/was played in the game/);
      await page.click('[data-practice="hint"]');
      await says(/^Move the queen on h4\.$/);
      await type("a6");
      await says(/is not it/);
      assert.equal(await verdict.getAttribute("class"), "verdict wrong");
      await type("Qxe1+");
      await says(/^13\.\.\. Qxe1\+ is the best move\.$/);
      // The game itself stays as it is.
      assert.equal(await page.locator("#moves .variation").count(), 0);
      // It was not known, so it comes back tomorrow; who thinks otherwise says so.
      assert.equal(await page.getAttribute('[data-grade="again"]', "aria-pressed"), "true");
      await page.click('[data-grade="hard"]');
      assert.deepEqual(await page.locator("[data-grade]").evaluateAll((all) => all.map((button) => button.getAttribute("aria-pressed"))), ["false", "true", "false", "false"]);
      await picture(page, "review-practice-solved", { fullPage: true });
      // Once to leave the field, once to leave the practice.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.waitForSelector("#moves");
    }));

  test("a game that has changed is said to be another", () =>
    open(async (page) => {
      await part(page, "done");
      await page.keyboard.press("End");
      const moves = await page.locator("#moves .move").count();
      await page.fill("#move", "Nf3");
      await page.press("#move", "Enter");
      // What is read and not yet played goes with the page.
      await played(page, moves + 1);
      await page.reload();
      await page.waitForFunction(() => document.documentElement.dataset.ready);
      await page.waitForFunction(() => /has changed since/.test(document.querySelector("#review .fault").textContent));
      assert.equal(await page.isVisible('[data-review="practise"]'), false);
      await page.keyboard.press("Control+z");
    }));

  test("what was practised comes back, over three days by a set clock, and can be played out", async () => {
    const day = (number) => new Date(2027, 4, number, 9);
    const practise = async (page, number) => {
      await page.clock.setFixedTime(day(number));
      await page.click('[data-do="practise"]');
      await page.waitForFunction(() => /are due/.test(document.querySelector("#practice-count").textContent));
    };
    const begin = async (page) => {
      await page.click("#practice-begin");
      await page.waitForSelector(".practice");
    };
    const due = (page) => page.textContent("#practice-count").then((text) => /^(\d+) of (\d+) are due/.exec(text).slice(1).map(Number));
    /** Goes through a sitting: what is Ben's blunder is known, everything else is shown. */
    const sit = async (page) => {
      await begin(page);
      let known = 0;
      while (!(await page.isVisible('[data-practice="again"]'))) {
        const isKnown = /^13\.\.\. d6/.test(await page.textContent(".practice .question"));
        if (isKnown) {
          await page.fill("#move", "Qxe1+");
          await page.press("#move", "Enter");
        } else await page.click('[data-practice="solution"]');
        await page.waitForSelector(".practice .grading:not([hidden])");
        assert.equal(await page.getAttribute(`[data-grade="${isKnown ? "good" : "again"}"]`, "aria-pressed"), "true");
        known += Number(isKnown);
        await page.click('[data-practice="next"]');
      }
      await page.click('[data-practice="leave"]');
      return known;
    };
    await rm(join(given.data, "practice.json"), { force: true });
    await open(async (page) => {
      await practise(page, 3);
      const [first, all] = await due(page);
      assert.ok(first === all && all >= 2, `${first} of ${all}`);
      // Those of one player alone.
      assert.deepEqual((await page.locator("#practice-player option").allTextContents()).map((text) => text.replace(/\d+/, "n")).sort(), ["Anna (n)", "Ben (n)", "Everybody's"]);
      await page.selectOption("#practice-player", "Ben");
      assert.ok((await due(page))[1] < all);
      await page.selectOption("#practice-player", "");
      assert.equal(await sit(page), 1);
      await practise(page, 3);
      assert.deepEqual(await due(page), [0, all]);
      assert.match(await page.textContent("#practice-count"), /The next is due on Tuesday,? (4 May|May 4)\.$/);
      assert.equal(await page.isDisabled("#practice-begin"), true);
    });
    // The next days, the program runs anew.
    await open(async (page) => {
      await practise(page, 4);
      const [next, all] = await due(page);
      assert.equal(next, all - 1, "what was known comes back later");
      assert.equal(await sit(page), 0);
    });
    await open(async (page) => {
      await practise(page, 6);
      assert.ok((await due(page))[0] >= 1);
      await begin(page);
      const name = await page.textContent("#moves .move, #heading").catch(() => "");
      assert.equal(name, "", "nothing tells of the game");
      // From any position the game goes on against the engine, and what was open can be had back.
      await page.click('[data-practice="solution"]');
      await page.click('[data-practice="out"]');
      await page.waitForFunction(() => document.querySelector('[data-mode="play"]').getAttribute("aria-pressed") === "true");
      assert.equal(await page.locator(".practice").count(), 0);
      await page.keyboard.press("Control+z");
      await page.waitForFunction(() => /Qh4/.test(document.querySelector("#moves").textContent));
    });
    // What cannot be read is kept aside, and said.
    await writeFile(join(given.data, "practice.json"), "{ damaged");
    await open(async (page) => {
      await practise(page, 6);
      await page.waitForFunction(() => /cannot be read: .*practice\.unread-1\.json, and a new one begins/.test(document.querySelector("#toast p").textContent));
      assert.equal(await readFile(join(given.data, "practice.unread-1.json"), "utf8"), "{ damaged");
    });
  });

  for (const [name, viewport] of [["desktop", { width: 1280, height: 860 }], ["phone", { width: 390, height: 844 }]]) {
    test(`a file of puzzles is practised move by move: ${name}`, () =>
      open(async (page) => {
        // The move before the position leads to it.
        const csv = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"
          + "abc,3r2k1/p4ppp/8/8/8/8/4RPPP/4R1K1 b - - 0 1,a7a6 e2e8 d8e8 e1e8,1500,500,0,0,backRankMate mateIn2,,\n";
        await page.click('[data-do="practise"]');
        await page.setInputFiles("#practice-file", { name: "nothing.csv", mimeType: "text/csv", buffer: Buffer.from("1. e4 *") });
        await page.waitForFunction(() => /nothing\.csv has no position/.test(document.querySelector("#practice-error").textContent));
        await page.setInputFiles("#practice-file", { name: "puzzles.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
        await page.waitForSelector(".practice");
        assert.equal(await page.textContent(".practice .question"), "Find the best move for White.");
        const type = async (san) => {
          await page.fill("#move", san);
          await page.press("#move", "Enter");
        };
        await type("Re8+");
        await page.waitForFunction(() => /^2\. Re8\+ is right\. Rxe8 is the reply/.test(document.querySelector(".practice .verdict").textContent));
        await picture(page, `review-puzzle-${name}`, { fullPage: true });
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
        await type("Rxe8#");
        await page.waitForFunction(() => document.querySelector('[data-grade="good"]').getAttribute("aria-pressed") === "true");
        await page.click('[data-practice="next"]');
        assert.match(await page.textContent(".practice .question"), /Found at the first try: 1 of 1/);
        await page.keyboard.press("Escape");
      }, { viewport }));
  }

});
