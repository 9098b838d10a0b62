//! Games that a match runner recorded as PGN, with the score of each move in its comment: what OpenBench collects.
//!
//! The scores in such files are those of UCI, which depend on the material. They are converted back to the network's,
//! so games from there and from `datagen generate` can be mixed. The conversion is that of this program, so the games
//! should have been played by a version with the same WDL model ([`Model::FITTED`]).

use std::fmt;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use eval::wdl::{Model, material};
use movegen::{Board, Color, GameResult};
use pgn::{EngineScore, PgnFault, PgnGame, PgnReader, open};
use search::Score;

use super::journal::Journal;
use crate::games::game::{Game, ScoredMove};
use crate::games::packed::check_holds_games;

/// What became of the games of PGN files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Games added.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Games left out, each with a reason.
    pub left_out: u64,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} positions; {} games left out", self.games, self.positions, self.left_out)
    }
}

/// Why a game is of no use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error("no result")]
    Unfinished,
    #[error("ended by a fault of a program or of its clock")]
    Faulty,
    #[error("no score after a move")]
    NoScore,
    #[error("no scored moves")]
    Empty,
    #[error("played by others")]
    Others,
    #[error("no fixed number of nodes a move")]
    NoNodes,
}

/// Appends the games of PGN files to the file of games at `path`; `-` is the standard input. `left_out` hears of each
/// game that is left out, with its file, its line and the reason.
///
/// Moves without a score at the start of a game, such as those from a book, are its opening.
///
/// # Errors
///
/// If a file cannot be read or written, or the one at `path` holds something else than games. Games read before are
/// added all the same.
pub fn import(path: &Path, sources: &[PathBuf], left_out: &mut dyn FnMut(String)) -> io::Result<Imported> {
    check_holds_games(path)?;
    let sources = open_all(sources)?;
    let mut journal = Journal::open(path)?;
    let imported = read_all(sources, convert, left_out, &mut |game: Game| {
        journal.append(&game)?;
        Ok(game.moves.len() as u64)
    });
    journal.close()?;
    imported
}

/// PGN files by their paths.
pub(super) type Sources<'a> = Vec<(&'a PathBuf, Box<dyn BufRead + Send>)>;

/// Opens all files, before anything is written.
pub(super) fn open_all(sources: &[PathBuf]) -> io::Result<Sources<'_>> {
    sources.iter().map(|source| Ok((source, open(source)?))).collect()
}

/// Converts each game and adds what it becomes; `add` returns the number of positions.
pub(super) fn read_all<T>(
    sources: Sources<'_>,
    convert: impl Fn(&PgnGame) -> Result<T, Unfit>,
    left_out: &mut dyn FnMut(String),
    add: &mut dyn FnMut(T) -> io::Result<u64>,
) -> io::Result<Imported> {
    let mut imported = Imported::default();
    for (source, input) in sources {
        // A game that is not whole has another end than its result says.
        let mut reader = PgnReader::new(input).strict(true);
        while let Some(read) = reader.next() {
            let fault = match read {
                Ok(game) => match convert(&game) {
                    Ok(game) => {
                        imported.games += 1;
                        imported.positions += add(game)?;
                        continue;
                    }
                    Err(unfit) => format!("the game in line {}: {unfit}", reader.game_line()),
                },
                Err(error) => match error.fault {
                    PgnFault::Io(error) => return Err(error),
                    _ => error.to_string(),
                },
            };
            imported.left_out += 1;
            left_out(format!("{}: {fault}", source.display()));
        }
    }
    Ok(imported)
}

/// The result of a game that ended as games do.
pub(super) fn result_of(game: &PgnGame) -> Result<GameResult, Unfit> {
    let result = game.result.filter(|result| *result != GameResult::BothLose).ok_or(Unfit::Unfinished)?;
    let is_faulty = !matches!(game.tags.get("Termination"), None | Some("normal" | "adjudication"));
    if is_faulty { Err(Unfit::Faulty) } else { Ok(result) }
}

fn convert(game: &PgnGame) -> Result<Game, Unfit> {
    let result = result_of(game)?;
    let mut start = None;
    let mut moves = Vec::new();
    for (id, board) in game.tree.main_line() {
        let node = game.tree.node(id);
        let shown = EngineScore::from_runner(&node.comment);
        match (node.mv, shown) {
            (Some(mv), Some(shown)) => moves.push(ScoredMove { mv, score: white_score(shown, &board) }),
            // The opening goes on.
            (_, None) if moves.is_empty() => continue,
            _ => return Err(Unfit::NoScore),
        }
        start.get_or_insert(board);
    }
    let start = start.ok_or(Unfit::Empty)?;
    Ok(Game { start, result: Some(result), moves })
}

/// The network's centipawns for White from what UCI says for the side to move.
pub(super) fn white_score(shown: EngineScore, board: &Board) -> i16 {
    const MAX: i32 = Score::MATE.0;
    let score = match shown {
        EngineScore::Centipawns(value) => Model::FITTED.denormalise(value, material(board)),
        // The side that mates makes the last half-move. No mate is longer than the scores that are kept for mates.
        EngineScore::Mate(moves) => {
            let plies = moves.saturating_mul(2).saturating_sub(i32::from(moves > 0)).saturating_abs();
            (MAX - plies.min(MAX - Score::MATE_BOUND.0)) * if moves > 0 { 1 } else { -1 }
        }
    };
    let score = if board.turn() == Color::White { score } else { -score };
    // Within the bounds, so nothing is lost.
    score.clamp(-MAX, MAX) as i16
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::games::blocks::read_games;

    /// As OpenBench keeps games: an opening, no move numbers, a score and a depth after each move.
    const COMPACT: &str = r#"[Event "Fastchess Tournament"]
[White "Vancura-dev"]
[Black "Vancura-base"]
[Result "1-0"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"]

e3 {book} d5 {-0.50/7} Nc3 {unknown} 1-0

[Event "Fastchess Tournament"]
[White "Vancura-base"]
[Black "Vancura-dev"]
[Result "0-1"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"]

g4 {-M1/12} Qh4# {+M1/9} 0-1
"#;

    /// As fastchess writes them.
    const VERBOSE: &str = r#"[White "a"]
[Black "b"]
[Result "1/2-1/2"]
[Termination "adjudication"]

1. e4 {book} e5 {-0.20/8 0.004s, n=5000, sd=12}
2. Nf3 {+0.35/9 0.004s, n=5000, sd=14, line="info string pgncomment x", Draw by adjudication} 1/2-1/2

[Result "1-0"]
[Termination "time forfeit"]

1. e4 {+0.20/8 0.004s} 1-0

[Result "*"]

1. e4 {+0.20/8 0.004s} *

[Result "1-0"]

1. e4 e5 1-0

[Result "1-0"]

1. e4 {+0.20/8 0.004s} Ke3 1-0
"#;

    fn games_in(path: &Path) -> Vec<Game> {
        read_games(path).unwrap().map(|game| game.unwrap()).collect()
    }

    fn import_texts(texts: &[&str]) -> (Imported, Vec<Game>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let sources: Vec<_> = (0..texts.len()).map(|number| folder.path().join(format!("{number}.pgn"))).collect();
        sources.iter().zip(texts).for_each(|(path, text)| fs_err::write(path, text).unwrap());
        let pool = folder.path().join("pool");
        let mut faults = Vec::new();
        let imported = import(&pool, &sources, &mut |fault| faults.push(fault)).unwrap();
        (imported, games_in(&pool), faults)
    }

    #[test]
    fn games_keep_their_opening_result_and_scores() {
        let (imported, games, faults) = import_texts(&[COMPACT, VERBOSE]);
        assert_eq!((imported.games, imported.positions), (2, 4), "{faults:?}");
        assert_eq!(
            games.iter().map(|game| game.result.unwrap()).collect::<Vec<_>>(),
            [GameResult::BlackWins, GameResult::Draw]
        );
        // Black mates in one half-move; before White's move it is two.
        assert_eq!(games[0].moves.iter().map(|mv| mv.score).collect::<Vec<_>>(), [-31_998, -31_999]);
        // The first move came from a book, so Black begins.
        assert_eq!(games[1].start.turn(), Color::Black);
        let [black, white] = [games[1].moves[0].score, games[1].moves[1].score].map(i32::from);
        let shown = |score| Model::FITTED.normalise(score, eval::wdl::MAX_MATERIAL);
        assert_eq!((shown(black), shown(white)), (20, 35), "for White");
        assert!(games.iter().all(|game| game.replay().all(|step| step.is_ok())));
    }

    #[test]
    fn what_is_left_out_is_said() {
        let (imported, _, faults) = import_texts(&[COMPACT, VERBOSE]);
        let reasons = [
            "0.pgn: the game in line 1: no score after a move",
            "1.pgn: the game in line 9: ended by a fault of a program or of its clock",
            "1.pgn: the game in line 14: no result",
            "1.pgn: the game in line 18: no scored moves",
            "1.pgn: line 24: ",
        ];
        assert_eq!((faults.len(), imported.left_out), (reasons.len(), 5), "{faults:?}");
        for (fault, reason) in faults.iter().zip(reasons) {
            assert!(fault.contains(reason), "{fault}: not {reason}");
        }
    }

    #[test]
    fn games_are_added_and_other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [pool, source] = ["pool", "games.pgn"].map(|name| folder.path().join(name));
        fs_err::write(&source, COMPACT).unwrap();
        for count in 1..=2 {
            import(&pool, std::slice::from_ref(&source), &mut |_| {}).unwrap();
            assert_eq!(games_in(&pool).len(), count);
        }
        let error = import(&source, std::slice::from_ref(&pool), &mut |_| {}).unwrap_err();
        assert!(error.to_string().ends_with("games.pgn is not a file of games"), "{error}");
        assert_eq!(fs_err::read_to_string(&source).unwrap(), COMPACT);
        let new = folder.path().join("new");
        assert!(import(&new, &[source, folder.path().join("none")], &mut |_| {}).is_err());
        assert!(!new.exists(), "nothing is begun if an input is missing");
    }

    #[test]
    fn absurd_scores_stay_within_bounds() {
        for (comment, score) in [
            ("+M1/1", 31_999),
            ("-M1/1", -31_998),
            ("+M2147483647/1", Score::MATE_BOUND.0),
            ("-M2147483647/1", -Score::MATE_BOUND.0),
            ("+20000000.00/1", Score::MATE.0),
            ("-20000000.00/1", -Score::MATE.0),
            ("0.00/1", 0),
        ] {
            let shown = EngineScore::from_runner(comment).unwrap();
            assert_eq!(i32::from(white_score(shown, &Board::start())), score, "{comment}");
        }
        for comment in
            ["", "book", "+0.31", "+0.31/", "/12", "+M/3", "+M+1/3", "x/3", "+99999999999/3", "+M99999999999/1"]
        {
            assert_eq!(EngineScore::from_runner(comment), None, "{comment}");
        }
    }
}
