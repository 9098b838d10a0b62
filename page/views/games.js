// Lists of games: my games, and the files that are open.
import { t } from "../texts/words.js";
import { $, element } from "./dom.js";

/** How many games are asked for at a time. */
const PAGE = 50;
/** How often a file that is still read is looked at, in milliseconds. */
const LOOK_EVERY = 500;
const SORTS = ["", "changed", "date", "white", "black", "result"];

/**
 * Where games come from: `list` and `open` as the library has them, `name` in words; `remove` if they can be deleted;
 * `problems` says what could not be read.
 * @typedef {{ name: string, sort: string, list: (question: any) => Promise<import("../model/library.js").Page>, open: (entry: any) => Promise<any>,
 *   remove?: (entry: any) => Promise<any>, restore?: (id: any) => Promise<any>, problems?: () => Promise<{ line: number, text: string }[]> }} Source
 */

/** The names of a game in a list. @param {Record<string, string>} tags */
export const namesOf = (tags) => t("game.names", { white: tags.White ?? "?", black: tags.Black ?? "?" });

/** @param {number} total */
const countOf = (total) => t(total === 1 ? "games.count.one" : "games.count", { total });

export class GamesView {
  /** @type {Source[]} */ #sources = [];
  /** @type {Source | null} */ #source = null;
  #asked = 0;
  #dialog = $("#games");
  #list = $("#games-list");
  #search = $("#games-search");
  #sort = $("#games-sort");

  /** @param {{ open: (source: Source, question: any, index: number, total: number, entry: any) => Promise<void>, removed: (source: Source, entry: any) => void }} means */
  constructor({ open, removed }) {
    this.open = open;
    this.removed = removed;
    let typing;
    this.#search.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#fresh(), 200);
    });
    this.#sort.addEventListener("change", () => this.#fresh());
    $("form", this.#dialog).addEventListener("submit", (event) => event.preventDefault());
  }

  /**
   * Shows the lists, one of them first.
   * @param {Source[]} sources
   * @param {Source} first
   */
  async show(sources, first = sources[0]) {
    this.#sources = sources;
    this.#sort.replaceChildren(...SORTS.map((sort) => element("option", { value: sort }, t(`sort.${sort || "none"}`))));
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#search.value = "";
    await this.#choose(first);
  }

  close() {
    this.#dialog.close();
  }

  /** @param {Source} source */
  async #choose(source) {
    this.#source = source;
    this.#sort.value = source.sort;
    const tabs = this.#sources.map((each) => {
      const button = element("button", { type: "button", "aria-pressed": String(each === source) }, each.name);
      button.addEventListener("click", () => this.#choose(each));
      return button;
    });
    $(".sources", this.#dialog).replaceChildren(...tabs);
    $(".sources", this.#dialog).hidden = tabs.length < 2;
    await this.#fresh();
    const problems = (await source.problems?.().catch(() => [])) ?? [];
    const place = $("#games-problems");
    place.hidden = problems.length === 0;
    place.open = problems.length < 8;
    $("ul", place).replaceChildren(...problems.slice(0, 200).map(({ line, text }) => element("li", {}, t("problem.line", { line, text }))));
  }

  get #question() {
    return { query: this.#search.value.trim(), sort: this.#sort.value };
  }

  /** The list from its start. */
  async #fresh() {
    this.#list.replaceChildren();
    await this.#more(0);
  }

  /** @param {number} from */
  async #more(from) {
    const [source, question, asked] = [this.#source, this.#question, ++this.#asked];
    if (!source) return;
    try {
      const page = await source.list({ ...question, from, count: PAGE });
      const { total, games } = page;
      if (asked !== this.#asked) return;
      $("#games-count").textContent = total ? countOf(total) : t("games.none");
      $(".more", this.#list)?.remove();
      this.#list.append(...games.map((entry, index) => this.#row(source, entry, from + index, total)));
      this.#wait(source, page, asked);
      const next = from + games.length;
      if (next < total && games.length > 0) {
        const more = element("button", { type: "button" }, t("games.more"));
        more.addEventListener("click", () => this.#more(next));
        this.#list.append(element("li", { class: "more" }, more));
      }
    } catch (error) {
      if (asked === this.#asked) $("#games-count").textContent = error.message;
    }
  }

  /** Looks again while a file is still read. @param {Source} source @param {import("../model/library.js").Page} page @param {number} asked */
  #wait(source, { done }, asked) {
    if (done !== false) return;
    setTimeout(async () => {
      if (asked !== this.#asked || !this.#dialog.open) return;
      const page = await source.list({ ...this.#question, from: 0, count: 1 }).catch(() => null);
      if (!page || asked !== this.#asked) return;
      $("#games-count").textContent = countOf(page.total);
      if (page.done === false) this.#wait(source, page, asked);
      else this.#fresh();
    }, LOOK_EVERY);
  }

  /** @param {Source} source @param {any} entry @param {number} index @param {number} total */
  #row(source, entry, index, total) {
    const { tags, plies } = entry;
    const about = [tags.Result, tags.Date, tags.Event, plies ? t("half.moves", { count: plies }) : "", entry.problem].filter((text) => text && !/^[?.*-]*$/.test(text));
    const open = element("button", { type: "button", class: "game" }, element("bdi", {}, namesOf(tags)), element("small", { dir: "auto" }, about.join(" · ")));
    const question = this.#question;
    open.addEventListener("click", () => this.open(source, question, index, total, entry));
    if (!source.remove) return element("li", {}, open);
    const remove = element("button", { type: "button", class: "delete", "aria-label": t("delete.game", { game: namesOf(tags) }) }, t("delete"));
    remove.addEventListener("click", async () => {
      await source.remove?.(entry);
      await this.#fresh();
      this.removed(source, entry);
    });
    return element("li", {}, open, remove);
  }
}
