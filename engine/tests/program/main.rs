//! The program as its users meet it: run as a process, with what comes over its standard input and output, its files, its
//! ports and signals.

mod common;

#[cfg(target_os = "linux")]
mod address_limits;
mod analyse;
mod analysis_store;
mod arguments;
mod board;
mod chaos;
mod clients;
mod endings;
mod explorer;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod help;
mod mcp;
mod openbench;
mod packaging;
mod parsers;
mod play;
mod protocol;
mod reference;
mod robust;
mod serve;
mod store;
mod store_tasks;
#[cfg(unix)]
mod surroundings;
mod syzygy;
mod tools;
mod transcripts;
mod tree;
mod version;
