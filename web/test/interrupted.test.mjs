// A review that was interrupted goes on, and searches nothing twice: whatever has ended the program. `make web-test` runs this.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { launch, noProgram, onBoard, picture } from "./chromium.mjs";

const MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. h3 a6 8. Bb3 Ba7 9. Re1 h6 10. Nbd2 Be6 11. Nf1 Bxb3 12. Qxb3 Qd7 13. Ng3 Rfe8 14. Be3 Bxe3 15. Rxe3 d5 16. exd5 Qxd5 17. Qxd5 Nxd5 18. Re2 f6 19. d4 exd4 20. Rxe8+ Rxe8 21. Nxd4 Nxd4 22. cxd4 c6 1/2-1/2";
const GAME = `[White "Anna"]\n[Black "Ben"]\n[Result "1/2-1/2"]\n\n${MOVES}\n`;
const POSITIONS = 45;

/** The children of a process. */
async function children(pid) {
  const found = [];
  for (const name of (await readdir("/proc")).filter((each) => /^\d+$/.test(each))) {
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid) found.push(Number(name));
  }
  return found;
}

describe("a review that is interrupted", { skip: noProgram || process.platform !== "linux", timeout: 240_000 }, () => {
  let browser;
  let data;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());
  beforeEach(async () => {
    if (data) await rm(data, { recursive: true });
    data = await mkdtemp(join(tmpdir(), "vancura-"));
  });
  after(() => rm(data, { recursive: true }));

  const open = (body) => onBoard(browser, ["--data", data], { viewport: { width: 1280, height: 860 }, locale: "en" }, body);
  const part = (page, name) => page.waitForSelector(`#review [data-part="${name}"]:not([hidden])`, { timeout: 120_000 });
  /** The whole lines of what was found so far. */
  async function journal() {
    const folder = join(data, "reviews");
    const name = (await readdir(folder)).find((each) => each.endsWith(".partial"));
    const text = name ? await readFile(join(folder, name), "utf8").catch(() => "") : "";
    return text.slice(0, text.lastIndexOf("\n") + 1).split("\n").slice(0, -1);
  }

  /** Begins a review, and waits until some positions are done. */
  async function begin(page) {
    await page.click('[data-do="open"]');
    await page.fill("#open-text", GAME);
    await page.click("#open .main");
    await page.click("#engine-switch");
    await part(page, "begin");
    await page.selectOption("#review-nodes", "200000");
    await page.click('[data-review="start"]');
    await part(page, "running");
    await page.waitForFunction(() => Number(document.querySelector("#review progress").value) >= 8, null, { timeout: 60_000 });
  }

  /** Opens the game again, and follows the review to its end: what was found before stays, and nothing is found twice. */
  const goesOn = (known) => open(async (page) => {
    if (await page.isVisible('[data-mode="analyse"][aria-pressed="false"]')) await page.click('[data-mode="analyse"]');
    await page.waitForFunction((count) => Number(document.querySelector("#review progress").value) >= count, 8 * (known.length - 1));
    await picture(page, "review-resumed", { fullPage: true });
    let last = await journal();
    for (let lines = last; lines.length > 0; lines = await journal()) {
      last = lines;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await part(page, "done");
    assert.deepEqual(last.slice(0, known.length), known);
    assert.ok(last.length > known.length && last.length - 1 <= Math.ceil(POSITIONS / 8), `${known.length} lines before, ${last.length} at last`);
    const keys = last.slice(1).map((line) => /"key":(\d+)/.exec(line)[1]);
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual((await readdir(join(data, "reviews"))).map((file) => file.slice(file.indexOf("."))).sort(), [".html", ".json", ".log", ".pgn"]);
  });

  test("by the end of the program goes on when its game is opened again", async () => {
    await open(async (page, program) => {
      await begin(page);
      program.kill("SIGINT");
      await once(program, "exit");
    });
    const known = await journal();
    assert.ok(known.length >= 2, "what was found is kept");
    await goesOn(known);
  });

  test("by a kill of everything goes on from what was found", async () => {
    await open(async (page, program) => {
      await begin(page);
      const analyses = await children(program.pid);
      assert.ok(analyses.length > 0);
      program.kill("SIGKILL");
      await once(program, "exit");
      for (const pid of analyses) process.kill(pid, "SIGKILL");
    });
    const known = await journal();
    assert.ok(known.length >= 2);
    await goesOn(known);
  });

  test("by nothing, when the program alone is killed: it goes on by itself", async () => {
    await open(async (page, program) => {
      await begin(page);
      program.kill("SIGKILL");
      await once(program, "exit");
    });
    await open(async (page) => {
      if (await page.isVisible('[data-mode="analyse"][aria-pressed="false"]')) await page.click('[data-mode="analyse"]');
      await part(page, "done");
    });
    assert.deepEqual(await journal(), []);
  });
});
