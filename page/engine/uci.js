// The client of UCI for all pages: one search at a time, the newest that was asked for. What carries the lines, a socket
// or a worker, is its transport.

/**
 * Carries lines to an engine, and hands on those that come back.
 * @typedef {{ send: (line: string) => void, listen: (hear: (line: string) => void) => void }} Transport
 *
 * What a line `info …` says of one line of play. The score is that of the side to move.
 * @typedef {{ line: number, depth: number, nodes: number, speed: number, score: { kind: string, value: number },
 *   isBound: boolean, wdl: number[] | null, pv: string[] }} Info
 *
 * A search: `position` is a line of UCI, `go` its limits, `options` are set before. `hear` gets what is found, `done` the
 * best move, and the one that the engine expects then; `dropped` is called instead when another search takes its place.
 * @typedef {{ position: string, go: string, options: Record<string, string | number | boolean>,
 *   hear?: (info: Info) => void, done?: (best: string, ponder?: string) => void, dropped?: () => void, isOver?: boolean }} Order
 *
 * An option of the engine: its kind as UCI names it, its default as text, its bounds and its choices where it has them.
 * @typedef {{ kind: string, default: string, min?: number, max?: number, choices: string[] }} Option
 */

/** The smallest program with a vector instruction. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** The most moves of a line that anybody asks for. */
const MAX_MOVES = 60;
/** How long an engine may take to end its search when it is told to, in milliseconds. */
const STOPPING = 10_000;

/** Whether this browser can run the engine's WebAssembly. */
export const hasSimd = () => typeof WebAssembly === "object" && WebAssembly.validate(SIMD);

/**
 * A line `info …` as numbers and words; `null` if it is no result of a search.
 * @param {string} line
 * @returns {Info | null}
 */
export function readInfo(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  const number = (/** @type {string} */ name) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : 0);
  const [at, pv, wdl] = ["score", "pv", "wdl"].map((name) => words.indexOf(name));
  if (at < 0 || pv < 0 || !["cp", "mate"].includes(words[at + 1])) return null;
  const chances = words.slice(wdl + 1, wdl + 4).map(Number);
  const info = {
    line: number("multipv") || 1,
    depth: number("depth"),
    nodes: number("nodes"),
    speed: number("nps"),
    score: { kind: words[at + 1], value: Number(words[at + 2]) },
    isBound: /bound$/.test(words[at + 3]),
    wdl: wdl < 0 || chances.some((share) => !(share >= 0)) ? null : chances,
    pv: words.slice(pv + 1, pv + 1 + MAX_MOVES),
  };
  return [info.line, info.depth, info.nodes, info.speed, info.score.value].every(Number.isFinite) ? info : null;
}

/**
 * A line `option name …`: the name of the option, and what it may be.
 * @param {string} line
 * @returns {[string, Option] | null}
 */
export function readOption(line) {
  const [, name, kind, rest] = /^option name (.+?) type (check|spin|combo|button|string)\b(.*)/.exec(line) ?? [];
  if (!name) return null;
  const value = (/** @type {string} */ word) => new RegExp(` ${word} (-?\\d+)`).exec(rest)?.[1];
  const choices = [...rest.matchAll(/ var (.+?)(?= var |$)/g)].map(([, choice]) => choice);
  const [, preset = ""] = / default (.*?)(?= min | max | var |$)/.exec(rest) ?? [];
  const bound = (/** @type {string | undefined} */ text) => (text === undefined ? undefined : Number(text));
  return [name, { kind, default: preset, min: bound(value("min")), max: bound(value("max")), choices }];
}

export class Engine {
  /** @type {Transport} */ #transport;
  /** @type {Order | null} */ #running = null;
  /** @type {Order | null} */ #next = null;
  /** @type {Map<string, unknown>} */ #set = new Map();
  #mustForget = false;
  /** @type {string[]} */ #pressed = [];
  /** @type {(() => void) | undefined} */ #introduced;
  /** @type {Map<string, Option>} */ options = new Map();
  name = "Vancura";

  /** @type {ReturnType<typeof setTimeout> | undefined} */ #stopping;

  /**
   * @param {Transport} transport
   * @param {() => void} [hangs] is called if a search does not end when it is told to
   */
  constructor(transport, hangs = () => {}) {
    this.#transport = transport;
    this.hangs = hangs;
    transport.listen((line) => this.#hear(line));
  }

  /**
   * Resolves when the engine has introduced itself.
   * @returns {Promise<void>}
   */
  start() {
    return new Promise((resolve) => {
      this.#introduced = resolve;
      this.#transport.send("uci");
    });
  }

  /** Whether a search runs that was not told to end. */
  get isSearching() {
    return this.#next !== null || (this.#running !== null && !this.#running.isOver);
  }

  /** @param {string} line */
  #hear(line) {
    if (line.startsWith("info")) {
      const info = readInfo(line);
      if (info && this.#running && !this.#running.isOver) this.#running.hear?.(info);
    } else if (line.startsWith("bestmove")) {
      const [, best, , ponder] = line.split(/\s+/);
      this.#finish(best, ponder);
    } else if (line.startsWith("option ")) {
      const option = readOption(line);
      if (option) this.options.set(...option);
    } else if (line.startsWith("id name ")) this.name = line.slice(8);
    else if (line === "uciok") this.#introduced?.();
  }

  /**
   * @param {string} best
   * @param {string} [ponder]
   */
  #finish(best, ponder) {
    const search = this.#running;
    clearTimeout(this.#stopping);
    this.#running = null;
    if (search && !search.isOver) search.done?.(best, ponder);
    const next = this.#next;
    this.#next = null;
    if (next && !this.#running) this.#begin(next);
  }

  /**
   * Searches. A search that runs ends without a word.
   * @param {Order} order
   */
  search(order) {
    this.stop();
    if (this.#running) this.#next = order;
    else this.#begin(order);
  }

  /** Ends the search, whose `done` is not called any more. */
  stop() {
    this.#next?.dropped?.();
    this.#next = null;
    if (!this.#running || this.#running.isOver) return;
    this.#running.isOver = true;
    this.#running.dropped?.();
    this.#transport.send("stop");
    this.#stopping = setTimeout(this.hangs, STOPPING);
  }

  /** Lets the engine answer at once: its search ends, and `done` is called. */
  hurry() {
    if (this.#running && !this.#running.isOver) this.#transport.send("stop");
  }

  /** Does what a button among the options is for, before the next search. @param {string} option */
  press(option) {
    this.#pressed.push(option);
  }

  /** Forgets what was found, before the next game. */
  forget() {
    this.#mustForget = true;
  }

  /** @param {Order} order */
  #begin(order) {
    this.#running = order;
    if (this.#mustForget) this.#transport.send("ucinewgame");
    this.#mustForget = false;
    for (const option of this.#pressed.splice(0)) this.#transport.send(`setoption name ${option}`);
    // What was set for another search, and is not for this one, is again as the engine has it.
    for (const name of this.#set.keys()) {
      const preset = this.options.get(name)?.default;
      if (!(name in order.options) && preset !== undefined) order.options[name] = preset;
    }
    for (const [name, value] of Object.entries(order.options)) {
      if (this.#set.get(name) === value) continue;
      this.#set.set(name, value);
      this.#transport.send(`setoption name ${name} value ${value}`);
    }
    this.#transport.send(order.position);
    this.#transport.send(`go ${order.go}`);
  }
}
