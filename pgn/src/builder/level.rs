//! What a word does to the line of moves that is being read: it plays a move, begins or ends a variation, or ends the line.

use movegen::{Board, Color, MoveError};

use super::{Builder, Level, say};
use crate::comment;
use crate::cut::{Cut, Scope};
use crate::fault::LineFault;
use crate::letters::Letters;
use crate::limit::PgnLimit;
use crate::remark::RemarkKind;
use crate::sign::first_sign;
use crate::tree::{NodeId, play};
use crate::word::{Word, is_two_zeros, moves_within};

impl Builder {
    pub(super) fn take_here(&mut self, word: &Word<'_>, text: &str, line: u64) {
        let result = match *word {
            Word::Move(_, text) => self.take_move(word, line).or_else(|fault| self.take_within(text, line, fault)),
            Word::Pass => self.take_move(word, line),
            Word::Number { number, dots } => self.take_number(number, dots, line),
            Word::Nag(nag) => self.take_nag(nag),
            Word::Foreign(text) if text.starts_with(Letters::begin_a_piece) => {
                self.note_letter(word);
                Err(LineFault::Move(MoveError::Malformed { text: shortened(text) }))
            }
            Word::Foreign(text) | Word::Garbled(text) => {
                let fault = MoveError::Malformed { text: shortened(text) };
                self.take_within(text, line, fault.into())
            }
            Word::Descriptive(text) => Err(LineFault::Descriptive(shortened(text))),
            Word::End(_, text) if let Some((nag, _)) = first_sign(text) => self.take_nag(nag),
            Word::Unknown(text) | Word::End(_, text) => {
                let fault = MoveError::Malformed { text: shortened(text) };
                self.take_within(text, line, fault.into()).or_else(|_| {
                    self.keep_unread(text, line);
                    Ok(())
                })
            }
            Word::Open => self.open_variation(line),
            Word::Close => {
                self.close_variation();
                Ok(())
            }
            Word::Noise | Word::Comment | Word::LineComment | Word::Bracket => Ok(()),
        };
        if let Err(fault) = result {
            let unread = self.here.as_mut().and_then(|here| here.unread.take());
            let (line, fault) = match (unread, fault) {
                // The word before it may have been the move that is missing.
                (Some(unread), LineFault::Move(_)) => {
                    (unread.0, LineFault::Move(MoveError::Malformed { text: unread.1 }))
                }
                (_, fault) => (line, fault),
            };
            self.cut_line(line, fault);
            if let Some(cut) = &mut self.cut {
                cut.take(word, text);
            }
        }
    }

    /// Notes a letter of pieces that the language lacks.
    pub(super) fn note_letter(&mut self, word: &Word<'_>) {
        if let Word::Foreign(text) = word {
            let letter = text.chars().find(|letter| letter.is_uppercase());
            self.foreign.extend(letter.filter(|letter| !self.foreign.contains(*letter)));
        }
    }

    fn take_nag(&mut self, nag: u8) -> Result<(), LineFault> {
        match (&mut self.tree, &self.here) {
            (Some(tree), Some(here)) if !here.is_fresh => tree.node_mut(here.at).nags.push(nag),
            _ => self.nags.push(nag),
        }
        Ok(())
    }

    fn take_move(&mut self, word: &Word<'_>, line: u64) -> Result<(), LineFault> {
        let (Some(tree), Some(here)) = (&mut self.tree, &mut self.here) else { return Ok(()) };
        let (mv, text) = match *word {
            Word::Move(san, text) => (Some(here.board.find_san(san, text)?), text),
            _ if here.board.in_check() => return Err(LineFault::PassInCheck),
            _ => (None, ""),
        };
        // A variation before the first move is an alternative to it.
        let is_main = here.is_fresh && self.around.is_empty();
        let added = if is_main { tree.add_main(here.at, mv) } else { tree.add(here.at, mv) };
        let at = added.ok_or(LineFault::Limit(PgnLimit::Moves))?;
        here.before = here.board;
        play(&mut here.board, mv);
        (here.at, here.is_fresh) = (at, false);
        let unread = here.unread.take();
        let node = tree.node_mut(at);
        if !self.prelude.is_empty() {
            node.prelude = std::mem::take(&mut self.prelude);
        }
        if !self.nags.is_empty() {
            node.nags = std::mem::take(&mut self.nags);
        }
        if is_two_zeros(text) && self.around.is_empty() {
            self.zeros = Some(at);
        }
        let is_mate = |board: &Board| board.in_check() && !board.has_legal_move();
        if text.ends_with('#') && !is_mate(&here.board) {
            self.remark(line, at, RemarkKind::NoMate { text: shortened(text) });
        }
        self.tell_unread(unread);
        Ok(())
    }

    /// Plays the moves within a word that is none by itself; the fault of that word if there are none either.
    fn take_within(&mut self, text: &str, line: u64, fault: LineFault) -> Result<(), LineFault> {
        let moves = self.here.as_ref().and_then(|here| moves_within(text, &here.board, self.letters));
        let moves = moves.ok_or(fault)?;
        let words: Vec<_> = moves.iter().map(|(_, text)| &text[..]).collect();
        let kind = RemarkKind::ReadAs { text: shortened(text), moves: words.join(" ") };
        for (san, text) in &moves {
            self.take_move(&Word::Move(*san, text), line)?;
        }
        if !std::mem::replace(&mut self.has_told.reading, true) {
            self.remark(line, self.place(), kind);
        }
        Ok(())
    }

    /// Compares a number with the move that is next. A number that goes on too far shows that a word before it was a move.
    fn take_number(&mut self, number: u32, dots: usize, line: u64) -> Result<(), LineFault> {
        let Some(here) = &mut self.here else { return Ok(()) };
        let next = i64::from(here.board.fullmove_number());
        let difference = i64::from(number) - next;
        let is_whites = here.board.turn() == Color::White;
        let expected = here.offset.unwrap_or(difference);
        here.offset = Some(difference);
        let is_of_other_side = dots == 1 && !is_whites && difference == expected + 1 || dots > 1 && is_whites;
        if (difference != expected || is_of_other_side)
            && let Some(unread) = here.unread.take()
        {
            let fault = MoveError::Malformed { text: unread.1.clone() };
            here.unread = Some(unread);
            return Err(fault.into());
        }
        if difference > expected && self.around.is_empty() && !std::mem::replace(&mut self.has_odd_numbers, true) {
            let node = here.at;
            let expected = u32::try_from(next + expected).unwrap_or_default();
            self.remark(line, node, RemarkKind::Numbers { expected, found: number });
        }
        Ok(())
    }

    /// Keeps a word as a comment.
    fn keep_unread(&mut self, text: &str, line: u64) {
        let (Some(tree), Some(here)) = (&mut self.tree, &mut self.here) else { return };
        if here.is_fresh && !self.around.is_empty() {
            comment::append(&mut self.prelude, text);
        } else {
            say(tree, &mut self.unfinished, here.at, text);
        }
        here.unread.get_or_insert_with(|| Box::new((line, shortened(text))));
    }

    fn open_variation(&mut self, line: u64) -> Result<(), LineFault> {
        let (Some(tree), Some(here)) = (&self.tree, &self.here) else { return Ok(()) };
        let limit = if self.around.len() >= PgnLimit::Nesting.most() {
            Some(PgnLimit::Nesting)
        } else {
            (self.variations >= PgnLimit::Variations.most()).then_some(PgnLimit::Variations)
        };
        if let Some(limit) = limit {
            let (node, fault) = (here.at, LineFault::Limit(limit));
            self.remark(line, node, RemarkKind::Variation(fault.clone()));
            self.cut = Some(Cut::new(line, node, fault, self.remarks.len(), Scope::Unopened));
            return Ok(());
        }
        self.variations += 1;
        // Before any move, and before the first of a variation, it is one more alternative to the same move.
        let (at, board) = if here.is_fresh {
            (here.at, here.board)
        } else {
            (tree.parent(here.at).unwrap_or(NodeId::ROOT), here.before)
        };
        let inner = Level { at, board, before: board, is_fresh: true, line, offset: None, unread: None };
        self.around.extend(self.here.replace(inner));
        Ok(())
    }

    pub(super) fn close_variation(&mut self) {
        let Some(outer) = self.around.pop() else { return };
        let Some(inner) = self.here.replace(outer) else { return };
        self.tell_unread(inner.unread);
        let is_around_fresh = self.here.as_ref().is_some_and(|here| here.is_fresh) && !self.around.is_empty();
        // A variation of nothing but words and signs: they are kept with the move it stands after, or for the next one where it
        // stands in a variation that has none yet either.
        if inner.is_fresh && !is_around_fresh {
            let words = std::mem::take(&mut self.prelude);
            let (Some(tree), Some(here)) = (&mut self.tree, &self.here) else { return };
            say(tree, &mut self.unfinished, here.at, &words);
            if !here.is_fresh {
                tree.node_mut(here.at).nags.append(&mut self.nags);
            }
        }
    }

    /// Says of the first word that is no move that it is kept as a comment.
    pub(super) fn tell_unread(&mut self, unread: Option<Box<(u64, String)>>) {
        let Some((line, text)) = unread.map(|unread| *unread) else { return };
        if !std::mem::replace(&mut self.has_told.word, true) {
            let node = self.place();
            self.remark(line, node, RemarkKind::Word(text));
        }
    }

    /// Ends a line of moves.
    pub(super) fn cut_line(&mut self, line: u64, fault: LineFault) {
        let Some(here) = &self.here else { return };
        let node = if here.is_fresh { self.around.last().unwrap_or(here).at } else { here.at };
        let is_main = self.around.is_empty();
        let kind = if is_main { RemarkKind::MainLine(fault.clone()) } else { RemarkKind::Variation(fault.clone()) };
        let remark = self.remarks.len();
        self.remark(line, node, kind);
        let scope = if is_main { Scope::MainLine } else { Scope::Variation };
        self.cut = Some(Cut::new(line, node, fault, remark, scope));
    }

    /// Puts the rest of a line that was cut into a comment, and ends its variation.
    pub(super) fn close_cut(&mut self) {
        let Some(cut) = self.cut.take() else { return };
        if cut.scope == Scope::Variation {
            self.close_variation();
        }
        if let Some(tree) = &mut self.tree
            && !cut.is_limit()
        {
            say(tree, &mut self.unfinished, cut.node, &cut.text());
        }
    }
}

/// The first letters of a text of any length.
fn shortened(text: &str) -> String {
    text.chars().take(32).collect()
}
