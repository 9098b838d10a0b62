// The clipboard, which not every browser gives to pages from files.

/**
 * Puts a text on the clipboard, and says whether it is there.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOfSelection(text);
  }
}

/** @param {string} text */
function copyOfSelection(text) {
  const area = document.createElement("textarea");
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const place = before?.closest("dialog") ?? document.body;
  Object.assign(area, { readOnly: true, value: text, className: "hidden" });
  place.append(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch { /* not allowed */ }
  area.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
}
