//! What is in a pool of games.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

use crate::games::blocks::Blocks;
use crate::games::game::{Game, GameError, GameResult};
use crate::games::journal::pending_games;

/// Centipawns of one bar of the score histogram.
const BAR: i32 = 100;
/// Bars on each side of zero; the outermost hold all beyond.
const BARS: i32 = 10;

/// The contents of a pool.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Games that replay.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Games by result: Black wins, draws, White wins.
    pub results: [u64; 3],
    /// Harvested positions, which belong to no game.
    pub harvested: u64,
    /// Positions from search trees that were not searched; they are not among those counted below.
    pub unsearched: u64,
    /// Positions by score for White, those among them, in bars of a pawn.
    pub scores: [u64; 2 * BARS as usize + 1],
    /// Games equal to an earlier one.
    pub duplicate_games: u64,
    /// Positions equal to an earlier one, by their key.
    pub duplicate_positions: u64,
    /// The settings of packed games, each text once.
    pub settings: Vec<String>,
    /// Games that have ended but lie in the pool's journal, and are not counted here.
    pub pending: usize,
    /// What is wrong with the rest, each said once.
    pub faults: Vec<String>,
}

/// Reads a pool and replays every game in it.
///
/// # Errors
///
/// If the file cannot be opened; what is damaged in it is noted and skipped.
pub fn stats(path: &Path) -> io::Result<Stats> {
    let mut stats = Stats { pending: pending_games(path), ..Stats::default() };
    let (mut games_seen, mut positions_seen) = (HashSet::new(), HashSet::new());
    let mut read = 0;
    for block in Blocks::open(path)? {
        let block = match block {
            Ok(block) => block,
            Err(fault) => {
                stats.faults.push(fault.to_string());
                continue;
            }
        };
        if !block.settings().is_empty() && !stats.settings.iter().any(|settings| settings == block.settings()) {
            stats.settings.push(block.settings().to_owned());
        }
        for game in block.games() {
            match game {
                Ok(game) => {
                    read += 1;
                    if let Err(fault) = stats.add(&game, &mut games_seen, &mut positions_seen) {
                        stats.faults.push(format!("game {read}: {fault}"));
                    }
                }
                Err(fault) => stats.faults.push(fault.to_string()),
            }
        }
    }
    Ok(stats)
}

impl Stats {
    fn add(
        &mut self,
        game: &Game,
        games_seen: &mut HashSet<u64>,
        positions_seen: &mut HashSet<u64>,
    ) -> Result<(), GameError> {
        if let Some(fault) = game.replay().find_map(Result::err) {
            return Err(fault);
        }
        match game.result {
            Some(result) => {
                self.games += 1;
                self.positions += game.moves.len() as u64;
                self.results[result as usize] += 1;
            }
            None => {
                self.harvested += game.moves.len() as u64;
                self.unsearched += u64::from(game.moves.is_empty());
            }
        }
        for step in game.replay().flatten() {
            let bar = (i32::from(step.score) + BAR * BARS + BAR / 2).div_euclid(BAR).clamp(0, 2 * BARS);
            self.scores[bar as usize] += 1;
            self.duplicate_positions += u64::from(!positions_seen.insert(step.board.key()));
        }
        if game.result.is_none() {
            return Ok(());
        }
        let mut hasher = DefaultHasher::new();
        game.start.key().hash(&mut hasher);
        game.moves.iter().for_each(|scored| scored.mv.hash(&mut hasher));
        self.duplicate_games += u64::from(!games_seen.insert(hasher.finish()));
        Ok(())
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "games      {:>12}", self.games)?;
        writeln!(
            f,
            "positions  {:>12}  {:.1} a game",
            self.positions,
            self.positions as f64 / self.games.max(1) as f64
        )?;
        if self.harvested > 0 {
            writeln!(f, "harvested  {:>12}  positions searched by themselves", self.harvested)?;
        }
        if self.unsearched > 0 {
            writeln!(f, "unsearched {:>12}  positions from search trees without a score", self.unsearched)?;
        }
        for (name, result) in
            [("White wins", GameResult::WhiteWins), ("draws", GameResult::Draw), ("Black wins", GameResult::BlackWins)]
        {
            let count = self.results[result as usize];
            writeln!(f, "{name:<10} {count:>12}  {:.1} %", share(count, self.games))?;
        }
        writeln!(f, "duplicates {:>12}  games", self.duplicate_games)?;
        let all = self.positions + self.harvested;
        let repeated = share(self.duplicate_positions, all);
        writeln!(f, "           {:>12}  positions, {repeated:.1} %", self.duplicate_positions)?;
        writeln!(f, "scores for White, in pawns:")?;
        for (bar, &count) in self.scores.iter().enumerate() {
            let part = share(count, all);
            writeln!(f, "{:>4} {count:>12}  {part:>4.1} % {}", bar as i32 - BARS, "#".repeat(part.round() as usize))?;
        }
        for settings in &self.settings {
            writeln!(f, "settings: {settings}")?;
        }
        if self.pending > 0 {
            writeln!(f, "not counted: {} games in the journal, which `datagen generate` takes up", self.pending)?;
        }
        for fault in &self.faults {
            writeln!(f, "damaged: {fault}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Move, Square};

    use super::*;
    use crate::games::blocks::write_games;
    use crate::records::synthetic::random_games;

    #[test]
    fn faulty_games_are_named_by_their_place_among_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let mut games = random_games(41, 6);
        for index in [1, 2, 4] {
            games[index].moves[10].mv = Move::normal(Square::A1, Square::H8);
        }
        let mut bytes = Vec::new();
        write_games(&mut bytes, &games).unwrap();
        bytes.extend(b"torn");
        fs_err::write(&path, bytes).unwrap();
        let stats = stats(&path).unwrap();
        assert_eq!((stats.games, stats.duplicate_games), (3, 0));
        let places: Vec<_> = stats.faults.iter().map(|fault| fault.split(':').next().unwrap()).collect();
        assert_eq!(places[..3], ["game 2", "game 3", "game 5"]);
        assert!(stats.faults.len() == 4 && stats.faults[3].contains("no whole block"), "{:?}", stats.faults);
    }
}
