//! Several books as one. As with Polyglot's `merge-book`, a position that several have is taken from the first of them.

use std::path::{Path, PathBuf};

use clap::Args;
use formats::{BookEntry, PolyglotBook};

use super::{BookError, BookWriter, open};

/// Merges books.
#[derive(Args, Debug)]
pub(super) struct MergeArguments {
    /// The books, the most trusted first
    #[arg(required = true, num_args = 2.., value_name = "FILE.bin")]
    books: Vec<PathBuf>,
    /// The new book
    #[arg(short, long, value_name = "FILE.bin")]
    output: PathBuf,
}

/// A book that is read from its beginning to its end.
struct Stream {
    path: PathBuf,
    book: PolyglotBook,
    place: u64,
    head: Option<BookEntry>,
}

impl Stream {
    fn open(path: &Path) -> Result<Self, BookError> {
        let mut stream = Self { path: path.to_owned(), book: open(path)?, place: 0, head: None };
        stream.next()?;
        Ok(stream)
    }

    fn next(&mut self) -> Result<(), BookError> {
        let is_over = self.place >= self.book.len();
        self.head = if is_over {
            None
        } else {
            let entry = self.book.entry(self.place);
            Some(entry.map_err(|error| BookError::Read { path: self.path.clone(), error })?)
        };
        self.place += 1;
        Ok(())
    }
}

pub(super) fn run(arguments: &MergeArguments) -> Result<(), BookError> {
    let mut streams = arguments.books.iter().map(|path| Stream::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut output = BookWriter::create(&arguments.output, &arguments.books)?;
    while let Some(key) = streams.iter().filter_map(|stream| stream.head).map(|entry| entry.key).min() {
        let mut is_taken = false;
        for stream in &mut streams {
            let is_first = !is_taken;
            while let Some(entry) = stream.head.filter(|entry| entry.key == key) {
                if is_first {
                    output.add(entry)?;
                    is_taken = true;
                }
                stream.next()?;
            }
        }
    }
    Ok(output.commit()?)
}
