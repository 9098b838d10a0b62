// Analysing: the engine searches the place that is shown, as long as it is shown. It knows no page.

/** Text of a move with its number. @param {string} fen of the position before @param {number} index @param {string} san */
export function numbered(fen, index, san) {
  const [, turn, , , , number = "1"] = fen.split(" ");
  const halves = index + (turn === "b" ? 1 : 0);
  return `${Number(number) + Math.floor(halves / 2)}${halves % 2 ? "..." : "."} ${san}`;
}

export class Analyse {
  /** Whether what the other side threatens is searched instead. */
  showsThreat = false;

  /**
   * @param {import("../model/session.js").Session} session
   * @param {{ seats: () => { engine: import("../engine/uci.js").Engine, options: (position: any) => Record<string, any>,
   *   begin: (position: any, lines: number) => void, hear: (info: import("../engine/uci.js").Info) => void, none: (reason: string) => void }[],
   *   stop: () => void, command: (place: number, fen: string) => string,
   *   look: (line: { fen: string | null, moves: string[] }) => Promise<any> }} means `seats` are the engines that analyse
   */
  constructor(session, means) {
    this.session = session;
    this.means = means;
  }

  /** Searches the place that is shown. */
  async follow() {
    const { session, means } = this;
    const { settings, position, game } = session;
    means.stop();
    if (!position) return;
    if (session.isPractising) return;
    // Whoever resigned or lost on time has left a position that can be looked at.
    const isEnd = position.moves.length === 0 || (position.end && game.isEnd() && !session.ending);
    if (isEnd || !settings.engine) return means.seats().forEach(({ none }) => none(isEnd ? (position.end?.reason ?? "") : ""));
    let [shown, command] = [position, means.command(game.at, position.fen)];
    if (this.showsThreat && !position.check) {
      const line = session.line();
      const passed = await means.look({ fen: line.fen, moves: [...line.moves, "0000"] }).catch(() => null);
      if (session.position !== position || session.mode !== "analyse") return;
      if (passed && passed.moves.length > 0) [shown, command] = [passed, `position fen ${passed.fen}`];
    }
    for (const { engine, options, begin, hear } of means.seats()) {
      begin(shown, Math.min(settings.lines, shown.moves.length));
      engine.search({ position: command, go: "infinite", options: { ...options(shown), MultiPV: settings.lines }, hear });
    }
  }

  /** Not shown any more. */
  leave() {
    this.showsThreat = false;
    this.means.stop();
  }

  /**
   * Plays the moves of a line of the engine after the place shown.
   * @param {{ uci: string, san: string, from: string, to: string }[]} moves
   */
  play(moves) {
    const { game, position } = this.session;
    if (!position) return;
    moves.forEach((move, index) => {
      game.at = game.add(game.at, { ...move, text: numbered(position.fen, index, move.san) });
    });
  }
}
