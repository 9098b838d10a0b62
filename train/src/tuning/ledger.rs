//! The ledger of heuristics: what each one of the search is worth, measured by games without it.
//!
//! One side plays as the engine does, the other with one heuristic switched off. They play pairs of games: the same
//! opening with either color. Each pair has a number, and the number decides its opening, so that all heuristics are
//! measured on the same openings and a pair can be played again.

mod heuristics;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arena::statistics::Pentanomial;
pub use heuristics::{HEURISTICS, Heuristic};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The terms under which the games of a ledger are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// The commit of the engine.
    pub commit: String,
    /// Nodes of each move after which no new iteration begins.
    pub nodes: u64,
    /// Each side's transposition table in MiB.
    pub hash_mib: usize,
    /// The name of the file with the openings.
    pub book: String,
    /// The score, in centipawns, at which a win is adjudicated.
    pub win_score: i32,
    /// The score, in centipawns to either side, at which a draw is adjudicated.
    pub draw_score: i32,
}

/// The results of the pairs played without one heuristic, by the pairs' numbers: half points of the side without it,
/// from 0 to 4. As text, one character a pair, `.` for one that has not been played.
#[derive(Clone, PartialEq, Default, Debug)]
struct Pairs(Vec<Option<u8>>);

impl Pairs {
    fn counts(&self) -> Pentanomial {
        let mut counts = Pentanomial::default();
        self.0.iter().flatten().for_each(|&half_points| counts.add(half_points.into()));
        counts
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String =
            self.0.iter().map(|pair| pair.map_or('.', |half_points| char::from(b'0' + half_points))).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pair = |character| match character {
            '.' => Ok(None),
            '0'..='4' => Ok(Some(character as u8 - b'0')),
            _ => Err(serde::de::Error::custom(format!("{character:?} is no result of a pair of games"))),
        };
        String::deserialize(deserializer)?.chars().map(pair).collect::<Result<_, _>>().map(Self)
    }
}

/// What is known of each heuristic so far: enough to go on later and to write the table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// How the games were played.
    pub conditions: Conditions,
    /// By the heuristic's name.
    results: BTreeMap<String, Pairs>,
}

impl Ledger {
    /// A ledger without any games.
    #[must_use]
    pub const fn new(conditions: Conditions) -> Self {
        Self { conditions, results: BTreeMap::new() }
    }

    /// The numbers of the pairs that a heuristic still lacks to have been measured by so many games.
    #[must_use]
    pub fn missing(&self, heuristic: &Heuristic, games: usize) -> Vec<usize> {
        let known = self.results.get(heuristic.name);
        let is_played = |pair: usize| known.is_some_and(|pairs| pairs.0.get(pair).copied().flatten().is_some());
        (0..games.div_ceil(2)).filter(|&pair| !is_played(pair)).collect()
    }

    /// Notes the result of a pair: the half points, from 0 to 4, of the side without the heuristic.
    pub fn record(&mut self, heuristic: &Heuristic, pair: usize, half_points: u8) {
        let Pairs(pairs) = self.results.entry(heuristic.name.to_owned()).or_default();
        if pairs.len() <= pair {
            pairs.resize(pair + 1, None);
        }
        pairs[pair] = Some(half_points.min(4));
    }

    /// The results of the games without a heuristic so far.
    #[must_use]
    pub fn counts(&self, heuristic: &Heuristic) -> Pentanomial {
        self.results.get(heuristic.name).map(Pairs::counts).unwrap_or_default()
    }

    /// All heuristics with the results without them, the one that costs most when switched off first, those not measured
    /// last.
    #[must_use]
    pub fn ranking(&self) -> Vec<(&'static Heuristic, Pentanomial)> {
        let mut ranking: Vec<_> = HEURISTICS.iter().map(|heuristic| (heuristic, self.counts(heuristic))).collect();
        let score = |counts: &Pentanomial| counts.score().unwrap_or(f64::INFINITY);
        ranking.sort_by(|(_, one), (_, other)| score(one).total_cmp(&score(other)));
        ranking
    }

    /// The ledger as a page of Markdown that lies in a folder below the root of the repository.
    #[must_use]
    pub fn render(&self) -> String {
        let Conditions { commit, nodes, hash_mib, book, win_score, draw_score } = &self.conditions;
        let mut page = format!(
            "# What each heuristic is worth\n\n\
             Elo of the search with one heuristic switched off, against the search as it is, at commit {commit}: -50 means that\n\
             the engine is 50 Elo weaker without it. Errors are those of the 95 % confidence interval. What is not listed either\n\
             decides nothing in games with a fixed number of nodes (time management, threads) or cannot be switched off.\n\n\
             Each opening of `{book}` is played twice, with the sides exchanged. A move takes {} nodes, after which no\n\
             new iteration begins; each side has {hash_mib} MiB of hash. Games are adjudicated: won at {win_score} centipawns, drawn\n\
             within {draw_score} for many half-moves. At longer time controls the numbers differ. One command measures and writes\n\
             this page: see \"Ledger\" in [CONTRIBUTING.md](../CONTRIBUTING.md).\n\n\
             | heuristic | file | source | switched off by | Elo when off | games |\n\
             |---|---|---|---|---:|---:|\n",
            thousands(*nodes)
        );
        for (heuristic, counts) in self.ranking() {
            let Heuristic { usual_name, file, source, off, .. } = heuristic;
            let base = file.rsplit('/').next().unwrap_or(file);
            let off: Vec<_> = off.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
            let (worth, games) = match (counts.elo(), counts.pairs()) {
                (_, 0) => ("not measured".to_owned(), String::new()),
                (None, pairs) => ("too few games".to_owned(), thousands(2 * pairs)),
                (Some((elo, error)), pairs) => (format!("{elo:.0} ± {error:.0}"), thousands(2 * pairs)),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                page,
                "| {usual_name} | [{base}](../{file}) | {source} | {} | {worth} | {games} |",
                off.join(", ")
            );
        }
        page
    }
}

/// A number with a comma before each three digits.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use search::{SWITCHES, TUNABLES};

    use super::*;

    fn empty() -> Ledger {
        Ledger::new(Conditions {
            commit: "0123abc".to_owned(),
            nodes: 10_000,
            hash_mib: 4,
            book: "openings.epd".to_owned(),
            win_score: 600,
            draw_score: 15,
        })
    }

    #[test]
    fn heuristics_are_switched_off_by_numbers_that_exist() {
        for Heuristic { name, off, .. } in HEURISTICS {
            assert!(!off.is_empty(), "{name}");
            for (number, value) in *off {
                let tunable = TUNABLES.iter().find(|tunable| tunable.name == *number);
                let is_switch = SWITCHES.iter().any(|switch| switch.name == *number);
                assert!(tunable.is_some() != is_switch, "{name}: {number}");
                assert!(if is_switch { *value == 0 } else { tunable.unwrap().default != *value }, "{name}: {number}");
            }
        }
    }

    #[test]
    fn each_switch_belongs_to_a_heuristic() {
        let used = |name| HEURISTICS.iter().any(|heuristic| heuristic.off.iter().any(|(number, _)| *number == name));
        assert!(SWITCHES.iter().all(|switch| used(switch.name)));
    }

    #[test]
    fn heuristics_have_names_of_their_own() {
        for (index, heuristic) in HEURISTICS.iter().enumerate() {
            let others = &HEURISTICS[..index];
            assert!(
                others.iter().all(|other| other.name != heuristic.name && other.usual_name != heuristic.usual_name)
            );
            assert!(
                !heuristic.source.is_empty() && !heuristic.usual_name.contains('|') && !heuristic.source.contains('|')
            );
        }
    }

    #[test]
    fn the_files_of_all_heuristics_exist() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for Heuristic { name, file, .. } in HEURISTICS {
            assert!(root.join(file).is_file(), "{name}: {file}");
        }
    }

    #[test]
    fn a_ledger_goes_on_where_it_was_left() {
        let mut ledger = empty();
        let heuristic = &HEURISTICS[1];
        ledger.record(heuristic, 0, 1);
        ledger.record(heuristic, 3, 4);
        let text = serde_json::to_string(&ledger).unwrap();
        assert!(text.contains(r#""1..4""#), "{text}");
        let kept: Ledger = serde_json::from_str(&text).unwrap();
        assert_eq!(kept, ledger);
        assert_eq!(kept.missing(heuristic, 10), [1, 2, 4]);
        assert_eq!(kept.missing(&HEURISTICS[0], 3), [0, 1]);
        assert!(serde_json::from_str::<Ledger>(&text.replace("1..4", "1..5")).is_err());
    }

    #[test]
    fn the_page_has_the_dearest_heuristic_first_and_one_line_for_each() {
        let mut ledger = empty();
        let (good, bad) = (&HEURISTICS[4], &HEURISTICS[2]);
        for pair in 0..600 {
            ledger.record(good, pair, if pair % 2 == 0 { 1 } else { 2 });
            ledger.record(bad, pair, if pair % 2 == 0 { 3 } else { 2 });
        }
        let page = ledger.render();
        let lines: Vec<_> = page.lines().skip_while(|line| !line.starts_with("|---")).skip(1).collect();
        assert_eq!(lines.len(), HEURISTICS.len());
        assert!(lines[0].starts_with(&format!("| {} |", good.usual_name)), "{}", lines[0]);
        assert!(lines[0].contains(&format!("](../{})", good.file)) && lines[0].contains(good.off[0].0), "{}", lines[0]);
        assert!(lines[0].ends_with("| -89 ± 7 | 1,200 |"), "{}", lines[0]);
        assert!(lines[1].starts_with(&format!("| {} |", bad.usual_name)), "{}", lines[1]);
        assert!(lines[1].ends_with("| 89 ± 7 | 1,200 |"), "{}", lines[1]);
        assert!(lines[2..].iter().all(|line| line.ends_with("| not measured |  |")));
        assert!(page.contains("commit 0123abc") && page.contains("A move takes 10,000 nodes"));
    }
}
