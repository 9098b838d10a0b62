//! Writing PGN in its export format: tags, an empty line, the moves in lines of less than 80 letters.

use std::fmt::{self, Write};

use movegen::{Board, Color};

use crate::comment;
use crate::game::PgnGame;
use crate::result::{end_of_moves, result_text};
use crate::tree::{Node, NodeId, Tree, play};

/// The longest line, as the standard has it.
const MAX_LINE: usize = 79;

/// The game as a file has it, with an empty line at the end.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.in_export_order() {
            // What the file says of the result stays as it is.
            let result =
                if name == "Result" && self.tags.get(name).is_none() { Some(result_text(self.result)) } else { None };
            write_tag(f, name, result.as_deref().unwrap_or(value))?;
        }
        writeln!(f)?;
        let mut lines = Lines { f, width: 0 };
        write_tree(&mut lines, &self.tree)?;
        lines.word(&end_of_moves(self.result))?;
        f.write_str("\n\n")
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for letter in value.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            letter if letter.is_control() => f.write_char(' ')?,
            letter => f.write_char(letter)?,
        }
    }
    f.write_str("\"]\n")
}

/// Words into lines.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    width: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.width > 0 && self.width + 1 + length > MAX_LINE {
            self.f.write_char('\n')?;
            self.width = 0;
        } else if self.width > 0 {
            self.f.write_char(' ')?;
            self.width += 1;
        }
        self.width += length;
        self.f.write_str(word)
    }

    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.is_empty() {
            return Ok(());
        }
        self.word("{")?;
        let mut rest = text;
        // Looked for once: a text may begin many commands and end none.
        let last_end = text.rfind(']');
        while !rest.is_empty() {
            // A command stays on one line: not every reader looks for its end on the next.
            let is_ended = last_end.is_some_and(|end| end >= text.len() - rest.len());
            let is_command = is_ended && rest.starts_with("[%");
            let start = if is_command { rest.find(']').unwrap_or(0) } else { 0 };
            let end = rest[start..].find(' ').map_or(rest.len(), |length| start + length);
            let word = &rest[..end];
            // At the start of a line, a reader would take this for the next game.
            if word.starts_with("[Event") {
                write!(self.f, " {word}")?;
            } else {
                self.word(word)?;
            }
            rest = rest[end..].trim_start_matches(' ');
        }
        self.word("}")
    }
}

/// What is left to be written.
enum Task {
    /// A move with all that belongs to it, and then its line to the end.
    Line {
        id: NodeId,
        before: Board,
        needs_number: bool,
    },
    /// The variations instead of a move that has been written, and then the moves after it.
    Rest {
        id: NodeId,
        before: Board,
    },
    Open,
    Close,
}

fn write_tree(lines: &mut Lines<'_, '_>, tree: &Tree) -> fmt::Result {
    lines.comment(&comment::written(tree.node(NodeId::ROOT)))?;
    let line = |parent: NodeId, before| tree.main_child(parent).map(|id| Task::Line { id, before, needs_number: true });
    let mut tasks: Vec<_> = line(NodeId::ROOT, *tree.start()).into_iter().collect();
    // Only the first child of a node is followed here with its siblings as variations.
    while let Some(task) = tasks.pop() {
        match task {
            Task::Open => lines.word("(")?,
            Task::Close => lines.word(")")?,
            Task::Line { id, before, needs_number } => {
                let node = tree.node(id);
                write_move(lines, node, &before, needs_number)?;
                tasks.push(Task::Rest { id, before });
            }
            Task::Rest { id, before } => {
                let mut after = before;
                play(&mut after, tree.node(id).mv);
                let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
                let is_main = tree.main_child(parent) == Some(id);
                let mut others: Vec<_> = if is_main { tree.children(parent).skip(1).collect() } else { Vec::new() };
                let is_interrupted = !others.is_empty() || !comment::written(tree.node(id)).is_empty();
                if let Some(next) = tree.main_child(id) {
                    tasks.push(Task::Line { id: next, before: after, needs_number: is_interrupted });
                }
                while let Some(id) = others.pop() {
                    tasks.extend([Task::Close, Task::Line { id, before, needs_number: true }, Task::Open]);
                }
            }
        }
    }
    Ok(())
}

fn write_move(lines: &mut Lines<'_, '_>, node: &Node, before: &Board, needs_number: bool) -> fmt::Result {
    let mut prelude = String::new();
    comment::append(&mut prelude, &node.prelude);
    lines.comment(&prelude)?;
    match before.turn() {
        Color::White => lines.word(&format!("{}.", before.fullmove_number()))?,
        Color::Black if needs_number => lines.word(&format!("{}...", before.fullmove_number()))?,
        Color::Black => {}
    }
    lines.word(&node.mv.map_or_else(|| "--".to_owned(), |mv| before.san(mv)))?;
    node.nags.iter().try_for_each(|nag| lines.word(&format!("${nag}")))?;
    lines.comment(&comment::written(node))
}
