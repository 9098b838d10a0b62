// Whether a move is as good as the best: by the lines that an analysis knows, else by a search of both.

/** Up to so many thousandths of a point beside the best a move counts as the best, and up to so many as good. */
const AS_BEST = 20;
const GOOD = 50;
/** How much is searched for a judgement. */
const NODES = 400_000;

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
 * By a search of this move and of the one held for the best; `null` if another search takes its place.
 * @param {{ search: (order: import("./uci.js").Order) => void }} engine
 * @param {{ position: string, best: string, uci: string, options: Record<string, any> }} what
 * @returns {Promise<Verdict | null>}
 */
export function judgeBySearch(engine, { position, best, uci, options }) {
  /** @type {Map<string, number>} */
  const found = new Map();
  return new Promise((resolve) => {
    engine.search({
      position, go: `nodes ${NODES} searchmoves ${best} ${uci}`,
      options: { ...options, MultiPV: 2, UCI_ShowWDL: true },
      hear: (info) => info.isBound || found.set(info.pv[0], points(info)),
      done: () => {
        const [expected, mine] = [found.get(best), found.get(uci)];
        resolve(expected === undefined || mine === undefined ? null : verdictOf(Math.round(expected - mine)));
      },
      dropped: () => resolve(null),
    });
  });
}
