//! A request of HTTP, as `serve` and the board read it.

use http::Request;

/// The most bytes: a long head says no more than a short one.
const MAX: usize = 1 << 10;

/// A head is complete where it ends and nowhere before, and what follows it changes nothing; bytes that begin no request begin
/// none whatever follows.
///
/// # Panics
///
/// If it is not so.
pub fn check(data: &[u8]) {
    let data = &data[..data.len().min(MAX)];
    let whole = Request::parse(data);
    let head = match &whole {
        Ok(Some(request)) => {
            assert!(data.ends_with(&request.rest));
            data.len() - request.rest.len()
        }
        _ => data.len(),
    };
    for length in 0..head {
        match Request::parse(&data[..length]) {
            Ok(None) => {}
            Ok(Some(_)) => panic!("{length} of {head} bytes are a head"),
            Err(error) => assert_eq!(whole.as_ref().err(), Some(&error), "after {length} bytes"),
        }
    }
    if let Ok(Some(request)) = &whole {
        let alone = Request::parse(&data[..head]).ok().flatten().expect("the head is complete without what follows");
        assert_eq!((alone.method, &alone.path, &alone.query), (request.method, &request.path, &request.query));
        assert!(alone.rest.is_empty());
    }
}
