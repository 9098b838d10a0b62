//! The program built with a sanitizer: it must end well, which it does not if the sanitizer has found something.

use std::path::PathBuf;
use std::process::Command;

use tests::play::Random;

use super::{Context, Done, Verdict, bench_count, expected_bench, host};
use crate::soak::{Extent, Player};

/// Games at most, and nodes for each move.
const GAMES: u64 = 200;
const NODES: u64 = 100;

/// AddressSanitizer over the bench, whose signature must not differ, and games of two threads.
pub(super) fn address(context: &Context) -> Verdict {
    let Some(program) = build(context, "address")? else { return Ok(unavailable()) };
    let count = bench_count(&context.run(context.command(&program.display().to_string()).arg("bench"))?)?;
    if let Some(expected) = expected_bench(context).filter(|expected| *expected != count) {
        return Err(format!("{count} nodes instead of {expected}"));
    }
    let games = games(context, &mut Command::new(program), 2)?;
    Ok(Done::Passed(format!("bench {count}, {games}")))
}

/// ThreadSanitizer over searches and games of eight threads.
pub(super) fn thread(context: &Context) -> Verdict {
    let Some(program) = build(context, "thread")? else { return Ok(unavailable()) };
    let options = format!("suppressions={}", context.root.join("tests/thread.supp").display());
    let seconds = (context.left().as_secs() / 2).clamp(5, 60);
    let mut command = context.command(&program.display().to_string());
    let output = context.run(command.arg(format!("speedtest 8 16 {seconds}")).env("TSAN_OPTIONS", &options))?;
    if output.contains("WARNING: ThreadSanitizer") {
        return Err("ThreadSanitizer warns".to_owned());
    }
    let games = games(context, Command::new(program).env("TSAN_OPTIONS", &options), 8)?;
    Ok(Done::Passed(format!("speedtest of {seconds} s, {games}")))
}

fn unavailable() -> Done {
    Done::Unavailable("sanitizers are only for Linux on x86-64 and ARM here".to_owned())
}

/// The program with a sanitizer, where there is one.
fn build(context: &Context, sanitizer: &str) -> Result<Option<PathBuf>, String> {
    let targets = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
    let Some(host) = host().filter(|host| targets.contains(&&**host)) else { return Ok(None) };
    let folder = context.folder.join(sanitizer);
    let mut command = context.cargo(&["build", "--release", "-p", "vancura", "--target", &host, "--target-dir"]);
    // The standard library comes without the sanitizer, which the compiler has to be told to bear.
    let flags = format!("-Zsanitizer={sanitizer} -Cunsafe-allow-abi-mismatch=sanitizer");
    command.arg(&folder).envs([("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", &*flags)]);
    command.envs([("CARGO_PROFILE_RELEASE_STRIP", "false"), ("CARGO_PROFILE_RELEASE_DEBUG", "1")]);
    command.envs([("CARGO_PROFILE_RELEASE_LTO", "off"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")]);
    context.run(&mut command)?;
    Ok(Some(folder.join(host).join("release/vancura")))
}

fn games(context: &Context, program: &mut Command, threads: u32) -> Result<String, String> {
    let mut player = Player::start(program, threads)?;
    let extent = Extent { games: GAMES, until: Some(context.end()) };
    let played = player.games(extent, NODES, &mut Random::new(2))?;
    player.end()?;
    Ok(format!("{} games of {threads} threads", played.games))
}
