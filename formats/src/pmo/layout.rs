//! Where blocks stand in the geometry region.

use super::header::{TABLE_ALIGNMENT, TableLengths, TablePlaces};
use super::walk::Addresses;
use super::write::WriteError;
use super::{Block, BlockCommand, Geometry, GroupOffsets, Pmo};

/// What a file had beyond a fresh layout: other offsets, or padding that is not zero.
///
/// It is used again only as long as the model's parts keep their lengths, and is no part of what a
/// model is: models that differ in nothing else are equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) tables: Option<KeptTables>,
    pub(super) region: Option<KeptRegion>,
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The header and the tables as they were read.
#[derive(Clone, Debug)]
pub(super) struct KeptTables {
    pub(super) bytes: Vec<u8>,
    pub(super) places: TablePlaces,
    pub(super) lengths: TableLengths,
}

/// The geometry region as it was read.
#[derive(Clone, Debug)]
pub(super) struct KeptRegion {
    pub(super) bytes: Vec<u8>,
    /// Of each block.
    pub(super) places: Vec<Place>,
}

/// Where a block stands, and the lengths of its three parts in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offsets: GroupOffsets,
    pub(super) list: usize,
    pub(super) vertices: usize,
    pub(super) indices: usize,
}

impl Place {
    pub(super) fn of(block: &Block, offsets: GroupOffsets) -> Self {
        Self {
            offsets,
            list: block.list.len() * 4,
            vertices: block.vertices.len(),
            indices: block.indices.len(),
        }
    }

    /// The place of a block laid out from `start` on, and where it ends.
    pub(super) fn fresh(block: &Block, start: usize, alignment: usize) -> Option<(Self, usize)> {
        let mut place = Self::of(
            block,
            GroupOffsets {
                list: 0,
                vertices: 0,
                indices: 0,
            },
        );
        let list = start.checked_next_multiple_of(alignment)?;
        let vertices = list
            .checked_add(place.list)?
            .checked_next_multiple_of(alignment)?;
        let mut end = vertices.checked_add(place.vertices)?;
        if place.indices > 0 {
            let indices = end.checked_next_multiple_of(alignment)?;
            place.offsets.indices = u32::try_from(indices).ok()?;
            end = indices.checked_add(place.indices)?;
        }
        place.offsets.list = u32::try_from(list).ok()?;
        place.offsets.vertices = u32::try_from(vertices).ok()?;
        Some((place, end))
    }

    /// The parts that take space, as offset and length.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        [
            (self.offsets.list, self.list),
            (self.offsets.vertices, self.vertices),
            (self.offsets.indices, self.indices),
        ]
        .into_iter()
        .filter(|&(_, length)| length > 0)
        .map(|(offset, length)| (offset as usize, length))
    }
}

impl Block {
    /// The list's bytes with the addresses that it has at `offsets`.
    fn list_at(&self, block: usize, offsets: GroupOffsets) -> Result<Vec<u8>, WriteError> {
        let mut addresses = Addresses::default();
        let mut bytes = Vec::with_capacity(self.list.len() * 4);
        for ((number, command), place) in self.list.iter().enumerate().zip((offsets.list..).step_by(4)) {
            let address = |opcode: u32, start: u32, distance: u32| {
                start
                    .checked_add(distance)
                    .and_then(|place| addresses.argument_of(place))
                    .map(|argument| opcode << 24 | argument)
                    .ok_or(WriteError::Address {
                        block,
                        command: number,
                    })
            };
            let word = match *command {
                BlockCommand::Vertices(distance) => address(0x01, offsets.vertices, distance)?,
                BlockCommand::Indices(distance) => address(0x02, offsets.indices, distance)?,
                BlockCommand::Plain(command) => command.word(),
            };
            if let BlockCommand::Plain(command) = *command {
                addresses.apply(command, place);
            }
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        Ok(bytes)
    }

    /// Writes the block over a region; `None` where it does not fit.
    pub(super) fn put(
        &self,
        block: usize,
        offsets: GroupOffsets,
        region: &mut [u8],
    ) -> Result<Option<()>, WriteError> {
        let list = self.list_at(block, offsets)?;
        let parts = [
            (offsets.list, &list),
            (offsets.vertices, &self.vertices),
            (offsets.indices, &self.indices),
        ];
        for (offset, part) in parts {
            if part.is_empty() {
                continue;
            }
            let start = offset as usize;
            let Some(target) = region.get_mut(start..start.saturating_add(part.len())) else {
                return Ok(None);
            };
            target.copy_from_slice(part);
        }
        Ok(Some(()))
    }

    /// Whether the block stands in a region as it is: nothing written later has touched it.
    pub(super) fn stands_in(
        &self,
        block: usize,
        offsets: GroupOffsets,
        region: &[u8],
    ) -> Result<bool, WriteError> {
        let list = self.list_at(block, offsets)?;
        let parts = [
            (offsets.list, &list),
            (offsets.vertices, &self.vertices),
            (offsets.indices, &self.indices),
        ];
        Ok(parts.into_iter().all(|(offset, part)| {
            part.is_empty()
                || region
                    .get(offset as usize..)
                    .is_some_and(|region| region.starts_with(part))
        }))
    }
}

impl Pmo {
    /// The geometry region as [`write`](Self::write) stores it, and where each group's buffers stand
    /// in it.
    ///
    /// A model that was read keeps its region's layout and padding as long as no block has changed
    /// its length; otherwise, and for a fresh model, blocks stand in the order in which groups draw
    /// them, each part at a multiple of [`Version::alignment`](super::Version::alignment).
    ///
    /// # Errors
    ///
    /// See [`WriteError`].
    pub fn geometry(&self) -> Result<Geometry, WriteError> {
        for (number, block) in self.blocks.iter().enumerate() {
            block
                .check()
                .map_err(|fault| WriteError::List { block: number, fault })?;
        }
        if let Some(group) = self.groups().find(|group| group.group.block >= self.blocks.len()) {
            return Err(WriteError::NoSuchBlock {
                group: group.index,
                block: group.group.block,
            });
        }
        if let Some(geometry) = self.kept_geometry()? {
            return Ok(geometry);
        }
        self.fresh_geometry()
    }

    fn kept_geometry(&self) -> Result<Option<Geometry>, WriteError> {
        let Some(kept) = &self.kept.region else {
            return Ok(None);
        };
        let same_lengths = self.blocks.len() == kept.places.len()
            && self
                .blocks
                .iter()
                .zip(&kept.places)
                .all(|(block, &place)| Place::of(block, place.offsets) == place);
        if !same_lengths {
            return Ok(None);
        }
        let mut bytes = kept.bytes.clone();
        for (number, (block, place)) in self.blocks.iter().zip(&kept.places).enumerate() {
            if block.put(number, place.offsets, &mut bytes)?.is_none() {
                return Ok(None);
            }
        }
        // Blocks that overlap in the file may have been changed in different ways since.
        for (number, (block, place)) in self.blocks.iter().zip(&kept.places).enumerate() {
            if !block.stands_in(number, place.offsets, &bytes)? {
                return Ok(None);
            }
        }
        let groups = self
            .groups()
            .map(|group| kept.places[group.group.block].offsets)
            .collect();
        Ok(Some(Geometry { bytes, groups }))
    }

    fn fresh_geometry(&self) -> Result<Geometry, WriteError> {
        let alignment = self.version.alignment();
        let mut offsets: Vec<Option<GroupOffsets>> = vec![None; self.blocks.len()];
        let mut groups = Vec::new();
        let mut bytes = Vec::new();
        for group in self.groups() {
            let number = group.group.block;
            if let Some(offsets) = offsets[number] {
                groups.push(offsets);
                continue;
            }
            let block = &self.blocks[number];
            let (place, end) =
                Place::fresh(block, bytes.len(), alignment).ok_or(WriteError::RegionTooLong)?;
            bytes.resize(end, 0);
            block.put(number, place.offsets, &mut bytes)?;
            offsets[number] = Some(place.offsets);
            groups.push(place.offsets);
        }
        bytes.resize(bytes.len().next_multiple_of(TABLE_ALIGNMENT), 0);
        Ok(Geometry { bytes, groups })
    }
}
