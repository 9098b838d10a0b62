//! The parameters of tools: one table makes the schema that clients see and the check of what they send.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};
use serve::{Fault, Fields};

/// A parameter of a tool.
pub(crate) struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    /// For the model that fills it in; with the default, if there is one.
    pub description: &'static str,
}

/// What a parameter may be.
pub(crate) enum Kind {
    /// Text of up to so many bytes.
    Text(usize),
    /// A list of up to so many words.
    Words(usize),
    /// A whole number.
    Number(RangeInclusive<i64>),
    /// A number.
    Real(RangeInclusive<f64>),
}

/// The position of most tools.
pub(crate) const POSITION: Parameter = Parameter {
    name: "position",
    kind: Kind::Text(1000),
    is_required: true,
    description: "a FEN, or startpos for the initial position",
};

/// The moves that were made from there.
pub(crate) const MOVES: Parameter = Parameter {
    name: "moves",
    kind: Kind::Words(1000),
    is_required: false,
    description: "moves made from that position, as Nf3 or g1f3; what is asked for is the position after them, and they count \
                  for repetitions",
};

/// The values of a call.
#[derive(Default)]
pub(crate) struct Values {
    texts: HashMap<&'static str, String>,
    words: HashMap<&'static str, Vec<String>>,
    numbers: HashMap<&'static str, i64>,
    reals: HashMap<&'static str, f64>,
}

impl Values {
    /// Reads what a client sends.
    pub fn read(parameters: &[Parameter], arguments: Map<String, Value>) -> Result<Self, Fault> {
        let mut fields = Fields::from(arguments);
        let mut values = Self::default();
        for Parameter { name, kind, is_required, .. } in parameters {
            let is_given = match kind {
                Kind::Text(most) => keep(&mut values.texts, name, fields.text(name, *most)?),
                Kind::Words(most) => {
                    let words = fields.words(name)?;
                    if words.len() > *most {
                        return Err(Fault::new(name, format_args!("more than {most}")));
                    }
                    keep(&mut values.words, name, (!words.is_empty()).then_some(words))
                }
                Kind::Number(range) => keep(&mut values.numbers, name, fields.number(name, range.clone())?),
                Kind::Real(range) => keep(&mut values.reals, name, fields.real(name, range.clone())?),
            };
            if *is_required && !is_given {
                return Err(Fault::new(name, "is missing"));
            }
        }
        fields.end()?;
        Ok(values)
    }

    /// Text; empty if it is missing.
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", |text| text)
    }

    /// Words; none if they are missing.
    pub fn words(&self, name: &str) -> &[String] {
        self.words.get(name).map_or(&[], |words| words)
    }

    /// A whole number that is not negative, or what it is if it is missing.
    pub fn count(&self, name: &str, default: u64) -> u64 {
        self.numbers.get(name).map_or(default, |number| number.unsigned_abs())
    }

    /// A whole number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }

    /// A number.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.reals.get(name).copied()
    }
}

fn keep<T>(values: &mut HashMap<&'static str, T>, name: &'static str, value: Option<T>) -> bool {
    value.map(|value| values.insert(name, value)).is_some()
}

/// The JSON Schema of an object with these parameters.
pub(crate) fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let properties = parameters.iter().map(|Parameter { name, kind, description, .. }| {
        let mut schema = match kind {
            Kind::Text(most) => json!({ "type": "string", "maxLength": most }),
            Kind::Words(most) => json!({ "type": "array", "items": { "type": "string" }, "maxItems": most }),
            Kind::Number(range) => json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() }),
            Kind::Real(range) => json!({ "type": "number", "minimum": range.start(), "maximum": range.end() }),
        };
        schema["description"] = json!(description);
        ((*name).to_owned(), schema)
    });
    let required: Vec<_> = parameters.iter().filter(|one| one.is_required).map(|one| one.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties.collect::<Map<_, _>>().into());
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Parameter] = &[
        POSITION,
        MOVES,
        Parameter { name: "n", kind: Kind::Number(1..=9), is_required: false, description: "a number" },
        Parameter { name: "r", kind: Kind::Real(0.5..=1.5), is_required: false, description: "a real number" },
    ];

    fn read(value: Value) -> Result<Values, String> {
        let Value::Object(fields) = value else { panic!("no object") };
        Values::read(ALL, fields).map_err(|fault| fault.to_string())
    }

    #[test]
    fn values_are_read_by_the_table() {
        let values = read(json!({ "position": "startpos", "moves": ["e4"], "n": 3, "r": 1 })).unwrap();
        assert_eq!(
            (values.text("position"), values.words("moves"), values.number("n")),
            ("startpos", &["e4".to_owned()][..], Some(3))
        );
        assert_eq!((values.real("r"), values.count("n", 5), values.count("m", 5)), (Some(1.0), 3, 5));
        let none = read(json!({ "position": "x", "moves": null, "n": null })).unwrap();
        assert!(none.words("moves").is_empty() && none.number("n").is_none());
    }

    #[test]
    fn faults_name_the_field() {
        for (value, fault) in [
            (json!({}), "position: is missing"),
            (json!({ "position": 1 }), "position: must be a string"),
            (json!({ "position": "x".repeat(1001) }), "position: longer than 1000 bytes"),
            (json!({ "position": "x", "moves": [1] }), "moves: must be a list of moves"),
            (json!({ "position": "x", "moves": vec!["e4"; 1001] }), "moves: more than 1000"),
            (json!({ "position": "x", "n": 10 }), "n: must be a whole number from 1 to 9"),
            (json!({ "position": "x", "n": 1e300 }), "n: must be a whole number from 1 to 9"),
            (json!({ "position": "x", "r": "1" }), "r: must be a number from 0.5 to 1.5"),
            (json!({ "position": "x", "colour": 1 }), "colour: there is no such field"),
        ] {
            assert_eq!(read(value).err().as_deref(), Some(fault));
        }
    }

    #[test]
    fn the_schema_says_what_is_checked() {
        let schema = schema(ALL);
        assert_eq!((&schema["required"], &schema["additionalProperties"]), (&json!(["position"]), &json!(false)));
        let n = &schema["properties"]["n"];
        assert_eq!((&n["type"], &n["minimum"], &n["maximum"]), (&json!("integer"), &json!(1), &json!(9)));
    }
}
