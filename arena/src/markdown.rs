//! Tables in Markdown whose columns line up, so that they read well on a terminal and in a page.

use std::fmt;

/// Rows of `N` cells below a heading.
pub(crate) struct Table<const N: usize> {
    right: [bool; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with these headings; `<` before one aligns its column to the left, `>` to the right.
    pub fn new(headings: [&str; N]) -> Self {
        let right = headings.map(|heading| heading.starts_with('>'));
        Self { right, rows: vec![headings.map(|heading| heading.trim_start_matches(['<', '>']).to_owned())] }
    }

    pub fn add(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, widths: [usize; N], row: &[String; N]) -> fmt::Result {
        for ((cell, width), right) in row.iter().zip(widths).zip(self.right) {
            if right { write!(f, "| {cell:>width$} ")? } else { write!(f, "| {cell:<width$} ")? }
        }
        f.write_str("|")
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = [0; N];
        for row in &self.rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
        }
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            self.write_row(f, widths, row)?;
            if number == 0 {
                writeln!(f)?;
                for (width, right) in widths.into_iter().zip(self.right) {
                    write!(f, "|-{}{}", "-".repeat(width), if right { ':' } else { '-' })?;
                }
                f.write_str("|")?;
            }
        }
        Ok(())
    }
}
