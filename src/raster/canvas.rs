//! A frame that remembers what it shows: the next picture is drawn only where it differs.
//!
//! What is drawn anew is closed under overlap: whatever reaches into it is in it as a whole, and is drawn on
//! the same canvas at the same place as ever. So no byte differs from a drawing from scratch.

use super::{Box4, Painter};
use crate::picture::Picture;
use crate::pixels::Pixels;
use crate::scene::colours::Rgba;
use std::ops::{Deref, DerefMut, Range};

/// Pixels, and the picture they show, as long as nobody else touches them.
pub struct Canvas {
    pixels: Pixels,
    shows: Option<Picture>,
}

/// More changes than this are not worth looking at one by one.
const MOST_CHANGES: usize = 64;
/// In parts of the canvas: what is drawn anew beyond is drawn from scratch at once.
const LARGEST_SHARE: f64 = 0.6;

impl Canvas {
    /// A transparent canvas.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            pixels: Pixels::new(width, height),
            shows: None,
        }
    }

    /// Draws a picture in place of what is there. Colours and background are the same each time.
    pub(crate) fn show(&mut self, picture: Picture, colours: &[Rgba], background: Rgba) {
        let pixels = &mut self.pixels;
        let before = self.shows.take();
        let size = (pixels.width, pixels.height);
        match before.and_then(|before| Stale::of(&before, &picture, size)) {
            Some(Stale { areas, items }) => {
                for area in &areas {
                    super::clear(area, background, pixels);
                }
                super::paint(&picture, colours, items, pixels);
            }
            None => super::draw(&picture, colours, background, pixels),
        }
        self.shows = Some(picture);
    }
}

impl Deref for Canvas {
    type Target = Pixels;

    fn deref(&self) -> &Pixels {
        &self.pixels
    }
}

impl DerefMut for Canvas {
    /// Whoever touches the pixels makes it forget what they show.
    fn deref_mut(&mut self) -> &mut Pixels {
        self.shows = None;
        &mut self.pixels
    }
}

/// An item, or a layer or clip with all in it, and where it may touch the canvas.
struct Figure {
    items: Range<usize>,
    area: Option<Box4>,
}

/// What of a picture is drawn anew, and where; nothing else reaches into the areas.
#[derive(Debug, PartialEq)]
struct Stale {
    areas: Vec<Box4>,
    items: Vec<Range<usize>>,
}

impl Stale {
    /// From one picture to the next; `None` if that is drawn from scratch.
    fn of(before: &Picture, now: &Picture, size: (u32, u32)) -> Option<Self> {
        let (old, new) = (figures(before, size), figures(now, size));
        let mut areas = changes(before, &old, now, &new)?;
        let most = LARGEST_SHARE * f64::from(size.0) * f64::from(size.1);
        loop {
            join(&mut areas);
            if areas.iter().map(surface).sum::<f64>() > most {
                return None;
            }
            if !grow(&mut areas, &new) {
                break;
            }
        }
        let is_stale = |own: Box4| areas.iter().any(|area| overlap(area, &own));
        let stale = new.into_iter().filter(|it| it.area.is_some_and(is_stale));
        let items = stale.map(|figure| figure.items).collect();
        Some(Self { areas, items })
    }
}

/// Takes figures that reach into an area into it as a whole; whether any did.
fn grow(areas: &mut [Box4], figures: &[Figure]) -> bool {
    let mut grown = false;
    for figure in figures.iter().filter_map(|figure| figure.area) {
        for area in areas.iter_mut().filter(|area| overlap(area, &figure)) {
            let both = union(area, &figure);
            grown |= both != *area;
            *area = both;
        }
    }
    grown
}

/// The areas of figures that are not the same in both pictures; `None` if they are many.
fn changes(before: &Picture, old: &[Figure], now: &Picture, new: &[Figure]) -> Option<Vec<Box4>> {
    let same = |(a, b): &(&Figure, &Figure)| before.shows_same(&a.items, now, &b.items);
    let start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let pairs = old.len() == new.len();
    let changed = (0..old.len().max(new.len())).filter(|&i| !pairs || !same(&(&old[i], &new[i])));
    let mut areas = Vec::new();
    for i in changed {
        areas.extend([old, new].iter().filter_map(|figures| figures.get(i)?.area));
        if areas.len() > MOST_CHANGES {
            return None;
        }
    }
    Some(areas)
}

/// The figures of a picture in painter's order.
fn figures(picture: &Picture, size: (u32, u32)) -> Vec<Figure> {
    let painter = Painter::new(picture, &[], size);
    let figure = |items: Range<usize>| Figure {
        area: painter.extent(items.clone()),
        items,
    };
    painter.groups(0..picture.items.len()).map(figure).collect()
}

/// Makes one of areas that overlap, until none do.
fn join(areas: &mut Vec<Box4>) {
    let mut i = 0;
    while i < areas.len() {
        let other = (i + 1..areas.len()).find(|&j| overlap(&areas[i], &areas[j]));
        match other {
            Some(j) => {
                let other = areas.swap_remove(j);
                areas[i] = union(&areas[i], &other);
                // It may overlap earlier ones now.
                i = 0;
            }
            None => i += 1,
        }
    }
}

fn overlap(a: &Box4, b: &Box4) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn union(a: &Box4, b: &Box4) -> Box4 {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}

fn surface(area: &Box4) -> f64 {
    (area[2] - area[0]) * (area[3] - area[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::vector::Vec2;
    use crate::picture::{ColourId, Item, Nib, Outline, Overlap, Verb};
    use proptest::prelude::*;

    const SIZE: (u32, u32) = (90, 60);
    const TABLE: [Rgba; 3] = [[200, 30, 30, 255], [20, 60, 220, 255], [10, 160, 40, 120]];
    const PAPER: Rgba = [250, 248, 240, 255];

    /// A small shape: where, how large, which colour, and what kind of item.
    type Shape = (f64, f64, f64, u16, u8);

    fn moved((x, y, size, colour, kind): Shape, by: f64) -> Shape {
        (x + by, y, size, colour, kind)
    }

    fn outline(picture: &mut Picture, (x, y, size, ..): Shape) -> Outline {
        let (verbs, points) = (picture.verbs.len(), picture.points.len());
        let corners = [(0.0, -1.0), (1.0, 0.3), (-0.6, 0.8)];
        picture.points.extend(corners.map(|(a, b)| Vec2 {
            x: x + size * a,
            y: y + size * b,
        }));
        picture
            .verbs
            .extend([Verb::Move, Verb::Line, Verb::Line, Verb::Close]);
        Outline {
            verbs: verbs..picture.verbs.len(),
            points: points..picture.points.len(),
        }
    }

    fn fill(picture: &mut Picture, shape: Shape) -> Item {
        Item::Fill {
            outline: outline(picture, shape),
            colour: ColourId(shape.3),
            opacity: 0.7,
        }
    }

    fn stroke(picture: &mut Picture, shape: Shape) -> Item {
        Item::Stroke {
            outline: outline(picture, shape),
            colour: ColourId(shape.3),
            opacity: 1.0,
            nib: Nib {
                width: 0.3 + shape.2 / 4.0,
                cap: Default::default(),
                join: Default::default(),
                dash: 0..0,
                dash_offset: 0.0,
            },
        }
    }

    fn picture(shapes: &[Shape]) -> Picture {
        let mut picture = Picture::default();
        for &shape in shapes {
            let own = match shape.4 {
                0 => vec![fill(&mut picture, shape)],
                1 => vec![stroke(&mut picture, shape)],
                2 => {
                    let overlap = Overlap::Over;
                    let opacity = 0.5;
                    let layer = Item::Layer { opacity, overlap };
                    let inner = moved(shape, 3.0);
                    vec![
                        layer,
                        fill(&mut picture, shape),
                        stroke(&mut picture, inner),
                        Item::Close,
                    ]
                }
                _ => {
                    let outline = outline(&mut picture, shape);
                    let inner = moved(shape, 4.0);
                    let clip = Item::Clip { outline };
                    vec![clip, fill(&mut picture, inner), Item::Close]
                }
            };
            picture.marks.extend(own.iter().map(|_| 0));
            picture.items.extend(own);
        }
        picture
    }

    fn from_scratch(picture: &Picture) -> Pixels {
        let mut pixels = Pixels::new(SIZE.0, SIZE.1);
        crate::raster::draw(picture, &TABLE, PAPER, &mut pixels);
        pixels
    }

    fn shape() -> impl Strategy<Value = Shape> {
        (-20.0..110.0, -20.0..80.0, 0.2..14.0, 0u16..3, 0u8..4)
    }

    proptest! {
        #[test]
        fn what_differs_is_drawn_and_the_rest_stays(
            still in prop::collection::vec(shape(), 0..12),
            frames in prop::collection::vec(prop::collection::vec(shape(), 0..3), 2..5),
            front: bool,
        ) {
            let mut canvas = Canvas::new(SIZE.0, SIZE.1);
            for moving in frames {
                let shapes = match front {
                    true => [&still[..], &moving].concat(),
                    false => [&moving[..], &still].concat(),
                };
                let now = picture(&shapes);
                canvas.show(now.clone(), &TABLE, PAPER);
                prop_assert!(*canvas == from_scratch(&now));
            }
        }
    }

    #[test]
    fn what_stays_is_not_drawn_again() {
        let (still, ball) = ((15.0, 20.0, 8.0, 0, 0), (70.0, 20.0, 8.0, 1, 0));
        let before = picture(&[still, ball]);
        let now = picture(&[still, moved(ball, 1.0)]);
        let stale = Stale::of(&before, &now, SIZE).unwrap();
        let [left, ..] = stale.areas[..] else {
            panic!("one area")
        };
        assert!(left[0] > 24.0 && left[2] < 82.0, "{left:?}");
        let unchanged = Stale::of(&before, &before, SIZE).unwrap();
        assert!(unchanged.areas.is_empty() && unchanged.items.is_empty());
        // One that reaches into it is drawn whole, and so is what that reaches into.
        let bridge = (40.0, 20.0, 26.0, 2, 1);
        let (before, now) = (
            picture(&[still, bridge, ball]),
            picture(&[still, bridge, moved(ball, 1.0)]),
        );
        assert_eq!(Stale::of(&before, &now, SIZE), None);
    }

    #[test]
    fn a_touched_canvas_forgets() {
        let shown = picture(&[(15.0, 20.0, 8.0, 0, 0)]);
        let mut canvas = Canvas::new(SIZE.0, SIZE.1);
        canvas.show(shown.clone(), &TABLE, PAPER);
        canvas.bytes.fill(7);
        canvas.show(shown.clone(), &TABLE, PAPER);
        assert!(*canvas == from_scratch(&shown));
    }
}
