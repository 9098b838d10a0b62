// Positions and games for the clipboard.

/** The tags and the moves of the game as PGN. */
export function pgnOf({ data, main }) {
  const escaped = (text) => text.replace(/[\\"]/g, "\\$&").replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
  const tags = data.tags.map(([name, value]) => `[${name} "${escaped(value)}"]\n`);
  const words = main.moves.flatMap((move, index) => {
    const { turn, number } = main.positions[index];
    if (turn === "w") return [`${number}.`, move.name];
    return index ? [move.name] : [`${number}...`, move.name];
  });
  let text = "";
  let width = 0;
  for (const word of [...words, data.result]) {
    const isFull = width + 1 + word.length > 79;
    text += (width ? (isFull ? "\n" : " ") : "") + word;
    width = isFull || !width ? word.length : width + 1 + word.length;
  }
  return `${tags.join("")}\n${text}\n`;
}

/** Puts a text on the clipboard, and tells whether it is there. Not every browser has a clipboard for pages from files. */
export async function copy(text, name, tell) {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${name} copied.`);
  } catch {
    if (copyOfSelection(text)) tell(`${name} copied.`);
    else showText(text, name);
  }
}

function copyOfSelection(text) {
  const area = areaOf(text);
  const before = /** @type {HTMLElement} */ (document.activeElement);
  area.className = "hidden";
  document.body.append(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch { /* not allowed */ }
  area.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
}

function areaOf(text) {
  const area = document.createElement("textarea");
  area.readOnly = true;
  area.value = text;
  return area;
}

/** The text to be copied by hand. */
function showText(text, name) {
  const dialog = document.createElement("dialog");
  const label = document.createElement("label");
  const close = document.createElement("button");
  const area = areaOf(text);
  label.append(`${name}, to be copied from here`, area);
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.className = "panel";
  dialog.append(label, close);
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}
