// The mistakes of a game of the report, to be practised.
import { bestBySearch, judgeByKnown, judgeBySearch, judged } from "../engine/judge.js";
import { localLines } from "../rules/local.js";
import { uciOf } from "../rules/moves.js";
import { numbered } from "../rules/position.js";
import { Practice } from "../views/practice.js";
import { JUDGEMENTS } from "./game.js";
import { uciPosition } from "./lists.js";

const BAD = ["m", "b"];

/** The mistakes and blunders for which a better move is known. */
export function tasksOf(game) {
  const { main } = game;
  return main.moves.flatMap((move, index) => {
    const judgement = game.judgement(index + 1);
    if (!BAD.includes(judgement)) return [];
    const position = main.positions[index];
    const { moves, others } = game.alternatives(index);
    const known = moves.map(({ loss, line }) => ({ uci: uciOf(position, line[0]), loss }));
    const [best, uci] = [known[0]?.uci, uciOf(position, move)];
    const verdict = judgeByKnown({ known, others }, uci);
    // A longer search may have found that it was no mistake.
    if (!best || (verdict && verdict.kind !== "wrong")) return [];
    const text = `${numbered(position, move)}${JUDGEMENTS[judgement].sign}`;
    return [{ turn: position.turn === "w" ? "white" : "black", index, uci, text, line: [best], known, others }];
  });
}

/** Practice beside the board of a viewer. */
export function practise(viewer) {
  const { game, board } = viewer;
  const { orientation } = board;
  const from = viewer.ply;
  /** What positions are worth by a search. @type {Map<string, number>} */
  const worths = new Map();
  const what = (/** @type {any} */ { index, line }) => ({ position: uciPosition(game.main, index), best: line[0], options: { UCI_Chess960: true }, worths });
  const practice = new Practice(tasksOf(game), {
    show: ({ turn, index }) => {
      board.turn(turn);
      viewer.go(game.main, index);
    },
    play: ({ index }, { move }) => {
      const { line, index: at } = game.try(game.main, index, move);
      viewer.go(line, at);
    },
    solve: ({ index, better }) => {
      const line = game.better(index, better);
      viewer.go(line, 1);
      const name = (move, at) => (at === 0 || line.positions[at].turn === "w" ? numbered(line.positions[at], move) : move.name);
      return line.moves.map(name).join(" ");
    },
    check: async (/** @type {any} */ task) => {
      const engine = viewer.live?.judge;
      const line = engine ? await bestBySearch(engine(), { ...what(task), known: task.known }) : null;
      if (!line || line[0] === task.line[0]) return;
      task.line = [line[0]];
      task.better = localLines(game.main.positions[task.index], [line])[0].moves.map(({ move }) => move);
    },
    judge: async (/** @type {any} */ task, { uci }) => {
      const engine = viewer.live?.judge;
      return judged(judgeByKnown(task, uci), async () => (engine ? judgeBySearch(engine(), { ...what(task), uci }) : null));
    },
    left: (task) => {
      viewer.practice = null;
      viewer.article.classList.remove("practising");
      board.turn(orientation);
      viewer.go(game.main, task?.index ?? from);
      viewer.find(".practise").focus({ preventScroll: true });
    },
  });
  viewer.find(".lines").before(practice.panel);
  viewer.article.classList.add("practising");
  return practice;
}
