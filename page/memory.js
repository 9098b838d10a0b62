// What this page keeps beside the games: settings, and what this tab shows, so that it is there when it is loaded anew.
import { $ } from "./views/dom.js";

const TAB = "vancura-tab";
const SETTINGS = "vancura-settings";

/** @param {Storage} storage @param {string} key */
function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    // Not allowed, or not ours.
    return null;
  }
}

/** @param {Storage} storage @param {string} key @param {any} value */
function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // A full store or none: the page goes on without.
  }
}

/** The settings, which the program keeps if it can; without it they are those of this address. @param {import("./model/library.js").Library} library */
export async function settings(library) {
  const here = read(localStorage, SETTINGS);
  if (!library.server) return here;
  const kept = await library.server.settings().catch(() => null);
  return kept && Object.keys(kept).length > 0 ? kept : here;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** @param {import("./model/library.js").Library} library @param {object} settings */
export function keepSettings(library, settings) {
  write(localStorage, SETTINGS, settings);
  clearTimeout(waiting);
  waiting = setTimeout(() => library.server?.putSettings(settings).catch(() => {}), 300);
}

/** What this tab showed before it was loaded anew. @returns {{ state: any, revisions: [string, number][] }} */
export function tab() {
  const { state = null, revisions = [] } = read(sessionStorage, TAB) ?? {};
  const isPair = (/** @type {any} */ pair) => Array.isArray(pair) && typeof pair[0] === "string" && Number.isInteger(pair[1]);
  return { state, revisions: Array.isArray(revisions) ? revisions.filter(isPair) : [] };
}

/** @param {any} state @param {[string, number][]} revisions */
export function keepTab(state, revisions) {
  write(sessionStorage, TAB, { state: { ...state, source: null }, revisions });
}

/** Lets go of the game that this tab has. @type {() => void} */
let release = () => {};

/**
 * Takes a game for this tab. Says whether it could be had: another tab may have it.
 * @param {string} id
 * @returns {Promise<boolean>}
 */
export function claim(id) {
  release();
  release = () => {};
  if (!navigator.locks || typeof id !== "string") return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(`vancura-game-${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise((done) => (release = () => done(undefined)));
    }).catch(() => resolve(true));
  });
}

/** Loads a set of pieces, if it is not that of the page itself. @param {string} set */
export function pieces(set) {
  const known = $("#piece-style");
  if (set === "vancura") return known?.remove();
  if (known) return;
  const link = document.createElement("link");
  Object.assign(link, { id: "piece-style", rel: "stylesheet", href: "vendor/chessground.cburnett.css" });
  document.head.append(link);
}
