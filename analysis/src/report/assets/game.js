// A game as the script holds it: lines of positions that branch off each other.

/** Moves from a position of another line, its parent; the game itself has none. */
class Line {
  constructor(id, moves, parent, at, start) {
    Object.assign(this, { id, moves, parent, at });
    this.positions = [start ?? parent.positions[at]];
    for (const move of moves) this.positions.push(play(this.positions.at(-1), move));
  }

  /** The name of the place after some of the moves, as `data-go` has it. */
  place(index) {
    return this.parent && this.id !== "t" ? `${this.id}.${index}` : `${this.id}${index}`;
  }
}

class Game {
  constructor(number) {
    this.number = number;
    this.data = JSON.parse(document.getElementById(`data-${number}`).textContent);
    this.main = new Line("m", readMoves(this.data.moves), null, 0, readFen(this.data.fen, this.data.check));
    this.variations = [];
    this.tried = null;
    this.data.variations.forEach(([parent, at, words], index) => {
      const from = this.variations[parent] ?? this.main;
      const start = Math.min(at, from.moves.length);
      this.variations.push(new Line(`v${index}`, readMoves(words), from, start));
    });
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

const JUDGEMENTS = {
  i: { name: "inaccuracy", sign: "?!" },
  m: { name: "mistake", sign: "?" },
  b: { name: "blunder", sign: "??" },
};

const PRAISE = { o: "the only good move", g: "a good move" };

/** A score for White: "+0.31", "#−3". */
function scoreText(score) {
  if (typeof score === "string") return score === "0" ? "#" : "#" + score.replace("-", "−");
  const sign = score < 0 ? "−" : "+";
  const size = Math.abs(score);
  return sign + (size >= 19000 ? "TB" : (size / 100).toFixed(2));
}

const percentText = (thousandths) => `${Math.round(thousandths / 10)}%`;

/** What White may expect, in per cent that sum to a hundred. */
function chancesText({ white, win, draw }) {
  const [wins, draws] = [win, draw].map((thousandths) => Math.round(thousandths / 10));
  return `White expects ${percentText(white)} · win ${wins} · draw ${draws} · loss ${100 - wins - draws}`;
}

/** 1234567 as "1.2 M". */
function countText(count) {
  if (count < 1e3) return String(count);
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}

/** How long a move took: "0.8 s", "35 s", "2:03". */
function timeText(milliseconds) {
  if (milliseconds >= 60e3) return clockText(milliseconds);
  return `${(milliseconds / 1e3).toFixed(milliseconds < 10e3 && milliseconds % 1e3 ? 1 : 0)} s`;
}

/** Milliseconds as "1:02:03" or "2:03". */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
