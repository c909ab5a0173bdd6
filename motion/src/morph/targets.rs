use std::sync::Arc;

use formats::fsha::ShapeKey;
use vertex::VertexType;

use super::{MOST_TARGETS, MorphError};

/// The morph targets of a mesh: one to eight, the first the mesh at rest.
///
/// A GE mesh stores no names for them. Where a caller knows names, keys bind by these; else the
/// order of the targets is the order of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MorphTargets {
    names: Vec<Option<Arc<str>>>,
}

impl MorphTargets {
    /// Targets without names.
    ///
    /// # Errors
    ///
    /// More than 8. A count of 0 is taken as 1: a mesh without morphing is its own shape at rest.
    pub fn unnamed(count: usize) -> Result<Self, MorphError> {
        match count {
            0..=MOST_TARGETS => Ok(Self {
                names: vec![None; count.max(1)],
            }),
            _ => Err(MorphError::TooManyTargets { count }),
        }
    }

    /// Targets with names, that of the shape at rest first.
    ///
    /// # Errors
    ///
    /// More than 8.
    pub fn named<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Result<Self, MorphError> {
        let names: Vec<Option<Arc<str>>> = names.into_iter().map(|name| Some(name.into())).collect();
        let mut targets = Self::unnamed(names.len())?;
        if !names.is_empty() {
            targets.names = names;
        }
        Ok(targets)
    }

    /// The targets of vertices of a type.
    ///
    /// # Errors
    ///
    /// Vertices in screen coordinates that have more than one.
    pub fn of_vertex_type(vertex_type: VertexType) -> Result<Self, MorphError> {
        let count = vertex_type.morph_count();
        if vertex_type.is_through() && count > 1 {
            return Err(MorphError::ThroughMode);
        }
        Self::unnamed(count)
    }

    /// How many there are, the one at rest included.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The names, as far as they are known.
    pub fn names(&self) -> &[Option<Arc<str>>] {
        &self.names
    }

    /// The target of the key at `place` in its shape: the first for the key at rest; else by sub
    /// bind index, then by name; where no names are known, by place (spec/fsha.md §6.2).
    pub(super) fn find(&self, place: usize, key: &ShapeKey) -> Option<usize> {
        if place == 0 {
            return Some(0);
        }
        let is_there = |&target: &usize| (1..self.count()).contains(&target);
        let by_index = key.sub_bind.map(usize::from).filter(is_there);
        by_index.or_else(|| {
            if self.names.iter().all(Option::is_none) {
                return Some(place).filter(is_there);
            }
            let named = |name: &Option<Arc<str>>| name.as_ref() == Some(&key.name);
            self.names.iter().position(named).filter(is_there)
        })
    }
}
