//! The cheapest way to tell filtered rows by what has been told before.
//!
//! Flat pictures are long stretches of one pixel and what lies between. Repetitions are looked for where a
//! stretch begins and ends and at each byte between stretches; which of them are used, the shortest path
//! through their costs says.

use std::collections::VecDeque;

use super::deflate::{Costs, FARTHEST, LONGEST, SHORTEST, Token, zlib};

/// No place, no path.
const NONE: u32 = u32::MAX;
/// Bytes that make a stretch.
const STRETCH: usize = 8;
/// Whole repetitions that are counted as one step of a path: their bytes fit into a token.
const FULL: usize = 254;
/// After a repetition of so many bytes, no better one is looked for.
const ENOUGH: usize = 200;
/// Of a long repetition, only so many of the shortest and of the longest parts are paths.
const FEW: usize = 12;
/// Rows with so small a part more news than the least are tried too.
const NEAR: usize = 8;
/// Bits of the numbers of chains: of four and of three equal bytes.
const FOURS: u32 = 14;
const THREES: u32 = 12;

/// How hard repetitions are looked for.
#[derive(Clone, Copy)]
pub struct Search {
    /// Places before that are tried.
    pub depth: usize,
    /// Paths found with the costs of the path before.
    pub rounds: usize,
}

/// Filtered rows, one after the other.
pub struct Rows {
    pub bytes: Vec<u8>,
    /// Bytes of a pixel.
    pub step: usize,
    /// Bytes of a row with its filter.
    pub length: usize,
}

impl Rows {
    /// Bytes that differ from those a pixel before and a row above.
    fn news(&self) -> usize {
        let (step, row) = (self.step, self.length);
        let rows = self.bytes.get(row..).unwrap_or_default().iter();
        let above = rows.clone().zip(&self.bytes);
        let left = &self.bytes[row.saturating_sub(step).min(self.bytes.len())..];
        let new = above
            .zip(left)
            .map(|((now, above), left)| usize::from((now != above) & (now != left)));
        new.sum()
    }
}

/// Bytes whose path is looked for at once, which takes some twenty times as many for a while.
const SLAB: usize = 1 << 20;

/// A zlib stream of whichever rows take the fewest bits, and which that are. The first, quick path decides
/// between those with about as much news.
pub fn smallest(candidates: &[Rows], search: Search) -> (usize, Vec<u8>) {
    let news: Vec<usize> = candidates.iter().map(Rows::news).collect();
    let least = *news.iter().min().expect("at least one candidate");
    if candidates.iter().any(|rows| rows.bytes.len() > SLAB) {
        let which = news.iter().position(|news| *news == least).unwrap_or(0);
        return (which, in_slabs(&candidates[which], search));
    }
    let near = (0..candidates.len()).filter(|i| news[*i] <= least + least / NEAR);
    let paths = near.map(|i| {
        let found = Found::of(&candidates[i], search.depth);
        (i, found.cheapest(&Costs::usual()), found)
    });
    let best = paths.min_by_key(|(_, path, _)| path.bits);
    let (which, path, found) = best.expect("that with the least news");
    let tokens = found.settled(path, search.rounds).tokens;
    (which, zlib(&candidates[which].bytes, &tokens))
}

/// A zlib stream of large rows, whose parts know nothing of each other.
fn in_slabs(rows: &Rows, search: Search) -> Vec<u8> {
    let slabs = rows.bytes.chunks(SLAB).map(|bytes| Rows {
        bytes: bytes.to_vec(),
        ..*rows
    });
    let tokens: Vec<Token> = slabs
        .flat_map(|slab| {
            let found = Found::of(&slab, search.depth);
            let path = found.cheapest(&Costs::usual());
            found.settled(path, search.rounds).tokens
        })
        .collect();
    zlib(&rows.bytes, &tokens)
}

/// A repetition that begins at a place, or up to `back` bytes before.
struct Match {
    length: u16,
    back: u16,
    distance: u16,
    /// Shorter ones have been found nearer.
    least: u16,
}

/// Where a path may turn.
struct Place {
    at: usize,
    /// The end of its matches in the list of all.
    matches: usize,
    /// Bytes from here on that equal the byte a pixel later, if they make a stretch.
    stretch: usize,
}

/// All places and matches of some rows.
struct Found<'a> {
    rows: &'a Rows,
    places: Vec<Place>,
    matches: Vec<Match>,
}

/// Tokens and their cost.
struct Path {
    bits: u32,
    tokens: Vec<Token>,
}

/// Earlier places by the bytes that follow.
struct Chains {
    fours: Vec<u32>,
    /// The place before with the same four bytes.
    before: Vec<u32>,
    /// The latest place only.
    threes: Vec<u32>,
}

impl Chains {
    fn new(bytes: usize) -> Self {
        Self {
            fours: vec![NONE; 1 << FOURS],
            before: vec![NONE; bytes],
            threes: vec![NONE; 1 << THREES],
        }
    }

    /// The chains of four and three bytes from a place on. (Fibonacci hashing.)
    fn keys(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let four = u32::from_le_bytes(*bytes[at..].first_chunk()?);
        let key = |word: u32, bits: u32| (word.wrapping_mul(0x9e37_79b1) >> (32 - bits)) as usize;
        Some((key(four, FOURS), key(four << 8, THREES)))
    }

    fn add(&mut self, bytes: &[u8], at: usize) {
        if let Some((four, three)) = Self::keys(bytes, at) {
            self.before[at] = std::mem::replace(&mut self.fours[four], at as u32);
            self.threes[three] = at as u32;
        }
    }

    /// Distances from a place back to those with the same bytes, nearest first, those for three bytes only
    /// where `three` says so.
    fn distances(&self, bytes: &[u8], at: usize, three: bool) -> impl Iterator<Item = usize> {
        let keys = Self::keys(bytes, at);
        let first = keys.filter(|_| three).map(|keys| self.threes[keys.1]);
        let head = keys.map(|keys| self.fours[keys.0]);
        let next = |place: &u32| (*place != NONE).then(|| self.before[*place as usize]);
        let fours = std::iter::successors(head, next);
        let places = first.into_iter().filter(|place| *place != NONE);
        places
            .chain(fours.take_while(|place| *place != NONE))
            .map(move |place| at - place as usize)
            .take_while(|distance| *distance <= FARTHEST)
    }
}

/// How far bytes equal those `distance` before, up to the longest repetition.
fn equal(bytes: &[u8], at: usize, distance: usize) -> usize {
    let end = bytes.len().min(at + LONGEST);
    let (now, then) = (&bytes[at..end], &bytes[at - distance..end - distance]);
    let (words, rest) = now.as_chunks::<8>();
    let (then_words, then_rest) = then.as_chunks::<8>();
    for (i, (now, then)) in words.iter().zip(then_words).enumerate() {
        let differing = u64::from_le_bytes(*now) ^ u64::from_le_bytes(*then);
        if differing != 0 {
            return 8 * i + differing.trailing_zeros() as usize / 8;
        }
    }
    let pairs = rest.iter().zip(then_rest);
    8 * words.len() + pairs.take_while(|(now, then)| now == then).count()
}

/// How far bytes before a place equal those `distance` before them, up to `most`.
fn equal_back(bytes: &[u8], at: usize, distance: usize, most: usize) -> usize {
    let pairs = bytes[..at]
        .iter()
        .rev()
        .zip(bytes[..at - distance].iter().rev());
    pairs
        .take(most)
        .take_while(|(now, then)| now == then)
        .count()
}

/// For each byte, how many from it on equal the byte a pixel later.
fn stretches(rows: &Rows) -> Vec<u16> {
    let bytes = &rows.bytes;
    let mut stretches = vec![0u16; bytes.len()];
    let mut length = 0u16;
    let pairs = bytes.iter().zip(&bytes[rows.step.min(bytes.len())..]);
    for ((now, later), stretch) in pairs.zip(&mut stretches).rev() {
        length = if now == later {
            length.saturating_add(1)
        } else {
            0
        };
        *stretch = length;
    }
    stretches
}

/// What is looked for at a place.
struct Look {
    at: usize,
    /// Bytes of the stretch before it.
    behind: usize,
    /// Bytes of the stretch from it on, if any.
    stretch: usize,
    longest: usize,
    /// Of the longest with what is behind.
    both: usize,
    /// Of the longest.
    distance: usize,
}

impl<'a> Found<'a> {
    fn of(rows: &'a Rows, depth: usize) -> Self {
        let bytes = &rows.bytes;
        let mut found = Self {
            rows,
            places: Vec::new(),
            matches: Vec::new(),
        };
        let mut chains = Chains::new(bytes.len());
        let stretches = stretches(rows);
        // Where longest repetitions from inside a stretch end: paths go on there, in whatever stretch.
        let mut ends = VecDeque::new();
        let (mut at, mut begun, mut distance) = (0, 0, 0);
        while at < bytes.len() {
            let stretch = usize::from(stretches[at]);
            let stretch = if stretch < STRETCH { 0 } else { stretch };
            let mut look = Look {
                at,
                behind: at - begun,
                stretch,
                longest: 0,
                both: 0,
                distance,
            };
            found.look(&mut look, &chains, depth);
            distance = look.distance;
            found.places.push(Place {
                at,
                matches: found.matches.len(),
                stretch,
            });
            let mut next = at + 1;
            if stretch == 0 {
                chains.add(bytes, at);
                begun = next;
            } else if look.longest == LONGEST && ends.back().is_none_or(|end| *end < at + LONGEST) {
                ends.push_back(at + LONGEST);
            }
            if look.longest >= stretch.clamp(1, LONGEST) && stretch > 0 {
                next = at + stretch.min(FULL * LONGEST);
            }
            while ends.front().is_some_and(|end| *end <= at) {
                ends.pop_front();
            }
            at = ends.front().map_or(next, |end| next.min(*end));
        }
        found
    }

    fn look(&mut self, look: &mut Look, chains: &Chains, depth: usize) {
        let (bytes, row, step) = (&self.rows.bytes, self.rows.length, self.rows.step);
        let carried = look.distance;
        look.distance = 0;
        let known = [1, step, row, carried];
        for (i, &distance) in known.iter().enumerate() {
            if distance > 0 && !known[..i].contains(&distance) {
                let all = distance == row || look.stretch > 0;
                let least = if all { SHORTEST } else { look.longest + 1 };
                self.try_distance(look, distance, least.max(SHORTEST));
            }
        }
        if look.longest >= ENOUGH {
            return;
        }
        // A stretch is found by its end.
        let end = look.at + look.stretch;
        let mut longest = SHORTEST - 1;
        let distances = chains.distances(bytes, end, look.stretch == 0).take(depth);
        for distance in distances {
            longest = longest.max(self.try_distance(look, distance, longest + 1));
            if longest == LONGEST {
                return;
            }
        }
    }

    /// Adds a match of at least so many bytes; tells its length.
    fn try_distance(&mut self, look: &mut Look, distance: usize, least: usize) -> usize {
        let bytes = &self.rows.bytes;
        if distance > look.at.min(FARTHEST) {
            return 0;
        }
        let length = equal(bytes, look.at, distance);
        if length < SHORTEST {
            return 0;
        }
        let back = match distance > self.rows.step {
            true => equal_back(bytes, look.at, distance, look.behind.min(LONGEST - length)),
            false => 0,
        };
        let longer = back > 0 && length + back > look.both;
        look.both = look.both.max(length + back);
        if length >= least || longer {
            self.matches.push(Match {
                length: length as u16,
                back: if longer { back as u16 } else { 0 },
                distance: distance as u16,
                least: least.min(length) as u16,
            });
        }
        if length > look.longest {
            (look.longest, look.distance) = (length, distance);
        }
        length
    }

    /// The path that is found again and again with the costs of the path before.
    fn settled(&self, mut path: Path, rounds: usize) -> Path {
        for _ in 0..rounds {
            path = self.cheapest(&Costs::of(&self.rows.bytes, &path.tokens));
        }
        path
    }

    /// The shortest path with these costs.
    fn cheapest(&self, costs: &Costs) -> Path {
        let bytes = &self.rows.bytes;
        let mut steps = Steps::new(bytes.len(), self.rows.step, costs);
        let mut first = 0;
        for (i, place) in self.places.iter().enumerate() {
            let matches = &self.matches[first..place.matches];
            first = place.matches;
            if steps.bits[place.at] < NONE {
                steps.literal(place.at, bytes[place.at]);
                matches.iter().for_each(|found| steps.forward(place, found));
                matches
                    .iter()
                    .for_each(|found| steps.backward(place.at, found));
            }
            if place.stretch > 0 {
                let next = self.places.get(i + 1).map_or(bytes.len(), |next| next.at);
                steps.stretch(place, next, self.period(place.at));
            }
        }
        steps.path()
    }

    /// How far back a stretch is the same: a byte if it is of equal bytes, else a pixel.
    fn period(&self, at: usize) -> usize {
        let pixel = &self.rows.bytes[at..at + self.rows.step];
        match pixel.iter().all(|byte| *byte == pixel[0]) {
            true => 1,
            false => self.rows.step,
        }
    }
}

/// The cheapest known ways to each byte.
struct Steps<'a> {
    costs: &'a Costs,
    /// Bytes of a pixel.
    step: usize,
    bits: Vec<u32>,
    /// The last token of the way; several longest repetitions may be one.
    last: Vec<Token>,
}

impl<'a> Steps<'a> {
    fn new(bytes: usize, step: usize, costs: &'a Costs) -> Self {
        let mut bits = vec![NONE; bytes + 1];
        bits[0] = 0;
        let none = Token {
            length: 0,
            distance: 0,
        };
        Self {
            costs,
            step,
            bits,
            last: vec![none; bytes + 1],
        }
    }

    fn offer(&mut self, to: usize, bits: u32, length: usize, distance: usize) {
        if bits < self.bits[to] {
            self.bits[to] = bits;
            self.last[to] = Token {
                length: length as u16,
                distance: distance as u16,
            };
        }
    }

    fn literal(&mut self, at: usize, byte: u8) {
        let bits = self.bits[at] + u32::from(self.costs.bytes[usize::from(byte)]);
        self.offer(at + 1, bits, 1, 0);
    }

    fn forward(&mut self, place: &Place, found: &Match) {
        let (least, length) = (usize::from(found.least), usize::from(found.length));
        if place.stretch > 0 || length <= 2 * FEW {
            return self.lengths(place.at, found, least, length);
        }
        if least <= FEW {
            self.lengths(place.at, found, least, FEW);
        }
        self.lengths(place.at, found, least.max(length - FEW), length);
    }

    /// Offers a match at all lengths of a range.
    fn lengths(&mut self, at: usize, found: &Match, least: usize, most: usize) {
        let start = self.bits[at] + self.costs.distance(found.distance.into());
        let costs = &self.costs.lengths[least..=most];
        let bits = &mut self.bits[at + least..=at + most];
        let last = &mut self.last[at + least..=at + most];
        for (((bits, last), cost), length) in
            bits.iter_mut().zip(last).zip(costs).zip(least as u16..)
        {
            let sum = start + u32::from(*cost);
            if sum < *bits {
                *bits = sum;
                *last = Token {
                    length,
                    distance: found.distance,
                };
            }
        }
    }

    /// Offers a match that begins before the place.
    fn backward(&mut self, at: usize, found: &Match) {
        let (length, back) = (usize::from(found.length), usize::from(found.back));
        let starts = self.bits[at - back..at].iter().rev();
        let costs = &self.costs.lengths[length + 1..=length + back];
        let sums = starts
            .zip(costs)
            .map(|(bits, cost)| bits.saturating_add((*cost).into()));
        let Some((sum, more)) = sums.zip(1..).min() else {
            return;
        };
        let bits = sum.saturating_add(self.costs.distance(found.distance.into()));
        self.offer(at + length, bits, length + more, found.distance.into());
    }

    /// Offers what repeats inside a stretch, from wherever paths lead into it to its end.
    fn stretch(&mut self, place: &Place, next: usize, period: usize) {
        let first = place.at + place.stretch;
        // The last pixel of a stretch is its own as well.
        let end = first + self.step;
        let far = self.costs.distance(period);
        let whole = far + u32::from(self.costs.lengths[LONGEST]);
        for entry in place.at + period..next.min(place.at + period + LONGEST) {
            if self.bits[entry] == NONE {
                continue;
            }
            let most = ((end - entry) / LONGEST).min(FULL);
            for times in most.saturating_sub(1).max(1)..=most {
                let bits = self.bits[entry] + times as u32 * whole;
                self.offer(entry + times * LONGEST, bits, times * LONGEST, period);
            }
            let start = entry + most * LONGEST;
            for to in [first, end] {
                let length = to.saturating_sub(start);
                if (SHORTEST..=LONGEST).contains(&length) {
                    let bits = self.bits[start] + far + u32::from(self.costs.lengths[length]);
                    self.offer(to, bits, length, period);
                }
            }
        }
    }

    fn path(self) -> Path {
        let mut at = self.last.len() - 1;
        let bits = self.bits[at];
        let mut tokens: Vec<Token> = Vec::new();
        while at > 0 {
            let token = self.last[at];
            let length = usize::from(token.length);
            at -= length;
            match tokens.last_mut() {
                Some(last)
                    if token.distance == 0 && last.distance == 0 && last.length < u16::MAX =>
                {
                    last.length += 1
                }
                _ if length > LONGEST => {
                    let whole = Token {
                        length: LONGEST as u16,
                        ..token
                    };
                    tokens.extend(std::iter::repeat_n(whole, length / LONGEST));
                }
                _ => tokens.push(token),
            }
        }
        tokens.reverse();
        Path { bits, tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SEARCHES: [Search; 3] = [
        Search {
            depth: 0,
            rounds: 0,
        },
        Search {
            depth: 4,
            rounds: 1,
        },
        Search {
            depth: 60,
            rounds: 3,
        },
    ];

    fn come_back(rows: Rows) {
        for search in SEARCHES {
            let (_, stream) = smallest(std::slice::from_ref(&rows), search);
            let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap();
            assert!(bytes == rows.bytes);
        }
    }

    #[test]
    fn stretches_of_any_length_come_back() {
        for step in [1, 3, 4] {
            for length in [1, 7, 8, 9, 257, 258, 259, 515, 516, 517, 70_000, 140_000] {
                let pixel = [7, 7, 9, 200];
                let mut bytes = vec![0, 1, 2, 3, 4, 5];
                bytes.extend((0..length).map(|i| pixel[i % step]));
                bytes.extend([9, 8, 7, 0]);
                bytes.extend_from_within(..length.min(900));
                come_back(Rows {
                    bytes,
                    step,
                    length: length / 2 + 1,
                });
            }
        }
    }

    #[test]
    fn the_smaller_is_taken() {
        let flat = |bytes: Vec<u8>| Rows {
            bytes,
            step: 1,
            length: 50,
        };
        let noise = (0..500u32).map(|i| ((i * i * 7919) >> 5) as u8).collect();
        let (which, stream) = smallest(&[flat(noise), flat(vec![3; 500])], SEARCHES[1]);
        assert_eq!(which, 1);
        assert!(stream.len() < 20);
    }

    #[test]
    fn large_rows_are_cut() {
        let row = |y: u32| (0..999u32).map(move |x| ((x * x / 99 + y / 7) % 5) as u8);
        let bytes: Vec<u8> = (0..2_500).flat_map(row).collect();
        assert!(bytes.len() > 2 * SLAB);
        come_back(Rows {
            bytes,
            step: 3,
            length: 999,
        });
    }

    proptest! {
        #[test]
        fn anything_comes_back(
            runs in prop::collection::vec((0u8..4, 1usize..400), 1..40),
            step in 1usize..5,
            length in 1usize..300,
        ) {
            let run = |&(byte, length): &(u8, usize)| std::iter::repeat_n(byte, length / (1 + usize::from(byte)));
            let bytes: Vec<u8> = std::iter::once(0).chain(runs.iter().flat_map(run)).collect();
            come_back(Rows { bytes, step, length });
        }
    }
}
