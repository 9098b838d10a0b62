// `make web-bench`: the bench of both builds in Node.js, beside the native program's if its path is given; how soon `stop` is
// answered; and both again in Chromium if it is installed, with the speed of several threads.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createEngine } from "./package/index.mjs";

const STOPS = 200;
const THREADS = [1, 2, 4];
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

const print = (name, text) => console.log(`${name.padEnd(14)} ${text}`);
const parse = (text) => /^(\d+) nodes (\d+) nps$/m.exec(text).slice(1).map(Number);

/** How long each of so many stops takes, in milliseconds. It also runs in pages, so it needs nothing around it. */
async function stopDelays(count) {
  const delays = [];
  engine.send("position startpos");
  for (let i = 0; i < count; i++) {
    await engine.ask("go infinite", "info depth 1 ");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const begin = performance.now();
    await engine.ask("stop", "bestmove");
    delays.push(performance.now() - begin);
  }
  return delays.sort((a, b) => a - b);
}

function printStops(name, delays) {
  const at = (share) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))].toFixed(1);
  print(name, `stop answered in ${at(0.5)} ms (median), ${at(0.99)} ms (99th percentile of ${delays.length})`);
}

/** The nodes a second of a search of three seconds with so many threads. It runs in pages. */
async function speed(threads) {
  engine.send(`setoption name Threads value ${threads}`);
  engine.send("ucinewgame");
  await engine.ask("isready", "readyok");
  engine.send("position startpos");
  await engine.ask("go movetime 3000", "bestmove");
  return Number(/ nps (\d+)/.exec(heard.findLast((line) => / nps /.test(line)))[1]);
}

const native = process.argv[2] ? parse(execFileSync(process.argv[2], ["bench"], { encoding: "utf8" })) : null;
if (native) print("native", `${native[0]} nodes ${native[1]} nps`);
let isEqual = true;
for (const build of ["single", "best"]) {
  const engine = (globalThis.engine = await createEngine({ build }));
  const heard = [];
  engine.listen((text) => heard.push(text));
  await engine.ask("bench", "48/48");
  await engine.ask("isready", "readyok");
  const [nodes, rate] = parse(heard.join("\n"));
  const share = native ? `, ${Math.round((100 * rate) / native[1])} % of the native program's` : "";
  print(build, `${nodes} nodes ${rate} nps${share}`);
  isEqual &&= !native || nodes === native[0];
  printStops("", await stopDelays(STOPS));
  engine.terminate();
}

if (CHROMIUM) {
  const { chromium } = await import("playwright-core");
  const { serve } = await import("./test/server.mjs");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  for (const isolated of [false, true]) {
    const name = isolated ? "isolated page" : "any page";
    const server = await serve({ isolated });
    const page = await browser.newPage();
    await page.goto(`${server.url}/test/page.html`);
    await page.waitForFunction(() => window.engine);
    printStops(name, await page.evaluate(stopDelays, STOPS));
    const speeds = [];
    for (const threads of isolated ? THREADS : [1]) speeds.push([threads, await page.evaluate(speed, threads)]);
    const texts = speeds.map(([threads, rate]) => `${rate} nps with ${threads} thread${threads === 1 ? "" : "s"}`);
    print("", texts.join(", "));
    await page.close();
    server.close();
  }
  await browser.close();
} else {
  console.log("Chromium is not installed");
}
if (!isEqual) {
  console.error("the builds do not search the same nodes");
  process.exitCode = 1;
}
