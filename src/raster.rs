//! From a display list to pixels: the only place that knows tiny-skia.

mod canvas;

pub use canvas::Canvas;

use crate::maths::functions::{ceil, floor};
use crate::maths::vector::Vec2;
use crate::picture::{Cap, FARTHEST, Item, Join, Nib, Outline, Overlap, Picture, Verb};
use crate::pixels::Pixels;
use crate::scene::colours::Rgba;
use std::ops::Range;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, PixmapMut, PixmapPaint,
    Stroke, StrokeDash, Transform,
};

/// Miters longer than this many times the stroke's width are cut.
const MITER_LIMIT: f32 = 4.0;
/// Straight pieces for a cubic that leaves the canvas, per pixel of its control polygon's square root.
const PIECES_PER_ROOT: f64 = 2.0;

/// Draws a picture on its background.
pub fn draw(picture: &Picture, colours: &[Rgba], background: Rgba, pixels: &mut Pixels) {
    let [width, height] = [pixels.width, pixels.height].map(f64::from);
    clear(&[0.0, 0.0, width, height], background, pixels);
    let all = std::iter::once(0..picture.items.len());
    paint(picture, colours, all, pixels);
}

/// Draws some of a picture's items over what is there.
fn paint(
    picture: &Picture,
    colours: &[Rgba],
    items: impl IntoIterator<Item = Range<usize>>,
    pixels: &mut Pixels,
) {
    let painter = Painter::new(picture, colours, (pixels.width, pixels.height));
    let (width, height) = (pixels.width, pixels.height);
    let Some(mut target) = PixmapMut::from_bytes(&mut pixels.bytes, width, height) else {
        return;
    };
    for items in items {
        painter.draw(items, &mut target, &Surface::WHOLE);
    }
}

/// Fills an area with the background.
fn clear(&[left, top, right, bottom]: &Box4, background: Rgba, pixels: &mut Pixels) {
    let [r, g, b, a] = background;
    let filled = Color::from_rgba8(r, g, b, a).premultiply().to_color_u8();
    let pixel = [filled.red(), filled.green(), filled.blue(), filled.alpha()];
    let row = pixels.width as usize;
    let cells = pixels.bytes.as_chunks_mut::<4>().0;
    for y in top as usize..bottom as usize {
        cells[y * row..][left as usize..right as usize].fill(pixel);
    }
}

/// A rectangle of pixels: left, top, right and bottom, the last two excluded.
type Box4 = [f64; 4];

struct Painter<'p> {
    picture: &'p Picture,
    colours: &'p [Rgba],
    canvas: Box4,
}

/// Where a layer's pixels lie on the canvas, and what may be touched.
struct Surface {
    left: f64,
    top: f64,
    mask: Option<Mask>,
}

impl Surface {
    /// The canvas itself.
    const WHOLE: Self = Self {
        left: 0.0,
        top: 0.0,
        mask: None,
    };
}

impl<'p> Painter<'p> {
    fn new(picture: &'p Picture, colours: &'p [Rgba], (width, height): (u32, u32)) -> Self {
        Self {
            picture,
            colours,
            canvas: [0.0, 0.0, f64::from(width), f64::from(height)],
        }
    }

    /// Items one by one, a layer or clip with all in it.
    fn groups(&self, items: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut next = items.start;
        std::iter::from_fn(move || {
            let start = next;
            let item = self.picture.items[..items.end].get(start)?;
            next = match item {
                Item::Layer { .. } | Item::Clip { .. } => self.end_of(start) + 1,
                _ => start + 1,
            };
            Some(start..next.min(items.end))
        })
    }

    fn draw(&self, items: Range<usize>, target: &mut PixmapMut, surface: &Surface) {
        let mut i = items.start;
        while i < items.end {
            match &self.picture.items[i] {
                Item::Fill {
                    outline,
                    colour,
                    opacity,
                } => self.fill(outline, self.paint(colour.0, *opacity), target, surface),
                Item::Stroke {
                    outline,
                    colour,
                    opacity,
                    nib,
                } => self.stroke(
                    outline,
                    nib,
                    self.paint(colour.0, *opacity),
                    target,
                    surface,
                ),
                Item::Layer { opacity, overlap } => {
                    let end = self.end_of(i);
                    self.layer(i + 1..end, (*opacity, *overlap), target, surface);
                    i = end;
                }
                Item::Clip { outline } => {
                    let end = self.end_of(i);
                    self.clip(outline, i + 1..end, target, surface);
                    i = end;
                }
                Item::Close => {}
            }
            i += 1;
        }
    }

    /// Index of the item that closes the layer or clip at `start`.
    fn end_of(&self, start: usize) -> usize {
        let mut depth = 0;
        for (i, item) in self.picture.items.iter().enumerate().skip(start) {
            match item {
                Item::Layer { .. } | Item::Clip { .. } => depth += 1,
                Item::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i;
            }
        }
        self.picture.items.len()
    }

    fn paint(&self, colour: u16, opacity: f64) -> Paint<'static> {
        let [r, g, b, a] = self.colours[usize::from(colour)];
        let mut paint = Paint::default();
        let alpha = (f32::from(a) / 255.0 * opacity as f32).clamp(0.0, 1.0);
        let channel = |c: u8| f32::from(c) / 255.0;
        let color = Color::from_rgba(channel(r), channel(g), channel(b), alpha);
        paint.set_color(color.unwrap_or(Color::TRANSPARENT));
        paint.anti_alias = true;
        paint
    }

    fn fill(&self, outline: &Outline, paint: Paint, target: &mut PixmapMut, surface: &Surface) {
        if !self.is_visible(outline, 0.0) {
            return;
        }
        if let Some(path) = self.path(outline, surface) {
            let mask = surface.mask.as_ref();
            target.fill_path(
                &path,
                &paint,
                FillRule::Winding,
                Transform::identity(),
                mask,
            );
        }
    }

    fn stroke(
        &self,
        outline: &Outline,
        nib: &Nib,
        paint: Paint,
        target: &mut PixmapMut,
        surface: &Surface,
    ) {
        let reach = nib.width / 2.0 * f64::from(MITER_LIMIT);
        if !self.is_visible(outline, reach) {
            return;
        }
        let Some(path) = self.path(outline, surface) else {
            return;
        };
        let dash: Vec<f32> = self.picture.dashes[nib.dash.clone()]
            .iter()
            .map(|length| *length as f32)
            .collect();
        let stroke = Stroke {
            width: nib.width as f32,
            miter_limit: MITER_LIMIT,
            line_cap: match nib.cap {
                Cap::Butt => LineCap::Butt,
                Cap::Round => LineCap::Round,
                Cap::Square => LineCap::Square,
            },
            line_join: match nib.join {
                Join::Miter => LineJoin::Miter,
                Join::Round => LineJoin::Round,
                Join::Bevel => LineJoin::Bevel,
            },
            dash: StrokeDash::new(dash, nib.dash_offset as f32),
        };
        let mask = surface.mask.as_ref();
        target.stroke_path(&path, &paint, &stroke, Transform::identity(), mask);
    }

    /// Whether any of it can show on the canvas; outlines too far away for tiny-skia cannot.
    fn is_visible(&self, outline: &Outline, reach: f64) -> bool {
        let Some([left, top, right, bottom]) = self.picture.bounds(outline) else {
            return false;
        };
        let near = [left, top, right, bottom, reach]
            .iter()
            .all(|v| v.abs() <= FARTHEST);
        near && left - reach < self.canvas[2]
            && right + reach > self.canvas[0]
            && top - reach < self.canvas[3]
            && bottom + reach > self.canvas[1]
    }

    fn path(&self, outline: &Outline, surface: &Surface) -> Option<tiny_skia::Path> {
        let mut builder = PathBuilder::new();
        let mut points = self.picture.points_of(outline).iter().copied();
        let on = |p: Vec2| ((p.x - surface.left) as f32, (p.y - surface.top) as f32);
        let mut last = Vec2::ZERO;
        for verb in &self.picture.verbs[outline.verbs.clone()] {
            match verb {
                Verb::Move => {
                    last = points.next()?;
                    let (x, y) = on(last);
                    builder.move_to(x, y);
                }
                Verb::Line => {
                    last = points.next()?;
                    let (x, y) = on(last);
                    builder.line_to(x, y);
                }
                Verb::Cubic => {
                    let (a, b, p) = (points.next()?, points.next()?, points.next()?);
                    if [last, a, b, p].iter().all(|p| self.is_inside(*p)) {
                        let ((ax, ay), (bx, by), (x, y)) = (on(a), on(b), on(p));
                        builder.cubic_to(ax, ay, bx, by, x, y);
                    } else {
                        flatten([last, a, b, p], |p| {
                            let (x, y) = on(p);
                            builder.line_to(x, y);
                        });
                    }
                    last = p;
                }
                Verb::Close => builder.close(),
            }
        }
        builder.finish()
    }

    fn is_inside(&self, p: Vec2) -> bool {
        let [left, top, right, bottom] = self.canvas;
        p.x >= left && p.x <= right && p.y >= top && p.y <= bottom
    }

    fn clip(
        &self,
        outline: &Outline,
        items: Range<usize>,
        target: &mut PixmapMut,
        surface: &Surface,
    ) {
        let mut mask = match &surface.mask {
            Some(mask) => mask.clone(),
            None => {
                let Some(mut mask) = Mask::new(target.width(), target.height()) else {
                    return;
                };
                mask.data_mut().fill(255);
                mask
            }
        };
        match self
            .path(outline, surface)
            .filter(|_| self.is_visible(outline, 0.0))
        {
            Some(path) => {
                mask.intersect_path(&path, FillRule::Winding, true, Transform::identity())
            }
            None => return,
        }
        let inner = Surface {
            mask: Some(mask),
            ..*surface
        };
        self.draw(items, target, &inner);
    }

    /// Composites items once, on a layer as large as what they touch.
    fn layer(
        &self,
        items: Range<usize>,
        (opacity, overlap): (f64, Overlap),
        target: &mut PixmapMut,
        surface: &Surface,
    ) {
        let Some([left, top, right, bottom]) = self.extent(items.clone()) else {
            return;
        };
        let (width, height) = ((right - left) as u32, (bottom - top) as u32);
        let Some(mut pixmap) = Pixmap::new(width, height) else {
            return;
        };
        let inner = Surface {
            left,
            top,
            mask: None,
        };
        match overlap {
            Overlap::Over => self.draw(items, &mut pixmap.as_mut(), &inner),
            Overlap::Strongest => self.draw_strongest(items, &mut pixmap, &inner),
        }
        let paint = PixmapPaint {
            opacity: opacity as f32,
            ..PixmapPaint::default()
        };
        let (x, y) = ((left - surface.left) as i32, (top - surface.top) as i32);
        let mask = surface.mask.as_ref();
        target.draw_pixmap(x, y, pixmap.as_ref(), &paint, Transform::identity(), mask);
    }

    /// Draws items one by one; of every pixel the strongest stays.
    fn draw_strongest(&self, items: Range<usize>, target: &mut Pixmap, surface: &Surface) {
        let Some(mut alone) = Pixmap::new(target.width(), target.height()) else {
            return;
        };
        for item in self.groups(items) {
            let Some([left, top, right, bottom]) = self.extent(item.clone()) else {
                continue;
            };
            self.draw(item, &mut alone.as_mut(), surface);
            let columns = (left - surface.left) as usize * 4..(right - surface.left) as usize * 4;
            let rows = (top - surface.top) as usize..(bottom - surface.top) as usize;
            let stride = target.width() as usize * 4;
            for row in rows {
                let bytes = row * stride + columns.start..row * stride + columns.end;
                let drawn = &mut alone.data_mut()[bytes.clone()];
                for (most, own) in target.data_mut()[bytes].iter_mut().zip(drawn) {
                    *most = (*most).max(std::mem::take(own));
                }
            }
        }
    }

    /// Box of whole pixels around everything that items touch, within the canvas.
    fn extent(&self, items: Range<usize>) -> Option<Box4> {
        let mut extent: Option<Box4> = None;
        for item in &self.picture.items[items] {
            let (outline, reach) = match item {
                Item::Fill { outline, .. } => (outline, 0.0),
                Item::Stroke { outline, nib, .. } => {
                    (outline, nib.width / 2.0 * f64::from(MITER_LIMIT))
                }
                _ => continue,
            };
            if !self.is_visible(outline, reach) {
                continue;
            }
            let [l, t, r, b] = self.picture.bounds(outline)?;
            let own = [l - reach, t - reach, r + reach, b + reach];
            extent = Some(match extent {
                None => own,
                Some([l, t, r, b]) => [l.min(own[0]), t.min(own[1]), r.max(own[2]), b.max(own[3])],
            });
        }
        let [l, t, r, b] = extent?;
        // One pixel more on every side for antialiasing.
        let whole = [
            (floor(l) - 1.0).max(self.canvas[0]),
            (floor(t) - 1.0).max(self.canvas[1]),
            (ceil(r) + 1.0).min(self.canvas[2]),
            (ceil(b) + 1.0).min(self.canvas[3]),
        ];
        (whole[2] > whole[0] && whole[3] > whole[1]).then_some(whole)
    }
}

/// A cubic as straight pieces. Its filling by tiny-skia differs between processors where it leaves the
/// canvas, so such a cubic is cut up before.
fn flatten([p0, p1, p2, p3]: [Vec2; 4], mut line_to: impl FnMut(Vec2)) {
    let length = (p1 - p0).length() + (p2 - p1).length() + (p3 - p2).length();
    let pieces = ceil(PIECES_PER_ROOT * crate::maths::functions::sqrt(length)).clamp(4.0, 400.0);
    for i in 1..=pieces as u32 {
        let u = f64::from(i) / pieces;
        let m = 1.0 - u;
        line_to(if u == 1.0 {
            p3
        } else {
            m * m * m * p0 + 3.0 * u * m * m * p1 + 3.0 * u * u * m * p2 + u * u * u * p3
        });
    }
}
