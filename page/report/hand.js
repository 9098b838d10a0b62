// Moves of one's own: by two clicks or taps, by dragging a piece, or typed.
import { kingTarget, legalMoves, movesTo, named } from "../rules/moves.js";

/** Further than this a press is no click, in pixels. */
const CLICK = 6;
/** Further than this a finger swipes. */
const SWIPE = 30;

export class Hand {
  /** `position` tells what is on the board; `play` is called with a legal move, and `swipe` with 1 or -1. */
  constructor(board, chooser, { position, play, swipe }) {
    this.board = board;
    this.chooser = chooser;
    this.position = position;
    this.play = play;
    this.swipe = swipe;
    this.picked = null;
    /** The position whose moves are known. */
    this.movesOf = null;
    this.known = [];
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", () => this.letGo());
    chooser.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.promote(button.value);
    });
  }

  /** The legal moves, reckoned once for each position. */
  get moves() {
    const position = this.position();
    if (this.movesOf !== position) [this.movesOf, this.known] = [position, legalMoves(position)];
    return this.known;
  }

  squareAt({ clientX, clientY }) {
    const { left, top, width, height } = this.board.element.getBoundingClientRect();
    const [x, y] = [Math.floor((8 * (clientX - left)) / width), Math.floor((8 * (clientY - top)) / height)];
    if (x < 0 || x > 7 || y < 0 || y > 7) return null;
    return this.board.flipped ? (7 - x) + 8 * y : x + 8 * (7 - y);
  }

  canMove(square) {
    return this.moves.some((move) => move.from === square);
  }

  press(event) {
    if (event.button || !this.chooser.hidden) return;
    const square = this.squareAt(event);
    this.pressed = { x: event.clientX, y: event.clientY, square };
    // A finger swipes or scrolls instead.
    if (event.pointerType === "touch" || !this.canMove(square)) return;
    this.dragged = this.board.element.querySelector(`[data-square="${square}"]`);
    this.board.element.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.dragged || !this.pressed) return;
    const [x, y] = [event.clientX - this.pressed.x, event.clientY - this.pressed.y];
    if (Math.hypot(x, y) > CLICK && this.picked !== this.pressed.square) this.pick(this.pressed.square);
    const unit = this.board.element.clientWidth / 8;
    this.dragged.style.transform = `translate(${x / unit}px, ${y / unit}px)`;
  }

  release(event) {
    const { pressed, dragged } = this;
    this.letGo();
    if (!pressed) return;
    const [x, y] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (dragged && Math.hypot(x, y) > CLICK) {
      this.drop(pressed.square, this.squareAt(event));
    } else if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) {
      this.pick(null);
      this.swipe(x < 0 ? 1 : -1);
    } else if (Math.hypot(x, y) <= SWIPE) {
      this.click(pressed.square);
    }
  }

  letGo() {
    if (this.dragged) this.dragged.style.transform = "";
    this.pressed = this.dragged = null;
  }

  click(square) {
    const { picked } = this;
    const isTarget = picked !== null && movesTo(this.moves, picked, square).length > 0;
    if (isTarget) this.drop(picked, square);
    else this.pick(square !== picked && this.canMove(square) ? square : null);
  }

  /** Shows where a piece may go, or nothing any more. */
  pick(square) {
    this.picked = square;
    const targets = this.moves.filter((move) => move.from === square)
      .map((move) => (move.name.startsWith("O-O") ? kingTarget(move) : move.to));
    this.board.mark(square, new Set(targets));
  }

  /** Plays what is meant, after asking which piece a pawn becomes. */
  drop(from, to) {
    const moves = to === null ? [] : movesTo(this.moves, from, to);
    this.pick(null);
    if (moves.length > 1) this.ask(moves);
    else if (moves.length) this.finish(moves[0]);
  }

  ask(moves) {
    const side = this.position().turn === "w" ? "white" : "black";
    this.choices = moves;
    for (const picture of this.chooser.querySelectorAll("svg")) picture.setAttribute("class", side);
    this.chooser.hidden = false;
    this.chooser.querySelector("button").focus({ preventScroll: true });
  }

  promote(letter) {
    const move = this.choices.find(({ name }) => name === `=${letter}`);
    this.close();
    if (move) this.finish(move);
  }

  /** Takes back the question and the piece in hand; says whether there was one. */
  close() {
    const isOpen = !this.chooser.hidden || this.picked !== null;
    this.chooser.hidden = true;
    if (this.picked !== null) this.pick(null);
    return isOpen;
  }

  finish(move) {
    this.play(named(this.position(), this.moves, move));
  }
}
