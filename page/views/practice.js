// Practising the mistakes of a game: find a better move than the one that was played.
import { local, t } from "../texts/words.js";
import { element } from "./dom.js";

/**
 * A position before a bad move: whose turn it is, the move that was played, in words with the sign of its judgement, and the
 * best move. What else the page needs goes with it.
 * @typedef {{ turn: "white" | "black", uci: string, text: string, best: string } & Record<string, any>} Task
 *
 * A move that is tried, as the rules answer it.
 * @typedef {{ uci: string, san: string, text: string } & Record<string, any>} Tried
 *
 * What the page does for it: `show` the position of a task, `play` a move there, `solve`: play the best line, which it gives in
 * words; `judge` a move, which resolves with `null` if nothing can be said; `left`: it is over.
 * @typedef {{ show: (task: Task) => void, play: (task: Task, move: any) => void, solve: (task: Task) => string,
 *   judge: (task: Task, move: any) => Promise<import("../engine/judge.js").Verdict | null>, left: (task: Task | undefined) => void }} Means
 */

const SIDES = /** @type {const} */ (["", "white", "black"]);

export class Practice {
  /** @type {Task[]} */ #tasks = [];
  /** @type {string[]} */ #results = [];
  #number = 0;
  #isOpen = false;
  #isFirst = true;
  #asked = 0;
  #turn = "";

  /**
   * @param {Task[]} all
   * @param {Means} means
   */
  constructor(all, means) {
    this.all = all;
    this.means = means;
    const button = (/** @type {string} */ name, text = t(`practice.${name}`)) =>
      element("button", { type: "button", "data-practice": name }, text);
    const sides = SIDES.map((side) => {
      const count = this.#of(side).length;
      const name = t(side || "practice.both");
      return element("button", { type: "button", "data-practice": "begin", "data-turn": side, hidden: !count }, `${name} (`, element("span", { class: "count" }, String(count)), ")");
    });
    this.panel = element("section", { class: "practice panel card", "aria-label": t("practice") },
      element("h3", {}, `${t("practice.title")} `, element("span", { class: "count-of" })),
      element("p", { class: "question" }), element("p", { class: "verdict", role: "status" }),
      element("p", { class: "buttons" }, button("solution"), button("next", ""), button("again"), button("leave")),
      element("p", { class: "buttons sides", role: "group", "aria-label": t("practice.whose") }, ...sides));
    this.panel.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed) this.do(pressed.dataset.practice, pressed.dataset.turn);
    });
  }

  /** @param {string} turn */
  #of(turn) {
    return this.all.filter((task) => !turn || task.turn === turn);
  }

  /** @param {string} selector */
  #find(selector) {
    return this.panel.querySelector(selector);
  }

  /** The one that is open or was answered; none at the end. */
  get task() {
    return this.#tasks[this.#number];
  }

  /** @param {string} name @param {string} [turn] */
  do(name, turn = "") {
    if (name === "begin") this.begin(turn);
    else if (name === "again") this.begin(this.#turn);
    else if (name === "next") this.#next();
    else if (name === "solution") this.#solution();
    else this.leave();
  }

  begin(turn = "") {
    this.#turn = turn;
    this.#tasks = this.#of(turn);
    this.#results = [];
    for (const button of this.panel.querySelectorAll("[data-turn]")) button.setAttribute("aria-pressed", String(button.dataset.turn === turn));
    this.#begin(0);
  }

  /** Shows a position before a bad move. @param {number} number */
  #begin(number) {
    this.#number = number;
    this.#asked++;
    const { task } = this;
    if (!task) return this.#end();
    this.#isOpen = this.#isFirst = true;
    this.means.show(task);
    this.#find(".count-of").textContent = t("practice.number", { number: number + 1, total: this.#tasks.length });
    this.#find(".question").textContent = t("practice.question", { move: local(task.text), side: t(task.turn) });
    this.#tell("", "");
    this.#showButtons();
  }

  /** Judges a move. @param {Tried} move */
  async answer(move) {
    const { task } = this;
    if (!this.#isOpen || !task) return;
    const [asked, text] = [++this.#asked, local(move.text)];
    if (move.uci === task.uci) return this.#refuse(t("practice.played", { move: text }));
    if (move.san.endsWith("#") || move.uci === task.best) return this.#solve("best", move, t("practice.best", { move: text }));
    const judging = this.means.judge(task, move);
    const waits = setTimeout(() => this.#tell("", t("practice.looking", { move: text })), 50);
    const verdict = await judging;
    clearTimeout(waits);
    if (asked !== this.#asked || !this.#isOpen) return;
    if (!verdict) this.#tell("unknown", t("practice.unknown", { move: text }));
    else if (verdict.kind === "wrong") this.#refuse(t("practice.wrong", { move: text, percent: Math.round(verdict.loss / 10) }));
    else this.#solve(verdict.kind, move, t(verdict.kind === "best" ? "practice.as.best" : "practice.good", { move: text }));
  }

  /** @param {"best" | "good"} kind @param {Tried} move @param {string} text */
  #solve(kind, move, text) {
    this.#results.push(this.#isFirst ? kind : `late ${kind}`);
    this.#isOpen = false;
    this.means.play(this.task, move);
    this.#tell(kind, text);
    this.#showButtons();
  }

  /** @param {string} text */
  #refuse(text) {
    this.#isFirst = false;
    this.#tell("wrong", text);
  }

  #solution() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#results.push("shown");
    this.#tell("shown", t("practice.line", { line: this.means.solve(this.task) }));
    this.#showButtons();
  }

  #next() {
    if (this.#isOpen) this.#results.push("skipped");
    this.#begin(this.#number + 1);
  }

  #end() {
    const count = (/** @type {string[]} */ ...kinds) => this.#results.filter((result) => kinds.includes(result)).length;
    this.#isOpen = false;
    this.#find(".count-of").textContent = t("practice.done");
    this.#find(".question").textContent = t("practice.first", { count: count("best", "good"), total: this.#tasks.length });
    const kinds = { best: count("best"), good: count("good"), later: count("late best", "late good"), shown: count("shown"), skipped: count("skipped") };
    this.#tell("", Object.entries(kinds).filter(([, number]) => number).map(([kind, number]) => `${number} ${t(`practice.of.${kind}`)}`).join(" · "));
    this.#showButtons();
  }

  /** @param {string} kind @param {string} text */
  #tell(kind, text) {
    const verdict = this.#find(".verdict");
    verdict.className = `verdict ${kind}`;
    verdict.textContent = text;
  }

  #showButtons() {
    const isOver = !this.task;
    this.#find('[data-practice="solution"]').hidden = !this.#isOpen;
    const next = this.#find('[data-practice="next"]');
    next.hidden = isOver;
    next.textContent = t(this.#isOpen ? "practice.skip" : this.#number + 1 < this.#tasks.length ? "practice.next" : "practice.result");
    this.#find('[data-practice="again"]').hidden = !isOver;
  }

  leave() {
    this.#asked++;
    this.panel.remove();
    this.means.left(this.task);
  }
}
