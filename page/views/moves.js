// The list of moves: the main line in two columns, comments and variations between.
import { START, milliseconds } from "../model/game.js";
import { readMarks, signOf } from "../model/marks.js";
import { clockText, scoreText } from "../model/words.js";
import { local, rule, t } from "../texts/words.js";
import { element } from "./dom.js";

// Variations in variations beyond this are left out of the list, though not of the game.
const DEEPEST = 40;

/** Whether the move begins with the number of Black's move, which stands only where a line begins. @param {any} node */
const isBlacks = (node) => node.text.includes("...");

/** The words of a comment, without arrows and circles. @param {string} comment */
const wordsOf = (comment) => readMarks(comment).words;

/** What an engine of the file thought of a move, as a score for White. @param {any} evaluation */
function evaluated({ score }) {
  return scoreText("mate" in score ? String(score.mate) : score.cp);
}

export class MovesView {
  #rows = [];
  #row = null;
  #game = null;
  #shown = "";
  /** What a review says of moves, by their places. @type {Map<number, any>} */ #labels = new Map();

  /** @param {HTMLElement} host @param {(place: number) => void} go */
  constructor(host, go) {
    this.host = host;
    host.addEventListener("click", (event) => {
      /** @type {HTMLElement | null} */
      const button = /** @type {Element} */ (event.target).closest("[data-place]");
      if (button) go(Number(button.dataset.place));
    });
  }

  /**
   * @param {import("../model/game.js").Game} game
   * @param {{ result: string, reason: string } | null} end
   * @param {string} none what to say if there is no move
   */
  show(game, end, none) {
    const shown = [game.version, game.result, end?.reason, none].join();
    if (game !== this.#game || shown !== this.#shown) {
      this.#game = game;
      this.#shown = shown;
      this.#build(game, end, none);
    }
    this.mark(game.at);
  }

  #build(game, end, none) {
    this.#rows = [];
    this.#row = null;
    this.#note(game.comment);
    for (let at = game.first[0]; at !== undefined; at = game.nodes[at].children[0]) this.#main(at);
    this.#flush();
    if (end) this.#rows.push(element("p", { class: "result" }, `${end.result}, ${rule(end.reason)}`));
    else if (game.result !== "*") this.#rows.push(element("p", { class: "result" }, game.result));
    if (game.isEmpty && !end) this.#rows.push(element("p", { class: "empty" }, none));
    this.host.replaceChildren(...this.#rows);
  }

  /** Shows the signs of a review. @param {[number, any][]} labels */
  label(labels) {
    if (labels.length === 0 && this.#labels.size === 0) return;
    this.#labels = new Map(labels);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.host.querySelectorAll(".row .move"))) {
      const told = this.#labels.get(Number(button.dataset.place));
      button.querySelector(".label")?.remove();
      if (told?.sign) button.append(element("span", { class: `label ${told.label}`, title: t(`label.${told.label}`) }, told.sign));
    }
  }

  /** Marks the move that the board shows. @param {number} at */
  mark(at) {
    this.host.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.host.querySelector(`[data-place="${at}"]`);
    current?.setAttribute("aria-current", "true");
    if (!current) {
      if (at === START) this.host.scrollTop = 0;
      return;
    }
    const [box, frame] = [current.getBoundingClientRect(), this.host.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.host.scrollTop += box.top - frame.top - frame.height / 2;
  }

  /** @param {number} at @param {string} text @param {boolean} [isMain] */
  #button(at, text, isMain = false) {
    const { nags, clock, evaluation } = this.#game.nodes[at];
    const button = element("button", { type: "button", class: "move", "data-place": at }, local(text));
    if (nags.length) button.append(element("span", { class: "sign" }, nags.map(signOf).join(" ")));
    if (isMain && evaluation) button.append(element("small", {}, evaluated(evaluation)));
    if (isMain && clock) button.append(element("small", { class: "time" }, clockText(milliseconds(clock))));
    return button;
  }

  /** @param {number} at */
  #main(at) {
    const node = this.#game.nodes[at];
    if (isBlacks(node)) {
      this.#row ??= this.#begin(node, element("span", { class: "elsewhere" }, "…"));
      this.#row.append(this.#button(at, node.san, true));
      this.#flush();
    } else {
      this.#flush();
      this.#row = this.#begin(node, this.#button(at, node.san, true));
    }
    this.#note(node.comment);
    const [first, ...siblings] = this.#game.children(node.parent);
    if (first === at) for (const sibling of siblings) this.#block(element("div", { class: "variation" }, ...this.#line(sibling, 0)));
  }

  #begin(node, ...cells) {
    return element("div", { class: "row" }, element("span", { class: "number" }, node.text.split(".")[0]), ...cells);
  }

  #flush() {
    if (this.#row) this.#rows.push(this.#row);
    this.#row = null;
  }

  #block(block) {
    this.#flush();
    this.#rows.push(block);
  }

  /** @param {string} comment */
  #note(comment) {
    const words = wordsOf(comment);
    if (words) this.#block(element("p", { class: "comment", dir: "auto" }, words));
  }

  /** A variation as words and buttons in a row. @param {number} start @param {number} depth */
  #line(start, depth) {
    const parts = [];
    let isFresh = true;
    const say = (/** @type {string} */ comment) => {
      const words = wordsOf(comment);
      if (words) parts.push(element("i", { dir: "auto" }, words), " ");
      return Boolean(words);
    };
    for (let at = start; at !== undefined; at = this.#game.nodes[at].children[0]) {
      const node = this.#game.nodes[at];
      say(node.prelude);
      parts.push(this.#button(at, isFresh || !isBlacks(node) ? node.text : node.san), " ");
      isFresh = say(node.comment);
      if (at === start) continue;
      for (const sibling of this.#game.children(node.parent).slice(1)) {
        parts.push("(", ...(depth < DEEPEST ? this.#line(sibling, depth + 1) : ["…"]), ") ");
        isFresh = true;
      }
    }
    return parts;
  }
}
