// Games against other engines and between engines: chosen, played to their ends, named in PGN; and what engines that die, do not
// answer or make illegal moves do to a game. `make web-test` runs this.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, beforeEach, describe, test } from "node:test";
import { browserAndFolder, noProgram, onBoard, picture, PROGRAM } from "./chromium.mjs";
import { begin, playOut, seeded, touch } from "./hands.mjs";

/** An engine with the options of its first argument, whose moves are those of the second, and which writes down what it is told. */
const ENGINE = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [, , options, moves, file] = process.argv;
const say = (line) => process.stdout.write(line + "\\n");
const KNOWN = {
  skill: ["Skill Level type spin default 20 min 0 max 20"],
  elo: ["UCI_LimitStrength type check default false", "UCI_Elo type spin default 1320 min 1320 max 3190", "UCI_Chess960 type check default false"],
  none: [],
};
let ply = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  appendFileSync(file, line + "\\n");
  if (line === "uci") {
    KNOWN[options].forEach((option) => say("option name " + option));
    say("uciok");
  } else if (line === "isready") say("readyok");
  else if (line.startsWith("position")) ply = line.includes(" moves ") ? line.split(" moves ")[1].split(" ").length : 0;
  else if (line.startsWith("go")) {
    const move = moves.split(",")[Math.floor(ply / 2)];
    if (move === "dies") process.exit(3);
    if (move && move !== "silent") say("bestmove " + move);
  } else if (line === "quit") process.exit(0);
});
`;

const DESKTOP = { viewport: { width: 1280, height: 860 }, locale: "en" };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "en", colorScheme: "dark" };

describe("games with other engines", { skip: noProgram, timeout: 600_000 }, () => {
  const given = browserAndFolder();
  let told;
  before(async () => {
    told = join(given.data, "told");
    await writeFile(join(given.data, "engine.mjs"), ENGINE);
  });
  beforeEach(() => rm(told, { force: true }));

  /** Opens a board with engines: `Rival` is Vancura under another name, others are options and moves. */
  const open = (engines, context, body, data = "games") => {
    const named = Object.entries(engines).flatMap(([name, [options, moves]]) => ["--engine", `name=${name} ${process.execPath} ${join(given.data, "engine.mjs")} ${options} ${moves} ${told}`]);
    return onBoard(given.browser, ["--data", join(given.data, data), "--engine", `name=Rival ${PROGRAM}`, ...named], context, body);
  };
  const wasTold = async (pattern) => {
    for (let tries = 0; tries < 200; tries++) {
      if (existsSync(told) && pattern.test(await readFile(told, "utf8"))) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`the engine was not told ${pattern}: ${await readFile(told, "utf8")}`);
  };
  const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#status").textContent), pattern.source, { timeout: 30_000 });
  const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves .move").length >= count, count);
  /** The dialog for a new game, with an engine for each side that has one. */
  const ask = async (page, { side = "white", rivals, kind = "depth", value = "1" }) => {
    await page.click('[data-do="new"]');
    await page.check(`#new [name="side"][value="${side}"]`, { force: true });
    for (const [index, name] of rivals.entries()) {
      await page.selectOption(["#rival", "#rival-2"][index], name);
      await page.waitForFunction((index) => !/starts/.test(document.querySelectorAll("#new .rival p")[index].textContent), index);
    }
    await page.selectOption("#limit-kind", kind);
    if (kind !== "clock") await page.fill("#limit", value);
  };
  const type = async (page, san) => {
    await page.fill("#move", san);
    await page.press("#move", "Enter");
  };
  const pgn = async (page) => {
    await page.click('[data-do="save"]');
    const text = await page.inputValue("#save-pgn");
    await page.keyboard.press("Escape");
    return text;
  };
  const isNarrow = async (page) => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);

  for (const [name, context, side] of [["desktop", DESKTOP, "white"], ["phone", PHONE, "black"]]) {
    test(`${name}: one is chosen with its level and a clock, and a whole game is played to its end by the laws`, () =>
      open({}, context, async (page) => {
        await ask(page, { side, rivals: ["Rival"], kind: "clock" });
        await page.fill("#base", "10");
        await page.fill("#increment", "1");
        await page.fill("#elo", "800");
        assert.equal(await page.textContent("#elo-text"), "800 Elo");
        await picture(page, `rivals-new-${name}`);
        await isNarrow(page);
        await begin(page);
        assert.match(await page.textContent(".strip.far .name"), /^Rival \(800\)$/);
        assert.deepEqual((await page.locator(".strip .clock").allTextContents()).map((text) => /^(10|9):\d\d$/.test(text)), [true, true]);
        const end = await playOut(page, side === "black", seeded(11));
        assert.match(end, /^(1-0|0-1|1\/2-1\/2): /);
        await picture(page, `rivals-end-${name}`);
        await isNarrow(page);
        const text = await pgn(page);
        const [white, black] = side === "white" ? ["You", "Rival"] : ["Rival", "You"];
        for (const part of ['[Event "Game against Rival"]', `[White "${white}"]`, `[Black "${black}"]`, `[${side === "white" ? "Black" : "White"}Elo "800"]`, '[TimeControl "600+1"]', `[Result "${end.split(":")[0]}"]`, "[%clk 0:"]) {
          assert.ok(text.includes(part), `${part}: ${text}`);
        }
        // Again, with the other colour.
        await page.click('[data-do="rematch"]');
        await page.waitForFunction((turned) => document.querySelector(".cg-wrap").classList.contains(turned), side === "white" ? "orientation-black" : "orientation-white");
        assert.match(await page.textContent(".strip.far .name"), /^Rival \(800\)$/);
      }));
  }

  test("two play to the end by themselves, wait when they are told to, and are there again afterwards", () =>
    open({}, DESKTOP, async (page) => {
      await ask(page, { side: "none", rivals: ["Rival", "Vancura"] });
      await page.fill("#elo", "800");
      await page.fill("#elo-2", "1200");
      await picture(page, "rivals-new-both");
      await begin(page);
      await played(page, 4);
      for (const name of ["resign", "offer-draw", "hint", "take-back"]) assert.equal(await page.isVisible(`[data-do="${name}"]`), false, name);
      await page.click('[data-do="pause"]');
      await says(page, /^The game waits\.$/);
      await picture(page, "rivals-waiting");
      const count = await page.locator("#moves .move").count();
      assert.deepEqual(await page.locator(".level:visible span").allTextContents(), ["Rival", "Vancura"]);
      await page.selectOption('.level[data-side="white"] select', "1000");
      await page.reload();
      await page.waitForFunction(() => document.documentElement.dataset.ready);
      await says(page, /^The game waits\.$/);
      assert.equal(await page.locator("#moves .move").count(), count);
      await page.click('[data-do="pause"]');
      await page.waitForFunction(() => /^(1-0|0-1|1\/2-1\/2): /.test(document.querySelector("#status").textContent), null, { timeout: 240_000 });
      const text = await pgn(page);
      for (const part of ['[Event "Game between engines"]', '[White "Rival"]', '[Black "Vancura"]', '[WhiteElo "1000"]', '[BlackElo "1200"]', "Rival: strength 1000 Elo"]) {
        assert.ok(text.replaceAll("\n", " ").includes(part), `${part}: ${text}`);
      }
    }, "both"));

  test("Vancura against itself are two, where there is a program", () =>
    open({}, DESKTOP, async (page) => {
      await ask(page, { side: "none", rivals: ["Vancura", "Vancura"], kind: "nodes", value: "20" });
      await begin(page);
      await played(page, 6);
      await page.click('[data-do="pause"]');
      assert.deepEqual(await page.locator(".strip .name").allTextContents(), ["Vancura (1500)", "Vancura (1500)"]);
    }, "itself"));

  test("levels are those of the engine's own options, or none", () =>
    open({ Steps: ["skill", "e7e5,d7d5"], Plain: ["none", "e7e5"] }, DESKTOP, async (page) => {
      await ask(page, { rivals: ["Plain"] });
      assert.equal(await page.textContent("#new .rival p"), "The strength of Plain cannot be chosen.");
      assert.equal(await page.isVisible("#elo"), false);
      await page.selectOption("#rival", "Steps");
      await page.waitForFunction(() => document.querySelector("#elo").max === "21");
      assert.equal(await page.textContent("#elo-text"), "full");
      await page.fill("#elo", "3");
      assert.equal(await page.textContent("#elo-text"), "level 3");
      await begin(page);
      assert.equal(await page.textContent(".strip.far .name"), "Steps (level 3)");
      await type(page, "e4");
      await played(page, 2);
      await wasTold(/setoption name Skill Level value 3\n[^]*position startpos moves e2e4\ngo depth 1\n/);
      await page.selectOption(".level:not([hidden]) select", "12");
      await type(page, "d4");
      await played(page, 4);
      await wasTold(/setoption name Skill Level value 12\n[^]*position startpos moves e2e4 e7e5 d2d4\n/);
      const text = (await pgn(page)).replaceAll("\n", " ");
      for (const part of ['[Black "Steps"]', "Steps: strength level 3", "Steps: strength level 12"]) assert.ok(text.includes(part), `${part}: ${text}`);
      assert.doesNotMatch(text, /BlackElo/);
    }, "levels"));

  for (const [manner, moves, words] of [
    ["dies", "e7e5,dies", "the engine has ended"],
    ["makes an illegal move", "e7e5,e5e3", "its move e5e3 is not legal"],
    ["has no move", "e7e5,(none)", "its move \\(none\\) is not legal"],
  ]) {
    test(`one that ${manner} is told of once, and the game stays`, () =>
      open({ Weak: ["none", moves] }, PHONE, async (page) => {
        await ask(page, { rivals: ["Weak"], kind: "clock" });
        await begin(page);
        await type(page, "e4");
        await played(page, 2);
        await type(page, "Nf3");
        const message = new RegExp(`^Weak cannot go on: ${words}.*\\. The game waits\\.$`);
        await says(page, message);
        await isNarrow(page);
        await picture(page, `rivals-${manner.replaceAll(" ", "-")}`);
        const clocks = await page.locator(".strip .clock").allTextContents();
        // It is tried again, with the same end.
        await page.click('[data-do="pause"]');
        await says(page, message);
        assert.equal(await page.locator("#moves .move").count(), 3);
        assert.deepEqual(await page.locator(".strip .clock.running").count(), 0, clocks.join());
        // One takes back and plays on, or has the game as it is.
        await page.click('[data-do="take-back"]');
        await says(page, /^Your move$/);
        assert.equal(await page.locator("#moves .move").count(), 2);
        assert.match(await pgn(page), /\[Black "Weak"\][^]*1\. e4[^]*e5[^]*\*/);
      }, `weak ${manner}`));
  }

  test("one that does not answer is given up, and one without Chess960 says so", () =>
    open({ Silent: ["none", "silent"] }, DESKTOP, async (page) => {
      await ask(page, { rivals: ["Silent"], kind: "movetime", value: "0.1" });
      await begin(page);
      await type(page, "e4");
      await says(page, /^Silent thinks …$/);
      await says(page, /^Silent cannot go on: it makes no move\. The game waits\.$/);
      await ask(page, { side: "black", rivals: ["Silent"] });
      await page.check('#new [name="from"][value="chess960"]', { force: true });
      await page.fill("#number", "0");
      await begin(page);
      await says(page, /^Silent cannot go on: it does not play Chess960\. The game waits\.$/);
    }, "silent"));

  test("a game goes on against its engine after a new start, and Vancura gives the hints", async () => {
    const engines = { Fish: ["elo", "e7e5,b8c6"] };
    await open(engines, DESKTOP, async (page) => {
      await ask(page, { rivals: ["Fish"] });
      await page.fill("#elo", "1400");
      await begin(page);
      const kept = page.waitForResponse((response) => response.url().includes("/games/") && response.request().method() === "PUT" && response.request().postData().includes("e5"));
      await touch(page, "e2");
      await touch(page, "e4");
      await played(page, 2);
      await wasTold(/name UCI_LimitStrength value true\n[^]*name UCI_Elo value 1400\n/);
      await page.click('[data-do="hint"]');
      await page.waitForFunction(() => /^Look at/.test(document.querySelector("#hinted").textContent));
      await page.click('[data-do="offer-draw"]');
      await page.waitForFunction(() => document.querySelector("#hinted").textContent === "Fish does not take the draw.");
      await kept;
    }, "restart");
    await open(engines, DESKTOP, async (page) => {
      await played(page, 2);
      assert.match(await page.textContent(".strip.far .name"), /^Fish \(1400\)$/);
      await type(page, "Nf3");
      await page.waitForFunction(() => document.querySelector("#said").textContent.startsWith("Fish: knight"));
      await played(page, 4);
    }, "restart");
  });
});
