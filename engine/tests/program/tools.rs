//! The commands for people, through the real program: what they answer, and what they say to what they cannot use.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{file, outcome, outcome_of, output};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_3: &str = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";

/// With these variables set.
fn outcome_with(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
    command.args(arguments).envs(variables.iter().copied());
    outcome_of(command.output().expect("the program starts"))
}

/// Checks that each of these is refused in words, and nothing else is said.
fn check_refused(cases: &[(&[&str], &str)]) {
    for (arguments, message) in cases {
        let (status, stdout, stderr) = outcome(arguments);
        assert_eq!((status, &stdout[..]), (Some(2), ""), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

/// The columns of a suite's table without the times, which differ from run to run.
fn without_times(table: &str) -> Vec<String> {
    let rows = table.lines().take_while(|line| !line.is_empty());
    let word =
        |word: &str| if word.contains('.') && word.parse::<f64>().is_ok() { "#".to_owned() } else { word.to_owned() };
    rows.map(|row| row.split_whitespace().map(word).collect::<Vec<_>>().join(" ")).collect()
}

const SUITE: &str = "\u{feff}# a comment\r\n\
    6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"one\";\r\n\
    \r\n\
    nonsense\r\n\
    r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - dm 3; id \"two\";\r\n\
    6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;\r\n\
    6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8; id \"unsolvable\"\r\n";

#[test]
fn a_suite_is_solved_line_by_line_and_broken_lines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "suite.epd", SUITE);
    let (status, stdout, stderr) = outcome(&["suite", &path, "--nodes", "20000"]);
    assert_eq!(status, Some(0), "{stderr}");
    let told: Vec<_> = stderr.lines().collect();
    assert_eq!(told.len(), 2, "{stderr}");
    assert!(told[0].starts_with(&format!("{path}:4: skipped: board \"nonsense\"")), "{stderr}");
    assert_eq!(told[1], format!("{path}:6: skipped: bm: \"Rd9\" is not a move"));
    let rows = without_times(&stdout);
    assert_eq!(rows[1], "position move solved time, s nodes wanted");
    assert!(rows[2].starts_with("one Rd8# yes # ") && rows[2].ends_with(" Rd8#"), "{rows:?}");
    assert!(rows[3].starts_with("two Ra6+ yes # ") && rows[3].ends_with(" mate in 3"), "{rows:?}");
    assert_eq!(rows[4..], ["unsolvable Rd8# no - - not Rd8#"]);
    assert!(stdout.contains("\nEach position: 20000 nodes, 1 thread, 64 MiB\n"), "{stdout}");
    assert!(stdout.contains("| suite.epd | Vancura ") && stdout.contains("| 2 of 3 (66.7 %) |"), "{stdout}");
    // The table is cleared before each position, so it is smaller for few nodes.
    for (options, table) in [(&["-n", "1000"][..], "4 MiB"), (&["-n", "1000", "--hash", "9"], "9 MiB")] {
        let stdout = outcome(&[&["suite", &path], options].concat()).1;
        assert!(stdout.contains(&format!("\nEach position: 1000 nodes, 1 thread, {table}\n")), "{stdout}");
    }
}

#[test]
fn a_suite_by_nodes_gives_the_same_whatever_runs_at_once() {
    let suite = "docs/example.epd";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(suite);
    let path = path.to_str().unwrap();
    let solve = |jobs| without_times(&output(&["suite", path, "--nodes", "30000", "--jobs", jobs], b""));
    let one = solve("1");
    assert_eq!(one.len(), 6);
    assert_eq!(one, solve("3"));
    let beside = without_times(&output(&["suite", path, "-n", "30000", "--engine", "self", "-j", "2"], b""));
    for (row, both) in one.iter().zip(&beside).skip(2) {
        let (name_and_own, wanted) = row.rsplit_once(" yes ").expect("all are solved");
        assert_eq!(both.matches(" yes ").count(), 2, "{both}");
        let nodes = wanted.split(' ').nth(1).unwrap();
        assert!(both.starts_with(name_and_own) && both.matches(&format!(" {nodes} ")).count() == 2, "{both}");
    }
}

#[test]
fn a_suite_fails_below_the_score_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "suite.epd", SUITE);
    let points = file(&folder, "points.epd", "8/4P3/5k2/8/8/8/8/K7 w - - c0 \"e8=Q=10, Ka2=4\";\n");
    for (path, score, status) in
        [(&path, "2", 0), (&path, "3", 1), (&path, "60%", 0), (&path, "70%", 1), (&points, "10", 0), (&points, "11", 1)]
    {
        let (found, stdout, stderr) = outcome(&["suite", "-q", path, "-n", "5000", "--at-least", score]);
        assert_eq!(found, Some(status), "{score}: {stdout}{stderr}");
        assert_eq!(stderr.contains(" is less than "), status == 1, "{stderr}");
        assert!(stdout.starts_with("Each position: 5000 nodes"), "{stdout}");
    }
}

#[test]
fn a_suite_may_come_from_the_standard_input_and_be_bounded_by_time() {
    let text = output(&["suite", "-", "--time", "0.05"], b"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;");
    assert!(text.contains("\nline 1    Rd8#     yes ") && text.contains("\nEach position: 0.05 s, 1 thread"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_at_a_position_gets_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "suite.epd", SUITE);
    // It introduces itself, and ends at the first search.
    let script = "echo id name Weak; echo uciok; while read -r line; do case $line in isready) echo readyok;; go*) exit 3;; esac; done";
    let engine = format!("sh -c '{script}'");
    let (status, stdout, stderr) = outcome(&["suite", &path, "-n", "20000", "-j", "1", "--engine", &engine]);
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(stderr.matches(": Weak: the engine has exited (exit status: 3)").count(), 3, "{stderr}");
    assert_eq!(stdout.lines().filter(|line| line.contains("-        failed")).count(), 3, "{stdout}");
    assert!(stdout.contains("|  0 of 3 (0.0 %) |") && stdout.contains("| 2 of 3 (66.7 %) |"), "{stdout}");
}

#[test]
fn what_a_suite_cannot_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(&folder, "empty.epd", "nonsense\n");
    let (status, _, stderr) = outcome(&["suite", &empty]);
    assert_eq!(status, Some(2));
    assert!(stderr.ends_with(&format!("error: {empty}: no position to solve\n")), "{stderr}");
    let good = file(&folder, "good.epd", SUITE.lines().nth(1).unwrap());
    check_refused(&[
        (&["suite"], "<FILE>"),
        (&["suite", "/no/such/file"], "/no/such/file"),
        (&["suite", &good, "--engine", "/no/such/engine"], "/no/such/engine: cannot be started"),
        (&["suite", &good, "-o", "NoSuchOption=1"], "self has no option \"NoSuchOption\""),
        (&["suite", &good, "--time", "0"], "expected a number of seconds"),
        (&["suite", &good, "--at-least", "much"], "expected a number, or a percentage"),
        (&["suite", &good, "--nodes", "-5"], "'-5'"),
    ]);
}

#[test]
fn perft_counts_as_uci_does() {
    let (status, stdout, _) = outcome(&["perft", "4", KIWIPETE]);
    assert_eq!(status, Some(0));
    assert!(stdout.starts_with("Nodes searched: 4085603\nTime: "), "{stdout}");
    let divided = output(&["perft", "3", "--divide"], b"");
    let by_uci = output(&["go perft 3"], b"");
    assert!(divided.starts_with(by_uci.trim_end()), "{divided}");
    let unquoted = output(&[&["perft", "3"][..], &KIWIPETE.split(' ').collect::<Vec<_>>()].concat(), b"");
    assert!(unquoted.starts_with("Nodes searched: 97862\n"), "{unquoted}");
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(output(&["perft", "1", castling, "--divide"], b"").contains("e1g1: 1\n"));
    assert!(output(&["perft", "1", castling, "--divide", "--chess960"], b"").contains("e1h1: 1\n"));
    assert!(output(&["perft", "0", "--threads", "1"], b"").starts_with("Nodes searched: 1\n"));
}

#[test]
fn perft_suites_are_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let right = file(&folder, "right.epd", &format!("{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862 ;D4 1\r\n"));
    let (status, stdout, stderr) = outcome(&["perft", "3", "--suite", &right]);
    assert_eq!((status, &stderr[..]), (Some(0), ""));
    assert!(stdout.contains("line 1               3          97862\n"), "{stdout}");
    assert!(stdout.contains("\n1 position, 3 counts, 0 wrong\nNodes searched: 99949\n"), "{stdout}");
    let (status, stdout, _) = outcome(&["perft", "--suite", &right]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("4085603 WRONG: 1 expected for "), "{stdout}");
    let broken = file(&folder, "broken.perft", &format!("id x\nepd {KIWIPETE}\nperft 1 48\nepd nonsense\nperft 1 9\n"));
    let (status, stdout, stderr) = outcome(&["perft", "--suite", &broken]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("\nx                    1             48\n"), "{stdout}");
    assert!(stderr.starts_with(&format!("{broken}:4: skipped: board \"nonsense\"")), "{stderr}");
    let (status, stdout, _) = outcome(&["perft", "3", "--suite", &right, "--suite", &broken]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("\n2 positions, 4 counts, 0 wrong\nNodes searched: 99997\n"), "{stdout}");
    check_refused(&[
        (&["perft"], "<DEPTH>"),
        (&["perft", "x"], "invalid value 'x' for '[DEPTH]': this is no whole number"),
        (&["perft", "256"], "256 is not in 0..=255"),
        (&["perft", "3", "8/8/8/8/8/8/8/8 w - - 0 1"], "White has no king"),
        (&["perft", "3", "--suite", "/no/such/file"], "/no/such/file"),
        (&["perft", "0", "--suite", &right], "no perft counts in the file"),
    ]);
}

#[test]
fn mates_are_found_or_not() {
    let solution = "mate in 3: 1. Ra6+ f6 2. Bxf6+ Rg7 3. Rxa8#\n";
    assert_eq!(outcome(&["mate", MATE_IN_3, "3"]), (Some(0), solution.to_owned(), String::new()));
    let (status, stdout, _) = outcome(&["mate", MATE_IN_3, "2", "--nodes", "50000", "--threads", "1"]);
    let expected = format!("no mate in 2\nbut {solution}");
    assert_eq!((status, stdout), (Some(1), expected));
    // After the only move a promotion mates.
    let (status, stdout, _) = outcome(&["mate", "6Qk/4P1pp/8/8/8/8/8/6K1 b - - 0 1", "1", "--threads", "1"]);
    assert_eq!((status, &stdout[..]), (Some(1), "no mate in 1\nbut mated in 1: 1... Kxg8 2. e8=Q#\n"));
    let (status, stdout, _) = outcome(&["mate", "startpos", "1", "-n", "1000", "--hash", "1", "--threads", "1"]);
    assert_eq!((status, &stdout[..]), (Some(1), "no mate in 1\n"));
    let (status, stdout, _) = outcome(&["mate", "startpos", "9", "-n", "1000", "--time", "5", "--hash", "1"]);
    assert_eq!((status, &stdout[..]), (Some(1), "no mate in 9 found within 5 s or 1000 nodes\n"));
    let (status, stdout, _) = outcome(&["mate", "7k/R7/8/8/8/8/1R6/4K3 b - - 3 20", "-1"]);
    assert_eq!((status, &stdout[..]), (Some(0), "mated in 1: 20... Kg8 21. Rb8#\n"));
    check_refused(&[
        (&["mate", MATE_IN_3], "<MOVES>"),
        (&["mate", MATE_IN_3, "0"], "the number of moves must not be 0"),
        (&["mate", MATE_IN_3, "x"], "invalid value 'x'"),
        (&["mate", "nonsense", "3"], "board \"nonsense\" has 1 ranks"),
        (&["mate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "3"], "the game is over: checkmate"),
        (&["mate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "3"], "the game is over: stalemate"),
    ]);
}

#[test]
fn tables_are_asked_for_where_they_are_said_to_be() {
    const ENDING: &str = "8/8/8/8/8/1k6/8/K6R w - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let none = format!("there are no Syzygy tables in {path}");
    let by_variable = |arguments: &[&str], path| outcome_with(arguments, &[("SYZYGY_PATH", path)]);
    for (status, stdout, stderr) in [
        by_variable(&["tb", ENDING], path),
        by_variable(&["tb", "--syzygy", path, ENDING], "/elsewhere"),
        outcome(&["tb", "--syzygy", path, ENDING]),
    ] {
        assert_eq!((status, &stdout[..], &stderr[..]), (Some(2), "", &format!("error: {none}\n")[..]));
    }
    let (status, _, stderr) = by_variable(&["tb", ENDING], "");
    assert!(status == Some(2) && stderr.contains("--syzygy or the variable SYZYGY_PATH"), "{stderr}");
    let (_, _, stderr) = by_variable(&["tb", ENDING], "/no/such/folder");
    assert!(stderr.starts_with("warning: cannot list /no/such/folder: "), "{stderr}");
    // With the beginning and size of a table, and nothing behind it.
    fs::write(folder.path().join("KRvK.rtbw"), [&[0x71, 0xE8, 0x23, 0x5D][..], &[0; 76]].concat()).unwrap();
    let (status, _, stderr) = outcome(&["tb", "--syzygy", path, ENDING]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("warning: table KRvK") && stderr.contains("error: the table KRvK, or one it leads to"),
        "{stderr}"
    );
    check_refused(&[
        (&["tb"], "<FEN>"),
        (&["tb", "--syzygy", path, "startpos"], "32 pieces, but the tables have at most 3"),
        (&["tb", "--syzygy", path, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "a side may still castle"),
        (&["tb", "--syzygy", path, "R6k/8/6K1/8/8/8/8/8 b - - 0 1"], "the game is over: checkmate"),
        (&["tb", "--syzygy", path, "x"], "board \"x\" has 1 ranks"),
    ]);
}

#[test]
fn the_evaluation_is_in_colour_only_where_wanted() {
    let (status, plain, _) = outcome(&["eval", KIWIPETE]);
    assert_eq!(status, Some(0));
    assert!(plain.contains(&format!("\nFEN:        {KIWIPETE}\nNetwork:    vancura-")) && !plain.contains('\u{1b}'));
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    let (_, forced, _) = outcome_with(&["eval", KIWIPETE], &[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("\u{1b}["), "{forced}");
    let (_, without, _) = outcome_with(&["eval", KIWIPETE], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]);
    assert_eq!(without, plain);
    let (status, _, warned) = outcome(&["eval", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]);
    assert!(status == Some(0) && warned.starts_with("warning: FEN: castling right K dropped"), "{warned}");
    check_refused(&[(&["eval", "nonsense"], "board \"nonsense\" has 1 ranks")]);
}

#[test]
fn positions_of_files_are_evaluated_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{KIWIPETE}\nnonsense\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n").repeat(3);
    let path = file(&folder, "positions.fen", &text);
    let (status, stdout, stderr) = outcome(&["eval", &path]);
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(output(&["eval", "-"], text.replace("nonsense\n", "").as_bytes()), stdout);
    let lines: Vec<_> = stdout.lines().collect();
    assert!(lines[0].starts_with(&format!("{KIWIPETE}: ")), "{stdout}");
    assert_eq!(lines[1], "4k3/8/8/8/8/8/8/4K3 w - - 0 1: +0.00 0 1000 0 dead");
    assert_eq!(lines, [&lines[..2]; 3].concat());
    assert!(stderr.starts_with(&format!("{path}, line 2: ")), "{stderr}");
    assert!(stderr.ends_with(&format!("{path}: 3 lines skipped\n")), "{stderr}");
    let empty = file(&folder, "empty.fen", "# nothing\n");
    let (status, _, stderr) = outcome(&["eval", &empty]);
    assert!(status != Some(0) && stderr.contains("no position in the file"), "{stderr}");
}

#[test]
fn the_speed_is_told() {
    let text = output(&["speedtest", "1", "1", "1"], b"");
    let words: Vec<_> = text.lines().last().unwrap_or_default().split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", rate, "nps"] if rate.parse::<u64>().is_ok()), "{text}");
    check_refused(&[(&["speedtest", "x"], "invalid value 'x'"), (&["speedtest", "0"], "0 is not in 1..=1024")]);
}

#[test]
fn the_doctor_finds_a_sound_program_and_a_wrong_path() {
    let (status, stdout, stderr) = outcome_with(&["doctor", "--hash", "1"], &[("SYZYGY_PATH", "")]);
    assert_eq!((status, &stderr[..]), (Some(0), ""), "{stdout}");
    for part in ["Processor", "Memory", "Clock", "Network", "Endgame tables", "Protocol"] {
        assert!(stdout.contains(&format!("\n{part}\n  ok ")), "{part}: {stdout}");
    }
    assert!(stdout.contains("quit: the process ended\n") && !stdout.contains("FAULT"), "{stdout}");
    let (status, stdout, _) = outcome(&["doctor", "--hash", "1", "--syzygy", "/no/such/folder"]);
    assert_eq!(status, Some(1));
    assert!(
        stdout.contains("  FAULT  cannot list /no/such/folder: ") && stdout.contains("\n2 faults and "),
        "{stdout}"
    );
}

#[test]
fn the_doctor_opens_tables_and_finds_the_damaged_one() {
    let Some(data) = std::env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("SKIPPED the_doctor_opens_tables_and_finds_the_damaged_one: VANCURA_TEST_DATA is not set");
        return;
    };
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(data).join("syzygy");
    let (status, stdout, _) = outcome(&["doctor", "--hash", "1", "--syzygy", tables.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{stdout}");
    assert!(stdout.contains("  ok     35 tables with results and 35 with distances, up to 4 pieces\n"), "{stdout}");
    assert!(stdout.contains(" positions of each agree with the positions one move later\n"), "{stdout}");

    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw"] {
        fs::copy(tables.join(name), folder.path().join(name)).unwrap();
    }
    let damaged = folder.path().join("KQvK.rtbw");
    let mut bytes = fs::read(&damaged).unwrap();
    // The header, by which the rest is found.
    bytes[4..40].fill(0xFF);
    fs::write(&damaged, bytes).unwrap();
    let (status, stdout, _) = outcome(&["doctor", "--hash", "1", "--syzygy", folder.path().to_str().unwrap()]);
    assert_eq!(status, Some(1), "{stdout}");
    assert!(stdout.contains("  FAULT  table KQvK (wdl) cannot be used"), "{stdout}");
    assert!(stdout.contains("  note   tables with results but no distances: 1\n"), "{stdout}");
}

#[test]
fn packages_get_completions_and_a_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = output(&["completions", shell], b"");
        assert!(text.contains("suite") && text.contains("at-least"), "{shell}");
    }
    assert!(output(&["man"], b"").contains(".TH vancura 1"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(output(&["man", pages.to_str().unwrap()], b""), "");
    for page in ["vancura.1", "vancura-suite.1", "vancura-doctor.1"] {
        assert!(fs::read_to_string(pages.join(page)).unwrap().contains(".SH SYNOPSIS"), "{page}");
    }
    let page = fs::read_to_string(pages.join("vancura-suite.1")).unwrap();
    assert!(page.contains(".nf\n  bm Qg6 Nf3;   the engine plays one of these moves\n"), "{page}");
    check_refused(&[(&["completions", "cmd"], "[possible values: bash"), (&["man", "/dev/null/x"], "/dev/null/x: ")]);
}

#[test]
fn help_tells_newcomers_where_to_begin() {
    let text = output(&["--help"], b"");
    for part in [
        "Usage: vancura [UCI LINE]...",
        "vancura COMMAND [ARGUMENTS]",
        "  suite ",
        "  doctor ",
        "vancura \"position startpos",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("  man "), "{text}");
    assert_eq!(output(&["-h"], b""), text);
    assert!(text.contains("\n  ucinewgame "), "{text}");
    assert_eq!(output(&["help"], b""), text);
    assert!(output(&["bench", "--help"], b"").contains("Usage: vancura bench [DEPTH]"));
    assert_eq!(output(&["help", "bench"], b""), output(&["bench", "-h"], b""));
    assert_eq!(output(&["analyze", "--help"], b""), output(&["analyse", "--help"], b""));
    assert_eq!(output(&["help", "suite"], b""), output(&["suite", "--help"], b""));
    let commands = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Descriptions go on further to the right.
    let names: Vec<_> = commands.filter(|line| !line.starts_with("   ")).map(|line| line.trim()).collect();
    let names: Vec<_> = names.iter().filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").collect();
    assert!(names.len() >= 15 && names.contains(&"analyse"), "{names:?}");
    for command in names {
        let text = output(&[command, "--help"], b"");
        assert!(text.contains(&format!("Usage: vancura {command}")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn words_of_uci_stay_so_among_uci_lines() {
    assert!(output(&["perft", "3", "d"], b"").contains("\nNodes searched: 8902\n\n"));
    assert!(output(&["perft 3"], b"").ends_with("\nNodes searched: 8902\n\n"));
    assert!(output(&["position startpos moves e2e4", "eval"], b"").contains("Evaluation: "));
    let text = output(&["eval", "go depth 2"], b"");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
}

#[test]
fn winnable_reads_files_of_any_make_and_says_when_there_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "windows.fens", "\u{feff}k7/8/1K6/8/8/8/8/7R w - - 0 1 white\r\nnonsense\r\n");
    let (status, stdout, stderr) = outcome(&["winnable", &path]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.starts_with("k7/8/1K6/8/8/8/8/7R w - - 0 1: white winnable h1h8# nodes "), "{stdout}");
    assert!(stderr.starts_with("line 2: board \"nonsense\"") && stderr.contains("1 bad line;"), "{stderr}");
    let empty = file(&folder, "empty.fens", "# no position\n");
    let (status, _, stderr) = outcome(&["winnable", &empty]);
    assert_eq!(status, Some(2));
    assert!(stderr.ends_with(&format!("error: {empty}: no position in the file\n")), "{stderr}");
}

#[test]
fn a_book_tells_of_games_without_a_result_and_has_equal_moves_in_the_order_of_the_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let told = "no result, so no points for any move: 2 games (--uniform keeps moves without points)\n";
    fs::write(path("none.pgn"), "1. e4 e5 *\n\n1. d4 d5 *\n").expect("a file");
    let (status, _, stderr) = outcome(&["book", "make", &path("none.pgn"), "-o", &path("a.bin"), "--min-games", "1"]);
    assert!(
        status == Some(2) && stderr.starts_with(told) && stderr.contains("no move to keep: of 2 games"),
        "{stderr}"
    );
    let uniform = ["book", "make", &path("none.pgn"), "-o", &path("a.bin"), "--min-games", "1", "--uniform"];
    assert_eq!(outcome(&uniform), (Some(0), String::new(), "4 moves\n".to_owned()));
    let games =
        ["h3 1/2-1/2", "a3 1/2-1/2", "e4 1-0", "e4 *", "c4 *", "b3 1/2-1/2"].map(|game| format!("1. {game}\n\n"));
    fs::write(path("some.pgn"), games.concat()).expect("a file");
    let moves = |more: &[&str]| {
        let book = path("b.bin");
        let arguments = ["book", "make", &path("some.pgn"), "-o", &book, "--min-games", "1"];
        let (status, _, stderr) = outcome(&[&arguments[..], more].concat());
        assert_eq!((status, stderr.starts_with(told)), (Some(0), more.is_empty()), "{stderr}");
        let dump = output(&["book", "dump", &book], b"");
        fs::read(&book)
            .expect("a book")
            .chunks(16)
            .map(|entry| [entry[9] >> 6 | entry[8] << 2, entry[9] & 63, entry[11]])
            .collect::<Vec<_>>()
            .into_iter()
            .chain([[dump.lines().count() as u8; 3]])
            .collect::<Vec<_>>()
    };
    // Square of departure, of arrival, weight.
    let (h3, a3, b3) = (|weight| [15, 23, weight], |weight| [8, 16, weight], |weight| [9, 17, weight]);
    let (e4, c4) = (|weight| [12, 28, weight], |weight| [10, 26, weight]);
    assert_eq!(moves(&[]), [e4(2), h3(1), a3(1), b3(1), [4; 3]]);
    assert_eq!(moves(&["--uniform"]), [h3(1), a3(1), e4(1), c4(1), b3(1), [5; 3]]);
}

#[test]
fn books_are_made_merged_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    // How many moves there are is said beside the output.
    let make = |arguments: &[&str]| assert_eq!(outcome(arguments).0, Some(0), "{arguments:?}");
    let game = |moves: &str, result: &str| format!("[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let games = [
        game("1. e4 e5 2. Nf3", "1-0"),
        game("1. e4 c5", "1/2-1/2"),
        game("1. d4 d5", "0-1"),
        game("1. e4 e5 2. Nc3", "0-1"),
    ];
    fs::write(path("in.pgn"), games.concat()).expect("a file");
    make(&["book", "make", &path("in.pgn"), "-o", &path("a.bin"), "--min-games", "1"]);
    let bytes = fs::read(path("a.bin")).expect("a book");
    let keys: Vec<_> = bytes.chunks(16).map(|entry| entry[..8].to_vec()).collect();
    assert!(bytes.len().is_multiple_of(16) && keys.is_sorted());
    let shown = output(&["book", "dump", &path("a.bin")], b"");
    // 1. e4 won once and was drawn once; 1. d4 scored nothing, and so did 1... e5 once.
    assert!(shown.starts_with("100.0 %  1. e4\n") && shown.contains("1. e4 e5\n") && !shown.contains("d4"), "{shown}");
    make(&["book", "make", &path("in.pgn"), "-o", &path("b.bin"), "--min-games", "1", "--uniform"]);
    let uniform = output(&["book", "dump", &path("b.bin"), "--plies", "1"], b"");
    assert!(uniform.contains(" 50.0 %  1. e4\n") && uniform.contains(" 50.0 %  1. d4\n"), "{uniform}");
    make(&["book", "make", &path("in.pgn"), "-o", &path("c.bin"), "--min-games", "1", "--only", "black"]);
    assert_eq!(output(&["book", "dump", &path("c.bin")], b""), "the book has no move here\n");
    // What the first book has of a position is taken, and what only the second has too.
    make(&["book", "merge", &path("a.bin"), &path("b.bin"), "-o", &path("m.bin")]);
    let merged = output(&["book", "dump", &path("m.bin")], b"");
    assert!(merged.starts_with("100.0 %  1. e4\n") && !merged.contains("d4"), "{merged}");
    let often = [("book make", "none was played in 5 games or more")];
    for (_, message) in often {
        let arguments = ["book", "make", &path("in.pgn"), "-o", &path("d.bin"), "--min-games", "5"];
        check_refused(&[(&arguments[..], message)]);
        assert!(!Path::new(&path("d.bin")).exists());
    }
    check_refused(&[
        (&["book", "make", &path("in.pgn"), "-o", &path("in.pgn")], "would overwrite the input"),
        (&["book", "merge", &path("a.bin"), &path("in.pgn"), "-o", &path("x.bin")], "not an opening book"),
        (&["book", "dump", &path("missing.bin")], "cannot read"),
    ]);
    assert!(fs::read(path("a.bin")).expect("a book") == bytes);
    // Castling and promotions are those of Polyglot, whose own program was tried on such a book by hand.
    let special = "1. d4 Nf6 2. Nf3 g5 3. b4 Bg7 4. b5 O-O 5. b6 g4 6. bxa7 gxf3 7. axb8=N fxe2 8. c4 exd1=Q+";
    fs::write(path("special.pgn"), game(special, "1/2-1/2")).expect("a file");
    make(&["book", "make", &path("special.pgn"), "-o", &path("special.bin"), "--min-games", "1"]);
    let shown = output(&["book", "dump", &path("special.bin"), "--plies", "99"], b"");
    assert_eq!(shown.lines().last(), Some(&format!("100.0 %  {special}")[..]));
    // A game of which something is lost is told of, and the book is made all the same.
    fs::write(path("cut.pgn"), [&games[0][..], "1. e4 e5 2. Ke3 d5 1-0\n"].concat()).expect("a file");
    let (status, _, stderr) = outcome(&["book", "make", &path("cut.pgn"), "-o", &path("cut.bin"), "--min-games", "2"]);
    assert_eq!(status, Some(2));
    assert!(stderr.ends_with("error: 1 game could not be read in full\n") && stderr.contains("line 5"), "{stderr}");
    assert!(output(&["book", "dump", &path("cut.bin")], b"").starts_with("100.0 %  1. e4\n"));
}
