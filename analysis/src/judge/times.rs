//! How long each move of a game took, as far as its file says so.

use crate::model::Game;

/// The time control of a game, as far as it tells what a difference of clocks means.
struct Control {
    /// Added for each move, in milliseconds.
    increment: u64,
    /// After this many moves of a side its clock gets more time.
    period: Option<u32>,
}

impl Control {
    /// Reads `300+3`, `40/7200:3600` or `40/5400+30:1800+30`; nothing if it is another, or the increments differ.
    fn read(text: &str) -> Option<Self> {
        let mut increments = Vec::new();
        let mut period = None;
        for (index, part) in text.split(':').enumerate() {
            let (moves, time) = part.split_once('/').map_or((None, part), |(moves, time)| (Some(moves), time));
            if index == 0 {
                period = moves.map(str::parse::<u32>).transpose().ok()?;
            }
            let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
            base.parse::<f64>().ok()?;
            increments.push(increment.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds))?);
        }
        let first = *increments.first()?;
        let is_one = increments.iter().all(|&other| other == first);
        is_one.then_some(Self { increment: (first * 1000.0).round() as u64, period })
    }
}

/// How long each move took, in milliseconds: as the file has it, else by the clocks and the increment. Not known are a side's
/// first move, after which clocks differ on where they start, and a move with which the clock gets more time. Nothing if
/// nothing is known of any move.
pub(crate) fn times(game: &Game) -> Vec<Option<u64>> {
    let control = game.tag("TimeControl").and_then(Control::read);
    let mut before = [None, None];
    let mut moves = [0_u32, 0];
    let spent = game.moves.iter().map(|mv| {
        let side = mv.side as usize;
        moves[side] += 1;
        let had = std::mem::replace(&mut before[side], mv.clock_ms);
        let by_clock = || {
            let control = control.as_ref()?;
            let gets_more = control.period.is_some_and(|period| period == 0 || moves[side].is_multiple_of(period));
            had?.checked_add(control.increment)?.checked_sub(mv.clock_ms?).filter(|_| !gets_more)
        };
        mv.elapsed_ms.or_else(by_clock)
    });
    let spent: Vec<_> = spent.collect();
    if spent.iter().all(Option::is_none) { Vec::new() } else { spent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::assemble::assemble;
    use crate::read::games::Reading;
    use crate::read::main_line::MainLine;
    use pgn::PgnReader;

    fn times_of(text: &str) -> Vec<Option<u64>> {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let reading = Reading { number: 1, file: None, line: 1, main_line: MainLine::of(&game), game, label: None };
        times(&assemble(&reading, &vec![None; reading.main_line.boards.len()]))
    }

    const MOVES: &str = "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. d4 {[%clk 0:04:58]} d5 {[%clk 0:05:03]} *";

    #[test]
    fn times_come_from_clocks_and_increments() {
        let with = |control: &str| times_of(&format!("[TimeControl \"{control}\"]\n\n{MOVES}"));
        assert_eq!(with("300+3"), [None, None, Some(5_000), Some(0)]);
        assert_eq!(with("300"), [None, None, Some(2_000), None], "a clock that gained is not explained");
        assert_eq!(with("40/300+3:600+3"), [None, None, Some(5_000), Some(0)]);
        assert_eq!(with("2/300+3"), [0; 0].map(Some), "both clocks got more time");
        for unknown in ["?", "-", "", "300+x", "1/2/3", "300+3:600+5", "sandclock", "300+1e999"] {
            assert_eq!(with(unknown), [0; 0].map(Some), "{unknown}");
        }
        assert_eq!(times_of(MOVES), [0; 0].map(Some), "without the increment");
    }

    #[test]
    fn what_the_file_says_comes_first() {
        let text = "[TimeControl \"300+3\"]\n\n1. e4 {[%emt 0:00:07]} e5 {[%clk 0:05:00]} 2. d4 {[%emt 0:01:00]} *";
        assert_eq!(times_of(text), [Some(7_000), None, Some(60_000)]);
        assert_eq!(times_of("1. e4 e5 *"), [0; 0].map(Some));
    }
}
