// The dialogs: each resolves with what was chosen, or with `null`.
import { ODDS_NAMES } from "../model/start.js";
import { BOARDS, PIECE_SETS } from "../model/session.js";
import { languages, t } from "../texts/words.js";
import { copied } from "./clipboard.js";
import { $, $$, element } from "./dom.js";

/** Shows a dialog until it is closed. Resolves with whether it was confirmed. @param {HTMLDialogElement} dialog @returns {Promise<boolean>} */
export function shown(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "ok"), { once: true }));
}

export function prepare() {
  for (const button of $$("dialog [data-close]")) button.addEventListener("click", () => button.closest("dialog").close(""));
  // A click beside a dialog closes it.
  for (const dialog of $$("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && event.detail > 0 && !isInside(dialog, event)) dialog.close("");
    });
  }
  $("#odds").replaceChildren(...ODDS_NAMES.map((piece) => element("option", { value: piece }, t(piece))));
}

function isInside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** Asks whether something is really to be done. @param {string} question @param {string} yes */
export function sure(question, yes) {
  const dialog = $("#sure");
  $("#sure-text").textContent = question;
  $(".main", dialog).textContent = yes;
  return shown(dialog);
}

/** Texts and files: `open` takes them, and throws in words what keeps the dialog open. @param {{ text: (text: string) => Promise<void>, files: (files: File[]) => Promise<void> }} open */
export async function askForText(open) {
  const dialog = $("#open");
  const [text, file, error] = [$("#open-text"), $("#open-file"), $("#open-error")];
  text.value = "";
  file.value = "";
  error.textContent = "";
  const attempt = async (body) => {
    error.textContent = "";
    try {
      await body();
      dialog.close("ok");
    } catch (problem) {
      error.textContent = problem.message;
    }
  };
  file.onchange = () => file.files.length && attempt(() => open.files([...file.files]));
  $("form", dialog).onsubmit = (event) => {
    event.preventDefault();
    if (text.value.trim() === "") error.textContent = t("open.nothing");
    else attempt(() => open.text(text.value));
  };
  await shown(dialog);
}

/** Offers a position and a game to be copied or saved. @param {string} fen @param {string} pgn @param {string} name */
export async function offer(fen, pgn, name) {
  const dialog = $("#save");
  $("#save-fen").value = fen;
  $("#save-pgn").value = pgn;
  const told = $("#saved");
  told.textContent = "";
  for (const button of $$("[data-copy]", dialog)) {
    button.onclick = async () => {
      const field = $(`#${button.dataset.copy}`);
      const isCopied = await copied(field.value);
      if (!isCopied) field.select();
      told.textContent = t(isCopied ? "copied" : "copy.by.hand");
    };
  }
  $('[data-do="print"]', dialog).onclick = () => {
    dialog.close();
    print();
  };
  $('[data-do="download"]', dialog).onclick = () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" })), download: name });
    link.click();
    // Not before the browser has taken it.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    told.textContent = t("saved.as", { name });
  };
  await shown(dialog);
}

/** Fills a list of choices. @param {string} selector @param {[string, string][]} choices @param {string} chosen */
function fillChoices(selector, choices, chosen) {
  $(selector).replaceChildren(...choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

/**
 * Threads and memory of the engine, and how the board looks.
 * @param {import("../model/session.js").Settings} settings
 * @param {Map<string, any>} options
 * @param {boolean} hasThreads
 * @param {string} language
 * @param {() => void} more asks for the options of the engine
 */
export async function askForSettings(settings, options, hasThreads, language, more) {
  const dialog = $("#settings");
  $('[data-do="engine-options"]', dialog).onclick = more;
  const [threads, hash] = [$("#threads"), $("#hash")];
  const cores = navigator.hardwareConcurrency || 1;
  $("#threads-row").hidden = !hasThreads;
  Object.assign(threads, { max: hasThreads ? Math.min(options.get("Threads")?.max ?? 1, Math.max(cores, 1)) : 1, value: hasThreads ? settings.threads : 1 });
  Object.assign(hash, { max: Math.min(options.get("Hash")?.max ?? 1024, 65536), value: settings.hash });
  $("#settings-note").textContent = hasThreads ? t("threads.note", { cores }) : t("thread.note");
  fillChoices("#board-colours", BOARDS.map((board) => [board, t(`board.${board}`)]), settings.board);
  fillChoices("#piece-set", PIECE_SETS.map((set) => [set, t(`pieces.${set}`)]), settings.pieces);
  fillChoices("#language", languages().map(({ code, language }) => [code, language]), language);
  $("#sounds").checked = settings.sounds;
  $("#coordinates").checked = settings.coordinates;
  if (!(await shown(dialog))) return null;
  return {
    threads: hasThreads ? Number(threads.value) : settings.threads, hash: Number(hash.value), sounds: $("#sounds").checked, coordinates: $("#coordinates").checked,
    board: $("#board-colours").value, pieces: $("#piece-set").value, language: $("#language").value,
  };
}

/** The tags of a game, to be edited. @param {string[][]} tags */
export async function askForTags(tags) {
  const dialog = $("#tags");
  const row = (/** @type {string[]} */ [name, value]) => element("div", { class: "pair" },
    element("input", { value: name, "aria-label": t("tag.name"), maxlength: 255, pattern: "[A-Za-z0-9_]*", spellcheck: "false" }),
    element("input", { value, "aria-label": t("tag.value"), maxlength: 2000 }));
  const roster = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo"];
  const known = new Set(tags.map(([name]) => name));
  const all = [...roster.filter((name) => !known.has(name)).map((name) => [name, ""]), ...tags.filter(([name]) => !["Result", "FEN", "SetUp"].includes(name))];
  $(".rows", dialog).replaceChildren(...all.map(row));
  $("#tag-add").onclick = () => {
    $(".rows", dialog).append(row(["", ""]));
    $(".pair:last-child input", dialog).focus();
  };
  if (!(await shown(dialog))) return null;
  const edited = $$(".pair", dialog).map((pair) => [...pair.children].map((field) => field.value.trim())).filter(([name, value]) => /^\w+$/.test(name) && value);
  return [...edited, ...tags.filter(([name]) => ["Result", "FEN", "SetUp"].includes(name))];
}

const KEYS = /** @type {[string[], string][]} */ ([
  [["←", "→", "J", "K"], "key.step"], [["Home", "End"], "key.ends"], [["↑", "↓"], "key.variation"], [["F"], "key.flip"], [["L"], "key.engine"],
  [["A"], "key.arrows"], [["Space"], "key.best"], [["X"], "key.threat"], [["M"], "key.type"], [["C"], "key.comment"], [["H"], "key.hint"],
  [["Ctrl+Z", "Ctrl+Y"], "key.undo"], [["[", "]"], "key.games"], [["?"], "key.help"], [["Esc"], "key.escape"],
]);

/** What the keys do. */
export async function help() {
  /** @type {[string[], string][]} */
  const rows = [...KEYS, [[t("wheel")], "key.wheel"], [[t("right.button")], "key.draw"]];
  $("#help .keys").replaceChildren(...rows.map(([keys, text]) =>
    element("div", {}, element("dt", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "])), element("dd", {}, t(text)))));
  await shown($("#help"));
}
