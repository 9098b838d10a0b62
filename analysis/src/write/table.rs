//! Tables of games and positions, as JSON Lines, CSV or Parquet.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::model::{Game, Run};
use crate::read::games::Reading;
use crate::read::shard::Shard;
use crate::rows::{GameRow, PositionRow, Row};
use crate::write::output::{Output, Sink};
#[cfg(feature = "parquet")]
use crate::write::parquet::ParquetTable;

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableForm {
    /// A JSON object a line.
    JsonLines,
    /// A line with the names of the columns, and a line for each row.
    Csv,
    /// Apache Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl TableForm {
    const fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// Whether a name without an ending of its own is that of a folder. Data sets in Parquet are folders.
    const fn makes_folders(self) -> bool {
        match self {
            Self::JsonLines | Self::Csv => false,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
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
    /// The files that a path means. A folder gets both tables, and of a shard the names tell which: it is there, has a slash at
    /// its end, or is named for a data set.
    pub fn of(path: &Path, form: TableForm, shard: Option<Shard>) -> Self {
        let is_file_name = path == Path::new("-") || path.extension().is_some_and(|ending| ending == form.ending());
        let is_folder = path.is_dir()
            || path.to_string_lossy().ends_with(std::path::is_separator)
            || (form.makes_folders() && !is_file_name);
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
    positions: Box<dyn Table<PositionRow>>,
    games: Option<Box<dyn Table<GameRow>>>,
}

impl TableOutput {
    /// Begins the files of a run.
    pub fn begin(files: &TableFiles, form: TableForm, run: &Run) -> io::Result<Self> {
        let positions = begin(&files.positions, form, run)?;
        let games = files.games.as_deref().map(|path| begin(path, form, run)).transpose()?;
        Ok(Self { positions, games })
    }
}

impl Output for TableOutput {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        let id = reading.label.as_ref().and_then(|label| label.id.as_deref());
        if let Some(games) = &mut self.games {
            games.add(&mut [GameRow::of(game, id)].into_iter())?;
        }
        self.positions.add(&mut PositionRow::of(game, id))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.positions.finish()?;
        self.games.as_mut().map_or(Ok(()), |games| games.finish())
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.positions.commit(keeps_old)?;
        self.games.as_mut().map_or(Ok(()), |games| games.commit(keeps_old))
    }
}

/// A table that is written.
trait Table<R>: Send {
    /// Adds rows.
    fn add(&mut self, rows: &mut dyn Iterator<Item = R>) -> io::Result<()>;

    /// There are no more: writes the rest.
    fn finish(&mut self) -> io::Result<()>;

    /// Puts the file in its place, as [`Sink::commit`].
    fn commit(&mut self, keeps_old: bool) -> io::Result<()>;
}

#[cfg_attr(not(feature = "parquet"), expect(unused_variables, reason = "only Parquet has a place for it"))]
fn begin<R: Row + 'static>(path: &Path, form: TableForm, run: &Run) -> io::Result<Box<dyn Table<R>>> {
    let sink = Sink::create(path)?;
    Ok(match form {
        TableForm::JsonLines => Box::new(JsonLines(sink)),
        TableForm::Csv => Box::new(Csv::begin::<R>(sink)?),
        #[cfg(feature = "parquet")]
        TableForm::Parquet => Box::new(ParquetTable::<R>::of_run(sink, run)?),
    })
}

struct JsonLines(Sink);

impl<R: Row> Table<R> for JsonLines {
    fn add(&mut self, rows: &mut dyn Iterator<Item = R>) -> io::Result<()> {
        for row in rows {
            serde_json::to_writer(&mut self.0, &row)?;
            self.0.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.0.commit(keeps_old)
    }
}

struct Csv(Sink);

impl Csv {
    fn begin<R: Row>(mut sink: Sink) -> io::Result<Self> {
        let names: Vec<_> = R::COLUMNS.iter().map(|column| column.name).collect();
        writeln!(sink, "{}", names.join(","))?;
        Ok(Self(sink))
    }
}

impl<R: Row> Table<R> for Csv {
    fn add(&mut self, rows: &mut dyn Iterator<Item = R>) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut self.0);
        for row in rows {
            writer.serialize(row).map_err(io::Error::from)?;
        }
        writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.0.commit(keeps_old)
    }
}

#[cfg(feature = "parquet")]
impl<R: Row> Table<R> for ParquetTable<R> {
    fn add(&mut self, rows: &mut dyn Iterator<Item = R>) -> io::Result<()> {
        Self::add(self, rows)
    }

    fn finish(&mut self) -> io::Result<()> {
        Self::finish(self)
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        Self::commit(self, keeps_old)
    }
}
