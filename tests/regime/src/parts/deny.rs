//! cargo-deny: licences, sources and bans; the database of advisories lies on GitHub.

use super::{Context, Done, Verdict};
use crate::process::ask;

pub(super) fn run(context: &Context) -> Verdict {
    if ask(&super::cargo(), &["deny", "--version"]).is_none() {
        return Ok(Done::Unavailable("cargo-deny is not installed".to_owned()));
    }
    if context.is_online {
        context.run(&mut context.cargo(&["deny", "--locked", "check"]))?;
        return Ok(Done::Passed("advisories, licences, sources, bans".to_owned()));
    }
    // Not `--offline`: a fresh machine lacks the dependencies of other systems, which are looked at too.
    context.run(&mut context.cargo(&["deny", "--locked", "check", "licenses", "sources", "bans"]))?;
    Ok(Done::Passed("licences, sources, bans; advisories only with REGIME_ONLINE=true".to_owned()))
}
