//! The positions of a tree, what each is worth, and which matter most next.
//!
//! Positions that moves lead to in several ways are one, so this is a graph, with cycles where moves can be repeated. What a
//! position is worth is its minimax value in it, where a game without end is a draw: that is what repeating a position comes
//! to on every path. It is found by going over all positions until nothing changes, with draws everywhere at first. So a side
//! is better off only where it can force that in finitely many moves.
//!
//! Which position is next is chosen by drop-out expansion: each move away from the best one costs the points that it gives
//! away, each ply a little more, and of the positions that are not searched yet the cheapest from the root comes first.
//!
//! Source: T. Lincke, "Strategies for the Automatic Construction of Opening Books" (2000).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use eval::wdl::{Model, material};
use movegen::unwinnable::is_dead;
use movegen::{Board, Budget, Color, Move};
use search::{Found, Score};

/// How many of these are a point.
pub(super) const PARTS: f64 = 10_000.0;
/// After so many half-moves without a capture or a pawn's move the game is drawn.
const FIFTY_MOVES: u16 = 100;

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    /// Moves that give away more are not looked at, in parts of a point.
    pub margin: u32,
    /// What a ply costs, in parts of a point.
    pub ply: u32,
    /// The side whose alternatives are looked at; `None` for both.
    pub side: Option<Color>,
}

/// The place of a position in its graph.
pub(super) type Place = u32;

/// A position.
pub(super) struct Node {
    position: [u8; 24],
    /// Half-moves since the last capture or pawn move, by the way that led here first.
    clock: u16,
    is_white: bool,
    material: u8,
    /// What it is worth by the rules or by endgame tables, whatever is found.
    exact: Option<Score>,
    /// How deep it has been searched, in plies; 0 before.
    pub depth: u32,
    /// The best moves by that search, the best first.
    pub moves: Vec<Edge>,
    /// For the side to move.
    value: Score,
    /// In how many plies whoever is better off gets to what the value stands for, whatever the other one does.
    way: u32,
}

/// A move that a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub mv: Move,
    /// By that search, for the side that moves.
    score: Score,
    /// Where it leads.
    pub to: Place,
}

/// The positions from a root on.
pub(super) struct Graph {
    nodes: Vec<Node>,
    places: HashMap<([u8; 24], u16), Place>,
    /// Positions before the root that can be repeated.
    earlier: HashSet<[u8; 24]>,
    searched: usize,
}

impl Graph {
    /// The place of the root.
    pub const ROOT: Place = 0;

    /// A graph of one position, which comes after others that can be repeated.
    pub fn new(root: &Board, earlier: impl IntoIterator<Item = Board>) -> Self {
        let earlier = earlier.into_iter().map(|board| board.packed()).collect();
        let mut graph = Self { nodes: Vec::new(), places: HashMap::new(), earlier, searched: 0 };
        graph.place_of(root);
        // Somebody asks about it, so it is looked at even if it is there again.
        graph.nodes[0].exact = exact_by_rules(root);
        graph
    }

    pub fn node(&self, place: Place) -> &Node {
        &self.nodes[place as usize]
    }

    /// How many positions have been searched.
    pub const fn searched(&self) -> usize {
        self.searched
    }

    /// A position as a board, with the counters of the first way to it and no move number.
    pub fn board(&self, place: Place) -> Option<Board> {
        let node = self.node(place);
        Some(Board::from_packed(&node.position)?.with_halfmove_clock(node.clock))
    }

    fn place_of(&mut self, board: &Board) -> Place {
        let key = (board.packed(), class_of(board.halfmove_clock()));
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let place = Place::try_from(self.nodes.len()).unwrap_or(Place::MAX);
        let is_repeated = board.halfmove_clock() > 0 && self.earlier.contains(&key.0);
        self.nodes.push(Node {
            position: key.0,
            clock: board.halfmove_clock(),
            is_white: board.turn() == Color::White,
            material: u8::try_from(material(board)).unwrap_or(u8::MAX),
            exact: exact_by_rules(board).or(is_repeated.then_some(Score::DRAW)),
            depth: 0,
            moves: Vec::new(),
            value: Score::DRAW,
            way: 0,
        });
        self.places.insert(key, place);
        place
    }

    /// Notes what a search found. `is_exact` if its score is that of endgame tables, which nothing can better.
    pub fn note(&mut self, place: Place, found: &Found, is_exact: bool) {
        let Some(board) = self.board(place) else { return };
        let mut moves = Vec::with_capacity(found.lines.len());
        for line in &found.lines {
            let Some(&mv) = line.moves.first() else { continue };
            let to = self.place_of(&board.after(mv));
            moves.push(Edge { mv, score: line.score, to });
        }
        let node = &mut self.nodes[place as usize];
        if is_exact && node.exact.is_none() {
            node.exact = found.lines.first().map(|line| line.score);
        }
        self.searched += usize::from(node.depth == 0);
        node.depth = found.depth.max(1);
        node.moves = moves;
    }

    /// Finds anew what all positions are worth.
    pub fn back_up(&mut self) {
        let order = self.in_post_order();
        for &place in &order {
            self.nodes[place as usize].value = Score::DRAW;
        }
        let mut has_changed = true;
        // A value travels at least one position further each time.
        for _ in 0..=order.len() {
            if !std::mem::take(&mut has_changed) {
                break;
            }
            for &place in &order {
                let value = self.best(place).map_or(Score::DRAW, |(_, value)| value);
                let node = &mut self.nodes[place as usize];
                has_changed |= node.value != value;
                node.value = value;
            }
        }
        self.find_ways(&order);
    }

    /// Finds how far it is to what the values stand for: of moves of the same worth, one leads there and another may go round
    /// in circles.
    fn find_ways(&mut self, order: &[Place]) {
        for &place in order {
            self.nodes[place as usize].way = Place::MAX;
        }
        let mut has_changed = true;
        for _ in 0..=order.len() {
            if !std::mem::take(&mut has_changed) {
                break;
            }
            for &place in order {
                let node = self.node(place);
                let worthy = node.moves.iter().filter(|edge| self.worth(edge) == node.value).map(|edge| self.way(edge));
                let way = if node.value > Score::DRAW { worthy.min() } else { worthy.max() };
                let way = way.unwrap_or(0).saturating_add(1);
                has_changed |= node.way != way;
                self.nodes[place as usize].way = way;
            }
        }
    }

    /// How far it is after a move.
    fn way(&self, edge: &Edge) -> u32 {
        let node = self.node(edge.to);
        if node.exact.is_some() || node.depth == 0 { 0 } else { node.way }
    }

    /// The searched positions from the root on, each after those that it leads to, as far as there is no cycle.
    fn in_post_order(&self) -> Vec<Place> {
        let mut order = Vec::with_capacity(self.searched);
        let mut is_seen = vec![false; self.nodes.len()];
        let mut path = vec![(Self::ROOT, 0)];
        is_seen[Self::ROOT as usize] = true;
        while let Some((place, index)) = path.last_mut() {
            let node = &self.nodes[*place as usize];
            match node.moves.get(*index) {
                Some(edge) => {
                    *index += 1;
                    if !std::mem::replace(&mut is_seen[edge.to as usize], true) {
                        path.push((edge.to, 0));
                    }
                }
                None => {
                    if node.depth > 0 {
                        order.push(*place);
                    }
                    path.pop();
                }
            }
        }
        order
    }

    /// What a position is worth for the side to move; `None` if neither the rules nor a search has said so.
    pub fn value(&self, place: Place) -> Option<Score> {
        let node = self.node(place);
        node.exact.or((node.depth > 0).then_some(node.value))
    }

    /// What a move is worth for the side that plays it.
    pub fn worth(&self, edge: &Edge) -> Score {
        self.value(edge.to).map_or(edge.score, |value| one_ply_further(-value))
    }

    /// What the position after a move is worth for the side to move there.
    pub fn value_after(&self, edge: &Edge) -> Score {
        self.value(edge.to).unwrap_or_else(|| -one_ply_nearer(edge.score))
    }

    /// The best move of a position and its worth; the first of equal ones.
    fn best(&self, place: Place) -> Option<(usize, Score)> {
        let worths = self.node(place).moves.iter().map(|edge| self.worth(edge)).enumerate();
        worths.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// The moves of a position, the best first, each with its worth and the points that it gives away, in parts.
    pub fn ranked(&self, place: Place) -> Vec<(Edge, Score, u32)> {
        let node = self.node(place);
        let mut ranked: Vec<_> = node.moves.iter().map(|edge| (*edge, self.worth(edge))).collect();
        // Of equal ones, what wins does so soonest, and else those stay first that the search preferred.
        let way = |edge: &Edge, worth| if worth > Score::DRAW { self.way(edge) } else { 0 };
        ranked.sort_by_key(|(edge, worth)| (Reverse(*worth), way(edge, *worth)));
        let points = |score: Score| node.points(score);
        let best = ranked.first().map_or(0, |&(_, worth)| points(worth));
        ranked.into_iter().map(|(edge, worth)| (edge, worth, best.saturating_sub(points(worth)))).collect()
    }

    /// Whether nothing below a position can change what it is worth.
    pub fn is_settled(&self, place: Place) -> bool {
        self.node(place).exact.is_some() || self.value(place).is_some_and(Score::is_decisive)
    }

    /// The positions that matter most next, at most so many, the most important first.
    pub fn next(&self, width: &Width, count: usize) -> Vec<Place> {
        let is_open = |place: &Place| self.node(*place).depth == 0 && !self.is_settled(*place);
        self.by_importance(width).filter(is_open).take(count).collect()
    }

    /// All positions that are looked at, the most important first.
    pub fn by_importance(&self, width: &Width) -> impl Iterator<Item = Place> {
        let mut is_done = vec![false; self.nodes.len()];
        let mut heap = BinaryHeap::from([Reverse((0_u64, Self::ROOT))]);
        std::iter::from_fn(move || {
            loop {
                let Reverse((cost, place)) = heap.pop()?;
                if std::mem::replace(&mut is_done[place as usize], true) {
                    continue;
                }
                if self.node(place).depth > 0 && !self.is_settled(place) {
                    for (edge, loss) in self.within(place, width).filter(|(edge, _)| !is_done[edge.to as usize]) {
                        heap.push(Reverse((cost + u64::from(loss) + u64::from(width.ply), edge.to)));
                    }
                }
                return Some(place);
            }
        })
    }

    /// All positions that have been searched, in no order that means anything.
    pub fn all_searched(&self) -> impl Iterator<Item = Place> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.depth > 0).map(|(place, _)| place)
    }

    /// The moves of a position that are looked at, with what they give away.
    pub fn within(&self, place: Place, width: &Width) -> impl Iterator<Item = (Edge, u32)> {
        let mover = if self.node(place).is_white { Color::White } else { Color::Black };
        let most = if width.side.is_none_or(|side| side == mover) { usize::MAX } else { 1 };
        let margin = width.margin;
        let ranked = self.ranked(place).into_iter().take(most);
        ranked.filter(move |(_, _, loss)| *loss <= margin).map(|(edge, _, loss)| (edge, loss))
    }

    /// How many plies the farthest searched position is from the root, by the shortest way to each.
    pub fn depth(&self) -> usize {
        let mut is_seen = HashSet::from([Self::ROOT]);
        let (mut level, mut depth) = (vec![Self::ROOT], 0);
        loop {
            let edges = level.iter().flat_map(|&place| &self.node(place).moves);
            let next: Vec<_> = edges
                .map(|edge| edge.to)
                .filter(|&place| self.node(place).depth > 0 && is_seen.insert(place))
                .collect();
            if next.is_empty() {
                return depth;
            }
            (level, depth) = (next, depth + 1);
        }
    }
}

impl Node {
    /// The points that the side to move may expect with this score, in parts. Rounded, so that they are the same on all
    /// machines.
    fn points(&self, score: Score) -> u32 {
        let points = match score {
            score if score.is_win() => 1.0,
            score if score.is_loss() => 0.0,
            score => Model::FITTED.wdl(score.0, self.material.into()).expected_score(),
        };
        (points * PARTS).round() as u32
    }
}

/// Positions of one class of this are one. The last half-moves before the fifty-move rule count each; before that, positions
/// must not differ by them, or moves could be repeated without a position that is there again.
const fn class_of(clock: u16) -> u16 {
    match clock {
        0..80 => clock / 20 * 20,
        _ => clock,
    }
}

/// What the rules say of a position: a mate, a stalemate, a dead position or the fifty-move rule.
fn exact_by_rules(board: &Board) -> Option<Score> {
    if !board.has_legal_move() {
        return Some(if board.in_check() { Score::mated_in(0) } else { Score::DRAW });
    }
    let is_drawn = board.halfmove_clock() >= FIFTY_MOVES || is_dead(board, Budget::FAST);
    is_drawn.then_some(Score::DRAW)
}

/// The score of a position one ply before one with this score.
fn one_ply_further(score: Score) -> Score {
    if score.is_win() {
        Score((score.0 - 1).max(Score::WIN_BOUND.0))
    } else if score.is_loss() {
        Score((score.0 + 1).min(-Score::WIN_BOUND.0))
    } else {
        score
    }
}

/// The score of a position one ply after one with this score.
fn one_ply_nearer(score: Score) -> Score {
    if score.is_win() {
        Score((score.0 + 1).min(Score::MATE.0))
    } else if score.is_loss() {
        Score((score.0 - 1).max(-Score::MATE.0))
    } else {
        score
    }
}

#[cfg(test)]
mod tests;
