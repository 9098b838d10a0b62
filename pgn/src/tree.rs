//! The tree of a game: moves with comments, NAGs, clocks and variations.

use std::time::Duration;

use formats::Evaluation;
use movegen::{Board, Move};

/// A node's place in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct NodeId(u32);

impl NodeId {
    /// The position the game starts from.
    pub const ROOT: Self = Self(0);

    const fn index(self) -> usize {
        self.0 as usize
    }

    /// `None` for the root, which follows nothing.
    fn unless_root(self) -> Option<Self> {
        (self != Self::ROOT).then_some(self)
    }
}

/// A move with its annotations.
#[derive(Clone, Debug, Default)]
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
    /// How the file writes that time, if not as `H:MM:SS`. It is written again like this.
    pub clock_text: Option<Box<str>>,
    /// How long the move took, `[%emt]`.
    pub elapsed: Option<Duration>,
    /// How the file writes that time, if not as `H:MM:SS`. It is written again like this.
    pub elapsed_text: Option<Box<str>>,
    /// What an engine thinks of the position after it, `[%eval]`.
    pub evaluation: Option<Evaluation>,
    links: Links,
}

/// Where the nodes around one are; the root stands for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Links {
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
}

/// Two nodes are equal if they say the same, wherever they are.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        let Self { mv, nags, prelude, comment, clock, clock_text, elapsed, elapsed_text, evaluation, links: _ } = self;
        (mv, nags, prelude, comment) == (&other.mv, &other.nags, &other.prelude, &other.comment)
            && (clock, clock_text) == (&other.clock, &other.clock_text)
            && (elapsed, elapsed_text) == (&other.elapsed, &other.elapsed_text)
            && *evaluation == other.evaluation
    }
}

impl Eq for Node {}

/// So many nodes most games have at the most.
const USUAL_NODES: usize = 128;

/// The moves of a game and their alternatives. There is always a root, which may have a comment but no move.
#[derive(Clone, Debug)]
pub struct Tree {
    start: Board,
    nodes: Vec<Node>,
}

/// The same nodes in the same places; in which order they were added does not count.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        if self.start != other.start || self.len() != other.len() {
            return false;
        }
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((one, two)) = pairs.pop() {
            let before = pairs.len();
            pairs.extend(self.children(one).zip(other.children(two)));
            let is_alike = self.node(one) == other.node(two) && other.children(two).count() == pairs.len() - before;
            if !is_alike || self.children(one).nth(pairs.len() - before).is_some() {
                return false;
            }
        }
        true
    }
}

impl Eq for Tree {}

impl Tree {
    /// The most nodes of a tree; no game that people play comes near.
    pub const MAX_NODES: usize = 1 << 18;

    /// A tree without moves.
    #[must_use]
    pub fn new(start: Board) -> Self {
        let mut nodes = Vec::with_capacity(USUAL_NODES);
        nodes.push(Node::default());
        Self { start, nodes }
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
        id.unless_root().map(|id| self.node(id).links.parent)
    }

    /// The main move after a node.
    #[must_use]
    pub fn main_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).links.first_child.unless_root()
    }

    /// What may follow: the main move first, then the alternatives to it.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.main_child(id), |&id| self.node(id).links.next_sibling.unless_root())
    }

    /// Adds a move after a node, as the main one if it is the first there, else as an alternative. The same move twice
    /// makes two nodes. `None` if the tree is full. That the move is legal is the caller's care.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> Option<NodeId> {
        let id = self.push(parent, mv)?;
        let last = std::mem::replace(&mut self.nodes[parent.index()].links.last_child, id);
        match last.unless_root() {
            Some(last) => self.nodes[last.index()].links.next_sibling = id,
            None => self.nodes[parent.index()].links.first_child = id,
        }
        Some(id)
    }

    /// As [`add`](Self::add), but as the main move, before the alternatives that are there.
    pub fn add_main(&mut self, parent: NodeId, mv: Option<Move>) -> Option<NodeId> {
        let id = self.push(parent, mv)?;
        let first = std::mem::replace(&mut self.nodes[parent.index()].links.first_child, id);
        match first.unless_root() {
            Some(first) => self.nodes[id.index()].links.next_sibling = first,
            None => self.nodes[parent.index()].links.last_child = id,
        }
        Some(id)
    }

    fn push(&mut self, parent: NodeId, mv: Option<Move>) -> Option<NodeId> {
        if self.nodes.len() >= Self::MAX_NODES {
            return None;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        self.nodes.push(Node { mv, links: Links { parent, ..Links::default() }, ..Node::default() });
        Some(id)
    }

    /// Takes away the node that was added last, the main move after its parent, if nothing follows it and nothing is said
    /// of it; whether it did.
    pub(crate) fn pop_plain(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let Links { parent, first_child, next_sibling, .. } = node.links;
        let is_bare = *node == Node { mv: node.mv, ..Node::default() };
        let is_alone = [first_child, next_sibling] == [NodeId::ROOT; 2] && self.main_child(parent) == Some(id);
        if id == NodeId::ROOT || id.index() + 1 != self.nodes.len() || !is_bare || !is_alone {
            return false;
        }
        self.nodes.pop();
        let links = &mut self.nodes[parent.index()].links;
        (links.first_child, links.last_child) = (NodeId::ROOT, NodeId::ROOT);
        true
    }

    /// The node at the end of the main line; the root if there is no move.
    #[must_use]
    pub fn last_main(&self) -> NodeId {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.main_child(id)).last().unwrap_or(NodeId::ROOT)
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

    /// All nodes but the root as a file has them: a move, then the variations instead of it, then what follows it.
    pub fn as_written(&self) -> impl Iterator<Item = NodeId> {
        enum Step {
            Node(NodeId),
            Following(NodeId),
        }
        let mut steps = vec![Step::Following(NodeId::ROOT)];
        std::iter::from_fn(move || {
            loop {
                let id = match steps.pop()? {
                    Step::Node(id) => return Some(id),
                    Step::Following(id) => id,
                };
                let mut children = self.children(id);
                let Some(main) = children.next() else { continue };
                steps.push(Step::Following(main));
                let alternatives: Vec<_> = children.collect();
                steps.extend(alternatives.into_iter().rev().flat_map(|id| [Step::Following(id), Step::Node(id)]));
                steps.push(Step::Node(main));
            }
        })
    }

    /// The main line: each node with the board before it.
    pub fn main_line(&self) -> impl Iterator<Item = (NodeId, Board)> {
        let mut at = NodeId::ROOT;
        let mut board = self.start;
        std::iter::from_fn(move || {
            at = self.main_child(at)?;
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
