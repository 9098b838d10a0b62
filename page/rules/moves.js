// The rules of chess, for moves of one's own: which are legal, what they are called, and the FEN of a position.
import { castle, isWhite, play, rookSquare, squareName, step } from "./position.js";

const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const STEPS = {
  n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  b: DIAGONAL,
  r: STRAIGHT,
  q: [...STRAIGHT, ...DIAGONAL],
  k: [...STRAIGHT, ...DIAGONAL],
};
const SLIDES = "brq";

/** The square so many columns and rows away; none off the board. */
function shifted(square, [columns, rows]) {
  const [column, row] = [(square % 8) + columns, Math.floor(square / 8) + rows];
  return column >= 0 && column < 8 && row >= 0 && row < 8 ? row * 8 + column : null;
}

/** The squares that a piece other than a pawn sees; the last in a direction may have a piece of either side. */
function seen(pieces, square, kind) {
  const squares = [];
  for (const direction of STEPS[kind]) {
    let at = shifted(square, direction);
    while (at !== null) {
      squares.push(at);
      if (pieces[at] || !SLIDES.includes(kind)) break;
      at = shifted(at, direction);
    }
  }
  return squares;
}

/** Whether a side attacks a square. */
function isAttacked(pieces, square, byWhite) {
  const has = (at, kind) => at !== null && pieces[at] === (byWhite ? kind.toUpperCase() : kind);
  const back = byWhite ? -1 : 1;
  if ([-1, 1].some((column) => has(shifted(square, [column, back]), "p"))) return true;
  return Object.keys(STEPS).some((kind) => seen(pieces, square, kind).some((at) => has(at, kind)));
}

/** Whether the king of a side is attacked. */
export function isInCheck(pieces, ofWhite) {
  const king = pieces.indexOf(ofWhite ? "K" : "k");
  return king >= 0 && isAttacked(pieces, king, !ofWhite);
}

/** All legal moves. Castling is the king taking his rook. The names are as far as the board needs them: `named` completes one. */
export function legalMoves(position) {
  const { pieces, turn } = position;
  const isWhites = turn === "w";
  const moves = [];
  pieces.forEach((piece, from) => {
    if (!piece || isWhite(piece) !== isWhites) return;
    const kind = piece.toLowerCase();
    if (kind === "p") moves.push(...pawnMoves(position, from));
    else {
      const targets = seen(pieces, from, kind).filter((to) => !pieces[to] || isWhite(pieces[to]) !== isWhites);
      moves.push(...targets.map((to) => ({ from, to, name: kind.toUpperCase() })));
    }
  });
  const leavesNoCheck = (move) => {
    const after = pieces.slice();
    step(after, move);
    return !isInCheck(after, isWhites);
  };
  return [...moves.filter(leavesNoCheck), ...castlings(position)];
}

function pawnMoves({ pieces, turn, enPassant }, from) {
  const isWhites = turn === "w";
  const ahead = isWhites ? 1 : -1;
  const targets = [];
  const one = shifted(from, [0, ahead]);
  if (one !== null && !pieces[one]) {
    targets.push(one);
    const two = shifted(from, [0, 2 * ahead]);
    if (Math.floor(from / 8) === (isWhites ? 1 : 6) && !pieces[two]) targets.push(two);
  }
  for (const column of [-1, 1]) {
    const to = shifted(from, [column, ahead]);
    const isCapture = to !== null && (pieces[to] ? isWhite(pieces[to]) !== isWhites : to === enPassant);
    if (isCapture) targets.push(to);
  }
  return targets.flatMap((to) => {
    const promotions = to >= 56 || to < 8 ? ["=Q", "=R", "=B", "=N"] : [""];
    return promotions.map((promotion) => ({ from, to, name: promotion }));
  });
}

/** Between king and rook and where they go nothing else stands, and no square on the king's way is attacked. */
function castlings({ pieces, turn, rights }) {
  const isWhites = turn === "w";
  const king = pieces.indexOf(isWhites ? "K" : "k");
  const rank = isWhites ? 0 : 56;
  const between = (one, other) => Array.from({ length: Math.abs(one - other) + 1 }, (_, at) => Math.min(one, other) + at);
  return rights.filter((rook) => rook >= rank && rook < rank + 8).flatMap((rook) => {
    const isShort = rook > king;
    const [kingTo, rookTo] = isShort ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
    const others = pieces.slice();
    others[king] = others[rook] = null;
    const isFree = [...between(king, kingTo), ...between(rook, rookTo)].every((square) => !others[square]);
    const kingless = pieces.slice();
    kingless[king] = null;
    if (!isFree || between(king, kingTo).some((square) => isAttacked(kingless, square, !isWhites))) return [];
    const move = { from: king, to: rook, name: isShort ? "O-O" : "O-O-O" };
    const after = pieces.slice();
    castle(after, move);
    return isInCheck(after, isWhites) ? [] : [move];
  });
}

/** A legal move with its name in Standard Algebraic Notation; `moves` are all legal ones. */
export function named(position, moves, move) {
  const name = plainName(position, moves, move);
  const after = play(position, { ...move, name });
  if (!isInCheck(after.pieces, after.turn === "w")) return { ...move, name };
  return { ...move, name: name + (legalMoves(after).length ? "+" : "#") };
}

function plainName({ pieces }, moves, { from, to, name }) {
  if (name.startsWith("O-O")) return name;
  const kind = pieces[from].toUpperCase();
  const [file, rank] = squareName(from);
  const isCapture = pieces[to] || (kind === "P" && from % 8 !== to % 8);
  const target = (isCapture ? "x" : "") + squareName(to);
  if (kind === "P") return (isCapture ? file : "") + target + name;
  const rivals = moves.filter((other) => other.to === to && other.from !== from && other.name === name)
    .map((other) => squareName(other.from));
  let origin = "";
  if (rivals.length) {
    if (!rivals.some((square) => square[0] === file)) origin = file;
    else origin = rivals.some((square) => square[1] === rank) ? file + rank : rank;
  }
  return kind + origin + target;
}

/** Where a castling king arrives. */
export const kingTarget = ({ from, name }) => from - (from % 8) + (name.startsWith("O-O-O") ? 2 : 6);

/** The legal moves from a square that one means by pointing at another: for castling the king's target or the rook. */
export function movesTo(moves, from, to) {
  const mine = moves.filter((move) => move.from === from);
  const exact = mine.filter((move) => move.to === to);
  return exact.length ? exact : mine.filter((move) => move.name.startsWith("O-O") && kingTarget(move) === to);
}

/** The legal move that a text means, "Nf3", "e2e4", "0-0" or "exd8=N", if it is just one. */
export function typedMove(position, text) {
  const moves = legalMoves(position);
  const plain = (name) => name.trim().replace(/0/g, "O").replace(/[^A-Za-z1-8]/g, "");
  const spellings = moves.map((move) => {
    const { name } = named(position, moves, move);
    const squares = squareName(move.from) + squareName(move.to);
    const castled = name.startsWith("O-O") ? [squareName(move.from) + squareName(kingTarget(move))] : [];
    const promoted = /=(.)/.exec(name)?.[1] ?? "";
    return [plain(name), squares + promoted, squares + promoted.toLowerCase(), ...castled];
  });
  const find = (change) => moves.filter((_, index) => spellings[index].some((word) => change(word) === change(plain(text))));
  for (const change of [(word) => word, (word) => word.toLowerCase()]) {
    const found = find(change);
    if (found.length === 1) return named(position, moves, found[0]);
  }
  return null;
}

/** The position as FEN, castling rights as X-FEN has them, en passant only where it can be captured. */
export function fenOf(position) {
  const { pieces, turn, number, clock, enPassant } = position;
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => pieces.slice(8 * rank, 8 * rank + 8).map((piece) => piece ?? "1").join("")
    .replace(/1+/g, (empty) => empty.length));
  const isCapturable = enPassant !== null && legalMoves(position)
    .some((move) => move.to === enPassant && pieces[move.from].toLowerCase() === "p");
  return [ranks.join("/"), turn, rightsText(position) || "-", isCapturable ? squareName(enPassant) : "-", clock, number].join(" ");
}

/** A letter for a side is enough where its rook is the outermost. */
function rightsText({ pieces, rights }) {
  return [0, 56].flatMap((rank) => {
    const [king, rook] = rank ? ["k", "r"] : ["K", "R"];
    const kingAt = pieces.indexOf(king);
    const mine = rights.filter((square) => square >= rank && square < rank + 8).sort((one, other) => other - one);
    return mine.map((square) => {
      const isShort = square > kingAt;
      const beyond = isShort ? pieces.slice(square + 1, rank + 8) : pieces.slice(rank, square);
      const letter = beyond.includes(rook) ? squareName(square)[0] : isShort ? "k" : "q";
      return rank ? letter : letter.toUpperCase();
    });
  }).join("");
}

/** A move as UCI writes it where castling is the king taking his rook. */
export function uciOf({ pieces }, move) {
  const to = move.name.startsWith("O-O") ? rookSquare(pieces, move) : move.to;
  return squareName(move.from) + squareName(to) + (/=(.)/.exec(move.name)?.[1].toLowerCase() ?? "");
}
