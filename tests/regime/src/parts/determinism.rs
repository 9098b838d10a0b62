//! The bench, twice in two builds, and on the instruction sets that emulation offers.

use std::path::Path;

use super::{Context, Done, Verdict, bench_count, expected_bench};
use crate::process::ask;

/// Emulated processors, and what is the best that each has. qemu does not know AVX-512.
const PROCESSORS: [(&str, &str); 2] = [("qemu64", "SSE2"), ("Haswell", "AVX2")];

pub(super) fn run(context: &Context) -> Verdict {
    let portable = context.release()?;
    let mut command = context.cargo(&["build", "--release", "-p", "vancura", "--target-dir"]);
    let folder = context.folder.join("native");
    command.arg(&folder).env("RUSTFLAGS", "-C target-cpu=native").env("CARGO_PROFILE_RELEASE_LTO", "off");
    context.run(&mut command)?;
    let native = folder.join("release/vancura");
    let first = bench(context, &[], &portable)?;
    for program in [&portable, &native, &native] {
        expect(&first, &bench(context, &[], program)?, &program.display().to_string())?;
    }
    if let Some(expected) = expected_bench(context) {
        expect(&expected, &first, "the last functional change")?;
    }
    let mut sets = vec![format!("this CPU ({})", best_here())];
    let mut missing = Vec::new();
    for (processor, set) in PROCESSORS {
        if ask("qemu-x86_64", &["-version"]).is_none() || !cfg!(target_arch = "x86_64") {
            missing.push(format!("{set}: no qemu-user"));
            continue;
        }
        expect(&first, &bench(context, &["qemu-x86_64", "-cpu", processor], &portable)?, set)?;
        sets.push(format!("{set} emulated"));
    }
    if best_here() != "AVX-512" {
        missing.push("AVX-512: not this CPU, and not emulated".to_owned());
    }
    let missing = if missing.is_empty() { String::new() } else { format!("; not available: {}", missing.join(", ")) };
    Ok(Done::Passed(format!("{first} twice in two builds, on {}{missing}", sets.join(", "))))
}

fn bench(context: &Context, before: &[&str], program: &Path) -> Result<String, String> {
    let program = program.display().to_string();
    let words: Vec<_> = before.iter().copied().chain([&*program, "bench"]).collect();
    bench_count(&context.run(context.command(words[0]).args(&words[1..]))?)
}

fn expect(expected: &str, found: &str, whose: &str) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{whose}: {found} nodes instead of {expected}")) }
}

/// The best instruction set of this machine that the evaluation uses.
fn best_here() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512bw") {
            return "AVX-512";
        }
        if is_x86_feature_detected!("avx2") { "AVX2" } else { "SSE2" }
    }
    #[cfg(not(target_arch = "x86_64"))]
    "NEON"
}
