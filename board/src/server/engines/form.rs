//! The options of an engine as a form needs them.
//!
//! Source: "The Universal Chess Interface", 2006, the command `option`.

use serde::Serialize;

/// An option that an engine has told of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(in super::super) struct EngineOption {
    pub name: String,
    /// `check`, `spin`, `combo`, `button` or `string`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether a page cannot set it: texts, which may name files, are for the command line.
    pub fixed: bool,
}

/// The words after which something else of an option begins.
const PARTS: [&str; 5] = ["type", "default", "min", "max", "var"];

/// The options of an introduction.
pub(super) fn options(introduction: &[String]) -> Vec<EngineOption> {
    introduction.iter().filter_map(|line| read(line)).collect()
}

/// Who wrote the engine.
pub(super) fn author(introduction: &[String]) -> String {
    introduction.iter().find_map(|line| line.strip_prefix("id author ")).unwrap_or_default().trim().to_owned()
}

/// Makes what the user has set for the engine its defaults.
pub(super) fn note_set(options: &mut [EngineOption], set: &[(String, String)]) {
    for option in options {
        option.note_set(set);
    }
}

/// The lines of an introduction, with what the user has set for the engine as its defaults.
pub(super) fn introduction(lines: &[String], set: &[(String, String)]) -> Vec<String> {
    let with_set = |line: &String| {
        let mut option = read(line)?;
        option.note_set(set).then(|| option.line())
    };
    lines.iter().map(|line| with_set(line).unwrap_or_else(|| line.clone())).collect()
}

impl EngineOption {
    /// Makes what the user has set for it its default. Returns whether there is something.
    fn note_set(&mut self, set: &[(String, String)]) -> bool {
        let value = set.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(&self.name));
        if let Some((_, value)) = value {
            self.default = Some(value.clone());
        }
        value.is_some()
    }

    /// The line of UCI that tells of it.
    fn line(&self) -> String {
        let part =
            |word: &str, value: Option<String>| value.map(|value| format!(" {word} {value}")).unwrap_or_default();
        let default =
            self.default.as_ref().map(|text| if text.is_empty() { "<empty>".to_owned() } else { text.clone() });
        let bounds =
            part("min", self.min.map(|min| min.to_string())) + &part("max", self.max.map(|max| max.to_string()));
        let choices: String = self.choices.iter().map(|choice| format!(" var {choice}")).collect();
        format!("option name {} type {}{}{bounds}{choices}", self.name, self.kind, part("default", default))
    }
}

fn read(line: &str) -> Option<EngineOption> {
    let mut words = line.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("option"), Some("name")) {
        return None;
    }
    let mut parts: Vec<(&str, Vec<&str>)> = vec![("name", Vec::new())];
    for word in words {
        match parts.last_mut() {
            // A name may have any word but the one that ends it.
            Some(("name", name)) if word != "type" || name.is_empty() => name.push(word),
            _ if PARTS.contains(&word) => parts.push((word, Vec::new())),
            Some((_, part)) => part.push(word),
            None => return None,
        }
    }
    let of = |wanted: &str| parts.iter().find(|(part, _)| *part == wanted).map(|(_, words)| words.join(" "));
    let number = |wanted: &str| of(wanted).and_then(|text| text.parse().ok());
    let kind = of("type")?;
    let choices = parts.iter().filter(|(part, _)| *part == "var").map(|(_, words)| words.join(" ")).collect();
    let is_of_values = ["check", "spin", "combo", "button"].contains(&&kind[..]);
    let default = of("default").map(|text| if text == "<empty>" { String::new() } else { text });
    Some(EngineOption {
        name: of("name")?,
        default,
        min: number("min"),
        max: number("max"),
        choices,
        fixed: !is_of_values,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_engines_write_them() {
        let hash = read("option name Hash type spin default 16 min 1 max 33554432").unwrap();
        assert_eq!((&hash.name[..], hash.min, hash.max, hash.fixed), ("Hash", Some(1), Some(33_554_432), false));
        let style = read("option name Style Of Play type combo default Very Solid var Very Solid var Wild").unwrap();
        assert_eq!((&style.name[..], style.default.as_deref()), ("Style Of Play", Some("Very Solid")));
        assert_eq!(style.choices, ["Very Solid", "Wild"]);
        let log = read("option name Debug Log File type string default <empty>").unwrap();
        assert_eq!((log.default.as_deref(), log.fixed), (Some(""), true));
        assert_eq!(read("option name Clear Hash type button").unwrap().kind, "button");
        for line in ["", "option", "option name", "option name x", "id name x", "option type spin name Hash"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn an_introduction_has_what_was_set_as_defaults() {
        let lines = [
            "id name Script 1",
            "option name Hash type spin default 16 min 1 max 64",
            "option name Style Of Play type combo default Very Solid var Very Solid var Wild",
            "option name Log File type string default log.txt",
            "option name Clear  Hash type button",
            "option name Book type check default false",
        ]
        .map(str::to_owned);
        assert_eq!(introduction(&lines, &[]), lines);
        let set = [("hash", "4"), ("HASH", "8"), ("Style Of Play", "Wild"), ("Log File", ""), ("None", "1")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let told = introduction(&lines, &set);
        assert_eq!(told[1], "option name Hash type spin default 8 min 1 max 64");
        assert_eq!(told[2], "option name Style Of Play type combo default Wild var Very Solid var Wild");
        assert_eq!(told[3], "option name Log File type string default <empty>");
        for unset in [0, 4, 5] {
            assert_eq!(told[unset], lines[unset]);
        }
    }
}
