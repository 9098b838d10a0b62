// A game against the engine: whose turn it is, what the engine is asked, how the game ends. It knows no page.
import { points } from "../engine/judge.js";
import { OPPOSITE, controlText } from "../model/clock.js";
import { duration } from "../model/game.js";

/** Before this half-move the engine takes no draw. */
const FIRST_DRAW = 20;
/** Of a thousand points, what the engine must expect at most to take a draw. */
const DRAW_POINTS = 510;
/** Of a thousand points, what a move must give away to be warned of. */
const BLUNDER = 150;
/** How much the engine looks for hints and warnings. */
const HINT = "nodes 150000";
const GLANCE = "nodes 15000";

/** What White, Black and Vancura are called in a game. */
const CAPITAL = { white: "White", black: "Black" };

export class Play {
  /** The moves to the position that the engine thinks about. @type {string | null} */ #thinking = null;
  /** @type {import("../engine/uci.js").Info | null} */ #last = null;
  /** @type {{ key: string, info: import("../engine/uci.js").Info, step: number } | null} */ #hint = null;

  /**
   * @param {import("../model/session.js").Session} session
   * @param {{ engine: import("../engine/uci.js").Engine, common: () => Record<string, string | number | boolean>,
   *   refresh: () => Promise<void>, now: () => number, today: () => Date, wait: (time: number) => Promise<void>, random: () => number,
   *   command: (place: number, fen: string) => string, answered: (move: import("../model/session.js").Playable) => void }} means
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

  /** Tells the tags of a game that has none yet: names, date, level, time. */
  name() {
    const { game, you, settings } = this.session;
    if (game.known("White") || game.known("Black")) return;
    const { limit } = settings;
    const day = this.means.today();
    const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    const names = { [you]: "You", [OPPOSITE[you]]: "Vancura" };
    /** @type {[string, string | null][]} */
    const tags = [
      ["Event", "Game against Vancura"], ["Date", date], ["White", names.white], ["Black", names.black],
      [`${CAPITAL[OPPOSITE[you]]}Elo`, settings.elo === null ? null : String(settings.elo)],
      ["TimeControl", limit.kind === "clock" ? controlText(limit) : limit.kind === "movetime" ? `1/${limit.value}` : null],
    ];
    for (const [name, value] of tags) if (value !== null) game.setTag(name, value);
  }

  /** Lets the engine think if it is its turn, and the clock run. The session has the positions. */
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
    // The first move is made in one's own time.
    if (clock && !session.game.isEmpty) clock.start(tipPosition.turn, means.now());
    if (tipPosition.turn === you) this.stop();
    else this.#think();
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
    if (this.#thinking !== null) this.means.engine.stop();
    this.#thinking = null;
  }

  /** Not of this game any more. */
  leave() {
    this.stop();
    this.#hint = null;
    this.session.clock?.pause(this.means.now());
  }

  #think() {
    const { session, means } = this;
    const key = this.#key;
    // Looking back at other positions does not disturb it.
    if (this.#thinking === key || !session.tipPosition) return;
    this.#thinking = key;
    this.#last = null;
    const began = means.now();
    const { elo } = session.settings;
    means.engine.search({
      position: means.command(session.tip, session.tipPosition.fen),
      go: this.#limit(),
      options: { ...means.common(), MultiPV: 1, UCI_LimitStrength: elo !== null, ...(elo !== null && { UCI_Elo: elo }) },
      hear: (info) => (this.#last = info),
      done: (best) => this.#answer(key, best, began),
    });
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
    const { clock, game, you } = this.session;
    const share = 0.3 + 1.4 * this.means.random() ** 2;
    const isOpening = game.path(this.session.tip).length < 12;
    if (!clock) return 2500 * share * (isOpening ? 0.4 : 1);
    const left = clock.time(OPPOSITE[you], this.means.now());
    return Math.min((left / 40 + clock.control.increment * 0.7) * share * (isOpening ? 0.4 : 1), left / 8);
  }

  /**
   * @param {string} key
   * @param {string} best
   * @param {number} began
   */
  async #answer(key, best, began) {
    const { session, means } = this;
    if (session.settings.isHuman) {
      const rest = this.#humanTime() - (means.now() - began);
      if (rest > 0) await means.wait(rest);
    }
    if (this.#thinking !== key || key !== this.#key) return;
    this.#thinking = null;
    const move = session.tipPosition?.moves.find(({ uci }) => uci === best);
    if (!move) return;
    await this.make(move);
    means.answered(move);
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

  /** Whether the flag of the side to move has fallen; ends the game then. */
  async tick() {
    const { session, means } = this;
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

  /** Takes moves back until it is your turn again. Says whether there was one. */
  takeBack() {
    const { session } = this;
    const { game } = session;
    if (game.isEmpty) return false;
    this.stop();
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
    const info = isMine ? await this.#probe(means.command(tip, tipPosition.fen), GLANCE) : this.#last;
    if (key !== this.#key || !info || game.path(tip).length < FIRST_DRAW) return false;
    // Seen from the engine.
    const expected = isMine ? 1000 - points(info) : points(info);
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
