//! `render --html`: a `<picture>` element for what was written.

use super::targets::Target;
use crate::film::Error;
use crate::load::Animation;
use crate::output::Destination;
use std::fmt::Write;

/// What was written for one spec.
pub struct Written<'a> {
    pub targets: &'a [Target],
    pub all_themes: bool,
    pub poster: bool,
}

impl Written<'_> {
    /// The element: the animation, a still for readers who prefer reduced motion, and both in the theme `dark`
    /// for those who prefer that, as far as they were written.
    ///
    /// # Errors
    /// When no single file was written that a page could show.
    pub fn html(&self, animation: &Animation) -> Result<String, Error> {
        let is_file = |t: &&Target| {
            t.content.movie().is_some() && matches!(t.destination, Destination::File(_))
        };
        let Some(target) = self.targets.iter().find(is_file) else {
            let why = "`--html` needs a file that a page can show, such as a GIF";
            return Err(Error::Choice(why.into()));
        };
        let has_dark = self.all_themes && animation.themes().iter().skip(1).any(|t| t == "dark");
        let dark = target.in_theme(Some("dark"));
        let (reduced, scheme) = (
            "(prefers-reduced-motion: reduce)",
            "(prefers-color-scheme: dark)",
        );
        let mut html = String::from("<picture>\n");
        let mut source = |media: String, destination: &Destination| {
            let _ = writeln!(
                html,
                "  <source media=\"{media}\" srcset=\"{}\">",
                address(destination)
            );
        };
        if self.poster && has_dark {
            source(format!("{reduced} and {scheme}"), &dark.poster());
        }
        if self.poster {
            source(reduced.into(), &target.poster());
        }
        if has_dark {
            source(scheme.into(), &dark.destination);
        }
        let (width, height) = animation.size(1.0)?;
        let alt = animation.alt().or(animation.title()).unwrap_or_default();
        let _ = writeln!(
            html,
            "  <img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">\n</picture>",
            address(&target.destination),
            escaped(alt)
        );
        Ok(html)
    }
}

/// The name of a file as part of an address.
fn address(destination: &Destination) -> String {
    let name = match destination {
        Destination::File(path) | Destination::Folder(path) => path.file_name().unwrap_or_default(),
        Destination::Stdout => Default::default(),
    };
    let mut address = String::new();
    for byte in name.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                address.push(char::from(byte));
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

/// Text as the value of an attribute.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::targets::Content;
    use crate::load::Choices;

    #[test]
    fn every_file_has_its_reader() {
        let spec = r##"{ "hazumi": 1, "alt": "A \"dot\" <here>", "canvas": { "size": [40, 30], "frames": 1 },
            "palette": { "ink": "#000" }, "themes": { "dark": { "ink": "#fff" } },
            "draw": [ { "circle": { "at": [20, 15], "radius": 5, "fill": "ink" } } ] }"##;
        let animation = Animation::parse("dot", spec, &Choices::default()).expect("sound");
        let target = Target {
            content: Content::Movie(&crate::encode::FORMATS[0]),
            destination: Destination::File("out/a dot.gif".into()),
        };
        let written = Written {
            targets: &[target],
            all_themes: true,
            poster: true,
        };
        let expected = "<picture>\n  \
            <source media=\"(prefers-reduced-motion: reduce) and (prefers-color-scheme: dark)\" \
            srcset=\"a%20dot.dark.poster.png\">\n  \
            <source media=\"(prefers-reduced-motion: reduce)\" srcset=\"a%20dot.poster.png\">\n  \
            <source media=\"(prefers-color-scheme: dark)\" srcset=\"a%20dot.dark.gif\">\n  \
            <img src=\"a%20dot.gif\" width=\"40\" height=\"30\" \
            alt=\"A &quot;dot&quot; &lt;here&gt;\">\n</picture>\n";
        assert_eq!(written.html(&animation).expect("a file"), expected);
    }
}
