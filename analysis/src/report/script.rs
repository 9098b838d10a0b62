//! The script of a page: modules of the crate `page`, made one so that the page needs no other file.
//!
//! Each module becomes a function that gives back what the module exports, after those that it imports.

use std::fmt::Write;

/// What begins it all.
const MAIN: &str = "report/main.js";

/// The engine in the page, of which `MAIN` knows nothing.
const LIVE: &str = "report/live.js";

/// The script of a page, with an engine or without.
pub(super) fn script(has_engine: bool) -> String {
    let mut script = Script::default();
    for name in imports(MAIN, page::text(MAIN)) {
        script.add(&name);
    }
    if has_engine {
        script.add(LIVE);
    }
    script.add(MAIN);
    script.text
}

/// A script in the making.
#[derive(Default)]
struct Script {
    text: String,
    /// The modules in it.
    names: Vec<String>,
}

impl Script {
    /// Adds a module of this name, if it is not there, after those that it imports.
    fn add(&mut self, name: &str) {
        if self.names.iter().any(|known| known == name) {
            return;
        }
        self.names.push(name.to_owned());
        let module = page::text(name);
        for import in imports(name, module) {
            self.add(&import);
        }
        self.text += &function(name, module);
    }
}

/// The names of the modules that a module imports.
fn imports(name: &str, module: &str) -> Vec<String> {
    module.lines().filter_map(|line| Some(resolved(name, import(line)?.1))).collect()
}

/// What a line imports, and the path to the module; nothing if it is no import.
fn import(line: &str) -> Option<(&str, &str)> {
    let (what, path) = line.strip_prefix("import ")?.split_once(" from ")?;
    Some((what, path.trim_end_matches(';').trim_matches('"')))
}

/// The name of a module by its path from another.
fn resolved(name: &str, path: &str) -> String {
    let mut parts: Vec<_> = name.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What a module is called in the script.
fn variable(name: &str) -> String {
    format!("module_{}", name.trim_end_matches(".js").replace(|letter: char| !letter.is_alphanumeric(), "_"))
}

/// A module as a function that is called at once. No text in it ends the element of the page.
fn function(name: &str, module: &str) -> String {
    let mut body = String::new();
    let mut exported = Vec::new();
    for line in code(module) {
        if let Some((what, path)) = import(line) {
            let _ = writeln!(body, "const {} = {};", taken(what), variable(&resolved(name, path)));
        } else if let Some(rest) = line.strip_prefix("export default ") {
            exported.push("default: whole".to_owned());
            let _ = writeln!(body, "const whole = {rest}");
        } else if let Some(rest) = line.strip_prefix("export ") {
            exported.extend(declared(rest));
            let _ = writeln!(body, "{rest}");
        } else if let Some((rest, list)) = line.split_once("export{") {
            // As tools write it that make code small: at its end, with other names.
            exported.extend(list.trim_end_matches([';', '}']).split(',').map(renamed));
            let _ = writeln!(body, "{rest}");
        } else {
            let _ = writeln!(body, "{line}");
        }
    }
    let text = format!("const {} = (() => {{\n{body}return {{ {} }};\n}})();\n", variable(name), exported.join(", "));
    text.replace("</", "<\\/")
}

/// The lines of a module that are not comments alone.
fn code(module: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    module.lines().filter(move |line| {
        let text = line.trim_start();
        let is_inside = is_comment;
        let begins = text.starts_with("/**");
        is_comment = (is_comment || begins) && !text.contains("*/");
        // A type stands before code.
        let is_whole = begins && text.ends_with("*/");
        !(is_inside || is_comment || is_whole || text.is_empty() || text.starts_with("//"))
    })
}

/// What stands for an import in a declaration: `{ a, b as c }`, `* as all` or `whole`.
fn taken(what: &str) -> String {
    match what.strip_prefix("* as ") {
        Some(all) => all.to_owned(),
        None if what.starts_with('{') => what.replace(" as ", ": "),
        None => format!("{{ default: {what} }}"),
    }
}

/// The name that a declaration declares.
fn declared(declaration: &str) -> Option<String> {
    let keywords = ["async function", "function", "class", "const", "let"];
    let rest = keywords.iter().find_map(|keyword| declaration.strip_prefix(keyword)?.strip_prefix(' '))?;
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$';
    rest.split(is_end).next().map(str::to_owned)
}

/// `inside as outside`, in an object.
fn renamed(export: &str) -> String {
    export.split_once(" as ").map_or_else(|| export.to_owned(), |(inside, outside)| format!("{outside}: {inside}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_a_function() {
        let module = "// Head.\n\n/** Of two\n * lines. */\n/** Of one. */\nimport { a, b as c } from \"./a.js\";\nimport * as d from \"../d.js\";\nimport e from \"./e.js\";\n\
                      export const f = a + c;\nexport class G {}\nexport async function $h() {}\nconst i = \"</p>\";\n/** @type {any} */ let j;\n";
        assert_eq!(
            function("x/y.js", module),
            "const module_x_y = (() => {\nconst { a, b: c } = module_x_a;\nconst d = module_d;\n\
             const { default: e } = module_x_e;\n\
             const f = a + c;\nclass G {}\nasync function $h() {}\nconst i = \"<\\/p>\";\n/** @type {any} */ let j;\nreturn { f, G, $h };\n})();\n"
        );
        assert_eq!(
            function("v/small.min.js", "var a=1;export{a as One,b};"),
            "const module_v_small_min = (() => {\nvar a=1;\nreturn { One: a, b };\n})();\n"
        );
        assert_eq!(
            function("w.js", "export default {\n};\n"),
            "const module_w = (() => {\nconst whole = {\n};\nreturn { default: whole };\n})();\n"
        );
    }

    #[test]
    fn each_module_stands_once_and_after_what_it_imports() {
        let mut script = Script::default();
        script.add(LIVE);
        script.add(MAIN);
        assert!(script.names.len() > 15, "{:?}", script.names);
        let place = |name: &str| {
            let start = format!("const {} = (() => {{", variable(name));
            assert_eq!(script.text.matches(&start).count(), 1, "{name}");
            script.text.find(&start)
        };
        for name in &script.names {
            for import in imports(name, page::text(name)) {
                assert!(place(&import) < place(name), "{name} imports {import}");
            }
        }
        assert!(!script.text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    }

    #[test]
    fn what_is_imported_is_exported() {
        let mut script = Script::default();
        script.add(LIVE);
        script.add(MAIN);
        for name in &script.names {
            for (what, path) in page::text(name).lines().filter_map(import) {
                let Some(list) = what.strip_prefix('{') else { continue };
                let other = resolved(name, path);
                let text = function(&other, page::text(&other));
                let exports = text.lines().rev().find_map(|line| line.strip_prefix("return { ")).expect("exports");
                let has = |wanted: &str| exports.split([',', '}', ':']).any(|export| export.trim() == wanted);
                for one in list.trim_end_matches('}').split(',') {
                    let wanted = one.split(" as ").next().unwrap_or(one).trim();
                    assert!(has(wanted), "{name} imports {wanted} of {other}");
                }
            }
        }
    }
}
