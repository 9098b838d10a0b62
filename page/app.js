// A game being played or analysed: what the board, the lists and the engine are told.
import { BoardView } from "./views/board.js";
import { askForGame, askForPromotion, askForSettings, askForText, eloText, offer } from "./views/dialogs.js";
import { $, say } from "./views/dom.js";
import { Game, START } from "./model/game.js";
import { LinesView } from "./views/lines.js";
import { MovesView } from "./views/moves.js";
import { Setup } from "./views/setup.js";
import * as store from "./model/store.js";
import { Engine } from "./engine/uci.js";

const OPPOSITE = { white: "black", black: "white" };
const CAPITAL = { white: "White", black: "Black" };
const PASS = "0000";
const DEFAULTS = { elo: 1500, limit: { kind: "movetime", value: 1 }, lines: 3, hash: 64, arrows: true, engine: true };

/** A limit as UCI has it. */
const goLimit = ({ kind, value }) => `${kind} ${kind === "movetime" ? Math.max(1, Math.round(value * 1000)) : Math.max(1, Math.round(value))}`;
const limitText = ({ kind, value }) => `${value} ${{ movetime: value === 1 ? "second a move" : "seconds a move", nodes: "nodes a move", depth: "plies deep" }[kind]}`;

export class App {
  #turn = 0;
  #written = null;
  position = null;

  constructor(transport) {
    this.transport = transport;
    this.ask = transport.ask;
    this.engine = new Engine(transport);
    this.board = new BoardView($("#board"), {
      moved: (move) => this.play(move),
      touched: (square) => this.setup.isOpen && this.setup.touch(square),
      promote: askForPromotion,
    });
    this.setup = new Setup(this.board, this.ask);
    this.moves = new MovesView($("#moves"), (place) => this.go(place));
    this.lines = new LinesView(
      { list: $("#lines"), bar: $(".bar"), chances: $("#chances"), effort: $("#effort") },
      {
        show: (lines) => this.ask({ do: "lines", ...this.line(), lines }),
        play: (moves) => this.follow(moves),
        point: (moves) => this.board.arrows(this.settings.arrows && this.mode === "analyse" ? moves : []),
      },
    );
  }

  async start() {
    const saved = store.load();
    const cores = navigator.hardwareConcurrency || 1;
    const threads = this.transport.hasThreads ? Math.max(1, Math.floor(cores / 2)) : 1;
    this.settings = { ...DEFAULTS, threads, ...saved.settings };
    Object.assign(this, { mode: saved.mode ?? "play", you: saved.you ?? "white", ending: saved.ending ?? null });
    this.game = saved.game ?? new Game();
    if (this.settings.theme) document.documentElement.dataset.theme = this.settings.theme;
    await this.engine.start();
    $("#line-count").value = this.settings.lines;
    $("#place").textContent = `${this.engine.name} runs ${this.transport.place}.`;
    this.board.turn(saved.orientation ?? this.you);
    try {
      await this.#look();
      await this.#write();
    } catch {
      // What an older page has kept, or somebody else, breaks the rules of chess.
      this.game = new Game();
      this.ending = null;
    }
    await this.refresh();
  }

  /** The start and the moves, as the rules take them. */
  line(place = this.game.at) {
    return { fen: this.game.fen, moves: this.game.moves(place) };
  }

  get isAtEnd() {
    return this.game.children(this.game.at).length === 0;
  }

  #look() {
    const ending = this.ending && this.isAtEnd ? this.ending : {};
    return this.ask({ do: "position", ...this.line(), ...ending });
  }

  /** Shows the position and lets the engine do what is its part. */
  async refresh() {
    const turn = ++this.#turn;
    this.engine.stop();
    const position = await this.#look();
    if (turn !== this.#turn) return;
    this.position = position;
    if (position.end && this.mode === "play" && this.isAtEnd) this.game.result = position.end.result;
    this.#draw();
    this.save();
    this.#letEngine();
    // So that it can be had when there is nobody to ask any more.
    this.#write().catch(() => {});
  }

  get isOver() {
    return Boolean(this.position.end) && this.isAtEnd;
  }

  get isYourTurn() {
    return this.mode === "play" && this.isAtEnd && !this.isOver && this.position.turn === this.you;
  }

  #draw() {
    const { position, mode, game } = this;
    const isPlay = mode === "play";
    this.board.show(position, isPlay ? (this.isYourTurn ? this.you : undefined) : position.turn);
    this.moves.show(game, this.isAtEnd ? position.end : null);
    $("#board").setAttribute("aria-label", `Chess board. ${position.pieces}`);
    $("#playing").hidden = !isPlay;
    $("#analysing").hidden = isPlay;
    $("#editing").hidden = isPlay || game.at === START;
    $('[data-do="promote"]').hidden = game.isMain(game.at);
    for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-mode]"))) tab.setAttribute("aria-pressed", String(tab.dataset.mode === mode));
    $('[data-do="arrows"]').setAttribute("aria-pressed", String(this.settings.arrows));
    $('[data-do="arrows"]').hidden = isPlay;
    $('[data-do="take-back"]').disabled = game.at === START || !this.isAtEnd;
    $('[data-do="resign"]').disabled = this.isOver;
    $('[data-do="claim"]').hidden = !(position.claim && this.isYourTurn);
    $("#engine-switch").setAttribute("aria-checked", String(this.settings.engine));
    $("#opponent").textContent = `Vancura at ${this.settings.elo === null ? "full strength" : eloText(this.settings.elo)}, ${limitText(this.settings.limit)}`;
    $("#status").textContent = this.#status();
    this.#drawStrips();
  }

  #status() {
    const { position } = this;
    if (this.isOver) return `${position.end.result}: ${position.end.reason}`;
    if (!this.isAtEnd) return "An earlier position";
    if (!this.isYourTurn) return "Vancura thinks …";
    if (position.claim) return `Your move; a draw may be claimed: ${position.claim}`;
    return position.check ? "Your move: check" : "Your move";
  }

  #drawStrips() {
    const isTurned = this.board.orientation === "black";
    for (const [selector, color] of [[".far", isTurned ? "white" : "black"], [".near", isTurned ? "black" : "white"]]) {
      const strip = $(`.strip${selector}`);
      strip.classList.toggle("white", color === "white");
      $(".name", strip).textContent = this.#player(color);
      $(".note", strip).textContent = !this.isOver && this.position.turn === color ? "to move" : "";
    }
    $(".bar").classList.toggle("flipped", isTurned);
  }

  #player(color) {
    if (this.mode === "play") return color === this.you ? "You" : `Vancura${this.settings.elo === null ? "" : ` (${this.settings.elo})`}`;
    const name = this.game.tag(CAPITAL[color]);
    return name && name !== "?" ? name : CAPITAL[color];
  }

  // --- The engine ----------------------------------------------------------------------------------------------

  #command() {
    const { fen, moves } = this.line();
    // UCI has no word for a passed turn.
    if (moves.includes(PASS)) return `position fen ${this.position.fen}`;
    return `position ${fen ? `fen ${fen}` : "startpos"}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  }

  #letEngine() {
    const { settings, mode, position } = this;
    const common = { Threads: this.transport.hasThreads ? settings.threads : 1, Hash: settings.hash, UCI_ShowWDL: true };
    if (mode === "analyse") {
      if (!settings.engine || position.moves.length === 0) return this.lines.clear(position.end && this.isAtEnd ? position.end.reason : "");
      this.lines.begin(position, Math.min(settings.lines, position.moves.length));
      const options = { ...common, UCI_LimitStrength: false, MultiPV: settings.lines };
      return this.engine.search({ position: this.#command(), go: "infinite", options, hear: (info) => this.lines.take(info) });
    }
    this.lines.clear();
    if (this.isOver || !this.isAtEnd || position.turn === this.you) return;
    const options = { ...common, MultiPV: 1, UCI_LimitStrength: settings.elo !== null, ...(settings.elo !== null && { UCI_Elo: settings.elo }) };
    const done = (best) => {
      const move = position.moves.find(({ uci }) => uci === best);
      if (move) this.play(move);
    };
    this.engine.search({ position: this.#command(), go: goLimit(settings.limit), options, done });
  }

  // --- What the user does --------------------------------------------------------------------------------------

  async play(move) {
    const { turn } = this.position;
    if (this.mode === "play" && !this.isAtEnd) return;
    if (this.game.play(move)) this.game.result = this.mode === "play" ? "*" : this.game.result;
    this.ending = null;
    await this.refresh();
    const who = this.mode === "play" ? (turn === this.you ? "You" : "Vancura") : CAPITAL[turn];
    say(`${who}: ${move.spoken}.${this.isOver ? ` ${this.position.end.reason}.` : ""}`);
  }

  /** Plays the moves of a line, one after the other. */
  async follow(moves) {
    for (const { uci } of moves) {
      const { moves: legal } = await this.#look();
      const move = legal.find((other) => other.uci === uci);
      if (!move) break;
      this.game.play(move);
    }
    await this.refresh();
  }

  async type(field) {
    const error = $("#typed-error");
    error.textContent = "";
    if (field.value.trim() === "") return;
    if (this.mode === "play" && !this.isYourTurn) {
      error.textContent = this.isOver ? "The game is over." : "It is not your move here.";
      return;
    }
    try {
      const { uci } = await this.ask({ do: "read", ...this.line(), text: field.value });
      field.value = "";
      await this.play(this.position.moves.find((move) => move.uci === uci));
    } catch (problem) {
      error.textContent = problem.message;
      field.select();
    }
  }

  async go(place) {
    this.game.at = place;
    await this.refresh();
    const node = this.game.nodes[place];
    say(node ? node.text : "The position before the first move");
  }

  async do(name) {
    if (this.setup.isOpen && !name.startsWith("setup-") && name !== "flip") return;
    await this.#actions[name]?.();
  }

  #actions = {
    first: () => this.go(START),
    last: () => this.go(this.game.last(this.game.at)),
    back: () => this.game.at !== START && this.go(this.game.parent(this.game.at)),
    forward: () => this.isAtEnd || this.go(this.game.children(this.game.at)[0]),
    flip: () => {
      this.board.turn(OPPOSITE[this.board.orientation]);
      this.#drawStrips();
      this.save();
    },
    arrows: () => this.#set({ arrows: !this.settings.arrows }),
    engine: () => this.#set({ engine: !this.settings.engine }),
    new: () => this.newGame(),
    setup: () => this.beginSetup(),
    open: () => this.openText(),
    save: () => this.offer(),
    settings: async () => {
      const chosen = await askForSettings(this.settings, this.engine.options, this.transport.hasThreads);
      if (chosen) await this.#set(chosen);
    },
    "take-back": () => this.takeBack(),
    resign: () => this.#end({ resign: this.you }),
    claim: () => this.#end({ claim: true }),
    remove: () => {
      this.game.remove(this.game.at);
      return this.refresh();
    },
    promote: () => {
      this.game.promote(this.game.at);
      return this.refresh();
    },
    "setup-start": () => this.setup.start(),
    "setup-empty": () => this.setup.empty(),
    "setup-done": async () => {
      const fen = await this.setup.result();
      if (fen !== undefined) await this.endSetup(fen);
    },
    "setup-cancel": () => this.endSetup(),
  };

  #set(change) {
    Object.assign(this.settings, change);
    return this.refresh();
  }

  setLines(lines) {
    return this.#set({ lines });
  }

  setTheme(theme) {
    this.settings.theme = theme;
    this.save();
  }

  setMode(mode) {
    if (this.setup.isOpen) return;
    if (mode === this.mode) return;
    this.mode = mode;
    if (mode === "play") {
      // In a game of others you are the side that sits below.
      const isOwn = ["White", "Black"].some((name) => this.game.tag(name) === "Vancura");
      if (!isOwn) this.you = this.board.orientation;
      if (this.isAtEnd && !this.game.isMain(this.game.at)) this.game.promote(this.game.at);
    }
    return this.refresh();
  }

  async #end(ending) {
    if (this.isOver) return;
    this.ending = ending;
    this.game.at = this.game.last();
    await this.refresh();
    if (this.isOver) say(this.position.end.reason);
    else this.ending = null;
  }

  async takeBack() {
    const { game } = this;
    this.ending = null;
    game.result = "*";
    do game.remove(game.at);
    while (game.at !== START && (await this.#look()).turn !== this.you);
    await this.refresh();
    say("Taken back.");
  }

  /** Another game takes the place of this one, which is kept aside. */
  async replace(game, change) {
    if (this.game.nodes.length > 0) store.saveBefore({ game: this.game.save(), mode: this.mode, you: this.you, ending: this.ending });
    Object.assign(this, { game, ending: null }, change);
    this.engine.forget();
    await this.refresh();
  }

  async newGame() {
    const bounds = this.engine.options.get("UCI_Elo") ?? { min: 800, max: 2850 };
    const wanted = await askForGame(this.settings, bounds);
    if (!wanted) return;
    const { you, elo, limit, from, number } = wanted;
    const starts = {
      start: () => null,
      here: () => this.position.fen,
      chess960: async () => (await this.ask({ do: "chess960", number })).fen,
    };
    const game = new Game({ fen: await starts[from]() });
    const names = { [you]: "You", [OPPOSITE[you]]: "Vancura" };
    const day = new Date();
    const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    game.tags = [["Event", "Game against Vancura"], ["Date", date], ["White", names.white], ["Black", names.black]];
    if (elo !== null) game.setTag(you === "white" ? "BlackElo" : "WhiteElo", String(elo));
    Object.assign(this.settings, { elo, limit });
    this.board.turn(you);
    await this.replace(game, { mode: "play", you });
    say(`New game. You play ${you}.`);
  }

  async openText() {
    const before = store.loadBefore();
    const found = await askForText(this.ask, Boolean(before));
    if (!found) return;
    if (found === "before") {
      const { game, mode = "analyse", you = this.you, ending = null } = before;
      await this.replace(game, { mode, you, ending });
    } else {
      const game = new Game(found.game ?? found.fen);
      await this.replace(game, { mode: "analyse" });
      say(found.game ? `Game opened, ${game.nodes.length} moves.` : "Position opened.");
    }
  }

  /** The game as PGN, asked for anew only when it has changed. */
  async #write() {
    const { game } = this;
    const { version, result } = game;
    const written = this.#written;
    if (written?.game === game && written.version === version && written.result === result) return written.pgn;
    const { pgn } = await this.ask({ do: "write-pgn", ...game.save() });
    this.#written = { game, version, result, pgn };
    return pgn;
  }

  async offer() {
    const pgn = await this.#write();
    const names = ["White", "Black"].map((name) => (this.game.tag(name) ?? name).replace(/[^\p{L}\p{N}]+/gu, "-"));
    await offer(this.position.fen, pgn, `${names.join("_")}.pgn`.slice(0, 80));
  }

  beginSetup() {
    this.engine.stop();
    this.lines.clear();
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".engine, .list"))) card.hidden = true;
    this.setup.open(this.position.fen);
  }

  async endSetup(fen) {
    this.setup.close();
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".engine, .list"))) card.hidden = false;
    if (fen === undefined) return this.refresh();
    await this.replace(new Game({ fen }), { mode: "analyse" });
    say("Position set up.");
  }

  save() {
    const { mode, you, ending, settings } = this;
    store.save({ game: this.game.save(), mode, you, ending, settings, orientation: this.board.orientation });
  }
}
