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
   * @param {{ engine: import("../engine/uci.js").Engine, common: () => Record<string, string | number | boolean>,
   *   command: (place: number, fen: string) => string, look: (line: { fen: string | null, moves: string[] }) => Promise<any>,
   *   begin: (position: any, lines: number) => void, hear: (info: import("../engine/uci.js").Info) => void, none: (reason: string) => void }} means
   */
  constructor(session, means) {
    this.session = session;
    this.means = means;
  }

  /** Searches the place that is shown. */
  async follow() {
    const { session, means } = this;
    const { settings, position, game } = session;
    means.engine.stop();
    if (!position) return;
    if (position.moves.length === 0 || (position.end && game.isEnd())) return means.none(position.end?.reason ?? "");
    if (!settings.engine) return means.none("");
    let [shown, command] = [position, means.command(game.at, position.fen)];
    if (this.showsThreat && !position.check) {
      const line = session.line();
      const passed = await means.look({ fen: line.fen, moves: [...line.moves, "0000"] }).catch(() => null);
      if (session.position !== position || session.mode !== "analyse") return;
      if (passed && passed.moves.length > 0) [shown, command] = [passed, `position fen ${passed.fen}`];
    }
    means.begin(shown, Math.min(settings.lines, shown.moves.length));
    means.engine.search({
      position: command, go: "infinite",
      options: { ...means.common(), UCI_LimitStrength: false, MultiPV: settings.lines },
      hear: means.hear,
    });
  }

  /** Not shown any more. */
  leave() {
    this.showsThreat = false;
    this.means.engine.stop();
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
