//! What a reply is made of.

use serde_json::Value;

/// A value as an object of a reply.
pub(crate) fn object(value: &impl serde::Serialize) -> Value {
    // All keys are strings, so nothing can fail.
    serde_json::to_value(value).unwrap_or_default()
}
