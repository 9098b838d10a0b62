// Why a move was bad, in German: sentences made of facts, beside those that the program says in English.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sentence } from "../../page/texts/reasons.js";
import "../../page/texts/languages.js";
import { choose } from "../../page/texts/words.js";

after(() => choose("en"));

const reason = (more) => ({ about: "allowed", squares: [], arrows: [], line: [], uci: [], material: 0, mate: null, forced: true, text: "In English.", ...more });
/** The sentence in German; `fen` is the position before the bad move, `played` that move. */
function german(fen, played, more) {
  choose("de");
  const { text, lang } = sentence(reason(more), { fen, played });
  assert.equal(lang, "de", text);
  return text;
}

const MATE = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";

test("mates, threats and draws", () => {
  const mate = { kind: "mate", mate: 1, squares: ["h4", "e1"], line: ["Qh4#"], uci: ["d8h4"] };
  assert.equal(german(MATE, "g2g4", mate), "Erlaubt Matt in 1: Dh4#.");
  const back = { kind: "back_rank_mate", mate: 2, about: "missed", line: ["Re8+", "Rxe8", "Rxe8#"], uci: ["e2e8", "d8e8", "e1e8"] };
  assert.equal(german("3r2k1/5ppp/p7/8/8/8/4RPPP/4R1K1 w - - 0 1", "h2h3", back), "Verpasst Matt in 2 auf der Grundreihe: Te8+ Txe8 Txe8#.");
  assert.equal(german(MATE, "g2g4", { kind: "threat_ignored", line: ["Qh4"] }), "Begegnet der Drohung Dh4 nicht.");
  assert.equal(german("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", { kind: "stalemate", squares: ["h8"] }), "Patt: Schwarz hat keinen Zug.");
  assert.equal(german(MATE, "g2g4", { kind: "dead_position" }), "Keine Seite kann mehr durch irgendeine Zugfolge matt setzen.");
  assert.equal(german(MATE, "g2g4", { kind: "dead_position", line: ["Qh4+"], uci: ["d8h4"] }), "Erlaubt eine Stellung, in der keine Seite matt setzen kann: Dh4+.");
  assert.equal(german(MATE, "g2g4", { kind: "perpetual", line: ["Qh4+"] }), "Erlaubt Dauerschach: Dh4+.");
  assert.equal(german(MATE, "g2g4", { kind: "perpetual", about: "missed", line: ["Qh4+"] }), "Verpasst Dauerschach: Dh4+.");
  const queen = { kind: "threat", squares: ["h5", "h5", "f7"], line: ["Qh5", "--", "Qxf7#"], uci: ["d1h5", "0000", "h5f7"] };
  const scholar = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 0 1";
  assert.equal(german(scholar, "a7a6", queen), "Erlaubt Dh5 mit der Drohung, matt zu setzen: Dxf7#.");
  const knight = { kind: "threat", about: "missed", squares: ["e5", "e5", "f7"], line: ["Ne5", "--", "Nxf7"], uci: ["f3e5", "0000", "e5f7"], material: 1 };
  assert.equal(german("7k/5p2/8/8/8/5N2/8/7K w - - 0 1", "h1h2", knight), "Verpasst Se5 mit der Drohung, einen Bauern zu gewinnen: Sxf7.");
  assert.match(german(MATE, "g2g4", { kind: "wrong_bishop", squares: ["h8", "g7"] }), /^Der Läufer beherrscht h8 nicht/);
  assert.match(german(MATE, "g2g4", { kind: "wrong_bishop", about: "missed", squares: ["h8", "g7"] }), /^Verpasst ein Remis\. Der Läufer beherrscht h8 nicht/);
});

test("what is won, by the pieces, and how", () => {
  const fork = { kind: "fork", squares: ["c7", "e8", "a8"], line: ["Nc7+", "Kd8", "Nxa8"], uci: ["b5c7", "e8d8", "c7a8"], material: 5 };
  const fen = "r3k3/7p/8/1N6/8/8/7P/4K3 b - - 0 1";
  assert.equal(german(fen, "h7h6", fork), "Verliert einen Turm: Sc7+ gabelt den König auf e8 und den Turm auf a8.");
  assert.equal(german(fen.replace(" b ", " w "), "h2h3", { ...fork, about: "missed" }), "Verpasst, einen Turm zu gewinnen: Sc7+ gabelt den König auf e8 und den Turm auf a8.");
  assert.match(german(fen, "h7h6", { ...fork, forced: false }), /^Verliert mindestens den Wert von 5 Bauern: /);
  assert.match(german(fen, "h7h6", { ...fork, forced: false, material: 1 }), /^Verliert mindestens einen Bauern: /);
  const hanging = { kind: "hanging_piece", squares: ["d1", "d5"], line: ["Rxd5"], uci: ["d1d5"], material: 9 };
  assert.equal(german("4k3/p7/8/3q4/8/8/8/3RK3 b - - 0 1", "a7a6", hanging), "Verliert eine Dame: Txd5 schlägt die Dame auf d5, die niemand deckt.");
  const exchange = { kind: "bad_exchange", squares: ["c3", "d5"], line: ["Nxd5", "exd5", "Bxd5"], uci: ["c3d5", "e6d5", "b3d5"], material: 2 };
  assert.equal(german("4k3/p7/4p3/3r4/8/1BN5/8/4K3 b - - 0 1", "a7a6", exchange), "Verliert einen Turm und einen Bauern für einen Springer: Sxd5 gewinnt den Abtausch auf d5.");
});

test("every motif of a line", () => {
  const one = (kind, squares, line, uci, fen) => german(fen, "a7a6", { kind, squares, line, uci, material: 3 }).replace(/^[^:]*: /, "");
  assert.equal(one("skewer", ["e1", "e5", "e8"], ["Re1", "Kd5", "Rxe8"], ["d1e1", "e5d5", "e1e8"], "4r3/p7/8/4k3/8/8/8/3R2K1 b - - 0 1"), "Te1 spießt den König auf e5 und den Turm auf e8 auf.");
  assert.equal(one("discovered_attack", ["d1", "d8"], ["Bh7+", "Kxh7", "Rxd8"], ["d3h7", "g8h7", "d1d8"], "3r2k1/p7/8/8/8/3B4/8/3R2K1 b - - 0 1"), "Lh7+ gibt den Angriff auf den Turm auf d8 frei.");
  assert.equal(one("trapped_piece", ["b3", "a2"], ["b3", "Bxb3", "Qxb3"], ["b2b3", "a2b3", "d1b3"], "6k1/p7/8/8/8/8/bP6/3Q2K1 b - - 0 1"), "b3 fängt den Läufer auf a2.");
  assert.equal(one("promotion", ["b7", "b8"], ["b8=Q+"], ["b7b8q"], "6k1/pP6/8/8/8/8/8/6K1 b - - 0 1"), "b8=D+ verwandelt einen Bauern.");
  assert.equal(one("removed_defender", ["c4", "d5", "e3"], ["Bxd5", "Kg7", "Rxe3"], ["c4d5", "g8g7", "e1e3"], "6k1/p7/8/3n4/2B5/4n3/8/4R1K1 b - - 0 1"), "Lxd5 beseitigt den Springer auf d5, der den Springer auf e3 deckt.");
  assert.equal(one("deflection", ["h7", "g8", "d8"], ["Bh7+", "Kxh7", "Rxd8"], ["d3h7", "g8h7", "d1d8"], "3r2k1/p7/8/8/8/3B4/8/3R2K1 b - - 0 1"), "Lh7+ lenkt den König auf g8 von dem Turm auf d8 ab.");
  assert.equal(one("double_check", ["e1", "f6", "e8"], ["Nf6+"], ["e4f6"], "4k3/p7/8/8/4N3/8/8/4R1K1 b - - 0 1"), "Sf6+ ist ein Doppelschach.");
  assert.equal(one("wins_material", ["d1", "d5"], ["Rxd5", "Kg7"], ["d1d5", "g8g7"], "6k1/p7/8/3n4/8/8/8/3R2K1 b - - 0 1"), "Txd5.");
  assert.equal(one("pin", ["a4", "c6", "e8"], ["d5", "a5", "dxc6"], ["d4d5", "a6a5", "d5c6"], "4k3/p7/2n5/8/B2P4/8/8/6K1 b - - 0 1"), "d5 nutzt, dass der Springer auf c6 gefesselt ist.");
  assert.equal(one("pin", ["a4", "c6", "d4"], ["Rxd4"], ["d1d4"], "4k3/p7/2n5/8/B2p4/8/8/3R2K1 b - - 0 1"), "Txd4 schlägt den Bauern auf d4, den der Springer auf c6 wegen einer Fesselung nicht deckt.");
});

test("English stays as the program has it, and stands where there are no words", () => {
  choose("en");
  const mate = reason({ kind: "mate", mate: 1, line: ["Qh4#"] });
  assert.deepEqual(sentence(mate, { fen: MATE, played: "g2g4" }), { text: "In English.", lang: "en" });
  choose("de");
  for (const broken of [{ kind: "new" }, { kind: "fork", squares: ["a5"], line: ["Qh4#"], uci: ["d8h4"] }, { kind: "fork", line: ["x"], uci: ["x"] }]) {
    assert.deepEqual(sentence(reason(broken), { fen: MATE, played: "g2g4" }), { text: "In English.", lang: "en" });
  }
  assert.equal(sentence(mate, { fen: "nothing", played: "x" }).lang, "en");
});
