// The engine and the rules in this page, as WebAssembly in workers.
import { requester } from "../rules/requests.js";
import { hasSimd } from "./uci.js";

/**
 * Starts both. Rejects in words if the browser cannot run them.
 * @param {{ failed: (text: string) => void, lost?: () => void }} hears
 * @returns {Promise<any>}
 */
export async function connect({ failed: lost }) {
  if (!hasSimd()) {
    throw new Error(
      "This browser cannot run the engine: it lacks WebAssembly SIMD. Chrome 91, Firefox 89, Safari 16.4 and later have it.",
    );
  }
  const rules = new Worker(new URL("../rules/worker.js", import.meta.url), { type: "module" });
  const { ask, take, fail } = requester((line) => rules.postMessage(line));
  rules.onmessage = (event) => take(event.data);
  rules.onerror = (event) => {
    fail("the rules of chess cannot be loaded");
    lost(`The rules of chess cannot be loaded. ${event.message ?? ""}`);
  };
  const engine = new Worker(new URL("vancura.js", import.meta.url));
  engine.onerror = () => lost("The engine cannot be loaded.");
  engine.addEventListener("message", ({ data }) => {
    const [, reason] = /^info string error: the engine has ended: (.*)/.exec(data) ?? [];
    if (reason) lost(`The engine has ended: ${reason}. Load the page anew to start it again.`);
  });
  return {
    ask,
    send: (line) => engine.postMessage(line),
    listen: (hear) => engine.addEventListener("message", (event) => hear(event.data)),
    isServed: false,
    place: globalThis.crossOriginIsolated ? "place.page" : "place.single",
    hasThreads: globalThis.crossOriginIsolated === true,
    isInstallable: true,
  };
}
