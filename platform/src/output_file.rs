//! A file that is whole or as it was before: written aside, and put in its place when all is written.

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err::File;
use tempfile::{Builder, TempPath};

use crate::path::{folder_of, link_target};
use crate::same_file::FileIdentity;

/// What a file is called while it is written, if it needs a name: this and random letters.
const PREFIX: &str = ".vancura-";
const SUFFIX: &str = ".new";
/// How many random letters there are.
const RANDOM: usize = 6;
/// A file that was not written for so long is left over.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// A file that is written aside. It takes its place only with [`commit`](Self::commit), all at once; without that, and
/// whatever ends the process, what was there before stays as it was.
///
/// A symbolic link stays one: the file that it leads to is replaced, with its permissions. Other hard links to that file
/// keep the old contents. What is no regular file, such as a terminal, a pipe or `/dev/stdout`, is written directly.
#[derive(Debug)]
pub struct OutputFile {
    file: BufWriter<File>,
    /// `None` if it is written directly.
    aside: Option<Aside>,
}

#[derive(Debug)]
struct Aside {
    /// Where it lies meanwhile; `None` if the system keeps it without a name.
    name: Option<TempPath>,
    /// Where it belongs.
    target: PathBuf,
    /// There is a file already.
    replaces: bool,
}

impl OutputFile {
    /// Begins a file that will lie at a path. Nothing can be seen there yet.
    ///
    /// # Errors
    ///
    /// If no file could be written there. The error names the path.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_direct(path) {
            let file = open_directly(path).map_err(|error| named(path, &error))?;
            return Ok(Self { file: BufWriter::new(File::from_parts(file, path)), aside: None });
        }
        let target = link_target(path).map_err(|error| named(path, &error))?;
        let old = match fs::metadata(&target) {
            Ok(metadata) => {
                // Whether it may be written: a rename would not ask.
                fs::OpenOptions::new().write(true).open(&target).map_err(|error| named(path, &error))?;
                Some(metadata)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(path, &error)),
        };
        let (file, name) = create_in(folder_of(&target)).map_err(|error| named(path, &error))?;
        if let Some(old) = &old {
            copy_permissions(old, &file).map_err(|error| named(path, &error))?;
        }
        let aside = Some(Aside { name, target, replaces: old.is_some() });
        Ok(Self { file: BufWriter::new(File::from_parts(file, path)), aside })
    }

    /// Whether another file will be replaced.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.aside.as_ref().is_some_and(|aside| aside.replaces)
    }

    /// A second handle on the file, for a library that writes it by itself.
    ///
    /// # Errors
    ///
    /// If the system does not give one.
    pub fn try_clone(&self) -> io::Result<fs::File> {
        self.file.get_ref().file().try_clone()
    }

    /// As [`commit`](Self::commit), if there is no file in its place by then.
    ///
    /// # Errors
    ///
    /// As [`commit`](Self::commit); of the kind `AlreadyExists` if there is one.
    pub fn commit_new(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(aside) = self.aside.take() else { return Ok(()) };
        let file = self.file.get_ref();
        file.sync_all()?;
        aside.put_new(file.file())
    }

    /// Puts the file in its place, when all of it is on disk.
    ///
    /// # Errors
    ///
    /// If the last of it cannot be written, or the file not be put there. What was there before stays.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(aside) = self.aside.take() else { return Ok(()) };
        let file = self.file.get_ref();
        file.sync_all()?;
        let path = file.path().to_owned();
        aside.put(file.file()).map_err(|error| named(&path, &error))
    }
}

/// Replaces a file by one with these contents, or makes it; see [`OutputFile`].
///
/// # Errors
///
/// If the file cannot be written. What was there before stays.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Removes what [`OutputFile`] has left in a folder where a process ended between naming a file and putting it in its
/// place: only files with such a name, and none that has changed in the last minute, as another process may be writing it.
/// What cannot be read or removed stays.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_old = |metadata: &Metadata| {
            let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
            metadata.is_file() && age.is_some_and(|age| age > LEFT_AFTER)
        };
        if is_ours(&entry.file_name().to_string_lossy()) && entry.metadata().is_ok_and(|metadata| is_old(&metadata)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file that is being written can be called so.
fn is_ours(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Aside {
    /// Gives the file its name, if nothing else has it. Of a file without a name nothing is ever seen but the whole.
    fn put_new(self, file: &fs::File) -> io::Result<()> {
        match self.name {
            Some(name) => name.persist_noclobber(&self.target).map_err(|error| error.error),
            None => link(file, &self.target),
        }
    }

    fn put(self, file: &fs::File) -> io::Result<()> {
        let folder = folder_of(&self.target);
        let name = match self.name {
            Some(name) => Some(name),
            // Where nothing has its name yet, it never has another.
            None if !self.replaces && link(file, &self.target).is_ok() => None,
            None => Some(give_name(file, folder)?),
        };
        if let Some(name) = name {
            name.persist(&self.target).map_err(|error| error.error)?;
        }
        // The name itself outlasts a power cut only when its folder is on disk. Not every system can promise that.
        if let Ok(folder) = fs::File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Whether a path leads to something that is written directly: a device, a pipe, or what is open already, as
/// `/dev/stdout` or `/proc/self/fd/3`.
#[must_use]
pub fn is_direct(path: &Path) -> bool {
    let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    cfg!(unix) && is_open || is_special || is_standard_output(path)
}

fn is_standard_output(path: &Path) -> bool {
    FileIdentity::of_standard_output().is_some_and(|output| FileIdentity::of_output(path) == Some(output))
}

fn open_directly(path: &Path) -> io::Result<fs::File> {
    if is_standard_output(path) {
        // Opened anew, it would be written from its start, over what others have written.
        #[cfg(unix)]
        return Ok(std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?.into());
    }
    fs::OpenOptions::new().write(true).create(true).truncate(true).open(path)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("failed to write to file `{}`: {error}", path.display()))
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any file: the system takes away what the user's mask says.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// A new file in a folder: without a name where the system can do that, so that nothing is left of it if the process
/// is killed.
fn create_in(folder: &Path) -> io::Result<(fs::File, Option<TempPath>)> {
    #[cfg(target_os = "linux")]
    if let Some(file) = create_unnamed(folder) {
        return Ok((file, None));
    }
    let (file, name) = builder().tempfile_in(folder)?.into_parts();
    Ok((file, Some(name)))
}

/// `None` where the file system cannot do that, or the file could not be named later.
#[cfg(target_os = "linux")]
fn create_unnamed(folder: &Path) -> Option<fs::File> {
    use rustix::fs::{Mode, OFlags, open};
    let mode = Mode::from_raw_mode(0o666);
    let file: fs::File = open(folder, OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC, mode).ok()?.into();
    fs::symlink_metadata(path_of(&file)).is_ok().then_some(file)
}

#[cfg(target_os = "linux")]
fn path_of(file: &fs::File) -> PathBuf {
    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)).into()
}

/// Gives a file without a name a random one.
#[cfg(target_os = "linux")]
fn give_name(file: &fs::File, folder: &Path) -> io::Result<TempPath> {
    builder().make_in(folder, |path| link(file, path)).map(tempfile::NamedTempFile::into_temp_path)
}

/// Gives a file without a name this one, which nothing else may have.
#[cfg(target_os = "linux")]
fn link(file: &fs::File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, path_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &fs::File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn give_name(_: &fs::File, _: &Path) -> io::Result<TempPath> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a new file the permissions of the one that it will replace, and its owner if that is allowed.
fn copy_permissions(old: &Metadata, new: &fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Before the permissions: a change of owner takes some of them away.
        let _ = std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_the_old_one_until_it_is_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        assert!(file.replaces());
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["file".to_owned()]));
        write_file(&path, "new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"new".to_vec(), vec!["file".to_owned()]));
    }

    #[test]
    fn what_was_left_over_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let left = builder().tempfile_in(folder.path()).unwrap().into_temp_path().keep().unwrap();
        let fresh = builder().tempfile_in(folder.path()).unwrap();
        let others = [".vancura-a.new", ".vancura-abcdef.old", ".vancura-abc-ef.new", "abcdef.new", "game.pgn"];
        let others = others.map(|name| folder.path().join(name));
        let old = std::time::SystemTime::now() - 2 * LEFT_AFTER;
        for path in others.iter().chain([&left]) {
            fs::File::create(path).unwrap().set_modified(old).unwrap();
        }
        fs::create_dir(folder.path().join(".vancura-folder.new")).unwrap();
        symlink(&others[4], folder.path().join(".vancura-linked.new")).unwrap();
        remove_leftovers(folder.path());
        assert!(!left.exists() && fresh.path().exists());
        assert!(others.iter().all(|path| path.exists()));
        assert_eq!(names(folder.path()).len(), others.len() + 3, "{:?}", names(folder.path()));
        remove_leftovers(&folder.path().join("none"));
    }

    #[test]
    fn a_new_file_takes_no_others_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [mut one, mut other] = [(); 2].map(|()| OutputFile::create(&path).unwrap());
        one.try_clone().unwrap().write_all(b"one").unwrap();
        other.write_all(b"other").unwrap();
        one.flush().unwrap();
        one.commit_new().unwrap();
        assert_eq!(other.commit_new().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"one".to_vec(), vec!["file".to_owned()]));
    }

    #[test]
    fn a_file_that_has_a_name_meanwhile_takes_its_place_too() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("file");
        let (mut file, name) = builder().tempfile_in(folder.path()).unwrap().into_parts();
        file.write_all(b"new").unwrap();
        Aside { name: Some(name), target: target.clone(), replaces: false }.put(&file).unwrap();
        assert_eq!((fs::read(&target).unwrap(), names(folder.path())), (b"new".to_vec(), vec!["file".to_owned()]));
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "old").unwrap();
        fs::set_permissions(path("file"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::create_dir(path("folder")).unwrap();
        symlink("../file", path("folder/link")).unwrap();
        symlink("folder/link", path("to link")).unwrap();
        symlink("made", path("dangling")).unwrap();
        write_file(&path("to link"), "new").unwrap();
        assert_eq!(fs::read(path("file")).unwrap(), b"new");
        assert_eq!(fs::metadata(path("file")).unwrap().mode() & 0o777, 0o640);
        write_file(&path("dangling"), "made").unwrap();
        assert_eq!(fs::read(path("made")).unwrap(), b"made");
        assert!(["to link", "folder/link", "dangling"].iter().all(|name| path(name).is_symlink()));
        // A new file has what the user's mask leaves, as one that is made directly.
        fs::write(path("plain"), "").unwrap();
        let modes = ["plain", "made"].map(|name| fs::metadata(path(name)).unwrap().mode());
        assert_eq!(modes[0], modes[1]);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        symlink("loop", folder.path().join("loop")).unwrap();
        for name in ["", "no/such/folder", "loop"] {
            let path = folder.path().join(name);
            let error = OutputFile::create(&path).unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()), "{error}");
        }
        let error = write_file(Path::new("/dev/full"), "text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        write_file(Path::new("/dev/null"), "text").unwrap();
    }
}
