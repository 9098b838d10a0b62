//! What the benchmarks in `benches/` share.

/// Positions in all phases of the game. Source: the Chess Programming Wiki, "Perft Results" and "Bratko-Kopec Test".
pub const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
];

/// Games of Lichess without their comments, and without the numbers before Black's moves that they make necessary.
#[must_use]
pub fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (index, part) in text.split(" {").enumerate() {
        plain.push_str(if index == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) });
    }
    let is_blacks = |word: &str| word.ends_with("...") && word.as_bytes()[0].is_ascii_digit();
    let lines = plain.lines().map(|line| line.split(' ').filter(|word| !is_blacks(word)).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n") + "\n\n"
}
