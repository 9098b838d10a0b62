//! Moves of one's own on the board, and what can be copied, in a browser.

use analysis::model::{Game, Move};
use pgn::PgnReader;

use crate::browser::{HASH, Report, fen, shown};
use crate::chromium::{Chromium, View};
use crate::page::hostile_game;
use crate::sample::{START, after, game, rich_game};

const TARGETS: &str = "(async () => { for (const frame of [1, 2]) await new Promise(requestAnimationFrame); \
                       return document.querySelectorAll('.board square.move-dest').length; })()";
const PLAYED: &str = "document.querySelector('.played').textContent";

/// Plays by two clicks, or two taps on a phone.
fn click(browser: &mut Chromium, view: View, squares: &[&str]) {
    if view.width < 500 { browser.tap_squares(squares) } else { browser.click_squares(squares) }
}

fn moves(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn moves_of_ones_own_are_played_and_taken_back() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "", view);
        click(&mut browser, view, &["e2"]);
        assert_eq!(browser.evaluate(TARGETS), 2);
        click(&mut browser, view, &["e5"]);
        assert_eq!((shown(&mut browser), browser.evaluate(TARGETS)), (fen(&game.positions[0]), 0.into()), "not legal");
        click(&mut browser, view, &["e7"]);
        assert_eq!(browser.evaluate(TARGETS), 0, "the other side's");
        click(&mut browser, view, &["e2", "e4"]);
        assert_eq!((shown(&mut browser), browser.text(HASH)), (fen(&game.positions[1]), "#game-1/1".to_owned()));
        assert_eq!(browser.evaluate("document.querySelector('.tried').hidden"), true, "it is the game's own move");

        click(&mut browser, view, &["d7", "d6", "d2", "d4"]);
        let own = moves(&["d7d6", "d2d4"]);
        assert_eq!(shown(&mut browser), after(&game.positions[1].fen, &own));
        let tried = browser.text("document.querySelector('.tried').textContent");
        assert!(tried.starts_with("Your moves: 1…\u{a0}d6 2.\u{a0}d4"), "{tried}");
        assert!(browser.text(PLAYED).starts_with("2.\u{a0}d4your own move"));
        browser.click("[data-do=back]");
        assert_eq!(shown(&mut browser), after(&game.positions[1].fen, &own[..1]));
        // Another move here takes the place of what came after.
        click(&mut browser, view, &["g1", "f3"]);
        let tried = browser.text("document.querySelector('.tried').textContent");
        assert!(tried.contains("d6 2.\u{a0}Nf3") && !tried.contains("d4"), "{tried}");
        browser.click(".tried [data-go=t1]");
        assert_eq!(shown(&mut browser), after(&game.positions[1].fen, &own[..1]));
        browser.click(".return");
        assert_eq!(shown(&mut browser), fen(&game.positions[1]));
        assert_eq!(browser.evaluate("document.querySelector('.tried').hidden"), true);
    }
    // The first move of a best line leads into that line.
    browser.open(&report.file, "", View::WIDE);
    let line = &game.positions[0].analysis.as_ref().unwrap().lines[1];
    browser.click_squares(&[&line.uci[0][..2], &line.uci[0][2..4]]);
    browser.press("ArrowRight");
    assert_eq!(shown(&mut browser), after(&game.positions[0].fen, &line.uci[..2]));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn pieces_are_dragged() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[game(1, START, false, "e4 e5")]);
    browser.open(&report.file, "", View::WIDE);
    browser.drag("g1", "f3");
    assert_eq!(shown(&mut browser), after(START, &moves(&["g1f3"])));
    browser.drag("b8", "b5");
    assert_eq!(shown(&mut browser), after(START, &moves(&["g1f3"])), "not legal");
    let left = "document.querySelectorAll('.board piece.dragging').length";
    assert_eq!((browser.evaluate(left), browser.evaluate(TARGETS)), (0.into(), 0.into()), "back in its place");
    browser.press("f");
    browser.drag("b8", "c6");
    assert_eq!(shown(&mut browser), after(START, &moves(&["g1f3", "b8c6"])), "on a board that is turned");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn moves_are_typed() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[game(1, START, false, "e4 e5")]);
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "", view);
        browser.press("m");
        assert_eq!(browser.text("document.activeElement.name"), "move");
        for (text, so_far) in [
            ("Nf3", &["g1f3"][..]),
            ("e7e5", &["g1f3", "e7e5"]),
            ("nxe5", &["g1f3", "e7e5", "f3e5"]),
            ("Ke7", &["g1f3", "e7e5", "f3e5", "e8e7"]),
        ] {
            browser.enter(text);
            assert_eq!(shown(&mut browser), after(START, &moves(so_far)), "{text}");
        }
        for text in ["Ke7", "O-O", "<b>x</b>", "e9"] {
            browser.enter(text);
            let said = browser.text("document.querySelector('.message').textContent");
            assert_eq!(said, format!("“{text}” is not a legal move here."));
            assert_eq!(browser.text("document.activeElement.getAttribute('aria-invalid')"), "true");
            browser.evaluate("document.activeElement.value = ''");
        }
        browser.press("Escape");
        browser.press("Escape");
        assert_eq!(shown(&mut browser), after(START, &[]), "back to the game");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn castling_promotion_and_pins_are_known() {
    let Some(mut browser) = Chromium::start() else { return };
    let games = [
        game(1, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", false, ""),
        game(2, "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1", true, ""),
        game(3, "4k3/1P6/8/2pP4/8/8/8/4K3 w - c6 0 1", false, ""),
        game(4, "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", false, ""),
    ];
    let report = Report::of(&games);
    for view in [View::WIDE, View::PHONE] {
        for (number, squares, uci) in [
            (1, ["e1", "g1"], "e1g1"),
            (1, ["e1", "a1"], "e1c1"),
            (2, ["b1", "h1"], "b1h1"),
            (2, ["b1", "a1"], "b1a1"),
            (3, ["d5", "c6"], "d5c6"),
        ] {
            browser.open(&report.file, &format!("#game-{number}/0"), view);
            click(&mut browser, view, &squares);
            let expected = after(&games[number - 1].positions[0].fen, &moves(&[uci]));
            assert_eq!(shown(&mut browser), expected, "{uci} in game {number}");
        }
        browser.open(&report.file, "#game-3/0", view);
        click(&mut browser, view, &["b7", "b8"]);
        browser.wait_until("document.querySelector('#promotion[open]')");
        browser.picture(&format!("promotion-{}", view.width));
        browser.press("Escape");
        browser.wait_until("!document.querySelector('#promotion')");
        assert_eq!(shown(&mut browser), fen(&games[2].positions[0]));
        click(&mut browser, view, &["b7", "b8"]);
        browser.wait_until("document.querySelector('#promotion[open]')");
        browser.click("#promotion [aria-label=knight]");
        browser.wait_until("!document.querySelector('#promotion')");
        assert_eq!(shown(&mut browser), after(&games[2].positions[0].fen, &moves(&["b7b8n"])));
        browser.open(&report.file, "#game-4/0", view);
        click(&mut browser, view, &["e2"]);
        assert_eq!(browser.evaluate(TARGETS), 0, "pinned");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Takes what would go to the clipboard.
const CLIPBOARD: &str = "Object.defineProperty(navigator, 'clipboard', { configurable: true, \
                         value: { writeText: async (text) => { window.copied = text; } } })";
const MESSAGE: &str = "document.querySelector('.message').textContent";

fn copied(browser: &mut Chromium, button: &str) -> String {
    browser.evaluate("delete window.copied");
    browser.click(&format!("[data-do={button}]"));
    browser.wait_until("window.copied !== undefined");
    browser.text("window.copied")
}

#[test]
fn positions_are_copied_as_fen() {
    let Some(mut browser) = Chromium::start() else { return };
    let games = [
        rich_game(),
        game(2, "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1", true, "e4 O-O"),
        game(3, "4k3/8/8/8/8/8/8/RR2K1R1 w BG - 7 30", true, "Ra2 Kd7"),
    ];
    let report = Report::of(&games);
    for (game, view) in games.iter().zip([View::WIDE, View::PHONE, View::WIDE]) {
        browser.open(&report.file, &format!("#game-{}/0", game.number), view);
        browser.evaluate(CLIPBOARD);
        for (ply, position) in game.positions.iter().enumerate() {
            assert_eq!(copied(&mut browser, "copyFen"), position.fen, "game {} after {ply}", game.number);
            assert_eq!(browser.text(MESSAGE), "FEN copied.");
            browser.press("ArrowRight");
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn games_are_copied_as_pgn() {
    let Some(mut browser) = Chromium::start() else { return };
    let mut from_fen = game(2, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40", false, "Kd7 e4");
    from_fen.tags.extend(
        [("SetUp", "1"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40")]
            .map(|(name, value)| crate::sample::tag(name, value)),
    );
    from_fen.result = "1/2-1/2".to_owned();
    let games = [rich_game(), from_fen, Game { number: 3, result: "*".to_owned(), ..hostile_game() }];
    let report = Report::of(&games);
    for game in &games {
        browser.open(&report.file, &format!("#game-{}/1", game.number), View::WIDE);
        browser.evaluate(CLIPBOARD);
        let text = copied(&mut browser, "copyPgn");
        assert!(text.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() < 80), "{text}");
        let read: Vec<_> = PgnReader::new(text.as_bytes()).collect();
        let [Ok(pgn)] = &read[..] else { panic!("one game: {text}") };
        let uci: Vec<_> = pgn.tree.main_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(uci.len(), game.moves.len(), "{text}");
        let san = |mv: &Move| mv.san.clone();
        let names: Vec<_> = pgn.tree.main_line().map(|(id, board)| board.san(pgn.tree.node(id).mv.unwrap())).collect();
        assert_eq!(names, game.moves.iter().map(san).collect::<Vec<_>>());
        assert_eq!(pgn::result_text(pgn.result), game.result);
        if game.number == 1 {
            assert_eq!((pgn.tags.get("ECO"), pgn.tags.get("White")), (Some("B02"), Some("Morphy, Paul")));
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn without_a_clipboard_there_are_other_ways() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = game(1, START, false, "e4 e5");
    let report = Report::of(std::slice::from_ref(&game));
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "", view);
        browser.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })");
        browser.evaluate(
            "document.execCommand = () => { window.copied = document.activeElement.value; return window.copies; }",
        );
        browser.evaluate("window.copies = true");
        assert_eq!(copied(&mut browser, "copyFen"), START);
        browser.wait_until(&format!("{MESSAGE} === 'FEN copied.'"));
        browser.evaluate("window.copies = false");
        browser.click("[data-do=copyFen]");
        browser.wait_until("document.querySelector('dialog[open] textarea')?.value");
        let text = "document.querySelector('dialog textarea').value";
        assert_eq!(browser.text(text), START);
        let selected =
            "(({ selectionEnd, value }) => selectionEnd === value.length)(document.querySelector('dialog textarea'))";
        assert_eq!(browser.evaluate(selected), true);
        browser.picture(&format!("copy-by-hand-{}", view.width));
        browser.click("dialog button");
        browser.wait_until("!document.querySelector('dialog')");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
