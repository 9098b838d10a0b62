//! `vancura profile` in this process: the numbers, the names, the page and how it looks in a browser.

#[allow(dead_code)]
#[path = "../report/chromium.rs"]
mod chromium;

use std::ffi::OsString;
use std::fs;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use analysis::AnalyseError;
use analysis::profile::model::{Outcome, Profile, Row};
use analysis::profile::{ProfileArguments, run_until};
use clap::Parser;
use tempfile::TempDir;

use crate::chromium::{Chromium, View};

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: ProfileArguments,
}

/// A folder with games of `Berg, Anna`, and the command on it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(games: &str) -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::write(place.path("in.pgn"), games).expect("a file");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs with these arguments; those that begin with `@` are files of the folder.
    fn run(&self, arguments: &[&str]) -> Result<(), AnalyseError> {
        let arguments = arguments.iter().map(|argument| match argument.strip_prefix('@') {
            Some(name) => self.path(name).into_os_string(),
            None => argument.into(),
        });
        let line = CommandLine::try_parse_from([OsString::from("profile")].into_iter().chain(arguments));
        run_until(&line.unwrap_or_else(|error| panic!("{error}")).arguments, &AtomicBool::new(false))
    }

    fn profile(&self, more: &[&str]) -> Profile {
        let arguments =
            [&["@in.pgn", "--player", "anna BERG", "--json", "@out.json", "--html", "@out.html"], more].concat();
        self.run(&arguments).unwrap_or_else(|error| panic!("{error}"));
        serde_json::from_str(&self.read("out.json")).expect("a profile")
    }
}

/// Searched with little effort.
const TOY: [&str; 2] = ["--nodes", "80"];
/// Not searched at all.
const BY_FILE: [&str; 2] = ["--use-evals", "--no-search"];

/// Games with and without evaluations and clocks, the player on both sides, in three months.
fn games() -> String {
    let game = |number: usize| {
        let (white, black) = if number.is_multiple_of(2) { ("Berg, Anna", "Ben") } else { ("Clara Dorn", "Anna Berg") };
        let tags = format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{}\"]\n[Date \"2024.{:02}.05\"]\n[ECO \"C4{}\"]\n\
             [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[TimeControl \"180+2\"]\n",
            ["1-0", "0-1", "1/2-1/2"][number % 3],
            1 + number / 4,
            number % 3,
            1200 + 100 * number,
            1300 + 90 * number,
        );
        let moves = [
            "1. e4 {[%eval 0.3] [%clk 0:03:00]} e5 {[%eval 0.3] [%clk 0:02:58]} 2. Nf3 {[%eval 0.3] [%clk 0:02:50]} f6 \
             {[%eval 1.9] [%clk 0:02:40]} 3. Nxe5 {[%eval 0.9] [%clk 0:02:30]} fxe5 {[%eval 3.5] [%clk 0:00:09]} 4. Qh5+ \
             {[%eval 3.4] [%clk 0:02:20]} Ke7 {[%eval 6.0] [%clk 0:00:08]}",
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ 8. Qd2 Bxd2+ 9. Kxd2 Kxd8",
        ];
        format!("{tags}\n{} {}\n\n", moves[number / 2 % 2], ["1-0", "0-1", "1/2-1/2"][number % 3])
    };
    let others = "[White \"Ben\"]\n[Black \"Clara Dorn\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    (0..12).map(game).chain([others.to_owned()]).collect()
}

#[test]
fn the_numbers_are_those_of_the_games() {
    let place = Place::new(&games());
    let profile = place.profile(&BY_FILE);
    assert_eq!((&profile.player[..], profile.evaluated, profile.searched, profile.unjudged), ("Berg, Anna", 6, 0, 6));
    let total = &profile.total;
    assert_eq!((total.games, total.wins, total.draws, total.losses), (12, 4, 4, 4));
    assert_eq!(total.score, Some(50.0));
    let [white, black] = &profile.colours[..] else { panic!("two colours") };
    assert_eq!((&white.name[..], white.games, black.games), ("White", 6, 6));
    // White's first move has nothing before it; Black's 2... f6, 3... fxe5 and 4... Ke7 lose points each time: 0.14, 0.20 and 0.12.
    assert_eq!((white.moves, black.moves), (3 * 3, 3 * 4));
    assert!(black.accuracy < white.accuracy, "{black:?}");
    assert_eq!((black.mistakes, black.blunders), (6, 3));
    assert_eq!(profile.phases.iter().map(|row| row.moves).sum::<u64>(), total.moves);
    assert_eq!(profile.months.iter().map(|row| &row.name[..]).collect::<Vec<_>>(), ["2024-01", "2024-02", "2024-03"]);
    assert_eq!(
        profile.openings.iter().map(|row| (&row.name[..], row.games)).collect::<Vec<_>>(),
        [("C40", 4), ("C41", 4), ("C42", 4)]
    );
    let left = profile.time_left.iter().find(|row| row.name == "less than 10 s").expect("one with a low clock");
    assert_eq!(left.moves, 3, "only 4... Ke7 was played with nine seconds left");
    assert!(profile.time_spent.iter().any(|row| row.name == "2 min or more" && row.moves == 3));
    let worst = &profile.practice[0];
    assert_eq!((worst.times, worst.black, worst.best.as_deref()), (3, true, None));
    assert!(profile.opponents.iter().all(|row| row.name.len() == "1200 to 1399".len()));
}

#[test]
fn where_games_leave_a_repertoire_is_told() {
    let place = Place::new(&games());
    fs::write(place.path("white.pgn"), "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *\n")
        .expect("a file");
    let profile = place.profile(&["--use-evals", "--no-search", "--repertoire", "@white.pgn"]);
    let rows = |rows: &[Row]| rows.iter().map(|row| (row.name.clone(), row.games, row.score)).collect::<Vec<_>>();
    let row = |name: &str, games, score| (name.to_owned(), games, Some(score));
    // Half of the games with White begin with 1. d4, in the others 2... f6 comes. Of those with Black it has nothing.
    assert_eq!(rows(&profile.repertoire), [row("left by the player", 3, 50.0), row("left by the opponent", 3, 50.0)]);
    assert_eq!(rows(&profile.left_by_player), [row("1. d4, not e4", 3, 50.0)]);
    let at = "2... f6, not Nc6 or d6 (King's Knight Opening)";
    assert_eq!(rows(&profile.left_by_opponents), [row(at, 3, 50.0)]);
    let with =
        |number: u32| profile.games.iter().find(|game| game.number == number).expect("a game").repertoire.clone();
    let departure = with(1).expect("a game with White");
    assert_eq!((departure.outcome, departure.number, departure.black), (Outcome::OpponentLeft, Some(2), true));
    assert_eq!(
        (departure.played.as_deref(), &departure.says[..]),
        (Some("f6"), &["Nc6".to_owned(), "d6".to_owned()][..])
    );
    assert!(departure.fen.is_some_and(|fen| fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/")));
    assert_eq!(with(2), None);
    let page = place.read("out.html");
    assert!(page.contains("1. d4, not e4") && page.contains("left by the opponent at 2... f6, not Nc6 or d6"));
    assert_eq!(dead_links(&page), [""; 0]);
    // Without one, nothing is said of it.
    assert!(place.profile(&BY_FILE).repertoire.is_empty() && !place.read("out.html").contains("epertoire"));
    let refused = |file: &str| {
        let arguments = ["@in.pgn", "--player", "Anna Berg", "--no-search", "--use-evals", "--repertoire", file];
        place.run(&arguments).expect_err("no repertoire").to_string()
    };
    assert!(refused("@none.pgn").contains("the repertoire"), "{}", refused("@none.pgn"));
    fs::write(place.path("bad.pgn"), "1. e4 e5 (1... c5 2. Nf9) 2. Nf3 *\n").expect("a file");
    assert!(refused("@bad.pgn").contains("Nf9"), "{}", refused("@bad.pgn"));
    let written = ["@in.pgn", "--player", "Anna Berg", "--repertoire", "@white.pgn", "--json", "@white.pgn"];
    assert!(place.run(&written).expect_err("it would be lost").to_string().contains("overwrite the input"));
}

/// The addresses within a page that lead nowhere.
fn dead_links(page: &str) -> Vec<&str> {
    let targets = page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
    targets.filter(|target| !page.contains(&format!("id=\"{target}\""))).collect()
}

#[test]
fn every_link_of_the_page_leads_somewhere() {
    let place = Place::new(&games());
    let profile = place.profile(&TOY);
    let page = place.read("out.html");
    assert!(page.contains("href=\"#squares\"") && page.contains("href=\"#game-12\""));
    assert_eq!(dead_links(&page), [""; 0]);
    // Each number leads to its games.
    assert_eq!(profile.games.len(), 12);
    for rows in [&profile.colours, &profile.openings, &profile.phases, &profile.opponents, &profile.months] {
        assert!(rows.iter().all(|row| row.numbers.len() as u64 == row.games), "{rows:?}");
    }
    assert!(profile.practice.iter().all(|position| (1..=12).contains(&position.game)));
}

#[test]
fn filters_leave_what_is_asked_for() {
    let place = Place::new(&games());
    let count = |more: &[&str]| place.profile(&[&BY_FILE[..], more].concat()).total.games;
    assert_eq!(count(&["--colour", "white"]), 6);
    assert_eq!((count(&["--since", "2024-02"]), count(&["--until", "2024-01"])), (8, 4));
    assert_eq!((count(&["--opening", "c41"]), count(&["--opening", "C4"])), (4, 12));
    assert_eq!(count(&["--rating", "-1500"]) + count(&["--rating", "1501-"]), 12);
    let low = place.profile(&[&BY_FILE[..], &["--time-left", "0-9"]].concat());
    assert_eq!((low.total.games, low.total.moves), (3, 3), "4... Ke7 alone");
    let error = place
        .run(&["@in.pgn", "--player", "Anna Berg", "--since", "2025", BY_FILE[0], BY_FILE[1]])
        .expect_err("no game is so new");
    assert_eq!(error.to_string(), "Berg, Anna has 12 games, but none that fits what was asked for");
}

#[test]
fn searched_games_count_with_those_that_have_evaluations() {
    let place = Place::new(&games());
    let searched = place.profile(&TOY);
    assert_eq!((searched.searched, searched.evaluated, searched.unjudged), (12, 0, 0));
    assert!(searched.total.moves > 60 && searched.practice.iter().all(|position| position.best.is_some()));
    let both = place.profile(&[&TOY[..], &["--use-evals"]].concat());
    assert_eq!((both.searched, both.evaluated, both.unjudged), (6, 6, 0));
    assert_eq!(both.total.games, 12);
    assert!(both.total.moves < searched.total.moves, "before the first move nothing is known");
}

#[test]
fn positions_of_the_page_can_be_played_on_elsewhere() {
    let place = Place::new(&games());
    let profile = place.profile(&BY_FILE);
    let page = place.read("out.html");
    assert!(!profile.practice.is_empty());
    for position in &profile.practice {
        let field = format!("readonly value=\"{}\"", position.fen);
        assert_eq!(page.matches(&field).count(), 1, "{field}");
    }
    assert!(page.contains("cannot be compared"), "accuracy is not that of others");
}

#[test]
fn neither_threads_nor_a_store_change_anything() {
    let place = Place::new(&games());
    let alone = place.profile(&[&TOY[..], &["--threads", "1"]].concat());
    let page = place.read("out.html");
    for more in [&["--threads", "3"][..], &["--store", "@store"], &["--store", "@store", "--threads", "2"]] {
        let profile = place.profile(&[&TOY[..], more].concat());
        assert_eq!(profile, alone, "{more:?}");
        assert!(place.read("out.html") == page, "{more:?}");
    }
}

#[test]
fn a_name_that_nobody_has_is_answered_with_names() {
    let place = Place::new(&games());
    let error = |name: &str| {
        let result = place.run(&["@in.pgn", "--player", name, "--json", "@none.json", "--no-search", "--use-evals"]);
        assert!(!place.path("none.json").exists(), "nothing is written");
        result.expect_err("nobody has the name").to_string()
    };
    assert_eq!(
        error("Ana Berg"),
        "no game of Ana Berg; the nearest names are: Berg, Anna (12); the most frequent names are: Berg, Anna (12), Ben \
         (7), Clara Dorn (7)"
    );
    assert!(error("x").starts_with("no game of x; the most frequent names are: "));
    let both =
        ["@in.pgn", "--player", "Ben", "--player", "dorn, clara", "--json", "@both.json", BY_FILE[0], BY_FILE[1]];
    place.run(&both).expect("two names of one player");
    let profile: Profile = serde_json::from_str(&place.read("both.json")).expect("a profile");
    assert_eq!(profile.total.games, 13);
}

#[test]
fn no_file_is_destroyed() {
    let place = Place::new(&games());
    for arguments in [
        &["@in.pgn", "--player", "Ben", "--html", "@in.pgn"][..],
        &["@in.pgn", "--player", "Ben", "--html", "@x", "--json", "@x"],
        &["@in.pgn", "--player", "Ben", "--json", "@in.pgn"],
        &["@in.pgn", "--player", "Ben", "--store", "@in.pgn"],
        &["@missing.pgn", "--player", "Ben"],
    ] {
        let arguments = [arguments, &BY_FILE].concat();
        assert!(place.run(&arguments).is_err(), "{arguments:?}");
        assert!(place.read("in.pgn") == games() && !place.path("x").exists());
    }
    fs::write(place.path("broken.pgn"), format!("{}[FEN \"x\"]\n\n1. e4 *\n", games())).expect("a file");
    let arguments = ["@broken.pgn", "--player", "Ben", "--json", "@out.json", BY_FILE[0], BY_FILE[1]];
    let result = place.run(&arguments);
    assert!(matches!(result, Err(AnalyseError::Broken { count: 1 })), "{result:?}");
    assert!(place.read("out.json").contains("\"games\": 7"), "the others are in it");
}

#[test]
fn an_interrupted_run_leaves_old_files_and_the_store() {
    let place = Place::new(&games());
    fs::write(place.path("out.html"), "old").expect("a file");
    let words = ["profile", "--player", "Anna Berg", "--nodes", "80"].map(OsString::from);
    let files = [("--html", "out.html"), ("--store", "store")];
    let files = files.into_iter().flat_map(|(option, name)| [option.into(), place.path(name).into_os_string()]);
    let line = words.into_iter().chain(files).chain([place.path("in.pgn").into_os_string()]);
    let line = CommandLine::try_parse_from(line).expect("arguments");
    let result = run_until(&line.arguments, &AtomicBool::new(true));
    assert!(matches!(result, Err(AnalyseError::Interrupted(_))), "{result:?}");
    assert_eq!(place.read("out.html"), "old");
    run_until(&line.arguments, &AtomicBool::new(false)).expect("the same command goes on");
    assert!(place.read("out.html").contains("Berg, Anna"));
}

/// Tags that would be HTML, and names that have no end.
fn hostile_games() -> String {
    let evil = "<script>alert(1)</script>\\\"'&amp;</style>";
    let long = "Eine-sehr-lange-Eröffnung-ohne-ein-Leerzeichen-darin-die-nirgends-umbrochen-werden-kann";
    games()
        .replace("Ben", evil)
        .replace("[ECO \"C40\"]", &format!("[Opening \"{long}\"]"))
        .replace("[ECO \"C41\"]", &format!("[Opening \"{evil}\"]"))
}

#[test]
fn what_a_file_says_stays_text() {
    let place = Place::new(&hostile_games());
    place.profile(&BY_FILE);
    let page = place.read("out.html");
    assert!(!page.contains("<script") && page.matches("</style>").count() == 1);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("default-src 'none'") && !page.contains("http://") && !page.contains("https://"));
}

/// The texts that stick out of their boxes or of the page, and those that lie on each other. Fonts are those that every
/// system has.
const FAULTS: &str = r#"(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { font-family: 'DejaVu Sans' !important }");
    document.adoptedStyleSheets = [sheet];
    for (const part of document.querySelectorAll("details")) part.open = true;
    const width = document.documentElement.clientWidth;
    const boxes = [];
    const faults = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width < 1 || node.parentElement.closest(".source")) continue;
            if (box.left < 0 || box.right > width + 0.5) faults.push("outside: " + node.data);
            const cell = node.parentElement.closest("td, th, dd, dt, li, p, h2, h3");
            const around = cell?.getBoundingClientRect();
            if (around && (box.right > around.right + 1 || box.left < around.left - 1)) faults.push("sticks out: " + node.data);
            boxes.push([box, node]);
        }
    }
    for (let one = 0; one < boxes.length; one++) {
        for (let other = one + 1; other < boxes.length; other++) {
            const [a, first] = boxes[one], [b, second] = boxes[other];
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (first !== second && across > 1 && down > 4) faults.push("overlap: " + first.data + " and " + second.data);
        }
    }
    if (document.documentElement.scrollWidth !== width) faults.push("scrolls: " + document.documentElement.scrollWidth);
    return faults.join("; ");
})()"#;

#[test]
fn the_page_fits_phones_and_wide_screens_light_and_dark() {
    let Some(mut browser) = Chromium::start() else { return };
    let desktop = View { width: 1280, ..View::WIDE };
    for (name, games) in [("plain", games()), ("hostile", hostile_games())] {
        let place = Place::new(&games);
        place.profile(&BY_FILE);
        for (size, view) in [("phone", View::PHONE), ("desktop", desktop)] {
            for (colours, view) in [("light", view), ("dark", view.dark())] {
                browser.open(&place.path("out.html"), "", view);
                assert_eq!(browser.text(FAULTS), "", "{name}, {size}, {colours}");
                browser.picture(&format!("profile-{name}-{size}-{colours}"));
                let seen = "[...document.querySelectorAll('.trend polyline, .gallery .diagram, .measure rect')].length";
                assert!(browser.evaluate(seen).as_u64() > Some(40), "charts and diagrams are there");
            }
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn real_games_have_a_profile() {
    let Some(data) = std::env::var_os("VANCURA_TEST_DATA") else {
        eprintln!("skipped: VANCURA_TEST_DATA does not name the folder with test data");
        return;
    };
    let file = fs::File::open(Path::new(&data).join("pgn/lichess_db_1000k.pgn.zst")).expect("games from Lichess");
    let mut text = String::new();
    pgn::text_of(BufReader::new(file)).expect("a compressed file").read_to_string(&mut text).expect("UTF-8");
    // Nobody has more than one game there, so each is given to one player, White and Black by turns.
    let mut games = 0;
    let lines = text.lines().map(|line| {
        games += usize::from(line.starts_with("[Event "));
        let side = ["[White \"", "[Black \""][games % 2];
        if line.starts_with(side) { format!("{side}Anna Berg\"]\n") } else { format!("{line}\n") }
    });
    let text: String = lines.collect();
    let place = Place::new(&text);
    let profile = place.profile(&BY_FILE);
    assert_eq!(profile.total.games, 438);
    assert!(profile.evaluated > 20 && profile.evaluated + profile.unjudged == 438, "{}", profile.evaluated);
    assert!(profile.total.accuracy.is_some_and(|accuracy| (70.0..98.0).contains(&accuracy)), "{:?}", profile.total);
    assert!(profile.openings.len() > 50 && profile.time_left.len() > 3 && profile.opponents.len() > 5);
    // The first games, searched.
    let part: String = text.split_inclusive("\n\n").take(2 * 30).collect();
    let place = Place::new(&part);
    let profile = place.profile(&["--nodes", "200"]);
    assert_eq!((profile.total.games, profile.searched), (30, 30));
    assert!(profile.total.moves > 500 && profile.practice.len() == 12, "{:?}", profile.total);
}
