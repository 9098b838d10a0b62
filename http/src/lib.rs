//! Requests and responses of HTTP/1.1, as far as a server for one computer needs them: one of each for a connection.
//!
//! Nothing waits longer than it is told to, however slowly a client sends or reads, and nothing that comes takes more memory
//! than it may.
//!
//! Source: RFC 9110, "HTTP Semantics"; RFC 9112, "HTTP/1.1".

mod body;
mod deadline;
mod request;
mod response;

pub use self::body::{Body, BodyError, Pace};
pub use self::deadline::{Deadline, write_all};
pub use self::request::{Method, Request, RequestError};
pub use self::response::Response;

/// Whether two secrets are equal, in a time that does not tell where they differ.
pub fn is_equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}
