// What a person does on the board: touches squares, begins a game, plays it to its end.

/** Touches the middle of a square. */
export const touch = async (page, square, isTurned) => {
  const box = await page.locator("cg-board").boundingBox();
  const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
  const [x, y] = isTurned ? [7 - file, rank] : [file, 7 - rank];
  const place = { x: (x + 0.5) * (box.width / 8), y: (y + 0.5) * (box.height / 8) };
  await page.locator("cg-board").click({ position: place });
};

/** Begins the game of the dialog: until it stands, moves would be made in the one before. */
export const begin = async (page) => {
  const begun = page.evaluate(() => new Promise((done, fail) => {
    setTimeout(() => fail(new Error("no game has begun")), 30_000);
    const hear = (changes) => changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.textContent.startsWith("New game."))) && done();
    new MutationObserver(hear).observe(document.querySelector("#said"), { childList: true });
  }));
  await page.click("#new .main");
  await begun;
};

export const newGame = async (page, { elo, kind, value, side, from = "start" }) => {
  await page.click('[data-do="new"]');
  await page.check(`#new [name="side"][value="${side}"]`, { force: true });
  await page.check(`#new [name="from"][value="${from}"]`, { force: true });
  await page.fill("#elo", String(elo));
  await page.selectOption("#limit-kind", kind);
  await page.fill("#limit", String(value));
  await begin(page);
};

/** Opens a text in the dialog for it. */
export const paste = async (page, text) => {
  await page.click('[data-do="open"]');
  await page.fill("#open-text", text);
  await page.click("#open .main");
  await page.waitForSelector("#open", { state: "hidden" });
};

/** Pastes a text on the page itself. */
export const pasteAnywhere = (page, text) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);

/** What the tab keeps of its game. */
export const kept = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("vancura-tab")).state);
export const status = (page) => page.textContent("#status");
export const says = (page, text) => page.waitForFunction((text) => document.querySelector("#status").textContent === text, text);
export const count = (page) => page.locator("#moves .move").count();
export const played = (page, moves) => page.waitForFunction((moves) => document.querySelectorAll("#moves .move").length === moves, moves);

/** Makes legal moves by touch, which chessground shows as spots, until the game ends. */
export const playOut = async (page, isTurned, random) => {
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let turn = 0; turn < 400; turn++) {
    await page.waitForFunction(() => !/thinks|moment/.test(document.querySelector("#status").textContent));
    const text = await page.textContent("#status");
    if (/^(1-0|0-1|1\/2-1\/2):/.test(text)) return text;
    const before = await page.locator("#moves .move").count();
    const fens = await page.evaluate(() => [...document.querySelectorAll("cg-board piece:not(.ghost)")].map((piece) => [piece.cgKey, piece.cgPiece]));
    const own = fens.filter(([, piece]) => piece.startsWith(isTurned ? "black" : "white")).map(([square]) => square);
    for (let tries = 0; tries < 200; tries++) {
      await touch(page, pick(own), isTurned);
      // The board is drawn anew with the next frame.
      const targets = await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        await frame();
        await frame();
        return [...document.querySelectorAll("square.move-dest")].map((square) => square.cgKey);
      });
      if (targets.length === 0) continue;
      await touch(page, pick(targets), isTurned);
      break;
    }
    // A promotion asks for the piece first, as soon as that is drawn.
    await page.waitForFunction((before) => document.querySelector("#promotion")?.checkVisibility() || document.querySelectorAll("#moves .move").length > before, before);
    if (await page.locator("#promotion").isVisible()) await page.click('#promotion [aria-label="queen"]');
    await page.waitForFunction((before) => document.querySelectorAll("#moves .move").length > before, before);
  }
  return page.textContent("#status");
};

/** Numbers that are the same in each run. */
export const seeded = (seed) => () => ((seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31);
