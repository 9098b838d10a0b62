// Draws what the session holds: which parts of the page are to be seen, and what they say.
import { START } from "./model/game.js";
import { levelsOf, scaleOf } from "./model/level.js";
import { rule, t } from "./texts/words.js";
import { $, $$, element } from "./views/dom.js";
import { namesOf } from "./views/games.js";
import { levelText } from "./views/strips.js";

export class Screen {
  /** The game that the board shows. @type {import("./model/game.js").Game | null} */ #shown = null;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** Draws all views anew. */
  show() {
    const { session, board } = this.app;
    const { position, mode, game, settings } = session;
    if (!position) return;
    const isPlay = mode === "play";
    board.turn(session.orientation);
    // In a game you may decide on a move before it is your turn.
    const movable = isPlay ? (session.isAtTip && !session.isOver ? (session.you ?? undefined) : undefined) : position.turn;
    board.show(position, movable, isPlay && this.#shown === game);
    this.#shown = game;
    board.marks(game.marks(game.at));
    if (isPlay && session.isYourTurn && session.isAtTip) board.playPremove();
    this.app.moves.show(game, session.isOver || position.end ? (session.tipPosition?.end ?? null) : null, t("no.moves"));
    this.app.notes.show(game);
    this.app.strips.draw();
    $("#board").setAttribute("aria-label", t("board.label", { pieces: position.pieces }));
    $("#playing").hidden = !isPlay;
    $("#analysing").hidden = isPlay;
    $("#editing").hidden = isPlay;
    $('[data-do="promote"]').hidden = game.isMain(game.at);
    $('[data-do="remove"]').hidden = game.at === START;
    for (const tab of $$("[data-mode]")) tab.setAttribute("aria-pressed", String(tab.dataset.mode === mode));
    const pressed = { arrows: settings.arrows, threat: this.app.analyse.showsThreat };
    for (const [name, isOn] of Object.entries(pressed)) $(`[data-do="${name}"]`).setAttribute("aria-pressed", String(isOn));
    $('[data-do="arrows"]').hidden = isPlay;
    $("#engine-switch").setAttribute("aria-checked", String(settings.engine));
    $("#heading").textContent = this.#heading();
    this.#showPlay();
    this.showUndo();
    this.app.opener.show();
    this.app.reviews.show();
    this.app.explorer.show();
    this.app.endings.show();
  }

  #showPlay() {
    const { session } = this.app;
    const { position, tipPosition, game, isOver } = session;
    if (session.mode !== "play" || !position || !tipPosition) return;
    const hide = (/** @type {string} */ name, /** @type {boolean} */ isHidden) => ($(`[data-do="${name}"]`).hidden = isHidden);
    hide("play-on", session.isAtTip || !this.#canPlayOn);
    hide("to-game", session.isAtTip);
    hide("rematch", !isOver);
    hide("analyse-this", !isOver);
    hide("claim", !(tipPosition.claim && session.isYourTurn));
    for (const name of ["resign", "offer-draw", "hint"]) hide(name, isOver || session.you === null);
    hide("take-back", session.you === null);
    hide("pause", isOver || !(session.isPaused || session.you === null));
    $('[data-do="pause"]').textContent = t(session.isPaused ? "go.on" : "pause");
    $('[data-do="take-back"]').disabled = game.isEmpty;
    $('[data-do="hint"]').disabled = !session.isYourTurn || !session.isAtTip;
    $('[data-do="resign"]').disabled = game.isEmpty;
    for (const side of ["white", "black"]) this.#showLevel(/** @type {"white" | "black"} */ (side));
    $("#status").textContent = this.#status();
    const { limit } = session.settings;
    $("#limit-text").textContent = session.clock || limit.kind === "clock" ? "" : t(`limit.${limit.kind}`, { value: limit.value });
  }

  /** The strength of an engine that plays, where it can be chosen. @param {"white" | "black"} side */
  #showLevel(side) {
    const player = this.app.session.players[side];
    const options = player && this.app.players.optionsAt(side);
    const scale = options ? scaleOf(options) : null;
    const place = $(`.level[data-side="${side}"]`);
    place.hidden = !scale;
    if (!player || !scale) return;
    $("span", place).textContent = this.app.session.rival ? t("level") : player.engine;
    const option = (/** @type {number | null} */ level) => element("option", { value: String(level), selected: level === player.level }, levelText(scale.kind, level));
    $("select", place).replaceChildren(...[...levelsOf(scale), null].map(option));
  }

  get #canPlayOn() {
    const { position } = this.app.session;
    return Boolean(position && position.moves.length > 0 && !position.end);
  }

  #status() {
    const { session } = this.app;
    const { tipPosition } = session;
    if (!tipPosition) return "";
    if (session.isOver) return t("ended", { result: tipPosition.end?.result ?? "", reason: rule(tipPosition.end?.reason ?? "") });
    const engine = session.players[tipPosition.turn]?.engine ?? "";
    if (session.fault) return t("engine.left", { engine, reason: session.fault });
    if (session.isPaused) return t("paused");
    const what = !session.isYourTurn ? t("thinks", { engine }) : tipPosition.claim ? t("your.claim", { rule: rule(tipPosition.claim) }) : t(tipPosition.check ? "your.move.check" : "your.move");
    return session.isAtTip ? what : `${t("looking.back")} · ${what}`;
  }

  /** What the tags say of the game. */
  #heading() {
    const { game } = this.app.session;
    if (!game.known("White") && !game.known("Black")) return "";
    const parts = [namesOf(Object.fromEntries(game.tags)), game.known("Event"), game.known("Date"), [game.known("ECO"), game.known("Opening")].filter(Boolean).join(" "), /^\d+[+d]\d/.exec(game.tag("TimeControl") ?? "")?.input];
    return parts.filter(Boolean).join(" · ");
  }

  showUndo() {
    const { next } = this.app.history;
    const [undo, redo] = [$('.icons [data-do="undo"]'), $('.icons [data-do="redo"]')];
    undo.disabled = !next && !this.app.hasRemoved;
    redo.disabled = !this.app.history.canRedo;
    undo.title = this.app.hasRemoved ? `${t("undo.what", { what: t("undo.delete") })} (Ctrl+Z)` : next ? `${t("undo.what", { what: t(next) })} (Ctrl+Z)` : `${t("undo")} (Ctrl+Z)`;
  }
}
