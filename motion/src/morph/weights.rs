//! Weights as the GE holds them.

use super::{MOST_TARGETS, MorphError};

/// A weight of a morph target as the GE holds it: an f32 without its lowest eight bits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MorphWeight(f32);

impl MorphWeight {
    /// Weight 1.
    pub const ONE: Self = Self(1.0);

    /// The weight that is left of a number when its low bits are cut off (spec/fsha.md §6.2).
    pub fn cut(number: f32) -> Self {
        Self(f32::from_bits(number.to_bits() & 0xFFFF_FF00))
    }

    /// The weight, exactly.
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The command that sets MORPHWEIGHT0 to MORPHWEIGHT7; `None` for a target that the GE lacks.
    pub fn command(self, target: usize) -> Option<u32> {
        let opcode = (target < MOST_TARGETS).then_some(0x2C + target as u32)?;
        Some(opcode << 24 | self.0.to_bits() >> 8)
    }
}

/// The weights of all targets of a mesh at one moment: one to eight, the first the shape at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MorphWeights {
    count: usize,
    weights: [MorphWeight; MOST_TARGETS],
}

impl MorphWeights {
    /// The mesh at rest: weight 1 for the first of `count` targets, 0 for the others. A count is
    /// brought within 1 to 8.
    pub fn at_rest(count: usize) -> Self {
        let mut weights = [MorphWeight::default(); MOST_TARGETS];
        weights[0] = MorphWeight::ONE;
        Self {
            count: count.clamp(1, MOST_TARGETS),
            weights,
        }
    }

    /// The weights of the targets behind the first. The first one's is what the others, once cut,
    /// leave of 1, in f32 and in order, cut as well: so the weights sum to 1 within a unit of the
    /// GE's floats, and what all targets share stays where it is (spec/fsha.md §6.2). Weights
    /// above 1 are legal, and make the first one negative.
    ///
    /// # Errors
    ///
    /// More than 7; a number that is not finite, or a sum that is not.
    ///
    /// ```
    /// use motion::morph::MorphWeights;
    ///
    /// let weights = MorphWeights::of_key_shapes(&[0.25, 0.896])?;
    /// let commands: Vec<u32> = weights.commands().collect();
    /// assert_eq!(commands, [0x2CBE_1580, 0x2D3E_8000, 0x2E3F_6560]);
    /// # Ok::<(), motion::morph::MorphError>(())
    /// ```
    pub fn of_key_shapes(numbers: &[f32]) -> Result<Self, MorphError> {
        if numbers.len() >= MOST_TARGETS {
            return Err(MorphError::TooManyTargets {
                count: numbers.len() + 1,
            });
        }
        let mut all = Self::at_rest(numbers.len() + 1);
        let mut sum = 0.0;
        for (index, (&number, weight)) in numbers.iter().zip(&mut all.weights[1..]).enumerate() {
            if !number.is_finite() {
                return Err(MorphError::WeightNotFinite { target: index + 1 });
            }
            *weight = MorphWeight::cut(number);
            sum += weight.get();
        }
        if !sum.is_finite() {
            return Err(MorphError::WeightNotFinite { target: 0 });
        }
        all.weights[0] = MorphWeight::cut(1.0 - sum);
        Ok(all)
    }

    /// The weights, by target.
    pub fn as_slice(&self) -> &[MorphWeight] {
        self.weights.get(..self.count).unwrap_or_default()
    }

    /// The commands MORPHWEIGHT0 and on that set them; to be sent before the primitives. Weights of
    /// targets that the mesh lacks need none.
    pub fn commands(&self) -> impl Iterator<Item = u32> + '_ {
        self.as_slice()
            .iter()
            .enumerate()
            .filter_map(|(target, weight)| weight.command(target))
    }

    /// Bits 18 to 20 of the VTYPE of vertices with that many targets.
    pub fn vertex_type_bits(&self) -> u32 {
        (self.count as u32 - 1) << 18
    }
}
