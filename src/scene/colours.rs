//! Colours by name: the palette first, then CSS.

use crate::document::Spec;
use crate::picture::ColourId;
use crate::spec::problem::{ENOUGH, Problem};
use crate::spec::slots::ColourValue;
use crate::spec::source::Span;
use crate::spec::suggest::{list_some, nearest};
use std::collections::BTreeMap;

/// Red, green, blue, alpha; sRGB bytes, straight.
pub type Rgba = [u8; 4];

/// The colours of a scene, each with its value in every theme.
#[derive(Clone, Debug)]
pub struct Colours {
    themes: Vec<String>,
    palette: Palette,
    used: Vec<Used>,
    known: BTreeMap<String, ColourId>,
}

/// A colour that is in use.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Used {
    /// The same in every theme.
    Plain(Rgba),
    /// One of the palette, by its place there.
    Palette(usize),
}

/// A colour of the palette.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    value: Rgba,
    /// The themes that change it, ascending, with the value in each: most themes leave most colours alone.
    changes: Vec<(usize, Rgba)>,
}

impl Named {
    fn in_theme(&self, theme: usize) -> Rgba {
        let change = self
            .changes
            .binary_search_by_key(&theme, |(theme, _)| *theme);
        change.map_or(self.value, |at| self.changes[at].1)
    }

    fn is_everywhere(&self, value: Rgba) -> bool {
        self.value == value && self.changes.iter().all(|(_, changed)| *changed == value)
    }
}

#[derive(Clone, Debug)]
struct Palette {
    /// In the order of the text.
    colours: Vec<Named>,
    /// Where each name stands among them.
    places: BTreeMap<String, usize>,
}

impl Palette {
    fn new(spec: &Spec, problems: &mut Vec<Problem>) -> Self {
        let colour = |(name, _, value): (&str, Span, &ColourValue)| Named {
            name: name.to_owned(),
            value: read(value.text.as_deref(), value.span, problems),
            changes: Vec::new(),
        };
        let colours: Vec<Named> = spec.palette.iter().map(colour).collect();
        let names = colours.iter().enumerate();
        let places = names.map(|(place, named)| (named.name.clone(), place));
        Self {
            places: places.collect(),
            colours,
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.colours.iter().map(|named| named.name.as_str())
    }
}

impl Colours {
    /// Reads the palette and the themes; what is wrong with them goes to `problems`.
    pub fn new(spec: &Spec, problems: &mut Vec<Problem>) -> Self {
        let mut themes = vec!["default".to_owned()];
        let mut palette = Palette::new(spec, problems);
        for (theme, span, colours) in spec.themes.iter() {
            if theme == "default" || theme == "all" {
                problems.push(
                    Problem::error(
                        "reserved-name",
                        span,
                        format!("a theme cannot be called `{theme}`"),
                    )
                    .note("the plain palette is the theme `default`; `all` means every theme"),
                );
            }
            themes.push(theme.to_owned());
            for (name, span, value) in colours.iter() {
                let value = read(value.text.as_deref(), value.span, problems);
                match palette.places.get(name) {
                    Some(place) => palette.colours[*place]
                        .changes
                        .push((themes.len() - 1, value)),
                    None => {
                        let told = problems.len() >= ENOUGH;
                        problems.push(not_in_palette(name, span, &palette, told));
                    }
                }
            }
        }
        Self {
            themes,
            palette,
            used: vec![Used::Plain([0, 0, 0, 255])],
            known: BTreeMap::from([("black".into(), ColourId(0))]),
        }
    }

    /// The colour that stands in where another could not be read.
    pub fn black(&self) -> ColourId {
        ColourId(0)
    }

    /// The colour of a name or value; none if there is no such colour, or there are too many.
    pub fn find(&mut self, text: &str) -> Option<ColourId> {
        let place = self.palette.places.get(text).copied();
        if let Some(id) = self.known.get(text)
            && place.is_none_or(|place| self.is_same(*id, place))
        {
            return Some(*id);
        }
        let colour = match place {
            Some(place) => Used::Palette(place),
            None => Used::Plain(parse(text)?),
        };
        let id = ColourId(u16::try_from(self.used.len()).ok()?);
        self.used.push(colour);
        self.known.insert(text.to_owned(), id);
        Some(id)
    }

    /// Whether a colour in use is that of the palette's, in every theme.
    fn is_same(&self, id: ColourId, place: usize) -> bool {
        match self.used[usize::from(id.0)] {
            Used::Palette(other) => other == place,
            Used::Plain(value) => self.palette.colours[place].is_everywhere(value),
        }
    }

    /// A problem without a place: there is no such colour.
    pub fn unknown(&self, text: &str) -> Problem {
        if self.used.len() > usize::from(u16::MAX) {
            let message = format!("more than {} colours", u16::MAX);
            return Problem::error("unknown-colour", Span::default(), message);
        }
        let formula = text.contains(" ? ");
        let names = || self.palette.names();
        let near = nearest(text, names()).or_else(|| nearest(text, CSS_NAMES.iter().copied()));
        let problem = Problem::error(
            "unknown-colour",
            Span::default(),
            format!("unknown colour `{text}`"),
        );
        let problem = match near {
            _ if is_bare_hex(text) => problem.label(format!("did you mean `#{text}`?")),
            Some(near) => problem.label(format!("did you mean `{near}`?")),
            None if formula => problem.label("a colour is no formula: draw both, each with `show`"),
            None => problem,
        };
        let problem = match names().next() {
            Some(_) => problem.note(format!("palette: {}", list_some(text, names()))),
            None => problem,
        };
        problem.note(ACCEPTED)
    }

    /// The names of the themes; the first is `default`.
    pub fn themes(&self) -> &[String] {
        &self.themes
    }

    /// The value of every colour in a theme, by [`ColourId`].
    pub fn table(&self, theme: usize) -> Vec<Rgba> {
        let value = |used: &Used| match *used {
            Used::Plain(value) => value,
            Used::Palette(place) => self.palette.colours[place].in_theme(theme),
        };
        self.used.iter().map(value).collect()
    }
}

const ACCEPTED: &str = "a colour is a palette name, a CSS name, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` or `hsl()`";

/// `told`: nobody reads as far as this one.
fn not_in_palette(name: &str, span: Span, palette: &Palette, told: bool) -> Problem {
    let names = || palette.names();
    let problem = Problem::error(
        "unknown-colour",
        span,
        format!("the palette has no `{name}` for the theme to change"),
    );
    if told {
        return problem;
    }
    let problem = match nearest(name, names()) {
        Some(near) => problem.label(format!("did you mean `{near}`?")),
        None => problem,
    };
    problem.note(format!("palette: {}", list_some(name, names())))
}

/// A literal colour of the palette.
fn read(text: Option<&str>, span: Span, problems: &mut Vec<Problem>) -> Rgba {
    let black = [0, 0, 0, 255];
    let Some(text) = text else { return black };
    parse(text).unwrap_or_else(|| {
        let problem = Problem::error("unknown-colour", span, format!("`{text}` is not a colour"));
        let candidates = if problems.len() < ENOUGH {
            CSS_NAMES
        } else {
            &[]
        };
        let near = nearest(text, candidates.iter().copied());
        let problem = match near {
            _ if is_bare_hex(text) => problem.label(format!("did you mean `#{text}`?")),
            Some(near) => problem.label(format!("did you mean `{near}`?")),
            None => problem,
        };
        problems.push(problem.note(ACCEPTED.replace("a palette name, ", "")));
        black
    })
}

fn is_bare_hex(text: &str) -> bool {
    matches!(text.len(), 3 | 4 | 6 | 8) && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// A CSS colour: a name, hex of 3, 4, 6 or 8 digits, `rgb()` or `hsl()`; channels round half up.
pub fn parse(text: &str) -> Option<Rgba> {
    let lower = text.trim().to_ascii_lowercase();
    let name = lower.chars().all(|c| c.is_ascii_alphabetic());
    let accepted = name
        || lower.starts_with('#')
        || ["rgb(", "rgba(", "hsl(", "hsla("]
            .iter()
            .any(|f| lower.starts_with(f));
    if !accepted {
        return None;
    }
    // The parser knows the American spelling only.
    let lower = if name {
        lower.replace("grey", "gray")
    } else {
        lower
    };
    let colour = color::parse_color(&lower).ok()?;
    let srgb = colour.to_alpha_color::<color::Srgb>();
    Some(
        srgb.components
            .map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8),
    )
}

/// The named colours of CSS, for suggestions.
const CSS_NAMES: &[&str] = &[
    "aliceblue",
    "antiquewhite",
    "aqua",
    "aquamarine",
    "azure",
    "beige",
    "bisque",
    "black",
    "blanchedalmond",
    "blue",
    "blueviolet",
    "brown",
    "burlywood",
    "cadetblue",
    "chartreuse",
    "chocolate",
    "coral",
    "cornflowerblue",
    "cornsilk",
    "crimson",
    "cyan",
    "darkblue",
    "darkcyan",
    "darkgoldenrod",
    "darkgray",
    "darkgreen",
    "darkgrey",
    "darkkhaki",
    "darkmagenta",
    "darkolivegreen",
    "darkorange",
    "darkorchid",
    "darkred",
    "darksalmon",
    "darkseagreen",
    "darkslateblue",
    "darkslategray",
    "darkslategrey",
    "darkturquoise",
    "darkviolet",
    "deeppink",
    "deepskyblue",
    "dimgray",
    "dimgrey",
    "dodgerblue",
    "firebrick",
    "floralwhite",
    "forestgreen",
    "fuchsia",
    "gainsboro",
    "ghostwhite",
    "gold",
    "goldenrod",
    "gray",
    "green",
    "greenyellow",
    "grey",
    "honeydew",
    "hotpink",
    "indianred",
    "indigo",
    "ivory",
    "khaki",
    "lavender",
    "lavenderblush",
    "lawngreen",
    "lemonchiffon",
    "lightblue",
    "lightcoral",
    "lightcyan",
    "lightgoldenrodyellow",
    "lightgray",
    "lightgreen",
    "lightgrey",
    "lightpink",
    "lightsalmon",
    "lightseagreen",
    "lightskyblue",
    "lightslategray",
    "lightslategrey",
    "lightsteelblue",
    "lightyellow",
    "lime",
    "limegreen",
    "linen",
    "magenta",
    "maroon",
    "mediumaquamarine",
    "mediumblue",
    "mediumorchid",
    "mediumpurple",
    "mediumseagreen",
    "mediumslateblue",
    "mediumspringgreen",
    "mediumturquoise",
    "mediumvioletred",
    "midnightblue",
    "mintcream",
    "mistyrose",
    "moccasin",
    "navajowhite",
    "navy",
    "oldlace",
    "olive",
    "olivedrab",
    "orange",
    "orangered",
    "orchid",
    "palegoldenrod",
    "palegreen",
    "paleturquoise",
    "palevioletred",
    "papayawhip",
    "peachpuff",
    "peru",
    "pink",
    "plum",
    "powderblue",
    "purple",
    "rebeccapurple",
    "red",
    "rosybrown",
    "royalblue",
    "saddlebrown",
    "salmon",
    "sandybrown",
    "seagreen",
    "seashell",
    "sienna",
    "silver",
    "skyblue",
    "slateblue",
    "slategray",
    "slategrey",
    "snow",
    "springgreen",
    "steelblue",
    "tan",
    "teal",
    "thistle",
    "tomato",
    "transparent",
    "turquoise",
    "violet",
    "wheat",
    "white",
    "whitesmoke",
    "yellow",
    "yellowgreen",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Animation, Choices};

    /// A theme keeps what it changes, not a value for each colour.
    #[test]
    fn colours_and_themes_do_not_multiply() {
        let many = |value: fn(usize) -> String| -> String {
            let each = (0..4000).map(|i| format!(r#""n{i}": {}"#, value(i)));
            each.collect::<Vec<_>>().join(", ")
        };
        let text = format!(
            r##"{{ "hazumi": 1, "alt": "x", "canvas": {{ "size": [9, 9], "frames": 1 }},
            "palette": {{ {} }}, "themes": {{ {} }},
            "draw": [ {{ "circle": {{ "at": [0, 0], "radius": 1, "fill": "n0" }} }} ] }}"##,
            many(|i| format!(r##""#{i:06}""##)),
            many(|i| format!(r##"{{ "n{i}": "#fff" }}"##)),
        );
        let animation = Animation::parse("x", &text, &Choices::default()).expect("sound");
        let colours = &animation.scene().colours;
        let changes = colours
            .palette
            .colours
            .iter()
            .map(|named| named.changes.len());
        assert_eq!(
            (colours.themes().len(), changes.sum::<usize>()),
            (4001, 4000)
        );
        let (plain, changed) = ([0, 0, 0, 255], [255; 4]);
        let last = [0, 1, 2].map(|theme| colours.table(theme).last().copied());
        assert_eq!(last, [Some(plain), Some(changed), Some(plain)]);
    }

    #[test]
    fn css_colours() {
        assert_eq!(parse("#f7f4ec"), Some([0xf7, 0xf4, 0xec, 255]));
        assert_eq!(parse("#abc"), Some([0xaa, 0xbb, 0xcc, 255]));
        assert_eq!(parse("#ffffff44"), Some([255, 255, 255, 0x44]));
        assert_eq!(parse("white"), Some([255; 4]));
        assert_eq!(parse("transparent"), Some([0; 4]));
        assert_eq!(parse("rgb(1 2 3)"), Some([1, 2, 3, 255]));
        assert_eq!(parse("rgba(1, 2, 3, 0.5)"), Some([1, 2, 3, 128]));
        assert_eq!(parse("hsl(120, 100%, 25%)"), Some([0, 128, 0, 255]));
        assert_eq!(parse("f7f4ec"), None);
        assert_eq!(parse("#ff"), None);
        assert_eq!(parse("oklch(0.5 0.1 20)"), None);
    }

    #[test]
    fn every_name_is_a_colour() {
        for name in CSS_NAMES {
            assert!(parse(name).is_some(), "{name}");
        }
    }
}
