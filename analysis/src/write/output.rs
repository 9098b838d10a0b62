//! Where analysed games go.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use cli::{Printable, data_output};
use movegen::Board;
use pgn::number_moves;
use platform::OutputFile;

use crate::model::{BrokenGame, Game, Run, SCHEMA, Side};
use crate::read::games::Reading;
use crate::report::Report;
use crate::temp_file::TempFile;
use crate::write::annotate::{CommentStyle, QualitySigns, Remarks, annotated};

/// What takes the games, in the order of the file, each as soon as it and all before it are done.
pub(crate) trait Output: Send {
    /// Takes a game.
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()>;

    /// Adds a game that could not be read.
    fn broken(&mut self, _: &BrokenGame) -> io::Result<()> {
        Ok(())
    }

    /// There are no more: writes the rest.
    fn finish(&mut self) -> io::Result<()>;

    /// Puts a file in its place. With `keeps_old` it goes nowhere if there is one already.
    fn commit(&mut self, keeps_old: bool) -> io::Result<()>;
}

/// A file or the standard output.
pub(crate) enum Sink {
    File(OutputFile),
    Standard(BufWriter<Box<dyn Write + Send>>),
    /// A file that is in its place.
    Done,
}

impl Sink {
    /// A file to be written, or the standard output for `-`.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::Standard(BufWriter::new(data_output())));
        }
        OutputFile::create(path).map(Self::File)
    }

    /// The standard output, for people.
    pub fn text() -> Self {
        Self::Standard(BufWriter::new(Box::new(Printable::new(io::stdout()))))
    }

    pub fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        match self {
            Self::Standard(output) => output.flush(),
            Self::File(file) if keeps_old && file.replaces() => Ok(()),
            Self::File(_) => match std::mem::replace(self, Self::Done) {
                Self::File(file) => file.commit(),
                Self::Standard(_) | Self::Done => Ok(()),
            },
            Self::Done => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(output) => output.write(bytes),
            Self::Done => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(output) => output.flush(),
            Self::Done => Ok(()),
        }
    }
}

/// Annotated PGN.
pub(crate) struct PgnOutput {
    pub file: Sink,
    pub annotator: String,
    pub comments: CommentStyle,
    pub signs: QualitySigns,
    pub remarks: Remarks,
}

impl Output for PgnOutput {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        let Self { annotator, comments, signs, remarks, .. } = &*self;
        let pgn = annotated(&reading.game, &reading.main_line, game, annotator, *comments, *signs, *remarks);
        self.file.write_all(pgn.to_string().as_bytes())?;
        self.file.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.file.commit(keeps_old)
    }
}

/// A [`Document`](crate::model::Document), written game by game.
pub(crate) struct JsonOutput {
    file: Sink,
    has_games: bool,
    /// They come after the games.
    broken: TempFile,
    has_broken: bool,
}

impl JsonOutput {
    /// Temporary files are made in `folder`, if possible.
    pub fn begin(mut file: Sink, run: &Run, folder: Option<&Path>) -> io::Result<Self> {
        write!(file, "{{\"schema\":{SCHEMA},\"run\":{},\"games\":[", serde_json::to_string(run)?)?;
        Ok(Self { file, has_games: false, broken: TempFile::new(folder)?, has_broken: false })
    }
}

impl Output for JsonOutput {
    fn game(&mut self, game: &Game, _: &Reading) -> io::Result<()> {
        self.file.write_all(if self.has_games { b",\n" } else { b"\n" })?;
        self.has_games = true;
        Ok(serde_json::to_writer(&mut self.file, game)?)
    }

    fn broken(&mut self, game: &BrokenGame) -> io::Result<()> {
        if std::mem::replace(&mut self.has_broken, true) {
            self.broken.write_all(b",")?;
        }
        Ok(serde_json::to_writer(&mut self.broken, game)?)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.write_all(b"\n],\"broken\":[")?;
        io::copy(&mut self.broken.read()?, &mut self.file)?;
        self.file.write_all(b"]}\n")?;
        self.file.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.file.commit(keeps_old)
    }
}

/// The page for people, written when the last game has come.
pub(crate) struct HtmlOutput {
    pub file: Sink,
    pub report: Report,
}

impl Output for HtmlOutput {
    fn game(&mut self, game: &Game, _: &Reading) -> io::Result<()> {
        self.report.add(game)
    }

    fn broken(&mut self, game: &BrokenGame) -> io::Result<()> {
        self.report.add_broken(game)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.report.write(&mut self.file)?;
        self.file.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.file.commit(keeps_old)
    }
}

/// Plain text about a single position.
pub(crate) struct TextOutput {
    pub file: Sink,
}

impl Output for TextOutput {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        // A game has at least one position, the start.
        let (Some(position), Some(board)) = (game.positions.last(), reading.main_line.boards.last()) else {
            return Ok(());
        };
        let turn = if position.turn == Side::White { "White" } else { "Black" };
        write!(self.file, "{turn} to move")?;
        if let Some(analysis) = &position.analysis {
            let (wdl, percent) = (analysis.wdl, 100.0 * analysis.white);
            if analysis.depth > 0 {
                write!(self.file, ", depth {}", analysis.depth)?;
            }
            writeln!(
                self.file,
                "\nWhite scores {percent:.0} %: wins {}, draws {}, loses {} of a thousand",
                wdl.win, wdl.draw, wdl.loss
            )?;
            for line in &analysis.lines {
                writeln!(self.file, "{:>7}  {}", line.score, number_moves(board, &line.san))?;
            }
        } else {
            writeln!(self.file)?;
        }
        if let Some(said) = said_of_the_end(board) {
            writeln!(self.file, "{said}")?;
        }
        game.findings.iter().try_for_each(|finding| writeln!(self.file, "{}", finding.text))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.file.commit(keeps_old)
    }
}

/// Why there are no lines.
fn said_of_the_end(board: &Board) -> Option<&'static str> {
    if board.has_legal_move() {
        board.has_insufficient_material().then_some("A draw: nobody has the pieces to mate.")
    } else {
        Some(if board.in_check() { "Checkmate." } else { "Stalemate." })
    }
}
