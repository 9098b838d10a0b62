//! What is said of a position.

use std::collections::BTreeMap;

use movegen::{Board, CastlingStyle, FenStyle, Move};
use pgn::{OpeningName, result_text};
use serde::Serialize;

use crate::facts::Listing;
use crate::notes::Kind;
use crate::tally::{Best, Lists, Ranked, Tally};

/// A position, the moves that were made in it, and some of the games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answer {
    /// The position.
    pub fen: String,
    /// Whether it was looked up among games of Chess960.
    pub chess960: bool,
    /// The code of the opening that has this position, and its name.
    pub opening: Option<[String; 2]>,
    /// All moves that were made, the most frequent first.
    pub moves: Vec<MoveRow>,
    /// Games of the highest ratings.
    pub top: Vec<GameRow>,
    /// The latest games.
    pub newest: Vec<GameRow>,
}

/// What became of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveRow {
    /// The move in coordinates.
    pub uci: String,
    /// The move in Standard Algebraic Notation.
    pub san: String,
    /// In how many games it was made; some may have no result.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// The mean rating of those who made it, over games with a result and both ratings.
    pub rating: Option<u32>,
    /// Their performance in these: the mean rating of the opponents, and 400 log10(s / (1 - s)) for a score of s.
    pub performance: Option<u32>,
    /// The first year.
    pub first_year: Option<u32>,
    /// The last year.
    pub last_year: Option<u32>,
}

/// A game of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameRow {
    /// By what its source finds it again.
    pub id: String,
    /// The move that was made, in Standard Algebraic Notation.
    pub san: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// The result as PGN has it.
    pub result: String,
    /// The year.
    pub year: Option<u32>,
    /// The file that it is in; `None` where each game has a file of its own.
    pub file: Option<String>,
    /// The line of the file in which it begins.
    pub line: u64,
}

impl Answer {
    /// How many games have a move here. One that came here more than once, and went on with different moves, counts for each.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.moves.iter().map(|mv| mv.games).sum()
    }

    /// Puts an answer together. Moves that are not legal here are those of another position with the same key, and are left
    /// out. `listing` tells of a game by its number its name, its file and all else that it is listed by.
    pub(crate) fn new<E>(
        board: &Board,
        kind: Kind,
        tallies: &BTreeMap<u16, Tally>,
        mut listing: impl FnMut(u32) -> Result<(String, Option<String>, Listing), E>,
    ) -> Result<Self, E> {
        let is_chess960 = kind == Kind::Chess960;
        let style = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let (mut moves, mut lists) = (Vec::new(), Lists::default());
        for (&bits, tally) in tallies {
            let Some(mv) = Move::from_bits(bits).filter(|&mv| board.is_legal(mv)) else { continue };
            let sums = &tally.sums;
            let [first_year, last_year] = sums.years.map(known);
            moves.push(MoveRow {
                uci: mv.uci(style).to_string(),
                san: board.san(mv),
                games: sums.games,
                white: sums.white,
                draws: sums.draws,
                black: sums.black,
                rating: sums.rating(board.turn()),
                performance: sums.performance(board.turn()),
                first_year,
                last_year,
            });
            let all = [&tally.lists.top, &tally.lists.newest].into_iter().flat_map(Best::games);
            all.for_each(|game| lists.add(game.game, game.mv, game.facts));
        }
        moves.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.san.cmp(&other.san)));
        let mut rows = |best: &Best| -> Result<Vec<GameRow>, E> {
            best.games().iter().filter_map(|game| row(board, game, &mut listing).transpose()).collect()
        };
        let fen = board.fen(FenStyle::Standard);
        let name = OpeningName::of_position(board).map(|name| [name.eco.to_owned(), name.name.to_owned()]);
        let opening = name.filter(|_| !is_chess960);
        Ok(Self { fen, chess960: is_chess960, opening, moves, top: rows(&lists.top)?, newest: rows(&lists.newest)? })
    }
}

/// A game as it is listed; `None` if its move is that of another position.
fn row<E>(
    board: &Board,
    game: &Ranked,
    listing: impl FnOnce(u32) -> Result<(String, Option<String>, Listing), E>,
) -> Result<Option<GameRow>, E> {
    let Some(mv) = Move::from_bits(game.mv) else { return Ok(None) };
    let (id, file, Listing { white, black, place }) = listing(game.game)?;
    let [white_rating, black_rating] = game.facts.ratings.map(|rating| (rating > 0).then_some(rating));
    Ok(Some(GameRow {
        id,
        san: board.san(mv),
        white,
        black,
        white_rating,
        black_rating,
        result: result_text(game.facts.result),
        year: known(game.facts.year()),
        file,
        line: place.line,
    }))
}

fn known(year: u32) -> Option<u32> {
    (year > 0).then_some(year)
}
