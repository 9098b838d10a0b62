//! Games of matches at a fixed number of nodes, as `vancura play` writes them: deep play that costs nothing.
//!
//! Nothing is learned from another engine. Where only one side is one of the named players, each position that it searched
//! is kept by itself, with its own score and its best move: neither the other side's moves nor the result, which they
//! made, teach anything. A game between two of the players is kept as a game.

use std::io;
use std::path::{Path, PathBuf};

use movegen::{Board, Color, Move};
use pgn::{EngineScore, Node, PgnGame};

use super::import::{Imported, Unfit, open_all, read_all, result_of, white_score};
use crate::games::game::{Game, ScoredMove};
use crate::games::packed::{Appender, check_holds_games, settings_of_play};

/// What `vancura play` calls its matches. In its games `[%eval]` is what the mover said; elsewhere it may be anybody's.
const EVENT: &str = "Vancura play";

/// Appends what players searched in the games of PGN files to the file of games at `path`, packed, with the nodes of a move
/// as settings (`nodes=5000 source=match`). A player is one whose name begins with one of `players`. `left_out` hears of
/// each game that is left out, with its file, its line and the reason.
///
/// # Errors
///
/// If a file cannot be read or written, or the one at `path` holds something else than games. Games read before are
/// added all the same.
pub fn import_matches(
    path: &Path,
    sources: &[PathBuf],
    players: &[String],
    left_out: &mut dyn FnMut(String),
) -> io::Result<Imported> {
    check_holds_games(path)?;
    let sources = open_all(sources)?;
    let mut appender = Appender::new(path);
    let imported =
        read_all(sources, |game| convert(game, players), left_out, &mut |(settings, games): (String, Vec<Game>)| {
            let positions = games.iter().map(|game| game.moves.len() as u64).sum();
            appender.add(settings, games)?;
            Ok(positions)
        });
    appender.finish()?;
    imported
}

/// The settings of a game, and the game, or the positions of one side.
fn convert(game: &PgnGame, players: &[String]) -> Result<(String, Vec<Game>), Unfit> {
    let result = result_of(game)?;
    let is_own = |tag: &str| {
        let name = game.tags.get(tag).unwrap_or_default();
        players.iter().any(|player| name.starts_with(player.as_str()))
    };
    let [white, black] = ["White", "Black"].map(is_own);
    if !white && !black {
        return Err(Unfit::Others);
    }
    let settings = settings_of_play(nodes(game).ok_or(Unfit::NoNodes)?, "match");
    let is_match = game.tags.get("Event") == Some(EVENT);
    let steps = game.tree.main_line().filter_map(|(id, board)| {
        let node = game.tree.node(id);
        Some((board, node.mv?, shown(node, &board, is_match)))
    });
    let games = if white && black {
        vec![Game { result: Some(result), ..whole(steps)? }]
    } else {
        let own = steps.filter(|(board, ..)| if board.turn() == Color::White { white } else { black });
        let lone = |(start, mv, shown): (Board, Move, Option<EngineScore>)| {
            Some(Game { start, result: None, moves: vec![ScoredMove { mv, score: white_score(shown?, &start) }] })
        };
        own.filter_map(lone).collect()
    };
    if games.is_empty() { Err(Unfit::Empty) } else { Ok((settings, games)) }
}

/// A game from its first move with a score.
fn whole(steps: impl Iterator<Item = (Board, Move, Option<EngineScore>)>) -> Result<Game, Unfit> {
    let mut steps = steps.skip_while(|(.., shown)| shown.is_none()).peekable();
    let start = steps.peek().map(|&(board, ..)| board).ok_or(Unfit::Empty)?;
    let scored = |(board, mv, shown): (Board, Move, Option<EngineScore>)| {
        Ok(ScoredMove { mv, score: white_score(shown.ok_or(Unfit::NoScore)?, &board) })
    };
    Ok(Game { start, result: None, moves: steps.map(scored).collect::<Result<_, _>>()? })
}

/// What the mover said of a position, for its own side.
fn shown(node: &Node, board: &Board, is_match: bool) -> Option<EngineScore> {
    let evaluation = node.evaluation.filter(|_| is_match);
    let own = evaluation.map(|evaluation| evaluation.score.relative_to(board.turn()));
    own.or_else(|| EngineScore::from_runner(&node.comment))
}

/// The nodes of each move, as `vancura play` writes them: `5000 nodes/move`.
fn nodes(game: &PgnGame) -> Option<u64> {
    game.tags.get("TimeControl")?.strip_suffix(" nodes/move")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use eval::wdl::{MAX_MATERIAL, Model};
    use movegen::GameResult;

    use super::*;
    use crate::games::blocks::Blocks;

    fn game(white: &str, black: &str, control: &str, moves: &str) -> String {
        format!(
            "[Event \"Vancura play\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\
             [Termination \"normal\"]\n[TimeControl \"{control}\"]\n\n{moves} 1-0\n\n"
        )
    }

    /// An opening move, then scores for White.
    const MOVES: &str =
        "1. e4 e5 { [%eval 1.30,12] } 2. Nf3 { [%eval -0.75,11] } Nc6 { [%eval 2.40,12] } 3. Bb5 { [%eval 0.50,9] }";

    fn import(texts: &[String], players: &[&str]) -> (Imported, Vec<(String, Game)>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let (path, source) = (folder.path().join("pool"), folder.path().join("games.pgn"));
        fs_err::write(&source, texts.concat()).unwrap();
        let players: Vec<String> = players.iter().map(|&player| player.to_owned()).collect();
        let mut faults = Vec::new();
        let imported = import_matches(&path, &[source], &players, &mut |fault| faults.push(fault)).unwrap();
        let mut games = Vec::new();
        if path.exists() {
            for block in Blocks::open(&path).unwrap() {
                let block = block.unwrap();
                games.extend(block.games().map(|game| (block.settings().to_owned(), game.unwrap())));
            }
        }
        (imported, games, faults)
    }

    fn shown(score: i16) -> i32 {
        Model::FITTED.normalise(score.into(), MAX_MATERIAL)
    }

    #[test]
    fn a_game_against_itself_is_a_game_with_the_nodes_of_a_move() {
        let texts = [game("Vancura 0.2.0", "Vancura 0.3.0", "5000 nodes/move", MOVES)];
        let (imported, games, faults) = import(&texts, &["Vancura"]);
        assert_eq!((imported.games, imported.positions), (1, 4), "{faults:?}");
        let (settings, game) = &games[0];
        assert_eq!((&settings[..], game.result), ("nodes=5000 source=match", Some(GameResult::WhiteWins)));
        assert_eq!(game.start.turn(), Color::Black, "behind the opening");
        // For White, to the step of packed scores, a sixty-fourth of winning chance.
        for (scored, expected) in game.moves.iter().zip([130, -75, 240, 50]) {
            assert!((shown(scored.score) - expected).abs() <= 15, "{scored:?}");
        }
    }

    #[test]
    fn against_another_engine_only_what_was_searched_here_is_kept() {
        for (white, black, turn, expected) in [
            ("Vancura 0.2.0", "Other", Color::White, vec![-75, 50]),
            ("Other", "Vancura 0.2.0", Color::Black, vec![130, 240]),
        ] {
            let (imported, games, faults) = import(&[game(white, black, "20000 nodes/move", MOVES)], &["Vancura"]);
            assert_eq!((imported.games, imported.positions, games.len()), (1, 2, 2), "{faults:?}");
            for ((settings, lone), expected) in games.iter().zip(expected) {
                assert_eq!(settings, "nodes=20000 source=match");
                assert_eq!((lone.result, lone.moves.len(), lone.start.turn()), (None, 1, turn));
                assert!((shown(lone.moves[0].score) - expected).abs() <= 15, "{lone:?}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_said() {
        let texts = [
            game("One", "Other", "5000 nodes/move", MOVES),
            game("Vancura", "Vancura", "2+0.02", MOVES),
            game("Vancura", "Vancura", "5000 nodes/move, 9 plies/move", MOVES),
            game("Vancura", "Vancura", "5000 nodes/move", "1. e4 e5 2. Nf3"),
            game("Vancura", "Vancura", "5000 nodes/move", &MOVES.replace("{ [%eval -0.75,11] }", "")),
            game("Vancura", "Other", "5000 nodes/move", "1. e4 e5 { [%eval 1.30,12] }"),
            // Somebody's analysis, not what the players said.
            game("Vancura", "Vancura", "5000 nodes/move", MOVES).replace("Vancura play", "Analysed"),
            game("Vancura", "Vancura", "5000 nodes/move", MOVES).replace("normal", "rules infraction"),
        ];
        let (imported, games, faults) = import(&texts, &["Vancura"]);
        assert_eq!((imported.games, imported.left_out, games.len()), (0, 8, 0));
        let reasons = [
            "played by others",
            "no fixed number of nodes a move",
            "no fixed number of nodes a move",
            "no scored moves",
            "no score after a move",
            "no scored moves",
            "no scored moves",
            "ended by a fault",
        ];
        assert!(faults.iter().zip(reasons).all(|(fault, reason)| fault.contains(reason)), "{faults:?}");
    }

    #[test]
    fn games_are_added_and_those_of_equal_nodes_share_a_block() {
        let folder = tempfile::tempdir().unwrap();
        let (path, source) = (folder.path().join("pool"), folder.path().join("games.pgn"));
        let of = |nodes: &str| game("Vancura", "Vancura", &format!("{nodes} nodes/move"), MOVES);
        fs_err::write(&source, [of("5000"), of("8000"), of("5000")].concat()).unwrap();
        for round in 1..=2 {
            import_matches(&path, std::slice::from_ref(&source), &["Vancura".to_owned()], &mut |_| {}).unwrap();
            let blocks: Vec<_> = Blocks::open(&path).unwrap().map(|block| block.unwrap()).collect();
            let found: Vec<_> = blocks.iter().map(|block| (block.settings(), block.games().count())).collect();
            let expected = [("nodes=5000 source=match", 2), ("nodes=8000 source=match", 1)];
            assert_eq!(found, expected.repeat(round));
        }
        let error = import_matches(&source, &[path], &["Vancura".to_owned()], &mut |_| {}).unwrap_err();
        assert!(error.to_string().ends_with("games.pgn is not a file of games"), "{error}");
    }
}
