//! Whether two paths lead to one file, however they are written: by links, by `..`, or by another spelling.

use std::io;
use std::path::{Path, PathBuf};

use crate::path::link_target;

/// What a path leads to. Two are equal if they lead to the same file.
#[derive(PartialEq, Eq, Debug)]
pub struct FileIdentity(Kind);

#[derive(PartialEq, Eq, Debug)]
enum Kind {
    /// A file that is there, by device and inode.
    #[cfg(unix)]
    Present(u64, u64),
    /// A file that is there, by volume and index.
    #[cfg(not(unix))]
    Present(same_file::Handle),
    /// Where a file would come to lie.
    Missing(PathBuf),
}

impl FileIdentity {
    /// What a path leads to, for `-` the standard output. `None` if that cannot be told, or if it is the null device,
    /// which any number of outputs may share.
    #[must_use]
    pub fn of_output(path: &Path) -> Option<Self> {
        if path.as_os_str() == "-" { Self::of_standard_output() } else { Self::of(path) }
    }

    /// The file that a path leads to, for `-` the one that the standard input was redirected from. `None` if that cannot
    /// be told, or if it is no regular file: a terminal may be both input and output.
    #[must_use]
    pub fn of_input(path: &Path) -> Option<Self> {
        if path.as_os_str() == "-" {
            return Self::of_standard_input();
        }
        let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        if is_special { None } else { Self::of(path) }
    }

    /// The first of these inputs that writing the output would destroy.
    pub fn overwritten<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Option<&'a Path> {
        let output = Self::of_output(output)?;
        inputs.into_iter().find(|input| Self::of_input(input).as_ref() == Some(&output))
    }

    fn missing(path: &Path) -> Option<Self> {
        let path = link_target(path).ok()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(Self(Kind::Missing(folder.canonicalize().ok()?.join(path.file_name()?))))
    }
}

#[cfg(unix)]
impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        match std::fs::metadata(path) {
            Ok(metadata) => Self::of_metadata(&metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::missing(path),
            Err(_) => None,
        }
    }

    /// What the standard output goes to. `None` if that cannot be told, or for the null device.
    #[must_use]
    pub fn of_standard_output() -> Option<Self> {
        Self::of_stream(&io::stdout())
    }

    fn of_standard_input() -> Option<Self> {
        let input = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned().ok()?;
        let metadata = std::fs::File::from(input).metadata().ok()?;
        metadata.is_file().then(|| Self::of_metadata(&metadata))?
    }

    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Self> {
        let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?)
    }

    fn of_metadata(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: &std::fs::Metadata| Self(Kind::Present(metadata.dev(), metadata.ino()));
        let null = std::fs::metadata("/dev/null").ok();
        let is_null = null.is_some_and(|null| identity(&null) == identity(metadata));
        (!is_null).then(|| identity(metadata))
    }
}

#[cfg(not(unix))]
impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        match same_file::Handle::from_path(path) {
            Ok(handle) => Some(Self(Kind::Present(handle))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::missing(path),
            Err(_) => None,
        }
    }

    /// What the standard output goes to. `None` if that cannot be told.
    #[must_use]
    pub fn of_standard_output() -> Option<Self> {
        same_file::Handle::stdout().ok().map(|handle| Self(Kind::Present(handle)))
    }

    fn of_standard_input() -> Option<Self> {
        same_file::Handle::stdin().ok().map(|handle| Self(Kind::Present(handle)))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn one_file_is_known_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").unwrap();
        fs::create_dir(path("folder")).unwrap();
        fs::hard_link(path("file"), path("hard")).unwrap();
        symlink("file", path("soft")).unwrap();
        symlink("missing", path("dangling")).unwrap();
        let identity = |name: &str| FileIdentity::of_output(&path(name)).unwrap();
        for name in ["hard", "soft", "./file", "folder/../file"] {
            assert_eq!(identity("file"), identity(name), "{name}");
        }
        for name in ["dangling", "folder/../missing", "./missing"] {
            assert_eq!(identity("missing"), identity(name), "{name}");
        }
        assert_ne!(identity("file"), identity("missing"));
        assert_ne!(identity("other"), identity("missing"));
        assert_eq!(FileIdentity::of_output(Path::new("/dev/null")), None);
    }
}
