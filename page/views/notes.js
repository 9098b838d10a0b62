// What people say of a move: signs and a comment.
import { START } from "../model/game.js";
import { MOVE_SIGNS, POSITION_SIGNS, readMarks, signOf } from "../model/marks.js";
import { $, element } from "./dom.js";

export class NotesView {
  #field = $("#comment");
  #place = START;
  #game = null;

  /** @param {{ sign: (nag: number) => void, comment: (game: any, place: number, words: string) => void }} means */
  constructor({ sign, comment }) {
    const buttons = [...MOVE_SIGNS, ...POSITION_SIGNS].map((nag) => {
      const button = element("button", { type: "button", "data-nag": nag, "aria-pressed": "false" }, signOf(nag));
      button.addEventListener("click", () => sign(nag));
      return button;
    });
    $(".signs").replaceChildren(...buttons);
    // What is written belongs to the place where it was begun, wherever one goes with it unfinished.
    const keep = () => this.#game && comment(this.#game, this.#place, this.#field.value);
    this.#field.addEventListener("change", keep);
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) this.#field.blur();
    });
  }

  /** @param {import("../model/game.js").Game} game */
  show(game) {
    const isSame = this.#game === game && this.#place === game.at;
    this.#game = game;
    this.#place = game.at;
    if (!isSame || document.activeElement !== this.#field) this.#field.value = readMarks(game.commentOf(game.at)).words;
    const nags = game.at === START ? [] : game.nodes[game.at].nags;
    for (const button of $(".signs").children) button.setAttribute("aria-pressed", String(nags.includes(Number(button.dataset.nag))));
    $(".signs").hidden = game.at === START;
  }

  focus() {
    this.#field.focus();
  }
}
