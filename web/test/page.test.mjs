// The board's model and modes in Node.js, without a page: clocks, games, undo, PGN, the library, a game against an engine.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { readOption, Engine } from "../../page/engine/uci.js";
import { Clock, controlText } from "../../page/model/clock.js";
import { Game, START } from "../../page/model/game.js";
import { History } from "../../page/model/history.js";
import { BrowserKeeper, Library, ServerKeeper, pageOf, tagsOf } from "../../page/model/library.js";
import { Autosave } from "../../page/model/autosave.js";
import { levelOptions, levelsOf, nearest, scaleOf } from "../../page/model/level.js";
import { readMarks, signOf, toggled, writeMarks } from "../../page/model/marks.js";
import { pgnOf } from "../../page/model/pgn.js";
import { DEFAULTS, Session, soundSettings } from "../../page/model/session.js";
import { material, oddsFen } from "../../page/model/start.js";
import { Analyse, numbered } from "../../page/modes/analyse.js";
import { Play } from "../../page/modes/play.js";
import { localPosition, plyOf } from "../../page/rules/local.js";
import de from "../../page/texts/de.js";
import en from "../../page/texts/en.js";
import "../../page/texts/languages.js";
import { choose, foreign, local, t } from "../../page/texts/words.js";
import { bestBySearch, judgeByKnown, judgeByLines, judgeBySearch, judged } from "../../page/engine/judge.js";
import { Review } from "../../page/model/review.js";

/** A game of these moves in coordinates. */
function gameOf(...ucis) {
  const game = new Game();
  for (const uci of ucis) {
    const move = localPosition({ fen: null, moves: game.moves() }).moves.find((each) => each.uci === uci);
    game.at = game.add(game.at, move);
  }
  return game;
}

describe("clocks", () => {
  test("run for one side, give increments, and fall", () => {
    const clock = new Clock({ base: 60_000, increment: 2000, delay: 0 });
    clock.start("white", 1000);
    assert.equal(clock.time("white", 11_000), 50_000);
    assert.equal(clock.press(11_000), 10_000);
    clock.start("black", 11_000);
    assert.deepEqual([clock.time("white", 50_000), clock.time("black", 50_000)], [52_000, 21_000]);
    assert.ok(!clock.hasFallen(70_999) && clock.hasFallen(71_000));
    const again = Clock.restored(JSON.parse(JSON.stringify(clock.save(50_000))));
    assert.deepEqual([again.running, again.time("black", 90_000)], [null, 21_000]);
    assert.equal(Clock.restored({ control: {}, left: {} }), null);
  });

  test("wait for a delay, which is not saved up", () => {
    const clock = new Clock({ base: 10_000, increment: 0, delay: 3000 });
    clock.start("white", 0);
    assert.equal(clock.time("white", 2000), 10_000);
    clock.press(2000);
    clock.start("white", 2000);
    assert.equal(clock.time("white", 6000), 9000);
  });

  test("are named as PGN does", () => {
    assert.equal(controlText({ base: 180_000, increment: 2000, delay: 0 }), "180+2");
    assert.equal(controlText({ base: 300_000, increment: 0, delay: 5000 }), "300d5");
  });
});

describe("games", () => {
  test("what is removed can be had back from a snapshot, and places stay as they are", () => {
    const game = gameOf("e2e4", "e7e5", "g1f3");
    game.at = 1;
    const before = game.save();
    game.remove(0);
    assert.deepEqual([game.isEmpty, game.at], [true, START]);
    const again = new Game(before);
    assert.deepEqual([again.moves(again.last()), again.at], [["e2e4", "e7e5", "g1f3"], 1]);
  });

  test("the history gives states back in both directions", () => {
    const history = new History();
    history.push("one", 1);
    history.push("two", 2);
    assert.equal(history.next, "two");
    assert.deepEqual(history.undo(3), { label: "two", state: 2 });
    assert.deepEqual(history.undo(2), { label: "one", state: 1 });
    assert.equal(history.undo(1), undefined);
    assert.deepEqual([history.redo(1).state, history.canRedo], [2, true]);
    history.push("other", 9);
    assert.equal(history.canRedo, false);
  });

  test("arrows, circles and words of a comment are kept apart and written again", () => {
    const { marks, words } = readMarks("[%csl Gd4,Rf7] Good. [%cal Ye2e4]");
    assert.deepEqual(marks, [{ color: "green", from: "d4" }, { color: "red", from: "f7" }, { color: "yellow", from: "e2", to: "e4" }]);
    assert.equal(words, "Good.");
    assert.equal(writeMarks(words, marks), "[%csl Gd4,Rf7] [%cal Ye2e4] Good.");
    assert.deepEqual(readMarks("x [%clk 1:00]").words, "x [%clk 1:00]");
  });

  test("a move has one sign of its kind", () => {
    assert.deepEqual(toggled([1, 14], 4), [4, 14]);
    assert.deepEqual(toggled([4, 14], 4), [14]);
    assert.deepEqual([signOf(18), signOf(13), signOf(99)], ["+−", "∞", "$99"]);
  });

  test("PGN has tags, variations, clocks and signs, in lines that are not too long", () => {
    const game = gameOf("e2e4", "e7e5", "g1f3", "b8c6", "f1b5");
    game.setTag("White", 'A "quoted" \\ name\n');
    game.at = 0;
    const other = localPosition({ fen: null, moves: game.moves(0) }).moves.find(({ uci }) => uci === "c7c5");
    const place = game.add(0, other, { clock: { secs: 59, nanos: 500_000_000 }, nags: [1], comment: "or } so" });
    game.setComment(START, "Before.");
    game.setResult("1-0");
    const pgn = pgnOf(game);
    assert.match(pgn, /\[White "A \\"quoted\\" \\\\ name "\]/);
    assert.match(pgn.replaceAll("\n", " "), /\{ Before\. \} 1\. e4 e5 \(1\.\.\. c5 \$1 \{ \[%clk 0:00:59\.5\] or \) so \}\) 2\. Nf3 Nc6 3\. Bb5 1-0/);
    assert.ok(pgn.split("\n").every((line) => line.length < 80) && place > 0);
    assert.equal(tagsOf(pgn).White, 'A "quoted" \\ name ');
  });

  test("deep variations do no harm", () => {
    const moves = [];
    for (let depth = 0; depth < 20_000; depth++) {
      moves.push({ parent: depth ? 2 * depth - 2 : null, uci: "a", san: "a", text: "1. a", squares: null });
      moves.push({ parent: depth ? 2 * depth - 2 : null, uci: "b", san: "b", text: "1. b", squares: null });
    }
    assert.ok(pgnOf(new Game({ moves })).length > 100_000);
  });
});

test("positions without a server are those of the rules", () => {
  const start = localPosition({ fen: null, moves: [] });
  assert.equal(start.moves.length, 20);
  assert.deepEqual(start.moves.find(({ san }) => san === "Nf3"), { ...start.moves.find(({ san }) => san === "Nf3"), uci: "g1f3", from: "g1", to: ["f3"], text: "1. Nf3" });
  const castling = localPosition({ fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", moves: [] }).moves.find(({ san }) => san === "O-O");
  assert.deepEqual(castling.to, ["g1", "h1"]);
  const after = localPosition({ fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", moves: ["e1g1", "e8c8"] });
  assert.equal(after.fen, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
  assert.equal(localPosition({ fen: null, moves: ["f2f3", "e7e5", "g2g4", "d8h4"] }).end.result, "0-1");
  assert.throws(() => localPosition({ fen: null, moves: ["e2e5"] }));
});

test("a game is at a position after as many moves as it takes, however they come about", () => {
  const game = { fen: null, moves: ["g1f3", "d7d5", "d2d4", "g8f6", "e2e3", "e7e6", "f1e2", "f8e7", "e1g1", "e8g8"] };
  const reached = (moves) => localPosition({ fen: null, moves }).fen;
  assert.equal(plyOf(game, reached([])), 0);
  assert.equal(plyOf(game, reached(["d2d4", "d7d5", "g1f3"])), 3, "by a transposition");
  assert.equal(plyOf(game, reached(game.moves)), 10);
  // A square behind a pawn counts only where somebody can capture there, and the counters never do.
  assert.equal(plyOf({ fen: null, moves: ["e2e4", "e7e5"] }, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 7 30"), 1);
  assert.equal(plyOf(game, reached(["e2e4"])), -1);
  assert.equal(plyOf({ fen: null, moves: ["e2e5", "e7e5"] }, reached(["e2e4"])), -1, "an illegal move ends the walk");
  const chess960 = { fen: "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", moves: ["h1g3", "h8g6", "f1g1"] };
  assert.equal(plyOf(chess960, "bqnbrkr1/pppppppp/6n1/8/8/6N1/PPPPPPPP/BQNBRRK1 b ge - 3 2"), 3);
});

test("odds and material are counted", () => {
  assert.equal(oddsFen("knight", "black"), "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  assert.equal(oddsFen("rook", "white"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1");
  assert.deepEqual(material("rnb1kbnr/pppppppp/8/8/8/8/PPPPPP2/RNBQKBNR w KQkq - 0 1"), { taken: { white: ["q"], black: ["p", "p"] }, ahead: 7 });
});

test("what stands in the page has words, and its buttons do something", async () => {
  const read = (name) => readFile(new URL(`../../page/${name}`, import.meta.url), "utf8");
  const [html, intents] = [await read("index.html"), await read("intents.js")];
  const names = (attribute) => [...new Set([...html.matchAll(new RegExp(`${attribute}="([^"]+)"`, "g"))].map(([, name]) => name))];
  const words = names("data-t(?:-\\w+)?");
  assert.ok(words.length > 100, `${words.length} words`);
  assert.deepEqual(words.filter((name) => !en[name]), []);
  const dialogs = html.slice(html.indexOf("<dialog "));
  const does = names("data-do").filter((name) => !dialogs.includes(`data-do="${name}"`) && name !== "theme");
  const actions = [...intents.split("#actions = {")[1].split("\n  };")[0].matchAll(/^    "?([\w-]+)"?:/gm)].map(([, name]) => name);
  assert.ok(does.length > 30 && actions.length > 30, `${does.length} buttons, ${actions.length} actions`);
  assert.deepEqual(does.filter((name) => !actions.includes(name)), []);
});

test("texts have the same names and places in every language, and moves their letters", () => {
  const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort().join();
  for (const [name, text] of Object.entries(en)) {
    assert.ok(de[name], `${name} is missing`);
    assert.equal(places(de[name]), places(text), name);
  }
  for (const name of Object.keys(de)) assert.ok(en[name] || name.startsWith("rule."), `${name} is too much`);
  assert.equal(choose("de"), "de");
  assert.deepEqual([local("Nxe5+"), local("exd8=Q"), local("O-O-O"), foreign("Sf3"), t("elo", { elo: 5 })], ["Sxe5+", "exd8=D", "O-O-O", "Nf3", "5 Elo"]);
  assert.equal(choose(undefined, ["fr-FR", "en-GB"]), "en");
});

test("a move of practice is judged by the lines known, else by a search of it and the best", async () => {
  const known = [{ uci: "e2e4", loss: 0 }, { uci: "d2d4", loss: 20 }, { uci: "c2c4", loss: 49 }, { uci: "f2f3", loss: 50 }];
  assert.deepEqual(known.map(({ uci }) => judgeByLines(known, uci).kind), ["best", "best", "good", "wrong"]);
  assert.equal(judgeByLines(known, "a2a3"), null);
  // What the search of the position found may be worse than what is tried.
  const searched = async (mine) => {
    const sent = [];
    const engine = {
      forget: () => sent.push("forget"),
      search({ go, hear, done, dropped }) {
        sent.push(go.replace(/\d+/, "n"));
        if (!mine) return dropped();
        hear({ line: 1, pv: ["x"], isBound: true, wdl: [1000, 0, 0] });
        hear({ line: 1, pv: ["e2e4"], isBound: false, wdl: go.includes("a2a3") ? mine : [400, 300, 300] });
        hear({ line: 1, pv: ["x"], isBound: true, wdl: [1000, 0, 0] });
        done("e2e4");
      },
    };
    const what = { position: "position startpos", uci: "a2a3", options: {}, worths: new Map() };
    const verdict = await judgeBySearch(engine, what);
    if (verdict) {
      assert.deepEqual(await judgeBySearch(engine, what), verdict);
      const asked = ["nodes n", "nodes n searchmoves e2e4", "nodes n searchmoves a2a3", "nodes n searchmoves a2a3"];
      assert.deepEqual(sent, asked.flatMap((go) => ["forget", go]));
    }
    return verdict;
  };
  assert.deepEqual(await searched([500, 300, 200]), { kind: "best", loss: 0 });
  assert.deepEqual(await searched([360, 300, 340]), { kind: "good", loss: 40 });
  assert.deepEqual(await searched([200, 300, 500]), { kind: "wrong", loss: 200 });
  assert.equal(await searched(null), null, "nothing is said of what was not searched");
  // The search of the position may overlook what the best move is worth, or another that was tried before.
  const worth = { e2e4: [700, 300, 0], d2d4: [500, 300, 200], g2g4: [380, 300, 320], x: [400, 300, 300], "": [400, 300, 300] };
  const engine = {
    forget() {},
    search({ go, hear, done }) {
      hear({ line: 1, pv: ["x"], isBound: false, wdl: worth[go.split(" searchmoves ")[1] ?? ""] });
      done("x");
    },
  };
  const judgedAs = (uci, more) => judgeBySearch(engine, { position: "position startpos", uci, options: {}, ...more });
  assert.deepEqual(await judgedAs("g2g4", {}), { kind: "best", loss: 20 });
  assert.deepEqual(await judgedAs("g2g4", { best: "e2e4" }), { kind: "wrong", loss: 320 });
  assert.deepEqual(await judgedAs("e2e4", { best: "e2e4" }), { kind: "best", loss: 0 });
  const worths = new Map();
  assert.deepEqual(await judgedAs("d2d4", { worths }), { kind: "best", loss: 0 });
  assert.deepEqual(await judgedAs("g2g4", { worths }), { kind: "wrong", loss: 120 });
  // The move held for the best stays it, unless another is worth more than counts as the best beside it, each searched alone.
  const bestOf = async (best, all, known = []) => {
    const sent = [];
    const searches = { forget() {}, search({ go, hear, done }) {
      const uci = go.split(" searchmoves ")[1];
      sent.push(uci ?? "all");
      hear({ line: 1, pv: [uci ?? "g1f3", "e7e5"], isBound: false, wdl: [all[uci ?? "all"], 0, 1000 - all[uci ?? "all"]] });
      done("g1f3");
    } };
    const values = new Map();
    const [found] = await bestBySearch(searches, { position: "p", best, known, options: {}, worths: values });
    return [found, values.get("p"), sent.join(" ")];
  };
  assert.deepEqual(await bestOf("e2e4", { all: 500, g1f3: 520, e2e4: 500 }), ["e2e4", 520, "all e2e4 g1f3"]);
  assert.deepEqual(await bestOf("e2e4", { all: 500, g1f3: 521, e2e4: 500 }), ["g1f3", 521, "all e2e4 g1f3"]);
  assert.deepEqual(await bestOf("e2e4", { all: 530, g1f3: 400, e2e4: 500 }), ["e2e4", 530, "all e2e4 g1f3"]);
  assert.deepEqual(await bestOf("e2e4", { all: 500, g1f3: 500, e2e4: 600 }), ["e2e4", 600, "all e2e4 g1f3"], "it was overlooked");
  assert.deepEqual(await bestOf("g1f3", { all: 500, g1f3: 560 }), ["g1f3", 560, "all g1f3"]);
  const rivals = [{ uci: "g1f3", loss: 0 }, { uci: "d2d4", loss: 49 }, { uci: "c2c4", loss: 50 }];
  assert.deepEqual(await bestOf("g1f3", { all: 500, g1f3: 500, d2d4: 600 }, rivals), ["d2d4", 600, "all g1f3 d2d4"]);
  assert.equal(await bestBySearch({ forget() {}, search: ({ dropped }) => dropped() }, { position: "p", best: "e2e4", options: {} }), null);
  // What is known decides only where it is certain, or where nothing can be searched.
  const [sure, unsure, found] = [{ kind: "wrong", loss: 200 }, { kind: "best", loss: 1 }, { kind: "wrong", loss: 80 }];
  assert.deepEqual([await judged(sure, () => assert.fail()), await judged(unsure, async () => found), await judged(unsure, async () => null)], [sure, found, unsure]);
  assert.deepEqual([await judged(null, async () => found), await judged(null, async () => null)], [found, null]);
});

test("settings that are not as the page keeps them are left out", () => {
  assert.deepEqual(soundSettings({ elo: "x", lines: 9, board: "blue", limit: { kind: "clock", base: 0 }, evil: 1, scale: 0.5 }), { board: "blue", scale: 0.5 });
  assert.deepEqual(soundSettings(null), {});
});

test("options of an engine are read with their kinds and bounds", () => {
  assert.deepEqual(readOption("option name UCI_Elo type spin default 1500 min 800 max 2850"), ["UCI_Elo", { kind: "spin", default: "1500", min: 800, max: 2850, choices: [] }]);
  assert.deepEqual(readOption("option name Style type combo default Very Solid var Very Solid var Risky")[1].choices, ["Very Solid", "Risky"]);
  assert.equal(readOption("id name x"), null);
});

/** Records in memory, as a browser keeps them. */
function store() {
  const records = new Map();
  return { all: async () => [...records.values()], get: async (id) => records.get(id), put: async (record) => void records.set(record.id, record) };
}

describe("the library", () => {
  const pgn = (white) => `[White "${white}"]\n[Black "B"]\n\n1. e4 *\n`;

  test("of the browser keeps games, forks what was changed elsewhere, and has a bin", async () => {
    const keeper = new BrowserKeeper(store());
    const first = await keeper.put("a", 0, pgn("Ann"));
    assert.deepEqual(first, { id: "a", revision: 1 });
    assert.deepEqual(await keeper.put("a", 1, pgn("Anna")), { id: "a", revision: 2 });
    const fork = await keeper.put("a", 1, pgn("Other"));
    assert.equal(fork.forked_from, "a");
    assert.equal((await keeper.get("a")).pgn, pgn("Anna"));
    assert.equal((await keeper.list({ query: "anna" })).total, 1);
    await keeper.remove("a");
    assert.equal((await keeper.list()).total, 1);
    await keeper.restore("a");
    assert.equal((await keeper.list()).total, 2);
  });

  test("lists in pages, sorted and searched", () => {
    const entries = ["C", "a", "B"].map((White, index) => ({ id: White, revision: 1, changed: index, plies: 0, tags: { White } }));
    const names = (question) => pageOf(entries, question).games.map(({ id }) => id).join("");
    assert.deepEqual([names({}), names({ sort: "white" }), names({ sort: "changed" }), names({ sort: "white", from: 1, count: 1 })], ["CaB", "aBC", "BaC", "B"]);
    assert.equal(pageOf(entries, { query: "b" }).total, 1);
  });

  test("keeps a copy in the browser while the program is away, and hands it over later", async () => {
    const kept = [];
    let isAway = false;
    const server = new ServerKeeper(async (path, init) => {
      if (isAway) throw new TypeError("Failed to fetch");
      if (init?.method === "PUT") kept.push(JSON.parse(init.body));
      return new Response(JSON.stringify(init?.method === "PUT" ? { id: "a", revision: 7 } : { total: 0, games: [] }));
    });
    const browser = new BrowserKeeper(store());
    const library = new Library(server, browser);
    isAway = true;
    await assert.rejects(library.put("a", 5, pgn("Ann")), /fetch/);
    isAway = false;
    await library.start();
    assert.deepEqual(kept, [{ revision: 5, pgn: pgn("Ann") }]);
    assert.equal((await browser.list()).total, 0);
  });

  test("says in the words of the program what is wrong", async () => {
    const server = new ServerKeeper(async () => new Response(JSON.stringify({ error: "the disk is full" }), { status: 507 }));
    await assert.rejects(server.get("a"), /^Error: the disk is full$/);
  });

  test("gets each change once, and nothing of a game that is none yet", async () => {
    const put = [];
    const told = [];
    const autosave = new Autosave(
      { put: async (id, revision, text) => (put.push([id, revision]), assert.ok(text), { id: id === "b" ? "c" : id, revision: revision + 1 }) },
      { forked: (id, next) => told.push([id, next]), failed: (error) => told.push(error.message), kept: () => {} },
    );
    const game = new Game();
    autosave.note("a", game);
    await autosave.flush();
    assert.deepEqual(put, []);
    const played = gameOf("e2e4");
    autosave.note("a", played);
    await autosave.flush();
    autosave.note("a", played);
    await autosave.flush();
    played.setTag("White", "x");
    autosave.note("a", played);
    autosave.note("b", played);
    await autosave.flush();
    assert.deepEqual([put, told], [[["a", 0], ["a", 1], ["b", 0]], [["b", "c"]]]);
  });
});

/** A game against an engine that is written down here: what it is sent, and what it says. */
function table({ answers = () => {}, settings = {}, random = 0.5, seats, rules = () => ({}) } = {}) {
  const sent = [];
  let hear = () => {};
  let time = 0;
  const engine = new Engine({ send: (line) => (sent.push(line), answers(line, (answer) => queueMicrotask(() => hear(answer)))), listen: (body) => (hear = body) });
  const session = new Session({ ...DEFAULTS, ...settings });
  const waits = [];
  const failures = [];
  const means = {
    engine, common: () => ({}), failed: (reason) => (failures.push(reason), Object.assign(session, { isPaused: true, fault: reason })),
    at: async (side) => {
      const rival = seats?.[side] ?? engine;
      return { engine: rival, options: levelOptions(LEVELS, session.players[side].level) };
    }, now: () => time, today: () => new Date(2026, 0, 2), random: () => random, answered: () => {},
    wait: async (span) => void waits.push(span),
    command: (place) => `position startpos moves ${session.game.moves(place).join(" ")}`,
    refresh: async () => {
      const end = { timeout: { result: "0-1", reason: "time" }, agreed: { result: "1/2-1/2", reason: "agreed" }, resign: { result: "0-1", reason: "resigned" } };
      const [how] = Object.keys(session.ending ?? {});
      session.tipPosition = { ...localPosition(session.line(session.tip)), ...(how && { end: end[how] }), ...rules(session) };
      session.position = session.isAtTip ? session.tipPosition : localPosition(session.line());
      play.follow();
    },
  };
  const play = new Play(session, means);
  const move = async (uci) => {
    await play.make(session.tipPosition.moves.find((each) => each.uci === uci));
    await settled();
  };
  return { sent, session, play, means, move, waits, failures, say: (line) => hear(line), pass: (span) => (time += span) };
}
const LEVELS = new Map([["UCI_LimitStrength", {}], ["UCI_Elo", { min: 800, max: 2850 }]]);
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Answers every search with a move. */
const always = (best, info = "") => (line, say) => {
  if (!line.startsWith("go")) return;
  if (info) say(info);
  say(`bestmove ${best}`);
};

describe("a game", () => {
  test("goes on by turns, with names, date and level in its tags", async () => {
    const { session, means, move, sent } = table({ answers: always("e7e5"), settings: { elo: 1700, limit: { kind: "nodes", value: 50 } } });
    await means.refresh();
    await move("e2e4");
    assert.deepEqual(session.game.moves(session.tip), ["e2e4", "e7e5"]);
    assert.deepEqual(sent.filter((line) => /^(go|setoption name UCI_Elo)/.test(line)), ["setoption name UCI_Elo value 1700", "go nodes 50"]);
    assert.deepEqual(["White", "Black", "Date", "BlackElo"].map((name) => session.game.tag(name)), ["You", "Vancura", "2026.01.02", "1700"]);
  });

  test("who looks back is left there, and disturbs nobody", async () => {
    const { session, means, move, sent, say } = table();
    await means.refresh();
    await move("e2e4");
    session.game.at = START;
    await means.refresh();
    assert.deepEqual([sent.includes("stop"), session.isAtTip], [false, false]);
    say("bestmove c7c5");
    await settled();
    assert.deepEqual([session.game.at, session.game.moves(session.tip)], [START, ["e2e4", "c7c5"]]);
  });

  test("the clock runs from the second move on, and its end is the end of the game", async () => {
    const { session, means, play, pass, sent, move } = table({ answers: always("e7e5"), settings: { limit: { kind: "clock", base: 10_000, increment: 1000, delay: 0 } } });
    session.clock = new Clock({ base: 10_000, increment: 1000, delay: 0 });
    await means.refresh();
    pass(5000);
    await move("e2e4");
    assert.ok(sent.some((line) => line === "go wtime 10000 btime 10000 winc 1000 binc 1000"), sent.join("\n"));
    assert.deepEqual([session.clock.running, session.game.nodes[1].clock.secs], ["white", 11]);
    pass(9999);
    assert.equal(await play.tick(), false);
    pass(1);
    assert.equal(await play.tick(), true);
    assert.deepEqual([session.game.result, session.game.tag("Termination"), session.clock.running], ["0-1", "time forfeit", null]);
  });

  test("moves are taken back to your own turn", async () => {
    const { session, means, play, move } = table({ answers: always("e7e5") });
    await means.refresh();
    await move("e2e4");
    assert.ok(play.takeBack());
    await means.refresh();
    assert.deepEqual([session.game.isEmpty, session.isYourTurn, play.takeBack()], [true, true, false]);
  });

  test("a draw is taken by who expects no more, and not at the beginning", async () => {
    const even = "info depth 9 multipv 1 score cp 0 nodes 1 wdl 100 800 100 pv a2a3";
    const { session, means, play, move } = table({ answers: always("g8f6", even) });
    await means.refresh();
    await move("g1f3");
    assert.equal(await play.offerDraw(), false);
    const plies = Array.from({ length: 24 }, (_, index) => ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4]);
    session.replace(gameOf(...plies), { mode: "play" });
    await means.refresh();
    assert.equal(await play.offerDraw(), true);
    assert.equal(session.game.result, "1/2-1/2");
    const better = "info depth 9 multipv 1 score cp -300 nodes 1 wdl 0 200 800 pv a2a3";
    const other = table({ answers: always("a2a3", better) });
    other.session.replace(gameOf(...plies), { mode: "play" });
    await other.means.refresh();
    assert.equal(await other.play.offerDraw(), false);
  });

  test("a hint comes in three steps", async () => {
    const { session, means, play } = table({ answers: always("g1f3", "info depth 9 score cp 30 nodes 1 pv g1f3") });
    await means.refresh();
    const steps = [await play.hint(), await play.hint(), await play.hint(), await play.hint()];
    assert.deepEqual(steps.map(({ step }) => step), [1, 2, 3, 3]);
    assert.deepEqual([steps[0].area, steps[2].move.san, session.isYourTurn], ["kingside", "Nf3", true]);
  });

  test("a move that gives much away is told, another is not", async () => {
    const info = (wdl, pv) => `info depth 9 score cp 0 nodes 1 wdl ${wdl} pv ${pv}`;
    let position = "";
    const answers = (line, say) => {
      if (line.startsWith("position")) position = line;
      if (!line.startsWith("go")) return;
      say(position.endsWith("g2g4") ? info("700 200 100", "d7d5") : info("350 400 250", "e2e4"));
      say("bestmove e2e4");
    };
    const { session, means, play } = table({ answers });
    await means.refresh();
    const move = (uci) => session.tipPosition.moves.find((each) => each.uci === uci);
    assert.equal(Math.round(await play.blunder(move("g2g4"))), 350);
    assert.equal(await play.blunder(move("e2e4")), 0);
  });

  test("against another engine has its name and its level, and asks it, not Vancura", async () => {
    const told = [];
    let hear = () => {};
    const rival = new Engine({ send: (line) => (told.push(line), line.startsWith("go") && queueMicrotask(() => hear("bestmove e7e5"))), listen: (body) => (hear = body) });
    const { session, means, move, sent } = table({ seats: { black: rival } });
    session.players = { white: null, black: { engine: "Fish", level: 7, kind: "skill" } };
    await means.refresh();
    await move("e2e4");
    assert.deepEqual(session.game.moves(session.tip), ["e2e4", "e7e5"]);
    assert.deepEqual([sent, told.filter((line) => line.startsWith("go"))], [[], ["go movetime 1000"]]);
    assert.deepEqual(["Event", "White", "Black", "BlackElo"].map((name) => session.game.tag(name)), ["Game against Fish", "You", "Fish", undefined]);
    assert.equal(session.game.comment, "Fish: strength level 7");
  });

  test("waits when an engine makes no legal move, dies, or thinks too long, and goes on when it is told to", async () => {
    let best = "e7e4";
    const { session, means, play, move, failures, pass, sent } = table({ answers: (line, say) => line.startsWith("go") && best && say(`bestmove ${best}`), settings: { limit: { kind: "movetime", value: 2 } } });
    await means.refresh();
    await move("e2e4");
    assert.deepEqual([failures, session.game.moves(session.tip), session.isOver], [["its move e7e4 is not legal."], ["e2e4"], false]);
    await means.refresh();
    assert.equal(sent.filter((line) => line.startsWith("go")).length, 1, "it waits");
    best = "";
    play.resume();
    await means.refresh();
    await settled();
    play.lost("white", "it is not its turn");
    assert.equal(failures.length, 1);
    pass(12_001);
    assert.equal(await play.tick(), false);
    assert.equal(failures[1], "it makes no move.");
    play.resume();
    await means.refresh();
    await settled();
    play.lost("black", "the engine has ended");
    assert.deepEqual([failures.at(-1), session.isPaused, session.isOver], ["the engine has ended", true, false]);
    assert.ok(play.takeBack() && !session.isPaused && session.fault === "");
  });

  test("of two engines goes on by itself, waits when it is told to, and takes the draws that may be claimed", async () => {
    const knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    const answers = (line, say) => line.startsWith("go") && say(`bestmove ${knights[session.game.path(session.tip).length % 4]}`);
    const rules = ({ game, tip, ending }) => (game.path(tip).length < 8 ? {} : { claim: "threefold repetition", ...(ending?.claim && { end: { result: "1/2-1/2", reason: "claimed" } }) });
    const { session, means, play, sent } = table({ answers, rules });
    session.players = { white: { engine: "Fish", level: null, kind: null }, black: { engine: "Vancura", level: 1500, kind: "elo" } };
    session.isPaused = true;
    await means.refresh();
    await settled();
    assert.deepEqual([session.game.isEmpty, session.you, session.isYourTurn, sent], [true, null, false, []]);
    play.resume();
    await means.refresh();
    await settled();
    assert.equal(session.game.moves(session.tip).slice(0, 4).join(), knights.join());
    assert.deepEqual(["Event", "White", "Black", "WhiteElo", "BlackElo"].map((name) => session.game.tag(name)), ["Game between engines", "Fish", "Vancura", undefined, "1500"]);
    assert.deepEqual([session.game.path(session.tip).length, session.game.result], [8, "1/2-1/2"]);
  });

  test("levels are those that an engine has", () => {
    const options = (...list) => new Map(list);
    const [limit, elo, skill] = [["UCI_LimitStrength", {}], ["UCI_Elo", { min: 1320, max: 3190 }], ["Skill Level", { min: 0, max: 20 }]];
    const scale = scaleOf(options(limit, elo, skill));
    assert.deepEqual([scale, levelsOf(scale).at(-1)], [{ kind: "elo", min: 1350, max: 3150, step: 50 }, 3150]);
    assert.deepEqual([nearest(scale, 7), nearest(scale, 1524), nearest(scale, null), nearest(null, 5)], [1350, 1500, null, null]);
    assert.deepEqual([levelOptions(options(limit, elo), 1500), levelOptions(options(limit, elo), null)], [{ UCI_LimitStrength: true, UCI_Elo: 1500 }, { UCI_LimitStrength: false }]);
    assert.deepEqual([levelOptions(options(skill), 3), levelOptions(options(elo, skill), null)], [{ "Skill Level": 3 }, { "Skill Level": 20 }]);
    assert.deepEqual([scaleOf(options(elo)), scaleOf(options(limit)), levelOptions(options(), 5)], [null, null, {}]);
  });

  test("who takes the time of a person waits for it", async () => {
    const { means, move, waits } = table({ answers: always("e7e5"), settings: { isHuman: true } });
    await means.refresh();
    await move("e2e4");
    assert.equal(waits.length, 1);
    assert.ok(waits[0] > 100 && waits[0] < 5000);
  });
});

test("lines are numbered from the position they begin in", () => {
  const fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
  assert.deepEqual([0, 1, 2].map((index) => numbered(fen, index, "x")), ["1... x", "2. x", "2... x"]);
  const session = new Session({ ...DEFAULTS });
  session.game = gameOf("e2e4");
  session.position = localPosition(session.line());
  new Analyse(session, {}).play([{ uci: "e7e5", san: "e5", from: "e7", to: "e5" }, { uci: "g1f3", san: "Nf3", from: "g1", to: "f3" }]);
  assert.deepEqual(session.game.nodes.map(({ text }) => text), ["1. e4", "1... e5", "2. Nf3"]);
});

describe("a review", () => {
  const line = (uci, san, white) => ({ uci: [uci], san: [san], white, score: { cp: 0 } });
  const contents = () => ({
    run: {},
    games: [{
      opening: { eco: "C20", name: "King's Pawn Game" },
      positions: [
        { analysis: { white: 0.55, wdl: { win: 400, draw: 300, loss: 300 }, lines: [line("e2e4", "e4", 0.55)] } },
        { analysis: { white: 0.5, wdl: { win: 300, draw: 400, loss: 300 }, lines: [line("e7e5", "e5", 0.5), line("c7c5", "c5", 0.54)] } },
        { analysis: null },
      ],
      moves: [
        { number: 1, side: "white", san: "e4", uci: "e2e4", label: "book", loss: 0, judgement: null, reasons: [] },
        {
          number: 1, side: "black", san: "f6", uci: "f7f6", label: "blunder", judgement: "blunder", loss: 0.25, spent_ms: 2500,
          reasons: [{ kind: "fork", about: "allowed", text: "Allows a fork.", squares: ["e5", "x9"], arrows: ["d1h5", "bad"], line: ["Qh5+"] }, { kind: "x" }],
          practice: { moves: [{ uci: "e7e5", san: "e5", loss: 0 }, { uci: "g8f6", san: "Nf6", loss: 0.031 }], others_lose: 0.08 },
        },
      ],
      white: { game: { accuracy: 97.5, labels: { book: 1 } }, lichess_accuracy: 99 }, black: { game: { accuracy: null, inaccuracies: 0, mistakes: 0, blunders: 1 } },
    }],
  });

  test("tells of moves, sides and the opening", () => {
    const review = new Review(contents());
    assert.deepEqual(review.opening, { name: "C20 King's Pawn Game", book: 1 });
    assert.deepEqual([review.chances(1).white, review.chances(2), review.chances(9)], [0.5, null, null]);
    const [told, ...others] = review.bad;
    assert.equal(others.length, 0);
    assert.deepEqual([told.ply, told.text, told.sign, told.best, told.loss], [2, "1... f6", "??", ["e5"], 0.25]);
    assert.deepEqual(told.reasons, [{ kind: "fork", about: "allowed", text: "Allows a fork.", squares: ["e5"], arrows: ["d1h5"], line: ["Qh5+"], uci: [], material: 0, mate: null, forced: false }]);
    assert.deepEqual(review.times, [null, 2500]);
    assert.deepEqual([review.summary("white").accuracy, review.summary("white").lichess, review.summary("white").counts.book], [97.5, 99, 1]);
    // One of an older version counts what it knows.
    assert.deepEqual([review.summary("black").accuracy, review.summary("black").lichess, review.summary("black").counts.blunder], [null, null, 1]);
  });

  test("judges moves of practice by all that it knows", () => {
    const review = new Review(contents());
    assert.deepEqual(review.tasks.map(({ turn, index, text, line }) => [turn, index, text, line]), [["black", 1, "1... f6??", ["e7e5"]]]);
    const kinds = ["e7e5", "g8f6", "c7c5", "a7a6"].map((uci) => judgeByKnown(review.known(1), uci)?.kind);
    assert.deepEqual(kinds, ["best", "good", "wrong", "wrong"], "the longer search knows better");
    const old = contents();
    delete old.games[0].moves[1].practice;
    assert.equal(judgeByKnown(new Review(old).known(1), "a7a6"), null, "it has to be searched");
    // It may have found another best move, or that what was played was no mistake.
    const other = contents();
    other.games[0].moves[1].practice = { moves: [{ uci: "b8c6", san: "Nc6", loss: 0, line: ["Nc6", "Nf3"] }, { uci: "e7e5", san: "e5", loss: 0.1 }], others_lose: 0.1 };
    const [task] = new Review(other).tasks;
    assert.deepEqual([task.line, task.shown, judgeByKnown(new Review(other).known(1), "e7e5").kind], [["b8c6"], ["Nc6", "Nf3"], "wrong"]);
    other.games[0].moves[1].practice.moves.push({ uci: "f7f6", san: "f6", loss: 0.03 });
    assert.deepEqual(new Review(other).tasks, []);
  });

  test("is of a game as long as its moves are the same", () => {
    const review = new Review(contents());
    const moves = [{ uci: "e2e4", san: "e4", text: "1. e4", parent: null }, { uci: "f7f6", san: "f6", text: "1... f6", parent: 0 }];
    assert.equal(review.isOf(new Game({ moves })), true);
    assert.equal(review.isOf(new Game({ moves: moves.slice(0, 1) })), false);
    for (const broken of [null, {}, { games: [] }, { games: [{}] }]) assert.throws(() => new Review(broken), /no game/);
  });
});
