//! Kerning: the distance between two neighbours, from the font's `GPOS` table or from the older `kern`.
//!
//! Pairs of single glyphs and pairs of classes are read, which is all the kerning that fonts for one line of
//! upright text have. A whole shaping engine would bring the rules of every script along for this.

use crate::maths::random::fibonacci;
use skrifa::GlyphId;
use skrifa::raw::tables::gpos::{PairPos, PositionLookup, PositionSubtables};
use skrifa::raw::tables::kern::SubtableKind;
use skrifa::raw::types::{GlyphId16, Tag};
use skrifa::raw::{FontRef, TableProvider};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of kerning features that are looked at: honest fonts have a handful.
const MOST_LOOKUPS: usize = 1000;

/// Where a font keeps its kerning.
#[derive(Clone, Debug, PartialEq)]
pub enum Kerning {
    /// Lookups of `GPOS`, ascending; each adds to the distance.
    Lookups(Vec<u16>),
    /// The `kern` table, or none at all.
    Table,
}

impl Kerning {
    /// Finds it. As in other programs `kern` counts only where `GPOS` has no kerning.
    pub fn of(font: &FontRef) -> Self {
        match lookups(font) {
            Some(lookups) if !lookups.is_empty() => Self::Lookups(lookups.into_iter().collect()),
            _ => Self::Table,
        }
    }

    /// What is added to the advance of the left glyph, in font units; mostly negative.
    pub fn between(&self, font: &FontRef, left: u32, right: u32) -> i32 {
        let sum = match self {
            Self::Lookups(lookups) => in_lookups(font, lookups, left, right),
            Self::Table => in_table(font, left, right),
        };
        sum.unwrap_or(0)
    }
}

/// Distances of pairs that were asked for lately, so that the tables are read once for each; what they are
/// does not depend on who asked.
#[derive(Debug)]
pub struct Pairs(Box<[AtomicU64]>);

/// Pairs that are remembered.
const PLACES: usize = 1024;
/// No pair: glyph 65,535 twice, a distance of -1.
const NOTHING: u64 = u64::MAX;

impl Default for Pairs {
    fn default() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(NOTHING)).collect())
    }
}

impl Pairs {
    /// The distance of a pair, remembered or found.
    pub fn get_or(&self, left: u32, right: u32, find: impl FnOnce() -> i32) -> i32 {
        let (Ok(left), Ok(right)) = (u16::try_from(left), u16::try_from(right)) else {
            return find();
        };
        let pair = u32::from(left) << u16::BITS | u32::from(right);
        let place = &self.0[fibonacci(pair, PLACES.ilog2())];
        let known = place.load(Ordering::Relaxed);
        if known != NOTHING && (known >> u32::BITS) as u32 == pair {
            return known as u32 as i32;
        }
        let found = find();
        let entry = u64::from(pair) << u32::BITS | u64::from(found as u32);
        place.store(entry, Ordering::Relaxed);
        found
    }
}

/// The lookups of every script's `kern` feature: a lookup says itself which glyphs it is for.
fn lookups(font: &FontRef) -> Option<BTreeSet<u16>> {
    let features = font.gpos().ok()?.feature_list().ok()?;
    let data = features.offset_data();
    let kerning = features
        .feature_records()
        .iter()
        .filter(|record| record.feature_tag() == Tag::new(b"kern"))
        .filter_map(|record| record.feature(data).ok());
    let indices = kerning.flat_map(|feature| feature.lookup_list_indices());
    Some(
        indices
            .take(MOST_LOOKUPS)
            .map(|index| index.get())
            .collect(),
    )
}

fn in_lookups(font: &FontRef, lookups: &[u16], left: u32, right: u32) -> Option<i32> {
    let left = GlyphId16::new(u16::try_from(left).ok()?);
    let right = GlyphId16::new(u16::try_from(right).ok()?);
    let list = font.gpos().ok()?.lookup_list().ok()?.lookups();
    let found = lookups
        .iter()
        .filter_map(|index| list.get(usize::from(*index)).ok())
        .filter_map(|lookup| in_lookup(&lookup, left, right));
    Some(found.sum())
}

/// The first of a lookup's tables that knows the pair decides.
fn in_lookup(lookup: &PositionLookup, left: GlyphId16, right: GlyphId16) -> Option<i32> {
    let PositionSubtables::Pair(tables) = lookup.subtables().ok()? else {
        return None;
    };
    tables
        .iter()
        .filter_map(Result::ok)
        .find_map(|table| in_pairs(&table, left, right))
}

fn in_pairs(table: &PairPos, left: GlyphId16, right: GlyphId16) -> Option<i32> {
    let advance = match table {
        PairPos::Format1(table) => {
            let row = table.coverage().ok()?.get(left)?;
            let set = table.pair_sets().get(row as usize).ok()?;
            let pair = set.find_pair_value_record(right)?;
            pair.value_record1().x_advance()
        }
        PairPos::Format2(table) => {
            table.coverage().ok()?.get(left)?;
            let class1 = u16::try_from(table.class_def1().ok()?.get(left)).ok()?;
            let class2 = u16::try_from(table.class_def2().ok()?.get(right)).ok()?;
            let [first, _] = table.class_value_records().get(class1, class2)?;
            first.x_advance()
        }
        // For fonts with more than 65,535 glyphs.
        PairPos::Format3(_) | PairPos::Format4(_) => return None,
    };
    Some(i32::from(advance.unwrap_or(0)))
}

fn in_table(font: &FontRef, left: u32, right: u32) -> Option<i32> {
    let (left, right) = (GlyphId::new(left), GlyphId::new(right));
    let kern = font.kern().ok()?;
    let tables = kern.subtables().filter_map(Result::ok);
    let upright = tables.filter(|t| t.is_horizontal() && !t.is_cross_stream() && !t.is_variable());
    let found = upright.filter_map(|table| match table.kind().ok()? {
        SubtableKind::Format0(pairs) => pairs.kerning(left, right),
        SubtableKind::Format2(classes) => classes.kerning(left, right),
        SubtableKind::Format3(classes) => classes.kerning(left, right),
        // A state machine looks at more than two glyphs.
        SubtableKind::Format1(_) => None,
    });
    Some(found.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_of_a_pair_is_what_was_found() {
        let pairs = Pairs::default();
        let distance = |left: u32, right: u32| left as i32 - 3 * right as i32;
        // More pairs than places, each asked for twice.
        let lefts = (0..60).chain([65_535, 65_536, 70_000]);
        for (left, right) in lefts.flat_map(|left| (0..60).map(move |right| (left, right))) {
            for _ in 0..2 {
                let found = pairs.get_or(left, right, || distance(left, right));
                assert_eq!(found, distance(left, right));
            }
        }
        // The pair whose entry could be taken for none.
        assert_eq!(pairs.get_or(65_535, 65_535, || -1), -1);
        assert_eq!(pairs.get_or(65_535, 65_535, || 4), 4);
        assert_eq!(pairs.get_or(1, 2, || 5), 5);
        assert_eq!(pairs.get_or(1, 2, || unreachable!()), 5);
    }
}
