//! Which answer belongs to which `go`, and whether it is right.
//!
//! Refusals and the complaints about marks come from one thread, in the order of the commands, so a refusal is of the
//! first search whose mark has not been seen. The searches that were not refused are answered in their order.

use movegen::{Board, CastlingStyle, Move};

use super::Tally;
use super::script::{Asked, MARK, Script};

/// What the program said about searches.
#[derive(Default)]
struct Heard<'a> {
    /// The numbers of the searches that were refused.
    refused: Vec<usize>,
    /// How many marks were seen.
    marks: usize,
    /// The lines of each search, up to its best move.
    answers: Vec<Vec<&'a str>>,
    /// How many `readyok` there were.
    syncs: usize,
}

/// Judges a transcript.
pub(super) fn judge(script: &Script, lines: &[String]) -> Result<Tally, String> {
    let heard = listen(lines)?;
    // A reader that left has not heard everything.
    let is_complete = script.reader.leaves_after.is_none_or(|count| lines.len() < count);
    let accepted: Vec<_> = (0..script.asked.len()).filter(|number| !heard.refused.contains(number)).collect();
    if is_complete && (heard.marks, heard.syncs) != (script.asked.len(), script.syncs) {
        return Err(format!(
            "{} of {} marks, {} of {} syncs",
            heard.marks,
            script.asked.len(),
            heard.syncs,
            script.syncs
        ));
    }
    if heard.answers.len() > accepted.len() || is_complete && heard.answers.len() != accepted.len() {
        return Err(format!("{} best moves for {} searches", heard.answers.len(), accepted.len()));
    }
    // Whether a search was refused is only known once its mark was seen.
    let known = accepted.iter().filter(|&&number| is_complete || number < heard.marks);
    for (&number, answer) in known.zip(&heard.answers) {
        check(&script.asked[number], answer).map_err(|fault| format!("go {number}: {fault}"))?;
    }
    Ok(Tally {
        episodes: 1,
        lines: script.steps.iter().map(|step| step.text.lines().count() as u64).sum(),
        answered: heard.answers.len() as u64,
        refused: heard.refused.len() as u64,
    })
}

fn listen(lines: &[String]) -> Result<Heard<'_>, String> {
    let mut heard = Heard::default();
    let mut answer = Vec::new();
    let mark = format!("info string error: unknown command \"{MARK}");
    for line in lines {
        if let Some(rest) = line.strip_prefix(&mark) {
            if rest.split('"').next() != Some(&heard.marks.to_string()) {
                return Err(format!("mark {} was expected: {line}", heard.marks));
            }
            heard.marks += 1;
        } else if line.starts_with("info string error: `go` ignored") {
            heard.refused.push(heard.marks);
        } else if line == "readyok" {
            heard.syncs += 1;
        } else if line.starts_with("info depth ") {
            answer.push(line.as_str());
        } else if line.starts_with("bestmove ") {
            answer.push(line);
            heard.answers.push(std::mem::take(&mut answer));
        }
    }
    Ok(heard)
}

/// Checks what was said about a search.
fn check(asked: &Asked, answer: &[&str]) -> Result<(), String> {
    let (best, lines) = answer.split_last().ok_or("no answer")?;
    let words: Vec<_> = best.split(' ').collect();
    let Some(board) = asked.board.filter(|_| !asked.allowed.is_empty()) else {
        return if words[1..] == ["(none)"] { Ok(()) } else { Err(format!("{best} without a move")) };
    };
    for line in lines {
        let moves = line.split_once(" pv ").map(|(_, moves)| moves.split(' ').collect()).unwrap_or_default();
        follow(board, asked.style, moves).map_err(|mv| format!("{mv} is illegal: {line}"))?;
    }
    let mv = find(&board, asked.style, words[1]).filter(|mv| asked.allowed.contains(mv));
    mv.ok_or_else(|| format!("{best} in {board:?}"))?;
    match words[2..] {
        [] => Ok(()),
        ["ponder", reply] => {
            follow(board, asked.style, vec![words[1], reply]).map_err(|mv| format!("{mv} is illegal: {best}"))
        }
        _ => Err(format!("{best} is malformed")),
    }
}

/// Plays moves; the first that is illegal is the error.
fn follow(mut board: Board, style: CastlingStyle, moves: Vec<&str>) -> Result<(), String> {
    for word in moves {
        let mv = find(&board, style, word).ok_or(word)?;
        board.play(mv, &mut ());
    }
    Ok(())
}

fn find(board: &Board, style: CastlingStyle, word: &str) -> Option<Move> {
    board.legal_moves().into_iter().find(|mv| mv.uci(style).to_string() == word)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chaos::script::Reader;

    /// Judges what was said to two searches from the start, of which the second may only play a pawn.
    fn verdict(lines: &[&str]) -> Result<Tally, String> {
        let board = Board::start();
        let asked = |count| Asked {
            board: Some(board),
            allowed: board.legal_moves().iter().copied().take(count).collect(),
            style: CastlingStyle::Standard,
        };
        let reader = Reader { delay: Duration::ZERO, pause: Duration::ZERO, leaves_after: None };
        let script = Script { steps: Vec::new(), asked: vec![asked(20), asked(1)], reader, syncs: 0 };
        judge(&script, &lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
    }

    const MARKS: [&str; 2] =
        ["info string error: unknown command \"mark0\"; x", "info string error: unknown command \"mark1\"; x"];
    const REFUSAL: &str = "info string error: `go` ignored: a search is running";

    #[test]
    fn a_refusal_is_of_the_search_whose_mark_follows() {
        let tally = verdict(&[
            MARKS[0],
            REFUSAL,
            MARKS[1],
            "info depth 1 score cp 0 pv e2e4 e7e5",
            "bestmove e2e4 ponder e7e5",
        ]);
        assert_eq!(tally.map(|tally| (tally.answered, tally.refused)), Ok((1, 1)));
        // The best move came before the refusal that it made needless was written.
        assert!(verdict(&[MARKS[0], "bestmove e2e4", REFUSAL, MARKS[1]]).is_ok());
    }

    #[test]
    fn what_is_wrong_is_found() {
        let first = Board::start().legal_moves()[0].uci(CastlingStyle::Standard).to_string();
        let second = format!("bestmove {first}");
        assert!(verdict(&[MARKS[0], MARKS[1], "bestmove g1f3", &second]).is_ok());
        for lines in [
            &[MARKS[0], MARKS[1], "bestmove g1f3"][..],
            &[MARKS[0], REFUSAL, MARKS[1], "bestmove g1f3", &second],
            &[MARKS[0], MARKS[1], "bestmove g1f4", &second],
            &[MARKS[0], MARKS[1], "bestmove (none)", &second],
            &[MARKS[0], MARKS[1], "bestmove g1f3", "bestmove g1f3"],
            &[MARKS[0], MARKS[1], "bestmove g1f3 ponder g1f3", &second],
            &[MARKS[0], MARKS[1], "info depth 1 score cp 0 pv g1f3 g1f3", "bestmove g1f3", &second],
            &[MARKS[0], "bestmove g1f3", &second],
            &[MARKS[1], MARKS[0], "bestmove g1f3", &second],
        ] {
            assert!(verdict(lines).is_err(), "{lines:?}");
        }
    }
}
