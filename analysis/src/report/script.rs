//! The script of a page: modules of the crate `page`, made one so that the page needs no other file.

/// Of every page, in an order in which each stands after those that it needs when it is loaded.
const MODULES: &[&str] = &[
    page::text("model/words.js"),
    page::text("rules/position.js"),
    page::text("rules/moves.js"),
    page::text("report/unpack.js"),
    page::text("report/game.js"),
    page::text("report/board.js"),
    page::text("report/graph.js"),
    page::text("report/hand.js"),
    page::text("report/copy.js"),
    page::text("report/practice.js"),
    page::text("report/lists.js"),
    page::text("report/viewer.js"),
    page::text("report/overview.js"),
];

/// Of a page with an engine.
const ENGINE: &[&str] = &[page::text("engine/uci.js"), page::text("report/engine.js"), page::text("report/live.js")];

/// What begins it all.
const MAIN: &str = page::text("report/main.js");

/// The script of a page, with an engine or without.
pub(super) fn script(has_engine: bool) -> String {
    let engine = if has_engine { ENGINE } else { &[] };
    MODULES.iter().chain(engine).chain([&MAIN]).map(|module| alone(module)).collect()
}

/// A module without imports and exports. Each of these stands on a line of its own, and no two modules of a page declare
/// the same name.
fn alone(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn modules_are_one_without_imports_and_exports() {
        let module = "// Head.\nimport { a } from \"./a.js\";\n\nexport const b = a;\nexport class C {}\n";
        assert_eq!(alone(module), "// Head.\n\nconst b = a;\nclass C {}\n");
    }

    /// The names that a script declares at its top.
    fn declared(script: &str) -> Vec<&str> {
        let keywords = ["async function", "function", "class", "const", "let"];
        let names = script
            .lines()
            .filter_map(|line| keywords.iter().find_map(|keyword| line.strip_prefix(keyword)?.strip_prefix(' ')));
        names.filter_map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()).collect()
    }

    #[test]
    fn no_name_is_declared_twice_and_none_is_left_to_import() {
        let script = script(true);
        let names = declared(&script);
        let different: BTreeSet<_> = names.iter().collect();
        assert!(names.len() > 60 && different.len() == names.len(), "{names:?}");
        for module in MODULES.iter().chain(ENGINE).chain([&MAIN]) {
            for line in module.lines().filter(|line| line.starts_with("import ")) {
                let wanted = line.split(['{', '}']).nth(1).unwrap_or_else(|| panic!("{line}"));
                assert!(wanted.split(',').all(|name| different.contains(&name.trim())), "{line}");
            }
        }
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    }
}
