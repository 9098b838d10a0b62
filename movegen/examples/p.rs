//! scratch
use movegen::*;
fn main() {
    for (fen, d, n) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324u64),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194),
    ] {
        let b = Board::from_fen(fen).unwrap();
        let mut best = f64::MAX;
        for _ in 0..3 {
            let t = std::time::Instant::now();
            let c = perft(&b, d);
            assert_eq!(c, n);
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("{:.1} Mnps", n as f64 / best / 1e6);
    }
}
