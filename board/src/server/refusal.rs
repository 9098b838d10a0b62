//! Why a request is not served, and how HTTP says so.

use http::RequestError;

/// Why a request is not served.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error("the address is not one of UTF-8")]
    Address,
    #[error("only GET and HEAD are understood")]
    Method,
    #[error("this host is not served here")]
    Host,
    #[error("other pages are not served")]
    Origin,
    #[error("the address lacks its secret part; `vancura board` has printed it in full")]
    Token,
    #[error("there is no such file")]
    NotFound,
    #[error("a WebSocket of version 13 is expected")]
    NoSocket,
}

impl Refusal {
    /// The status line's end.
    pub const fn status(self) -> &'static str {
        match self {
            Self::Request(error) => error.status(),
            Self::Address => "400 Bad Request",
            Self::Host | Self::Origin | Self::Token => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::NoSocket => "426 Upgrade Required",
        }
    }
}
