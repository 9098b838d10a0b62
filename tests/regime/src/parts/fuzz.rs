//! cargo-fuzz over a target of `fuzz/`. What it finds goes to `fuzz/artifacts`.

use std::fs;

use super::{Context, Done, Verdict};
use crate::process::ask;
use crate::targets::corpus;

pub(super) fn run(context: &Context, target: &str) -> Verdict {
    if ask(&super::cargo(), &["fuzz", "--version"]).is_none() {
        return Ok(Done::Unavailable("cargo-fuzz is not installed".to_owned()));
    }
    let failed = |error: std::io::Error| error.to_string();
    // The same versions of all dependencies as in the program.
    fs::copy(context.root.join("Cargo.lock"), context.root.join("fuzz/Cargo.lock")).map_err(failed)?;
    // Found inputs are kept from run to run, but apart from the sources.
    let found = context.folder.join("corpus").join(target);
    fs::create_dir_all(&found).map_err(failed)?;
    fuzz(context, &["build", target], &[])?;
    let seconds = format!("-max_total_time={}", context.left().as_secs());
    let folders = [found.display().to_string(), corpus(target).display().to_string()];
    let arguments = ["run", target, &folders[0], &folders[1], "--"];
    let output = fuzz(context, &arguments, &[&seconds, "-timeout=60", "-print_final_stats=1"])?;
    let count = output.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let inputs = fs::read_dir(&found).map_err(failed)?.count();
    Ok(Done::Passed(format!("{} inputs, {inputs} kept", count.ok_or("libFuzzer printed no count")?.trim())))
}

fn fuzz(context: &Context, arguments: &[&str], more: &[&str]) -> Result<String, String> {
    let mut command = context.cargo(&["fuzz"]);
    // Sanitizers are unstable, but the stable compiler has them. Code in C goes without: what GCC adds for its own
    // sanitizer takes constants of zstd for variables of the stack when it meets the run-time library of LLVM.
    command.envs([("RUSTC_BOOTSTRAP", "1"), ("CFLAGS", "-fno-sanitize=all")]);
    context.run(command.args(arguments).args(more))
}
