//! Programs that run the program step by step: valgrind's memcheck and Miri.

use super::{Context, Done, Verdict, host};
use crate::process::ask;

/// The tests of what has `unsafe`: the instruction sets of the evaluation, each as far as valgrind knows it, and the
/// transposition table; then the release build's bench.
pub(super) fn memcheck(context: &Context) -> Verdict {
    let (Some(_), Some(host)) = (ask("valgrind", &["--version"]), host()) else {
        return Ok(Done::Unavailable("valgrind is not installed".to_owned()));
    };
    let runner = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    for (package, filter) in [("vancura-eval", "simd"), ("vancura-search", "table::")] {
        let mut command = context.cargo(&["test", "-p", package, "--lib", "--", "--test-threads=1", filter]);
        context.run(command.env(&runner, "valgrind -q --error-exitcode=9"))?;
    }
    let program = context.release()?.display().to_string();
    let mut command = context.command("valgrind");
    context.run(command.args(["-q", "--error-exitcode=9", &program, "bench 2"]))?;
    Ok(Done::Passed("tests of the evaluation's instruction sets and of the table, bench 2".to_owned()))
}

/// What the evaluation's instruction sets need of an x86-64 processor: Miri's has what the target has.
const VECTORS: &str = "-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt,+avx512f,+avx512bw,+avx512vnni";

/// The tests of what has `unsafe` that are short enough.
pub(super) fn miri(context: &Context) -> Verdict {
    let mut chosen = None;
    for toolchain in ["", "+nightly"] {
        let arguments: Vec<_> = [toolchain, "miri", "--version"].into_iter().filter(|word| !word.is_empty()).collect();
        // Only rustup's own cargo understands a toolchain.
        if chosen.is_none() && ask("cargo", &arguments).is_some() {
            chosen = Some(toolchain);
        }
    }
    let Some(toolchain) = chosen else {
        return Ok(Done::Unavailable("Miri is not installed; it comes with a nightly toolchain only".to_owned()));
    };
    let test = |package: &str, filters: &[&str]| {
        let mut command = context.command("cargo");
        command.args((!toolchain.is_empty()).then_some(toolchain));
        command.args(["miri", "test", "-p", package, "--lib", "--", "--show-output"]).args(filters);
        command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env_remove("RUSTUP_TOOLCHAIN");
        command
    };
    context.run(&mut test("vancura-search", &["table::"]))?;
    let mut evaluation = test("vancura-eval", &["simd::", "head::", "accumulator::"]);
    if cfg!(target_arch = "x86_64") {
        evaluation.env("RUSTFLAGS", VECTORS);
    }
    let said = context.run(&mut evaluation)?;
    let paths = said.lines().find_map(|line| line.strip_prefix("paths of this CPU: ")).unwrap_or("none");
    Ok(Done::Passed(format!("tests of the transposition table, and of the evaluation: {paths}")))
}
