// Chess clocks: time for the game, with an increment after each move or a delay before it. The caller tells the time.

/** @typedef {"white" | "black"} Side */

/**
 * The time for a game, an increment after each move and a delay before the clock runs, all in milliseconds.
 * @typedef {{ base: number, increment: number, delay: number }} TimeControl
 */

/** @type {Record<Side, Side>} */
export const OPPOSITE = { white: "black", black: "white" };

/**
 * A time control as the PGN tag has it: "300+3"; a delay, for which the standard has no sign, as "300d3".
 * @param {TimeControl} control
 */
export function controlText({ base, increment, delay }) {
  const seconds = (/** @type {number} */ time) => String(Math.round(time / 10) / 100);
  return seconds(base) + (delay ? `d${seconds(delay)}` : increment ? `+${seconds(increment)}` : "");
}

export class Clock {
  /** @type {Side | null} */ #running = null;
  #since = 0;

  /**
   * @param {TimeControl} control
   * @param {Record<Side, number>} [left] what each side has, in milliseconds
   */
  constructor(control, left) {
    this.control = control;
    this.left = { white: left?.white ?? control.base, black: left?.black ?? control.base };
  }

  /** The side whose clock runs, if one does. */
  get running() {
    return this.#running;
  }

  /**
   * Lets the clock of a side run.
   * @param {Side} side
   * @param {number} now in milliseconds, as for all below
   */
  start(side, now) {
    if (this.#running === side) return;
    this.pause(now);
    this.#running = side;
    this.#since = now;
  }

  /**
   * What a side has left; no less than nothing.
   * @param {Side} side
   * @param {number} now
   */
  time(side, now) {
    const used = this.#running === side ? Math.max(0, now - this.#since - this.control.delay) : 0;
    return Math.max(0, this.left[side] - used);
  }

  /**
   * The side to move has moved: its clock stops, and it gets its increment. Returns how long it took.
   * @param {number} now
   */
  press(now) {
    const side = this.#running;
    if (!side) return 0;
    const took = now - this.#since;
    this.pause(now);
    this.left[side] += this.control.increment;
    return took;
  }

  /**
   * Stops, and charges what was used.
   * @param {number} now
   */
  pause(now) {
    if (!this.#running) return;
    this.left[this.#running] = this.time(this.#running, now);
    this.#running = null;
  }

  /**
   * Whether the time of the side whose clock runs is over.
   * @param {number} now
   */
  hasFallen(now) {
    return this.#running !== null && this.time(this.#running, now) <= 0;
  }

  /**
   * What has to be kept to go on later.
   * @param {number} now
   */
  save(now) {
    return { control: this.control, left: { white: this.time("white", now), black: this.time("black", now) } };
  }

  /**
   * What `save` gave, by way of whatever has kept it; `null` if it has become none.
   * @param {any} saved
   */
  static restored(saved) {
    const isTime = (/** @type {unknown} */ value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
    const { control, left } = saved ?? {};
    const isSound = control && left && [control.base, control.increment, control.delay, left.white, left.black].every(isTime);
    return isSound ? new Clock(control, left) : null;
  }
}
