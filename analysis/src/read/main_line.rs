//! The main line of a game as positions to search.

use std::ops::Range;
use std::sync::OnceLock;

use movegen::{Board, FenStyle, Move, Position, Rules};
use pgn::{NodeId, PgnGame};

/// How many positions are searched one after the other with the same table.
pub(crate) const SEGMENT: usize = 8;

/// The main line of a game.
pub(crate) struct MainLine {
    /// One more than there are moves.
    pub boards: Vec<Board>,
    /// `None` for a turn that is passed.
    pub moves: Vec<Option<Move>>,
    /// The node after each move.
    pub nodes: Vec<NodeId>,
    /// The first position that is asked for; those before it are its history.
    pub first: usize,
    /// What tells each position with its history from all others.
    keys: Vec<u64>,
    /// How many positions at its start are known not to be dead.
    alive: OnceLock<usize>,
}

/// On a greater halfmove clock, a mate may come too late for the seventy-five-move rule.
const SAFE_CLOCK: u16 = 50;

impl MainLine {
    pub fn of(game: &PgnGame) -> Self {
        let start = *game.tree.start();
        let (mut boards, mut moves, mut nodes) = (vec![start], Vec::new(), Vec::new());
        let mut keys = vec![hash(FNV_OFFSET, start.fen(FenStyle::Shredder).as_bytes())];
        let (mut board, mut key) = (start, keys[0]);
        for (node, _) in game.tree.main_line() {
            let mv = game.tree.node(node).mv;
            match mv {
                Some(mv) => board.play(mv, &mut ()),
                None => board.play_null(),
            }
            key = hash(key, &mv.map_or(0, Move::bits).to_le_bytes());
            boards.push(board);
            moves.push(mv);
            nodes.push(node);
            keys.push(key);
        }
        Self { boards, moves, nodes, first: 0, keys, alive: OnceLock::new() }
    }

    /// The same, of which only the last position is asked for.
    pub fn last_alone(self) -> Self {
        Self { first: self.moves.len(), ..self }
    }

    /// The segments it is cut into, the first positions first.
    pub fn segments(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let length = self.boards.len();
        (self.first..length).step_by(SEGMENT).map(move |start| start..length.min(start + SEGMENT))
    }

    /// How many positions at the start of the game are known not to be dead, the seventy-five-move rule left aside. Found out
    /// by whoever asks first.
    pub fn alive_positions(&self) -> usize {
        *self.alive.get_or_init(|| {
            // A pass is no legal move: the game by the laws ends there.
            let length = self.moves.iter().take_while(|mv| mv.is_some()).count() + 1;
            Rules::default().alive_positions(&self.boards[..length])
        })
    }

    /// Whether a position is known not to be dead, the seventy-five-move rule included.
    pub fn is_alive(&self, index: usize) -> bool {
        self.boards[index].halfmove_clock() < SAFE_CLOCK && index < self.alive_positions()
    }

    /// The first position of the history that can be repeated from this one on.
    pub fn first_reachable(&self, index: usize) -> usize {
        let reversible = index.min(usize::from(self.boards[index].halfmove_clock()));
        let since_pass = self.moves[..index].iter().rev().take(reversible).take_while(|mv| mv.is_some()).count();
        index - since_pass
    }

    /// A position with as much of its history as can be repeated.
    pub fn position(&self, index: usize) -> Position {
        let first = self.first_reachable(index);
        let mut position = Position::from(self.boards[first]);
        self.moves[first..index].iter().flatten().for_each(|&mv| position.play(mv));
        position
    }

    /// What tells some positions, with all before them, from those of any other game.
    pub fn key(&self, range: &Range<usize>) -> u64 {
        hash(self.keys[range.end - 1], &(range.len() as u64).to_le_bytes())
    }
}

/// Source: G. Fowler, L. C. Noll and K.-P. Vo, the hash FNV-1a.
const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;

fn hash(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::PgnReader;

    fn main_line(text: &str) -> MainLine {
        MainLine::of(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap())
    }

    #[test]
    fn positions_remember_what_can_be_repeated() {
        let main_line = main_line("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Nf3 *");
        assert_eq!(main_line.position(4).earlier_occurrences(), 1);
        assert_eq!(main_line.position(6).history().len(), 0);
        assert_eq!(main_line.position(7).history().len(), 1);
        for index in 0..8 {
            assert_eq!(main_line.position(index).board(), &main_line.boards[index]);
        }
    }

    #[test]
    fn a_pass_ends_what_can_be_repeated() {
        let main_line = main_line("1. Nf3 Nf6 2. -- Ng8 3. Ng1 *");
        assert_eq!(main_line.position(5).history().len(), 2);
        assert_eq!(main_line.position(5).board(), &main_line.boards[5]);
    }

    #[test]
    fn what_is_known_to_be_alive_is_so() {
        // The last move leaves the kings alone.
        let dead = main_line("[FEN \"7k/8/8/8/8/8/6q1/5K2 w - - 0 1\"]\n\n1. Kxg2 *");
        assert!(dead.is_alive(0) && !dead.is_alive(1));
        assert!(!dead.boards[0].is_dead() && dead.boards[1].is_dead());
        let late = main_line("[FEN \"7k/8/8/8/8/8/6q1/4K3 w - - 60 99\"]\n\n1. Kd1 *");
        assert_eq!(late.alive_positions(), 2);
        assert!(!late.is_alive(0), "left to a proof that counts moves");
        let passed = main_line("1. e4 -- 2. d4 *");
        assert!(passed.is_alive(1) && !passed.is_alive(2));
    }

    #[test]
    fn segments_cover_the_game_in_order() {
        let main_line = main_line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *");
        assert_eq!(main_line.segments().collect::<Vec<_>>(), [0..8, 8..10]);
        assert!(self::main_line("[Event \"x\"]\n\n*").segments().eq(std::iter::once(0..1)));
    }

    #[test]
    fn keys_tell_games_apart_but_not_what_they_share() {
        let (one, other) = (main_line("1. e4 e5 2. Nf3 *"), main_line("1. e4 e5 2. Nc3 *"));
        assert_eq!(one.key(&(0..3)), other.key(&(0..3)));
        assert_ne!(one.key(&(0..4)), other.key(&(0..4)));
        assert_ne!(one.key(&(0..3)), one.key(&(1..3)));
        // The same position, come about in another way, has other repetitions behind it.
        let (long, short) = (main_line("1. Nf3 Nf6 2. Ng1 Ng8 *"), main_line("[Event \"x\"]\n\n*"));
        assert_ne!(long.key(&(4..5)), short.key(&(0..1)));
    }
}
