// What the engine finds: the best lines, the chances, and how far it has come.
import { countText, scoreText, whiteScore } from "../model/words.js";
import { local, rule, t } from "../texts/words.js";
import { $, element } from "./dom.js";

/** How often lines are drawn anew, and how often they are spoken at most, in milliseconds. */
const DRAWN_EVERY = 100;
const SPOKEN_EVERY = 1000;

/** From this many centipawns a score says that the endgame tables have the position won. */
const TABLES = 19_000;

export class LinesView {
  /** @type {Map<number, import("../engine/uci.js").Info>} */ #found = new Map();
  /** @type {ReturnType<typeof setTimeout> | null} */ #timer = null;
  /** @type {ReturnType<typeof setTimeout> | null} */ #speaking = null;
  /** @type {any} */ #position = null;
  #asked = 0;
  #list;
  #bar;
  #chances;
  #effort;
  #heard;
  /** @type {any[]} */ shown = [];

  /**
   * Its places: the list, the bar beside the board where this is its engine, the chances and the effort in words, and, for those who cannot see the lines,
   * the best of them in words where there is a place for that. `show` asks the rules for lines in words, `play` plays the moves of one, `point` draws arrows, `preview` shows the
   * position after some moves, or the one that was there if there are none.
   * @param {{ list: HTMLElement, bar?: HTMLElement, chances: HTMLElement, effort: HTMLElement, heard?: HTMLElement }} places
   * @param {{ show: (lines: string[][], position: any) => Promise<any[]>, play: (moves: any[]) => void, point: (moves: any[]) => void,
   *   preview: (position: any, moves: any[] | null) => void }} means
   */
  constructor({ list, bar, chances, effort, heard }, { show, play, point, preview }) {
    [this.#list, this.#bar, this.#chances, this.#effort, this.#heard] = [list, bar, chances, effort, heard];
    this.show = show;
    this.point = point;
    const of = (/** @type {Event} */ event) => {
      /** @type {HTMLElement | null} */
      const button = /** @type {Element} */ (event.target).closest("button[data-line]");
      return button && this.shown[Number(button.dataset.line)]?.moves.slice(0, Number(button.dataset.count));
    };
    this.#list.addEventListener("click", (event) => {
      const moves = of(event);
      if (moves) play(moves);
    });
    for (const name of ["mouseover", "focusin"]) {
      this.#list.addEventListener(name, (event) => {
        const moves = of(event);
        if (moves) preview(this.#position, moves);
      });
    }
    for (const name of ["mouseleave", "focusout"]) this.#list.addEventListener(name, () => this.#position && preview(this.#position, null));
  }

  /**
   * Begins anew for a position.
   * @param {any} position
   * @param {number} most how many lines there will be
   */
  begin(position, most) {
    this.#position = position;
    this.#found.clear();
    this.#asked++;
    this.#list.style.setProperty("--most", String(most));
    this.shown = [];
    this.#list.replaceChildren();
    this.#effort.textContent = "";
    if (this.#heard) this.#heard.textContent = "";
    this.point([]);
  }

  /** No search, and nothing to show but a reason. */
  clear(text = "") {
    this.begin(null, 0);
    this.#bar?.classList.add("unknown");
    this.#chances.textContent = rule(text);
  }

  /** The best move here, if one was found. */
  get best() {
    return this.shown[0]?.moves[0] ?? null;
  }

  /** @param {import("../engine/uci.js").Info} info */
  take(info) {
    if (info.isBound || !this.#position) return;
    this.#found.set(info.line, info);
    // Shallow depths come in a rush.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#draw();
    }, DRAWN_EVERY);
  }

  async #draw() {
    const [position, infos] = [this.#position, [...this.#found.values()].sort((a, b) => a.line - b.line)];
    if (!position || infos.length === 0) return;
    const asked = ++this.#asked;
    const lines = await this.show(infos.map(({ pv }) => pv), position).catch(() => []);
    // Another position or newer lines may have come meanwhile.
    if (asked !== this.#asked || position !== this.#position) return;
    this.shown = lines;
    // Whoever points at a move is not to lose it.
    const focused = /** @type {HTMLElement | null} */ (this.#list.querySelector("button:focus"));
    const [line, count] = [focused?.dataset.line, focused?.dataset.count];
    this.#list.replaceChildren(...lines.map((each, index) => this.#row(each, infos[index], index)));
    if (focused) /** @type {HTMLElement | null} */ (this.#list.querySelector(`[data-line="${line}"][data-count="${count}"]`))?.focus({ preventScroll: true });
    this.#drawChances(infos[0]);
    this.point(lines.map(({ moves }) => moves[0]).filter(Boolean));
    const { depth, nodes, speed } = infos[0];
    this.#effort.textContent = t("effort", { depth, nodes: countText(nodes), speed: countText(speed) });
    if (this.#heard) this.#speaking ??= setTimeout(() => this.#speak(), SPOKEN_EVERY);
  }

  /** Tells those who cannot see the lines the score and the first moves of the best, when these have changed. */
  #speak() {
    this.#speaking = null;
    const info = [...this.#found.values()].find(({ line }) => line === 1);
    if (!info || !this.shown[0]) return;
    const words = this.shown[0].moves.slice(0, 3).map((move) => move.spoken ?? move.san);
    const text = [t("score.said", { score: scoreText(whiteScore(info.score, this.#position.turn === "white")) }), ...words].join(", ");
    if (this.#heard.textContent !== text) this.#heard.textContent = text;
  }

  /**
   * @param {{ moves: any[] }} line
   * @param {import("../engine/uci.js").Info} info
   * @param {number} index
   */
  #row({ moves }, info, index) {
    const value = whiteScore(info.score, this.#position.turn === "white");
    const isKnown = typeof value === "number" && Math.abs(value) >= TABLES;
    const text = isKnown ? t(value > 0 === (this.#position.turn === "white") ? "score.win" : "score.loss") : scoreText(value);
    const score = element("span", { class: isKnown ? "score tables" : "score" }, text);
    const buttons = moves.map((move, at) => element("button", { type: "button", "data-line": index, "data-count": at + 1, tabindex: at ? -1 : 0 }, local(move.text)));
    return element("li", {}, score, ...buttons);
  }

  /** @param {import("../engine/uci.js").Info} info */
  #drawChances({ wdl }) {
    this.#bar?.classList.toggle("unknown", !wdl);
    if (!wdl) return void (this.#chances.textContent = "");
    const [win, draw, loss] = this.#position.turn === "white" ? wdl : [...wdl].reverse();
    for (const [name, share] of Object.entries({ win, draw, loss })) if (this.#bar) $(`.${name}`, this.#bar).style.flexGrow = share;
    const percent = (/** @type {number} */ share) => Math.round(share / 10);
    this.#chances.textContent = t("chances", { win: percent(win), draw: percent(draw), loss: percent(loss) });
  }
}
