// The engine that the page carries: unpacked and started at its first use, in workers that compute beside the page.

/** The smallest program with a vector instruction. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** What this browser lacks to run the engine, in words; nothing if it can. */
function lacking() {
  const lacks = [
    [typeof Worker === "function", "workers"],
    [typeof WebAssembly === "object" && WebAssembly.validate(SIMD), "WebAssembly SIMD"],
    [typeof DecompressionStream === "function", "DecompressionStream"],
  ].flatMap(([isThere, name]) => (isThere ? [] : [name]));
  return lacks.join(" and ");
}

/** The bytes that an element holds, compressed and in Base64. */
async function unpacked(element) {
  const packed = Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** A line `info …` as numbers and words; nothing if it is no result of a search or but a bound. */
function readInfo(line) {
  const words = line.split(/\s+/);
  const at = words.indexOf("score");
  if (words[0] !== "info" || words[1] === "string" || at < 0 || /bound$/.test(words[at + 3])) return null;
  const number = (name) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : 0);
  const pv = words.indexOf("pv");
  return {
    rank: (number("multipv") || 1) - 1, depth: number("depth"), nodes: number("nodes"), speed: number("nps"),
    kind: words[at + 1], score: Number(words[at + 2]), moves: pv < 0 ? [] : words.slice(pv + 1),
  };
}

/** The engine of the page. It searches one position at a time, the last that was asked for. */
class Engine {
  /** `failed` is told in words why the engine has ended. */
  constructor(failed) {
    Object.assign(this, { failed, wanted: null, running: null, isReady: false });
    this.start().catch((error) => this.end(error.message));
  }

  async start() {
    // The loader starts further workers of the same text.
    const loader = new Blob([document.getElementById("engine-loader").textContent], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(loader));
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.end(event.message || "its worker cannot be started");
    const program = await unpacked(document.getElementById("engine-program"));
    if (this.hasEnded) return;
    this.worker.postMessage(program, [program]);
    this.send("setoption name UCI_Chess960 value true");
    this.isReady = true;
    this.next();
  }

  send(line) {
    this.worker.postMessage(line);
  }

  /** Searches without an end: `position` is a line of UCI, `lines` how many, and `hear` gets each result. Without an order
   * the search ends. */
  search(order) {
    this.wanted = order;
    if (!this.running) this.next();
    else if (!this.isStopping) {
      this.isStopping = true;
      this.send("stop");
    }
  }

  next() {
    if (!this.isReady || this.running || !this.wanted) return;
    this.running = this.wanted;
    this.isStopping = false;
    this.send(`setoption name MultiPV value ${this.running.lines}`);
    this.send(this.running.position);
    this.send("go infinite");
  }

  hear(line) {
    const [, fault] = /^info string error: (.*)/.exec(line) ?? [];
    if (fault) this.end(fault.replace(/^the engine has ended: /, ""));
    else if (line.startsWith("bestmove")) {
      // One that nobody has stopped would begin again at once.
      if (!this.isStopping) this.wanted = null;
      this.running = null;
      this.next();
    } else if (this.running && this.running === this.wanted) {
      const info = readInfo(line);
      if (info) this.running.hear(info);
    }
  }

  end(reason) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.worker?.terminate();
    this.wanted = this.running = null;
    this.isReady = false;
    this.failed(reason);
  }
}
