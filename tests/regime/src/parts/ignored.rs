//! Tests that are too long for every run: a package, a test program of it, and the name of the test.

use super::{Context, Done, Verdict};

pub(super) fn run(context: &Context, tests: &[(&str, &str, &str)]) -> Verdict {
    let mut count = 0;
    for (package, program, name) in tests {
        let mut command = context.cargo(&["test", "--release", "-p", package, "--test", program, "--target-dir"]);
        command.arg(context.folder.join("tests")).args(["--", "--ignored", name]);
        // Optimising over all crates again for each of the test programs would take longer than the tests.
        command.envs([("CARGO_PROFILE_RELEASE_LTO", "off"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")]);
        count += passed(&context.run(&mut command)?);
    }
    match count {
        0 => Ok(Done::Unavailable("there is no test of this name for this system".to_owned())),
        1 => Ok(Done::Passed("1 test".to_owned())),
        count => Ok(Done::Passed(format!("{count} tests"))),
    }
}

/// How many tests passed in all test programs.
fn passed(output: &str) -> u64 {
    let results = output.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    results.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted_over_all_programs() {
        let line = |count| format!("test result: ok. {count} passed; 0 failed; 0 ignored; 0 measured\n");
        assert_eq!(passed(&format!("running 1 test\n{}\n{}{}", line(1), line(0), line(12))), 13);
        assert_eq!(passed(""), 0);
    }
}
