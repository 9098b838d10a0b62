// What outlasts the page: the game and the settings, in the browser's own store. It may hold what an older page has kept, or
// somebody else: whatever is not as this page keeps it is left out.
import { Game } from "./game.js";

const KEYS = { state: "vancura-board", before: "vancura-board-before" };
const SIDES = ["white", "black"];

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    // Not allowed, or not ours.
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full store or none: the page goes on without.
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
const isOneOf = (values) => (value) => values.includes(value);
const isBoolean = (value) => typeof value === "boolean";

/** What each setting may be. */
const SETTINGS = {
  elo: (value) => value === null || isWhole(value, 0, 10_000),
  limit: (value) =>
    isObject(value) && ["movetime", "nodes", "depth"].includes(value.kind) && Number.isFinite(value.value) && value.value > 0,
  lines: (value) => isWhole(value, 1, 5),
  hash: (value) => isWhole(value, 1, 1_048_576),
  threads: (value) => isWhole(value, 1, 1024),
  arrows: isBoolean,
  engine: isBoolean,
  theme: isOneOf(["light", "dark"]),
};

/** The parts of a state that are as this page keeps them, the game as a `Game`; what is not has no entry. */
export function sound(state) {
  if (!isObject(state)) return {};
  const settings = Object.entries(isObject(state.settings) ? state.settings : {});
  const parts = {
    game: Game.restored(state.game),
    mode: isOneOf(["play", "analyse"])(state.mode) ? state.mode : undefined,
    you: isOneOf(SIDES)(state.you) ? state.you : undefined,
    orientation: isOneOf(SIDES)(state.orientation) ? state.orientation : undefined,
    ending: isObject(state.ending) && (state.ending.claim === true || SIDES.includes(state.ending.resign)) ? state.ending : undefined,
    settings: Object.fromEntries(settings.filter(([name, value]) => Object.hasOwn(SETTINGS, name) && SETTINGS[name](value))),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

export const load = () => sound(read(KEYS.state));
export const save = (state) => write(KEYS.state, state);
/** The game that was there before this one; `null` if there is none. */
export const loadBefore = () => {
  const before = sound(read(KEYS.before));
  return before.game ? before : null;
};
export const saveBefore = (game) => write(KEYS.before, game);
