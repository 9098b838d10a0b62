// How soon a report of many games is there: its size, and when its table and the board of its first game have been painted, counted
// from the navigation in headless Chromium. `make speed` runs it.
//
//   node bench-report.mjs VANCURA GAMES.pgn
//
// The games are analysed at one node a position, which makes the page as large as any search does but for longer lines.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, noBrowser } from "./test/chromium.mjs";

const RUNS = 3;
const [program, games] = process.argv.slice(2);
if (!games) {
  console.error("usage: node bench-report.mjs VANCURA GAMES.pgn");
  process.exit(2);
}
if (noBrowser) {
  console.log(`SKIPPED: ${noBrowser}`);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), "vancura-"));
const file = join(folder, "report.html");
execFileSync(program, ["analyse", games, "--nodes", "1", "--html", file], { stdio: "ignore" });
const browser = await launch();

/** Opens the report, and waits until a place in it is painted; milliseconds since the navigation. */
async function painted(address, selector) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector)) requestAnimationFrame(() => (globalThis.paintedAt = performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  }, selector);
  await page.goto(pathToFileURL(file).href + address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.paintedAt);
  const time = await page.evaluate(() => globalThis.paintedAt);
  await page.close();
  return time;
}

const measured = async (...where) => {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await painted(...where));
  const [least, middle, most] = times.sort((a, b) => a - b).map(Math.round);
  return `${middle} ms (${least} to ${most})`;
};
console.log(`| report | ${((await stat(file)).size / 1e6).toFixed(1)} MB |`);
console.log(`| its table of games | ${await measured("", "table tbody tr")} |`);
console.log(`| the board of its first game | ${await measured("#game-1/1", "cg-board piece")} |`);
await browser.close();
await rm(folder, { recursive: true });
