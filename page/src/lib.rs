//! The files of the pages, as parts of a program: the board, and the reports of analysed games.

pub mod pieces;

/// A file of a page.
#[derive(Debug)]
pub struct File {
    /// Its path in this folder, with `/` between the parts: `engine/uci.js`.
    pub name: &'static str,
    /// What it holds.
    pub text: &'static str,
}

/// All files of all pages, as `build.rs` found them, by their names.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// What the file of this name holds.
///
/// # Panics
///
/// If there is no such file. In a constant this is an error of the build.
#[must_use]
pub const fn text(name: &str) -> &'static str {
    let mut index = 0;
    while index < FILES.len() {
        if is_equal(FILES[index].name, name) {
            return FILES[index].text;
        }
        index += 1;
    }
    panic!("no page has a file of this name")
}

/// `==` for constants.
const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        const UCI: &str = text("engine/uci.js");
        assert!(UCI.contains("export ") && text("index.html").starts_with("<!doctype html>"));
        assert!(FILES.len() > 40 && FILES.iter().all(|file| text(file.name) == file.text));
        for apart in ["Cargo.toml", "src/lib.rs", "build.rs", "tsconfig.json", "vendor/README.md"] {
            assert!(FILES.iter().all(|file| file.name != apart), "{apart}");
        }
    }

    #[test]
    #[should_panic(expected = "no page has a file of this name")]
    fn a_name_must_be_whole() {
        let _ = text("engine/uci");
    }
}
