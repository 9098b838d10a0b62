//! Ten thousand games damaged at random, from a seed: bytes changed, lines dropped, files of several encodings joined.
//! Nothing panics, no game is lost that the damage does not touch, and what a changed byte costs is told with its line.

use std::io::Cursor;

use movegen::Board;
use pgn::{PgnGame, PgnReader, Tree, text_of};

const GAMES: usize = 10_000;
/// Games that are stored together, in one encoding.
const PART: usize = 100;

/// S. Vigna's SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// A game of random moves, with comments, clocks, signs and variations.
fn game(number: usize, random: &mut Random) -> PgnGame {
    let mut tree = Tree::new(Board::start());
    let (mut at, mut board) = (pgn::NodeId::ROOT, Board::start());
    for ply in 0..4 + random.below(24) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let next = tree.add(at, Some(mv)).expect("a small game");
        let node = tree.node_mut(next);
        match random.below(8) {
            0 => node.comment = format!("café – {ply}"),
            1 => node.clock = Some(std::time::Duration::from_secs(300 - ply as u64)),
            2 => node.nags.push(1 + random.below(6) as u8),
            3 if moves.len() > 1 => {
                let other = moves.iter().copied().find(|&other| other != mv).expect("another move");
                tree.add(at, Some(other)).expect("a small game");
            }
            _ => {}
        }
        (at, board) = (next, board.after(mv));
    }
    let mut game = PgnGame::new(tree);
    for (name, value) in [("Event", "Été"), ("White", &number.to_string()), ("Black", "B"), ("Result", "1-0")] {
        game.tags.set(name, value);
    }
    game.result = Some(movegen::GameResult::WhiteWins);
    game
}

/// Changes a byte of a game, drops a line of it, or leaves it. Returns what was done.
fn damage(text: &mut String, random: &mut Random) -> Damage {
    match random.below(4) {
        0 => {
            let lines: Vec<_> = text.split_inclusive('\n').collect();
            let dropped = random.below(lines.len());
            let kept = lines.iter().enumerate().filter(|(index, _)| *index != dropped).map(|(_, line)| *line);
            *text = kept.collect();
            Damage::Line
        }
        1 => {
            let at = random.below(text.len());
            // In place of a byte of ASCII, so that the text remains one.
            let letter = char::from(random.below(0x5F) as u8 + b' ');
            if !text.as_bytes()[at].is_ascii() {
                return Damage::None;
            }
            let before = text.as_bytes()[at];
            text.replace_range(at..=at, &letter.to_string());
            // A digit or a dot for a letter makes a number of a move.
            let is_structure = |byte: u8| byte.is_ascii_digit() || b"\n\"[]{}();%*\\$!? .,:-+#=".contains(&byte);
            let is_in_moves = at > text.find("\n\n").unwrap_or(text.len());
            let is_plain = is_in_moves && !is_structure(before) && !is_structure(letter as u8);
            if is_plain { Damage::Letter } else { Damage::Structure }
        }
        _ => Damage::None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Damage {
    None,
    /// A letter of the moves, which is another one now.
    Letter,
    /// A letter that tells parts of a game apart.
    Structure,
    Line,
}

/// A part of the file in one of the encodings that programs write.
fn encoded(text: &str, random: &mut Random) -> Vec<u8> {
    let wide = |text: String, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    match random.below(5) {
        0 => format!("\u{feff}{text}").into_bytes(),
        1 => wide(format!("\u{feff}{text}"), u16::to_le_bytes),
        2 => wide(format!("\u{feff}{text}"), u16::to_be_bytes),
        // Windows-1252, which has all letters used here.
        3 => text.chars().map(|letter| if letter == '–' { 0x96 } else { letter as u8 }).collect(),
        _ => text.as_bytes().to_vec(),
    }
}

#[test]
fn no_game_is_lost_that_the_damage_does_not_touch() {
    let mut random = Random(54);
    let games: Vec<_> = (0..GAMES).map(|number| game(number, &mut random)).collect();
    let mut damages = Vec::with_capacity(GAMES);
    let mut file = Vec::new();
    let mut lines = 0;
    for part in games.chunks(PART) {
        let texts: Vec<_> = part
            .iter()
            .map(|game| {
                let mut text = game.to_string();
                damages.push(damage(&mut text, &mut random));
                text
            })
            .collect();
        let text = texts.concat();
        lines += text.matches('\n').count() as u64;
        file.extend(encoded(&text, &mut random));
    }
    let mut found: Vec<Vec<PgnGame>> = vec![Vec::new(); GAMES];
    let mut told = 0;
    for game in PgnReader::new(text_of(Cursor::new(file)).expect("a text")) {
        match game {
            Ok(game) => {
                assert!(game.remarks.iter().all(|remark| (1..=lines).contains(&remark.line)));
                told += game.remarks.len();
                let number = game.tags.get("White").and_then(|white| white.parse::<usize>().ok());
                if let Some(number) = number.filter(|&number| number < GAMES) {
                    found[number].push(game);
                }
            }
            Err(error) => {
                assert!((1..=lines).contains(&error.line), "{error}");
                told += 1;
            }
        }
    }
    assert!(told > GAMES / 20, "{told}");
    for (number, ((game, found), damage)) in games.iter().zip(&found).zip(&damages).enumerate() {
        match damage {
            Damage::None => {
                let whole: Vec<_> = found.iter().filter(|found| found.tree == game.tree).collect();
                assert_eq!(whole.len(), 1, "game {number}:\n{game}\n{found:?}");
                assert!(
                    whole[0].remarks.is_empty() && whole[0].result == game.result,
                    "{number}: {:?}",
                    whole[0].remarks
                );
            }
            Damage::Letter => {
                assert_eq!(found.len(), 1, "game {number}:\n{game}");
                let plies = [game, &found[0]].map(|game| game.tree.len());
                assert!(plies[1] >= plies[0] || !found[0].remarks.is_empty(), "game {number}:\n{game}\n{}", found[0]);
            }
            // Without its name or with another it is no longer told by it, and a bracket or brace may hide what follows.
            Damage::Structure | Damage::Line => assert!(found.len() <= 2, "game {number}:\n{game}"),
        }
    }
}
