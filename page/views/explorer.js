// What was played from a position: the moves with what became of them, and some of the games.
import { countText } from "../model/words.js";
import { local, t } from "../texts/words.js";
import { $, element } from "./dom.js";
import { namesOf } from "./games.js";

const COLUMNS = ["move", "count", "results", "rating", "performance", "years"];

/** @typedef {{ uci: string, san: string, games: number, white: number, draws: number, black: number, rating: number | null, performance: number | null,
 *   first_year: number | null, last_year: number | null }} MoveRow */
/** @typedef {{ id: string, san: string, white: string, black: string, white_rating: number | null, black_rating: number | null, result: string,
 *   year: number | null }} GameRow */

export class ExplorerView {
  #host = $("#explorer");
  #choice = $("#explorer-source");

  /** @param {{ toggled: (isOpen: boolean) => void, chosen: (source: string) => void, play: (san: string) => void, open: (game: string) => void }} means */
  constructor({ toggled, chosen, play, open }) {
    this.#host.addEventListener("toggle", () => !this.#host.hidden && toggled(this.#host.open));
    this.#choice.addEventListener("change", () => chosen(this.#choice.value));
    this.#host.addEventListener("click", (event) => {
      const button = event.target.closest("[data-san], [data-game]");
      if (button?.dataset.san) play(button.dataset.san);
      else if (button) open(button.dataset.game);
    });
  }

  /** @param {boolean} isShown @param {boolean} isOpen */
  toggle(isShown, isOpen) {
    this.#host.hidden = !isShown;
    if (isShown) this.#host.open = isOpen;
  }

  /** @param {{ id: string, name: string }[]} sources @param {string} chosen */
  sources(sources, chosen) {
    this.#choice.replaceChildren(...sources.map(({ id, name }) => new Option(name, id, false, id === chosen)));
    this.#choice.hidden = sources.length < 2;
  }

  /** @param {string} text */
  complain(text) {
    $(".told", this.#host).textContent = text;
    $("table", this.#host).replaceChildren();
    $(".explored", this.#host).hidden = true;
  }

  /** @param {{ opening: string[] | null, moves: MoveRow[], top: GameRow[], newest: GameRow[], left_out?: number }} answer */
  show({ opening, moves, top, newest, left_out: leftOut = 0 }) {
    // Whoever went through the moves with the keys goes on from the first of the next ones.
    const hadFocus = $("table", this.#host).contains(document.activeElement);
    const total = moves.reduce((sum, { games }) => sum + games, 0);
    const games = total ? t("games.count", { total: countText(total) }) : t("explorer.none");
    const without = leftOut ? t("explorer.left.out", { count: countText(leftOut) }) : "";
    this.complain([opening?.join(" "), games, without].filter(Boolean).join(" · "));
    if (total === 0) return;
    $("table", this.#host).replaceChildren(
      element("thead", {}, element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, t(`explorer.${name}`))))),
      element("tbody", {}, ...moves.map((move) => this.#move(move, total))),
    );
    if (hadFocus) $("table button", this.#host)?.focus({ preventScroll: true });
    $(".explored", this.#host).hidden = false;
    // Where all games are listed, once is enough.
    /** @type {[string, GameRow[]][]} */
    const lists = newest.length < total || top.length === 0 ? [["explorer.top", top], ["explorer.newest", newest]] : [["explorer.newest", newest]];
    $(".explored-games", this.#host).replaceChildren(...lists.flatMap(([title, rows]) => [
      element("h3", {}, t(title)), element("ol", { role: "list" }, ...rows.map((row) => this.#game(row))),
    ]));
  }

  /** @param {MoveRow} move @param {number} total */
  #move({ san, games, white, draws, black, rating, performance, first_year: first, last_year: last }, total) {
    const cell = (/** @type {any} */ value) => element("td", {}, value === null ? "–" : typeof value === "number" ? String(value) : value);
    const years = first === last ? first : `${first}–${last}`;
    const share = Math.round((100 * games) / total);
    return element("tr", {},
      element("th", { scope: "row" }, element("button", { type: "button", class: "move", "data-san": san }, local(san))),
      cell(`${countText(games)} (${share} %)`), element("td", {}, this.#results(white, draws, black)), cell(rating), cell(performance), cell(years));
  }

  /** Results as a bar, and in words for those who do not see it. @param {number} white @param {number} draws @param {number} black */
  #results(white, draws, black) {
    const all = white + draws + black;
    if (all === 0) return "–";
    const percent = (/** @type {number} */ part) => Math.round((100 * part) / all);
    const text = t("chances", { win: percent(white), draw: percent(draws), loss: percent(black) });
    const parts = Object.entries({ win: white, draw: draws, loss: black }).map(([name, part]) => {
      const made = element("i", { class: name }, percent(part) >= 20 ? `${percent(part)} %` : "");
      made.style.flexGrow = part;
      return made;
    });
    return element("span", { class: "results", role: "img", "aria-label": text, title: text }, ...parts);
  }

  /** @param {GameRow} row */
  #game({ id, san, white, black, white_rating, black_rating, result, year }) {
    const player = (/** @type {string} */ name, /** @type {number | null} */ rating) => (rating ? `${name} (${rating})` : name);
    const names = namesOf({ White: player(white, white_rating), Black: player(black, black_rating) });
    const about = [local(san), result === "*" ? "" : result, year].filter(Boolean).join(" · ");
    return element("li", {}, element("button", { type: "button", class: "game", "data-game": id }, element("bdi", {}, names), " ", element("small", {}, about)));
  }
}
