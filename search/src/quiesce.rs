//! Quiescence: following captures, and answers to check, until the board is calm enough to evaluate.
//!
//! Source: the Chess Programming Wiki, "Quiescence Search".

use crate::node::{NodeKind, Visit};
use crate::picker::{Hints, Picker};
use crate::table::Record;
use crate::worker::{Worker, tt_key, tt_key_after};
use crate::{Bound, MAX_PLY, Score, params, see};

impl Worker<'_> {
    /// The score of a calm position reached from here.
    pub(crate) fn quiesce<N: NodeKind>(&mut self, visit: Visit<'_>) -> Score {
        let Visit { board, ply, beta, .. } = visit;
        let mut alpha = visit.alpha;
        if self.must_stop() {
            return Score::DRAW;
        }
        if N::PV {
            self.memory.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply as i32);
        }
        if self.is_draw(board, ply) {
            return self.draw();
        }
        if alpha < Score::DRAW && self.can_repeat(board, ply) {
            alpha = self.draw();
            if alpha >= beta {
                return alpha;
            }
        }
        // What has raised alpha without a move is sure.
        let least = if alpha > visit.alpha { alpha } else { -Score::INFINITE };
        let in_check = board.in_check();
        if !in_check && !board.has_legal_move() {
            return Score::DRAW;
        }
        if ply >= MAX_PLY {
            return if in_check { Score::DRAW } else { self.raw_eval(board) };
        }

        let hit = self.table.probe(tt_key(board), ply, board.halfmove_clock());
        if let Some(hit) = hit
            && !N::PV
            && hit.bound.allows(hit.score, alpha, beta)
        {
            return hit.score;
        }

        let raw_eval =
            if in_check { None } else { hit.and_then(|hit| hit.raw_eval).or_else(|| Some(self.raw_eval(board))) };
        let mut best = -Score::INFINITE;
        let mut futility = -Score::INFINITE;
        if let Some(raw_eval) = raw_eval {
            best = self.corrected(board, ply, raw_eval);
            // The table's score says more than the evaluation where its bound points the same way.
            if let Some(hit) = hit
                && !hit.score.is_decisive()
                && hit.bound.improves(hit.score, best)
            {
                best = hit.score;
            }
            if best >= beta {
                best = best.towards(beta, params::stand_pat_blend());
                if hit.is_none() {
                    let record = Record {
                        mv: None,
                        score: best,
                        bound: Bound::Lower,
                        raw_eval: Some(raw_eval),
                        depth: 0,
                        pv: false,
                    };
                    self.table.store(tt_key(board), ply, &record);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = best + params::quiescence_futility();
        }

        let tt_move = hit.and_then(|hit| hit.mv).filter(|&mv| (in_check || board.is_noisy(mv)) && board.is_legal(mv));
        let mut picker = if in_check {
            let context = self.memory.stack.context(ply);
            Picker::all(tt_move, Hints::new(board, ply, context))
        } else {
            Picker::noisy(tt_move, (alpha.0 - best.0) / 8 - params::quiescence_see())
        };
        let mut best_move = None;
        let mut searched = 0;
        while let Some(mv) = picker.next(board, &self.memory.histories) {
            self.table.prefetch(tt_key_after(board, mv));
            if !best.is_loss() {
                if picker.is_bad_noisy() {
                    break;
                }
                if !in_check && !board.gives_check(mv) {
                    if searched >= 3 {
                        continue;
                    }
                    // Not even winning the captured man for nothing would reach alpha.
                    let gain = board.captured_by(mv).map_or(0, see::worth) + mv.promotes_to().map_or(0, see::worth);
                    if !futility.is_decisive() && futility + gain <= alpha {
                        best = best.max(futility + gain);
                        continue;
                    }
                    if !futility.is_decisive() && futility <= alpha && !see::wins_at_least(board, mv, 1) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            searched += 1;
            let child = self.make(board, mv, ply);
            let score = -self.quiesce::<N>(Visit { board: &child, ply: ply + 1, alpha: -beta, beta: -alpha, ..visit });
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.lines.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
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
        let pv = hit.is_some_and(|hit| hit.pv);
        self.table.store(tt_key(board), ply, &Record { mv: best_move, score: best, bound, raw_eval, depth: 0, pv });
        best
    }
}
