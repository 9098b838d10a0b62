// A game with its variations: the moves, each with the one that it follows, and where in it the board stands.

/** The place before the first move. */
export const START = -1;

export class Game {
  /** From what `read-pgn` answers, or from what `save` gave; without either, a game without moves. */
  constructor({ fen = null, tags = [], comment = "", moves = [], result = "*", at = START } = {}) {
    this.fen = fen;
    this.tags = tags;
    this.comment = comment;
    this.result = result;
    this.first = [];
    this.nodes = [];
    /** Another number whenever moves come, go or change places. */
    this.version = 0;
    for (const { parent, ...move } of moves) this.#append(parent ?? START, move);
    this.at = at < this.nodes.length ? at : START;
  }

  /** The game that `save` gave, by way of whatever has kept it; `undefined` if it has become none. */
  static restored(saved) {
    const isText = (value) => typeof value === "string";
    const isTextOrNothing = (value) => value === undefined || value === null || isText(value);
    const isList = (value, isItem) => Array.isArray(value) && value.every(isItem);
    const isMove = (move, index) =>
      typeof move === "object" &&
      move !== null &&
      isText(move.uci) &&
      isText(move.san) &&
      isText(move.text) &&
      (move.squares === null || isList(move.squares, isText)) &&
      // A move follows one that stands before it, or none.
      (move.parent === null || (Number.isInteger(move.parent) && move.parent >= 0 && move.parent < index)) &&
      (move.nags === undefined || Array.isArray(move.nags)) &&
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

  #append(parent, move) {
    const place = this.nodes.length;
    this.nodes.push({ nags: [], comment: "", prelude: "", ...move, parent, children: [] });
    this.children(parent).push(place);
    return place;
  }

  children(place) {
    return place === START ? this.first : this.nodes[place].children;
  }

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

  /** Plays a move here, which may be there already. */
  play(move) {
    this.version++;
    const known = this.children(this.at).find((place) => this.nodes[place].uci === move.uci);
    const { uci, san, text, from, to } = move;
    this.at = known ?? this.#append(this.at, { uci, san, text, squares: [from, to[0]] });
    return known === undefined;
  }

  /** Takes a move and all that follows it out. The board stands before it then. */
  remove(place) {
    this.version++;
    const parent = this.parent(place);
    const siblings = this.children(parent);
    siblings.splice(siblings.indexOf(place), 1);
    const next = new Game({ ...this.save(), at: START });
    // Places have changed: the way there is found by its moves.
    const at = this.path(parent).map((at) => this.nodes[at].uci);
    Object.assign(this, { first: next.first, nodes: next.nodes, at: START });
    for (const uci of at) this.at = this.children(this.at).find((child) => this.nodes[child].uci === uci);
  }

  /** Makes the line of a place the main one. */
  promote(place) {
    this.version++;
    for (const at of this.path(place)) {
      const siblings = this.children(this.parent(at));
      siblings.unshift(...siblings.splice(siblings.indexOf(at), 1));
    }
  }

  /** Whether the place is on the main line. */
  isMain(place) {
    return this.path(place).every((at) => this.children(this.parent(at))[0] === at);
  }

  tag(name) {
    return this.tags.find(([other]) => other === name)?.[1];
  }

  setTag(name, value) {
    this.tags = [...this.tags.filter(([other]) => other !== name), [name, value]];
  }

  /** As `write-pgn` takes it: each move after the one that it follows, the main one first. */
  save() {
    const moves = [];
    const places = new Map([[START, null]]);
    const open = [...this.first].reverse();
    while (open.length > 0) {
      const place = open.pop();
      const { children, parent, ...move } = this.nodes[place];
      places.set(place, moves.length);
      moves.push({ ...move, parent: places.get(parent) });
      open.push(...[...children].reverse());
    }
    const { fen, tags, comment, result } = this;
    return { fen, tags, comment, result, moves, at: places.get(this.at) ?? START };
  }
}
