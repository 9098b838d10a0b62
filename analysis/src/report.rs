//! Analysed games as one page that needs nothing else: no network, no other file, no program but a browser.
//!
//! Each game is written as a page that can be read without a script, with diagrams. It stands in a `noscript` element,
//! which costs a browser that runs scripts next to nothing, however many games there are. The script builds on it: it
//! takes the page of the game that is opened out of its element, and adds a board that can be moved. What it needs
//! besides, positions and best lines, stands beside it as data.
//!
//! Of many games both are compressed, and unpacked when a game is opened; beside that each stands once as text.
//!
//! Whatever a file says goes through `maud`, which escapes it, or through the module `data`. Should that ever fail, the
//! browser still runs no script but ours and loads nothing: the page's policy names the hash of each.

mod brief;
mod data;
mod diagram;
mod facts;
mod game;
mod graph;
mod live;
mod moves;
mod overview;
mod pack;
mod script;
mod words;

use std::io::{self, BufRead, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

pub use self::live::LiveEngine;
use self::overview::Overview;
use self::pack::Packer;
use crate::judge;
use crate::model::{BrokenGame, Game, Run, Side};
use crate::temp_file::TempFile;

const STYLE: [&str; 5] = [
    page::text("tokens.css"),
    page::text("vendor/chessground.base.css"),
    page::text("board.css"),
    page::text("review.css"),
    page::text("report/report.css"),
];
const MARKS: &str = page::text("report/marks.svg");
const VIEWER: &str = page::text("report/viewer.html");
/// A rook on a square, for the tab of the browser; without one it would ask a server.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
    %3Crect width='32' height='32' rx='7' fill='%232b6a5c'/%3E%3Cpath fill='%23fffdf8' \
    d='M9 7h3.500v3h2V7h3v3h2V7H23v6l-2 2v6l2.500 4h-15L11 21v-6l-2-2z'/%3E%3C/svg%3E";

/// About how many diagrams a page may have; a game has between the two bounds of [`diagrams_for_each`].
const DIAGRAMS: usize = 600;

/// From this many games on they are packed.
const MANY: usize = 51;

/// What a page of many games runs before its body: until the script has chosen what is shown, the style leaves out most rows of the
/// table, since laying them out takes longer than all else. They are back where a browser cannot run the script.
const FIRST_SCRIPT: &str = r#"const root = document.documentElement;
root.classList.add("scripted");
addEventListener("error", () => root.classList.remove("scripted"));"#;

/// A report in the making. The same games in the same order give the same bytes.
///
/// The page begins with a table of all games, and how much of each is pictured depends on how many there are: so games
/// lie on disk until the last has come, and none stays in memory.
pub struct Report {
    run: Run,
    overview: Overview,
    /// As JSON, each in a line.
    games: TempFile,
    /// What the page is called if it has but one game.
    title: Option<String>,
    /// The engine that the page carries, if it is to go on analysing.
    engine: Option<LiveEngine>,
}

impl Report {
    /// A report without games. What has to wait lies in a folder, best that of the page, or else where the system has
    /// room for such things, and is gone when the report is.
    ///
    /// # Errors
    ///
    /// If there is no place for what has to wait.
    pub fn new(run: Run, folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self { run, overview: Overview::new(folder)?, games: TempFile::new(folder)?, title: None, engine: None })
    }

    /// Lets the page carry this engine, with which it analyses on where its reader wants that.
    #[must_use]
    pub fn with_engine(self, engine: LiveEngine) -> Self {
        Self { engine: Some(engine), ..self }
    }

    /// Takes an analysed game.
    ///
    /// # Errors
    ///
    /// If it cannot be put aside.
    pub fn add(&mut self, game: &Game) -> io::Result<()> {
        self.title.get_or_insert_with(|| title(&self.run, game));
        self.overview.add(game)?;
        serde_json::to_writer(&mut self.games, game)?;
        self.games.write_all(b"\n")
    }

    /// Adds a game that could not be read.
    ///
    /// # Errors
    ///
    /// If it cannot be put aside.
    pub fn add_broken(&mut self, game: &BrokenGame) -> io::Result<()> {
        self.overview.add_broken(game)
    }

    /// Writes the page of all games so far.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or what was put aside not be read.
    pub fn write(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let Self { run, overview, games, title, engine } = self;
        let engine = engine.as_ref();
        let count = overview.totals.games;
        let assets = Assets::new(engine.is_some(), count >= MANY);
        let title = title.as_deref().filter(|_| count == 1).unwrap_or(&run.source);
        output.write_all(opening(run, title, &assets).into_string().as_bytes())?;
        overview.write(output)?;
        output.write_all(b"<div id=\"stage\"></div>\n")?;
        let diagrams = diagrams_for_each(count);
        let mut packer = Packer::default();
        for line in games.read()?.lines() {
            let game = serde_json::from_str(&line?)?;
            if count < MANY {
                output.write_all(one(&game, diagrams).into_string().as_bytes())?;
                continue;
            }
            output.write_all(packed(&game, packer.number()).into_string().as_bytes())?;
            if let Some(pack) = packer.add(&game, diagrams)? {
                output.write_all(pack.into_string().as_bytes())?;
            }
        }
        if let Some(pack) = packer.finish()? {
            output.write_all(pack.into_string().as_bytes())?;
        }
        output.write_all(closing(run, engine, &assets).into_string().as_bytes())
    }
}

/// How many bad moves of each game are pictured at most, besides its last position.
fn diagrams_for_each(games: usize) -> usize {
    (DIAGRAMS / games.max(1)).clamp(1, 12)
}

/// The scripts and the style of a page.
struct Assets {
    first_script: Option<&'static str>,
    script: String,
    style: String,
    has_engine: bool,
}

impl Assets {
    fn new(has_engine: bool, has_many_games: bool) -> Self {
        let style = if has_engine { live::STYLE } else { "" };
        Self {
            first_script: has_many_games.then_some(FIRST_SCRIPT),
            script: script::script(has_engine),
            style: page::pieces::inlined(&[&STYLE.concat(), style].concat()),
            has_engine,
        }
    }

    /// Nothing is loaded, and no script or style but ours is used.
    fn policy(&self) -> String {
        let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        let first = self.first_script.map(|script| hash(script) + " ").unwrap_or_default();
        let engine = if self.has_engine { " 'wasm-unsafe-eval'; worker-src blob:" } else { "" };
        format!(
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src {}; script-src {first}{}{engine}",
            hash(&self.style),
            hash(&self.script)
        )
    }
}

fn opening(run: &Run, title: &str, assets: &Assets) -> Markup {
    html! {
        (DOCTYPE)
        (PreEscaped("<html lang=\"en\">\n"))
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(assets.policy());
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title { (title) }
            link rel="icon" href=(ICON);
            style { (PreEscaped(&assets.style)) }
            @if let Some(script) = assets.first_script { script { (PreEscaped(script)) } }
        }
        (PreEscaped("\n<body>\n"))
        (PreEscaped(page::pieces::symbols()))
        (PreEscaped(MARKS))
        (banner(run))
        (PreEscaped("<main>\n"))
    }
}

/// What a page of this game alone is called.
fn title(run: &Run, game: &Game) -> String {
    if game.moves.is_empty() {
        return run.source.clone();
    }
    format!("{} – {}", words::player(game, Side::White), words::player(game, Side::Black))
}

fn banner(run: &Run) -> Markup {
    html! {
        header .banner {
            h1 {
                svg .brand viewBox="0 0 1 1" aria-hidden="true" { use href="#rook" {} }
                "Vancura " bdi .source { (run.source) }
            }
            button #theme type="button" hidden aria-label="Dark colours" title="Dark colours" {
                svg viewBox="0 0 24 24" aria-hidden="true" {
                    circle cx="12" cy="12" r="8.5" {}
                    path d="M12 3.500a8.500 8.500 0 0 1 0 17z" {}
                }
            }
        }
    }
}

/// A game's page, and its data for the script.
fn one(game: &Game, diagrams: usize) -> Markup {
    html! {
        noscript data-game=(game.number) { (game::article(game, diagrams)) }
        "\n"
        script #{ "data-" (game.number) } type="application/json" { (data::json(game)) }
        "\n"
    }
}

/// A game that is in a pack, as text.
fn packed(game: &Game, pack: usize) -> Markup {
    html! {
        noscript data-game=(game.number) data-pack=(pack) { (brief::article(game)) }
        "\n"
    }
}

fn closing(run: &Run, engine: Option<&LiveEngine>, assets: &Assets) -> Markup {
    html! {
        (PreEscaped("</main>\n"))
        footer {
            p { (conditions(run)) }
            p .keys { "Keys: " kbd { "←" } " " kbd { "→" } " step, " kbd { "Home" } " " kbd { "End" } " first and last, "
                kbd { "N" } " next bad move, " kbd { "F" } " turn the board, " kbd { "A" } " arrow, "
                kbd { "M" } " type a move, "
                @if engine.is_some() { kbd { "E" } " analyse on, " }
                kbd { "Esc" } " back to the game" }
        }
        (PreEscaped(VIEWER))
        @if let Some(engine) = engine { (engine.body()) }
        script type="module" { (PreEscaped(&assets.script)) }
        (PreEscaped("\n</body>\n</html>\n"))
    }
}

/// What did the analysis, and how.
fn conditions(run: &Run) -> String {
    let limits = [
        run.limits.depth.map(|depth| format!("depth {depth}")),
        run.limits.nodes.map(|nodes| format!("{} nodes", words::count(nodes))),
        run.limits.time_ms.map(|time| format!("{} s", time as f64 / 1000.0)),
    ];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
    let tables = run.tablebase.map(|tables| format!(", endgame tables for {} pieces", tables.pieces));
    format!(
        "Analysed by {}, network {}: {} a position, {}, {} MiB{}. Losses are what a move gives away of the points its side \
         could expect: above {} it is an inaccuracy, above {} a mistake, above {} a blunder. Scores and chances are White's.",
        run.engine,
        run.network,
        limits.join(" or "),
        words::plural(run.multipv as usize, "line", "lines"),
        run.hash_mib,
        tables.unwrap_or_default(),
        words::percent(judge::INACCURACY),
        words::percent(judge::MISTAKE),
        words::percent(judge::BLUNDER),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_end_no_element_and_name_no_server() {
        let script = script::script(true);
        let style = page::pieces::inlined(&STYLE.concat());
        let pieces = page::pieces::symbols();
        for (name, text) in [("script", &script[..]), ("style", &style)] {
            assert!(!text.contains("</") && !text.contains("<!--"), "the {name} would end its element");
        }
        for text in [&script[..], &style, &pieces, MARKS, VIEWER, ICON] {
            let text = text.replace("http://www.w3.org/2000/svg", "").replace("url(#", "").replace("url(\"data:", "");
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("url("), "{text}");
        }
    }

    #[test]
    fn many_games_have_fewer_diagrams_each() {
        assert_eq!([0, 1, 100, 100_000].map(diagrams_for_each), [12, 12, 6, 1]);
    }
}
