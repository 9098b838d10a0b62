//! The tables of options and commands in docs/uci.md, held against what the program says of itself.

use std::fs;
use std::path::Path;

use crate::common::output;

/// The document.
fn reference() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/uci.md");
    fs::read_to_string(path).expect("docs/uci.md can be read")
}

/// The rows of its tables, as their cells.
fn rows() -> Vec<Vec<String>> {
    let reference = reference();
    let lines = reference.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    // An empty cell is one space wide.
    lines.map(|line| line.replace("| |", "|  |").split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = text.split_once(start)?.1;
    Some(rest.split_once(end).map_or(rest, |(found, _)| found))
}

/// The row that an option's announcement asks for: name, default and range.
fn expected_row(announcement: &str) -> [String; 3] {
    let name = between(announcement, "option name ", " type ").expect(announcement);
    let words = announcement.split_once(" default ").map_or("", |(_, words)| words);
    let default = match between(announcement, " default ", " min ") {
        Some(text) if text.contains(" var ") => text.split(" var ").next().unwrap_or_default().to_owned(),
        Some(text) if text.starts_with('<') => format!("`{text}`"),
        // Who it is and since when changes with each version.
        Some(_) if name == "UCI_EngineAbout" => "a text".to_owned(),
        Some(text) => text.to_owned(),
        None => "button".to_owned(),
    };
    let choices: Vec<_> = words.split(" var ").skip(1).map(|word| format!("`{word}`")).collect();
    let range = announcement.split_once(" min ").map(|(_, range)| range.replace(" max ", " to "));
    let range = range.unwrap_or_else(|| choices.join(", "));
    [format!("`{name}`"), default, range]
}

#[test]
fn docs_uci_md_has_every_option_with_its_default_and_range() {
    let rows = rows();
    let documented: Vec<_> = rows.iter().filter(|row| row.len() == 4).map(|row| row[..3].to_vec()).collect();
    let text = output(&["uci", "quit"], b"");
    let announced: Vec<_> = text.lines().filter(|line| line.starts_with("option ")).map(expected_row).collect();
    assert!(announced.len() > 20, "{text}");
    for option in &announced {
        assert!(documented.contains(&option.to_vec()), "docs/uci.md lacks {option:?}; it has {documented:?}");
    }
    for row in documented.iter().filter(|row| row[0] != "option") {
        assert!(announced.iter().any(|option| option[..] == row[..]), "docs/uci.md has {row:?}, and `uci` has not");
    }
}

#[test]
fn the_readme_s_options_have_their_defaults() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("README.md");
    let table = between(&readme, "| option | default | meaning |", "\n\n").expect("README.md has options");
    let text = output(&["uci", "quit"], b"");
    let announced: Vec<_> = text.lines().filter(|line| line.starts_with("option ")).map(expected_row).collect();
    let mut count = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = row.split(" | ").collect();
        let names = cells[0].trim_start_matches("| ").split(", ");
        for (name, default) in names.zip(cells[1].split(", ")) {
            let option = announced.iter().find(|option| option[0] == name);
            assert_eq!(option.map(|option| &option[1][..]), Some(default), "{name}");
            count += 1;
        }
    }
    assert!(count > 8, "{table}");
}

#[test]
fn docs_uci_md_has_every_command_and_limit() {
    let rows = rows();
    let documented: Vec<_> =
        rows.iter().filter(|row| row.len() == 2).flat_map(|row| row[0].split('`').skip(1).step_by(2)).collect();
    let help = output(&[], b"help\n");
    let listed = help.lines().filter_map(|line| line.strip_prefix("  ")).filter_map(|line| line.split(' ').next());
    let commands: Vec<_> = listed.collect();
    assert!(commands.len() > 20, "{help}");
    for command in commands {
        assert!(
            documented.iter().any(|text| text.split(' ').next() == Some(command)),
            "docs/uci.md lacks {command}: {documented:?}"
        );
    }
    let reference = reference();
    let limits = between(&reference, "Of the limits of `go`", "\n\n").expect("docs/uci.md explains the limits");
    for limit in between(&help, "LIMITS: ", "\n").expect("help lists the limits").split(' ') {
        assert!(limits.contains(&format!("`{limit}")), "docs/uci.md lacks {limit}");
    }
}
