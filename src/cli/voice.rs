//! What is said to a person, on standard error.

use super::VoiceArgs;
use crate::film::Error;
use crate::golden::report as golden;
use crate::golden::verdict::{Orphan, Report, Verdict};
use crate::load::Problems;
use crate::spec::report;
use anstream::ColorChoice;
use clap::ValueEnum;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// When messages are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// The form of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    #[default]
    Text,
    Json,
    Github,
}

/// Says things, as loudly as was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    quiet: bool,
    verbose: bool,
    coloured: bool,
    form: MessageFormat,
}

impl Voice {
    pub(super) fn new(args: &VoiceArgs) -> Self {
        let stream = io::stderr();
        let auto = || anstream::AutoStream::choice(&stream) != ColorChoice::Never;
        Self {
            quiet: args.quiet,
            verbose: args.verbose,
            coloured: match args.color {
                ColorWhen::Auto => auto(),
                ColorWhen::Always => true,
                ColorWhen::Never => false,
            },
            form: args.message_format,
        }
    }

    /// A voice that says only what is wrong.
    pub fn hushed(&self) -> Self {
        Self {
            quiet: true,
            verbose: false,
            ..*self
        }
    }

    /// Problems of a spec.
    pub fn problems(&self, problems: &Problems) {
        let (list, sources) = (&problems.list, &problems.sources);
        let text = match self.form {
            MessageFormat::Text => report::text(list, sources, self.coloured),
            MessageFormat::Json => report::json_lines(list, sources),
            MessageFormat::Github => report::github(list, sources),
        };
        say(&text);
    }

    /// What went wrong, whatever it was.
    pub fn failure(&self, error: &Error) {
        match error {
            Error::Spec(problems) => self.problems(problems),
            other => self.error(&other.to_string()),
        }
    }

    /// What went wrong with a spec, whatever it was.
    pub fn failure_in(&self, path: &Path, error: &Error) {
        match error {
            Error::Choice(why) => self.error(&format!("{}: {why}", path.display())),
            other => self.failure(other),
        }
    }

    /// What a check finds about a spec, if there is anything to say.
    pub fn verdict(&self, verdict: &Verdict) {
        match self.form {
            MessageFormat::Text => say(&golden::text::verdict(verdict)),
            MessageFormat::Json => say(&golden::json::line(verdict)),
            // All at once, at the end: there may be too many.
            MessageFormat::Github => {}
        }
    }

    /// A golden that no spec has.
    pub fn orphan(&self, orphan: &Orphan) {
        if self.form != MessageFormat::Github {
            self.plain("error", "orphan", &golden::text::orphan(orphan));
        }
    }

    /// What a check comes to.
    pub fn conclusion(&self, report: &Report) {
        if self.form == MessageFormat::Github {
            say(&golden::github::annotations(report));
        }
        if !report.specs.is_empty() {
            self.note(&golden::text::summary(report));
        }
    }

    /// Something that went wrong outside of any spec.
    pub fn error(&self, message: &str) {
        self.plain("error", "failed", message);
    }

    /// Something that may surprise.
    pub fn warning(&self, message: &str) {
        self.plain("warning", "untrue", message);
    }

    /// Something that a person should know.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            self.plain("note", "note", message);
        }
    }

    /// Something that a person may want to know.
    pub fn detail(&self, message: &str) {
        if self.verbose {
            self.plain("note", "detail", message);
        }
    }

    /// How it ended, for a person at a terminal; pipes and logs stay as they are.
    pub fn on_terminal(&self, message: &str) {
        if self.form == MessageFormat::Text && io::stderr().is_terminal() {
            self.note(message);
        }
    }

    fn plain(&self, severity: &str, code: &str, message: &str) {
        let message = report::printable(message);
        say(&match self.form {
            MessageFormat::Text => format!("{severity}: {message}\n"),
            MessageFormat::Json => {
                let object = serde_json::json!({
                    "schema_version": report::SCHEMA_VERSION,
                    "code": code,
                    "severity": severity,
                    "message": message,
                });
                format!("{object}\n")
            }
            MessageFormat::Github => {
                let level = match severity {
                    "error" | "warning" => severity,
                    _ => "notice",
                };
                format!("::{level}::{}\n", message.replace('%', "%25"))
            }
        });
    }

    /// Whether a progress bar may be shown.
    pub fn shows_progress(&self) -> bool {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        !self.quiet
            && self.form == MessageFormat::Text
            && io::stderr().is_terminal()
            && !dumb
            && !super::in_ci()
    }
}

/// Writes to standard error; nobody listening is no reason to fail.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
