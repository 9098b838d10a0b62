// What endgame tables say: how the position ends, and each move with its result and distance.
import { OPPOSITE } from "../model/clock.js";
import { local, t } from "../texts/words.js";
import { $, element } from "./dom.js";

/** @typedef {{ uci: string, san: string, result: string, dtz: number | null }} TableMove */
/**
 * What the program answers: a result with all moves, or why there is none.
 * @typedef {{ result?: string, dtz?: number | null, moves?: TableMove[], nothing?: string, is_named?: boolean, largest?: number, table?: string }} Told
 */

export class EndingsView {
  #host = $("#endings");

  /** @param {{ toggled: (isOpen: boolean) => void, play: (uci: string) => void }} means */
  constructor({ toggled, play }) {
    this.#host.addEventListener("toggle", () => !this.#host.hidden && toggled(this.#host.open));
    this.#host.addEventListener("click", (event) => {
      const button = event.target.closest("[data-uci]");
      if (button) play(button.dataset.uci);
    });
  }

  /** @param {boolean} isShown @param {boolean} isOpen */
  toggle(isShown, isOpen) {
    this.#host.hidden = !isShown;
    if (isShown) this.#host.open = isOpen;
  }

  /** @param {string} text */
  complain(text) {
    $(".told", this.#host).textContent = text;
    $("table", this.#host).replaceChildren();
  }

  /** @param {Told} told @param {"white" | "black"} turn */
  show({ result, dtz = null, moves = [], nothing, is_named: isNamed, largest = 0, table = "" }, turn) {
    if (!result) return this.complain(t(`endings.nothing.${nothing === "none" && isNamed ? "empty" : nothing}`, { largest, table }));
    // Whoever went through the moves with the keys goes on from the first of the next ones.
    const hadFocus = $("table", this.#host).contains(document.activeElement);
    // A loss is the other side's win, and is said so.
    const winner = result.endsWith("loss") ? OPPOSITE[turn] : turn;
    const how = { "win": "win", "loss": "win", "cursed win": "spoiled", "blessed loss": "spoiled" }[result] ?? "draw";
    const distance = dtz === null || how === "draw" ? "" : t("endings.distance", { count: Math.abs(dtz) });
    this.complain([t(`endings.${how}`, { side: t(winner) }), distance].filter(Boolean).join(" "));
    $("table", this.#host).replaceChildren(
      element("thead", {}, element("tr", {}, ...["move", "result", "dtz"].map((name) => element("th", { scope: "col", title: name === "dtz" ? t("endings.dtz.how") : null }, t(`endings.${name}`))))),
      element("tbody", {}, ...moves.map((move) => this.#row(move))));
    if (hadFocus) $("table button", this.#host)?.focus({ preventScroll: true });
  }

  /** @param {TableMove} move */
  #row({ uci, san, result, dtz }) {
    const button = element("button", { type: "button", class: "move", "data-uci": uci }, local(san));
    const distance = dtz === null ? "–" : String(Math.abs(dtz));
    return element("tr", {}, element("th", { scope: "row" }, button), element("td", {}, t(`endings.of.${result}`)), element("td", {}, distance));
  }
}
