//! What packages of the program hold besides it: manual pages and completions for shells.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use roff::{Roff, roman};

/// Where shells look for them.
const PLACES: &str = "\
Where shells look for them, zsh in the folders that $fpath names:
  vancura completions bash > ~/.local/share/bash-completion/completions/vancura
  vancura completions fish > ~/.config/fish/completions/vancura.fish
  vancura completions zsh > ~/.zfunc/_vancura";

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
        None => write_out(&page(&Man::new(line.clone()), &line)?),
    }
}

/// A page for a command and for each below it that is not hidden.
fn write_pages(line: &Command, folder: &Path) -> io::Result<()> {
    for command in line.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(command, folder)?;
    }
    let man = Man::new(line.clone());
    platform::write_file(&folder.join(man.get_filename()), page(&man, line)?)
}

/// A page as the library writes it, but with lists and tables of the text after the options kept as they are.
fn page(man: &Man, line: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    if line.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut text)?;
    }
    if line.get_subcommands().any(|command| !command.is_hide_set()) {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(extra) = line.get_after_long_help().or_else(|| line.get_after_help()) {
        notes(&extra.to_string()).to_writer(&mut text)?;
    }
    if line.get_version().is_some() {
        man.render_version_section(&mut text)?;
    }
    Ok(text)
}

/// Paragraphs are filled; lines that begin with a space stay lines.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", ["NOTES"]);
    let mut is_kept = false;
    for line in text.lines() {
        let keeps = line.starts_with(' ');
        if keeps != is_kept {
            roff.control(if keeps { "nf" } else { "fi" }, []);
            is_kept = keeps;
        }
        if line.is_empty() {
            roff.control("PP", []);
        } else {
            roff.text([roman(line)]);
        }
    }
    if is_kept {
        roff.control("fi", []);
    }
    roff
}

fn write_out(text: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_lines_and_paragraphs_are_filled() {
        let text = notes("What\nit does:\n  a   1\n  b   2\n\nMore.\n\nExample:\n  run").to_roff();
        let expected =
            ".SH NOTES\nWhat\nit does:\n.nf\n  a   1\n  b   2\n.fi\n.PP\nMore.\n.PP\nExample:\n.nf\n  run\n.fi\n";
        assert_eq!(text, expected);
    }
}
