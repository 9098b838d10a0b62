// The review of the game that is open: begun, followed while it runs, shown. The program does it and keeps it.
import { Review } from "./model/review.js";
import { t } from "./texts/words.js";
import { toast } from "./views/dom.js";
import { ReviewView } from "./views/review.js";

/** How often it is asked how far a review is, in milliseconds. */
const LOOK_EVERY = 1000;

export class Reviews {
  /** The game whose review is shown or looked for. */ #id = "";
  /** @type {Review | null} */ #review = null;
  #isRunning = false;
  /** Whether this page has let it go on: what is interrupted once more is left to the user. */ #hasResumed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.server = app.library.server;
    this.view = new ReviewView({
      start: (nodes) => this.#start(nodes), stop: () => this.#stop(), go: (ply) => this.#go(ply), practise: () => this.practise(),
      report: () => new URL(`reviews/${encodeURIComponent(this.#id)}/report`, document.baseURI).href,
    });
  }

  /** Shows what there is for the game that is open; called whenever that or the place in it has changed. */
  show() {
    const { session } = this.app;
    const isShown = Boolean(this.server) && session.mode === "analyse" && !session.game.isEmpty && !session.isPractising;
    this.view.toggle(isShown);
    if (!isShown) return this.app.board.explain(null, null);
    if (session.id !== this.#id) this.#begin(session.id);
    const review = this.current;
    this.view.at(review ? session.game.path().length : 0);
    this.app.moves.label(review ? session.game.path(session.game.last()).map((place, index) => [place, review.told(index + 1)]) : []);
    this.app.board.explain(this.#explained(), this.#missed());
  }

  /** The review, where it is of the game as it stands and the board stands in its main line. */
  get current() {
    const { game } = this.app.session;
    return this.#review && this.#review.isOf(game) && game.isMain(game.at) ? this.#review : null;
  }

  /** What is to be drawn of the move that is shown. */
  #explained() {
    const { game } = this.app.session;
    const told = this.current?.told(game.path().length);
    return told?.reasons.find(({ about }) => about !== "missed") ?? null;
  }

  /** What the next move will miss: it is there before that move. */
  #missed() {
    const told = this.current?.told(this.app.session.game.path().length + 1);
    return told?.reasons.find(({ about }) => about === "missed") ?? null;
  }

  /** @param {string} id */
  #begin(id) {
    this.#id = id;
    this.#review = null;
    this.#isRunning = false;
    this.#hasResumed = false;
    this.view.none();
    this.#look();
  }

  /** Asks how far it is, again and again while it runs. */
  async #look() {
    const id = this.#id;
    clearTimeout(this.#timer);
    try {
      const progress = await this.server.review(id);
      if (id === this.#id) await this.#hear(progress);
    } catch (error) {
      if (id === this.#id) this.view.none(error.message);
    }
  }

  /** @param {{ state: string, done?: number, total?: number, reason?: string }} progress */
  async #hear({ state, done = 0, total = 1, reason = "" }) {
    const id = this.#id;
    this.#isRunning = state === "running";
    if (state === "running") {
      this.view.running(done, total);
      this.#timer = setTimeout(() => this.#look(), LOOK_EVERY);
    } else if (state === "done") {
      const review = new Review(await this.server.reviewOf(id));
      if (id !== this.#id) return;
      this.#review = review;
      this.view.done(review, review.isOf(this.app.session.game));
      this.app.screen.show();
    } else if (state === "interrupted" && !this.#hasResumed) {
      this.#hasResumed = true;
      this.view.running(done, total);
      const resumed = await this.server.resumeReview(id);
      if (id === this.#id) await this.#hear(resumed);
    } else if (state === "interrupted") {
      this.view.none(t("review.interrupted", { done, total }));
    } else this.view.none(state === "failed" ? t("review.failed", { reason }) : "");
  }

  /** @param {number} nodes */
  async #start(nodes) {
    const { session } = this.app;
    try {
      await this.app.autosave.flush();
      await this.#hear(await this.server.startReview(session.id, session.game, nodes));
    } catch (error) {
      this.view.none(error.message);
    }
  }

  async #stop() {
    clearTimeout(this.#timer);
    const fault = await this.server.removeReview(this.#id).then(() => "", (error) => error.message);
    this.#begin(this.#id);
    if (fault) toast(fault);
  }

  /** @param {number} ply */
  #go(ply) {
    return this.app.intents.go(Review.place(this.app.session.game, ply));
  }

  /** Practises the mistakes of the review. */
  practise() {
    const review = this.current ?? this.#review;
    if (review?.isOf(this.app.session.game)) this.app.exercises.beginReview(review, this.#id);
  }
}
