// Which piece a pawn becomes.
import { local, t } from "../texts/words.js";
import { element } from "./dom.js";

const PIECES = { q: "queen", r: "rook", b: "bishop", n: "knight" };

/**
 * Asks: resolves with one of the moves, or with `null`.
 * @param {any[]} moves
 * @param {string} color
 * @returns {Promise<any>}
 */
export function askForPromotion(moves, color) {
  const dialog = element("dialog", { id: "promotion", "aria-label": t("promote.title") });
  for (const [letter, name] of Object.entries(PIECES)) {
    if (!moves.some(({ promotion }) => promotion === letter)) continue;
    const picture = element("span", { class: "cg-wrap" }, element("piece", { class: `${color} ${name}` }));
    const button = element("button", { type: "button", "aria-label": t(name), title: local(letter.toUpperCase()) }, picture);
    button.addEventListener("click", () => dialog.close(letter));
    dialog.append(button);
  }
  // A click beside it closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(""));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(moves.find(({ promotion }) => promotion === dialog.returnValue) ?? null);
    });
  });
}
