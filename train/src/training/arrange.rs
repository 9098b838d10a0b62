//! The order of the pairs of hidden neurons: what the network evaluates does not depend on it, but its speed does.
//!
//! The second layer passes over a [group](GROUP) of products that are all zero, as most products are. So pairs that are active on
//! the same boards share a group. Source: Stockfish, which orders the neurons of its first layer likewise.

use std::cmp::Reverse;

use eval::arch::{GROUP, QA};
use eval::feature::Perspective;
use eval::{Network, NetworkError};
use movegen::Color;
use rayon::prelude::*;

use crate::records::record::{RawRecord, Record};
use crate::training::model::Parameters;

/// The most records that are looked at.
pub const MAX_RECORDS: u64 = 20_000;
/// Records whose perspectives are the bits of a number.
const CHUNK: usize = u64::BITS as usize / 2;
/// Between the largest product of neurons that is rounded to zero and the smallest that is not.
const LEAST: f32 = 255.5 / (QA * QA) as f32;

/// The boards on which a pair is active: a bit for each perspective.
type Activity = Vec<u64>;

/// A network in its new order.
#[derive(Clone, PartialEq, Debug)]
pub struct Arranged {
    /// The network.
    pub network: Network,
    /// How many groups of both perspectives were active on a board in the mean.
    pub before: f64,
    /// How many are now.
    pub after: f64,
}

/// The same network with its pairs in an order that leaves few groups active on these records.
///
/// # Errors
///
/// None, as the weights are those of a network.
pub fn arrange(network: &Network, records: &[RawRecord]) -> Result<Arranged, NetworkError> {
    let mut parameters = Parameters::dequantise(network);
    let activities = activities(&parameters, records);
    let order = order(&activities);
    let end = parameters.layout().second_biases(0);
    // Rows of features and of the second layer's weights alike: two halves with a number for each pair.
    for half in parameters.numbers_mut()[..end].chunks_mut(order.len()) {
        let old = half.to_vec();
        half.iter_mut().zip(&order).for_each(|(number, &pair)| *number = old[pair]);
    }
    let active = |order: &[usize]| f64::from(active_groups(&activities, order)) / records.len().max(1) as f64;
    let before = active(&(0..order.len()).collect::<Vec<_>>());
    Ok(Arranged { network: parameters.quantise()?, before, after: active(&order) })
}

/// How many groups are active on all boards together.
fn active_groups(activities: &[Activity], order: &[usize]) -> u32 {
    let of_group = |pairs: &[usize]| {
        let words = 0..activities[pairs[0]].len();
        words.map(|word| pairs.iter().fold(0, |all, &pair| all | activities[pair][word]).count_ones()).sum::<u32>()
    };
    order.chunks(GROUP).map(of_group).sum()
}

/// The activity of each pair.
fn activities(parameters: &Parameters, records: &[RawRecord]) -> Vec<Activity> {
    let pairs = parameters.layout().hidden() / 2;
    let words: Vec<Vec<u64>> = records
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut words = vec![0; pairs];
            for products in chunk.iter().flat_map(|&record| products(parameters, &Record(record))) {
                for (word, product) in words.iter_mut().zip(products) {
                    *word = *word << 1 | u64::from(product > LEAST);
                }
            }
            words
        })
        .collect();
    (0..pairs).map(|pair| words.iter().map(|words| words[pair]).collect()).collect()
}

/// The products of both perspectives.
fn products(parameters: &Parameters, record: &Record) -> [Vec<f32>; 2] {
    let [own, other] = record.kings();
    [Perspective::new(Color::White, own), Perspective::new(Color::Black, other)]
        .map(|view| parameters.products(view, record.pieces()))
}

/// Group after group: the most active pair that is left, and then, one by one, those that share the most boards with the group.
fn order(activities: &[Activity]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..activities.len()).collect();
    left.sort_by_key(|&pair| Reverse(shared(&activities[pair], &activities[pair])));
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let mut group = vec![0; activities[left[0]].len()];
        for _ in 0..GROUP.min(left.len()) {
            let overlap = |&place: &usize| Reverse(shared(&group, &activities[left[place]]));
            // The first of equal ones, which is the most active.
            let Some(place) = (0..left.len()).min_by_key(overlap) else { break };
            let pair = left.remove(place);
            group.iter_mut().zip(&activities[pair]).for_each(|(group, word)| *group |= word);
            order.push(pair);
        }
    }
    order
}

/// On how many boards both are active.
fn shared(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one & other).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::{random_games, random_records};
    use crate::training::model::Layout;

    #[test]
    fn an_arranged_network_says_the_same_with_fewer_groups() {
        let network = Parameters::random(Layout::SHIPPED, 3).quantise().unwrap();
        let Arranged { network: arranged, before, after } = arrange(&network, &random_records(1, 2_000)).unwrap();
        assert_ne!(arranged, network);
        assert!(after < 0.9 * before, "{before} groups, then {after}");
        // It holds for other boards as well, and nothing is left to be won on the same ones.
        let unseen = random_records(2, 2_000);
        let [of_network, of_arranged] = [&network, &arranged].map(|each| arrange(each, &unseen).unwrap().before);
        assert!(of_arranged < 0.9 * of_network, "{of_network} groups, then {of_arranged}");
        assert_eq!(arrange(&arranged, &random_records(1, 2_000)).unwrap().before, after);
        for step in random_games(3, 10).iter().flat_map(|game| game.replay()) {
            let board = step.unwrap().board;
            assert_eq!(arranged.evaluate(&board), network.evaluate(&board), "{board:?}");
        }
    }

    #[test]
    fn the_shipped_network_is_arranged() {
        let Arranged { before, after, .. } = arrange(&Network::embedded(), &random_records(5, 2_000)).unwrap();
        assert!(before < 1.1 * after, "{before} groups, {after} if it were arranged for these");
    }

    #[test]
    fn pairs_that_are_active_together_share_a_group() {
        // Four kinds of pairs one after the other, some of each a little more active.
        let activities: Vec<Activity> =
            (0..16).map(|pair| vec![0b111 << (4 * (pair % 4)) | u64::from(pair < 4) << (4 * (pair % 4) + 3)]).collect();
        let kinds: Vec<Vec<usize>> =
            order(&activities).chunks(GROUP).map(|group| group.iter().map(|pair| pair % 4).collect()).collect();
        assert_eq!(kinds, [[0; 4], [1; 4], [2; 4], [3; 4]]);
    }

    #[test]
    fn without_records_the_order_stays() {
        let network = Network::embedded();
        assert_eq!(arrange(&network, &[]).unwrap(), Arranged { network: (*network).clone(), before: 0.0, after: 0.0 });
    }
}
