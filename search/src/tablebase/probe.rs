//! Probing Syzygy endgame tables: the result of a position (WDL), and the distance to the next capture or pawn move
//! (DTZ).
//!
//! Source of the tables: R. de Man, Syzygy.
//!
//! The library that reads them is shakmaty-syzygy. The only other one in pure Rust, pyrrhic-rs, is faster, but the search
//! probes only after a capture or pawn move. Damaged files decide: shakmaty-syzygy answers every probe with a value or an
//! error, where pyrrhic-rs ends the process, by stack overflow or `assert!`. It also has one set of tables for the whole
//! process, in `static mut`, and splits folders at `:` even on Windows.
//!
//! A panic would abort the released program, so a probe must not panic. The library checks the bounds of what it reads.
//! Arithmetic on damaged numbers may overflow, which is harmless where it wraps: an index out of range is an error when
//! it is used. So `Cargo.toml` turns overflow checks off for the library in test builds too, and
//! tests/tests/crates/syzygy_damage.rs asserts that no damaged file causes a panic. Verifying checksums first would mean
//! reading gigabytes before the first move.
//!
//! Memory maps are not used: the process would end if a file shrinks or a drive is unplugged. Small files are kept in
//! memory instead (`tablebase::files`), which is as fast.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use movegen::{Board, Color, PieceType};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square};
use shakmaty_syzygy::{ProbeError, SyzygyError};

use crate::tablebase::files::{self, CachedFiles, Found, Kind, find};
use crate::tablebase::material::Material;
use crate::types::tablebase::{TablebaseFault, Wdl};

/// A material for which there is a table.
#[derive(Debug)]
struct Known {
    material: Material,
    /// Whether no fault has been found in it so far.
    usable: AtomicBool,
}

#[derive(Debug, Default)]
struct Faults {
    /// Not yet fetched.
    fresh: Vec<TablebaseFault>,
    /// The tables that were reported.
    tables: HashSet<String>,
}

/// The Syzygy tables of some folders. Each is opened when it is first probed, from any thread.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    /// Sorted by material.
    known: Vec<Known>,
    /// The maximum number of pieces of any table with results.
    largest: usize,
    wdl_files: usize,
    dtz_files: usize,
    faults: Mutex<Faults>,
}

impl Tablebase {
    /// The tables in these folders and the folders directly inside them. If two files bear the same name, the first
    /// good one counts.
    ///
    /// It never fails: [`take_faults`](Self::take_faults) tells what cannot be used.
    #[must_use]
    pub fn open(folders: &[PathBuf]) -> Self {
        let mut tables = shakmaty_syzygy::Tablebase::with_filesystem(Arc::new(CachedFiles::default()));
        let mut faults = Vec::new();
        let found: Vec<_> = folders.iter().flat_map(|folder| find(folder, &mut faults)).collect();
        let (mut wdl, mut dtz) = (Vec::new(), Vec::new());
        for Found { path, material, kind } in found {
            let same_kind = if kind == Kind::Wdl { &mut wdl } else { &mut dtz };
            if same_kind.contains(&material) {
                continue;
            }
            let added = files::check(&path, kind).and_then(|()| {
                let added = tables.add_file(&path);
                added.map_err(|error| TablebaseFault::Unreadable { path, reason: error.to_string() })
            });
            match added {
                Ok(()) => same_kind.push(material),
                Err(fault) => faults.push(fault),
            }
        }
        let largest = wdl.iter().map(Material::pieces).max().unwrap_or_default();
        let (wdl_files, dtz_files) = (wdl.len(), dtz.len());
        // Bare kings need no file.
        wdl.push(Material::KINGS);
        wdl.sort_unstable();
        let known = wdl.into_iter().map(|material| Known { material, usable: AtomicBool::new(true) }).collect();
        let faults = Mutex::new(Faults { fresh: faults, tables: HashSet::new() });
        Self { tables, known, largest, wdl_files, dtz_files, faults }
    }

    /// How many usable files hold results (WDL), and how many distances (DTZ).
    #[must_use]
    pub const fn files(&self) -> (usize, usize) {
        (self.wdl_files, self.dtz_files)
    }

    /// The maximum number of pieces, kings included, of any table; 0 without tables.
    #[must_use]
    pub const fn largest(&self) -> usize {
        self.largest
    }

    /// The names of the tables with results, such as `KQvKR`.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let tables = self.known.iter().map(|known| known.material);
        tables.filter(|&material| material != Material::KINGS).map(|material| material.to_string())
    }

    /// The name of the table that a position's pieces call for, such as `KQvKR`.
    #[must_use]
    pub fn name_for(board: &Board) -> String {
        Material::of(board).to_string()
    }

    /// The faults found since the last call, each once.
    pub fn take_faults(&self) -> Vec<TablebaseFault> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner).fresh)
    }

    /// Whether there is a table for the pieces on the board, and neither side has castling rights.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        board.castling().is_empty()
            && board.occupied().count() <= self.largest
            && self.known(Material::of(board)).is_some_and(|known| known.usable.load(Relaxed))
    }

    /// The result of a position that has just arisen by a capture or pawn move: the fifty-move counter starts at zero.
    /// `None` without a table for it.
    #[must_use]
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.probe(board, |chess| self.tables.probe_wdl_after_zeroing(chess)).map(own)
    }

    /// Plies to the next capture, pawn move or mate if both sides play for it, positive for a win and negative for a
    /// loss, beyond 100 if the fifty-move rule saves the loser. It may be 1 too small, since some tables count moves.
    /// `None` without a table for it.
    #[must_use]
    pub fn dtz(&self, board: &Board) -> Option<i32> {
        self.probe(board, |chess| self.tables.probe_dtz(chess)).map(|dtz| i32::from(dtz.ignore_rounding()))
    }

    fn known(&self, material: Material) -> Option<&Known> {
        let index = self.known.binary_search_by_key(&material, |known| known.material).ok()?;
        self.known.get(index)
    }

    fn probe<T>(&self, board: &Board, query: impl FnOnce(&Chess) -> Result<T, SyzygyError>) -> Option<T> {
        if !self.covers(board) {
            return None;
        }
        let answer = query(&convert(board)?);
        answer.inspect_err(|error| self.note(board, error)).ok()
    }

    /// Notes why a probe failed, once for each table.
    #[cold]
    fn note(&self, board: &Board, error: &SyzygyError) {
        match error {
            SyzygyError::ProbeFailed { metric, material, error } => {
                let table = material.to_string();
                let material = Material::parse(&table).unwrap_or_else(|| Material::of(board));
                // The library's message holds a backtrace.
                let reason = match **error {
                    ProbeError::CorruptedTable { .. } => "it is damaged".to_owned(),
                    _ => error.to_string(),
                };
                self.condemn(material, format!("{table} ({metric})"), reason);
            }
            SyzygyError::MissingTable { metric, material } => {
                let table = format!("{material} ({metric})");
                // Without any DTZ file, their absence is intended.
                if self.dtz_files > 0 || *metric == shakmaty_syzygy::Metric::Wdl {
                    self.tell(table.clone(), TablebaseFault::Missing { table });
                }
            }
            _ => {}
        }
    }

    fn condemn(&self, material: Material, table: String, reason: String) {
        if let Some(known) = self.known(material) {
            known.usable.store(false, Relaxed);
        }
        self.tell(table.clone(), TablebaseFault::Damaged { table, reason });
    }

    fn tell(&self, table: String, fault: TablebaseFault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.tables.insert(table) {
            faults.fresh.push(fault);
        }
    }
}

/// The library's result as our type.
const fn own(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
        shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
        shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

/// The board as the library's type.
fn convert(board: &Board) -> Option<Chess> {
    let typed = |piece_type| Bitboard(board.pieces(piece_type).0);
    let colored = |color| Bitboard(board.colors(color).0);
    let by_role = ByRole {
        pawn: typed(PieceType::Pawn),
        knight: typed(PieceType::Knight),
        bishop: typed(PieceType::Bishop),
        rook: typed(PieceType::Rook),
        queen: typed(PieceType::Queen),
        king: typed(PieceType::King),
    };
    let by_color = ByColor { white: colored(Color::White), black: colored(Color::Black) };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: shakmaty::Color::from_white(board.turn() == Color::White),
        ep_square: board.en_passant().map(|square| Square::new(square as u32)),
        ..Setup::empty()
    };
    // The tables have values for positions that no game can reach, too.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
