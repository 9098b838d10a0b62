// Setting up a position: pieces on the board by touch, the rest in fields. Whether it is legal, the rules say.
import { t } from "../texts/words.js";
import { $, $$, element } from "./dom.js";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const EMPTY = "8/8/8/8/8/8/8/8";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export class Setup {
  /** @type {any} */ #tool = null;
  #rest = "0 1";
  #checked = 0;

  constructor(board, ask) {
    this.board = board;
    this.ask = ask;
    this.panel = $("#setup");
    this.fen = $("#setup-fen");
    this.turn = $("#setup-turn");
    this.error = $("#setup-error");
    this.isOpen = false;
    this.turn.addEventListener("change", () => this.#compose());
    for (const box of this.#boxes()) box.addEventListener("change", () => this.#compose());
    this.fen.addEventListener("input", () => this.#read());
    // Pieces that are dragged end up where they are without a word.
    for (const name of ["mouseup", "touchend"]) {
      document.addEventListener(name, () => this.isOpen && setTimeout(() => this.#compose()));
    }
  }

  #boxes() {
    return $$('[name="castling"]', this.panel);
  }

  #makePalette() {
    const pieces = ["white", "black"].flatMap((color) => ROLES.map((role) => ({ color, role })));
    const buttons = pieces.map((piece) => {
      const image = element("img", { src: `pieces/${piece.color}-${piece.role}.svg`, alt: "", draggable: "false" });
      const label = t(`piece.${piece.color}`, { piece: t(piece.role) });
      const button = this.#asTool(element("button", { type: "button", "aria-label": label, "aria-pressed": "false" }, image), piece);
      // A touch chooses it, a pull takes one along.
      for (const name of ["mousedown", "touchstart"]) {
        button.addEventListener(name, (event) => {
          if (event.button) return;
          this.board.drag(piece, event);
          if (event.cancelable) event.preventDefault();
          button.click();
        }, { passive: false });
      }
      return button;
    });
    const tools = /** @type {[string, any][]} */ ([[t("setup.move"), null], [t("setup.take"), "none"]]).map(([text, tool]) =>
      this.#asTool(element("button", { type: "button", class: "tool", "aria-pressed": String(tool === null) }, text), tool));
    $(".palette", this.panel).replaceChildren(...buttons, ...tools);
  }

  #asTool(button, tool) {
    button.addEventListener("click", () => {
      this.#tool = tool;
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
    });
    return button;
  }

  open(fen) {
    this.#makePalette();
    this.#tool = null;
    this.isOpen = true;
    this.panel.hidden = false;
    this.board.free();
    this.set(fen);
  }

  close() {
    this.isOpen = false;
    this.panel.hidden = true;
  }

  start() {
    this.set(START);
  }

  empty() {
    this.set(`${EMPTY} w - - 0 1`);
  }

  /** Shows a FEN in the fields and on the board. */
  set(fen) {
    this.fen.value = fen;
    this.#read();
  }

  /** A square was touched. */
  touch(square) {
    if (this.#tool === null) return;
    const there = this.board.at(square);
    // The same piece again takes it away.
    const isSame = there?.role === this.#tool.role && there?.color === this.#tool.color;
    this.board.put(square, this.#tool === "none" || isSame ? null : this.#tool);
    this.#compose();
  }

  #read() {
    const [placement = "", turn = "w", castling = "-", , half = "0", full = "1"] = this.fen.value.trim().split(/\s+/);
    this.turn.value = turn === "b" ? "b" : "w";
    for (const box of this.#boxes()) box.checked = castling.includes(box.value);
    this.#rest = `${half} ${full}`;
    if (placement.split("/").length === 8) this.board.place(placement);
    this.#check();
  }

  #compose() {
    const castling = this.#boxes().filter(({ checked }) => checked).map(({ value }) => value).join("") || "-";
    const [placement, turn, , passant = "-"] = this.fen.value.trim().split(/\s+/);
    const isSame = placement === this.board.placement && turn === this.turn.value;
    const known = isSame ? this.fen.value.trim().split(/\s+/)[2] : null;
    // Rights by files, as Chess960 may need them, stay until the boxes say otherwise.
    const rights = known && !/^[KQkq-]+$/.test(known) && castling === "-" ? known : castling;
    const next = [this.board.placement, this.turn.value, rights, isSame ? passant : "-", this.#rest].join(" ");
    if (next === this.fen.value) return;
    this.fen.value = next;
    this.#check();
  }

  async #check() {
    const turn = ++this.#checked;
    let text = "";
    try {
      text = (await this.ask({ do: "setup", fen: this.fen.value })).warnings.join("; ");
    } catch (error) {
      text = error.message;
    }
    if (turn === this.#checked) this.error.textContent = text;
  }

  /** The position, or `undefined` while there is none that is legal. */
  async result() {
    try {
      return (await this.ask({ do: "setup", fen: this.fen.value })).fen;
    } catch (error) {
      this.error.textContent = error.message;
      return undefined;
    }
  }
}
