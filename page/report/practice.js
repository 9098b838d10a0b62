// Practising the mistakes of a game: find a better move than the one that was played.
import { percentText } from "../model/words.js";
import { JUDGEMENTS } from "./game.js";
import { template } from "./lists.js";
import { numbered, readMoves } from "../rules/position.js";

/** The points, in thousandths, from which a line is no longer as good as the best: those of an inaccuracy. */
const GOOD_ENOUGH = 50;

export class Practice {
  /** The half-moves at which a side, or anyone, made a mistake or a blunder for which a better move is known. */
  static tasks(game, turn) {
    return game.main.moves.flatMap((move, index) => {
      const isBad = ["m", "b"].includes(game.judgement(index + 1));
      const best = readMoves(game.data.positions[index]?.[6][0]?.[2])[0];
      const isMine = !turn || game.main.positions[index].turn === turn;
      return isBad && isMine && best && best.name !== move.name ? [index] : [];
    });
  }

  constructor(viewer) {
    this.viewer = viewer;
    this.panel = template("practice").firstElementChild;
    /** The buttons that say whose mistakes. */
    this.sides = /** @type {HTMLElement[]} */ ([...this.panel.querySelectorAll("[data-turn]")]);
    this.wasFlipped = viewer.board.flipped;
    this.from = viewer.ply;
    viewer.find(".lines").before(this.panel);
    viewer.article.classList.add("practising");
    this.panel.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) this[button.dataset.practice](button);
    });
    for (const button of this.sides) {
      const count = Practice.tasks(viewer.game, button.dataset.turn).length;
      button.hidden = !count;
      button.querySelector(".count").textContent = count;
    }
  }

  find(selector) {
    return this.panel.querySelector(selector);
  }

  begin(button) {
    const { game } = this.viewer;
    const turn = button?.dataset.turn ?? "";
    this.tasks = Practice.tasks(game, turn);
    this.results = [];
    for (const other of this.sides) other.setAttribute("aria-pressed", String(other.dataset.turn === turn));
    this.task(0);
  }

  /** Shows a position before a bad move, from the side that made it. */
  task(number) {
    const { viewer } = this;
    this.number = number;
    if (number === this.tasks.length) {
      this.end();
      return;
    }
    this.isOpen = true;
    this.isFirst = true;
    this.index = this.tasks[number];
    const { main } = viewer.game;
    const before = main.positions[this.index];
    viewer.board.flipped = before.turn === "b";
    viewer.go(main, this.index, { glides: false });
    const sign = JUDGEMENTS[viewer.game.judgement(this.index + 1)].sign;
    const side = before.turn === "w" ? "White" : "Black";
    this.find(".count-of").textContent = `${number + 1} of ${this.tasks.length}`;
    this.find(".question").textContent =
      `${numbered(before, main.moves[this.index])}${sign} was played. Find a better move for ${side}.`;
    this.tell("", "");
    this.showButtons();
  }

  /** The lines known here, the best first: the name of the first move, and what it loses of the mover's points. */
  get known() {
    const { main, data } = this.viewer.game;
    const sign = main.positions[this.index].turn === "w" ? 1 : -1;
    const lines = data.positions[this.index][6];
    return lines.map(([, white, words], rank) => ({
      rank, name: readMoves(words)[0].name, loss: sign * (lines[0][1] - white),
    }));
  }

  /** Judges a move by the lines that the analysis knows. */
  answer(move) {
    if (!this.isOpen) return;
    const { main } = this.viewer.game;
    const line = this.known.find(({ name }) => name === move.name);
    const text = numbered(main.positions[this.index], move);
    if (move.name.endsWith("#") || line?.rank === 0) this.solve("best", move, `${text} is the best move.`);
    else if (line && line.loss < GOOD_ENOUGH) this.solve("good", move, `${text} is good enough.`);
    else this.refuse(move, line, text);
  }

  solve(kind, move, text) {
    const { viewer } = this;
    this.results.push(this.isFirst ? kind : `late ${kind}`);
    this.isOpen = false;
    const { line, index } = viewer.game.try(viewer.game.main, this.index, move);
    viewer.go(line, index, { glides: false });
    const best = this.known[0];
    this.tell(kind, kind === "good" ? `${text} The best move is ${best.name}.` : text);
    this.showButtons();
  }

  refuse(move, line, text) {
    const { game } = this.viewer;
    this.isFirst = false;
    const isPlayed = game.main.moves[this.index].name === move.name;
    const loss = line && `It loses ${percentText(line.loss)} beside the best.`;
    const unknown = "It is none of the lines that the analysis knows.";
    this.tell("wrong", isPlayed ? `${text} was played in the game.` : `${text} is not it. ${loss ?? unknown}`);
  }

  solution() {
    if (!this.isOpen) return;
    const { viewer } = this;
    this.isOpen = false;
    this.results.push("shown");
    viewer.go(viewer.game.best(this.index, 0), 1, { glides: false });
    const line = viewer.game.best(this.index, 0);
    const names = line.moves.map((move, index) => {
      const before = line.positions[index];
      return before.turn === "w" || index === 0 ? numbered(before, move) : move.name;
    });
    this.tell("shown", `The best line is ${names.join(" ")}.`);
    this.showButtons();
  }

  next() {
    if (this.isOpen) this.results.push("skipped");
    this.task(this.number + 1);
  }

  end() {
    const count = (kind) => this.results.filter((result) => result === kind).length;
    const first = count("best") + count("good");
    const late = count("late best") + count("late good");
    this.isOpen = false;
    this.find(".count-of").textContent = "Done";
    this.find(".question").textContent = `Found at the first try: ${first} of ${this.tasks.length}.`;
    this.tell("", [
      [count("best"), "the best move"], [count("good"), "good enough"], [late, "found later"], [count("shown"), "shown"],
      [count("skipped"), "left out"],
    ].filter(([number]) => number).map(([number, name]) => `${number} ${name}`).join(" · "));
    this.showButtons();
  }

  tell(kind, text) {
    const verdict = this.find(".verdict");
    verdict.className = `verdict ${kind}`;
    verdict.textContent = text;
  }

  showButtons() {
    const isOver = this.number === this.tasks.length;
    this.find('[data-practice="solution"]').hidden = !this.isOpen;
    const next = this.find('[data-practice="next"]');
    next.hidden = isOver;
    next.textContent = this.isOpen ? "Skip" : this.number + 1 < this.tasks.length ? "Next" : "Result";
    this.find('[data-practice="again"]').hidden = !isOver;
  }

  again() {
    this.begin(this.find('[data-turn][aria-pressed="true"]'));
  }

  /** Carries out a key, and says whether it means anything here. */
  press(key) {
    if (key === "Escape") {
      if (!this.viewer.hand.close()) this.leave();
    } else if (key.toLowerCase() === "f") this.viewer.flip();
    else if (key.toLowerCase() === "m") this.viewer.typing();
    else return false;
    return true;
  }

  /** Back to the game, to the position that was practised last. */
  leave() {
    const { viewer } = this;
    viewer.practice = null;
    viewer.article.classList.remove("practising");
    viewer.board.flipped = this.wasFlipped;
    this.panel.remove();
    viewer.go(viewer.game.main, this.index ?? this.from, { glides: false });
    viewer.find(".practise").focus({ preventScroll: true });
  }
}
