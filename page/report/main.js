// The page: which game is open, colours, keys.
import { Game } from "./game.js";
import { makeSortable } from "./overview.js";
import { canUnpack, gamesOfPack } from "./unpack.js";
import { Viewer } from "./viewer.js";
import { isDark, onSystemTheme, toggleTheme } from "../views/theme.js";

const overview = document.getElementById("overview");
const stage = document.getElementById("stage");
/** @type {Map<number, HTMLElement>} */
const pages = new Map(/** @type {HTMLElement[]} */ ([...document.querySelectorAll("noscript[data-game]")]).map((page) => [Number(page.dataset.game), page]));
const numbers = [...pages.keys()];
let viewer = null;
/** The number of the game that is open or about to be. */
let wanted = null;

/** Opens the game and the half-move that the address names, or shows the table of games. */
function route() {
  const [, number, ply] = /^#game-(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
  const game = pages.has(Number(number)) ? Number(number) : overview ? null : numbers[0];
  if (game == null) closeGame();
  else if (wanted !== game) openGame(game, Number(ply ?? 0));
  else viewer?.goPly(Number(ply ?? 0));
}

/** The page and the data of a game: at hand, or to come out of its pack. */
function contentsOf(number) {
  const { textContent, dataset } = pages.get(number);
  if (dataset.pack === undefined) return { page: textContent, data: JSON.parse(document.getElementById(`data-${number}`).textContent) };
  // Without the data there is no board, but the game can be read.
  const asText = { page: textContent, data: null };
  return canUnpack() ? gamesOfPack(dataset.pack).then((games) => games.get(number) ?? asText, () => asText) : asText;
}

function openGame(number, ply) {
  wanted = number;
  const contents = contentsOf(number);
  if (contents instanceof Promise) contents.then((found) => wanted === number && show(number, found, ply));
  else show(number, contents, ply);
}

/** A game's page without a script is what its element holds; the script adds to that. All of it was escaped when it was
 * written, and the policy in the head lets no other script run. */
function show(number, { page, data }, ply) {
  viewer?.leave();
  viewer = null;
  stage.innerHTML = page;
  const article = stage.querySelector("article");
  if (data) viewer = new Viewer(article, new Game(number, data), (now) => history.replaceState(null, "", `#game-${number}/${now}`));
  if (overview) {
    article.querySelector(".head").prepend(waysOut(number));
    overview.hidden = true;
    article.querySelector("h2").tabIndex = -1;
    article.querySelector("h2").focus();
    scrollTo(0, 0);
  }
  document.title = article.querySelector("h2").textContent;
  viewer?.show();
  if (ply) viewer?.goPly(ply);
}

function closeGame() {
  wanted = null;
  viewer?.leave();
  viewer = null;
  stage.replaceChildren();
  if (overview) {
    overview.hidden = false;
    overview.classList.add("chosen");
  }
  document.title = titleOfAll;
}

const titleOfAll = document.title;

/** Links to the table and to the games before and after. */
function waysOut(number) {
  const nav = document.createElement("nav");
  nav.setAttribute("aria-label", "Games");
  const place = numbers.indexOf(number);
  /** @type {[string | number | undefined, string][]} */
  const ways = [["#games", "All games"], [numbers[place - 1], "Game before"], [numbers[place + 1], "Next game"]];
  for (const [target, text] of ways) {
    if (target === undefined) continue;
    const link = document.createElement("a");
    link.href = typeof target === "string" ? target : `#game-${target}`;
    link.textContent = text;
    nav.append(link);
  }
  return nav;
}

function listenToKeys() {
  addEventListener("keydown", (event) => {
    const isTyping = /** @type {Element} */ (event.target).closest?.("input, textarea, select, dialog");
    if (!viewer || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (viewer.press(event.key)) event.preventDefault();
  });
}

/** The system's colours until somebody asks for others. A page from a file may have no memory, and needs none. */
function listenToTheme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const tell = () => button.setAttribute("aria-pressed", String(isDark()));
  try {
    const stored = localStorage.getItem("theme");
    if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  } catch { /* no memory */ }
  button.addEventListener("click", () => {
    const theme = toggleTheme();
    tell();
    try {
      localStorage.setItem("theme", theme);
    } catch { /* no memory */ }
  });
  onSystemTheme(tell);
  button.hidden = false;
  tell();
}

listenToTheme();
listenToKeys();
if (overview?.querySelector("table")) makeSortable(overview.querySelector("table"));
addEventListener("hashchange", route);
route();
