use std::io;

use movegen::Square;

use super::*;
use crate::running::Running;

fn report(pv: &[Move]) -> Report<'_> {
    Report {
        depth: 12,
        seldepth: 20,
        multi_pv: 1,
        score: Score(-35),
        bound: Bound::Exact,
        nodes: 3_000_000,
        elapsed: Duration::from_micros(1_500_900),
        hashfull: 7,
        tablebase_hits: 0,
        from_tables: false,
        is_dead: false,
        pv,
    }
}

const STYLE: Style = Style { castling: CastlingStyle::Standard, shows_chances: false, in_check: false, material: 78 };

fn announcer(printer: Printer<Vec<u8>>, style: Style) -> Announcer<Vec<u8>> {
    Announcer::new(printer, style, Running::default().begin())
}

fn printed(speak: impl FnOnce(Printer<Vec<u8>>)) -> String {
    let printer = Printer::new(Vec::new());
    speak(printer.clone());
    String::from_utf8(printer.0.writer.lock().unwrap().clone()).unwrap()
}

#[test]
fn a_report_is_one_line_of_integers() {
    let pv = [Move::normal(Square::E2, Square::E4), Move::castling(Square::E8, Square::H8)];
    let info = |report: &Report<'_>, castling| {
        Info { report, effort: Some(Effort::of(report)), style: Style { castling, ..STYLE } }.to_string()
    };
    let score = Model::FITTED.normalise(-35, STYLE.material);
    assert_eq!(
        info(&report(&pv), CastlingStyle::Standard),
        format!(
            "info depth 12 seldepth 20 multipv 1 score cp {score} nodes 3000000 nps 1998800 hashfull 7 tbhits 0 \
             time 1500 pv e2e4 e8g8"
        )
    );
    assert!(info(&report(&pv), CastlingStyle::Chess960).ends_with(" pv e2e4 e8h8"));
    let mate = Report { score: Score::mate_in(3), ..report(&pv) };
    assert!(info(&mate, CastlingStyle::Standard).contains(" score mate 2 nodes "));
    let mated = Report { score: Score::mated_in(4), ..report(&pv) };
    assert!(info(&mated, CastlingStyle::Standard).contains(" score mate -2 nodes "));
    let fast = Report { elapsed: Duration::ZERO, nodes: u64::MAX, pv: &[], ..report(&pv) };
    assert!(info(&fast, CastlingStyle::Standard).ends_with(" tbhits 0 time 0"));
}

#[test]
fn a_bound_is_told_from_the_side_of_the_score_and_claims_no_mate() {
    for (score, bound, sign, word) in [
        (Score(90), Bound::Lower, 1, "lowerbound"),
        (Score(-90), Bound::Upper, -1, "upperbound"),
        (Score::mate_in(3), Bound::Lower, 1, "lowerbound"),
        (Score::mated_in(4), Bound::Upper, -1, "upperbound"),
    ] {
        let report = Report { bound, score, ..report(&[]) };
        let line = Info { report: &report, effort: Some(Effort::of(&report)), style: STYLE }.to_string();
        let words: Vec<_> = line.split(' ').skip_while(|word| *word != "score").collect();
        assert_eq!((words[1], words[3]), ("cp", word), "{line}");
        assert_eq!(words[2].parse::<i32>().unwrap().signum(), sign, "{line}");
    }
}

#[test]
fn chances_are_told_to_those_who_ask_and_sum_to_a_thousand() {
    let style = Style { shows_chances: true, ..STYLE };
    for (score, from_tables, expected) in [
        (Score(0), false, None),
        (Score(-2_000), false, None),
        (Score::mate_in(3), false, Some("1000 0 0")),
        (Score::mated_in(0), false, Some("0 0 1000")),
        (Score::table_win_in(3), true, Some("1000 0 0")),
        (Score(0), true, Some("0 1000 0")),
        (Score(0), false, Some("0 1000 0")),
        (Score(1), true, Some("0 1000 0")),
    ] {
        let is_dead = expected.is_some() && !from_tables && score == Score(0);
        let report = Report { score, from_tables, is_dead, ..report(&[]) };
        let line = Info { report: &report, effort: Some(Effort::of(&report)), style }.to_string();
        let chances = line.split_once(" wdl ").unwrap().1.split_once(" nodes ").unwrap().0;
        let sum: u32 = chances.split(' ').map(|share| share.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{line}");
        assert!(expected.is_none_or(|expected| chances == expected), "{line}");
    }
}

#[test]
fn endgame_tables_score_twenty_thousand_less_the_way_to_them() {
    let text = |score| ScoreText(engine_score(score, 20)).to_string();
    assert_eq!(text(Score::table_win_in(0)), "cp 20000");
    assert_eq!(text(Score::table_win_in(7)), "cp 19993");
    assert_eq!(text(-Score::table_win_in(12)), "cp -19988");
}

#[test]
fn a_best_move_always_follows_a_score() {
    let mv = Some(Move::normal(Square::E2, Square::E4));
    let finish = |in_check, best, ponder| {
        printed(|printer| announcer(printer, Style { in_check, ..STYLE }).finished(best, ponder))
    };
    assert_eq!(finish(true, None, None), "info depth 0 score mate 0\nbestmove (none)\n");
    assert_eq!(finish(false, None, None), "info depth 0 score cp 0\nbestmove (none)\n");
    assert_eq!(finish(false, mv, None), "info depth 0 score cp 0\nbestmove e2e4\n");
    let after_a_line = printed(|printer| {
        let mut announcer = announcer(printer, STYLE);
        announcer.line(&report(&[]));
        announcer.finished(mv, Some(Move::castling(Square::E8, Square::A8)));
    });
    assert_eq!(after_a_line.lines().skip(1).collect::<Vec<_>>(), ["bestmove e2e4 ponder e8c8"]);
}

#[test]
fn great_depths_reached_in_no_time_are_not_all_shown() {
    let text = printed(|printer| {
        let mut announcer = announcer(printer, STYLE);
        for depth in 1..=245 {
            for multi_pv in 1..=3 {
                announcer.line(&Report { depth, multi_pv, ..report(&[]) });
            }
        }
        announcer.finished(Some(Move::normal(Square::E2, Square::E4)), None);
    });
    let lines: Vec<_> = text.lines().collect();
    assert!((94..400).contains(&lines.len()), "{} lines", lines.len());
    let [first, second, third, best] = lines.last_chunk().unwrap();
    assert!([first, second, third].iter().all(|line| line.starts_with("info depth 245 ")), "{text}");
    assert!(best.starts_with("bestmove "), "{text}");
    let depths = (1..=30).flat_map(|depth| [depth; 3]).map(|depth| format!("info depth {depth} "));
    assert!(lines.iter().zip(depths).all(|(line, start)| line.starts_with(&start)), "{text}");
}

#[test]
fn a_message_stays_on_its_line() {
    let text = printed(|printer| printer.message("one\ntwo\r\0é"));
    assert_eq!(text, "info string one two  é\n");
    let long = printed(|printer| printer.message("x".repeat(1_000_000)));
    assert_eq!(long.len(), "info string \n".len() + 400);
}

#[test]
fn a_broken_output_is_noticed_and_survived() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let printer = Printer::new(Broken);
    assert!(!printer.is_broken());
    printer.line("uciok");
    assert!(printer.is_broken());
}
