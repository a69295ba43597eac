//! The LZW of GIF, with a choice of symbols: a pixel that does not change may be sent as its colour or as
//! "transparent", and each match takes whichever makes it longer.
//!
//! Greedy parsing: every code is the longest string of the dictionary that fits the pixels ahead. The
//! dictionary is cleared when it is full. (CompuServe, Graphics Interchange Format 89a, appendix F.)

use std::ops::Range;

/// Codes have at most twelve bits.
const CODES: u16 = 4096;
const LONGEST_CODE: u32 = 12;
/// Slots of the hash table: two per code, so that it stays near the processor.
const SLOTS: usize = 2 * CODES as usize;
/// A slot that holds nothing: code 0 is never the child of another.
const EMPTY: u32 = 0;
/// Strings of equal length that are followed at the same time.
const PATHS: usize = 4;

/// The pixels of a frame's rectangle: for each, one symbol or a choice of two.
#[derive(Clone, Copy)]
pub struct Symbols<'a> {
    /// What is sent where both would do.
    pub preferred: &'a [u8],
    /// The other choice; equal to the preferred where there is none.
    pub other: &'a [u8],
}

impl<'a> Symbols<'a> {
    /// Without a choice.
    pub fn all(pixels: &'a [u8]) -> Self {
        Self {
            preferred: pixels,
            other: pixels,
        }
    }

    /// The symbol of a pixel, if it has no choice.
    fn only(&self, at: usize) -> Option<u8> {
        let symbol = *self.preferred.get(at)?;
        (self.other[at] == symbol).then_some(symbol)
    }
}

/// How codes are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parse {
    /// Matches up to so many pixels shorter than the longest are taken where the next match gains more; at
    /// most [`MOST_GIVEN`].
    pub gives: usize,
    /// A full dictionary is kept while it serves better than a new one would on average.
    pub keeps: bool,
    /// Rows of one symbol are left for the other where a pixel has a choice; else only where it has none.
    pub wide: bool,
}

/// The most pixels that a match is shortened by.
pub const MOST_GIVEN: usize = 4;

/// Compresses symbols as GIF image data: the minimum code size in bits, then the code stream, not yet cut
/// into blocks. Symbols that are never sent cost nothing: the code size follows the largest. `None` if it is
/// not below `limit` bytes.
pub fn encode(symbols: Symbols, parse: Parse, limit: usize) -> Option<Vec<u8>> {
    let bits = bits(symbols.preferred).max(bits(symbols.other));
    let mut stream = Stream::new(bits);
    let mut dictionary = Box::new(Dictionary::new(bits, parse.wide));
    let mut service = Service::default();
    stream.put(dictionary.clear_code());
    let mut at = 0;
    let mut known = None;
    while at < symbols.preferred.len() {
        let longest = known.unwrap_or_else(|| dictionary.longest(symbols, at));
        let found;
        (found, known) = dictionary.choose(longest, symbols, at, parse.gives);
        at += found.length;
        stream.put(found.code);
        if stream.out.len() >= limit {
            return None;
        }
        service.add(found.length, stream.width);
        // The decoder is one string behind, so the code that grows the width is the one now promised.
        stream.width = dictionary.promise(found.code, stream.width);
        let left = symbols.preferred.len() - at;
        if dictionary.is_full() && left > 0 && !(parse.keeps && service.is_good(left)) {
            stream.put(dictionary.clear_code());
            dictionary.reset();
            known = None;
            service = Service::default();
            stream.width = bits + 1;
        }
    }
    stream.put(dictionary.clear_code() + 1);
    let out = stream.finish();
    (out.len() < limit).then_some(out)
}

/// The minimum code size of symbols.
fn bits(symbols: &[u8]) -> u32 {
    let largest = symbols.iter().fold(0, |a, &b| a.max(b));
    (8 - largest.leading_zeros()).max(2)
}

/// The largest symbol that does not need longer codes than these do.
pub fn most_for_bits_of(symbols: &[u8]) -> u8 {
    ((1 << bits(symbols)) - 1) as u8
}

/// What a dictionary has done so far, and of late.
#[derive(Default)]
struct Service {
    bits: u64,
    pixels: u64,
    /// Pixels per code of late, in 1/256: each code counts for a share of all before it.
    recent: u64,
}

impl Service {
    /// A code counts for 1/64 of what is remembered.
    const SHARE: u32 = 6;
    /// So many codes are few.
    const FEW: u64 = 3000;

    fn add(&mut self, length: usize, width: u32) {
        self.bits += u64::from(width);
        self.pixels += length as u64;
        self.recent += (length as u64) << 8 >> Self::SHARE;
        self.recent -= self.recent >> Self::SHARE;
    }

    /// Whether codes of late said more per bit than all of them did, or too few are left for a new
    /// dictionary to become any good.
    fn is_good(&self, left: usize) -> bool {
        let few = (left as u64) << 8 < Self::FEW * self.recent;
        few || self.recent * self.bits > (u64::from(LONGEST_CODE) * self.pixels) << 8
    }
}

/// A string of the dictionary that fits the pixels ahead.
#[derive(Clone, Copy)]
struct Match {
    code: u16,
    /// In pixels.
    length: usize,
    /// Its first symbol.
    first: u8,
    /// The codes of its beginnings, one pixel shorter each.
    shorter: Shorter,
}

impl Match {
    fn of(code: u16, pixels: Range<usize>, first: u8, shorter: Shorter) -> Self {
        Self {
            code,
            length: pixels.len(),
            first,
            shorter,
        }
    }
}

/// The strings sent so far, as a tree: children hang on (code, symbol).
struct Dictionary {
    /// Open addressing; a slot is a key (parent and symbol, 20 bits) and its child (12 low bits).
    slots: [u32; SLOTS],
    clear: u16,
    next: u16,
    /// For each symbol, the codes of 2, 3, 4 … of it in a row: most pixels are in such runs.
    runs: Vec<Vec<u16>>,
    /// Parent and code of the string whose last symbol is the first of the next match.
    promised: Option<(u16, u16)>,
    wide: bool,
}

impl Dictionary {
    fn new(bits: u32, wide: bool) -> Self {
        let clear = 1 << bits;
        Self {
            slots: [EMPTY; SLOTS],
            clear,
            next: clear + 2,
            runs: vec![Vec::new(); usize::from(clear)],
            promised: None,
            wide,
        }
    }

    fn reset(&mut self) {
        self.slots.fill(EMPTY);
        self.runs.iter_mut().for_each(Vec::clear);
        self.next = self.clear + 2;
        self.promised = None;
    }

    fn clear_code(&self) -> u16 {
        self.clear
    }

    fn is_full(&self) -> bool {
        self.next == CODES
    }

    /// Adds "`parent` and whatever comes first in the next match"; gives the width of the next code.
    fn promise(&mut self, parent: u16, width: u32) -> u32 {
        if self.is_full() {
            return width;
        }
        let code = self.next;
        self.promised = Some((parent, code));
        self.next += 1;
        width + u32::from(code == 1 << width && width < LONGEST_CODE)
    }

    /// The promised string's last symbol is known now.
    fn settle(&mut self, symbol: u8) {
        if let Some((parent, code)) = self.promised.take() {
            let key = key(parent, symbol);
            let mut slot = home(key);
            while self.slots[slot] != EMPTY {
                // A match that was cut short promises a string that is there already.
                if self.slots[slot] >> 12 == key {
                    return;
                }
                slot = (slot + 1) % SLOTS;
            }
            self.slots[slot] = key << 12 | u32::from(code);
            let run = &mut self.runs[usize::from(symbol)];
            if parent == run.last().copied().unwrap_or(u16::from(symbol)) {
                run.push(code);
            }
        }
    }

    fn child(&self, parent: u16, symbol: u8) -> Option<u16> {
        let key = key(parent, symbol);
        let mut slot = home(key);
        while self.slots[slot] != EMPTY {
            if self.slots[slot] >> 12 == key {
                return Some((self.slots[slot] & 0xfff) as u16);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }

    /// The child, counting the promised string as one that ends in `first`.
    fn child_if(&self, parent: u16, symbol: u8, first: u8) -> Option<u16> {
        match self.promised {
            Some((promised, code)) if promised == parent && symbol == first => Some(code),
            _ => self.child(parent, symbol),
        }
    }

    /// The match to send next: the longest, or one shorter by up to `gives` pixels if both it and the next
    /// then cover more. And the next, if it had to be found for that.
    fn choose(
        &mut self,
        longest: Match,
        symbols: Symbols,
        at: usize,
        gives: usize,
    ) -> (Match, Option<Match>) {
        self.settle(longest.first);
        let end = at + longest.length;
        if gives == 0 || end == symbols.preferred.len() {
            return (longest, None);
        }
        let next = self.after(longest.code, symbols, end);
        let mut reach = end + next.length;
        let mut best = (longest, Some(next));
        for (length, code) in (1..longest.length)
            .rev()
            .zip(longest.shorter.codes().take(gives))
        {
            let next = self.after(code, symbols, at + length);
            if at + length + next.length > reach {
                reach = at + length + next.length;
                let cut = Match {
                    code,
                    length,
                    ..longest
                };
                best = (cut, Some(next));
            }
        }
        best
    }

    /// The longest match from `at` on, were `code` sent before it.
    fn after(&mut self, code: u16, symbols: Symbols, at: usize) -> Match {
        self.promised = (!self.is_full()).then_some((code, self.next));
        let next = self.longest(symbols, at);
        self.promised = None;
        next
    }

    /// The longest string that fits the pixels from `at` on; the preferred symbol first where two are as long.
    fn longest(&self, symbols: Symbols, at: usize) -> Match {
        let (preferred, other) = (symbols.preferred[at], symbols.other[at]);
        let found = self.longest_from(preferred, symbols, at);
        if preferred == other {
            return found;
        }
        let alternative = self.longest_from(other, symbols, at);
        match alternative.length > found.length {
            true => alternative,
            false => found,
        }
    }

    /// The strings that go on with either symbol.
    #[inline]
    fn longer(&self, paths: &Paths, preferred: u8, other: u8, first: u8) -> Paths {
        let mut longer = Paths::default();
        for &code in paths.codes() {
            longer.extend(self.child_if(code, preferred, first));
            if preferred != other {
                longer.extend(self.child_if(code, other, first));
            }
        }
        longer
    }

    /// The longest string that begins with `first`.
    fn longest_from(&self, first: u8, symbols: Symbols, at: usize) -> Match {
        let (mut code, mut end, mut shorter) = self.run(first, symbols, at);
        // By far the most common step is worth its own loop.
        while let Some(symbol) = symbols.only(end) {
            let Some(longer) = self.child_if(code, symbol, first) else {
                return Match::of(code, at..end, first, shorter);
            };
            shorter.push(code);
            (code, end) = (longer, end + 1);
        }
        let mut paths = Paths::default();
        paths.push(code);
        for (&preferred, &other) in symbols.preferred[end..].iter().zip(&symbols.other[end..]) {
            let longer = self.longer(&paths, preferred, other, first);
            if longer.count == 0 {
                break;
            }
            shorter.push(paths.codes[0]);
            paths = longer;
            end += 1;
        }
        Match::of(paths.codes[0], at..end, first, shorter)
    }

    /// Follows a row of `first` as far as there are codes for it; gives the code, where the row ends, and the
    /// codes of its beginnings.
    fn run(&self, first: u8, symbols: Symbols, at: usize) -> (u16, usize, Shorter) {
        let codes = &self.runs[usize::from(first)];
        let end = symbols.preferred.len().min(at + 1 + codes.len());
        let ahead = (&symbols.preferred[at + 1..end], &symbols.other[at + 1..end]);
        let more = match self.wide {
            true => while_all(ahead, |a, b| (a ^ first) | (b ^ first)),
            false => while_all(ahead, |a, b| u8::from(a != first) & u8::from(b != first)),
        };
        let code = |length: usize| match length {
            1 => u16::from(first),
            _ => codes[length - 2],
        };
        let mut shorter = Shorter::default();
        for length in more.saturating_sub(MOST_GIVEN - 1).max(1)..=more {
            shorter.push(code(length));
        }
        (code(more + 1), at + 1 + more, shorter)
    }
}

/// How many pairs at the start give 0.
#[inline]
fn while_all((a, b): (&[u8], &[u8]), differs: impl Fn(u8, u8) -> u8) -> usize {
    let any = |(a, b): (&[u8], &[u8])| a.iter().zip(b).fold(0, |all, (&a, &b)| all | differs(a, b));
    // Without an early end inside a block, the compiler looks at its pairs at once.
    let blocks = a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0);
    let start = 16
        * blocks
            .take_while(|(a, b)| any((&a[..], &b[..])) == 0)
            .count();
    let rest = a[start..].iter().zip(&b[start..]);
    start + rest.take_while(|&(&a, &b)| differs(a, b) == 0).count()
}

/// The codes of the beginnings of a match, the longest in the low bits: [`MOST_GIVEN`] of sixteen.
#[derive(Clone, Copy, Default)]
struct Shorter(u64);

impl Shorter {
    #[inline]
    fn push(&mut self, code: u16) {
        self.0 = self.0 << u16::BITS | u64::from(code);
    }

    fn codes(self) -> impl Iterator<Item = u16> {
        (0..MOST_GIVEN as u32).map(move |i| (self.0 >> (i * u16::BITS)) as u16)
    }
}

/// A key of twenty bits; never 0 together with its child, which is above the clear code.
fn key(parent: u16, symbol: u8) -> u32 {
    u32::from(parent) << 8 | u32::from(symbol)
}

fn home(key: u32) -> usize {
    // Fibonacci hashing: the high bits of key · 2³² / golden ratio.
    (key.wrapping_mul(0x9e37_79b9) >> 19) as usize % SLOTS
}

/// A few codes; further ones are dropped.
#[derive(Default)]
struct Paths {
    codes: [u16; PATHS],
    count: usize,
}

impl Paths {
    fn codes(&self) -> &[u16] {
        &self.codes[..self.count]
    }

    fn push(&mut self, code: u16) {
        if self.count < PATHS {
            self.codes[self.count] = code;
            self.count += 1;
        }
    }

    fn extend(&mut self, code: Option<u16>) {
        if let Some(code) = code {
            self.push(code);
        }
    }
}

/// Codes packed into bytes, the low bits first.
struct Stream {
    out: Vec<u8>,
    /// Bits of the next code.
    width: u32,
    waiting: u32,
    filled: u32,
}

impl Stream {
    /// Begins with the minimum code size.
    fn new(bits: u32) -> Self {
        Self {
            out: vec![bits as u8],
            width: bits + 1,
            waiting: 0,
            filled: 0,
        }
    }

    fn put(&mut self, code: u16) {
        self.waiting |= u32::from(code) << self.filled;
        self.filled += self.width;
        while self.filled >= 8 {
            self.out.push(self.waiting as u8);
            self.waiting >>= 8;
            self.filled -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.out.push(self.waiting as u8);
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a decoder reads, through a GIF of one frame.
    fn decode(data: Vec<u8>, count: usize) -> Vec<u8> {
        let (width, height) = match count {
            0..=65_535 => (count as u16, 1),
            _ => (500, (count / 500) as u16),
        };
        let mut file = Vec::new();
        let mut encoder = ::gif::Encoder::new(&mut file, width, height, &[7; 768]).unwrap();
        let frame = ::gif::Frame {
            width,
            height,
            buffer: data.into(),
            ..Default::default()
        };
        encoder.write_lzw_pre_encoded_frame(&frame).unwrap();
        encoder.into_inner().unwrap();
        let mut options = ::gif::DecodeOptions::new();
        options.check_frame_consistency(true);
        let mut decoder = options.read_info(&file[..]).unwrap();
        decoder.read_next_frame().unwrap().unwrap().buffer.to_vec()
    }

    /// A decoder as the standard describes it, strict about the end: the end code, then less than a byte.
    fn by_the_book(data: &[u8]) -> Vec<u8> {
        let bits = usize::from(data[0]);
        let bit = |at: usize| usize::from(data[1 + at / 8] >> (at % 8) & 1);
        let (clear, end) = (1 << bits, (1 << bits) + 1);
        let mut strings: Vec<Vec<u8>> = Vec::new();
        let (mut width, mut at) = (bits + 1, 0);
        let mut before: Option<Vec<u8>> = None;
        let mut out = Vec::new();
        loop {
            let code = (0..width).map(|i| bit(at + i) << i).sum::<usize>();
            at += width;
            if code == end {
                assert!((data.len() - 1) * 8 - at < 8);
                return out;
            }
            if code == clear {
                strings = (0..clear + 2).map(|symbol| vec![symbol as u8]).collect();
                (width, before) = (bits + 1, None);
                continue;
            }
            if let Some(mut string) = before.take().filter(|_| strings.len() < 4096) {
                let next = strings.get(code).unwrap_or(&string);
                string.push(next[0]);
                strings.push(string);
                width += usize::from(strings.len() == 1 << width && width < 12);
            }
            out.extend_from_slice(&strings[code]);
            before = Some(strings[code].clone());
        }
    }

    /// One way to choose codes for each number.
    fn parse(number: u32) -> Parse {
        Parse {
            gives: number as usize % (MOST_GIVEN + 1),
            keeps: number & 8 > 0,
            wide: number & 16 > 0,
        }
    }

    /// All ways to choose codes, the plain one first.
    fn parses() -> impl Iterator<Item = Parse> {
        let all = (0..4).flat_map(|bits| (0..=MOST_GIVEN).map(move |gives| (gives, bits)));
        all.map(|(gives, bits)| Parse {
            gives,
            keeps: bits & 1 > 0,
            wide: bits & 2 > 0,
        })
    }

    /// Back to what it was, in every way; gives the size of the plain one.
    fn round_trip(symbols: &[u8]) -> usize {
        let sizes: Vec<usize> = parses().map(|parse| trip(symbols, parse)).collect();
        sizes[0]
    }

    fn trip(symbols: &[u8], parse: Parse) -> usize {
        let (preferred, other) = (symbols, symbols);
        let out = encode(Symbols { preferred, other }, parse, usize::MAX).unwrap();
        let size = out.len();
        assert!(by_the_book(&out) == symbols);
        assert!(decode(out, symbols.len()) == symbols);
        size
    }

    /// Every decoded symbol is one of the two it may be; gives the size.
    fn choice_trip(preferred: &[u8], other: &[u8]) -> usize {
        let all = parses().map(|parse| choice_trip_by(preferred, other, parse));
        all.collect::<Vec<_>>()[0]
    }

    fn choice_trip_by(preferred: &[u8], other: &[u8], parse: Parse) -> usize {
        let out = encode(Symbols { preferred, other }, parse, usize::MAX).unwrap();
        let size = out.len();
        assert!(encode(Symbols { preferred, other }, parse, size).is_none());
        assert!(encode(Symbols { preferred, other }, parse, size + 1).is_some());
        assert_eq!(by_the_book(&out), decode(out.clone(), preferred.len()));
        let decoded = decode(out, preferred.len());
        assert_eq!(decoded.len(), preferred.len());
        for (i, &symbol) in decoded.iter().enumerate() {
            assert!(symbol == preferred[i] || symbol == other[i]);
        }
        size
    }

    /// Noise that repeats itself the same way everywhere.
    fn noise(seed: u32, count: usize, colours: u32) -> Vec<u8> {
        let mut state = seed.wrapping_mul(747_796_405).wrapping_add(1);
        let mut step = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) % colours) as u8
        };
        (0..count).map(|_| step()).collect()
    }

    #[test]
    fn every_palette_size_and_a_full_table() {
        for colours in [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 64, 128, 129, 255, 256] {
            for count in [1, 2, 3, 255, 5_000, 40_000] {
                round_trip(&noise(colours, count, colours));
            }
        }
    }

    #[test]
    fn the_last_code_may_fall_on_a_full_table_or_a_new_width() {
        let symbols = noise(3, 6_000, 256);
        for count in (1..600).chain(3_700..4_200) {
            round_trip(&symbols[..count]);
        }
    }

    #[test]
    fn equal_symbols_are_short() {
        assert!(round_trip(&[0; 60_000]) < 600);
        assert!(round_trip(&vec![1; 500 * 500]) < 1_600);
    }

    #[test]
    fn a_choice_never_costs_much_and_often_pays() {
        // Half of the pixels stand still: their colours are noise, their holes are not.
        let literal = noise(5, 20_000, 32);
        let holes: Vec<u8> = (0..literal.len())
            .map(|i| if i / 64 % 2 == 0 { 0 } else { literal[i] })
            .collect();
        let without = round_trip(&literal);
        let with = choice_trip(&holes, &literal);
        assert!(with < without * 6 / 10, "{with} of {without}");
        assert!(with <= round_trip(&holes) + 8);
    }

    proptest! {
        #[test]
        fn random_images(colours in 1u32..=256, seed: u32, count in 1usize..3_000, run in 1usize..40) {
            let symbols: Vec<u8> = noise(seed, count, colours)
                .iter()
                .flat_map(|&symbol| std::iter::repeat_n(symbol, 1 + symbol as usize % run))
                .take(20_000)
                .collect();
            trip(&symbols, parse(seed));
            let holes: Vec<u8> = noise(!seed, symbols.len(), 2)
                .iter()
                .zip(&symbols)
                .map(|(&hole, &symbol)| if hole == 0 { 0 } else { symbol })
                .collect();
            choice_trip_by(&holes, &symbols, parse(seed));
        }
    }
}
