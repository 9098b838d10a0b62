//! The pages of a board, as far as the board can tell: eight WebSockets that say something now and then.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ChildStdout;
use std::thread;

/// How many pages are open.
const COUNT: usize = 8;

/// Open pages.
#[derive(Debug)]
pub(super) struct Pages {
    sockets: Vec<TcpStream>,
}

impl Pages {
    /// Opens them where the board says it is; `None` if it has ended before.
    pub fn open(output: ChildStdout) -> Option<Self> {
        let mut url = String::new();
        BufReader::new(output).read_line(&mut url).ok()?;
        let (host, path) = url.trim().strip_prefix("http://")?.split_once('/')?;
        let open = |_| {
            let mut socket = TcpStream::connect(host).ok()?;
            write!(
                socket,
                "GET /{path}socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
                 Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            .ok()?;
            let mut reader = socket.try_clone().ok()?;
            // Somebody has to read what it is told.
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                while reader.read(&mut bytes).is_ok_and(|count| count > 0) {}
            });
            Some(socket)
        };
        Some(Self { sockets: (0..COUNT).filter_map(open).collect() })
    }

    /// One of them says something, or goes without a word.
    pub fn say(&mut self, number: u64) {
        let index = number as usize / 8 % COUNT;
        let text = match number % 8 {
            0 | 1 => "go infinite",
            2 | 3 => "stop",
            4 => "position startpos moves e2e4",
            5 => r#"{"id":1,"do":"position","moves":["e2e4"]}"#,
            6 => "setoption name Threads value 2",
            _ => return drop((index < self.sockets.len()).then(|| self.sockets.remove(index))),
        };
        if let Some(socket) = self.sockets.get_mut(index) {
            // A text frame, masked with zeros. That the board may be gone shows later.
            let frame = [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0][..], text.as_bytes()].concat();
            let _ = socket.write_all(&frame);
        }
    }
}
