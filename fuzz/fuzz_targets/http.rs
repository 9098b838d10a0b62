#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| regime::targets::http::check(data));
