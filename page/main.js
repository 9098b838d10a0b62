// The page: starts what it needs, and listens to the user.
import { App } from "./app.js";
import { prepare } from "./views/dialogs.js";
import { $ } from "./views/dom.js";
import { connect } from "./engine/endpoint.js";

const THEMES = { light: "dark", dark: "light" };

function trouble(text) {
  const place = $("#trouble");
  place.textContent = text;
  place.hidden = false;
  $("#status").textContent = "Nothing can be played here.";
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = THEMES[root.dataset.theme ?? (isDark ? "dark" : "light")];
  return root.dataset.theme;
}

/** What the keys do outside of fields. */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", a: "arrows" };

function listen(app) {
  document.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const button = /** @type {Element} */ (event.target).closest("[data-do], [data-mode]");
    if (!button || button.closest("dialog")) return;
    if (button.dataset.mode) app.setMode(button.dataset.mode);
    else if (button.dataset.do === "theme") app.setTheme(toggleTheme());
    else app.do(button.dataset.do);
  });
  document.addEventListener("keydown", (event) => {
    const isField = /** @type {Element} */ (event.target).closest("input, select, textarea, dialog");
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "m") $("#move").focus();
    else if (KEYS[key]) app.do(KEYS[key]);
    else return;
    event.preventDefault();
  });
  $("#typed").addEventListener("submit", (event) => {
    event.preventDefault();
    app.type($("#move"));
  });
  $("#line-count").addEventListener("change", (event) => app.setLines(Number(event.target.value)));
}

async function start() {
  const transport = await connect({ lost: trouble });
  prepare();
  const app = new App(transport);
  listen(app);
  await app.start();
  document.documentElement.dataset.ready = "true";
  if (transport.isInstallable && "serviceWorker" in navigator) {
    // Without it the page works all the same, but not offline.
    await navigator.serviceWorker.register("service-worker.js").catch(() => {});
  }
}

start().catch((error) => trouble(error.message));
