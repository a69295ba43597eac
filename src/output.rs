//! Where bytes go: whole files or nothing, whatever happens on the way.
//!
//! A file is written beside its place as `.NAME.hazumi-XXXXXX` and renamed over it when it is complete; a
//! sequence is written into such a folder. If the folder of an earlier sequence is there, what else it holds is
//! linked into the new one, and both change places at once. Where the system or the file system cannot do that,
//! and where there are folders in it, the finished files are renamed into it one by one and the rest of the old
//! sequence is removed: then only a run killed between those renames leaves both.
//! What a killed run has left is removed by the next one that writes to the same place.
//! A symbolic link is replaced, its target untouched. Devices and pipes are written to as they are.

mod temporary;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use self::temporary::{Known, TemporaryFile, TemporaryFolder, settle};
use crate::encode::{Files, Format, Movie, Stop, Watch, Writer};
use crate::spec::read::words_of;
pub use temporary::abandon;

/// Where a movie is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    Stdout,
    File(PathBuf),
    /// A folder for a file per frame.
    Folder(PathBuf),
}

impl Destination {
    fn path(&self) -> &Path {
        match self {
            Self::Stdout => Path::new("standard output"),
            Self::File(path) | Self::Folder(path) => path,
        }
    }
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Failure {
    Cancelled,
    /// The destination or the movie will not do; `why` is a sentence that follows the path.
    Refused {
        path: PathBuf,
        why: String,
    },
    Io {
        path: PathBuf,
        source: io::Error,
    },
}

impl Failure {
    fn refused(path: &Path, why: impl Into<String>) -> Self {
        let (path, why) = (path.to_owned(), why.into());
        Self::Refused { path, why }
    }

    /// Whether whoever reads from standard output has had enough.
    pub fn is_reader_gone(&self) -> bool {
        let Self::Io { path, source } = self else {
            return false;
        };
        path == Destination::Stdout.path() && source.kind() == io::ErrorKind::BrokenPipe
    }

    /// For `map_err`: a fault at a path.
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// For `map_err`: an encoder that stopped while it wrote to a path.
    fn stopped(path: &Path) -> impl FnOnce(Stop) -> Self {
        move |stop| match stop {
            Stop::Cancelled => Self::Cancelled,
            Stop::Unsuitable(why) => Self::refused(path, why),
            Stop::Io(source) => Self::at(path)(source),
        }
    }
}

impl fmt::Display for Failure {
    /// Paths are escaped as in Rust's string literals, so that none can fake a line of output.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Refused { path, why } => write!(f, "cannot write {path:?}: {why}"),
            Self::Io { path, source } => write!(f, "cannot write {path:?}: {}", words_of(source)),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Names that some systems keep for devices, whatever the extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Says why a name, as from a spec, cannot become a file name on every system: it is empty, has a NUL or a
/// separator, is `.` or `..`, ends in a dot or a space, or is that of a device.
pub fn check_name(name: &str) -> Result<(), String> {
    let stem = name.split('.').next().unwrap_or("").trim_end();
    let stem = stem.to_ascii_lowercase();
    let numbered = NUMBERED_DEVICES.iter().any(|device| {
        stem.strip_prefix(device)
            .is_some_and(|digit| matches!(digit.as_bytes(), [b'1'..=b'9']))
    });
    let why = if name.is_empty() {
        "it is empty"
    } else if name.contains('\0') {
        "it has a NUL character"
    } else if name.contains(['/', '\\']) {
        "it has a path separator"
    } else if name == "." || name == ".." {
        "it is a folder"
    } else if name.ends_with(['.', ' ']) {
        "it ends in a dot or a space"
    } else if numbered || DEVICES.contains(&stem.as_str()) {
        "it is the name of a device on Windows"
    } else {
        return Ok(());
    };
    Err(format!("{name:?} cannot name a file: {why}"))
}

/// Says before anything is drawn why a destination will not do: it is a folder where a file should be or
/// the other way round, it is read-only, or it is one of the inputs.
pub fn check(destination: &Destination, inputs: &[&Path]) -> Result<(), Failure> {
    let path = match destination {
        Destination::Stdout => return Ok(()),
        Destination::File(path) | Destination::Folder(path) => path,
    };
    let refuse = |why: &str| Err(Failure::refused(path, why));
    let folder = matches!(destination, Destination::Folder(_));
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return refuse("its name has a NUL character");
    }
    if path.file_name().is_none() && !(folder && path.is_dir()) {
        return refuse("it names no file");
    }
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => return check_parents(path),
            _ => return Err(Failure::at(path)(error)),
        },
    };
    if found.is_symlink() {
        return Ok(());
    }
    let same = |input: &&Path| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    match (folder, found.is_dir()) {
        (false, true) => refuse("it is a folder"),
        (true, false) => refuse("it is not a folder"),
        (false, false) if inputs.iter().any(same) => refuse("it is an input"),
        _ if found.permissions().readonly() => refuse("it is read-only"),
        _ => Ok(()),
    }
}

/// The nearest parent that exists must be a folder.
fn check_parents(path: &Path) -> Result<(), Failure> {
    match path.ancestors().skip(1).find(|parent| parent.exists()) {
        Some(parent) if !parent.is_dir() => Err(Failure::refused(parent, "it is not a folder")),
        _ => Ok(()),
    }
}

/// Draws a movie and writes it, in the rayon pool in force: all of it, or on failure nothing. Missing parent
/// folders are made. To standard output, the files of a sequence go one after another.
pub fn save(
    format: &Format,
    movie: &Movie,
    destination: &Destination,
    watch: Watch,
) -> Result<(), Failure> {
    check(destination, &[])?;
    let path = destination.path();
    let one_stream = |out: &mut dyn Write| match format.writer {
        Writer::File(write) => write(movie, watch, out),
        Writer::Folder(write) => write(movie, watch, &mut |_, bytes| out.write_all(bytes)),
    };
    match (destination, format.writer) {
        (Destination::Stdout, _) => write_stream(path, io::stdout().lock(), one_stream),
        (Destination::File(_), _) if is_device(path) => {
            let device = File::options().write(true).open(path);
            write_stream(path, device.map_err(Failure::at(path))?, one_stream)
        }
        (Destination::File(_), _) => write_file(path, one_stream),
        (Destination::Folder(_), Writer::Folder(write)) => {
            write_folder(path, format.extension, |out| write(movie, watch, out))
        }
        (Destination::Folder(_), Writer::File(_)) => Err(Failure::refused(
            path,
            format!("{} is one file", format.name),
        )),
    }
}

/// Writes a file's bytes, in one go or not at all.
pub fn save_bytes(destination: &Destination, bytes: &[u8]) -> Result<(), Failure> {
    let write = |out: &mut dyn Write| Ok(out.write_all(bytes)?);
    match destination {
        Destination::Stdout => write_stream(destination.path(), io::stdout().lock(), write),
        Destination::File(path) if is_device(path) => {
            let device = File::options().write(true).open(path);
            write_stream(path, device.map_err(Failure::at(path))?, write)
        }
        Destination::File(path) | Destination::Folder(path) => write_file(path, write),
    }
}

/// A pipe or a device, which a rename would replace.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn write_stream(
    path: &Path,
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(out);
    write(&mut out).map_err(Failure::stopped(path))?;
    out.flush().map_err(Failure::at(path))
}

/// Writes a file in one go: what `write` sends becomes the file if all goes well, else nothing changes.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>,
) -> Result<(), Failure> {
    let parent = parent(path);
    let parents = Parents::make(parent)?;
    let temporary = TemporaryFile::new(parent, &prefix(path)).map_err(Failure::at(path))?;
    let file = temporary.as_file();
    write_stream(path, file, write)?;
    // Some file systems tell of a fault only here, and a rename may reach the disk before the bytes do.
    file.sync_all().map_err(Failure::at(path))?;
    settle(|| temporary.persist(path)).map_err(Failure::at(path))?;
    parents.keep();
    Ok(())
}

/// Writes a sequence of numbered files into a folder, and removes those of an earlier one that are left.
fn write_folder(
    path: &Path,
    extension: &str,
    write: impl FnOnce(&mut Files) -> Result<(), Stop>,
) -> Result<(), Failure> {
    let parent = parent(path);
    let parents = Parents::make(parent)?;
    let temporary = TemporaryFolder::new(parent, &prefix(path)).map_err(Failure::at(path))?;
    let from = temporary.path().to_owned();
    let mut names = BTreeSet::new();
    let mut add = |name: &str, bytes: &[u8]| {
        names.insert(OsString::from(name));
        let mut file = File::create(from.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write(&mut add).map_err(Failure::stopped(path))?;
    settle(|| {
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            fs::remove_file(path).map_err(Failure::at(path))?;
        }
        // Another run may make the folder just now.
        if !path.is_dir() && temporary.persist(path).is_ok() {
            return Ok(());
        }
        check_places(path, &names)?;
        if change_places(path, &from, extension).is_ok() {
            return Ok(());
        }
        move_into(path, &from, &names)?;
        remove_stale(path, extension, &names)
    })?;
    parents.keep();
    Ok(())
}

/// All that can be in the way is looked for before the first file is moved.
fn check_places(folder: &Path, names: &BTreeSet<OsString>) -> Result<(), Failure> {
    for place in names.iter().map(|name| folder.join(name)) {
        if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
            return Err(Failure::refused(&place, "it is a folder"));
        }
    }
    Ok(())
}

/// Puts a finished sequence in the place of an earlier one, all at once; the earlier one is then where the
/// finished one was. Files of other names are in both.
///
/// Fails where this cannot be done, with the earlier sequence as it was.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn change_places(old: &Path, new: &Path, extension: &str) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use std::os::unix::fs::MetadataExt;
    let (before, now) = (fs::metadata(old)?, fs::metadata(new)?);
    if (before.uid(), before.gid()) != (now.uid(), now.gid()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut linked = Vec::new();
    let changed = link_others(old, new, extension, &mut linked).and_then(|()| {
        fs::set_permissions(new, before.permissions())?;
        Ok(renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE)?)
    });
    if changed.is_err() {
        for place in linked {
            fs::remove_file(place)?;
        }
    }
    changed
}

/// Fails, for there is no way.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn change_places(_: &Path, _: &Path, _: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Links what a folder holds besides a sequence into another one; a folder cannot be linked.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn link_others(
    from: &Path,
    to: &Path,
    extension: &str,
    linked: &mut Vec<PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_file = !entry.file_type()?.is_dir();
        if is_file && is_numbered(&name, extension) {
            continue;
        }
        let place = to.join(&name);
        fs::hard_link(entry.path(), &place)?;
        linked.push(place);
    }
    Ok(())
}

fn move_into(folder: &Path, from: &Path, names: &BTreeSet<OsString>) -> Result<(), Failure> {
    for name in names {
        let place = folder.join(name);
        fs::rename(from.join(name), &place).map_err(Failure::at(&place))?;
    }
    Ok(())
}

/// Removes the numbered files of a folder that are not among `names`.
fn remove_stale(folder: &Path, extension: &str, names: &BTreeSet<OsString>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(Failure::at(folder))? {
        let entry = entry.map_err(Failure::at(folder))?;
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
        if is_file && is_numbered(&name, extension) && !names.contains(&name) {
            let place = entry.path();
            fs::remove_file(&place).map_err(Failure::at(&place))?;
        }
    }
    Ok(())
}

/// Whether a name is four digits or more and the extension.
fn is_numbered(name: &OsStr, extension: &str) -> bool {
    name.to_str()
        .and_then(|name| name.strip_suffix(extension))
        .and_then(|name| name.strip_suffix('.'))
        .is_some_and(|digits| digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// How temporary neighbours of a path begin; names near the system's limit are left out.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    if let Some(name) = path.file_name().filter(|name| name.len() < 200) {
        prefix.push(name);
        prefix.push(".");
    }
    prefix.push("hazumi-");
    prefix
}

/// Folders made for an output, which go again if it fails.
struct Parents(Vec<(PathBuf, Known)>);

impl Parents {
    fn make(folder: &Path) -> Result<Self, Failure> {
        let missing = folder.ancestors().take_while(|parent| {
            // The empty path is the current folder.
            !parent.as_os_str().is_empty() && !parent.exists()
        });
        let missing: Vec<&Path> = missing.collect();
        let mut made = Self(Vec::new());
        for parent in missing.into_iter().rev() {
            match fs::create_dir(parent) {
                Ok(()) => made.0.push((parent.to_owned(), Known::parent(parent))),
                Err(_) if parent.is_dir() => {}
                Err(error) => return Err(Failure::at(parent)(error)),
            }
        }
        Ok(made)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Parents {
    fn drop(&mut self) {
        for (folder, _) in self.0.iter().rev() {
            // One that something else has been put into stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::{Failing, balls, fill, movie};
    use crate::encode::{self, FORMATS};
    use crate::raster::Canvas;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn draw(frame: usize, pixels: &mut Canvas) {
        fill(pixels, [255; 4]);
        balls(frame, 12, pixels, 3);
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn save_png(frames: usize, folder: &Path) -> Result<(), Failure> {
        let format = encode::format("png").unwrap();
        let to = Destination::Folder(folder.to_owned());
        save(
            format,
            &movie((20, 10), frames, true, &draw),
            &to,
            Watch::default(),
        )
    }

    #[test]
    fn a_file_appears_whole_with_its_folders() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b/c.gif");
        let to = Destination::File(path.clone());
        let movie = movie((20, 10), 3, true, &draw);
        save(&FORMATS[0], &movie, &to, Watch::default()).unwrap();
        assert_eq!(fs::read(&path).unwrap()[..6], *b"GIF89a");
        assert_eq!(names(&root.path().join("a/b")), ["c.gif"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_a_new_one() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            fs::metadata(root.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        File::create(root.path().join("plain")).unwrap();
        write_file(&root.path().join("ours"), |out| Ok(out.write_all(b"x")?)).unwrap();
        save_png(1, &root.path().join("frames")).unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        assert_eq!(mode("ours"), mode("plain"));
        assert_eq!(mode("frames"), mode("folder"));
        assert_eq!(mode("frames/0000.png"), mode("plain"));
    }

    #[test]
    fn a_fault_at_any_byte_leaves_the_old_file_alone() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x.gif");
        let movie = movie((20, 10), 3, true, &draw);
        let Writer::File(write) = FORMATS[0].writer else {
            panic!("the first format is a file");
        };
        fs::write(&path, "old").unwrap();
        let mut limit = 0;
        loop {
            let result = write_file(&path, |out| {
                write(&movie, Watch::default(), &mut Failing::after(limit, out))
            });
            if result.is_ok() {
                break;
            }
            assert!(result.unwrap_err().to_string().contains("x.gif"));
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(names(root.path()), ["x.gif"]);
            limit += 1 + limit / 8;
        }
        assert!(limit > 100);
    }

    #[test]
    fn a_failed_file_leaves_no_folder() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        let fail = |_: &mut dyn Write| Err(Stop::Cancelled);
        let result = write_file(&root.path().join("a/b/c/x.gif"), fail);
        assert!(matches!(result, Err(Failure::Cancelled)));
        assert!(names(&root.path().join("a")).is_empty());
    }

    #[test]
    fn a_cancelled_movie_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let cancelled = AtomicBool::new(false);
        let watch = Watch {
            progress: &|_, _| cancelled.store(true, Ordering::Relaxed),
            cancelled: &cancelled,
        };
        for format in FORMATS {
            cancelled.store(false, Ordering::Relaxed);
            let path = root.path().join("x");
            let to = match format.writer {
                Writer::File(_) => Destination::File(path),
                Writer::Folder(_) => Destination::Folder(path),
            };
            let result = save(format, &movie((20, 10), 200, true, &draw), &to, watch);
            assert!(matches!(result, Err(Failure::Cancelled)));
            assert!(names(root.path()).is_empty());
        }
    }

    #[test]
    fn a_shorter_sequence_removes_the_rest_of_the_longer() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("frames");
        save_png(5, &folder).unwrap();
        let others = [
            "00000.png",
            "12.png",
            "0003.jpg",
            "0003.png.txt",
            "x0003.png",
        ];
        for name in others {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::create_dir(folder.join("9999.png")).unwrap();
        save_png(2, &folder).unwrap();
        let expected = [
            "0000.png",
            "0001.png",
            "0003.jpg",
            "0003.png.txt",
            "12.png",
            "9999.png",
            "x0003.png",
        ];
        assert_eq!(names(&folder), expected);
        assert_eq!(names(root.path()), ["frames"]);
    }

    #[test]
    fn a_failed_sequence_changes_nothing() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("frames");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("0000.png"), "old").unwrap();
        let fail = |out: &mut Files| {
            out("0000.png", b"new")?;
            Err(Stop::Cancelled)
        };
        assert!(write_folder(&folder, "png", fail).is_err());
        fs::create_dir(folder.join("0001.png")).unwrap();
        let blocked = save_png(2, &folder).unwrap_err().to_string();
        assert!(blocked.contains("0001.png"), "{blocked}");
        assert_eq!(fs::read(folder.join("0000.png")).unwrap(), b"old");
        assert_eq!(names(root.path()), ["frames"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_their_targets_untouched() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::write(at("target"), "old").unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink(at("target"), at("x.gif")).unwrap();
        symlink(at("folder"), at("frames")).unwrap();
        symlink(at("nowhere"), at("dangling.gif")).unwrap();
        let movie = movie((20, 10), 2, true, &draw);
        for name in ["x.gif", "dangling.gif"] {
            let to = Destination::File(at(name));
            save(&FORMATS[0], &movie, &to, Watch::default()).unwrap();
            assert!(fs::symlink_metadata(at(name)).unwrap().is_file());
        }
        save_png(2, &at("frames")).unwrap();
        assert!(fs::symlink_metadata(at("frames")).unwrap().is_dir());
        assert_eq!(fs::read(at("target")).unwrap(), b"old");
        assert!(names(&at("folder")).is_empty());
        assert!(!at("nowhere").exists());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_stay() {
        let movie = movie((20, 10), 2, true, &draw);
        let null = Destination::File("/dev/null".into());
        save(&FORMATS[0], &movie, &null, Watch::default()).unwrap();
        assert!(is_device(Path::new("/dev/null")));
        #[cfg(target_os = "linux")]
        {
            let full = Destination::File("/dev/full".into());
            let fault = save(&FORMATS[0], &movie, &full, Watch::default()).unwrap_err();
            assert!(fault.to_string().contains("/dev/full"), "{fault}");
        }
    }

    #[test]
    fn destinations_are_checked_before_drawing() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "").unwrap();
        fs::write(at("locked"), "").unwrap();
        let mut permissions = fs::metadata(at("locked")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(at("locked"), permissions).unwrap();
        let input = at("folder/../file");
        let why = |destination| check(&destination, &[&input]).unwrap_err().to_string();
        assert!(why(Destination::File(at("folder"))).ends_with("it is a folder"));
        assert!(why(Destination::File(at("locked"))).ends_with("it is read-only"));
        assert!(why(Destination::File(at("file"))).ends_with("it is an input"));
        assert!(why(Destination::File(at("file/x.gif"))).ends_with("file\": it is not a folder"));
        assert!(why(Destination::File(at("a\0b"))).ends_with("a NUL character"));
        assert!(why(Destination::File("..".into())).ends_with("it names no file"));
        assert!(why(Destination::Folder(at("file"))).ends_with("it is not a folder"));
        for fine in [
            Destination::Stdout,
            Destination::File(at("new/x.gif")),
            Destination::File(at("x.gif")),
            Destination::Folder(at("folder")),
            Destination::Folder(".".into()),
        ] {
            check(&fine, &[&input]).unwrap();
        }
    }

    #[test]
    fn names_that_fit_every_system() {
        for bad in [
            "", ".", "..", "../x", "a/b", "a\\b", "a\0", "CON", "con.gif", "Lpt1", "com9.x", "x.",
            "x ", "nul .a",
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
        for good in [
            "x",
            "letter-i",
            "..x",
            "console",
            "com",
            "com10",
            "日本語",
            ".hidden",
            "a..b",
        ] {
            check_name(good).unwrap();
        }
    }
}
