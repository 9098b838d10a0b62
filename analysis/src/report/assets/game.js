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
    return this.parent ? `${this.id}.${index}` : `m${index}`;
  }
}

class Game {
  constructor(number) {
    this.number = number;
    this.data = JSON.parse(document.getElementById(`data-${number}`).textContent);
    this.main = new Line("m", readMoves(this.data.moves), null, 0, readFen(this.data.fen, this.data.check));
    this.variations = [];
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

  /** The line and the index in it that a place names; nothing for one that does not exist. */
  find(place) {
    const [, kind, ...digits] = /^([mvl])(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(place) ?? [];
    const [first, second, third] = digits.map(Number);
    const [line, index] = {
      m: () => [this.main, first],
      v: () => [this.variations[first], second],
      l: () => [this.best(first, second), third],
    }[kind]?.() ?? [];
    return line && index < line.positions.length ? { line, index } : null;
  }

  /** The judgement of a move of the game: "i", "m", "b" or "-". */
  judgement(ply) {
    return this.data.judged[ply - 1] ?? "-";
  }

  /** The first bad move after a half-move, round the end if need be: by anyone and of any kind unless told. */
  nextError(after, turn, kind) {
    for (let distance = 1; distance <= this.length; distance++) {
      const ply = ((after + distance - 1) % this.length) + 1;
      const judgement = this.judgement(ply);
      const isMovers = !turn || this.main.positions[ply - 1].turn === turn;
      if (judgement !== "-" && isMovers && (!kind || kind === judgement)) return ply;
    }
    return null;
  }
}

const JUDGEMENTS = {
  i: { name: "inaccuracy", sign: "?!" },
  m: { name: "mistake", sign: "?" },
  b: { name: "blunder", sign: "??" },
};

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

/** Milliseconds as "1:02:03" or "2:03". */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
