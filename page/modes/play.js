// A game against an engine, or between two: whose turn it is, what the engines are asked, how the game ends. It knows no page.
import { points } from "../engine/judge.js";
import { controlText } from "../model/clock.js";
import { START, duration } from "../model/game.js";
import { OWN } from "../model/level.js";
import { t } from "../texts/words.js";

/** Before this half-move the engine takes no draw. */
const FIRST_DRAW = 20;
/** Of a thousand points, what the engine must expect at most to take a draw. */
const DRAW_POINTS = 510;
/** Of a thousand points, what a move must give away to be warned of. */
const BLUNDER = 150;
/** How much the engine looks for hints and warnings. */
const HINT = "nodes 150000";
const GLANCE = "nodes 15000";
/** How much longer than it may an engine can think before it is given up, in milliseconds. */
const PATIENCE = 10_000;

/** What White and Black are called in tags. */
export const CAPITAL = { white: "White", black: "Black" };
const SIDES = /** @type {const} */ (["white", "black"]);

export class Play {
  /** The position that an engine thinks about. @type {string | null} */ #thinking = null;
  /** That engine, once it is there. @type {import("../engine/uci.js").Engine | null} */ #engine = null;
  /** When it is given up, if it is told how long it may think. @type {number} */ #deadline = Infinity;
  /** @type {import("../engine/uci.js").Info | null} */ #last = null;
  /** @type {{ key: string, info: import("../engine/uci.js").Info, step: number } | null} */ #hint = null;

  /**
   * @param {import("../model/session.js").Session} session
   * @param {{ engine: import("../engine/uci.js").Engine, common: () => Record<string, string | number | boolean>,
   *   at: (side: import("../model/clock.js").Side) => Promise<{ engine: import("../engine/uci.js").Engine, options: Record<string, any> }>,
   *   refresh: () => Promise<void>, now: () => number, today: () => Date, wait: (time: number) => Promise<void>, random: () => number,
   *   command: (place: number, fen: string) => string, failed: (reason: string) => void,
   *   answered: (move: import("../model/session.js").Playable, engine: string) => void }} means `engine` is Vancura, which gives hints
   *   and warnings, `at` the engine that plays a side, `failed` is told what keeps one from playing on
   */
  constructor(session, means) {
    this.session = session;
    this.means = means;
  }

  /** Names the position that is played. */
  get #key() {
    const { id, game, tip } = this.session;
    return [id, game.fen, ...game.moves(tip)].join();
  }

  get isThinking() {
    return this.#thinking !== null;
  }

  /** Tells the tags of a game that has none yet: names, date, levels, time. */
  name() {
    const { game, players, you, settings } = this.session;
    if (game.known("White") || game.known("Black")) return;
    const { limit } = settings;
    const day = this.means.today();
    const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    const rival = players.white ?? players.black;
    game.setTag("Event", you === null ? "Game between engines" : `Game against ${rival?.engine}`);
    game.setTag("Date", date);
    for (const side of SIDES) game.setTag(CAPITAL[side], players[side]?.engine ?? "You");
    for (const side of SIDES) {
      const player = players[side];
      if (!player || player.level === null) continue;
      if (player.kind === "elo") game.setTag(`${CAPITAL[side]}Elo`, String(player.level));
      // There is no tag for it.
      else game.setComment(START, [game.comment, t("level.skill.of", { engine: player.engine, level: player.level })].filter(Boolean).join(" "));
    }
    const control = limit.kind === "clock" ? controlText(limit) : limit.kind === "movetime" ? `1/${limit.value}` : null;
    if (control) game.setTag("TimeControl", control);
  }

  /** Lets an engine think if it is its turn, and the clock run. The session has the positions. */
  follow() {
    const { session, means } = this;
    const { tipPosition, clock, you } = session;
    if (!tipPosition) return;
    if (tipPosition.end) {
      this.stop();
      clock?.pause(means.now());
      this.#finish(tipPosition.end.result);
      return;
    }
    if (session.isPaused) {
      this.stop();
      clock?.pause(means.now());
    } else if (tipPosition.turn !== you) this.#think();
    else {
      this.stop();
      this.#startClock();
    }
  }

  /** The first move is made in one's own time. */
  #startClock() {
    const { clock, game, tipPosition } = this.session;
    if (clock && tipPosition && !game.isEmpty) clock.start(tipPosition.turn, this.means.now());
  }

  /** @param {string} result */
  #finish(result) {
    const { game, ending } = this.session;
    if (game.result === result) return;
    game.setResult(result);
    game.setTag("Result", result);
    game.setTag("Termination", ending?.timeout ? "time forfeit" : "normal");
  }

  /** Ends the engine's thinking about its move. */
  stop() {
    if (this.#thinking !== null) this.#engine?.stop();
    this.#thinking = null;
    this.#deadline = Infinity;
  }

  /** Not of this game any more. */
  leave() {
    this.stop();
    this.#hint = null;
    this.#last = null;
    this.session.clock?.pause(this.means.now());
  }

  async #think() {
    const { session, means } = this;
    const key = this.#key;
    // Looking back at other positions does not disturb it.
    if (this.#thinking === key || !session.tipPosition) return;
    this.stop();
    this.#thinking = key;
    this.#engine = null;
    this.#last = null;
    if (session.you === null && session.tipPosition.claim) {
      // Engines cannot claim: what the rules allow is claimed for them.
      if (await this.end({ claim: true })) return;
    }
    const seated = await means.at(session.tipPosition.turn).catch((error) => this.#fail(key, error.message));
    if (!seated || this.#thinking !== key) return;
    this.#engine = seated.engine;
    // While an engine starts, no clock runs.
    this.#startClock();
    const began = means.now();
    const { clock, settings } = session;
    this.#deadline = !clock && settings.limit.kind === "movetime" ? began + settings.limit.value * 1000 + PATIENCE : Infinity;
    seated.engine.search({
      position: means.command(session.tip, session.tipPosition.fen),
      go: this.#limit(),
      options: seated.options,
      hear: (info) => !info.isBound && info.line === 1 && (this.#last = info),
      done: (best) => this.#answer(key, best, began),
    });
  }

  /** The engine of a side has gone: one that does not think just now is started again when it is its turn. @param {import("../model/clock.js").Side} side @param {string} reason in words */
  lost(side, reason) {
    if (this.#thinking !== null && this.session.tipPosition?.turn === side) this.#fail(this.#thinking, reason);
  }

  /**
   * The engine cannot go on: the game stays as it is, and waits.
   * @param {string} key
   * @param {string} reason
   */
  #fail(key, reason) {
    if (this.#thinking !== key) return;
    this.stop();
    this.means.failed(reason);
  }

  #limit() {
    const { clock, settings } = this.session;
    if (clock) {
      const time = (/** @type {"white" | "black"} */ side) => Math.max(1, Math.round(clock.time(side, this.means.now())));
      const { increment, delay } = clock.control;
      const more = Math.round(increment + delay);
      return `wtime ${time("white")} btime ${time("black")} winc ${more} binc ${more}`;
    }
    const { limit } = settings;
    if (limit.kind === "clock") return "movetime 1000";
    const value = Math.max(1, Math.round(limit.kind === "movetime" ? limit.value * 1000 : limit.value));
    return `${limit.kind} ${value}`;
  }

  /** How long a person would take for a move here, in milliseconds. */
  #humanTime() {
    const { clock, game, tipPosition } = this.session;
    const share = 0.3 + 1.4 * this.means.random() ** 2;
    const isOpening = game.path(this.session.tip).length < 12;
    if (!clock) return 2500 * share * (isOpening ? 0.4 : 1);
    const left = clock.time(tipPosition?.turn ?? "white", this.means.now());
    return Math.min((left / 40 + clock.control.increment * 0.7) * share * (isOpening ? 0.4 : 1), left / 8);
  }

  /**
   * @param {string} key
   * @param {string} best
   * @param {number} began
   */
  async #answer(key, best, began) {
    const { session, means } = this;
    this.#deadline = Infinity;
    const move = this.#thinking === key ? session.tipPosition?.moves.find(({ uci }) => uci === best.toLowerCase()) : undefined;
    if (!move) return this.#fail(key, t("engine.illegal", { move: best }));
    if (session.settings.isHuman) {
      const rest = this.#humanTime() - (means.now() - began);
      if (rest > 0) await means.wait(rest);
    }
    if (this.#thinking !== key || key !== this.#key) return;
    this.#thinking = null;
    const side = session.tipPosition?.turn ?? "white";
    await this.make(move);
    means.answered(move, session.players[side]?.engine ?? OWN);
  }

  /**
   * Makes a move in the game that is played; who looks elsewhere is left there.
   * @param {import("../model/session.js").Playable} move
   */
  async make(move) {
    const { session, means } = this;
    const { game, clock, tip, isAtTip } = session;
    this.name();
    this.#hint = null;
    const side = session.tipPosition?.turn ?? "white";
    const took = clock?.running ? clock.press(means.now()) : null;
    const time = clock && { clock: duration(clock.time(side, means.now())), ...(took !== null && { elapsed: duration(took) }) };
    const place = game.add(tip, move, time ?? {});
    game.promote(place);
    if (isAtTip) game.at = place;
    if (game.result !== "*") game.setTag("Result", "*");
    game.setResult("*");
    session.ending = null;
    await means.refresh();
  }

  /** Gives up an engine that thinks too long. Says whether the flag of the side to move has fallen; ends the game then. */
  async tick() {
    const { session, means } = this;
    if (this.#thinking !== null && means.now() > this.#deadline) this.#fail(this.#thinking, t("engine.no.move"));
    if (session.mode !== "play" || session.isOver || !session.clock?.hasFallen(means.now())) return false;
    await this.end({ timeout: true });
    return true;
  }

  /**
   * Ends the game by more than its moves. Says whether it has ended.
   * @param {import("../model/session.js").Ending} ending
   */
  async end(ending) {
    const { session, means } = this;
    if (session.isOver) return false;
    session.ending = ending;
    session.game.at = session.tip;
    await means.refresh();
    if (!session.isOver) session.ending = null;
    return session.isOver;
  }

  /** What has kept the engines from going on is over. */
  resume() {
    Object.assign(this.session, { isPaused: false, fault: "" });
  }

  /** Takes moves back until it is your turn again. Says whether there was one. */
  takeBack() {
    const { session } = this;
    const { game } = session;
    if (game.isEmpty) return false;
    this.stop();
    this.resume();
    this.#last = null;
    session.ending = null;
    const turn = session.tipPosition?.turn;
    const count = turn === session.you ? 2 : 1;
    const path = game.path(session.tip);
    const from = path[Math.max(0, path.length - count)];
    game.remove(from);
    game.at = session.tip;
    game.setResult("*");
    return true;
  }

  /**
   * What the engine finds in a position; `null` if something else takes its place.
   * @param {string} position
   * @param {string} go
   * @returns {Promise<import("../engine/uci.js").Info | null>}
   */
  #probe(position, go) {
    const { engine, common } = this.means;
    return new Promise((resolve) => {
      /** @type {import("../engine/uci.js").Info | null} */
      let found = null;
      engine.search({
        position, go,
        options: { ...common(), MultiPV: 1, UCI_LimitStrength: false },
        hear: (info) => !info.isBound && (found = info),
        done: () => resolve(found),
        dropped: () => resolve(null),
      });
    });
  }

  /** Offers a draw, and says whether the engine takes it. */
  async offerDraw() {
    const { session, means } = this;
    const { tip, tipPosition, game } = session;
    if (session.isOver || !tipPosition) return false;
    const key = this.#key;
    const isMine = tipPosition.turn === session.you;
    const isOwn = session.rival?.engine === OWN;
    const info = isMine && isOwn ? await this.#probe(means.command(tip, tipPosition.fen), GLANCE) : this.#last;
    if (key !== this.#key || !info || game.path(tip).length < FIRST_DRAW) return false;
    // Seen from the engine: what Vancura finds in your position, or what an engine has said of its own last move.
    const expected = isMine && isOwn ? 1000 - points(info) : points(info);
    if (expected > DRAW_POINTS) return false;
    return this.end({ agreed: true });
  }

  /** The next step of a hint: the area of the board, the piece, the move. `null` if there is none. */
  async hint() {
    const { session, means } = this;
    const { tip, tipPosition } = session;
    if (!session.isYourTurn || !tipPosition) return null;
    const key = this.#key;
    if (this.#hint?.key !== key) {
      const info = await this.#probe(means.command(tip, tipPosition.fen), HINT);
      if (!info || key !== this.#key) return null;
      this.#hint = { key, info, step: 0 };
    }
    const hint = this.#hint;
    const move = tipPosition.moves.find(({ uci }) => uci === hint.info.pv[0]);
    if (!move) return null;
    hint.step = Math.min(hint.step + 1, 3);
    const file = move.to[0][0];
    const area = "abc".includes(file) ? "queenside" : "de".includes(file) ? "centre" : "kingside";
    return { step: hint.step, area, move };
  }

  /**
   * How much a move gives away, in thousandths of a point, if that makes it a blunder; else nothing.
   * @param {import("../model/session.js").Playable} move
   */
  async blunder(move) {
    const { session, means } = this;
    const { tip, tipPosition } = session;
    if (!tipPosition) return 0;
    const key = this.#key;
    const before = await this.#probe(means.command(tip, tipPosition.fen), GLANCE);
    if (!before || before.pv[0] === move.uci || key !== this.#key) return 0;
    const position = means.command(tip, tipPosition.fen);
    const line = position.includes(" moves ") ? `${position} ${move.uci}` : `${position} moves ${move.uci}`;
    const after = await this.#probe(line, GLANCE);
    if (!after || key !== this.#key) return 0;
    const loss = points(before) - (1000 - points(after));
    return loss >= BLUNDER ? loss : 0;
  }
}
