//! For each kind of reason, moves of which it is said and moves of which it is not.

use movegen::{Board, CastlingStyle, Color};
use pgn::EngineScore;

use super::{Fault, reasons};
use crate::model::ReasonKind::{self, *};
use crate::model::{About, Analysis, End, Line, Reason, Source, Wdl};

/// What a search may have told of a position: one line, and for the side to move these points.
fn analysis(board: &Board, sans: &str, points: f64) -> Analysis {
    let mut at = *board;
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    for word in sans.split_whitespace() {
        let mv = at.parse_san(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        san.push(at.san(mv));
        uci.push(mv.uci(CastlingStyle::Standard).to_string());
        at.play(mv, &mut ());
    }
    let white = if board.turn() == Color::White { points } else { 1.0 - points };
    let sign = if board.turn() == Color::White { 1 } else { -1 };
    let moves = i32::try_from(san.len().div_ceil(2)).unwrap();
    let score = match san.last() {
        Some(last) if last.ends_with('#') && san.len() % 2 == 1 => EngineScore::Mate(sign * moves),
        Some(last) if last.ends_with('#') => EngineScore::Mate(-sign * moves),
        _ if (points - 0.5).abs() < 1e-9 => EngineScore::Centipawns(0),
        _ => EngineScore::Centipawns((400.0 * (white - 0.5)) as i32),
    };
    let lines = if san.is_empty() { Vec::new() } else { vec![Line { score, white, san, uci }] };
    let wdl = Wdl { win: 0, draw: 1000, loss: 0 };
    Analysis { by: Source::Search, score, white, wdl, depth: 12, seldepth: 20, nodes: 1, lines }
}

/// The reasons why a move is bad, by the best line before it and the one after it; points are the mover's before and after.
fn said(fen: &str, played: &str, best: &str, reply: &str, points: [f64; 2], end: Option<End>) -> Vec<Reason> {
    let board = Board::from_fen(fen).unwrap();
    let mv = board.parse_san(played).unwrap();
    let after = board.after(mv);
    let (before, now) = (analysis(&board, best, points[0]), analysis(&after, reply, 1.0 - points[1]));
    reasons(&Fault { board: &board, mv, before: &before, after: &now, end, style: CastlingStyle::Standard })
}

fn kinds(fen: &str, played: &str, best: &str, reply: &str) -> Vec<ReasonKind> {
    said(fen, played, best, reply, [0.9, 0.4], None).into_iter().map(|reason| reason.kind).collect()
}

#[test]
fn material_is_explained() {
    let cases: [(ReasonKind, &str, &str, &str, &str); 16] = [
        (HangingPiece, "4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "Ne5", "Kd2", "dxe5 Kd2"),
        (HangingPiece, "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Kd2", "Rxd5 Ke7", "Nf6 Kc3"),
        (BadExchange, "3rk3/8/2n5/8/3P4/1N3N2/8/4K3 w - - 0 1", "Nh4", "Kf2", "Nxd4 Nxd4 Rxd4"),
        (Fork, "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Kd2", "Nc7+ Kd7 Nxa8", "Ra5 Nc3"),
        (Fork, "4k3/8/8/8/6n1/8/3K4/7R w - - 0 1", "Kd1", "Ke2", "Nf2+ Ke2 Nxh1"),
        (Skewer, "3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Kg2", "Rd1+ Ke6 Rxd8", "Qg5+ Kf1"),
        (Pin, "3k4/8/2p5/3n4/8/8/4P3/3R2K1 w - - 0 1", "Kg2", "e4 Kc7 exd5 cxd5 Rxd5", "Ke7 Kf3"),
        (Pin, "4k3/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1", "Kg2", "Rxd5 Kf8", "Kf7 Kf3"),
        (DiscoveredAttack, "3q4/8/7k/8/3N4/8/8/3R2K1 w - - 0 1", "Kg2", "Nf5+ Kg5 Rxd8", "Kg7 Kf3"),
        (DoubleCheck, "4k1q1/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Kb1", "Nf6+ Kf7 Nxg8 Kxg8", "Kd7 Kc1"),
        (RemovedDefender, "4k3/6p1/5n2/3b2B1/8/8/8/3R2K1 w - - 0 1", "Kf2", "Bxf6 gxf6 Rxd5", "Be6 Bxf6 gxf6"),
        (Deflection, "3qk3/8/5P2/8/2B5/8/8/3Q2K1 w - - 0 1", "Kf2", "Bf7+ Kxf7 Qxd8", "Qxd1 Kg3"),
        (TrappedPiece, "4k3/8/8/8/7n/3B4/4P1P1/6K1 w - - 0 1", "Kf2", "g3 Ng6 Bxg6+", "Ng6 Kf3"),
        (Promotion, "8/P4r1k/8/8/8/8/8/K7 w - - 0 1", "Kb2", "a8=Q Kg7", "Rxa7 Kb3"),
        (ThreatIgnored, "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1", "Kd2", "Nc3", "dxe4 Ke3"),
        (HangingPiece, "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1", "Kd2", "Nc3", "dxe4 Ke3"),
    ];
    let mut wrong = Vec::new();
    for (kind, fen, played, best, reply) in cases {
        let found = said(fen, played, best, reply, [0.9, 0.4], None);
        if !found.iter().any(|reason| reason.kind == kind) {
            let texts: Vec<_> = found.iter().map(|reason| &reason.text[..]).collect();
            wrong.push(format!("{kind:?} is not said of {played} in {fen}, but {texts:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_said_that_the_line_does_not_show() {
    let cases: [(ReasonKind, &str, &str, &str, &str); 16] = [
        // The knight is guarded, or goes where it is.
        (HangingPiece, "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "Kd2", "Ke2 Ke7", "Ke7 Ke2"),
        (HangingPiece, "4k3/8/3p4/8/3P4/5N2/8/4K3 w - - 0 1", "Ne5", "Kd2", "dxe5 dxe5"),
        // As much is taken as is lost.
        (BadExchange, "3rk3/8/2n5/8/3P4/1N3N2/8/4K3 w - - 0 1", "Kf2", "Kf1", "Nxd4 Nfxd4 Rxd4 Nxd4"),
        // The queen takes the forking knight.
        (Fork, "r2qk3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Ke2", "Nc7+ Qxc7", "Qd7 Nc3"),
        // One target alone.
        (Fork, "r6k/8/8/1N6/8/8/8/4K3 w - - 0 1", "Kd2", "Nc7 Kg7 Nxa8", "Ra5 Nc3"),
        // The piece in front takes.
        (Skewer, "3k4/8/8/3q4/8/8/8/R5K1 w - - 0 1", "Kf1", "Rd1 Qxd1+", "Qd3+ Kg1"),
        // The piece behind is not taken.
        (Skewer, "3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Kg2", "Rd1+ Ke6 Re1+ Kf7", "Qg5+ Kf1"),
        // The knight goes away with its king not behind it.
        (Pin, "2k5/8/2p5/3n4/8/8/4P3/3R2K1 w - - 0 1", "Kg2", "e4 Nf6 e5 Nd5", "Kc7 Kf3"),
        // The rook does not stand behind the knight.
        (DiscoveredAttack, "3q4/8/7k/8/3N4/8/8/2R3K1 w - - 0 1", "Kg2", "Nf5+ Kg6 Ng3 Qd5+", "Kg7 Kf3"),
        (DoubleCheck, "4k1q1/8/8/8/4N3/8/8/K2R4 w - - 0 1", "Kb1", "Nf6+ Kf7 Nxg8 Kxg8", "Kf8 Kc1"),
        // Another piece guards, too.
        (RemovedDefender, "4k3/6p1/2p2n2/3b2B1/8/8/8/3R2K1 w - - 0 1", "Kf2", "Bxf6 gxf6 Kf2 Kf7", "Be6 Bxf6 gxf6"),
        // The king need not take.
        (Deflection, "3qk3/8/8/8/2B5/8/8/3Q2K1 w - - 0 1", "Kf2", "Bf7+ Kxf7 Qxd8", "Qxd1 Kg3"),
        // There is a way out.
        (TrappedPiece, "4k3/8/8/8/7n/8/4P1P1/6K1 w - - 0 1", "Kf2", "g3 Ng6 Kf2", "Ng6 Kf3"),
        // It can promote a move later as well.
        (Promotion, "8/P6k/8/8/8/8/8/K7 w - - 0 1", "Kb2", "a8=Q Kg7", "Kg7 a8=Q"),
        // The pawn is there only now.
        (ThreatIgnored, "4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "Ne5", "Kd2", "dxe5 Kd2"),
        // The best move loses the knight, too.
        (HangingPiece, "4k3/8/8/3p4/2K1N1p1/8/8/8 w - - 0 1", "Kb3", "Kb4 dxe4", "dxe4 Kc3"),
    ];
    // Another reply would have kept the rook.
    assert!(kinds("4k3/8/8/r7/8/8/3R4/4K3 w - - 0 1", "Kf2", "Re2+ Kd7 Rd2+ Rd5 Rxd5+ Kc6", "Rf5+ Kg3").is_empty());
    let mut wrong = Vec::new();
    for (kind, fen, played, best, reply) in cases {
        if kinds(fen, played, best, reply).contains(&kind) {
            wrong.push(format!("{kind:?} is said of {played} in {fen}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn games_that_end_are_explained() {
    let back = "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1";
    assert_eq!(kinds(back, "Rd7", "h3", "Ra1+ Rd1 Rxd1#")[0], BackRankMate);
    assert_eq!(kinds(back, "f3", "h3", "Ra1 Rxa1").iter().filter(|&&kind| kind == BackRankMate).count(), 0);
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(kinds(fool, "g4", "e4", "Qh4#"), [Mate]);
    let text = said(fool, "g4", "e4", "Qh4#", [0.45, 0.0], None)[0].text.clone();
    assert_eq!(text, "Allows mate in 1: Qh4#.");
    let queen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    let found = said(queen, "Qg6", "Qg7#", "", [1.0, 0.5], Some(End::Stalemate));
    assert_eq!(found.iter().map(|reason| reason.kind).collect::<Vec<_>>(), [Mate, Stalemate]);
    assert_eq!(found[1].text, "Stalemate: Black has no legal move.");
    let checks = "5rk1/5ppp/8/8/4Q3/8/5q2/7K w - - 0 1";
    let found = said(checks, "Qh4", "Qe5 Qf1+", "Qf1+ Kh2 Qf2+ Kh1 Qf1+", [0.9, 0.5], None);
    assert!(found.iter().any(|reason| reason.kind == Perpetual), "{found:?}");
    let found = said(checks, "Qh4", "Qe5 Qf1+", "Qf1+ Kh2 Qf2+ Kh1 Qf1+", [0.5, 0.5], None);
    assert!(found.iter().all(|reason| reason.kind != Perpetual), "there was no win to lose");
    let corner = "k7/8/1K6/P7/3B4/8/1b6/8 w - - 0 1";
    let found = said(corner, "Bxb2", "Be5", "Kb8 a6 Ka8", [0.9, 0.5], None);
    assert!(found.iter().any(|reason| reason.kind == WrongBishop), "{found:?}");
    let bare = "8/8/8/3k4/3p4/3K4/8/6N1 w - - 0 1";
    let found = said(bare, "Ne2", "Nf3", "Kc5", [0.9, 0.5], Some(End::DeadPosition));
    assert_eq!(found[0].kind, DeadPosition);
}

#[test]
fn draws_that_were_there_are_missed() {
    let (checks, perpetual) = ("5rk1/5ppp/8/8/4Q3/8/5q2/7K b - - 0 1", "Qf1+ Kh2 Qf2+ Kh1 Qf1+");
    let missed = |points| {
        let found = said(checks, "Re8", perpetual, "Qxe8#", points, None);
        found.into_iter().find(|reason| reason.kind == Perpetual && reason.about == About::Missed)
    };
    let text = missed([0.5, 0.0]).map(|reason| reason.text);
    assert_eq!(text.as_deref(), Some("Misses perpetual check: Qf1+ Kh2 Qf2+ Kh1."));
    assert!(missed([0.5, 0.4]).is_none(), "it may still be drawn");
    assert!(missed([0.9, 0.0]).is_none(), "it was won");
    let trap = "7k/5q2/8/8/8/8/6Q1/7K b - - 0 1";
    let found = said(trap, "Kh7", "Qf1+ Qxf1", "Qg5", [0.5, 0.0], None);
    assert!(found.iter().all(|reason| reason.kind != Stalemate), "the king can move: {found:?}");
    let found = said("7k/8/6KP/8/4Q3/8/8/5q2 b - - 0 1", "Qg2+", "Qf7+ Kxf7", "Qxg2", [0.5, 0.0], None);
    let text = found.into_iter().find(|reason| reason.kind == Stalemate).map(|reason| reason.text);
    assert_eq!(text.as_deref(), Some("Misses a stalemate: Qf7+ Kxf7."));
}

#[test]
fn threats_are_what_a_pass_would_cost() {
    let said = |fen, played, best, reply| {
        let found = said(fen, played, best, reply, [0.6, 0.4], None);
        let mut threats = found.into_iter().filter(|reason| reason.kind == Threat);
        threats.next().map(|reason| reason.text)
    };
    let corner = "6k1/1b3ppp/3q4/8/8/8/5PPP/R5K1 w - - 0 1";
    assert_eq!(said(corner, "h3", "Rc1 Bd5", "Qc6 f3").as_deref(), Some("Allows Qc6, which threatens mate: Qxg2#."));
    let rook = "4k3/8/8/8/3n4/8/8/R5K1 w - - 0 1";
    assert_eq!(
        said(rook, "Kg2", "Rd1 Nc2", "Nc2 Rc1").as_deref(),
        Some("Allows Nc2, which threatens to win a rook: Nxa1.")
    );
    let knight = "r6k/8/8/3N4/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        said(knight, "Kd2", "Nc7 Ra4", "Ra5 Nc3").as_deref(),
        Some("Misses Nc7, which threatens to win a rook: Nxa8.")
    );
    let king = "rnbqkbnr/pppp1ppp/4p3/8/7P/8/PPPPPPP1/RNBQKBNR w KQkq - 0 2";
    let mate = "Allows Be7, which threatens mate: Bxh4+ Rxh4 Qxh4+ g3 Qxg3#.";
    assert_eq!(said(king, "f4", "b3", "Be7 Nf3").as_deref(), Some(mate));
    // The same reply threatens as much after the best move, or what it attacks is not worth more than it.
    assert!(said(rook, "Kg2", "Kh2 Nc2", "Nc2 Rc1").is_none());
    assert!(said("4k3/8/8/8/3n4/8/8/R2B2K1 w - - 0 1", "Kg2", "Bg4 Nc2", "Nb3 Bxb3").is_none());
    // In the middle of an exchange the capture is not the threat.
    assert!(said("6k1/8/3p4/2b5/8/2B5/5P2/r2R2K1 w - - 0 1", "Kg2", "Rxa1 d5", "Rxd1 Bb4").is_none());
    // The move played threatens it, too.
    assert!(said(knight, "Nb6", "Nc7 Ra4", "Ra5 Nc4").is_none());
    // It could be taken at once, or comes with check.
    assert!(said("r6k/2N5/8/8/8/8/8/4K3 w - - 0 1", "Kd2", "Nd5 Ra5", "Ra5 Ke2").is_none());
    assert!(said("4k3/8/8/3b4/8/8/8/R3K3 w - - 0 1", "Kd1", "Kf2 Be4", "Bf3+ Kc1").is_none());
}

#[test]
fn a_threat_is_whole() {
    let found = said("4k3/8/8/8/3n4/8/8/R5K1 w - - 0 1", "Kg2", "Rd1 Nc2", "Nc2 Rc1", [0.6, 0.4], None);
    let threat = &found[0];
    assert_eq!((threat.kind, threat.about, threat.material, threat.mate), (Threat, About::Allowed, 5, None));
    assert_eq!(
        (&threat.line[..], threat.uci.join(" ")),
        (&["Nc2", "--", "Nxa1"].map(str::to_owned)[..], "d4c2 0000 c2a1".into())
    );
    assert_eq!((threat.squares.join(" "), threat.arrows.join(" ")), ("c2 c2 a1".into(), "d4c2 c2a1".into()));
    assert!(!threat.forced && threat.weight < 0.41, "{threat:?}");
}

#[test]
fn each_reason_is_whole() {
    let found = said("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Kd2", "Nc7+ Kd7 Nxa8", "Ra5 Nc3", [0.9, 0.4], None);
    let [fork] = &found[..] else { panic!("{found:?}") };
    assert_eq!(fork.text, "Misses the win of a rook: Nc7+ forks the rook on a8 and the king on e8.");
    assert_eq!((fork.material, fork.mate, fork.forced), (5, None, true));
    assert_eq!(fork.line, ["Nc7+", "Kd7", "Nxa8"]);
    assert_eq!(fork.uci, ["b5c7", "e8d7", "c7a8"]);
    assert_eq!((&fork.squares[0][..], &fork.arrows[0][..]), ("c7", "b5c7"));
    assert!((0.0..=1.0).contains(&fork.weight));
}

/// Reports and the board have all words in German, too.
#[test]
fn every_kind_has_german_words() {
    let source = include_str!("../model/review.rs");
    let kinds = source.split_once("pub enum ReasonKind {").and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
    let kinds: Vec<_> = kinds.lines().filter_map(|line| line.trim().strip_suffix(',')).collect();
    assert!(kinds.contains(&"Mate") && kinds.contains(&"WrongBishop"), "{kinds:?}");
    for kind in kinds.into_iter().filter(|kind| !kind.starts_with('/')) {
        let kind: ReasonKind = serde_json::from_value(snake_case(kind).into()).unwrap();
        let name = serde_json::to_string(&kind).unwrap();
        assert!(page::text("texts/reasons.js").contains(&name), "page/texts/reasons.js has no German words for {name}");
    }
}

fn snake_case(name: &str) -> String {
    let parts = name.char_indices().map(|(place, letter)| {
        let before = if place > 0 && letter.is_uppercase() { "_" } else { "" };
        format!("{before}{}", letter.to_ascii_lowercase())
    });
    parts.collect()
}
