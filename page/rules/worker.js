// The rules of chess: a worker around `rules.wasm`, which takes requests as lines of JSON and answers them.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 58;

let program = null;

// The rules need nothing of the system: there are no variables and no folders, and all else that their library may ask for
// is not supported.
const some = {
  environ_sizes_get(count, size) {
    const view = new DataView(program.memory.buffer);
    view.setUint32(count, 0, true);
    view.setUint32(size, 0, true);
    return SUCCESS;
  },
  environ_get: () => SUCCESS,
  fd_prestat_get: () => BAD_DESCRIPTOR,
  random_get(start, length) {
    crypto.getRandomValues(new Uint8Array(program.memory.buffer, start, length));
    return SUCCESS;
  },
  proc_exit(status) {
    throw new Error(`the rules ended with ${status}`);
  },
};
const wasi = new Proxy(some, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED), has: () => true });

async function load() {
  const response = await fetch(new URL("../rules.wasm", import.meta.url));
  if (!response.ok) throw new Error(`rules.wasm: ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { wasi_snapshot_preview1: wasi });
  program = instance.exports;
  return program;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function answer({ memory, request, execute, answer }, line) {
  const bytes = encoder.encode(line);
  const start = request(bytes.length);
  if (start === 0) return JSON.stringify({ id: JSON.parse(line).id, error: "not enough memory" });
  new Uint8Array(memory.buffer).set(bytes, start);
  const length = execute();
  return decoder.decode(new Uint8Array(memory.buffer, answer(), length));
}

// The functions are there from the start, so that no request is missed while the program loads.
const rules = load();
// What goes wrong in the promise is told as an error of the worker.
rules.catch((error) => setTimeout(() => { throw error; }));
self.onmessage = async ({ data }) => self.postMessage(answer(await rules, data));
