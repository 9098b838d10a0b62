// The board: a picture of a position, redrawn for each.
import { PIECES, checkedKing, described, isWhite, lastSquares } from "../rules/position.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element of a picture. */
export function shape(name, attributes, text = /** @type {string | number} */ ("")) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = String(text);
  return element;
}

const wantsRest = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  constructor(element) {
    this.element = element;
    this.flipped = false;
  }

  /** Column and row of a square as the board lies. */
  place(square) {
    const [column, row] = [square % 8, 7 - Math.floor(square / 8)];
    return this.flipped ? [7 - column, 7 - row] : [column, row];
  }

  /** Shows a position, with an arrow if there is a move to point out; `from` is the position whose move is seen. */
  show(position, { best, from }) {
    const { element } = this;
    element.replaceChildren(shape("use", { href: "#squares" }));
    for (const square of lastSquares(position)) element.append(this.square(square, "last"));
    const king = checkedKing(position);
    if (king !== null) element.append(this.square(king, "check"));
    element.append(...this.coordinates(), ...this.pieces(position));
    this.point(best);
    element.setAttribute("aria-label", described(position));
    if (from && !wantsRest()) this.glide(position);
  }

  /** Draws an arrow for a move instead of the one there is, or none. */
  point(best) {
    this.element.querySelector(".arrow")?.remove();
    if (best && best.from !== best.to) this.element.append(this.arrow(best));
  }

  /** Marks the square of a piece that is to move, and those it may go to. */
  mark(picked, targets) {
    for (const mark of this.element.querySelectorAll(".picked, .target")) mark.remove();
    if (picked === null) return;
    this.element.querySelector("use").after(this.square(picked, "picked"));
    for (const target of targets) {
      const [x, y] = this.place(target);
      const isTaken = this.element.querySelector(`[data-square="${target}"]`);
      this.element.append(shape("circle", { class: "target", cx: x + 0.5, cy: y + 0.5, r: isTaken ? 0.44 : 0.15 }));
      if (isTaken) this.element.lastChild.classList.add("taken");
    }
  }

  square(square, name) {
    const [x, y] = this.place(square);
    return shape("rect", { class: name, x, y, width: 1, height: 1 });
  }

  coordinates() {
    return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((at) => {
      const [file, rank] = this.flipped ? ["hgfedcba"[at], at + 1] : ["abcdefgh"[at], 8 - at];
      return [
        shape("text", { class: "coordinate", x: at + 0.97, y: 7.95, "text-anchor": "end" }, file),
        shape("text", { class: "coordinate", x: 0.03, y: at + 0.19 }, rank),
      ];
    });
  }

  pieces({ pieces }) {
    return pieces.flatMap((piece, square) => {
      if (!piece) return [];
      const [x, y] = this.place(square);
      const side = isWhite(piece) ? "white" : "black";
      return [shape("use", {
        class: side, href: `#${PIECES[piece.toLowerCase()]}`, x, y, "data-square": square,
      })];
    });
  }

  arrow({ from, to }) {
    const [x, y] = this.place(from);
    const [toX, toY] = this.place(to);
    const length = Math.hypot(toX - x, toY - y);
    const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    const neck = length - 0.4;
    return shape("path", {
      class: "arrow best",
      d: `M.25-.07H${neck}V-.22L${length} 0 ${neck} .22V.07H.25Z`,
      transform: `translate(${x + 0.5} ${y + 0.5}) rotate(${angle})`,
    });
  }

  /** Lets the piece that has just moved come from where it was. */
  glide(position) {
    const [from, to] = lastSquares(position);
    const piece = this.element.querySelector(`[data-square="${to}"]`);
    if (!piece) return;
    const [[x, y], [toX, toY]] = [this.place(from), this.place(to)];
    const start = `translate(${x - toX}px, ${y - toY}px)`;
    piece.animate([{ transform: start }, { transform: "none" }], { duration: 140, easing: "ease-out" });
  }
}
