// What the engine finds: the best lines, the chances, and how far it has come.
import { element } from "./dom.js";
import { countText, scoreText, whiteScore } from "../model/words.js";

export class LinesView {
  #found = new Map();
  #timer = null;
  #position = null;
  #asked = 0;

  /** `show` asks the rules for lines in words, `play` plays the moves of one, `point` draws arrows. */
  constructor({ list, bar, chances, effort }, { show, play, point }) {
    this.list = list;
    this.bar = bar;
    this.chances = chances;
    this.effort = effort;
    this.show = show;
    this.play = play;
    this.point = point;
    list.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-line]");
      if (!button) return;
      const { moves } = this.shown?.[button.dataset.line] ?? {};
      if (moves) this.play(moves.slice(0, Number(button.dataset.count)));
    });
  }

  /** Begins anew for a position. */
  begin(position, most) {
    this.#position = position;
    this.#found.clear();
    this.#asked++;
    this.list.style.setProperty("--most", most);
    this.shown = null;
    this.list.replaceChildren();
    this.effort.textContent = "";
    this.point([]);
  }

  /** No search, and nothing to show. */
  clear(text = "") {
    this.begin(null, 0);
    this.bar.classList.add("unknown");
    this.chances.textContent = text;
  }

  take(info) {
    if (info.isBound || !this.#position) return;
    this.#found.set(info.line, info);
    // Shallow depths come in a rush.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#draw();
    }, 100);
  }

  async #draw() {
    const [position, infos] = [this.#position, [...this.#found.values()].sort((a, b) => a.line - b.line)];
    if (!position || infos.length === 0) return;
    const asked = ++this.#asked;
    const lines = await this.show(infos.map(({ pv }) => pv));
    // Another position or newer lines may have come meanwhile.
    if (asked !== this.#asked || position !== this.#position) return;
    this.shown = lines;
    this.list.replaceChildren(...lines.map((line, index) => this.#row(line, infos[index], index)));
    this.#drawChances(infos[0]);
    this.point(lines.map(({ moves }) => moves[0]).filter(Boolean));
    const { depth, nodes, speed } = infos[0];
    this.effort.textContent = `depth ${depth}, ${countText(nodes)} nodes, ${countText(speed)}/s`;
  }

  #row({ moves }, info, index) {
    const score = element("span", { class: "score" }, scoreText(whiteScore(info.score, this.#position.turn === "white")));
    const buttons = moves.map(({ text }, at) =>
      element("button", { type: "button", "data-line": index, "data-count": at + 1 }, text),
    );
    return element("li", { tabindex: 0 }, score, ...buttons);
  }

  #drawChances({ wdl }) {
    this.bar.classList.toggle("unknown", !wdl);
    if (!wdl) return;
    const [win, draw, loss] = this.#position.turn === "white" ? wdl : [...wdl].reverse();
    for (const [name, share] of Object.entries({ win, draw, loss })) this.bar.querySelector(`.${name}`).style.flexGrow = share;
    const percent = (share) => `${Math.round(share / 10)}\u00a0%`;
    this.chances.textContent = `White ${percent(win)}, draw ${percent(draw)}, Black ${percent(loss)}`;
  }
}
