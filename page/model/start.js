// Where games start besides the start position: with odds, one side without a piece.

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** What may be given, and where it stands: file and rank of White's. */
const ODDS = /** @type {Record<string, string>} */ ({ pawn: "f2", knight: "b1", rook: "a1", queen: "d1" });

/** The names of the odds. */
export const ODDS_NAMES = Object.keys(ODDS);

/**
 * The start position in which a side gives odds.
 * @param {string} piece
 * @param {"white" | "black"} giver
 */
export function oddsFen(piece, giver) {
  const [placement, turn, castling, ...rest] = START.split(" ");
  const ranks = placement.split("/").map((rank) => rank.replace("8", "11111111"));
  const [file, rank] = ["abcdefgh".indexOf(ODDS[piece][0]), Number(ODDS[piece][1])];
  const row = giver === "white" ? 8 - rank : rank - 1;
  ranks[row] = `${ranks[row].slice(0, file)}1${ranks[row].slice(file + 1)}`;
  const lost = piece === "rook" ? (giver === "white" ? "Q" : "q") : "";
  const written = ranks.map((text) => text.replace(/1+/g, (empty) => String(empty.length))).join("/");
  return [written, turn, castling.replace(lost || "-", "") || "-", ...rest].join(" ");
}

const VALUES = /** @type {Record<string, number>} */ ({ p: 1, n: 3, b: 3, r: 5, q: 9 });
const COUNTS = /** @type {Record<string, number>} */ ({ p: 8, n: 2, b: 2, r: 2, q: 1 });

/**
 * What each side has taken, as the letters of the pieces, and how much more White has, in pawns.
 * @param {string} fen
 */
export function material(fen) {
  const placement = fen.split(" ")[0];
  const count = (/** @type {string} */ letter) => placement.split(letter).length - 1;
  const missing = (/** @type {(letter: string) => string} */ of) =>
    Object.keys(COUNTS).flatMap((letter) => Array(Math.max(0, COUNTS[letter] - count(of(letter)))).fill(letter));
  const sum = (/** @type {(letter: string) => string} */ of) => Object.keys(VALUES).reduce((all, letter) => all + VALUES[letter] * count(of(letter)), 0);
  const [white, black] = [(/** @type {string} */ letter) => letter.toUpperCase(), (/** @type {string} */ letter) => letter];
  return { taken: { white: missing(black), black: missing(white) }, ahead: sum(white) - sum(black) };
}
