//! The blocks of a geometry region: lists decoded, and their buffers found by walking the draws.

use std::collections::HashMap;

use super::header::{GROUP, Header, Table};
use super::layout::Place;
use super::list::ListCommand;
use super::walk::{self, Addresses, ListError, Walk};
use super::{Block, BlockCommand, GroupOffsets, Mesh};
use crate::{FormatError, Reader};

/// Where the geometry region came from, for errors.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) start: usize,
}

/// Reads the block of every group, each once, and sets the groups' block numbers.
pub(super) fn read_blocks(
    reader: Reader<'_>,
    header: &Header,
    geometry: &[u8],
    source: Source<'_>,
    meshes: &mut [Mesh],
) -> Result<(Vec<Block>, Vec<Place>), FormatError> {
    let groups_place = header.places.tables[Table::Groups as usize];
    let mut blocks = BlockReader {
        geometry,
        source,
        budget: Budget::new(geometry.len()),
        numbers: HashMap::new(),
        blocks: Vec::new(),
        places: Vec::new(),
    };
    for (number, group) in meshes.iter_mut().flat_map(|mesh| &mut mesh.groups).enumerate() {
        let reader = reader.within("group", number);
        let record = groups_place + number * GROUP;
        let offsets = GroupOffsets {
            list: reader.u32(record + 0x04, "list offset")?,
            vertices: reader.u32(record + 0x08, "vertex buffer offset")?,
            indices: reader.u32(record + 0x0C, "index buffer offset")?,
        };
        if !(offsets.list as usize).is_multiple_of(WORD) {
            let found = format!("{:#x}", offsets.list);
            return Err(reader.error("list offset", record + 0x04, found, "a multiple of 4"));
        }
        group.block = blocks.number_of(number, offsets)?;
    }
    Ok((blocks.blocks, blocks.places))
}

/// Bytes of a list's command.
const WORD: usize = 4;

/// What reading may cost, as multiples of the region's length.
///
/// Shipped blocks do not overlap and take each index about once. A file in which thousands of groups
/// share one list, or a list draws the same 65535 vertices again with every word, would else cost
/// memory and time out of all proportion.
struct Budget {
    bytes: usize,
    drawn: usize,
}

impl Budget {
    fn new(region: usize) -> Self {
        Self {
            bytes: region.saturating_mul(4),
            drawn: region.saturating_mul(16).saturating_add(0x1_0000),
        }
    }
}

struct BlockReader<'a> {
    geometry: &'a [u8],
    source: Source<'a>,
    budget: Budget,
    numbers: HashMap<GroupOffsets, usize>,
    blocks: Vec<Block>,
    places: Vec<Place>,
}

impl BlockReader<'_> {
    /// The number of the block at `offsets`, read if it is new.
    fn number_of(&mut self, group: usize, offsets: GroupOffsets) -> Result<usize, FormatError> {
        if let Some(&number) = self.numbers.get(&offsets) {
            return Ok(number);
        }
        let number = self.blocks.len();
        let block = self.read(group, offsets)?;
        self.places.push(Place::of(&block, offsets));
        self.blocks.push(block);
        self.numbers.insert(offsets, number);
        Ok(number)
    }

    fn error(
        &self,
        group: usize,
        place: usize,
        field: &'static str,
        found: String,
        expected: String,
    ) -> FormatError {
        let Source { reader, start } = self.source;
        reader
            .within("group", group)
            .error(field, start.saturating_add(place), found, expected)
    }

    fn read(&mut self, group: usize, offsets: GroupOffsets) -> Result<Block, FormatError> {
        let commands = self.commands(group, offsets.list as usize)?;
        let mut addresses = Addresses::default();
        let mut walk = Walk::default();
        let mut extent = Extent::default();
        // Where each VADDR and IADDR leads, `None` where that is outside the file.
        let mut targets = Vec::with_capacity(commands.len());
        for (place, &command) in (offsets.list..).step_by(WORD).zip(&commands) {
            addresses.apply(command, place);
            let mut target = None;
            match command {
                ListCommand::Vaddr(argument) => {
                    target = addresses.place(argument);
                    walk.vertices = target.map(|target| target as usize);
                }
                ListCommand::Iaddr(argument) => {
                    target = addresses.place(argument);
                    walk.indices = target.map(|target| target as usize);
                }
                _ => {}
            }
            targets.push(target);
            let list_error = |error: ListError| {
                let found = format!("{:#010x}: {error}", command.word());
                self.error(
                    group,
                    place as usize,
                    "list",
                    found,
                    "a list that stays inside the file".to_owned(),
                )
            };
            let Some(span) = walk.step(command).map_err(list_error)? else {
                continue;
            };
            let first = span.first_vertex(offsets.vertices as usize).map_err(list_error)?;
            self.budget.drawn = self.budget.drawn.checked_sub(span.count).ok_or_else(|| {
                let expected = "draws in proportion to the geometry region".to_owned();
                self.error(
                    group,
                    place as usize,
                    "draw",
                    format!("{} more vertices", span.count),
                    expected,
                )
            })?;
            let mut last = span.count - 1;
            if let Some(start) = span.indices {
                let end = start + span.index_bytes();
                let bytes = self.geometry.get(start..end).ok_or_else(|| {
                    self.error(
                        group,
                        place as usize,
                        "draw",
                        format!("indices up to {end:#x}"),
                        self.region_end(),
                    )
                })?;
                let distance = start
                    .checked_sub(offsets.indices as usize)
                    .filter(|_| offsets.indices != 0);
                let Some(distance) = distance else {
                    let found = format!("indices at {start:#x}");
                    let expected = format!("an index buffer offset before them, not {:#x}", offsets.indices);
                    return Err(self.error(group, place as usize, "draw", found, expected));
                };
                extent.indices = extent.indices.max(distance + span.index_bytes());
                last = walk::indices(span.vertex_type.index(), bytes)
                    .max()
                    .unwrap_or_default() as usize;
            }
            let stride = span.vertex_type.layout().vertex_size;
            let length = (first.saturating_add(last).saturating_add(1)).saturating_mul(stride);
            let end = (offsets.vertices as usize).saturating_add(length);
            if end > self.geometry.len() {
                let found = format!("vertices up to {end:#x}");
                return Err(self.error(group, place as usize, "draw", found, self.region_end()));
            }
            extent.vertices = extent.vertices.max(length);
        }

        let cost = commands.len() * WORD + extent.vertices + extent.indices;
        let left = self.budget.bytes.checked_sub(cost);
        self.budget.bytes = left.ok_or_else(|| self.overlap(group, offsets.list as usize))?;
        let list = commands
            .into_iter()
            .zip(targets)
            .map(|(command, target)| {
                let inside = |start: u32, length: usize| {
                    target?
                        .checked_sub(start)
                        .filter(|&distance| distance as usize <= length)
                };
                match command {
                    ListCommand::Vaddr(_) => {
                        inside(offsets.vertices, extent.vertices).map(BlockCommand::Vertices)
                    }
                    ListCommand::Iaddr(_) if extent.indices > 0 => {
                        inside(offsets.indices, extent.indices).map(BlockCommand::Indices)
                    }
                    _ => None,
                }
                .unwrap_or(BlockCommand::Plain(command))
            })
            .collect();
        let bytes_of = |start: u32, length: usize| match length {
            0 => Vec::new(),
            _ => self
                .geometry
                .get(start as usize..start as usize + length)
                .unwrap_or_default()
                .to_vec(),
        };
        Ok(Block {
            list,
            vertices: bytes_of(offsets.vertices, extent.vertices),
            indices: bytes_of(offsets.indices, extent.indices),
        })
    }

    /// The words of a list, its RET or END included.
    fn commands(&self, group: usize, start: usize) -> Result<Vec<ListCommand>, FormatError> {
        let bytes = self.geometry.get(start..).unwrap_or_default();
        let (words, _) = bytes.as_chunks::<WORD>();
        let mut commands = Vec::new();
        for &word in words {
            let command = ListCommand::from_word(u32::from_le_bytes(word));
            commands.push(command);
            if command.ends_list() {
                return Ok(commands);
            }
            // Reading on costs time as well: a thousand lists may run to the same end.
            if commands.len() * WORD > self.budget.bytes {
                return Err(self.overlap(group, start));
            }
        }
        let found = format!("{} commands without RET or END", commands.len());
        Err(self.error(
            group,
            start,
            "list",
            found,
            "RET or END before the region ends".to_owned(),
        ))
    }

    fn overlap(&self, group: usize, place: usize) -> FormatError {
        let found = "more bytes of lists and buffers than four regions have".to_owned();
        let expected = "blocks that do not overlap, or are shared as a whole".to_owned();
        self.error(group, place, "block", found, expected)
    }

    fn region_end(&self) -> String {
        format!("at most the region's {:#x} bytes", self.geometry.len())
    }
}

/// How far a block's draws reach, in bytes of its buffers.
#[derive(Default)]
struct Extent {
    vertices: usize,
    indices: usize,
}
