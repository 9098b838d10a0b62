//! Games between PGN and the page.

use std::collections::HashMap;
use std::time::Duration;

use movegen::{Board, FenStyle, GameResult};
use pgn::{Evaluation, NodeId, PgnGame, PgnReader, Tags, Tree, number_moves, read_result, result_text};
use serde::{Deserialize, Serialize};

use super::error::{MAX_MOVES, RulesError};
use super::line::{PASS, play, squares, step, uci};

/// The most games of a text that are listed; the text of a larger file is cut before it gets here.
const MAX_GAMES: usize = 10_000;

/// What a PGN text holds.
#[derive(Serialize)]
pub(super) struct Contents {
    games: Vec<Heading>,
    /// Games that cannot be read, and why.
    errors: Vec<String>,
    /// What there is to say of the others, such as where a line of moves could not be read on.
    remarks: Vec<String>,
    /// The game that was asked for.
    game: PgnRecord,
}

/// A game in a list.
#[derive(Serialize)]
struct Heading {
    white: String,
    black: String,
    event: String,
    date: String,
    result: String,
}

/// A game with all its moves.
#[derive(Serialize, Deserialize)]
pub(super) struct PgnRecord {
    #[serde(default)]
    tags: Vec<(String, String)>,
    /// Where it starts; `None` for the start of a normal game.
    #[serde(default)]
    fen: Option<String>,
    /// The comment before the first move.
    #[serde(default)]
    comment: String,
    /// The moves, each after the one that it follows.
    moves: Vec<PgnMove>,
    #[serde(default)]
    result: String,
}

#[derive(Serialize, Deserialize)]
struct PgnMove {
    /// The place in the list of the move before; none for a first move.
    parent: Option<usize>,
    uci: String,
    #[serde(default)]
    san: String,
    /// With its number.
    #[serde(default)]
    text: String,
    /// Where the piece comes from and goes.
    #[serde(default)]
    squares: Option<(String, String)>,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    prelude: String,
    #[serde(default)]
    comment: String,
    /// What the mover's clock shows, how long the move took, and what an engine thought of it: kept as they are.
    #[serde(default)]
    clock: Option<Duration>,
    #[serde(default)]
    clock_text: Option<Box<str>>,
    #[serde(default)]
    elapsed: Option<Duration>,
    #[serde(default)]
    elapsed_text: Option<Box<str>>,
    #[serde(default)]
    evaluation: Option<Evaluation>,
}

/// Reads a text, and of its readable games one in full.
pub(super) fn read(text: &str, wanted: usize) -> Result<Contents, RulesError> {
    let (mut games, mut errors, mut remarks, mut chosen) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut first_error = None;
    for game in PgnReader::new(text.as_bytes()).take(MAX_GAMES) {
        match game {
            Ok(game) => {
                let number = games.len() + 1;
                remarks.extend(game.remarks.iter().map(|remark| format!("game {number}, {remark}")));
                games.push(heading(&game.tags, game.result));
                if games.len() - 1 == wanted {
                    chosen = Some(game);
                }
            }
            Err(error) => {
                errors.push(error.to_string());
                first_error.get_or_insert(error);
            }
        }
    }
    let game = match (chosen, first_error) {
        (Some(game), _) => PgnRecord::of(&game),
        (None, Some(error)) => return Err(error.into()),
        (None, None) => return Err(RulesError::NoGame),
    };
    Ok(Contents { games, errors, remarks, game })
}

fn heading(tags: &Tags, result: Option<GameResult>) -> Heading {
    let tag = |name| tags.get(name).unwrap_or("?").to_owned();
    Heading {
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        result: result_text(result),
    }
}

impl PgnRecord {
    fn of(game: &PgnGame) -> Self {
        let tree = &game.tree;
        let start = tree.start();
        let mut moves = Vec::with_capacity(tree.len());
        // The boards after the nodes: each node comes after its parent, and after those it is an alternative to, which may be
        // other than their order in a file.
        let mut boards = vec![*start];
        let places: HashMap<NodeId, usize> = tree.as_written().zip(1..).collect();
        for id in tree.as_written() {
            let node = tree.node(id);
            let parent = tree.parent(id).and_then(|parent| places.get(&parent).copied()).unwrap_or(0);
            let mut board = boards[parent];
            let san = node.mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv));
            moves.push(PgnMove {
                parent: parent.checked_sub(1),
                uci: node.mv.map_or_else(|| PASS.to_owned(), |mv| uci(&board, mv)),
                text: number_moves(&board, [&san]),
                san,
                squares: node.mv.map(squares),
                nags: node.nags.clone(),
                prelude: node.prelude.clone(),
                comment: node.comment.clone(),
                clock: node.clock,
                clock_text: node.clock_text.clone(),
                elapsed: node.elapsed,
                elapsed_text: node.elapsed_text.clone(),
                evaluation: node.evaluation,
            });
            play(&mut board, node.mv);
            boards.push(board);
        }
        let fen = (*start != Board::start()).then(|| start.fen(FenStyle::Standard));
        let tags = game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let comment = tree.node(NodeId::ROOT).comment.clone();
        Self { tags, fen, comment, moves, result: result_text(game.result) }
    }

    /// The game as a file has it.
    pub fn write(&self) -> Result<Written, RulesError> {
        if self.moves.len() > MAX_MOVES {
            return Err(RulesError::TooLong);
        }
        let start = self.fen.as_deref().map_or_else(|| Ok(Board::start()), Board::from_fen)?;
        let mut tree = Tree::new(start);
        tree.node_mut(NodeId::ROOT).comment = plain(&self.comment);
        let mut nodes = vec![(NodeId::ROOT, start)];
        for (index, step_of) in self.moves.iter().enumerate() {
            let place = step_of.parent.map_or(0, |parent| parent.saturating_add(1));
            let &(parent, mut board) = nodes.get(place).ok_or(RulesError::Parent(index + 1))?;
            let mv = step(&mut board, &step_of.uci)?;
            let id = tree.add(parent, mv).ok_or(RulesError::TooLong)?;
            let node = tree.node_mut(id);
            node.nags.clone_from(&step_of.nags);
            (node.prelude, node.comment) = (plain(&step_of.prelude), plain(&step_of.comment));
            (node.clock, node.elapsed, node.evaluation) = (step_of.clock, step_of.elapsed, step_of.evaluation);
            let as_written = |text: &Option<Box<str>>| text.clone().filter(|text| is_time(text));
            node.clock_text = as_written(&step_of.clock_text);
            node.elapsed_text = as_written(&step_of.elapsed_text);
            nodes.push((id, board));
        }
        let game = PgnGame { tags: self.tags(&start), result: self.result(), ..PgnGame::new(tree) };
        Ok(Written { pgn: game.to_string() })
    }

    fn result(&self) -> Option<GameResult> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::BothLose];
        all.into_iter().find(|&result| result_text(Some(result)) == self.result)
    }

    fn tags(&self, start: &Board) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in self.tags.iter().filter(|(name, _)| is_name(name)) {
            tags.set(name, value.clone());
        }
        // As the file has it, if it says the same.
        if tags.get("Result").is_none_or(|said| read_result(said) != self.result()) {
            tags.set("Result", result_text(self.result()));
        }
        if start.is_chess960() {
            tags.set("Variant", "Chess960");
        }
        if *start != Board::start() {
            tags.set("SetUp", "1");
            tags.set("FEN", start.fen(FenStyle::Standard));
        }
        tags
    }
}

/// A game in PGN.
#[derive(Serialize)]
pub(super) struct Written {
    pgn: String,
}

/// A comment without what would end it in a file.
fn plain(comment: &str) -> String {
    let words = comment.split(|letter: char| letter.is_whitespace() || letter.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").replace('}', ")")
}

/// Whether the standard allows this as the name of a tag.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text has nothing but what times are written with.
fn is_time(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))
}
