//! The order of a palette: a frame whose colours all come early has short codes.
//!
//! Codes begin one bit longer than the frame's largest index, so what counts is whether all colours of a
//! frame are among the first 3, 7, 15 …, beside the transparent one. Colours are put in one by one, each time
//! the one that brings most frames nearest to that.

use super::palette::LARGEST;

/// The most indices beside the transparent one that have a bit less.
const STEPS: [usize; 6] = [3, 7, 15, 31, 63, 127];
/// Frames that are looked at; of more, so many evenly spread.
const FRAMES: usize = 1024;

/// Some of the colours of a palette, by position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set([u64; 4]);

impl Set {
    pub fn insert(&mut self, position: usize) {
        self.0[position / 64] |= 1 << (position % 64);
    }

    fn without(self, other: Self) -> Self {
        Self([0, 1, 2, 3].map(|i| self.0[i] & !other.0[i]))
    }

    fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn positions(self) -> impl Iterator<Item = usize> {
        (0..4).flat_map(move |i| {
            let mut word = self.0[i];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * i + bit)
            })
        })
    }
}

/// Positions in the order they should have, given the pixels of each and the colours that each frame sends.
pub fn order(used: &[u64], frames: &[Set]) -> Vec<usize> {
    let step = frames.len().div_ceil(FRAMES).max(1);
    let frames: Vec<Set> = frames.iter().copied().step_by(step).collect();
    let mut order = Vec::with_capacity(used.len());
    let mut chosen = Set::default();
    for most in STEPS {
        while let Some(next) = most_wanted(used, &frames, chosen, most - order.len().min(most)) {
            chosen.insert(next);
            order.push(next);
        }
    }
    let mut rest: Vec<usize> = (0..used.len()).filter(|i| !order.contains(i)).collect();
    rest.sort_by_key(|&i| std::cmp::Reverse(used[i]));
    order.extend(rest);
    order
}

/// The colour that frames want most of those that lack at most `room`; a frame's wish counts the more the
/// fewer it lacks.
fn most_wanted(used: &[u64], frames: &[Set], chosen: Set, room: usize) -> Option<usize> {
    const WHOLE: u64 = 1 << 20;
    let mut wishes = [0; LARGEST];
    for frame in frames {
        let lacking = frame.without(chosen);
        let count = lacking.len();
        if (1..=room).contains(&count) {
            let wish = WHOLE / (count * count) as u64;
            lacking.positions().for_each(|i| wishes[i] += wish);
        }
    }
    let wanted = (0..used.len()).filter(|&i| wishes[i] > 0);
    wanted.max_by_key(|&i| (wishes[i], used[i], std::cmp::Reverse(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(positions: &[usize]) -> Set {
        let mut set = Set::default();
        positions.iter().for_each(|&i| set.insert(i));
        set
    }

    #[test]
    fn the_most_used_comes_first_where_no_frame_cares() {
        assert_eq!(order(&[3, 9, 3, 10], &[]), [3, 1, 0, 2]);
        assert_eq!(order(&[3, 9, 3, 10], &[set(&[0, 1, 2, 3])]), [3, 1, 0, 2]);
    }

    #[test]
    fn colours_of_small_frames_come_first() {
        let used = [100, 90, 80, 70, 60, 50, 5, 4, 3];
        let frames = [
            set(&[0, 1, 2, 3, 4, 5]),
            set(&[6, 7]),
            set(&[7, 8]),
            set(&[7, 8]),
        ];
        let found = order(&used, &frames);
        assert_eq!(found[..3], [7, 8, 6]);
        assert_eq!(found[3..], [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn sets_know_their_members() {
        let some = set(&[0, 63, 64, 200, 254]);
        assert_eq!(some.len(), 5);
        assert_eq!(some.positions().collect::<Vec<_>>(), [0, 63, 64, 200, 254]);
        assert_eq!(some.without(set(&[63, 5])), set(&[0, 64, 200, 254]));
    }
}
