// The page: which game is open, colours, keys.

const overview = document.getElementById("overview");
const stage = document.getElementById("stage");
const pages = new Map([...document.querySelectorAll("noscript[data-game]")].map((page) => [Number(page.dataset.game), page]));
const numbers = [...pages.keys()];
let viewer = null;

/** Opens the game and the half-move that the address names, or shows the table of games. */
function route() {
  const [, number, ply] = /^#game-(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
  const game = pages.has(Number(number)) ? Number(number) : overview ? null : numbers[0];
  if (game == null) closeGame();
  else if (viewer?.game.number !== game) openGame(game, Number(ply ?? 0));
  else viewer.goPly(Number(ply ?? 0));
}

/** A game's page without a script is what its element holds; the script adds to that. All of it was escaped when it was
 * written, and the policy in the head lets no other script run. */
function openGame(number, ply) {
  viewer?.live?.leave();
  stage.innerHTML = pages.get(number).textContent;
  const article = stage.querySelector("article");
  const game = new Game(number);
  viewer = new Viewer(article, game, (now) => history.replaceState(null, "", `#game-${number}/${now}`));
  if (overview) {
    article.querySelector(".head").prepend(waysOut(number));
    overview.hidden = true;
    article.querySelector("h2").tabIndex = -1;
    article.querySelector("h2").focus();
    scrollTo(0, 0);
  }
  document.title = article.querySelector("h2").textContent;
  viewer.show();
  if (ply) viewer.goPly(ply);
}

function closeGame() {
  viewer?.live?.leave();
  viewer = null;
  stage.replaceChildren();
  if (overview) overview.hidden = false;
  document.title = titleOfAll;
}

const titleOfAll = document.title;

/** Links to the table and to the games before and after. */
function waysOut(number) {
  const nav = document.createElement("nav");
  nav.setAttribute("aria-label", "Games");
  const place = numbers.indexOf(number);
  const ways = [["#games", "All games"], [numbers[place - 1], "Game before"], [numbers[place + 1], "Next game"]];
  for (const [target, text] of ways) {
    if (target === undefined) continue;
    const link = document.createElement("a");
    link.href = typeof target === "number" ? `#game-${target}` : target;
    link.textContent = text;
    nav.append(link);
  }
  return nav;
}

function listenToKeys() {
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select");
    if (!viewer || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (viewer.press(event.key)) event.preventDefault();
  });
}

/** The system's colours until somebody asks for others. A page from a file may have no memory, and needs none. */
function listenToTheme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches);
  const tell = () => button.setAttribute("aria-pressed", isDark());
  try {
    const stored = localStorage.getItem("theme");
    if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  } catch { /* no memory */ }
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch { /* no memory */ }
  });
  systemIsDark.addEventListener("change", tell);
  button.hidden = false;
  tell();
}

listenToTheme();
listenToKeys();
if (overview?.querySelector("table")) makeSortable(overview.querySelector("table"));
addEventListener("hashchange", route);
route();
