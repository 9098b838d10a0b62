//! PGN files of the public test sets: none of their games is lost, and an independent reader finds the same moves.

use std::ops::ControlFlow;

use pgn::{NodeId, PgnGame, PgnReader};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use tests::data::{announce, read, test_data};

const FILES: [&str; 10] = [
    "lichess_db_1000k.pgn.zst",
    "edge/anastasian-lewis.pgn",
    "edge/chessbase-empty-line.pgn",
    "edge/cutechess-fischerrandom.pgn",
    "edge/kasparov-deep-blue-1997.pgn",
    "edge/molinari-bordais-1979.pgn",
    "edge/nepomniachtchi-liren-game1.pgn",
    "edge/stockfish-learning.pgn",
    "edge/uci-moves.pgn",
    "edge/utf8-bom.pgn",
];

/// What both readers find in a game: the white player, the moves without marks, and how many moves have a comment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Seen {
    white: String,
    moves: String,
    comments: usize,
}

struct Peer;

impl Visitor for Peer {
    type Tags = Seen;
    type Movetext = Seen;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(Seen::default())
    }

    fn tag(&mut self, tags: &mut Seen, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        if name == b"White" {
            tags.white = value.decode_utf8_lossy().into_owned();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Seen) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, seen: &mut Seen, san: SanPlus) -> ControlFlow<Seen> {
        seen.moves.push_str(&format!("{} ", san.san));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, seen: &mut Seen, _: RawComment<'_>) -> ControlFlow<Seen> {
        seen.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Seen) -> ControlFlow<Seen, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, seen: Seen) -> Seen {
        seen
    }
}

fn seen(game: &PgnGame) -> Seen {
    let mut seen = Seen { white: game.tags.get("White").unwrap_or_default().to_owned(), ..Seen::default() };
    for (id, board) in game.tree.main_line() {
        let node = game.tree.node(id);
        let san = node.mv.map_or("--".to_owned(), |mv| board.san(mv).replace(['+', '#'], ""));
        seen.moves.push_str(&format!("{san} "));
        let has_comment = !node.comment.is_empty() || node.clock.is_some() || node.evaluation.is_some();
        seen.comments += usize::from(has_comment);
    }
    seen
}

#[test]
fn no_game_is_lost_and_none_is_read_differently() {
    let Some(folder) = test_data("no_game_is_lost_and_none_is_read_differently") else { return };
    let (mut count, mut moves) = (0_usize, 0);
    for name in FILES {
        let text = read(&folder, &format!("pgn/{name}"));
        let games: Vec<_> = PgnReader::new(text.as_bytes())
            .map(|game| game.unwrap_or_else(|error| panic!("{name}: {error}")))
            .collect();
        let mut peer = Reader::new(text.as_bytes());
        let peers: Vec<_> = peer.read_games(&mut Peer).map(|game| game.expect("readable")).collect();
        let ours: Vec<_> = games.iter().map(seen).collect();
        assert_eq!(ours.len(), text.matches("[Event \"").count(), "{name}");
        match name {
            // An empty line among the tags parts them for the other reader.
            "edge/chessbase-empty-line.pgn" => {
                let parts = peers.iter().map(|seen| seen.moves.clone()).collect::<String>();
                assert_eq!((ours.len(), &ours[0].moves), (1, &parts), "{name}");
            }
            // It leaves the piece out where a move is written as UCI does, and judges nothing.
            "edge/uci-moves.pgn" => {
                let plies = |seen: &Seen| seen.moves.split(' ').count();
                assert_eq!(ours.iter().map(plies).collect::<Vec<_>>(), peers.iter().map(plies).collect::<Vec<_>>());
            }
            _ => assert_eq!(ours, peers, "{name}"),
        }
        // What is written reads the same again, for us and for the other reader.
        for game in &games {
            let text = game.to_string();
            let again =
                PgnReader::new(text.as_bytes()).next().expect("a game").unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((&again.tree, again.result), (&game.tree, game.result), "{name}\n{text}");
            assert_eq!(again.to_string(), text);
            let peer = Reader::new(text.as_bytes()).read_game(&mut Peer).expect("readable").expect("a game");
            let root = usize::from(!game.tree.node(NodeId::ROOT).comment.is_empty());
            let ours = seen(game);
            assert_eq!((peer.moves, peer.comments), (ours.moves, ours.comments + root), "{name}\n{text}");
            moves += game.tree.main_moves().count();
        }
        count += games.len();
    }
    announce(&format!("{count} games with {moves} moves were read and written"));
}
