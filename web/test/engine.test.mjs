// Both builds in Node.js: conversations as clients hold them. `make web-test` runs this.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { after, describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createEngine } from "../package/index.mjs";

const program = fileURLToPath(new URL("../package/cli.mjs", import.meta.url));

// What `bench 4` counts, in all builds.
const signatures = new Set();

for (const build of ["single", "best"]) {
  // An engine that hangs fails.
  describe(`the build ${build}`, { timeout: 300_000 }, async () => {
    const engine = await createEngine({ build });
    after(() => engine.terminate());
    const heard = [];
    engine.listen((line) => heard.push(line));

    test("introduces itself", async () => {
      assert.equal(await engine.ask("uci", "uciok"), "uciok");
      assert.ok(heard.some((line) => line.startsWith("id name Vancura")));
      assert.equal(await engine.ask("isready", "readyok"), "readyok");
    });

    test("finds a mate", async () => {
      engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
      assert.match(await engine.ask("go depth 6", "bestmove"), /^bestmove d1d8/);
      assert.ok(heard.some((line) => line.includes("score mate 1")));
    });

    test("searches the same nodes as the other build", async () => {
      await engine.ask("bench 4", "48/48");
      await engine.ask("isready", "readyok");
      const total = heard.map((line) => /^(\d+) nodes \d+ nps$/.exec(line)?.[1]).find(Boolean);
      assert.ok(total, heard.slice(-3).join("\n"));
      signatures.add(total);
      assert.equal(signatures.size, 1);
    });

    test("answers isready during a search, and stops when asked to", async () => {
      engine.send("position startpos");
      engine.send("go infinite");
      await engine.ask("isready", "readyok");
      assert.match(await engine.ask("stop", "bestmove"), /^bestmove [a-h][1-8]/);
    });

    test("holds back the answer to an infinite search that has ended", async () => {
      engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
      const before = heard.length;
      engine.send("go infinite");
      await engine.ask("isready", "readyok");
      assert.ok(!heard.slice(before).some((line) => line.startsWith("bestmove")));
      assert.match(await engine.ask("stop", "bestmove"), /^bestmove (\(none\)|0000)/);
    });

    test("goes on with its own time after ponderhit", async () => {
      engine.send("position startpos moves e2e4");
      const before = heard.length;
      engine.send("go ponder wtime 1000 btime 1000");
      await engine.ask("isready", "readyok");
      assert.ok(!heard.slice(before).some((line) => line.startsWith("bestmove")));
      assert.match(await engine.ask("ponderhit", "bestmove"), /^bestmove [a-h][1-8]/);
    });

    test("keeps the order of what comes during a search", async () => {
      engine.send("position startpos");
      engine.send("go infinite");
      engine.send("position fen k7/8/2K5/8/8/8/8/7R w - - 0 1");
      await engine.ask("stop", "bestmove");
      assert.match(await engine.ask("d", "Fen:"), /k7\/8\/2K5\/8\/8\/8\/8\/7R/);
    });

    test("carries out searches one after the other", async () => {
      const before = heard.length;
      const lines = [
        "position fen k7/8/2K5/8/8/8/8/7R w - - 0 1", "go depth 6", "position startpos", "go depth 5", "go nodes 2000",
        "go infinite", "stop",
      ];
      lines.forEach((line) => engine.send(line));
      while (heard.slice(before).filter((line) => line.startsWith("bestmove")).length < 4) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(!heard.slice(before).some((line) => line.includes("error")), heard.slice(before).join("\n"));
    });

    test("refuses a search during one without an end, but not after stop", async () => {
      engine.send("position startpos");
      engine.send("go infinite");
      assert.match(await engine.ask("go depth 1", "info string error"), /`go` ignored: a search is running/);
      const before = heard.length;
      for (const line of ["stop", "go infinite", "stop", "position startpos moves e2e4", "go infinite"]) engine.send(line);
      await engine.ask("isready", "readyok");
      await engine.ask("stop", "bestmove");
      assert.match(await engine.ask("d", "Fen:"), /4P3/);
      assert.equal(heard.slice(before).filter((line) => line.startsWith("bestmove")).length, 3);
    });

    test("survives what is no command", async () => {
      for (const line of ["", "\u0000\u0001", "go", "stop", "x".repeat(100_000), "position fen nonsense", "go depth 1", "ponderhit"]) {
        engine.send(line);
      }
      engine.send("stop");
      engine.send("position startpos");
      assert.equal(await engine.ask("isready", "readyok"), "readyok");
      assert.match(await engine.ask("go depth 5", "bestmove"), /^bestmove [a-h][1-8]/);
    });

    test("takes lines longer than its mailbox", async () => {
      const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
      const moves = Array.from({ length: 20_000 }, (_, i) => shuffle[i % 4]);
      engine.send(`position startpos moves ${moves.join(" ")}`);
      assert.match(await engine.ask("d", "Fen:"), /rnbqkbnr\/pppppppp/);
    });
  });
}

test("the worker alone takes and gives lines, as stockfish.js does", async () => {
  const worker = new Worker(new URL("../package/vancura.js", import.meta.url));
  worker.postMessage("uci\nposition startpos\ngo depth 3");
  for (;;) {
    const [line] = await once(worker, "message");
    assert.equal(typeof line, "string");
    if (line.startsWith("bestmove")) break;
  }
  worker.postMessage("quit");
  await once(worker, "exit");
});

test("the program reads lines until its input ends, or its arguments", async () => {
  const run = async (words, input) => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stdin.end(input);
    const [status] = await once(child, "close");
    assert.equal(status, 0);
    return output;
  };
  assert.match(await run([], "position startpos\ngo depth 3\n"), /bestmove [a-h][1-8]/);
  assert.match(await run(["position startpos", "go depth 3", "go perft 2"], ""), /bestmove[^]*400/);
  assert.match(await run(["--single", "go depth 3"], ""), /bestmove/);
});

test("only builds that there are can be asked for", async () => {
  await assert.rejects(createEngine({ build: "fast" }), /no build is called fast/);
});

test("the program ends by `quit`, also where its input stays open", { timeout: 30_000 }, async () => {
  for (const words of [["--single"], []]) {
    const child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.write("uci\nquit\n");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  }
});

// What a program says that runs with this global variable taken away, and its exit status.
async function without(variable) {
  const removal = `data:text/javascript,delete globalThis.${variable}`;
  const child = spawn(process.execPath, ["--import", removal, program, "bench 1"], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  return { output, status };
}

test("the program needs no global crypto, which Node.js 18 lacks", async () => {
  const { output, status } = await without("crypto");
  assert.match(output, /^\d+ nodes \d+ nps$/m);
  assert.equal(status, 0);
});

test("the program that cannot start says so by its exit status", async () => {
  const { output, status } = await without("WebAssembly");
  assert.match(output, /the engine has ended: WebAssembly is missing/);
  assert.equal(status, 1);
});
