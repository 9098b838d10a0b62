// The engine that the page carries: unpacked and started at its first use, in workers that compute beside the page.
import { Engine, hasSimd } from "../engine/uci.js";
import { canUnpack, unpacked } from "./unpack.js";

/** What this browser lacks to run the engine, in words; nothing if it can. */
export function lacking() {
  const lacks = [
    [typeof Worker === "function", "workers"],
    [hasSimd(), "WebAssembly SIMD"],
    [canUnpack(), "DecompressionStream"],
  ].flatMap(([isThere, name]) => (isThere ? [] : [name]));
  return lacks.join(" and ");
}

/** The engine of the page. It searches one position at a time, the last that was asked for. */
export class EngineOfPage {
  #wanted = null;
  #worker = null;
  #engine = null;
  #hasEnded = false;

  /** `failed` is told in words why the engine has ended. */
  constructor(failed) {
    this.failed = failed;
    this.#start().catch((error) => this.#end(error.message));
  }

  async #start() {
    // The loader starts further workers of the same text.
    const loader = new Blob([document.getElementById("engine-loader").textContent], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(loader));
    this.#worker = worker;
    worker.onerror = (event) => this.#end(event.message || "its worker cannot be started");
    const program = await unpacked(document.getElementById("engine-program"));
    if (this.#hasEnded) return;
    worker.postMessage(program, [program]);
    this.#engine = new Engine({
      send: (line) => worker.postMessage(line),
      listen: (hear) => (worker.onmessage = ({ data }) => this.#hear(data, hear)),
    });
    this.search(this.#wanted);
  }

  #hear(line, hear) {
    const [, fault] = /^info string error: (.*)/.exec(line) ?? [];
    if (fault) this.#end(fault.replace(/^the engine has ended: /, ""));
    else hear(line);
  }

  /** Searches without an end; without an order the search ends. */
  search(order) {
    this.#wanted = order;
    if (order) this.#engine?.search(order);
    else this.#engine?.stop();
  }

  /** Forgets what was found, before the next search. */
  forget() {
    this.#engine?.forget();
  }

  #end(reason) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#worker?.terminate();
    this.#engine = null;
    this.failed(reason);
  }
}
