//! Bytes and what repeats in them as a zlib stream.
//!
//! (P. Deutsch, RFC 1950 and RFC 1951, 1996.)

/// The longest repetition, in bytes.
pub const LONGEST: usize = 258;
/// The shortest.
pub const SHORTEST: usize = 3;
/// How far back a repetition may begin, in bytes.
pub const FARTHEST: usize = 1 << 15;
/// Bytes, the end of a block, and lengths.
const SYMBOLS: usize = 286;
const DISTANCES: usize = 30;
const END: usize = 256;
/// Bits of the longest code word, and of those that tell lengths of code words.
const DEEPEST: u8 = 15;
const DEEPEST_OF_LENGTHS: u8 = 7;
/// Tokens of the smallest part that may get codes of its own.
const PART: usize = 512;

/// A part of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// In bytes.
    pub length: u16,
    /// Back to bytes that are the same; 0: they are sent as they are.
    pub distance: u16,
}

/// A symbol and the bits that follow it.
struct Symbol {
    code: usize,
    extra: u32,
    bits: u32,
}

fn length_symbol(length: u16) -> Symbol {
    let at = u32::from(length) - SHORTEST as u32;
    if length as usize == LONGEST {
        return Symbol {
            code: 285,
            extra: 0,
            bits: 0,
        };
    }
    let bits = (at >> 2).checked_ilog2().unwrap_or(0);
    Symbol {
        code: 257 + ((at >> bits) + 4 * bits) as usize,
        extra: at & ((1 << bits) - 1),
        bits,
    }
}

fn distance_symbol(distance: u16) -> Symbol {
    let at = u32::from(distance) - 1;
    let bits = (at >> 1).checked_ilog2().unwrap_or(0);
    Symbol {
        code: ((at >> bits) + 2 * bits) as usize,
        extra: at & ((1 << bits) - 1),
        bits,
    }
}

/// How often each symbol of a block occurs.
#[derive(Clone)]
struct Counts {
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
}

impl Counts {
    fn of(bytes: &[u8], tokens: &[Token]) -> Self {
        let mut counts = Self {
            symbols: [0; SYMBOLS],
            distances: [0; DISTANCES],
        };
        let mut at = 0;
        for token in tokens {
            let length = usize::from(token.length);
            if token.distance == 0 {
                for &byte in &bytes[at..at + length] {
                    counts.symbols[usize::from(byte)] += 1;
                }
            } else {
                counts.symbols[length_symbol(token.length).code] += 1;
                counts.distances[distance_symbol(token.distance).code] += 1;
            }
            at += length;
        }
        counts.symbols[END] = 1;
        counts
    }

    fn add(&mut self, other: &Self) {
        let add = |to: &mut [u32], from: &[u32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.symbols, &other.symbols);
        add(&mut self.distances, &other.distances);
        self.symbols[END] = 1;
    }

    /// Bits that follow symbols.
    fn extra(&self) -> u64 {
        let lengths = self.symbols[265..285].iter().zip(4..);
        let lengths = lengths.map(|(count, i): (_, u64)| u64::from(*count) * (i / 4));
        let distances = self.distances[4..].iter().zip(2..);
        let distances = distances.map(|(count, i): (_, u64)| u64::from(*count) * (i / 2));
        lengths.sum::<u64>() + distances.sum::<u64>()
    }
}

/// The lengths of the code words of a block.
struct Codes {
    symbols: [u8; SYMBOLS],
    distances: [u8; DISTANCES],
}

/// Counts that differ by less are made equal.
const NEAR: u32 = 4;
/// So many zeros are told as one anyway.
const ZEROS: usize = 5;

/// Counts with nearly equal neighbours made equal: code words become longer, but what tells their lengths
/// shorter. (After J. Alakuijala and L. Vandevenne, Data Compression Using Zopfli, 2013.)
fn leveled(counts: &Counts) -> Counts {
    let mut counts = counts.clone();
    for all in [&mut counts.symbols[..], &mut counts.distances[..]] {
        let mut at = 0;
        while at < all.len() {
            let used = all[at..].windows(ZEROS).position(|part| part == [0; ZEROS]);
            let used = used.unwrap_or(all.len() - at);
            level(&mut all[at..][..used]);
            at += used;
            at += all[at..].iter().take_while(|count| **count == 0).count();
        }
    }
    counts
}

fn level(mut counts: &mut [u32]) {
    while !counts.is_empty() {
        let few = &counts[..counts.len().min(4)];
        let middle = few.iter().sum::<u32>().div_ceil(few.len() as u32);
        let near = |count: &&u32| count.abs_diff(middle) < NEAR;
        let length = counts.iter().take_while(near).count().max(1);
        let (part, rest) = counts.split_at_mut(length);
        let sum: u32 = part.iter().sum();
        if length >= 4 && sum > 0 {
            let mean = (sum + length as u32 / 2) / length as u32;
            part.fill(mean.max(1));
        }
        counts = rest;
    }
}

impl Codes {
    /// Those that take the fewest bits with their head.
    fn best(counts: &Counts) -> (Self, Head) {
        let [exact, leveled] = [Self::of(counts), Self::of(&leveled(counts))].map(|codes| {
            let head = Head::of(&codes);
            (codes.bits(counts) + head.bits(), codes, head)
        });
        let (_, codes, head) = if leveled.0 < exact.0 { leveled } else { exact };
        (codes, head)
    }

    fn of(counts: &Counts) -> Self {
        let mut codes = Self {
            symbols: [0; SYMBOLS],
            distances: [0; DISTANCES],
        };
        code_lengths(&counts.symbols, DEEPEST, &mut codes.symbols);
        code_lengths(&counts.distances, DEEPEST, &mut codes.distances);
        codes
    }

    /// Those that every decoder knows.
    fn fixed() -> Self {
        let mut symbols = [8; SYMBOLS];
        symbols[144..256].fill(9);
        symbols[256..280].fill(7);
        Self {
            symbols,
            distances: [5; DISTANCES],
        }
    }

    fn bits(&self, counts: &Counts) -> u64 {
        let sum = |counts: &[u32], lengths: &[u8]| -> u64 {
            counts
                .iter()
                .zip(lengths)
                .map(|(n, bits)| u64::from(*n) * u64::from(*bits))
                .sum()
        };
        sum(&counts.symbols, &self.symbols)
            + sum(&counts.distances, &self.distances)
            + counts.extra()
    }
}

/// The lengths of Huffman's code words, none longer than `deepest`; none for what never occurs.
///
/// (D. Huffman, A Method for the Construction of Minimum-Redundancy Codes, 1952.)
fn code_lengths(counts: &[u32], deepest: u8, lengths: &mut [u8]) {
    let mut leaves: Vec<(u32, usize)> = counts
        .iter()
        .zip(0..)
        .filter(|(count, _)| **count > 0)
        .map(|(count, i)| (*count, i))
        .collect();
    // A code of a single word has a bit, too.
    if leaves.len() < 2 {
        leaves.iter().for_each(|leaf| lengths[leaf.1] = 1);
        return;
    }
    leaves.sort_unstable();
    let mut numbers = depths(&leaves);
    shorten(&mut numbers, deepest);
    let mut sorted = leaves.iter();
    for depth in (1..=usize::from(deepest)).rev() {
        for leaf in sorted.by_ref().take(numbers[depth]) {
            lengths[leaf.1] = depth as u8;
        }
    }
}

/// How many leaves of a tree, given by rising count, lie at each depth.
fn depths(leaves: &[(u32, usize)]) -> [usize; 64] {
    let total = leaves.len();
    // Leaves and, in the order they are made, inner nodes: both rise, so the smallest two are at the fronts.
    let mut inner: Vec<u64> = Vec::with_capacity(total);
    let mut parents = vec![0; 2 * total];
    let (mut leaf, mut node) = (0, 0);
    for made in 0..total - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let is_leaf =
                node == inner.len() || leaf < total && u64::from(leaves[leaf].0) <= inner[node];
            if is_leaf {
                weight += u64::from(leaves[leaf].0);
                parents[leaf] = made;
                leaf += 1;
            } else {
                weight += inner[node];
                parents[total + node] = made;
                node += 1;
            }
        }
        inner.push(weight);
    }
    let mut depth = vec![0usize; total];
    for made in (0..total - 2).rev() {
        depth[made] = depth[parents[total + made]] + 1;
    }
    let mut numbers = [0; 64];
    for &parent in &parents[..total] {
        numbers[(depth[parent] + 1).min(63)] += 1;
    }
    numbers
}

/// Moves leaves that lie too deep up, and as many others down as that takes.
fn shorten(numbers: &mut [usize; 64], deepest: u8) {
    let deepest = usize::from(deepest);
    for depth in deepest + 1..64 {
        numbers[deepest] += std::mem::take(&mut numbers[depth]);
    }
    let used = |numbers: &[usize; 64]| -> usize {
        (1..=deepest)
            .map(|depth| numbers[depth] << (deepest - depth))
            .sum()
    };
    for _ in 0..used(numbers).saturating_sub(1 << deepest) {
        let from = (1..deepest)
            .rev()
            .find(|depth| numbers[*depth] > 0)
            .expect("a leaf that is not deepest");
        numbers[deepest] -= 1;
        numbers[from] -= 1;
        numbers[from + 1] += 2;
    }
}

/// The code words of a code, their first bit lowest, with their lengths. (RFC 1951, 3.2.2.)
fn words(lengths: &[u8]) -> Vec<(u32, u32)> {
    let mut next = [0u32; 17];
    let mut word = 0;
    for (depth, next) in next.iter_mut().enumerate().skip(1) {
        *next = word;
        let depth = |length: &&u8| usize::from(**length) == depth;
        word = (word + lengths.iter().filter(depth).count() as u32) << 1;
    }
    let word = |&length: &u8| {
        if length == 0 {
            return (0, 0);
        }
        let word = next[usize::from(length)];
        next[usize::from(length)] += 1;
        (
            word.reverse_bits() >> (32 - u32::from(length)),
            u32::from(length),
        )
    };
    lengths.iter().map(word).collect()
}

/// The codes of a block as the block tells them. (RFC 1951, 3.2.7.)
struct Head {
    symbols: usize,
    distances: usize,
    /// Code, extra bits and their number.
    steps: Vec<(usize, u32, u32)>,
    lengths: [u8; 19],
    told: usize,
}

const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

impl Head {
    fn of(codes: &Codes) -> Self {
        let used = |lengths: &[u8], least: usize| {
            lengths
                .iter()
                .rposition(|length| *length > 0)
                .map_or(least, |last| least.max(last + 1))
        };
        let (symbols, distances) = (used(&codes.symbols, 257), used(&codes.distances, 1));
        let all = [&codes.symbols[..symbols], &codes.distances[..distances]].concat();
        let steps = runs(&all);
        let mut counts = [0; 19];
        steps.iter().for_each(|step| counts[step.0] += 1);
        let mut lengths = [0; 19];
        code_lengths(&counts, DEEPEST_OF_LENGTHS, &mut lengths);
        let told = ORDER
            .iter()
            .rposition(|code| lengths[*code] > 0)
            .map_or(4, |last| 4.max(last + 1));
        Self {
            symbols,
            distances,
            steps,
            lengths,
            told,
        }
    }

    fn bits(&self) -> u64 {
        let steps = self
            .steps
            .iter()
            .map(|step| u64::from(self.lengths[step.0]) + u64::from(step.2));
        14 + 3 * self.told as u64 + steps.sum::<u64>()
    }

    fn write(&self, out: &mut Bits) {
        out.put(self.symbols as u32 - 257, 5);
        out.put(self.distances as u32 - 1, 5);
        out.put(self.told as u32 - 4, 4);
        ORDER[..self.told]
            .iter()
            .for_each(|code| out.put(self.lengths[*code].into(), 3));
        let words = words(&self.lengths);
        for &(code, extra, bits) in &self.steps {
            out.put(words[code].0, words[code].1);
            out.put(extra, bits);
        }
    }
}

/// Lengths of code words, equal ones together.
fn runs(lengths: &[u8]) -> Vec<(usize, u32, u32)> {
    let mut steps = Vec::new();
    for run in lengths.chunk_by(|a, b| a == b) {
        let (length, mut left) = (usize::from(run[0]), run.len());
        if length > 0 {
            steps.push((length, 0, 0));
            left -= 1;
        }
        while left >= 3 {
            let most = if length > 0 { 6 } else { 138 };
            let mut part = left.min(most);
            // What is left must not be too short to be told as a run, too.
            if left > most && left - part < 3 && part > 5 {
                part = left - 3;
            }
            steps.push(match (length, part) {
                (1.., _) => (16, part as u32 - 3, 2),
                (0, ..=10) => (17, part as u32 - 3, 3),
                _ => (18, part as u32 - 11, 7),
            });
            left -= part;
        }
        steps.extend(std::iter::repeat_n((length, 0, 0), left));
    }
    steps
}

/// Bits, the first of each byte lowest.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    waiting: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, bits: u32, count: u32) {
        self.waiting |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 32 {
            self.bytes
                .extend_from_slice(&(self.waiting as u32).to_le_bytes());
            self.waiting >>= 32;
            self.count -= 32;
        }
    }

    fn end(mut self) -> Vec<u8> {
        let whole = self.count.div_ceil(8) as usize;
        self.bytes
            .extend_from_slice(&self.waiting.to_le_bytes()[..whole]);
        self.bytes
    }
}

/// Tokens that share their codes, and the bytes they stand for.
struct Block {
    tokens: usize,
    bytes: usize,
    counts: Counts,
    bits: u64,
}

impl Block {
    fn new(tokens: usize, bytes: usize, counts: Counts) -> Self {
        let (codes, head) = Codes::best(&counts);
        let own = head.bits() + codes.bits(&counts);
        let bits = own.min(Codes::fixed().bits(&counts));
        Self {
            tokens,
            bytes,
            counts,
            bits,
        }
    }

    fn with(&self, next: &Self) -> Self {
        let mut counts = self.counts.clone();
        counts.add(&next.counts);
        Self::new(self.tokens + next.tokens, self.bytes + next.bytes, counts)
    }

    fn write(&self, bytes: &[u8], tokens: &[Token], last: bool, out: &mut Bits) {
        let (own, head) = Codes::best(&self.counts);
        let fixed = Codes::fixed();
        let is_fixed = fixed.bits(&self.counts) <= head.bits() + own.bits(&self.counts);
        out.put(u32::from(last) | if is_fixed { 1 << 1 } else { 2 << 1 }, 3);
        if !is_fixed {
            head.write(out);
        }
        write_tokens(
            if is_fixed { &fixed } else { &own },
            is_fixed,
            bytes,
            tokens,
            out,
        );
    }
}

fn write_tokens(codes: &Codes, fixed: bool, bytes: &[u8], tokens: &[Token], out: &mut Bits) {
    // The fixed code has two words more than there are symbols.
    let symbols = words(&[&codes.symbols[..], if fixed { &[8, 8] } else { &[] }].concat());
    let distances = words(&codes.distances);
    let mut at = 0;
    for token in tokens {
        let length = usize::from(token.length);
        if token.distance == 0 {
            for &byte in &bytes[at..at + length] {
                out.put(symbols[usize::from(byte)].0, symbols[usize::from(byte)].1);
            }
        } else {
            for (symbol, words) in [
                (length_symbol(token.length), &symbols),
                (distance_symbol(token.distance), &distances),
            ] {
                out.put(words[symbol.code].0, words[symbol.code].1);
                out.put(symbol.extra, symbol.bits);
            }
        }
        at += length;
    }
    out.put(symbols[END].0, symbols[END].1);
}

/// Parts next to each other become one where that is smaller.
fn blocks(bytes: &[u8], tokens: &[Token]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = 0;
    for part in tokens.chunks(PART) {
        let length = part.iter().map(|token| usize::from(token.length)).sum();
        let block = Block::new(part.len(), length, Counts::of(&bytes[at..], part));
        at += length;
        let Some(last) = blocks.last_mut() else {
            blocks.push(block);
            continue;
        };
        let both = last.with(&block);
        match both.bits <= last.bits + block.bits + 3 {
            true => *last = both,
            false => blocks.push(block),
        }
    }
    blocks
}

/// All bytes, told by tokens, as a zlib stream.
pub fn zlib(bytes: &[u8], tokens: &[Token]) -> Vec<u8> {
    let mut out = Bits::default();
    out.put(0xda78, 16);
    let blocks = blocks(bytes, tokens);
    let (mut byte, mut token) = (0, 0);
    for (i, block) in blocks.iter().enumerate() {
        let tokens = &tokens[token..][..block.tokens];
        block.write(&bytes[byte..], tokens, i + 1 == blocks.len(), &mut out);
        byte += block.bytes;
        token += block.tokens;
    }
    let mut out = out.end();
    out.extend_from_slice(&check_sum(bytes).to_be_bytes());
    out
}

/// Adler's. (RFC 1950, 8.2.)
fn check_sum(bytes: &[u8]) -> u32 {
    const PRIME: u32 = 65_521;
    /// So many bytes fit before a sum has more than 32 bits.
    const FIT: usize = 5_552;
    let (mut low, mut high) = (1, 0);
    for part in bytes.chunks(FIT) {
        for &byte in part {
            low += u32::from(byte);
            high += low;
        }
        low %= PRIME;
        high %= PRIME;
    }
    high << 16 | low
}

/// What tokens cost, in bits.
pub struct Costs {
    pub bytes: [u8; 256],
    /// By length.
    pub lengths: [u8; LONGEST + 1],
    /// By the symbol of a distance, with the bits after it.
    distances: [u8; DISTANCES],
}

impl Costs {
    /// Before any are known.
    pub fn usual() -> Self {
        let mut costs = Self {
            bytes: [7; 256],
            lengths: [0; LONGEST + 1],
            distances: [0; DISTANCES],
        };
        for (cost, length) in costs.lengths.iter_mut().zip(0u16..).skip(SHORTEST) {
            let symbol = length_symbol(length);
            *cost = if length as usize == LONGEST {
                3
            } else {
                5 + symbol.bits as u8
            };
        }
        for (i, cost) in costs.distances.iter_mut().enumerate() {
            *cost = 4 + (i as u8 / 2).saturating_sub(1);
        }
        costs
    }

    /// As they are when these tokens are one block.
    pub fn of(bytes: &[u8], tokens: &[Token]) -> Self {
        let counts = Counts::of(bytes, tokens);
        let codes = Codes::of(&counts);
        let mut costs = Self {
            bytes: [0; 256],
            lengths: [0; LONGEST + 1],
            distances: [0; DISTANCES],
        };
        // What has not occurred would cost about as much as what is rare.
        let bits = |length: u8, rare: u8| if length == 0 { rare } else { length };
        for (cost, length) in costs.bytes.iter_mut().zip(&codes.symbols) {
            *cost = bits(*length, 13);
        }
        for (cost, length) in costs.lengths.iter_mut().zip(0u16..).skip(SHORTEST) {
            let symbol = length_symbol(length);
            *cost = bits(codes.symbols[symbol.code], 12) + symbol.bits as u8;
        }
        for (i, cost) in costs.distances.iter_mut().enumerate() {
            *cost = bits(codes.distances[i], 9) + (i as u8 / 2).saturating_sub(1);
        }
        costs
    }

    pub fn distance(&self, distance: usize) -> u32 {
        self.distances[distance_symbol(distance as u16).code].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inflate(stream: &[u8]) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec_zlib(stream).unwrap()
    }

    #[test]
    fn every_length_and_distance_has_its_symbol() {
        for distance in [1, 2, 3, 4, 5, 6, 7, 24_576, 24_577, 32_768] {
            let mut bytes: Vec<u8> = (0..distance).map(|i| (i * i / 7 % 251) as u8).collect();
            let mut tokens: Vec<Token> = bytes
                .chunks(60_000)
                .map(|part| Token {
                    length: part.len() as u16,
                    distance: 0,
                })
                .collect();
            for length in SHORTEST..=LONGEST {
                let start = bytes.len() - distance;
                (0..length).for_each(|i| bytes.push(bytes[start + i]));
                tokens.push(Token {
                    length: length as u16,
                    distance: distance as u16,
                });
            }
            assert!(inflate(&zlib(&bytes, &tokens)) == bytes, "{distance}");
        }
    }

    #[test]
    fn codes_are_whole_and_not_too_deep() {
        // Fibonacci's numbers make the deepest tree.
        let mut counts = [0u32; SYMBOLS];
        let (mut a, mut b) = (1, 1);
        for count in &mut counts[..40] {
            *count = a;
            (a, b) = (b, a + b);
        }
        for deepest in [7, 15] {
            let mut lengths = [0; SYMBOLS];
            code_lengths(&counts, deepest, &mut lengths);
            let used = lengths.iter().filter(|length| **length > 0);
            let full: u32 = used.map(|length| 1 << (deepest - length)).sum();
            assert_eq!(full, 1 << deepest);
        }
    }

    #[test]
    fn level_counts_keep_what_occurs() {
        let mut counts = [3, 0, 1, 2, 900, 0, 0, 0, 0, 0, 0, 7];
        level(&mut counts[..5]);
        assert_eq!(counts, [2, 2, 2, 2, 900, 0, 0, 0, 0, 0, 0, 7]);
    }

    proptest! {
        #[test]
        fn literals_come_back(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
            let token = Token { length: bytes.len() as u16, distance: 0 };
            prop_assert_eq!(inflate(&zlib(&bytes, &[token])), bytes);
        }
    }
}
