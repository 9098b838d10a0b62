// All engines: Vancura, and others that the program runs for this page. One or two of them analyse beside the board.
import { Engine } from "./engine/uci.js";
import { OWN } from "./model/level.js";
import { MAX_LINES } from "./model/session.js";
import { t } from "./texts/words.js";
import { askForOptions } from "./views/options.js";
import { $, $$, element } from "./views/dom.js";

/** How long an engine may take to introduce itself, and be silent when it searches, in milliseconds. */
const PATIENCE = 25_000;
const SILENCE = 10_000;

/** What the board sets itself, for all engines and for Vancura. */
const OURS = ["MultiPV", "Ponder", "UCI_AnalyseMode", "UCI_Chess960", "UCI_ShowWDL"];
const OWN_OURS = ["Threads", "Hash", "UCI_LimitStrength", "UCI_Elo"];

/**
 * A form field for an option.
 * @typedef {{ name: string, type: string, default?: string, min?: number, max?: number, choices?: string[], fixed?: boolean }} Field
 */

/** A place beside the board for an engine that analyses. */
class Seat {
  /** @type {Engine | null} */ engine = null;
  /** Which engine sits here, by its name; none. @type {string | null} */ name = null;
  #close = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #silence;

  /**
   * @param {HTMLElement} host
   * @param {import("./views/lines.js").LinesView} lines
   */
  constructor(host, lines) {
    this.host = host;
    this.lines = lines;
  }

  /** @param {string} text */
  #complain(text) {
    $(".fault", this.host).textContent = text;
  }

  /** An engine takes the seat. @param {string} name @param {Engine} engine @param {() => void} close */
  take(name, engine, close) {
    Object.assign(this, { name, engine });
    this.#close = close;
    this.#complain("");
  }

  /** Nobody sits here any more, or none that answers: why, in words. */
  free(reason = "") {
    clearTimeout(this.#silence);
    this.engine?.stop();
    this.engine = null;
    this.#close();
    this.#close = () => {};
    this.lines.clear();
    this.#complain(reason);
    this.host.classList.toggle("failed", reason !== "");
  }

  /** @param {any} position @param {number} most */
  begin(position, most) {
    this.#complain("");
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#complain(t("engine.silent", { engine: this.name })), SILENCE);
    this.lines.begin(position, most);
  }

  /** @param {import("./engine/uci.js").Info} info */
  hear(info) {
    clearTimeout(this.#silence);
    this.#complain("");
    if (info.line <= MAX_LINES) this.lines.take(info);
  }

  /** Nothing is searched. @param {string} reason */
  none(reason) {
    clearTimeout(this.#silence);
    this.#complain("");
    this.lines.clear(reason);
  }
}

export class Engines {
  /** The names of all, with their numbers for the program. @type {Map<string, string>} */ #ids = new Map([[OWN, ""]]);
  /** @type {Map<string, Field[]>} */ #fields = new Map();

  /**
   * @param {{ own: Engine, settings: any, guest?: (id: string, ended: (reason: string) => void) => any,
   *   server: import("./model/library.js").ServerKeeper | null, common: () => Record<string, any>,
   *   changed: () => void }} means `settings` are those that are kept, `common` the options that Vancura always gets, `changed`
   *   is called when another engine sits somewhere or has other options
   * @param {import("./views/lines.js").LinesView[]} lines of both seats
   */
  constructor(means, lines) {
    this.means = means;
    this.all = [new Seat($("#seat-1"), lines[0]), new Seat($("#seat-2"), lines[1])];
    this.all[0].take(OWN, means.own, () => {});
    for (const [index, seat] of this.all.entries()) {
      $(".choice-of-engine", seat.host).addEventListener("change", ({ target }) => this.choose(index, target.value));
      $('[data-engine="options"]', seat.host).addEventListener("click", () => this.askForOptions(seat.name ?? OWN));
      $('[data-engine="again"]', seat.host).addEventListener("click", () => this.choose(index, this.#chosen[index]));
    }
    $('[data-engine="second"]').addEventListener("click", () => this.choose(1, [...this.#ids.keys()].at(-1) ?? OWN));
    $('[data-engine="close"]').addEventListener("click", () => this.choose(1, null));
  }

  /** The names that were chosen for both seats. @returns {(string | null)[]} */
  get #chosen() {
    const [first, second] = this.means.settings.engines ?? [];
    const known = (/** @type {any} */ name) => (this.#ids.has(name) ? name : null);
    return [known(first) ?? OWN, known(second)];
  }

  /** Asks which there are. */
  async start() {
    const { server } = this.means;
    const list = server ? await server.engines().catch(() => null) : null;
    for (const { id, name } of list?.engines.slice(1) ?? []) {
      // Two of one name are told apart by their numbers.
      this.#ids.set(this.#ids.has(name) ? `${name} (${id})` : name, id);
    }
    this.show();
  }

  /** The names of all; Vancura is the first. */
  get names() {
    return [...this.#ids.keys()];
  }

  /** Whether there is a choice. */
  get #hasOthers() {
    return this.#ids.size > 1;
  }

  show() {
    const chosen = this.#chosen;
    for (const [index, seat] of this.all.entries()) {
      $(".who", seat.host).hidden = !this.#hasOthers;
      const select = $(".choice-of-engine", seat.host);
      select.replaceChildren(...[...this.#ids.keys()].map((name) => element("option", { value: name, selected: name === chosen[index] }, name)));
    }
    this.all[1].host.hidden = chosen[1] === null;
    $('[data-engine="second"]').hidden = chosen[1] !== null;
  }

  /** Another engine for a seat, or none. @param {number} index @param {string | null} name */
  choose(index, name) {
    const chosen = this.#chosen;
    chosen[index] = name;
    this.means.settings.engines = chosen;
    this.all[index].free();
    this.all[index].name = null;
    this.show();
    this.means.changed();
  }

  /** Those that are to search, each with its options; who is not there yet is fetched, and `changed` is told of it. */
  seats() {
    const chosen = this.#chosen;
    return this.all.flatMap((seat, index) => {
      const name = chosen[index];
      if (name !== null && seat.name !== name) this.#seat(seat, index, name);
      const { engine } = seat;
      if (name === null || !engine) return [];
      const options = (/** @type {any} */ position) => this.#analysing(name, engine, position);
      return [{ engine, options, begin: seat.begin.bind(seat), hear: seat.hear.bind(seat), none: seat.none.bind(seat) }];
    });
  }

  /** Ends all searches. */
  stop() {
    for (const seat of this.all) {
      if (!seat.engine) continue;
      seat.engine.stop();
      seat.none("");
    }
  }

  /** @param {Seat} seat @param {number} index @param {string} name */
  async #seat(seat, index, name) {
    seat.free();
    if (name === OWN && index === 0) return seat.take(OWN, this.means.own, () => {});
    seat.name = name;
    $(".effort", seat.host).textContent = t("engine.starts", { engine: name });
    const isWanted = () => seat.name === name;
    const fail = (/** @type {string} */ reason) => isWanted() && seat.free(t("engine.ended", { engine: name, reason }));
    try {
      const { engine, close } = await this.open(name, fail);
      if (!isWanted()) return close();
      seat.take(name, engine, close);
      this.means.changed();
    } catch (error) {
      fail(error.message);
    }
  }

  /**
   * Starts an engine in a process of its own. Rejects in words if it cannot be had.
   * @param {string} name
   * @param {(reason: string) => void} ended is called with the reason when it goes, unless it was closed
   * @returns {Promise<{ engine: Engine, close: () => void }>}
   */
  async open(name, ended) {
    const { guest } = this.means;
    const id = this.#ids.get(name);
    if (!guest || id === undefined) throw new Error(t("engine.unknown"));
    const transport = guest(id || "vancura", ended);
    const engine = new Engine(transport, () => {
      transport.close();
      ended(t("engine.hangs"));
    });
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error(t("engine.late"))), PATIENCE));
    await Promise.race([engine.start(), transport.ended, late]).catch((error) => {
      transport.close();
      throw error;
    });
    return { engine, close: () => transport.close() };
  }

  /** @param {string} name @param {Engine} engine @param {any} position */
  #analysing(name, engine, position) {
    const more = name === OWN ? { UCI_LimitStrength: false } : { UCI_Chess960: position.chess960 };
    return this.known(name, engine, { UCI_AnalyseMode: true, ...more });
  }

  /** What an engine is told of its options: those that were chosen, and these. It is told of none that it does not have. @param {string} name @param {Engine} engine @param {Record<string, any>} more */
  known(name, engine, more) {
    const isOwn = name === OWN;
    const all = { ...(isOwn ? this.means.common() : {}), ...this.#kept(name), UCI_ShowWDL: true, ...more };
    return Object.fromEntries(Object.entries(all).filter(([option]) => engine.options.has(option)));
  }

  /** The options of an engine, by their names. Rejects in words if it cannot be asked. @param {string} name @returns {Promise<Map<string, { min?: number, max?: number }>>} */
  async optionsOf(name) {
    if (name === OWN) return this.means.own.options;
    return new Map((await this.#fieldsOf(name)).map((field) => [field.name, field]));
  }

  /** What was chosen of the options of an engine. @param {string} name @returns {Record<string, any>} */
  #kept(name) {
    return this.means.settings.engineOptions?.[name] ?? {};
  }

  /** @param {string} name @returns {Promise<Field[]>} */
  async #fieldsOf(name) {
    const { server, own } = this.means;
    let fields = this.#fields.get(name);
    if (!fields) {
      const ofOwn = [...own.options].map(([option, { kind, ...rest }]) => ({ name: option, type: kind, ...rest, fixed: kind === "string" }));
      fields = server ? (await server.engine(this.#ids.get(name) || "vancura")).options : ofOwn;
      this.#fields.set(name, fields);
    }
    return fields;
  }

  /** The form of options of an engine. */
  async askForOptions(name = OWN) {
    try {
      const ours = name === OWN ? [...OURS, ...OWN_OURS] : OURS;
      const fields = (await this.#fieldsOf(name)).filter((field) => !ours.includes(field.name));
      const press = (/** @type {string} */ option) => {
        for (const seat of this.all) if (seat.name === name) seat.engine?.press(option);
        this.means.changed();
      };
      const chosen = await askForOptions(name, fields, this.#kept(name), press);
      if (!chosen) return;
      this.means.settings.engineOptions = { ...this.means.settings.engineOptions, [name]: chosen };
      this.means.changed();
    } catch (error) {
      const seat = this.all.find((each) => each.name === name) ?? this.all[0];
      $(".fault", seat.host).textContent = t("engine.ended", { engine: name, reason: error.message });
    }
  }
}
