//! Tables of games and positions, as JSON Lines or as CSV.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::model::Game;
use crate::read::games::Reading;
use crate::read::shard::Shard;
use crate::rows::{GameRow, PositionRow, Row};
use crate::write::output::{Output, Sink};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableForm {
    /// A JSON object a line.
    JsonLines,
    /// A line with the names of the columns, and a line for each row.
    Csv,
}

impl TableForm {
    const fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
        }
    }
}

/// The files of the tables: that of positions, and in a folder that of games beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TableFiles {
    pub positions: PathBuf,
    pub games: Option<PathBuf>,
}

impl TableFiles {
    /// The files that a path means. A folder, which is there or has a slash at its end, gets both tables, and of a shard the
    /// names tell which.
    pub fn of(path: &Path, form: TableForm, shard: Option<Shard>) -> Self {
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
        if !is_folder {
            return Self { positions: path.to_owned(), games: None };
        }
        let place = shard.map_or_else(String::new, |shard| format!("-{}", shard.name()));
        let file = |table: &str| path.join(format!("{table}{place}.{}", form.ending()));
        Self { positions: file(PositionRow::TABLE), games: Some(file(GameRow::TABLE)) }
    }

    /// Makes their folder, if they have one of their own.
    pub fn make_folder(&self) -> io::Result<()> {
        self.games.as_deref().and_then(Path::parent).map_or(Ok(()), fs::create_dir_all)
    }

    /// The files.
    pub fn iter(&self) -> impl Iterator<Item = &PathBuf> {
        [Some(&self.positions), self.games.as_ref()].into_iter().flatten()
    }
}

/// Tables that are written.
pub(crate) struct TableOutput {
    form: TableForm,
    positions: Sink,
    games: Option<Sink>,
}

impl TableOutput {
    /// Begins the files.
    pub fn begin(files: &TableFiles, form: TableForm) -> io::Result<Self> {
        let (mut positions, mut games) =
            (Sink::create(&files.positions)?, files.games.as_deref().map(Sink::create).transpose()?);
        if form == TableForm::Csv {
            writeln!(positions, "{}", PositionRow::COLUMNS.join(","))?;
            games.as_mut().map(|games| writeln!(games, "{}", GameRow::COLUMNS.join(","))).transpose()?;
        }
        Ok(Self { form, positions, games })
    }

    fn sinks(&mut self) -> impl Iterator<Item = &mut Sink> {
        [Some(&mut self.positions), self.games.as_mut()].into_iter().flatten()
    }
}

impl Output for TableOutput {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        let id = reading.label.as_ref().and_then(|label| label.id.as_deref());
        if let Some(games) = &mut self.games {
            write_rows(games, self.form, [GameRow::of(game, id)])?;
        }
        write_rows(&mut self.positions, self.form, PositionRow::of(game, id))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.sinks().try_for_each(Write::flush)
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.sinks().try_for_each(|sink| sink.commit(keeps_old))
    }
}

fn write_rows<T: Row>(mut output: impl Write, form: TableForm, rows: impl IntoIterator<Item = T>) -> io::Result<()> {
    match form {
        TableForm::JsonLines => {
            for row in rows {
                serde_json::to_writer(&mut output, &row)?;
                output.write_all(b"\n")?;
            }
        }
        TableForm::Csv => {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(output);
            rows.into_iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::from)?;
            writer.flush()?;
        }
    }
    Ok(())
}
