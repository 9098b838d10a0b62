//! The page as text.

use analysis::model::{BrokenGame, Game};
use analysis::report::Report;
use base64::Engine as _;
use sha2::{Digest, Sha256};

use crate::sample::{START, broken, game, rich_game, run, tag, variation};

/// The page of some games.
pub fn page(games: &[Game], broken: &[BrokenGame]) -> String {
    page_of(Report::new(run(), None).expect("a place for what has to wait"), games, broken)
}

/// The page that this report makes of some games.
pub fn page_of(mut report: Report, games: &[Game], broken: &[BrokenGame]) -> String {
    let mut page = Vec::new();
    games.iter().for_each(|game| report.add(game).expect("room"));
    broken.iter().for_each(|game| report.add_broken(game).expect("room"));
    report.write(&mut page).expect("memory takes it");
    String::from_utf8(page).expect("UTF-8")
}

/// A game in which every text of a file is as bad as it can be.
pub fn hostile_game() -> Game {
    const BAD: [&str; 4] = [
        "</script><script>document.title='taken'</script>",
        "</noscript><img src=x onerror=\"document.title='taken'\">",
        "\"'><!-- --><svg onload=document.title='taken'>\u{202e}\u{0}",
        "&lt;b&gt; ${document.title='taken'} `\\u003cscript>",
    ];
    let mut game = rich_game();
    for (name, value) in
        ["White", "Black", "Event", "Site", "Date", "Opening", "WhiteElo", "Odd"].iter().zip(BAD.iter().cycle())
    {
        game.tags.retain(|tag| tag.name != *name);
        game.tags.push(tag(name, value));
    }
    game.tags.push(tag(BAD[0], BAD[1]));
    game.comment = BAD.concat();
    for (mv, bad) in game.moves.iter_mut().zip(BAD.iter().cycle()) {
        mv.comment = (*bad).to_owned();
        mv.file_evaluation = Some((*bad).to_owned());
    }
    game.variations.push(variation(None, 3, &[("d5", "d7d5", BAD[1])]));
    game.variations[0].moves[0].prelude = BAD[0].to_owned();
    game.findings[0].text = BAD[2].to_owned();
    game.result = BAD[0].to_owned();
    game
}

fn hostile_page() -> String {
    let mut broken = broken();
    broken.fault = "</ul><script>document.title='taken'</script>".to_owned();
    page(&[hostile_game()], &[broken])
}

/// All elements of a name in a text, with what is inside.
pub fn elements<'a>(page: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    page.split(open).skip(1).map(|rest| rest.split(close).next().unwrap_or(rest)).collect()
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let games = [rich_game(), game(2, START, false, "d4 d5")];
    assert_eq!(page(&games, &[broken()]), page(&games, &[broken()]));
}

#[test]
fn nothing_is_asked_of_any_server() {
    let page = page(&[rich_game()], &[]);
    let allowed = ["http://www.w3.org/2000/svg", "url(#", "url(\"data:image/svg+xml,"];
    let page = allowed.iter().fold(page, |page, allowed| page.replace(allowed, ""));
    for reference in ["http:", "https:", "//cdn", "url(", "@import", " src=", "integrity="] {
        assert!(!page.contains(reference), "{reference}");
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let page = hostile_page();
    // Whatever begins an element was put there by us.
    for bad in ["<script>", "<img", "<svg onload", "<!--"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert_eq!(page.matches("</script").count(), 2, "the data of one game, and the script");
    assert_eq!(page.matches("</noscript").count(), 1);
    assert!(page.contains("&lt;/script&gt;"), "the texts are there, escaped");
    let data = elements(&page, "<script id=\"data-1\" type=\"application/json\">", "</script>");
    let data: serde_json::Value = serde_json::from_str(data[0]).unwrap();
    assert_eq!(data["players"][0], "</script><script>document.title='taken'</script>");
}

#[test]
fn the_policy_names_the_script_and_the_style_that_are_there() {
    let page = hostile_page();
    for (open, close) in [("<script type=\"module\">", "</script>"), ("<style>", "</style>")] {
        let text = elements(&page, open, close);
        assert_eq!(text.len(), 1, "{open}");
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text[0]));
        assert!(page.contains(&format!("'sha256-{hash}'")), "{open}");
    }
    // An attribute would need a policy that lets styles through.
    assert!(!page.contains(" style="));
}

/// Also the one that runs before the games are there, which only pages of many games have.
#[test]
fn the_policy_of_many_games_names_both_scripts() {
    let many: Vec<_> = (1..=51).map(|number| game(number, START, false, "e4")).collect();
    for (games, count) in [(&many[..50], 1), (&many[..], 2)] {
        let page = page(games, &[]);
        let policy = elements(&page, "script-src ", "\"")[0];
        let mut scripts = elements(&page, "<script type=\"module\">", "</script>");
        scripts.extend(elements(&page, "<script>", "</script>"));
        let hash = |text: &&str| {
            format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
        };
        assert_eq!((scripts.len(), policy.split(' ').count()), (count, count));
        assert!(scripts.iter().all(|script| policy.contains(&hash(script))), "{policy}");
    }
}

#[test]
fn all_that_was_found_can_be_read_without_a_script() {
    let page = page(&[rich_game(), game(2, START, false, "d4 d5")], &[broken()]);
    for text in [
        "A game for the tests.",
        " · B02 Alekhine Defense: Scandinavian Variation",
        "<small class=\"opening\" dir=\"auto\">B02 Alekhine Defense: Scandinavian Variation</small>",
        "Alekhine's own idea.",
        "The quiet way.",
        "A threat?",
        "White cannot mate by any series of legal moves.",
        "missed mate in 3",
        "21 December 1858",
        "cxd8=N",
        "only</span>",
        "0.31 in the file",
        "Game 9: line 214: ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let first = elements(&page, "<noscript data-game=\"1\">", "</noscript>")[0];
    assert_eq!(first.matches("class=\"graph ").count(), 3, "chances, clocks and times");
    let second = elements(&page, "<noscript data-game=\"2\">", "</noscript>")[0];
    assert_eq!(second.matches("class=\"graph ").count(), 1, "no clocks");
    assert!(first.matches("<svg class=\"diagram\"").count() > 3);
    assert!(first.matches("throws away").count() > 3);
}

#[test]
fn a_position_without_a_game_has_its_diagram_and_lines() {
    let mut position = game(1, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, "");
    position.tags = vec![tag("SetUp", "1")];
    position.result = "*".to_owned();
    let page = page(&[position], &[]);
    assert!(page.contains(">Position</h2>"));
    assert_eq!(page.matches("<svg class=\"diagram\"").count(), 1);
    assert!(!page.contains("class=\"graph") && !page.contains("<ol class=\"moves\""));
}

#[test]
fn an_interrupted_game_says_so_and_shows_what_there_is() {
    let mut game = rich_game();
    game.complete = false;
    for position in game.positions.iter_mut().skip(5).step_by(7) {
        position.analysis = None;
    }
    game.positions.iter_mut().skip(20).for_each(|position| position.analysis = None);
    let page = page(&[game], &[]);
    let article = elements(&page, "<noscript data-game=\"1\">", "</noscript>")[0];
    assert!(article.contains("interrupted"));
    assert!(!article.contains("NaN") && !article.contains("inf%"), "no number without a value");
    assert!(page.contains(",null,"), "the script is told which positions are missing");
}

#[test]
fn variations_of_any_depth_do_no_harm() {
    let mut game = game(1, START, false, "e4");
    for depth in 0..100_000_u32 {
        game.variations.push(variation(depth.checked_sub(1), 0, &[("d4", "d2d4", "")]));
    }
    // One that claims to depart from one after it.
    game.variations.push(variation(Some(u32::MAX), 7, &[("c4", "c2c4", "")]));
    let page = page(&[game], &[]);
    assert!(page.matches("</span> (<span class=\"move\" data-go=\"v").count() > 90_000);
}

#[test]
fn hundreds_of_games_stay_small() {
    let games: Vec<_> = (1..=300).map(|number| Game { number, ..rich_game() }).collect();
    let size = page(&games, &[]).len();
    let each = size / games.len();
    // A game of 52 half-moves with two lines of 14 for each; the games are packed.
    assert!(each < 22_000, "{each} bytes a game");
    let assets = page(&[], &[]).len();
    assert!(assets < 184_500, "{assets} bytes without a game");
}

/// What the packs of a page hold: the number of each game, its page and its data.
fn unpacked(page: &str) -> Vec<(u32, String, serde_json::Value)> {
    let packs = page.split("<script id=\"pack-").skip(1).map(|rest| rest.split(['>', '<']).nth(1).expect("a pack"));
    let games = packs.flat_map(|pack| {
        let bytes = base64::engine::general_purpose::STANDARD.decode(pack).expect("Base64");
        let unpacked = flate2::read::GzDecoder::new(&bytes[..]);
        let (games, pages, data): (Vec<_>, Vec<_>, Vec<_>) = serde_json::from_reader(unpacked).expect("JSON");
        assert_eq!([games.len(), pages.len()], [data.len(); 2]);
        games.into_iter().zip(pages).zip(data).map(|((game, page), data)| (game, page, data))
    });
    games.collect()
}

#[test]
fn many_games_are_packed_and_can_be_read_all_the_same() {
    let few: Vec<_> = (1..=12).map(|number| Game { number, ..hostile_game() }).collect();
    let few = page(&few, &[]);
    let many: Vec<_> = (1..=70).map(|number| Game { number, ..hostile_game() }).collect();
    let many = page(&many, &[]);
    let games = unpacked(&many);
    assert!(games.iter().map(|(number, ..)| *number).eq(1..=70));
    // The script gets what it gets of few games, but for how much is pictured.
    let data = elements(&few, "<script id=\"data-7\" type=\"application/json\">", "</script>")[0];
    assert_eq!(games[6].2, serde_json::from_str::<serde_json::Value>(data).unwrap());
    let article = elements(&few, "<noscript data-game=\"7\">", "</noscript>")[0];
    let without_diagrams = |page: &str| page.split("<section class=\"moments").next().unwrap().to_owned();
    assert_eq!(without_diagrams(&games[6].1), without_diagrams(article));
    assert_eq!(unpacked(&few).len(), 0);
    // Without it all moves and facts are there.
    let rich: Vec<_> = (1..=70).map(|number| Game { number, ..rich_game() }).collect();
    let rich = page(&rich, &[]);
    let brief = elements(&rich, "<noscript data-game=\"7\" data-pack=\"0\">", "</noscript>")[0];
    for mv in &rich_game().moves {
        assert!(brief.contains(&mv.san), "{}", mv.san);
    }
    for text in [
        "A game for the tests.",
        "Alekhine's own idea.",
        "The quiet way.",
        "A threat?",
        "White cannot mate by any series of legal moves.",
        "missed mate in 3",
        "21 December 1858",
        "accuracy (and average loss in centipawns) · game ",
        "blunders",
    ] {
        assert!(brief.contains(text), "{text}: {brief}");
    }
    // The head has a script of its own, below.
    let (_, body) = many.split_once("<body>").unwrap();
    for bad in ["<script>", "<img", "<svg onload", "<!--"] {
        assert!(!body.contains(bad), "{bad}");
    }
}
