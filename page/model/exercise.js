// Positions to be practised: from reviews of games, and from files of exercises and puzzles.
import { localLines, localPosition } from "../rules/local.js";
import { readFen } from "../rules/position.js";

/**
 * A position to be practised. `line` is the solution in coordinates, a move of the side to move first and last; `shown` the best
 * line in words; `uci` and `text` the bad move that was played, empty where none is known. `known` has what other moves lose,
 * and `others` what all the rest lose at the least, in thousandths of a point; `null` if that is not known. `player` is who
 * erred, `names` the players, `source` the review it comes from.
 * @typedef {{ id: string, fen: string, turn: "white" | "black", uci: string, text: string, line: string[], shown: string[],
 *   known: import("../engine/judge.js").Known[], others: number | null, player: string, names: string, source: string }} Exercise
 */

/** Of a file no more are read. */
export const MAX_EXERCISES = 5000;
/** An engine is nobody who has mistakes to learn from: Vancura, or whatever plays against you. */
const [ENGINE, YOU] = ["Vancura", "You"];

const isText = (/** @type {any} */ value) => typeof value === "string" && value.length < 1000;
const isMove = (/** @type {any} */ value) => typeof value === "string" && /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(value);
const isLoss = (/** @type {any} */ value) => Number.isFinite(value) && value >= 0;

/** What a position is known by: it without its counters. @param {string} fen */
export const identity = (fen) => fen.split(" ").slice(0, 4).join(" ");

/** Whether something that was kept is an exercise. @param {any} value @returns {value is Exercise} */
export function isExercise(value) {
  if (typeof value !== "object" || value === null || !isText(value.fen) || value.id !== identity(value.fen)) return false;
  const turn = /^(?:[1-8pnbrqk]+\/){7}[1-8pnbrqk]+ ([wb]) /i.exec(value.fen)?.[1];
  if (value.turn !== (turn === "w" ? "white" : turn === "b" ? "black" : null)) return false;
  const areTexts = [value.text, value.player, value.names, value.source].every(isText) && (value.uci === "" || isMove(value.uci));
  const hasLine = Array.isArray(value.line) && value.line.length % 2 === 1 && value.line.every(isMove);
  const hasKnown = Array.isArray(value.known) && value.known.every((move) => isMove(move?.uci) && isLoss(move.loss));
  return areTexts && hasLine && hasKnown && Array.isArray(value.shown) && value.shown.every(isText)
    && (value.others === null || isLoss(value.others));
}

/** Moves in words, the first with its number. @param {string} fen @param {string[]} moves */
export function inWords(fen, moves) {
  return localLines(readFen(fen, false), [moves])[0].moves.map(({ text }) => text);
}

/**
 * The mistakes of a game that was reviewed.
 * @param {import("./review.js").Review} review
 * @param {string} source
 * @returns {Exercise[]}
 */
export function fromReview(review, source) {
  const tags = Object.fromEntries((Array.isArray(review.data.tags) ? review.data.tags : []).map((tag) => [tag?.name, tag?.value]));
  const players = { white: String(tags.White ?? "?"), black: String(tags.Black ?? "?") };
  const isOfEngine = (/** @type {"white" | "black"} */ side) => {
    const [name, other] = [players[side], players[side === "white" ? "black" : "white"]];
    return name !== other && (name === ENGINE || other === YOU);
  };
  const names = [`${players.white} – ${players.black}`, tags.Date].filter((text) => text && !/^[?.]*$/.test(text)).join(", ");
  const exercises = review.tasks.map(({ turn, index, uci, text, line, shown }) => {
    const fen = String(review.data.positions[index]?.fen);
    return { id: identity(fen), fen, turn, uci, text, line, shown, ...review.known(index), player: players[turn], names, source };
  });
  return exercises.filter((exercise) => isExercise(exercise) && !isOfEngine(exercise.turn));
}

/** @param {string} fen @param {string[]} line @param {Partial<Exercise>} more @returns {Exercise | null} */
function exerciseOf(fen, line, more) {
  try {
    const { turn } = localPosition({ fen, moves: line });
    // The last move is that of whoever solves it.
    const solution = line.length % 2 ? line : line.slice(0, -1);
    const side = (turn === "white") === (line.length % 2 === 1) ? "black" : "white";
    const exercise = { id: identity(fen), fen, turn: side, uci: "", text: "", line: solution, shown: inWords(fen, line), known: [], others: null, player: "", names: "", source: "", ...more };
    return isExercise(exercise) ? exercise : null;
  } catch {
    // A position or a move that the rules do not allow.
    return null;
  }
}

/** The fields of a line of CSV. @param {string} line */
const fields = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);

/**
 * Puzzles in the columns of Lichess; `null` if the text has no such columns. The first move of each leads to its position.
 * @param {string} text
 * @returns {Exercise[] | null}
 */
export function fromCsv(text) {
  const lines = text.split(/\r?\n/);
  const columns = fields(lines[0].replace(/^\uFEFF/, ""));
  const [at, moves] = [columns.indexOf("FEN"), columns.indexOf("Moves")];
  if (at < 0 || moves < 0) return null;
  const rows = lines.slice(1, 1 + MAX_EXERCISES).map(fields).filter((row) => row.length === columns.length);
  return rows.flatMap((row) => {
    const [first, ...line] = row[moves].split(" ").filter(Boolean);
    try {
      const { fen } = localPosition({ fen: row[at], moves: [first] });
      return line.length ? (exerciseOf(fen, line, {}) ?? []) : [];
    } catch {
      return [];
    }
  });
}

/** The games of a PGN text, each as a text. @param {string} text */
export const cutGames = (text) => text.split(/(?<=\n)\s*\n(?=\s*\[\w+ ")/).slice(0, MAX_EXERCISES);

/** The move of a game that was bad, as its sign says. */
const BAD = /** @type {Record<number, string>} */ ({ 2: "?", 4: "??" });

/**
 * An exercise that is a game from a position: its moves are the solution, and a bad move beside the first was played.
 * @param {import("./game.js").Saved} game as `read-pgn` gives it
 */
export function fromGame({ fen, tags, moves }) {
  if (!fen) return null;
  const line = [];
  for (let at = moves.findIndex(({ parent }) => parent === null); at >= 0; at = moves.findIndex(({ parent }) => parent === at)) line.push(String(moves[at].uci));
  if (line.length === 0) return null;
  const tag = Object.fromEntries(tags);
  const names = [`${tag.White ?? "?"} – ${tag.Black ?? "?"}`, tag.Date].filter((text) => text && !/^[?.]*$/.test(text)).join(", ");
  const turn = fen.split(" ")[1] === "b" ? "Black" : "White";
  const played = moves.find(({ parent, uci, nags }) => parent === null && uci !== line[0] && nags?.some((nag) => BAD[nag]));
  const sign = BAD[played?.nags?.find((nag) => BAD[nag]) ?? 0] ?? "";
  return exerciseOf(fen, line, { names, player: tag[turn] ?? "", ...(played && { uci: played.uci, text: `${played.text}${sign}` }) });
}
