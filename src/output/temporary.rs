//! What lies beside its place until it is complete: locked while in work, so that what a killed run left is
//! told from what another one is writing, and known by name, so that an interruption can take it away.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an interruption would leave, in the order it was made.
static IN_WORK: Mutex<Vec<Left>> = Mutex::new(Vec::new());

#[derive(Clone, Debug, PartialEq, Eq)]
enum Left {
    /// A temporary file, or such a folder with all that is in it.
    Temporary(PathBuf),
    /// A folder made for an output, to be removed if nothing else is in it.
    Parent(PathBuf),
}

fn in_work() -> MutexGuard<'static, Vec<Left>> {
    IN_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a path known until it is dropped.
pub struct Known(Left);

impl Known {
    /// A folder made for an output; it goes with an interruption.
    pub fn parent(path: &Path) -> Self {
        let left = Left::Parent(path.to_owned());
        in_work().push(left.clone());
        Self(left)
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        in_work().retain(|left| *left != self.0);
    }
}

/// A temporary file in `folder` whose name starts with `prefix`.
pub struct TemporaryFile {
    file: tempfile::NamedTempFile,
    _known: Known,
}

impl TemporaryFile {
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives it its place; what it removes when dropped is no longer there.
    pub fn persist(&self, place: &Path) -> io::Result<()> {
        fs::rename(self.file.path(), place)
    }

    /// Makes one, after removing what killed runs left under the same prefix.
    pub fn new(folder: &Path, prefix: &OsStr) -> io::Result<Self> {
        reclaim(folder, prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a new file gets: the system takes the umask off.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut known = in_work();
        let file = loop {
            let file = builder.tempfile_in(folder)?;
            if holds(file.as_file(), file.path()) {
                break file;
            }
        };
        let left = Left::Temporary(file.path().to_owned());
        known.push(left.clone());
        Ok(Self {
            file,
            _known: Known(left),
        })
    }
}

/// Locks a new file, unless another run took it for abandoned first. Where a file system knows no locks, all is
/// held and nothing is ever reclaimed.
fn holds(lock: &File, path: &Path) -> bool {
    match lock.try_lock() {
        Ok(()) => path.exists(),
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => true,
    }
}

/// A temporary folder.
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    /// The folder itself: its lock goes with it wherever it is moved.
    _lock: Option<File>,
    _known: Known,
}

impl TemporaryFolder {
    /// As [`TemporaryFile::new`].
    pub fn new(folder: &Path, prefix: &OsStr) -> io::Result<Self> {
        reclaim(folder, prefix);
        let mut known = in_work();
        let (folder, lock) = loop {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(folder)?;
            // Where a folder cannot be opened nothing is locked, and nothing is ever reclaimed.
            let lock = File::open(folder.path()).ok();
            if lock.as_ref().is_none_or(|lock| holds(lock, folder.path())) {
                break (folder, lock);
            }
        };
        let left = Left::Temporary(folder.path().to_owned());
        known.push(left.clone());
        Ok(Self {
            folder,
            _lock: lock,
            _known: Known(left),
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes it the output itself.
    pub fn persist(&self, place: &Path) -> io::Result<()> {
        fs::rename(self.path(), place)
    }
}

/// Removes what runs that were killed have left in a folder under a prefix.
fn reclaim(folder: &Path, prefix: &OsStr) {
    let prefix = prefix.as_encoded_bytes();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(prefix) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Removes a temporary file or folder that nobody holds the lock of.
fn remove_abandoned(path: &Path) {
    let Ok(found) = fs::symlink_metadata(path) else {
        return;
    };
    let is_free = |file: io::Result<File>| file.is_ok_and(|file| file.try_lock().is_ok());
    let _ = match found.is_dir() {
        true if is_free(File::open(path)) => fs::remove_dir_all(path),
        false if found.is_file() && is_free(File::options().write(true).open(path)) => {
            fs::remove_file(path)
        }
        _ => Ok(()),
    };
}

/// Moves things to their places; an interruption waits for its end, and sees all of it or nothing.
pub fn settle<T>(moves: impl FnOnce() -> T) -> T {
    let _held = in_work();
    moves()
}

/// Takes away everything that is not complete, for an interruption. Nothing is made or moved after that: the
/// process is about to end.
pub fn abandon() {
    let left = in_work();
    for left in left.iter().rev() {
        let _ = match left {
            Left::Temporary(path) if path.is_dir() => fs::remove_dir_all(path),
            Left::Temporary(path) => fs::remove_file(path),
            Left::Parent(path) => fs::remove_dir(path),
        };
    }
    std::mem::forget(left);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_run_left_is_reclaimed_and_what_is_in_work_is_not() {
        let root = tempfile::tempdir().unwrap();
        let prefix = OsStr::new(".x.gif.hazumi-");
        let at = |name: &str| root.path().join(name);
        fs::write(at(".x.gif.hazumi-dead"), "half").unwrap();
        fs::create_dir(at(".x.gif.hazumi-folder")).unwrap();
        fs::write(at(".x.gif.hazumi-folder/0000.png"), "half").unwrap();
        fs::write(at(".y.gif.hazumi-dead"), "another output's").unwrap();
        let first = TemporaryFile::new(root.path(), prefix).unwrap();
        let second = TemporaryFolder::new(root.path(), prefix).unwrap();
        let third = TemporaryFile::new(root.path(), prefix).unwrap();
        let mut expected: Vec<String> =
            [first.file.path(), second.folder.path(), third.file.path()]
                .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
                .into();
        expected.push(".y.gif.hazumi-dead".into());
        expected.sort();
        assert_eq!(names(root.path()), expected);
        drop((first, second, third));
        assert_eq!(names(root.path()), [".y.gif.hazumi-dead"]);
        assert!(!in_work().iter().any(|left| match left {
            Left::Temporary(path) | Left::Parent(path) => path.starts_with(root.path()),
        }));
    }
}
