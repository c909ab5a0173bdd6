//! Clips, tracks, channels and keys, as both games have them.

/// One motion: a track for each bone that it drives.
///
/// A clip has no length of its own, it runs to its last key ([`Clip::last_frame`]).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// Whether the clip loops: 0 if it plays once. Kept as read.
    pub loops: u32,
    /// The frame that a loop returns to, in clip frames; what lies before is played once.
    pub loop_start: f32,
    /// The tracks. In MHFU track `i` drives the `i`-th bone of the part that the clip's stream
    /// belongs to; in MHP3rd the bones are found by a record map.
    pub tracks: Vec<Track>,
}

impl Clip {
    /// A clip of `tracks` that plays once.
    pub fn new(tracks: Vec<Track>) -> Self {
        Self {
            loops: 0,
            loop_start: 0.0,
            tracks,
        }
    }

    /// The same clip, looping back to frame `loop_start`.
    pub fn looping_from(self, loop_start: f32) -> Self {
        Self {
            loops: 1,
            loop_start,
            ..self
        }
    }

    /// Whether the clip starts over at its end.
    pub fn is_looping(&self) -> bool {
        self.loops != 0
    }

    /// The frame on which the clip ends: the highest last key of all channels, never below 0
    /// (`spec/mhp-formats.md` §5.7).
    pub fn last_frame(&self) -> i16 {
        self.tracks
            .iter()
            .flat_map(|track| &track.channels)
            .filter_map(|channel| channel.keys.last())
            .map(|key| key.frame)
            .fold(0, i16::max)
    }
}

/// The channels of one bone, in the order stored.
///
/// A track without channels is legal in both encodings; the bone is then drawn at bind here,
/// though it is disputed that the engine does so (`spec/mhp-formats.md` §0 C3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Track {
    /// The animated components. MHP3rd does not sort them by bit.
    pub channels: Vec<Channel>,
}

impl Track {
    /// A track of `channels`.
    pub fn new(channels: Vec<Channel>) -> Self {
        Self { channels }
    }

    /// The union of the channels' bits, which MHFU stores in the track's tag.
    pub fn mask(&self) -> u16 {
        self.channels.iter().fold(0, |mask, channel| mask | channel.bit)
    }
}

/// The keys of one component of one bone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Channel {
    /// Which component: one bit in shipped files ([`Channel::kind`]). Kept as read.
    pub bit: u16,
    /// The keys. They ascend by frame in shipped files; the engine relies on it.
    pub keys: Vec<Key>,
}

impl Channel {
    /// A channel of the component `kind`.
    pub fn new(kind: ChannelKind, keys: Vec<Key>) -> Self {
        Self {
            bit: kind.bit(),
            keys,
        }
    }

    /// The component that the channel animates, `None` for a bit without a meaning or for several.
    pub fn kind(&self) -> Option<ChannelKind> {
        ChannelKind::from_bit(self.bit)
    }
}

/// One keyframe. Value and eases are in raw units of the channel ([`ChannelKind::unit`]), the
/// eases per clip frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key {
    /// The value at the key.
    pub value: i16,
    /// The clip frame of the key; 60 make a second at the usual speed.
    pub frame: i16,
    /// Slope of the curve just before the key.
    pub ease_in: i16,
    /// Slope of the curve just after the key.
    pub ease_out: i16,
}

impl Key {
    /// A key with flat slopes.
    pub const fn new(frame: i16, value: i16) -> Self {
        Self {
            value,
            frame,
            ease_in: 0,
            ease_out: 0,
        }
    }

    /// The same key with the slopes before and after it.
    pub const fn with_eases(self, ease_in: i16, ease_out: i16) -> Self {
        Self {
            ease_in,
            ease_out,
            ..self
        }
    }

    /// The key as both games store it.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        let [v0, v1] = self.value.to_le_bytes();
        let [f0, f1] = self.frame.to_le_bytes();
        let [i0, i1] = self.ease_in.to_le_bytes();
        let [o0, o1] = self.ease_out.to_le_bytes();
        [v0, v1, f0, f1, i0, i1, o0, o1]
    }

    /// The key that [`Key::to_bytes`] stored.
    pub(super) fn from_bytes([v0, v1, f0, f1, i0, i1, o0, o1]: [u8; 8]) -> Self {
        Self {
            value: i16::from_le_bytes([v0, v1]),
            frame: i16::from_le_bytes([f0, f1]),
            ease_in: i16::from_le_bytes([i0, i1]),
            ease_out: i16::from_le_bytes([o0, o1]),
        }
    }
}

/// An axis of the bone's own space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// X.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
}

impl Axis {
    /// X, Y, Z.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What a channel animates (`spec/mhp-formats.md` §5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChannelKind {
    /// Bits 0x001 to 0x004: a scale factor in sixteenths, as MHFU's engine reads them. 16 is 1.0.
    Scale(Axis),
    /// Bits 0x008 to 0x020: an Euler angle; 16384 raw units are a turn.
    Rotation(Axis),
    /// Bits 0x040 to 0x100: a position relative to the parent, in sixteenths of a model unit. It
    /// takes the place of the bind position on its axis.
    Location(Axis),
    /// Bits 0x200 to 0x800: a scale factor in 1/256, as MHP3rd's files have it. MHFU's engine
    /// reads past a table at these bits and crashes.
    FineScale(Axis),
}

impl ChannelKind {
    /// The channel's bit.
    pub const fn bit(self) -> u16 {
        match self {
            Self::Scale(axis) => 0x001 << axis.index(),
            Self::Rotation(axis) => 0x008 << axis.index(),
            Self::Location(axis) => 0x040 << axis.index(),
            Self::FineScale(axis) => 0x200 << axis.index(),
        }
    }

    /// The component that `bit` stands for.
    pub const fn from_bit(bit: u16) -> Option<Self> {
        if !bit.is_power_of_two() || bit > 0x800 {
            return None;
        }
        let index = bit.trailing_zeros();
        let axis = match index % 3 {
            0 => Axis::X,
            1 => Axis::Y,
            _ => Axis::Z,
        };
        Some(match index / 3 {
            0 => Self::Scale(axis),
            1 => Self::Rotation(axis),
            2 => Self::Location(axis),
            _ => Self::FineScale(axis),
        })
    }

    /// What one raw unit is worth: a factor for scales, radians for rotations, model units for
    /// locations.
    pub const fn unit(self) -> f32 {
        match self {
            Self::Scale(_) | Self::Location(_) => 1.0 / 16.0,
            Self::Rotation(_) => std::f32::consts::PI / 8192.0,
            Self::FineScale(_) => 1.0 / 256.0,
        }
    }
}
