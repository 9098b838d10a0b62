// What can be undone: states, each with the words for what was done to it.

/** The most states that are kept. */
const MAX_STATES = 200;

/** @template State */
export class History {
  /** @type {{ label: string, state: State }[]} */ #done = [];
  /** @type {{ label: string, state: State }[]} */ #undone = [];

  /**
   * Keeps the state before something is done, which `label` names.
   * @param {string} label
   * @param {State} before
   */
  push(label, before) {
    this.#done.push({ label, state: before });
    if (this.#done.length > MAX_STATES) this.#done.shift();
    this.#undone = [];
  }

  /** What would be undone; `undefined` if there is nothing. */
  get next() {
    return this.#done.at(-1)?.label;
  }

  /** Whether there is something to do again. */
  get canRedo() {
    return this.#undone.length > 0;
  }

  /**
   * The state before the last thing done, which is given back by `redo` then.
   * @param {State} now
   */
  undo(now) {
    const entry = this.#done.pop();
    if (entry) this.#undone.push({ label: entry.label, state: now });
    return entry;
  }

  /** @param {State} now */
  redo(now) {
    const entry = this.#undone.pop();
    if (entry) this.#done.push({ label: entry.label, state: now });
    return entry;
  }
}
