//! A folder to work in, and the program run there as a user would.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An empty folder that goes away with the test.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// How a run ended.
pub struct Run {
    pub code: i32,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub said: String,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("text on standard output")
    }

    /// Fails unless all went well.
    pub fn well(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.said);
        self
    }

    /// Fails unless these words are on standard error.
    pub fn says(&self, words: &str) -> &Self {
        assert!(
            self.said.contains(words),
            "{words:?} is not in:\n{}",
            self.said
        );
        self
    }

    /// Fails unless the run could not be made, said so with these words, and put nothing on standard output.
    pub fn refused(self, words: &str) -> Self {
        assert_eq!(self.code, 2, "{}", self.said);
        self.says(words);
        assert!(self.out.is_empty(), "{}", self.text());
        self
    }
}

impl Desk {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        let parent = path.parent().expect("a parent");
        std::fs::create_dir_all(parent).expect("folders can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program in this folder, with an environment that says nothing about colours.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hazumi"));
        command.args(arguments).current_dir(self.folder.path());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "TERM"] {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Runs the program with a text on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finish(self.command(arguments), input)
    }

    /// Every file below a folder with its bytes, hidden ones too; names are relative to it.
    pub fn contents(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(folder);
        let mut files = BTreeMap::new();
        collect(&root, &root, &mut files);
        files
    }

    /// The names of all files, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        self.contents("").into_keys().collect()
    }
}

/// Runs a command to its end.
pub fn finish(mut command: Command, input: &str) -> Run {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that does not read its input is right to close the pipe.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        code: output.status.code().expect("an exit status"),
        out: output.stdout,
        said: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below the root");
            let name = name.to_string_lossy().replace('\\', "/");
            files.insert(name, std::fs::read(&path).expect("a file"));
        }
    }
}
