// Whether practice judges moves as a search of 1,000,000 nodes does: over the mistakes of games that were analysed, for the best move,
// a good one, a bad one and a losing one each. `make practice-agreement` runs it; docs/analysis.md says what it is for.
//
//   node tools/practice/agreement.mjs VANCURA ANALYSED.json [POSITIONS]
//
// A position is one before a mistake, as `vancura analyse --json` writes it. The verdict is that of the pages' own code: the best move
// is the analysis's, unless searches of the page find a better one; the others are judged by what the analysis has kept, or by a
// search. The reference gives each move a search of its own, and the position another.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { bestBySearch, judgeByKnown, judgeBySearch, judged, points } from "../../page/engine/judge.js";
import { Engine } from "../../page/engine/uci.js";
import { fromReview } from "../../page/model/exercise.js";
import { Review } from "../../page/model/review.js";
import { localPosition } from "../../page/rules/local.js";

const NODES = 1_000_000;
/** Up to so many thousandths of a point beside the best a move is right; nearer to that than the second, a search may say either. */
const [RIGHT, NEAR] = [50, 20];
/** From so many on a move loses what was there. */
const LOSING = 200;

const [program, file, count = "50"] = process.argv.slice(2);
if (!file) {
  console.error("usage: node tools/practice/agreement.mjs VANCURA ANALYSED.json [POSITIONS]");
  process.exit(2);
}

/** An engine as a program of its own. */
function run() {
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const engine = new Engine({ send: (line) => child.stdin.write(`${line}\n`), listen: (hear) => void lines.on("line", hear) });
  return { engine, end: () => child.kill() };
}

const { engine, end } = run();
await engine.start();
const options = { Threads: 1, Hash: 64, UCI_ShowWDL: true };

/** What a position is worth for its side, or with one move of it alone, in thousandths of a point. */
const worth = (fen, uci) => new Promise((resolve) => {
  let found = null;
  engine.forget();
  engine.search({
    position: `position fen ${fen}`, go: `nodes ${NODES}${uci ? ` searchmoves ${uci}` : ""}`, options: { ...options, MultiPV: 1 },
    hear: (info) => info.isBound || (found = points(info)), done: () => resolve(found),
  });
});

/** What is searched for an exercise. */
const whatOf = ({ fen, line, known, worths }) => ({ position: `position fen ${fen}`, best: line[0], known, options, worths });

/** The best move by searches of the page, in place of the analysis's where that loses. */
async function check(exercise) {
  exercise.worths = new Map();
  const [best] = await bestBySearch(engine, whatOf(exercise));
  if (best !== exercise.line[0]) console.log(`${exercise.fen}: ${best} instead of ${exercise.line[0]}`);
  exercise.line = [best];
}

/** The verdict of practice. */
async function verdict(exercise, uci) {
  if (uci === exercise.line[0]) return { kind: "best", loss: 0, by: "the best" };
  let by = exercise.known.some((move) => move.uci === uci) ? "a line" : "the rest";
  const found = await judged(judgeByKnown(exercise, uci), () => {
    by = "a search";
    return judgeBySearch(engine, { ...whatOf(exercise), uci });
  });
  return { ...found, by };
}

/** Moves that practice may be asked for: the best, one that is good, one that is bad, and one that the analysis does not list. */
function moves({ fen, line, known, uci }, number) {
  const between = (least, most) => known.find((move) => move.uci !== line[0] && move.loss > least && move.loss <= most)?.uci;
  const rest = localPosition({ fen, moves: [] }).moves.map((move) => move.uci).filter((move) => !known.some((other) => other.uci === move));
  return [...new Set([line[0], between(-1, RIGHT), between(RIGHT, LOSING) ?? uci, rest[(7 * number) % Math.max(1, rest.length)]].filter(Boolean))];
}

const { run: settings, games } = JSON.parse(readFileSync(file, "utf8"));
const all = games.flatMap((game) => fromReview(new Review({ run: settings, games: [game] }), "game"));
const exercises = all.filter((_, index) => all.length <= count || index % Math.floor(all.length / count) === 0).slice(0, count);
const tally = {};
let [agreed, wrong] = [0, 0];
for (const [number, exercise] of exercises.entries()) {
  const tried = [];
  const held = exercise.line[0];
  await check(exercise);
  for (const uci of new Set([...moves(exercise, number), held])) tried.push({ uci, said: await verdict(exercise, uci), mine: await worth(exercise.fen, uci) });
  // A move that is searched alone may be worth more than the best one of the other search.
  const best = Math.max(await worth(exercise.fen), ...tried.map(({ mine }) => mine));
  let isWrong = false;
  for (const { uci, said, mine } of tried) {
    const loss = Math.round(best - mine);
    const kind = loss <= 20 ? "best" : loss < RIGHT ? "good" : loss < LOSING ? "bad" : "losing";
    const isRight = (said.kind !== "wrong") === (loss < RIGHT);
    // A search of a million nodes is itself no more certain than that.
    const isNear = !isRight && Math.abs(loss - RIGHT) <= NEAR;
    const of = (tally[kind] ??= { moves: 0, agreed: 0, near: 0 });
    of.moves++;
    of.agreed += Number(isRight);
    of.near += Number(isNear);
    if (isRight) continue;
    isWrong ||= !isNear;
    console.log(`${exercise.fen} ${uci}: practice by ${said.by} ${said.kind} (${said.loss}), ${NODES} nodes ${kind} (${loss})${isNear ? ", near the bound" : ""}`);
  }
  if (isWrong) wrong++;
  else agreed++;
}
const near = Object.values(tally).reduce((sum, of) => sum + of.near, 0);
console.table(tally);
console.log(`${exercises.length} positions: ${agreed} agree, ${wrong} do not; ${near} moves differ near the bound`);
end();
process.exit(wrong * 100 > exercises.length ? 1 : 0);
