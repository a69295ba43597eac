//! What every column is called and where it is declared, for those who compare one timeline with another.

use super::Named;
use super::builder::Builder;
use super::entity::{Entity, List};
use super::names::{ItemId, ROOT, ScopeId};
use crate::formula::Operand;
use crate::spec::source::Span;

/// A name of the spec that columns belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// As it is written from the spec's own scope: `links[3].tip`.
    pub name: String,
    /// What a person calls it: "a track".
    pub what: &'static str,
    /// Where the name is declared.
    pub span: Span,
}

/// The origins of all columns.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    pub list: Vec<Origin>,
    /// For each column its origin in the list.
    of: Vec<Option<u32>>,
    /// Every column that has a name, in order of evaluation.
    pub labels: Vec<(u32, String)>,
}

impl Origins {
    /// Where a column comes from; none for those of marks and claims.
    pub fn of(&self, column: u32) -> Option<&Origin> {
        let origin = self.of.get(column as usize).copied().flatten()?;
        self.list.get(origin as usize)
    }
}

impl Builder<'_> {
    /// Everything is built by now.
    pub(super) fn origins(&mut self, names: &[Named]) -> Origins {
        let mut origins = Origins {
            of: vec![None; self.owners.len()],
            ..Origins::default()
        };
        let mut places: Vec<Option<u32>> = vec![None; self.items.len()];
        for column in 0..self.owners.len() {
            let Some(id) = self.owners[column] else {
                continue;
            };
            let place = *places[id.index()].get_or_insert_with(|| {
                origins.list.push(self.origin(id));
                origins.list.len() as u32 - 1
            });
            origins.of[column] = Some(place);
        }
        let mut labels: Vec<Option<String>> = vec![None; self.owners.len()];
        for named in names {
            label(&named.path, named.operand, &mut labels);
        }
        self.label_in(ROOT, &mut labels);
        let labels = labels.into_iter().zip(0..);
        origins.labels = labels
            .filter_map(|(l, column)| Some((column, l?)))
            .collect();
        origins
    }

    fn origin(&self, id: ItemId) -> Origin {
        Origin {
            name: self.full_name(id),
            what: self.what(id),
            span: self.items[id.index()].span,
        }
    }

    fn label_in(&mut self, scope: ScopeId, labels: &mut [Option<String>]) {
        for id in self.scopes[scope.index()].items.clone() {
            if self.items[id.index()].is_param() {
                continue;
            }
            let entity = self.build_item(id);
            match (&entity.scope, &entity.list) {
                (Some(inner), _) => self.label_in(*inner, labels),
                (None, Some(List::Rows(rows))) => {
                    rows.iter().for_each(|inner| self.label_in(*inner, labels));
                }
                _ => label_all(&self.full_name(id), &entity, labels),
            }
        }
    }
}

/// The first name that a column gets stays.
fn label(path: &str, operand: Operand, labels: &mut [Option<String>]) {
    if let Operand::Column(column) = operand
        && let Some(label @ None) = labels.get_mut(column as usize)
    {
        *label = Some(path.to_owned());
    }
}

/// Every number of an entity and of all that stands behind its dots.
fn label_all(path: &str, entity: &Entity, labels: &mut [Option<String>]) {
    if let Some(number) = entity.number {
        label(path, number, labels);
    }
    if let Some([x, y]) = entity.point {
        label(&format!("{path}.x"), x, labels);
        label(&format!("{path}.y"), y, labels);
    }
    match &entity.list {
        Some(List::Points(points)) => {
            for (i, [x, y]) in points.iter().enumerate() {
                label(&format!("{path}[{i}].x"), *x, labels);
                label(&format!("{path}[{i}].y"), *y, labels);
            }
        }
        Some(List::Entities(entities)) => {
            for (i, each) in entities.iter().enumerate() {
                label_all(&format!("{path}[{i}]"), each, labels);
            }
        }
        _ => {}
    }
    if let Some(elements) = &entity.elements {
        for (name, operands) in &elements.numbers {
            for (i, operand) in operands.iter().enumerate() {
                label(&format!("{path}[{i}].{name}"), *operand, labels);
            }
        }
    }
    for (name, member) in &entity.members {
        label_all(&format!("{path}.{name}"), member, labels);
    }
}
