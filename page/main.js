// The page: starts what it needs, and listens to the user.
import { App } from "./app.js";
import { connect } from "./engine/endpoint.js";
import { BrowserKeeper, Library, ServerKeeper, browserStore } from "./model/library.js";
import "./texts/languages.js";
import { choose, fill, t } from "./texts/words.js";
import { prepare } from "./views/dialogs.js";
import { $, $$, toast } from "./views/dom.js";
import { toggleTheme } from "./views/theme.js";

/** @param {string} text */
function trouble(text) {
  const place = $("#trouble");
  place.textContent = text;
  place.hidden = false;
}

/** What the keys do outside of fields. */
const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", k: "back", j: "forward", Home: "first", End: "last", 0: "first", $: "last", ArrowUp: "previous-variation",
  ArrowDown: "next-variation", f: "flip", a: "arrows", l: "engine", " ": "best", x: "threat", h: "hint", c: "comment", "?": "help",
  "[": "game-before", "]": "game-after",
};

/** Steps that a wheel turns faster than this are one, in milliseconds. */
const WHEEL = 60;

/** @param {App} app */
function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("dialog")) return;
    const isField = target.closest("input, select, textarea");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      if (isField) return;
      const does = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
      if (!does) return;
      app.intents.do(does);
    } else {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Escape") {
        if (!isField) app.exercises.practice?.leave();
        return /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
      }
      if (isField || (target.closest('[role="slider"]') && /^Arrow|Home|End/.test(event.key))) return;
      // A button that has the focus takes the space itself, and a list scrolls by the arrows.
      if (key === " " && target.closest("button, summary")) return;
      if (key === "m") $("#move").focus();
      else if (KEYS[key]) app.intents.do(KEYS[key]);
      else return;
    }
    event.preventDefault();
  });
}

/** @param {App} app */
function listenToPointers(app) {
  document.addEventListener("pointerdown", () => app.touched(), { capture: true });
  document.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const button = /** @type {Element} */ (event.target).closest("[data-do], [data-mode]");
    if (!button || button.closest("dialog")) return;
    // Whoever uses a pointer has the keys for the board.
    if (event.detail > 0) button.blur();
    if (button.dataset.mode) app.setMode(/** @type {"play" | "analyse"} */ (button.dataset.mode));
    else if (button.dataset.do === "theme") app.setTheme(toggleTheme());
    else app.intents.do(button.dataset.do ?? "");
    if (button.closest("#toast")) $("#toast").hidden = true;
  });
  let last = 0;
  $(".frame").addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    if (event.timeStamp - last < WHEEL) return;
    last = event.timeStamp;
    app.intents.do(event.deltaY > 0 ? "forward" : "back");
  }, { passive: false });
  listenToGrip(app);
}

/** The corner of the board, which makes it larger and smaller. @param {App} app */
function listenToGrip(app) {
  const grip = $(".grip");
  grip.addEventListener("pointerdown", (event) => {
    const frame = $(".frame").getBoundingClientRect();
    const { scale } = app.session.settings;
    const whole = frame.width / scale;
    grip.setPointerCapture(event.pointerId);
    const move = (now) => app.setScale((now.clientX - frame.left) / whole);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  grip.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05 }[event.key];
    if (!step) return;
    event.preventDefault();
    app.setScale(app.session.settings.scale + step);
  });
  grip.addEventListener("dblclick", () => app.setScale(1));
}

/** Texts that are pasted and files that are dropped anywhere. @param {App} app */
function listenToTexts(app) {
  const open = (/** @type {Promise<void>} */ opening) => opening.catch((error) => toast(error.message));
  document.addEventListener("paste", (event) => {
    if (/** @type {Element} */ (event.target).closest?.("input, textarea, dialog")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length > 0) open(app.opener.files(files));
    else if (text.trim()) open(app.opener.text(text));
  });
  const drop = $("#drop");
  const isOurs = (/** @type {DragEvent} */ event) => ["Files", "text/plain"].some((type) => event.dataTransfer?.types.includes(type));
  document.addEventListener("dragover", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener("dragleave", (event) => (drop.hidden = !event.relatedTarget ? true : drop.hidden));
  document.addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    drop.hidden = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    for (const dialog of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (dialog).close();
    if (files.length > 0) open(app.opener.files(files));
    else if (text.trim()) open(app.opener.text(text));
  });
}

/** @param {App} app */
function listen(app) {
  listenToKeys(app);
  listenToPointers(app);
  listenToTexts(app);
  $("#typed").addEventListener("submit", (event) => {
    event.preventDefault();
    app.intents.type($("#move"));
  });
  $("#line-count").addEventListener("change", (event) => app.set({ lines: Number(event.target.value) }));
  for (const place of $$(".level")) {
    const level = (/** @type {string} */ value) => (value === "null" ? null : Number(value));
    $("select", place).addEventListener("change", (event) => app.intents.setLevel(place.dataset.side, level(event.target.value)));
  }
  addEventListener("pagehide", () => app.leave());
  document.addEventListener("visibilitychange", () => document.hidden && app.leave());
}

async function start() {
  choose(undefined, navigator.languages);
  fill();
  $("#status").textContent = t("moment");
  const transport = await connect({ lost: () => trouble(t("lost")), failed: trouble });
  prepare();
  const library = new Library(transport.isServed ? new ServerKeeper() : null, new BrowserKeeper(browserStore()));
  await library.start();
  const app = new App(transport, library);
  listen(app);
  await app.start();
  document.documentElement.dataset.ready = "true";
  if (transport.isInstallable && "serviceWorker" in navigator) {
    // Without it the page works all the same, but not offline.
    await navigator.serviceWorker.register("service-worker.js").catch(() => {});
  }
}

start().catch((error) => {
  trouble(error.message);
  $("#status").textContent = t("nothing.here");
});
