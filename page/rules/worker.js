// The rules of chess: a worker around `rules.wasm.gz`, which takes requests as lines of JSON and answers them.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 58;

let rules = null;

// The rules need nothing of the system: there are no variables and no folders, and all else that their library may ask for
// is not supported.
const some = {
  environ_sizes_get(count, size) {
    const view = new DataView(rules.memory.buffer);
    view.setUint32(count, 0, true);
    view.setUint32(size, 0, true);
    return SUCCESS;
  },
  environ_get: () => SUCCESS,
  fd_prestat_get: () => BAD_DESCRIPTOR,
  random_get(start, length) {
    crypto.getRandomValues(new Uint8Array(rules.memory.buffer, start, length));
    return SUCCESS;
  },
  proc_exit(status) {
    throw new Error(`the rules ended with ${status}`);
  },
};
const wasi = new Proxy(some, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED), has: () => true });

async function load() {
  const response = await fetch(new URL("../rules.wasm.gz", import.meta.url));
  if (!response.ok) throw new Error(`rules.wasm.gz: ${response.status}`);
  // A host may say that it is compressed, and then the browser has unpacked it already.
  const bytes = await response.arrayBuffer();
  const isPacked = new Uint8Array(bytes)[0] === 0x1f;
  const program = isPacked ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes;
  const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi });
  rules = instance.exports;
  return rules;
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
const loading = load();
// What goes wrong in the promise is told as an error of the worker.
loading.catch((error) => setTimeout(() => { throw error; }));
self.onmessage = async ({ data }) => self.postMessage(answer(await loading, data));
