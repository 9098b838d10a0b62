//! The end of a game that is being read: its result, what is left open, and what is to be said.

use movegen::{Color, GameResult};

use super::{Builder, Ending, say};
use crate::comment;
use crate::cut::{Cut, Scope};
use crate::fault::{LineFault, PgnError};
use crate::game::PgnGame;
use crate::remark::{Remark, RemarkKind};
use crate::result::{End, read_result_tag};
use crate::sign::first_sign;
use crate::time::settle_clocks;
use crate::tree::NodeId;
use crate::word::Word;

/// As the last word of a game in which nobody can castle, or in which the tag says so too.
const BOTH_LOST: End = End { result: Some(GameResult::BothLose), is_forfeit: false, is_odd: false };

impl Builder {
    /// Whether no move was in the way of reading all others.
    pub fn has_read_all_moves(&self) -> bool {
        let pending = self.cut.as_ref().filter(|cut| cut.is_result_sign() || cut.is_both_lost()).map(|cut| cut.remark);
        let is_move = |remark: &Remark| {
            matches!(remark.kind, RemarkKind::MainLine(LineFault::Move(_)) | RemarkKind::Variation(LineFault::Move(_)))
        };
        self.remarks.iter().enumerate().all(|(index, remark)| Some(index) == pending || !is_move(remark))
    }

    /// The game, or what is wrong with it; `None` if there was neither a tag nor a move. `line` is where it ends.
    pub fn finish(mut self, line: u64) -> Option<Result<PgnGame, PgnError>> {
        if let Some(comment) = &self.comment
            && self.start == 0
        {
            self.start = comment.line;
        }
        if self.start == 0 {
            return None;
        }
        self.leave_comment_open();
        self.open_tree(line);
        if let Some(error) = self.broken {
            return Some(Err(error));
        }
        let tag = self.tags.get("Result").and_then(read_result_tag);
        self.settle_early_end();
        self.read_both_lost(tag, line);
        self.end_lines(tag);
        if !self.letters().are_english() {
            let kind = RemarkKind::Language(self.letters().name);
            self.remark(self.start, NodeId::ROOT, kind);
        }
        let mut tree = self.tree.take()?;
        // A variation before a first move that never came is the main line.
        if let Some(first) = tree.main_child(NodeId::ROOT) {
            let prelude = std::mem::take(&mut tree.node_mut(first).prelude);
            say(&mut tree, &mut self.unfinished, NodeId::ROOT, &prelude);
        }
        for &id in &self.unfinished {
            comment::take_commands(tree.node_mut(id));
        }
        settle_clocks(&self.tags, &mut tree);
        let mut game = PgnGame::new(tree);
        (game.tags, game.remarks) = (self.tags, self.remarks);
        settle_result(&mut game, tag, self.end);
        game.remarks.sort_by_key(|remark| remark.line);
        // A sign alone, as `--` is, is no game either.
        let has_moves = game.tree.ids().any(|id| game.tree.node(id).mv.is_some());
        if game.tags.is_empty() && !has_moves {
            let is_telling = |remark: &Remark| remark.is_loss() && remark.kind != RemarkKind::OpenVariation;
            let loss = game.remarks.into_iter().find(is_telling)?;
            return loss.into_error(self.start).map(Err);
        }
        Some(Ok(game))
    }

    /// Whether a word behind a result is still of this game: the number of the move that is next or, if moves have numbers
    /// at all, a move that can be played, or a variation in the same line.
    pub(super) fn goes_on(&self, word: &Word<'_>, line: u64) -> bool {
        let Some(here) = self.here.as_ref().filter(|here| here.at != NodeId::ROOT && self.cut.is_none()) else {
            return false;
        };
        let Some(offset) = here.offset else { return false };
        match *word {
            Word::Number { number, dots } => {
                let is_of_side = dots == 0 || (dots == 1) == (here.board.turn() == Color::White);
                is_of_side && i64::from(number) == i64::from(here.board.fullmove_number()) + offset
            }
            Word::Move(san, text) => here.board.find_san(san, text).is_ok(),
            Word::Open => self.end.as_ref().is_some_and(|end| end.line == line),
            _ => false,
        }
    }

    /// Takes the result for a sign, as `+--` may be one, or keeps it for the case that no other comes.
    pub(super) fn go_on(&mut self) {
        let Some(ending) = self.end.take() else { return };
        match first_sign(&ending.text) {
            Some((nag, _)) => {
                if let (Some(tree), Some(here)) = (&mut self.tree, &self.here) {
                    tree.node_mut(here.at).nags.push(nag);
                }
            }
            None => self.early_end = Some(ending),
        }
    }

    /// A result before the last moves counts if no other comes after them; else it is kept as a comment.
    fn settle_early_end(&mut self) {
        let Some(early) = self.early_end.take() else { return };
        match &self.end {
            Some(end) if (end.end.result.is_some() || end.end.is_odd) && end.end != early.end => {
                let Some(tree) = &mut self.tree else { return };
                let last = tree.last_main();
                say(tree, &mut self.unfinished, last, &early.text);
            }
            _ => self.end = Some(early),
        }
    }

    /// Takes `0-0` at the end for a result, where it cannot be castling or the tag says so.
    fn read_both_lost(&mut self, tag: Option<End>, line: u64) {
        if self.end.as_ref().is_some_and(|ending| ending.end.result.is_some() || ending.end.is_odd) {
            return;
        }
        if let Some(cut) = self.cut.take_if(|cut| cut.scope == Scope::MainLine && cut.is_both_lost()) {
            self.forget(&cut);
            self.end = Some(Ending { end: BOTH_LOST, text: "0-0".to_owned(), line: cut.line });
        } else if let Some(id) = self.zeros
            && tag.is_some_and(|tag| tag.result == Some(GameResult::BothLose))
            && self.take_back(id)
        {
            self.end = Some(Ending { end: BOTH_LOST, text: "0-0".to_owned(), line });
        }
    }

    /// Takes back the last move of the main line, if nothing comes after it, not even what cannot be read, and nothing is said of
    /// it; whether it did.
    fn take_back(&mut self, id: NodeId) -> bool {
        let (Some(tree), Some(here)) = (&mut self.tree, &mut self.here) else { return false };
        let is_last = here.at == id && self.cut.is_none() && self.remarks.iter().all(|remark| remark.node != id);
        let parent = tree.parent(id);
        if !is_last || !tree.pop_plain(id) {
            return false;
        }
        here.at = parent.unwrap_or(NodeId::ROOT);
        true
    }

    /// Takes back what was said of a cut, which is none. It may not have been, if there was too much to be said.
    fn forget(&mut self, cut: &Cut) {
        if cut.remark < self.remarks.len() {
            self.remarks.remove(cut.remark);
        }
    }

    /// Ends what is open.
    fn end_lines(&mut self, tag: Option<End>) {
        let ends = [tag, self.end.as_ref().map(|ending| ending.end)];
        let is_finished = ends.into_iter().flatten().any(|end| end.result.is_some() || end.is_odd);
        if is_finished && let Some(cut) = self.cut.take_if(|cut| cut.scope == Scope::MainLine && cut.is_result_sign()) {
            self.forget(&cut);
            let Some(tree) = &mut self.tree else { return };
            say(tree, &mut self.unfinished, cut.node, &cut.sign_text());
        }
        let open = if self.around.is_empty() { None } else { self.around.get(1).or(self.here.as_ref()) };
        let open = open.map(|level| (level.line, level.at));
        self.close_cut();
        while !self.around.is_empty() {
            self.close_variation();
        }
        let unread = self.here.as_mut().and_then(|here| here.unread.take());
        self.tell_unread(unread);
        if let Some((line, node)) = open {
            self.remark(line, node, RemarkKind::OpenVariation);
        }
    }
}

/// Sets the result by the tag, or else by the last word. Where they disagree, or the last word says more, that is kept in a
/// comment.
fn settle_result(game: &mut PgnGame, tag: Option<End>, ending: Option<Ending>) {
    let says = |end: &End| end.result.is_some() || end.is_odd;
    let tag = tag.filter(says);
    let end = ending.as_ref().map(|ending| ending.end).filter(says);
    game.result = tag.or(end).and_then(|end| end.result);
    game.is_forfeit = [tag, end].into_iter().flatten().any(|end| end.is_forfeit && end.result == game.result);
    let (Some(Ending { text, line, .. }), Some(end)) = (ending, end) else { return };
    let Some(said) = game.tags.get("Result").map(str::to_owned) else {
        if end.is_odd {
            game.tags.set("Result", text);
        }
        return;
    };
    let differs = tag.is_some_and(|tag| tag.result != end.result);
    let last = game.tree.last_main();
    if tag.is_none() && end.result == Some(GameResult::BothLose) {
        // Only the tag can say so where `0-0` is castling.
        if !["", "?", "*"].contains(&said.trim()) {
            // What would end the comment, or be a command in it.
            let said = said.replace('}', ")").replace("[%", "[ %");
            comment::append(&mut game.tree.node_mut(last).comment, &format!("The tag Result says {said}."));
        }
        game.tags.set("Result", text);
        return;
    }
    if differs || end.is_odd && tag != Some(end) {
        comment::append(&mut game.tree.node_mut(last).comment, &format!("The moves end with {text}."));
    }
    if differs {
        let kind = RemarkKind::Results { tag: said, end: text };
        game.remarks.push(Remark { line, node: last, kind });
    }
}
