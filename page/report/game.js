// A game as the script holds it: lines of positions that branch off each other.
import { Game as Tree } from "../model/game.js";
import { percentText } from "../model/words.js";
import { uciOf } from "../rules/moves.js";
import { play, readFen, readMoves } from "../rules/position.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Moves from a position of another line, its parent; the game itself has none. */
class Line {
  constructor(id, moves, parent, at, start) {
    this.id = id;
    this.moves = moves;
    this.parent = parent;
    this.at = at;
    this.positions = [start ?? parent.positions[at]];
    for (const move of moves) this.positions.push(play(this.positions.at(-1), move));
  }

  /** The name of the place after some of the moves, as `data-go` has it. */
  place(index) {
    return this.parent && this.id !== "t" ? `${this.id}.${index}` : `${this.id}${index}`;
  }
}

export class Game {
  constructor(number, data) {
    this.number = number;
    this.data = data;
    this.main = new Line("m", readMoves(this.data.moves), null, 0, readFen(this.data.fen, this.data.check));
    this.variations = [];
    this.tried = null;
    this.data.variations.forEach(([parent, at, words], index) => {
      const from = this.variations[parent] ?? this.main;
      const start = Math.min(at, from.moves.length);
      this.variations.push(new Line(`v${index}`, readMoves(words), from, start));
    });
  }

  /** The game with its variations, as files have it. */
  get tree() {
    const { fen, tags, result } = this.data;
    const places = new Map();
    const moves = [];
    for (const line of [this.main, ...this.variations]) {
      line.moves.forEach((move, index) => {
        const [before, parent] = index ? [line, index] : [line.parent, line.at];
        const position = line.positions[index];
        const dots = position.turn === "w" ? "." : "...";
        places.set(line.place(index + 1), moves.length);
        moves.push({
          uci: uciOf(position, move), san: move.name, text: `${position.number}${dots} ${move.name}`,
          parent: before && parent ? places.get(before.place(parent)) : null,
        });
      });
    }
    return new Tree({ fen: fen === START ? null : fen, tags, moves, result });
  }

  /** How many half-moves the game has. */
  get length() {
    return this.main.moves.length;
  }

  /** What is known of a position of the game, or nothing. */
  analysis(ply) {
    const data = this.data.positions[ply];
    if (!data) return null;
    const [score, white, win, draw, depth, nodes, lines] = data;
    return { score, white, win, draw, depth, nodes, lines };
  }

  /** A best line of a position. */
  best(ply, rank) {
    const line = this.data.positions[ply]?.[6][rank];
    return line ? new Line(`l${ply}.${rank}`, readMoves(line[2]), this.main, ply) : null;
  }

  /**
   * What is known of the moves of a position of the game, the best first: their lines, and what each loses, in thousandths of a point;
   * and what all others lose at the least, `null` if that is not known. Before a mistake a longer search says it.
   */
  alternatives(ply) {
    const [others, searched] = this.data.practice[ply + 1] ?? [null];
    const lines = this.data.positions[ply]?.[6] ?? [];
    const sign = this.main.positions[ply].turn === "w" ? 1 : -1;
    const moves = searched ?? lines.map(([, white, words]) => [Math.max(0, sign * (lines[0][1] - white)), words]);
    return { moves: moves.map(([loss, words]) => ({ loss, line: readMoves(words) })), others };
  }

  /** The best line of a position by all that is known of it, or by these moves. */
  better(ply, moves = this.alternatives(ply).moves[0]?.line) {
    return moves ? new Line(`b${ply}`, moves, this.main, ply) : null;
  }

  /** The line with a move of one's own after some moves of another, and the index in it: a known line that has this move if there
   * is one. */
  try(line, index, move) {
    if (line.moves[index]?.name === move.name) return { line, index: index + 1 };
    const known = line.parent ? [] : this.data.positions[index]?.[6] ?? [];
    const rank = known.findIndex(([, , words]) => readMoves(words)[0]?.name === move.name);
    if (rank >= 0) return { line: this.best(index, rank), index: 1 };
    // What is tried in a best line, or after other moves of one's own, carries these on.
    const goesOn = line === this.tried || line.id.startsWith("l");
    this.tried = goesOn ? new Line("t", [...line.moves.slice(0, index), move], line.parent, line.at) : new Line("t", [move], line, index);
    return { line: this.tried, index: this.tried.moves.length };
  }

  /** The line and the index in it that a place names; nothing for one that does not exist. */
  find(place) {
    const [, kind, ...digits] = /^([mvlt])(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(place) ?? [];
    const [first, second, third] = digits.map(Number);
    const [line, index] = {
      m: () => [this.main, first],
      v: () => [this.variations[first], second],
      t: () => [this.tried, first],
      l: () => [this.best(first, second), third],
    }[kind]?.() ?? [];
    return line && index < line.positions.length ? { line, index } : null;
  }

  /** The judgement of a move of the game: "i", "m" or "b" for a bad one, "o" for an only move, "g" for a good one, or "-". */
  judgement(ply) {
    return this.data.judged[ply - 1] ?? "-";
  }

  /** The first bad move after a half-move, round the end if need be: by anyone and of any kind unless told. */
  nextError(after, turn, kind) {
    for (let distance = 1; distance <= this.length; distance++) {
      const ply = ((after + distance - 1) % this.length) + 1;
      const judgement = this.judgement(ply);
      const isMovers = !turn || this.main.positions[ply - 1].turn === turn;
      if (JUDGEMENTS[judgement] && isMovers && (!kind || kind === judgement)) return ply;
    }
    return null;
  }
}

export const JUDGEMENTS = {
  i: { name: "inaccuracy", sign: "?!" },
  m: { name: "mistake", sign: "?" },
  b: { name: "blunder", sign: "??" },
};

export const PRAISE = { o: "the only good move", g: "a good move" };

/** What White may expect, in per cent that sum to a hundred. */
export function chancesText({ white, win, draw }) {
  const [wins, draws] = [win, draw].map((thousandths) => Math.round(thousandths / 10));
  return `White expects ${percentText(white)} · win ${wins} · draw ${draws} · loss ${100 - wins - draws}`;
}
