// Arrows and circles in comments, `[%cal Gc4f7]` and `[%csl Rf7]`, and the signs that people set beside moves.

/**
 * An arrow, or a circle if it has no end.
 * @typedef {{ color: string, from: string, to?: string }} Mark
 */

const COLORS = { G: "green", R: "red", Y: "yellow", B: "blue" };
const LETTERS = Object.fromEntries(Object.entries(COLORS).map(([letter, color]) => [color, letter]));
const COMMAND = /\s*\[%c[sa]l\s+([^\]]*)\]\s*/g;

/**
 * The marks in a comment, and its words without them.
 * @param {string} comment
 * @returns {{ marks: Mark[], words: string }}
 */
export function readMarks(comment) {
  /** @type {Mark[]} */
  const marks = [];
  const words = comment.replace(COMMAND, (_, list) => {
    for (const [, letter, from, to] of list.matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)) {
      marks.push({ color: COLORS[/** @type {keyof typeof COLORS} */ (letter)], from, ...(to && { to }) });
    }
    return " ";
  });
  return { marks, words: words.trim() };
}

/**
 * A comment of these words and marks.
 * @param {string} words
 * @param {Mark[]} marks
 */
export function writeMarks(words, marks) {
  const list = (/** @type {Mark[]} */ some) => some.map(({ color, from, to = "" }) => `${LETTERS[color] ?? "G"}${from}${to}`).join(",");
  const [circles, arrows] = [marks.filter(({ to }) => !to), marks.filter(({ to }) => to)];
  const commands = [circles.length ? `[%csl ${list(circles)}]` : "", arrows.length ? `[%cal ${list(arrows)}]` : ""];
  return [...commands, words].filter(Boolean).join(" ");
}

/** The signs of PGN's numbers (numeric annotation glyphs), as far as there are signs for them. */
export const SIGNS = /** @type {Record<number, string>} */ ({
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 8: "□", 10: "=", 11: "=", 12: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓",
  18: "+−", 19: "−+", 20: "+−−", 21: "−−+", 22: "⨀", 23: "⨀", 24: "○", 25: "○", 26: "○", 27: "○", 28: "○", 29: "○", 30: "⟳", 31: "⟳",
  32: "⟳", 33: "⟳", 34: "⟳", 35: "⟳", 36: "↑", 37: "↑", 38: "↑", 39: "↑", 40: "→", 41: "→", 42: "→", 43: "→", 44: "=∞", 45: "=∞", 46: "=∞", 47: "=∞",
  48: "⟫", 49: "⟪", 130: "⇆", 131: "⇆", 132: "⇆", 133: "⇆", 134: "⇆", 135: "⇆", 136: "⊕", 137: "⊕", 138: "⊕", 139: "⊕", 140: "∆",
  141: "∇", 142: "⌓", 143: "<=", 144: "==", 145: "RR", 146: "N", 147: "*", 190: "D", 210: "△",
});

/** Those that one chooses for a move, of which it has but one, and those for the position after it. */
export const MOVE_SIGNS = [3, 1, 5, 6, 2, 4, 7];
export const POSITION_SIGNS = [18, 16, 14, 10, 13, 15, 17, 19];

/**
 * The sign of a number; a number without one is shown as PGN writes it.
 * @param {number} nag
 */
export const signOf = (nag) => SIGNS[nag] ?? `$${nag}`;

/**
 * The numbers of a move when one of a group is chosen, or given up if it was chosen before.
 * @param {number[]} nags
 * @param {number} chosen
 */
export function toggled(nags, chosen) {
  const group = [MOVE_SIGNS, POSITION_SIGNS].find((signs) => signs.includes(chosen)) ?? [chosen];
  const others = nags.filter((nag) => !group.includes(nag));
  return nags.includes(chosen) ? others : [...others, chosen].sort((one, other) => one - other);
}
