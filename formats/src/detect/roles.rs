//! Which entry of a PAC is what.

use super::{Kind, detect};
use crate::pac::Pac;

/// The entries of a model's PAC by what they are, as indices; `None` for what it has not.
///
/// MHFU keeps the same order for all species; MHP3rd keeps none, so there everything is told by
/// its content (`spec/mhp-formats.md` §1.3, §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelRoles {
    /// The skeleton: the first entry that looks like one.
    pub skeleton: Option<usize>,
    /// The model: entry 1 if that is one of version `1.0`, as in MHFU; else the one with the most
    /// meshes, since MHP3rd's monsters have a low-detail model beside it.
    pub pmo: Option<usize>,
    /// The textures: the first bank behind the model, or else the first.
    pub tmh: Option<usize>,
    /// The animation pack. MHP3rd keeps it in a file of its own.
    pub animation: Option<usize>,
    /// MHFU's second model, such as a projectile.
    pub second: Option<SecondSet>,
}

/// A second model in the same PAC: entries 4 to 6 in MHFU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondSet {
    /// Its skeleton.
    pub skeleton: Option<usize>,
    /// Its model.
    pub pmo: usize,
    /// Its textures.
    pub tmh: Option<usize>,
}

impl ModelRoles {
    /// Tells the entries of `pac` apart. A PAC without a model has no roles but may hold further
    /// PACs.
    pub fn of(pac: &Pac) -> Self {
        let entries = pac.entries();
        let kinds: Vec<Kind> = entries.iter().map(|entry| detect(entry)).collect();
        let first = |kind: Kind| kinds.iter().position(|&found| found == kind);
        let at = |index: usize, kind: Kind| (kinds.get(index) == Some(&kind)).then_some(index);

        let is_mhfu = entries.get(1).is_some_and(|entry| is_version_1(entry)) && at(1, Kind::Pmo).is_some();
        let pmo = if is_mhfu {
            Some(1)
        } else {
            // The first of those with the most meshes: the iterator's own choice is the last.
            (0..kinds.len())
                .rev()
                .filter(|&index| kinds[index] == Kind::Pmo)
                .max_by_key(|&index| mesh_count(&entries[index]))
        };
        let tmh = pmo
            .and_then(|pmo| (pmo + 1..kinds.len()).find(|&index| kinds[index] == Kind::Tmh))
            .or_else(|| first(Kind::Tmh));
        let second = at(5, Kind::Pmo).filter(|_| is_mhfu).map(|pmo| SecondSet {
            skeleton: at(4, Kind::Skeleton),
            pmo,
            tmh: at(6, Kind::Tmh),
        });
        Self {
            skeleton: first(Kind::Skeleton),
            pmo,
            tmh,
            animation: first(Kind::AnimationPack),
            second,
        }
    }
}

fn is_version_1(pmo: &[u8]) -> bool {
    pmo.get(4..8) == Some(b"1.0\0")
}

/// The mesh count in a PMO's header, 0 if it is too short.
fn mesh_count(pmo: &[u8]) -> u16 {
    match pmo.get(0x1C..0x1E) {
        Some(&[low, high]) => u16::from_le_bytes([low, high]),
        _ => 0,
    }
}

/// The entries of a stage's PAC, which always stand in the same order; `None` for those that this
/// stage leaves empty (`spec/mhp-formats.md` §1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageRoles {
    /// The terrain, a model: entry 0.
    pub terrain: Option<usize>,
    /// The textures of terrain and props: entry 1.
    pub tmh: Option<usize>,
    /// The props, a model: entry 2. Five stages have none.
    pub props: Option<usize>,
    /// Fog and lights, for [`Environment::parse`](crate::stage::Environment::parse): entry 3.
    pub environment: Option<usize>,
    /// A parameter block that starts `02 01`: entry 4.
    pub parameters: Option<usize>,
    /// A PAC of collision blocks, walls and floor: entry 5.
    pub collision: Option<usize>,
    /// What eight stages have behind: entries 6 and 7.
    pub extra: [Option<usize>; 2],
}

impl StageRoles {
    /// Which entries of a stage's PAC have content. Nothing is checked: see [`Kind::StagePac`].
    pub fn of(pac: &Pac) -> Self {
        let filled = |index: usize| pac.entry(index).map(|_| index);
        Self {
            terrain: filled(0),
            tmh: filled(1),
            props: filled(2),
            environment: filled(3),
            parameters: filled(4),
            collision: filled(5),
            extra: [filled(6), filled(7)],
        }
    }
}
