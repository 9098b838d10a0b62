use super::*;
use crate::records::synthetic::random_games;

/// Six blocks of ten games, as a file's bytes and as games.
fn file() -> (Vec<u8>, Vec<Game>) {
    let games = random_games(21, 60);
    let mut bytes = Vec::new();
    games.chunks(10).for_each(|games| write_games(&mut bytes, games).unwrap());
    (bytes, games)
}

/// Where each block begins, and the end.
fn bounds(bytes: &[u8]) -> Vec<usize> {
    let mut bounds = vec![0];
    while bounds[bounds.len() - 1] < bytes.len() {
        let start = bounds[bounds.len() - 1];
        bounds.push(start + zstd_safe::find_frame_compressed_size(&bytes[start..]).unwrap());
    }
    bounds
}

/// The games in these bytes and the ranges reported as damaged.
fn read(bytes: &[u8]) -> (Vec<Game>, Vec<(usize, usize)>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    for block in Blocks::new(bytes).unwrap() {
        match block {
            Ok(block) => games.extend(block.games().map(|game| game.unwrap())),
            Err(BlockError::Damaged { start, end, .. }) => damages.push((start as usize, end as usize)),
            Err(error) => panic!("{error}"),
        }
    }
    (games, damages)
}

#[test]
fn games_round_trip() {
    let (bytes, games) = file();
    assert_eq!(bounds(&bytes).len(), 7);
    assert_eq!(read(&bytes), (games, vec![]));
}

#[test]
fn many_games_take_several_blocks() {
    let some = random_games(22, 40);
    let many: Vec<Game> = some.iter().cycle().take(4000).cloned().collect();
    assert!(many.iter().map(Game::encoded_len).sum::<usize>() > 2 * BLOCK_LEN);
    let mut bytes = Vec::new();
    write_games(&mut bytes, &many).unwrap();
    let blocks: Vec<Block> = Blocks::new(&bytes[..]).unwrap().map(|block| block.unwrap()).collect();
    assert!(
        blocks.len() > 2
            && blocks
                .iter()
                .all(|block| matches!(&block.content, Content::Viriformat(bytes) if bytes.len() <= BLOCK_LEN))
    );
    assert_eq!(read(&bytes), (many, vec![]));
}

#[test]
fn an_empty_file_holds_no_games() {
    let mut bytes = Vec::new();
    write_games(&mut bytes, &[]).unwrap();
    assert!(bytes.is_empty());
    assert_eq!(read(&bytes), (vec![], vec![]));
}

#[test]
fn files_are_read_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let (mut bytes, games) = file();
    let start = bounds(&bytes)[2];
    bytes[start + 9] ^= 1;
    fs_err::write(&path, bytes).unwrap();
    let (read, errors): (Vec<_>, Vec<_>) = read_games(&path).unwrap().partition(Result::is_ok);
    assert!(read.into_iter().map(Result::unwrap).eq([&games[..20], &games[30..]].concat()));
    assert_eq!(errors.len(), 1);
    assert!(read_games(&folder.path().join("none")).is_err());
}

#[test]
fn files_join() {
    let (bytes, games) = file();
    let joined = [&bytes[..], &bytes[..]].concat();
    assert_eq!(read(&joined), ([&games[..], &games[..]].concat(), vec![]));
}

#[test]
fn every_truncation_loses_only_the_torn_block() {
    let (bytes, games) = file();
    let bounds = bounds(&bytes);
    for length in 0..bytes.len() {
        let whole = bounds.iter().filter(|&&bound| bound <= length).count() - 1;
        let torn = if bounds[whole] == length { vec![] } else { vec![(bounds[whole], length)] };
        if length % 97 == 0 || length - bounds[whole] < 20 || torn.is_empty() {
            assert_eq!(read(&bytes[..length]), (games[..10 * whole].to_vec(), torn), "length {length}");
        }
    }
}

#[test]
fn writing_goes_on_behind_a_torn_block() {
    let (bytes, games) = file();
    let bounds = bounds(&bytes);
    for torn in (1..bounds[1]).step_by(53).chain([1, 2, 3, 4, 5, bounds[1] - 1]) {
        let joined = [&bytes[..torn], &bytes[bounds[1]..]].concat();
        assert_eq!(read(&joined), (games[10..].to_vec(), vec![(0, torn)]), "torn at {torn}");
    }
}

#[test]
fn a_damaged_byte_loses_only_its_block() {
    let (bytes, games) = file();
    let bounds = bounds(&bytes);
    for place in (bounds[2]..bounds[3]).step_by(29).chain(bounds[2]..bounds[2] + 16) {
        for bit in [0, 5] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let (left, damages) = read(&damaged);
            // A bit that means nothing to the decoder may leave the block readable; it must then be right.
            if !damages.is_empty() {
                assert_eq!(damages, [(bounds[2], bounds[3])], "byte {place}");
                assert_eq!(left, [&games[..20], &games[30..]].concat(), "byte {place}");
            } else {
                assert_eq!(left, games, "byte {place}");
            }
        }
    }
}

#[test]
fn foreign_bytes_are_skipped() {
    let (bytes, games) = file();
    let foreign: Vec<u8> = (0..3 * WINDOW).map(|i| ((i * i) >> 7) as u8).collect();
    let joined = [&foreign[..], &bytes[..], b"tail", &FRAME_MAGIC].concat();
    let end = foreign.len() + bytes.len();
    assert_eq!(read(&joined), (games, vec![(0, foreign.len()), (end, end + 8)]));
    let zeros = vec![0; 100];
    assert_eq!(read(&zeros), (vec![], vec![(0, 100)]));
}

#[test]
fn oversized_frames_are_refused() {
    let bomb = zstd::bulk::compress(&vec![0; MAX_BLOCK_LEN + 1], 3).unwrap();
    assert_eq!(read(&bomb), (vec![], vec![(0, bomb.len())]));
}

#[test]
fn a_block_with_something_else_than_games_is_reported() {
    let mut bytes = Vec::new();
    let games = random_games(23, 2);
    games[0].encode(&mut bytes);
    let first = bytes.len();
    bytes.extend([0xAB; 100]);
    let block = zstd::bulk::compress(&bytes, 3).unwrap();
    let block = Blocks::new(&block[..]).unwrap().next().unwrap().unwrap();
    let read: Vec<_> = block.games().collect();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].as_ref().unwrap(), &games[0]);
    assert!(matches!(read[1], Err(BlockError::Game { block: 0, place, .. }) if place == first));
}

#[test]
fn reading_errors_end_the_file() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let (bytes, _) = file();
    let results: Vec<_> = Blocks::new(bytes.chain(Broken)).unwrap().collect();
    assert_eq!(results.len(), 1);
    assert!(matches!(results[0], Err(BlockError::Io(_))));
}
