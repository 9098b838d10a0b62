// The names above and below the board: who plays, rating, what was taken, the clock.
import { OPPOSITE } from "../model/clock.js";
import { START, milliseconds } from "../model/game.js";
import { CAPITAL } from "../modes/play.js";
import { material } from "../model/start.js";
import { local, t } from "../texts/words.js";
import { $ } from "./dom.js";

/** Signs of the pieces that were taken. */
const TAKEN = /** @type {Record<string, string>} */ ({ q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" });
/** With less than this a clock shows tenths, in milliseconds. */
const SHORT = 20_000;

/** @param {number} time in milliseconds */
export function clockFace(time) {
  const tenths = Math.ceil(time / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const text = `${hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}` : Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  return time < SHORT ? `${text}.${tenths % 10}` : text;
}

/** A level in words. @param {"elo" | "skill" | null} kind @param {number | null} level `null` is full strength */
export const levelText = (kind, level) => (level === null ? t("full") : t(kind === "skill" ? "level.skill" : "elo", { elo: level, level }));

export class StripsView {
  /** @param {import("../model/session.js").Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {(color: import("../model/clock.js").Side, strip: Element) => void} body */
  #each(body) {
    const isTurned = this.session.orientation === "black";
    body(isTurned ? "white" : "black", $(".strip.far"));
    body(isTurned ? "black" : "white", $(".strip.near"));
  }

  /** @param {import("../model/clock.js").Side} color */
  #name(color) {
    const { mode, players, game } = this.session;
    const known = game.known(CAPITAL[color]);
    const player = players[color];
    if (mode === "play" && (!known || known === (player?.engine ?? "You"))) {
      if (!player) return t("you");
      return player.level === null ? player.engine : `${player.engine} (${player.kind === "skill" ? levelText("skill", player.level) : player.level})`;
    }
    const rating = game.known(`${CAPITAL[color]}Elo`);
    const title = game.known(`${CAPITAL[color]}Title`);
    return [title, known ?? t(color), rating && `(${rating})`].filter(Boolean).join(" ");
  }

  draw() {
    const { position, tipPosition, mode, isOver } = this.session;
    if (!position) return;
    const { taken, ahead } = material(position.fen);
    const turn = mode === "play" ? tipPosition?.turn : position.turn;
    this.#each((color, strip) => {
      strip.classList.toggle("white", color === "white");
      $(".name", strip).textContent = this.#name(color);
      const isEnded = mode === "play" ? isOver : position.end;
      $(".note", strip).textContent = !isEnded && turn === color ? t("to.move") : "";
      const more = color === "white" ? ahead : -ahead;
      const place = $(".taken", strip);
      place.textContent = taken[color].map((letter) => TAKEN[letter]).join("") + (more > 0 ? ` ${t("ahead", { count: more })}` : "");
      place.title = taken[color].length ? t("taken", { pieces: local(taken[color].join("").toUpperCase()) }) : "";
    });
    $(".bar").classList.toggle("flipped", this.session.orientation === "black");
    this.tick(performance.now());
  }

  /** What the clocks show: those of the game that is played, or those of the file at the place shown. @param {number} now */
  tick(now) {
    const { clock, mode, game } = this.session;
    this.#each((color, strip) => {
      const face = $(".clock", strip);
      const time = clock && mode === "play" ? clock.time(color, now) : this.#fileClock(game, color);
      face.textContent = time === null ? "" : clockFace(time);
      face.classList.toggle("running", mode === "play" && clock?.running === color);
      face.classList.toggle("short", mode === "play" && time !== null && clock !== null && time < SHORT);
    });
  }

  /**
   * What a clock of the file shows here, in milliseconds.
   * @param {import("../model/game.js").Game} game
   * @param {import("../model/clock.js").Side} color
   */
  #fileClock(game, color) {
    const turn = this.session.position?.turn ?? "white";
    // The side that has just moved stands at the place itself, the other a move before.
    let at = game.at;
    if (turn === color && at !== START) at = game.parent(at);
    if (at === START || (OPPOSITE[turn] !== color && turn !== color)) return null;
    const time = game.nodes[at].clock;
    return time ? milliseconds(time) : null;
  }
}
