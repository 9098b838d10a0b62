use super::*;

type Read<'a> = (&'static str, Value<'a>, Option<String>);

fn parse(line: &str) -> Result<Read<'_>, String> {
    Setting::parse(Words::new(line))
        .map(|(setting, fault)| (setting.name(), setting.value(), fault.map(|fault| fault.to_string())))
        .map_err(|error| error.to_string())
}

#[test]
fn names_are_found_in_any_case_and_spacing() {
    for (line, name, value) in [
        ("name Hash value 64", "Hash", Value::Number(64)),
        ("name hash value 64", "Hash", Value::Number(64)),
        ("NAME HASH VALUE +64", "Hash", Value::Number(64)),
        ("name Threads value 3", "Threads", Value::Number(3)),
        ("name Clear Hash", "Clear Hash", Value::None),
        ("name clear   hash value", "Clear Hash", Value::None),
        ("name ClearHash value <empty>", "Clear Hash", Value::None),
        ("name Move Overhead value 0", "Move Overhead", Value::Number(0)),
        ("name MoveOverhead value 250", "Move Overhead", Value::Number(250)),
        ("name Contempt value -12", "Contempt", Value::Number(-12)),
        ("name Ponder value true", "Ponder", Value::Switch(true)),
        ("name MultiPV value 256", "MultiPV", Value::Number(256)),
        ("name uci_chess960 value TRUE", "UCI_Chess960", Value::Switch(true)),
        ("name EvalFile value my nets/a b.nnue ", "EvalFile", Value::Path(Some("my nets/a b.nnue"))),
        ("name EvalFile value <embedded>", "EvalFile", Value::Path(None)),
        ("name EvalFile value <empty>", "EvalFile", Value::Path(None)),
        ("name EvalFile value", "EvalFile", Value::Path(None)),
        ("please name UCI_Chess960 value false", "UCI_Chess960", Value::Switch(false)),
    ] {
        assert_eq!(parse(line), Ok((name, value, None)), "{line}");
    }
}

#[test]
fn numbers_out_of_range_are_clamped_and_said() {
    for (line, name, value) in [
        ("name Hash value 0", "Hash", Value::Number(1)),
        ("name Hash value -5", "Hash", Value::Number(1)),
        ("name Hash value 99999999999999999999", "Hash", Value::Number(1 << 20)),
        ("name Threads value 1025", "Threads", Value::Number(1024)),
        ("name MultiPV value -9223372036854775809", "MultiPV", Value::Number(1)),
        ("name Move Overhead value 5001", "Move Overhead", Value::Number(5000)),
        ("name Contempt value -101", "Contempt", Value::Number(-100)),
        ("name Contempt value 1000", "Contempt", Value::Number(100)),
        ("name UCI_Elo value 300", "UCI_Elo", Value::Number(800)),
        ("name UCI_Elo value 9999", "UCI_Elo", Value::Number(Strength::MAX_ELO.into())),
        ("name Skill Level value 21", "Skill Level", Value::Number(20)),
    ] {
        let (read, taken, fault) = parse(line).unwrap();
        assert_eq!((read, taken), (name, value), "{line}");
        assert!(fault.is_some(), "{line}");
    }
    assert_eq!(parse("name Hash value 0").unwrap().2.unwrap(), "Hash 0 is out of range; using 1");
}

#[test]
fn a_fraction_is_cut_and_said_and_a_unit_is_none() {
    let cut = Some("`Hash`: \"128.5\" is read as 128".to_owned());
    assert_eq!(parse("name Hash value 128.5"), Ok(("Hash", Value::Number(128), cut)));
    assert_eq!(parse("name Hash value 1GB"), Err("`Hash` needs a number, not \"1GB\"".to_owned()));
}

#[test]
fn every_row_takes_its_default_and_names_no_other() {
    for option in OPTIONS {
        assert_eq!(OPTIONS.iter().filter(|other| other.is_called(option.name)).count(), 1, "{option}");
        let announced = option.to_string();
        let Some((_, default)) = announced.split_once(" default ") else { continue };
        let default = default.split(" min ").next().unwrap().split(" var ").next().unwrap();
        let (value, fault) = option.read(Some(default)).unwrap();
        assert_eq!((value, fault), (option.default_value(), None), "{announced}");
    }
}

#[test]
fn what_is_no_value_is_refused() {
    for (line, message) in [
        ("name Hash value many", "`Hash` needs a number, not \"many\""),
        ("name Hash value 64 MB", "`Hash` needs a number, not \"64 MB\""),
        ("name Hash value", "`Hash` needs a number, not \"\""),
        ("name Hash value <empty>", "`Hash` needs a number, not \"<empty>\""),
        ("name Hash", "`Hash` needs a number, not nothing"),
        ("name Ponder value yes", "`Ponder` needs `true` or `false`, not \"yes\""),
        ("name NumaPolicy value 0", "`NumaPolicy` needs `auto` or `none`, not \"0\""),
        ("name Ponder", "`Ponder` needs `true` or `false`, not nothing"),
        ("name", "unknown option \"\""),
        ("name value", "unknown option \"\""),
        ("name Hash 64", "unknown option \"Hash 64\""),
        ("Hash value 64", "`setoption` needs `name` and an option's name, not \"Hash\""),
        ("", "`setoption` needs `name` and an option's name, not nothing"),
    ] {
        assert_eq!(parse(line), Err(message.to_owned()), "{line}");
    }
}

#[test]
fn skill_levels_climb_from_the_least_rating_to_full_strength() {
    let elo = |skill_level, limits_strength| {
        Options { skill_level, limits_strength, ..Options::default() }.strength(1).map(Strength::elo)
    };
    assert_eq!((elo(0, false), elo(20, false)), (Some(800), None));
    let levels: Vec<_> = (0..20).map(|level| elo(level, false).unwrap()).collect();
    assert!(levels.is_sorted_by(|a, b| a < b) && *levels.last().unwrap() < Strength::MAX_ELO, "{levels:?}");
    // A rating that is asked for counts, whatever the level.
    assert_eq!((elo(20, true), elo(3, true)), (Some(1500), Some(1500)));
}

#[test]
fn announced_defaults_are_true() {
    let options = Options::default();
    let announced: Vec<_> = OPTIONS.iter().map(ToString::to_string).collect();
    assert_eq!((options.hash_mib, options.threads, options.search.multi_pv), (16, 1, 1));
    assert_eq!(options.search.move_overhead, Duration::from_millis(10));
    assert!(options.binds_threads && !options.chess960 && Arc::ptr_eq(&options.network, &Network::embedded()));
    assert_eq!(
        announced,
        [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name NumaPolicy type combo default auto var auto var none",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_Chess960 type check default false",
            "option name Contempt type spin default 0 min -100 max 100",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name UCI_LimitStrength type check default false",
            &format!("option name UCI_Elo type spin default 1500 min 800 max {}", Strength::MAX_ELO),
            "option name OwnBook type check default false",
            "option name BookFile type string default <empty>",
            "option name Debug Log File type string default <empty>",
            "option name nodestime type spin default 0 min 0 max 10000",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_Opponent type string default <empty>",
            &format!("option name UCI_EngineAbout type string default {}", about()),
            "option name EvalFile type string default <embedded>",
            "option name AnalysisStore type string default <empty>",
        ]
    );
}
