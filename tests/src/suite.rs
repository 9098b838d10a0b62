//! Perft suites: positions and their perft counts.

/// A position with its counts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The position, as the suite writes it.
    pub fen: String,
    /// Depths and their perft counts.
    pub counts: Vec<(u8, u64)>,
}

/// Reads `FEN ;D1 20 ;D2 400`, a position a line.
///
/// # Panics
///
/// If a line is written otherwise.
#[must_use]
pub fn parse_epd(text: &str) -> Vec<Case> {
    let parse = |line: &str| -> Option<Case> {
        let (fen, counts) = line.split_once(';')?;
        let counts = counts.split(';').map(|count| {
            let (depth, nodes) = count.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        });
        Some(Case { fen: fen.trim().to_owned(), counts: counts.collect::<Option<_>>()? })
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a line of a perft suite: {line:?}")))
        .collect()
}

/// Reads paragraphs of `id NAME`, `epd FEN` and a `perft DEPTH NODES` for each depth, with `#` before comments.
///
/// # Panics
///
/// If a line is written otherwise.
#[must_use]
pub fn parse_paragraphs(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let known = match words.next() {
            Some("id") => Some(()),
            Some("epd") => {
                cases.push(Case { fen: words.collect::<Vec<_>>().join(" "), counts: Vec::new() });
                Some(())
            }
            Some("perft") => (|| {
                let depth = words.next()?.parse().ok()?;
                let nodes = words.next()?.parse().ok()?;
                cases.last_mut()?.counts.push((depth, nodes));
                Some(())
            })(),
            _ => None,
        };
        assert!(known.is_some(), "not a line of a perft suite: {line:?}");
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_the_same() {
        let epd = parse_epd("8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2 ;D2 10\n\n");
        let paragraphs = parse_paragraphs("# kings\nid 0\nepd 8/8/8/8/8/8/8/K1k5 w - - 0 1\nperft 1 2\nperft 2 10\n");
        for cases in [epd, paragraphs] {
            assert_eq!(cases.len(), 1);
            assert_eq!(cases[0].fen, "8/8/8/8/8/8/8/K1k5 w - - 0 1");
            assert_eq!(cases[0].counts, [(1, 2), (2, 10)]);
        }
    }

    #[test]
    #[should_panic(expected = "not a line of a perft suite")]
    fn a_broken_count_is_refused() {
        let _ = parse_epd("8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 two");
    }
}
