//! Commands that wait for the end of a search.

use super::*;

/// The best moves among what a session answers.
fn best_moves(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect()
}

/// The depths that the searches reached, each before its best move.
fn depths_reached(text: &str) -> Vec<i32> {
    let (mut depths, mut last) = (Vec::new(), 0);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("info depth ") {
            last = rest.split(' ').next().and_then(|depth| depth.parse().ok()).unwrap_or(last);
        } else if line.starts_with("bestmove ") {
            depths.push(std::mem::take(&mut last));
        }
    }
    depths
}

#[test]
fn searches_sent_at_once_are_all_carried_out_in_their_order() {
    let mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let reply = "position fen 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1";
    let text = answer(format!(
        "{mate}\ngo depth 6\n{reply}\ngo depth 5\nposition startpos\nsetoption name MultiPV value 2\ngo depth 7\n{mate}\ngo depth 3\n"
    ));
    let best = best_moves(&text);
    assert_eq!((best.len(), best[0], best[1], best[3]), (4, "a1a8", "b1b8", "a1a8"), "{text}");
    // The end of the input stops the last one alone.
    assert_eq!(depths_reached(&text)[..3], [6, 5, 7], "{text}");
    let searches: Vec<_> = text.split_inclusive("bestmove").collect();
    let shows_two = |index: usize| searches[index].contains(" multipv 2 ");
    assert_eq!([0, 1, 2].map(shows_two), [false, false, true], "{text}");
    assert!(!text.contains("error"), "{text}");
}

#[test]
fn counting_and_other_work_wait_for_searches_too() {
    let text =
        answer("go depth 6\ngo perft 2\ngo depth 5\nperft 1\nbench 1\nspeedtest 1 1 1\ngenfens 1 seed 1\ngo depth 2\n");
    let order = [
        "bestmove",
        "Nodes searched: 400",
        "bestmove",
        "Nodes searched: 20",
        " nps\n",
        "info string genfens",
        "bestmove",
    ];
    let mut rest = &text[..];
    for part in order {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} in {rest}"));
        rest = after;
    }
    assert_eq!(best_moves(&text).len(), 3, "{text}");
}

#[test]
fn quit_comes_in_its_turn() {
    let text = answer("go depth 6\ngo nodes 3000\ngo depth 4\nquit\ngo depth 9\n");
    assert_eq!(best_moves(&text).len(), 3, "{text}");
    assert_eq!(depths_reached(&text)[0], 6, "{text}");
}

#[test]
fn a_mate_that_is_not_there_does_not_hold_up_the_end() {
    let text = answer("setoption name MultiPV value 2\ngo mate 3\ngo mate 2\ngo depth 4\ngo depth 2\n");
    assert_eq!(best_moves(&text).len(), 4, "{text}");
    assert_eq!(depths_reached(&text)[2], 4, "{text}");
}

#[test]
fn a_number_that_nobody_waits_for_does_not_hold_up_the_end() {
    for limit in ["nodes 99999999999999999999", "depth 200", "movetime 9999999999", "wtime 9999999999 btime 9999999999"]
    {
        let text = answer(format!("go {limit}\ngo depth 4\ngo {limit}\ngo depth 2\n"));
        assert_eq!(best_moves(&text).len(), 4, "{limit}: {text}");
        assert_eq!(depths_reached(&text)[1], 4, "{limit}: {text}");
    }
}

#[test]
fn stop_ends_the_search_that_runs_and_one_that_nothing_else_would_end() {
    for (lines, count) in [
        ("go movetime 1000000\ngo depth 5\nstop\n", 2),
        ("go depth 200\ngo depth 200\nstop\ngo depth 5\nstop\n", 3),
        ("go depth 200\ngo infinite\nstop\n", 2),
        ("go depth 200\ngo ponder wtime 100\nponderhit\nstop\n", 2),
        ("go depth 200\ngo infinite\nstop\ngo depth 5\n", 3),
        ("go depth 200\nperft 30\nstop\nstop\n", 1),
    ] {
        let buffer = Buffer::default();
        let mut session = Session::new(buffer.clone());
        lines.lines().for_each(|line| assert!(session.execute(line).is_continue()));
        session.wait();
        assert!(!session.shared.lock().is_waited_for());
        assert_eq!(best_moves(&buffer.text()).len(), count, "{lines}: {}", buffer.text());
    }
    let text = answer("go depth 200\ngo depth 6\nstop\nposition startpos\ngo depth 1\n");
    assert_eq!(depths_reached(&text)[1], 6, "{text}");
}

#[test]
fn nothing_waits_for_a_search_without_an_end() {
    for go in ["go infinite", "go", "go ponder", "go ponder wtime 1000"] {
        let text = answer(format!("{go}\ngo depth 1\nperft 1\nbench 1\nstop\ngo depth 2\nstop\n"));
        assert_eq!(best_moves(&text).len(), 2, "{text}");
        for command in ["go", "perft", "bench"] {
            assert!(text.contains(&format!("info string error: `{command}` ignored: a search is running\n")), "{text}");
        }
    }
}

#[test]
fn more_searches_than_fit_are_waited_for() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(60_000);
    let lines = format!("position startpos moves {moves}\ngo nodes 200\n").repeat(20);
    let text = answer(format!("go nodes 200000\n{lines}"));
    assert_eq!(best_moves(&text).len(), 21, "{} bytes", text.len());
}
