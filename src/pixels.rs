//! The picture as bytes: what the rasteriser fills and the encoders read.

/// A frame of `width` × `height` pixels, row by row from the top, four bytes each:
/// red, green, blue, alpha; sRGB, premultiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

impl Pixels {
    /// A transparent frame.
    pub fn new(width: u32, height: u32) -> Self {
        let bytes = vec![0; width as usize * height as usize * 4];
        Self {
            width,
            height,
            bytes,
        }
    }
}
