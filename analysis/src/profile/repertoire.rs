//! A repertoire: the moves that a player means to make, and where games leave them.
//!
//! It is made of PGN files with variations. Positions are found whichever moves led to them, in the repertoire as in a game: one
//! that comes back to the repertoire has not left it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use cli::tell;
use movegen::{Board, Color, Key, Move};
use pgn::{NodeId, PgnGame, PgnReader, Tree, open};

use super::entry::{Departure, Outcome};
use crate::error::AnalyseError;
use crate::model::Side;

/// The most positions of a repertoire; they take some hundred megabytes.
const MAX_POSITIONS: usize = 2_000_000;

/// A file of a repertoire, and whose it is if that is said: `white=FILE`, `black=FILE` or `FILE`.
#[derive(Clone, Debug)]
pub(super) struct RepertoireFile {
    pub path: PathBuf,
    color: Option<Color>,
}

impl RepertoireFile {
    pub fn read(text: OsString) -> Self {
        let named = |color, name: &str| {
            let rest = text.to_str()?.strip_prefix(name)?.strip_prefix('=')?;
            Some(Self { path: rest.into(), color: Some(color) })
        };
        let named = named(Color::White, "white").or_else(|| named(Color::Black, "black"));
        named.unwrap_or_else(|| Self { path: text.into(), color: None })
    }
}

/// What is played in each position, with the side to move there. Those of Chess960 are told from those of standard chess.
type Moves = HashMap<(bool, Key), (Color, Vec<Move>)>;

/// What a player means to play.
#[derive(Default)]
pub(super) struct Repertoire {
    /// By the player's colour: White's, and Black's.
    sides: [Moves; 2],
}

impl Repertoire {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// If one cannot be read in full, or they hold too much.
    pub fn read(files: &[RepertoireFile]) -> Result<Self, AnalyseError> {
        let mut repertoire = Self::default();
        for file in files {
            repertoire.add(file)?;
        }
        Ok(repertoire)
    }

    fn add(&mut self, file: &RepertoireFile) -> Result<(), AnalyseError> {
        let fault = |error: String| AnalyseError::Repertoire { path: file.path.clone(), error };
        let text = open(&file.path).map_err(|error| fault(error.to_string()))?;
        let mut undecided = Moves::new();
        let mut count = 0;
        for game in PgnReader::new(text).strict(true) {
            let game = game.map_err(|error| fault(error.to_string()))?;
            count += 1;
            match file.color.or_else(|| orientation(&game)) {
                Some(color) => add_tree(&mut self.sides[color as usize], &game),
                None => add_tree(&mut undecided, &game),
            }
            if self.sides.iter().chain([&undecided]).map(HashMap::len).sum::<usize>() > MAX_POSITIONS {
                return Err(fault(format!("it has more than {MAX_POSITIONS} positions")));
            }
        }
        if count == 0 {
            return Err(fault("there is no game in it".to_owned()));
        }
        let colors = if undecided.is_empty() { Vec::new() } else { owners(&undecided) };
        if colors.len() > 1 {
            let name = file.path.display();
            tell(format_args!(
                "{name} is taken for both colours: neither side has fewer choices. white={name} is for one"
            ));
        }
        for color in colors {
            let known = &mut self.sides[color as usize];
            undecided.iter().for_each(|(key, (turn, moves))| add_moves(known, *key, *turn, moves));
        }
        Ok(())
    }

    /// Where a game of a player leaves what the player means to play; `None` without a repertoire for this colour.
    pub fn departure(&self, game: &PgnGame, side: Side) -> Option<Departure> {
        let color = Color::from(side);
        let known = &self.sides[color as usize];
        if known.is_empty() {
            return None;
        }
        let is_chess960 = game.is_chess960();
        let (mut found, mut last) = (Departure::of(Outcome::Unmatched), *game.tree.start());
        for (id, board) in game.tree.main_line() {
            let Some(mv) = game.tree.node(id).mv else { break };
            last = board.after(mv);
            let Some((turn, moves)) = known.get(&(is_chess960, board.key())) else { continue };
            let outcome = match (moves.is_empty(), moves.contains(&mv), *turn == color) {
                (true, ..) => Outcome::BookEnded,
                (false, true, _) => Outcome::Completed,
                (false, false, true) => Outcome::PlayerLeft,
                (false, false, false) => Outcome::OpponentLeft,
            };
            found = if outcome == Outcome::Completed {
                Departure::of(outcome)
            } else {
                Departure::at(outcome, &board, mv, moves)
            };
        }
        // A game that ends where it has come back has not left it.
        if known.contains_key(&(is_chess960, last.key())) && found.outcome != Outcome::Completed {
            found = Departure::of(Outcome::Completed);
        }
        Some(found)
    }
}

impl Departure {
    const fn of(outcome: Outcome) -> Self {
        Self { outcome, number: None, black: false, fen: None, played: None, says: Vec::new() }
    }

    fn at(outcome: Outcome, board: &Board, mv: Move, says: &[Move]) -> Self {
        Self {
            outcome,
            number: Some(board.fullmove_number()),
            black: board.turn() == Color::Black,
            fen: Some(board.fen(movegen::FenStyle::Standard)),
            played: Some(board.san(mv)),
            says: says.iter().map(|&mv| board.san(mv)).collect(),
        }
    }
}

/// Whose repertoire a chapter of a study is, as Lichess writes it.
fn orientation(game: &PgnGame) -> Option<Color> {
    match game.tags.get("Orientation")?.trim() {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// Whose repertoire it is: of the side with fewer choices; of both, if neither has.
fn owners(moves: &Moves) -> Vec<Color> {
    let choices = |color| -> usize {
        moves.values().filter(|(turn, _)| *turn == color).map(|(_, moves)| moves.len().saturating_sub(1)).sum()
    };
    let (white, black) = (choices(Color::White), choices(Color::Black));
    match white.cmp(&black) {
        std::cmp::Ordering::Less => vec![Color::White],
        std::cmp::Ordering::Greater => vec![Color::Black],
        std::cmp::Ordering::Equal => vec![Color::White, Color::Black],
    }
}

/// Adds all lines of a game. A turn that is passed, as annotators show threats, ends a line.
fn add_tree(moves: &mut Moves, game: &PgnGame) {
    let tree: &Tree = &game.tree;
    let is_chess960 = game.is_chess960();
    let mut waiting = vec![(NodeId::ROOT, *tree.start())];
    while let Some((id, board)) = waiting.pop() {
        let children: Vec<_> = tree.children(id).filter_map(|child| Some((child, tree.node(child).mv?))).collect();
        let here: Vec<_> = children.iter().map(|&(_, mv)| mv).collect();
        add_moves(moves, (is_chess960, board.key()), board.turn(), &here);
        waiting.extend(children.into_iter().rev().map(|(child, mv)| (child, board.after(mv))));
    }
}

fn add_moves(moves: &mut Moves, key: (bool, Key), turn: Color, more: &[Move]) {
    let known = &mut moves.entry(key).or_insert_with(|| (turn, Vec::new())).1;
    more.iter().for_each(|mv| {
        if !known.contains(mv) {
            known.push(*mv);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    /// A repertoire of this text, and whose it is.
    fn repertoire(text: &str) -> Repertoire {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Repertoire::read(&[RepertoireFile::read(file.path().into())]).unwrap()
    }

    const ITALIAN: &str = "1. e4 e5 (1... c5 2. c3 d5 3. exd5) (1... e6 2. d4) 2. Nf3 Nc6 (2... d6 3. d4) 3. Bc4 Bc5 (3... Nf6 4. d3) 4. c3 *";

    fn left(repertoire: &Repertoire, moves: &str, side: Side) -> String {
        let departure = repertoire.departure(&game(&format!("{moves} *")), side).unwrap();
        let Departure { outcome, number, black, played, says, .. } = departure;
        let dots = if black { "..." } else { "." };
        let at = number.zip(played).map(|(number, played)| format!(" {number}{dots} {played}, {}", says.join(" ")));
        format!("{outcome:?}{}", at.unwrap_or_default())
    }

    #[test]
    fn who_left_it_and_where_is_told() {
        let repertoire = repertoire(ITALIAN);
        let left = |moves| left(&repertoire, moves, Side::White);
        assert_eq!(left("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"), "PlayerLeft 3. Bb5, Bc4");
        assert_eq!(left("1. e4 e5 2. Nf3 f6 3. Nxe5"), "OpponentLeft 2... f6, Nc6 d6");
        assert_eq!(left("1. e4 c5 2. c3 d5 3. exd5 Qxd5"), "BookEnded 3... Qxd5, ");
        assert_eq!(left("1. e4 e5 2. Nf3"), "Completed");
        assert_eq!(left("1. d4 d5"), "PlayerLeft 1. d4, e4");
        // By another order of moves, back to where it goes on.
        assert_eq!(left("1. Nf3 Nc6 2. e4 e5 3. Bc4 h6"), "OpponentLeft 3... h6, Bc5 Nf6");
        assert_eq!(left("1. Nf3 e5 2. e4"), "Completed");
        assert_eq!(left("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4"), "Unmatched");
        assert_eq!(left("[White \"x\"]\n\n"), "Completed", "a game without moves has left nothing");
    }

    #[test]
    fn the_side_with_fewer_choices_has_it() {
        let of = |text: &str| repertoire(text).sides.map(|moves| !moves.is_empty());
        assert_eq!(of(ITALIAN), [true, false]);
        assert_eq!(of("1. e4 (1. d4 d5) (1. c4 e5) 1... c5 *"), [false, true]);
        assert_eq!(of("1. e4 c5 2. Nf3 *"), [true, true]);
        assert_eq!(of("[Orientation \"black\"]\n\n1. e4 c5 (1... e5) *"), [false, true]);
        let file = RepertoireFile::read("black=x/y.pgn".into());
        assert_eq!((file.color, file.path), (Some(Color::Black), PathBuf::from("x/y.pgn")));
        assert_eq!(RepertoireFile::read("blackbird.pgn".into()).color, None);
        assert!(repertoire("[Orientation \"black\"]\n\n1. e4 c5 *").departure(&game("1. e4 *"), Side::White).is_none());
    }

    #[test]
    fn chess960_has_positions_of_its_own() {
        let repertoire = repertoire(ITALIAN);
        let start = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5";
        assert_eq!(left(&repertoire, start, Side::White), "Unmatched");
    }

    #[test]
    fn a_repertoire_that_cannot_be_read_in_full_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (text, message) in [("1. e4 e5 2. Ke3 d5 *", "line 1"), ("", "no game"), ("[FEN \"x\"]\n\n1. e4 *", "FEN")]
        {
            std::fs::write(file.path(), text).unwrap();
            let error = Repertoire::read(&[RepertoireFile::read(file.path().into())]).err().unwrap().to_string();
            assert!(error.contains(message) && error.starts_with("the repertoire "), "{error}");
        }
        assert!(Repertoire::read(&[RepertoireFile::read("/none.pgn".into())]).is_err());
    }
}
