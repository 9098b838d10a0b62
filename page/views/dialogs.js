// The dialogs: each resolves with what was chosen, or with `null`.
import { $, element } from "./dom.js";

// Of a file no more is read: the rules would refuse longer games anyway.
const MOST_BYTES = 16 << 20;

/** Shows a dialog until it is closed. Resolves with whether it was confirmed. */
function shown(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "ok"), { once: true }));
}

export function prepare() {
  for (const button of document.querySelectorAll("dialog [data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close(""));
  }
  // A click beside a dialog closes it.
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && event.detail > 0 && !isInside(dialog, event)) dialog.close("");
    });
  }
}

function isInside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** The strength in words; above the highest rating there is none. */
export const eloText = (elo) => (elo === null ? "full" : `${elo} Elo`);

/** What the next game is to be. `elo` has the bounds of the engine's option. */
export async function askForGame(settings, bounds) {
  const dialog = $("#new");
  const [slider, output, limit, kind] = ["#elo", "#elo-text", "#limit", "#limit-kind"].map((name) => $(name));
  const step = 50;
  const lowest = Math.ceil(bounds.min / step) * step;
  const highest = Math.floor(bounds.max / step) * step;
  // One step above the ratings is all that the engine can do.
  Object.assign(slider, { min: lowest, max: highest + step, step });
  const elo = () => (Number(slider.value) > highest ? null : Number(slider.value));
  const tell = () => {
    output.textContent = eloText(elo());
    slider.setAttribute("aria-valuetext", eloText(elo()));
  };
  slider.oninput = tell;
  slider.value = settings.elo ?? highest + step;
  tell();
  const restrict = () => {
    const isTime = kind.value === "movetime";
    Object.assign(limit, { min: isTime ? 0.1 : 1, max: { movetime: 3600, nodes: 1e12, depth: 100 }[kind.value], step: isTime ? 0.1 : 1 });
  };
  kind.onchange = () => {
    limit.value = { movetime: 1, nodes: 10000, depth: 8 }[kind.value];
    restrict();
  };
  [kind.value, limit.value] = [settings.limit.kind, settings.limit.value];
  restrict();
  const radio = (name) => $(`[name="${name}"]:checked`, dialog).value;
  const showNumber = () => ($("#number-row").hidden = radio("from") !== "chess960");
  for (const choice of dialog.querySelectorAll('[name="from"]')) choice.onchange = showNumber;
  $('[name="from"][value="start"]', dialog).checked = true;
  showNumber();
  if (!(await shown(dialog))) return null;
  const sides = ["white", "black"];
  const side = radio("side");
  return {
    you: side === "random" ? sides[Math.floor(Math.random() * 2)] : side,
    elo: elo(),
    limit: { kind: kind.value, value: Number(limit.value) },
    from: radio("from"),
    number: $("#number").value === "" ? Math.floor(Math.random() * 960) : Number($("#number").value),
  };
}

/** A position or a game that was pasted or chosen: `{ fen }`, `{ game }`, or `"before"`. */
export async function askForText(ask, hasBefore) {
  const dialog = $("#open");
  const [text, file, row, list, error] = ["#open-text", "#open-file", "#games-row", "#games", "#open-error"].map((name) => $(name));
  let result = null;
  let read = 0;
  const look = async () => {
    const wanted = row.hidden ? 0 : Math.max(list.selectedIndex, 0);
    const turn = ++read;
    result = null;
    error.textContent = "";
    if (text.value.trim() === "") return void (row.hidden = true);
    /** @type {any} */
    const found = await understood(ask, text.value, wanted).catch((problem) => ({ error: problem.message }));
    if (turn !== read) return;
    error.textContent = found.error ?? found.notes ?? "";
    result = found.error ? null : found;
    const games = found.games ?? [];
    row.hidden = games.length < 2;
    list.replaceChildren(...games.map((game, index) =>
      element("option", { selected: index === wanted }, `${index + 1}. ${game.white} – ${game.black}, ${game.result}, ${game.date}`)));
  };
  const fresh = () => {
    row.hidden = true;
    return look();
  };
  text.oninput = () => (row.hidden = true);
  text.onchange = fresh;
  list.onchange = look;
  file.onchange = async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    try {
      const unpacked = await ask({ do: "unpack", name: chosen.name, data: await base64(chosen.slice(0, MOST_BYTES)) });
      text.value = unpacked.text;
      file.value = "";
      await fresh();
      if (unpacked.damage && text.value === "") error.textContent = unpacked.damage;
    } catch (problem) {
      error.textContent = problem.message;
    }
  };
  Object.assign(text, { value: "" });
  [error.textContent, row.hidden] = ["", true];
  const before = $('[data-do="before"]', dialog);
  before.hidden = !hasBefore;
  before.onclick = () => dialog.close("before");
  // What cannot be read keeps the dialog open.
  $("form", dialog).onsubmit = async (event) => {
    event.preventDefault();
    await (row.hidden ? fresh() : look());
    if (result) dialog.close("ok");
    else if (!error.textContent) error.textContent = "Paste a game or a position, or choose a file.";
  };
  const isConfirmed = await shown(dialog);
  return dialog.returnValue === "before" ? "before" : isConfirmed ? result : null;
}

/** The bytes of a file in base64. */
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // An empty file may have no comma.
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** A text as a position, if it is one line that the rules take for one, or else as games. */
async function understood(ask, text, wanted) {
  const trimmed = text.trim();
  if (/^((position|setboard|epd|fen[:=]?|\[fen)\s+)*(startpos|\S+\/\S+\/\S+)( [^\]\n]*)?\]?$/i.test(trimmed)) {
    const { fen, warnings } = await ask({ do: "setup", fen: trimmed });
    return { fen: { fen }, notes: warnings.join("; ") };
  }
  const { games, errors, remarks, game } = await ask({ do: "read-pgn", text, game: wanted });
  const left = errors.length ? `${errors.length} ${errors.length > 1 ? "games" : "game"} left out. ${errors[0]}` : "";
  const more = remarks.length > 1 ? ` (and ${remarks.length - 1} more)` : "";
  const notes = [left, remarks.length ? `${remarks[0]}${more}` : ""].filter(Boolean).join(" ");
  return { game, games, notes };
}

/** Offers a position and a game to be copied or saved. */
export async function offer(fen, pgn, name) {
  const dialog = $("#save");
  $("#save-fen").value = fen;
  $("#save-pgn").value = pgn;
  const told = $("#saved");
  told.textContent = "";
  for (const button of dialog.querySelectorAll("[data-copy]")) {
    button.onclick = async () => {
      const field = $(`#${button.dataset.copy}`);
      try {
        await navigator.clipboard.writeText(field.value);
        told.textContent = "Copied.";
      } catch {
        field.select();
        told.textContent = "The browser does not allow it; the text is selected to be copied by hand.";
      }
    };
  }
  $('[data-do="download"]', dialog).onclick = () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" })), download: name });
    link.click();
    // Not before the browser has taken it.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    told.textContent = `Saved as ${name}.`;
  };
  await shown(dialog);
}

/** Threads and memory of the engine. */
export async function askForSettings(settings, options, hasThreads) {
  const dialog = $("#settings");
  const [threads, hash] = [$("#threads"), $("#hash")];
  const cores = navigator.hardwareConcurrency || 1;
  $("#threads-row").hidden = !hasThreads;
  Object.assign(threads, { max: hasThreads ? Math.min(options.get("Threads")?.max ?? 1, Math.max(cores, 1)) : 1, value: settings.threads });
  Object.assign(hash, { max: Math.min(options.get("Hash")?.max ?? 1024, 65536), value: settings.hash });
  $("#settings-note").textContent = hasThreads
    ? `This machine has ${cores} threads.`
    : "The engine has one thread here: several need a page that is cross-origin isolated, as this one is from the second visit on where the browser allows it.";
  if (!(await shown(dialog))) return null;
  return { threads: Number(threads.value), hash: Number(hash.value) };
}

/** Which piece a pawn becomes: one of the moves, or `null`. */
export async function askForPromotion(moves, color) {
  const names = { q: "queen", r: "rook", b: "bishop", n: "knight" };
  const dialog = $("#promotion");
  let chosen = null;
  const buttons = Object.entries(names).flatMap(([letter, name]) => {
    const move = moves.find(({ promotion }) => promotion === letter);
    if (!move) return [];
    const button = element("button", { type: "button", "aria-label": name }, element("img", { src: `pieces/${color}-${name}.svg`, alt: "" }));
    button.onclick = () => {
      chosen = move;
      dialog.close("ok");
    };
    return [button];
  });
  $(".palette", dialog).replaceChildren(...buttons);
  await shown(dialog);
  return chosen;
}
