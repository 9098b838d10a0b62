//! A page that carries the engine, and the option that asks for it.

use std::ffi::OsString;
use std::fs;
use std::sync::atomic::AtomicBool;

use analysis::model::Game;
use analysis::report::{LiveEngine, Report};
use analysis::{AnalyseArguments, run_until};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Parser;
use sha2::{Digest, Sha256};

use crate::page::{elements, hostile_game, page, page_of};
use crate::sample::{START, game, rich_game, run};

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: AnalyseArguments,
}

/// The page of some games with an engine, of which this is the compressed program.
fn live_page(games: &[Game], program: &[u8]) -> String {
    let report = Report::new(run(), None).expect("a place for what has to wait");
    page_of(report.with_engine(LiveEngine::of_gzip(program.to_vec())), games, &[])
}

#[test]
fn a_page_with_an_engine_holds_it_whole() {
    let program = b"\x1f\x8b\x08 not really a program".as_slice();
    let live = live_page(&[hostile_game()], program);
    let held = elements(&live, "<script id=\"engine-program\" type=\"text/plain\">", "</script>");
    assert_eq!(STANDARD.decode(held[0]).unwrap(), program);
    let loader = page::text("engine/vancura.js");
    assert_eq!(elements(&live, "<script id=\"engine-loader\" type=\"text/plain\">", "</script>"), [loader]);
    assert!(live.contains("<template id=\"engine\">"));
    assert_eq!(live, live_page(&[hostile_game()], program), "the same games give the same bytes");
}

#[test]
fn the_policy_lets_an_engine_run_and_nothing_else() {
    let live = live_page(&[hostile_game()], b"program");
    let policy = elements(&live, "Content-Security-Policy\" content=\"", "\"")[0];
    let hash = |open, close| {
        let text = elements(&live, open, close)[0];
        format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
    };
    let (style, script) = (hash("<style>", "</style>"), hash("<script type=\"module\">", "</script>"));
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src {style}; \
             script-src {script} 'wasm-unsafe-eval'; worker-src blob:"
        )
    );
}

/// A page without an engine is the page with one, but for the parts that belong to it.
#[test]
fn an_engine_changes_nothing_in_a_page_without_one() {
    let games = [rich_game(), game(2, START, false, "d4 d5")];
    let plain = page(&games, &[]);
    let mut rest = live_page(&games, b"program");
    let mut cut = |open: &str, close: &str| {
        let start = rest.find(open).unwrap_or_else(|| panic!("no {open}"));
        let end = start + rest[start..].find(close).unwrap_or_else(|| panic!("no {close}"));
        rest.replace_range(start..end, "");
    };
    cut("\n/* The engine in the page. */", "</style>");
    cut("const module_engine_uci = ", "const module_report_main = ");
    cut("<template id=\"engine\">", "<script type=\"module\">");
    cut("<kbd>E</kbd>", "<kbd>Esc</kbd>");
    cut("style-src", "\"");
    let policy = elements(&plain, "style-src", "\"")[0];
    assert_eq!(rest, plain.replacen(&format!("style-src{policy}"), "", 1));
    assert!(
        !plain.contains("wasm") && !plain.contains("worker-src") && !plain.contains("engine-"),
        "nothing of an engine"
    );
}

#[test]
fn an_engine_needs_a_page_to_be_in() {
    let error = CommandLine::try_parse_from(["analyse", "startpos", "--live"]).err().expect("a usage error");
    let text = error.to_string();
    assert_eq!(error.exit_code(), 2);
    assert!(text.contains("required arguments were not provided") && text.contains("--html <FILE>"), "{text}");
}

#[test]
fn a_page_has_the_engine_that_the_program_was_built_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html");
    fs::write(&file, "before").expect("a file");
    let words = ["analyse", "startpos", "--nodes", "100", "--live", "--html"].map(OsString::from);
    let line = CommandLine::try_parse_from(words.into_iter().chain([file.clone().into_os_string()])).ok();
    let result = run_until(&line.expect("good arguments").arguments, &AtomicBool::new(false));
    let page = fs::read_to_string(&file).expect("a file");
    if LiveEngine::built_in().is_some() {
        result.expect("a page");
        assert!(page.contains("id=\"engine-program\""));
        assert!(page.len() < 4_000_000, "{} bytes", page.len());
    } else {
        let text = result.expect_err("no engine").to_string();
        assert!(text.contains("`make live`"), "{text}");
        assert_eq!(page, "before", "what was there stays");
    }
}
