//! A font made by hand, so that tests need no file.

/// A TrueType font of 1000 units with the characters 弾 and み, both a square of 800 by 800 on the baseline and
/// 1000 wide, and a `kern` table that brings 弾 and み together by 100.
pub fn tiny_font() -> Vec<u8> {
    let words =
        |values: &[u16]| -> Vec<u8> { values.iter().flat_map(|v| v.to_be_bytes()).collect() };
    let square = words(&[
        1, 100, 0, 900, 800, 3, 0, // contours, box, last point, no instructions
        0x0101, 0x0101, // four flags: on the curve, x and y as words
        100, 0, 800, 0, 0, 800, 0, 0xfce0, // steps of x, then of y
    ]);
    let head = words(&[
        1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 0, 8,
        2, 0, 0,
    ]);
    let hhea = words(&[1, 0, 800, 0, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    let maxp = words(&[1, 0, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let hmtx = words(&[500, 0, 1000, 100, 1000, 100]);
    let end = square.len() as u16 / 2;
    let loca = words(&[0, 0, end, 2 * end]);
    let group = |c: char, glyph: u16| words(&[0, c as u16, 0, c as u16, 0, glyph]);
    let cmap = [
        words(&[0, 1, 3, 10, 0, 12, 12, 0, 0, 40, 0, 0, 0, 2]),
        group('み', 2),
        group('弾', 1),
    ];
    let kern = words(&[0, 1, 0, 20, 1, 1, 6, 0, 0, 1, 2, -100_i16 as u16]);
    file(&[
        (b"cmap", cmap.concat()),
        (b"glyf", square.repeat(2)),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"kern", kern),
        (b"loca", loca),
        (b"maxp", maxp),
    ])
}

fn file(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0, 1, 0, 0, 0, tables.len() as u8, 0, 0, 0, 0, 0, 0];
    let mut place = 12 + 16 * tables.len();
    for (tag, table) in tables {
        bytes.extend(*tag);
        for value in [0, place, table.len()] {
            bytes.extend((value as u32).to_be_bytes());
        }
        place += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        bytes.extend(table);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}
