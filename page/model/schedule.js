// When positions to practise come back: spaced repetition by FSRS. The program keeps the schedule, or the browser where there is
// no program.
import { Rating, createEmptyCard, fsrs } from "../vendor/ts-fsrs.js";
import { isExercise } from "./exercise.js";

/**
 * @typedef {import("./exercise.js").Exercise} Exercise
 * @typedef {import("../vendor/ts-fsrs.js").Plan} Plan
 * @typedef {Exercise & { plan: Plan | null }} Card with what FSRS knows of it; `null` as long as it was not practised
 * @typedef {"again" | "hard" | "good" | "easy"} Grade
 *
 * What keeps the schedule: `load` gives all of it, and in words what is wrong with it; `keep` takes what has changed.
 * @typedef {{ load: () => Promise<{ cards?: any[], seen?: Record<string, any>, problem?: string }>,
 *   keep: (change: { cards: any[], seen: Record<string, number>, removed?: string[] }) => Promise<any> }} Keeper
 *
 * Positions that belong together: those of a game, of files, or those that are damaged. Of these no more is known than a name.
 * @typedef {{ key: string, kind: "game" | "files" | "damaged", names: string, cards: { id: string, text: string, fen: string, due: Date | null }[] }} Group
 */

/** How well something was known, the worst first. @type {Grade[]} */
export const GRADES = ["again", "hard", "good", "easy"];
const RATINGS = /** @type {Record<Grade, number>} */ ({ again: Rating.Again, hard: Rating.Hard, good: Rating.Good, easy: Rating.Easy });

/** Whole days, and the same ones whenever it is asked. */
const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false });

const NUMBERS = ["stability", "difficulty", "elapsed_days", "scheduled_days", "learning_steps", "reps", "lapses", "state"];
const isDate = (/** @type {any} */ value) => Number.isFinite(new Date(value).getTime());

/** @param {any} plan @returns {Plan | null} */
function soundPlan(plan) {
  const isSound = typeof plan === "object" && plan !== null && NUMBERS.every((name) => Number.isFinite(plan[name])) && isDate(plan.due) && isDate(plan.last_review);
  return isSound ? plan : null;
}

/** The end of a day: what is due later that day can be practised in the morning. @param {Date} now */
function endOfDay(now) {
  const end = new Date(now);
  end.setHours(24, 0, 0, 0);
  return end;
}

/** A plan after a grade. @param {Plan | null} plan @param {Date} now @param {Grade} grade */
function after(plan, now, grade) {
  const last = plan ? new Date(plan.last_review ?? now) : now;
  // A clock that was set back makes no time negative.
  const at = last > now ? last : now;
  return scheduler.next(plan ?? createEmptyCard(at), at, RATINGS[grade]).card;
}

/** Keeps the schedule in the program. @param {import("./library.js").ServerKeeper} server @returns {Keeper} */
export const programKeeper = (server) => ({ load: () => server.practice(), keep: (change) => server.keepPractice(change) });

/**
 * Keeps it in this browser.
 * @param {{ all(): Promise<any[]>, put(record: any): Promise<void>, remove(id: string): Promise<void> }} store
 * @returns {Keeper}
 */
export const browserKeeper = (store) => ({
  load: async () => ({ cards: await store.all() }),
  keep: async ({ cards, removed = [] }) => {
    for (const id of removed) await store.remove(id);
    for (const card of cards) await store.put(card);
  },
});

export class Schedule {
  /** @type {Map<string, Card>} */ #cards = new Map();
  /** What is kept among them and is no position to practise, as it is. @type {Map<string, any>} */ #damaged = new Map();
  /** Which reviews were looked through, and as of when. @type {Record<string, number>} */ #seen = {};

  /**
   * @param {Keeper} keeper
   * @param {() => Date} [now]
   */
  constructor(keeper, now = () => new Date()) {
    this.keeper = keeper;
    this.now = now;
  }

  /** Reads what is kept. Says in words what is wrong with it, and nothing if it is sound. */
  async load() {
    const { cards = [], seen = {}, problem = "" } = await this.keeper.load();
    for (const card of Array.isArray(cards) ? cards : []) this.#take(card);
    this.#seen = seen ?? {};
    return problem;
  }

  /** @param {any} card */
  #take(card) {
    if (isExercise(card)) this.#cards.set(card.id, { ...card, plan: soundPlan(/** @type {any} */ (card).plan) });
    else if (typeof card?.id === "string" && card.id) this.#damaged.set(card.id, card);
  }

  /** @param {string} id */
  has(id) {
    return this.#cards.has(id);
  }

  /** A position that the rules do not allow is none to practise, and can still be deleted. @param {string} id */
  setAside(id) {
    const card = this.#cards.get(id);
    if (!card) return;
    this.#cards.delete(id);
    this.#damaged.set(id, card);
  }

  /** All positions by the games they are of, those of files and damaged ones last. @returns {Group[]} */
  groups() {
    /** @type {Map<string, Group>} */
    const groups = new Map();
    for (const { id, fen, text, names, source, plan } of this.#cards.values()) {
      const kind = source || names ? "game" : "files";
      const key = JSON.stringify([source, names]);
      const group = groups.get(key) ?? { key, kind, names, cards: [] };
      group.cards.push({ id, text, fen, due: plan && new Date(plan.due) });
      groups.set(key, group);
    }
    const all = [...groups.values()].sort((one, other) => Number(one.kind === "files") - Number(other.kind === "files"));
    if (this.#damaged.size === 0) return all;
    return [...all, { key: "damaged", kind: "damaged", names: "", cards: [...this.#damaged.keys()].map((id) => ({ id, text: "", fen: id, due: null })) }];
  }

  /**
   * Deletes positions, and gives back what `putBack` takes. What cannot be deleted where it is kept stays, and the reason is thrown.
   * @param {string[]} ids
   */
  async remove(ids) {
    const removed = ids.flatMap((id) => this.#cards.get(id) ?? this.#damaged.get(id) ?? []);
    await this.keeper.keep({ cards: [], seen: {}, removed: removed.map(({ id }) => id) });
    for (const { id } of removed) {
      this.#cards.delete(id);
      this.#damaged.delete(id);
    }
    return removed;
  }

  /** Has deleted positions again, with their dates. @param {any[]} removed */
  async putBack(removed) {
    await this.keeper.keep({ cards: removed, seen: {} });
    for (const card of removed) this.#take(card);
  }

  /** @param {string} review @param {number} changed when it was done */
  hasSeen(review, changed) {
    return this.#seen[review] === changed;
  }

  /**
   * Takes exercises in; those that are known keep their dates.
   * @param {Exercise[]} exercises
   * @param {Record<string, number>} [seen]
   */
  async add(exercises, seen = {}) {
    const cards = exercises.map((exercise) => ({ ...exercise, plan: this.#cards.get(exercise.id)?.plan ?? null }));
    for (const card of cards) this.#cards.set(card.id, card);
    Object.assign(this.#seen, seen);
    if (cards.length > 0 || Object.keys(seen).length > 0) await this.keeper.keep({ cards, seen });
  }

  /** Who has how many, the most first. @returns {[string, number][]} */
  get players() {
    const counts = new Map();
    for (const { player } of this.#cards.values()) if (player) counts.set(player, (counts.get(player) ?? 0) + 1);
    return [...counts].sort((one, other) => other[1] - one[1]);
  }

  /**
   * What is to be practised: first what was longest due, then what is new; how many there are, and when the next is due.
   * @param {string} [player] whose alone
   */
  state(player = "") {
    const end = endOfDay(this.now());
    const all = [...this.#cards.values()].filter((card) => !player || card.player === player);
    const time = (/** @type {Card} */ { plan }) => (plan ? new Date(plan.due).getTime() : Infinity);
    const sorted = all.sort((one, other) => (time(one) < time(other) ? -1 : time(one) > time(other) ? 1 : 0));
    const due = sorted.filter(({ plan }) => !plan || new Date(plan.due) < end);
    const next = sorted.find(({ plan }) => plan && new Date(plan.due) >= end);
    return { due, all: all.length, next: next?.plan ? new Date(next.plan.due) : null };
  }

  /** Those of some exercises that are due or new; all, if none is. @param {Exercise[]} exercises */
  dueOf(exercises) {
    const end = endOfDay(this.now());
    const due = exercises.filter(({ id }) => {
      const plan = this.#cards.get(id)?.plan;
      return !plan || new Date(plan.due) < end;
    });
    return due.length > 0 ? due : exercises;
  }

  /**
   * An exercise that was just practised: when it comes back by each grade, and what takes the grade. Another grade takes the
   * place of one before it.
   * @param {Exercise} exercise
   */
  grading(exercise) {
    const now = this.now();
    const known = this.#cards.get(exercise.id);
    const plans = Object.fromEntries(GRADES.map((grade) => [grade, after(known?.plan ?? null, now, grade)]));
    return {
      due: /** @type {Record<Grade, Date>} */ (Object.fromEntries(GRADES.map((grade) => [grade, new Date(plans[grade].due)]))),
      choose: async (/** @type {Grade} */ grade) => {
        const card = { ...(known ?? exercise), plan: plans[grade] };
        this.#cards.set(card.id, card);
        await this.keeper.keep({ cards: [card], seen: {} });
      },
    };
  }
}
