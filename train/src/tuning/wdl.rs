//! Fitting the model of [`eval::wdl`] to games: which scores have won, drawn and lost.

use std::io;
use std::path::Path;

use eval::wdl::{MAX_MATERIAL, MIN_MATERIAL, Model, material};
use movegen::Color;

use crate::games::blocks::read_games;
use crate::games::game::{Game, GameError, GameResult, Step};

/// Half-moves at the start of a game that are left out: so soon behind its random
/// opening, its boards are unlike those of games in earnest.
const OPENING: usize = 16;
/// Scores beyond are left out, in centipawns.
const MAX: i32 = 1500;
/// Centipawns counted together.
const BIN: i32 = 10;
const BINS: usize = (2 * MAX / BIN) as usize + 1;
const MATERIALS: usize = (MAX_MATERIAL - MIN_MATERIAL + 1) as usize;

/// Results by material and score for the side to move: losses, draws and wins.
#[derive(Clone, Debug)]
pub struct Counts(Vec<[f64; 3]>);

impl Default for Counts {
    fn default() -> Self {
        Self(vec![[0.0; 3]; MATERIALS * BINS])
    }
}

/// What a file of games held that could not be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Damaged parts of the file, with any number of games each.
    pub parts: u64,
    /// Games with an illegal move: their results are not to be trusted either.
    pub games: u64,
}

impl Counts {
    /// Counts the games of a file. Returns what it left out.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(&mut self, path: &Path) -> io::Result<LeftOut> {
        let mut left_out = LeftOut::default();
        for game in read_games(path)? {
            match game {
                Ok(game) => left_out.games += u64::from(self.add(&game).is_err()),
                Err(error) if error.is_fatal() => return Err(error.into()),
                Err(_) => left_out.parts += 1,
            }
        }
        Ok(left_out)
    }

    /// Counts the positions of a game.
    ///
    /// # Errors
    ///
    /// If it has an illegal move; then nothing of it is counted.
    pub fn add(&mut self, game: &Game) -> Result<(), GameError> {
        let steps: Vec<Step> = game.replay().collect::<Result<_, _>>()?;
        let Some(result) = game.result else { return Ok(()) };
        let for_white = result as usize;
        for step in steps.into_iter().skip(OPENING) {
            let (score, result) = match step.board.turn() {
                Color::White => (i32::from(step.score), for_white),
                Color::Black => (-i32::from(step.score), 2 - for_white),
            };
            if score.abs() <= MAX && !step.board.in_check() {
                self.cell(material(&step.board), score)[result] += 1.0;
            }
        }
        Ok(())
    }

    fn cell(&mut self, material: u32, score: i32) -> &mut [f64; 3] {
        let row = material.clamp(MIN_MATERIAL, MAX_MATERIAL) - MIN_MATERIAL;
        let bin = (score + MAX + BIN / 2) / BIN;
        &mut self.0[row as usize * BINS + (bin as usize).min(BINS - 1)]
    }

    /// Positions counted.
    #[must_use]
    pub fn positions(&self) -> f64 {
        self.0.iter().flatten().sum()
    }

    /// The model under which what was counted is likeliest, and the mean of its surprise in nats.
    ///
    /// It is found by following the gradient (Adam: D. Kingma and J. Ba, 2014).
    #[must_use]
    pub fn fit(&self) -> (Model, f64) {
        const STEPS: u32 = 4000;
        const UNIT: f64 = 100.0;
        let cells: Vec<_> = self.cells().collect();
        let mut weights = [2.0, 0.0, 0.0, 0.0, 0.8, 0.0, 0.0, 0.0];
        let (mut mean, mut square) = ([0.0; 8], [0.0; 8]);
        let mut surprise = 0.0;
        for step in 1..=STEPS {
            let model = model(&weights, UNIT);
            let mut gradient = [0.0; 8];
            surprise = 0.0;
            for &(material, score, counts) in &cells {
                let (cost, by_a, by_b) = cost(&model, material, score, counts);
                surprise += cost;
                let share = f64::from(material) / f64::from(MAX_MATERIAL);
                for power in 0..4 {
                    gradient[power] += by_a * UNIT * share.powi(power as i32);
                    gradient[4 + power] += by_b * UNIT * share.powi(power as i32);
                }
            }
            let rate = 0.03 * (1.0 - f64::from(step) / f64::from(STEPS)) + 1e-5;
            for (index, weight) in weights.iter_mut().enumerate() {
                let slope = gradient[index] / self.positions().max(1.0);
                mean[index] = 0.9 * mean[index] + 0.1 * slope;
                square[index] = 0.999 * square[index] + 0.001 * slope * slope;
                let corrected = mean[index] / (1.0 - 0.9_f64.powi(step as i32));
                let scale = (square[index] / (1.0 - 0.999_f64.powi(step as i32))).sqrt();
                *weight -= rate * corrected / (scale + 1e-12);
            }
        }
        (model(&weights, UNIT), surprise / self.positions().max(1.0))
    }

    /// What was counted, where anything was: material, score, losses, draws and wins.
    fn cells(&self) -> impl Iterator<Item = (u32, i32, [f64; 3])> {
        self.0.iter().enumerate().filter(|(_, counts)| counts.iter().any(|&count| count > 0.0)).map(
            |(index, counts)| {
                let material = MIN_MATERIAL + (index / BINS) as u32;
                (material, (index % BINS) as i32 * BIN - MAX, *counts)
            },
        )
    }
}

fn model(weights: &[f64; 8], unit: f64) -> Model {
    let [a, b] = [0, 4].map(|first| std::array::from_fn(|power| unit * weights[first + power]));
    Model { a, b }
}

/// The surprise of some results under a model, and its slopes in `a` and `b`.
fn cost(model: &Model, material: u32, score: i32, [losses, draws, wins]: [f64; 3]) -> (f64, f64, f64) {
    const MIN: f64 = 1e-9;
    let (a, b) = model.at(material);
    let score = f64::from(score);
    let share = |exponent: f64| 1.0 / (1.0 + (-exponent).exp());
    let (up, down) = ((score - a) / b, (-score - a) / b);
    let (win, loss) = (share(up), share(down));
    let draw = (1.0 - win - loss).max(MIN);
    let surprise = -(wins * win.max(MIN).ln() + draws * draw.ln() + losses * loss.max(MIN).ln());
    let (steep_win, steep_loss) = (win * (1.0 - win) / b, loss * (1.0 - loss) / b);
    let slopes = |win_slope: f64, loss_slope: f64| {
        let draw_slope = -win_slope - loss_slope;
        -(wins * win_slope / win.max(MIN) + draws * draw_slope / draw + losses * loss_slope / loss.max(MIN))
    };
    (surprise, slopes(-steep_win, -steep_loss), slopes(-steep_win * up, -steep_loss * down))
}

/// That the results are kept in the order in which they are counted.
const _: () = assert!(
    GameResult::BlackWins as usize == 0 && GameResult::Draw as usize == 1 && GameResult::WhiteWins as usize == 2
);

#[cfg(test)]
mod tests {
    use movegen::{Move, Square};

    use super::*;
    use crate::games::blocks::write_games;
    use crate::records::synthetic::random_games;

    #[test]
    fn what_cannot_be_counted_is_left_out_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut games = random_games(31, 12);
        let mut bytes = Vec::new();
        let mut counts = Counts::default();
        games.iter().for_each(|game| counts.add(game).unwrap());
        for (index, place) in [(3, 40), (7, 60)] {
            let mut faulty = games[index].clone();
            faulty.moves[place].mv = Move::normal(Square::A1, Square::H8);
            assert!(matches!(counts.add(&faulty), Err(GameError::IllegalMove { .. })));
            games.insert(index, faulty);
        }
        write_games(&mut bytes, &games).unwrap();
        bytes.extend(b"torn");
        fs_err::write(&path, bytes).unwrap();
        let mut read = Counts::default();
        assert_eq!(read.read(&path).unwrap(), LeftOut { parts: 1, games: 2 });
        assert!(read.positions() > 0.0 && read.0 == counts.0);
    }

    #[test]
    fn a_known_model_is_found_again() {
        let truth = Model { a: [180.0, 60.0, 20.0, 0.0], b: [90.0, -30.0, 0.0, 10.0] };
        let mut counts = Counts::default();
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            for score in (-1000..=1000).step_by(50) {
                let chances = truth.wdl(score, material);
                *counts.cell(material, score) = [chances.loss, chances.draw, chances.win].map(|share| 100.0 * share);
            }
        }
        let (found, _) = counts.fit();
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            let ((a, b), (found_a, found_b)) = (truth.at(material), found.at(material));
            assert!((a - found_a).abs() < 0.02 * a && (b - found_b).abs() < 0.04 * b, "{material}: {found:?}");
        }
    }
}
