// Practising positions: find a better move than the one that was played, or the solution of a puzzle.
import { local, t } from "../texts/words.js";
import { element } from "./dom.js";

/**
 * A position: whose turn it is, and the solution, a move of that side first and last. Before a bad move also that move, and in
 * words with the sign of its judgement; else both are empty. What else the page needs goes with it.
 * @typedef {{ turn: "white" | "black", uci: string, text: string, line: string[] } & Record<string, any>} Task
 *
 * A move that is tried, as the rules answer it.
 * @typedef {{ uci: string, san: string, text: string } & Record<string, any>} Tried
 *
 * How well a position was known, the worst first.
 * @typedef {"again" | "hard" | "good" | "easy"} Grade
 *
 * What the page does for it: `show` the position of a task after these moves, `play` a move there, `solve`: play the best line,
 * which it gives in words; `check` the solution before a bad move while one thinks, which may put a better one in its place;
 * `judge` a move after these moves, which resolves with `null` if nothing can be said; `left`: it is over.
 * Where the page can: `hint` gives one in words, `grading` says when a task comes back by each grade and takes the grade, `out`
 * plays on against the engine after these moves; `canRemove` tells whether a task is kept, and `remove` deletes it and says whether
 * it is gone; `sort` is whether those of one side can be chosen.
 * @typedef {{ show: (task: Task, moves: string[]) => void | Promise<void>, play: (task: Task, move: any) => void, solve: (task: Task, moves: string[]) => string,
 *   check?: (task: Task) => Promise<void>, judge: (task: Task, move: any, moves: string[]) => Promise<import("../engine/judge.js").Verdict | null>, left: (task: Task | undefined) => void,
 *   hint?: (task: Task, moves: string[]) => string, grading?: (task: Task) => { due: Record<Grade, Date>, choose: (grade: Grade) => void },
 *   canRemove?: (task: Task) => boolean, remove?: (task: Task) => Promise<boolean>,
 *   words?: (task: Task, moves: string[]) => string[], out?: (task: Task, moves: string[]) => void, sort?: boolean }} Means
 */

const SIDES = /** @type {const} */ (["", "white", "black"]);
/** @type {Grade[]} */
const GRADES = ["again", "hard", "good", "easy"];

/** So long an answer waits at most for the solution to be checked, in milliseconds: an engine may never answer. */
const PATIENCE = 5000;

/** A day in words: without the year where it is clear. @param {Date} date */
const dayOf = (date) => date.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", ...(date.getTime() - Date.now() > 300 * 86_400_000 && { year: "numeric" }) });

export class Practice {
  /** @type {Task[]} */ #tasks = [];
  /** @type {string[]} */ #results = [];
  #number = 0;
  #isOpen = false;
  #isFirst = true;
  #asked = 0;
  #turn = "";
  /** Done once the solution is as good as it will be. */ #checked = Promise.resolve();
  /** The moves since the position, of both sides. @type {string[]} */ #moves = [];
  /** How well it was known, as far as one can say. @type {Grade} */ #grade = "good";
  /** @type {ReturnType<NonNullable<Means["grading"]>> | null} */ #grading = null;

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
    const grades = GRADES.map((grade) => element("button", { type: "button", "data-practice": "grade", "data-grade": grade }, t(`grade.${grade}`), element("small", {})));
    this.panel = element("section", { class: "practice panel card", "aria-label": t("practice") },
      element("h3", {}, `${t(means.sort === false ? "practice" : "practice.title")} `, element("span", { class: "count-of" })),
      element("p", { class: "question" }), element("p", { class: "verdict", role: "status" }),
      element("p", { class: "buttons" }, button("hint"), button("solution"), button("next", ""), button("again"), button("out"), button("remove"), button("leave")),
      element("div", { class: "grading", hidden: true }, element("p", {}, t("practice.grade")), element("p", { class: "buttons grades", role: "group", "aria-label": t("practice.grade") }, ...grades)),
      element("p", { class: "buttons sides", role: "group", "aria-label": t("practice.whose"), hidden: means.sort === false }, ...sides));
    this.panel.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed) this.do(pressed.dataset.practice, pressed.dataset.turn ?? pressed.dataset.grade);
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

  /** @param {string} name @param {string} [what] a side or a grade */
  do(name, what = "") {
    if (name === "begin") this.begin(what);
    else if (name === "again") this.begin(this.#turn);
    else if (name === "next") this.#next();
    else if (name === "solution") this.#solution();
    else if (name === "hint") this.#hint();
    else if (name === "grade") this.#choose(/** @type {Grade} */ (what));
    else if (name === "remove") this.#remove();
    else if (name === "out") this.means.out?.(this.task, this.#moves);
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
    this.#grading = null;
    this.#moves = [];
    this.#grade = "good";
    if (!task) return this.#end();
    this.#isOpen = this.#isFirst = true;
    this.#checked = this.#check(task, this.means.show(task, []));
    this.#find(".count-of").textContent = t("practice.number", { number: number + 1, total: this.#tasks.length });
    const side = t(task.turn);
    this.#find(".question").textContent = task.text ? t("practice.question", { move: local(task.text), side }) : t("practice.find", { side });
    this.#tell("", "");
    this.#showButtons();
  }

  /** Has the solution of a task checked, once it is shown. @param {Task} task @param {void | Promise<void>} shown */
  async #check(task, shown) {
    const { check } = this.means;
    // Only a mistake is known from one analysis alone.
    if (!check || !task.text || task.line.length > 1) return;
    await shown;
    if (task === this.task && this.#isOpen) await Promise.race([check(task), new Promise((done) => setTimeout(done, PATIENCE))]);
  }

  /** Judges a move. @param {Tried} move */
  async answer(move) {
    const { task } = this;
    if (!this.#isOpen || !task) return;
    const [asked, text] = [++this.#asked, local(move.text)];
    const isLate = () => asked !== this.#asked || !this.#isOpen;
    if (move.san.endsWith("#")) return this.#solve("best", move, t("practice.best", { move: text }));
    await this.#telling(t("practice.checking"), this.#checked);
    if (isLate()) return;
    const [step, right] = [this.#moves.length, task.line[this.#moves.length]];
    if (step === 0 && move.uci === task.uci && move.uci !== right) return this.#refuse(t("practice.played", { move: text }));
    if (move.uci === right && step + 2 < task.line.length) return this.#goOn(text);
    if (move.uci === right) return this.#solve("best", move, t("practice.best", { move: text }));
    const verdict = await this.#telling(t("practice.looking", { move: text }), this.means.judge(task, move, this.#moves));
    if (isLate()) return;
    if (!verdict) this.#tell("unknown", t("practice.unknown", { move: text }));
    else if (verdict.kind === "wrong") this.#refuse(t("practice.wrong", { move: text, percent: Math.round(verdict.loss / 10) }));
    else this.#solve(verdict.kind, move, t(verdict.kind === "best" ? "practice.as.best" : "practice.good", { move: text }));
  }

  /** Waits until the solution is checked; whether what was asked for is still wanted then. */
  async #isSettled() {
    const checked = this.#checked;
    if (this.#isOpen) await this.#telling(t("practice.checking"), checked);
    return this.#isOpen && checked === this.#checked;
  }

  /** Waits for a search, and says what is searched. @template T @param {string} text @param {Promise<T>} search */
  async #telling(text, search) {
    const waits = setTimeout(() => this.#tell("", text), 50);
    const found = await search;
    clearTimeout(waits);
    return found;
  }

  /** The move was right, and its reply is played. @param {string} text */
  async #goOn(text) {
    const { task } = this;
    const asked = ++this.#asked;
    this.#moves = task.line.slice(0, this.#moves.length + 2);
    await this.means.show(task, this.#moves);
    if (asked !== this.#asked) return;
    const words = this.means.words?.(task, this.#moves) ?? [];
    this.#tell("best", t("practice.on", { move: text, reply: local(words[words.length - 1] ?? "") }));
  }

  /** @param {"best" | "good"} kind @param {Tried} move @param {string} text */
  #solve(kind, move, text) {
    this.#results.push(this.#isFirst ? kind : this.#grade === "hard" ? "hinted" : `late ${kind}`);
    this.#isOpen = false;
    this.means.play(this.task, move);
    this.#moves = [...this.#moves, move.uci];
    this.#tell(kind, text);
    this.#rate();
  }

  /** @param {string} text */
  #refuse(text) {
    this.#isFirst = false;
    this.#grade = "again";
    this.#tell("wrong", text);
  }

  async #hint() {
    const { hint } = this.means;
    if (!hint || !(await this.#isSettled())) return;
    this.#isFirst = false;
    if (this.#grade === "good") this.#grade = "hard";
    this.#tell("", hint(this.task, this.#moves));
  }

  async #solution() {
    if (!(await this.#isSettled())) return;
    this.#isOpen = false;
    this.#grade = "again";
    this.#results.push("shown");
    this.#tell("shown", t("practice.line", { line: this.means.solve(this.task, this.#moves) }));
    this.#rate();
  }

  /** The grade that the answer was worth, which can be changed. */
  #rate() {
    this.#grading = this.means.grading?.(this.task) ?? null;
    if (this.#grading) this.#choose(this.#grade);
    this.#showButtons();
  }

  /** @param {Grade} grade */
  #choose(grade) {
    if (!this.#grading) return;
    this.#grading.choose(grade);
    for (const button of this.panel.querySelectorAll("[data-grade]")) {
      button.setAttribute("aria-pressed", String(button.dataset.grade === grade));
      button.querySelector("small").textContent = dayOf(this.#grading.due[button.dataset.grade]);
    }
  }

  #next() {
    if (this.#isOpen) this.#results.push("skipped");
    this.#begin(this.#number + 1);
  }

  /** The task is deleted, and the next one takes its place. */
  async #remove() {
    const { task } = this;
    if (!task || !(await this.means.remove?.(task)) || task !== this.task) return;
    this.all = this.all.filter((each) => each !== task);
    this.#tasks = this.#tasks.filter((each) => each !== task);
    for (const button of this.panel.querySelectorAll("[data-turn]")) button.querySelector(".count").textContent = String(this.#of(button.dataset.turn).length);
    // What was answered of it counts no more.
    this.#results.length = Math.min(this.#results.length, this.#number);
    this.#begin(this.#number);
  }

  /** A position that cannot be shown is left out. @param {Task} task */
  leaveOut(task) {
    if (task === this.task && this.#isOpen) this.#next();
  }

  #end() {
    const count = (/** @type {string[]} */ ...kinds) => this.#results.filter((result) => kinds.includes(result)).length;
    this.#isOpen = false;
    this.#find(".count-of").textContent = t("practice.done");
    this.#find(".question").textContent = t("practice.first", { count: count("best", "good"), total: this.#tasks.length });
    const kinds = { best: count("best"), good: count("good"), hinted: count("hinted"), later: count("late best", "late good"), shown: count("shown"), skipped: count("skipped") };
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
    this.#find('[data-practice="hint"]').hidden = !this.#isOpen || !this.means.hint;
    this.#find('[data-practice="out"]').hidden = isOver || !this.means.out;
    this.#find('[data-practice="remove"]').hidden = isOver || !this.means.canRemove?.(this.task);
    this.#find(".grading").hidden = !this.#grading;
    const next = this.#find('[data-practice="next"]');
    next.hidden = isOver;
    next.textContent = t(this.#isOpen ? "practice.skip" : this.#number + 1 < this.#tasks.length ? "practice.next" : "practice.result");
    this.#find('[data-practice="again"]').hidden = !isOver;
  }

  leave() {
    this.#asked++;
    this.#isOpen = false;
    this.panel.remove();
    this.means.left(this.task);
  }
}
