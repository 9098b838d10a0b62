//! The tree of a game: moves with comments, NAGs, clocks and variations.

use std::time::Duration;

use formats::Evaluation;
use movegen::{Board, GameResult, Move};

use crate::tags::Tags;

/// A game with all that a PGN file says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The tags, in the order of the file.
    pub tags: Tags,
    /// The moves.
    pub tree: Tree,
    /// How it ended; `None` if it is unfinished or unknown.
    pub result: Option<GameResult>,
}

/// A node's place in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The position the game starts from.
    pub const ROOT: Self = Self(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The move; `None` for the root, and for a turn that is passed (`--`), as annotators show threats.
    pub mv: Option<Move>,
    /// Numeric annotation glyphs (NAGs): 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub nags: Vec<u8>,
    /// A comment before the move; only the first move of a variation has one.
    pub prelude: String,
    /// The comment after the move.
    pub comment: String,
    /// What the mover's clock shows after the move, `[%clk]`.
    pub clock: Option<Duration>,
    /// How long the move took, `[%emt]`.
    pub elapsed: Option<Duration>,
    /// What an engine thinks of the position after it, `[%eval]`.
    pub evaluation: Option<Evaluation>,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

/// The moves of a game and their alternatives. There is always a root, which may have a comment but no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    start: Board,
    nodes: Vec<Node>,
}

impl Tree {
    /// The most nodes of a tree; no game that people play comes near.
    pub const MAX_NODES: usize = 1 << 18;

    /// A tree without moves.
    #[must_use]
    pub fn new(start: Board) -> Self {
        Self { start, nodes: vec![Node::default()] }
    }

    /// The position at the root.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to say more of it.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The node before; `None` for the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// What may follow: the main move first, then the alternatives to it.
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// Adds a move after a node, as the main one if it is the first there, else as an alternative. The same move twice
    /// makes two nodes. `None` if the tree is full. That the move is legal is the caller's care.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> Option<NodeId> {
        if self.nodes.len() >= Self::MAX_NODES {
            return None;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        self.nodes.push(Node { mv, parent: Some(parent), ..Node::default() });
        self.nodes[parent.index()].children.push(id);
        Some(id)
    }

    /// All nodes, in the order in which they were added.
    pub(crate) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut()
    }

    /// How many nodes there are, with the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// All nodes, the root first and each before those that follow it.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        // There are never more than a number of this width can count.
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// The main line: each node with the board before it.
    pub fn main_line(&self) -> impl Iterator<Item = (NodeId, Board)> {
        let mut at = NodeId::ROOT;
        let mut board = self.start;
        std::iter::from_fn(move || {
            at = *self.children(at).first()?;
            let before = board;
            play(&mut board, self.node(at).mv);
            Some((at, before))
        })
    }

    /// The moves of the main line, as far as no turn is passed.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().map_while(|(id, _)| self.node(id).mv)
    }

    /// The board after a node. Takes time in proportion to the moves before it.
    #[must_use]
    pub fn board(&self, id: NodeId) -> Board {
        let mut moves = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            moves.push(self.node(at).mv);
            at = parent;
        }
        let mut board = self.start;
        moves.into_iter().rev().for_each(|mv| play(&mut board, mv));
        board
    }
}

/// Plays a move, or passes the turn.
pub(crate) fn play(board: &mut Board, mv: Option<Move>) {
    match mv {
        Some(mv) => board.play(mv, &mut ()),
        None => board.play_null(),
    }
}
