//! The LZW of GIF, with a choice of symbols: a pixel that does not change may be sent as its colour or as
//! "transparent", and each match takes whichever makes it longer.
//!
//! Greedy parsing: every code is the longest string of the dictionary that fits the pixels ahead. The
//! dictionary is cleared when it is full. (CompuServe, Graphics Interchange Format 89a, appendix F.)

use super::symbols::{Place, Stretch, Symbols};
use crate::maths::random::fibonacci;

/// Codes have at most twelve bits.
const CODES: u16 = 4096;
const LONGEST_CODE: u32 = 12;
/// Slots of the hash table: two per code, so that it stays near the processor.
const SLOTS: usize = 2 * CODES as usize;
/// A slot that holds nothing: code 0 is never the child of another.
const EMPTY: u32 = 0;
/// Strings of equal length that are followed at the same time.
const PATHS: usize = 4;

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
/// not below `limit` bytes. What `dictionary` held before does not matter.
pub fn encode(
    dictionary: &mut Dictionary,
    symbols: &Symbols,
    parse: Parse,
    limit: usize,
) -> Option<Vec<u8>> {
    match parse.gives {
        0 => encode_by::<false>(dictionary, symbols, parse, limit),
        _ => encode_by::<true>(dictionary, symbols, parse, limit),
    }
}

/// `GIVES`: whether matches are shortened, which takes to know their beginnings.
fn encode_by<const GIVES: bool>(
    dictionary: &mut Dictionary,
    symbols: &Symbols,
    parse: Parse,
    limit: usize,
) -> Option<Vec<u8>> {
    let bits = symbols.bits();
    let mut stream = Stream::new(bits);
    let mut service = Service::default();
    let mut search = Search::new(dictionary, symbols.stretches(), bits, parse.wide);
    stream.put(search.dictionary.clear);
    let mut at = Place::default();
    let mut next = search.after::<GIVES>(None, at);
    loop {
        let found;
        (found, next) = search.choose::<GIVES>(next, at, parse.gives);
        let length = found.end.at - at.at;
        at = found.end;
        stream.put(found.code);
        if stream.out.len() >= limit {
            return None;
        }
        service.add(length, stream.width);
        let left = symbols.pixels() - at.at;
        stream.width = search.dictionary.grow(found.code, next.first, stream.width);
        if left == 0 {
            break;
        }
        if search.dictionary.is_full() && !(parse.keeps && service.is_good(left)) {
            stream.put(search.dictionary.clear);
            search.dictionary.reset(bits);
            service = Service::default();
            stream.width = bits + 1;
            next = search.after::<GIVES>(None, at);
        }
    }
    stream.put(search.dictionary.clear + 1);
    let out = stream.finish();
    (out.len() < limit).then_some(out)
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

    fn add(&mut self, length: u32, width: u32) {
        self.bits += u64::from(width);
        self.pixels += u64::from(length);
        self.recent += u64::from(length) << 8 >> Self::SHARE;
        self.recent -= self.recent >> Self::SHARE;
    }

    /// Whether codes of late said more per bit than all of them did, or too few are left for a new
    /// dictionary to become any good.
    fn is_good(&self, left: u32) -> bool {
        let few = u64::from(left) << 8 < Self::FEW * self.recent;
        few || self.recent * self.bits > (u64::from(LONGEST_CODE) * self.pixels) << 8
    }
}

/// A string of the dictionary that fits the pixels ahead.
#[derive(Clone, Copy)]
struct Match {
    code: u16,
    /// Behind its last pixel.
    end: Place,
    /// Its first symbol.
    first: u8,
    /// The codes of its beginnings, one pixel shorter each.
    shorter: Shorter,
}

/// The strings sent so far, as a tree: children hang on (code, symbol).
pub struct Dictionary {
    /// Open addressing; a slot is a key (parent and symbol, 20 bits) and its child (12 low bits).
    slots: [u32; SLOTS],
    clear: u16,
    next: u16,
    /// For each symbol, the codes of 2, 3, 4 … of it in a row: most pixels are in such runs.
    runs: Vec<Vec<u16>>,
}

impl Dictionary {
    pub fn new() -> Box<Self> {
        Box::new(Self {
            slots: [EMPTY; SLOTS],
            clear: 0,
            next: 0,
            runs: vec![Vec::new(); 1 + usize::from(u8::MAX)],
        })
    }

    /// Forgets all strings but the symbols of so many bits.
    fn reset(&mut self, bits: u32) {
        self.slots.fill(EMPTY);
        self.runs.iter_mut().for_each(Vec::clear);
        self.clear = 1 << bits;
        self.next = self.clear + 2;
    }

    fn is_full(&self) -> bool {
        self.next == CODES
    }

    /// Makes "`parent` and then `symbol`" the next code, unless it has one; gives its slot if it is new.
    #[inline]
    fn add(&mut self, parent: u16, symbol: u8) -> Option<usize> {
        let key = key(parent, symbol);
        let mut slot = home(key);
        while self.slots[slot] != EMPTY {
            // A match that was cut short promises a string that is there already.
            if self.slots[slot] >> 12 == key {
                return None;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = key << 12 | u32::from(self.next);
        let run = &mut self.runs[usize::from(symbol)];
        if parent == run.last().copied().unwrap_or(u16::from(symbol)) {
            run.push(self.next);
        }
        Some(slot)
    }

    /// Takes back what was added last, which ended in `symbol`.
    #[inline]
    fn take_back(&mut self, slot: usize, symbol: u8) {
        self.slots[slot] = EMPTY;
        let run = &mut self.runs[usize::from(symbol)];
        if run.last() == Some(&self.next) {
            run.pop();
        }
    }

    /// Keeps "`parent` and then `symbol`" for good; gives the width of the next code. The decoder is one
    /// string behind, so the code that grows the width is the one now added.
    #[inline]
    fn grow(&mut self, parent: u16, symbol: u8, width: u32) -> u32 {
        if self.is_full() {
            return width;
        }
        self.add(parent, symbol);
        let code = self.next;
        self.next += 1;
        width + u32::from(code == 1 << width && width < LONGEST_CODE)
    }

    #[inline]
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
}

/// A key of twenty bits; never 0 together with its child, which is above the clear code.
fn key(parent: u16, symbol: u8) -> u32 {
    u32::from(parent) << 8 | u32::from(symbol)
}

fn home(key: u32) -> usize {
    fibonacci(key, SLOTS.ilog2())
}

/// The longest strings of a dictionary that fit symbols.
struct Search<'a> {
    dictionary: &'a mut Dictionary,
    stretches: &'a [Stretch],
    wide: bool,
}

impl<'a> Search<'a> {
    fn new(
        dictionary: &'a mut Dictionary,
        stretches: &'a [Stretch],
        bits: u32,
        wide: bool,
    ) -> Self {
        dictionary.reset(bits);
        Self {
            dictionary,
            stretches,
            wide,
        }
    }

    fn is_end(&self, place: Place) -> bool {
        place.stretch == self.stretches.len()
    }

    /// The match to send next: the longest, or one shorter by up to `gives` pixels if both it and the next
    /// then cover more. And the next; itself where nothing follows.
    #[inline]
    fn choose<const GIVES: bool>(
        &mut self,
        longest: Match,
        at: Place,
        gives: usize,
    ) -> (Match, Match) {
        if self.is_end(longest.end) {
            return (longest, longest);
        }
        let next = self.after::<GIVES>(Some(longest.code), longest.end);
        if !GIVES {
            return (longest, next);
        }
        let mut best = (longest, next);
        let lengths = 1..longest.end.at - at.at;
        for (less, code) in lengths.zip(longest.shorter.codes().take(gives)) {
            let end = longest.end.back(less, self.stretches);
            let next = self.after::<GIVES>(Some(code), end);
            if next.end.at > best.1.end.at {
                let cut = Match {
                    code,
                    end,
                    ..longest
                };
                best = (cut, next);
            }
        }
        best
    }

    /// The longest match from `at` on, were `code` sent before it; with the preferred symbol first where two
    /// are as long.
    #[inline]
    fn after<const GIVES: bool>(&mut self, code: Option<u16>, at: Place) -> Match {
        let Stretch {
            preferred, other, ..
        } = self.stretches[at.stretch];
        let found = self.after_by::<GIVES>(code, preferred, at);
        if preferred == other {
            return found;
        }
        let alternative = self.after_by::<GIVES>(code, other, at);
        match alternative.end.at > found.end.at {
            true => alternative,
            false => found,
        }
    }

    /// The longest match that begins with `first`, which ends the string that `code` promises.
    #[inline]
    fn after_by<const GIVES: bool>(&mut self, code: Option<u16>, first: u8, at: Place) -> Match {
        let promising = code.filter(|_| !self.dictionary.is_full());
        let added = promising.and_then(|code| self.dictionary.add(code, first));
        let found = self.longest::<GIVES>(first, at);
        if let Some(slot) = added {
            self.dictionary.take_back(slot, first);
        }
        found
    }

    /// The longest string that begins with `first`.
    #[inline]
    fn longest<const GIVES: bool>(&self, first: u8, at: Place) -> Match {
        let (mut found, ends) = self.run::<GIVES>(first, at);
        if ends {
            return found;
        }
        // By far the most common steps are worth their own loop.
        while let Some(ahead) = self.stretches.get(found.end.stretch) {
            let by = |symbol| self.dictionary.child(found.code, symbol);
            let child = match ahead.only() {
                Some(symbol) => by(symbol),
                None => match (by(ahead.preferred), by(ahead.other)) {
                    (Some(_), Some(_)) => return self.longest_of_many(found),
                    (one, other) => one.or(other),
                },
            };
            let Some(longer) = child else {
                break;
            };
            if GIVES {
                found.shorter.push(found.code);
            }
            found.code = longer;
            found.end = found.end.next(self.stretches);
        }
        found
    }

    /// Goes on with all strings that either symbol leads to.
    #[inline(never)]
    fn longest_of_many(&self, mut found: Match) -> Match {
        let mut paths = Paths::default();
        paths.push(found.code);
        while let Some(ahead) = self.stretches.get(found.end.stretch) {
            let longer = self.longer(&paths, ahead);
            if longer.count == 0 {
                break;
            }
            found.shorter.push(paths.codes[0]);
            paths = longer;
            found.end = found.end.next(self.stretches);
        }
        found.code = paths.codes[0];
        found
    }

    /// The strings that go on with either symbol.
    #[inline]
    fn longer(&self, paths: &Paths, ahead: &Stretch) -> Paths {
        let mut longer = Paths::default();
        for &code in paths.codes() {
            longer.extend(self.dictionary.child(code, ahead.preferred));
            if ahead.only().is_none() {
                longer.extend(self.dictionary.child(code, ahead.other));
            }
        }
        longer
    }

    /// Follows a row of `first` as far as there are codes for it, and tells whether no string goes on.
    #[inline]
    fn run<const GIVES: bool>(&self, first: u8, at: Place) -> (Match, bool) {
        let codes = &self.dictionary.runs[usize::from(first)];
        let most = at.at + 1 + codes.len() as u32;
        let mut end = Place {
            at: self.stretches[at.stretch].end.min(most),
            stretch: at.stretch,
        };
        // More of the same has no code, so only another symbol goes on.
        let mut ends = self.stretches[at.stretch].only().is_some();
        while end.at == self.stretches[end.stretch].end {
            end.stretch += 1;
            ends = false;
            match self.stretches.get(end.stretch) {
                Some(ahead) if end.at < most && self.fits(ahead, first) => {
                    end.at = ahead.end.min(most);
                }
                _ => break,
            }
        }
        let more = (end.at - at.at - 1) as usize;
        let code = |length: usize| match length {
            1 => u16::from(first),
            _ => codes[length - 2],
        };
        let mut shorter = Shorter::default();
        if GIVES {
            for length in more.saturating_sub(MOST_GIVEN - 1).max(1)..=more {
                shorter.push(code(length));
            }
        }
        let found = Match {
            code: code(more + 1),
            end,
            first,
            shorter,
        };
        (found, ends)
    }

    /// Whether a row of a symbol goes on in a stretch.
    fn fits(&self, ahead: &Stretch, symbol: u8) -> bool {
        let (preferred, other) = (ahead.preferred == symbol, ahead.other == symbol);
        match self.wide {
            true => preferred && other,
            false => preferred || other,
        }
    }
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
    waiting: u64,
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

    #[inline]
    fn put(&mut self, code: u16) {
        self.waiting |= u64::from(code) << self.filled;
        self.filled += self.width;
        // Four bytes at once, which is easier to foresee than one or two.
        if self.filled >= u32::BITS {
            let ready = self.waiting as u32;
            self.out.extend_from_slice(&ready.to_le_bytes());
            self.waiting >>= u32::BITS;
            self.filled -= u32::BITS;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let left = self.filled.div_ceil(8) as usize;
        self.out
            .extend_from_slice(&self.waiting.to_le_bytes()[..left]);
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

    /// With a dictionary that has been used for something else.
    fn encoded(symbols: &Symbols, parse: Parse, limit: usize) -> Option<Vec<u8>> {
        let mut dictionary = Dictionary::new();
        encode(&mut dictionary, &Symbols::all(&[9, 9, 9, 7]), parse, 1000)?;
        encode(&mut dictionary, symbols, parse, limit)
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
        let out = encoded(&Symbols::all(symbols), parse, usize::MAX).unwrap();
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
        let symbols = Symbols::choice(preferred, other);
        let out = encoded(&symbols, parse, usize::MAX).unwrap();
        let size = out.len();
        assert!(encoded(&symbols, parse, size).is_none());
        assert!(encoded(&symbols, parse, size + 1).is_some());
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
