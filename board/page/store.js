// What outlasts the page: the game and the settings, in the browser's own store.

const KEYS = { state: "vancura-board", before: "vancura-board-before" };

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

export const load = () => read(KEYS.state);
export const save = (state) => write(KEYS.state, state);
/** The game that was there before this one. */
export const loadBefore = () => read(KEYS.before);
export const saveBefore = (game) => write(KEYS.before, game);
