// Why a move was bad, in the language of the page. The program says it in English; its facts are enough to say it in another.
import { localPosition } from "../rules/local.js";
import { language, local } from "./words.js";

/**
 * A fact, as `Review` tells it, with the line in coordinates; the position before the bad move, and that move.
 * @typedef {import("../model/review.js").Reason} Reason
 * @typedef {{ fen: string, played: string }} Place
 */

/** The most half-moves of a line in a sentence. */
const MAX_WORDS = 7;
const KINDS = "qrbnp";

/** The pieces of a FEN by their squares: letters, great ones for White. @param {string} fen @returns {Map<string, string>} */
function piecesOf(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else pieces.set(`${"abcdefgh"[file++]}${8 - index}`, sign);
    }
  });
  return pieces;
}

/** Articles and names of the pieces in German: accusative, dative, nominative, and how two of them are called. */
const GERMAN = /** @type {Record<string, { den: string, dem: string, der: string, einen: string, many: string }>} */ ({
  q: { den: "die Dame", dem: "der Dame", der: "die Dame", einen: "eine Dame", many: "Damen" },
  r: { den: "den Turm", dem: "dem Turm", der: "der Turm", einen: "einen Turm", many: "Türme" },
  b: { den: "den Läufer", dem: "dem Läufer", der: "der Läufer", einen: "einen Läufer", many: "Läufer" },
  n: { den: "den Springer", dem: "dem Springer", der: "der Springer", einen: "einen Springer", many: "Springer" },
  p: { den: "den Bauern", dem: "dem Bauern", der: "der Bauer", einen: "einen Bauern", many: "Bauern" },
  k: { den: "den König", dem: "dem König", der: "der König", einen: "den König", many: "Könige" },
});
const NUMBERS = ["", "", "zwei", "drei"];
const joined = (/** @type {string[]} */ parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} und ${parts[parts.length - 1]}`);

/** What a side has won between two positions, as the program counts it; nothing if it has won nothing. @param {string} before @param {string} after @param {boolean} isWhite */
function wonInGerman(before, after, isWhite) {
  const lead = (/** @type {string} */ fen, /** @type {string} */ kind) => {
    const all = [...piecesOf(fen).values()];
    const of = (/** @type {string} */ sign) => all.filter((piece) => piece === sign).length;
    return (of(kind.toUpperCase()) - of(kind)) * (isWhite ? 1 : -1);
  };
  const [q, r, b, n, p] = [...KINDS].map((kind) => lead(after, kind) - lead(before, kind));
  // A bishop for a knight is neither won nor lost.
  const equal = b * n < 0 ? Math.min(Math.abs(b), Math.abs(n)) : 0;
  const changes = [q, r, b - Math.sign(b) * equal, n - Math.sign(n) * equal, p];
  if (q === 0 && r === 1 && changes[2] + changes[3] === -1 && p === 0) return "die Qualität";
  const named = (/** @type {number} */ sign) => joined(changes.flatMap((count, index) => {
    if (Math.sign(count) !== sign) return [];
    const { einen, many } = GERMAN[KINDS[index]];
    return [Math.abs(count) === 1 ? einen : `${NUMBERS[Math.abs(count)] ?? Math.abs(count)} ${many}`];
  }));
  const [gained, given] = [named(1), named(-1)];
  return gained && (given ? `${gained} für ${given}` : gained);
}

const atLeast = (/** @type {number} */ pawns) => (pawns < 3 ? `mindestens ${["", "einen", "zwei"][pawns]} Bauern` : `mindestens den Wert von ${pawns} Bauern`);

/** What the first move of a line does. @param {Reason} reason @param {string[]} fens the positions of the line */
function clauseInGerman({ kind, squares, line, uci }, fens) {
  const boards = [fens[1], fens[0], ...fens.slice(2)].map(piecesOf);
  const winner = fens[0].split(" ")[1] === "w";
  const isLosers = (/** @type {string | undefined} */ piece) => piece !== undefined && (piece === piece.toLowerCase()) === winner;
  const piece = (/** @type {string} */ square, /** @type {"den" | "dem" | "der"} */ form) => {
    const found = boards.map((board) => board.get(square)).find(isLosers);
    if (!found) throw new Error(`nothing stands on ${square}`);
    return `${GERMAN[found.toLowerCase()][form]} auf ${square}`;
  };
  const which = (/** @type {string} */ words) => (words.startsWith("die") ? "die" : words.startsWith("den") ? "den" : "der");
  const first = local(line[0]);
  const [one, two, three] = squares;
  if (!first || !two) throw new Error("the fact names no squares");
  switch (kind) {
    case "hanging_piece": return `${first} schlägt ${piece(two, "den")}, ${which(piece(two, "den"))} niemand deckt`;
    case "bad_exchange": return `${first} gewinnt den Abtausch auf ${two}`;
    case "fork": return `${first} gabelt ${joined(squares.slice(1).map((square) => piece(square, "den")))}`;
    case "pin": {
      const isKing = boards.some((board) => board.get(three)?.toLowerCase() === "k");
      if (isKing) return `${first} nutzt, dass ${piece(two, "der")} gefesselt ist`;
      return `${first} schlägt ${piece(three, "den")}, ${which(piece(three, "den"))} ${piece(two, "der")} wegen einer Fesselung nicht deckt`;
    }
    case "skewer": return `${first} spießt ${piece(two, "den")} und ${piece(three, "den")} auf`;
    case "discovered_attack": return `${first} gibt den Angriff auf ${piece(two, "den")} frei`;
    case "double_check": return `${first} ist ein Doppelschach`;
    case "deflection": return `${first} lenkt ${piece(two, "den")} von ${piece(three, "dem")} ab`;
    case "removed_defender": return `${first} beseitigt ${piece(two, "den")}, ${which(piece(two, "der"))} ${piece(three, "den")} deckt`;
    case "trapped_piece": return `${first} fängt ${piece(two, "den")}`;
    case "promotion": return line[0].includes("=") ? `${first} verwandelt einen Bauern` : `${first} führt zur Umwandlung eines Bauern`;
    case "wins_material": {
      const last = uci.findIndex((move) => move.startsWith(one + two));
      return line.slice(0, last < 0 ? MAX_WORDS : last + 1).map(local).join(" ");
    }
    default: throw new Error(`there are no words for ${kind}`);
  }
}

/** @param {Reason} reason @param {Place} place */
function inGerman(reason, { fen, played }) {
  const { kind, about, squares, line, uci, material, mate, forced } = reason;
  const isAllowed = about !== "missed";
  const verb = isAllowed ? "Erlaubt" : "Verpasst";
  const shown = line.slice(0, MAX_WORDS).map(local).join(" ");
  const start = isAllowed ? localPosition({ fen, moves: [played] }) : localPosition({ fen, moves: [] });
  if (kind === "mate" || kind === "back_rank_mate") {
    const where = kind === "mate" ? ` in ${mate}` : `${mate === 1 ? "" : ` in ${mate}`} auf der Grundreihe`;
    return `${verb} Matt${where}: ${shown}${line.length > MAX_WORDS ? " …" : ""}.`;
  }
  if (kind === "threat_ignored") return `Begegnet der Drohung ${local(line[0])} nicht.`;
  if (kind === "dead_position") return line.length === 0 ? "Keine Seite kann mehr durch irgendeine Zugfolge matt setzen." : `${verb} eine Stellung, in der keine Seite matt setzen kann: ${shown}.`;
  if (kind === "perpetual") return `${verb} Dauerschach: ${shown}.`;
  if (kind === "wrong_bishop") return `${isAllowed ? "" : "Verpasst ein Remis. "}Der Läufer beherrscht ${squares[0]} nicht, wo der Bauer sich umwandelt und der König steht.`;
  if (kind === "stalemate") {
    const last = localPosition({ fen: start.fen, moves: uci });
    const side = last.turn === "white" ? "Weiß" : "Schwarz";
    return line.length === 0 ? `Patt: ${side} hat keinen Zug.` : `${verb} ein Patt: ${shown}.`;
  }
  const fens = [start.fen, ...uci.map((_, index) => localPosition({ fen: start.fen, moves: uci.slice(0, index + 1) }).fen)];
  if (kind === "threat") {
    const then = line.slice(2, 2 + MAX_WORDS).map(local).join(" ");
    const what = wonInGerman(fens[2], fens[fens.length - 1], start.turn === "white") || "Material";
    return `${verb} ${local(line[0])} mit der Drohung, ${line[2].endsWith("#") ? "matt zu setzen" : `${what} zu gewinnen`}: ${then}.`;
  }
  const what = forced ? wonInGerman(fen, fens[fens.length - 1], start.turn === "white") || "Material" : atLeast(material);
  const how = clauseInGerman(reason, fens);
  return isAllowed ? `Verliert ${what}: ${how}.` : `Verpasst, ${what} zu gewinnen: ${how}.`;
}

/**
 * A reason as a sentence, and its language: English where that of the page has no words for it.
 * @param {Reason} reason
 * @param {Place} place
 * @returns {{ text: string, lang: string }}
 */
export function sentence(reason, place) {
  if (language() === "de") {
    try {
      return { text: inGerman(reason, place), lang: "de" };
    } catch {
      // A fact of another version, or a line that the rules of this page do not know.
    }
  }
  return { text: reason.text, lang: "en" };
}
