//! Results as PGN writes them: `1-0`, `0-1`, `1/2-1/2`, and `*` for none.

use movegen::GameResult;

/// The word for a result.
#[must_use]
pub fn result_text(result: Option<GameResult>) -> String {
    result.map_or_else(|| "*".to_owned(), |result| result.to_string())
}

/// The word that ends the moves of a game with a result. Where both players lost that is `*`: `0-0` would be castling.
pub(crate) fn end_of_moves(result: Option<GameResult>) -> String {
    result_text(result.filter(|result| *result != GameResult::BothLose))
}

/// As [`read_result`], with `0-0` besides, which is a result in a tag alone.
pub(crate) fn read_result_tag(text: &str) -> Option<Option<GameResult>> {
    if text == "0-0" { Some(Some(GameResult::BothLose)) } else { read_result(text) }
}

/// The result that one of the four words or a common misspelling stands for; `None` for any other word.
pub(crate) fn read_result(text: &str) -> Option<Option<GameResult>> {
    let text = text.replace(['–', '—', '−'], "-");
    match &text[..] {
        "1-0" => Some(Some(GameResult::WhiteWins)),
        "0-1" => Some(Some(GameResult::BlackWins)),
        "1/2-1/2" | "½-½" | "1/2" | "½" => Some(Some(GameResult::Draw)),
        "*" => Some(None),
        _ => None,
    }
}
