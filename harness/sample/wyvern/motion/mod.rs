//! The wyvern's motions: poses as functions of the clip frame, and the clips baked from them.

mod acts;
mod bake;
mod calm;
pub(crate) mod mot;
mod pose;

pub(crate) use bake::bake;
pub(crate) use pose::Pose;

/// What a motion drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All three parts.
    WholeRig,
    /// Neck and head, over whatever the body plays.
    HeadOnly,
}

/// A motion: its entry number (`spec/mhp-formats.md` §5.6), which is also its clip id in Portable
/// 3rd's moveset, and the pose at every clip frame.
pub(crate) struct Motion {
    pub(crate) entry: u32,
    pub(crate) reach: Reach,
    /// The last key's frame.
    pub(crate) end: u16,
    /// The frame a loop returns to, `None` for a motion that plays once.
    pub(crate) loop_start: Option<u16>,
    pub(crate) pose: fn(f64) -> Pose,
}

/// All motions, by rising entry.
pub(crate) fn motions() -> Vec<Motion> {
    let whole = |entry, end, loop_start, pose| Motion {
        entry,
        reach: Reach::WholeRig,
        end,
        loop_start,
        pose,
    };
    let head = |entry, end, pose| Motion {
        entry,
        reach: Reach::HeadOnly,
        end,
        loop_start: None,
        pose,
    };
    vec![
        whole(0, calm::STAND_END, Some(0), calm::stand),
        whole(1, calm::WALK_END, Some(0), calm::walk),
        head(24, 130, acts::head_roar),
        head(25, 100, acts::look_aside),
        whole(100, calm::HOVER_END, Some(0), calm::hover),
        whole(101, 170, None, acts::roar),
        whole(102, 120, None, acts::tail_swing),
        whole(103, 84, None, acts::bite),
        whole(104, 96, None, acts::turn_left),
        whole(105, calm::SLEEP_END, Some(calm::SLEEP_LOOP), calm::sleep),
        whole(106, 110, None, acts::take_off),
        whole(107, 60, None, acts::hit),
        whole(108, 100, None, acts::leap_back),
        whole(109, 90, None, acts::stomp),
        whole(110, 160, None, acts::fall_dead),
    ]
}
