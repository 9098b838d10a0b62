//! Opening the page in a browser without telling others where it is.
//!
//! The arguments of a program can be read by every user of the computer for as long as it runs, and a browser runs for days.
//! So where that is so, the browser is given the name of a file that only its owner may read, and the file leads to the
//! page. The idea is Jupyter's.

use std::io;
use std::thread;

#[cfg(unix)]
use tempfile::TempPath;

/// What was given to the browser, for as long as it may need it.
pub(super) struct Launch {
    #[cfg(unix)]
    _file: Option<TempPath>,
}

/// Opens the browser, and says so if there is none. The page comes a moment later, and the launch can be dropped then.
///
/// # Errors
///
/// If the thread that opens it cannot be started.
pub(super) fn show(url: &str) -> io::Result<Launch> {
    #[cfg(unix)]
    let (target, launch) = match redirect(url) {
        Ok(file) => (file.as_os_str().to_owned(), Launch { _file: Some(file) }),
        Err(error) => {
            cli::tell(format_args!(
                "no browser is opened, for its file cannot be made ({error}); open the address yourself"
            ));
            return Ok(Launch { _file: None });
        }
    };
    // There nobody sees the arguments of another user's programs.
    #[cfg(not(unix))]
    let (target, launch) = (std::ffi::OsString::from(url), Launch {});
    let open = move || {
        if let Err(error) = open::that_detached(&target) {
            cli::tell(format_args!("no browser can be opened ({error}); open the address yourself"));
        }
    };
    thread::Builder::new().spawn(open)?;
    Ok(launch)
}

/// A file that leads to an address. It lies in the user's folder, since some browsers are kept from reading any other, and
/// has no hidden name for the same reason.
#[cfg(unix)]
fn redirect(url: &str) -> io::Result<TempPath> {
    use std::io::Write;
    let mut builder = tempfile::Builder::new();
    // Only its owner may read it: that is what such files are made with.
    builder.prefix("vancura-board-").suffix(".html");
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let file = home.map_or_else(|| Err(io::ErrorKind::NotFound.into()), |home| builder.tempfile_in(home));
    let mut file = file.or_else(|_| builder.tempfile())?;
    write!(
        file,
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<title>Vancura</title>\n<a href=\"{url}\">The board</a>\n"
    )?;
    Ok(file.into_temp_path())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_file_leads_to_the_page_and_only_its_owner_may_read_it() {
        let url = "http://127.0.0.1:8000/0123456789abcdef0123456789abcdef/";
        let file = redirect(url).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(fs::read_to_string(&file).unwrap().contains(&format!("content=\"0; url={url}\"")));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with("vancura-board-") && name.ends_with(".html") && !name.contains("0123456789abcdef"));
        let path = file.to_path_buf();
        drop(file);
        assert!(!path.exists());
    }
}
