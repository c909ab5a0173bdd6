//! The bytes of a skeleton file.

use super::{Bone, BoneEncoding, BoneRest, Magic, Skeleton};
use crate::{FormatError, Reader};

const HEADER_SIZE: usize = 0x18;
/// Bytes of the parameter section before its values: tag, count, size.
const PARAMETER_HEADER_SIZE: usize = 12;
/// Where a bone's section stops being the same in both games.
const SHARED_SIZE: usize = 0x54;
const BONE_TAG: u32 = 0x4000_0000;

/// Whether `bytes` start like a skeleton (`spec/mhp-formats.md` §1.4). Cheap, and looser than
/// [`Skeleton::parse`].
pub(crate) fn looks_like_skeleton(bytes: &[u8]) -> bool {
    let reader = Reader::new("skeleton", bytes);
    let word = |index: usize| reader.u32(4 * index, "header");
    matches!(
        (word(0), word(1), word(2), word(3), word(5)),
        (Ok(magic), Ok(1..), Ok(size), Ok(0), Ok(_))
            if Magic::from_word(magic).is_some() && size as usize <= bytes.len()
    )
}

impl Skeleton {
    /// Reads a skeleton of either game.
    ///
    /// # Errors
    ///
    /// Another magic; a size that does not end with the last bone; a parameter section that is
    /// not whole words; a bone with another tag, section size or index than its place gives it,
    /// or with a parent, child or sibling below -1 or above 65535. A parent that does not exist is
    /// no error ([`Skeleton::parents`]).
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("skeleton", bytes);
        let magic = reader.u32(0, "magic")?;
        let Some(magic) = Magic::from_word(magic) else {
            return Err(reader.error(
                "magic",
                0,
                format!("{magic:#010x}"),
                "0xc0000000 (MHFU) or 0x80000000 (MHP3rd)",
            ));
        };
        let Some(bone_count) = reader.u32(4, "block count")?.checked_sub(1) else {
            return Err(reader.error("block count", 4, "0", "1 and the number of bones"));
        };
        let size = reader.u32(8, "size")? as usize;
        let tag = reader.u32(0xC, "parameter tag")?;
        if tag != 0 {
            return Err(reader.error("parameter tag", 0xC, format!("{tag:#x}"), "0"));
        }
        let stated_parameter_count = reader.u32(0x10, "parameter count")?;
        let parameters = parse_parameters(&reader)?;

        let mut offset = HEADER_SIZE + 4 * parameters.len();
        let mut bones = Vec::new();
        // Grows with the sections actually there, so that a lying count allocates nothing.
        for index in 0..bone_count as usize {
            let bone = parse_bone(&reader.within("bone", index), offset, index)?;
            offset += bone.encoding().section_size() as usize;
            bones.push(bone);
        }
        if size != offset {
            return Err(reader.error(
                "size",
                8,
                format!("{size:#x}"),
                format!("{offset:#x}, the end of the last bone"),
            ));
        }
        Ok(Self {
            magic,
            parameters,
            stated_parameter_count,
            bones,
            tail: reader.range(offset..bytes.len(), "tail")?.to_vec(),
        })
    }

    /// The file's bytes. Every field but the counts and sizes, which follow from the lists, is
    /// written as it is.
    pub fn write(&self) -> Vec<u8> {
        let size = HEADER_SIZE
            + 4 * self.parameters.len()
            + self
                .bones
                .iter()
                .map(|bone| bone.encoding().section_size() as usize)
                .sum::<usize>();
        let mut bytes = Vec::with_capacity(size + self.tail.len());
        let mut word = |word: u32| bytes.extend_from_slice(&word.to_le_bytes());
        word(self.magic.word());
        word(self.bones.len() as u32 + 1);
        word(size as u32);
        word(0);
        word(self.stated_parameter_count);
        word((PARAMETER_HEADER_SIZE + 4 * self.parameters.len()) as u32);
        self.parameters.iter().copied().for_each(word);
        for (index, bone) in self.bones.iter().enumerate() {
            write_bone(bone, index, &mut bytes);
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

/// The values that the section's size has room for, whatever the stated count says (§0 C7).
fn parse_parameters(reader: &Reader<'_>) -> Result<Vec<u32>, FormatError> {
    let size = reader.u32(0x14, "parameter section size")? as usize;
    match size.checked_sub(PARAMETER_HEADER_SIZE) {
        Some(length) if length.is_multiple_of(4) => Ok(reader
            .slice(HEADER_SIZE, length, "parameters")?
            .as_chunks()
            .0
            .iter()
            .map(|&word| u32::from_le_bytes(word))
            .collect()),
        _ => Err(reader.error(
            "parameter section size",
            0x14,
            format!("{size:#x}"),
            "12 and 4 bytes a value",
        )),
    }
}

fn parse_bone(reader: &Reader<'_>, offset: usize, index: usize) -> Result<Bone, FormatError> {
    let expect = |at: usize, field: &'static str, expected: u32| {
        let found = reader.u32(offset + at, field)?;
        if found == expected {
            return Ok(());
        }
        Err(reader.error(
            field,
            offset + at,
            format!("{found:#x}"),
            format!("{expected:#x}"),
        ))
    };
    let tag = reader.u32(offset, "tag")?;
    let [kind_low, kind_high, 0x00, 0x40] = tag.to_le_bytes() else {
        return Err(reader.error("tag", offset, format!("{tag:#010x}"), "0x4000 in the upper half"));
    };
    expect(4, "count", 1)?;
    let encoding = match reader.u32(offset + 8, "section size")? {
        0x10C => BoneEncoding::Mhfu,
        0x5C => BoneEncoding::Mhp3rd,
        size => {
            return Err(reader.error(
                "section size",
                offset + 8,
                format!("{size:#x}"),
                "0x10c (MHFU) or 0x5c (MHP3rd)",
            ));
        }
    };
    expect(0xC, "index", index as u32)?;

    let bone_index = |at: usize, field: &'static str| {
        let found = reader.i32(offset + at, field)?;
        if found == -1 {
            return Ok(None);
        }
        u16::try_from(found)
            .map(Some)
            .map_err(|_| reader.error(field, offset + at, found.to_string(), "-1 or a bone index"))
    };
    let vector = |at: usize, field: &'static str| -> Result<([f32; 3], f32), FormatError> {
        let component = |axis: usize| reader.f32(offset + at + 4 * axis, field);
        Ok(([component(0)?, component(1)?, component(2)?], component(3)?))
    };
    let (scale, scale_w) = vector(0x1C, "scale")?;
    let (rotation, rotation_w) = vector(0x2C, "rotation")?;
    let (position, position_w) = vector(0x3C, "position")?;
    Ok(Bone {
        kind: u16::from_le_bytes([kind_low, kind_high]),
        parent: bone_index(0x10, "parent")?,
        child: bone_index(0x14, "first child")?,
        sibling: bone_index(0x18, "next sibling")?,
        scale,
        rotation,
        position,
        w: [scale_w, rotation_w, position_w],
        link: reader.i32(offset + 0x4C, "link")?,
        stream: reader.u32(offset + 0x50, "stream")?,
        rest: match encoding {
            BoneEncoding::Mhfu => BoneRest::Mhfu(reader.array(offset + SHARED_SIZE, "rest of the section")?),
            BoneEncoding::Mhp3rd => BoneRest::Mhp3rd(reader.array(offset + SHARED_SIZE, "name")?),
        },
    })
}

fn write_bone(bone: &Bone, index: usize, bytes: &mut Vec<u8>) {
    let stored = |index: Option<u16>| index.map_or(u32::MAX, u32::from);
    for word in [
        BONE_TAG | u32::from(bone.kind),
        1,
        bone.encoding().section_size(),
        index as u32,
        stored(bone.parent),
        stored(bone.child),
        stored(bone.sibling),
    ] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for (vector, w) in [bone.scale, bone.rotation, bone.position].iter().zip(bone.w) {
        for component in vector.iter().copied().chain([w]) {
            bytes.extend_from_slice(&component.to_le_bytes());
        }
    }
    bytes.extend_from_slice(&bone.link.to_le_bytes());
    bytes.extend_from_slice(&bone.stream.to_le_bytes());
    bytes.extend_from_slice(bone.rest.bytes());
}
