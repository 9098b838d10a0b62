// The dialog for a new game: who plays, how strong, on what time, from where.
import { OWN, nearest, scaleOf } from "../model/level.js";
import { against } from "../model/session.js";
import { t } from "../texts/words.js";
import { shown } from "./dialogs.js";
import { $, $$, element } from "./dom.js";
import { levelText } from "./strips.js";

/** What a limit is when it is chosen, and its bounds. @type {Record<string, { value: number, min: number, max: number, step: number }>} */
const LIMITS = {
  movetime: { value: 1, min: 0.1, max: 3600, step: 0.1 }, nodes: { value: 10_000, min: 1, max: 1e12, step: 1 },
  depth: { value: 8, min: 1, max: 100, step: 1 }, clock: { value: 1, min: 1, max: 1, step: 1 },
};

/** The choice of an engine and of its strength, where it has one to choose. */
class Rival {
  /** @type {import("../model/level.js").Scale | null} */ #scale = null;
  #asked = 0;
  /** Whether the engine has told of its options. */ #isKnown = false;

  /**
   * @param {HTMLElement} place
   * @param {import("../model/session.js").Settings} settings
   * @param {{ names: string[], optionsOf: (name: string) => Promise<Map<string, any>> }} engines
   * @param {string} chosen
   */
  constructor(place, settings, engines, chosen) {
    this.place = place;
    this.settings = settings;
    this.engines = engines;
    this.choice = $("select", place);
    this.slider = $("input", place);
    this.told = $("p", place);
    this.choice.replaceChildren(...engines.names.map((name) => element("option", { value: name, selected: name === chosen }, name)));
    this.choice.onchange = () => this.#ask();
    this.slider.oninput = () => this.#tell();
    this.#ask();
  }

  /** @param {string} label what the engine is to whoever chooses @param {boolean} isHidden */
  show(label, isHidden) {
    this.place.hidden = isHidden;
    $(".who", this.place).hidden = this.engines.names.length < 2;
    $(".who span", this.place).textContent = t(label);
    this.slider.setAttribute("aria-label", isHidden ? "" : `${t(label)}: ${t("strength")}`);
  }

  /** The level that the engine was given last. */
  get #kept() {
    const { elo, levels } = this.settings;
    return this.choice.value === OWN ? elo : (levels?.[this.choice.value] ?? null);
  }

  get #level() {
    if (!this.#isKnown) return this.#kept;
    const value = Number(this.slider.value);
    // One step above the scale is all that the engine can do.
    return !this.#scale || value > this.#scale.max ? null : value;
  }

  #tell() {
    const text = levelText(this.#scale?.kind ?? null, this.#level);
    $("output", this.place).textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  async #ask() {
    const [asked, name] = [++this.#asked, this.choice.value];
    const range = $(".range", this.place);
    [this.#scale, this.#isKnown] = [null, false];
    this.told.textContent = name === OWN ? "" : t("engine.starts", { engine: name });
    range.hidden = name !== OWN;
    try {
      const scale = scaleOf(await this.engines.optionsOf(name));
      if (asked !== this.#asked) return;
      [this.#scale, this.#isKnown] = [scale, true];
      range.hidden = !scale;
      this.told.textContent = scale ? "" : t("level.none", { engine: name });
      if (!scale) return;
      Object.assign(this.slider, { min: scale.min, max: scale.max + scale.step, step: scale.step });
      this.slider.value = nearest(scale, this.#kept) ?? scale.max + scale.step;
      this.#tell();
    } catch (error) {
      if (asked === this.#asked) this.told.textContent = t("engine.left", { engine: name, reason: error.message });
    }
  }

  /** @returns {import("../model/level.js").Player} */
  get player() {
    return { engine: this.choice.value, level: this.#level, kind: this.#scale?.kind ?? null };
  }
}

/** Fills the fields for the time, and says how the limit that they have is read. @param {HTMLElement} dialog @param {import("../model/session.js").Limit} set */
function timeOf(dialog, set) {
  const [kind, limit] = [$("#limit-kind"), $("#limit")];
  const restrict = () => {
    const isClock = kind.value === "clock";
    for (const place of $$(".with-clock", dialog)) place.hidden = !isClock;
    $(".with-value", dialog).hidden = isClock;
    limit.disabled = isClock;
    for (const name of ["#base", "#increment", "#delay"]) $(name).disabled = !isClock;
    const { min, max, step } = LIMITS[kind.value];
    Object.assign(limit, { min, max, step });
  };
  kind.onchange = () => {
    limit.value = LIMITS[kind.value].value;
    restrict();
  };
  kind.value = set.kind;
  if (set.kind === "clock") [$("#base").value, $("#increment").value, $("#delay").value] = [set.base / 60_000, set.increment / 1000, set.delay / 1000];
  else limit.value = set.value;
  restrict();
  const span = (/** @type {string} */ name, /** @type {number} */ unit) => Math.round(Number($(name).value) * unit);
  return () => /** @type {import("../model/session.js").Limit} */ (kind.value === "clock"
    ? { kind: "clock", base: span("#base", 60_000), increment: span("#increment", 1000), delay: span("#delay", 1000) }
    : { kind: kind.value, value: Number(limit.value) });
}

/**
 * What the next game is to be; `null` if there is to be none.
 * @param {import("../model/session.js").Settings} settings
 * @param {{ names: string[], optionsOf: (name: string) => Promise<Map<string, any>> }} engines
 */
export async function askForGame(settings, engines) {
  const dialog = $("#new");
  const radio = (/** @type {string} */ name) => $(`[name="${name}"]:checked`, dialog).value;
  const chosen = [0, 1].map((index) => settings.rivals?.[index] ?? OWN);
  const rivals = $$(".rival", dialog).map((place, index) => new Rival(place, settings, engines, chosen[index]));
  const limit = timeOf(dialog, settings.limit);
  $("#human").checked = settings.isHuman;
  $("#warns").checked = settings.warns;
  $('[name="from"][value="start"]', dialog).checked = true;
  const showRows = () => {
    const areBoth = radio("side") === "none";
    rivals[0].show(areBoth ? "white" : "opponent", false);
    rivals[1].show("black", !areBoth);
    $("#warns").closest("label").hidden = areBoth;
    $("#number-row").hidden = radio("from") !== "chess960";
    $("#odds-row").hidden = radio("from") !== "odds";
  };
  for (const choice of $$('[type="radio"]', dialog)) choice.onchange = showRows;
  showRows();
  if (!(await shown(dialog))) return null;
  const side = radio("side");
  const [first, second] = rivals.map(({ player }) => player);
  const you = side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side;
  return {
    players: side === "none" ? { white: first, black: second } : against(/** @type {"white" | "black"} */ (you), first),
    rivals: [first.engine, side === "none" ? second.engine : chosen[1]],
    limit: limit(),
    isHuman: $("#human").checked,
    warns: $("#warns").checked,
    from: radio("from"),
    odds: $("#odds").value,
    number: $("#number").value === "" ? Math.floor(Math.random() * 960) : Number($("#number").value),
  };
}
