//! Reading what `analyse --json` wrote: one game after another, so that memory does not grow with the file.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use fs_err::File;
use serde::Deserialize;

use crate::error::AnalyseError;
use crate::model::{Document, Game, SCHEMA};

/// What a file begins with, before its games.
#[derive(Deserialize)]
struct Head {
    schema: u32,
}

/// The end of the line before the games, and what makes that line a whole object.
const GAMES: &str = "\"games\":[";
const CLOSED: &str = "]}";

/// The games of a file that [`Document`] describes.
///
/// # Errors
///
/// If the file cannot be read, is something else, or is of another version.
pub(super) fn games_of(path: &Path) -> Result<Box<dyn Iterator<Item = Result<Game, AnalyseError>>>, AnalyseError> {
    let mut text = BufReader::new(File::open(path).map_err(AnalyseError::Open)?);
    let mut head = String::new();
    text.read_line(&mut head).map_err(|error| unreadable(path, &error))?;
    if !head.trim_end().ends_with(GAMES) {
        return whole(path);
    }
    check(path, &(head.trim_end().to_owned() + CLOSED))?;
    let path = path.to_owned();
    // Each game is in a line, and the line after them begins with a bracket.
    let lines = text.lines().map_while(move |line| match line {
        Ok(line) if line.starts_with('{') => {
            let text = line.trim_end().trim_end_matches(',');
            Some(
                serde_json::from_str(text)
                    .map_err(|error| AnalyseError::NoAnalysis { path: path.clone(), error: error.to_string() }),
            )
        }
        Ok(_) => None,
        Err(error) => Some(Err(unreadable(&path, &error))),
    });
    Ok(Box::new(lines))
}

/// The same of a file in which other programs have set the lines.
fn whole(path: &Path) -> Result<Box<dyn Iterator<Item = Result<Game, AnalyseError>>>, AnalyseError> {
    let text = fs_err::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    check(path, &text)?;
    let document: Document = serde_json::from_str(&text).map_err(|error| foreign(path, &error))?;
    Ok(Box::new(document.games.into_iter().map(Ok)))
}

/// Whether it is a stored analysis, and of this version.
fn check(path: &Path, text: &str) -> Result<(), AnalyseError> {
    let head: Head = serde_json::from_str(text).map_err(|error| foreign(path, &error))?;
    if head.schema != SCHEMA {
        return Err(AnalyseError::OtherSchema { path: path.to_owned(), found: head.schema, read: SCHEMA });
    }
    Ok(())
}

fn foreign(path: &Path, error: &serde_json::Error) -> AnalyseError {
    AnalyseError::NoAnalysis { path: PathBuf::from(path), error: error.to_string() }
}

fn unreadable(path: &Path, error: &std::io::Error) -> AnalyseError {
    AnalyseError::NoAnalysis { path: PathBuf::from(path), error: error.to_string() }
}
