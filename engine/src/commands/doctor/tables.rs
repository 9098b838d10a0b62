//! Endgame tables: each is opened and asked about a few positions, whose answers have to fit those one move later.

use std::ffi::OsStr;

use cli::folders;
use movegen::{Board, Color, Piece, PieceType, Setup, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::{Tablebase, TablebaseFault};

use super::diagnosis::Diagnosis;

/// Positions of each table that are asked about.
const SAMPLES: usize = 8;
/// Random placements tried to find one; most are legal.
const TRIES: usize = 1_000;
/// Faults told one by one.
const MAX_FAULTS: usize = 10;

const NAME_A_FOLDER: &str = "name folders that are there and may be read";
const REMEDY: &str = "download the file again and compare its checksum with the one published beside it";

pub(super) fn examine(path: Option<&OsStr>) -> Vec<Diagnosis> {
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return vec![Diagnosis::good("none given; name their folders with --syzygy or the variable SYZYGY_PATH")];
    };
    let tables = Tablebase::open(&folders(path));
    let (wdl, dtz) = tables.files();
    let mut diagnoses = Vec::new();
    if wdl + dtz == 0 {
        let text = format!("there are no tables in {}", path.display());
        diagnoses.push(Diagnosis::fault(text, "name the folder that holds the files *.rtbw and *.rtbz"));
    } else {
        diagnoses.push(Diagnosis::good(format!(
            "{wdl} tables with results and {dtz} with distances, up to {} pieces",
            tables.largest()
        )));
    }
    if wdl > dtz {
        let text = format!("tables with results but no distances: {}", wdl - dtz);
        diagnoses.push(Diagnosis::note(text, "won endings may take longer; the files *.rtbz are missing"));
    }
    let names: Vec<_> = tables.names().collect();
    let contradictions: Vec<_> = (0..).zip(&names).filter_map(|(seed, name)| sample(&tables, name, seed)).collect();
    let told = tables.take_faults();
    let told = told.iter().map(|fault| (fault.to_string(), remedy(fault)));
    let faults: Vec<_> = told.chain(contradictions.into_iter().map(|text| (text, REMEDY))).collect();
    if faults.is_empty() && !names.is_empty() {
        diagnoses.push(Diagnosis::good(format!("{SAMPLES} positions of each agree with the positions one move later")));
    }
    diagnoses.extend(faults.iter().take(MAX_FAULTS).map(|(fault, remedy)| Diagnosis::fault(fault, *remedy)));
    if faults.len() > MAX_FAULTS {
        diagnoses.push(Diagnosis::fault(format!("and {} more", faults.len() - MAX_FAULTS), REMEDY));
    }
    diagnoses
}

/// What to do about it: only a damaged file is to be downloaded again.
const fn remedy(fault: &TablebaseFault) -> &'static str {
    match fault {
        TablebaseFault::Folder { .. } => NAME_A_FOLDER,
        TablebaseFault::Unreadable { .. } => "see to it that the file may be read",
        TablebaseFault::NoFile { .. } => "remove what has the name of a table and is none",
        TablebaseFault::Missing { .. } => "download this table, too",
        TablebaseFault::Size { .. } | TablebaseFault::Header { .. } | TablebaseFault::Damaged { .. } => REMEDY,
    }
}

/// Asks a table about some positions. Says what contradicts itself; what cannot be read, the tables tell themselves.
fn sample(tables: &Tablebase, name: &str, seed: u64) -> Option<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..SAMPLES).find_map(|_| {
        let board = (0..TRIES).find_map(|_| place(name, &mut random))?;
        // Distances are asked for, too, so that their file is opened.
        let dtz = tables.dtz(&board);
        let sign = tables.wdl(&board)?.signum();
        let is_sound =
            best_reply(tables, &board).is_none_or(|best| best == sign) && dtz.is_none_or(|dtz| dtz.signum() == sign);
        (!is_sound).then(|| format!("table {name} contradicts itself at {board:?}"))
    })
}

/// The best result that a move reaches: 1 for a win, -1 for a loss. `None` if a table is missing for one of them.
fn best_reply(tables: &Tablebase, board: &Board) -> Option<i32> {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return Some(if board.in_check() { -1 } else { 0 });
    }
    let results = moves.into_iter().map(|mv| Some(-tables.wdl(&board.after(mv))?.signum()));
    results.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The pieces of a table such as `KQvKR` on squares drawn by chance; `None` if that is no position.
fn place(name: &str, random: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let mut setup = Setup::EMPTY;
    if random.random_ratio(1, 2) {
        setup.turn = Color::Black;
    }
    for (letters, color) in name.split('v').zip(Color::ALL) {
        for letter in letters.chars() {
            let square = Square::from_index(random.random_range(0..64));
            let piece = &mut setup.pieces[square as usize];
            if piece.is_some() {
                return None;
            }
            *piece = Some(Piece::new(color, PieceType::from_letter(letter)?));
        }
    }
    Some(Board::from_setup(&setup).ok()?.0)
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::Level;
    use super::*;

    #[test]
    fn pieces_are_placed_as_the_name_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for name in ["KQvK", "KRPvKN", "KPvKP"] {
            let boards: Vec<_> = (0..TRIES).filter_map(|_| place(name, &mut random)).collect();
            assert!(boards.len() > SAMPLES, "{name}");
            assert!(boards.iter().all(|board| Tablebase::name_for(board) == name), "{name}");
            assert!([Color::White, Color::Black].iter().all(|&turn| boards.iter().any(|board| board.turn() == turn)));
        }
    }

    #[test]
    fn no_tables_are_no_fault_unless_they_were_named() {
        for path in [None, Some(OsStr::new(""))] {
            let diagnoses = examine(path);
            assert!(diagnoses.len() == 1 && diagnoses[0].level == Level::Good, "{diagnoses:?}");
        }
        let diagnoses = examine(Some(OsStr::new("/no/such/folder")));
        assert!(diagnoses.iter().all(|diagnosis| diagnosis.level == Level::Fault), "{diagnoses:?}");
        assert!(
            diagnoses.iter().any(|diagnosis| diagnosis.text.starts_with("cannot list /no/such/folder")),
            "{diagnoses:?}"
        );
        assert!(
            diagnoses.iter().all(|diagnosis| !diagnosis.remedy.as_ref().unwrap().contains("download")),
            "{diagnoses:?}"
        );
    }
}
