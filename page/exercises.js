// Practice on the board: positions of the game's review, those that are due of all reviews, and those of files. Each is shown on a
// board of its own; what was open before is there again afterwards.
import { bestBySearch, judgeByKnown, judgeBySearch, judged } from "./engine/judge.js";
import { MAX_EXERCISES, cutGames, fromCsv, fromGame, fromReview, inWords } from "./model/exercise.js";
import { Game } from "./model/game.js";
import { OWN } from "./model/level.js";
import { browserStore } from "./model/library.js";
import { Review } from "./model/review.js";
import { Schedule, browserKeeper, programKeeper } from "./model/schedule.js";
import { against } from "./model/session.js";
import { localPosition } from "./rules/local.js";
import { local, t } from "./texts/words.js";
import { CardsView } from "./views/cards.js";
import { $, toast } from "./views/dom.js";
import { Practice } from "./views/practice.js";

/** So many at a sitting. */
const SITTING = 20;
/** Of a file no more is read. */
const MAX_BYTES = 16 << 20;
const ROLES = /** @type {Record<string, string>} */ ({ K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", O: "king" });

export class Exercises {
  /** @type {Practice | null} */ practice = null;
  /** What was open before. @type {any} */ #before = null;
  #shown = 0;
  /** What positions are worth by a search. @type {Map<string, number>} */ #worths = new Map();
  /** @type {Schedule | null} */ #schedule = null;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.view = new CardsView({
      begin: () => this.#beginDue(), groups: () => this.#schedule?.groups() ?? [], remove: (ids) => this.#remove(ids), undo: () => this.#undo(), file: (file) => this.#openFile(file),
      choose: (player) => {
        app.session.settings.practised = player;
        app.keepSettings();
        this.#tell();
      },
    });
  }

  /** The schedule, as it is kept. What cannot be read is told of, and practice goes on without it. */
  async #kept() {
    if (this.#schedule) return this.#schedule;
    const { server } = this.app.library;
    const schedule = new Schedule(server ? programKeeper(server) : browserKeeper(browserStore("vancura-practice")));
    const problem = await schedule.load().catch((error) => t("cards.not.read", { reason: error.message }));
    if (problem) toast(problem);
    return (this.#schedule = schedule);
  }

  /** Shows what is due, with the mistakes of all reviews that are done. */
  async open() {
    this.view.open();
    await this.#kept();
    this.#tell();
    await this.#takeIn();
  }

  /** Takes in the mistakes of reviews that were not looked through yet: of all, or of one game. @param {string} [game] */
  async #takeIn(game) {
    const schedule = await this.#kept();
    const { server } = this.app.library;
    if (!server) return;
    const { reviews } = await server.reviews().catch(() => ({ reviews: [] }));
    for (const { id, changed } of reviews.filter((each) => (!game || each.id === game) && !schedule.hasSeen(each.id, each.changed))) {
      try {
        await schedule.add(fromReview(new Review(await server.reviewOf(id)), id), { [id]: changed });
      } catch (error) {
        this.view.complain(t("cards.not.kept", { reason: error.message }));
      }
      this.#tell();
    }
  }

  /** Deletes positions, which can be had back. Says whether they are gone. @param {string[]} ids */
  async #remove(ids) {
    const schedule = await this.#kept();
    try {
      const removed = await schedule.remove(ids);
      this.app.removed(async () => {
        await schedule.putBack(removed);
        this.#tell();
      });
      toast(t(removed.length === 1 ? "cards.deleted.one" : "cards.deleted", { count: removed.length }), true);
      this.#tell();
      return true;
    } catch (error) {
      this.view.complain(t("cards.not.kept", { reason: error.message }));
      toast(t("cards.not.kept", { reason: error.message }));
      return false;
    }
  }

  #undo() {
    return this.app.hasRemoved ? this.app.undo() : undefined;
  }

  /** Those of some positions that the rules allow, so many at most. Others are set aside. @param {import("./model/exercise.js").Exercise[]} exercises */
  async #sound(exercises) {
    const sound = [];
    let damaged = 0;
    for (const exercise of exercises) {
      if (sound.length === SITTING) break;
      if (await this.#isSound(exercise)) sound.push(exercise);
      else {
        damaged++;
        this.#schedule?.setAside(exercise.id);
      }
    }
    if (damaged) toast(t("cards.damaged.out", { count: damaged }));
    return sound;
  }

  /** Whether the rules allow a position and its solution. @param {import("./model/exercise.js").Exercise} exercise */
  async #isSound({ fen, line }) {
    try {
      const { moves } = await this.app.look({ fen, moves: [] });
      await this.app.look({ fen, moves: line });
      return moves.length > 0;
    } catch {
      return false;
    }
  }

  #tell() {
    const schedule = this.#schedule;
    if (!schedule) return;
    const { players } = schedule;
    const chosen = this.app.session.settings.practised ?? "";
    const player = players.some(([name]) => name === chosen) ? chosen : "";
    const { due, all, next } = schedule.state(player);
    this.view.show({ due: due.length, all, next, players, player });
  }

  async #beginDue() {
    const chosen = $("#practice-player").value;
    const sound = await this.#sound(this.#schedule?.state(chosen).due ?? []);
    this.#tell();
    await this.begin(sound, false);
  }

  /** Practises the mistakes of a review. @param {import("./model/review.js").Review} review @param {string} id of the game */
  async beginReview(review, id) {
    await this.#takeIn(id);
    await this.begin(fromReview(review, id));
  }

  /** Practises the positions of a file: PGN or CSV. @param {File} file */
  async #openFile(file) {
    const text = await file.slice(0, MAX_BYTES).text();
    let exercises = fromCsv(text);
    if (!exercises) {
      exercises = [];
      for (const game of cutGames(text)) {
        if (!/\[FEN "/.test(game)) continue;
        const read = await this.app.transport.ask({ do: "read-pgn", text: game, game: 0 }).catch(() => null);
        const exercise = read && fromGame(read.game);
        if (exercise) exercises.push(exercise);
      }
    }
    if (exercises.length === 0) throw new Error(t("cards.file.none", { name: file.name }));
    const schedule = await this.#kept();
    await this.begin(await this.#sound(schedule.dueOf(exercises.slice(0, MAX_EXERCISES))), false);
  }

  /**
   * Practises positions.
   * @param {import("./model/exercise.js").Exercise[]} exercises
   * @param {boolean} [sort] whether those of one side can be chosen
   */
  async begin(exercises, sort = true) {
    if (exercises.length === 0) return;
    const { app } = this;
    const { session } = app;
    const schedule = await this.#kept();
    this.view.close();
    app.leaveMode();
    await app.autosave.flush();
    this.#before = app.snapshot();
    this.#worths.clear();
    const fault = (/** @type {Error} */ error) => toast(t("cards.not.kept", { reason: error.message }));
    this.practice = new Practice(exercises.map((each) => ({ ...each })), {
      sort,
      show: (task, moves) => this.#show(task, moves).catch((error) => {
        toast(error.message);
        this.practice?.leaveOut(task);
      }),
      play: (task, { uci }) => this.#preview(task, [...session.game.moves(), uci]),
      solve: (task, moves) => {
        this.#preview(task, [...moves, task.line[moves.length]]);
        return (moves.length ? inWords(task.fen, task.line).slice(moves.length) : task.shown).map(local).join(" ");
      },
      check: (task) => this.#check(task),
      judge: (task, { uci }, moves) => this.#judge(task, uci, moves),
      words: (task, moves) => inWords(task.fen, moves),
      hint: (task, moves) => this.#hint(task, moves),
      grading: (task) => {
        const { due, choose } = schedule.grading(/** @type {any} */ (task));
        return { due, choose: (grade) => void choose(grade).catch(fault) };
      },
      canRemove: (task) => schedule.has(task.id),
      remove: (task) => this.#remove([task.id]),
      out: (task, moves) => this.#playOut(task, moves),
      left: () => this.#left(),
    });
    session.isPractising = true;
    document.body.classList.add("practising");
    $("#review").before(this.practice.panel);
    this.practice.begin();
  }

  #left() {
    const { app } = this;
    this.#shown++;
    this.practice = null;
    app.session.isPractising = false;
    document.body.classList.remove("practising");
    app.session.restore(this.#before);
    app.refresh();
  }

  /** A position with the moves made since, as a game. @param {any} task @param {string[]} moves */
  async #gameOf({ fen }, moves) {
    const game = new Game({ fen });
    for (const uci of moves) {
      const { moves: legal } = await this.app.look({ fen, moves: game.moves() });
      const move = legal.find((each) => each.uci === uci);
      if (!move) break;
      game.at = game.add(game.at, move);
    }
    return game;
  }

  /** @param {any} task @param {string[]} moves */
  async #show(task, moves) {
    const shown = ++this.#shown;
    const game = await this.#gameOf(task, moves);
    if (shown !== this.#shown) return;
    this.app.session.replace(game, { mode: "analyse", orientation: task.turn });
    await this.app.refresh();
  }

  /** @param {any} task @param {string[]} moves */
  #preview({ fen }, moves) {
    const { fen: shown, last } = localPosition({ fen, moves });
    this.app.board.preview(shown, last ?? []);
  }

  /** Which piece moves. @param {any} task @param {string[]} moves */
  #hint({ fen, line }, moves) {
    const move = localPosition({ fen, moves }).moves.find(({ uci }) => uci === line[moves.length]);
    if (!move) return t("hint.none");
    this.app.board.hint({ step: 2, area: "", move });
    return t("hint.piece", { piece: t(ROLES[move.san[0]] ?? "pawn"), square: move.from });
  }

  /** What is to be searched after some moves. @param {any} task @param {string[]} moves */
  #what(task, moves) {
    const { app } = this;
    const position = app.command(app.session.game.at, task.fen);
    return { position, best: task.line[moves.length], options: { ...app.common(), UCI_LimitStrength: false }, worths: this.#worths };
  }

  /** @param {any} task */
  async #check(task) {
    const line = await bestBySearch(this.app.engine, { ...this.#what(task, []), known: task.known });
    if (line && line[0] !== task.line[0]) Object.assign(task, { line: [line[0]], shown: inWords(task.fen, line) });
  }

  /** @param {any} task @param {string} uci @param {string[]} moves */
  async #judge(task, uci, moves) {
    const { app } = this;
    const what = { ...this.#what(task, moves), uci };
    return judged(moves.length === 0 ? judgeByKnown(task, uci) : null, () => judgeBySearch(app.engine, what));
  }

  /** Plays on against the engine, from where the practice stands. @param {any} task @param {string[]} moves */
  async #playOut(task, moves) {
    const game = await this.#gameOf(task, moves);
    this.practice?.leave();
    const { session } = this.app;
    await this.app.intents.begin(game, against(task.turn, session.player(OWN)));
  }

  /** A move on the board while one practises. @param {any} move */
  async answer(move) {
    this.app.board.again();
    await this.practice?.answer(move);
  }
}
