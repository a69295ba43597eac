//! How small files are made, and at what price.

use crate::encode::{Effort, GifColours};
use crate::film::Play;
use crate::scene::colours;
use clap::Args;

/// Effort and colours.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Size of files")]
pub struct SizeArgs {
    /// Time given for fewer bytes of a GIF or APNG, whose pixels stay the same: fast, default or max.
    #[arg(long, value_name = "EFFORT", default_value = "default", value_parser = Effort::named)]
    effort: Effort,
    /// GIF: every colour exact, with palettes of frames' own; fails where 255 are not enough for what changes.
    #[arg(long, conflicts_with_all = ["lossy", "colors", "dither"])]
    lossless: bool,
    /// GIF: a smaller palette, each channel of each pixel at most N of 255 off.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with_all = ["colors", "dither"])]
    lossy: Option<u8>,
    /// GIF: at most N colours, 2 to 255.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=255))]
    colors: Option<u8>,
    /// GIF: mix colours that the palette does not have from dots, in a pattern that stands still.
    #[arg(long)]
    dither: bool,
    /// GIF and y4m: the colour behind half transparent pixels, for a spec with a transparent background; white if absent.
    #[arg(long, value_name = "COLOR", value_parser = matte)]
    matte: Option<[u8; 3]>,
    /// GIF: at most so many bytes, as `900k` or `2M`; effort, then colours, frame rate and scale are given up for it.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_bytes: Option<u64>,
}

impl SizeArgs {
    /// What was asked for that only a GIF can do, as its flag.
    pub fn only_for_gif(&self) -> Option<&'static str> {
        let flags = [
            (self.lossless, "--lossless"),
            (self.lossy.is_some(), "--lossy"),
            (self.colors.is_some(), "--colors"),
            (self.dither, "--dither"),
            (self.max_bytes.is_some(), "--max-bytes"),
        ];
        flags
            .iter()
            .find(|(given, _)| *given)
            .map(|(_, flag)| *flag)
    }

    /// Whether a colour was asked for that only shows where a format has no full alpha.
    pub fn has_matte(&self) -> bool {
        self.matte.is_some()
    }

    /// The same for a file that is no GIF.
    pub fn beside_gif(self) -> Self {
        Self {
            lossless: false,
            lossy: None,
            colors: None,
            dither: false,
            matte: None,
            max_bytes: None,
            ..self
        }
    }

    /// Puts the choices where encoders look for them.
    pub fn apply(&self, play: &mut Play) {
        play.effort = self.effort;
        play.gif = self.colours();
        if let Some(matte) = self.matte {
            play.matte = matte;
        }
    }

    fn colours(&self) -> GifColours {
        if self.lossless {
            return GifColours::Lossless;
        }
        if let Some(error) = self.lossy {
            return GifColours::Within(error);
        }
        GifColours::Best {
            most: self.colors.unwrap_or(255),
            dither: self.dither,
        }
    }
}

fn matte(text: &str) -> Result<[u8; 3], String> {
    match colours::parse(text) {
        Some([red, green, blue, 255]) => Ok([red, green, blue]),
        Some(_) => Err("a matte is opaque".into()),
        None => Err("a colour is a CSS name, hex such as `#f7f4ec`, `rgb()` or `hsl()`".into()),
    }
}

/// A number of bytes, or of thousands or millions of them.
fn bytes(text: &str) -> Result<u64, String> {
    count(text)
        .filter(|_| !text.ends_with(['g', 'G']))
        .ok_or_else(|| "a number of bytes looks like `900k`, `2M` or `900000`".into())
}

/// A whole number greater than 0, of ones, thousands, millions or milliards.
pub fn count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let count = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    count.filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("900k"), Ok(900_000));
        assert_eq!(bytes("2M"), Ok(2_000_000));
        assert_eq!(bytes("12"), Ok(12));
        for wrong in [
            "",
            "k",
            "0",
            "-1",
            "1.5M",
            "9G",
            "99999999999999999999k",
            "é",
        ] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_matte_is_an_opaque_colour() {
        assert_eq!(matte("#102030"), Ok([16, 32, 48]));
        assert_eq!(matte("white"), Ok([255; 3]));
        assert!(matte("#10203080").is_err() && matte("wite").is_err());
    }
}
