//! The words after `go`.
//!
//! A number is read as far as it goes: programs that reckon with fractions, and people who write units, mean it. A limit
//! whose number is missing or no number does not count. But a client that names a limit wants the search to end: if no other
//! limit would end it, such a limit counts as its least value, so that the answer comes as soon as can be.

use std::time::Duration;

use movegen::{Board, Color};
use search::Limits;

use crate::error::{CommandError, Token};
use crate::words::{Words, leading_integer};

/// A `go` as it was sent.
#[derive(Clone, Debug, Default)]
pub struct Go<'a> {
    /// All limits but the moves, which only a board gives a meaning.
    pub limits: Limits,
    /// The moves after `searchmoves`, as they were written.
    pub search_moves: Vec<&'a str>,
    /// Count moves to this depth instead of searching.
    pub perft: Option<u8>,
}

/// What sets a limit that has a number, and what sets one that needs none.
type SetNumber = fn(&mut Go<'_>, i64);
type Switch = fn(&mut Go<'_>);

const NUMBERS: [(&str, SetNumber); 10] = [
    ("wtime", |go, number| go.limits.remaining[Color::White] = Some(millis(number))),
    ("btime", |go, number| go.limits.remaining[Color::Black] = Some(millis(number))),
    ("winc", |go, number| go.limits.increment[Color::White] = millis(number)),
    ("binc", |go, number| go.limits.increment[Color::Black] = millis(number)),
    ("movestogo", |go, number| go.limits.moves_to_go = u32::try_from(number).ok().filter(|&moves| moves > 0)),
    ("movetime", |go, number| go.limits.move_time = Some(millis(number))),
    ("depth", |go, number| go.limits.depth = Some(number.clamp(1, i32::MAX.into()) as i32)),
    ("nodes", |go, number| go.limits.nodes = Some(number.max(1).cast_unsigned())),
    ("mate", |go, number| go.limits.mate = Some(at_least_one_move(number.clamp(-MAX_MATE, MAX_MATE) as i32))),
    ("perft", |go, number| go.perft = Some(number.clamp(0, u8::MAX.into()) as u8)),
];

const SWITCHES: [(&str, Switch); 2] =
    [("infinite", |go| go.limits.infinite = true), ("ponder", |go| go.limits.ponder = true)];

/// The word that moves follow.
const SEARCH_MOVES: &str = "searchmoves";

/// About ten years: enough for any game, and far from the end of what an instant can hold.
const MAX_MILLIS: i64 = 10 * 365 * 24 * 3600 * 1000;

/// In moves, beyond any search.
const MAX_MATE: i64 = 10_000;

fn at_least_one_move(mate: i32) -> i32 {
    if mate == 0 { 1 } else { mate }
}

fn millis(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, MAX_MILLIS).cast_unsigned())
}

impl<'a> Go<'a> {
    /// All words that mean something after `go`.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        let (numbers, switches) = (NUMBERS.iter().map(|(name, _)| *name), SWITCHES.iter().map(|(name, _)| *name));
        numbers.chain(switches).chain([SEARCH_MOVES])
    }

    /// Reads the words after `go`. The second part is the first thing that was not understood.
    pub(crate) fn parse(mut words: Words<'a>) -> (Self, Option<CommandError>) {
        let mut go = Self::default();
        let mut fault = None;
        let mut lack_numbers = [false; NUMBERS.len()];
        let mut takes_moves = false;
        while let Some(word) = words.next() {
            if word == SEARCH_MOVES {
                takes_moves = true;
            } else if let Some((_, switch)) = SWITCHES.iter().find(|(name, _)| *name == word) {
                switch(&mut go);
                takes_moves = false;
            } else if let Some(index) = NUMBERS.iter().position(|(name, _)| *name == word) {
                let (name, set) = NUMBERS[index];
                match take_number(&mut words, name, &mut fault) {
                    Some(number) => set(&mut go, number),
                    None => lack_numbers[index] = true,
                }
                takes_moves = false;
            } else if takes_moves {
                go.search_moves.push(word);
            } else {
                fault.get_or_insert_with(|| CommandError::UnknownWord { command: "go", word: Token::new(word) });
            }
        }
        if !go.is_bounded() {
            let lacking = NUMBERS.iter().zip(lack_numbers).filter(|(_, lacks)| *lacks);
            lacking.for_each(|((_, set), _)| set(&mut go, 0));
        }
        if !go.is_bounded() {
            go.limits.infinite = true;
        }
        (go, fault)
    }

    /// The limits for a search from `board`, and the first of the wanted moves that cannot be played there.
    ///
    /// If none of them can, all moves may be searched.
    pub(crate) fn limits(&self, board: &Board) -> (Limits, Option<CommandError>) {
        let mut limits = self.limits.clone();
        let mut fault = None;
        for &text in &self.search_moves {
            match board.parse_uci(text) {
                Ok(mv) if limits.search_moves.contains(&mv) => {}
                Ok(mv) => limits.search_moves.push(mv),
                Err(error) => {
                    fault.get_or_insert(CommandError::SearchMove(error));
                }
            }
        }
        // A client that names only the opponent's clock must still get its answer in time.
        let remaining = &mut limits.remaining;
        remaining[board.turn()] = remaining[board.turn()].or(remaining[!board.turn()]);
        (limits, fault)
    }

    /// Whether anything but a `stop` ends the search.
    fn is_bounded(&self) -> bool {
        let Limits { remaining, move_time, depth, nodes, mate, .. } = &self.limits;
        remaining.0.iter().any(Option::is_some)
            || move_time.is_some()
            || depth.is_some()
            || nodes.is_some()
            || mate.is_some()
    }
}

/// Takes the number after `name`. If there is none, a word that means something here is left to be read as what it is.
fn take_number(words: &mut Words<'_>, name: &'static str, fault: &mut Option<CommandError>) -> Option<i64> {
    let mut ahead = *words;
    let word = ahead.next();
    let read = word.and_then(leading_integer);
    if word.is_some_and(|word| read.is_some() || Go::words().all(|keyword| keyword != word)) {
        *words = ahead;
    }
    let found = || Token::from(word);
    match read {
        Some((_, "")) => {}
        Some((taken, _)) => {
            fault.get_or_insert_with(|| CommandError::NumberCut { name, found: found(), taken });
        }
        None => {
            fault.get_or_insert_with(|| CommandError::NoNumber { name, found: found() });
        }
    }
    read.map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go<'_> {
        let (go, fault) = Go::parse(Words::new(line));
        assert_eq!(fault, None, "{line}");
        go
    }

    /// A line at fault, and what is understood nevertheless.
    fn faulty(line: &str) -> (Go<'_>, String) {
        let (go, fault) = Go::parse(Words::new(line));
        (go, fault.expect(line).to_string())
    }

    #[test]
    fn every_limit_is_read_in_any_order() {
        let go = go("binc 4 nodes 5 winc 3 btime 2 wtime 1 movestogo 6 mate 7 depth 8 movetime 9 ponder infinite \
                     searchmoves e2e4 d2d4");
        let limits = go.limits;
        assert_eq!(limits.remaining.0, [1, 2].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(limits.increment.0, [3, 4].map(Duration::from_millis));
        assert_eq!((limits.nodes, limits.moves_to_go, limits.mate, limits.depth), (Some(5), Some(6), Some(7), Some(8)));
        assert_eq!(limits.move_time, Some(Duration::from_millis(9)));
        assert!(limits.ponder && limits.infinite);
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(Go::parse(Words::new("perft 6")).0.perft, Some(6));
    }

    #[test]
    fn the_last_of_two_equal_limits_counts() {
        assert_eq!(go("depth 3 depth 9").limits.depth, Some(9));
    }

    #[test]
    fn only_a_go_without_an_end_is_infinite() {
        for line in ["", "infinite", "winc 100", "movestogo 3", "searchmoves e2e4", "ponder"] {
            assert!(go(line).limits.infinite, "{line}");
        }
        for line in
            ["depth 1", "nodes 1", "movetime 1", "wtime 1", "btime 1", "mate 3", "mate -3", "mate 0", "ponder wtime 1"]
        {
            assert!(!go(line).limits.infinite, "{line}");
        }
    }

    #[test]
    fn moves_end_at_the_next_keyword() {
        let go = go("searchmoves e2e4 0000 e7e8q depth 4 infinite");
        assert_eq!(go.search_moves, ["e2e4", "0000", "e7e8q"]);
        assert_eq!(go.limits.depth, Some(4));
        assert!(go.limits.infinite);
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it() {
        let zero = Some(Duration::ZERO);
        assert_eq!(go("wtime -100 btime -9223372036854775809").limits.remaining.0, [zero, zero]);
        assert_eq!(go("movetime 0").limits.move_time, zero);
        assert_eq!(go("movetime -5").limits.move_time, zero);
        assert_eq!(go("movestogo 0 depth 1").limits.moves_to_go, None);
        assert_eq!(go("movestogo -4 depth 1").limits.moves_to_go, None);
        assert_eq!(go("depth 0").limits.depth, Some(1));
        assert_eq!(go("depth 9223372036854775808").limits.depth, Some(i32::MAX));
        assert_eq!(go("nodes 0").limits.nodes, Some(1));
        assert_eq!(go("nodes 18446744073709551615").limits.nodes, Some(i64::MAX as u64));
        let clock = go("wtime 9223372036854775808 winc 9223372036854775807").limits;
        let now = std::time::Instant::now();
        assert!(now.checked_add(clock.remaining[Color::White].unwrap() + clock.increment[Color::White]).is_some());
    }

    #[test]
    fn a_limit_without_its_number_is_said_and_the_others_count() {
        for (line, message, depth) in [
            ("depth abc", "`depth` needs a number, not \"abc\"", Some(1)),
            ("depth", "`depth` needs a number, not nothing", Some(1)),
            ("depth abc movetime 50", "`depth` needs a number, not \"abc\"", None),
            ("movetime soon depth 4", "`movetime` needs a number, not \"soon\"", Some(4)),
            ("depth abc depth 3", "`depth` needs a number, not \"abc\"", Some(3)),
        ] {
            let (go, said) = faulty(line);
            assert_eq!((go.limits.depth, go.limits.infinite, &said[..]), (depth, false, message), "{line}");
        }
        let (end, message) = faulty("btime 5 wtime");
        assert_eq!(end.limits.remaining.0, [None, Some(Duration::from_millis(5))]);
        assert_eq!(message, "`wtime` needs a number, not nothing");

        let (other, message) = faulty("wtime btime 50 movetime infinite");
        assert_eq!(other.limits.remaining.0, [None, Some(Duration::from_millis(50))]);
        assert!(other.limits.infinite && other.limits.move_time.is_none());
        assert_eq!(message, "`wtime` needs a number, not \"btime\"");

        let (none, _) = faulty("wtime x btime y");
        assert_eq!(none.limits.remaining.0, [Some(Duration::ZERO); 2]);
        assert_eq!(faulty("winc x winc y depth z").0.limits.depth, Some(1));
        assert_eq!(faulty("perft abc").0.perft, Some(0));
        assert_eq!(faulty("perft abc depth 3").0.perft, None);
    }

    #[test]
    fn a_number_is_read_as_far_as_it_goes() {
        let millis = |number| Some(Duration::from_millis(number));
        let (go, message) = faulty("wtime 60000.0 btime 59999.75 winc 600.5 movestogo 40.0");
        assert_eq!(go.limits.remaining.0, [millis(60_000), millis(59_999)]);
        assert_eq!((go.limits.increment[Color::White], go.limits.moves_to_go), (Duration::from_millis(600), Some(40)));
        assert_eq!(message, "`wtime`: \"60000.0\" is read as 60000");
        assert_eq!(faulty("movetime 100ms").0.limits.move_time, millis(100));
        assert_eq!(faulty("movetime 100,5").0.limits.move_time, millis(100));
        assert_eq!(faulty("wtime -12.5").0.limits.remaining[Color::White], Some(Duration::ZERO));
        assert_eq!(faulty("depth 8.9").0.limits.depth, Some(8));
        assert_eq!(faulty("nodes 5000n").0.limits.nodes, Some(5000));
        assert_eq!(faulty("mate 3moves").0.limits.mate, Some(3));
        assert_eq!(faulty("perft 3.0").0.perft, Some(3));
        assert_eq!(faulty("depth .5").0.limits.depth, Some(1));
        assert_eq!(Go::parse(Words::new("perft 0")).0.perft, Some(0));
        assert_eq!(Go::parse(Words::new("perft -1")).0.perft, Some(0));
    }

    #[test]
    fn unknown_words_are_skipped_and_the_first_is_said() {
        let (go, message) = faulty("fast depth 5 please");
        assert_eq!(go.limits.depth, Some(5));
        assert_eq!(message, "`go`: unknown word \"fast\" ignored");
    }

    #[test]
    fn moves_that_cannot_be_played_are_left_out() {
        let board = Board::start();
        let (limits, fault) = go("searchmoves e2e4 e2e5 zz e2e4 g1f3").limits(&board);
        let kept: Vec<_> = limits.search_moves.iter().map(ToString::to_string).collect();
        assert_eq!(kept, ["e2e4", "g1f3"]);
        assert!(fault.expect("e2e5 is illegal").to_string().contains("\"e2e5\""));
        assert!(go("searchmoves 0000").limits(&board).0.search_moves.is_empty());
    }

    #[test]
    fn one_clock_serves_both_sides() {
        let (limits, _) = go("btime 100").limits(&Board::start());
        assert_eq!(limits.remaining.0, [Some(Duration::from_millis(100)); 2]);
        let (limits, _) = go("btime 100 wtime 50").limits(&Board::start());
        assert_eq!(limits.remaining[Color::White], Some(Duration::from_millis(50)));
    }
}
