//! What the operating system gives, each in its own way: memory, files, processors, and time slices.
//!
//! How much memory there is and whether enough is left ([`has_room`], [`Reserve`]), memory that the system gets back
//! ([`give_back_freed_memory`]) and one heap for all threads ([`share_heap_if_limited`]), files that are neither pipes nor
//! devices ([`open_regular_file`]), limits on their size ([`make_file_size_limits_errors`]), files that are whole or as they
//! were ([`OutputFile`]) or grow by whole pieces ([`AppendedFile`]), whether two paths lead to one file ([`FileIdentity`]) and
//! where one leads ([`link_target`]), which processors have which memory close by ([`Topology`]), room on the stack
//! ([`with_enough_stack`]), and threads that answer soon ([`prefer_short_time_slices`]).

mod appended_file;
mod file;
mod file_size;
mod memory;
mod numa;
mod output_file;
mod path;
mod same_file;
mod scheduling;
mod stack;

pub use appended_file::AppendedFile;
pub use file::{open_regular_file, without_waiting};
pub use file_size::make_file_size_limits_errors;
pub use memory::{
    Reserve, advise_huge_pages, give_back_freed_memory, has_room, prefetch, share_heap_if_limited, spare_memory,
};
pub use numa::{Binding, Topology};
pub use output_file::{OutputFile, is_direct, remove_leftovers, write_file};
pub use path::link_target;
pub use same_file::FileIdentity;
pub use scheduling::prefer_short_time_slices;
pub use stack::with_enough_stack;
