// The board as any host of static files would serve it, in a browser of its own.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { serve } from "./server.mjs";

export const root = fileURLToPath(new URL("../../target/dist/board", import.meta.url));

export const DESKTOP = { width: 1280, height: 860 };

export const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready);

/** Serves the board to a browser for as long as the tests of the `describe` around it take. */
export function servedBoard() {
  let browser;
  let server;
  before(async () => {
    browser = await launch();
    server = await serve({ isolated: false, root });
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  /** A browser context in which nothing has been kept. */
  const context = (options) => browser.newContext({ viewport: DESKTOP, serviceWorkers: "block", ...options });
  return {
    context,
    url: () => `${server.url}/`,
    /** Opens the page in a context of its own; what goes wrong in it fails the test. */
    open: async ({ url = server.url, ...options }, body) => {
      const own = await context(options);
      const page = await own.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("dialog", (dialog) => problems.push(dialog.message()));
      try {
        await page.goto(`${url}/`);
        await ready(page);
        const result = await body(page, own);
        assert.deepEqual(problems, []);
        return result;
      } finally {
        await own.close();
      }
    },
  };
}
