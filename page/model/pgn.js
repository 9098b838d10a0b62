// A game as PGN, written without anybody's help: so it can be saved when the program has ended.
import { START, milliseconds } from "./game.js";

/** The most letters of a line. */
const WIDTH = 79;
/** The parentheses of variations, which are not those that somebody writes in a comment. */
const [OPEN, CLOSE] = ["\u0001(", "\u0001)"];
const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/** @param {string} text */
const escaped = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").replace(/[\\"]/g, "\\$&");

/** @param {number} time in milliseconds */
function clock(time) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const tenths = Math.floor(time / 100);
  const [seconds, tenth] = [Math.floor(tenths / 10), tenths % 10];
  const text = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return tenth ? `${text}.${tenth}` : text;
}

/** @param {import("./game.js").Evaluation} evaluation */
function evaluated({ score, depth }) {
  const value = "mate" in score ? `#${score.mate}` : (score.cp / 100).toFixed(2);
  return depth === null || depth === undefined ? value : `${value},${depth}`;
}

/**
 * All that a comment after a move says: its clock, its time and what an engine thought of it, then the words.
 * @param {import("./game.js").Node} node
 */
function comments(node) {
  const commands = [
    node.evaluation && `[%eval ${evaluated(node.evaluation)}]`,
    node.clock && `[%clk ${node.clock_text ?? clock(milliseconds(node.clock))}]`,
    node.elapsed && `[%emt ${node.elapsed_text ?? clock(milliseconds(node.elapsed))}]`,
  ];
  return [...commands.filter(Boolean), node.comment].filter(Boolean).join(" ");
}

/** @param {string} comment */
const braced = (comment) => `{ ${comment.replace(/\s+/g, " ").replaceAll("}", ")").trim()} }`;

/**
 * The words of the movetext.
 * @param {import("./game.js").Game} game
 */
function words(game) {
  /** @type {string[]} */
  const words = [];
  let opens = true;
  /** @param {string} comment */
  const say = (comment) => {
    if (!comment) return;
    words.push(...braced(comment).split(" "));
    opens = true;
  };
  /** @param {number} place */
  const write = (place) => {
    const node = game.nodes[place];
    say(node.prelude);
    // The number of Black's move stands only where a line begins.
    const isNumbered = opens || !node.text.includes("...");
    words.push(...(isNumbered ? node.text.split(" ") : [node.san]), ...node.nags.map((nag) => `$${nag}`));
    opens = false;
    say(comments(node));
  };
  // A list of our own instead of the call stack: no nesting is too deep. A text in it is a word, a number begins a line
  // after a place, with the sidelines of its first move.
  /** @type {(string | number | { line: number })[]} */
  const open = [{ line: START }];
  say(game.comment);
  while (open.length > 0) {
    const step = open.pop();
    if (typeof step === "string") {
      words.push(step);
      opens = true;
    } else if (typeof step === "number") {
      write(step);
    } else if (step) {
      const [main, ...others] = game.children(step.line);
      if (main === undefined) continue;
      open.push({ line: main });
      for (const other of [...others].reverse()) open.push(CLOSE, { line: other }, other, OPEN);
      open.push(main);
    }
  }
  return words;
}

/**
 * The game as a file has it.
 * @param {import("./game.js").Game} game
 */
export function pgnOf(game) {
  const value = (/** @type {string} */ name) => (name === "Result" ? game.result : (game.tag(name) ?? (name === "Date" ? "????.??.??" : "?")));
  const others = game.tags.filter(([name]) => !ROSTER.includes(name) && !(game.fen && ["FEN", "SetUp"].includes(name)));
  const setup = game.fen ? [["SetUp", "1"], ["FEN", game.fen]] : [];
  const tags = [...ROSTER.map((name) => [name, value(name)]), ...others, ...setup].filter(([name]) => /^\w+$/.test(name));
  const lines = [""];
  for (const word of [...words(game), game.result]) {
    const last = lines[lines.length - 1];
    const glued = last === "" || last.endsWith(OPEN) || word === CLOSE ? last + word : `${last} ${word}`;
    if (glued.length <= WIDTH || last === "") lines[lines.length - 1] = glued;
    else lines.push(word);
  }
  const text = lines.join("\n").replaceAll("\u0001", "");
  return `${tags.map(([name, text]) => `[${name} "${escaped(text)}"]\n`).join("")}\n${text}\n\n`;
}

/**
 * A name for its file.
 * @param {import("./game.js").Game} game
 */
export function fileName(game) {
  const names = ["White", "Black"].map((name) => (game.tag(name) ?? name).replace(/[^\p{L}\p{N}]+/gu, "-"));
  return `${names.join("_").slice(0, 76)}.pgn`;
}
