//! Marks: what is drawn, from a row of numbers to a display list. One file per mark.

use crate::kinds::kinds;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use serde::de::DeserializeOwned;

mod lettering;
mod pen;
mod place;
mod style;

pub use lettering::Lettering;
pub use pen::{Pen, Shape};
pub use place::Place;
pub use style::{Brush, NoStyle, Style};

kinds! {
    /// Something drawn.
    pub enum Mark("mark"): AnyMark, each Marked<_>;
    arc: Arc,
    arrow: Arrow,
    chart: Chart,
    circle: Circle,
    coil: Coil,
    cross: Cross,
    cursor: Cursor,
    dots: Dots,
    ellipse: Ellipse,
    ghost: Ghost,
    group: Group,
    keycaps: Keycaps,
    line: Line,
    path: Path,
    polygon: Polygon,
    rect: Rect,
    repeat: Repeat,
    ribbon: Ribbon,
    text: Text,
    ticks: Ticks,
    trail: Trail,
    r#use: Use,
}

/// A mark's own fields, and beside them in the same object those of its style.
pub type Marked<T> = Twice<T, <T as MarkKind>::Style>;

/// A kind of mark.
pub trait MarkKind {
    /// [`Style`], or [`NoStyle`] for marks that only hold others.
    type Style: DeserializeOwned;

    /// Checks and resolves its fields.
    fn build(&self, style: &Self::Style, b: &mut Builder) -> Box<dyn Draw>;
}

/// Draws one mark.
pub trait Draw: Send + Sync {
    /// Adds to the display list what the mark shows at the pen's row.
    fn draw(&self, pen: &mut Pen);
}

/// Any kind of mark, read together with its style.
pub trait AnyMark {
    /// Checks and resolves its fields.
    fn build(&self, b: &mut Builder) -> Box<dyn Draw>;
}

impl<T: MarkKind> AnyMark for Twice<T, T::Style> {
    fn build(&self, b: &mut Builder) -> Box<dyn Draw> {
        self.0.build(&self.1, b)
    }
}
