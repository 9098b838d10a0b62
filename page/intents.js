// What the user wants, by the names of buttons and keys, and by the board.
import { Clock, OPPOSITE } from "./model/clock.js";
import { Game, START } from "./model/game.js";
import { toggled, writeMarks } from "./model/marks.js";
import { OWN } from "./model/level.js";
import { fileName, pgnOf } from "./model/pgn.js";
import { against } from "./model/session.js";
import { oddsFen } from "./model/start.js";
import { CAPITAL } from "./modes/play.js";
import { foreign, local, rule, t } from "./texts/words.js";
import * as dialogs from "./views/dialogs.js";
import { $, say, toast } from "./views/dom.js";
import { askForGame } from "./views/new-game.js";
import { levelText } from "./views/strips.js";
import { sound } from "./views/sounds.js";

export class Intents {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  get session() {
    return this.app.session;
  }

  /** A move on the board. @param {any} move */
  async move(move) {
    const { session } = this;
    if (this.app.exercises.practice) return this.app.exercises.answer(move);
    if (session.mode === "analyse") {
      const { game } = session;
      const isNew = !game.children(game.at).some((place) => game.nodes[place].uci === move.uci);
      const change = () => (game.at = game.add(game.at, move));
      if (isNew) await this.app.edit("undo.move", change);
      else {
        change();
        await this.app.refresh();
      }
      return this.heard(move, t(session.position?.turn === "white" ? "says.black" : "says.white", { move: move.spoken }));
    }
    if (!session.isAtTip || !session.isYourTurn) return this.app.board.again();
    if (session.settings.warns && !session.clock) {
      const loss = await this.app.play.blunder(move);
      const question = t("blunder.ask", { move: local(move.san), percent: Math.round(loss / 10) });
      if (loss && !(await dialogs.sure(question, t("blunder.sure")))) return this.app.board.again();
    }
    if (!session.isYourTurn) return;
    $("#hinted").textContent = "";
    await this.app.play.make(move);
    this.heard(move, t("says.you", { move: move.spoken }));
  }

  /** Says a move in these words, and lets it be heard. @param {any} move @param {string} words */
  heard(move, words) {
    const { position, isOver, tipPosition } = this.session;
    say(words + (isOver ? ` ${rule(tipPosition?.end?.reason ?? "")}.` : ""));
    this.#sound(move, Boolean(position?.end));
  }

  /** @param {any} move @param {boolean} isEnd */
  #sound(move, isEnd) {
    if (!this.session.settings.sounds) return;
    sound(isEnd ? "end" : /[+#]/.test(move.san) ? "check" : move.san.includes("x") ? "capture" : "move");
  }

  /** A move that was typed. @param {HTMLInputElement} field */
  async type(field) {
    const { session } = this;
    const error = $("#typed-error");
    error.textContent = "";
    const text = field.value.trim();
    if (text === "") return;
    if (session.mode === "play" && !(session.isYourTurn && session.isAtTip)) {
      error.textContent = t(session.isOver ? "game.over" : session.isAtTip ? "not.your.move" : "looking.back");
      return;
    }
    try {
      const read = (/** @type {string} */ words) => this.app.transport.ask({ do: "read", ...session.line(), text: words });
      const { uci } = await read(foreign(text)).catch(() => read(text));
      field.value = "";
      await this.move(session.position?.moves.find((move) => move.uci === uci));
    } catch (problem) {
      error.textContent = problem.message;
      field.select();
    }
  }

  /** @param {number} place */
  async go(place) {
    const { game } = this.session;
    game.at = place;
    this.app.editing = "";
    await this.app.refresh();
    const node = game.nodes[place];
    say(node ? local(node.text) : t("before"));
  }

  /** @param {string} name */
  async do(name) {
    const isOfCards = name === "undo" && this.app.hasRemoved;
    if (this.app.exercises.practice && !["flip", "help", "settings"].includes(name) && !isOfCards) return;
    if (this.app.setup.isOpen && !name.startsWith("setup-") && !["flip", "help", "settings"].includes(name)) return;
    await this.#actions[name]?.();
  }

  /** @type {Record<string, () => any>} */
  #actions = {
    first: () => this.go(START),
    last: () => this.go(this.session.game.last(this.session.game.at)),
    back: () => this.session.game.at !== START && this.go(this.session.game.parent(this.session.game.at)),
    forward: () => this.session.game.isEnd() || this.go(this.session.game.children(this.session.game.at)[0]),
    "next-variation": () => this.#sibling(1),
    "previous-variation": () => this.#sibling(-1),
    flip: () => {
      this.session.orientation = OPPOSITE[this.session.orientation];
      this.app.board.turn(this.session.orientation);
      this.app.strips.draw();
      this.app.save();
    },
    arrows: () => this.app.set({ arrows: !this.session.settings.arrows }),
    engine: () => this.session.mode === "analyse" && this.app.set({ engine: !this.session.settings.engine }),
    threat: () => {
      if (this.session.mode !== "analyse") return;
      this.app.analyse.showsThreat = !this.app.analyse.showsThreat;
      return this.app.refresh();
    },
    best: () => this.session.mode === "analyse" && this.app.lines.best && this.app.edit("undo.move", () => this.app.analyse.play([this.app.lines.best])),
    new: () => this.newGame(),
    rematch: () => this.rematch(),
    games: () => this.app.opener.showGames(),
    open: () => this.app.opener.ask(),
    practise: () => this.app.exercises.open(),
    save: () => this.offer(),
    setup: () => this.beginSetup(),
    settings: () => this.app.changeSettings(),
    help: () => dialogs.help(),
    undo: () => this.app.undo(),
    redo: () => this.app.redo(),
    hint: () => this.hint(),
    "analyse-this": () => this.app.setMode("analyse"),
    "to-game": () => this.go(this.session.tip),
    "play-on": () => this.playOn(),
    "take-back": () => {
      const state = this.app.snapshot();
      if (!this.app.play.takeBack()) return;
      this.app.history.push("undo.take_back", state);
      $("#hinted").textContent = "";
      say(t("taken_back"));
      return this.app.refresh();
    },
    resign: async () => (await dialogs.sure(t("resign.ask"), t("resign.sure"))) && this.session.you && this.#end("undo.resign", { resign: this.session.you }),
    claim: () => this.#end("undo.draw", { claim: true }),
    pause: () => this.pause(),
    "offer-draw": async () => {
      const engine = this.session.rival?.engine ?? "";
      $("#hinted").textContent = t("draw.asked", { engine });
      const taken = await this.app.play.offerDraw();
      $("#hinted").textContent = taken ? "" : t("draw.declined", { engine });
      if (taken) say(rule(this.session.tipPosition?.end?.reason ?? ""));
    },
    remove: () => this.session.game.at !== START && this.app.edit("undo.delete", () => this.session.game.remove(this.session.game.at)).then(() => toast(t("removed"), true)),
    promote: () => this.app.edit("undo.promote", () => this.session.game.promote(this.session.game.at)),
    tags: async () => {
      const tags = await dialogs.askForTags(this.session.game.tags);
      if (tags) await this.app.edit("undo.tags", () => this.session.game.setTags(tags));
    },
    comment: () => this.session.mode === "analyse" && this.app.notes.focus(),
    "game-before": () => this.app.opener.step(-1),
    "game-after": () => this.app.opener.step(1),
    "setup-start": () => this.app.setup.start(),
    "setup-empty": () => this.app.setup.empty(),
    "setup-done": async () => {
      const fen = await this.app.setup.result();
      if (fen !== undefined) await this.endSetup(fen);
    },
    "setup-cancel": () => this.endSetup(),
  };

  /** To the variation beside the move shown. @param {number} distance */
  #sibling(distance) {
    const { game } = this.session;
    if (game.at === START) return;
    const siblings = game.children(game.parent(game.at));
    const next = siblings[siblings.indexOf(game.at) + distance];
    if (next !== undefined) return this.go(next);
  }

  /** @param {string} label @param {import("./model/session.js").Ending} ending */
  async #end(label, ending) {
    const state = this.app.snapshot();
    if (!(await this.app.play.end(ending))) return;
    this.app.history.push(label, state);
    $("#hinted").textContent = "";
    say(rule(this.session.tipPosition?.end?.reason ?? ""));
    this.app.screen.showUndo();
  }

  async hint() {
    const place = $("#hinted");
    place.textContent = t("hint.wait");
    const hint = await this.app.play.hint();
    if (!hint) return void (place.textContent = t("hint.none"));
    this.app.board.hint(hint);
    const { step, area, move } = hint;
    const roles = /** @type {Record<string, string>} */ ({ K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", O: "king" });
    const texts = [t(`hint.area.${area}`), t("hint.piece", { piece: t(roles[move.san[0]] ?? "pawn"), square: move.from }), t("hint.move", { move: local(move.san) })];
    place.textContent = texts[step - 1];
  }

  /** Lets engines wait, or go on. */
  pause() {
    const { session } = this;
    if (session.mode !== "play" || session.isOver) return;
    if (session.isPaused) this.app.play.resume();
    else if (session.you === null) session.isPaused = true;
    return this.app.refresh();
  }

  /**
   * The strength of an engine, from now on, in a game that is being played, too.
   * @param {"white" | "black"} side
   * @param {number | null} level
   */
  setLevel(side, level) {
    const { session } = this;
    const { game, tip, players } = session;
    const player = players[side];
    if (!player || level === player.level) return;
    session.players = { ...players, [side]: { ...player, level } };
    if (session.mode === "play" && !game.isEmpty && !session.isOver) {
      const said = t("level.changed", { engine: player.engine, level: levelText(player.kind, level) });
      game.setComment(tip, [game.commentOf(tip), said].filter(Boolean).join(" "));
      const tag = `${CAPITAL[side]}Elo`;
      if (level === null || player.kind !== "elo") game.setTags(game.tags.filter(([name]) => name !== tag));
      else game.setTag(tag, String(level));
    }
    this.app.play.stop();
    this.#remember([session.players[side]]);
    return this.app.refresh();
  }

  /** The levels that engines are given the next time. @param {(import("./model/level.js").Player | null)[]} players */
  #remember(players) {
    const { settings } = this.session;
    for (const player of players) {
      if (player?.engine === OWN) settings.elo = player.level;
      else if (player) settings.levels = { ...settings.levels, [player.engine]: player.level };
    }
    this.app.keepSettings();
  }

  async newGame() {
    const { session, app } = this;
    const wanted = await askForGame(session.settings, { names: app.engines.names, optionsOf: (name) => app.engines.optionsOf(name) });
    if (!wanted) return;
    const { players, rivals, limit, isHuman, warns, from, number, odds } = wanted;
    const starts = /** @type {Record<string, () => any>} */ ({
      start: () => null,
      here: () => session.position?.fen,
      odds: () => oddsFen(odds, players.black ? "black" : "white"),
      chess960: async () => (await app.transport.ask({ do: "chess960", number })).fen,
    });
    const game = new Game({ fen: await starts[from](), tags: from === "chess960" ? [["Variant", "Chess960"]] : [] });
    Object.assign(session.settings, { rivals, limit, isHuman, warns });
    this.#remember([players.white, players.black]);
    await this.begin(game, players);
  }

  /** A game begins. @param {Game} game @param {Record<"white" | "black", import("./model/level.js").Player | null>} players */
  async begin(game, players) {
    const { limit } = this.session.settings;
    const clock = limit.kind === "clock" ? new Clock(limit) : null;
    await this.app.replace("undo.game", game, { mode: "play", players, orientation: players.white && !players.black ? "black" : "white", clock });
    this.app.play.name();
    await this.app.refresh();
    const { you } = this.session;
    say(you ? t("new.said", { side: t(you) }) : t("new.said.engines", { white: players.white?.engine ?? "", black: players.black?.engine ?? "" }));
  }

  /** The same again, with the colours changed. */
  rematch() {
    const { game, players } = this.session;
    return this.begin(new Game({ fen: game.fen, tags: game.tags.filter(([name]) => name === "Variant") }), { white: players.black, black: players.white });
  }

  /** Plays on from the place shown, as a game of its own: the one that is open stays as it is. */
  async playOn() {
    const { session } = this;
    const { game, orientation, players } = session;
    const moves = game.path().map((place, index) => ({ ...game.nodes[place], children: undefined, parent: index ? index - 1 : null }));
    const tags = game.tags.filter(([name]) => name === "Variant");
    const rival = players[OPPOSITE[orientation]] ?? players[orientation] ?? session.player(OWN);
    await this.begin(new Game({ fen: game.fen, tags, comment: game.comment, moves, at: moves.length - 1 }), against(orientation, rival));
  }

  /** @param {number} nag */
  sign(nag) {
    const { game } = this.session;
    if (game.at !== START) return this.app.edit("undo.signs", () => game.setNags(game.at, toggled(game.nodes[game.at].nags, nag)));
  }

  /** @param {Game} game @param {number} place @param {string} words */
  comment(game, place, words) {
    if (game !== this.session.game) return;
    const comment = writeMarks(words.trim().replace(/\s+/g, " "), game.marks(place));
    if (comment !== game.commentOf(place)) return this.app.edit("undo.comment", () => game.setComment(place, comment));
  }

  /** Arrows and circles, drawn by hand. @param {import("./model/marks.js").Mark[]} marks */
  draw(marks) {
    const { game } = this.session;
    if (this.app.setup.isOpen) return;
    // Several in a row are undone as one.
    this.app.keepOnce("undo.marks", `marks ${game.at}`);
    game.setMarks(game.at, marks);
    this.app.screen.showUndo();
    this.app.save();
  }

  offer() {
    const { game, position } = this.session;
    return dialogs.offer(position?.fen ?? "", pgnOf(game), fileName(game));
  }

  beginSetup() {
    this.app.leaveMode();
    this.app.lines.clear();
    document.body.classList.add("setting-up");
    this.app.setup.open(this.session.position?.fen ?? "");
  }

  /** @param {string | null} [fen] */
  async endSetup(fen) {
    this.app.setup.close();
    document.body.classList.remove("setting-up");
    if (fen === undefined) return this.app.refresh();
    await this.app.replace("undo.game", new Game({ fen }), { mode: "analyse", orientation: this.session.orientation });
    say(t("setup.said"));
  }
}
