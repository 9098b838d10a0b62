// What is opened on the board: positions that are set up, PGN in files and archives, several games, exercises. `make web-test`
// runs this.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { crc32, gzipSync } from "node:zlib";
import { noBrowser } from "./chromium.mjs";
import { begin, count, kept, pasteAnywhere, played, says, touch } from "./hands.mjs";
import { ready, servedBoard } from "./static-board.mjs";

// The games of a test in forms that Node.js cannot write.
const BZIP2 = "QlpoOTFBWSZTWWQAazEAABLflAAQUANmACAQAIomYYwAACAIACAAVEQADQGmmglU/Uhpmo0xBhIe44VBiLJQL0hFHW6TFeUpFTYcfPLiPQgdwjMET4u5IpwoSDIANZiA";
const XZ = "/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4AA7ADNdAC2VyW+K03lWHYwIry6EwJCeZY67r3IExI4/95HZksfVKoRtEBdXuynGf42KOEgyeoAAAAAAF19BFQABSzxiX2QckEKZDQEAAAAAAVla";
const ZSTANDARD = "KLUv/QRYvQEA1AJbV2hpdGUgIkFubmEiXQoKMS4gZTQgZTUgMS0wCgpKb3PDqWQ0IGQ1IDAtMQoCAEJlbSCUE7X2GPo=";

/** A ZIP archive with one file, stored. */
function zipped(name, bytes) {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt32LE(crc32(bytes), 14);
  local.writeUInt32LE(bytes.length, 18);
  local.writeUInt32LE(bytes.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  local.copy(central, 6, 4, 30);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + bytes.length, 16);
  return Buffer.concat([local, Buffer.from(name), bytes, central, Buffer.from(name), end]);
}

describe("what is opened on the board", { skip: noBrowser }, () => {
  const { open } = servedBoard();

  test("Chess960, positions that are set up, and PGN as a file", () =>
    open({}, async (page) => {
      await page.click('[data-do="new"]');
      await page.check('#new [name="from"][value="chess960"]', { force: true });
      await page.fill("#number", "0");
      await begin(page);
      await page.click('[data-do="save"]');
      await page.waitForFunction(() => document.querySelector("#save-pgn").value !== "");
      assert.match(await page.inputValue("#save-pgn"), /\[Variant "Chess960"\][\s\S]*\[FEN "bbqnnrkr\//);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-do="download"]')]);
      assert.equal(download.suggestedFilename(), "You_Vancura.pgn");
      assert.equal(await readFile(await download.path(), "utf8"), await page.inputValue("#save-pgn"));
      await page.keyboard.press("Escape");
      await page.click('[data-do="setup"]');
      await page.click('[data-do="setup-empty"]');
      await page.click('[data-do="setup-done"]');
      await page.waitForFunction(() => document.querySelector("#setup-error").textContent.includes("king"));
      for (const [piece, square] of [["white king", "e1"], ["black king", "e8"], ["white queen", "d1"]]) {
        await page.click(`#setup [aria-label="${piece}"]`);
        await touch(page, square, false);
      }
      await page.click('[data-do="setup-done"]');
      await page.waitForSelector("#lines li");
      assert.equal((await kept(page)).game.fen, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    }));

  test("files are opened as they are downloaded, and databases of other programs refused in words", () =>
    open({}, async (page) => {
      const games = '[White "Anna"]\n\n1. e4 e5 1-0\n\n[White "Jos\u00e9"]\n\n1. d4 d5 0-1\n';
      const utf16 = Buffer.from(`\ufeff${games}`, "utf16le");
      const stored = (name, bytes) => ({ name, mimeType: "application/octet-stream", buffer: bytes });
      for (const [name, bytes] of [
        ["a.pgn", Buffer.from(games)],
        ["a.pgn.gz", gzipSync(games)],
        ["a.pgn", Buffer.from(games, "latin1")],
        ["a.pgn", utf16],
        ["a.zip", zipped("games/a.pgn", Buffer.from(games))],
        ["a.pgn.bz2", Buffer.from(BZIP2, "base64")],
        ["a.pgn.xz", Buffer.from(XZ, "base64")],
        ["a.pgn.zst", Buffer.from(ZSTANDARD, "base64")],
      ]) {
        await page.click('[data-do="open"]');
        await page.setInputFiles("#open-file", stored(name, bytes));
        await page.waitForSelector("#games[open]");
        await page.waitForFunction(() => document.querySelectorAll("#games-list .game").length === 2, null, { timeout: 30_000 });
        assert.match((await page.locator("#games-list .game").allTextContents()).join(), /^Anna .*,Jos\u00e9 /, name);
        await page.click("#games [data-close]");
      }
      await page.click('[data-do="open"]');
      for (const [name, words] of [["a.cbh", "ChessBase"], ["a.cbv", "ChessBase"], ["a.si5", "Scid"]]) {
        await page.setInputFiles("#open-file", stored(name, Buffer.alloc(64)));
        await page.waitForFunction((words) => document.querySelector("#open-error").textContent.includes(words), words);
      }
      for (const text of ["fen 4k3/8/8/8/8/8/8/3QK3 w - - 0 1;", '"4k3/8/8/8/8/8/8/3QK3_w_-_-_0_1"', "position fen 4k3/8/8/8/8/8/8/2Q1K3 w - - 0 1 moves c1d1 e8f8 d1c1 f8e8 c1d1"]) {
        await page.fill("#open-text", text);
        await page.click('#open .main');
        await page.waitForFunction(() => !document.querySelector("#open").open);
        await page.click('[data-do="open"]');
      }
    }));

  test("several games that are pasted are a list, from which one goes on; marks, signs and clocks are shown", () =>
    open({}, async (page) => {
      await pasteAnywhere(page, `[White "Alpha"]\n[WhiteElo "2100"]\n\n1. e4 $14 {[%csl Gd4][%cal Re2e4] good [%clk 0:05:00]} e5 1-0\n\n[White "Gamma"]\n\n1. d4 d5 2. c4 *\n\n[White "Broken"]\n\n1. e4 e9 *\n`);
      await page.waitForSelector("#games[open]");
      await page.waitForFunction(() => document.querySelectorAll("#games-list .game").length === 3);
      assert.match(await page.textContent("#games-problems"), /line \d+: .*e9/);
      await page.click("#games-list .game");
      await played(page, 2);
      await page.keyboard.press("ArrowRight");
      assert.match(await page.textContent("#moves .move"), /^e4\+=5:00$/);
      assert.equal(await page.textContent("#moves .comment"), "good");
      await page.waitForFunction(() => document.querySelectorAll(".cg-shapes circle").length === 1);
      assert.match(await page.textContent(".strip.near"), /Alpha \(2100\).*5:00/);
      await page.keyboard.press("]");
      await played(page, 3);
      assert.equal(await page.textContent("#of-many p"), "Game 2 of 3");
      // Signs, a comment and an arrow of one's own.
      await page.keyboard.press("ArrowRight");
      await page.click('[data-nag="3"]');
      await page.fill("#comment", "Solid");
      await page.locator("#comment").blur();
      const box = await page.locator("cg-board").boundingBox();
      const at = (square) => [box.x + ("abcdefgh".indexOf(square[0]) + 0.5) * (box.width / 8), box.y + (8.5 - Number(square[1])) * (box.height / 8)];
      await page.mouse.move(...at("c2"));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...at("c4"));
      await page.mouse.up({ button: "right" });
      await page.click('[data-do="save"]');
      assert.match((await page.inputValue("#save-pgn")).replaceAll("\n", " "), /1\. d4 \$3 \{ \[%cal Gc2c4\] Solid \}/);
      await page.keyboard.press("Escape");
      // What is deleted can be had back, by the button too.
      await page.click('[data-do="remove"]');
      await played(page, 0);
      await page.click("#toast button");
      await played(page, 3);
      // And one plays on from here, as a game of its own.
      await page.click('[data-mode="play"]');
      await page.click('[data-do="play-on"]');
      await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
      assert.match(await page.textContent("#heading"), /^You – Vancura|^Vancura – You/);
      await page.click('[data-do="games"]');
      await page.click("#games .sources button:first-child");
      await page.waitForFunction(() => document.querySelectorAll("#games-list .game").length >= 3);
    }));

  test("exercises of a PGN file are practised, and the browser keeps when they come back", () =>
    open({}, async (page) => {
      const pgn = '[Event "Exercise a"]\n[White "Ann"]\n[Black "Ben"]\n[SetUp "1"]\n[FEN "3r2k1/5ppp/p7/8/8/8/4RPPP/4R1K1 w - - 0 1"]\n\n1. Re8+ (1. h3 $4) 1... Rxe8 2. Rxe8# *\n\n'
        + '[Event "A game"]\n\n1. e4 *\n\n[Event "Exercise b"]\n[White "Cid"]\n[SetUp "1"]\n[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n\n1. Ra8# *\n';
      const practise = async () => {
        await page.click('[data-do="practise"]');
        await page.waitForFunction(() => !/moment/.test(document.querySelector("#practice-count").textContent));
      };
      await practise();
      assert.match(await page.textContent("#practice-count"), /^There are none yet/);
      await page.setInputFiles("#practice-file", { name: "study.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(pgn) });
      await page.waitForFunction(() => document.querySelector(".practice .question")?.textContent === "1. h3?? was played. Find a better move for White.");
      for (const [move, says] of [["Re8+", /is right/], ["Rxe8#", /is the best move/]]) {
        await page.fill("#move", move);
        await page.press("#move", "Enter");
        await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".practice .verdict").textContent), says.source);
      }
      await page.waitForSelector('[data-grade="good"][aria-pressed="true"]');
      await page.click('[data-practice="next"]');
      await page.click('[data-practice="solution"]');
      assert.equal(await page.getAttribute('[data-grade="again"]', "aria-pressed"), "true");
      await page.keyboard.press("Escape");
      await page.waitForSelector(".practice", { state: "detached" });
      assert.equal(await count(page), 0, "what was open is there again");
      await page.reload();
      await ready(page);
      await practise();
      assert.match(await page.textContent("#practice-count"), /^0 of 2 are due\. The next is due on /);
      assert.deepEqual(await page.locator("#practice-player option").allTextContents(), ["Everybody's", "Ann (1)", "Cid (1)"]);
      // What is deleted is gone for good, and what was had back is there.
      const remove = async () => {
        await page.click("#practice-all > summary");
        await page.click("#practice-all > ul > li > .delete >> nth=0");
        await page.waitForFunction(() => / of 1 are due/.test(document.querySelector("#practice-count").textContent));
      };
      await remove();
      await page.click("#practice-undo");
      await page.waitForFunction(() => / of 2 are due/.test(document.querySelector("#practice-count").textContent));
      await page.reload();
      await ready(page);
      await practise();
      assert.match(await page.textContent("#practice-count"), /^0 of 2 are due\. The next is due on /);
      await remove();
      await page.reload();
      await ready(page);
      await practise();
      assert.match(await page.textContent("#practice-count"), /^0 of 1 are due\./);
    }));
});
