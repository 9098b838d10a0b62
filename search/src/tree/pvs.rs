//! Principal variation search (PVS): one node as a list of steps.
//!
//! 1. Enter: stop, draws, the last ply, mate distance.
//! 2. Look up the TT, cut off by it or by endgame tables, and evaluate.
//! 3. Outside principal variations and check, end the node by razoring, reverse futility, null move or ProbCut.
//! 4. Search the moves in order: prune, extend, reduce.
//! 5. Update histories, the TT and the corrections.
//!
//! Source: T. A. Marsland, "A Review of Game-Tree Pruning" (1986); the Chess Programming Wiki, "Principal Variation
//! Search".

use std::cell::OnceCell;

use movegen::Move;
use movegen::unwinnable::{Budget, is_dead_until};

use crate::ordering::movepick::{MovePicker, QuietHints};
use crate::state::worker::Worker;
use crate::table::key::{tt_key, tt_key_after, tt_key_after_null};
use crate::tree::iir::reduce_without_tt_move;
use crate::tree::mate_distance::mate_distance_pruning;
use crate::tree::move_pruning::{Pruning, prune_move};
use crate::tree::node::{Best, MoveInfo, Node, NodeType, SearchArgs, Unevaluated};
use crate::tree::singular::Singularity;
use crate::tree::update::Tried;
use crate::types::params;
use crate::types::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// The score of a board within a window, at a depth.
    pub(crate) fn search<N: NodeType>(&mut self, args: SearchArgs<'_>) -> Score {
        if args.depth <= 0 {
            return self.qsearch::<N>(args);
        }
        let asked = args.alpha;
        let mut args = args;
        if let Some(score) = self.begin::<N>(&mut args) {
            return score;
        }
        let mut unevaluated = self.look_up::<N>(&args);
        if args.alpha > asked {
            // Alpha was raised by a proven bound, which holds if no move scores more.
            unevaluated.least = args.alpha;
        }
        if let Some(score) = self.try_tt_cutoff(&unevaluated) {
            return score;
        }
        if let Some(score) = self.try_tablebase::<N>(&mut unevaluated) {
            return score;
        }
        if unevaluated.cut_node {
            // If a null move is tried, its TT entry comes while the board is evaluated.
            self.table.prefetch(tt_key_after_null(unevaluated.board));
        }
        let evaluation = self.evaluate(&unevaluated);
        let mut node = Node { unevaluated, evaluation };
        if !node.pv && !node.in_check && node.excluded.is_none() {
            self.adjust_depth_in_hindsight(&mut node);
            if let Some(score) = self.try_razoring(&node) {
                return score;
            }
            if let Some(score) = self.try_reverse_futility(&node) {
                return score;
            }
            // A step whose search was stopped proves nothing, and the next one may not play another move.
            if !self.watch.stopped
                && let Some(score) = self.try_null_move(&node)
            {
                return score;
            }
            if !self.watch.stopped
                && let Some(score) = self.try_probcut(&node)
            {
                return score;
            }
        }
        if self.watch.stopped {
            return Score::DRAW;
        }
        reduce_without_tt_move(&mut node);
        self.search_moves::<N>(&mut node)
    }
}

impl Worker<'_> {
    /// Steps that may end a node at once or narrow its window.
    fn begin<N: NodeType>(&mut self, args: &mut SearchArgs<'_>) -> Option<Score> {
        if let Some(score) = self.enter::<N>(args, Self::draw_score) {
            return Some(score);
        }
        if N::ROOT {
            return None;
        }
        // Beyond insufficient material the proof takes microseconds: there is time for it in principal variations alone.
        if N::PV && is_dead_until(args.board, Budget::FAST, &mut || self.watch.must_break_off()) {
            return Some(self.draw_score(args.ply));
        }
        self.last_ply(args.board, args.ply).or_else(|| mate_distance_pruning(args))
    }

    /// Probes the TT and sets the node up.
    fn look_up<'a, N: NodeType>(&mut self, args: &SearchArgs<'a>) -> Unevaluated<'a> {
        let SearchArgs { board, ply, .. } = *args;
        let excluded = self.data.stack[ply].excluded;
        self.prepare_evaluation(board, ply);
        let tt_hit =
            if excluded.is_none() { self.table.probe(tt_key(board), ply, board.halfmove_clock()) } else { None };
        let tt_move = if N::ROOT {
            Some(self.root.moves[self.root.line_index].mv)
        } else {
            tt_hit.and_then(|hit| hit.mv).filter(|&mv| board.is_legal(mv))
        };
        if let Some(mv) = tt_move {
            // It is searched first, if any is.
            self.table.prefetch(tt_key_after(board, mv));
        }
        Unevaluated {
            board,
            ply,
            alpha: args.alpha,
            beta: args.beta,
            least: -Score::INFINITE,
            most: Score::INFINITE,
            depth: args.depth.min(MAX_PLY as i32),
            cut_node: args.cut_node,
            pv: N::PV,
            in_check: board.in_check(),
            excluded,
            tt_hit,
            tt_move,
            tt_pv: N::PV || tt_hit.is_some_and(|hit| hit.pv) || excluded.is_some() && self.data.stack[ply].tt_pv,
            context: self.data.stack.context(ply),
            threats: OnceCell::new(),
        }
    }

    /// Searches the moves one after another.
    fn search_moves<N: NodeType>(&mut self, node: &mut Node<'_>) -> Score {
        let board = node.board;
        let killer = self.data.stack[node.ply].killer;
        let threats = *node.threats();
        let hints = QuietHints { threats, context: node.context, killer, ply: node.ply, checks: board.checks() };
        self.data.stack[node.ply].threats = threats.by_all;
        self.data.stack[node.ply].tt_pv = node.tt_pv;
        let first_alpha = node.alpha;
        let mut picker = MovePicker::all(node.tt_move, hints);
        let mut best = Best { score: node.least, mv: None };
        let mut tried = Tried::default();
        let (mut move_count, mut raises) = (0, 0);

        while let Some(mv) = picker.next(board, &self.data.histories) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_searched_at_root(mv) {
                continue;
            }
            move_count += 1;
            if N::ROOT {
                self.report_current(mv, move_count);
            }
            self.table.prefetch(tt_key_after(board, mv));
            let gives_check = hints.checks.gives(board, mv);
            let info = self.move_info(node, mv, move_count, raises, gives_check, picker.is_bad_noisy());
            if !N::ROOT && is_pruned(node, &info, &mut best, &mut picker) {
                continue;
            }
            let mut extension = match self.singularity(node, mv) {
                Singularity::Extend(plies) => plies,
                Singularity::MultiCut(score) => return score,
            };
            if extension > 0 {
                // The first ply is for all moves: the others have to be refuted as deeply, as in Stockfish.
                node.depth += 1;
                extension -= 1;
            }
            if self.watch.stopped {
                return Score::DRAW;
            }

            let nodes_before = self.watch.nodes;
            let score = self.search_move::<N>(node, &info, extension, best.score);
            if self.watch.stopped {
                return Score::DRAW;
            }
            if N::ROOT {
                self.update_root_move(mv, move_count, score, node, self.watch.nodes - nodes_before);
            }
            if score > best.score {
                best.score = score;
                if score > node.alpha {
                    best.mv = Some(mv);
                    if N::PV && !N::ROOT {
                        self.data.pv.update(node.ply, mv);
                    }
                    if score >= node.beta {
                        break;
                    }
                    raises += 1;
                    raise_alpha(node, score);
                }
            }
            if Some(mv) != best.mv {
                tried.push(mv, info.quiet);
            }
        }

        if move_count == 0 {
            return match (node.excluded, node.in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => Score::mated_in(node.ply),
                (None, false) => self.draw_score(node.ply),
            };
        }
        self.conclude::<N>(node, best, &tried, first_alpha)
    }

    /// What is known about a move before it is searched.
    fn move_info(
        &self,
        node: &Node<'_>,
        mv: Move,
        move_count: usize,
        raises: i32,
        gives_check: bool,
        bad_noisy: bool,
    ) -> MoveInfo {
        let quiet = !node.board.is_noisy(mv);
        let histories = &self.data.histories;
        let history = if quiet {
            histories.quiet(node.board, node.threats().by_all, &node.context, mv)
        } else {
            histories.noisy(node.board, mv)
        };
        let info = MoveInfo { mv, move_count, quiet, gives_check, bad_noisy, history, raises, reduction: 0 };
        MoveInfo { reduction: self.reduction(node, &info), ..info }
    }

    /// The score of a node whose moves have been searched; updates histories and the TT.
    fn conclude<N: NodeType>(&mut self, node: &Node<'_>, mut best: Best, tried: &Tried, first_alpha: Score) -> Score {
        best.score = best.score.min(node.most);
        if best.score >= node.beta && node.excluded.is_none() {
            // That the score is above beta is more certain than by how much, the more so at low depth.
            let depth = node.depth.clamp(1, params::fail_high_blend_depth());
            best.score = best.score.towards(node.beta, 1024 / (depth + 1));
        }
        if let Some(mv) = best.mv {
            self.update_histories(node, mv, best.score, tried);
        } else if node.excluded.is_none() && (node.cut_node || node.pv) {
            self.prior_move_bonus(node, best.score);
        }
        let is_score_of_position = !N::ROOT || self.root.line_index == 0 && self.root.has_all_moves;
        if node.excluded.is_none() && is_score_of_position {
            self.store(node, &best, first_alpha);
        }
        best.score
    }
}

/// Whether a move is skipped. It may show that no quiet move after it is worth searching, and what it could score at most
/// counts as the score of the node.
fn is_pruned(node: &Node<'_>, info: &MoveInfo, best: &mut Best, picker: &mut MovePicker) -> bool {
    // As long as the score is a loss, each move may avoid it.
    if best.score.is_loss() {
        return false;
    }
    match prune_move(node, info) {
        Pruning::Search => return false,
        Pruning::Skip => {}
        Pruning::SkipQuiets => picker.skip_quiet(),
        Pruning::Futile(score) => {
            if !best.score.is_decisive() && !score.is_decisive() {
                best.score = best.score.max(score);
            }
            if info.quiet {
                picker.skip_quiet();
            }
        }
    }
    true
}

/// A move has raised alpha: after it the others need less depth to be refuted, as in Stockfish.
fn raise_alpha(node: &mut Node<'_>, score: Score) {
    node.alpha = score;
    if node.depth > params::raise_depth_min() && node.depth < params::raise_depth_max() && !score.is_decisive() {
        node.depth = (node.depth - params::raise_depth_plies()).max(params::raise_depth_min());
    }
}
