//! The build with threads: a UCI session over the standard streams, which `page/engine/vancura.js` provides.

use std::io;

use uci::Session;

fn main() {
    Session::new(io::stdout()).run(io::stdin().lock());
}
