//! Goldens as they are written and read: everything comes back, and nothing that is damaged does harm.

use super::container::Container;
use super::lock::Lock;
use super::record::{Aspects, Column, Mark, Named, Record};
use proptest::prelude::*;

/// Names as labels have them, of any characters but line ends.
fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}(\\[[0-9]{1,3}\\])?(\\.[xy])?".boxed(),
        "[^\\p{Cc}\u{2028}\u{2029}]{1,20}"
            .prop_filter("a name", |name| name.trim() == name)
            .boxed(),
    ]
}

fn named() -> impl Strategy<Value = Named> {
    (names(), any::<u32>()).prop_map(|(name, digest)| Named { name, digest })
}

fn marks() -> impl Strategy<Value = Mark> {
    (names(), any::<[u32; 3]>()).prop_map(|(label, [outline, colour, stroke])| Mark {
        label,
        aspects: Aspects {
            outline,
            colour,
            stroke,
        },
    })
}

/// A record of so many frames.
fn records(frames: usize) -> impl Strategy<Value = Record> {
    let column = (
        names(),
        any::<u32>(),
        prop::collection::vec(any::<i64>(), frames),
    );
    let column = column.prop_map(|(name, digest, values)| Column {
        name,
        digest,
        values,
    });
    (
        "[0-9]\\.[0-9]\\.[0-9]",
        any::<[u64; 2]>(),
        prop::collection::vec(any::<u64>(), frames),
        prop::collection::vec(column, 0..6),
        prop::collection::vec(named(), 0..6),
        prop::collection::vec(marks(), 0..6),
    )
        .prop_map(
            |(version, [spec, names], state, columns, others, marks)| Record {
                version,
                spec,
                names,
                state,
                columns,
                others,
                marks,
            },
        )
}

fn locks() -> impl Strategy<Value = Lock> {
    let container = |frames| {
        (
            any::<(u32, u32)>(),
            prop::collection::vec((1u16.., 1u16..), frames),
            any::<u32>(),
        )
            .prop_map(|(size, delays, plays)| Container {
                size,
                delays,
                plays: Some(plays),
            })
    };
    (1usize..20)
        .prop_flat_map(move |frames| {
            (
                container(frames),
                records(frames),
                prop::collection::vec(any::<u64>(), frames),
            )
        })
        .prop_map(|(container, record, pixels)| Lock::of(&container, record, pixels))
}

proptest! {
    #[test]
    fn a_lock_that_is_written_is_read(lock in locks()) {
        prop_assert_eq!(Lock::parse(lock.write().as_bytes()), Ok(lock));
    }

    #[test]
    fn a_damaged_lock_is_read_or_refused(
        lock in locks(), at in any::<prop::sample::Index>(), with in any::<char>(), cut: bool,
    ) {
        let mut text: Vec<char> = lock.write().chars().collect();
        let at = at.index(text.len());
        text[at] = with;
        if cut {
            text.truncate(at);
        }
        let text: String = text.into_iter().collect();
        if let Ok(read) = Lock::parse(text.as_bytes()) {
            prop_assert_eq!(read.pixels.len(), read.record.state.len());
        }
    }

    #[test]
    fn a_record_that_is_packed_is_unpacked(record in (0usize..20).prop_flat_map(records)) {
        prop_assert_eq!(Record::of_bytes(&record.to_bytes()), Some(record));
    }

    #[test]
    fn a_damaged_record_is_unpacked_or_refused(
        record in (0usize..20).prop_flat_map(records), at in any::<prop::sample::Index>(), with: u8,
    ) {
        let mut bytes = record.to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = with;
        if let Some(read) = Record::of_bytes(&bytes) {
            prop_assert!(read.columns.iter().all(|column| column.values.len() == read.state.len()));
        }
    }
}
