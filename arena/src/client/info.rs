//! What an engine says of its search.

use pgn::EngineScore;

/// One line of an engine's thoughts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Full plies searched.
    pub depth: Option<u32>,
    /// For the side to move.
    pub score: Option<EngineScore>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// The rank of the line, from 1; `None` if the engine shows one only.
    pub multi_pv: Option<u32>,
    /// The line, as the engine writes it.
    pub pv: Vec<String>,
}

/// What follows `info`; numbers that are none are left out.
pub(super) fn read_info<'a>(mut words: impl Iterator<Item = &'a str>) -> Info {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
            "multipv" => info.multi_pv = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let (kind, value) = (words.next(), words.next().and_then(|word| word.parse().ok()));
                info.score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(EngineScore::Centipawns(value)),
                    (Some("mate"), Some(value)) => Some(EngineScore::Mate(value)),
                    _ => None,
                };
            }
            "pv" => info.pv = words.by_ref().take(256).map(str::to_owned).collect(),
            "string" => break,
            _ => {}
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_read() {
        let info = read_info("depth 12 seldepth 20 multipv 2 score cp -35 lowerbound nodes 99 pv e2e4 e7e5".split(' '));
        assert_eq!((info.depth, info.multi_pv, info.nodes), (Some(12), Some(2), Some(99)));
        assert_eq!(
            (info.score, info.pv),
            (Some(EngineScore::Centipawns(-35)), vec!["e2e4".to_owned(), "e7e5".to_owned()])
        );
        assert_eq!(read_info("score mate -3".split(' ')).score, Some(EngineScore::Mate(-3)));
        for text in
            ["", "score", "score cp", "score cp x depth", "depth -1 nodes 99999999999999999999", "string score cp 1"]
        {
            assert_eq!(read_info(text.split_ascii_whitespace()), Info::default(), "{text}");
        }
    }
}
