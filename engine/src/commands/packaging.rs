//! What packages of the program hold besides it: manual pages and completions for shells.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

/// Where shells look for them.
const PLACES: &str = "\
Where shells look for them:
  vancura completions bash > ~/.local/share/bash-completion/completions/vancura
  vancura completions zsh > _vancura, in a folder that $fpath names
  vancura completions fish > ~/.config/fish/completions/vancura.fish";

/// Writes what makes a shell complete the commands and options of this program.
#[derive(Args, Debug)]
#[command(after_long_help = PLACES)]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Writes the manual: the page of the program, or all pages into a folder.
#[derive(Args, Debug)]
pub struct ManArguments {
    /// The folder, for the pages vancura.1, vancura-suite.1 and so on
    folder: Option<PathBuf>,
}

/// Writes the completions to the standard output.
pub fn write_completions(arguments: &CompletionsArguments, mut line: Command) -> io::Result<()> {
    // The library panics if it cannot write.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut line, "vancura", &mut text);
    write_out(&text)
}

/// Writes the manual to the standard output or into a folder.
pub fn write_manual(arguments: &ManArguments, line: Command) -> io::Result<()> {
    match &arguments.folder {
        Some(folder) => {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?;
            let mut line = line.disable_help_subcommand(true);
            line.build();
            write_pages(&line, folder)
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(line).render(&mut text)?;
            write_out(&text)
        }
    }
}

/// A page for a command and for each below it that is not hidden.
fn write_pages(line: &Command, folder: &Path) -> io::Result<()> {
    for command in line.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(command, folder)?;
    }
    let page = clap_mangen::Man::new(line.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    platform::write_file(&folder.join(page.get_filename()), text)
}

fn write_out(text: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text)?;
    output.flush()
}
