//! What the board answers with.

use std::time::Duration;

use http::{RequestError, Response};

use super::refusal::Refusal;

/// How long a head may take to come, each share of a body, and an answer to go.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// An answer in JSON.
pub(super) fn json(status: &'static str, body: Vec<u8>) -> Response {
    Response::new(status, "application/json; charset=utf-8", body)
        .with("Cross-Origin-Resource-Policy", "same-origin")
        .with("Cache-Control", "no-store")
}

/// A report, which is kept apart from the board as if it came from elsewhere: its own policy says what it may do.
pub(super) fn report(body: Vec<u8>) -> Response {
    Response::new("200 OK", "text/html; charset=utf-8", body)
        .with("Content-Security-Policy", "sandbox allow-scripts allow-modals; frame-ancestors 'none'")
        .with("Cross-Origin-Opener-Policy", "same-origin")
        .with("Cross-Origin-Resource-Policy", "same-origin")
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "no-store")
}

/// Why a request is not served.
pub(super) fn refuse(refusal: Refusal) -> Response {
    let answer = Response::new(refusal.status(), "text/plain; charset=utf-8", format!("{refusal}\n"));
    match refusal {
        Refusal::Method | Refusal::Request(RequestError::Method) => answer.with("Allow", "GET, HEAD"),
        _ => answer,
    }
}
