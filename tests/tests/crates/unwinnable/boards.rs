//! The boards of the fuzz test: random near-blocked ones, and variations of known ones.

use movegen::attacks::king_attacks;
use movegen::{Board, CastlingFlag, CastlingRook, Color, File, Piece, PieceType, Setup, Square};
use tests::play::Random;

/// Positions to be changed at random, including pawn chains of all kinds.
pub const SEEDS: [&str; 24] = [
    "8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50",
    "8/8/8/p2p2p1/P1pP2P1/1KP5/8/1k6 w - - 0 1",
    "5b2/8/7p/5p1P/5p1K/5Pp1/5bP1/5kb1 b - - 0 1",
    "7k/6pP/6P1/6b1/8/5K2/8/8 b - - 0 1",
    "1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 41",
    "8/1p6/1PpBp1p1/k1P1P1P1/p1P5/P7/5K2/8 w - - 0 1",
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "Bb1k1b2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 w - - 0 1",
    "2b5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 b - - 46 59",
    "8/p1p1p3/6p1/6P1/6PK/P5PP/2P1P3/k7 w - - 0 1",
    "8/8/p3k3/P1p2p1p/2P1KP1P/2P5/8/8 w - - 0 43",
    "3b1b2/3k4/2ppp3/3p4/1p1K1p1p/bP1P1P1P/8/1B3B2 w - - 0 1",
    "7B/1b6/3k4/1p1p4/1P1Pp1p1/1pppP1P1/2p5/2K2b2 b - - 0 1",
    "6k1/1ppp1p2/2b2Pp1/1pKp1pP1/1P1P1P2/8/8/B1B1B1B1 b - - 0 1",
    "8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
    "1bB5/k7/B7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1",
    "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/8/8/1B2b2B b - - 0 1",
    "k6B/1b4B1/2b2B2/4B3/3B4/1pB1B3/pP1B4/K7 w - - 0 1",
    "2b1b2k/1p5b/1Pp5/2Pp1b2/3Pp3/B3Pp1b/5P2/K1B1B3 w - - 0 1",
    "1bB5/k7/R5r1/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1",
    "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
    "8/2p3pP/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 w - - 0 3",
    "K1k5/P1Pp4/1p1P4/8/p7/P2P4/8/8 w - - 0 1",
];

/// A board with a pawn chain, or nearly one, some pieces, often a pawn about to promote and kings in niches of the
/// chain, and now and then a king and rook that may castle.
fn near_blocked(random: &mut Random) -> Setup {
    let mut setup = Setup::EMPTY;
    let follows = random.below(4) != 0;
    let gaps = random.pick(&[0, 1, 1, 1]);
    let mut rank = 1 + random.below(4);
    for file in 0..8 {
        if random.below(4) < gaps {
            continue;
        }
        rank = if follows { (rank + random.below(3)).saturating_sub(1).clamp(1, 5) } else { 1 + random.below(5) };
        let gap = if random.below(8) == 0 { 2 } else { 1 };
        if rank + gap < 7 {
            setup.pieces[8 * rank + file] = Some(Piece::WhitePawn);
            setup.pieces[8 * (rank + gap) + file] = Some(Piece::BlackPawn);
        }
    }
    let put = |setup: &mut Setup, piece, random: &mut Random| {
        let pawn = piece == Piece::WhitePawn || piece == Piece::BlackPawn;
        let square = if pawn { 8 + random.below(48) } else { random.below(64) };
        let square = &mut setup.pieces[square];
        *square = square.or(Some(piece));
    };
    for _ in 0..random.below(3) {
        let pawn = random.pick(&[Piece::WhitePawn, Piece::BlackPawn]);
        put(&mut setup, pawn, random);
    }
    for color in Color::ALL {
        for _ in 0..random.pick(&[0, 0, 0, 1, 1, 2, 3]) {
            put(&mut setup, Piece::new(color, PieceType::Bishop), random);
        }
        if random.below(6) == 0 {
            let kind = random.pick(&[PieceType::Knight, PieceType::Rook, PieceType::Queen]);
            put(&mut setup, Piece::new(color, kind), random);
        }
    }
    if random.below(4) == 0 {
        let color = random.pick(&Color::ALL);
        let square = Square::from_index((48 + random.below(8)) as u8).relative_to(color) as usize;
        setup.pieces[square] = setup.pieces[square].or(Some(Piece::new(color, PieceType::Pawn)));
    }
    for color in Color::ALL {
        if random.below(6) == 0 {
            put_castling(&mut setup, color, random);
        } else {
            put_king(&mut setup, color, random);
        }
    }
    setup.turn = random.pick(&Color::ALL);
    setup
}

/// A king anywhere, or where it has little room: then its squares are often filled as well, by pieces that are held.
fn put_king(setup: &mut Setup, color: Color, random: &mut Random) {
    let around = |square: usize| king_attacks(Square::from_index(square as u8)).into_iter().map(|at| at as usize);
    let free: Vec<_> = (0..64).filter(|&square| setup.pieces[square].is_none()).collect();
    let room = |square: usize| around(square).filter(|&at| setup.pieces[at].is_none()).count();
    let in_nook = random.below(3) != 0;
    let tries = if in_nook { 12 } else { 1 };
    let Some(king) = (0..tries).map(|_| random.pick(&free)).min_by_key(|&square| room(square)) else { return };
    setup.pieces[king] = Some(Piece::new(color, PieceType::King));
    if !in_nook || random.below(2) == 0 {
        return;
    }
    for at in around(king) {
        let kinds = [PieceType::Pawn, PieceType::Pawn, PieceType::Pawn, PieceType::Bishop, PieceType::Knight];
        let piece = Piece::new(if random.below(4) == 0 { !color } else { color }, random.pick(&kinds));
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        let can_stand = setup.pieces[at].is_none() && (!is_pawn || (8..56).contains(&at));
        if !can_stand || random.below(6) == 0 {
            continue;
        }
        setup.pieces[at] = Some(piece);
        let ahead = if piece.color() == Color::White { at + 8 } else { at.wrapping_sub(8) };
        if is_pawn && (8..56).contains(&ahead) && random.below(4) != 0 {
            setup.pieces[ahead] = setup.pieces[ahead].or(Some(Piece::new(!piece.color(), PieceType::Pawn)));
        }
    }
}

/// A king and a rook that may castle, most often behind a row of their pawns.
fn put_castling(setup: &mut Setup, color: Color, random: &mut Random) {
    let king = 1 + random.below(6);
    let rook = if random.below(2) == 0 { random.below(king) } else { king + 1 + random.below(7 - king) };
    let at = |file: usize, rank: usize| Square::from_index((8 * rank + file) as u8).relative_to(color) as usize;
    setup.pieces[at(king, 0)] = Some(Piece::new(color, PieceType::King));
    setup.pieces[at(rook, 0)] = Some(Piece::new(color, PieceType::Rook));
    setup.castling.push(CastlingFlag { color, rook: CastlingRook::On(File::ALL[rook]) });
    let pawn = Some(Piece::new(color, PieceType::Pawn));
    let mut pawns = setup.pieces.iter().filter(|&&piece| piece == pawn).count();
    for file in 0..8 {
        if pawns < 8 && setup.pieces[at(file, 1)].is_none() && random.below(3) != 0 {
            setup.pieces[at(file, 1)] = pawn;
            pawns += 1;
        }
    }
}

/// Another board with some pieces taken off, added or moved a little.
fn mutated(board: &Board, random: &mut Random) -> Setup {
    let mut setup = Setup { turn: board.turn(), ..Setup::EMPTY };
    Square::ALL.into_iter().for_each(|square| setup.pieces[square as usize] = board.piece_on(square));
    for _ in 0..1 + random.below(3) {
        let square = random.below(64);
        match random.below(7) {
            0 if setup.pieces[square].is_some_and(|piece| piece.piece_type() != PieceType::King) => {
                setup.pieces[square] = None
            }
            1 if setup.pieces[square].is_none() => {
                let piece = random.pick(&Piece::ALL);
                let pawn = random.pick(&[Piece::WhitePawn, Piece::BlackPawn]);
                let wants_pawn = random.below(2) == 0 || piece.piece_type() == PieceType::King;
                setup.pieces[square] = Some(if wants_pawn { pawn } else { piece });
            }
            2 | 3 => {
                let pieces: Vec<_> = (0..64).filter(|&square| setup.pieces[square].is_some()).collect();
                let from = random.pick(&pieces);
                let to = from.wrapping_add_signed(random.pick(&[1, -1, 8, -8, 7, -7, 9, -9, 16, -16])) % 64;
                if setup.pieces[to].is_none() {
                    setup.pieces[to] = setup.pieces[from].take();
                }
            }
            4 => setup.turn = !setup.turn,
            5 => {
                // Another piece in its place.
                let kinds = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
                let piece = Piece::new(random.pick(&Color::ALL), random.pick(&kinds));
                let pieces: Vec<_> = (0..64).filter(|&square| setup.pieces[square].is_some()).collect();
                let square = random.pick(&pieces);
                if setup.pieces[square].is_some_and(|old| old.piece_type() != PieceType::King) {
                    setup.pieces[square] = Some(piece);
                }
            }
            6 => {
                // A pawn about to promote.
                let color = random.pick(&Color::ALL);
                let square = Square::from_index((48 + random.below(8)) as u8).relative_to(color) as usize;
                setup.pieces[square] = setup.pieces[square].or(Some(Piece::new(color, PieceType::Pawn)));
            }
            _ => {}
        }
    }
    setup
}

/// Takes a king to its back rank, where it may castle.
fn take_home(setup: &mut Setup, color: Color, random: &mut Random) {
    setup
        .pieces
        .iter_mut()
        .filter(|piece| **piece == Some(Piece::new(color, PieceType::King)))
        .for_each(|piece| *piece = None);
    put_castling(setup, color, random);
}

/// Lets a pawn of the side not to move have just passed one that may take it, where the fewest pieces must change.
fn let_pass(setup: &mut Setup, random: &mut Random) {
    let turn = setup.turn;
    let at = |file: usize, rank: usize| Square::from_index((8 * rank + file) as u8).relative_to(turn) as usize;
    let pieces = [Some(Piece::new(!turn, PieceType::Pawn)), None, None, Some(Piece::new(turn, PieceType::Pawn))];
    let is_king = |piece: Option<Piece>| piece.is_some_and(|piece| piece.piece_type() == PieceType::King);
    let places = (0..7).flat_map(|file| [(file, file + 1), (file + 1, file)]);
    let places = places.map(|(file, beside)| [at(file, 4), at(file, 5), at(file, 6), at(beside, 4)]);
    let free = places.filter(|squares| squares.iter().all(|&square| !is_king(setup.pieces[square])));
    let changes = |squares: &[usize; 4]| {
        squares.iter().zip(pieces).filter(|&(&square, piece)| setup.pieces[square] != piece).count()
    };
    let Some(squares) = free.min_by_key(|squares| (changes(squares), random.below(64))) else { return };
    squares.into_iter().zip(pieces).for_each(|(square, piece)| setup.pieces[square] = piece);
    setup.en_passant = Some(Square::from_index(squares[1] as u8));
}

/// Boards to be changed.
#[derive(Clone)]
pub struct Pool {
    pub seeds: Vec<Board>,
    /// What the fuzz has met itself and a side cannot win: their neighbours are where a proof may be wrong.
    pub found: Vec<Board>,
}

impl Pool {
    /// How many are kept of those that the fuzz has met.
    const MAX_FOUND: usize = 512;

    pub fn keep(&mut self, board: Board, random: &mut Random) {
        if self.found.len() < Self::MAX_FOUND {
            self.found.push(board);
        } else {
            self.found[random.below(Self::MAX_FOUND)] = board;
        }
    }

    fn pick(&self, random: &mut Random) -> Board {
        let is_new = !self.found.is_empty() && random.below(3) != 0;
        random.pick(if is_new { &self.found } else { &self.seeds })
    }
}

/// A legal board for the fuzz: near-blocked or known walls, often with castling rights, a pawn that has just passed
/// another, or some moves on, so that there are checks.
pub fn fuzz_board(pool: &Pool, random: &mut Random) -> Board {
    loop {
        let is_new = random.below(3) == 0;
        let mut setup = if is_new { near_blocked(random) } else { mutated(&pool.pick(random), random) };
        if random.below(5) == 0 {
            take_home(&mut setup, random.pick(&Color::ALL), random);
        }
        if random.below(3) == 0 {
            let_pass(&mut setup, random);
        }
        let Ok((mut board, _)) = Board::from_setup(&setup) else { continue };
        let moves = if board.en_passant().is_some() { 0 } else { random.below(4) };
        for _ in 0..moves {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(random.pick(&moves), &mut ());
        }
        return board;
    }
}
