//! A game with clocks, refereed by the FIDE Laws: moves in SAN, with the seconds used for each, one a line on standard
//! input. `draw?` claims a draw by repetition or by the fifty-move rule.
//!
//! `printf 'e4 3\ne5 2\nKe2 1\n' | cargo run -p vancura-movegen --example referee`

use std::error::Error;
use std::io;
use std::time::Duration;

use movegen::{Board, Claim, Event, Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let lines: Vec<String> = io::stdin().lines().collect::<Result<_, _>>()?;
    println!("{}", referee("180+2", lines.iter().map(String::as_str))?);
    Ok(())
}

/// How the game ended, or whose turn it is and how much time is left.
fn referee<'a>(time: &str, lines: impl IntoIterator<Item = &'a str>) -> Result<String, Box<dyn Error>> {
    let mut game = Game::new(Board::start(), Rules::timed(time.parse()?));
    for line in lines {
        let event = match line.split_once(' ') {
            None if line == "draw?" => claim(&game),
            None => return Err(format!("expected a move and its seconds: {line:?}").into()),
            Some((san, seconds)) => Event::Move {
                mv: game.board().parse_san(san)?,
                elapsed: Duration::try_from_secs_f64(seconds.trim().parse()?)?,
            },
        };
        if let Some(outcome) = game.apply(event)? {
            return Ok(format!("{} ({outcome})", outcome.result()));
        }
    }
    let turn = game.board().turn();
    let left = game.allowance().map_or(0.0, |time| time.as_secs_f64());
    Ok(format!("{turn:?} to move, {left} s left"))
}

/// The claim that is correct now, or else one of a repetition, which is then wrong and costs time.
fn claim(game: &Game) -> Event {
    let (claim, intended) = game.claims().first().copied().unwrap_or((Claim::Threefold, None));
    Event::Claim { claim, intended, elapsed: Duration::ZERO }
}

#[test]
fn games_end_by_the_laws() -> Result<(), Box<dyn Error>> {
    let knights = ["Nf3 1", "Nf6 1", "Ng1 1", "Ng8 1"];
    let twice = || knights.into_iter().chain(knights);
    assert_eq!(referee("60", twice())?, "White to move, 56 s left");
    assert_eq!(referee("60", twice().chain(["draw?"]))?, "1/2-1/2 (draw by threefold repetition, claimed)");
    assert_eq!(referee("60", ["f3 1", "e5 1", "g4 1", "Qh4# 1"])?, "0-1 (Black mates)");
    assert_eq!(referee("60+2", ["e4 3", "e5 61"])?, "1-0 (Black runs out of time)");
    assert!(referee("60", ["Ke2 1"]).is_err());
    Ok(())
}
