//! Sessions from beginning to end, in memory.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use search::STACK_SIZE;
use serde_json::{Value, json};

use crate::job::PositionQueue;
use crate::query::FIELDS;
use crate::reading::MAX_LINE;
use crate::session::Session;
use crate::worker::Worker;

/// An output that can be read afterwards.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is answered to this input, in the order in which it comes.
fn answers(input: impl AsRef<[u8]>, searches: usize) -> Vec<Value> {
    let (queue, kept) = (PositionQueue::default(), Kept::default());
    let session = Arc::new(Session::new(Box::new(kept.clone())));
    thread::scope(|scope| {
        for _ in 0..searches {
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            builder.spawn_scoped(scope, || Worker::new(1, None).work(&queue)).unwrap();
        }
        session.read(Cursor::new(input), &queue).unwrap();
        queue.close();
    });
    let output = kept.0.lock().unwrap();
    assert!(output.is_empty() || output.ends_with(b"\n"));
    output
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

fn lines(queries: &[Value]) -> String {
    queries.iter().map(|query| format!("{query}\n")).collect()
}

/// The only answer to a query.
fn answer(query: Value) -> Value {
    let [answer] = &answers(query.to_string(), 1)[..] else { panic!("not one answer") };
    answer.clone()
}

const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn a_position_is_analysed() {
    let answer = answer(json!({ "id": "a", "position": MATE, "nodes": 2000 }));
    assert_eq!((&answer["id"], &answer["turn"], &answer["fen"]), (&json!("a"), &json!(0), &json!(MATE)));
    assert_eq!(
        (&answer["best"], &answer["during"], &answer["cancelled"]),
        (&json!("d1d8"), &json!(false), &json!(false))
    );
    let line = &answer["lines"][0];
    assert_eq!((&line["mate"], &line["cp"], &line["points"]), (&json!(1), &json!(null), &json!(1.0)));
    assert_eq!((&line["moves"], &line["san"]), (&json!(["d1d8"]), &json!(["Rd8#"])));
    assert_eq!([&answer["wdl_win"], &answer["wdl_draw"], &answer["wdl_loss"]], [&json!(1000), &json!(0), &json!(0)]);
}

#[test]
fn each_turn_that_is_asked_for_has_an_answer() {
    let game = json!({ "id": 1, "position": "startpos", "moves": "f2f3 e7e5 g2g4 d8h4", "turns": "all", "nodes": 500 });
    let found = answers(game.to_string(), 2);
    let mut turns: Vec<_> = found.iter().map(|answer| answer["turn"].as_u64().unwrap()).collect();
    turns.sort_unstable();
    assert_eq!(turns, [0, 1, 2, 3, 4]);
    let last = found.iter().find(|answer| answer["turn"] == 4).unwrap();
    assert_eq!((&last["best"], &last["lines"][0]["mate"], &last["wdl_loss"]), (&json!(null), &json!(0), &json!(1000)));
    let one = |turns: Value| {
        let query = json!({ "id": 1, "position": "startpos", "moves": ["f2f3", "e7e5"], "turns": turns, "nodes": 100 });
        answers(query.to_string(), 1).iter().map(|answer| answer["turn"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((one(json!(null)), one(json!([2, 0, 2]))), (vec![2], vec![0, 2]));
}

#[test]
fn equal_queries_have_equal_answers_whatever_else_is_asked() {
    let query =
        |id: usize| json!({ "id": id, "position": "startpos", "nodes": 3000, "multipv": 2, "priority": id % 3 });
    let other = |id: usize| json!({ "id": 100 + id, "position": MATE, "depth": 5 });
    let all: Vec<_> = (0..12).flat_map(|id| [query(id), other(id)]).collect();
    let found = answers(lines(&all), 3);
    assert_eq!(found.len(), 24);
    let strip = |answer: &Value| {
        let mut fields = answer.as_object().unwrap().clone();
        fields.retain(|field, _| field != "id" && field != "time_ms");
        fields
    };
    for range in [0..100_u64, 100..200] {
        let of: Vec<_> =
            found.iter().filter(|answer| range.contains(&answer["id"].as_u64().unwrap())).map(strip).collect();
        assert_eq!(of.len(), 12);
        assert!(of.iter().all(|answer| *answer == of[0]));
    }
}

#[test]
fn greater_priorities_come_first() {
    let query =
        |id: usize, priority: i64| json!({ "id": id, "position": "startpos", "nodes": 20_000, "priority": priority });
    // The first one is begun before the others are there.
    let all: Vec<_> =
        [(0, 0), (1, -5), (2, 0), (3, 7), (4, 0), (5, 7)].map(|(id, priority)| query(id, priority)).to_vec();
    let order: Vec<_> = answers(lines(&all), 1).iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    let place = |id: u64| order.iter().position(|&other| other == id).unwrap();
    assert!(place(3) < place(5) && place(5) < place(4) && place(2) < place(4) && place(4) < place(1), "{order:?}");
}

#[test]
fn moves_can_be_allowed_and_avoided() {
    let root = |field: &str, moves: Value| {
        let answer = answer(json!({ "id": 1, "position": MATE, "nodes": 500, "multipv": 256, field: moves }));
        let lines = answer["lines"].as_array().unwrap().clone();
        lines.iter().map(|line| line["moves"][0].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = root("allow_moves", json!([])).len();
    assert_eq!(root("allow_moves", json!(["d1d8", "d1d7", "d1d8"])).len(), 2);
    let others = root("avoid_moves", json!("d1d8"));
    assert!(others.len() == all - 1 && !others.contains(&"d1d8".to_owned()));
}

#[test]
fn castling_is_written_as_the_client_asks_for_it() {
    let castled = |chess960: bool| {
        let position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let query = json!({ "id": 1, "position": position, "depth": 2, "chess960": chess960, "allow_moves": ["e1g1"] });
        answer(query)["best"].clone()
    };
    assert_eq!((castled(false), castled(true)), (json!("e1g1"), json!("e1h1")));
}

#[test]
fn searches_tell_what_they_have_found_so_far() {
    let query = json!({ "id": 7, "position": "startpos", "nodes": 400_000, "report_every": 0.01 });
    let found = answers(query.to_string(), 1);
    let (last, before) = found.split_last().unwrap();
    assert!(last["during"] == false && !before.is_empty());
    assert!(before.iter().all(|answer| answer["during"] == true && answer["id"] == 7 && answer["best"].is_string()));
}

#[test]
fn queries_can_be_cancelled() {
    let endless = |id: &str| json!({ "id": id, "position": "startpos", "depth": 200 });
    let all = [
        endless("a"),
        endless("b"),
        json!({ "id": "c", "position": "startpos", "nodes": 100 }),
        json!({ "id": 1, "action": "cancel", "target": "b" }),
        json!({ "id": 2, "action": "cancel", "target": "unknown" }),
        json!({ "id": 3, "action": "cancel" }),
    ];
    let found = answers(lines(&all), 1);
    let of = |id: Value| found.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(of(json!("b"))[0]["cancelled"], true);
    assert_eq!(of(json!(1))[0]["cancelled"], 1);
    assert_eq!(of(json!(2))[0]["cancelled"], 0);
    assert_eq!(of(json!("a"))[0]["cancelled"], true);
}

#[test]
fn faults_name_the_id_and_the_field() {
    let fault = |query: Value| {
        let answer = answer(query);
        assert!(answer["error"].is_string(), "{answer}");
        (answer["id"].clone(), answer["field"].clone())
    };
    let position = |field: &str, value: Value| {
        let mut query = json!({ "id": "x", "position": "startpos", "nodes": 10 });
        query[field] = value;
        query
    };
    for (field, value) in [
        ("position", json!("8/8/8/8/8/8/8/8 w - - 0 1")),
        ("position", json!(5)),
        ("position", json!("")),
        ("position", json!(null)),
        ("position", json!("k".repeat(5000))),
        ("moves", json!(["e2e5"])),
        ("moves", json!(["e2e4", 5])),
        ("moves", json!({})),
        ("turns", json!([1])),
        ("turns", json!([])),
        ("turns", json!([-1])),
        ("turns", json!("some")),
        ("nodes", json!(0)),
        ("nodes", json!(-5)),
        ("nodes", json!(1.5)),
        ("nodes", json!("100")),
        ("nodes", json!(1e300)),
        ("depth", json!(0)),
        ("depth", json!(1000)),
        ("time", json!(0)),
        ("time", json!(1e9)),
        ("multipv", json!(0)),
        ("multipv", json!(257)),
        ("contempt", json!(101)),
        ("priority", json!("high")),
        ("report_every", json!(0)),
        ("chess960", json!("yes")),
        ("allow_moves", json!(["e2e5"])),
        ("avoid_moves", json!(5)),
        ("action", json!("sing")),
        ("unheard_of", json!(1)),
    ] {
        assert_eq!(fault(position(field, value.clone())), (json!("x"), json!(field)), "{value}");
    }
    for id in [json!(null), json!(1.5), json!([]), json!({}), json!(true), json!("i".repeat(2000))] {
        assert_eq!(fault(json!({ "id": id, "position": "startpos" })), (json!(null), json!("id")));
    }
    let all = json!({ "id": 1, "position": MATE, "allow_moves": ["d1d8"], "avoid_moves": ["d1d7"] });
    assert_eq!(fault(all), (json!(1), json!("avoid_moves")));
    assert_eq!(
        fault(json!({ "id": 1, "position": "7k/8/8/8/8/8/6q1/7K w - - 0 1", "avoid_moves": ["h1g2"] })).1,
        "avoid_moves"
    );
    for text in ["[1]", "5", "{", "nonsense", "\"id\"", "{\"id\":1,\"id\":2", "\u{0}"] {
        let [answer] = &answers(text, 1)[..] else { panic!("not one answer") };
        assert!(answer["error"].is_string() && answer["id"].is_null(), "{answer}");
    }
}

#[test]
fn an_id_is_free_again_when_its_query_is_answered() {
    let query = json!({ "id": "a", "position": "startpos", "nodes": 200_000 });
    let found = answers(lines(&[query.clone(), query.clone()]), 1);
    assert_eq!(found.iter().filter(|answer| answer["field"] == "id").count(), 1);
    assert_eq!(found.iter().filter(|answer| answer["best"].is_string()).count(), 1);
}

#[test]
fn lines_that_are_no_text_or_too_long_are_skipped() {
    let good = json!({ "id": 1, "position": "startpos", "nodes": 10 }).to_string();
    let mut input = vec![b'{'; MAX_LINE + 5];
    input.extend_from_slice(b"\n\xff\xfe\n\n  \r\n");
    input.extend_from_slice(format!("\u{feff}{good}\r\n").as_bytes());
    input.extend_from_slice(&vec![b'x'; MAX_LINE + 1]);
    let found = answers(&input, 1);
    let errors: Vec<_> = found.iter().filter(|answer| answer["error"].is_string()).collect();
    assert_eq!((found.len(), errors.len()), (4, 3), "{found:?}");
}

#[test]
fn ten_thousand_queries_of_which_a_third_are_hostile_have_one_answer_each() {
    let bad = [
        r#""position": "nonsense""#,
        r#""position": "startpos", "moves": ["a1a1"]"#,
        r#""position": "startpos", "depth": -1"#,
        r#""position": "startpos", "turns": [9]"#,
        r#""nodes": 1"#,
        r#""position": "startpos", "x": {"y": [[[[]]]]}"#,
    ];
    let query = |id: usize| match id % 3 {
        0 => format!("{{\"id\": {id}, {}}}\n", bad[id / 3 % bad.len()]),
        _ => {
            format!("{{\"id\": {id}, \"position\": \"startpos\", \"moves\": [\"e2e4\"], \"nodes\": {}}}\n", 1 + id % 40)
        }
    };
    let input: String = (0..10_000).map(query).collect();
    let mut ids: Vec<_> = answers(input, 2).iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert!(ids.iter().copied().eq(0..10_000));
}

#[test]
fn a_session_whose_client_has_gone_ends() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let queue = PositionQueue::default();
    let session = Arc::new(Session::new(Box::new(Closed)));
    let endless = json!({ "id": 1, "position": "startpos", "depth": 200 });
    let input = lines(&[endless, json!({ "id": 2, "action": "version" }), json!({ "id": 3, "action": "version" })]);
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_SIZE);
        builder.spawn_scoped(scope, || Worker::new(1, None).work(&queue)).unwrap();
        session.read(Cursor::new(input), &queue).unwrap();
    });
    assert!(queue.is_aborted() && session.fault().is_some());
}

fn document(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn examples_are_true() {
    let text = document("serve.md");
    let examples: Vec<_> = text.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let (query, told) = example.trim().split_once('\n').unwrap();
        let [found, told] = [answers(query, 1)[0].clone(), serde_json::from_str(told).unwrap()].map(|answer: Value| {
            let mut fields = answer.as_object().unwrap().clone();
            // They change with every change of the search.
            fields.retain(|field, _| !["depth", "seldepth", "nodes", "time_ms"].contains(&&field[..]));
            fields
        });
        assert_eq!(found, told);
    }
}

#[test]
fn the_documents_name_all_fields() {
    let text = document("serve.md");
    let schema: Value = serde_json::from_str(&document("serve.schema.json")).unwrap();
    let properties = |part: &str| {
        let fields = schema["$defs"][part]["properties"].as_object().unwrap().keys().cloned();
        fields.collect::<std::collections::BTreeSet<_>>()
    };
    let fields = FIELDS.map(str::to_owned);
    assert_eq!(properties("query"), fields.iter().cloned().collect());
    assert!(fields.iter().all(|field| text.contains(&format!("| `{field}`"))));
    let answer = answer(json!({ "id": 1, "position": "startpos", "nodes": 10 }));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
    assert_eq!((properties("answer"), properties("line")), (keys(&answer), keys(&answer["lines"][0])));
    assert!(keys(&answer).iter().all(|field| text.contains(&format!("| `{field}`"))));
}
