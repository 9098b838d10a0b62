// A game with its variations: the moves, each with the one that it follows, and where in it the board stands.
import { readMarks, writeMarks } from "./marks.js";

/** The place before the first move. */
export const START = -1;

/**
 * What `read-pgn` says of a move and `write-pgn` takes. Durations are those of Rust.
 * @typedef {{ secs: number, nanos: number }} Duration
 * @typedef {{ score: { cp: number } | { mate: number }, depth: number | null }} Evaluation
 * @typedef {{ uci: string, san: string, text: string, squares: string[] | null, nags: number[], comment: string, prelude: string,
 *   clock?: Duration | null, clock_text?: string | null, elapsed?: Duration | null, elapsed_text?: string | null,
 *   evaluation?: Evaluation | null }} Move
 * @typedef {Move & { parent: number, children: number[] }} Node
 * @typedef {{ fen: string | null, tags: string[][], comment: string, moves: (Partial<Move> & { parent: number | null })[], result: string,
 *   at?: number }} Saved
 */

/** @param {number} milliseconds */
export const duration = (milliseconds) => {
  const whole = Math.max(0, Math.round(milliseconds));
  return { secs: Math.floor(whole / 1000), nanos: (whole % 1000) * 1e6 };
};

/**
 * In milliseconds.
 * @param {Duration} time
 */
export const milliseconds = ({ secs, nanos }) => secs * 1000 + nanos / 1e6;

export class Game {
  /** @type {Node[]} */ nodes = [];
  /** @type {number[]} */ first = [];
  /** Another number whenever anything changes that a file keeps. */
  version = 0;

  /**
   * From what `read-pgn` answers, or from what `save` gave; without either, a game without moves.
   * @param {Partial<Saved>} [saved]
   */
  constructor({ fen = null, tags = [], comment = "", moves = [], result = "*", at = START } = {}) {
    this.fen = fen;
    this.tags = tags;
    this.comment = comment;
    this.result = result;
    for (const { parent, ...move } of moves) this.#append(parent ?? START, /** @type {Move} */ (move));
    this.at = at < this.nodes.length ? at : START;
  }

  /**
   * The game that `save` gave, by way of whatever has kept it; `undefined` if it has become none.
   * @param {any} saved
   */
  static restored(saved) {
    const isText = (/** @type {unknown} */ value) => typeof value === "string";
    const isTextOrNothing = (/** @type {unknown} */ value) => value === undefined || value === null || isText(value);
    const isList = (/** @type {unknown} */ value, /** @type {(item: any, index: number) => boolean} */ isItem) =>
      Array.isArray(value) && value.every(isItem);
    const isMove = (/** @type {any} */ move, /** @type {number} */ index) =>
      typeof move === "object" &&
      move !== null &&
      isText(move.uci) &&
      isText(move.san) &&
      isText(move.text) &&
      (move.squares === null || isList(move.squares, isText)) &&
      // A move follows one that stands before it, or none.
      (move.parent === null || (Number.isInteger(move.parent) && move.parent >= 0 && move.parent < index)) &&
      (move.nags === undefined || isList(move.nags, Number.isInteger)) &&
      [move.comment, move.prelude].every(isTextOrNothing);
    if (typeof saved !== "object" || saved === null) return undefined;
    const { fen, tags, comment, result, moves, at } = saved;
    const isSound =
      (fen === null || isText(fen)) &&
      isList(tags, (tag) => isList(tag, isText) && tag.length === 2) &&
      isText(comment) &&
      isText(result) &&
      isList(moves, isMove) &&
      Number.isInteger(at) &&
      at >= START;
    return isSound ? new Game(saved) : undefined;
  }

  /**
   * @param {number} parent
   * @param {Move} move
   */
  #append(parent, move) {
    const place = this.nodes.length;
    const { uci, san, text, squares = null, nags, comment, prelude, ...more } = move;
    this.nodes.push({ ...more, uci, san, text, squares, nags: nags ?? [], comment: comment ?? "", prelude: prelude ?? "", parent, children: [] });
    this.children(parent).push(place);
    return place;
  }

  /** @param {number} place */
  children(place) {
    return place === START ? this.first : this.nodes[place].children;
  }

  /** @param {number} place */
  parent(place) {
    return place === START ? START : this.nodes[place].parent;
  }

  /** The places from the first move to this one. */
  path(place = this.at) {
    const path = [];
    for (let at = place; at !== START; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /** The moves to this place, in coordinates. */
  moves(place = this.at) {
    return this.path(place).map((at) => this.nodes[at].uci);
  }

  /** The last place of the line that begins here. */
  last(place = START) {
    let at = place;
    for (let next; (next = this.children(at)[0]) !== undefined; ) at = next;
    return at;
  }

  /** Whether there is no move after this place. */
  isEnd(place = this.at) {
    return this.children(place).length === 0;
  }

  /** Whether no move was made. */
  get isEmpty() {
    return this.first.length === 0;
  }

  /**
   * The place after a move from a place: one that is there already, or a new one.
   * @param {number} place
   * @param {{ uci: string, san: string, text: string, from: string, to: string | string[] }} move
   * @param {Partial<Move>} [more]
   */
  add(place, { uci, san, text, from, to }, more = {}) {
    const known = this.children(place).find((child) => this.nodes[child].uci === uci);
    if (known !== undefined) return known;
    this.version++;
    const squares = [from, Array.isArray(to) ? to[0] : to];
    return this.#append(place, { uci, san, text, squares, nags: [], comment: "", prelude: "", ...more });
  }

  /**
   * Takes a move and all that follows it out. The board stands before it if it stood there.
   * @param {number} place
   */
  remove(place) {
    this.version++;
    const parent = this.parent(place);
    if (this.path(this.at).includes(place)) this.at = parent;
    const siblings = this.children(parent);
    // The moves stay in the list of all, where nothing leads to them any more.
    siblings.splice(siblings.indexOf(place), 1);
  }

  /**
   * Makes the line of a place the main one.
   * @param {number} place
   */
  promote(place) {
    this.version++;
    for (const at of this.path(place)) {
      const siblings = this.children(this.parent(at));
      siblings.unshift(...siblings.splice(siblings.indexOf(at), 1));
    }
  }

  /**
   * Whether the place is on the main line.
   * @param {number} place
   */
  isMain(place) {
    return this.path(place).every((at) => this.children(this.parent(at))[0] === at);
  }

  /** @param {number} place */
  commentOf(place) {
    return place === START ? this.comment : this.nodes[place].comment;
  }

  /**
   * @param {number} place
   * @param {string} comment
   */
  setComment(place, comment) {
    this.version++;
    if (place === START) this.comment = comment;
    else this.nodes[place].comment = comment;
  }

  /**
   * The arrows and circles of a place.
   * @param {number} place
   */
  marks(place) {
    return readMarks(this.commentOf(place)).marks;
  }

  /**
   * @param {number} place
   * @param {import("./marks.js").Mark[]} marks
   */
  setMarks(place, marks) {
    this.setComment(place, writeMarks(readMarks(this.commentOf(place)).words, marks));
  }

  /**
   * @param {number} place
   * @param {number[]} nags
   */
  setNags(place, nags) {
    this.version++;
    this.nodes[place].nags = nags;
  }

  /** @param {string} result */
  setResult(result) {
    if (this.result === result) return;
    this.version++;
    this.result = result;
  }

  /** @param {string} name */
  tag(name) {
    return this.tags.find(([other]) => other === name)?.[1];
  }

  /**
   * The value of a tag, if there is anything in it.
   * @param {string} name
   */
  known(name) {
    const value = this.tag(name);
    return value && !/^[?.-]*$/.test(value) ? value : undefined;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setTag(name, value) {
    this.version++;
    const known = this.tags.findIndex(([other]) => other === name);
    if (known < 0) this.tags = [...this.tags, [name, value]];
    else this.tags = this.tags.map((tag, index) => (index === known ? [name, value] : tag));
  }

  /** @param {string[][]} tags */
  setTags(tags) {
    this.version++;
    this.tags = tags;
  }

  /**
   * As `write-pgn` takes it: each move after the one that it follows, the main one first.
   * @returns {Saved}
   */
  save() {
    /** @type {Saved["moves"]} */
    const moves = [];
    /** @type {Map<number, number | null>} */
    const places = new Map([[START, null]]);
    const open = [...this.first].reverse();
    while (open.length > 0) {
      const place = /** @type {number} */ (open.pop());
      const { children, parent, ...move } = this.nodes[place];
      places.set(place, moves.length);
      moves.push({ ...move, nags: [...move.nags], parent: places.get(parent) ?? null });
      open.push(...[...children].reverse());
    }
    const { fen, tags, comment, result } = this;
    return { fen, tags, comment, result, moves, at: places.get(this.at) ?? START };
  }
}
