//! What a spec may cost: each limit is checked from the spec's numbers before anything is allocated, and each can
//! be raised by name.

use crate::maths::functions::ceil;
use crate::spec::problem::short;

/// Something that a spec could have too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Side,
    Pixels,
    Frames,
    Memory,
    File,
    Values,
    Text,
    Depth,
    Instances,
    Shapes,
    Segments,
    Dashes,
    Work,
    Paint,
}

/// How a limit is called, what it is by itself, and how far it can be raised.
struct Entry {
    limit: Limit,
    name: &'static str,
    usual: u64,
    most: u64,
    about: &'static str,
}

const fn entry(
    limit: Limit,
    name: &'static str,
    [usual, most]: [u64; 2],
    about: &'static str,
) -> Entry {
    Entry {
        limit,
        name,
        usual,
        most,
        about,
    }
}

/// More than any machine has.
const ANY: u64 = 1 << 60;

/// An amount of memory in words.
pub(crate) fn mebibytes(bytes: f64) -> String {
    format!("{} MiB", short(ceil(bytes / f64::from(1 << 20))))
}

/// In the order of [`Limit`].
const ALL: [Entry; 14] = [
    // A GIF counts pixels in 16 bits.
    entry(
        Limit::Side,
        "side",
        [8_192, 65_535],
        "px of a side of a frame",
    ),
    // The rasteriser counts bytes in 31 bits.
    entry(
        Limit::Pixels,
        "pixels",
        [64_000_000, 500_000_000],
        "px of a frame",
    ),
    entry(Limit::Frames, "frames", [100_000, 10_000_000], "frames"),
    entry(
        Limit::Memory,
        "memory",
        [2 << 30, ANY],
        "bytes of the numbers of all frames, and of frames being drawn",
    ),
    // Places are counted in 32 bits.
    entry(
        Limit::File,
        "file",
        [16 << 20, (4 << 30) - 1],
        "bytes of a spec",
    ),
    entry(
        Limit::Values,
        "values",
        [1_000_000, ANY],
        "values in a spec",
    ),
    entry(
        Limit::Text,
        "text",
        [1 << 16, (4 << 30) - 1],
        "bytes of a text, name or formula as written",
    ),
    // Beyond this the stack might not do.
    entry(
        Limit::Depth,
        "depth",
        [64, 256],
        "brackets inside each other in a spec",
    ),
    entry(
        Limit::Instances,
        "instances",
        [100_000, ANY],
        "instances of parts",
    ),
    entry(
        Limit::Shapes,
        "shapes",
        [1_000_000, ANY],
        "shapes in a frame",
    ),
    entry(
        Limit::Segments,
        "segments",
        [2_000_000, ANY],
        "lines and curves in a frame",
    ),
    entry(
        Limit::Dashes,
        "dashes",
        [20_000, 1_000_000],
        "dashes of a stroke",
    ),
    entry(
        Limit::Work,
        "work",
        [50_000_000_000, ANY],
        "operations to simulate all frames; a step of a particle counts 100 or more",
    ),
    entry(
        Limit::Paint,
        "paint",
        [200_000_000_000, ANY],
        "px to paint in all frames, each as often as it is painted",
    ),
];

impl Limit {
    fn entry(self) -> &'static Entry {
        &ALL[self as usize]
    }

    /// How it is called.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Says what would allow a request beyond the limit.
    pub fn remedy(self, request: f64) -> String {
        let Entry { name, most, .. } = self.entry();
        match request <= *most as f64 {
            true => format!("`--limit {name}={request:.0}` allows it"),
            false => self.flag(),
        }
    }

    /// Says how the limit is raised.
    pub fn flag(self) -> String {
        let Entry { name, most, .. } = self.entry();
        match *most {
            ANY => format!("`--limit {name}=N` raises the limit"),
            most => format!("`--limit {name}=N` raises the limit, to {most} at most"),
        }
    }

    /// The limit of that name.
    ///
    /// # Errors
    /// A sentence with all names.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = ALL.iter().find(|entry| entry.name == name);
        found.map(|entry| entry.limit).ok_or_else(|| {
            let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
            format!("the limits are {}", names.join(", "))
        })
    }
}

/// What every limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits([u64; ALL.len()]);

impl Default for Limits {
    fn default() -> Self {
        Self(std::array::from_fn(|i| ALL[i].usual))
    }
}

impl Limits {
    /// The most there may be.
    pub fn of(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// Whether so much is too much.
    pub fn forbid(&self, limit: Limit, request: f64) -> bool {
        request > self.of(limit) as f64
    }

    /// Sets a limit.
    ///
    /// # Errors
    /// A sentence, for more than can be.
    pub fn set(&mut self, limit: Limit, value: u64) -> Result<(), String> {
        let Entry { name, most, .. } = limit.entry();
        if value > *most {
            return Err(format!("`{name}` can be {most} at most"));
        }
        self.0[limit as usize] = value;
        Ok(())
    }

    /// Every limit by name, with its usual value and what it counts.
    pub fn listed() -> impl Iterator<Item = (&'static str, u64, &'static str)> {
        ALL.iter()
            .map(|entry| (entry.name, entry.usual, entry.about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_stands_in_its_place() {
        for (i, entry) in ALL.iter().enumerate() {
            assert_eq!(entry.limit as usize, i, "{}", entry.name);
            assert!(entry.usual <= entry.most, "{}", entry.name);
            assert_eq!(Limit::named(entry.name), Ok(entry.limit));
        }
    }

    #[test]
    fn a_limit_can_be_raised_as_far_as_it_goes() {
        let mut limits = Limits::default();
        assert!(!limits.forbid(Limit::Side, 8192.0) && limits.forbid(Limit::Side, 8193.0));
        assert_eq!(limits.set(Limit::Side, 9000), Ok(()));
        assert!(!limits.forbid(Limit::Side, 9000.0));
        assert!(limits.set(Limit::Side, 65_536).is_err());
        assert_eq!(Limit::Side.remedy(9001.0), "`--limit side=9001` allows it");
        assert_eq!(
            Limit::Side.remedy(1e5),
            "`--limit side=N` raises the limit, to 65535 at most"
        );
        assert!(Limit::named("sides").is_err_and(|why| why.contains("side, pixels")));
    }
}
