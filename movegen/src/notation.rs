//! stub
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingStyle {
    Standard,
    Chess960,
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {}
