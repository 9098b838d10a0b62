// The board: chessground, told what may be moved.
import { Chessground } from "../vendor/chessground.min.js";

const BRUSHES = {
  green: { key: "g", color: "#2f7d5b", opacity: 0.9, lineWidth: 10 },
  red: { key: "r", color: "#b8323c", opacity: 0.9, lineWidth: 10 },
  blue: { key: "b", color: "#2667ac", opacity: 0.9, lineWidth: 10 },
  yellow: { key: "y", color: "#c58a1b", opacity: 0.9, lineWidth: 10 },
  best: { key: "best", color: "#2667ac", opacity: 0.85, lineWidth: 11 },
  other: { key: "other", color: "#2667ac", opacity: 0.45, lineWidth: 8 },
};

export class BoardView {
  #ground;
  #position = null;

  /** `moved` is called with a legal move, `touched` with the square that is chosen while a position is set up. */
  constructor(host, { moved, touched, promote }) {
    this.host = host;
    this.moved = moved;
    this.touched = touched;
    this.promote = promote;
    this.#ground = Chessground(host, {
      coordinates: true,
      blockTouchScroll: true,
      disableContextMenu: true,
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
      premovable: { enabled: false },
      movable: { free: false, rookCastle: true, showDests: true, events: { after: (from, to) => this.#after(from, to) } },
      draggable: { showGhost: true },
      drawable: { enabled: true, brushes: BRUSHES },
      events: { select: (square) => this.touched(square) },
    });
    // Its picture changes size with its place.
    new ResizeObserver(() => this.#ground.redrawAll()).observe(host);
  }

  get orientation() {
    return this.#ground.state.orientation;
  }

  turn(orientation) {
    this.#ground.set({ orientation });
  }

  /** Shows a position; `movable` is the side that may move, `both` or none. */
  show(position, movable) {
    this.#position = position;
    const dests = new Map();
    for (const { from, to } of position.moves) dests.set(from, [...(dests.get(from) ?? []), ...to]);
    this.#ground.set({
      fen: position.fen,
      turnColor: position.turn,
      check: position.check ? position.turn : false,
      lastMove: position.last ?? [],
      movable: { free: false, color: movable, dests },
      draggable: { deleteOnDropOff: false },
    });
  }

  arrows(moves) {
    this.#ground.setAutoShapes(moves.map(({ from, to }, index) => ({ orig: from, dest: to, brush: index ? "other" : "best" })));
  }

  async #after(from, to) {
    const position = this.#position;
    const moves = position.moves.filter((move) => move.from === from && move.to.includes(to));
    const move = moves.length > 1 ? await this.promote(moves, position.turn) : moves[0];
    if (move) this.moved(move);
    else this.show(position, this.#ground.state.movable.color);
  }

  /** Lets any piece be put anywhere, from the position shown. */
  free() {
    this.#ground.set({
      check: false,
      lastMove: [],
      movable: { free: true, color: "both" },
      draggable: { deleteOnDropOff: true },
    });
    this.#ground.setAutoShapes([]);
  }

  /** Puts a piece on a square, or takes away what is there. */
  put(square, piece) {
    this.#ground.setPieces(new Map([[square, piece ?? undefined]]));
    this.#ground.selectSquare(null);
  }

  place(fen) {
    this.#ground.set({ fen });
  }

  /** The first field of a FEN. */
  get placement() {
    return this.#ground.getFen();
  }
}
