// What is to be practised: how much is due, of whom, when the next is, and all of it, to be looked through and deleted.
import { local, t } from "../texts/words.js";
import { $, element } from "./dom.js";

/** So many rows are shown at a time. */
const PAGE = 50;

/**
 * Fills a list with rows, some at a time.
 * @template Row
 * @param {any} list
 * @param {Row[]} rows
 * @param {(row: Row) => any} draw
 */
function fillList(list, rows, draw, from = 0) {
  const next = from + PAGE;
  list.append(...rows.slice(from, next).map(draw));
  if (next >= rows.length) return;
  const more = element("button", { type: "button" }, t("games.more"));
  const row = element("li", { class: "more" }, more);
  more.addEventListener("click", () => {
    row.remove();
    fillList(list, rows, draw, next);
  });
  list.append(row);
}

/** @param {Date} date */
const dayOf = (date) => date.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" });

export class CardsView {
  #dialog = $("#cards");
  #all = $("#practice-all");
  /** The groups whose positions are shown. @type {Set<string>} */ #open = new Set();

  /**
   * @param {{ begin: () => void, file: (file: File) => Promise<void>, choose: (player: string) => void, remove: (ids: string[]) => Promise<boolean>,
   *   undo: () => Promise<void> | undefined, groups: () => import("../model/schedule.js").Group[] }} means
   */
  constructor(means) {
    this.means = means;
    const { begin, file, choose, undo } = means;
    $("form", this.#dialog).addEventListener("submit", (event) => event.preventDefault());
    $("#practice-begin").addEventListener("click", begin);
    $("#practice-player").addEventListener("change", (event) => choose(event.target.value));
    $("#practice-undo").addEventListener("click", () => {
      this.#showUndo("");
      undo();
    });
    // The keys of the board are not for dialogs.
    this.#dialog.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey && !$("#practice-deleted").hidden) $("#practice-undo").click();
    });
    this.#all.addEventListener("toggle", () => this.#list());
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
    this.#showUndo("");
    this.#open.clear();
    this.#all.open = false;
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

  /** What was deleted, in words, beside the button that gives it back; nothing hides both. @param {string} text */
  #showUndo(text) {
    const place = $("#practice-deleted");
    place.hidden = text === "";
    $("span", place).textContent = text;
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
    this.#list();
  }

  /** All positions, by games. */
  #list() {
    const groups = this.means.groups();
    this.#all.hidden = groups.length === 0;
    const list = $("ul", this.#all);
    list.replaceChildren();
    if (this.#all.open) fillList(list, groups, (group) => this.#group(group));
  }

  /** @param {import("../model/schedule.js").Group} group */
  #group({ key, kind, names, cards }) {
    const name = kind === "game" ? names || "?" : t(`cards.of.${kind}`);
    const list = element("ul", { role: "list" });
    const whole = element("details", { open: this.#open.has(key) }, element("summary", {}, element("bdi", {}, name), ` (${cards.length})`), list);
    const fill = () => whole.open && list.childElementCount === 0 && fillList(list, cards, (card) => this.#card(card));
    whole.addEventListener("toggle", () => {
      if (whole.open) this.#open.add(key);
      else this.#open.delete(key);
      fill();
    });
    fill();
    return element("li", {}, whole, this.#delete(t("cards.delete.all", { name }), cards.map(({ id }) => id)));
  }

  /** @param {import("../model/schedule.js").Group["cards"][number]} card */
  #card({ id, text, fen, due }) {
    const name = text ? local(text) : fen.split(" ")[0];
    return element("li", {}, element("span", {}, name, " ", element("small", {}, due ? dayOf(due) : t("cards.new"))), this.#delete(t("cards.delete", { name }), [id]));
  }

  /** @param {string} label @param {string[]} ids */
  #delete(label, ids) {
    const button = element("button", { type: "button", class: "delete", "aria-label": label }, t("delete"));
    button.addEventListener("click", async () => {
      if (!(await this.means.remove(ids))) return;
      this.#showUndo(t(ids.length === 1 ? "cards.deleted.one" : "cards.deleted", { count: ids.length }));
      // The keys go on from here: what was pressed is gone.
      $("#practice-undo").focus();
    });
    return button;
  }
}
