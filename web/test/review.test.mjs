// The review of a game in the board: begun, followed, shown, practised; it goes on when the page is closed, and is kept.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const PROGRAM = process.env.VANCURA;

const GAME = `[White "Anna"]
[Black "Ben"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 h6 4. d4 exd4 5. O-O Nf6 6. e5 Ng4 7. Nxd4 Ncxe5 8. Bb5 c6 9. Bd3 Qh4 10. h3 Nxd3 11. Qxd3 Ne5 12. Re1 f6 13. f4 d6 14. fxe5 fxe5 1-0
`;

const skip = CHROMIUM ? (PROGRAM ? false : "VANCURA does not name the program") : "Chromium is not installed";
describe("a review", { skip, timeout: 300_000 }, () => {
  let browser;
  let data;
  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    data = await mkdtemp(join(tmpdir(), "vancura-"));
  });
  after(async () => {
    await browser.close();
    await rm(data, { recursive: true });
  });

  const open = async (body, { viewport = { width: 1280, height: 860 }, colorScheme = "light", linger = 60 } = {}) => {
    const program = spawn(PROGRAM, ["board", "--no-open", "--linger", String(linger), "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
    const context = await browser.newContext({ viewport, colorScheme, locale: "en" });
    try {
      const [url] = await once(createInterface({ input: program.stdout }), "line");
      const page = await context.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("dialog", (dialog) => problems.push(dialog.message()));
      await page.goto(url);
      await page.waitForFunction(() => document.documentElement.dataset.ready);
      await body(page, program);
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
      program.kill("SIGKILL");
    }
  };
  const picture = async (page, name) => {
    const folder = process.env.VANCURA_SCREENSHOTS;
    if (folder) await page.screenshot({ path: join(folder, `review-${name}.png`), fullPage: true });
  };
  const part = (page, name) => page.waitForSelector(`#review [data-part="${name}"]:not([hidden])`, { timeout: 120_000 });
  const current = (page, san) => page.waitForFunction((san) => document.querySelector('#moves [aria-current="true"]')?.textContent.startsWith(san), san);

  test("goes on when the page is closed", () =>
    open(async (page, program) => {
      await page.click('[data-do="open"]');
      await page.fill("#open-text", GAME);
      await page.click("#open .main");
      await page.click('#engine-switch');
      await part(page, "begin");
      await picture(page, "begin");
      await page.selectOption("#review-nodes", "50000");
      await page.click('[data-review="start"]');
      await part(page, "running");
      assert.match(await page.textContent("#review .reach"), /^\d+ of 29 positions$/);
      await picture(page, "running");
      await page.close();
      // It ends by itself, and not before the review is there.
      await once(program, "exit");
      const files = await readdir(join(data, "reviews"));
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
        await picture(page, `mistake-${name}`);
        // The graph is a way through the game.
        const slider = page.locator('#review [role="slider"]');
        await slider.scrollIntoViewIfNeeded();
        const box = await slider.boundingBox();
        await page.mouse.click(box.x + 1, box.y + box.height / 2);
        await page.waitForFunction(() => document.querySelector('#review [role="slider"]').getAttribute("aria-valuenow") === "0");
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      }, { viewport, colorScheme }));
  }

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
      await picture(page, "practice");
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
      await type("a6");
      await says(/is not it/);
      assert.equal(await verdict.getAttribute("class"), "verdict wrong");
      await type("Qxe1+");
      await says(/^13\.\.\. Qxe1\+ is the best move\.$/);
      // The game itself stays as it is.
      assert.equal(await page.locator("#moves .variation").count(), 0);
      await picture(page, "practice-solved");
      // Once to leave the field, once to leave the practice.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.waitForSelector("#moves");
    }));

  test("a game that has changed is said to be another", () =>
    open(async (page) => {
      await part(page, "done");
      await page.keyboard.press("End");
      await page.fill("#move", "Nf3");
      await page.press("#move", "Enter");
      await page.reload();
      await page.waitForFunction(() => document.documentElement.dataset.ready);
      await page.waitForFunction(() => /has changed since/.test(document.querySelector("#review .fault").textContent));
      assert.equal(await page.isVisible('[data-review="practise"]'), false);
      await page.keyboard.press("Control+z");
    }));
});
