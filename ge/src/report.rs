//! What a run met and could not do as hardware does.

use std::fmt;

use crate::Address;

/// Something a list asked for that is not built, or that nobody knows the effect of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Feature {
    /// REGION1 other than 0 distorts coordinates in a way nobody has documented
    /// (`spec/ge-raster.md §2.6`); it is ignored.
    RegionRate,
    /// Antialiased lines (`spec/ge-raster.md §5.4`) are drawn without.
    AntialiasedLines,
    /// Patch culling (`spec/ge-frontend.md §15.6`) is ignored.
    PatchCulling,
    /// A draw whose vertices or indices are not in memory is left out (§1.3).
    VerticesOutsideMemory,
    /// A draw whose vertex address breaks its alignment is read as it stands (§6.2).
    UnalignedVertices,
    /// A texture that is not in memory reads as zeros (`spec/ge-raster.md §8.9`).
    TextureOutsideMemory,
    /// A CLUT that is not in memory loads zeros, or nothing from address 0
    /// (`spec/ge-raster.md §8.7`).
    ClutOutsideMemory,
    /// A block transfer that is not in memory is left out (§1.3).
    TransferOutsideMemory,
    /// Morphing in through mode (§7.1): colours alone are morphed.
    MorphThrough,
    /// Colour formats 1 to 3 (§6.1) read as no colour.
    InvalidColorFormat,
    /// A bounding box test with vertices in through mode (§10).
    BoundingBoxThrough,
    /// Signals that set texture, CLUT or transfer addresses (§2.5) do nothing.
    AddressSignal,
    /// A CALL beyond 32 pending ones is ignored (§2.4).
    CallTooDeep,
    /// A type 7 draw with no draw before it (§14.2) draws points.
    ContinueOfNothing,
    /// A surface of more points than are computed (§15.1) is drawn coarser.
    PatchTooFine,
}

impl Feature {
    const ALL: [Self; 15] = [
        Self::RegionRate,
        Self::AntialiasedLines,
        Self::PatchCulling,
        Self::VerticesOutsideMemory,
        Self::UnalignedVertices,
        Self::TextureOutsideMemory,
        Self::ClutOutsideMemory,
        Self::TransferOutsideMemory,
        Self::MorphThrough,
        Self::InvalidColorFormat,
        Self::BoundingBoxThrough,
        Self::AddressSignal,
        Self::CallTooDeep,
        Self::ContinueOfNothing,
        Self::PatchTooFine,
    ];
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::RegionRate => "drawing rate in REGION1",
            Self::AntialiasedLines => "antialiased lines",
            Self::PatchCulling => "patch culling",
            Self::VerticesOutsideMemory => "vertices outside memory",
            Self::UnalignedVertices => "unaligned vertices",
            Self::TextureOutsideMemory => "texture outside memory",
            Self::ClutOutsideMemory => "CLUT outside memory",
            Self::TransferOutsideMemory => "block transfer outside memory",
            Self::MorphThrough => "morphing in through mode",
            Self::InvalidColorFormat => "invalid vertex color format",
            Self::BoundingBoxThrough => "bounding box in through mode",
            Self::AddressSignal => "signal that sets an address",
            Self::CallTooDeep => "call nested too deeply",
            Self::ContinueOfNothing => "continue without a draw before",
            Self::PatchTooFine => "surface too fine",
        })
    }
}

/// How often a feature was met, and where first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// How often.
    pub count: u64,
    /// The command that met it first.
    pub first: Address,
}

/// Counts of what a run met and could not do as hardware does.
///
/// An empty report says that every command was understood, not that every pixel is proven.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Report {
    met: [Option<Met>; Feature::ALL.len()],
}

impl Report {
    pub(crate) fn add(&mut self, feature: Feature, address: Address) {
        let met = self.met[feature as usize].get_or_insert(Met {
            count: 0,
            first: address,
        });
        met.count += 1;
    }

    /// How often a feature was met, if it was.
    #[must_use]
    pub const fn get(&self, feature: Feature) -> Option<Met> {
        self.met[feature as usize]
    }

    /// Everything that was met.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, Met)> {
        Feature::ALL
            .into_iter()
            .filter_map(|feature| Some((feature, self.get(feature)?)))
    }

    /// Whether nothing was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.met.iter().all(Option::is_none)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (feature, met) in self.iter() {
            writeln!(
                formatter,
                "{feature}: {} times, first at {}",
                met.count, met.first
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_count_from_their_first_address() {
        let mut report = Report::default();
        assert!(report.is_empty());
        report.add(Feature::RegionRate, Address::new(8));
        report.add(Feature::RegionRate, Address::new(16));
        assert_eq!(
            report.get(Feature::RegionRate),
            Some(Met {
                count: 2,
                first: Address::new(8)
            })
        );
        assert_eq!(
            report.to_string(),
            "drawing rate in REGION1: 2 times, first at 0x00000008\n"
        );
        for (index, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, index);
        }
    }
}
