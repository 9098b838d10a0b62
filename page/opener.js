// Opening games: from the library, from files, from texts that are pasted or dropped.
import { Game, START } from "./model/game.js";
import { OWN } from "./model/level.js";
import { pageOf } from "./model/library.js";
import { plyOf } from "./rules/local.js";
import { t } from "./texts/words.js";
import { askForText } from "./views/dialogs.js";
import { $, toast } from "./views/dom.js";

// Of a file that this page has to read itself no more is read.
const MAX_BYTES = 16 << 20;
// A text longer than this is for the program to read, where there is one.
const LONG_TEXT = 1 << 20;
// How often it is asked whether a file has shown its first games, in milliseconds.
const LOOK_EVERY = 150;

/** The bytes of a file in base64. @param {Blob} blob @returns {Promise<string>} */
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // An empty file may have no comma.
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** @param {string} remark "game 3, line 20: …" or "line 20: …" */
function problemOf(remark) {
  const [, line, text] = /line (\d+): ([\s\S]*)/.exec(remark) ?? [];
  return { line: Number(line ?? 0), text: text ?? remark };
}

export class Opener {
  /** Files that are open, the newest first. @type {import("./views/games.js").Source[]} */
  #files = [];

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.mine = {
      get name() {
        return t("mine");
      },
      sort: "changed",
      list: (question) => app.library.list(question),
      open: (entry) => this.#record(entry.id),
      remove: async (entry) => {
        if (entry.id === app.session.id) await app.autosave.flush();
        await app.library.remove(entry.id);
      },
      restore: (id) => app.library.restore(id),
    };
  }

  #ask(request) {
    return this.app.transport.ask(request);
  }

  /** The files that the program has opened already, such as those of its command line. */
  async begin() {
    const { server } = this.app.library;
    if (!server) return;
    const { files } = await server.files().catch(() => ({ files: [] }));
    for (const { file, name } of files) this.#files.push(this.#served(file, name));
    if (files.length > 0 && this.app.session.game.isEmpty) await this.showGames(this.#files[0]);
  }

  /** A file that the program reads. @param {string} file @param {string} name @returns {any} */
  #served(file, name) {
    const server = /** @type {import("./model/library.js").ServerKeeper} */ (this.app.library.server);
    return {
      name, sort: "",
      list: (question) => server.listOf(file, question),
      open: async ({ id }) => this.#read((await server.gameOf(file, id)).pgn),
      problems: async () => (await server.progress(file)).problems ?? [],
    };
  }

  /** A text that this page reads. @param {string} name @param {string} text @param {any} contents */
  #pasted(name, text, { games, errors, remarks }, problems = []) {
    const tags = ({ white, black, event, date, result }) => ({ White: white, Black: black, Event: event, Date: date, Result: result });
    const entries = games.map((game, index) => ({ id: index, plies: 0, tags: tags(game) }));
    return {
      name, sort: "",
      list: async (question) => pageOf(entries, question),
      open: async ({ id }) => (await this.#ask({ do: "read-pgn", text, game: id })).game,
      problems: async () => [...problems, ...[...errors, ...remarks].map(problemOf)],
    };
  }

  /** A game as the rules read it. @param {string} pgn */
  async #read(pgn) {
    const { game, remarks } = await this.#ask({ do: "read-pgn", text: pgn, game: 0 });
    if (remarks.length > 0) toast(t("left.out", { text: remarks[0] }));
    return game;
  }

  /** A game of the library, whose revision is known from then on. @param {string} id */
  async #record(id) {
    const { revision, pgn } = await this.app.library.get(id);
    const record = await this.#read(pgn);
    this.app.autosave.opened(id, revision, new Game(record));
    return record;
  }

  /** Opens one of my games in this tab, without a way back: at the start. @param {string} id */
  async openMine(id) {
    const { session } = this.app;
    const game = new Game(await this.#record(id));
    game.at = game.last();
    session.replace(game, { id, ...this.#seats(game) });
    session.orientation = session.you ?? "white";
  }

  /** Who plays, in a game of engines that are here, which goes on if it is not over; any other is for analysis. @param {Game} game */
  #seats(game) {
    const { session, engines } = this.app;
    const seat = (/** @type {string} */ name) => {
      const known = game.tag(name);
      if (known === undefined || !engines.names.includes(known)) return null;
      const player = session.player(known);
      const elo = Number(game.known(`${name}Elo`) ?? NaN);
      // Without a rating Vancura plays as it can; another engine may have a level of its own kind.
      return { ...player, level: Number.isInteger(elo) ? elo : known === OWN ? null : player.level };
    };
    const [white, black] = [seat("White"), seat("Black")];
    if (!white && !black) return { mode: /** @type {const} */ ("analyse"), players: session.players };
    const mode = /** @type {"play" | "analyse"} */ (game.result === "*" ? "play" : "analyse");
    // Two engines do not go on unasked.
    return { mode, players: { white, black }, isPaused: white !== null && black !== null };
  }

  /** @param {any} [first] */
  showGames(first) {
    this.app.autosave.flush();
    return this.app.games.show([this.mine, ...this.#files], first ?? this.#files[0] ?? this.mine);
  }

  /**
   * A game of a list.
   * @param {any} source
   * @param {any} question
   * @param {number} index
   * @param {number} total
   * @param {any} entry
   * @param {string} [explored] a position in it that is to be shown, for analysis
   */
  async openFrom(source, question, index, total, entry, explored) {
    const { app } = this;
    try {
      const game = new Game(await source.open(entry));
      app.games.close();
      const isMine = source === this.mine;
      if (isMine) game.at = game.last();
      if (explored) Opener.#goTo(game, explored);
      const seats = isMine && !explored ? this.#seats(game) : { mode: "analyse", players: app.session.players };
      const orientation = seats.mode === "analyse" ? app.session.orientation : seats.players.white && !seats.players.black ? "black" : "white";
      await app.replace("undo.game", game, { ...seats, orientation, source: { source, question, index, total }, ...(isMine && { id: entry.id }) });
    } catch (error) {
      $("#games-count").textContent = error.message;
      toast(error.message);
    }
  }

  /** To where a position is in the main line; a game without it stays where it is. @param {Game} game @param {string} fen */
  static #goTo(game, fen) {
    const path = game.path(game.last());
    const ply = plyOf({ fen: game.fen, moves: path.map((place) => game.nodes[place].uci) }, fen);
    if (ply >= 0) game.at = path[ply - 1] ?? START;
  }

  /**
   * A game that the explorer lists: one of mine, or one of an index. It is shown where the position is that was explored.
   * @param {string} explorer
   * @param {string} id
   * @param {string} fen
   */
  openExplored(explorer, id, fen) {
    if (explorer === "mine") return this.openFrom(this.mine, {}, 0, 1, { id }, fen);
    const server = /** @type {import("./model/library.js").ServerKeeper} */ (this.app.library.server);
    const source = { open: async () => this.#read((await server.exploredGame(explorer, id)).pgn) };
    return this.openFrom(source, {}, 0, 1, { id }, fen);
  }

  /** The game before or after this one, where it is one of many. @param {number} distance */
  async step(distance) {
    const { source: place } = this.app.session;
    if (!place) return;
    const { source, question, index, total } = place;
    const next = index + distance;
    if (next < 0 || next >= total) return;
    const { games } = await source.list({ ...question, from: next, count: 1 });
    if (games[0]) await this.openFrom(source, question, next, total, games[0]);
  }

  /** Shows where the game stands among others. */
  show() {
    const { source } = this.app.session;
    const place = $("#of-many");
    place.hidden = !source || source.total < 2;
    if (place.hidden) return;
    $("p", place).textContent = t("game.of", { number: source.index + 1, total: source.total });
    $('[data-do="game-before"]').disabled = source.index === 0;
    $('[data-do="game-after"]').disabled = source.index + 1 >= source.total;
  }

  ask() {
    return askForText({ text: (text) => this.text(text), files: (files) => this.files(files) });
  }

  /**
   * Opens a text: a position or a game at once, several games as a list. Throws in words if there is nothing in it.
   * @param {string} text
   */
  async text(text, name = t("open")) {
    const { app } = this;
    const { server } = app.library;
    if (server && text.length > LONG_TEXT) return this.#hand(server, new File([text], t("open")));
    const pasted = await this.#ask({ do: "paste", text });
    const { pgn, problems } = pasted;
    const contents = await this.#ask({ do: "read-pgn", text: pgn, game: 0 });
    const source = this.#pasted(name, pgn, contents, problems);
    if (contents.games.length > 1) {
      this.#files.unshift(source);
      // The dialog that asked closes first.
      setTimeout(() => this.showGames(source));
      return;
    }
    const game = new Game(contents.game);
    await app.replace("undo.game", game, { mode: "analyse", orientation: app.session.orientation });
    const [said] = [...problems.map(({ line, text: what }) => t("problem.line", { line, text: what })), ...contents.errors, ...contents.remarks];
    const opened = game.isEmpty ? t("opened.position") : t("opened.game", { count: game.path(game.last()).length });
    toast(said ? `${opened} ${t("left.out", { text: said })}` : opened);
  }

  /**
   * Lets the program read a file, and shows its first games as soon as there are some.
   * @param {import("./model/library.js").ServerKeeper} server
   * @param {File} file
   */
  async #hand(server, file) {
    const id = crypto.randomUUID();
    let isRead = false;
    const reading = server.open(id, file.name, file).finally(() => (isRead = true));
    const source = this.#served(id, file.name);
    const soon = async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
        const page = isRead ? null : await source.list({ from: 0, count: 1 }).catch(() => null);
        if (isRead || page?.total > 1) return;
      }
    };
    await Promise.race([reading, soon()]);
    const { total, games } = isRead ? await reading.then(() => source.list({ from: 0, count: 2 })) : { total: 2, games: [] };
    if (total === 0) throw new Error(t("open.nothing"));
    // A file of one game is that game.
    if (total === 1) return this.openFrom(source, {}, 0, 1, games[0]);
    this.#files.unshift(source);
    setTimeout(() => this.showGames(source));
    if (!isRead) await reading;
  }

  /** Opens files: by the program, if there is one, or here. @param {File[]} files */
  async files(files) {
    const { server } = this.app.library;
    for (const file of files) {
      toast(t("reading", { name: file.name }));
      if (server) await this.#hand(server, file);
      else {
        const unpacked = await this.#ask({ do: "unpack", name: file.name, data: await base64(file.slice(0, MAX_BYTES)) });
        if (unpacked.damage && unpacked.text === "") throw new Error(unpacked.damage);
        await this.text(unpacked.text, file.name);
      }
    }
  }
}
