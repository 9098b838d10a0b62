// Vancura as a worker: post lines of UCI to it, and it posts lines of UCI back.
//
//   const engine = new Worker("vancura.js");
//   engine.onmessage = (event) => console.log(event.data);
//   engine.postMessage("go depth 12");
//
// The same file has three roles. The one that a page starts is the clerk: it never computes, so that it always hears
// what it is sent. It starts an engine, which runs the WebAssembly program, and for the build with threads one thread
// for each thread of the program. `?build=single` behind the file's name forbids threads.
//
// A worker that computes cannot receive messages. Memory that is shared lets the clerk reach it all the same, but pages
// have such memory only if they are cross-origin isolated. Elsewhere the clerk lends the engine two addresses of empty
// texts. To stop the search it revokes the first: the engine, which tries to load it from time to time, finds it gone.
// Pages without an origin of their own, such as those from files, keep such addresses to the worker that made them. There
// the clerk ends the engine, answers with the best move that it told last, and starts another.
//
// A worker may also be made of a Blob of this text. It has no folder, so the page posts it the build without threads, the
// bytes of `vancura-single.wasm` as an ArrayBuffer.
"use strict";

(function vancura() {
  const isNode = typeof process === "object" && typeof process.versions?.node === "string";
  const node = isNode ? require("node:worker_threads") : null;
  // Node.js has it as a global variable only from version 19 on.
  const random = isNode ? require("node:crypto").webcrypto : crypto;

  // The mailbox of the build with threads: numbers of 32 bits, then the bytes of the input as a ring.
  const WRITTEN = 0; // bytes put into the ring, modulo 2^32
  const READ = 1; // bytes taken out
  const CLOSED = 2; // no more will come
  const OUTPUTS = 3; // writes to the output so far, by all threads
  const THREADS = 4; // threads started so far
  const HEADER = 32; // bytes
  const RING = 1 << 16; // bytes

  // In pages of 64 KiB. The first is what web/build.rs says, the last what the compiler sets for this target.
  const FIRST_MEMORY = 512;
  const MOST_MEMORY = 16384;

  // What the engine is told while it searches.
  const STOP = 1;
  const PONDER_HIT = 2;
  // How often an engine without shared memory looks, in milliseconds.
  const LOOK_INTERVAL = 15;

  // The smallest program with a vector instruction.
  const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

  const encoder = new TextEncoder();

  // --- Workers, here and there ---------------------------------------------------------------------------------

  // This worker's line to the one that started it.
  const parent = isNode
    ? {
        post: (message) => node.parentPort.postMessage(message),
        listen: (hear) => node.parentPort.on("message", hear),
        close: () => node.parentPort.close(),
      }
    : {
        post: (message) => self.postMessage(message),
        listen: (hear) => (self.onmessage = (event) => hear(event.data)),
        close: () => self.close(),
      };

  function start(role, hear, fail) {
    if (isNode) {
      const worker = new node.Worker(__filename, { workerData: { role } });
      worker.on("message", hear);
      worker.on("error", (error) => fail(error.message));
      return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
    }
    const worker = new Worker(address(), { name: `vancura-${role}` });
    worker.onmessage = (event) => hear(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message);
    };
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  }

  const isBlob = !isNode && self.location.protocol === "blob:";

  // Where this text is. A page without an origin keeps the address of its Blob from its workers, so they make their own.
  let own = isNode || isBlob ? null : self.location.href;
  function address() {
    own ??= URL.createObjectURL(new Blob([`"use strict";\n(${vancura})();`], { type: "text/javascript" }));
    return own;
  }

  async function compile(file) {
    if (isNode) {
      const path = require("node:path").join(__dirname, file);
      return WebAssembly.compile(await require("node:fs/promises").readFile(path));
    }
    const response = await fetch(new URL(file, self.location.href));
    if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
    // Servers that do not know the type send another, which streaming would refuse.
    return WebAssembly.compile(await response.arrayBuffer());
  }

  // --- The clerk -----------------------------------------------------------------------------------------------

  // Which build this page may have: what was asked for, if that is possible.
  function choose() {
    if (isBlob) return { build: "single", canShare: self.crossOriginIsolated === true };
    const asked = isNode ? node.workerData?.build : new URLSearchParams(self.location.search).get("build");
    const canShare = typeof SharedArrayBuffer === "function" && (isNode || self.crossOriginIsolated === true);
    return { build: asked === "single" || !canShare ? "single" : "threads", canShare };
  }

  async function clerk() {
    const early = [];
    let take = (line) => early.push(line);
    let give;
    const given = new Promise((resolve) => (give = resolve));
    parent.listen((message) => {
      if (message instanceof ArrayBuffer) return give(message);
      for (const line of String(message).split("\n")) take(line);
    });
    let failed = false;
    const fail = (reason) => {
      if (failed) return;
      failed = true;
      parent.post(`info string error: the engine has ended: ${reason}`);
      close();
    };
    let close = () => parent.close();
    if (typeof WebAssembly !== "object") return fail("WebAssembly is missing here");
    if (!WebAssembly.validate(SIMD)) return fail("WebAssembly SIMD is missing here; a newer browser has it");
    const { build, canShare } = choose();
    try {
      const module = await (isBlob ? WebAssembly.compile(await given) : compile(`vancura-${build}.wasm`));
      const ended = () => parent.close();
      const engine =
        build === "threads"
          ? withThreads(module, parent.post, fail, ended)
          : withoutThreads(module, canShare, parent.post, fail, ended);
      close = engine.end;
      take = engine.take;
      early.forEach(take);
    } catch (error) {
      fail(error.message);
    }
  }

  // Turns numbered pieces of output, which come from several threads, into lines in the order in which they were written.
  // Says how many have come without a gap.
  function inOrder(tell) {
    const waiting = new Map();
    const decoder = new TextDecoder();
    let next = 0;
    let rest = "";
    return (number, bytes) => {
      waiting.set(number, bytes);
      for (; waiting.has(next); next++) {
        rest += decoder.decode(waiting.get(next), { stream: true });
        waiting.delete(next);
      }
      const lines = rest.split("\n");
      rest = lines.pop();
      lines.forEach(tell);
      return next;
    };
  }

  function withThreads(module, tell, fail, ended) {
    const output = inOrder(tell);
    const memory = new WebAssembly.Memory({ initial: FIRST_MEMORY, maximum: MOST_MEMORY, shared: true });
    const mailbox = new SharedArrayBuffer(HEADER + RING);
    const header = new Int32Array(mailbox, 0, HEADER / 4);
    const ring = new Uint8Array(mailbox, HEADER);
    const workers = new Map();
    // The end may be told before the last output of another thread.
    let received = 0;
    let isOver = false;
    const endIfOver = () => {
      if (isOver && received >= Atomics.load(header, OUTPUTS)) end();
    };
    const end = () => {
      for (const worker of workers.values()) worker.end();
      workers.clear();
      ended();
    };
    const add = (number, role, order) => {
      const hear = (message) => {
        if (message.bytes) {
          received = output(message.number, message.bytes);
          endIfOver();
        } else if (message.spawn) add(message.spawn.number, "thread", message.spawn);
        else if (message.error) fail(message.error);
        else if (number === 0) {
          isOver = true;
          endIfOver();
        } else {
          workers.get(number)?.end();
          workers.delete(number);
        }
      };
      const worker = start(role, hear, fail);
      workers.set(number, worker);
      worker.post({ ...order, module, memory, mailbox });
    };
    add(0, "engine", {});

    // Bytes that the ring has no room for yet.
    let backlog = [];
    const push = () => {
      while (backlog.length > 0) {
        const written = Atomics.load(header, WRITTEN);
        const room = RING - ((written - Atomics.load(header, READ)) >>> 0);
        if (room === 0) {
          setTimeout(push, 5);
          return;
        }
        const bytes = backlog[0].subarray(0, room);
        for (let i = 0; i < bytes.length; i++) ring[((written >>> 0) + i) % RING] = bytes[i];
        if (bytes.length === backlog[0].length) backlog.shift();
        else backlog[0] = backlog[0].subarray(room);
        Atomics.store(header, WRITTEN, (written + bytes.length) | 0);
        Atomics.notify(header, WRITTEN);
      }
    };
    const take = (line) => {
      backlog.push(encoder.encode(`${line}\n`));
      if (backlog.length === 1) push();
    };
    return { take, end };
  }

  function withoutThreads(module, canShare, tell, fail, ended) {
    const flag = canShare ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const isDeaf = !flag && self.origin === "null";
    const lend = () => URL.createObjectURL(new Blob([""]));
    let lent = null; // to the running search
    let search = null; // the line that began the running search
    let found = null; // the last line of the running search with a best move
    let isEndless = false; // whether only a stop ends the running search
    let isStopping = false;
    const queue = []; // what waits for the end of the running search

    const begin = () => {
      // An engine that was ended may have spoken before.
      const isCurrent = () => started === worker;
      const output = inOrder((line) => isCurrent() && heard(line));
      const hear = (message) => {
        if (message.bytes) output(message.number, message.bytes);
        else if (message.error && isCurrent()) fail(message.error);
        else if (isCurrent()) end();
      };
      const started = start("engine", hear, fail);
      started.post({ module, flag });
      return started;
    };
    const end = () => {
      worker.end();
      ended();
    };

    // What another engine has to be told to know what this one knows, but for its table.
    const options = new Map();
    let position = null;
    const remember = (word, line) => {
      if (word === "setoption") options.set(line.split(/\svalue\s/)[0].toLowerCase(), line);
      else if (word === "position") position = line;
      else if (word === "ucinewgame") position = null;
    };
    const replace = () => {
      worker.end();
      worker = begin();
      for (const line of [...options.values(), position]) if (line !== null) worker.post({ line, lent: null });
    };
    // Ends the search of an engine that cannot hear, once there is a move to answer with.
    const silence = () => {
      const [, best, ponder] = /\spv (\S+)(?: (\S+))?/.exec(found);
      replace();
      heard(`bestmove ${best}${ponder ? ` ponder ${ponder}` : ""}`);
    };

    // Whether only a `stop`, or a `ponderhit`, ends a search.
    const hasNoEnd = (line) =>
      /\s(infinite|ponder)(\s|$)/.test(line) || !/\s(wtime|btime|movetime|depth|nodes|mate)(\s|$)/.test(line);

    const take = (line) => {
      const word = line.trim().split(/\s+/)[0];
      const isSearch = word === "go" && !/\sperft\b/.test(line);
      if (search === null) {
        remember(word, line);
        found = null;
        search = isSearch ? line : null;
        isEndless = isSearch && hasNoEnd(line);
        if (isSearch && flag) Atomics.store(flag, 0, 0);
        lent = isSearch && !flag && !isDeaf ? { stop: lend(), ponderHit: lend() } : null;
        worker.post({ line, lent });
        return;
      }
      // What follows `stop` may be meant for a search that waits itself.
      if (isStopping) return queue.push(line);
      if (word === "isready") return tell("readyok");
      if (isSearch && isEndless) return tell("info string error: `go` ignored: a search is running");
      const signal = { stop: STOP, quit: STOP, ponderhit: PONDER_HIT }[word];
      if (signal) {
        // It is also for a search that waits and that nothing else would end.
        const waiting = queue.findLast((other) => /^\s*(go|stop)\b/.test(other));
        if (word === "stop" && waiting && /^\s*go\b/.test(waiting) && hasNoEnd(waiting)) queue.push(line);
        if (signal === PONDER_HIT) isEndless = hasNoEnd(search.replace(/\sponder\b/, ""));
        isStopping = signal === STOP;
        if (flag) Atomics.store(flag, 0, signal);
        else if (lent) URL.revokeObjectURL(isStopping ? lent.stop : lent.ponderHit);
        // The search may have ended already and hold its answer back.
        worker.post({ line: isStopping ? "stop" : line, lent: null });
        if (isDeaf && isStopping && found) silence();
        else if (isDeaf && !isStopping) goOn();
      }
      if (!signal || word === "quit") queue.push(line);
    };
    // The opponent has played the move expected: the same search, from now on with its own time.
    const goOn = () => {
      search = search.replace(/\sponder\b/, "");
      replace();
      worker.post({ line: search, lent: null });
    };
    // Each search is answered by one line, with which it is over.
    const heard = (line) => {
      tell(line);
      if (search === null) return;
      if (/^info .*\spv /.test(line) && !/\smultipv (?!1\s)/.test(line)) {
        found = line;
        if (isDeaf && isStopping) silence();
      }
      if (!line.startsWith("bestmove")) return;
      search = null;
      isStopping = isEndless = false;
      Object.values(lent ?? {}).forEach((url) => URL.revokeObjectURL(url));
      goThroughQueue();
    };
    const goThroughQueue = () => {
      while (queue.length > 0 && search === null) take(queue.shift());
      const waiting = queue.splice(0);
      if (isEndless) return waiting.forEach(take);
      // A search that ends by itself is waited for, but for what was sent to end it before the next one, and by nobody
      // who asks whether all is well.
      const next = waiting.findIndex((line) => /^\s*go\b/.test(line));
      waiting.forEach((line, index) => {
        const isForThis = (next < 0 || index < next) && /^\s*(stop|ponderhit)\b/.test(line);
        if (isForThis || (!isStopping && /^\s*isready\b/.test(line))) take(line);
        else queue.push(line);
      });
    };
    let worker = begin();
    return { take, end };
  }

  // --- The engine and its threads ------------------------------------------------------------------------------

  class Exit extends Error {}

  // The functions of WASI that the program needs. What is not here, above all files, it is told not to be supported.
  function wasi(memory, read, write) {
    const SUCCESS = 0;
    const BAD_DESCRIPTOR = 8;
    const NOT_SUPPORTED = 58;
    const view = () => new DataView(memory().buffer);
    const origin = performance.timeOrigin;
    const some = {
      clock_time_get(clock, _precision, result) {
        // Real time, or one that never goes back; with the full resolution that there is.
        const now = performance.now() + (clock === 0 ? origin : 0);
        view().setBigUint64(result, BigInt(Math.round(now * 1e6)), true);
        return SUCCESS;
      },
      environ_sizes_get(count, size) {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return SUCCESS;
      },
      environ_get: () => SUCCESS,
      random_get(start, len) {
        // Cryptography refuses shared memory and long requests.
        for (let done = 0; done < len; done += 65536) {
          const bytes = random.getRandomValues(new Uint8Array(Math.min(65536, len - done)));
          new Uint8Array(memory().buffer).set(bytes, start + done);
        }
        return SUCCESS;
      },
      fd_write(descriptor, vectors, count, result) {
        const parts = spans(vectors, count).map(([start, len]) => new Uint8Array(memory().buffer).slice(start, start + len));
        const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
        let at = 0;
        for (const part of parts) {
          bytes.set(part, at);
          at += part.length;
        }
        if (descriptor === 1) write(bytes);
        else console.error(new TextDecoder().decode(bytes));
        view().setUint32(result, bytes.length, true);
        return SUCCESS;
      },
      fd_read(descriptor, vectors, count, result) {
        if (descriptor !== 0) return BAD_DESCRIPTOR;
        const [start, len] = spans(vectors, count).find(([, len]) => len > 0) ?? [0, 0];
        view().setUint32(result, len === 0 ? 0 : read(new Uint8Array(memory().buffer, start, len)), true);
        return SUCCESS;
      },
      // No folders are open.
      fd_prestat_get: () => BAD_DESCRIPTOR,
      sched_yield: () => SUCCESS,
      proc_exit(status) {
        throw new Exit(`status ${status}`);
      },
    };
    const spans = (vectors, count) =>
      Array.from({ length: count }, (_, i) => [0, 4].map((at) => view().getUint32(vectors + 8 * i + at, true)));
    return new Proxy(some, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED), has: () => true });
  }

  // What an engine or a thread of the build with threads imports.
  function imports({ memory, mailbox }) {
    const header = new Int32Array(mailbox, 0, HEADER / 4);
    const ring = new Uint8Array(mailbox, HEADER);
    const read = (target) => {
      for (;;) {
        const [done, written] = [Atomics.load(header, READ), Atomics.load(header, WRITTEN)];
        const count = Math.min((written - done) >>> 0, target.length);
        if (count > 0) {
          for (let i = 0; i < count; i++) target[i] = ring[((done >>> 0) + i) % RING];
          Atomics.store(header, READ, (done + count) | 0);
          return count;
        }
        if (Atomics.load(header, CLOSED) === 1) return 0;
        Atomics.wait(header, WRITTEN, written);
      }
    };
    const write = (bytes) => parent.post({ number: Atomics.add(header, OUTPUTS, 1), bytes });
    const spawn = (argument) => {
      const number = Atomics.add(header, THREADS, 1) + 1;
      parent.post({ spawn: { number, argument } });
      return number;
    };
    return { env: { memory }, wasi: { "thread-spawn": spawn }, wasi_snapshot_preview1: wasi(() => memory, read, write) };
  }

  // Runs some work of the program; what it dies of is told.
  function guarded(work) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Exit)) parent.post({ error: error.message });
    }
  }

  function engine() {
    let begin = (order) => {
      if (order.mailbox) return serve(order);
      begin = single(order);
    };
    parent.listen((message) => begin(message));
  }

  function serve(order) {
    guarded(() => {
      const { exports } = new WebAssembly.Instance(order.module, imports(order));
      exports._start();
    });
    parent.post({ ended: true });
  }

  // The build without threads: one line after the other.
  function single({ module, flag }) {
    let lent = null;
    let looked = 0;
    const isGone = (url) => {
      const request = new XMLHttpRequest();
      try {
        request.open("GET", url, false);
        request.send();
        return false;
      } catch {
        return true;
      }
    };
    const poll = () => {
      if (flag) return Atomics.load(flag, 0);
      const now = performance.now();
      if (!lent || now - looked < LOOK_INTERVAL) return 0;
      looked = now;
      if (isGone(lent.stop)) return STOP;
      return lent.isPondering && isGone(lent.ponderHit) ? PONDER_HIT : 0;
    };
    let written = 0;
    const write = (bytes) => parent.post({ number: written++, bytes });
    const { exports } = new WebAssembly.Instance(module, {
      vancura: { vancura_poll: poll },
      wasi_snapshot_preview1: wasi(() => exports.memory, () => 0, write),
    });
    return (order) => {
      lent = order.lent && { ...order.lent, isPondering: /\sponder\b/.test(order.line) };
      guarded(() => {
        const bytes = encoder.encode(order.line);
        const start = exports.line(bytes.length);
        if (start === 0) return write(encoder.encode("info string error: not enough memory for the line\n"));
        new Uint8Array(exports.memory.buffer).set(bytes, start);
        if (!exports.execute()) parent.post({ ended: true });
      });
    };
  }

  function thread() {
    parent.listen((order) => {
      guarded(() => {
        const { exports } = new WebAssembly.Instance(order.module, imports(order));
        exports.wasi_thread_start(order.number, order.argument);
      });
      parent.post({ ended: true });
    });
  }

  const role = isNode ? node.workerData?.role : /^vancura-(engine|thread)$/.exec(self.name)?.[1];
  if (role === "engine") engine();
  else if (role === "thread") thread();
  else clerk();
})();
