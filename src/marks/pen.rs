//! What marks draw with: a row of numbers on one side, the display list on the other.

use super::style::Brush;
use crate::formula::{Inputs, Program};
use crate::limits::Limit;
use crate::maths::functions::{clamp, sqrt, tan};
use crate::maths::spline::catmull_rom;
use crate::maths::vector::{Affine, Vec2};
use crate::picture::{
    Cap, ColourId, FARTHEST, Flaw, FlawKind, Item, Join, Nib, Outline, Overlap, Picture, Verb,
};
use crate::scene::builder::{PointList, PointProgram, TIME};
use crate::scene::{BoxProgram, Clock};
use crate::simulate::{Chain, Past, Side};
use crate::text::{Line, Segment, Setting};
use std::cell::Cell;

/// Distance of a quarter circle's control points, as a share of the radius; error 0.03 % of the radius.
const QUARTER: f64 = 0.552_284_749_830_793_6;

/// Degrees that may be missing from a full turn by rounding.
const FULL_TURN_SLACK: f64 = 1e-9;

/// Draws marks at one row.
pub struct Pen<'a> {
    pub inputs: Inputs<'a>,
    pub picture: &'a mut Picture,
    past: Past<'a>,
    /// From spec pixels to device pixels.
    to_device: Affine,
    /// Mean scale of `to_device`, for radii and widths.
    scale: f64,
    /// The top-level mark being drawn.
    mark: u32,
    /// Whether letters are drawn, or only where texts stand.
    letters: bool,
    /// Whether what scrolls does so.
    scrolling: bool,
}

/// Adds contours to an outline, in spec pixels.
pub struct Shape<'p> {
    picture: &'p mut Picture,
    /// Most lines and curves of the picture.
    room: usize,
    /// The top-level mark that draws.
    mark: u32,
    to_device: Affine,
    scale: f64,
}

impl<'a> Pen<'a> {
    /// A pen on an empty picture.
    pub fn new(inputs: Inputs<'a>, past: Past<'a>, picture: &'a mut Picture, scale: f64) -> Self {
        Self {
            inputs,
            picture,
            past,
            to_device: Affine::scale(Vec2::new(scale, scale)),
            scale,
            mark: 0,
            letters: true,
            scrolling: true,
        }
    }

    /// From here on texts show only where they stand, how large and which way.
    pub fn leave_letters_out(&mut self) {
        self.letters = false;
    }

    /// From here on what scrolls stands still: it jumps back by a whole step now and then.
    pub fn stop_scrolling(&mut self) {
        self.scrolling = false;
    }

    /// How far something has scrolled, in px.
    pub fn scroll(&self, program: &Program) -> f64 {
        match self.scrolling {
            true => self.number(program),
            false => 0.0,
        }
    }

    /// Names the top-level mark that draws from here on.
    pub fn set_mark(&mut self, mark: u32) {
        self.mark = mark;
    }

    /// The value of a number.
    pub fn number(&self, program: &Program) -> f64 {
        program.eval(&self.inputs)
    }

    /// Whether a condition holds.
    pub fn holds(&self, program: &Program) -> bool {
        self.number(program) != 0.0
    }

    /// A point, in spec pixels.
    pub fn point(&self, point: &PointProgram) -> Vec2 {
        point.at(&self.inputs)
    }

    /// All points of a list, in spec pixels.
    pub fn points<'p>(&'p self, list: &'p PointList) -> impl Iterator<Item = Vec2> {
        list.iter(&self.inputs)
    }

    /// The edges of a box, in spec pixels; what is inside out is noted and made empty.
    pub fn edges(&self, edges: &BoxProgram) -> [f64; 4] {
        edges.at(&self.inputs)
    }

    /// The number of the current element, from 0; by convention it stands in the element's first slot.
    pub fn element_number(&self) -> usize {
        self.inputs.element.first().map_or(0, |i| *i as usize)
    }

    /// Draws with other values behind the leading dot.
    pub fn with_element(&mut self, element: &[f64], draw: impl FnOnce(&mut Pen)) {
        // Nothing more can be shown, and there may be very many elements.
        if self.picture.full.is_some() {
            return;
        }
        let mut pen = Pen {
            inputs: Inputs {
                element,
                ..self.inputs
            },
            picture: &mut *self.picture,
            past: self.past,
            to_device: self.to_device,
            scale: self.scale,
            letters: self.letters,
            scrolling: self.scrolling,
            mark: self.mark,
        };
        draw(&mut pen);
    }

    /// The frame's time in T.
    pub fn time(&self) -> f64 {
        self.inputs.row[TIME as usize]
    }

    /// The animation's clock.
    pub fn clock(&self) -> &'a Clock {
        &self.past.scene().clock
    }

    /// Whether the animation's end leads back to its start.
    pub fn repeats(&self) -> bool {
        self.past.scene().repeats()
    }

    /// Device pixels per spec pixel, the mean of both directions.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// A time before the start as one of a loop that repeats; nothing if there is no such time.
    pub fn wrap(&self, time: f64) -> Option<f64> {
        self.past.wrap(time)
    }

    /// Draws what was, or will be, at another time within the animation.
    pub fn at(&mut self, chain: &Chain, time: f64, draw: impl FnOnce(&mut Pen)) {
        let mut row = Vec::new();
        self.past.row(chain, time, Side::After, &mut row);
        let mut pen = Pen {
            inputs: Inputs {
                row: &row,
                ..self.inputs
            },
            picture: &mut *self.picture,
            past: self.past,
            to_device: self.to_device,
            scale: self.scale,
            mark: self.mark,
            letters: self.letters,
            scrolling: self.scrolling,
        };
        draw(&mut pen);
    }

    /// A number at many moments, and the first guard that was violated on the way.
    pub fn sample(
        &self,
        of: &Program,
        chain: &Chain,
        moments: &[(f64, Side)],
    ) -> (Vec<f64>, Option<(u32, f64)>) {
        let violation = Cell::new(None);
        let mut row = Vec::new();
        let at = |(time, side): &(f64, Side)| {
            self.past.row(chain, *time, *side, &mut row);
            of.eval(&Inputs::new(&row, self.inputs.element, &violation))
        };
        let values = moments.iter().map(at).collect();
        (values, violation.get())
    }

    /// Draws through one of the scene's transforms.
    pub fn through(&mut self, transform: usize, draw: impl FnOnce(&mut Pen)) {
        let t = &self.past.scene().transforms[transform];
        let (pivot, scale, skew) = (
            self.point(&t.pivot),
            self.point(&t.scale),
            self.point(&t.skew),
        );
        let own = Affine::translate(-pivot)
            .then(Affine::scale(scale))
            .then(Affine::skew(skew.x, skew.y))
            .then(Affine::rotate(self.number(&t.rotate)))
            .then(Affine::translate(pivot + self.point(&t.shift)));
        let outer = (self.to_device, self.scale);
        self.to_device = own.then(self.to_device);
        self.scale *= own.mean_scale();
        draw(self);
        (self.to_device, self.scale) = outer;
    }

    /// Draws a group that is composited once. Nothing is drawn at opacity 0.
    pub fn layer(&mut self, opacity: f64, draw: impl FnOnce(&mut Pen)) {
        let opacity = clamp(opacity, 0.0, 1.0);
        if opacity == 0.0 {
            return;
        }
        if opacity == 1.0 {
            return draw(self);
        }
        let start = self.picture.items.len();
        let overlap = Overlap::Over;
        self.add(Item::Layer { opacity, overlap });
        draw(self);
        if self.fade_only_item(start, opacity) {
            return;
        }
        self.add(Item::Close);
    }

    /// Draws pieces of one colour that meet without a seam, whatever the strength of each.
    pub fn merge(&mut self, opacity: f64, draw: impl FnOnce(&mut Pen)) {
        let overlap = Overlap::Strongest;
        self.add(Item::Layer { opacity, overlap });
        draw(self);
        self.add(Item::Close);
    }

    /// One lone fill or stroke needs no layer: its paint can carry the opacity.
    fn fade_only_item(&mut self, start: usize, opacity: f64) -> bool {
        if self.picture.items.len() != start + 2 {
            return false;
        }
        match &mut self.picture.items[start + 1] {
            Item::Fill { opacity: own, .. } | Item::Stroke { opacity: own, .. } => *own *= opacity,
            _ => return false,
        }
        self.picture.items.remove(start);
        self.picture.marks.remove(start);
        true
    }

    /// Draws only inside an outline.
    pub fn clip(&mut self, build: impl FnOnce(&mut Shape), draw: impl FnOnce(&mut Pen)) {
        let outline = self.outline(build);
        self.add(Item::Clip { outline });
        draw(self);
        self.add(Item::Close);
    }

    /// Fills and strokes a shape as the brush says.
    pub fn paint(&mut self, brush: &Brush, build: impl FnOnce(&mut Shape)) {
        let Some(opacity) = self.visible(brush) else {
            return;
        };
        let nib = self.nib(brush);
        let stroke = brush.stroke.filter(|_| nib.width > 0.0);
        let fill = brush.fill(self);
        if fill.is_none() && stroke.is_none() {
            return;
        }
        let outline = self.outline(build);
        // Half of the stroke lies over the fill: together they fade as one.
        let together = opacity < 1.0 && fill.is_some() && stroke.is_some();
        let each = if together { 1.0 } else { opacity };
        if together {
            let overlap = Overlap::Over;
            self.add(Item::Layer { opacity, overlap });
        }
        if let Some(colour) = fill {
            self.add(Item::Fill {
                outline: outline.clone(),
                colour,
                opacity: each,
            });
        }
        if let Some(colour) = stroke {
            self.add(Item::Stroke {
                outline,
                colour,
                opacity: each,
                nib,
            });
        }
        if together {
            self.add(Item::Close);
        }
    }

    /// Draws a line of text.
    pub fn text(&mut self, brush: &Brush, line: &Line, setting: &Setting, at: Vec2) {
        let letters = self.letters;
        self.paint(brush, |shape| match letters {
            true => shape.text(line, setting, at),
            false => {
                let em = Vec2::new(setting.size, 0.0).rotate(setting.rotate);
                shape.polyline([at, at + em].into_iter(), false);
            }
        });
    }

    /// How strong a brush paints; nothing while it does not show.
    pub fn visible(&self, brush: &Brush) -> Option<f64> {
        let opacity = clamp(self.number(&brush.opacity), 0.0, 1.0);
        (self.holds(&brush.show) && opacity > 0.0).then_some(opacity)
    }

    /// Fills a shape.
    pub fn fill(&mut self, colour: ColourId, opacity: f64, build: impl FnOnce(&mut Shape)) {
        let outline = self.outline(build);
        self.add(Item::Fill {
            outline,
            colour,
            opacity,
        });
    }

    /// Strokes a shape.
    pub fn stroke(
        &mut self,
        colour: ColourId,
        opacity: f64,
        nib: Nib,
        build: impl FnOnce(&mut Shape),
    ) {
        let outline = self.outline(build);
        self.add(Item::Stroke {
            outline,
            colour,
            opacity,
            nib,
        });
    }

    /// A solid line of a width in spec pixels, with round corners.
    pub fn solid(&self, width: f64, cap: Cap) -> Nib {
        Nib {
            width: width * self.scale,
            cap,
            join: Join::Round,
            dash: 0..0,
            dash_offset: 0.0,
        }
    }

    /// How a brush strokes.
    pub fn nib(&mut self, brush: &Brush) -> Nib {
        let width = self.number(&brush.width) * self.scale;
        let start = self.picture.dashes.len();
        let dash_offset = self.number(&brush.dash_offset) * self.scale;
        let scaled = brush.dash.iter().map(|length| length * self.scale);
        self.picture.dashes.extend(scaled);
        Nib {
            width,
            cap: brush.cap,
            join: brush.join,
            dash: start..self.picture.dashes.len(),
            dash_offset,
        }
    }

    fn outline(&mut self, build: impl FnOnce(&mut Shape)) -> Outline {
        let (verbs, points) = (self.picture.verbs.len(), self.picture.points.len());
        let room = self.past.scene().limits.of(Limit::Segments) as usize;
        build(&mut Shape {
            room,
            mark: self.mark,
            picture: &mut *self.picture,
            to_device: self.to_device,
            scale: self.scale,
        });
        Outline {
            verbs: verbs..self.picture.verbs.len(),
            points: points..self.picture.points.len(),
        }
    }

    fn add(&mut self, mut item: Item) {
        if !self.picture.keeps() {
            return;
        }
        if let Some(flaw) = self.flaw_of(&item) {
            self.note(flaw);
            match (&mut item, flaw) {
                (Item::Stroke { nib, .. }, FlawKind::TooManyDashes(_)) => nib.dash = 0..0,
                _ => return,
            }
        }
        self.picture.items.push(item);
        self.picture.marks.push(self.mark);
    }

    /// Why an item cannot be drawn as it is, if it cannot.
    fn flaw_of(&mut self, item: &Item) -> Option<FlawKind> {
        match item {
            Item::Fill { outline, .. } => {
                (self.picture.is_too_far(outline)).then_some(FlawKind::TooFar)
            }
            Item::Stroke { outline, nib, .. } => {
                let is_near = nib.width <= FARTHEST && !self.picture.is_too_far(outline);
                let dashes = self.picture.count_dashes(outline, nib);
                let most = self.past.scene().limits.of(Limit::Dashes) as f64;
                match (is_near, dashes <= most) {
                    (false, _) => Some(FlawKind::TooFar),
                    (true, false) => Some(FlawKind::TooManyDashes(dashes)),
                    (true, true) => None,
                }
            }
            Item::Clip { outline } => {
                // A box cut off where nothing can be drawn clips the same.
                for p in &mut self.picture.points[outline.points.clone()] {
                    *p = Vec2::new(
                        clamp(p.x, -FARTHEST, FARTHEST),
                        clamp(p.y, -FARTHEST, FARTHEST),
                    );
                }
                None
            }
            Item::Layer { .. } | Item::Close => None,
        }
    }

    fn note(&mut self, kind: FlawKind) {
        let flaw = Flaw {
            mark: self.mark,
            kind,
        };
        if !(self.picture.flaws.last()).is_some_and(|last| last.is_like(&flaw)) {
            self.picture.flaws.push(flaw);
        }
    }
}

impl<'p> Shape<'p> {
    /// Contours in device pixels, outside of any mark.
    pub fn on(picture: &'p mut Picture) -> Self {
        Self {
            picture,
            room: usize::MAX,
            mark: 0,
            to_device: Affine::IDENTITY,
            scale: 1.0,
        }
    }
}

impl Shape<'_> {
    fn verb<const N: usize>(&mut self, verb: Verb, points: [Vec2; N]) {
        let points = points.map(|p| self.to_device.apply(p));
        self.push(verb, points);
    }

    fn push<const N: usize>(&mut self, verb: Verb, points: [Vec2; N]) {
        self.picture.draw(verb, points, self.mark, self.room);
    }

    /// Starts a contour.
    pub fn move_to(&mut self, p: Vec2) {
        self.verb(Verb::Move, [p]);
    }

    /// A straight line.
    pub fn line_to(&mut self, p: Vec2) {
        self.verb(Verb::Line, [p]);
    }

    /// A quadratic Bézier, which is also a cubic: each control point lies two thirds of the way to its own.
    pub fn quad_to(&mut self, control: Vec2, p: Vec2) {
        let last = self.picture.points.last().copied().unwrap_or_default();
        let (control, p) = (self.to_device.apply(control), self.to_device.apply(p));
        let toward = |from: Vec2| from.lerp(control, 2.0 / 3.0);
        self.push(Verb::Cubic, [toward(last), toward(p), p]);
    }

    /// A cubic Bézier.
    pub fn cubic_to(&mut self, a: Vec2, b: Vec2, p: Vec2) {
        self.verb(Verb::Cubic, [a, b, p]);
    }

    /// Closes the contour.
    pub fn close(&mut self) {
        self.verb(Verb::Close, []);
    }

    /// A contour of straight lines.
    pub fn polyline(&mut self, points: impl Iterator<Item = Vec2>, closed: bool) {
        let mut any = false;
        for p in points {
            if any {
                self.line_to(p);
            } else {
                self.move_to(p);
            }
            any = true;
        }
        if closed && any {
            self.close();
        }
    }

    /// A circle, which stays one through any transform: its radius takes the mean scale.
    pub fn circle(&mut self, centre: Vec2, radius: f64) {
        let centre = self.to_device.apply(centre);
        let outer = std::mem::replace(&mut self.to_device, Affine::IDENTITY);
        let radius = radius * self.scale;
        self.ellipse(Vec2::new(radius, radius), |p| centre + p);
        self.to_device = outer;
    }

    /// What discs span, each with the next. All its contours turn the same way, so that
    /// wherever it lies over itself the winding number only grows; only its points change with the discs, and
    /// they do so without a jump.
    pub fn band(&mut self, discs: impl Iterator<Item = Disc>) {
        let (to_device, scale) = (self.to_device, self.scale);
        let discs: Vec<Disc> = discs
            .map(|disc| Disc {
                at: to_device.apply(disc.at),
                radius: disc.radius * scale,
            })
            .collect();
        let outer = std::mem::replace(&mut self.to_device, Affine::IDENTITY);
        let spans: Vec<Span> = discs.windows(2).map(Span::of).collect();
        let bends: Vec<Bend> = (spans.windows(2).zip(&discs[1.min(discs.len())..]))
            .map(|(two, disc)| Bend::of(&two[0], &two[1], disc))
            .collect();
        for (i, disc) in discs.iter().enumerate() {
            let bend = i.checked_sub(1).and_then(|i| bends.get(i));
            let radius = bend.map_or(disc.radius, |bend| bend.radius);
            self.ellipse(Vec2::new(radius, radius), |p| disc.at + p);
        }
        let between = |i: usize, side: usize| Some(bends.get(i)?.between[side]);
        let left = spans.iter().enumerate().flat_map(|(i, span)| {
            let [from, to] = span.corners[0];
            [Some(from), Some(to), between(i, 0)]
        });
        let right = spans.iter().enumerate().rev().flat_map(|(i, span)| {
            let [from, to] = span.corners[1];
            [between(i, 1), Some(to), Some(from)]
        });
        self.polyline(left.chain(right).flatten(), true);
        self.to_device = outer;
    }

    /// An ellipse about the origin, before `place` moves and turns its points; clockwise.
    pub fn ellipse(&mut self, radii: Vec2, place: impl Fn(Vec2) -> Vec2) {
        let at = |x: f64, y: f64| place(Vec2::new(x * radii.x, y * radii.y));
        let k = QUARTER;
        self.move_to(at(1.0, 0.0));
        self.cubic_to(at(1.0, k), at(k, 1.0), at(0.0, 1.0));
        self.cubic_to(at(-k, 1.0), at(-1.0, k), at(-1.0, 0.0));
        self.cubic_to(at(-1.0, -k), at(-k, -1.0), at(0.0, -1.0));
        self.cubic_to(at(k, -1.0), at(1.0, -k), at(1.0, 0.0));
        self.close();
    }

    /// Half of the unit circle, from (0, 1) over (1, 0) to (0, −1), which `place` puts where it belongs; the
    /// contour has come to its start.
    pub fn half_circle(&mut self, place: impl Fn(f64, f64) -> Vec2) {
        let k = QUARTER;
        self.cubic_to(place(k, 1.0), place(1.0, k), place(1.0, 0.0));
        self.cubic_to(place(1.0, -k), place(k, -1.0), place(0.0, -1.0));
    }

    /// The letters of a line of text, all of them one shape.
    pub fn text(&mut self, line: &Line, setting: &Setting, at: Vec2) {
        let whole = line.placement(setting, at).then(self.to_device);
        let outer = self.to_device;
        for placed in &line.glyphs {
            self.to_device = Affine::translate(Vec2::new(placed.x, 0.0)).then(whole);
            for segment in &placed.glyph.outline {
                self.segment(*segment);
            }
        }
        self.to_device = outer;
    }

    fn segment(&mut self, segment: Segment) {
        match segment {
            Segment::Move(p) => self.move_to(p),
            Segment::Line(p) => self.line_to(p),
            Segment::Quad(a, p) => self.quad_to(a, p),
            Segment::Cubic(a, b, p) => self.cubic_to(a, b, p),
            Segment::Close => self.close(),
        }
    }

    /// A piece of a circle from one angle to another in degrees, at most a full turn; `pie` closes it to the
    /// centre. Always four pieces, so that only its points change with the angles.
    ///
    /// It stays a piece of a circle through any transform: turned and mirrored, its radius at the mean scale.
    pub fn arc(&mut self, centre: Vec2, radius: f64, from: f64, to: f64, pie: bool) {
        let sweep = clamp(to - from, -360.0, 360.0);
        let is_full = sweep.abs() >= 360.0 - FULL_TURN_SLACK;
        let piece = sweep / 4.0;
        // A cubic along an arc of the angle φ has handles of 4/3 · tan(φ/4) radii.
        let handle = 4.0 / 3.0 * tan(piece / 4.0) * radius;
        let outer = self.to_device;
        self.to_device = outer.similar_at(centre);
        let place = |angle: f64| centre + Vec2::from_direction(angle) * radius;
        let along = |angle: f64| Vec2::from_direction(angle).perpendicular() * handle;
        if pie && !is_full {
            self.move_to(centre);
            self.line_to(place(from));
        } else {
            self.move_to(place(from));
        }
        for i in 0..4 {
            let start = from + piece * f64::from(i);
            let end = from + piece * f64::from(i + 1);
            self.cubic_to(
                place(start) + along(start),
                place(end) - along(end),
                place(end),
            );
        }
        if pie || is_full {
            self.close();
        }
        self.to_device = outer;
    }

    /// A smooth curve through points: uniform Catmull-Rom, end points doubled unless closed.
    pub fn spline(&mut self, points: &[Vec2], closed: bool) {
        let Some(first) = points.first() else { return };
        self.move_to(*first);
        for piece in catmull_rom(points, closed) {
            self.cubic_to(piece.control1, piece.control2, piece.to);
        }
        if closed {
            self.close();
        }
    }

    /// A rectangle with round corners, before `place` moves and turns its points; clockwise.
    pub fn rect(&mut self, corner: Vec2, size: Vec2, radius: f64, place: impl Fn(Vec2) -> Vec2) {
        let r = radius.min(size.x / 2.0).min(size.y / 2.0);
        let at = |x: f64, y: f64| place(corner + Vec2::new(x, y));
        let (w, h) = (size.x, size.y);
        if r == 0.0 {
            let corners = [at(0.0, 0.0), at(w, 0.0), at(w, h), at(0.0, h)];
            return self.polyline(corners.into_iter(), true);
        }
        let k = r * (1.0 - QUARTER);
        self.move_to(at(r, 0.0));
        self.line_to(at(w - r, 0.0));
        self.cubic_to(at(w - k, 0.0), at(w, k), at(w, r));
        self.line_to(at(w, h - r));
        self.cubic_to(at(w, h - k), at(w - k, h), at(w - r, h));
        self.line_to(at(r, h));
        self.cubic_to(at(k, h), at(0.0, h - k), at(0.0, h - r));
        self.line_to(at(0.0, r));
        self.cubic_to(at(0.0, k), at(k, 0.0), at(r, 0.0));
        self.close();
    }
}

/// One of those that a band goes along.
#[derive(Clone, Copy)]
pub struct Disc {
    pub at: Vec2,
    pub radius: f64,
}

/// What two discs span between them, without the discs: the quadrilateral on their outer tangents.
struct Span {
    /// On the left and on the right: from, to.
    corners: [[Vec2; 2]; 2],
}

impl Span {
    /// Of two discs; without a surface where one holds the other.
    fn of(two: &[Disc]) -> Self {
        let [from, to] = [two[0], two[1]];
        let way = to.at - from.at;
        let along = way.normalized().unwrap_or(Vec2::new(1.0, 0.0));
        // Tangents of a cone lean by the angle whose sine is the change of radius on the way.
        let change = (from.radius - to.radius) / way.length().max(f64::MIN_POSITIVE);
        let lean = clamp(change, -1.0, 1.0);
        let side = along.perpendicular() * sqrt(1.0 - lean * lean);
        let corners = [along * lean - side, along * lean + side]
            .map(|out| [from.at + out * from.radius, to.at + out * to.radius]);
        Self { corners }
    }
}

/// So many device pixels less of a bend are not seen.
const UNSEEN: f64 = 0.03;
/// The sine of an angle that is next to none.
const STRAIGHT: f64 = 0.02;

/// Where a span goes on in another.
struct Bend {
    /// Of the disc that it takes there: none where straight cuts of the corners are as good.
    radius: f64,
    /// On either side a point between the corners of both spans. On the outer side the middle of the cut, on the
    /// inner side that of the disc, or the cut would be wound backwards.
    between: [Vec2; 2],
}

impl Bend {
    fn of(before: &Span, after: &Span, disc: &Disc) -> Self {
        let Disc { at, radius } = *disc;
        let cuts = [0, 1].map(|side| [before.corners[side][1], after.corners[side][0]]);
        let lacks = |[from, to]: [Vec2; 2]| {
            let half = from.distance(to) / 2.0;
            radius - sqrt((radius * radius - half * half).max(0.0))
        };
        let most = lacks(cuts[0]).max(lacks(cuts[1]));
        let between = |[from, to]: [Vec2; 2], outwards: f64| {
            let turn = outwards * (from - at).cross(to - at);
            let inner = clamp(
                -turn / (STRAIGHT * radius * radius).max(f64::MIN_POSITIVE),
                0.0,
                1.0,
            );
            from.lerp(to, 0.5).lerp(at, inner)
        };
        Self {
            radius: radius * clamp(most / UNSEEN - 1.0, 0.0, 1.0),
            between: [between(cuts[0], 1.0), between(cuts[1], -1.0)],
        }
    }
}
