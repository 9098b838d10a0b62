// Keeps the game that is open in the library, soon after each change.
import { pgnOf } from "./pgn.js";

/** How long after a change a game is kept, in milliseconds. */
const DELAY = 300;

export class Autosave {
  /** The revision of each game that the library has. @type {Map<string, number>} */ #revisions = new Map();
  /** What the library has. @type {Map<string, string>} */ #kept = new Map();
  /** @type {{ id: string, game: import("./game.js").Game } | null} */ #waiting = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {Promise<void>} */ #writing = Promise.resolve();

  /**
   * @param {{ put(id: string, revision: number, pgn: string, isLast?: boolean): Promise<import("./library.js").Kept> }} library
   * @param {{ forked: (id: string, next: string) => void, failed: (error: Error) => void, kept: () => void }} told
   */
  constructor(library, told) {
    this.library = library;
    this.told = told;
  }

  /**
   * A game has come from the library.
   * @param {string} id
   * @param {number} revision
   * @param {import("./game.js").Game} game
   */
  opened(id, revision, game) {
    this.#revisions.set(id, revision);
    this.#kept.set(id, pgnOf(game));
  }

  /** The revisions known, for a page that is loaded anew. */
  get revisions() {
    return [...this.#revisions].slice(-50);
  }

  /** @param {[string, number][]} revisions */
  know(revisions) {
    for (const [id, revision] of revisions) this.#revisions.set(id, revision);
  }

  /**
   * A game may have changed.
   * @param {string} id
   * @param {import("./game.js").Game} game
   */
  note(id, game) {
    // Another game is not to be forgotten for this one.
    if (this.#waiting && this.#waiting.id !== id) this.flush();
    this.#waiting = { id, game };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), DELAY);
  }

  /** Keeps what waits now. */
  flush(isLast = false) {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) {
      const pgn = pgnOf(waiting.game);
      const isNew = !this.#revisions.has(waiting.id);
      // What nobody has played or opened is no game yet.
      if (this.#kept.get(waiting.id) !== pgn && !(isNew && waiting.game.isEmpty && !waiting.game.fen)) {
        const write = () => this.#write(waiting.id, pgn, isLast);
        this.#writing = isLast ? write() : this.#writing.then(write);
      }
    }
    return this.#writing;
  }

  /**
   * @param {string} id
   * @param {string} pgn
   * @param {boolean} isLast
   */
  async #write(id, pgn, isLast) {
    try {
      const answer = await this.library.put(id, this.#revisions.get(id) ?? 0, pgn, isLast);
      this.#revisions.set(answer.id, answer.revision);
      this.#kept.set(answer.id, pgn);
      if (answer.id !== id) this.told.forked(id, answer.id);
      else this.told.kept();
    } catch (error) {
      this.told.failed(error);
    }
  }
}
