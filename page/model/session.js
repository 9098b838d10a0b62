// What is open: the game, the place, the mode and the settings. Views read it, modes change it.
import { Clock } from "./clock.js";
import { Game } from "./game.js";
import { OWN } from "./level.js";

/**
 * @typedef {import("./clock.js").Side} Side
 * @typedef {import("./level.js").Player} Player
 * @typedef {{ kind: "clock", base: number, increment: number, delay: number } | { kind: "movetime" | "nodes" | "depth", value: number }} Limit
 * @typedef {{ resign?: Side, claim?: true, timeout?: true, agreed?: true }} Ending how a game has ended that goes on by its moves
 *
 * What outlasts the page beside games. `elo` is Vancura's level, `null` at full strength, `levels` are those of other engines by
 * their names; `rivals`: the engines that were chosen to play last; `isHuman`: engines take the time of a person; `warns`: before a
 * blunder is played.
 * @typedef {{ elo: number | null, levels?: Record<string, number | null>, rivals?: string[], limit: Limit, isHuman: boolean, warns: boolean, lines: number, hash: number, threads: number,
 *   arrows: boolean, engine: boolean, sounds: boolean, coordinates: boolean, board: string, pieces: string, scale: number,
 *   theme?: "light" | "dark", language?: string, engines?: (string | null)[], explorer: boolean, endings: boolean, explorerSource?: string, practised?: string,
 *   engineOptions?: Record<string, Record<string, string | number | boolean>> }} Settings
 *
 * What the rules say of a position.
 * @typedef {{ uci: string, san: string, text: string, spoken: string, from: string, to: string[], promotion: string | null }} Playable
 * @typedef {{ fen: string, turn: Side, check: boolean, chess960: boolean, moves: Playable[], end: { result: string, reason: string } | null,
 *   claim: string | null, pieces: string, last: string[] | null }} Position
 */

/** The most lines that are analysed at once. */
export const MAX_LINES = 5;
export const BOARDS = ["green", "brown", "blue", "grey"];
export const PIECE_SETS = ["vancura", "cburnett"];

/** @type {Settings} */
export const DEFAULTS = {
  elo: 1500, limit: { kind: "movetime", value: 1 }, isHuman: false, warns: false, lines: 3, hash: 64, threads: 1, arrows: true, engine: true,
  explorer: true, endings: true, sounds: true, coordinates: true, board: BOARDS[0], pieces: PIECE_SETS[0], scale: 1,
};

const SIDES = ["white", "black"];
const isObject = (/** @type {any} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isLevel = (/** @type {any} */ value) => value === null || isWhole(value, -10_000, 10_000);
const isWhole = (/** @type {any} */ value, /** @type {number} */ least, /** @type {number} */ most) => Number.isInteger(value) && value >= least && value <= most;
const isOneOf = (/** @type {any[]} */ values) => (/** @type {any} */ value) => values.includes(value);
const isBoolean = (/** @type {any} */ value) => typeof value === "boolean";
const isNumber = (/** @type {any} */ value) => Number.isFinite(value) && value >= 0;

/** What each setting may be. @type {Record<string, (value: any) => boolean>} */
const SETTINGS = {
  elo: (value) => value === null || isWhole(value, 0, 10_000),
  levels: (value) => isObject(value) && Object.values(value).every(isLevel),
  rivals: (value) => Array.isArray(value) && value.length === 2 && value.every((name) => typeof name === "string"),
  limit: (value) => isObject(value) && (value.kind === "clock"
    ? isNumber(value.base) && value.base > 0 && isNumber(value.increment) && isNumber(value.delay)
    : ["movetime", "nodes", "depth"].includes(value.kind) && isNumber(value.value) && value.value > 0),
  lines: (value) => isWhole(value, 1, MAX_LINES),
  hash: (value) => isWhole(value, 1, 1_048_576),
  threads: (value) => isWhole(value, 1, 1024),
  scale: (value) => Number.isFinite(value) && value >= 0.3 && value <= 1,
  engines: (value) => Array.isArray(value) && value.length === 2 && value.every((name) => name === null || typeof name === "string"),
  engineOptions: (value) => isObject(value) && Object.values(value).every((options) => isObject(options)
    && Object.values(options).every((option) => ["string", "number", "boolean"].includes(typeof option))),
  explorerSource: (value) => typeof value === "string",
  practised: (value) => typeof value === "string" && value.length < 1000,
  explorer: isBoolean, endings: isBoolean, isHuman: isBoolean, warns: isBoolean, arrows: isBoolean, engine: isBoolean, sounds: isBoolean, coordinates: isBoolean,
  board: isOneOf(BOARDS), pieces: isOneOf(PIECE_SETS), theme: isOneOf(["light", "dark"]), language: isOneOf(["en", "de"]),
};

/**
 * Those settings that are as this page keeps them.
 * @param {any} settings
 * @returns {Partial<Settings>}
 */
export function soundSettings(settings) {
  const entries = Object.entries(isObject(settings) ? settings : {});
  return Object.fromEntries(entries.filter(([name, value]) => Object.hasOwn(SETTINGS, name) && SETTINGS[name](value)));
}

/** @param {any} value @returns {value is Ending} */
const isEnding = (value) => isObject(value) && (SIDES.includes(value.resign) || ["claim", "timeout", "agreed"].some((how) => value[how] === true));

/** @param {any} value @returns {value is Player | null} */
const isPlayer = (value) => value === null
  || (isObject(value) && typeof value.engine === "string" && isLevel(value.level) && isOneOf(["elo", "skill", null])(value.kind));

/** Who plays: an engine against whoever sits here. @param {Side} you @param {Player} engine @returns {Record<Side, Player | null>} */
export const against = (you, engine) => (you === "white" ? { white: null, black: engine } : { white: engine, black: null });

export class Session {
  /** The name under which the game is kept. @type {string} */ id = crypto.randomUUID();
  game = new Game();
  /** @type {"play" | "analyse"} */ mode = "play";
  /** The engines that play; the side without one is played here. @type {Record<Side, Player | null>} */ players;
  /** Whether the engines wait: they were told to, or one cannot go on. */ isPaused = false;
  /** Why an engine cannot go on, in words. */ fault = "";
  /** @type {Ending | null} */ ending = null;
  /** @type {Clock | null} */ clock = null;
  /** @type {Side} */ orientation = "white";
  /** Where the game is one of many: the games before and after it can be had from there. @type {any} */ source = null;
  /** Whether mistakes are practised, and nothing is to give away what is better. */ isPractising = false;
  /** What the rules say of the place shown. @type {Position | null} */ position = null;
  /** The same of the end of the game that is played. @type {Position | null} */ tipPosition = null;

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    this.players = against("white", this.player(OWN));
  }

  /** An engine that is to play, at the level that it was given last. @param {string} engine @param {"elo" | "skill" | null} [kind] @returns {Player} */
  player(engine, kind = engine === OWN ? "elo" : null) {
    const { elo, levels } = this.settings;
    return { engine, level: engine === OWN ? elo : (levels?.[engine] ?? null), kind };
  }

  /** The side that is played here; `null` if engines play both. @returns {Side | null} */
  get you() {
    const { white, black } = this.players;
    return white === null ? "white" : black === null ? "black" : null;
  }

  /** The place where the game that is played stands, wherever one looks. */
  get tip() {
    return this.game.last();
  }

  get isAtTip() {
    return this.game.at === this.tip;
  }

  /** Whether the game that is played is over. */
  get isOver() {
    return Boolean(this.tipPosition?.end);
  }

  /** Whether it is the turn of whoever sits here, in a game that goes on. */
  get isYourTurn() {
    return this.mode === "play" && !this.isOver && this.you !== null && this.tipPosition?.turn === this.you;
  }

  /** The engine that is played against, if only one plays. */
  get rival() {
    return this.you === null ? null : (this.players.white ?? this.players.black);
  }

  /** Whether the game is one of these players, by its tags. */
  get isOfPlayers() {
    const { white, black } = this.players;
    return (white !== null && this.game.tag("White") === white.engine) || (black !== null && this.game.tag("Black") === black.engine);
  }

  /** A place as the rules take it: the start and the moves. @param {number} [place] */
  line(place) {
    return { fen: this.game.fen, moves: this.game.moves(place) };
  }

  /** All that can be had back. @param {number} now */
  snapshot(now) {
    const { id, mode, players, ending, orientation, source } = this;
    return { id, mode, players, ending, orientation, source, game: this.game.save(), clock: this.clock?.save(now) ?? null };
  }

  /**
   * What `snapshot` gave, by way of whatever has kept it. Says whether it was a game.
   * @param {any} state
   */
  restore(state) {
    if (!isObject(state)) return false;
    const game = Game.restored(state.game);
    if (!game || typeof state.id !== "string" || !state.id) return false;
    this.id = state.id;
    this.game = game;
    this.mode = state.mode === "analyse" ? "analyse" : "play";
    const { white, black } = isObject(state.players) ? state.players : {};
    // What an older version has kept tells only which side is played here.
    const isSound = isPlayer(white) && isPlayer(black) && (white !== null || black !== null);
    this.players = isSound ? { white, black } : against(isOneOf(SIDES)(state.you) ? state.you : "white", this.player(OWN));
    // Engines do not go on unasked.
    this.isPaused = this.you === null;
    this.fault = "";
    this.orientation = isOneOf(SIDES)(state.orientation) ? state.orientation : (this.you ?? "white");
    this.ending = isEnding(state.ending) ? state.ending : null;
    this.clock = Clock.restored(state.clock);
    this.source = state.source ?? null;
    return true;
  }

  /**
   * Another game takes the place of this one.
   * @param {Game} game
   * @param {Partial<Pick<Session, "id" | "mode" | "players" | "isPaused" | "ending" | "clock" | "orientation" | "source">>} change
   */
  replace(game, change = {}) {
    Object.assign(this, { id: crypto.randomUUID(), game, ending: null, clock: null, source: null, tipPosition: null, isPaused: false, fault: "", ...change });
  }
}
