//! The processor: which instructions it has, and which of them evaluate positions.

use cli::{cores, counted};
use eval::Path;
use sysinfo::{CpuRefreshKind, System};

use super::diagnosis::Diagnosis;

pub(super) fn examine() -> Vec<Diagnosis> {
    let mut diagnoses = vec![
        Diagnosis::good(format!(
            "{}, {} for this program: more Threads than that do not help",
            brand().unwrap_or_else(|| "unknown processor".to_owned()),
            counted(cores(), "core")
        )),
        Diagnosis::good(format!("instructions: {}", known_or_none(&instructions()))),
    ];
    let paths: Vec<_> = Path::available().map(|path| path.to_string()).collect();
    let best = Path::best();
    let text = format!("positions are evaluated with {best}; available: {}", paths.join(", "));
    diagnoses.push(if best == Path::SCALAR && cfg!(target_arch = "x86_64") {
        Diagnosis::note(text, "a processor with AVX2, any since about 2015, searches about twice as fast")
    } else {
        Diagnosis::good(text)
    });
    if cfg!(debug_assertions) {
        diagnoses.push(Diagnosis::note("this is a build for developers, with extra checks", "cargo build --release"));
    }
    diagnoses
}

/// What the processor calls itself.
fn brand() -> Option<String> {
    let mut system = System::new().ok()?;
    system.refresh_cpu_list(CpuRefreshKind::nothing());
    let brand = system.cpus().first()?.brand().trim().to_owned();
    (!brand.is_empty()).then_some(brand)
}

fn known_or_none(names: &[&str]) -> String {
    if names.is_empty() { "none that matter here".to_owned() } else { names.join(" ") }
}

/// The instruction sets that matter here and that this processor has.
#[cfg(target_arch = "x86_64")]
fn instructions() -> Vec<&'static str> {
    macro_rules! found {
        ($($name:tt)*) => { [$(($name, is_x86_feature_detected!($name))),*] };
    }
    let sets = found!("sse4.1" "popcnt" "bmi2" "avx2" "avx512f" "avx512bw" "avx512vnni");
    sets.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

/// The instruction sets that matter here and that this processor has.
#[cfg(target_arch = "aarch64")]
fn instructions() -> Vec<&'static str> {
    macro_rules! found {
        ($($name:tt)*) => { [$(($name, std::arch::is_aarch64_feature_detected!($name))),*] };
    }
    let sets = found!("neon" "dotprod");
    sets.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn instructions() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_named_is_the_one_taken() {
        let diagnoses = examine();
        let wanted = format!("evaluated with {}", Path::best());
        assert!(diagnoses.iter().any(|diagnosis| diagnosis.text.contains(&wanted)), "{diagnoses:?}");
    }
}
