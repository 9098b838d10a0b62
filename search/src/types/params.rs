//! Every number of the search that is tuned or could be, one line each.
//!
//! Scores and margins are in centipawns, reductions in 1/1024 ply. Each number is a constant function, so that it costs
//! nothing; with the feature `tune` it is a variable, and a UCI option. Numbers that types depend on, the sizes and limits
//! of tables, are constants in any build and come first.

mod tunable;

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

pub use self::tunable::Tunable;

/// The limit of quiet and low-ply history scores.
pub(crate) const QUIET_LIMIT: i32 = 8192;
/// The limit of capture, pawn and continuation history scores.
pub(crate) const HISTORY_LIMIT: i32 = 16384;
/// The limit of correction history values, in 1/64 centipawn.
pub(crate) const CORRECTION_LIMIT: i32 = 16384;
/// Plies from the root with a low-ply history.
pub(crate) const LOW_PLIES: usize = 5;
/// Pawn structures that pawn history tells apart.
pub(crate) const PAWN_HISTORY_ENTRIES: usize = 512;
/// Keys that each correction history tells apart.
pub(crate) const CORRECTION_ENTRIES: usize = 16384;

/// Declares numbers as `name = default` with the range and the step a tuner may use: constants, unless the program is
/// built to be tuned.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:expr, $range:expr, $step:expr;)*) => {
        #[cfg(not(feature = "tune"))]
        mod values {
            $($(#[$doc])* #[inline] pub(crate) const fn $name() -> i32 { $default })*
        }

        #[cfg(feature = "tune")]
        mod values {
            use super::{AtomicI32, Relaxed};

            pub(super) struct Values { $(pub(super) $name: AtomicI32),* }

            // The only mutable global, in a build made for it.
            pub(super) static VALUES: Values = Values { $($name: AtomicI32::new($default)),* };

            $($(#[$doc])* #[inline] pub(crate) fn $name() -> i32 { VALUES.$name.load(Relaxed) })*
        }

        pub(crate) use values::*;

        /// All tuned numbers.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            default: $default,
            min: *$range.start(),
            max: *$range.end(),
            step: $step,
            #[cfg(feature = "tune")]
            value: &values::VALUES.$name,
        }),*];
    };
}

params! {
    /// Aspiration: half width of the first window.
    aspiration_delta = 23, 5..=50, 3;
    /// Aspiration: square of the average score that adds one to it.
    aspiration_average = 20_000, 5_000..=60_000, 3_000;
    /// Aspiration: least depth with a window.
    aspiration_depth = 3, 2..=8, 1;
    /// Aspiration: each failure widens the window by its width divided by this.
    aspiration_widening = 2, 1..=8, 1;
    /// Aspiration: widths that differ from thread to thread.
    aspiration_threads = 8, 1..=16, 1;
    /// Time: share of the remaining time for the first move of a game, in 1/10,000.
    time_first = 140, 50..=300, 15;
    /// Time: by how much the share of the last moves of a very long game is larger.
    time_rise = 400, 100..=800, 30;
    /// Time: move number at which half of that has been reached.
    time_rise_moves = 36, 15..=100, 4;
    /// Time: share of the increment for each move, in percent.
    time_increment = 65, 30..=100, 5;
    /// Time: share of the overhead that each move loses, in percent.
    time_lost = 50, 0..=100, 10;
    /// Time: share of the remaining time for the first move without an increment, in 1/10,000.
    time_sudden_first = 170, 50..=300, 15;
    /// Time: by how much the share of the last moves of a very long game without an increment is larger.
    time_sudden_rise = 170, 0..=600, 25;
    /// Time: most moves to plan for with a time control ahead.
    time_planned_moves_max = 50, 20..=100, 4;
    /// Time: greatest share of the remaining time for one move, in percent.
    time_share_max = 50, 20..=90, 4;
    /// Time: the same without an increment.
    time_share_sudden = 20, 5..=50, 2;
    /// Time: greatest share for the last move before the time control, in percent.
    time_share_last = 85, 40..=95, 4;
    /// Time: move overheads held in reserve on the clock, or half the clock where that is less. On a busy machine a move
    /// now and then takes much longer than the engine sees.
    time_reserve = 5, 0..=20, 1;
    /// Time: the same without an increment, or three quarters of the remaining time if that is less.
    time_reserve_sudden = 30, 0..=60, 3;
    /// Time: of a time for one move, the overhead is kept back, but no more than a share of one in this many.
    time_move_reserve = 10, 2..=50, 2;
    /// Time: a move may take at most this many times its usual time.
    time_stretch = 7, 2..=20, 1;
    /// Time: greatest depth for an only move while a clock runs.
    time_forced_depth = 8, 1..=20, 1;
    /// Time: factor when the best move has just changed, in percent, ...
    time_stability_0 = 161, 100..=300, 10;
    /// ... has been stable for one iteration, ...
    time_stability_1 = 125, 80..=200, 8;
    /// ... two, ...
    time_stability_2 = 100, 60..=160, 6;
    /// ... three, ...
    time_stability_3 = 90, 50..=140, 6;
    /// ... four, ...
    time_stability_4 = 84, 40..=130, 6;
    /// ... five or more.
    time_stability_5 = 80, 40..=120, 6;
    /// Time: factor if no node was spent on the best move, in percent.
    time_effort_base = 230, 150..=320, 12;
    /// Time: by how much it is lower if all nodes were spent on it.
    time_effort = 162, 80..=280, 12;
    /// Time: the least it can be.
    time_effort_least = 63, 20..=100, 6;
    /// Time: fall of the score since the last iteration that doubles the time, in centipawns.
    time_fall = 136, 40..=300, 15;
    /// Time: fall of the score since the last move that doubles the time, in centipawns.
    time_fall_since_move = 160, 40..=400, 20;
    /// Time: greatest distance of a stable score from its average, in centipawns.
    time_stable_score = 10, 2..=40, 2;
    /// Time: factor when the score is not stable, in percent, ...
    time_score_stability = 116, 100..=150, 4;
    /// ... by how much it is lower for each iteration with a stable score, ...
    time_score_stability_fall = 5, 0..=15, 1;
    /// ... up to this many.
    time_score_stability_most = 5, 2..=10, 1;
    /// Time: factor without a change of the best move, in percent, ...
    time_changes_base = 95, 60..=120, 4;
    /// ... by how much it is larger for each change, ...
    time_changes = 12, 0..=60, 4;
    /// ... up to this many.
    time_changes_most = 4, 1..=10, 1;
    /// Time: factor for a recapture at no loss, in percent.
    time_recapture = 75, 40..=100, 5;
    /// Time: least factor for a score that rises, in percent.
    time_rise_least = 82, 50..=100, 4;
    /// Time: greatest factor for a score that falls, in percent.
    time_fall_most = 138, 100..=250, 8;
    /// Improving: the most, in centipawns, that counts either way.
    improvement_max = 200, 50..=500, 25;
    /// Razoring: greatest depth.
    razoring_depth = 4, 1..=8, 1;
    /// Razoring: fixed part of the margin.
    razoring_base = 298, 100..=500, 25;
    /// Razoring: part that grows with the square of the depth.
    razoring_square = 293, 100..=500, 25;
    /// Reverse futility: greatest depth.
    rfp_depth = 9, 4..=14, 1;
    /// Reverse futility: margin per squared ply, ...
    rfp_square = 4, 0..=12, 1;
    /// ... and per ply; there is a least margin besides.
    rfp_margin = 30, 0..=150, 6;
    /// Reverse futility: taken off the margin when the side to move is improving.
    rfp_improving = 43, 0..=150, 6;
    /// Reverse futility: taken off the margin when the opponent's last move made its evaluation worse.
    rfp_worsening = 20, 0..=80, 8;
    /// Reverse futility: added to the margin per centipawn of correction, in 1/64.
    rfp_correction = 40, 0..=128, 6;
    /// Reverse futility: least margin.
    rfp_margin_least = 32, 0..=60, 5;
    /// Reverse futility: the score returned lies this part of the surplus above beta.
    rfp_blend = 3, 1..=8, 1;
    /// Null move: depth from which a cutoff is verified by a search without null moves.
    nmp_verified_depth = 14, 8..=24, 1;
    /// Null move: fixed reduction.
    nmp_base = 5040, 2048..=6144, 256;
    /// Null move: reduction per ply.
    nmp_depth = 281, 100..=512, 25;
    /// Null move: further reduction when the side to move is improving.
    nmp_improving = 741, 0..=2048, 100;
    /// Null move: evaluation above beta that reduces by one more ply.
    nmp_eval = 185, 80..=400, 20;
    /// Null move: how far below beta the evaluation may lie, ...
    nmp_margin = 190, 0..=400, 20;
    /// ... and by how much each ply of depth lowers that.
    nmp_margin_depth = 19, 0..=50, 3;
    /// Null move: further reduction per 256 centipawns of improvement.
    nmp_improvement = 207, -1024..=2048, 150;
    /// Null move: most plies that the evaluation above beta reduces by.
    nmp_eval_max = 4, 1..=6, 1;
    /// Null move: plies without null moves in a verification search, in quarters of its depth.
    nmp_verified_plies = 3, 1..=4, 1;
    /// ProbCut: least depth.
    probcut_depth = 5, 3..=8, 1;
    /// ProbCut: reduction, in plies.
    probcut_reduction = 4, 2..=6, 1;
    /// ProbCut: margin above beta.
    probcut_margin = 135, 80..=400, 15;
    /// ProbCut: taken off the margin when the side to move is improving.
    probcut_improving = 42, 0..=150, 8;
    /// ProbCut: share of the surplus over beta that is dropped, in 1/1024.
    probcut_blend = 276, 0..=1024, 50;
    /// Multi-cut: share of the surplus over beta that is dropped, in 1/1024.
    multi_cut_blend = 240, 0..=1024, 50;
    /// Fail high: depth from which the share of the surplus over beta that is dropped stays the same.
    fail_high_blend_depth = 7, 1..=16, 1;
    /// TT cutoff: depth up to which the expected node type has to agree.
    tt_cutoff_depth = 5, 0..=10, 1;
    /// TT cutoff: none from this number of half-moves without capture or pawn move.
    tt_cutoff_clock = 90, 60..=100, 4;
    /// TT key: half-moves without capture or pawn move that do not change the key.
    tt_clock_free = 16, 0..=50, 4;
    /// TT key: half-moves that share a key after that.
    tt_clock_bucket = 8, 2..=20, 1;
    /// TT replacement: plies of depth that a search of age outweighs.
    tt_age_weight = 4, 1..=12, 1;
    /// TT replacement: a bound this much shallower does not replace an entry of the same position and age, ...
    tt_depth_slack = 4, 0..=10, 1;
    /// ... in the principal variation this much more.
    tt_pv_slack = 2, 0..=8, 1;
    /// Endgame tables: depth that a result in the TT is given beyond the node's.
    tablebase_depth = 6, 0..=20, 1;
    /// Evaluation: at this many half-moves without capture or pawn move it would be zero.
    fifty_move_scale = 211, 110..=400, 20;
    /// Endings of up to four pieces: evaluations count less beyond this.
    solved_knee = 1000, 400..=2000, 50;
    /// Endings of up to four pieces: what evaluations beyond that are divided by.
    solved_flattening = 8, 1..=32, 2;
    /// A lone king, without pawns: the evaluation from which it is lost, ...
    lone_king_lost = 400, 100..=1500, 50;
    /// ... the score of such an ending, above what those with pawns have, ...
    lone_king_won = 1700, 400..=3000, 50;
    /// ... the progress of each step that drives the lone king towards its mate ...
    lone_king_edge = 50, 0..=200, 10;
    /// ... of each step of the other king towards it ...
    lone_king_near = 25, 0..=100, 5;
    /// ... and of each queen.
    lone_king_queen = 100, 0..=400, 25;
    /// Bishop and knight against a lone king: its steps away from the center, ...
    bishop_knight_center = 15, 0..=100, 5;
    /// ... towards a corner in which it can be mated, ...
    bishop_knight_corner = 220, 0..=500, 20;
    /// ... steps of the kings towards each other ...
    bishop_knight_kings = 60, 0..=200, 10;
    /// ... and king's steps of the knight towards it.
    bishop_knight_knight = 15, 0..=100, 5;
    /// After a move raises alpha: depths above this ...
    raise_depth_min = 2, 0..=6, 1;
    /// ... and below this are reduced for the moves that follow, ...
    raise_depth_max = 14, 6..=24, 1;
    /// ... by this many plies, but not to less than the first of these.
    raise_depth_plies = 2, 0..=4, 1;
    /// Late move pruning: moves at depth 0, in tenths if the side to move is improving, else in twentieths.
    lmp_base = 44, 10..=60, 4;
    /// Late move pruning: moves per squared ply, in the same.
    lmp_square = 13, 4..=20, 1;
    /// Late move pruning: history points that add a move to the limit.
    lmp_history = 13_507, 4000..=65536, 1500;
    /// Late move pruning: moves that 1024 centipawns of improvement add to the limit.
    lmp_improvement = 18, -64..=128, 6;
    /// Futility of captures that lose material: greatest depth.
    noisy_futility_depth = 6, 2..=10, 1;
    /// Futility of captures that lose material: fixed margin.
    noisy_futility_base = 141, 40..=250, 15;
    /// Futility of captures that lose material: margin per ply.
    noisy_futility_margin = 71, 30..=200, 8;
    /// Futility of captures that lose material: history points worth one centipawn.
    noisy_futility_history = 73, 16..=256, 8;
    /// Futility: greatest reduced depth.
    futility_depth = 9, 4..=12, 1;
    /// Futility: fixed margin.
    futility_base = 115, 40..=250, 15;
    /// Futility: margin per reduced ply.
    futility_margin = 75, 40..=200, 8;
    /// Futility: added to the margin per centipawn of correction, in 1/64.
    futility_correction = 42, 0..=128, 6;
    /// History pruning: greatest reduced depth.
    history_pruning_depth = 6, 1..=8, 1;
    /// History pruning: quiet history per reduced ply under which a move is skipped.
    history_pruning = -4329, -8000..=-500, 300;
    /// Futility: history points worth one centipawn.
    futility_history = 112, 32..=512, 16;
    /// SEE pruning of quiet moves: loss allowed per squared reduced ply.
    see_quiet = -6, -60..=-5, 3;
    /// SEE pruning of noisy moves: loss allowed per ply.
    see_noisy = -87, -200..=-20, 8;
    /// SEE pruning of noisy moves: history points worth one centipawn.
    see_noisy_history = 53, 16..=128, 6;
    /// Singular extension: least depth, a ply more in the principal variation, present or remembered by the table.
    singular_depth = 5, 4..=9, 1;
    /// Singular extension: how much shallower than the node the table's score may be.
    singular_tt_depth = 3, 1..=6, 1;
    /// Singular extension: margin per ply below the table's score, in 1/16.
    singular_margin = 38, 4..=80, 4;
    /// Singular extension: deficit for a second ply.
    double_margin = 16, 5..=60, 4;
    /// Singular extension: taken off the deficit for a second ply per centipawn of correction, in 1/64.
    double_correction = 30, -64..=128, 8;
    /// Singular extension: deficit for a third ply.
    triple_margin = 108, 30..=300, 15;
    /// Singular extension: added to the deficit for a second ply in the principal variation.
    double_pv = 211, 0..=400, 15;
    /// Singular extension: added to the deficit for a third ply in the principal variation.
    triple_pv = 212, 0..=500, 20;
    /// Singular extension: reduction of a TT move that fails high while another one does nearly, in plies.
    negative_extension = 4, 0..=5, 1;
    /// Singular extension: reduction of a TT move that is not singular at a cut node, in plies.
    cut_node_extension = 2, 0..=5, 1;
    /// Hindsight: least reduction of the parent to extend by a ply when the evaluation fell.
    hindsight_deeper = 2656, 1024..=5120, 256;
    /// Hindsight: least reduction of the parent to reduce by a ply when the evaluation rose.
    hindsight_shallower = 940, 512..=4096, 256;
    /// Hindsight: least rise of the evaluation for that.
    hindsight_margin = 113, 20..=300, 15;
    /// After a reduced search: score above the best so far that is searched a ply deeper.
    deeper_margin = 79, 10..=150, 8;
    /// After a reduced search: score above the best so far below which the next search is a ply shallower.
    shallower_margin = 13, 0..=40, 3;
    /// Internal iterative reductions: least depth.
    iir_depth = 4, 2..=8, 1;
    /// Late move reductions: constant part.
    lmr_base = 513, 0..=1600, 80;
    /// Late move reductions: factor on the product of logarithms.
    lmr_factor = 549, 200..=800, 25;
    /// Late move reductions: more at a node expected to fail high.
    lmr_cut_node = 921, 0..=3072, 120;
    /// Late move reductions: less in a principal variation, present or remembered by the table.
    lmr_tt_pv = 589, 0..=2048, 100;
    /// Late move reductions: less still in the principal variation, ...
    lmr_pv = 375, 0..=2048, 80;
    /// ... and this in proportion to its window, as a part of the root's.
    lmr_width = 560, 0..=2048, 80;
    /// Late move reductions: less still where its score lies above alpha.
    lmr_tt_score = 441, 0..=2048, 80;
    /// Late move reductions: less still where its depth was as great.
    lmr_tt_depth = 807, 0..=2048, 80;
    /// Late move reductions: less per 16 centipawns of correction.
    lmr_correction = 63, 0..=300, 15;
    /// Late move reductions: less for a move that gives check.
    lmr_check = 750, 0..=2048, 100;
    /// Late move reductions: more if the side to move is not improving.
    lmr_not_improving = 870, 0..=2048, 80;
    /// Late move reductions: more for each move that has raised alpha.
    lmr_raises = 152, -512..=1024, 50;
    /// Late move reductions: least reduction by which even the first move is searched a ply shallower.
    lmr_first = 2285, 1024..=5120, 200;
    /// Late move reductions: history points of a quiet move that take off one ply.
    lmr_history = 8035, 3000..=20000, 600;
    /// Late move reductions: history points of a capture or promotion that do.
    lmr_noisy_history = 7800, 3000..=20000, 800;
    /// Late move reductions: less for captures and promotions.
    lmr_noisy = 427, 0..=2048, 100;
    /// Late move reductions: least depth.
    lmr_depth = 2, 1..=5, 1;
    /// History bonus: per ply.
    history_bonus = 204, 50..=400, 15;
    /// History bonus: greatest.
    history_bonus_max = 1582, 500..=4000, 120;
    /// History bonus: for each move tried before the best one, ...
    history_bonus_tried = 30, -100..=200, 10;
    /// ... up to this many.
    history_bonus_tried_max = 10, 1..=32, 2;
    /// History malus: at depth 0.
    history_malus_base = 104, -300..=300, 25;
    /// History malus: per ply.
    history_malus = 205, 50..=400, 15;
    /// History malus: greatest.
    history_malus_max = 1076, 500..=4000, 120;
    /// History bonus: share of a capture or promotion, in 1/1024.
    noisy_bonus_share = 890, 0..=3072, 60;
    /// History malus: share of a capture or promotion, in 1/1024.
    noisy_malus_share = 1204, 0..=3072, 60;
    /// History bonus: share for the move that led to a node that failed low, in 1/1024.
    last_move_bonus = 1223, 0..=3072, 100;
    /// History bonus: added to that share for a move that came late in the order, in 1/1024.
    late_move_bonus = 747, 0..=2048, 100;
    /// History bonus: added to that share where the score lies far below the evaluation, in 1/1024, ...
    far_below_eval_bonus = 69, 0..=1024, 100;
    /// ... by at least this much.
    far_below_eval_margin = 83, 20..=300, 15;
    /// History malus: share for an early move that was refuted, in 1/1024.
    refuted_move_malus = 420, 0..=2048, 100;
    /// History malus: greatest move count that is early.
    early_move_count = 3, 1..=8, 1;
    /// History bonus: greatest move count that is not late.
    late_move_count = 8, 3..=20, 1;
    /// History malus: tried moves after which it is half as large.
    malus_fading = 19, 4..=64, 4;
    /// History bonus: greatest depth at which a best move that is the only quiet one tried gets none.
    history_bonus_depth = 2, 0..=6, 1;
    /// History bonus: for a move that changed the evaluation, per 16 centipawns.
    eval_history = 151, 0..=300, 12;
    /// History bonus: greatest for a move that changed the evaluation.
    eval_history_max = 1000, 300..=4000, 100;
    /// History bonus: from this depth on only where the TT has no entry, for a move that changed the evaluation.
    eval_history_depth = 5, 1..=16, 1;
    /// Quiet history: the part of it that each search of a game leaves to the next, in 1/1024.
    quiet_kept = 768, 0..=1024, 60;
    /// Quiet move scores: weight of quiet history, in 1/1024, ...
    quiet_weight = 918, 0..=3072, 100;
    /// ... of pawn history, ...
    pawn_weight = 378, 0..=2048, 60;
    /// ... and of continuation history one ply ago, ...
    continuation_weight_1 = 421, 0..=2048, 60;
    /// ... two, ...
    continuation_weight_2 = 467, 0..=2048, 60;
    /// ... four, ...
    continuation_weight_4 = 266, 0..=2048, 60;
    /// ... and six.
    continuation_weight_6 = 264, 0..=2048, 60;
    /// History updates: share of a bonus or malus for quiet history, in 1/1024, ...
    quiet_share = 1262, 0..=3072, 100;
    /// ... and for continuation history one ply ago, ...
    continuation_share_1 = 919, 0..=3072, 100;
    /// ... two, ...
    continuation_share_2 = 1146, 0..=3072, 100;
    /// ... four, ...
    continuation_share_4 = 1315, 0..=3072, 100;
    /// ... and six.
    continuation_share_6 = 1024, 0..=3072, 100;
    /// Quiescence: what a capture may lose in exchanges.
    quiescence_see = 38, 0..=200, 10;
    /// Quiescence: part of a capture's required gain that alpha minus the best score adds.
    quiescence_see_divisor = 7, 2..=32, 2;
    /// Quiescence: most moves searched before captures without check are skipped.
    quiescence_captures = 3, 1..=10, 1;
    /// Quiescence: share of the surplus of standing pat over beta that is dropped, in 1/1024.
    stand_pat_blend = 515, 0..=1024, 50;
    /// Quiescence: share of the surplus of a move over beta that is dropped, in 1/1024.
    quiescence_blend = 472, 0..=1024, 50;
    /// Move ordering: a killer among the quiet moves.
    killer_bonus = 8830, 0..=20000, 1000;
    /// Move ordering: score of a capture that allows one centipawn of loss.
    good_noisy_divisor = 49, 16..=128, 6;
    /// Move ordering: weight of the captured piece's value.
    capture_victim_weight = 19, 4..=64, 3;
    /// Move ordering: loss in the exchange up to which a quiet check has its bonus.
    check_loss = 80, 0..=200, 10;
    /// Move ordering: a quiet move that gives check.
    check_bonus = 10_120, 0..=20000, 1000;
    /// Move ordering: a piece that a less valuable one attacks, per pawn of its value.
    threat_bonus = 1100, 0..=3000, 100;
    /// Move ordering: weight of low-ply history.
    low_ply_weight = 4, 0..=10, 1;
    /// Correction history: greatest update by one node, in quarters of a centipawn.
    correction_limit = 50, 16..=512, 16;
    /// Correction history: share of the error per ply of depth, in 1/1024.
    correction_rate = 107, 16..=256, 8;
    /// Correction history: greatest error that counts, in centipawns.
    correction_error_max = 1000, 200..=4000, 200;
    /// Correction history: greatest product of error and depth.
    correction_step_max = 100_000, 10_000..=400_000, 10_000;
    /// Correction history: weight of the pawn structure, in 1/1024.
    correction_pawn = 193, 0..=3072, 100;
    /// Correction history: weight of each side's other pieces, in 1/1024.
    correction_non_pawn = 524, 0..=3072, 100;
    /// Correction history: weight of the minor pieces, in 1/1024.
    correction_minor = 284, 0..=3072, 100;
    /// Correction history: weight of the last two moves, in 1/1024.
    correction_continuation = 837, 0..=3072, 100;
    /// Correction history: weight of the last move and the one three before it, in 1/1024.
    correction_continuation_far = 615, 0..=3072, 100;
    /// SEE: value of a pawn.
    see_pawn = 100, 60..=160, 6;
    /// SEE: value of a knight.
    see_knight = 293, 200..=500, 20;
    /// SEE: value of a bishop.
    see_bishop = 354, 200..=500, 20;
    /// SEE: value of a rook.
    see_rook = 550, 350..=800, 25;
    /// SEE: value of a queen.
    see_queen = 1022, 700..=1500, 40;
    /// Thread voting: added to a score's lead over the lowest score.
    vote_base = 14, 1..=60, 3;
    /// Search for mates: replies fewer that a check counts as in the order of moves.
    mate_check_bonus = 12, 0..=40, 2;
    /// Search for mates: greatest number of moves with the larger share of nodes.
    mate_share_moves = 5, 1..=10, 1;
    /// Search for mates: nodes for each node of the usual search up to that number of moves.
    mate_share = 8, 1..=32, 2;
}

#[cfg(test)]
mod tests;
