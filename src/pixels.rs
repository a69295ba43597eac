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

    /// Copies a smaller frame to a place inside it.
    pub fn paste(&mut self, cell: &Self, (left, top): (u32, u32)) {
        let row = cell.width as usize * 4;
        for y in 0..cell.height {
            let from = y as usize * row;
            let to = ((top + y) as usize * self.width as usize + left as usize) * 4;
            self.bytes[to..to + row].copy_from_slice(&cell.bytes[from..from + row]);
        }
    }

    /// Blends another frame of this size over it, of which `share`, 0 to 1, is seen; in whole 256ths.
    pub fn blend(&mut self, over: &Self, share: f64) {
        let theirs = (share.clamp(0.0, 1.0) * 256.0 + 0.5) as u32;
        for (ours, over) in self.bytes.iter_mut().zip(&over.bytes) {
            let sum = u32::from(*ours) * (256 - theirs) + u32::from(*over) * theirs;
            *ours = ((sum + 128) >> 8) as u8;
        }
    }
}
