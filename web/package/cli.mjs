#!/usr/bin/env node
// The engine as a program: `npx vancura` reads UCI from the standard input, `npx vancura "go depth 12"` carries out its
// arguments, one line each, and ends.
import { createInterface } from "node:readline";
import { createEngine } from "./index.mjs";

const words = process.argv.slice(2);
const build = words[0] === "--single" ? "single" : "best";
const lines = build === "single" ? words.slice(1) : words;
const engine = await createEngine({ build });
engine.listen((line) => {
  process.stdout.write(`${line}\n`);
  if (line.startsWith("info string error: the engine has ended")) process.exitCode = 1;
});
// A closed output has no reader, so that there is nothing left to do.
process.stdout.on("error", () => process.exit(0));

if (lines.length > 0) {
  for (const line of lines) {
    if (/^\s*go\b/.test(line) && !/\sperft\b/.test(line)) await engine.ask(line, "bestmove");
    else engine.send(line);
  }
  engine.send("quit");
} else {
  createInterface({ input: process.stdin }).on("line", engine.send).on("close", () => engine.send("quit"));
}
await engine.ended;
// A client may leave the input open behind its `quit`.
process.stdin.unref?.();
