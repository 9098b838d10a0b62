// Positions, and what moves do to them (see data.rs for how they are written).

/** The sign of each square, from a1 by ranks. */
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** "e4" for 28. */
export const squareName = (square) => "abcdefgh"[square % 8] + (Math.floor(square / 8) + 1);

export const isWhite = (piece) => piece === piece.toUpperCase();

/** A position of a FEN: the pieces by square, whose turn it is, whether he is in check, the squares of the rooks that may
 * castle, the square behind a pawn that has just made two steps, half-moves without a capture or a pawn's move, and the number
 * of the move. */
export function readFen(fen, isCheck) {
  const [placement, turn, rights = "-", passed = "-", clock, number] = fen.split(" ");
  const pieces = new Array(64).fill(null);
  placement.split("/").forEach((rank, row) => {
    let column = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) column += Number(letter);
      else if (PIECES[letter.toLowerCase()] && column < 8 && row < 8) pieces[(7 - row) * 8 + column++] = letter;
    }
  });
  const enPassant = /^[a-h][36]$/.test(passed) ? "abcdefgh".indexOf(passed[0]) + 8 * (passed[1] - 1) : null;
  return {
    pieces, turn: turn === "b" ? "b" : "w", rights: readRights(pieces, rights), enPassant, clock: Number(clock) || 0,
    number: Number(number) || 1, isCheck, move: null,
  };
}

/** The squares of the rooks that may still castle. */
function readRights(pieces, text) {
  return [...text].flatMap((letter) => {
    const rank = letter === letter.toUpperCase() ? 0 : 56;
    const [king, rook] = rank ? ["k", "r"] : ["K", "R"];
    const kingAt = pieces.indexOf(king);
    const rooks = [0, 1, 2, 3, 4, 5, 6, 7].map((column) => rank + column).filter((square) => pieces[square] === rook);
    const square = { K: rooks.at(-1), Q: rooks[0] }[letter.toUpperCase()] ?? rank + "abcdefgh".indexOf(letter.toLowerCase());
    return pieces[square] === rook && kingAt >= rank && kingAt < rank + 8 ? [square] : [];
  });
}

/** Moves of their words: the squares of departure and arrival, and the name. */
export const readMoves = (words) => (words ? words.split(" ") : []).map((word) => ({
  from: SIGNS.indexOf(word[0]),
  to: SIGNS.indexOf(word[1]),
  name: word.slice(2),
}));

/** The position after a move. */
export function play(before, move) {
  const pieces = before.pieces.slice();
  if (move.name.startsWith("O-O")) castle(pieces, move);
  else if (move.from !== move.to) step(pieces, move);
  const isBlack = before.turn === "b";
  const [piece, isPass] = [before.pieces[move.from], move.from === move.to];
  const isPawns = !isPass && piece?.toLowerCase() === "p";
  const isCapture = before.pieces[move.to] && !isPass && !move.name.startsWith("O-O");
  return {
    pieces, turn: isBlack ? "w" : "b", rights: isPass ? before.rights : rightsAfter(before.rights, piece, move),
    enPassant: isPawns && Math.abs(move.to - move.from) === 16 ? (move.from + move.to) / 2 : null,
    clock: isPawns || isCapture ? 0 : before.clock + 1, number: before.number + (isBlack ? 1 : 0),
    isCheck: /[+#]/.test(move.name), move,
  };
}

/** A king's move ends the rights of his side, and a rook's or its capture those of the rook. */
function rightsAfter(rights, piece, { from, to }) {
  const rank = { K: 0, k: 7 }[piece];
  return rights.filter((square) => square !== from && square !== to && Math.floor(square / 8) !== rank);
}

/** The king arrives on his own rook's square in Chess960, else two squares away from where he was. */
export function castle(pieces, { from, to, name }) {
  const isLong = name.startsWith("O-O-O");
  const rank = from - (from % 8);
  const king = pieces[from];
  const rook = king && isWhite(king) ? "R" : "r";
  const rookFrom = rookSquare(pieces, { from, to, name });
  pieces[from] = null;
  pieces[rookFrom] = null;
  pieces[rank + (isLong ? 2 : 6)] = king;
  pieces[rank + (isLong ? 3 : 5)] = rook;
}

/** The square of the rook of a castling, whose move may name it or the king's target. */
export function rookSquare(pieces, { from, to, name }) {
  const rook = pieces[from] === "K" ? "R" : "r";
  return pieces[to] === rook ? to : from - (from % 8) + (name.startsWith("O-O-O") ? 0 : 7);
}

export function step(pieces, { from, to, name }) {
  const piece = pieces[from];
  const isEnPassant = piece?.toLowerCase() === "p" && from % 8 !== to % 8 && !pieces[to];
  if (isEnPassant) pieces[from - (from % 8) + (to % 8)] = null;
  const promoted = /=([QRBN])/.exec(name)?.[1];
  pieces[to] = promoted ? (isWhite(piece) ? promoted : promoted.toLowerCase()) : piece;
  pieces[from] = null;
}

/** The squares to light up after a move, the king's in castling. */
export function lastSquares({ pieces, move }) {
  if (!move || move.from === move.to) return [];
  if (!move.name.startsWith("O-O")) return [move.from, move.to];
  const rank = move.from - (move.from % 8);
  return [move.from, rank + (move.name.startsWith("O-O-O") ? 2 : 6)];
}

/** The square of the king in check, if there is one. */
export function checkedKing({ pieces, turn, isCheck }) {
  const king = pieces.indexOf(turn === "w" ? "K" : "k");
  return isCheck && king >= 0 ? king : null;
}

/** The move before a position, as people write it: "12… Nf6"; `before` is the position before. */
export const numbered = (before, move) => `${before.number}${before.turn === "w" ? "." : "…"}\u00a0${move.name}`;

/** A move as people say it: "knight takes f6, check". */
export function spoken(name) {
  if (name === "--") return "pass";
  const castling = name.startsWith("O-O-O") ? "castles long" : name.startsWith("O-O") ? "castles short" : null;
  const words = castling ?? name.replace(/[+#]/g, "")
    .replace(/^([NBRQK])/, (letter) => PIECES[letter.toLowerCase()] + " ")
    .replace("x", " takes ")
    .replace(/=([NBRQ])/, (_, letter) => " becomes " + PIECES[letter.toLowerCase()]);
  return words + (name.endsWith("#") ? ", checkmate" : name.endsWith("+") ? ", check" : "");
}

/** What stands where, for those who cannot see it. */
export function described({ pieces, turn }) {
  const side = (letters) => [...letters].flatMap((letter) => {
    const squares = pieces.flatMap((piece, square) => (piece === letter ? [squareName(square)] : []));
    return squares.length ? [`${PIECES[letter.toLowerCase()]} ${squares.join(" ")}`] : [];
  }).join(", ");
  return `White: ${side("KQRBNP")}. Black: ${side("kqrbnp")}. ${turn === "w" ? "White" : "Black"} to move.`;
}
