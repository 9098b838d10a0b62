// The review beside the board: the course of the game, how well both played, and each bad move with what was better.
import { LABELS } from "../model/review.js";
import { sentence } from "../texts/reasons.js";
import { local, t } from "../texts/words.js";
import { $, element, shape } from "./dom.js";
import { Graph } from "./graph.js";

/** How many moves of the better line are shown. */
const MOVES = 5;
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;

/** A picture of the chances: White's wins below, draws between, and the points to be expected as a line. @param {import("../model/review.js").Review} review */
function picture(review) {
  const { length } = review;
  const known = Array.from({ length: length + 1 }, (_, ply) => ({ ply, chances: review.chances(ply) })).filter(({ chances }) => chances);
  const points = (/** @type {(chances: any) => number} */ of) => known.map(({ ply, chances }) => `${ply} ${(100 - 100 * of(chances)).toFixed(1)}`);
  const band = (/** @type {string} */ name, /** @type {(chances: any) => number} */ of) => known.length === 0 ? [] : [
    shape("path", { class: name, d: `M${known[0].ply} 100L${points(of).join("L")}L${known[known.length - 1].ply} 100Z` }),
  ];
  const curves = shape("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", width: "100%", height: "100%" });
  curves.append(...band("loss", () => 1), ...band("draw", ({ win, draw }) => win + draw), ...band("win", ({ win }) => win));
  if (known.length > 0) curves.append(shape("path", { class: "points", d: `M${points(({ white }) => white).join("L")}` }));
  const marks = review.bad.flatMap(({ ply, label }) => {
    const chances = review.chances(ply);
    return chances ? [shape("circle", { class: `mark ${label}`, cx: `${(100 * ply) / length}%`, cy: `${100 - 100 * chances.white}%`, r: 4 })] : [];
  });
  const whole = shape("svg", { class: "graph chances", role: "img" });
  whole.append(curves, shape("line", { class: "half", x1: 0, x2: "100%", y1: "50%", y2: "50%" }), ...marks);
  return whole;
}

/** A time in words: `0:07.5`, `1:23`, `1:02:03`. @param {number} time in milliseconds */
export function clock(time) {
  const seconds = Math.floor(time / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tenth = seconds < 10 ? `.${Math.floor((time % 1000) / 100)}` : "";
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}${tenth}`;
}

/** The same picture as in the report of how long each move took: White's above the middle, Black's below, by the root. @param {import("../model/review.js").Review} review */
function timePicture(review) {
  const { times, length } = review;
  const most = Math.max(0, ...times.map((time) => time ?? 0));
  if (most === 0) return null;
  const bars = (/** @type {"white" | "black"} */ side) => times.flatMap((time, index) => {
    if (time === null || review.told(index + 1)?.side !== side) return [];
    return [`M${index}.5 50v${side === "white" ? "-" : ""}${(50 * Math.sqrt(time / most)).toFixed(1)}`];
  }).join("");
  const curves = shape("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", width: "100%", height: "100%" });
  curves.append(shape("path", { class: "white", d: bars("white") }), shape("path", { class: "black", d: bars("black") }));
  const whole = shape("svg", { class: "graph times", role: "img", "aria-label": t("review.times", { most: clock(most) }) });
  whole.append(curves);
  return whole;
}

export class ReviewView {
  /** @type {Graph[]} */ #graphs = [];
  #host = $("#review");

  /**
   * @param {{ start: (nodes: number) => void, stop: () => void, go: (ply: number) => void, practise: () => void, report: () => string }} means
   */
  constructor(means) {
    this.means = means;
    const on = (/** @type {string} */ name, /** @type {() => void} */ act) => $(`[data-review="${name}"]`, this.#host).addEventListener("click", act);
    on("start", () => means.start(Number($("#review-nodes").value)));
    on("again", () => this.#part("begin"));
    on("stop", means.stop);
    on("practise", means.practise);
    $(".told", this.#host).addEventListener("click", (event) => {
      const button = event.target.closest("[data-ply]");
      if (button) means.go(Number(button.dataset.ply));
    });
  }

  /** @param {boolean} isShown */
  toggle(isShown) {
    this.#host.hidden = !isShown;
  }

  /** Shows one part: `begin`, `running` or `done`. @param {string} name */
  #part(name) {
    for (const part of this.#host.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
  }

  /** @param {string} text */
  complain(text) {
    $(".fault", this.#host).textContent = text;
  }

  /** There is none. @param {string} [why] */
  none(why = "") {
    this.#part("begin");
    this.complain(why);
  }

  /** @param {number} done @param {number} total */
  running(done, total) {
    this.#part("running");
    this.complain("");
    Object.assign($("progress", this.#host), { max: total, value: done });
    $(".reach", this.#host).textContent = t("review.reach", { done, total });
  }

  /** @param {import("../model/review.js").Review} review @param {boolean} isCurrent whether it is of the game as it stands */
  done(review, isCurrent) {
    this.#part("done");
    this.complain(isCurrent ? "" : t("review.other"));
    const drawn = picture(review);
    const timed = timePicture(review);
    $(".course", this.#host).replaceChildren(drawn, ...(timed ? [timed] : []));
    const { times } = review;
    const spent = (/** @type {number} */ ply) => (ply && times[ply - 1] !== null ? t("review.spent", { time: clock(times[ply - 1] ?? 0) }) : "");
    const tell = (/** @type {number} */ ply) => {
      const chances = review.chances(ply);
      const told = ply ? review.told(ply) : null;
      return [told ? local(told.text) + told.sign : t("review.start"), chances && t("review.white", { percent: percent(chances.white) }), spent(ply)].filter(Boolean).join(" · ");
    };
    this.#graphs = review.length ? [drawn, ...(timed ? [timed] : [])].map((picture) => new Graph(picture, review.length, this.means.go, tell)) : [];
    this.#graphs[0]?.makeSlider(t("review.course"));
    $(".table-of-labels", this.#host).replaceChildren(...this.#table(review));
    const { name, book } = review.opening;
    const left = book ? review.told(book)?.text : null;
    $(".opening", this.#host).textContent = [name, left && t("review.book", { move: local(left) })].filter(Boolean).join(" · ");
    $(".told", this.#host).replaceChildren(...review.bad.map((told) => this.#row(told)));
    $(".none-bad", this.#host).hidden = review.bad.length > 0;
    $('[data-review="practise"]', this.#host).hidden = !isCurrent || review.tasks.length === 0;
    $(".report", this.#host).href = this.means.report();
  }

  /** Accuracy and labels by side. @param {import("../model/review.js").Review} review */
  #table(review) {
    const sides = [review.summary("white"), review.summary("black")];
    const cell = (/** @type {any} */ value) => element("td", {}, value);
    const number = (/** @type {number | null} */ value) => (value === null ? "–" : value.toFixed(1));
    const rows = [[t("review.accuracy"), ...sides.map(({ accuracy }) => number(accuracy))]];
    if (sides.some(({ lichess }) => lichess !== null)) rows.push([t("review.lichess"), ...sides.map(({ lichess }) => number(lichess))]);
    const { times } = review;
    const used = ["white", "black"].map((side) => times.reduce((sum, time, index) => sum + (review.told(index + 1)?.side === side ? (time ?? 0) : 0), 0));
    if (used.some((time) => time > 0)) rows.push([t("review.used"), ...used.map(clock)]);
    const labels = LABELS.filter((label) => sides.some(({ counts }) => counts[label]));
    return [
      element("thead", {}, element("tr", {}, element("td", {}), ...["white", "black"].map((side) => element("th", { scope: "col" }, t(side))))),
      element("tbody", {},
        ...rows.map(([name, ...values]) => element("tr", {}, element("th", { scope: "row" }, name), ...values.map(cell))),
        ...labels.map((label) => element("tr", { class: label }, element("th", { scope: "row" }, t(`label.${label}`)), ...sides.map(({ counts }) => cell(String(counts[label])))))),
    ];
  }

  /** A bad move: what it gave away, what was better, and why. @param {import("../model/review.js").Told} told */
  #row({ ply, fen, text, sign, label, loss, best, bestUci, uci, reasons }) {
    const better = bestUci && bestUci !== uci ? [" ", t("review.better", { line: best.slice(0, MOVES).map(local).join(" ") })] : [];
    const button = element("button", { type: "button", class: `move ${label}`, "data-ply": ply }, `${local(text)}${sign}`);
    // The weightiest, and what was missed.
    const told = [reasons[0], reasons.slice(1).find(({ about }) => about === "missed" && reasons[0].about !== "missed")].filter(Boolean);
    const why = told.map((reason) => sentence(reason, { fen, played: uci })).map(({ text: words, lang }) => element("p", { class: "why", lang }, words));
    return element("li", {}, element("p", {}, button, ` ${t(`label.${label}`)}, −${percent(loss)}.`, ...better), ...why);
  }

  /** Where the board stands. @param {number} ply */
  at(ply) {
    for (const graph of this.#graphs) graph.show(ply);
    for (const button of this.#host.querySelectorAll("[data-ply]")) {
      const isHere = Number(button.dataset.ply) === ply;
      if (isHere) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      const [list, row] = [button.closest(".told"), button.closest("li")];
      // The list alone: the board must stay where it is.
      if (isHere) list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
    }
  }
}
