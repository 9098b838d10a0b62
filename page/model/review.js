// A review: what an analysis of a game says, as the page needs it. It comes as JSON from `vancura analyse`.
import { judgeByKnown } from "../engine/judge.js";
import { START } from "./game.js";

/**
 * What is said of a move: its label, its sign, what it gives away of a point, the best line there with its moves in words, and
 * why it was bad.
 * @typedef {{ kind: string, about: string, squares: string[], arrows: string[], line: string[], uci: string[], material: number,
 *   mate: number | null, forced: boolean, text: string }} Reason
 * @typedef {{ ply: number, fen: string, side: "white" | "black", san: string, uci: string, text: string, label: string, sign: string, loss: number,
 *   best: string[], bestUci: string, reasons: Reason[] }} Told
 */

/** Signs of labels, where people have one. */
const SIGNS = /** @type {Record<string, string>} */ ({
  brilliant: "!!", great: "!", only_move: "□", inaccuracy: "?!", mistake: "?", miss: "?", blunder: "??",
});
/** The labels in the order in which they are counted. */
export const LABELS = ["brilliant", "great", "best", "excellent", "good", "book", "forced", "only_move", "inaccuracy", "miss", "mistake", "blunder"];
/** Those of moves that are told of one by one. */
const BAD = ["inaccuracy", "miss", "mistake", "blunder"];

const isNumber = (/** @type {any} */ value) => typeof value === "number" && Number.isFinite(value);
const list = (/** @type {any} */ value) => (Array.isArray(value) ? value : []);
const texts = (/** @type {any} */ value) => list(value).filter((each) => typeof each === "string");
const isMove = (/** @type {string} */ text) => /^[a-h][1-8][a-h][1-8]/.test(text);

export class Review {
  /**
   * @param {any} contents what `vancura analyse --json` has written
   */
  constructor(contents) {
    const game = contents?.games?.[0];
    if (!game || !Array.isArray(game.moves) || !Array.isArray(game.positions)) throw new Error("the review has no game in it");
    this.data = game;
    this.run = contents.run ?? {};
    this.names = game.moves.map(({ san }) => String(san));
  }

  get length() {
    return this.names.length;
  }

  /** Whether it is of this game as it stands. @param {import("./game.js").Game} game */
  isOf(game) {
    const path = game.path(game.last());
    return path.length === this.length && path.every((place, index) => game.nodes[place].san === this.names[index]);
  }

  /** The place of a game after so many half-moves. @param {import("./game.js").Game} game @param {number} ply */
  static place(game, ply) {
    return ply === 0 ? START : (game.path(game.last())[ply - 1] ?? START);
  }

  /** White's chances after so many half-moves, in shares of 1; `null` if they are not known. @param {number} ply */
  chances(ply) {
    const analysis = this.data.positions[ply]?.analysis;
    const { win, draw, loss } = analysis?.wdl ?? {};
    if (!isNumber(analysis?.white) || ![win, draw, loss].every(isNumber)) return null;
    return { white: analysis.white, win: win / 1000, draw: draw / 1000, score: analysis.score };
  }

  /** @param {number} ply of the move, from 1 @returns {Told | null} */
  told(ply) {
    const move = this.data.moves[ply - 1];
    if (!move) return null;
    const label = typeof move.label === "string" ? move.label : (move.judgement ?? (move.best ? "best" : ""));
    const best = this.data.positions[ply - 1]?.analysis?.lines?.[0];
    const dots = move.side === "white" ? "." : "...";
    const reasons = list(move.reasons).filter((reason) => typeof reason?.text === "string").map((reason) => ({
      kind: String(reason.kind), about: String(reason.about), text: reason.text, squares: texts(reason.squares).filter((square) => /^[a-h][1-8]$/.test(square)),
      arrows: texts(reason.arrows).filter(isMove), line: texts(reason.line), uci: texts(reason.uci),
      material: isNumber(reason.material) ? reason.material : 0, mate: isNumber(reason.mate) ? reason.mate : null, forced: reason.forced === true,
    }));
    return {
      ply, fen: String(this.data.positions[ply - 1]?.fen ?? ""), side: move.side === "black" ? "black" : "white", san: String(move.san), uci: String(move.uci), text: `${move.number}${dots} ${move.san}`,
      label, sign: SIGNS[label] ?? "", loss: isNumber(move.loss) ? move.loss : 0, best: texts(best?.san), bestUci: texts(best?.uci)[0] ?? "", reasons,
    };
  }

  /** How long each move took, in milliseconds; `null` where that is not known. @returns {(number | null)[]} */
  get times() {
    return this.data.moves.map(({ spent_ms: time }) => (isNumber(time) && time >= 0 ? time : null));
  }

  /** All inaccuracies, mistakes and blunders. */
  get bad() {
    return this.names.flatMap((_, index) => {
      const told = this.told(index + 1);
      return told && BAD.includes(told.label) ? [told] : [];
    });
  }

  /** @param {"white" | "black"} side */
  summary(side) {
    const tally = this.data[side]?.game ?? {};
    const lichess = this.data[side]?.lichess_accuracy ?? tally.lichess_accuracy;
    const labels = tally.labels ?? { inaccuracy: tally.inaccuracies, mistake: tally.mistakes, blunder: tally.blunders };
    const counts = Object.fromEntries(LABELS.map((label) => [label, isNumber(labels[label]) ? labels[label] : 0]));
    return { accuracy: isNumber(tally.accuracy) ? tally.accuracy : null, lichess: isNumber(lichess) ? lichess : null, counts };
  }

  /** The opening, and the number of the half-move up to which the game stays in the book; 0 if it never was. */
  get opening() {
    const { opening, moves } = this.data;
    const book = moves.findLastIndex(({ label }) => label === "book") + 1;
    return { name: opening ? `${opening.eco} ${opening.name}` : "", book };
  }

  /**
   * What the longer search before a mistake says of moves there, the best first; empty if there was none.
   * @param {number} index half-moves before it
   * @returns {{ uci: string, loss: number, shown: string[] }[]}
   */
  #alternatives(index) {
    return list(this.data.moves[index]?.practice?.moves).filter(({ loss }) => isNumber(loss))
      .map(({ uci, loss, san, line }) => ({ uci: String(uci), loss: Math.max(0, Math.round(loss * 1000)), shown: texts(line ?? [san]) }));
  }

  /** Mistakes and blunders to be practised. The longer search may have found a better move, or that a mistake was none. */
  get tasks() {
    return this.bad.flatMap(({ ply, side, uci, text, sign, bestUci, best }) => {
      const index = ply - 1;
      const alternatives = this.#alternatives(index);
      const [right, shown] = alternatives.length ? [alternatives[0].uci, alternatives[0].shown] : [bestUci, best];
      const verdict = judgeByKnown(this.known(index), uci);
      const isBad = ["mistake", "blunder"].includes(this.data.moves[index].judgement) && (!verdict || verdict.kind === "wrong");
      return isBad && right ? [{ turn: side, index, uci, text: text + sign, line: [right], shown }] : [];
    });
  }

  /**
   * What is known of the moves before a bad one: what some lose, and what all others lose at the least, in thousandths of a point.
   * @param {number} index half-moves before it
   */
  known(index) {
    const { practice, side } = this.data.moves[index] ?? {};
    const alternatives = this.#alternatives(index);
    const lines = list(this.data.positions[index]?.analysis?.lines).filter(({ white }) => isNumber(white));
    const sign = side === "white" ? 1000 : -1000;
    const found = lines.map((line) => ({ uci: String(line.uci?.[0]), loss: Math.max(0, Math.round(sign * (lines[0].white - line.white))) }));
    const known = alternatives.length ? alternatives.map(({ uci, loss }) => ({ uci, loss })) : found;
    return { known, others: isNumber(practice?.others_lose) ? Math.round(practice.others_lose * 1000) : null };
  }
}
