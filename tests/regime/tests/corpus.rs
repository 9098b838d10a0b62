//! Every input that comes with the sources, through its fuzz target.

use regime::targets::{TARGETS, corpus};

#[test]
fn each_target_bears_its_corpus() {
    for (name, check) in TARGETS {
        let files = fs_err::read_dir(corpus(name)).unwrap_or_else(|error| panic!("{error}"));
        let paths: Vec<_> = files.map(|file| file.expect("a folder can be listed").path()).collect();
        assert!(paths.len() >= 3, "{name} has hardly a corpus");
        for path in paths {
            let data = fs_err::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let result = std::panic::catch_unwind(|| check(&data));
            assert!(result.is_ok(), "{}", path.display());
            // Whatever holds for a file holds for one that was cut off.
            check(&data[..data.len() / 2]);
        }
    }
}
