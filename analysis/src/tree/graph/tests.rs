//! Graphs that are noted by hand.

use search::{Bound, FoundLine};

use super::*;
use crate::tree::output::{Opening, game};

const WIDE: Width = Width { margin: 3000, ply: 100, side: None };

/// What a search would say: moves with their scores.
fn found(board: &Board, moves: &[(&str, i32)]) -> Found {
    let line = |&(san, score): &(&str, i32)| FoundLine {
        score: Score(score),
        bound: Bound::Exact,
        moves: vec![board.parse_san(san).unwrap()],
    };
    Found { depth: 8, seldepth: 9, nodes: 100, lines: moves.iter().map(line).collect() }
}

/// Notes moves of the position after some others, and backs up.
fn note(graph: &mut Graph, path: &str, moves: &[(&str, i32)]) {
    let place = place(graph, path);
    let board = graph.board(place).unwrap();
    graph.note(place, &found(&board, moves), false);
    graph.back_up();
}

fn place(graph: &Graph, path: &str) -> Place {
    path.split_whitespace().fold(Graph::ROOT, |at, san| {
        let mv = graph.board(at).unwrap().parse_san(san).unwrap();
        graph.node(at).moves.iter().find(|edge| edge.mv == mv).expect("the move is known").to
    })
}

fn best(graph: &Graph, path: &str) -> (String, i32) {
    let place = place(graph, path);
    let (edge, worth, _) = graph.ranked(place)[0];
    (graph.board(place).unwrap().san(edge.mv).to_string(), worth.0)
}

fn start() -> Graph {
    Graph::new(&Board::start(), [])
}

#[test]
fn scores_go_back_to_the_root() {
    let mut graph = start();
    note(&mut graph, "", &[("e4", 30), ("d4", 25), ("c4", 10)]);
    assert_eq!(best(&graph, ""), ("e4".to_owned(), 30));
    note(&mut graph, "e4", &[("e5", -20), ("c5", -28)]);
    assert_eq!((best(&graph, ""), best(&graph, "e4")), (("d4".to_owned(), 25), ("e5".to_owned(), -20)));
    note(&mut graph, "e4 e5", &[("Nf3", 60)]);
    assert_eq!((best(&graph, ""), best(&graph, "e4")), (("e4".to_owned(), 28), ("c5".to_owned(), -28)));
    assert_eq!((graph.searched(), graph.depth()), (3, 2));
}

#[test]
fn ways_to_one_position_are_joined() {
    let mut graph = start();
    note(&mut graph, "", &[("Nf3", 20), ("d4", 20)]);
    note(&mut graph, "Nf3", &[("d5", 0)]);
    note(&mut graph, "Nf3 d5", &[("d4", 0)]);
    note(&mut graph, "d4", &[("d5", 0)]);
    note(&mut graph, "d4 d5", &[("Nf3", 0)]);
    assert_eq!(place(&graph, "Nf3 d5 d4"), place(&graph, "d4 d5 Nf3"));
    note(&mut graph, "d4 d5 Nf3", &[("Nf6", -77)]);
    assert_eq!((best(&graph, "").1, best(&graph, "Nf3").1, best(&graph, "d4").1), (77, -77, -77));
}

#[test]
fn a_repetition_is_a_draw_on_every_path() {
    let mut graph = start();
    // White believes to win, but can only wander to and fro; Black too, if White does not.
    note(&mut graph, "", &[("Nf3", 300)]);
    note(&mut graph, "Nf3", &[("Nf6", -300)]);
    note(&mut graph, "Nf3 Nf6", &[("Ng1", 300)]);
    assert_eq!(best(&graph, "").1, 300);
    note(&mut graph, "Nf3 Nf6 Ng1", &[("Ng8", -300)]);
    assert_eq!(place(&graph, "Nf3 Nf6 Ng1 Ng8"), Graph::ROOT);
    for path in ["", "Nf3", "Nf3 Nf6", "Nf3 Nf6 Ng1"] {
        assert_eq!(best(&graph, path).1, 0, "{path}");
    }
    // Who has something better takes it, and else the other one does.
    note(&mut graph, "Nf3 Nf6", &[("Ng1", 0), ("e4", 40)]);
    assert_eq!((best(&graph, "").1, best(&graph, "Nf3").1), (40, -40));
    assert_eq!(best(&graph, "Nf3 Nf6"), ("e4".to_owned(), 40), "to go round is worth as much");
    note(&mut graph, "Nf3 Nf6 Ng1", &[("Ng8", 0), ("e5", 90)]);
    assert_eq!((best(&graph, "").1, best(&graph, "Nf3 Nf6").0), (40, "e4".to_owned()));
    note(&mut graph, "Nf3 Nf6", &[("Ng1", 0), ("e4", -50)]);
    assert_eq!((best(&graph, "").1, best(&graph, "Nf3 Nf6 Ng1")), (-50, ("e5".to_owned(), 90)));
}

#[test]
fn positions_of_the_game_before_are_draws() {
    let mut boards = vec![Board::start()];
    for san in ["Nf3", "Nf6", "Ng1"] {
        let last = boards[boards.len() - 1];
        boards.push(last.after(last.parse_san(san).unwrap()));
    }
    let root = boards.pop().unwrap();
    let mut graph = Graph::new(&root, boards);
    note(&mut graph, "", &[("Ng8", 500), ("e5", -10)]);
    assert_eq!(best(&graph, ""), ("Ng8".to_owned(), 0));
    assert!(graph.next(&WIDE, 9).iter().all(|&next| next != place(&graph, "Ng8")), "nothing to look at");
}

#[test]
fn mates_and_draws_by_the_rules_are_exact() {
    let board = Board::from_fen("7k/8/5K1Q/8/8/8/8/8 b - - 97 120").unwrap();
    let mut graph = Graph::new(&board, []);
    note(&mut graph, "", &[("Kg8", -900)]);
    note(&mut graph, "Kg8", &[("Qg7#", 900), ("Qg6+", 800)]);
    assert_eq!(best(&graph, "Kg8"), ("Qg7#".to_owned(), Score::mate_in(1).0));
    assert_eq!(best(&graph, "").1, Score::mated_in(2).0);
    assert!(graph.next(&WIDE, 9).is_empty(), "all is decided");
    // The hundredth half-move ends the game, unless it mates.
    note(&mut graph, "Kg8", &[("Qg6+", 800)]);
    note(&mut graph, "Kg8 Qg6+", &[("Kf8", -800), ("Kh8", -700)]);
    assert_eq!((best(&graph, "Kg8 Qg6+").1, best(&graph, "").1), (0, 0));
    let dead = Board::from_fen("7k/8/8/8/8/8/6q1/5K2 w - - 0 1").unwrap();
    let mut graph = Graph::new(&dead, []);
    note(&mut graph, "", &[("Kxg2", 35)]);
    assert_eq!(best(&graph, "").1, 0);
}

#[test]
fn endgame_tables_have_the_last_word() {
    let mut graph = start();
    note(&mut graph, "", &[("e4", 30)]);
    let place = place(&graph, "e4");
    let board = graph.board(place).unwrap();
    graph.note(place, &found(&board, &[("e5", -30_000)]), true);
    graph.back_up();
    assert!(graph.is_settled(place));
    assert_eq!(best(&graph, "").1, 30_000);
}

#[test]
fn a_game_has_the_most_important_part() {
    let mut graph = start();
    note(&mut graph, "", &[("e4", 30), ("d4", 25), ("a3", -60)]);
    note(&mut graph, "e4", &[("e5", -20), ("c5", -28)]);
    note(&mut graph, "d4", &[("d5", -25), ("Nf6", -25)]);
    note(&mut graph, "a3", &[("d5", 60), ("e5", 50)]);
    let start = Board::start();
    let opening = Opening { start, moves: Vec::new(), root: start };
    let text = |most| {
        let (game, is_whole) = game(&graph, &WIDE, &opening, most);
        let moves: Vec<_> = game.tree.ids().filter_map(|id| game.tree.node(id).mv).collect();
        (moves.len(), is_whole)
    };
    assert_eq!((text(5), text(4), text(3), text(1)), ((9, true), (7, false), (5, false), (3, false)));
}

#[test]
fn the_cheapest_position_comes_next() {
    let next = |graph: &Graph, width: Width, count| -> Vec<String> {
        let of = |place: &Place| {
            let edges = graph.nodes.iter().enumerate().flat_map(|(at, node)| node.moves.iter().map(move |it| (at, it)));
            let (at, edge) = edges.clone().find(|(_, edge)| edge.to == *place).expect("a way to it");
            graph.board(at as Place).unwrap().san(edge.mv).to_string()
        };
        graph.next(&width, count).iter().map(of).collect()
    };
    let mut graph = start();
    assert_eq!(graph.next(&WIDE, 5), [Graph::ROOT]);
    note(&mut graph, "", &[("e4", 30), ("d4", 20), ("h4", -150)]);
    assert_eq!(next(&graph, WIDE, 5), ["e4", "d4", "h4"]);
    assert_eq!(next(&graph, WIDE, 1), ["e4"]);
    assert_eq!(next(&graph, Width { margin: 500, ..WIDE }, 5), ["e4", "d4"], "too bad");
    note(&mut graph, "e4", &[("e5", -30), ("c5", -31)]);
    // A ply deeper, or an alternative at the root.
    assert_eq!(next(&graph, Width { ply: 1, ..WIDE }, 2), ["e5", "c5"]);
    assert_eq!(next(&graph, Width { ply: 1000, ..WIDE }, 1), ["d4"]);
    // The alternatives of one side alone.
    assert_eq!(next(&graph, Width { side: Some(Color::White), ..WIDE }, 9), ["e5", "d4", "h4"]);
    assert_eq!(next(&graph, Width { side: Some(Color::Black), ..WIDE }, 9), ["e5", "c5"]);
}
