// The mistakes of a game of the report, to be practised.
import { judgeByLines, judgeBySearch, judged } from "../engine/judge.js";
import { uciOf } from "../rules/moves.js";
import { numbered, readMoves } from "../rules/position.js";
import { Practice } from "../views/practice.js";
import { JUDGEMENTS } from "./game.js";
import { uciPosition } from "./lists.js";

const BAD = ["m", "b"];

/** The mistakes and blunders for which a better move is known. */
export function tasksOf(game) {
  const { main, data } = game;
  return main.moves.flatMap((move, index) => {
    const lines = data.positions[index]?.[6] ?? [];
    const best = readMoves(lines[0]?.[2])[0];
    const judgement = game.judgement(index + 1);
    if (!BAD.includes(judgement) || !best || best.name === move.name) return [];
    const position = main.positions[index];
    const turn = position.turn === "w" ? "white" : "black";
    const uci = (words) => uciOf(position, readMoves(words)[0]);
    const sign = turn === "white" ? 1 : -1;
    const known = lines.map(([, white, words]) => ({ uci: uci(words), loss: sign * (lines[0][1] - white) }));
    const text = `${numbered(position, move)}${JUDGEMENTS[judgement].sign}`;
    return [{ turn, index, uci: uciOf(position, move), text, line: [known[0].uci], known }];
  });
}

/** Practice beside the board of a viewer. */
export function practise(viewer) {
  const { game, board } = viewer;
  const { orientation } = board;
  const from = viewer.ply;
  const practice = new Practice(tasksOf(game), {
    show: ({ turn, index }) => {
      board.turn(turn);
      viewer.go(game.main, index);
    },
    play: ({ index }, { move }) => {
      const { line, index: at } = game.try(game.main, index, move);
      viewer.go(line, at);
    },
    solve: ({ index }) => {
      const line = game.best(index, 0);
      viewer.go(line, 1);
      const name = (move, at) => (at === 0 || line.positions[at].turn === "w" ? numbered(line.positions[at], move) : move.name);
      return line.moves.map(name).join(" ");
    },
    judge: async ({ index, known, line }, { uci }) => {
      const engine = viewer.live?.judge;
      const what = { position: uciPosition(game.main, index), best: line[0], uci, options: { UCI_Chess960: true } };
      return judged(judgeByLines(known, uci), async () => (engine ? judgeBySearch(engine(), what) : null));
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
