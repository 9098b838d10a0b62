//! One node of the principal variation search, as a sequence of named steps.
//!
//! Sources: T. A. Marsland, "A Review of Game-Tree Pruning" (1986); the Chess Programming Wiki, "Principal Variation
//! Search", "Transposition Table", "Mate Distance Pruning" and "Internal Iterative Reductions".

use movegen::unwinnable::{Budget, is_dead};
use movegen::{Board, Move, Threats};

use crate::extend::Singularity;
use crate::history::{Context, bonus};
use crate::learn::{Best, Tried};
use crate::picker::{Hints, Picker};
use crate::reduce::Candidate;
use crate::shallow::Verdict;
use crate::table::Record;
use crate::worker::{Worker, tt_key, tt_key_after};
use crate::{MAX_PLY, Score, params};

/// From this depth on an evaluation teaches something about the last move only if the table has not seen it before.
const EVAL_HISTORY_DEPTH: i32 = 6;

/// What kind of node is searched, known when the code is compiled.
pub(crate) trait NodeKind {
    /// Part of a principal variation: its window is open, and its line is kept.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// The kind of a child searched with the full window.
    type Child: NodeKind;
}

pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Self;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Self;
}

/// What a node is asked: the score of a board within a window, at a depth.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) board: &'a Board,
    pub(crate) ply: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    /// Expected to fail high.
    pub(crate) cut_node: bool,
}

/// What is known about a node before its moves are tried.
pub(crate) struct Node<'a> {
    pub(crate) board: &'a Board,
    pub(crate) ply: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    /// What endgame tables say it is worth at least, and at most.
    pub(crate) least: Score,
    pub(crate) most: Score,
    pub(crate) depth: i32,
    pub(crate) cut_node: bool,
    pub(crate) pv: bool,
    pub(crate) in_check: bool,
    /// The move left out, while the others are compared with it.
    pub(crate) excluded: Option<Move>,
    pub(crate) hit: Option<Record>,
    /// The table's move, known to be legal.
    pub(crate) tt_move: Option<Move>,
    /// Whether this is, or the table remembers it as, part of a principal variation.
    pub(crate) tt_pv: bool,
    /// The evaluation as it comes; none in check.
    pub(crate) raw_eval: Option<Score>,
    /// The corrected evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// What has been learnt about evaluations like this one, in centipawns.
    pub(crate) correction: i32,
    /// The best estimate at hand: the table's score where it says more than the evaluation.
    pub(crate) eval: Score,
    /// Whether the side to move stands better than at its last turn, or nothing is known of that.
    pub(crate) improving: bool,
    pub(crate) threats: Threats,
    pub(crate) context: Context,
}

impl<'a> Node<'a> {
    /// The question this node was asked, to ask a variation of it.
    pub(crate) const fn visit(&self) -> Visit<'a> {
        Visit {
            board: self.board,
            ply: self.ply,
            alpha: self.alpha,
            beta: self.beta,
            depth: self.depth,
            cut_node: self.cut_node,
        }
    }
}

/// Internal iterative reduction: without a move to start from, a full search is worth less than a shallower one that
/// finds it. From E. Schröder's Rebel.
fn reduce_internally(node: &mut Node<'_>) {
    let lacks_move = node.tt_move.is_none() && node.excluded.is_none();
    if node.depth >= params::iir_depth() && lacks_move && (node.pv || node.cut_node) {
        node.depth -= 1;
    }
}

impl Worker<'_> {
    /// The score of a board within a window, at a depth.
    pub(crate) fn node<N: NodeKind>(&mut self, visit: Visit<'_>) -> Score {
        if visit.depth <= 0 {
            return self.quiesce::<N>(visit);
        }
        let asked = visit.alpha;
        let mut visit = visit;
        if let Some(score) = self.enter::<N>(&mut visit) {
            return score;
        }
        let mut node = self.look_up::<N>(&visit);
        if visit.alpha > asked {
            // What has raised alpha without a move is sure, and stands if no move brings more.
            node.least = visit.alpha;
        }
        if let Some(score) = self.try_table_cutoff(&node) {
            return score;
        }
        if let Some(score) = self.try_tablebase::<N>(&mut node) {
            return score;
        }
        self.evaluate(&mut node);
        if !node.pv && !node.in_check && node.excluded.is_none() {
            self.hindsight(&mut node);
            if let Some(score) = self.try_razoring(&node) {
                return score;
            }
            if let Some(score) = self.try_reverse_futility(&node) {
                return score;
            }
            if let Some(score) = self.try_null_move(&node) {
                return score;
            }
            if let Some(score) = self.try_probcut(&node) {
                return score;
            }
        }
        if self.stopped {
            return Score::DRAW;
        }
        reduce_internally(&mut node);
        self.search_moves::<N>(&mut node)
    }

    /// Steps that may end a node at once: a stop, a draw, the last ply, a mate found nearer to the root.
    fn enter<N: NodeKind>(&mut self, visit: &mut Visit<'_>) -> Option<Score> {
        if self.must_stop() {
            return Some(Score::DRAW);
        }
        let ply = visit.ply;
        if N::PV {
            self.memory.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply as i32);
        }
        if N::ROOT {
            return None;
        }
        if self.is_draw(visit.board, ply) {
            return Some(self.noisy_draw(ply));
        }
        // A repetition within reach is a draw at least.
        let draw = self.draw(ply);
        if visit.alpha < draw && self.has_upcoming_repetition(visit.board, ply) {
            visit.alpha = draw;
            if visit.alpha >= visit.beta {
                return Some(visit.alpha);
            }
        }
        // Beyond bare material the proof takes microseconds: there is time for it in principal variations alone.
        if N::PV && is_dead(visit.board, Budget::FAST) {
            return Some(draw);
        }
        if ply >= MAX_PLY {
            return Some(if visit.board.in_check() { draw } else { self.raw_eval(visit.board) });
        }
        // Mate distance pruning: no line from here is shorter than these.
        visit.alpha = visit.alpha.max(Score::mated_in(ply));
        visit.beta = visit.beta.min(Score::mate_in(ply + 1));
        (visit.alpha >= visit.beta).then_some(visit.alpha)
    }

    /// What the table knows about a node.
    fn look_up<'a, N: NodeKind>(&mut self, visit: &Visit<'a>) -> Node<'a> {
        let Visit { board, ply, .. } = *visit;
        let excluded = self.memory.stack[ply].excluded;
        let hit = if excluded.is_none() { self.table.probe(tt_key(board), ply, board.halfmove_clock()) } else { None };
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.line_index].mv)
        } else {
            hit.and_then(|hit| hit.mv).filter(|&mv| board.is_legal(mv))
        };
        Node {
            board,
            ply,
            alpha: visit.alpha,
            beta: visit.beta,
            least: -Score::INFINITE,
            most: Score::INFINITE,
            depth: visit.depth.min(MAX_PLY as i32),
            cut_node: visit.cut_node,
            pv: N::PV,
            in_check: board.in_check(),
            excluded,
            hit,
            tt_move,
            tt_pv: N::PV || hit.is_some_and(|hit| hit.pv) || excluded.is_some() && self.memory.stack[ply].tt_pv,
            raw_eval: None,
            static_eval: None,
            correction: 0,
            eval: -Score::INFINITE,
            improving: false,
            threats: Threats::default(),
            context: self.memory.stack.context(ply),
        }
    }

    /// An earlier search, at least as deep, may have settled the question. The conditions follow Stockfish.
    fn try_table_cutoff(&mut self, node: &Node<'_>) -> Option<Score> {
        let hit = node.hit?;
        let cuts = !node.pv
            && hit.depth >= node.depth + i32::from(hit.score >= node.beta)
            // A node that should fail high but did not, or the reverse, is worth another look while that is dear.
            && (node.cut_node == (hit.score >= node.beta) || node.depth > 5)
            && hit.bound.allows(hit.score, node.alpha, node.beta)
            // Near the fifty-move rule the path matters more than the table knows.
            && node.board.halfmove_clock() < 90;
        if !cuts {
            return None;
        }
        if let Some(mv) = node.tt_move
            && hit.score >= node.beta
            && !node.board.is_noisy(mv)
        {
            let threats = node.board.threats().by_all;
            self.memory.histories.update_quiet(node.board, threats, &node.context, mv, bonus(node.depth));
        }
        if hit.score >= node.beta {
            self.punish_prior_move(node);
        }
        Some(hit.score)
    }

    /// Evaluates the board, with what corrections and the table add to it.
    fn evaluate(&mut self, node: &mut Node<'_>) {
        self.memory.stack[node.ply + 1].cutoff_count = 0;
        if node.in_check {
            self.memory.stack[node.ply].static_eval = None;
            return;
        }
        // With a move left out, the same board has just been evaluated.
        let known = match node.excluded {
            Some(_) => self.memory.stack[node.ply].raw_eval,
            None => node.hit.and_then(|hit| hit.raw_eval),
        };
        let raw = known.unwrap_or_else(|| self.raw_eval(node.board));
        self.memory.stack[node.ply].raw_eval = Some(raw);
        let corrected = self.corrected(node.board, node.ply, raw);
        node.raw_eval = Some(raw);
        node.correction = corrected.0 - self.scaled_by_fifty_moves(node.board, raw).0;
        node.static_eval = Some(corrected);
        node.eval = match node.hit {
            Some(hit) if !hit.score.is_decisive() && hit.bound.improves(hit.score, corrected) => hit.score,
            _ => corrected,
        };
        self.memory.stack[node.ply].static_eval = Some(corrected);
        if node.excluded.is_none() && (node.hit.is_none() || node.depth < EVAL_HISTORY_DEPTH) {
            self.update_eval_history(node, corrected);
        }
        let earlier =
            self.memory.stack.back(node.ply, 2).static_eval.or(self.memory.stack.back(node.ply, 4).static_eval);
        node.improving = earlier.is_none_or(|earlier| corrected > earlier);
    }

    /// Hindsight adjustment, after Stockfish: with the evaluation at hand, a reduction chosen before the move turns out
    /// too large or too small.
    fn hindsight(&mut self, node: &mut Node<'_>) {
        let parent = self.memory.stack.back(node.ply, 1);
        let (Some(before), Some(now)) = (parent.static_eval, node.static_eval) else { return };
        // Both sides' evaluations add up to what the last move changed.
        let change = before.0 + now.0;
        if parent.reduction >= params::hindsight_deeper() && change < 0 {
            node.depth += 1;
        } else if parent.reduction >= params::hindsight_shallower()
            && node.depth >= 2
            && change > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }

    /// Tries the moves one after another, and learns from what they bring.
    fn search_moves<N: NodeKind>(&mut self, node: &mut Node<'_>) -> Score {
        let board = node.board;
        let killer = self.memory.stack[node.ply].killer;
        let hints = Hints { killer, ..Hints::new(board, node.ply, node.context) };
        node.threats = hints.threats;
        self.memory.stack[node.ply].threats = node.threats.by_all;
        self.memory.stack[node.ply].tt_pv = node.tt_pv;
        let first_alpha = node.alpha;
        let mut picker = Picker::all(node.tt_move, hints);
        let mut best = Best { score: node.least, mv: None };
        let mut tried = Tried::default();
        let mut move_count = 0;

        while let Some(mv) = picker.next(board, &self.memory.histories) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_wanted_at_root(mv) {
                continue;
            }
            move_count += 1;
            if N::ROOT {
                self.report_current(mv, move_count);
            }
            self.table.prefetch(tt_key_after(board, mv));
            let gives_check = hints.checks.gives(board, mv);
            let candidate =
                Candidate { gives_check, bad: picker.is_bad_noisy(), ..self.candidate(node, mv, move_count) };
            if !N::ROOT && !best.score.is_loss() {
                match self.prune_move(node, &candidate) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiet => {
                        picker.skip_quiet();
                        continue;
                    }
                    Verdict::Futile(score) => {
                        if !best.score.is_decisive() && !score.is_decisive() {
                            best.score = best.score.max(score);
                        }
                        if candidate.quiet {
                            picker.skip_quiet();
                        }
                        continue;
                    }
                }
            }
            let extension = match self.singularity(node, mv) {
                Singularity::Extend(plies) => plies,
                Singularity::MultiCut(score) => return score,
            };
            if self.stopped {
                return Score::DRAW;
            }

            let nodes_before = self.nodes;
            let score = self.search_move::<N>(node, &candidate, extension, best.score);
            if self.stopped {
                return Score::DRAW;
            }
            if N::ROOT {
                self.note_root_move(mv, move_count, score, node, self.nodes - nodes_before);
            }
            if score > best.score {
                best.score = score;
                if score > node.alpha {
                    best.mv = Some(mv);
                    if N::PV && !N::ROOT {
                        self.memory.lines.update(node.ply, mv);
                    }
                    if score >= node.beta {
                        let frame = &mut self.memory.stack[node.ply];
                        frame.cutoff_count = frame.cutoff_count.saturating_add(1);
                        break;
                    }
                    node.alpha = score;
                    // One good move found: the others need less depth to be refuted. As in Stockfish.
                    if node.depth > 2 && node.depth < 14 && !score.is_decisive() {
                        node.depth -= 1;
                    }
                }
            }
            if Some(mv) != best.mv {
                tried.push(mv, candidate.quiet);
            }
        }

        if move_count == 0 {
            return match (node.excluded, node.in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => Score::mated_in(node.ply),
                (None, false) => self.draw(node.ply),
            };
        }
        self.conclude::<N>(node, best, &tried, first_alpha)
    }

    /// What is known about a move before it is tried, but for what it does to the opponent's king.
    fn candidate(&self, node: &Node<'_>, mv: Move, move_count: usize) -> Candidate {
        let quiet = !node.board.is_noisy(mv);
        let histories = &self.memory.histories;
        let history = if quiet {
            histories.quiet(node.board, node.threats.by_all, &node.context, mv)
        } else {
            histories.noisy(node.board, mv)
        };
        Candidate { mv, move_count, quiet, gives_check: false, bad: false, history }
    }

    /// The score of a node whose moves have been tried, and what it teaches.
    fn conclude<N: NodeKind>(&mut self, node: &Node<'_>, mut best: Best, tried: &Tried, first_alpha: Score) -> Score {
        best.score = best.score.min(node.most);
        if best.score >= node.beta && node.excluded.is_none() {
            // How far above beta is less certain than that it is, the more so the shallower.
            best.score = best.score.towards(node.beta, 1024 / (node.depth.clamp(1, 8) + 1));
        }
        if let Some(mv) = best.mv {
            self.reward(node, mv, best.score, tried);
        } else if node.excluded.is_none() && (node.cut_node || node.pv) {
            self.reward_prior_move(node);
        }
        let speaks_for_all = !N::ROOT || self.line_index == 0 && self.sees_all_moves;
        if node.excluded.is_none() && speaks_for_all {
            self.remember(node, &best, first_alpha);
        }
        best.score
    }
}
