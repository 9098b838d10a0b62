// Whether a move is as good as the best: by the lines that an analysis knows, else by searches.

/** Up to so many thousandths of a point beside the best a move counts as the best, and up to so many as good. */
const AS_BEST = 20;
const GOOD = 50;
/** That a move loses is certain from so many thousandths on. Below, lines that share a search may overlook what a search of it alone finds. */
const SURELY_WRONG = 200;
/** So many moves that are nearly as good as the best are searched with it, at most. */
const MAX_RIVALS = 4;
/** How much is searched for a judgement. */
const NODES = 1_000_000;

/**
 * A judgement, and what the move loses beside the best, in thousandths of a point.
 * @typedef {{ kind: "best" | "good" | "wrong", loss: number }} Verdict
 *
 * A move that is known and what it loses.
 * @typedef {{ uci: string, loss: number }} Known
 */

/**
 * Points in thousandths that the side to move expects.
 * @param {import("./uci.js").Info} info
 */
export function points({ wdl, score }) {
  if (wdl) return wdl[0] + wdl[1] / 2;
  if (score.kind === "mate") return score.value > 0 ? 1000 : 0;
  return 1000 / (1 + Math.exp(-score.value / 200));
}

/** @param {number} loss @returns {Verdict} */
export const verdictOf = (loss) => ({ kind: loss <= AS_BEST ? "best" : loss < GOOD ? "good" : "wrong", loss: Math.max(0, loss) });

/**
 * By what is known; `null` if the move is not among it.
 * @param {Known[]} known
 * @param {string} uci
 */
export function judgeByLines(known, uci) {
  const found = known.find((move) => move.uci === uci);
  return found ? verdictOf(found.loss) : null;
}

/**
 * By what is known of some moves, and of all others at the least; `null` if the move has to be searched.
 * @param {{ known: Known[], others: number | null }} position
 * @param {string} uci
 */
export function judgeByKnown({ known, others }, uci) {
  const rest = others === null ? null : verdictOf(others);
  return judgeByLines(known, uci) ?? (rest?.kind === "wrong" ? rest : null);
}

/**
 * What is known, where that is certain; else what a search says, and what is known if it says nothing.
 * @param {Verdict | null} known
 * @param {() => Promise<Verdict | null>} search
 */
export async function judged(known, search) {
  const isSure = known !== null && known.loss >= SURELY_WRONG;
  return isSure ? known : ((await search()) ?? known);
}

/**
 * An engine that searches one thing after another.
 * @typedef {{ search: (order: import("./uci.js").Order) => void, forget: () => void }} Searcher
 */

/**
 * What is searched: a position, in which `best` is held for the best move and `known` lists moves with what they lose beside it.
 * `worths` remembers what positions are worth, for the next move that is tried there; one that was worth more counts, too.
 * @typedef {{ position: string, best?: string, known?: Known[], options: Record<string, any>, worths?: Map<string, number> }} What
 */

/**
 * What a search of a position finds last, or of one move there alone; `null` if another search takes its place. Each search
 * begins with nothing known, so that what is said of a move does not hang on those tried before.
 * @param {Searcher} engine
 * @param {What} what
 * @param {string} [uci]
 * @returns {Promise<import("./uci.js").Info | null>}
 */
function look(engine, { position, options }, uci) {
  /** @type {import("./uci.js").Info | null} */
  let found = null;
  return new Promise((resolve) => {
    engine.forget();
    engine.search({
      position, go: `nodes ${NODES}${uci ? ` searchmoves ${uci}` : ""}`, options: { ...options, MultiPV: 1, UCI_ShowWDL: true },
      hear: (info) => {
        if (!info.isBound) found = info;
      },
      done: () => resolve(found),
      dropped: () => resolve(null),
    });
  });
}

/**
 * The best line of a position, in coordinates. The move held for the best, the one that a search of the position finds, and those
 * known to be nearly as good are searched alone: a search of all moves overlooks what one of a single move sees. The first stays
 * the best if no other is worth more than counts as the best beside it. `null` if another search takes their place.
 * @param {Searcher} engine
 * @param {What} what
 * @returns {Promise<string[] | null>}
 */
export async function bestBySearch(engine, what) {
  const { position, best, known = [], worths } = what;
  const all = await look(engine, what);
  if (!all) return null;
  const rivals = known.filter(({ loss }) => loss < GOOD).slice(0, MAX_RIVALS).map(({ uci }) => uci);
  const found = [];
  for (const uci of new Set([best ?? all.pv[0], all.pv[0], ...rivals])) {
    const alone = await look(engine, what, uci);
    if (!alone) return null;
    found.push(alone);
  }
  const [held] = found;
  const [top] = found.sort((one, other) => points(other) - points(one));
  worths?.set(position, Math.max(points(all), points(top)));
  return points(top) - points(held) > AS_BEST ? top.pv : held.pv;
}

/**
 * By searches of the position, of the move held for the best, and of this move alone; `null` if another search takes its place.
 * @param {Searcher} engine
 * @param {What & { uci: string }} what
 * @returns {Promise<Verdict | null>}
 */
export async function judgeBySearch(engine, what) {
  const { position, uci } = what;
  const worths = what.worths ?? new Map();
  if (!worths.has(position) && !(await bestBySearch(engine, { ...what, worths }))) return null;
  const expected = worths.get(position);
  const found = await look(engine, what, uci);
  if (!found) return null;
  worths.set(position, Math.max(expected, points(found)));
  return verdictOf(Math.round(expected - points(found)));
}
