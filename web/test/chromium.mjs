// Chromium without a window, and the board of the program in it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
/** The program as it is built for this machine. */
export const PROGRAM = process.env.VANCURA;

/** Why tests in a browser are skipped; false if they are not. */
export const noBrowser = CHROMIUM ? false : "Chromium is not installed";
/** The same of tests that need the program, too. */
export const noProgram = noBrowser || (PROGRAM ? false : "VANCURA does not name the program");

/** @param {import("playwright-core").LaunchOptions} [more] */
export const launch = (more) => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"], ...more });

/** A browser and an empty data folder for the tests of a suite, there as long as they run. */
export function browserAndFolder() {
  const given = {};
  before(async () => {
    given.browser = await launch();
    given.data = await mkdtemp(join(tmpdir(), "vancura-"));
  });
  after(async () => {
    await given.browser.close();
    await rm(given.data, { recursive: true });
  });
  return given;
}

/** Keeps a picture of a page, if somebody wants to look at it. */
export async function picture(page, name, options = {}) {
  const folder = process.env.VANCURA_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), ...options });
}

/**
 * Opens the board that the program serves, started with these arguments, in a context of its own. Whatever goes wrong in the page, asks
 * by a dialog or asks another host fails the test.
 */
export async function onBoard(browser, given, context, body) {
  const program = spawn(PROGRAM, ["board", "--no-open", ...given], { stdio: ["ignore", "pipe", "inherit"] });
  const opened = await browser.newContext(context);
  try {
    const [url] = await once(createInterface({ input: program.stdout }), "line");
    const { origin } = new URL(url);
    const page = await opened.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("request", (request) => request.url().startsWith(origin) || /^(data|blob):/.test(request.url()) || problems.push(request.url()));
    page.on("websocket", (socket) => socket.url().startsWith(origin.replace("http", "ws")) || problems.push(socket.url()));
    await page.goto(url);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await body(page, program);
    assert.deepEqual(problems, []);
  } finally {
    await opened.close();
    program.kill("SIGKILL");
  }
}
