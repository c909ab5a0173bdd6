//! The wyvern's files in both games' containers.

use formats::animation::{AnimationPack, Clip, ClipId, Encoding, InvalidPack, Track};
use formats::pac::{Alignment, Pac};
use formats::pmo::Version;
use formats::skeleton::{Bone, BoneEncoding, Skeleton};
use formats::tmh::{ColorFormat, PixelFormat, Tmh};
use glam::DVec3;

use super::anatomy::{ANIMATED, NECK, TAIL, joints};
use super::model::model;
use super::motion::{Motion, Reach, bake, motions};
use crate::sample::paint;
use crate::sample::textures::image;
use crate::sample::{SampleError, SampleFile};

/// Slots of a stream, as in most of the game's packs.
const SLOTS: usize = 100;

/// The files of both games' wyverns.
pub(crate) fn files() -> Result<Vec<SampleFile>, SampleError> {
    let textures = textures()?.write();
    let freedom = model(Version::Mhfu).write()?;
    let freedom_skeleton = skeleton(BoneEncoding::Mhfu).write();
    let freedom_clips = freedom_pack()?.write();
    let portable = model(Version::Mhp3rd);
    let geometry = portable.write_geometry()?.unwrap_or_default();
    let portable_pac = vec![
        skeleton(BoneEncoding::Mhp3rd).write(),
        portable.write()?,
        textures.clone(),
    ];

    let mut entries = vec![
        freedom_skeleton.clone(),
        freedom.clone(),
        textures.clone(),
        freedom_clips.clone(),
    ];
    entries.resize(7, Vec::new());
    let file = |name: &str, bytes: Vec<u8>, about: &str| SampleFile {
        name: name.to_owned(),
        bytes,
        about: about.to_owned(),
    };
    Ok(vec![
        file(
            "wyvern.pac",
            Pac::new(entries, Alignment::Bytes16)?.write(),
            "a Freedom Unite model PAC: skeleton, model, textures, animations",
        ),
        file(
            "wyvern-p3rd.pac",
            Pac::new(portable_pac, Alignment::Bytes16)?.write(),
            "the same creature as Portable 3rd has it: skeleton, model, textures",
        ),
        file(
            "wyvern-p3rd.geometry.bin",
            geometry,
            "the geometry of wyvern-p3rd.pac's model",
        ),
        file(
            "wyvern-p3rd.moveset.bin",
            portable_pack()?.write(),
            "the animations of wyvern-p3rd.pac",
        ),
        file(
            "loose/wyvern.pmo",
            freedom,
            "the model of wyvern.pac as a file of its own",
        ),
        file("loose/wyvern.tmh", textures, "its textures"),
        file("loose/wyvern.skeleton", freedom_skeleton, "its skeleton"),
        file("loose/wyvern.animation", freedom_clips, "its animations"),
    ])
}

/// Eight images in the formats that the games use, and DXT1, which Portable 3rd has.
fn textures() -> Result<Tmh, SampleError> {
    use ColorFormat as Color;
    Ok(Tmh {
        images: vec![
            image(PixelFormat::Clut8, &paint::hide(), Some(Color::Rgba8888))?,
            image(PixelFormat::Clut8, &paint::head(), Some(Color::Rgba5551))?,
            image(PixelFormat::Rgba4444, &paint::membrane(), None)?,
            image(PixelFormat::Clut4, &paint::horn(), Some(Color::Rgba5551))?,
            image(PixelFormat::Clut8, &paint::eye(), Some(Color::Rgba8888))?,
            image(PixelFormat::Rgba5551, &paint::fin(), None)?,
            image(PixelFormat::Dxt1, &paint::flesh(), None)?,
            image(PixelFormat::Clut4, &paint::glow(), Some(Color::Rgba8888))?,
        ],
        tail: Vec::new(),
    })
}

/// The skeleton; Freedom Unite has parts and Portable 3rd has names.
fn skeleton(encoding: BoneEncoding) -> Skeleton {
    let joints = joints();
    let bones = joints.iter().map(|joint| {
        let parent = joint.parent.map_or(DVec3::ZERO, |p| joints[usize::from(p)].bind);
        let bone = Bone::new(
            joint.parent.map(u16::from),
            (joint.bind - parent).to_array().map(|x| x as f32),
        );
        match encoding {
            BoneEncoding::Mhfu => bone.in_part(joint.part),
            BoneEncoding::Mhp3rd => bone.named(&joint.name),
        }
    });
    Skeleton::new(encoding, bones.collect())
}

fn clip(motion: &Motion, tracks: Vec<Track>) -> Clip {
    let clip = Clip::new(tracks);
    match motion.loop_start {
        Some(start) => clip.looping_from(f32::from(start)),
        None => clip,
    }
}

/// Joints of each part, in part order.
fn parts() -> [std::ops::Range<usize>; 3] {
    let (neck, tail, end) = (usize::from(NECK), usize::from(TAIL), usize::from(ANIMATED));
    [0..neck, neck..tail, tail..end]
}

/// Six streams: entries below 100 in the even ones, from 100 on in the odd ones. Entry 2 is entry
/// 0's clip once more, shared as the game's packs share clips.
fn freedom_pack() -> Result<AnimationPack, InvalidPack> {
    let mut streams = vec![vec![None; SLOTS]; 6];
    let mut clips = Vec::new();
    let motions = motions();
    for (part, joints) in parts().into_iter().enumerate() {
        for (half, stream) in [2 * part, 2 * part + 1].into_iter().enumerate() {
            for motion in motions.iter().filter(|m| m.entry as usize / SLOTS == half) {
                if motion.reach == Reach::HeadOnly && part != 1 {
                    continue;
                }
                let tracks = bake(motion)
                    .into_iter()
                    .skip(joints.start)
                    .take(joints.len())
                    .collect();
                streams[stream][motion.entry as usize % SLOTS] = Some(ClipId(clips.len() as u32));
                clips.push(clip(motion, tracks));
            }
            if half == 0 {
                streams[stream][2] = streams[stream][0];
            }
        }
    }
    AnimationPack::new(Encoding::Mhfu, streams, clips)
}

/// Clip ids equal to the entries; record `i` drives bone `i`, which is offset 0 without skipped
/// bones (`spec/mhp-formats.md` §5.8). The records of bones that a clip leaves alone are empty.
fn portable_pack() -> Result<AnimationPack, InvalidPack> {
    let motions = motions();
    let mut streams: Vec<Vec<Option<Clip>>> = Vec::new();
    for half in 0..2 {
        let own = || motions.iter().filter(move |m| m.entry as usize / SLOTS == half);
        let mut slots = vec![None; own().map(|m| m.entry as usize % SLOTS + 1).max().unwrap_or(0)];
        for motion in own() {
            let mut tracks = bake(motion);
            if motion.reach == Reach::HeadOnly {
                let head = usize::from(NECK)..usize::from(TAIL);
                for (joint, track) in tracks
                    .iter_mut()
                    .enumerate()
                    .filter(|(joint, _)| !head.contains(joint))
                {
                    debug_assert!(joint < usize::from(ANIMATED));
                    *track = Track::new(Vec::new());
                }
            }
            slots[motion.entry as usize % SLOTS] = Some(clip(motion, tracks));
        }
        streams.push(slots);
    }
    streams.push(Vec::new());
    AnimationPack::from_streams(Encoding::Mhp3rd, streams)
}
