// Exercises and the schedule by which they come back, in Node.js, without a page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeByKnown } from "../../page/engine/judge.js";
import { cutGames, fromCsv, fromGame, fromReview, inWords, isExercise } from "../../page/model/exercise.js";
import { Review } from "../../page/model/review.js";
import { GRADES, Schedule, browserKeeper } from "../../page/model/schedule.js";

/** After 1. f3 e5 2. g4: Black mates. */
const MATE = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
const exercise = (more = {}) => ({
  id: MATE.split(" ").slice(0, 4).join(" "), fen: MATE, turn: "black", uci: "a7a6", text: "2... a6??", line: ["d8h4"], shown: ["2... Qh4#"],
  known: [{ uci: "d8h4", loss: 0 }, { uci: "d7d5", loss: 30 }], others: 120, player: "Ann", names: "Ben – Ann", source: "game", ...more,
});

describe("exercises", () => {
  test("of a review are the mistakes of people, with all that is known of other moves", () => {
    const game = (white) => ({
      run: {},
      games: [{
        tags: [{ name: "White", value: white }, { name: "Black", value: "Ann" }, { name: "Date", value: "2026.11.28" }],
        positions: [{ fen: MATE, analysis: { white: 0, lines: [{ uci: ["d8h4"], san: ["Qh4#"], white: 0 }, { uci: ["d7d5"], san: ["d5"], white: 0.03 }] } }, {}],
        moves: [{ number: 2, side: "black", san: "a6", uci: "a7a6", label: "blunder", judgement: "blunder", loss: 0.5, reasons: [],
          practice: { moves: [{ uci: "d8h4", san: "Qh4#", line: ["Qh4#"], loss: 0 }, { uci: "d7d6", san: "d6", line: ["d6"], loss: 0.04 }], others_lose: 0.12 } }],
      }],
    });
    const [found, ...others] = fromReview(new Review(game("Ben")), "game");
    assert.equal(others.length, 0);
    const known = [{ uci: "d8h4", loss: 0 }, { uci: "d7d6", loss: 40 }];
    assert.deepEqual(found, exercise({ known, shown: ["Qh4#"], names: "Ben – Ann, 2026.11.28" }));
    const engine = game("Ben");
    engine.games[0].tags[1].value = "Vancura";
    assert.deepEqual(fromReview(new Review(engine), "game"), [], "the engine learns nothing here");
    assert.deepEqual(fromReview(new Review(game("You")), "game"), [], "nor does another that was played");
    const own = game("Rival");
    own.games[0].tags[1].value = "You";
    assert.equal(fromReview(new Review(own), "game").length, 1);
    const broken = game("Ben");
    broken.games[0].positions[0].fen = null;
    assert.deepEqual(fromReview(new Review(broken), "game"), []);
  });

  test("judge moves by what is known, and others not at all", () => {
    assert.deepEqual(["d8h4", "d7d5", "h7h6"].map((uci) => judgeByKnown(exercise(), uci)?.kind), ["best", "good", "wrong"]);
    assert.equal(judgeByKnown(exercise({ others: 30 }), "h7h6"), null);
    assert.equal(judgeByKnown(exercise({ others: null }), "h7h6"), null);
  });

  test("are read from puzzles as Lichess has them", () => {
    const csv = `PuzzleId,FEN,Moves,Rating,Themes\r
a1,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4,1500,"mate, mateIn1"\r
a2,8/8/8/8/8/8/8/8 w - - 0 1,a1a2 a2a3,1500,\r
a3,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h5,1500,\r
a4,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4,1500,\r
broken\r
`;
    const [puzzle, ...others] = fromCsv(csv);
    assert.equal(others.length, 0);
    assert.deepEqual(puzzle, exercise({ uci: "", text: "", known: [], others: null, player: "", names: "", source: "" }));
    assert.equal(fromCsv("[White \"x\"]\n\n1. e4 *"), null);
  });

  test("are read from games with a position: the moves solve it, and a bad one beside them was played", () => {
    const move = (uci, text, parent, nags = []) => ({ uci, san: text, text, squares: null, parent, nags });
    const tags = [["White", "Ben"], ["Black", "Ann"]];
    const game = { fen: MATE, tags, moves: [move("d8h4", "2... Qh4#", null), move("a7a6", "2... a6", null, [4])] };
    assert.deepEqual(fromGame(game), exercise({ known: [], others: null, source: "" }));
    assert.equal(fromGame({ ...game, fen: null }), null);
    assert.equal(fromGame({ ...game, moves: [] }), null);
    assert.equal(fromGame({ ...game, moves: [move("d8h5", "x", null)] }), null, "what is not legal is left out");
    // The last move is that of whoever solves it.
    const three = { ...game, moves: [move("d7d5", "2... d5", null), move("a2a3", "3. a3", 0), move("d8h4", "3... Qh4#", 1), move("x", "4. x", 9)] };
    assert.deepEqual(fromGame(three).line, ["d7d5", "a2a3", "d8h4"]);
    assert.deepEqual(fromGame({ ...three, moves: three.moves.slice(0, 2) }).line, ["d7d5"]);
    assert.deepEqual(inWords(MATE, ["d7d5", "a2a3", "d8h4"]), ["2... d5", "3. a3", "Qh4#"]);
    assert.equal(cutGames('[Event "a"]\n[FEN "x"]\n\n1. e4 *\n\n[Event "b"]\n\n1. d4 {a\n\nb} *\n').length, 2);
  });

  test("that are none are recognised", () => {
    assert.ok(isExercise(exercise()));
    const broken = [null, [], "x", {}, ...["id", "fen", "turn", "uci", "text", "line", "shown", "known", "others", "player", "names", "source"].flatMap((name) =>
      [undefined, 7, {}, ["x"], "bad".repeat(1000)].map((value) => exercise({ [name]: value })))];
    const wrong = broken.filter((each) => isExercise(each));
    // Any words may show the line, and any number may be what all other moves lose.
    assert.deepEqual(wrong, [exercise({ shown: ["x"] }), exercise({ others: 7 })]);
  });
});

/** Records in memory, as a browser keeps them. */
function store() {
  const records = new Map();
  return { all: async () => JSON.parse(JSON.stringify([...records.values()])), put: async (record) => void records.set(record.id, record), remove: async (id) => void records.delete(id) };
}

describe("the schedule", () => {
  const day = (number, hour = 12) => new Date(2026, 0, number, hour);
  const days = (from, to) => Math.round((to - from) / 86_400_000);

  test("brings back after days what was known well, over three days by a set clock", async () => {
    const kept = store();
    let now = day(1);
    const open = async () => {
      const schedule = new Schedule(browserKeeper(kept), () => now);
      assert.equal(await schedule.load(), "");
      return schedule;
    };
    const other = exercise({ fen: MATE.replace(" b ", " w "), id: MATE.split(" ").slice(0, 4).join(" ").replace(" b ", " w "), player: "Ben", turn: "white" });
    let schedule = await open();
    await schedule.add([exercise(), other]);
    assert.deepEqual([schedule.state().due.length, schedule.state().all, schedule.state().next], [2, 2, null]);
    assert.deepEqual([schedule.players, schedule.state("Ben").due.map(({ player }) => player)], [[["Ann", 1], ["Ben", 1]], ["Ben"]]);
    // The first day: one is known, the other is not.
    const grading = schedule.grading(exercise());
    const comes = GRADES.map((grade) => days(now, grading.due[grade]));
    assert.deepEqual([...comes].sort((one, two) => one - two), comes, "the better, the later");
    assert.ok(comes[0] === 1 && comes[2] === 3 && comes[3] > 3, comes.join());
    await grading.choose("again");
    await grading.choose("good");
    await schedule.grading(other).choose("again");
    assert.deepEqual([schedule.state().due.length, days(now, schedule.state().next)], [0, 1]);
    // The second day, early in the morning: what was not known is due.
    now = day(2, 6);
    schedule = await open();
    assert.deepEqual(schedule.state().due.map(({ player }) => player), ["Ben"]);
    await schedule.grading(other).choose("good");
    assert.equal(schedule.state().due.length, 0);
    // The fourth day: the first comes back, and goes away for longer.
    now = day(4, 6);
    schedule = await open();
    assert.ok(schedule.state().due.some(({ player }) => player === "Ann"));
    const again = schedule.grading(exercise());
    assert.ok(days(now, again.due.good) > 7 && days(now, again.due.again) <= 2, JSON.stringify(again.due));
    // The same position of another game is the same card, and keeps its date.
    await again.choose("good");
    await schedule.add([exercise({ source: "another" })]);
    assert.ok(schedule.state("Ann").due.length === 0 && schedule.state("Ann").all === 1);
    // Of a file first what is due; all if nothing is.
    assert.deepEqual([schedule.dueOf([exercise()]).length, schedule.dueOf([exercise(), exercise({ id: "new" })]).map(({ id }) => id)], [1, ["new"]]);
  });

  test("does without what is damaged, and with a clock that was set back", async () => {
    const kept = store();
    await kept.put({ id: "x", fen: 5 });
    await kept.put({ ...exercise(), plan: { due: "never", stability: "x" } });
    let now = day(20);
    const schedule = new Schedule(browserKeeper(kept), () => now);
    await schedule.load();
    assert.deepEqual([schedule.state().all, schedule.state().due[0].plan], [1, null]);
    await schedule.grading(exercise()).choose("good");
    now = day(1);
    await schedule.grading(exercise()).choose("good");
    assert.ok(schedule.state().next > day(20));
  });

  test("lets positions be deleted, one and those of a game, and had back with their dates", async () => {
    const kept = store();
    const open = async () => {
      const schedule = new Schedule(browserKeeper(kept), () => day(1));
      await schedule.load();
      return schedule;
    };
    const other = (rank, more) => {
      const fen = MATE.replace("5P2", rank);
      return exercise({ fen, id: fen.split(" ").slice(0, 4).join(" "), ...more });
    };
    let schedule = await open();
    const cards = [exercise(), other("P7", {}), other("1P6", { source: "second", names: "Cleo – Ann" }), other("2P5", { source: "", names: "" })];
    assert.equal(new Set(cards.map(({ id }) => id)).size, 4);
    await schedule.add(cards);
    await schedule.grading(cards[0]).choose("good");
    const counts = () => schedule.groups().map(({ kind, names, cards: all }) => [kind, names, all.length]);
    assert.deepEqual(counts(), [["game", "Ben – Ann", 2], ["game", "Cleo – Ann", 1], ["files", "", 1]]);
    const due = () => schedule.groups().flatMap((group) => group.cards).find(({ id }) => id === cards[0].id)?.due;
    const before = due();
    const removed = await schedule.remove(schedule.groups()[0].cards.map(({ id }) => id));
    assert.deepEqual([removed.length, schedule.has(cards[0].id), schedule.state().all], [2, false, 2]);
    schedule = await open();
    assert.deepEqual(counts(), [["game", "Cleo – Ann", 1], ["files", "", 1]]);
    await schedule.putBack(removed);
    assert.deepEqual(due(), before);
    schedule = await open();
    assert.deepEqual([schedule.state().all, due()], [4, before]);
    // What cannot be deleted stays.
    schedule.keeper = { ...schedule.keeper, keep: () => Promise.reject(new Error("the disk is full")) };
    await assert.rejects(schedule.remove([cards[0].id]), /full/);
    assert.ok(schedule.has(cards[0].id));
  });

  test("lists what is damaged apart, where it can be deleted", async () => {
    const kept = store();
    const broken = [{ id: "x", fen: 5 }, { id: MATE, fen: "rules allow this not" }];
    for (const record of [...broken, { id: 7 }, exercise()]) await kept.put(record);
    const schedule = new Schedule(browserKeeper(kept), () => day(1));
    await schedule.load();
    assert.equal(schedule.state().all, 1);
    // What the rules refuse when it is to be shown goes there, too.
    schedule.setAside(exercise().id);
    const [group, ...others] = schedule.groups();
    assert.deepEqual([group.kind, group.cards.length, others.length, schedule.state().all], ["damaged", 3, 0, 0]);
    const removed = await schedule.remove(["x", exercise().id]);
    assert.deepEqual(removed.map(({ id }) => id).sort(), ["x", exercise().id].sort());
    await schedule.putBack(removed);
    assert.deepEqual([schedule.state().all, schedule.groups().at(-1)?.cards.length], [1, 2]);
  });

  test("tells what is wrong, remembers reviews, and keeps only what has changed", async () => {
    const changes = [];
    const keeper = { load: async () => ({ cards: [], seen: { old: 1 }, problem: "It cannot be read." }), keep: async (change) => void changes.push(change) };
    const schedule = new Schedule(keeper, () => day(1));
    assert.equal(await schedule.load(), "It cannot be read.");
    assert.deepEqual([schedule.hasSeen("old", 1), schedule.hasSeen("old", 2), schedule.hasSeen("new", 1)], [true, false, false]);
    await schedule.add([], {});
    await schedule.add([], { new: 3 });
    await schedule.grading(exercise()).choose("easy");
    assert.deepEqual([changes.length, changes[0], changes[1].cards.length, schedule.hasSeen("new", 3)], [2, { cards: [], seen: { new: 3 } }, 1, true]);
    const full = new Schedule({ ...keeper, keep: () => Promise.reject(new Error("the disk is full")) }, () => day(1));
    await assert.rejects(full.grading(exercise()).choose("good"), /full/);
    assert.equal(full.state().all, 1, "the sitting goes on all the same");
  });
});
