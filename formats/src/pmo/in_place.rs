//! Writing over a model that a game has in memory: same length, blocks stay where they were.

use super::header::{Region, TableLengths};
use super::layout::Place;
use super::read::{self, File};
use super::write::WriteError;
use super::{GroupOffsets, Pmo};
use crate::FormatError;

/// A model written over another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The model's file, as long as the original.
    pub bytes: Vec<u8>,
    /// The companion file, as long as the original; `None` for inline geometry.
    pub companion: Option<Vec<u8>>,
    /// The groups whose list, vertices or indices moved, in order.
    ///
    /// A model that a game has loaded may move none: the engine compiles the calls of its lists when
    /// it loads but reads the group table while it draws.
    pub moved: Vec<usize>,
}

/// Why a model cannot be written over another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InPlaceError {
    /// The original is no model.
    #[error("the original: {0}")]
    Original(#[from] FormatError),
    /// The model cannot be written at all.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The original differs in what cannot change in place.
    #[error("{0} differs from the original's")]
    Differs(
        /// What differs.
        &'static str,
    ),
    /// A table has outgrown its place.
    #[error("{field}: {place:#x} in the original, but the table before it now ends at {end:#x}")]
    Table {
        /// The field of the first table, or of the geometry region, that would be overwritten.
        field: &'static str,
        /// Its offset.
        place: usize,
        /// Where the table before it ends.
        end: usize,
    },
    /// No hole of the geometry region holds a block.
    #[error("block {block} of {length:#x} bytes fits no hole of the geometry region")]
    NoHole {
        /// The block.
        block: usize,
        /// Its bytes, alignment included.
        length: usize,
    },
    /// Blocks that share bytes in the original would differ.
    #[error("block {block} shares bytes of the original with a block that has other content")]
    Shared {
        /// The block.
        block: usize,
    },
}

impl Pmo {
    /// Writes the model over `original` (with its `companion`, where that holds the geometry), keeping
    /// the length of both.
    ///
    /// A block whose parts still fit before whatever follows them stays at its offsets; one that
    /// grew moves into the first hole that holds it. Bytes that no part takes, and the tail, stay as
    /// they are in the original. Source: `spec/mhp-formats.md §3.3`.
    ///
    /// # Errors
    ///
    /// See [`InPlaceError`].
    pub fn write_in_place(&self, original: &[u8], companion: Option<&[u8]>) -> Result<InPlace, InPlaceError> {
        let file = read::read(original, companion)?;
        let region = match (&file.region, companion) {
            (Region::Inline(range), _) => original.get(range.clone()),
            (Region::Companion(length), Some(companion)) => companion.get(..*length),
            (Region::Companion(_), None) => None,
        };
        let mut region = region.unwrap_or_default().to_vec();
        self.expect_same_shape(&file)?;

        let places = self.places_in(&file, region.len())?;
        for (number, (block, place)) in self.blocks.iter().zip(&places).enumerate() {
            let Some(place) = place else { continue };
            block
                .put(number, place.offsets, &mut region)?
                .ok_or(InPlaceError::NoHole {
                    block: number,
                    length: block.vertices.len(),
                })?;
        }
        for (number, (block, place)) in self.blocks.iter().zip(&places).enumerate() {
            if let Some(place) = place
                && !block.stands_in(number, place.offsets, &region)?
            {
                return Err(InPlaceError::Shared { block: number });
            }
        }

        let offsets: Vec<GroupOffsets> = self
            .groups()
            .filter_map(|group| places[group.group.block])
            .map(|place| place.offsets)
            .collect();
        let before = file
            .pmo
            .groups()
            .map(|group| file.places[group.group.block].offsets);
        let moved = (0..)
            .zip(before.zip(&offsets))
            .filter(|(_, (before, after))| before != *after);
        let moved = moved.map(|(group, _)| group).collect();

        let tables = self.table_bytes(&offsets)?;
        let lengths: TableLengths = [0, 1, 2, 3, 4].map(|table| tables[table].as_ref().map(Vec::len));
        if let Some((_, field, place, end)) = file.header.places.first_overlap(&lengths) {
            return Err(InPlaceError::Table { field, place, end });
        }
        let mut bytes = original.to_vec();
        self.put_tables(&tables, file.header.places.clone(), region.len(), &mut bytes)?;
        let companion = match (file.region, companion) {
            (Region::Inline(range), _) => {
                bytes[range].copy_from_slice(&region);
                None
            }
            (Region::Companion(length), Some(companion)) => {
                let mut companion = companion.to_vec();
                companion[..length].copy_from_slice(&region);
                Some(companion)
            }
            (Region::Companion(_), None) => None,
        };
        Ok(InPlace {
            bytes,
            companion,
            moved,
        })
    }

    fn expect_same_shape(&self, file: &File) -> Result<(), InPlaceError> {
        let original = &file.pmo;
        let groups_per_mesh = |pmo: &Self| {
            pmo.meshes
                .iter()
                .map(|mesh| mesh.groups.len())
                .collect::<Vec<_>>()
        };
        let differs = if self.version != original.version {
            "the version"
        } else if groups_per_mesh(self) != groups_per_mesh(original) {
            "the number of groups of the meshes"
        } else if self.remap_table != original.remap_table {
            "the presence of the remap table"
        } else if self.materials.len() != original.materials.len() {
            "the number of materials"
        } else {
            // Checks the blocks and the groups' references to them, too.
            self.geometry()?;
            return Ok(());
        };
        Err(InPlaceError::Differs(differs))
    }

    /// The place of each block that a group draws.
    fn places_in(&self, file: &File, region: usize) -> Result<Vec<Option<Place>>, InPlaceError> {
        let rooms = Rooms::of(&file.places, region);
        let mut places: Vec<Option<Place>> = vec![None; self.blocks.len()];
        let mut homeless = Vec::new();
        let mut claimed = vec![false; file.places.len()];
        let mut seen = vec![false; self.blocks.len()];
        for (ours, theirs) in self.groups().zip(file.pmo.groups()) {
            let (number, original) = (ours.group.block, theirs.group.block);
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            let wanted = Place::of(&self.blocks[number], file.places[original].offsets);
            if !claimed[original] && rooms.hold(&wanted, &file.places[original]) {
                claimed[original] = true;
                places[number] = Some(wanted);
            } else {
                homeless.push(number);
            }
        }
        for number in homeless {
            let taken: Vec<(usize, usize)> = places.iter().flatten().flat_map(Place::parts).collect();
            places[number] = Some(self.first_hole(number, taken, region)?);
        }
        Ok(places)
    }

    /// The first place between the taken parts that holds a block.
    fn first_hole(
        &self,
        number: usize,
        mut taken: Vec<(usize, usize)>,
        region: usize,
    ) -> Result<Place, InPlaceError> {
        let block = &self.blocks[number];
        let alignment = self.version.alignment();
        taken.sort_unstable();
        taken.push((region, 0));
        let mut start = 0_usize;
        for (part, length) in taken {
            let (place, end) = Place::fresh(block, start, alignment).ok_or(WriteError::RegionTooLong)?;
            if end <= part {
                return Ok(place);
            }
            start = start.max(part.saturating_add(length));
        }
        let length = Place::fresh(block, 0, alignment).map_or(usize::MAX, |(_, end)| end);
        Err(InPlaceError::NoHole {
            block: number,
            length,
        })
    }
}

/// How much room the parts of a region have.
struct Rooms {
    /// Where parts start, in order, each once; then the region's end.
    starts: Vec<usize>,
}

impl Rooms {
    fn of(places: &[Place], region: usize) -> Self {
        let mut starts: Vec<usize> = places
            .iter()
            .flat_map(Place::parts)
            .map(|(start, _)| start)
            .collect();
        starts.push(region);
        starts.sort_unstable();
        starts.dedup();
        Self { starts }
    }

    /// Whether the parts of a block fit where the original's stand: before the next part, or in no
    /// more than the original had.
    fn hold(&self, wanted: &Place, original: &Place) -> bool {
        let fits = |offset: u32, wanted: usize, original: usize| {
            let offset = offset as usize;
            // A part that the original lacks has no room of its own.
            wanted <= original
                || original > 0 && {
                    let next = self.starts.partition_point(|&start| start <= offset);
                    self.starts.get(next).is_some_and(|next| wanted <= next - offset)
                }
        };
        fits(wanted.offsets.list, wanted.list, original.list)
            && fits(wanted.offsets.vertices, wanted.vertices, original.vertices)
            && fits(wanted.offsets.indices, wanted.indices, original.indices)
    }
}
