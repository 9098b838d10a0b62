//! Runs all long checks, or those that are named, within a time that they share, and prints a table of what was done.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use regime::parts::{Context, Done, PARTS, Part, Verdict};
use regime::process::{ask, kill_running};

/// The standing assault on robustness: all long checks, and a table of what was done.
#[derive(Parser)]
struct Arguments {
    /// How long all parts together should take. Builds count; where they take too long, so does the whole
    #[arg(long, value_name = "MINUTES", env = "REGIME_MINUTES", default_value_t = 75)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    minutes: u64,
    /// Fetch the database of advisories
    #[arg(long, env = "REGIME_ONLINE")]
    online: bool,
    /// The parts to run, or the beginnings of their names [default: all]
    parts: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let parts = wanted(&arguments.parts);
    if parts.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        eprintln!("no part of this name; there are: {}", names.join(", "));
        return ExitCode::from(2);
    }
    match run(&arguments, &parts) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The parts that are named, in the order of the table. A name that is no part's stands for all that begin so.
fn wanted(names: &[String]) -> Vec<&'static Part> {
    let is_named = |part: &Part, name: &str| {
        let is_whole = PARTS.iter().any(|part| part.name == name);
        if is_whole { part.name == name } else { part.name.starts_with(name) }
    };
    PARTS.iter().filter(|part| names.is_empty() || names.iter().any(|name| is_named(part, name))).collect()
}

/// A line of the table.
struct Row {
    part: &'static Part,
    verdict: Verdict,
    time: Duration,
}

/// Runs the parts; returns whether none failed.
fn run(arguments: &Arguments, parts: &[&'static Part]) -> std::io::Result<bool> {
    let root = fs_err::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))?;
    let folder = root.join("target/regime");
    fs_err::create_dir_all(&folder)?;
    // What runs in a group of its own hears nothing of Ctrl-C.
    ctrlc::set_handler(|| {
        kill_running();
        std::process::exit(130);
    })
    .map_err(std::io::Error::other)?;
    let end = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let run = |part: &'static Part, deadline| {
        eprintln!("{}: {}", part.name, part.what);
        let (root, folder) = (root.clone(), folder.clone());
        let context = Context { root, folder, name: part.name, deadline, is_online: arguments.online };
        let begin = Instant::now();
        let verdict = (part.run)(&context);
        eprintln!("{}: {}", part.name, words(&verdict));
        Row { part, verdict, time: begin.elapsed() }
    };
    let mut rows = thread::scope(|scope| {
        let beside: Vec<_> = parts.iter().filter(|part| part.share.is_none()).collect();
        let beside: Vec<_> = beside.into_iter().map(|part| scope.spawn(|| run(part, end))).collect();
        let mut shares: u32 = parts.iter().filter_map(|part| part.share).sum();
        let mut rows = Vec::new();
        for (part, share) in parts.iter().filter_map(|part| Some((part, part.share?))) {
            let left = end.saturating_duration_since(Instant::now());
            rows.push(run(part, Instant::now() + left * share / shares.max(1)));
            shares -= share;
        }
        // A part reports its faults; a panic of one is a fault of the regime, which ends it.
        rows.extend(beside.into_iter().map(|part| part.join().expect("a part panicked")));
        rows
    });
    rows.sort_by_key(|row| PARTS.iter().position(|part| part.name == row.part.name));
    let summary = summary(&root, arguments.minutes, &rows);
    print!("{summary}");
    fs_err::write(folder.join("summary.md"), summary)?;
    Ok(rows.iter().all(|row| row.verdict.is_ok()))
}

/// The table, as the documents have it.
fn summary(root: &Path, minutes: u64, rows: &[Row]) -> String {
    let commit = ask("git", &["-C", &root.display().to_string(), "rev-parse", "--short", "HEAD"]);
    let commit = commit.as_deref().map_or("of no commit", str::trim);
    let mut text =
        format!("Commit {commit}, {minutes} minutes.\n\n| part | what | seconds | result |\n|---|---|---|---|\n");
    for Row { part, verdict, time } in rows {
        // Writing to a string does not fail. What a failure says may have many lines.
        let words = words(verdict).replace('|', "\\|").replace('\n', "<br>");
        let _ = writeln!(text, "| {} | {} | {} | {words} |", part.name, part.what, time.as_secs());
    }
    text
}

fn words(verdict: &Verdict) -> String {
    match verdict {
        Ok(Done::Passed(what)) => format!("passed: {what}"),
        Ok(Done::Unavailable(why)) => format!("not available: {why}"),
        Err(fault) => format!("FAILED: {fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_is_one_part_and_a_beginning_several() {
        let names = |words: &[&str]| -> Vec<_> {
            let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
            wanted(&words).iter().map(|part| part.name).collect()
        };
        assert_eq!(names(&["thread", "address"]), ["address", "thread"]);
        assert_eq!(names(&["fuzz_p"]), ["fuzz_pgn", "fuzz_positions", "fuzz_pool", "fuzz_packed"]);
        assert_eq!(names(&[]).len(), PARTS.len());
        assert!(names(&["nothing"]).is_empty());
    }

    #[test]
    fn every_target_is_a_part() {
        for (target, _) in regime::targets::TARGETS {
            assert_eq!(wanted(&[format!("fuzz_{target}")]).len(), 1, "{target}");
        }
    }

    #[test]
    fn the_table_holds_one_line_for_each_part() {
        let verdicts = [Ok(Done::Passed("3".to_owned())), Err("a\nb|c".to_owned())];
        let rows: Vec<_> =
            PARTS.iter().zip(verdicts).map(|(part, verdict)| Row { part, verdict, time: Duration::ZERO }).collect();
        let text = summary(Path::new("."), 1, &rows);
        assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 3, "{text}");
        assert!(text.contains("FAILED: a<br>b\\|c |"), "{text}");
    }
}
