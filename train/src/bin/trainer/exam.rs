//! `trainer exam` and `trainer drift`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use cli::printable;
use eval::arch::SCALE;
use serde::Serialize;
use train::exam::drift::{Drift, FACTOR, measure};
use train::exam::file;
use train::exam::marks::{Marks, Row, examine};

use crate::arguments::ExamArguments;
use crate::{Named, read_networks};

/// The centipawns that a score may drift by.
const MAX_DRIFT: i32 = 30;

/// What an exam says of a network, as JSON.
#[derive(Serialize)]
struct Examined {
    network: String,
    hash: String,
    /// Centipawns of the scale of winning chances.
    scale: i32,
    marks: Vec<Row>,
}

impl Examined {
    fn marks(&self, row: &Row) -> Option<&Marks> {
        let same = self.marks.iter().find(|other| (other.set, other.class) == (row.set, row.class));
        same.map(|other| &other.marks)
    }
}

pub(crate) fn exam(arguments: &ExamArguments) -> Result<(), Box<dyn Error>> {
    let networks = read_networks(&arguments.networks)?;
    let sets = file::read(&arguments.exam).map_err(|error| format!("{}: {error}", arguments.exam.display()))?;
    let examined = |(network, weights): Named| Examined {
        network,
        hash: format!("{:016x}", weights.hash()),
        scale: SCALE,
        marks: examine(&sets, &weights),
    };
    let examined: Vec<Examined> = networks.into_iter().map(examined).collect();
    if arguments.json {
        print(&serde_json::to_string_pretty(&examined)?);
    } else {
        print(&table(&examined));
    }
    Ok(())
}

/// The marks as a table, a column group for each network.
fn table(examined: &[Examined]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (number, Examined { network, hash, .. }) in (1..).zip(examined) {
        lines.push(format!("{number}: {network} ({hash})"));
    }
    let heads = (1..=examined.len()).map(|number| group(&format!("error {number}"), "+-", "rank", "slope"));
    lines.push(format!("{:<10}{:<22}{:>9}{}", "set", "class", "positions", heads.collect::<String>()));
    let mut set = "";
    for row in examined.first().map_or(&[][..], |first| &first.marks) {
        let name = if row.set == set { "" } else { row.set };
        set = row.set;
        let groups = examined.iter().filter_map(|examined| examined.marks(row)).map(|marks| {
            let number =
                |value: Option<f64>, digits| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"));
            let [error, spread] = [Some(marks.error), marks.error_spread].map(|value| number(value, 5));
            group(&error, &spread, &number(marks.rank_correlation, 3), &number(marks.slope, 3))
        });
        lines.push(format!("{name:<10}{:<22}{:>9}{}", row.class, row.marks.positions, groups.collect::<String>()));
    }
    lines.join("\n")
}

/// The columns of a network.
fn group(error: &str, spread: &str, rank: &str, slope: &str) -> String {
    format!("{error:>12}{spread:>9}{rank:>7}{slope:>7}")
}

pub(crate) fn drift(networks: &[PathBuf], nodes: u64) -> Result<(), Box<dyn Error>> {
    for (name, network) in read_networks(networks)? {
        let drifts = measure(&network, nodes);
        print(&format!("{name}, {nodes} and {} nodes, centipawns for White", nodes.saturating_mul(FACTOR)));
        for drift @ Drift { opening, before, after } in &drifts {
            print(&format!("{opening:<26}{before:>6}{after:>6}{:>+6}", drift.difference()));
        }
        let within = drifts.iter().filter(|drift| drift.difference().abs() <= MAX_DRIFT).count();
        print(&format!("{within} of {} within {MAX_DRIFT}", drifts.len()));
    }
    Ok(())
}

/// Writes to stdout; nobody need be reading.
fn print(text: &str) {
    let _ = writeln!(io::stdout(), "{}", printable(text));
}
