use super::TUNABLES;

#[test]
fn defaults_lie_within_their_ranges_and_names_are_told_apart() {
    assert!(!TUNABLES.is_empty());
    for (index, tunable) in TUNABLES.iter().enumerate() {
        assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
        assert!(tunable.step > 0 && tunable.step <= tunable.max - tunable.min, "{}", tunable.name);
        assert!(TUNABLES[..index].iter().all(|other| other.name != tunable.name), "{}", tunable.name);
    }
}
