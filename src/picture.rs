//! The display list: a picture as plain numbers, which knows neither names nor time.

use crate::maths::vector::Vec2;
use std::ops::Range;

/// Coordinates beyond this, in device pixels, are not drawn: rasterisers cannot take much larger ones.
pub const FARTHEST: f64 = 1e6;

/// Index into a theme's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColourId(pub u16);

/// How an outline goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Starts a new contour at the next point.
    Move,
    /// A straight line to the next point.
    Line,
    /// A cubic Bézier with the next three points.
    Cubic,
    /// Back to the start of the contour.
    Close,
}

/// Part of [`Picture::verbs`] and [`Picture::points`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub verbs: Range<usize>,
    pub points: Range<usize>,
}

/// The end of an open stroke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cap {
    #[default]
    Butt,
    Round,
    Square,
}

/// The corner of a stroke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    #[default]
    Miter,
    Round,
    Bevel,
}

/// How a stroke is drawn; lengths in device pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Nib {
    pub width: f64,
    pub cap: Cap,
    pub join: Join,
    /// Part of [`Picture::dashes`]; empty for a solid line.
    pub dash: Range<usize>,
    pub dash_offset: f64,
}

/// What shows in a layer where things overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// The later one lies over the earlier one.
    Over,
    /// The stronger of both, so that pieces of one colour and of different strength meet without a seam.
    Strongest,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Fills an outline by the nonzero rule.
    Fill {
        outline: Outline,
        colour: ColourId,
        opacity: f64,
    },
    /// Strokes an outline.
    Stroke {
        outline: Outline,
        colour: ColourId,
        opacity: f64,
        nib: Nib,
    },
    /// What follows, up to [`Item::Close`], is composited once with this opacity.
    Layer { opacity: f64, overlap: Overlap },
    /// What follows, up to [`Item::Close`], shows only inside the outline.
    Clip { outline: Outline },
    /// Ends the innermost layer or clip.
    Close,
}

/// Everything in one frame, in painter's order; coordinates in device pixels, y down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub items: Vec<Item>,
    /// For each item the index of the top-level mark that drew it.
    pub marks: Vec<u32>,
    pub verbs: Vec<Verb>,
    pub points: Vec<Vec2>,
    pub dashes: Vec<f64>,
    /// What is not drawn as it was asked for; one after the other of the same mark and kind is told once.
    pub flaws: Vec<Flaw>,
    /// The mark with which there was no more room.
    pub full: Option<u32>,
    /// Lines and curves so far, in a picture that only counts them and keeps nothing.
    pub counted: Option<usize>,
}

/// Something that is not drawn as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flaw {
    /// Index of the top-level mark.
    pub mark: u32,
    pub kind: FlawKind,
}

impl Flaw {
    /// Whether it is of the same mark and kind as another, which is then enough to tell.
    pub fn is_like(&self, other: &Self) -> bool {
        let kind = |flaw: &Self| std::mem::discriminant(&flaw.kind);
        self.mark == other.mark && kind(self) == kind(other)
    }
}

/// What is wrong with an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlawKind {
    /// It reaches farther than [`FARTHEST`], and is left out.
    TooFar,
    /// It has more dashes than are allowed, about so many, and is drawn without gaps.
    TooManyDashes(f64),
}

/// What it takes to paint a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// px that are painted, each as often as it is.
    pub pixels: f64,
    /// Layers inside each other.
    pub layers: u32,
    /// Clips inside each other.
    pub clips: u32,
}

/// How much of a mark is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// It draws nothing.
    #[default]
    Nothing,
    /// All of it lies outside the picture.
    Outside,
    Inside,
}

/// A dash takes as long as so many px.
const DASH_COST: f64 = 2000.0;
/// An item takes as long as so many px, whatever its size.
pub const ITEM_COST: f64 = 500.0;

impl Picture {
    /// Empties it, keeping the memory.
    pub fn clear(&mut self) {
        self.counted = self.counted.map(|_| 0);
        self.flaws.clear();
        self.full = None;
        self.items.clear();
        self.marks.clear();
        self.verbs.clear();
        self.points.clear();
        self.dashes.clear();
    }

    /// One that only counts, to see whether there is room.
    pub fn counting() -> Self {
        Self {
            counted: Some(0),
            ..Self::default()
        }
    }

    /// Whether it keeps what is drawn, and does not only count it.
    pub fn keeps(&self) -> bool {
        self.counted.is_none()
    }

    /// Takes in a line or curve of a mark, if there is room for one more.
    #[inline]
    pub fn draw(
        &mut self,
        verb: Verb,
        points: impl IntoIterator<Item = Vec2>,
        mark: u32,
        room: usize,
    ) {
        let drawn = self.counted.unwrap_or(self.verbs.len());
        match &mut self.counted {
            _ if drawn >= room => _ = self.full.get_or_insert(mark),
            Some(count) => *count += 1,
            None => {
                self.verbs.push(verb);
                self.points.extend(points);
            }
        }
    }

    /// The points of an outline.
    pub fn points_of(&self, outline: &Outline) -> &[Vec2] {
        &self.points[outline.points.clone()]
    }

    /// Smallest box around an outline's control points, `[left, top, right, bottom]`; none if it is empty.
    pub fn bounds(&self, outline: &Outline) -> Option<[f64; 4]> {
        let points = self.points_of(outline);
        let first = points.first()?;
        let start = [first.x, first.y, first.x, first.y];
        Some(points.iter().fold(start, |[l, t, r, b], p| {
            [l.min(p.x), t.min(p.y), r.max(p.x), b.max(p.y)]
        }))
    }

    /// Whether items look the same as those of another picture.
    pub fn shows_same(&self, items: &Range<usize>, other: &Picture, theirs: &Range<usize>) -> bool {
        let (ours, theirs) = (&self.items[items.clone()], &other.items[theirs.clone()]);
        let mut pairs = ours.iter().zip(theirs);
        ours.len() == theirs.len() && pairs.all(|(a, b)| self.is_same(a, other, b))
    }

    fn is_same(&self, a: &Item, other: &Picture, b: &Item) -> bool {
        let same_outline = |p: &Outline, q: &Outline| {
            self.points_of(p) == other.points_of(q)
                && self.verbs[p.verbs.clone()] == other.verbs[q.verbs.clone()]
        };
        match (a, b) {
            (
                Item::Fill {
                    outline: p,
                    colour: c,
                    opacity: m,
                },
                Item::Fill {
                    outline: q,
                    colour: d,
                    opacity: n,
                },
            ) => c == d && m == n && same_outline(p, q),
            (
                Item::Stroke {
                    outline: p,
                    colour: c,
                    opacity: m,
                    nib: o,
                },
                Item::Stroke {
                    outline: q,
                    colour: d,
                    opacity: n,
                    nib: r,
                },
            ) => c == d && m == n && self.same_nib(o, other, r) && same_outline(p, q),
            (Item::Clip { outline: p }, Item::Clip { outline: q }) => same_outline(p, q),
            (Item::Layer { .. }, Item::Layer { .. }) | (Item::Close, Item::Close) => a == b,
            _ => false,
        }
    }

    fn same_nib(&self, nib: &Nib, other: &Picture, theirs: &Nib) -> bool {
        let dashes = self.dashes[nib.dash.clone()] == other.dashes[theirs.dash.clone()];
        let moved = Nib {
            dash: nib.dash.clone(),
            ..theirs.clone()
        };
        dashes && *nib == moved
    }

    /// Whether any point of an outline lies farther out than can be drawn, or nowhere.
    pub fn is_too_far(&self, outline: &Outline) -> bool {
        let near = |p: &Vec2| p.x.abs() <= FARTHEST && p.y.abs() <= FARTHEST;
        !self.points_of(outline).iter().all(near)
    }

    /// About how many dashes a stroke along an outline has: never fewer, where it bends.
    pub fn count_dashes(&self, outline: &Outline, nib: &Nib) -> f64 {
        let dash = &self.dashes[nib.dash.clone()];
        let period: f64 = dash.iter().sum();
        if dash.is_empty() {
            return 0.0;
        }
        let steps = self.points_of(outline).windows(2);
        let length: f64 = steps.map(|two| two[0].distance(two[1])).sum();
        length / period * (dash.len() / 2) as f64
    }

    /// For each of so many marks how much of it is seen on a canvas of that size.
    pub fn seen(&self, marks: usize, canvas: [f64; 2]) -> Vec<Seen> {
        let mut seen = vec![Seen::Nothing; marks];
        for (item, mark) in self.items.iter().zip(&self.marks) {
            let (outline, width) = match item {
                Item::Fill { outline, .. } => (outline, 0.0),
                Item::Stroke { outline, nib, .. } => (outline, nib.width),
                _ => continue,
            };
            let known = seen.get_mut(*mark as usize);
            let Some(known) = known.filter(|known| **known != Seen::Inside) else {
                continue;
            };
            if let Some([left, top, right, bottom]) = self.bounds(outline) {
                let inside = left - width < canvas[0]
                    && right + width > 0.0
                    && top - width < canvas[1]
                    && bottom + width > 0.0;
                *known = if inside { Seen::Inside } else { Seen::Outside };
            }
        }
        seen
    }

    /// What it takes to paint it on a canvas of that size.
    pub fn cost(&self, canvas: [f64; 2]) -> Cost {
        let mut cost = Cost::default();
        // What is open: layers and clips.
        let mut open: Vec<bool> = Vec::new();
        for item in &self.items {
            match item {
                Item::Fill { outline, .. } => cost.pixels += self.area(outline, 0.0, canvas),
                Item::Stroke { outline, nib, .. } => {
                    cost.pixels += self.area(outline, nib.width, canvas);
                    cost.pixels += DASH_COST * self.count_dashes(outline, nib);
                }
                Item::Layer { .. } | Item::Clip { .. } => {
                    cost.pixels += canvas[0] * canvas[1];
                    open.push(matches!(item, Item::Layer { .. }));
                    let layers = open.iter().filter(|layer| **layer).count() as u32;
                    cost.layers = cost.layers.max(layers);
                    cost.clips = cost.clips.max(open.len() as u32 - layers);
                }
                Item::Close => drop(open.pop()),
            }
        }
        cost
    }

    /// The part of a canvas that an outline may touch, in px.
    fn area(&self, outline: &Outline, width: f64, canvas: [f64; 2]) -> f64 {
        let Some([left, top, right, bottom]) = self.bounds(outline) else {
            return ITEM_COST;
        };
        let side = |from: f64, to: f64, end: f64| {
            ((to + width).min(end) - (from - width).max(0.0)).max(0.0)
        };
        ITEM_COST + side(left, right, canvas[0]) * side(top, bottom, canvas[1])
    }

    /// The largest distance between points of two pictures that draw the same things, and the mark of the
    /// item where it lies; infinite where one draws what the other does not.
    pub fn farthest(&self, other: &Picture) -> Option<(f64, u32)> {
        let same_shape = self.items.len() == other.items.len() && self.verbs == other.verbs;
        if !same_shape {
            let mut pairs = self.marks.iter().zip(&other.marks);
            let mark = pairs.find(|(a, b)| a != b).map(|(a, _)| *a);
            let last = self.marks.last().or(other.marks.last());
            return Some((f64::INFINITY, mark.or(last.copied())?));
        }
        let items = self.items.iter().zip(&other.items).zip(&self.marks);
        items.fold(None, |worst: Option<(f64, u32)>, ((a, b), mark)| {
            let distance = self.distance(a, other, b);
            match worst {
                Some((most, _)) if most >= distance => worst,
                _ => Some((distance, *mark)),
            }
        })
    }

    fn distance(&self, a: &Item, other: &Picture, b: &Item) -> f64 {
        match (a, b) {
            (Item::Fill { outline: p, .. }, Item::Fill { outline: q, .. })
            | (Item::Clip { outline: p }, Item::Clip { outline: q }) => self.between(p, other, q),
            (
                Item::Stroke {
                    outline: p, nib: m, ..
                },
                Item::Stroke {
                    outline: q, nib: n, ..
                },
            ) => self.between(p, other, q).max((m.width - n.width).abs()),
            (Item::Layer { .. }, Item::Layer { .. }) | (Item::Close, Item::Close) => 0.0,
            _ => f64::INFINITY,
        }
    }

    fn between(&self, outline: &Outline, other: &Picture, theirs: &Outline) -> f64 {
        let (ours, theirs) = (self.points_of(outline), other.points_of(theirs));
        if ours.len() != theirs.len() {
            return f64::INFINITY;
        }
        let pairs = ours.iter().zip(theirs);
        pairs.fold(0.0, |most: f64, (p, q)| most.max((*p - *q).length()))
    }
}
