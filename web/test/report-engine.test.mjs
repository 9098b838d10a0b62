// The engine in a report that analyses on, with a worker that answers like an engine without one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { EngineOfPage } from "../../page/report/engine.js";

const ANSWERS = { uci: "uciok", isready: "readyok", go: "bestmove e2e4" };

test("a search begins with nothing known where that is asked for", async () => {
  const sent = [];
  globalThis.document = { getElementById: () => ({ textContent: gzipSync("program").toString("base64") }) };
  globalThis.Worker = class {
    postMessage(line) {
      if (typeof line !== "string") return;
      sent.push(line);
      const data = ANSWERS[line.split(" ")[0]];
      if (data) setTimeout(() => this.onmessage({ data }));
    }
    terminate() {}
  };
  try {
    const engine = new EngineOfPage((reason) => assert.fail(reason));
    const search = (nodes) => new Promise((done) => engine.search({ position: "position startpos", go: `nodes ${nodes}`, options: {}, hear() {}, done }));
    // Before it has started there is nothing to forget.
    engine.forget();
    await search(1);
    await search(2);
    engine.forget();
    await search(3);
    assert.deepEqual(sent.filter((line) => line === "ucinewgame" || line.startsWith("go ")).slice(-4), ["go nodes 1", "go nodes 2", "ucinewgame", "go nodes 3"]);
  } finally {
    delete globalThis.document;
    delete globalThis.Worker;
  }
});
