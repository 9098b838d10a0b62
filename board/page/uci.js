// A client of UCI: one search at a time, the newest that was asked for.

/** A line `info …` as numbers and words; `null` if it is no result of the search. */
export function readInfo(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  const after = (name) => words[words.indexOf(name) + 1];
  const number = (name) => (words.includes(name) ? Number(after(name)) : null);
  const at = words.indexOf("score");
  const pv = words.indexOf("pv");
  if (at < 0 || pv < 0) return null;
  const wdl = words.indexOf("wdl");
  return {
    line: number("multipv") ?? 1,
    depth: number("depth"),
    nodes: number("nodes"),
    speed: number("nps"),
    score: { kind: words[at + 1], value: Number(words[at + 2]) },
    isBound: words[at + 3] === "lowerbound" || words[at + 3] === "upperbound",
    wdl: wdl < 0 ? null : words.slice(wdl + 1, wdl + 4).map(Number),
    pv: words.slice(pv + 1),
  };
}

/** A line `option name … type spin …`: its name, default and bounds. */
function readOption(line) {
  const found = /^option name (.+) type spin default (-?\d+) min (-?\d+) max (-?\d+)/.exec(line);
  return found && [found[1], { default: Number(found[2]), min: Number(found[3]), max: Number(found[4]) }];
}

/** The score for White, as people write it: `+0.31`, `-M4`. */
export function scoreText({ kind, value }, turn) {
  const forWhite = turn === "white" ? value : -value;
  const sign = forWhite > 0 ? "+" : forWhite < 0 ? "−" : "";
  if (kind === "mate") return value === 0 ? "mate" : `${sign}M${Math.abs(forWhite)}`;
  return `${sign}${(Math.abs(forWhite) / 100).toFixed(2)}`;
}

export class Engine {
  #transport;
  #running = null;
  #next = null;
  #set = new Map();
  options = new Map();
  name = "Vancura";

  constructor(transport) {
    this.#transport = transport;
    transport.listen((line) => this.#hear(line));
  }

  /** Resolves when the engine has introduced itself. */
  start() {
    return new Promise((resolve) => {
      this.introduced = resolve;
      this.#transport.send("uci");
    });
  }

  #hear(line) {
    if (line.startsWith("info")) {
      const info = readInfo(line);
      if (info && this.#running && !this.#running.isOver) this.#running.hear?.(info);
    } else if (line.startsWith("bestmove")) this.#finish(line.split(/\s+/)[1]);
    else if (line.startsWith("option ")) {
      const option = readOption(line);
      if (option) this.options.set(...option);
    } else if (line.startsWith("id name ")) this.name = line.slice(8);
    else if (line === "uciok") this.introduced?.();
  }

  #finish(best) {
    const search = this.#running;
    this.#running = null;
    if (search && !search.isOver) search.done?.(best);
    const next = this.#next;
    this.#next = null;
    if (next && !this.#running) this.#begin(next);
  }

  /**
   * Searches: `position` is a line of UCI, `go` its limits, `options` are set before. `hear` gets what is found, `done`
   * the best move. A search that runs ends without a word.
   */
  search(order) {
    this.stop();
    if (this.#running) this.#next = order;
    else this.#begin(order);
  }

  /** Ends the search, whose `done` is not called any more. */
  stop() {
    this.#next = null;
    if (!this.#running || this.#running.isOver) return;
    this.#running.isOver = true;
    this.#transport.send("stop");
  }

  /** Forgets what was found, before the next game. */
  forget() {
    this.mustForget = true;
  }

  #begin(order) {
    this.#running = order;
    if (this.mustForget) this.#transport.send("ucinewgame");
    this.mustForget = false;
    for (const [name, value] of Object.entries(order.options)) {
      if (this.#set.get(name) === value) continue;
      this.#set.set(name, value);
      this.#transport.send(`setoption name ${name} value ${value}`);
    }
    this.#transport.send(order.position);
    this.#transport.send(`go ${order.go}`);
  }
}
