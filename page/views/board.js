// The board: chessground, told what may be moved.
import { Chessground } from "../vendor/chessground.min.js";

const brush = (/** @type {string} */ key, /** @type {string} */ color, opacity = 0.9, lineWidth = 10) => ({ key, color, opacity, lineWidth });
const BRUSHES = {
  green: brush("g", "#2f7d5b"),
  red: brush("r", "#b8323c"),
  blue: brush("b", "#2667ac"),
  yellow: brush("y", "#c58a1b"),
  best: brush("best", "#2667ac", 0.85, 11),
  other: brush("other", "#2667ac", 0.45, 8),
  threat: brush("threat", "#b8323c", 0.8, 10),
  hint: brush("hint", "#2f7d5b", 0.9, 11),
};

/** Further than this a finger swipes, in pixels. */
const SWIPE = 30;

/** The squares of an area of the board, for a hint. */
const AREAS = /** @type {Record<string, string>} */ ({ queenside: "abc", centre: "de", kingside: "fgh" });

export class BoardView {
  #ground;
  /** @type {any} */ #position = null;
  #isFree = false;
  /** Arrows of the engine, and of a review. @type {object[]} */ #pointed = [];
  /** @type {object[]} */ #explained = [];
  #sizes = new ResizeObserver(() => this.#ground.redrawAll());

  /**
   * `moved` is called with a legal move, `touched` with the square that is chosen while a position is set up, `drawn` with
   * arrows and circles, `promote` asks for a piece. Where fingers swipe, `swiped` is called with 1 or -1, and the page scrolls
   * under them.
   * @param {HTMLElement} host
   * @param {{ moved: (move: any) => void, touched?: (square: string) => void, drawn?: (marks: import("../model/marks.js").Mark[]) => void,
   *   promote: (moves: any[], turn: string) => Promise<any>, swiped?: (distance: number) => void }} hears
   */
  constructor(host, { moved, touched, drawn, promote, swiped }) {
    this.host = host;
    this.moved = moved;
    this.promote = promote;
    this.#ground = Chessground(host, {
      coordinates: true,
      blockTouchScroll: !swiped,
      disableContextMenu: true,
      addPieceZIndex: false,
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
      premovable: { enabled: true, showDests: true, castle: true },
      movable: { free: false, rookCastle: true, showDests: true, events: { after: (from, to) => this.#after(from, to) } },
      draggable: { showGhost: true },
      drawable: {
        enabled: true, brushes: BRUSHES, defaultSnapToValidMove: false,
        onChange: (shapes) => drawn?.(shapes.map(({ orig, dest, brush }) => ({ color: brush, from: orig, ...(dest && { to: dest }) }))),
      },
      events: { select: touched },
    });
    // Where it stands is known only as long as nothing above it comes or goes.
    for (const name of ["mousedown", "touchstart"]) host.addEventListener(name, () => this.#ground.state.dom.bounds.clear(), { capture: true, passive: true });
    if (swiped) this.#listenToSwipes(swiped);
    // Its picture changes size with its place.
    this.#sizes.observe(host);
  }

  /** A finger that goes aside and takes no piece along. @param {(distance: number) => void} swiped */
  #listenToSwipes(swiped) {
    /** @type {Touch | null} */
    let start = null;
    this.host.addEventListener("touchstart", ({ touches }) => {
      start = touches.length === 1 && !this.#ground.state.draggable.current ? touches[0] : null;
    }, { passive: true });
    this.host.addEventListener("touchend", ({ changedTouches: [end] }) => {
      const [x, y] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
      start = null;
      if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) swiped(x < 0 ? 1 : -1);
    });
  }

  /** @param {object} config */
  #set(config) {
    this.#change(() => this.#ground.set(config));
  }

  /**
   * Changes what is shown. The time of a frame is when it began: on a busy machine that can be long before the change, and
   * pieces that move would be drawn far beyond where they come from.
   * @param {() => void} change
   */
  #change(change) {
    change();
    requestAnimationFrame((now) => {
      const { animation: { current }, dom } = this.#ground.state;
      if (!current || current.start <= now) return;
      current.start = now;
      for (const vector of current.plan.anims.values()) [vector[2], vector[3]] = vector;
      dom.redrawNow(true);
    });
  }

  get orientation() {
    return this.#ground.state.orientation;
  }

  /** @param {string} orientation */
  turn(orientation) {
    if (orientation !== this.orientation) this.#set({ orientation });
  }

  /** @param {boolean} shown */
  showCoordinates(shown) {
    if (this.#ground.state.coordinates === shown) return;
    this.#set({ coordinates: shown });
    this.#ground.redrawAll();
  }

  /**
   * Shows a position; `movable` is the side that may move, or that may decide on its next move, `both` or none. A piece in
   * hand stays there as the same game goes on.
   * @param {any} position
   * @param {string | undefined} movable
   * @param {boolean} [isOfSameGame]
   */
  show(position, movable, isOfSameGame = false) {
    this.#position = position;
    this.#isFree = false;
    const dests = new Map();
    for (const { from, to } of position.moves) dests.set(from, [...(dests.get(from) ?? []), ...to]);
    if (movable === undefined) this.#ground.cancelPremove();
    const { selected } = this.#ground.state;
    const isInHand = isOfSameGame && selected && this.at(selected)?.color === movable;
    this.#set({
      fen: position.fen,
      turnColor: position.turn,
      check: position.check ? position.turn : false,
      lastMove: position.last ?? [],
      selected: isInHand ? selected : undefined,
      movable: { free: false, color: movable, dests },
      draggable: { deleteOnDropOff: false },
    });
  }

  /** Plays the move that was decided on before, if it is legal now. */
  playPremove() {
    if (this.#ground.state.premovable.current) this.#change(() => this.#ground.playPremove());
  }

  /** Shows another position for a moment. @param {string} fen @param {string[]} last */
  preview(fen, last) {
    this.#set({ fen, lastMove: last, check: false, movable: { color: undefined } });
    this.#ground.setAutoShapes([]);
    this.#pointed = [];
  }

  /**
   * Draws arrows of the engine.
   * @param {{ from: string, to: string }[]} moves
   * @param {string} [kind]
   */
  arrows(moves, kind = "best") {
    this.#pointed = moves.map(({ from, to }, index) => ({ orig: from, dest: to, brush: index ? "other" : kind }));
    this.#ground.setAutoShapes([...this.#pointed, ...this.#explained]);
  }

  /**
   * Draws why the move made was bad, and in another colour what the next one will miss: arrows, and circles around the squares
   * that matter.
   * @param {{ arrows: string[], squares: string[] } | null} allowed
   * @param {{ arrows: string[], squares: string[] } | null} missed
   */
  explain(allowed, missed) {
    const shapes = (/** @type {{ arrows: string[], squares: string[] } | null} */ reason, /** @type {string} */ brush) => [
      ...(reason?.arrows ?? []).map((move) => ({ orig: move.slice(0, 2), dest: move.slice(2, 4), brush })),
      ...(reason?.squares ?? []).map((orig) => ({ orig, brush })),
    ];
    const drawn = [...shapes(allowed, "threat"), ...shapes(missed, "hint")];
    if (this.#explained.length === 0 && drawn.length === 0) return;
    this.#explained = drawn;
    this.#ground.setAutoShapes([...this.#pointed, ...this.#explained]);
  }

  /** Draws a hint: an area, a square, or a move. @param {{ step: number, area: string, move: any }} hint */
  hint({ step, area, move }) {
    const squares = step === 1 ? [...AREAS[area]].flatMap((file) => [1, 2, 3, 4, 5, 6, 7, 8].map((rank) => `${file}${rank}`)) : [move.from];
    const shapes = squares.map((orig) => ({ orig, brush: "hint" }));
    this.#ground.setAutoShapes(step < 3 ? shapes : [{ orig: move.from, dest: move.to[0], brush: "hint" }]);
  }

  /** The arrows and circles of the game. @param {import("../model/marks.js").Mark[]} marks */
  marks(marks) {
    this.#ground.setShapes(marks.map(({ color, from, to }) => ({ orig: from, dest: to, brush: color })));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  async #after(from, to) {
    const position = this.#position;
    if (this.#isFree) return;
    const moves = position.moves.filter((move) => move.from === from && move.to.includes(to));
    const move = moves.length > 1 ? await this.promote(moves, position.turn) : moves[0];
    if (move) this.moved(move);
    else this.again();
  }

  /** It is taken out of the page. */
  leave() {
    this.#sizes.disconnect();
    // What is left to be drawn has no size any more.
    this.arrows([]);
    this.marks([]);
    this.#ground.destroy();
  }

  /** The position as it is, after something that was not done. */
  again() {
    this.show(this.#position, this.#ground.state.movable.color);
  }

  /** Lets any piece be put anywhere, from the position shown. */
  free() {
    this.#isFree = true;
    this.#ground.cancelPremove();
    this.#set({ check: false, lastMove: [], selected: undefined, movable: { free: true, color: "both" }, draggable: { deleteOnDropOff: true } });
    this.#ground.setAutoShapes([]);
    this.#ground.setShapes([]);
  }

  /** Puts a piece on a square, or takes away what is there. @param {string} square @param {any} piece */
  put(square, piece) {
    this.#change(() => this.#ground.setPieces(new Map([[square, piece ?? undefined]])));
    this.#ground.selectSquare(null);
  }

  /** The piece on a square. @param {string} square */
  at(square) {
    return this.#ground.state.pieces.get(square);
  }

  /** Drags a new piece onto the board. @param {any} piece @param {Event} event */
  drag(piece, event) {
    this.#ground.dragNewPiece(piece, event, true);
  }

  /** @param {string} fen */
  place(fen) {
    this.#set({ fen });
  }

  /** The first field of a FEN. */
  get placement() {
    return this.#ground.getFen();
  }
}
