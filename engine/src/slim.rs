//! The commands of a build without the feature `tools`: none but UCI.

use std::ffi::OsString;
use std::process::ExitCode;

const OVERVIEW: &str = "\
A chess engine that speaks UCI, built without its other commands

Usage: vancura [UCI LINE]...
";

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

/// Carries a command out, if these arguments are meant for one.
pub const fn run_if_meant(_: &[OsString]) -> Option<ExitCode> {
    None
}

/// The commands in help.
pub fn overview() -> String {
    OVERVIEW.to_owned()
}
