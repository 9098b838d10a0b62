//! What comes of a tree: a game with variations, an opening book, a summary.

use std::collections::HashSet;
use std::io::{self, Write};

use formats::BookEntry;
use movegen::{Board, FenStyle, Move};
use pgn::{NodeId, PgnGame, Tree, numbered_line};
use search::Score;

use crate::judge::worth::Worth;
use crate::tree::graph::{Edge, Graph, Place, Width};
use crate::write::annotate::evaluation;

/// The weight of the best move of a position in a book.
const MAX_WEIGHT: u64 = 1000;
/// How many half-moves of a line the summary shows.
const LINE_LENGTH: usize = 40;

/// The position that a tree is about, and how it came about.
pub(super) struct Opening {
    pub start: Board,
    pub moves: Vec<Move>,
    pub root: Board,
}

/// The tree as a game: the best moves as its main line, the others as variations. Where moves lead to a position that is
/// there already, the game says so. Of a tree that is too large it has the most important positions, with at most so many
/// variations. Whether it has all.
pub(super) fn game(graph: &Graph, width: &Width, opening: &Opening, most: usize) -> (PgnGame, bool) {
    let followed = fitting(graph, width, most);
    let is_followed = |place: Place| followed.as_ref().is_none_or(|followed| followed.contains(&place));
    let mut tree = Tree::new(opening.start);
    let mut root = NodeId::ROOT;
    for &mv in &opening.moves {
        root = tree.add(root, Some(mv)).unwrap_or(root);
    }
    let mut is_written = HashSet::from([Graph::ROOT]);
    let mut waiting = vec![(Graph::ROOT, root, opening.root)];
    while let Some((place, id, board)) = waiting.pop() {
        let mut next = Vec::new();
        for (edge, score) in shown(graph, width, place) {
            let after = board.after(edge.mv);
            let Some(child) = tree.add(id, Some(edge.mv)) else { break };
            let node = tree.node_mut(child);
            node.evaluation = evaluation(Worth::of(score, &after).score);
            if graph.node(edge.to).depth > 0 && is_followed(edge.to) {
                next.push((edge.to, child, after));
            }
        }
        // The best one is written first, with all that follows it.
        for (place, child, after) in next.into_iter().rev() {
            waiting.push((place, child, after));
        }
        // What is there already when its turn comes is not written twice.
        while let Some(&(place, id, _)) = waiting.last() {
            if is_written.insert(place) {
                break;
            }
            tree.node_mut(id).comment = "known from another line".to_owned();
            waiting.pop();
        }
    }
    let mut game = PgnGame::new(tree);
    game.tags.set("Event", "Analysis tree");
    game.tags.set("Annotator", uci::NAME);
    if opening.start.packed() != Board::start().packed() || opening.start.halfmove_clock() > 0 {
        game.tags.set("SetUp", "1");
        game.tags.set("FEN", opening.start.fen(FenStyle::Standard));
    }
    (game, followed.is_none())
}

/// The most important positions whose moves find room in a game; `None` if all do.
fn fitting(graph: &Graph, width: &Width, most: usize) -> Option<HashSet<Place>> {
    let count = |place| shown(graph, width, place).len();
    // Each move but the first is a variation.
    let fits = |moves: usize, places: usize| moves < Tree::MAX_NODES / 2 && moves.saturating_sub(places) <= most;
    let places = graph.all_searched().count();
    if fits(graph.all_searched().map(count).sum(), places) {
        return None;
    }
    let (mut followed, mut moves) = (HashSet::new(), 0);
    for place in graph.by_importance(width).filter(|&place| graph.node(place).depth > 0) {
        moves += count(place);
        if !fits(moves, followed.len() + 1) {
            break;
        }
        followed.insert(place);
    }
    Some(followed)
}

/// The moves of a position that are shown, the best first, each with what the position after it is worth to the side to move
/// there: those that have been searched and those that would be.
fn shown(graph: &Graph, width: &Width, place: Place) -> Vec<(Edge, Score)> {
    let within: Vec<Move> = graph.within(place, width).map(|(edge, _)| edge.mv).collect();
    let ranked = graph.ranked(place).into_iter().map(|(edge, _, _)| edge);
    let is_shown = |edge: &Edge| within.contains(&edge.mv) || graph.node(edge.to).depth > 0;
    ranked.filter(is_shown).map(|edge| (edge, graph.value_after(&edge))).collect()
}

/// The entries of a book, in its order: the moves of all positions that are within the margin, each with a weight by what it
/// gives away.
pub(super) fn book(graph: &Graph, width: &Width) -> Vec<BookEntry> {
    let mut entries = Vec::new();
    let mut is_seen = HashSet::from([Graph::ROOT]);
    let mut waiting = vec![Graph::ROOT];
    while let Some(place) = waiting.pop() {
        let Some(board) = graph.board(place) else { continue };
        for (edge, loss) in graph.within(place, width) {
            let kept = u64::from(width.margin.saturating_sub(loss));
            let weight = 1 + (MAX_WEIGHT - 1) * kept / u64::from(width.margin.max(1));
            let weight = if loss == 0 { MAX_WEIGHT } else { weight };
            entries.extend(BookEntry::new(&board, edge.mv, u16::try_from(weight).unwrap_or(u16::MAX)));
            if graph.node(edge.to).depth > 0 && is_seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
    // Positions that differ in what a book does not know are one there.
    entries.dedup_by_key(|entry| (entry.key, entry.mv));
    entries
}

/// Writes how large the tree is, and the best line of each move at its root.
pub(super) fn summary(output: &mut dyn Write, graph: &Graph, width: &Width, opening: &Opening) -> io::Result<()> {
    let depth = graph.depth();
    writeln!(
        output,
        "{}, {} deep",
        cli::counted(graph.searched(), "position"),
        if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") }
    )?;
    for (edge, _) in shown(graph, width, Graph::ROOT) {
        let score = Worth::of(graph.worth(&edge), &opening.root).score;
        let (line, is_repeated) = best_line(graph, &edge);
        let note = if is_repeated { " and so on" } else { "" };
        writeln!(output, "{score:>7}  {}{note}", numbered_line(&opening.root, &line))?;
    }
    Ok(())
}

/// The best line after a move, and whether it comes back to a position that it has left.
fn best_line(graph: &Graph, first: &Edge) -> (Vec<Move>, bool) {
    let mut line = vec![first.mv];
    let mut is_seen = HashSet::from([Graph::ROOT]);
    let mut at = first.to;
    while line.len() < LINE_LENGTH {
        if !is_seen.insert(at) {
            return (line, true);
        }
        let Some((edge, _, _)) = graph.ranked(at).into_iter().next() else { break };
        line.push(edge.mv);
        at = edge.to;
    }
    (line, false)
}
