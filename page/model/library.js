// Games that outlast the page: those that the program keeps in its folder, or the browser where there is no program.
import { pgnOf } from "./pgn.js";

/**
 * A game in a list.
 * @typedef {{ id: string | number, revision?: number, changed?: string | number, tags: Record<string, string>, plies: number, problem?: string }} Entry
 * @typedef {{ query?: string, sort?: string, from?: number, count?: number }} Question
 * @typedef {{ total: number, games: Entry[], done?: boolean }} Page
 * @typedef {{ id: string, revision: number, forked_from?: string }} Kept
 */

/** The tags of a PGN text, which lists are made of. @param {string} pgn */
export function tagsOf(pgn) {
  const head = pgn.slice(0, pgn.search(/^\s*$/m) + 1 || undefined);
  return Object.fromEntries([...head.matchAll(/^\[(\w+) "((?:[^"\\]|\\.)*)"\]/gm)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
}

/** The half-moves of a PGN text, about: variations count. @param {string} pgn */
const pliesOf = (pgn) => (pgn.replace(/^\[.*\]$/gm, "").replace(/\{[^}]*\}/g, "").match(/(?:^|[\s.])(?:[KQRBNa-h][\w=+#-]+|O-O(?:-O)?)/g) ?? []).length;

/** The order of each sort. */
const ORDERS = /** @type {Record<string, (entry: Entry) => string | number>} */ ({
  changed: (entry) => -new Date(entry.changed ?? 0).getTime(),
  date: ({ tags }) => tags.Date ?? "",
  white: ({ tags }) => (tags.White ?? "").toLowerCase(),
  black: ({ tags }) => (tags.Black ?? "").toLowerCase(),
  result: ({ tags }) => tags.Result ?? "",
});

/**
 * The part of a list that is asked for.
 * @param {Entry[]} entries
 * @param {Question} question
 * @returns {Page}
 */
export function pageOf(entries, { query = "", sort = "", from = 0, count = 50 }) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ tags }) => Object.values(tags).join(" ").toLowerCase();
  const found = words.length ? entries.filter((entry) => words.every((word) => text(entry).includes(word))) : entries;
  const order = ORDERS[sort];
  const key = (entry) => order(entry);
  const sorted = order ? [...found].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0)) : found;
  return { total: found.length, games: sorted.slice(from, from + count) };
}

/** A question as part of an address. @param {Question} question */
const asked = (question) => new URLSearchParams(Object.entries(question).filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]));

/** The games of a program, over HTTP. */
export class ServerKeeper {
  /** @param {(path: string, init?: RequestInit) => Promise<Response>} [send] */
  constructor(send = (path, init) => fetch(new URL(path, document.baseURI), init)) {
    this.send = send;
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async #ask(path, init) {
    const response = await this.send(path, init);
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw Object.assign(new Error(answer.error ?? `${path}: ${response.status}`), { status: response.status });
    return answer;
  }

  /** @param {Question} question @returns {Promise<Page>} */
  list(question = {}) {
    return this.#ask(`games?${asked(question)}`);
  }

  /** @param {string} id @returns {Promise<{ id: string, revision: number, pgn: string }>} */
  get(id) {
    return this.#ask(`games/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @param {number} revision @param {string} pgn @param {boolean} [isLast] @returns {Promise<Kept>} */
  put(id, revision, pgn, isLast = false) {
    const headers = { "Content-Type": "application/json" };
    return this.#ask(`games/${encodeURIComponent(id)}`, { method: "PUT", headers, body: JSON.stringify({ revision, pgn }), keepalive: isLast && pgn.length < 50_000 });
  }

  /** @param {string} id */
  remove(id) {
    return this.#ask(`games/${encodeURIComponent(id)}`, { method: "DELETE" });
  }

  /** @param {string} id */
  restore(id) {
    return this.#ask(`games/${encodeURIComponent(id)}/restore`, { method: "POST" });
  }

  /**
   * Hands a file over, and answers when all of it was read. Under its name, which the page makes, its first games can be
   * asked for before that.
   * @param {string} id
   * @param {string} name
   * @param {Blob} file
   */
  open(id, name, file) {
    return this.#ask(`files?${new URLSearchParams({ name, file: id })}`, { method: "POST", body: file });
  }

  /** How far the review of a game is. @param {string} id @returns {Promise<{ state: string, done?: number, total?: number, reason?: string }>} */
  review(id) {
    return this.#ask(`reviews/${encodeURIComponent(id)}`);
  }

  /** Goes on with a review that was interrupted. @param {string} id */
  resumeReview(id) {
    return this.#ask(`reviews/${encodeURIComponent(id)}/resume`, { method: "POST" });
  }

  /** What a review has found. @param {string} id @returns {Promise<any>} */
  reviewOf(id) {
    return this.#ask(`reviews/${encodeURIComponent(id)}/result`);
  }

  /** The reviews that are done, and when. @returns {Promise<{ reviews: { id: string, changed: number }[] }>} */
  reviews() {
    return this.#ask("reviews");
  }

  /** The schedule of practice. */
  practice() {
    return this.#ask("practice");
  }

  /** @param {object} change what has changed in the schedule of practice */
  keepPractice(change) {
    return this.#ask("practice", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(change) });
  }

  /** Begins a review of a game, with so many nodes a position. @param {string} id @param {import("./game.js").Game} game @param {number} nodes */
  startReview(id, game, nodes) {
    const headers = { "Content-Type": "application/json" };
    return this.#ask(`reviews/${encodeURIComponent(id)}`, { method: "POST", headers, body: JSON.stringify({ pgn: pgnOf(game), nodes }) });
  }

  /** Ends a review, and forgets it. @param {string} id */
  removeReview(id) {
    return this.#ask(`reviews/${encodeURIComponent(id)}`, { method: "DELETE" });
  }

  /** The engines that the program can run, Vancura first. @returns {Promise<{ engines: { id: string, name: string }[] }>} */
  engines() {
    return this.#ask("engines");
  }

  /** An engine with its options. @param {string} id */
  engine(id) {
    return this.#ask(`engines/${encodeURIComponent(id)}`);
  }

  /** The files that are open. */
  files() {
    return this.#ask("files");
  }

  /** @param {string} file */
  progress(file) {
    return this.#ask(`files/${encodeURIComponent(file)}`);
  }

  /** @param {string} file @param {Question} question @returns {Promise<Page>} */
  listOf(file, question) {
    return this.#ask(`files/${encodeURIComponent(file)}/games?${asked(question)}`);
  }

  /** @param {string} file @param {string} id */
  gameOf(file, id) {
    return this.#ask(`files/${encodeURIComponent(file)}/games/${encodeURIComponent(id)}`);
  }

  /** Where it can be asked what was played. @returns {Promise<{ sources: { id: string, name: string | null }[] }>} */
  explorers() {
    return this.#ask("explorer");
  }

  /** What was played from a position. @param {string} source @param {{ fen: string, open: string, chess960?: number }} question */
  explore(source, question) {
    return this.#ask(`explorer/${encodeURIComponent(source)}?${new URLSearchParams(/** @type {any} */ (question))}`);
  }

  /** A game of an index. @param {string} source @param {string} game @returns {Promise<{ pgn: string }>} */
  exploredGame(source, game) {
    return this.#ask(`explorer/${encodeURIComponent(source)}/games/${encodeURIComponent(game)}`);
  }

  /** What endgame tables say of a position. @param {string} fen @returns {Promise<import("../views/endings.js").Told>} */
  tables(fen) {
    return this.#ask(`tables?${new URLSearchParams({ fen })}`);
  }

  settings() {
    return this.#ask("settings");
  }

  /** @param {object} settings */
  putSettings(settings) {
    return this.#ask("settings", { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(settings) });
  }
}

/** What carries records: `all`, `get`, `put`; IndexedDB in a browser. */
export class BrowserKeeper {
  /** @param {{ all(): Promise<any[]>, get(id: string): Promise<any>, put(record: any): Promise<void> }} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {Question} question */
  async list(question = {}) {
    const records = (await this.store.all()).filter(({ bin }) => !bin);
    return pageOf(records.map(({ pgn, ...entry }) => ({ ...entry, tags: tagsOf(pgn), plies: pliesOf(pgn) })), question);
  }

  /** @param {string} id */
  async get(id) {
    const record = await this.store.get(id);
    if (!record || record.bin) throw new Error("there is no such game");
    return record;
  }

  /**
   * @param {string} id
   * @param {number} revision
   * @param {string} pgn
   * @returns {Promise<Kept>}
   */
  async put(id, revision, pgn) {
    const known = await this.store.get(id);
    const record = { id, revision: revision + 1, pgn, changed: Date.now() };
    if (known && known.revision !== revision) {
      const fork = { ...record, id: crypto.randomUUID(), revision: 1 };
      await this.store.put(fork);
      return { id: fork.id, revision: 1, forked_from: id };
    }
    await this.store.put(record);
    return { id, revision: record.revision };
  }

  /** @param {string} id */
  async remove(id) {
    const record = await this.store.get(id);
    if (record) await this.store.put({ ...record, bin: true });
    return { id, bin: true };
  }

  /** @param {string} id */
  async restore(id) {
    const record = await this.store.get(id);
    if (record) await this.store.put({ ...record, bin: false });
    return { id };
  }
}

/** The records of this browser. */
export function browserStore(name = "vancura") {
  const opened = new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const run = async (mode, body) => {
    const database = await opened;
    return new Promise((resolve, reject) => {
      const request = body(database.transaction("games", mode).objectStore("games"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  };
  return {
    all: () => run("readonly", (store) => store.getAll()),
    get: (id) => run("readonly", (store) => store.get(id)),
    put: (record) => run("readwrite", (store) => store.put(record)),
    remove: (id) => run("readwrite", (store) => store.delete(id)),
  };
}

/**
 * My games: the program's, or the browser's. What the program does not take, because it has ended, the browser keeps until
 * it can be handed over.
 */
export class Library {
  /**
   * @param {ServerKeeper | null} server
   * @param {BrowserKeeper} browser
   */
  constructor(server, browser) {
    this.server = server;
    this.browser = browser;
  }

  /** Whether a program keeps the games. */
  get isServed() {
    return this.server !== null;
  }

  /** Finds out whether the program keeps games, and hands over what the browser had to keep. */
  async start() {
    if (!this.server) return;
    try {
      await this.server.list({ count: 1 });
    } catch {
      this.server = null;
      return;
    }
    const { games } = await this.browser.list({ count: 1000 }).catch(() => ({ games: [] }));
    for (const { id, revision } of games) {
      const { pgn } = await this.browser.get(id);
      // Its revision is the one on which it is based.
      await this.server.put(id, revision, pgn).then(() => this.browser.remove(id), () => {});
    }
  }

  get #keeper() {
    return this.server ?? this.browser;
  }

  /** @param {Question} question */
  list(question) {
    return this.#keeper.list(question);
  }

  /** @param {string} id */
  get(id) {
    return this.#keeper.get(id);
  }

  /** @param {string} id */
  remove(id) {
    return this.#keeper.remove(id);
  }

  /** @param {string} id */
  restore(id) {
    return this.#keeper.restore(id);
  }

  /**
   * Keeps a game. Where the program does not take it, the browser has a copy, and the reason is thrown.
   * @param {string} id
   * @param {number} revision
   * @param {string} pgn
   * @param {boolean} [isLast] whether the page is about to go
   */
  async put(id, revision, pgn, isLast = false) {
    if (!this.server) return this.browser.put(id, revision, pgn);
    try {
      return await this.server.put(id, revision, pgn, isLast);
    } catch (error) {
      await this.browser.store.put({ id, revision, pgn, changed: Date.now() }).catch(() => {});
      throw error;
    }
  }
}
