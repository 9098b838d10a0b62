// Analysing on in the page: the switch, and what the engine finds about the position on the board.
import { EngineOfPage, lacking } from "./engine.js";
import { template, uciPosition } from "./lists.js";
import { extras } from "./viewer.js";
import { localLines } from "../rules/local.js";
import { LinesView } from "../views/lines.js";

/** How long the reader has to stay with a position before it is searched, in milliseconds. */
const REST = 150;

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
    this.count = 1;
    this.panel = template("engine").firstElementChild;
    viewer.find(".lines .known").before(this.panel);
    const [list, chances, effort, heard] = [".found", ".chances", ".reach", ".heard"].map((name) => this.find(name));
    this.lines = new LinesView({ list, bar: viewer.find(".bar"), chances, effort, heard }, {
      show: async (lines) => localLines(this.position, lines),
      play: (moves) => moves.forEach(({ move }) => viewer.tryMove(move)),
      point: ([best]) => {
        this.best = best ?? null;
        viewer.point();
      },
      preview: (_, moves) => viewer.preview(moves),
    });
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
  show(count) {
    this.count = count;
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
    const { line, index, practice, shown } = this.viewer;
    const position = this.isOn && !practice && !document.hidden ? line.positions[index] : null;
    if (position === this.position) return;
    this.position = position;
    clearTimeout(this.resting);
    engineOfPage?.search(null);
    const { end } = shown;
    if (!position || end) {
      this.lines.clear(position ? end.reason : "");
      return;
    }
    this.lines.begin(shown, Math.min(this.count, shown.moves.length));
    this.find(".reach").textContent = "Analysing …";
    this.resting = setTimeout(() => this.ask(), REST);
  }

  /** The engine, where a move has to be judged. */
  get judge() {
    return lacking() ? null : engine;
  }

  ask() {
    const { position, count } = this;
    const { line, index } = this.viewer;
    listener = this;
    engine().search({
      position: uciPosition(line, index),
      go: "infinite",
      options: { UCI_Chess960: true, UCI_ShowWDL: true, MultiPV: count },
      hear: (info) => this.position === position && this.lines.take(info),
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
}

/** The engine of the page, which is started at its first use and after it has ended. */
function engine() {
  engineOfPage ??= new EngineOfPage((reason) => {
    engineOfPage = null;
    listener?.fail(`The engine has ended: ${reason}. Switch it on again to restart it.`);
  });
  return engineOfPage;
}

extras.Live = Live;
