// The board as a whole: what the user wants goes to the mode, the mode changes the session, the views draw what changed.
import { Engine } from "./engine/uci.js";
import { Endings } from "./endings.js";
import { Engines } from "./engines.js";
import { Explorer } from "./explorer.js";
import { Exercises } from "./exercises.js";
import { Intents } from "./intents.js";
import * as memory from "./memory.js";
import { Analyse } from "./modes/analyse.js";
import { Play } from "./modes/play.js";
import { Autosave } from "./model/autosave.js";
import { Game } from "./model/game.js";
import { History } from "./model/history.js";
import { OWN } from "./model/level.js";
import { DEFAULTS, Session, against, soundSettings } from "./model/session.js";
import { Opener } from "./opener.js";
import { Players } from "./players.js";
import { Reviews } from "./reviews.js";
import { localPosition } from "./rules/local.js";
import { Screen } from "./screen.js";
import { choose, fill, t } from "./texts/words.js";
import { BoardView } from "./views/board.js";
import * as dialogs from "./views/dialogs.js";
import { $, say, toast } from "./views/dom.js";
import { GamesView, namesOf } from "./views/games.js";
import { LinesView } from "./views/lines.js";
import { MovesView } from "./views/moves.js";
import { NotesView } from "./views/notes.js";
import { askForPromotion } from "./views/promotion.js";
import { Setup } from "./views/setup.js";
import { allowSounds } from "./views/sounds.js";
import { StripsView } from "./views/strips.js";

const PASS = "0000";
/** So many positions are remembered, so that going back and forth asks nobody. */
const MAX_KNOWN = 2000;
const now = () => performance.now();
const wait = (/** @type {number} */ time) => /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, time)));

export class App {
  #turn = 0;
  /** @type {Map<string, any>} */ #known = new Map();
  /** @type {History<any>} */ history = new History();
  /** The comment or the marks that are being changed, so that one change is undone as one. */
  editing = "";

  /**
   * @param {any} transport the engine and the rules
   * @param {import("./model/library.js").Library} library
   */
  constructor(transport, library) {
    this.transport = transport;
    this.library = library;
    this.engine = new Engine(transport);
    this.session = new Session({ ...DEFAULTS });
    this.board = new BoardView($("#board"), {
      moved: (move) => this.intents.move(move),
      touched: (square) => this.setup.isOpen && this.setup.touch(square),
      drawn: (marks) => this.intents.draw(marks),
      promote: askForPromotion,
    });
    const means = {
      engine: this.engine, common: () => this.common(), command: (place, fen) => this.command(place, fen),
      refresh: () => this.refresh(), look: (line) => this.look(line), now, wait, today: () => new Date(), random: Math.random,
    };
    const ofLines = {
      show: (lines, position) => transport.ask({ do: "lines", fen: position.fen, lines }),
      play: (moves) => this.edit("undo.move", () => this.analyse.play(moves)),
      preview: (position, moves) => this.#preview(position, moves),
    };
    const places = (/** @type {string} */ seat) => ({ list: $(`${seat} .lines`), chances: $(`${seat} .chances`), effort: $(`${seat} .effort`) });
    this.lines = new LinesView({ ...places("#seat-1"), bar: $(".bar") }, { ...ofLines, point: (moves) => this.#point(moves) });
    const seconds = new LinesView(places("#seat-2"), { ...ofLines, point: () => {} });
    this.engines = new Engines({
      own: this.engine, settings: this.session.settings, guest: transport.guest, server: library.server, common: () => this.common(),
      changed: () => this.set({}),
    }, [this.lines, seconds]);
    this.screen = new Screen(this);
    this.intents = new Intents(this);
    this.players = new Players({
      own: this.engine, engines: this.engines, session: this.session, hasGuests: Boolean(transport.guest),
      failed: (side, reason) => this.play.lost(side, reason),
    });
    this.play = new Play(this.session, {
      ...means, at: (side) => this.players.at(side), failed: (reason) => this.halted(reason),
      answered: (move, engine) => this.intents.heard(move, t("says", { who: engine, move: move.spoken })),
    });
    this.analyse = new Analyse(this.session, {
      ...means, seats: () => this.engines.seats(),
      stop: () => {
        this.engine.stop();
        this.engines.stop();
      },
    });
    this.setup = new Setup(this.board, transport.ask);
    this.moves = new MovesView($("#moves"), (place) => this.intents.go(place));
    this.strips = new StripsView(this.session);
    this.notes = new NotesView({ sign: (nag) => this.intents.sign(nag), comment: (game, place, words) => this.intents.comment(game, place, words) });
    this.autosave = new Autosave(library, {
      forked: (id, next) => {
        if (this.session.id === id) this.session.id = next;
        toast(t("forked"));
        this.save();
      },
      failed: (error) => toast(t("not.kept", { reason: error.message })),
      kept: () => memory.keepTab(this.snapshot(), this.autosave.revisions),
    });
    this.opener = new Opener(this);
    this.reviews = new Reviews(this);
    this.explorer = new Explorer(this);
    this.endings = new Endings(this);
    this.exercises = new Exercises(this);
    this.games = new GamesView({
      open: (source, question, index, total, entry) => this.opener.openFrom(source, question, index, total, entry),
      removed: (source, { id, tags }) => {
        const isOpen = id === this.session.id;
        this.removed(async () => source.restore?.(id), isOpen);
        toast(t("deleted", { game: namesOf(tags) }), true);
        if (isOpen) this.replace("undo.game", new Game(), { mode: "play" });
      },
    });
  }

  /**
   * What gives back the last thing that was deleted from a list, as long as nothing else was done; `isOpen` if it was a game that
   * was open here, whose place another has taken.
   * @type {{ restore: () => Promise<any>, isOpen: boolean } | null}
   */
  #removed = null;

  async start() {
    const { session } = this;
    const settings = soundSettings(await memory.settings(this.library));
    const cores = navigator.hardwareConcurrency || 1;
    Object.assign(session.settings, { threads: this.transport.hasThreads ? Math.max(1, Math.floor(cores / 2)) : 1 }, settings);
    session.players = against("white", session.player(OWN));
    this.#dress();
    // A game that goes on needs to know which engines there are.
    await Promise.all([this.engine.start(), this.engines.start().then(() => this.#resume()), this.explorer.start()]);
    $("#line-count").value = session.settings.lines;
    const place = t(this.transport.place);
    $("#place").textContent = `${t("place", { engine: this.engine.name, place })} ${t(this.library.isServed ? "place.mine" : "place.browser")}`;
    try {
      await this.look(session.line());
    } catch {
      // What an older page has kept, or somebody else, breaks the rules of chess.
      session.replace(new Game(), { mode: "play" });
    }
    await this.refresh();
    setInterval(() => this.#tick(), 100);
    await this.opener.begin();
  }

  /** The game of this tab, else the one that was left last, if no other tab has it. */
  async #resume() {
    const { session } = this;
    const tab = memory.tab();
    this.autosave.know(tab.revisions);
    if (tab.state && (await memory.claim(tab.state.id)) && session.restore(tab.state)) return;
    try {
      const { games } = await this.library.list({ sort: "changed", from: 0, count: 1 });
      for (const { id } of games) if (await memory.claim(String(id))) await this.opener.openMine(String(id));
    } catch {
      // There is none, or it cannot be read: a new game begins.
    }
  }

  /** Colours, pieces, size and language, as the settings have them. */
  #dress() {
    const { settings } = this.session;
    const root = document.documentElement;
    root.lang = choose(settings.language, navigator.languages);
    if (settings.theme) root.dataset.theme = settings.theme;
    root.dataset.board = settings.board;
    root.dataset.pieces = settings.pieces;
    memory.pieces(settings.pieces);
    root.style.setProperty("--scale", String(settings.scale));
    $(".grip").setAttribute("aria-valuenow", String(Math.round(settings.scale * 100)));
    this.board.showCoordinates(settings.coordinates);
    fill();
  }

  // --- Positions ---------------------------------------------------------------------------------------------------

  /**
   * What the rules say of a position; where nobody answers any more, what this page knows itself.
   * @param {any} line
   */
  async look(line) {
    const key = JSON.stringify([line.fen, line.moves, line.resign, line.claim, line.timeout, line.agreed]);
    const known = this.#known.get(key);
    if (known) return known;
    const position = await (this.transport.isLost?.() ? localPosition(line) : this.transport.ask({ do: "position", ...line }));
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    this.#known.set(key, position);
    return position;
  }

  /** Looks at what is to be seen, and lets the mode follow. */
  async refresh() {
    const turn = ++this.#turn;
    const { session } = this;
    const { tip, ending } = session;
    const [shown, end] = await Promise.all([
      session.isAtTip ? null : this.look(session.line()),
      this.look({ ...session.line(tip), ...(ending ?? {}) }),
    ]);
    if (turn !== this.#turn) return;
    session.tipPosition = end;
    session.position = shown ?? end;
    if (this.setup.isOpen) return;
    if (session.mode === "play") {
      this.lines.clear();
      this.play.follow();
    } else this.analyse.follow();
    this.screen.show();
    this.save();
  }

  #tick() {
    const { session } = this;
    if (session.mode !== "play") return;
    if (session.clock) this.strips.tick(now());
    this.play.tick();
  }

  // --- The engine --------------------------------------------------------------------------------------------------

  common() {
    const { settings } = this.session;
    return { Threads: this.transport.hasThreads ? settings.threads : 1, Hash: settings.hash, UCI_ShowWDL: true };
  }

  /** A place as UCI has it. @param {number} place @param {string} reached the position there */
  command(place, reached) {
    const { fen, moves } = this.session.line(place);
    // UCI has no word for a passed turn.
    if (moves.includes(PASS)) return `position fen ${reached}`;
    return `position ${fen ? `fen ${fen}` : "startpos"}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** @param {any[]} moves */
  #point(moves) {
    const { session, analyse } = this;
    if (session.mode !== "analyse" || !session.settings.arrows) return this.board.arrows([]);
    this.board.arrows(moves, analyse.showsThreat ? "threat" : "best");
  }

  /** Shows where moves of the engine lead, while one points at them. @param {any} position @param {any[] | null} moves */
  #preview(position, moves) {
    if (!moves) return this.screen.show();
    try {
      const { fen, last } = localPosition({ fen: position.fen, moves: moves.map(({ uci }) => uci) });
      this.board.preview(fen, last ?? []);
    } catch {
      // A line that this page cannot follow is shown as text alone.
    }
  }

  // --- What the user does ------------------------------------------------------------------------------------------

  /** All that can be had back. */
  snapshot() {
    return this.session.snapshot(now());
  }

  /** Whether the last thing done was to delete something from a list. */
  get hasRemoved() {
    return this.#removed !== null;
  }

  /** Something was deleted from a list. @param {() => Promise<any>} restore gives it back @param {boolean} [isOpen] whether it was the game that is open */
  removed(restore, isOpen = false) {
    this.#removed = { restore, isOpen };
    this.screen.showUndo();
  }

  /** Keeps the state before something of which several in a row are undone as one. @param {string} label @param {string} what */
  keepOnce(label, what) {
    if (this.editing !== what) this.history.push(label, this.snapshot());
    this.editing = what;
  }

  keepSettings() {
    memory.keepSettings(this.library, this.session.settings);
  }

  /** Something that can be undone. @param {string} label @param {() => void} change */
  edit(label, change) {
    this.history.push(label, this.snapshot());
    this.#removed = null;
    this.editing = "";
    change();
    return this.refresh();
  }

  async undo() {
    if (this.#removed) {
      const { restore, isOpen } = this.#removed;
      try {
        await restore();
      } catch (error) {
        return toast(error.message);
      }
      this.#removed = null;
      if (!isOpen) return this.#told(t("undone", { what: t("undo.delete") }));
    }
    await this.#restore(this.history.undo(this.snapshot()), "undone", "nothing.undo");
  }

  redo() {
    return this.#restore(this.history.redo(this.snapshot()), "redone", "nothing.redo");
  }

  /** @param {{ label: string, state: any } | undefined} entry @param {string} done @param {string} none */
  async #restore(entry, done, none) {
    if (!entry) return this.#told(t(none));
    this.leaveMode();
    if (entry.state.id !== this.session.id) await memory.claim(entry.state.id);
    this.session.restore(entry.state);
    // The game as it is now has to be kept, even if it was kept like that before.
    this.session.game.version++;
    this.editing = "";
    await this.refresh();
    this.#told(t(done, { what: t(entry.label) }));
  }

  /** @param {string} text */
  #told(text) {
    this.screen.showUndo();
    toast(text);
  }

  leaveMode() {
    this.exercises.practice?.leave();
    if (this.session.mode === "play") {
      this.play.leave();
      this.players.free();
    } else this.analyse.leave();
  }

  /** @param {Partial<import("./model/session.js").Settings>} change */
  set(change) {
    Object.assign(this.session.settings, change);
    this.keepSettings();
    return this.refresh();
  }

  async changeSettings() {
    const { settings } = this.session;
    const chosen = await dialogs.askForSettings(settings, this.engine.options, this.transport.hasThreads, document.documentElement.lang, () => this.engines.askForOptions());
    if (!chosen) return;
    await this.set(/** @type {any} */ (chosen));
    this.#dress();
    this.session.game.version++;
    this.screen.show();
  }

  /** @param {"light" | "dark"} theme */
  setTheme(theme) {
    this.session.settings.theme = theme;
    this.keepSettings();
  }

  /** How large the board is, of the window: from 0.3 to 1. @param {number} scale */
  setScale(scale) {
    const { settings } = this.session;
    settings.scale = Math.min(1, Math.max(0.3, Math.round(scale * 100) / 100));
    document.documentElement.style.setProperty("--scale", String(settings.scale));
    $(".grip").setAttribute("aria-valuenow", String(Math.round(settings.scale * 100)));
    $(".grip").setAttribute("aria-valuetext", t("of.board", { percent: Math.round(settings.scale * 100) }));
    this.keepSettings();
  }

  /** @param {"play" | "analyse"} mode */
  setMode(mode) {
    const { session } = this;
    if (this.setup.isOpen || mode === session.mode) return;
    this.leaveMode();
    session.mode = mode;
    if (mode === "play") {
      // In a game of others you are the side that sits below.
      if (!session.isOfPlayers) session.players = against(session.orientation, session.player(OWN));
      if (session.game.isEnd() && !session.game.isMain(session.game.at)) session.game.promote(session.game.at);
    }
    return this.refresh();
  }

  /** Another game takes the place of this one, which can be had back. @param {string} label @param {Game} game @param {any} change */
  async replace(label, game, change) {
    this.autosave.flush();
    this.leaveMode();
    this.history.push(label, this.snapshot());
    this.session.replace(game, change);
    await memory.claim(this.session.id);
    this.engine.forget();
    $("#hinted").textContent = "";
    await this.refresh();
  }

  /** Keeps what is open. */
  save() {
    if (this.session.isPractising) return;
    memory.keepTab(this.snapshot(), this.autosave.revisions);
    this.autosave.note(this.session.id, this.session.game);
  }

  /** The page is about to go. */
  leave() {
    this.autosave.flush(true);
    if (this.session.isPractising) return;
    memory.keepTab(this.snapshot(), this.autosave.revisions);
  }

  /** Somebody has touched the page. */
  touched() {
    if (this.session.settings.sounds) allowSounds();
  }

  /** An engine cannot go on. The game stays as it is. @param {string} reason in words */
  async halted(reason) {
    Object.assign(this.session, { isPaused: true, fault: reason.replace(/\.?$/, ".") });
    await this.refresh();
    say($("#status").textContent);
  }
}
