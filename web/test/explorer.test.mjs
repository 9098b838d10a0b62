// What was played, beside the board: in one's own games and in an index; moves are made and games opened from it.
// `make web-test` runs this.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, noProgram, onBoard, picture, PROGRAM } from "./chromium.mjs";


const game = (white, elo, date, moves, result) => `[White "${white}"]\n[Black "Ben"]\n[WhiteElo "${elo}"]\n[BlackElo "2000"]\n[Date "${date}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;
const GAMES = game("Anna", 2100, "2020.01.01", "1. e4 c5 2. Nf3 d6", "1-0") + game("Clara", 2300, "2023.05.01", "1. e4 e5 2. Nf3 Nc6", "1/2-1/2") + game("Dora", 1900, "2024.01.01", "1. d4 d5", "0-1");

describe("what was played", { skip: noProgram, timeout: 120_000 }, () => {
  let browser;
  let data;
  before(async () => {
    browser = await launch();
    data = await mkdtemp(join(tmpdir(), "vancura-"));
    await mkdir(join(data, "games"));
    await writeFile(join(data, "games", "mine.pgn"), game("Anna", 2100, "2022.01.01", "1. Nf3 d5 2. g3", "1-0"));
    await writeFile(join(data, "all.pgn"), GAMES);
    execFileSync(PROGRAM, ["explorer", "build", join(data, "all.pgn"), "-o", join(data, "all.index")], { stdio: "ignore" });
  });
  after(async () => {
    await browser.close();
    await rm(data, { recursive: true });
  });

  const open = (body, { viewport = { width: 1280, height: 900 }, locale = "en", colorScheme = "light" } = {}) =>
    onBoard(browser, ["--data", data, "--explorer", join(data, "all.index")], { viewport, colorScheme, locale }, async (page) => {
      await page.click('[data-do="open"]');
      await page.fill("#open-text", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
      await page.click("#open .main");
      await page.waitForSelector("#explorer[open]:not([hidden])");
      if (await page.isVisible('#engine-switch[aria-checked="true"]')) await page.click("#engine-switch");
      await body(page);
    });
  /** Settles when the settings are kept with this in them. */
  const keeps = (page, part) => page.waitForResponse((response) => response.url().endsWith("/settings") && response.request().postData()?.includes(part));
  const rows = (page) => page.locator("#explorer tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const told = (page, text) => page.waitForFunction((text) => document.querySelector("#explorer .told")?.textContent?.endsWith(text), text);

  test("shows one's own games, and an index as another source", () =>
    open(async (page) => {
      await page.waitForSelector("#explorer tbody tr");
      assert.deepEqual((await rows(page)).map(([move, games]) => [move, games]), [["Nf3", "1 (100 %)"]]);
      const kept = keeps(page, '"explorerSource":"0"');
      await page.selectOption("#explorer-source", { label: "all.index" });
      await told(page, "3 games");
      assert.deepEqual(await rows(page), [["e4", "2 (67 %)", "50 %50 %", "2200", "2191", "2020–2023"], ["d4", "1 (33 %)", "100 %", "1900", "1200", "2024"]]);
      assert.equal(await page.getAttribute("#explorer tbody tr .results", "aria-label"), "White 50 %, draw 50 %, Black 0 %");
      await picture(page, "explorer-desktop", { fullPage: true });
      await page.click('#explorer [data-san="e4"]');
      await told(page, "B00 King's Pawn Game · 2 games");
      assert.deepEqual((await rows(page)).map(([move]) => move), ["c5", "e5"]);
      assert.equal(await page.textContent('#moves [aria-current="true"]'), "e4");
      await page.focus('#explorer [data-san="e5"]');
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("#explorer tbody tr").length === 1);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Nf3", "the keys go on from the next moves");
      // A position without games.
      await page.fill("#move", "a3");
      await page.keyboard.press("Enter");
      await told(page, "No game has a move here.");
      assert.equal(await page.isHidden("#explorer .explored"), true);
      // The next test goes on with what was chosen.
      await kept;
    }));

  test("opens the games of a position", () =>
    open(async (page) => {
      // What was chosen was kept.
      await told(page, "3 games");
      await page.click("#explorer .explored summary");
      const games = await page.locator("#explorer .explored-games .game").allTextContents();
      assert.deepEqual(games.map((text) => text.split(" ")[0]), ["Dora", "Clara", "Anna"]);
      await page.click('#explorer .game:has-text("Clara")');
      await page.waitForFunction(() => document.querySelector("#heading")?.textContent?.startsWith("Clara – Ben"));
      assert.equal(await page.locator('#moves [aria-current="true"]').count(), 0, "it is shown from where it was explored: the start");
      await page.selectOption("#explorer-source", "mine");
      await page.waitForSelector('#explorer [data-san="Nf3"]');
      await page.click('#explorer [data-san="Nf3"]');
      await page.waitForSelector('#explorer [data-san="d5"]');
      await page.click('#explorer .game:has-text("Anna")');
      await page.waitForFunction(() => document.querySelector("#heading")?.textContent?.startsWith("Anna – Ben"));
      assert.deepEqual(await page.locator('#moves [aria-current="true"]').allTextContents(), ["Nf3"]);
    }));

  test("can be closed, and stays so; in German on a phone", () =>
    open(async (page) => {
      await page.waitForSelector("#explorer tbody tr");
      assert.equal(await page.textContent("#explorer h2"), "Was gespielt wurde");
      await page.selectOption("#explorer-source", "mine");
      await page.waitForFunction(() => [...document.querySelectorAll("#explorer tbody th")].some((cell) => cell.textContent === "Sf3"));
      await picture(page, "explorer-phone", { fullPage: true });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than the phone");
      const kept = keeps(page, '"explorer":false');
      await page.click("#explorer > summary");
      await kept;
      await page.reload();
      await page.waitForFunction(() => document.documentElement.dataset.ready);
      await page.waitForSelector("#explorer:not([open], [hidden])");
    }, { viewport: { width: 390, height: 844 }, locale: "de", colorScheme: "dark" }));
});
