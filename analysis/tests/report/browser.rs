//! The page in a browser: these tests are skipped, with a message, where there is no Chromium.

use std::fs;
use std::path::PathBuf;

use analysis::model::{Game, Position};
use serde_json::json;
use tempfile::TempDir;

use crate::chromium::{Chromium, View};
use crate::page::{hostile_game, page};
use crate::sample::{START, after, broken, first_fields, game, rich_game};

/// A report on disk.
pub struct Report {
    pub file: PathBuf,
    _folder: TempDir,
}

impl Report {
    /// Writes it; of several games with one that could not be read.
    pub fn of(games: &[Game]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("report.html");
        let broken: Vec<_> = (games.len() > 1).then(broken).into_iter().collect();
        fs::write(&file, page(games, &broken)).expect("a file");
        Self { file, _folder: folder }
    }
}

/// The pieces on the board and the turn, as the first two fields of a FEN.
const BOARD: &str = r#"(async () => {
    // The board is drawn with the next frame.
    for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
    const letters = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };
    const pieces = {};
    for (const piece of document.querySelectorAll(".board piece[class]:not(.ghost, .fading)")) {
        const [color, name] = piece.className.split(" ");
        const square = "abcdefgh".indexOf(piece.cgKey[0]) + 8 * (piece.cgKey[1] - 1);
        pieces[square] = color === "white" ? letters[name].toUpperCase() : letters[name];
    }
    const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
        const row = [0, 1, 2, 3, 4, 5, 6, 7].map((file) => pieces[8 * rank + file] ?? "1").join("");
        return row.replace(/1+/g, (empty) => empty.length);
    });
    const turn = document.querySelector(".board").getAttribute("aria-label").includes("White to move") ? "w" : "b";
    return `${rows.join("/")} ${turn}`;
})()"#;

/// The part of the address that names game and half-move.
pub const HASH: &str = "location.hash";

/// What is on the board.
pub fn shown(browser: &mut Chromium) -> String {
    browser.text(BOARD)
}

/// The same of a position of a game.
pub fn fen(position: &Position) -> String {
    first_fields(&position.fen)
}

#[test]
fn keys_step_through_the_game() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "", View::WIDE);
    for position in &game.positions {
        assert_eq!(shown(&mut browser), fen(position));
        browser.press("ArrowRight");
    }
    assert_eq!(shown(&mut browser), fen(&game.positions[game.moves.len()]), "the end is the end");
    browser.press("ArrowLeft");
    assert_eq!(shown(&mut browser), fen(&game.positions[game.moves.len() - 1]));
    browser.press("Home");
    browser.press("ArrowLeft");
    assert_eq!(shown(&mut browser), fen(&game.positions[0]));
    browser.press("End");
    assert_eq!(browser.text(HASH), format!("#game-1/{}", game.moves.len()));

    let corner = "[...document.querySelectorAll('.board piece')].find((piece) => piece.cgKey === 'a1').style.transform";
    browser.press("Home");
    assert_eq!(shown(&mut browser), fen(&game.positions[0]));
    let before = browser.text(corner);
    browser.press("f");
    assert_eq!(shown(&mut browser), fen(&game.positions[0]), "the position is the same");
    assert_ne!(browser.text(corner), before, "and the board turned");
    assert_eq!(browser.text("document.querySelector('.far .name').textContent"), "Morphy, Paul");

    browser.press("n");
    let first_error = game.moves.iter().position(|mv| mv.judgement.is_some()).unwrap();
    assert_eq!(browser.text(HASH), format!("#game-1/{}", first_error + 1));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn games_of_a_page_of_many_are_opened_as_others_are() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let games: Vec<_> = (1..=60).map(|number| Game { number, ..game.clone() }).collect();
    let report = Report::of(&games);
    browser.open(&report.file, "#game-45/12", View::WIDE);
    browser.wait_until("document.querySelector('.viewer')");
    assert_eq!(shown(&mut browser), fen(&game.positions[12]));
    assert_eq!(browser.text("document.querySelector('article').id"), "game-45");
    browser.press("ArrowRight");
    assert_eq!((shown(&mut browser), browser.text(HASH)), (fen(&game.positions[13]), "#game-45/13".to_owned()));
    // Another one of the same pack, and one of the other.
    for number in [46, 3] {
        browser.evaluate(&format!("location.hash = '#game-{number}'"));
        browser.wait_until(&format!("document.querySelector('#game-{number} .viewer')"));
        assert_eq!(shown(&mut browser), fen(&game.positions[0]));
    }
    // The table, most of which was left out for a game to be there sooner, is whole where it is shown.
    let rows = "[...document.querySelectorAll('.games tbody tr')].filter((row) => row.offsetHeight > 0).length";
    assert_eq!(browser.evaluate(rows), 0);
    browser.evaluate("location.hash = '#games'");
    browser.wait_until("!document.getElementById('overview').hidden");
    assert_eq!(browser.evaluate(rows), 60);
    assert_eq!(browser.complaints(), [""; 0]);
    // Without the script's means each game can be read.
    browser.open(&report.file, "", View::WIDE);
    browser.wait_until(&format!("{rows} === 60"));
    browser.evaluate("delete globalThis.DecompressionStream; location.hash = '#game-5'");
    browser.wait_until("document.querySelector('#game-5')");
    assert!(browser.text("document.querySelector('#game-5').textContent").contains("1. e4"));
    assert_eq!(browser.complaints(), [""; 0]);
}

/// As one does that is older than what the script is written in.
#[test]
fn a_browser_that_cannot_run_the_script_shows_all_games() {
    let Some(mut browser) = Chromium::start() else { return };
    let games: Vec<_> = (1..=60).map(|number| game(number, START, false, "e4")).collect();
    let report = Report::of(&games);
    let page = fs::read_to_string(&report.file).unwrap();
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    let page = [before, after].concat().replace("<script type=\"module\">", "<script type=\"module\">not a script;");
    fs::write(&report.file, page).unwrap();
    browser.open(&report.file, "#game-45", View::WIDE);
    browser.wait_until(
        "[...document.querySelectorAll('.games tbody tr')].filter((row) => row.offsetHeight > 0).length === 60",
    );
}

#[test]
fn clicks_and_touches_step_through_the_game() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "#game-1/10", View::WIDE);
    let mut ply = 10;
    let mut expect = |browser: &mut Chromium, selector: &str, share: f64, now: usize| {
        browser.click_at(selector, share);
        assert_eq!(shown(browser), fen(&game.positions[now]), "{selector} after half-move {ply}");
        ply = now;
    };
    expect(&mut browser, "[data-do=forward]", 0.5, 11);
    expect(&mut browser, "[data-do=back]", 0.5, 10);
    expect(&mut browser, ".moves [data-go=m25]", 0.5, 25);
    expect(&mut browser, "[data-do=first]", 0.5, 0);
    expect(&mut browser, "[data-do=last]", 0.5, game.moves.len());
    expect(&mut browser, ".findings button", 0.5, 12);
    let first_blunder = |side| {
        let is_blunder =
            |mv: &analysis::model::Move| mv.side == side && mv.judgement == Some(analysis::model::Judgement::Blunder);
        1 + game.moves.iter().position(is_blunder).unwrap()
    };
    expect(&mut browser, "[data-do=first]", 0.5, 0);
    let black = first_blunder(analysis::model::Side::Black);
    expect(&mut browser, "[data-next='black blunder']", 0.5, black);

    browser.open(&report.file, "#game-1/10", View::PHONE);
    browser.swipe(".board", 0.8, 0.3);
    assert_eq!(shown(&mut browser), fen(&game.positions[11]));
    browser.swipe(".board", 0.3, 0.8);
    assert_eq!(shown(&mut browser), fen(&game.positions[10]));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_graphs_lead_to_their_positions() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "", View::WIDE);
    for (graph, ply) in [("[role=slider]", 13), (".graph-frame:has(.clocks)", 39)] {
        browser.click_at(graph, ply as f64 / game.moves.len() as f64);
        assert_eq!(shown(&mut browser), fen(&game.positions[ply]), "{graph}");
        let cursor = browser.text("document.querySelector('.cursor').getAttribute('x1')");
        assert!((cursor.trim_end_matches('%').parse::<f64>().unwrap() - 100.0 * ply as f64 / 52.0).abs() < 0.01);
    }
    assert_eq!(browser.text("document.querySelector('[role=slider]').getAttribute('aria-valuenow')"), "39");
    let phases = "document.querySelectorAll('.chances text.phase').length";
    assert_eq!(browser.evaluate(phases), 3);
    let marks = "document.querySelectorAll('.chances .mark').length";
    assert_eq!(browser.evaluate(marks), game.moves.iter().filter(|mv| mv.judgement.is_some()).count());
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn best_lines_play_on_the_board_and_lead_back() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "#game-1/12", View::WIDE);
    let position = &game.positions[12];
    let line = &position.analysis.as_ref().unwrap().lines[1];
    browser.click(".lines [data-go='l12.1.3']");
    assert_eq!(shown(&mut browser), after(&position.fen, &line.uci[..3]));
    assert_eq!(browser.evaluate("document.querySelector('.return').hidden"), false);
    browser.press("ArrowRight");
    assert_eq!(shown(&mut browser), after(&position.fen, &line.uci[..4]));
    browser.press("End");
    assert_eq!(shown(&mut browser), after(&position.fen, &line.uci[..12]), "a dozen moves are shown");
    browser.press("Home");
    browser.press("ArrowLeft");
    assert_eq!(shown(&mut browser), fen(position), "before its first move a line is the game");
    assert_eq!(browser.evaluate("document.querySelector('.return').hidden"), true);

    for way_back in ["Escape", "click"] {
        browser.click(".lines [data-go='l12.0.2']");
        assert_ne!(shown(&mut browser), fen(position));
        if way_back == "click" {
            browser.click(".return")
        } else {
            browser.press(way_back)
        }
        assert_eq!(shown(&mut browser), fen(position), "{way_back}");
    }

    let last = game.positions.last().unwrap();
    browser.click(".moments [data-go='l52.0.2']");
    assert_eq!(
        shown(&mut browser),
        after(&last.fen, &last.analysis.as_ref().unwrap().lines[0].uci[..2]),
        "below a diagram"
    );

    // The file's variations, one within the other, with a turn that is passed.
    browser.click(".variation [data-go='v0.2']");
    assert_eq!(shown(&mut browser), after(&game.positions[4].fen, &["d2d4".to_owned(), "c8f5".to_owned()]));
    browser.click(".variation [data-go='v1.3']");
    assert!(shown(&mut browser).contains("/PPP2nPP/"), "{}", shown(&mut browser));
    for _ in 0..4 {
        browser.press("ArrowLeft");
    }
    assert_eq!(shown(&mut browser), fen(&game.positions[4]), "out of both variations");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_page_stays_where_it_is_as_the_game_goes_on() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game()]);
    for view in [View::WIDE, View::PHONE] {
        browser.open(&report.file, "", view);
        browser.evaluate("scrollTo(0, 150)");
        for _ in 0..30 {
            browser.press("ArrowRight");
        }
        browser
            .evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished)).then(() => true)");
        assert_eq!(browser.evaluate("scrollY"), 150);
        let in_view = "(() => { const move = document.querySelector('.moves [aria-current]').getBoundingClientRect(); \
                       const list = document.querySelector('.moves').getBoundingClientRect(); \
                       return move.top >= list.top && move.bottom <= list.bottom; })()";
        assert_eq!(browser.evaluate(in_view), true, "the list follows the game");
    }
}

/// Every position of every line is the one the rules say: castling of all kinds, en passant, promotion.
#[test]
fn moves_are_what_the_rules_say() {
    let Some(mut browser) = Chromium::start() else { return };
    let games = [
        game(1, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", false, "O-O-O O-O"),
        game(2, "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1", true, "O-O-O O-O"),
        game(3, "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1", true, "O-O-O O-O"),
        game(4, "4k3/1P6/8/2pP4/8/8/6p1/4K3 w - c6 0 1", false, "dxc6 g1=Q+ Ke2 Qd4 b8=R+"),
        game(5, "4k3/8/8/8/8/8/4R3/4K3 b - - 5 40", false, "Kd7 Kd2"),
    ];
    let report = Report::of(&games);
    for game in &games {
        for (ply, position) in game.positions.iter().enumerate() {
            browser.open(&report.file, &format!("#game-{}/{ply}", game.number), View::WIDE);
            assert_eq!(shown(&mut browser), fen(position), "game {} after {ply}", game.number);
            let lit = browser.evaluate("document.querySelectorAll('.board square.check').length");
            assert_eq!(lit, u32::from(position.check), "game {} after {ply}", game.number);
            for (rank, line) in position.analysis.as_ref().unwrap().lines.iter().enumerate() {
                for step in 1..=line.uci.len().min(12) {
                    browser.evaluate(&format!(
                        "document.querySelector('.lines [data-go=\"l{ply}.{rank}.{step}\"].move').click()"
                    ));
                    assert_eq!(shown(&mut browser), after(&position.fen, &line.uci[..step]), "{:?}", &line.uci[..step]);
                }
            }
        }
    }
    browser.open(&report.file, "#game-5/1", View::WIDE);
    assert!(browser.text("document.querySelector('.played').textContent").starts_with("40…\u{a0}Kd7"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_table_of_games_sorts_and_opens() {
    let Some(mut browser) = Chromium::start() else { return };
    let names = ["Zukertort", "anderssen", "Morphy"];
    let games: Vec<_> = names
        .iter()
        .zip(1..)
        .map(|(name, number)| {
            let mut game = game(number, START, false, ["e4 e5", "d4", "c4 c5 Nc3 Nc6 g3"][number as usize - 1]);
            game.tags.iter_mut().filter(|tag| tag.name == "White").for_each(|tag| tag.value = (*name).to_owned());
            game
        })
        .collect();
    let report = Report::of(&games);
    browser.open(&report.file, "", View::WIDE);
    let places = "[...document.querySelectorAll('.games tbody .place')].map((cell) => cell.textContent).join(' ')";
    assert_eq!(browser.text(places), "1 2 3");
    for (column, order) in [("players", "2 3 1"), ("players", "1 3 2"), ("length", "3 1 2"), ("place", "1 2 3")] {
        browser.click(&format!(".games th.{column} button"));
        assert_eq!(browser.text(places), order, "{column}");
    }
    browser.click(".games tbody tr:nth-child(2) a");
    browser.wait_until("document.title.includes('anderssen')");
    assert_eq!(browser.text(HASH), "#game-2");
    assert_eq!(browser.evaluate("document.getElementById('overview').hidden"), true);
    assert_eq!(shown(&mut browser), first_fields(START));
    browser.click(".game nav a:nth-child(3)");
    browser.wait_until("document.querySelector('#stage h2').textContent.includes('Morphy')");
    browser.evaluate("history.back()");
    browser.wait_until("document.querySelector('#stage h2').textContent.includes('anderssen')");
    browser.click(".game nav a[href='#games']");
    browser.wait_until("!document.getElementById('overview').hidden && !document.querySelector('#stage article')");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn those_who_cannot_see_are_told() {
    let Some(mut browser) = Chromium::start() else { return };
    let game = rich_game();
    let report = Report::of(std::slice::from_ref(&game));
    browser.open(&report.file, "#game-1/8", View::WIDE);
    browser.press("ArrowRight");
    let said = browser.text("document.querySelector('[aria-live=polite]').textContent");
    assert!(said.starts_with("5, White: c takes d8 becomes knight") && said.contains("White expects"), "{said}");
    let label = browser.text("document.querySelector('.board').getAttribute('aria-label')");
    assert!(label.contains("knight b1 g1 d8") && label.ends_with("Black to move."), "{label}");
    let nameless = r#"[...document.querySelectorAll("button, a, [role=slider], [role=img], section, table")].filter((element) =>
        !element.getAttribute("aria-label") && !element.textContent.trim() && !element.querySelector("[aria-label]")).map((element) => element.outerHTML).join("\n")"#;
    assert_eq!(browser.text(nameless), "");
    // All moves are in reach of the keyboard, without being as many stops of the tabulator.
    assert_eq!(browser.evaluate("document.querySelectorAll('.moves button[tabindex=\"0\"]').length"), 1);
    browser.evaluate("document.querySelector('.moves button').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assert_eq!(browser.text("document.activeElement.dataset.go"), "m3");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(browser.text(outline), "solid", "one sees where the focus is");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn nothing_moves_for_those_who_ask_for_rest() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game()]);
    let moving = "document.getAnimations().length";
    for (reduced_motion, expected) in [(true, false), (false, true)] {
        browser.open(&report.file, "", View { reduced_motion, ..View::WIDE });
        let moves = browser.evaluate(&format!(
            "(() => {{ document.querySelector('[data-do=forward]').click(); return {moving} > 0; }})()"
        ));
        assert_eq!(moves, expected);
    }
}

#[test]
fn hostile_texts_do_nothing() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[hostile_game(), Game { number: 2, ..rich_game() }]);
    for script in [true, false] {
        for fragment in ["", "#game-1/5", "#game-99", "#game-1/99999999999999999999", "#%3Cscript%3E"] {
            browser.open(&report.file, fragment, View { script, ..View::WIDE });
            browser.press("ArrowRight");
            if script {
                assert_ne!(browser.text("document.title"), "taken");
                assert_eq!(browser.evaluate("document.querySelectorAll('img, [onload], [onerror]').length"), 0);
            }
        }
    }
    browser.open(&report.file, "#game-1/5", View::WIDE);
    assert!(browser.text("document.querySelector('.near .name').textContent").contains("</script>"), "shown as it is");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_page_can_be_read_without_a_script() {
    let Some(mut browser) = Chromium::start() else { return };
    let report = Report::of(&[rich_game(), Game { number: 2, ..rich_game() }]);
    for (name, view) in [("wide", View::WIDE), ("phone", View::PHONE)] {
        browser.open(&report.file, "", View { script: false, ..view });
        browser.picture(&format!("noscript-{name}"));
        // The protocol's own questions are answered with scripts switched off too.
        let seen = browser.evaluate(
            "(() => { const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => \
             element.checkVisibility() && element.getBoundingClientRect().width > 100).length; \
             return [seen('.games'), seen('article.game'), seen('.graph.chances'), seen('.moves .row') > 20, \
             seen('svg.diagram') > 6, seen('.facts table'), seen('#theme'), seen('.board')]; })()",
        );
        assert_eq!(seen, json!([1, 2, 2, true, true, 4, 0, 0]), "{name}");
        let width = browser.evaluate("document.documentElement.scrollWidth");
        assert_eq!(width, view.width);
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
