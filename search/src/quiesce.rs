//! Quiescence: following captures, and answers to check, until the board is calm enough to evaluate.
//!
//! Source: the Chess Programming Wiki, "Quiescence Search" (standing pat, evasions) and "Delta Pruning".

use movegen::{Board, Move};

use crate::node::{NodeKind, Visit};
use crate::picker::{Hints, Picker};
use crate::table::Record;
use crate::worker::{Worker, tt_key, tt_key_after};
use crate::{Bound, MAX_PLY, Score, params, see};

/// Moves searched at most before captures that give no check are left out, unless all lose.
const MOST_CAPTURES: usize = 3;

/// What standing pat comes to.
struct StandPat {
    /// The evaluation as it comes; none in check.
    raw_eval: Option<Score>,
    /// What the side to move has without any move; none, which is minus infinity, in check.
    score: Score,
}

impl Worker<'_> {
    /// The score of a calm position reached from here.
    pub(crate) fn quiesce<N: NodeKind>(&mut self, visit: Visit<'_>) -> Score {
        let Visit { board, ply, beta, .. } = visit;
        let mut alpha = visit.alpha;
        if let Some(score) = self.enter_quiescence::<N>(&visit, &mut alpha) {
            return score;
        }
        // What has raised alpha without a move is sure.
        let least = if alpha > visit.alpha { alpha } else { -Score::INFINITE };
        let in_check = board.in_check();
        let hit = self.table.probe(tt_key(board), ply, board.halfmove_clock());
        if let Some(hit) = hit
            && !N::PV
            && hit.bound.allows(hit.score, alpha, beta)
        {
            return hit.score;
        }
        let StandPat { raw_eval, score: stand_pat } = self.stand_pat(&visit, hit);
        if stand_pat >= beta {
            let score = stand_pat.towards(beta, params::stand_pat_blend());
            if hit.is_none() {
                let bound = Bound::Lower;
                self.table.store(tt_key(board), ply, &Record { mv: None, score, bound, raw_eval, depth: 0, pv: false });
            }
            return score;
        }
        let mut best = stand_pat;
        alpha = alpha.max(best);

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
            if !best.is_loss() {
                if picker.is_bad_noisy() {
                    break;
                }
                if !in_check && !board.gives_check(mv) {
                    if searched >= MOST_CAPTURES {
                        continue;
                    }
                    if let Some(most) = futile_capture(board, mv, stand_pat, alpha) {
                        best = best.max(most);
                        continue;
                    }
                }
            }
            self.table.prefetch(tt_key_after(board, mv));
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
            // One answer to the check that does not lose: the other quiet ones will hardly matter.
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

    /// What may end a node at once: a stop, a draw, stalemate, the last ply. A repetition within reach raises alpha.
    fn enter_quiescence<N: NodeKind>(&mut self, visit: &Visit<'_>, alpha: &mut Score) -> Option<Score> {
        let Visit { board, ply, .. } = *visit;
        if self.must_stop() {
            return Some(Score::DRAW);
        }
        if N::PV {
            self.memory.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply as i32);
        }
        if self.is_draw(board, ply) {
            return Some(self.noisy_draw(ply));
        }
        let draw = self.draw(ply);
        if *alpha < draw && self.has_upcoming_repetition(board, ply) {
            *alpha = self.noisy_draw(ply);
            if *alpha >= visit.beta {
                return Some(*alpha);
            }
        }
        if !board.in_check() && !board.has_legal_move() {
            return Some(draw);
        }
        if ply >= MAX_PLY {
            return Some(if board.in_check() { draw } else { self.raw_eval(board) });
        }
        None
    }

    /// The corrected evaluation, or the table's score where its bound says more; nothing in check.
    fn stand_pat(&mut self, visit: &Visit<'_>, hit: Option<Record>) -> StandPat {
        let Visit { board, ply, .. } = *visit;
        if board.in_check() {
            return StandPat { raw_eval: None, score: -Score::INFINITE };
        }
        let raw_eval = hit.and_then(|hit| hit.raw_eval).unwrap_or_else(|| self.raw_eval(board));
        let corrected = self.corrected(board, ply, raw_eval);
        let score = match hit {
            Some(hit) if !hit.score.is_decisive() && hit.bound.improves(hit.score, corrected) => hit.score,
            _ => corrected,
        };
        StandPat { raw_eval: Some(raw_eval), score }
    }
}

/// Delta pruning: the most that a capture which cannot reach alpha may bring, or nothing if it can.
fn futile_capture(board: &Board, mv: Move, stand_pat: Score, alpha: Score) -> Option<Score> {
    let futility = stand_pat + params::quiescence_futility();
    if futility.is_decisive() {
        return None;
    }
    // Not even winning the captured piece for nothing would reach alpha.
    let gain = board.captured_by(mv).map_or(0, see::worth) + mv.promotes_to().map_or(0, see::worth);
    if futility + gain <= alpha {
        return Some(futility + gain);
    }
    (futility <= alpha && !see::wins_at_least(board, mv, 1)).then_some(futility)
}
