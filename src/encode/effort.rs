//! How much time is given for fewer bytes.

/// How hard an encoder tries; what is seen is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// For files that are read again soon.
    Fast,
    #[default]
    Usual,
    /// For publishing.
    Max,
}

impl Effort {
    /// What a word after `--effort` means.
    ///
    /// # Errors
    /// A sentence with all words.
    pub fn named(word: &str) -> Result<Self, String> {
        match word {
            "fast" => Ok(Self::Fast),
            "default" => Ok(Self::Usual),
            "max" => Ok(Self::Max),
            _ => Err("the efforts are fast, default, max".into()),
        }
    }
}
