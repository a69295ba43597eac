//! Words for people: "did you mean", and lists of what is allowed.

use std::cmp::Reverse;

/// Longer words are nobody's typing error, and comparing them costs their length squared.
const LONGEST: usize = 64;

/// Lists up to this long are given whole.
const WHOLE_LIST: usize = 40;

/// How many of a longer list are given.
const NEAREST: usize = 12;

/// How many candidates are looked at: nobody knows more names, and each costs time.
const MOST_CANDIDATES: usize = 2000;

/// A name in back-ticks, shortened if somebody wrote a very long one.
pub fn ticked(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    }
}

/// The candidate that `word` was probably meant to be, the first of several equally near.
///
/// Case, hyphens, underscores and humps make no difference, nor does the order of the words; one
/// word too many or too few is forgiven (`easeInOutCubic` is near `in_out_cubic`), and so are
/// abbreviations and slips of the finger. `None` if nothing is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = Shape::of(word)?;
    let candidates = candidates.into_iter().take(MOST_CANDIDATES);
    let near = candidates.filter_map(|candidate| {
        let closeness = word.closeness(&Shape::of(candidate)?)?;
        Some((closeness, candidate))
    });
    // `min_by_key` keeps the first of equals.
    near.min_by_key(|(closeness, _)| Reverse(*closeness))
        .map(|(_, candidate)| candidate)
}

/// The candidates with commas: all of them, or those nearest to `word` and how many are left.
pub fn list_some<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let mut candidates = candidates.into_iter();
    let mut listed: Vec<&str> = candidates.by_ref().take(MOST_CANDIDATES).collect();
    if listed.len() <= WHOLE_LIST {
        return listed.join(", ");
    }
    let left_out = listed.len() - NEAREST + candidates.count();
    let folded: String = folded(word).chars().take(LONGEST).collect();
    listed.sort_by_cached_key(|candidate| Reverse(likeness(&folded, candidate)));
    listed.truncate(NEAREST);
    format!("{} and {left_out} more", listed.join(", "))
}

/// How alike two words look, in thousandths.
fn likeness(folded_word: &str, candidate: &str) -> u32 {
    let candidate: String = folded(candidate).chars().take(LONGEST).collect();
    (strsim::normalized_damerau_levenshtein(folded_word, &candidate) * 1000.0) as u32
}

/// Letters and digits alone, in lower case.
fn folded(word: &str) -> String {
    word.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// How near a candidate is: the later, the nearer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// One begins like the other; counts the letters.
    Beginning(usize),
    /// A slip of the finger; counts the thousandths that agree.
    Slip(u32),
    /// All words but one are there; whether they stand at the end, and how many letters they have.
    OneWordOff(bool, usize),
    SameWords,
    Same,
}

/// What is left of a name when its spelling style is taken away.
struct Shape {
    folded: String,
    /// The words between humps, hyphens and underscores, sorted.
    words: Vec<String>,
}

impl Shape {
    fn of(name: &str) -> Option<Self> {
        if name.chars().nth(LONGEST).is_some() {
            return None;
        }
        let folded = folded(name);
        let words = words(name);
        (!folded.is_empty()).then_some(Self { folded, words })
    }

    fn closeness(&self, candidate: &Shape) -> Option<Closeness> {
        if self.folded == candidate.folded {
            return Some(Closeness::Same);
        }
        if self.words == candidate.words {
            return Some(Closeness::SameWords);
        }
        self.one_word_off(candidate)
            .or_else(|| self.slip(candidate))
            .or_else(|| self.beginning(candidate))
    }

    fn one_word_off(&self, candidate: &Shape) -> Option<Closeness> {
        let (more, fewer) = if self.words.len() > candidate.words.len() {
            (self, candidate)
        } else {
            (candidate, self)
        };
        let mut left = more.words.clone();
        for word in &fewer.words {
            let found = left.iter().position(|other| other == word)?;
            left.remove(found);
        }
        let letters = fewer.folded.chars().count();
        let near = left.len() == 1 && letters >= 3;
        near.then(|| Closeness::OneWordOff(more.folded.ends_with(&fewer.folded), letters))
    }

    fn slip(&self, candidate: &Shape) -> Option<Closeness> {
        let slips = strsim::damerau_levenshtein(&self.folded, &candidate.folded);
        let length = self.folded.chars().count();
        let longer = length.max(candidate.folded.chars().count());
        let near = slips <= length.max(3) / 3 && slips * 2 < longer;
        near.then(|| Closeness::Slip(1000 - (slips * 1000 / longer) as u32))
    }

    fn beginning(&self, candidate: &Shape) -> Option<Closeness> {
        let (a, b) = (&self.folded, &candidate.folded);
        let shorter = if a.len() < b.len() { a } else { b };
        let letters = shorter.chars().count();
        let near = letters >= 3 && (a.starts_with(b.as_str()) || b.starts_with(a.as_str()));
        near.then_some(Closeness::Beginning(letters))
    }
}

/// The words of `easeInOut`, `ease-in-out` or `ease_in_out` in lower case, sorted.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let hump = c.is_uppercase() && after_lower;
        if hump || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            let last = words.len() - 1;
            words[last].extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words.sort();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASES: &[&str] = &[
        "linear",
        "hold",
        "smoothstep",
        "ease",
        "ease_in",
        "ease_out",
        "ease_in_out",
        "step_start",
        "in_sine",
        "out_sine",
        "in_out_sine",
        "in_cubic",
        "out_cubic",
        "in_out_cubic",
        "in_out_elastic",
    ];

    const CIRCLE: &[&str] = &[
        "at", "of", "radius", "fill", "fills", "stroke", "width", "cap", "join", "dash", "opacity",
    ];

    fn ease(word: &str) -> Option<&str> {
        nearest(word, EASES.iter().copied())
    }

    fn field(word: &str) -> Option<&str> {
        nearest(word, CIRCLE.iter().copied())
    }

    #[test]
    fn other_spellings_of_an_ease_are_known() {
        assert_eq!(ease("easeInOutCubic"), Some("in_out_cubic"));
        assert_eq!(ease("easeCubicInOut"), Some("in_out_cubic"));
        assert_eq!(ease("cubic-in-out"), Some("in_out_cubic"));
        assert_eq!(ease("ease-in-out"), Some("ease_in_out"));
        assert_eq!(ease("easeInOut"), Some("ease_in_out"));
        assert_eq!(ease("EASE_IN"), Some("ease_in"));
        assert_eq!(ease("in_out"), Some("ease_in_out"));
        assert_eq!(ease("easeOutSine"), Some("out_sine"));
        assert_eq!(ease("inout_cubic"), Some("in_out_cubic"));
        assert_eq!(ease("liner"), Some("linear"));
    }

    #[test]
    fn slips_and_abbreviations_are_known() {
        assert_eq!(field("radus"), Some("radius"));
        assert_eq!(field("raduis"), Some("radius"));
        assert_eq!(field("strokeWidth"), Some("width"));
        assert_eq!(field("stroke-width"), Some("width"));
        assert_eq!(field("Fill"), Some("fill"));
        assert_eq!(field("opac"), Some("opacity"));
        assert_eq!(field("filll"), Some("fill"));
    }

    #[test]
    fn unrelated_words_get_no_suggestion() {
        for word in ["banana", "x", "", "on", "to", "-", "visible", "幅", "a b c"] {
            assert_eq!(field(word), None, "{word}");
        }
        assert_eq!(ease("bouncy_castle"), None);
        assert_eq!(field(&"radius".repeat(100_000)), None);
    }

    #[test]
    fn the_first_of_equals_is_taken() {
        assert_eq!(nearest("bas", ["bar", "baz"]), Some("bar"));
        assert_eq!(nearest("bas", ["baz", "bar"]), Some("baz"));
    }

    #[test]
    fn long_lists_are_cut_to_the_nearest() {
        assert_eq!(list_some("x", ["a", "b"]), "a, b");
        let names: Vec<String> = (0..60).map(|i| format!("leg{i}")).collect();
        let listed = list_some("lge41", names.iter().map(String::as_str));
        assert!(listed.starts_with("leg41, "), "{listed}");
        assert!(listed.ends_with(" and 48 more"), "{listed}");
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(ticked("radius"), "`radius`");
        assert_eq!(
            ticked(&"幅".repeat(1000)),
            format!("`{}…`", "幅".repeat(64))
        );
    }
}
