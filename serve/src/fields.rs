//! A JSON object, field by field.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// What is wrong with a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The field at fault, if it is one.
    pub field: Option<String>,
    /// In words.
    pub error: String,
}

impl Fault {
    /// What is wrong with a field.
    pub fn new(field: &str, error: impl Display) -> Self {
        Self { field: Some(field.to_owned()), error: error.to_string() }
    }

    /// What is wrong with the whole.
    pub fn of_line(error: impl Display) -> Self {
        Self { field: None, error: error.to_string() }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{field}: {}", self.error),
            None => f.write_str(&self.error),
        }
    }
}

/// The fields of an object that nobody has asked for yet.
pub struct Fields(Map<String, Value>);

impl From<Map<String, Value>> for Fields {
    fn from(fields: Map<String, Value>) -> Self {
        Self(fields)
    }
}

impl Fields {
    /// Reads an object.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn parse(line: &str) -> Result<Self, Fault> {
        match serde_json::from_str(line) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(Fault::of_line("a query is a JSON object")),
            Err(error) => Err(Fault::of_line(format_args!("no JSON: {error}"))),
        }
    }

    /// A field as it is; `None` if it is missing or null.
    pub fn take(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field).filter(|value| !value.is_null())
    }

    /// Text of up to `max_length` bytes.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn text(&mut self, field: &str, max_length: usize) -> Result<Option<String>, Fault> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= max_length => Ok(Some(text)),
            Some(Value::String(_)) => Err(Fault::new(field, format_args!("longer than {max_length} bytes"))),
            Some(_) => Err(Fault::new(field, "must be a string")),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn number(&mut self, field: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, Fault> {
        let Some(value) = self.take(field) else { return Ok(None) };
        let number = value.as_i64().filter(|number| range.contains(number));
        let wanted =
            || Fault::new(field, format_args!("must be a whole number from {} to {}", range.start(), range.end()));
        number.map(Some).ok_or_else(wanted)
    }

    /// A number, not necessarily whole.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn real(&mut self, field: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, Fault> {
        let Some(value) = self.take(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| range.contains(number));
        let wanted = || Fault::new(field, format_args!("must be a number from {} to {}", range.start(), range.end()));
        number.map(Some).ok_or_else(wanted)
    }

    /// Yes or no.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn flag(&mut self, field: &str) -> Result<bool, Fault> {
        match self.take(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Fault::new(field, "must be true or false")),
        }
    }

    /// Words: a list of strings, or a string with blanks between them. Empty if it is missing.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn words(&mut self, field: &str) -> Result<Vec<String>, Fault> {
        let wrong = || Fault::new(field, "must be a list of moves");
        match self.take(field) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(text.split_whitespace().map(str::to_owned).collect()),
            Some(Value::Array(values)) => values
                .into_iter()
                .map(|value| if let Value::String(word) = value { Ok(word) } else { Err(wrong()) })
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// Refuses what nobody has asked for.
    ///
    /// # Errors
    ///
    /// If there is any.
    pub fn end(self) -> Result<(), Fault> {
        self.0.keys().next().map_or(Ok(()), |field| Err(Fault::new(field, "there is no such field")))
    }
}
