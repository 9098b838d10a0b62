//! Quiescence search (qsearch): captures, promotions and evasions, until the position is quiet enough to evaluate.
//!
//! Not in check, the side to move may stand pat: its score is at least the evaluation. Captures with a bad exchange or
//! that come late are skipped.
//!
//! Source: the Chess Programming Wiki, "Quiescence Search" (standing pat, evasions).

use crate::ordering::movepick::{MovePicker, QuietHints};
use crate::state::worker::Worker;
use crate::table::entry::TTEntry;
use crate::table::key::{tt_key, tt_key_after};
use crate::tree::node::{NodeType, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};

/// The evaluation of a node.
struct StandPat {
    /// The static evaluation before corrections; none in check.
    raw_eval: Option<Score>,
    /// The score of standing pat; minus infinity in check.
    score: Score,
}

impl Worker<'_> {
    /// The score of a board within a window, by captures and evasions alone.
    pub(crate) fn qsearch<N: NodeType>(&mut self, mut args: SearchArgs<'_>) -> Score {
        let SearchArgs { board, ply, alpha: asked, beta, .. } = args;
        if let Some(score) = self.enter::<N>(&mut args, Self::noisy_draw_score) {
            return score;
        }
        let in_check = board.in_check();
        if !in_check && !board.has_legal_move() {
            return self.draw_score(ply);
        }
        if let Some(score) = self.last_ply(board, ply) {
            return score;
        }
        let mut alpha = args.alpha;
        // If an upcoming repetition has raised alpha, the score is at least that.
        let least = if alpha > asked { alpha } else { -Score::INFINITE };
        self.prepare_evaluation(board, ply);
        let tt_hit = self.table.probe(tt_key(board), ply, board.halfmove_clock());
        if let Some(hit) = tt_hit
            && !N::PV
            && hit.bound.allows(hit.score, alpha, beta)
        {
            return hit.score;
        }
        let StandPat { raw_eval, score: stand_pat } = self.stand_pat(&args, tt_hit);
        if stand_pat >= beta {
            let score = stand_pat.towards(beta, params::stand_pat_blend());
            if tt_hit.is_none() {
                let bound = Bound::Lower;
                self.table.store(
                    tt_key(board),
                    ply,
                    &TTEntry { mv: None, score, bound, raw_eval, depth: 0, pv: false },
                );
            }
            return score;
        }
        let mut best = stand_pat;
        alpha = alpha.max(best);

        let tt_move =
            tt_hit.and_then(|hit| hit.mv).filter(|&mv| (in_check || board.is_noisy(mv)) && board.is_legal(mv));
        let mut picker = if in_check {
            let context = self.data.stack.context(ply);
            MovePicker::all(tt_move, QuietHints::new(board, ply, context))
        } else {
            MovePicker::noisy(tt_move, (alpha.0 - best.0) / params::quiescence_see_divisor() - params::quiescence_see())
        };
        let mut best_move = None;
        let mut searched = 0;
        while let Some(mv) = picker.next(board, &self.data.histories) {
            if !best.is_loss() {
                if picker.is_bad_noisy() {
                    break;
                }
                if !in_check && searched >= params::quiescence_captures() && !board.gives_check(mv) {
                    continue;
                }
            }
            self.table.prefetch(tt_key_after(board, mv));
            searched += 1;
            let child = self.make(board, mv, ply);
            let score =
                -self.qsearch::<N>(SearchArgs { board: &child, ply: ply + 1, alpha: -beta, beta: -alpha, ..args });
            self.unmake();
            if self.watch.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.data.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            // After one evasion that does not lose, the other quiet ones hardly matter.
            if in_check && !best.is_loss() {
                picker.skip_quiet();
            }
        }
        if in_check && searched == 0 {
            return Score::mated_in(ply);
        }
        best = best.max(least);
        if best >= beta {
            best = best.towards(beta, params::quiescence_blend());
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let pv = tt_hit.is_some_and(|hit| hit.pv);
        self.table.store(tt_key(board), ply, &TTEntry { mv: best_move, score: best, bound, raw_eval, depth: 0, pv });
        best
    }

    /// The corrected evaluation, or the TT score where its bound is better; minus infinity in check.
    fn stand_pat(&mut self, args: &SearchArgs<'_>, tt_hit: Option<TTEntry>) -> StandPat {
        let SearchArgs { board, ply, .. } = *args;
        if board.in_check() {
            return StandPat { raw_eval: None, score: -Score::INFINITE };
        }
        let raw_eval = self.known_eval(board, tt_hit).unwrap_or_else(|| self.raw_eval(board));
        let corrected = self.corrected(board, ply, raw_eval);
        let score = match tt_hit {
            Some(hit) if !hit.score.is_decisive() && hit.bound.improves(hit.score, corrected) => hit.score,
            _ => corrected,
        };
        StandPat { raw_eval: Some(raw_eval), score }
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Board, Position};

    use super::*;
    use crate::state::worker::testing::with_worker;
    use crate::tree::node::Pv;
    use crate::types::request::Settings;

    #[test]
    fn mate_and_stalemate_are_seen() {
        for (fen, score) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::mated_in(1)),
            ("8/8/8/8/7p/7P/2q5/K6k w - - 0 1", Score::DRAW),
        ] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            let board = position.board();
            let found = with_worker(&position, Settings::default(), |worker| {
                worker.qsearch::<Pv>(SearchArgs { board, ply: 1, alpha, beta, depth: 0, cut_node: false })
            });
            assert_eq!(found, score, "{fen}");
        }
    }
}
