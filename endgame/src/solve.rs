//! Retrograde analysis: from the mates backwards, half-move by half-move.
//!
//! A position from which a move leads to one lost in `n` half-moves is won in `n + 1`; one whose moves all lead to won
//! positions, the last of them in `n`, is lost in `n + 1`. What captures and promotions lead to is known from other
//! tables; it says at which step to look at a position that its own table may never lead to. What is left is drawn.
//! Source: K. Thompson, Retrograde Analysis of Certain Endgames, ICCA Journal 9(3), 1986.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use movegen::{Piece, PieceType};
use rayon::prelude::*;

use crate::index::Indexing;
use crate::material::{Material, Others};
use crate::placement::{Placement, Sort, Step};
use crate::tables::{Table, Tables, Value};

/// Placements worked on at a time by a thread.
const CHUNK: usize = 1 << 12;

/// What pawns become.
const PROMOTIONS: [PieceType; 4] = [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop];

/// The best that captures and promotions offer the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// There are none.
    None,
    /// A win in this many half-moves.
    Win(u8),
    Draw,
    /// All lose, the last in this many half-moves.
    Loss(u8),
}

impl Conversion {
    /// The better of this and a further move to a position of this value.
    fn or(self, after: Value) -> Self {
        let this = match (after.loss(), after.win()) {
            (Some(plies), _) => Self::Win(plies + 1),
            (_, Some(plies)) => Self::Loss(plies + 1),
            _ => Self::Draw,
        };
        match (self, this) {
            (Self::Win(one), Self::Win(other)) => Self::Win(one.min(other)),
            (Self::Loss(one), Self::Loss(other)) => Self::Loss(one.max(other)),
            (Self::Win(_), _) | (Self::Draw, Self::Loss(_)) => self,
            _ => this,
        }
    }
}

/// One material being solved.
struct Solver<'a> {
    pieces: &'a [Piece],
    has_en_passant: bool,
    indexing: Indexing,
    values: Vec<AtomicU8>,
    tables: &'a Tables,
}

impl Tables {
    /// Solves these materials and all that they depend on, and tells `progress` of each one that is done. It takes all
    /// threads of the current rayon pool, and up to 16 MiB for each material of four pieces.
    #[must_use]
    pub fn solve(materials: &[Material], mut progress: impl FnMut(&Material)) -> Self {
        let mut tables = Self::new();
        for material in materials {
            tables.add(material, &mut progress);
        }
        tables
    }

    fn add(&mut self, material: &Material, progress: &mut impl FnMut(&Material)) {
        if self.contains(material) {
            return;
        }
        for conversion in material.conversions() {
            self.add(&conversion, progress);
        }
        let table = solve(material, self);
        self.push(table);
        progress(material);
    }
}

/// Solves a material, all those it depends on being in `tables`.
fn solve(material: &Material, tables: &Tables) -> Table {
    let indexing = Indexing::new(material);
    let mut values = Vec::new();
    values.resize_with(indexing.len(), AtomicU8::default);
    let pieces = material.pieces();
    let solver = Solver { pieces: &pieces, has_en_passant: material.has_en_passant(), indexing, values, tables };
    solver.run();
    let values = solver.values.into_iter().map(AtomicU8::into_inner).collect();
    Table { material: material.clone(), indexing: solver.indexing, values }
}

impl Solver<'_> {
    fn run(&self) {
        let (mut decided, mut due) = self.begin();
        // `decided` are those of one half-move fewer.
        for plies in 1.. {
            let known: Vec<u32> = due.get_mut(usize::from(plies)).map(std::mem::take).unwrap_or_default();
            if decided.is_empty() && known.is_empty() && due.iter().all(Vec::is_empty) {
                break;
            }
            assert!(plies < u8::MAX - 1, "no mate of up to four pieces takes so long");
            let back = decided.par_chunks(CHUNK).flat_map_iter(|chunk| {
                let mut found = Vec::new();
                chunk.iter().for_each(|&index| self.step_back(index, plies, &mut found));
                found
            });
            let mut next: Vec<u32> = back.collect();
            let known = known.par_chunks(CHUNK).flat_map_iter(|chunk| {
                let mut found = Vec::new();
                let placements = chunk.iter().filter_map(|&index| self.indexing.placement(index));
                placements.for_each(|placement| self.consider(&placement, plies, &mut found));
                found
            });
            next.par_extend(known);
            decided = next;
        }
    }

    /// Finds illegal placements, mates, and what captures and promotions decide: mates, and by half-moves the
    /// placements to look at then.
    fn begin(&self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let chunks = self.values.par_chunks(CHUNK).enumerate().flat_map_iter(|(chunk, values)| {
            let mut found = Vec::new();
            for (value, index) in values.iter().zip((chunk * CHUNK) as u32..) {
                let placement = self.indexing.placement(index);
                let Some(placement) = placement.filter(|placement| !placement.is_king_open(self.pieces)) else {
                    value.store(Value::ILLEGAL.0, Relaxed);
                    continue;
                };
                match self.conversions(&placement) {
                    Conversion::Win(plies) | Conversion::Loss(plies) => found.push((plies, index)),
                    Conversion::None if self.is_mate(&placement) => {
                        value.store(Value::decided(0).0, Relaxed);
                        found.push((0, index));
                    }
                    Conversion::None | Conversion::Draw => {}
                }
            }
            found
        });
        let mut due = vec![Vec::new(); usize::from(u8::MAX)];
        for (plies, index) in chunks.collect::<Vec<_>>() {
            due[usize::from(plies)].push(index);
        }
        (std::mem::take(&mut due[0]), due)
    }

    /// What captures and promotions are worth.
    fn conversions(&self, placement: &Placement) -> Conversion {
        let mut conversion = Conversion::None;
        placement.steps(self.pieces, Sort::Conversions, |step| {
            self.values_after(placement, &step, |value| conversion = conversion.or(value));
            ControlFlow::Continue(())
        });
        conversion
    }

    fn is_mate(&self, placement: &Placement) -> bool {
        let mut can_move = false;
        placement.is_check(self.pieces) && {
            placement.steps(self.pieces, Sort::All, |_| {
                can_move = true;
                ControlFlow::Break(())
            });
            !can_move
        }
    }

    /// Calls `visit` with the value of each position that a capture or promotion leads to.
    fn values_after(&self, placement: &Placement, step: &Step, mut visit: impl FnMut(Value)) {
        let mut after = placement.after(step);
        let mut others: Others = self.pieces[2..].iter().copied().collect();
        let mut mover = step.mover;
        if let Some(captured) = step.captured {
            others.remove(captured - 2);
            after.squares.copy_within(captured + 1.., captured);
            mover -= usize::from(mover > captured);
        }
        if !step.promotes {
            visit(self.tables.value(&others, &after).unwrap_or(Value::DRAW));
            return;
        }
        for kind in PROMOTIONS {
            others[mover - 2] = Piece::new(placement.turn, kind);
            visit(self.tables.value(&others, &after).unwrap_or(Value::DRAW));
        }
    }

    /// Decides what it can of the placements from which one move leads to a placement that was decided last.
    fn step_back(&self, index: u32, plies: u8, found: &mut Vec<u32>) {
        let Some(placement) = self.indexing.placement(index) else { return };
        placement.predecessors(self.pieces, self.has_en_passant, |before| self.consider(&before, plies, found));
    }

    /// Notes that a placement is decided in this many half-moves, if it is: won if a move is known to win by then, lost if
    /// all moves lose by then.
    fn consider(&self, placement: &Placement, plies: u8, found: &mut Vec<u32>) {
        let index = self.indexing.index(placement);
        if self.values[index as usize].load(Relaxed) != Value::DRAW.0 {
            return;
        }
        let is_won = !plies.is_multiple_of(2);
        if !is_won && !self.all_lose(placement, plies) {
            return;
        }
        for index in [Some(index), self.indexing.twin(placement)].into_iter().flatten() {
            // Of several threads that come here, one puts it on its list.
            if self.values[index as usize].swap(Value::decided(plies).0, Relaxed) == Value::DRAW.0 {
                found.push(index);
            }
        }
    }

    /// Whether all moves lose, in no more than this many half-moves. What is being decided in this step, in `plies`, does
    /// not count: so the order of work does not either.
    fn all_lose(&self, placement: &Placement, plies: u8) -> bool {
        let mut all = true;
        placement.steps(self.pieces, Sort::All, |step| {
            let mut look = |value: Value| all &= value.win().is_some_and(|mate| mate < plies);
            if step.is_plain() {
                let index = self.indexing.index(&placement.after(&step));
                look(Value(self.values[index as usize].load(Relaxed)));
            } else {
                self.values_after(placement, &step, look);
            }
            if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all
    }
}
