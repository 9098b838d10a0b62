// What endgame tables say of the position on the board, where the program has any, or in plain words why they say nothing.
import { EndingsView } from "./views/endings.js";

/** Tables are for so many pieces at most. */
const MOST_PIECES = 7;

/** How many pieces a FEN has. @param {string} fen */
const pieces = (fen) => fen.split(" ")[0].replace(/[^a-z]/gi, "").length;

export class Endings {
  /** What was asked last, so that nothing is asked twice in a row. */ #asked = "";

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.server = app.library.server;
    this.view = new EndingsView({
      toggled: (isOpen) => isOpen !== app.session.settings.endings && app.set({ endings: isOpen }),
      play: (uci) => this.#play(uci),
    });
  }

  /** Shows what there is for the position that is shown, if tables may know it. */
  show() {
    const { session } = this.app;
    const { position, settings } = session;
    const isEnding = position !== null && !position.end && pieces(position.fen) <= MOST_PIECES;
    const isShown = Boolean(this.server) && session.mode === "analyse" && isEnding && !session.isPractising;
    this.view.toggle(isShown, settings.endings);
    if (isShown && settings.endings) this.#ask(position.fen, position.turn);
  }

  /** @param {string} fen @param {"white" | "black"} turn */
  async #ask(fen, turn) {
    const asked = `${fen} ${document.documentElement.lang}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const told = await this.server.tables(fen);
      if (asked === this.#asked) this.view.show(told, turn);
    } catch (error) {
      if (asked !== this.#asked) return;
      // It is asked again when the board moves on.
      this.#asked = "";
      this.view.complain(error.message);
    }
  }

  /** Makes a move of the list. @param {string} uci */
  #play(uci) {
    const move = this.app.session.position?.moves.find((each) => each.uci === uci);
    if (move) this.app.intents.move(move);
  }
}
