//! A search that asks one thing only: is there a mate in so many moves? It cuts nothing off, so its "no" is a proof.
//!
//! The side that mates needs one move that works, the other side one reply that escapes: there are two answers, so no
//! evaluation is needed, and what has been answered once stands in a table. Moves that leave the fewest replies come
//! first, which is what mates have in common, in games and in chess problems. The usual search passes by quiet moves
//! whose point lies deep; this one does not, and is the faster one up to some five moves. [`hunt`] has both take turns.
//!
//! Source: the Chess Programming Wiki, "Checkmate" and "Enhanced Transposition Cutoff".

mod hunt;

pub(crate) use hunt::Verdict;
use movegen::{Board, Key, Move, Position};

/// The most moves asked for: each two plies of a line.
const MOST_MOVES: usize = 120;

/// Entries of the table: 16 MiB.
const TABLE_LEN: usize = 1 << 20;

/// What is known of a board.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    /// The side that mates needs so many moves at most; 0 if that is not known.
    mate: u8,
    /// It needs more than so many.
    none: u8,
    /// The move that mates or escapes.
    mv: Option<Move>,
}

impl Entry {
    /// Whether there is a mate in so many moves, if that is known.
    const fn answer(self, moves: usize) -> Option<bool> {
        if self.mate > 0 && self.mate as usize <= moves {
            Some(true)
        } else if self.none as usize >= moves {
            Some(false)
        } else {
            None
        }
    }
}

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The mate, with the replies that put it off longest.
    Line(Vec<Move>),
    /// There is none.
    Never,
    /// The search was broken off.
    Unknown,
}

/// Searches for mates by one side, from one position of a game.
pub(crate) struct MateSearch {
    table: Vec<Entry>,
    /// Positions that have been there twice: whoever is to be mated can claim a draw.
    drawn: Vec<Key>,
    /// Whether the fifty-move rule is so near that it matters when a position arises.
    clock_matters: bool,
    /// The replies that escaped last, by the moves left to mate.
    escapes: [[Option<Move>; 2]; MOST_MOVES + 1],
    broken_off: bool,
}

impl MateSearch {
    /// For mates in `most_moves` at most.
    pub(crate) fn new(position: &Position, most_moves: usize) -> Self {
        let history = position.history();
        let is_repeated = |key: &Key| history.iter().filter(|other| *other == key).count() > 1;
        Self {
            table: vec![Entry::default(); TABLE_LEN],
            drawn: history.iter().copied().filter(is_repeated).collect(),
            clock_matters: usize::from(position.board().halfmove_clock()) + 2 * most_moves >= 100,
            escapes: [[None; 2]; MOST_MOVES + 1],
            broken_off: false,
        }
    }

    /// Whether the side to move mates in `moves`, beginning with one of these, or is mated if `moves` is negative.
    /// `visit` is called for each board whose moves are tried, and breaks the search off by returning true.
    pub(crate) fn solve(
        &mut self,
        board: &Board,
        root_moves: &[Move],
        moves: i32,
        visit: &mut impl FnMut() -> bool,
    ) -> Answer {
        self.broken_off = false;
        let count = (moves.unsigned_abs() as usize).min(MOST_MOVES);
        let line = if moves > 0 {
            self.mating_line(board, root_moves, count, visit)
        } else {
            self.mated_line(board, root_moves, count, visit)
        };
        match line {
            _ if self.broken_off => Answer::Unknown,
            Some(line) => Answer::Line(line),
            None => Answer::Never,
        }
    }

    /// The shortest mate in at most `moves` that begins with one of `choices`.
    fn mating_line(
        &mut self,
        board: &Board,
        choices: &[Move],
        moves: usize,
        visit: &mut impl FnMut() -> bool,
    ) -> Option<Vec<Move>> {
        let tries = tries(board, choices, None);
        for count in 1..=moves {
            for Try { mv, child, .. } in &tries {
                if self.is_mated(child, count - 1, visit) {
                    let rest = self.mated_line(child, &child.legal_moves(), count - 1, visit)?;
                    return Some([vec![*mv], rest].concat());
                }
            }
        }
        None
    }

    /// How the side to move is mated in `moves` at most, whichever of `choices` it plays: by that which lasts longest.
    fn mated_line(
        &mut self,
        board: &Board,
        choices: &[Move],
        moves: usize,
        visit: &mut impl FnMut() -> bool,
    ) -> Option<Vec<Move>> {
        let mut longest: Option<(usize, Move, Board)> = None;
        for &mv in choices {
            let child = after(board, mv);
            let count = (1..=moves).find(|&count| self.mates(&child, count, visit))?;
            if longest.is_none_or(|(most, ..)| count > most) {
                longest = Some((count, mv, child));
            }
        }
        let Some((count, mv, child)) = longest else { return board.in_check().then(Vec::new) };
        let rest = self.mating_line(&child, &child.legal_moves(), count, visit)?;
        Some([vec![mv], rest].concat())
    }

    /// Whether the side to move mates in `moves`, at least one.
    fn mates(&mut self, board: &Board, moves: usize, visit: &mut impl FnMut() -> bool) -> bool {
        let entry = self.probe(board);
        if let Some(answer) = entry.answer(moves) {
            return answer;
        }
        if self.must_end(visit) || self.is_drawn(board) {
            return false;
        }
        if moves == 1 {
            let mating = board.legal_moves().into_iter().find(|&mv| is_checkmate_by(board, mv));
            return self.learn(entry, moves, mating.is_some(), mating);
        }
        let mut tries = tries(board, &board.legal_moves(), entry.mv);
        let known = |tried: &Try| self.probe(&tried.child).answer(moves - 1);
        if let Some(mating) = tries.iter().find(|tried| known(tried) == Some(true)) {
            return self.learn(entry, moves, true, Some(mating.mv));
        }
        tries.retain(|tried| known(tried).is_none());
        let mating = tries.iter().find(|tried| self.is_mated(&tried.child, moves - 1, visit)).map(|tried| tried.mv);
        self.learn(entry, moves, mating.is_some(), mating)
    }

    /// Whether the side to move is mated, or will be in `moves` whatever it plays.
    fn is_mated(&mut self, board: &Board, moves: usize, visit: &mut impl FnMut() -> bool) -> bool {
        if moves == 0 {
            return board.in_check() && !board.has_legal_move();
        }
        let entry = self.probe(board);
        if let Some(answer) = entry.answer(moves) {
            return answer;
        }
        if self.must_end(visit) {
            return false;
        }
        let mut replies = board.legal_moves();
        if replies.is_empty() {
            return board.in_check();
        }
        if self.is_drawn(board) {
            return false;
        }
        let is_escape = |mv: &Move| self.probe(&after(board, *mv)).answer(moves) == Some(false);
        let known = replies.iter().copied().find(is_escape);
        let escape = known.or_else(|| {
            let [last, before_last] = self.escapes[moves];
            replies.sort_by_key(|&mv| {
                let is_first = [entry.mv, last, before_last].contains(&Some(mv));
                (!is_first, board.captured_by(mv).is_none(), !board.gives_check(mv))
            });
            replies.into_iter().find(|&mv| !self.mates(&after(board, mv), moves, visit))
        });
        if let Some(mv) = escape
            && self.escapes[moves][0] != Some(mv)
        {
            self.escapes[moves] = [Some(mv), self.escapes[moves][0]];
        }
        self.learn(entry, moves, escape.is_none(), escape)
    }

    /// Counts a board; once this is true, answers mean nothing and are not kept.
    fn must_end(&mut self, visit: &mut impl FnMut() -> bool) -> bool {
        self.broken_off = self.broken_off || visit();
        self.broken_off
    }

    /// Whether the laws, or the opponent's claim, make it a draw, unless it is checkmate.
    fn is_drawn(&self, board: &Board) -> bool {
        board.halfmove_clock() >= 100 || self.drawn.contains(&board.key())
    }

    fn probe(&self, board: &Board) -> Entry {
        let clock = if self.clock_matters { Key::from(board.halfmove_clock()) } else { 0 };
        let key = board.key() ^ clock.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = self.table[Self::slot(key)];
        if entry.key == key { entry } else { Entry { key, ..Entry::default() } }
    }

    /// Keeps an answer beside what was known, and gives it back.
    fn learn(&mut self, known: Entry, moves: usize, answer: bool, mv: Option<Move>) -> bool {
        if self.broken_off {
            return false;
        }
        let (mate, none) = if answer { (moves as u8, known.none) } else { (known.mate, moves as u8) };
        self.table[Self::slot(known.key)] = Entry { mate, none, mv: mv.or(known.mv), ..known };
        answer
    }

    const fn slot(key: Key) -> usize {
        key as usize % TABLE_LEN
    }
}

/// A move of the side that mates, and what it leads to.
struct Try {
    order: i32,
    mv: Move,
    child: Board,
}

/// Moves in the order in which they are to be tried: first the best one known, then those that leave the fewest
/// replies.
fn tries(board: &Board, choices: &[Move], best: Option<Move>) -> Vec<Try> {
    /// Checks are worth as much as so many replies fewer.
    const CHECK: i32 = 12;
    let attempt = |&mv: &Move| {
        let child = after(board, mv);
        let replies = child.count_legal_moves() as i32;
        let order = if best == Some(mv) { -1000 } else { replies - if child.in_check() { CHECK } else { 0 } };
        Try { order, mv, child }
    };
    let mut tries: Vec<_> = choices.iter().map(attempt).collect();
    tries.sort_by_key(|tried| tried.order);
    tries
}

fn after(board: &Board, mv: Move) -> Board {
    let mut child = *board;
    child.play(mv, &mut ());
    child
}

fn is_checkmate_by(board: &Board, mv: Move) -> bool {
    board.gives_check(mv) && !after(board, mv).has_legal_move()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    const MOST: usize = 6;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    /// The answer of a search that may go on for ever.
    fn solve(board: &Board, moves: i32) -> Answer {
        let mut search = MateSearch::new(&Position::from(*board), MOST);
        search.solve(board, &board.legal_moves(), moves, &mut || false)
    }

    /// The line of a mate, played to its end.
    fn line_to_mate(board: &Board, moves: i32) -> Vec<String> {
        let Answer::Line(line) = solve(board, moves) else { panic!("{board:?}: no mate in {moves}") };
        let mut board = *board;
        let mut words = Vec::new();
        for mv in line {
            assert!(board.is_legal(mv), "{mv} in {board:?}");
            words.push(mv.to_string());
            board = after(&board, mv);
        }
        assert!(board.in_check() && !board.has_legal_move(), "{board:?}");
        words
    }

    #[test]
    fn mates_are_found_and_shorter_ones_denied() {
        for (fen, moves, key) in [
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"),
            // Zugzwang: nothing but a quiet sacrifice.
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
            // Reti and Tartakower, Vienna 1910.
            ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1", 3, "d3d8"),
            ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"),
        ] {
            let board = board(fen);
            let line = line_to_mate(&board, moves);
            assert_eq!((line.len() as i32, &line[0][..]), (2 * moves - 1, key), "{fen}");
            // More than enough changes nothing.
            assert_eq!(line_to_mate(&board, moves + 1), line);
            for fewer in 1..moves {
                assert_eq!(solve(&board, fewer), Answer::Never, "{fen} in {fewer}");
            }
        }
    }

    #[test]
    fn the_side_to_be_mated_holds_out_as_long_as_it_can() {
        let board = board("k7/2K5/8/8/8/8/8/1R6 b - - 0 1");
        assert_eq!(line_to_mate(&board, -1), ["a8a7", "b1a1"]);
        assert_eq!(line_to_mate(&board, -3), ["a8a7", "b1a1"]);
        let free = Board::start();
        assert_eq!(solve(&free, -2), Answer::Never);
    }

    #[test]
    fn the_fifty_move_rule_comes_after_mate_and_before_all_else() {
        let with_clock = |clock| board(&format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 80"));
        assert_eq!(line_to_mate(&with_clock(97), 2), ["c6c7", "a8a7", "b1a1"]);
        assert_eq!(solve(&with_clock(98), 2), Answer::Never);
        assert_eq!(solve(&with_clock(98), 5), Answer::Never);
    }

    #[test]
    fn a_position_that_has_been_there_twice_is_no_way_to_mate() {
        let cornered = board("k7/2K5/8/8/8/8/8/1R6 b - - 0 1");
        let mut position = Position::from(cornered);
        for text in ["a8a7", "b1b2", "a7a8", "b2b1", "a8a7", "b1b2", "a7a8"] {
            let mv = position.board().parse_uci(text).unwrap();
            position.play(mv);
        }
        assert!(!MateSearch::new(&position, MOST).is_mated(&cornered, 1, &mut || false));
        assert!(MateSearch::new(&Position::from(cornered), MOST).is_mated(&cornered, 1, &mut || false));
    }

    #[test]
    fn only_the_moves_that_are_asked_for_count() {
        let board = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        let others: Vec<Move> = board.legal_moves().into_iter().filter(|mv| mv.to_string() != "a1a6").collect();
        let mut search = MateSearch::new(&Position::from(board), MOST);
        assert_eq!(search.solve(&board, &others, 2, &mut || false), Answer::Never);
    }

    #[test]
    fn a_search_that_is_broken_off_says_so_and_keeps_nothing_wrong() {
        let board = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        let mut search = MateSearch::new(&Position::from(board), MOST);
        let moves = board.legal_moves();
        let mut broken_off = 0;
        loop {
            let mut nodes = 0;
            let visit = &mut || {
                nodes += 1;
                nodes > broken_off
            };
            match search.solve(&board, &moves, 2, visit) {
                Answer::Unknown => broken_off += 1,
                Answer::Line(line) => break assert_eq!(line[0].to_string(), "a1a6"),
                Answer::Never => panic!("denied after {broken_off} nodes"),
            }
        }
        assert!(broken_off > 3);
    }

    /// By definition.
    fn is_mate_in(board: &Board, moves: usize) -> bool {
        moves > 0
            && board.legal_moves().into_iter().any(|mv| {
                let child = after(board, mv);
                let replies = child.legal_moves();
                let all_lose = || replies.iter().all(|&reply| is_mate_in(&after(&child, reply), moves - 1));
                if replies.is_empty() { child.in_check() } else { all_lose() }
            })
    }

    #[test]
    fn answers_are_those_of_the_definition() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut mates = 0;
        for _ in 0..150 {
            let mut board = board("4k3/1q3r2/8/2P5/5p2/8/3R2Q1/3K4 w - - 0 1");
            for _ in 0..random.random_range(0..30) {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board = after(&board, moves[random.random_range(0..moves.len())]);
            }
            for moves in 1..=2 {
                let expected = is_mate_in(&board, moves);
                mates += usize::from(expected);
                assert_eq!(matches!(solve(&board, moves as i32), Answer::Line(_)), expected, "{board:?} in {moves}");
            }
        }
        assert!(mates > 10, "{mates}");
    }
}
