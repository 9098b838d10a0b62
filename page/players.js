// The engines that play: Vancura in this page, and others, each in a process of its own for as long as the game is open.
import { OWN, levelOptions, nearest, scaleOf } from "./model/level.js";
import { t } from "./texts/words.js";

/** @typedef {{ name: string, engine: import("./engine/uci.js").Engine, close: () => void, game: string }} Seated `game` is the one that it has heard of last */

export class Players {
  /** Who sits at a side, or is about to. @type {Map<string, { name: string, seated: Promise<Seated> }>} */ #seats = new Map();

  /** What the engines that have played have for options. @type {Map<string, Map<string, any>>} */ #options = new Map();

  /**
   * @param {{ own: import("./engine/uci.js").Engine, engines: import("./engines.js").Engines, session: import("./model/session.js").Session,
   *   hasGuests: boolean, failed: (side: "white" | "black", reason: string) => void }} means `failed` is told why an engine has gone
   */
  constructor(means) {
    this.means = means;
  }

  /**
   * The engine of a side with the options that it is to have there. Rejects in words if it cannot be had.
   * @param {"white" | "black"} side
   * @returns {Promise<{ engine: import("./engine/uci.js").Engine, options: Record<string, any> }>}
   */
  async at(side) {
    const { session, engines } = this.means;
    const player = session.players[side];
    if (!player) throw new Error(t("engine.unknown"));
    const isOther = this.#seats.get(side)?.name !== player.engine;
    if (isOther) {
      this.#free(side);
      this.#seats.set(side, { name: player.engine, seated: this.#take(side, player.engine) });
    }
    const seated = await /** @type {{ seated: Promise<Seated> }} */ (this.#seats.get(side)).seated;
    const { engine } = seated;
    const isChess960 = Boolean(session.tipPosition?.chess960);
    if (isChess960 && player.engine !== OWN && !engine.options.has("UCI_Chess960")) throw new Error(t("engine.no960"));
    if (seated.game !== session.id && engine !== this.means.own) engine.forget();
    seated.game = session.id;
    this.#options.set(player.engine, engine.options);
    this.#note(side, engine);
    const more = player.engine === OWN ? {} : { UCI_Chess960: isChess960 };
    return { engine, options: engines.known(player.engine, engine, { ...more, ...levelOptions(engine.options, player.level), MultiPV: 1 }) };
  }

  /** Notes what the level of a side is measured in, which only the engine knows. @param {"white" | "black"} side @param {import("./engine/uci.js").Engine} engine */
  #note(side, engine) {
    const player = this.means.session.players[side];
    const scale = scaleOf(engine.options);
    const kind = scale?.kind ?? null;
    if (!player || player.kind === kind) return;
    this.means.session.players = { ...this.means.session.players, [side]: { ...player, kind, level: nearest(scale, player.level) } };
  }

  /** @param {"white" | "black"} side @param {string} name @returns {Promise<Seated>} */
  #take(side, name) {
    const { own, engines, hasGuests } = this.means;
    const isTaken = side === "black" && this.#seats.get("white")?.name === OWN;
    // Where there is a program, Vancura against itself are two.
    if (name === OWN && !(isTaken && hasGuests)) return Promise.resolve({ name, engine: own, close: () => {}, game: "" });
    const isHere = () => this.#seats.get(side)?.seated === seated;
    const gone = (/** @type {string} */ reason) => {
      if (!isHere()) return;
      this.#seats.delete(side);
      this.means.failed(side, reason);
    };
    const seated = engines.open(name, gone).then(({ engine, close }) => ({ name, engine, game: "", close }));
    seated.catch(() => isHere() && this.#seats.delete(side));
    return seated;
  }

  /** The options of the engine of a side, as far as it is there. @param {"white" | "black"} side */
  optionsAt(side) {
    const player = this.means.session.players[side];
    if (player?.engine === OWN) return this.means.own.options;
    return this.#options.get(player?.engine ?? "");
  }

  /** @param {string} side */
  #free(side) {
    this.#seats.get(side)?.seated.then(({ close }) => close(), () => {});
    this.#seats.delete(side);
  }

  /** Ends the engines that play, but for Vancura in this page. */
  free() {
    for (const side of [...this.#seats.keys()]) this.#free(side);
  }
}
