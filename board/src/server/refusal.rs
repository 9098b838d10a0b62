//! Why a request is not served, and how HTTP says so.

/// Why a request is not served.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("this is no request of HTTP")]
    Malformed,
    #[error("only GET and HEAD are understood")]
    Method,
    #[error("the head of the request is too long")]
    TooLong,
    #[error("the request took too long")]
    TooSlow,
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
            Self::Malformed => "400 Bad Request",
            Self::Host | Self::Origin | Self::Token => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::TooSlow => "408 Request Timeout",
            Self::NoSocket => "426 Upgrade Required",
            Self::TooLong => "431 Request Header Fields Too Large",
        }
    }
}
