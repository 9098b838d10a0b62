//! What options do, where it takes a count or a comparison to see it.

use tests::session::Client;
use tests::transcript::Talk;

/// The nodes that a search says it took.
fn nodes(client: &mut Client, go: &str) -> u64 {
    let lines = client.search(go);
    let last = lines.iter().rfind(|line| line.starts_with("info depth ")).expect("a scored line");
    let mut words = last.split(' ').skip_while(|word| *word != "nodes").skip(1);
    words.next().and_then(|word| word.parse().ok()).expect("a count")
}

fn sync(client: &mut Client) -> Vec<String> {
    client.say("isready");
    let mut lines = client.until("readyok");
    lines.pop();
    lines
}

/// What a search says, without what depends on the clock.
fn search(client: &mut Client, go: &str) -> Vec<String> {
    let untimed = |line: &String| line.split(" nps ").next().unwrap_or_default().to_owned();
    client.search(go).iter().map(untimed).collect()
}

/// What a search finds after another one, with these options sent between.
fn second_search(options: &[&str]) -> Vec<String> {
    let mut client = Client::start();
    client.say("setoption name Hash value 4");
    search(&mut client, "go depth 12");
    for option in options {
        client.say(&format!("setoption name {option}"));
        assert!(sync(&mut client).is_empty());
    }
    search(&mut client, "go depth 7")
}

#[test]
fn a5_an_option_sent_again_with_its_value_keeps_what_was_learnt() {
    let undisturbed = second_search(&[]);
    let again = ["Hash value 4", "Threads value 1", "EvalFile value <embedded>", "SyzygyPath value <empty>"];
    assert_eq!(second_search(&again), undisturbed);
    assert_ne!(second_search(&["Clear Hash"]), undisturbed, "there is nothing to lose");
}

#[test]
fn a5_threads_leave_the_table_as_it_is() {
    assert_eq!(second_search(&["Threads value 2", "Threads value 1"]), second_search(&[]));
}

#[test]
fn a5_clear_hash_and_a_new_game_forget_everything() {
    let mut client = Client::start();
    let first = nodes(&mut client, "go depth 9");
    for forget in ["setoption name Clear Hash", "ucinewgame", "setoption name Clear Hash\nucinewgame"] {
        client.say(forget);
        assert_eq!(nodes(&mut client, "go depth 9"), first, "{forget}");
    }
}

#[test]
fn a5_nodestime_makes_nodes_of_time() {
    let mut client = Client::start();
    client.say("setoption name nodestime value 10");
    client.say("setoption name Move Overhead value 50");
    // 150 ms less 50 are 1,000 nodes, looked at now and then.
    let taken = nodes(&mut client, "go movetime 150");
    assert!((1_000..3_000).contains(&taken), "{taken}");
    client.say("ucinewgame");
    assert_eq!(nodes(&mut client, "go movetime 150"), taken);
}

#[test]
fn a5_full_strength_is_the_same_whatever_the_rating() {
    let play = |options: &[&str]| {
        let mut client = Client::start();
        options.iter().for_each(|option| client.say(&format!("setoption name {option}")));
        search(&mut client, "go nodes 20000")
    };
    let plain = play(&[]);
    assert_eq!(play(&["UCI_Elo value 800", "Skill Level value 20"]), plain);
    assert_eq!(play(&["UCI_LimitStrength value true", "UCI_LimitStrength value false"]), plain);
    assert_ne!(play(&["UCI_LimitStrength value true", "UCI_Elo value 800"]), plain);
}

#[test]
fn a5_a_weak_player_ponders_and_waits() {
    let mut client = Client::start();
    client.say("setoption name Skill Level value 1");
    client.say("setoption name Threads value 3");
    client.say("position startpos moves e2e4 e7e5");
    client.say("go ponder wtime 60000 btime 60000");
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(!sync(&mut client).iter().any(|line| line.starts_with("bestmove")));
    client.say("ponderhit");
    client.until("bestmove ");
    client.close();
    assert_eq!(client.next_line(), None);
}
