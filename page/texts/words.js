// The words of the page in the language that is chosen.
import en from "./en.js";

/** All languages by their codes; `languages.js` adds to them. @type {Record<string, Record<string, string>>} */
export const LANGUAGES = { en };
let words = LANGUAGES.en;
let chosen = "en";

/** The code of the language that is chosen. */
export const language = () => chosen;

/** The languages by their codes, each in its own words. */
export const languages = () => Object.entries(LANGUAGES).map(([code, { language }]) => ({ code, language }));

/**
 * Chooses a language: one of the list, or the nearest to what the browser prefers.
 * @param {string | undefined} wanted
 * @param {readonly string[]} preferred
 */
export function choose(wanted, preferred = []) {
  const codes = [wanted, ...preferred.map((code) => code.slice(0, 2))];
  const code = codes.find((each) => each !== undefined && Object.hasOwn(LANGUAGES, each)) ?? "en";
  words = LANGUAGES[code];
  chosen = code;
  return code;
}

/**
 * The text of a name, with values in its places.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const text = words[name] ?? LANGUAGES.en[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** What the rules say in English, in this language where it is known: a reason, and perhaps why it does not lose. @param {string} text */
export function rule(text) {
  const parts = text.split(", but ");
  return parts.every((part) => words[`rule.${part}`]) ? parts.map((part) => words[`rule.${part}`]).join(", ") : text;
}

/** A move with the letters of this language's pieces. @param {string} san */
export function local(san) {
  if (words.pieces === LANGUAGES.en.pieces) return san;
  return san.replace(/[KQRBN]/g, (letter) => words.pieces["KQRBN".indexOf(letter)]);
}

/** The same with the English letters again, as far as that is clear. @param {string} text */
export function foreign(text) {
  if (words.pieces === LANGUAGES.en.pieces) return text;
  return text.replace(/^[A-Z]|(?<==)[A-Z]/g, (letter) => "KQRBN"[words.pieces.indexOf(letter)] ?? letter);
}

/** Fills the places of a page that name a text: `data-t` its contents, `data-t-title` and `data-t-label` what they say. */
export function fill(root = document) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-t]"))) place.textContent = t(place.dataset.t ?? "");
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-t-title]"))) {
    const text = t(place.dataset.tTitle ?? "");
    place.title = place.dataset.key ? `${text} (${place.dataset.key})` : text;
    place.setAttribute("aria-label", text);
  }
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-t-label]"))) place.setAttribute("aria-label", t(place.dataset.tLabel ?? ""));
  for (const place of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("[data-t-placeholder]"))) place.placeholder = t(place.dataset.tPlaceholder ?? "");
}
