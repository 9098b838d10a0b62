// Numbers as people read them: scores, chances, counts and times.

/**
 * A score for White: centipawns as a number, or a mate as a text with the moves to it.
 * @typedef {number | string} Score
 */

/** From this many centipawns a score says that the endgame tables have the position won. */
const TABLES = 19_000;

/**
 * The score of UCI, which is that of the side to move, as White's.
 * @param {{ kind: string, value: number }} score
 * @param {boolean} isWhites whether White is to move
 * @returns {Score}
 */
export function whiteScore({ kind, value }, isWhites) {
  const forWhite = isWhites ? value : -value;
  return kind === "mate" ? String(forWhite) : forWhite;
}

/**
 * "+0.31", "#−3", "+TB" where the tables know it; "#" is a mate on the board.
 * @param {Score} score
 */
export function scoreText(score) {
  if (typeof score === "string") return Number(score) === 0 ? "#" : "#" + score.replace("-", "−");
  const sign = score < 0 ? "−" : "+";
  const size = Math.abs(score);
  return sign + (size >= TABLES ? "TB" : (size / 100).toFixed(2));
}

/** @param {number} thousandths */
export const percentText = (thousandths) => `${Math.round(thousandths / 10)}%`;

/**
 * 1234567 as "1.2 M".
 * @param {number} count
 */
export function countText(count) {
  if (count < 1e3) return String(count);
  if (count < 1e6) return `${Math.round(count / 1e3)} k`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} M` : `${(count / 1e9).toFixed(1)} G`;
}

/**
 * How long a move took: "0.8 s", "35 s", "2:03".
 * @param {number} milliseconds
 */
export function timeText(milliseconds) {
  if (milliseconds >= 60e3) return clockText(milliseconds);
  return `${(milliseconds / 1e3).toFixed(milliseconds < 10e3 && milliseconds % 1e3 ? 1 : 0)} s`;
}

/**
 * Milliseconds as "1:02:03" or "2:03".
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
