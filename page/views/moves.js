// The list of moves: the main line in two columns, comments and variations between.
import { START } from "../model/game.js";
import { element } from "./dom.js";

const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
// Variations in variations beyond this are left out of the list, though not of the game.
const DEEPEST = 40;

const glyphs = (nags) => nags.map((nag) => GLYPHS[nag] ?? "").join("");

/** Whether the move begins with the number of Black's move, which stands only where a line begins. */
const isBlacks = (node) => node.text.includes("...");

export class MovesView {
  constructor(host, go) {
    this.host = host;
    host.addEventListener("click", (event) => {
      const place = event.target.closest("[data-place]")?.dataset.place;
      if (place !== undefined) go(Number(place));
    });
  }

  show(game, end) {
    const shown = [game.version, game.result, end?.reason].join();
    if (game === this.game && shown === this.shown) return this.mark(game.at);
    this.game = game;
    this.shown = shown;
    this.rows = [];
    this.row = null;
    if (game.comment) this.#note(game.comment);
    for (let at = game.first[0]; at !== undefined; at = game.nodes[at].children[0]) this.#main(at);
    this.#flush();
    if (end) this.rows.push(element("p", { class: "result" }, `${end.result}, ${end.reason}`));
    else if (game.result !== "*") this.rows.push(element("p", { class: "result" }, game.result));
    if (game.nodes.length === 0 && !end) this.rows.push(element("p", { class: "empty" }, "No moves yet."));
    this.host.replaceChildren(...this.rows);
    this.mark(game.at);
  }

  /** Marks the move that the board shows. */
  mark(at) {
    this.host.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.host.querySelector(`[data-place="${at}"]`);
    current?.setAttribute("aria-current", "true");
    if (!current) return void (this.host.scrollTop = at === START ? 0 : this.host.scrollTop);
    const [box, frame] = [current.getBoundingClientRect(), this.host.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) {
      this.host.scrollTop += box.top - frame.top - frame.height / 2;
    }
  }

  #button(at, text) {
    const node = this.game.nodes[at];
    return element("button", { type: "button", class: "move", "data-place": at }, `${text}${glyphs(node.nags)}`);
  }

  #main(at) {
    const node = this.game.nodes[at];
    if (isBlacks(node)) {
      this.row ??= this.#begin(node, element("span", { class: "elsewhere" }, "…"));
      this.row.append(this.#button(at, node.san));
      this.#flush();
    } else {
      this.#flush();
      this.row = this.#begin(node, this.#button(at, node.san));
    }
    const siblings = this.game.children(node.parent).slice(1);
    const isFirst = this.game.children(node.parent)[0] === at;
    if (node.comment) this.#note(node.comment);
    if (isFirst) for (const sibling of siblings) this.#block(element("div", { class: "variation" }, ...this.#line(sibling, 0)));
  }

  #begin(node, ...cells) {
    return element("div", { class: "row" }, element("span", { class: "number" }, node.text.split(".")[0]), ...cells);
  }

  #flush() {
    if (this.row) this.rows.push(this.row);
    this.row = null;
  }

  #block(block) {
    this.#flush();
    this.rows.push(block);
  }

  #note(text) {
    this.#block(element("p", { class: "comment" }, text));
  }

  /** A variation as words and buttons in a row. */
  #line(start, depth) {
    const parts = [];
    let isFresh = true;
    for (let at = start; at !== undefined; at = this.game.nodes[at].children[0]) {
      const node = this.game.nodes[at];
      if (node.prelude) parts.push(element("i", {}, node.prelude), " ");
      parts.push(this.#button(at, isFresh || !isBlacks(node) ? node.text : node.san), " ");
      isFresh = false;
      if (node.comment) {
        parts.push(element("i", {}, node.comment), " ");
        isFresh = true;
      }
      if (at === start) continue;
      for (const sibling of this.game.children(node.parent).slice(1)) {
        parts.push("(", ...(depth < DEEPEST ? this.#line(sibling, depth + 1) : ["…"]), ") ");
        isFresh = true;
      }
    }
    return parts;
  }
}
