//! PNG files taken apart into chunks and put together again.

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks of a PNG.
pub struct Chunks(pub Vec<([u8; 4], Vec<u8>)>);

impl Chunks {
    pub fn of(bytes: &[u8]) -> Self {
        let mut rest = bytes.strip_prefix(SIGNATURE).expect("a PNG");
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest[..4].try_into().expect("four bytes")) as usize;
            let name = rest[4..8].try_into().expect("four bytes");
            chunks.push((name, rest[8..8 + length].to_vec()));
            rest = &rest[12 + length..];
        }
        Self(chunks)
    }

    /// The data of all chunks of a name.
    pub fn all<'c>(&'c mut self, name: &'c [u8; 4]) -> impl Iterator<Item = &'c mut Vec<u8>> {
        let named = self.0.iter_mut().filter(move |(n, _)| n == name);
        named.map(|(_, data)| data)
    }

    /// The file, with check sums that match.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        for (name, data) in &self.0 {
            bytes.extend((data.len() as u32).to_be_bytes());
            let start = bytes.len();
            bytes.extend(name);
            bytes.extend(data);
            let sum = check_sum(&bytes[start..]);
            bytes.extend(sum.to_be_bytes());
        }
        bytes
    }
}

/// (PNG specification, third edition, annex D.)
fn check_sum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 {
                0xedb8_8320 ^ sum >> 1
            } else {
                sum >> 1
            };
        }
    }
    !sum
}

/// A frame control chunk whose delay is written back when it goes.
pub struct FrameControl<'d> {
    data: &'d mut Vec<u8>,
    pub delay: (u16, u16),
}

/// The control of a frame.
pub fn frame_control(data: &mut Vec<u8>) -> FrameControl<'_> {
    let half = |at: usize| u16::from_be_bytes([data[at], data[at + 1]]);
    let delay = (half(20), half(22));
    FrameControl { data, delay }
}

impl Drop for FrameControl<'_> {
    fn drop(&mut self) {
        self.data[20..22].copy_from_slice(&self.delay.0.to_be_bytes());
        self.data[22..24].copy_from_slice(&self.delay.1.to_be_bytes());
    }
}
