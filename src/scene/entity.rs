//! What a name stands for once it is resolved.

use super::names::ScopeId;
use crate::formula::Operand;
use std::rc::Rc;
use std::sync::Arc;

/// Two columns or constants: x and y.
pub type PointOperand = [Operand; 2];

/// The meaning of a name: any of a number, a point, a list, a text, and outputs behind a dot.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// What a person calls it: "a track", "a joint".
    pub what: &'static str,
    /// The value of the bare name.
    pub number: Option<Operand>,
    pub point: Option<PointOperand>,
    pub text: Option<TextValue>,
    pub list: Option<List>,
    /// Outputs behind a dot.
    pub members: Vec<(String, Entity)>,
    /// The names inside an instance of a part.
    pub scope: Option<ScopeId>,
    /// The transform that a group draws through.
    pub transform: Option<usize>,
    /// What every link of a limb should be long, in px.
    pub lengths: Option<Arc<[Operand]>>,
    /// Smallest and largest key value of a track.
    pub extent: Option<(f64, f64)>,
    /// It could not be built, and why has been reported: whatever reads it stays silent.
    pub broken: bool,
}

/// A text behind a name.
#[derive(Clone, Debug)]
pub enum TextValue {
    /// Known before frame 0.
    Fixed(Rc<str>),
    /// Changes with time: of these words the one whose number stands in the operand.
    OneOf(Operand, Arc<[String]>),
}

/// What stands behind `[i]`.
#[derive(Clone, Debug)]
pub enum List {
    /// Points one after another.
    Points(Arc<[PointOperand]>),
    /// Instances of a part.
    Rows(Rc<[ScopeId]>),
    /// Things with outputs of their own.
    Entities(Rc<[Entity]>),
}

impl Entity {
    /// A number.
    pub fn number(what: &'static str, number: Operand) -> Self {
        Self {
            what,
            number: Some(number),
            ..Self::default()
        }
    }

    /// A text.
    pub fn text(what: &'static str, text: &str) -> Self {
        Self {
            what,
            text: Some(TextValue::Fixed(text.into())),
            ..Self::default()
        }
    }

    /// A point with outputs `x` and `y`.
    pub fn point(what: &'static str, [x, y]: PointOperand) -> Self {
        Self {
            what,
            point: Some([x, y]),
            members: vec![
                ("x".into(), Self::number("a number", x)),
                ("y".into(), Self::number("a number", y)),
            ],
            ..Self::default()
        }
    }

    /// A list of points; `end` is the last.
    pub fn points(what: &'static str, points: Arc<[PointOperand]>) -> Self {
        let end = points
            .last()
            .map(|last| ("end".into(), Self::point("a point", *last)));
        Self {
            what,
            list: Some(List::Points(points)),
            members: end.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Something whose problem has been reported.
    pub fn broken() -> Self {
        Self {
            what: "something",
            broken: true,
            ..Self::default()
        }
    }

    /// An output behind a dot.
    pub fn member(&self, name: &str) -> Option<&Entity> {
        let found = self.members.iter().find(|(n, _)| n == name);
        found.map(|(_, member)| member)
    }

    /// Adds an output behind a dot.
    pub fn with(mut self, name: &str, member: Entity) -> Self {
        self.members.push((name.to_owned(), member));
        self
    }
}

impl List {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Rows(rows) => rows.len(),
            Self::Entities(entities) => entities.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
