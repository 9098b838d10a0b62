// Lists of moves: buttons that lead to places in the game, and how one goes through them.
import { fenOf, uciOf } from "../rules/moves.js";
import { numbered } from "../rules/position.js";

/** A position of a line as UCI has it, with the moves that led to it: they can make it a draw by repetition. No turn that is
 * passed can be among them. */
export function uciPosition(line, index) {
  const moves = [];
  let [at, number] = [line, index];
  for (;;) {
    while (number === 0 && at.parent) [at, number] = [at.parent, at.at];
    const move = at.moves[number - 1];
    if (!move || move.from === move.to) break;
    number -= 1;
    moves.unshift(uciOf(at.positions[number], move));
  }
  return `position fen ${fenOf(at.positions[number])}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
}

/**
 * What a template of the page holds, anew.
 * @param {string} name
 * @returns {DocumentFragment}
 */
export function template(name) {
  const found = document.getElementById(name);
  return found instanceof HTMLTemplateElement ? /** @type {DocumentFragment} */ (found.content.cloneNode(true)) : new DocumentFragment();
}

/** The moves of a line as buttons that lead to them. */
export function moveButtons(line) {
  return line.moves.flatMap((move, index) => {
    const before = line.positions[index];
    const text = before.turn === "w" || index === 0 ? numbered(before, move) : move.name;
    return [goButton("move", line.place(index + 1), text), " "];
  });
}

/** A button with all that a span holds. */
export function buttonOf(span) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = span.className;
  Object.assign(button.dataset, span.dataset);
  button.append(...span.childNodes);
  return button;
}

export function goButton(name, place, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = name;
  button.dataset.go = place;
  button.tabIndex = name === "score" ? 0 : -1;
  button.textContent = text;
  return button;
}

/** Scrolls a move's list so that one sees it, and never the page: the board must stay where it is. */
export function bringIntoView(button) {
  const list = button.closest("ol");
  if (!list) return;
  const at = button.getBoundingClientRect();
  const row = button.closest("li").getBoundingClientRect();
  if (at.left < row.left || at.right > row.right) button.closest("li").scrollLeft += at.left - row.left - row.width / 2;
  const { top, bottom } = list.getBoundingClientRect();
  const end = top < innerHeight - 2 * at.height ? Math.min(bottom, innerHeight) : bottom;
  if (at.top < top || at.bottom > end) list.scrollTop += at.top - (top + end) / 2;
}

/** Gives a list one stop for the tabulator; up and down go through its buttons. */
export function rove(list) {
  if (!list) return;
  for (const [index, button] of list.querySelectorAll("button").entries()) button.tabIndex = index ? -1 : 0;
  list.addEventListener("keydown", (event) => {
    const distance = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!distance) return;
    const buttons = [...list.querySelectorAll("button")];
    buttons[buttons.indexOf(document.activeElement) + distance]?.focus();
    event.preventDefault();
  });
}
