// Analysing on in the page: the switch, and what the engine finds about the position on the board.
import { countText, scoreText, whiteScore } from "../model/words.js";
import { EngineOfPage, lacking } from "./engine.js";
import { template } from "./lists.js";
import { extras } from "./viewer.js";
import { fenOf, isInCheck, legalMoves, named, uciOf } from "../rules/moves.js";
import { numbered, play, spoken } from "../rules/position.js";

/** How long the reader has to stay with a position before it is searched, in milliseconds. */
const REST = 150;
/** How often lines are drawn anew, and how often they are spoken, in milliseconds. */
const DRAWN_EVERY = 200;
const SPOKEN_EVERY = 1000;
/** The most moves of a line. */
const MOST_MOVES = 12;

/** A position of a line as UCI has it, with the moves that led to it: they can make it a draw by repetition. No turn that is
 * passed can be among them. */
function uciPosition(line, index) {
  const moves = [];
  let [at, number] = [line, index];
  for (;;) {
    while (number === 0 && at.parent) [at, number] = [at.parent, at.at];
    const move = at.moves[number - 1];
    if (!move || move.from === move.to) break;
    number -= 1;
    moves.unshift(uciOf(at.positions[number], move));
  }
  return `position fen ${fenOf(at.positions[number])}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
}

/** Moves of UCI with their names, as far as they are legal, and as people write them. */
function namedMoves(start, words) {
  const moves = [];
  const texts = [];
  let position = start;
  for (const word of words.slice(0, MOST_MOVES)) {
    const legal = legalMoves(position);
    const found = legal.find((move) => uciOf(position, move) === word);
    if (!found) break;
    const move = named(position, legal, found);
    texts.push(position.turn === "w" || !moves.length ? numbered(position, move) : move.name);
    moves.push(move);
    position = play(position, move);
  }
  return { moves, text: texts.join(" ") };
}

/** One for all games of the page. */
let engineOfPage = null;
/** What is told when it ends: the one of the game that is open. */
let listener = null;

export class Live {
  constructor(viewer) {
    this.viewer = viewer;
    this.isOn = false;
    this.position = null;
    this.best = null;
    /** @type {any[]} */
    this.found = [];
    this.lines = 1;
    this.panel = template("engine").firstElementChild;
    viewer.find(".lines ol").before(this.panel);
    this.find(".switch").addEventListener("click", () => this.toggle());
    this.find("select").addEventListener("change", ({ target }) => this.show(Number(target.value)));
    this.listening = new AbortController();
    document.addEventListener("visibilitychange", () => this.follow(), { signal: this.listening.signal });
  }

  find(selector) {
    return this.panel.querySelector(selector);
  }

  /** Carries out a key, and says whether it means anything here. */
  press(key) {
    if (key.toLowerCase() !== "e") return false;
    this.toggle();
    return true;
  }

  toggle() {
    const lacks = this.isOn ? "" : lacking();
    if (lacks) {
      this.fail(`This browser cannot run the engine: it lacks ${lacks}. Chrome 91, Firefox 113, Safari 16.4 and later have it.`);
      return;
    }
    this.turn(!this.isOn);
    this.viewer.show();
  }

  turn(isOn) {
    this.isOn = isOn;
    this.find(".switch").setAttribute("aria-checked", isOn);
    this.complain("");
  }

  /** How many lines there are to be. */
  show(lines) {
    this.lines = lines;
    this.position = null;
    this.viewer.show();
  }

  /** The game is left. */
  leave() {
    this.listening.abort();
    if (listener === this) listener = null;
    this.isOn = false;
    this.follow();
  }

  /** Searches the position on the board, if it is another; nothing while one practises or does not look. */
  follow() {
    const { line, index, practice } = this.viewer;
    const position = this.isOn && !practice && !document.hidden ? line.positions[index] : null;
    if (position === this.position) return;
    this.position = position;
    this.clear();
    clearTimeout(this.resting);
    engineOfPage?.search(null);
    if (!position) return;
    if (!legalMoves(position).length) {
      this.reach(isInCheck(position.pieces, position.turn === "w") ? "Checkmate." : "Stalemate.");
      return;
    }
    this.reach("Analysing …");
    this.resting = setTimeout(() => this.ask(), REST);
  }

  ask() {
    const { position, lines } = this;
    const { line, index } = this.viewer;
    listener = this;
    engineOfPage ??= new EngineOfPage((reason) => {
      engineOfPage = null;
      listener?.fail(`The engine has ended: ${reason}. Switch it on again to restart it.`);
    });
    engineOfPage.search({
      position: uciPosition(line, index),
      go: "infinite",
      options: { UCI_Chess960: true, MultiPV: lines },
      hear: (info) => this.position === position && !info.isBound && this.take(info),
    });
  }

  fail(text) {
    this.turn(false);
    this.viewer.show();
    this.complain(`${text} Everything else on this page works without it.`);
  }

  complain(text) {
    this.find(".fault").textContent = text;
  }

  /** Says how far the engine is. */
  reach(text) {
    this.find(".reach").textContent = text;
  }

  clear() {
    clearTimeout(this.drawing);
    clearTimeout(this.speaking);
    this.drawing = this.speaking = this.best = null;
    this.found = [];
    this.find(".found").style.setProperty("--rows", this.position ? this.lines : 0);
    this.find(".found").replaceChildren();
    this.find(".heard").textContent = "";
    this.reach("");
  }

  take(info) {
    this.found[info.line - 1] = info;
    this.drawing ??= setTimeout(() => this.draw(), DRAWN_EVERY);
  }

  draw() {
    this.drawing = null;
    const { position } = this;
    const lines = this.found.filter(Boolean).map((info) => ({ ...info, ...namedMoves(position, info.pv) }));
    const [{ depth, speed, moves: [best] }] = lines;
    this.reach(`depth ${depth} · ${countText(speed)} nodes a second`);
    this.find(".found").replaceChildren(...lines.map((line) => this.row(line)));
    if (best && best.name !== this.best?.name) {
      this.best = best;
      this.viewer.board.point(this.viewer.best);
    }
    this.speaking ??= setTimeout(() => this.speak(), SPOKEN_EVERY);
  }

  row({ score, text }) {
    const row = document.createElement("p");
    const number = document.createElement("strong");
    number.textContent = scoreText(whiteScore(score, this.position.turn === "w"));
    row.append(number, text);
    return row;
  }

  /** Tells those who cannot see the lines the score and the first moves of the best, when these have changed. */
  speak() {
    this.speaking = null;
    const [{ score, pv }] = this.found.filter(Boolean);
    const words = namedMoves(this.position, pv.slice(0, 3)).moves.map(({ name }) => spoken(name));
    const text = [`score ${scoreText(whiteScore(score, this.position.turn === "w"))}`, ...words].join(", ");
    if (this.find(".heard").textContent !== text) this.find(".heard").textContent = text;
  }
}

extras.Live = Live;
