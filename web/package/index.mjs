// Vancura as an ES module, for pages and for Node.js.
//
//   import { createEngine } from "vancura";
//   const engine = await createEngine();
//   engine.listen((line) => console.log(line));
//   engine.send("go depth 12");

const isNode = typeof process === "object" && typeof process.versions?.node === "string";

async function start(build) {
  const url = new URL("vancura.js", import.meta.url);
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url, { workerData: { build } });
    return {
      post: (line) => worker.postMessage(line),
      listen: (hear) => worker.on("message", hear),
      ended: new Promise((resolve) => worker.once("exit", resolve)),
      end: () => worker.terminate(),
    };
  }
  if (build === "single") url.search = "?build=single";
  const worker = new Worker(url);
  return {
    post: (line) => worker.postMessage(line),
    listen: (hear) => worker.addEventListener("message", (event) => hear(event.data)),
    ended: new Promise(() => {}),
    end: () => worker.terminate(),
  };
}

/** Starts an engine. See index.d.ts. */
export async function createEngine({ build = "best" } = {}) {
  if (!["best", "single"].includes(build)) throw new TypeError(`no build is called ${build}`);
  const worker = await start(build);
  const listeners = new Set();
  worker.listen((line) => listeners.forEach((hear) => hear(line)));
  const listen = (hear) => {
    listeners.add(hear);
    return () => listeners.delete(hear);
  };
  return {
    send: (line) => worker.post(String(line)),
    listen,
    /** Sends a line and waits for an answer that begins so. */
    ask: (line, beginning) =>
      new Promise((resolve) => {
        const forget = listen((answer) => {
          if (!answer.startsWith(beginning)) return;
          forget();
          resolve(answer);
        });
        worker.post(String(line));
      }),
    ended: worker.ended,
    terminate: () => worker.end(),
  };
}
