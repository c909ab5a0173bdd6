//! Animation packs: streams of slots, each a clip of keyframed channels or empty.
//!
//! A pack holds streams, a stream is a table of slots, a slot holds a clip or nothing, and several
//! slots may share one clip. A clip has a track for each bone it drives, a track a channel for
//! each animated component, a channel its keys. The two games share the container and differ in
//! how a clip is stored ([`Encoding`]).
//!
//! ```
//! use formats::animation::*;
//!
//! let turn = Channel::new(
//!     ChannelKind::Rotation(Axis::Z),
//!     vec![Key::new(0, 0), Key::new(40, 4096)],
//! );
//! let clip = Clip::new(vec![Track::default(), Track::new(vec![turn])]).looping_from(0.0);
//! let pack = AnimationPack::from_streams(Encoding::Mhfu, vec![vec![Some(clip), None], vec![]])?;
//!
//! assert_eq!(pack.clip(0, 0).map(Clip::last_frame), Some(40));
//! assert_eq!(AnimationPack::parse(&pack.write())?, pack);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod mhfu;
mod mhp3rd;
mod pack;
#[cfg(test)]
mod tests;

pub use clip::{Axis, Channel, ChannelKind, Clip, Key, Track};
pub(crate) use pack::looks_like_pack;
pub use pack::{AnimationPack, ClipId, Encoding, InvalidPack};
