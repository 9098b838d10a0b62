// Positions when nobody answers any more: what the board needs to go through a game and to make moves, by the rules that
// pages from files have, too. How games end by the laws, only the engine's rules know.
import { fenOf, isInCheck, kingTarget, legalMoves, named, uciOf } from "./moves.js";
import { described, lastSquares, play, readFen, spoken, squareName } from "./position.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PASS = "0000";
/** The most moves of a line. */
const MAX_MOVES = 12;

/** Where a piece arrives, the king in castling. @param {any} move */
const arrival = (move) => (move.name.startsWith("O-O") ? kingTarget(move) : move.to);

/**
 * @param {any} position
 * @param {any[]} moves all that are legal
 * @param {any} move
 */
function playable(position, moves, move) {
  const full = named(position, moves, move);
  const isCastling = full.name.startsWith("O-O");
  const king = kingTarget(move);
  // Where the king may also make a move of its own to that square, only its rook stands for castling.
  const isFree = isCastling && !moves.some((other) => other.from === move.from && other.to === king && other !== move);
  const dots = position.turn === "w" ? "." : "...";
  return {
    uci: uciOf(position, full), san: full.name, text: `${position.number}${dots} ${full.name}`, spoken: spoken(full.name),
    from: squareName(move.from), to: [...(isFree ? [squareName(king)] : []), ...(isCastling && king === move.to ? [] : [squareName(move.to)])],
    promotion: /=(.)/.exec(full.name)?.[1].toLowerCase() ?? null, move: full,
  };
}

/** The move of these that a text in coordinates means; castling may be written both ways. */
const meant = (moves, uci) => moves.find((move) => move.uci === uci) ??
  moves.find((move) => move.san.startsWith("O-O") && move.to.some((square) => move.from + square === uci));

/**
 * The position after some moves, as the rules behind the server answer it; only the end of a game is told less well.
 * @param {{ fen: string | null, moves: string[] }} line
 */
export function localPosition({ fen, moves }) {
  let position = readFen(fen ?? START, false);
  position.isCheck = isInCheck(position.pieces, position.turn === "w");
  for (const uci of moves) {
    const legal = legalMoves(position);
    const move = uci === PASS ? { from: 0, to: 0, name: "--" } : meant(legal.map((each) => playable(position, legal, each)), uci)?.move;
    if (!move) throw new Error(`${uci} is not a legal move`);
    position = play(position, move);
  }
  return answer(position);
}

/**
 * After how many moves of a line a position is there for the first time, however it came about; -1 if it never is.
 * @param {{ fen: string | null, moves: string[] }} line
 * @param {string} fen of the position
 */
export function plyOf({ fen: start, moves }, fen) {
  const known = (/** @type {any} */ position) => fenOf(position).split(" ").slice(0, 4).join(" ");
  const sought = known(readFen(fen, false));
  let position = readFen(start ?? START, false);
  for (let ply = 0; ; ply++) {
    if (known(position) === sought) return ply;
    if (ply === moves.length) return -1;
    const uci = moves[ply];
    const legal = legalMoves(position);
    const isCastlingTo = (/** @type {any} */ move) => move.name.startsWith("O-O") && squareName(move.from) + squareName(kingTarget(move)) === uci;
    const move = uci === PASS ? { from: 0, to: 0, name: "--" } : legal.find((each) => uciOf(position, each) === uci) ?? legal.find(isCastlingTo);
    if (!move) return -1;
    position = play(position, move);
  }
}

/** What the rules behind the server answer for a position. @param {any} position */
export function answer(position) {
  const legal = legalMoves(position);
  const turn = position.turn === "w" ? "white" : "black";
  const isMate = legal.length === 0 && position.isCheck;
  const mated = { result: turn === "white" ? "0-1" : "1-0", reason: turn === "white" ? "Black mates" : "White mates" };
  const end = legal.length > 0 ? null : isMate ? mated : { result: "1/2-1/2", reason: "draw by stalemate" };
  const last = lastSquares(position).map(squareName);
  return {
    fen: fenOf(position), turn, check: position.isCheck, chess960: false,
    moves: legal.map((move) => playable(position, legal, move)), end, claim: null, pieces: described(position),
    last: last.length ? last : null,
  };
}

/**
 * Lines of moves in coordinates, as the rules behind the server answer them: as far as their moves are legal.
 * @param {any} start
 * @param {string[][]} lines
 */
export function localLines(start, lines) {
  return lines.map((words) => {
    const moves = [];
    let position = start;
    for (const uci of words.slice(0, MAX_MOVES)) {
      const legal = legalMoves(position);
      const found = legal.find((move) => uciOf(position, move) === uci);
      if (!found) break;
      const move = named(position, legal, found);
      const isNumbered = position.turn === "w" || moves.length === 0;
      const text = isNumbered ? `${position.number}${position.turn === "w" ? "." : "..."} ${move.name}` : move.name;
      moves.push({ uci, san: move.name, text, from: squareName(move.from), to: squareName(arrival(move)), spoken: spoken(move.name), move });
      position = play(position, move);
    }
    return { moves };
  });
}
