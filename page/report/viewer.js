// A game on the page: the board, and everything that follows it.
import { clockText, countText, percentText, scoreText, timeText } from "../model/words.js";
import { JUDGEMENTS, PRAISE, chancesText } from "./game.js";
import { bringIntoView, buttonOf, goButton, moveButtons, rove, template } from "./lists.js";
import { practise, tasksOf } from "./practice.js";
import { pgnOf } from "../model/pgn.js";
import { answer } from "../rules/local.js";
import { fenOf, typedMove, uciOf } from "../rules/moves.js";
import { described, numbered, play, readMoves, spoken, squareName } from "../rules/position.js";
import { BoardView } from "../views/board.js";
import { copied } from "../views/clipboard.js";
import { element } from "../views/dom.js";
import { Graph } from "../views/graph.js";
import { askForPromotion } from "../views/promotion.js";

/**
 * What only some pages have: `Live`, the engine in the page.
 * @type {{ Live: any }}
 */
export const extras = { Live: null };

export class Viewer {
  /** `article` is the game's page without a script; `moved` is called with each half-move shown. */
  constructor(article, game, moved) {
    this.article = article;
    this.game = game;
    this.moved = moved;
    article.classList.add("live");
    article.querySelector(".head").after(template("viewer"));
    this.board = new BoardView(this.find(".board"), {
      moved: ({ move }) => this.tryMove(move),
      promote: askForPromotion,
      swiped: (distance) => this.step(distance),
    });
    this.showsArrow = true;
    [this.line, this.index] = [game.main, 0];
    this.practice = null;
    this.find(".practise").hidden = !tasksOf(game).length;
    // As much room as the most lines need, so that what is below stays where it is.
    const most = Math.max(0, ...game.data.positions.map((position) => position?.[6].length ?? 0));
    this.find(".lines .known").style.setProperty("--most", most);
    this.enliven();
    this.graphs = this.makeGraphs();
    // Only a page that carries an engine has it.
    this.live = extras.Live ? new extras.Live(this) : null;
    this.listen();
  }

  /** The game is left. */
  leave() {
    this.live?.leave();
    this.board.leave();
  }

  find(selector) {
    return this.article.querySelector(selector);
  }

  get position() {
    return this.line.positions[this.index];
  }

  /** What the rules say of it. */
  get shown() {
    const { position } = this;
    if (this.answered?.position !== position) this.answered = { position, shown: answer(position) };
    return this.answered.shown;
  }

  get isFlipped() {
    return this.board.orientation === "black";
  }

  /** The half-move of the game shown, or from which the line shown departs. */
  get ply() {
    let [line, index] = [this.line, this.index];
    while (line.parent) [line, index] = [line.parent, line.at];
    return index;
  }

  /** Makes buttons of what names a place on the board or a kind of moves. */
  enliven() {
    for (const span of this.article.querySelectorAll("span[data-go], span[data-next]")) span.replaceWith(buttonOf(span));
    rove(this.find(".moves"));
    rove(this.find(".lines .known"));
  }

  makeGraphs() {
    if (!this.game.length) return [];
    const make = (picture) => new Graph(picture, this.game.length, (ply) => this.goPly(ply), (ply) => this.standing(ply));
    const graphs = [...this.article.querySelectorAll(".graph")].map(make);
    graphs[0]?.makeSlider("Winning chances; where in the game the board is");
    return graphs;
  }

  listen() {
    this.article.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.do) this[button.dataset.do]();
      else if (button?.dataset.go) this.goPlace(button.dataset.go);
      else if (button?.dataset.next) this.goNext(...button.dataset.next.split(" "));
    });
    this.find(".own").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(event.target.elements.move);
    });
    this.find(".own input").addEventListener("keydown", (event) => {
      if (event.key === "Escape") event.target.blur();
    });
    for (const button of this.article.querySelectorAll("[data-key]")) {
      // Who has no keyboard need not be told of keys.
      if (matchMedia("(min-width: 700px)").matches) button.title += ` (${button.dataset.key})`;
    }
  }

  /** Plays a move that was typed. */
  type(input) {
    const text = input.value.trim();
    if (!text) return;
    const move = typedMove(this.position, text);
    if (move) {
      input.value = "";
      this.tryMove(move);
    } else {
      input.select();
      this.say(`“${text}” is not a legal move here.`);
    }
    input.setAttribute("aria-invalid", !move);
  }

  /** A legal move on the board. */
  tryMove(move) {
    if (this.practice) {
      const uci = uciOf(this.position, move);
      this.practice.answer({ uci, san: move.name, text: numbered(this.position, move), move });
      return;
    }
    const { line, index } = this.game.try(this.line, this.index, move);
    this.go(line, index);
  }

  /** Says something below the board until the position changes. */
  say(text) {
    this.find(".message").textContent = text;
  }

  /** Carries out a key, and says whether it means anything here. */
  press(key) {
    if (this.practice) return this.pressInPractice(key);
    const action = {
      ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", Escape: "return",
      f: "flip", n: "error", a: "arrow", m: "typing",
    }[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return Boolean(this.live?.press(key));
    this[action]();
    return true;
  }

  /** The keys that mean something while one practises. */
  pressInPractice(key) {
    const action = { Escape: () => this.practice.leave(), f: () => this.flip(), m: () => this.typing() }[key.length === 1 ? key.toLowerCase() : key];
    action?.();
    return Boolean(action);
  }

  first() {
    this.go(this.line, this.line.parent ? 1 : 0);
  }

  last() {
    this.go(this.line, this.line.moves.length);
  }

  back() {
    this.step(-1);
  }

  forward() {
    this.step(1);
  }

  flip() {
    this.board.turn(this.isFlipped ? "white" : "black");
    this.find('[data-do="flip"]').setAttribute("aria-pressed", this.isFlipped);
    this.show();
  }

  arrow() {
    this.showsArrow = !this.showsArrow;
    this.find('[data-do="arrow"]').setAttribute("aria-pressed", this.showsArrow);
    this.show();
  }

  error() {
    this.goNext();
  }

  copyFen() {
    this.copy(fenOf(this.position), "FEN");
  }

  copyPgn() {
    this.copy(pgnOf(this.game.tree), "PGN");
  }

  /** Puts a text on the clipboard, or shows it to be copied by hand. */
  async copy(text, name) {
    if (await copied(text)) this.say(`${name} copied.`);
    else showText(text, name);
  }

  practise() {
    this.practice = practise(this);
    this.practice.begin();
    this.find(".viewer").scrollIntoView({ block: "nearest" });
  }

  typing() {
    this.find(".own input").focus();
  }

  /** Back to the game where the line departs from it. */
  return() {
    if (this.line.parent) this.goPly(this.ply);
    if (document.activeElement === document.body) this.find('[data-do="forward"]').focus({ preventScroll: true });
  }

  goPly(ply) {
    // The address may change while one practises.
    if (this.practice) return;
    if (this.line.parent || ply !== this.index) this.go(this.game.main, Math.min(Math.max(ply, 0), this.game.length));
  }

  goPlace(place) {
    const found = this.game.find(place);
    if (found) this.go(found.line, found.index);
  }

  goNext(side, kind) {
    const ply = this.game.nextError(this.ply, side?.[0], kind?.[0]);
    if (ply !== null) this.goPly(ply);
  }

  step(distance) {
    if (this.practice) return;
    const index = this.index + distance;
    const leaves = this.line.parent && index < 1;
    if (leaves) this.go(this.line.parent, this.line.at);
    else if (index >= 0 && index <= this.line.moves.length) this.go(this.line, index);
  }

  go(line, index) {
    this.line = line;
    this.index = index;
    this.say("");
    this.show();
    if (!this.practice) this.announce();
    this.moved(this.ply);
  }

  show() {
    const { game, line, ply } = this;
    this.live?.follow();
    this.showBoard();
    this.showStrips(ply);
    this.showBar(game.analysis(ply));
    this.showLines(ply);
    this.showTried();
    this.showNow();
    for (const graph of this.graphs) graph.show(ply);
    this.markPlace();
    this.article.classList.toggle("aside", Boolean(line.parent));
  }

  showBoard() {
    const { shown } = this;
    this.board.show(shown, shown.turn);
    this.board.marks([]);
    this.point();
    this.find(".board").setAttribute("aria-label", described(this.position));
  }

  /** Draws the arrow. */
  point() {
    const { best } = this;
    this.board.arrows(best ? [best] : []);
  }

  /** Shows the position after moves of the engine, while one points at them. */
  preview(moves) {
    if (!moves) return this.showBoard();
    const { fen, last } = answer(moves.reduce((position, { move }) => play(position, move), this.position));
    this.board.preview(fen, last ?? []);
  }

  /** The move for the arrow: the engine's best while it analyses, else that of the report. */
  get best() {
    if (!this.showsArrow || this.practice) return null;
    if (this.live?.best || this.line.parent) return this.live?.best ?? null;
    const move = readMoves(this.game.analysis(this.ply)?.lines[0]?.[2])[0];
    return move && move.from !== move.to ? { from: squareName(move.from), to: squareName(move.to) } : null;
  }

  /** Names and clocks, Black's above the board unless it is turned. */
  showStrips(ply) {
    const sides = this.isFlipped ? [0, 1] : [1, 0];
    [".far", ".near"].forEach((strip, place) => {
      const side = sides[place];
      const clock = this.game.data.clocks[ply]?.[side];
      this.find(strip).classList.toggle("white", side === 0);
      this.find(`${strip} .name`).textContent = this.game.data.players[side];
      this.find(`${strip} .clock`).textContent = clock == null ? "" : clockText(clock);
    });
  }

  showBar(analysis) {
    const bar = this.find(".bar");
    bar.classList.toggle("flipped", this.isFlipped);
    bar.classList.toggle("unknown", !analysis);
    const { win, draw } = analysis ?? { win: 0, draw: 1000 };
    const shares = { win, draw, loss: 1000 - win - draw };
    for (const [name, share] of Object.entries(shares)) bar.querySelector(`.${name}`).style.flexGrow = share;
  }

  /** The best lines of the position of the game; written anew only when that changes, so that no focus is lost. */
  showLines(ply) {
    if (this.linesOf === ply) return;
    this.linesOf = ply;
    const analysis = this.game.analysis(ply);
    this.find(".standing").textContent = analysis ? chancesText(analysis) : "This position has not been analysed.";
    this.find(".effort").textContent = analysis?.depth ? `depth ${analysis.depth}, ${countText(analysis.nodes)} nodes` : "";
    const lines = (analysis?.lines ?? []).map((line, rank) => this.lineItem(ply, rank, line[0]));
    this.find(".lines .known").replaceChildren(...lines);
  }

  lineItem(ply, rank, score) {
    const item = document.createElement("li");
    const line = this.game.best(ply, rank);
    item.append(goButton("score", line.place(1), scoreText(score)), ...moveButtons(line));
    return item;
  }

  /** One's own moves while one is among them. */
  showTried() {
    const { line } = this;
    const isTried = line.id === "t";
    const tried = this.find(".tried");
    tried.hidden = !isTried;
    if (isTried && this.triedLine !== line) tried.replaceChildren("Your moves: ", ...moveButtons(line));
    this.triedLine = isTried ? line : null;
  }

  /** What was just played, and the way back to the game if it was not. */
  showNow() {
    const { line, index } = this;
    const played = this.find(".played");
    const judgement = line.parent ? null : JUDGEMENTS[this.game.judgement(index)];
    played.className = `played ${judgement?.name ?? ""}`;
    if (index === 0) played.textContent = this.game.length ? "The first position" : "The position";
    else played.textContent = numbered(line.positions[index - 1], line.moves[index - 1]) + (judgement?.sign ?? "");
    const remark = document.createElement("small");
    remark.className = "score";
    remark.textContent = this.remark();
    played.append(remark);
    this.find(".return").hidden = !line.parent;
  }

  /** The score of a position of the game; else which line it is. */
  remark() {
    const { line, index, game } = this;
    if (line.id === "t") return "your own move";
    if (!line.parent) return this.facts(index).join(" · ");
    return line.id.startsWith("l") ? `best line ${Number(line.id.split(".")[1]) + 1}` : "variation of the file";
  }

  /** The score of a position of the game, praise of the move before it, and how long that took. */
  facts(index) {
    const { game } = this;
    const time = game.data.times[index - 1];
    return [
      game.analysis(index) && scoreText(game.analysis(index).score),
      PRAISE[game.judgement(index)],
      time != null && `took ${timeText(time)}`,
    ].filter(Boolean);
  }

  /** Marks where we are in the lists of moves, and where the game was left if it was. */
  markPlace() {
    for (const button of this.article.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const mark = (place, value) => {
      for (const button of this.article.querySelectorAll(`button.move[data-go="${place}"]`)) {
        button.setAttribute("aria-current", value);
        bringIntoView(button);
      }
    };
    if (this.line.parent) mark(this.game.main.place(this.ply), "location");
    mark(this.line.place(this.index), "true");
    if (this.line === this.game.main && this.index === 0) this.find(".moves")?.scrollTo(0, 0);
  }

  /** A half-move of the game in words, short. */
  standing(ply) {
    const { main } = this.game;
    const analysis = this.game.analysis(ply);
    const sign = JUDGEMENTS[this.game.judgement(ply)]?.sign ?? "";
    const move = ply ? numbered(main.positions[ply - 1], main.moves[ply - 1]) + sign : "Start";
    const time = this.game.data.times[ply - 1];
    const parts = [move, analysis && `White ${percentText(analysis.white)}`, time != null && timeText(time)];
    return parts.filter(Boolean).join(" · ");
  }

  /** Tells those who cannot see the board. A slider that has the focus speaks for itself. */
  announce() {
    const { line, index } = this;
    if (document.activeElement?.getAttribute("role") === "slider") return;
    const parts = [];
    if (index > 0) {
      const before = line.positions[index - 1];
      parts.push(`${before.number}, ${before.turn === "w" ? "White" : "Black"}: ${spoken(line.moves[index - 1].name)}`);
    }
    const judgement = line.parent ? null : JUDGEMENTS[this.game.judgement(index)];
    if (judgement) parts.push(judgement.name);
    if (!line.parent && PRAISE[this.game.judgement(index)]) parts.push(PRAISE[this.game.judgement(index)]);
    const analysis = line.parent ? null : this.game.analysis(index);
    if (analysis) parts.push(`score ${scoreText(analysis.score)}, White expects ${percentText(analysis.white)}`);
    if (line.parent) parts.push("not played in the game");
    this.find(".announcer").textContent = parts.join(", ");
  }
}

/** A text to be copied by hand. */
function showText(text, name) {
  const area = element("textarea", { readonly: true });
  area.value = text;
  const close = element("button", { type: "button" }, "Close");
  const dialog = element("dialog", { class: "panel" }, element("label", {}, `${name}, to be copied from here`, area), close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}
