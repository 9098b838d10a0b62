//! What the commands have in common.
//!
//! Values on the command line that more than one of them takes ([`read_position`], [`read_count`], [`read_seconds`],
//! [`read_option`], [`folders`]), what they tell the user beside their output ([`tell`], [`progress_bar`], [`counted`]),
//! text made safe for terminals ([`printable()`]), Ctrl-C ([`on_ctrl_c`], [`stop_on_ctrl_c`]), and work done in parallel
//! whose results come in order ([`in_order`]). The command line itself is each command's own.

mod arguments;
mod interrupt;
mod message;
mod ordered;
mod printable;

pub use arguments::{cores, folders, read_count, read_option, read_position, read_seconds};
pub use interrupt::{on_ctrl_c, stop_on_ctrl_c};
pub use message::{counted, progress_bar, progress_style, tell};
pub use ordered::in_order;
pub use printable::{Printable, data_output, printable, printable_line};
