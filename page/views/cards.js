// What is to be practised: how much is due, of whom, and when the next is.
import { t } from "../texts/words.js";
import { $, element } from "./dom.js";

export class CardsView {
  #dialog = $("#cards");

  /** @param {{ begin: () => void, file: (file: File) => Promise<void>, choose: (player: string) => void }} means */
  constructor({ begin, file, choose }) {
    $("form", this.#dialog).addEventListener("submit", (event) => event.preventDefault());
    $("#practice-begin").addEventListener("click", begin);
    $("#practice-player").addEventListener("change", (event) => choose(event.target.value));
    $("#practice-file").addEventListener("change", (event) => {
      const [chosen] = event.target.files;
      if (!chosen) return;
      this.complain(t("reading", { name: chosen.name }));
      file(chosen).then(() => this.complain(""), (error) => this.complain(error.message));
      event.target.value = "";
    });
  }

  open() {
    this.complain("");
    $("#practice-count").textContent = t("moment");
    $("#practice-begin").disabled = true;
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }

  /** @param {string} text */
  complain(text) {
    $("#practice-error").textContent = text;
  }

  /** @param {{ due: number, all: number, next: Date | null, players: [string, number][], player: string }} state */
  show({ due, all, next, players, player }) {
    const date = next?.toLocaleDateString(document.documentElement.lang, { weekday: "long", day: "numeric", month: "long" });
    const told = all ? [t("cards.due", { due, all }), date ? t("cards.next", { date }) : ""] : [t("cards.none")];
    $("#practice-count").textContent = told.filter(Boolean).join(" ");
    $("#practice-begin").disabled = due === 0;
    const choices = [["", t("cards.everybody")], ...players.map(([name, count]) => [name, `${name} (${count})`])];
    $("#practice-player").replaceChildren(...choices.map(([value, text]) => element("option", { value, selected: value === player }, text)));
    $("#practice-whose").hidden = players.length < 2;
  }
}
