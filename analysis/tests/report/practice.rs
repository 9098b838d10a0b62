//! Practising mistakes, the times of moves and praise, in a browser.

use analysis::model::{Alternative, Game, Judgement, Move, Practice, Side};

use crate::browser::{HASH, Report, fen, shown};
use crate::chromium::{Chromium, View};
use crate::looks::OVERLAPS;
use crate::sample::{after, rich_game};

const QUESTION: &str = "document.querySelector('.question').textContent";
const VERDICT: &str = "document.querySelector('.verdict').textContent";

/// A game in which the second line of each position is as good as the best, and the third much worse.
fn game_with_three_lines() -> Game {
    let mut game = rich_game();
    for position in &mut game.positions {
        let side = position.turn;
        let Some(analysis) = &mut position.analysis else { continue };
        let board = movegen::Board::from_fen(&position.fen).expect("a position");
        let known: Vec<_> = analysis.lines.iter().map(|line| line.uci[0].clone()).collect();
        let Some(mut line) = analysis.lines.first().cloned() else { continue };
        let moves = board.legal_moves();
        let style = movegen::CastlingStyle::Standard;
        let Some(other) = moves.iter().find(|mv| !known.contains(&mv.uci(style).to_string())) else { continue };
        line.san = vec![board.san(*other)];
        line.uci = vec![other.uci(style).to_string()];
        line.white += if side == Side::White { -0.2 } else { 0.2 };
        analysis.lines.push(line);
    }
    game
}

/// The moves that are practised, by their places.
fn tasks(game: &Game, side: Option<Side>) -> Vec<usize> {
    let is_task = |&index: &usize| {
        let mv = &game.moves[index];
        let line = game.positions[index].analysis.as_ref().and_then(|analysis| analysis.lines.first());
        matches!(mv.judgement, Some(Judgement::Mistake | Judgement::Blunder))
            && side.is_none_or(|side| mv.side == side)
            && line.is_some_and(|line| line.san[0] != mv.san)
    };
    (0..game.moves.len()).filter(is_task).collect()
}

fn answer(browser: &mut Chromium, san: &str) -> String {
    browser.evaluate("document.querySelector('.own input').focus()");
    browser.enter(san);
    browser.text(VERDICT)
}

fn line(game: &Game, index: usize, rank: usize) -> &analysis::model::Line {
    &game.positions[index].analysis.as_ref().expect("analysed").lines[rank]
}

#[test]
fn mistakes_are_practised() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = game_with_three_lines();
    let report = Report::of(std::slice::from_ref(&game));
    let tasks = tasks(&game, None);
    assert!(tasks.len() > 6, "{tasks:?}");
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "#game-1/30", view);
        browser.click("[data-do=practise]");
        browser.picture(&format!("practice-{}", view.width));
        let hint = "[...document.querySelectorAll('.lines, .moves, .charts, .board .cg-shapes line')].some((element) => element.checkVisibility())";
        assert_eq!(browser.evaluate(hint), false, "nothing gives the answer away");
        let begin = |browser: &mut Chromium, number: usize| {
            let index = tasks[number];
            let question = browser.text(QUESTION);
            assert!(question.ends_with(&format!(" was played. Find a better move for {:?}.", game.moves[index].side)));
            assert!(question.contains(&game.moves[index].san), "{question}");
            assert_eq!(shown(browser), fen(&game.positions[index]));
            let is_turned = browser.evaluate("document.querySelector('.board').matches('.orientation-black')");
            assert_eq!(is_turned, game.moves[index].side == Side::Black, "the mover's side");
            index
        };
        // First the game's own move, a bad line, a move that nobody knows; then one that is good enough.
        let index = begin(&mut browser, 0);
        let said = answer(&mut browser, &game.moves[index].san);
        assert!(said.ends_with("was played in the game."), "{said}");
        let said = answer(&mut browser, &line(&game, index, 2).san[0]);
        assert!(said.ends_with("is not it. It loses 20% beside the best."), "{said}");
        let board = movegen::Board::from_fen(&game.positions[index].fen).expect("a position");
        let known: Vec<_> = (0..3).map(|rank| line(&game, index, rank).san[0].clone()).collect();
        let unknown = board
            .legal_moves()
            .iter()
            .map(|&mv| board.san(mv))
            .find(|san| !known.contains(san) && *san != game.moves[index].san && !san.ends_with('#'));
        let said = answer(&mut browser, &unknown.expect("another move"));
        assert!(said.ends_with("so it is not judged. Try another move."), "{said}");
        assert_eq!(shown(&mut browser), fen(&game.positions[index]), "one tries again");
        let good = line(&game, index, 1);
        let said = answer(&mut browser, &good.san[0]);
        assert!(said.ends_with(" is as good as the best move."), "{said}");
        assert_eq!(shown(&mut browser), after(&game.positions[index].fen, &good.uci[..1]));
        assert_eq!(answer(&mut browser, "e4"), said, "it is answered");
        browser.press("ArrowRight");
        assert_eq!(shown(&mut browser), after(&game.positions[index].fen, &good.uci[..1]), "no stepping");
        // The best at once.
        browser.click("[data-practice=next]");
        let index = begin(&mut browser, 1);
        let said = answer(&mut browser, &line(&game, index, 0).san[0]);
        assert!(said.ends_with("is the best move."), "{said}");
        // The solution.
        browser.click("[data-practice=next]");
        let index = begin(&mut browser, 2);
        browser.click("[data-practice=solution]");
        let said = browser.text(VERDICT);
        assert!(said.starts_with("The best line is") && said.contains(&line(&game, index, 0).san[1]), "{said}");
        // By hand on the board.
        browser.click("[data-practice=next]");
        let index = begin(&mut browser, 3);
        let uci = line(&game, index, 0).uci[0].clone();
        if view.width < 500 {
            browser.tap_squares(&[&uci[..2], &uci[2..4]])
        } else {
            browser.drag(&uci[..2], &uci[2..4])
        }
        assert!(browser.text(VERDICT).ends_with("is the best move."));
        browser.click("[data-practice=next]");
        for _ in 4..tasks.len() {
            browser.click("[data-practice=next]");
        }
        assert_eq!(browser.text(QUESTION), format!("Found at the first try: 2 of {}.", tasks.len()));
        let left = tasks.len() - 4;
        assert_eq!(browser.text(VERDICT), format!("2 the best move · 1 found later · 1 shown · {left} left out"));
        browser.picture(&format!("practice-end-{}", view.width));
        browser.click("[data-practice=again]");
        begin(&mut browser, 0);
        browser.press("Escape");
        assert_eq!(browser.text(HASH), format!("#game-1/{}", tasks[0]));
        assert_eq!(browser.evaluate("document.querySelector('.lines').checkVisibility()"), true);
        assert_eq!(
            browser.evaluate("document.querySelector('.board').matches('.orientation-white')"),
            true,
            "as before"
        );
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_longer_search_says_what_is_right() {
    let Some(mut browser) = Chromium::start() else { return };
    let mut game = rich_game();
    let index = tasks(&game, None)[0];
    let board = movegen::Board::from_fen(&game.positions[index].fen).expect("a position");
    let (first, played) = (line(&game, index, 0).san[0].clone(), game.moves[index].san.clone());
    let style = movegen::CastlingStyle::Standard;
    let others: Vec<_> = (board.legal_moves().iter())
        .map(|&mv| (mv.uci(style).to_string(), board.san(mv)))
        .filter(|(_, san)| ![&first, &played].contains(&san) && !san.ends_with('#'))
        .collect();
    let alternative = |uci: &str, san: &str, loss| {
        let (line, uci_line) = (vec![san.to_owned()], vec![uci.to_owned()]);
        let score = pgn::EngineScore::Centipawns(0);
        Alternative { uci: uci.to_owned(), san: san.to_owned(), score, white: 0.5, loss, line, uci_line }
    };
    let (best, other) = (&others[0], &others[1]);
    let moves = vec![alternative(&best.0, &best.1, 0.0), alternative(&line(&game, index, 0).uci[0], &first, 0.1)];
    game.moves[index].practice = Some(Practice { moves, others_lose: Some(0.3) });
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "", View::WIDE);
    browser.click("[data-do=practise]");
    let said = answer(&mut browser, &first);
    assert!(said.ends_with("is not it. It loses 10% beside the best."), "{said}");
    let said = answer(&mut browser, &other.1);
    assert!(said.ends_with("is not it. It loses 30% beside the best."), "{said}");
    browser.click("[data-practice=solution]");
    let said = browser.text(VERDICT);
    assert!(said.starts_with("The best line is") && said.contains(&best.1), "{said}");
    assert_eq!(shown(&mut browser), after(&game.positions[index].fen, std::slice::from_ref(&best.0)));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_side_may_be_chosen() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = game_with_three_lines();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "", View::WIDE);
    browser.click("[data-do=practise]");
    for (turn, side, name) in [("white", Side::White, "White"), ("black", Side::Black, "Black")] {
        let tasks = tasks(&game, Some(side));
        browser.click(&format!("[data-turn={turn}]"));
        assert_eq!(
            browser.text("document.querySelector('[data-turn][aria-pressed=true] .count').textContent"),
            tasks.len().to_string()
        );
        assert_eq!(browser.text("document.querySelector('.count-of').textContent"), format!("1 of {}", tasks.len()));
        assert!(browser.text(QUESTION).ends_with(&format!("Find a better move for {name}.")));
        assert_eq!(shown(&mut browser), fen(&game.positions[tasks[0]]));
    }
    // Without mistakes there is nothing to practise.
    let mut flawless = rich_game();
    flawless.moves.iter_mut().for_each(|mv| mv.judgement = None);
    let report = Report::of(&[flawless]);
    browser.open(&report.file, "", View::WIDE);
    assert_eq!(browser.evaluate("document.querySelector('[data-do=practise]').checkVisibility()"), false);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn nothing_lies_on_anything_else_while_one_plays() {
    let Some(mut browser) = Chromium::start_with_dejavu() else { return };
    let report = Report::of(&[game_with_three_lines()]);
    for width in [390, 820, 1100, 1280, 1440, 1920] {
        let view = if width == 390 { View::PHONE } else { View { width, height: 1000, ..View::WIDE } };
        browser.open(&report.file, "#game-1/9", view);
        browser.evaluate("document.querySelector('.own input').focus()");
        ["a6", "h3", "b5", "g3"].iter().for_each(|san| browser.enter(san));
        assert_eq!(browser.text(OVERLAPS), "", "own moves at {width} pixels");
        browser.picture(&format!("own-moves-{width}"));
        browser.click("[data-do=practise]");
        assert_eq!(browser.text(OVERLAPS), "", "practice at {width} pixels");
        browser.click("[data-practice=solution]");
        assert_eq!(browser.text(OVERLAPS), "", "solution at {width} pixels");
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth"), width);
        browser.picture(&format!("solution-{width}"));
    }
}

#[test]
fn times_and_praise_are_shown() {
    let Some(mut browser) = Chromium::start() else { return };
    let mut game = rich_game();
    for index in [8, 14] {
        game.moves[index].judgement = None;
    }
    game.moves[8].elapsed_ms = Some(84_000);
    let report = Report::of(std::slice::from_ref(&game));
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "#game-1/9", view);
        let played = "document.querySelector('.played').textContent";
        let now = browser.text(played);
        assert!(now.contains("the only good move · took 1:24"), "{now}");
        for _ in 0..6 {
            browser.press("ArrowRight");
        }
        let now = browser.text(played);
        assert!(now.contains("a good move · took 1:39"), "{now}");
        let told = browser.text("document.querySelector('[role=slider]').getAttribute('aria-valuetext')");
        assert!(told.ends_with(" · 1:39"), "{told}");
        browser.click_at(".graph-frame:has(.times)", 25.0 / game.moves.len() as f64);
        assert_eq!(browser.text(HASH), "#game-1/25");
        let badges = "[...document.querySelectorAll('.moves .glyph.only, .moves .glyph.good')].map((badge) => badge.textContent).join(' ')";
        assert_eq!(browser.text(badges), "only good");
    }
    game.moves.iter_mut().for_each(|mv: &mut Move| (mv.elapsed_ms, mv.clock_ms) = (None, None));
    let report = Report::of(&[game]);
    browser.open(&report.file, "#game-1/9", View::WIDE);
    assert_eq!(browser.evaluate("document.querySelectorAll('.graph.times, .graph.clocks').length"), 0);
    assert!(!browser.text("document.querySelector('.played').textContent").contains("took"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn phones_are_told_of_no_keys() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[game_with_three_lines()]);
    let named = "(() => { const titles = [...document.querySelectorAll('[title]')].map((element) => element.title); \
                 return [document.body.innerText, ...titles].join('\\n'); })()";
    for (view, expected) in [(View::PHONE, false), (View::WIDE, true)] {
        browser.open(&report.file, "#game-1/9", view);
        let text = browser.text(named);
        for key in ["Keys:", "Home", "Esc", "(N)", "←"] {
            assert_eq!(text.contains(key), expected, "{key} at {} pixels", view.width);
        }
    }
}
