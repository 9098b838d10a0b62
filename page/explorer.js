// What was played from the position on the board: in the user's own games, or in an index that the program was started with.
import { t } from "./texts/words.js";
import { ExplorerView } from "./views/explorer.js";

export class Explorer {
  /** @type {{ id: string, name: string | null }[]} */ #sources = [];
  /** The position that what is shown is of. */ #shown = "";
  /** What was asked last, so that nothing is asked twice in a row. */ #asked = "";

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.server = app.library.server;
    this.view = new ExplorerView({
      toggled: (isOpen) => isOpen !== app.session.settings.explorer && app.set({ explorer: isOpen }),
      chosen: (source) => app.set({ explorerSource: source }),
      play: (san) => this.#play(san),
      open: (game) => app.opener.openExplored(this.#source, game, this.#shown),
    });
  }

  /** Learns which sources there are. */
  async start() {
    if (!this.server) return;
    const { sources } = await this.server.explorers().catch(() => ({ sources: [] }));
    this.#sources = sources;
  }

  get #source() {
    const { explorerSource } = this.app.session.settings;
    return this.#sources.find(({ id }) => id === explorerSource)?.id ?? this.#sources[0]?.id;
  }

  /** Shows what there is for the position that is shown. */
  show() {
    const { session } = this.app;
    const { position, settings } = session;
    const isShown = this.#sources.length > 0 && session.mode === "analyse" && position !== null;
    this.view.toggle(isShown, settings.explorer);
    if (!isShown || !settings.explorer || session.isPractising) return;
    this.view.sources(this.#sources.map(({ id, name }) => ({ id, name: name ?? t("mine") })), this.#source);
    const isChess960 = position.chess960 || session.game.tag("Variant") === "Chess960";
    this.#ask(this.#source, { fen: position.fen, open: session.id, ...(isChess960 && { chess960: 1 }) });
  }

  /** @param {string} source @param {{ fen: string, open: string, chess960?: number }} question */
  async #ask(source, question) {
    const asked = JSON.stringify([source, question, document.documentElement.lang]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const answer = await this.server.explore(source, question);
      if (asked !== this.#asked) return;
      this.#shown = question.fen;
      this.view.show(answer);
    } catch (error) {
      // It is asked again when the board moves on.
      if (asked === this.#asked) this.view.complain(error.message);
    }
  }

  /** Makes a move of the list. @param {string} san */
  #play(san) {
    const move = this.app.session.position?.moves.find((each) => each.san === san);
    if (move) this.app.intents.move(move);
  }
}
