//! What an exam says of an evaluation.
//!
//! Scores are compared as winning chances, `1 / (1 + exp(-score / 400))`: the scale of the network's output
//! ([`SCALE`]), the same for every network and for the labels, so that a network is not better for being bolder. A network
//! is asked for the static evaluation that the search begins with ([`search::static_evaluation`]).

use std::cmp::Ordering;

use eval::Network;
use eval::arch::SCALE;
use rayon::prelude::*;
use serde::Serialize;

use crate::exam::class::Class;
use crate::exam::work::Sets;
use crate::exam::{Labelled, Set};

/// How an evaluation compares with the labels of some positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Marks {
    /// How many positions.
    pub positions: usize,
    /// The mean squared error of the winning chance.
    pub error: f64,
    /// The standard error of that mean: other positions of this kind would give another one. None for a single position.
    /// The difference of two networks is more certain than that: they are asked the same.
    pub error_spread: Option<f64>,
    /// The rank correlation of evaluations and labels, after Spearman; none where either are all equal.
    pub rank_correlation: Option<f64>,
    /// By how much the labelled chance rises, on average, when the evaluated one rises by 1: above 1, the evaluation is
    /// too flat; below, it overstates. None where all evaluations are equal.
    pub slope: Option<f64>,
}

/// The marks of a class of positions in a set.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The set's name, or "together".
    pub set: &'static str,
    /// The class's name.
    pub class: &'static str,
    /// Its marks.
    #[serde(flatten)]
    pub marks: Marks,
}

/// An evaluation and a label, as winning chances.
type Pair = (f64, f64);

/// Asks a network about all positions of an exam: the marks of each class in each set, and in all sets together. Classes
/// without positions are left out.
#[must_use]
pub fn examine(sets: &Sets, network: &Network) -> Vec<Row> {
    let evaluated = |labelled: &Labelled| {
        (chance(search::static_evaluation(network, &labelled.board).0), chance(labelled.score.into()))
    };
    let pairs: Vec<Vec<Pair>> = sets.iter().map(|set| set.par_iter().map(evaluated).collect()).collect();
    let rows = |name: &'static str, of: &[Set]| -> Vec<Row> {
        let row = |class: Class| {
            let of = of.iter().flat_map(|&set| sets[set as usize].iter().zip(&pairs[set as usize]));
            let pairs: Vec<Pair> = of.filter(|(labelled, _)| class.contains(labelled)).map(|(_, &pair)| pair).collect();
            Some(Row { set: name, class: class.name(), marks: marks(&pairs)? })
        };
        Class::ALL.into_iter().filter_map(row).collect()
    };
    let by_set = Set::ALL.into_iter().flat_map(|set| rows(set.name(), &[set]));
    by_set.chain(rows("together", &Set::ALL)).collect()
}

/// The winning chance that a score stands for.
#[must_use]
pub fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).exp())
}

/// The marks of pairs of chances, evaluated and labelled; `None` if there are none.
#[must_use]
pub fn marks(pairs: &[Pair]) -> Option<Marks> {
    let count = pairs.len() as f64;
    let squares: Vec<f64> = pairs.iter().map(|(evaluated, labelled)| (evaluated - labelled).powi(2)).collect();
    let (evaluated, labelled): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (ranks, label_ranks) = (ranks(&evaluated), ranks(&labelled));
    let spread = covariance(&ranks, &ranks) * covariance(&label_ranks, &label_ranks);
    let variance = covariance(&evaluated, &evaluated);
    (!pairs.is_empty()).then(|| Marks {
        positions: pairs.len(),
        error: squares.iter().sum::<f64>() / count,
        error_spread: (pairs.len() > 1).then(|| (covariance(&squares, &squares) / (count - 1.0) / count).sqrt()),
        rank_correlation: (spread > 0.0).then(|| covariance(&ranks, &label_ranks) / spread.sqrt()),
        slope: (variance > 0.0).then(|| covariance(&evaluated, &labelled) / variance),
    })
}

/// The covariance, times the number of values.
fn covariance(left: &[f64], right: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (left_mean, right_mean) = (mean(left), mean(right));
    left.iter().zip(right).map(|(left, right)| (left - left_mean) * (right - right_mean)).sum()
}

/// The rank of each value among all; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let compare = |&left: &usize, &right: &usize| values[left].partial_cmp(&values[right]).unwrap_or(Ordering::Equal);
    order.sort_by(compare);
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&left, &right| values[left] == values[right]) {
        let rank = before as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&index| ranks[index] = rank);
        before += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    #[test]
    fn marks_are_those_computed_by_hand() {
        // Both have the mean 0.5.
        let pairs = [(0.2, 0.1), (0.4, 0.6), (0.6, 0.3), (0.8, 1.0)];
        let found = marks(&pairs).unwrap();
        assert_eq!(found.positions, 4);
        assert_close(found.error, (0.01 + 0.04 + 0.09 + 0.04) / 4.0);
        // The squares lie 0.035, 0.005, 0.045 and 0.005 from their mean.
        assert_close(found.error_spread.unwrap(), (0.0033_f64 / 3.0 / 4.0).sqrt());
        // Labels rank 0, 2, 1, 3: 1 - 6 * (1 + 1) / (4 * 15).
        assert_close(found.rank_correlation.unwrap(), 0.8);
        // (-0.3 * -0.4 + -0.1 * 0.1 + 0.1 * -0.2 + 0.3 * 0.5) / (0.09 + 0.01 + 0.01 + 0.09).
        assert_close(found.slope.unwrap(), 0.24 / 0.2);
    }

    #[test]
    fn a_flat_evaluation_has_a_slope_above_1_and_no_fault_in_its_order() {
        let pairs: Vec<Pair> =
            (0..=10).map(|step| (0.5 + f64::from(step - 5) / 20.0, f64::from(step) / 10.0)).collect();
        let found = marks(&pairs).unwrap();
        assert_close(found.slope.unwrap(), 2.0);
        assert_close(found.rank_correlation.unwrap(), 1.0);
        let reversed: Vec<Pair> = pairs.iter().map(|&(evaluated, labelled)| (evaluated, 1.0 - labelled)).collect();
        assert_close(marks(&reversed).unwrap().rank_correlation.unwrap(), -1.0);
    }

    #[test]
    fn equal_values_share_ranks_and_have_no_correlation_alone() {
        assert_eq!(ranks(&[0.3, 0.1, 0.3, 0.2, 0.3]), [3.0, 0.0, 3.0, 1.0, 3.0]);
        let found = marks(&[(0.5, 0.1), (0.5, 0.9)]).unwrap();
        assert_close(found.error, 0.16);
        assert_eq!((found.rank_correlation, found.slope), (None, None));
        let alone = marks(&[(0.4, 0.5)]).unwrap();
        assert_eq!((alone.rank_correlation, alone.error_spread), (None, None));
        assert_eq!(marks(&[]), None);
    }

    #[test]
    fn chances_are_those_of_the_networks_output() {
        assert_close(chance(0), 0.5);
        assert_close(chance(400), 1.0 / (1.0 + (-1.0_f64).exp()));
        assert_close(chance(-250) + chance(250), 1.0);
    }

    #[test]
    fn a_network_is_marked_by_set_and_class() {
        let network = Network::embedded();
        let labelled = |fen: &str, off: i16| {
            let board = Board::from_fen(fen).unwrap();
            let best = board.legal_moves().into_iter().find(|&mv| !board.is_noisy(mv)).unwrap();
            Labelled { board, best, score: search::static_evaluation(&network, &board).0 as i16 + off }
        };
        let (start, ending) = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "8/8/4k3/8/4K3/4P3/8/8 w - -");
        let sets = [vec![labelled(start, 0), labelled(ending, 40)], Vec::new(), vec![labelled(ending, 0)]];
        let rows = examine(&sets, &network);
        let find =
            |set: &str, class: &str| rows.iter().find(|row| (row.set, row.class) == (set, class)).map(|row| row.marks);
        let ending_score = search::static_evaluation(&network, &sets[0][1].board).0;
        let square = (chance(ending_score) - chance(ending_score + 40)).powi(2);
        assert!(square > 1e-6);
        assert_close(find("self-play", "all").unwrap().error, square / 2.0);
        assert_close(find("self-play", "pawn endings").unwrap().error, square);
        assert_close(find("self-play", "opening").unwrap().error, 0.0);
        assert_eq!(find("deep", "opening"), None);
        assert_eq!(find("trees", "all"), None);
        let together = find("together", "pawn endings").unwrap();
        assert_eq!(together.positions, 2);
        assert_close(together.error, square / 2.0);
    }
}
