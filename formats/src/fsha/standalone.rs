use super::{
    Arrays, Generation, InvalidAnimation, InvalidReplacement, Place, ShapeAnimation, Warning,
    build_animation, of_animation, of_place, parse_animation, replace_animation,
};
use crate::FormatError;
use crate::bfres::builder::Builder;
use crate::bfres::source::Source;

/// The name of the format in errors.
const FORMAT: &str = "FSHA";

/// A shape animation outside a container, with its names behind it.
///
/// All offsets count from themselves, so an animation that carries its names reads wherever it
/// stands. One merely cut out of a container has left them there, and is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Fsha {
    bytes: Vec<u8>,
    animation: ShapeAnimation,
    place: Place,
}

impl Fsha {
    /// An animation with its names behind it.
    ///
    /// # Errors
    ///
    /// See [`InvalidAnimation`].
    pub fn new(generation: Generation, animation: ShapeAnimation) -> Result<Self, InvalidAnimation> {
        let animation = animation.in_generation(generation);
        animation.check(generation)?;
        let mut builder = Builder::default();
        build_animation(&mut builder, &animation, generation);
        let bytes = builder.finish().bytes;
        Self::parse_generation(&bytes, generation).map_err(InvalidAnimation::Unreadable)
    }

    /// Reads an animation. Nothing in it tells its version: the layout of 3.4 is taken unless the
    /// counts of its header disagree with its shapes and those of the one before it agree.
    ///
    /// # Errors
    ///
    /// Another magic; an offset out of the file; whatever [`crate::bfres::Bfres::parse`] refuses in
    /// an animation. The error is that of the later layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let late = Self::parse_generation(bytes, Generation::Late);
        if late.as_ref().is_ok_and(Self::has_stated_counts) {
            return late;
        }
        match Self::parse_generation(bytes, Generation::Early) {
            Ok(early) if late.is_err() || early.has_stated_counts() => Ok(early),
            _ => late,
        }
    }

    /// Whether the header's counts are those of the shapes.
    fn has_stated_counts(&self) -> bool {
        let warnings = of_place(&self.place, &self.animation);
        !warnings
            .iter()
            .any(|warning| matches!(warning, Warning::KeyCount { .. } | Warning::CurveCount { .. }))
    }

    /// Reads an animation of a known layout.
    ///
    /// # Errors
    ///
    /// As for [`Fsha::parse`].
    pub fn parse_generation(bytes: &[u8], generation: Generation) -> Result<Self, FormatError> {
        let mut source = Source::new(FORMAT, bytes);
        let reader = source.reader;
        let (animation, place) =
            parse_animation(&mut source, &mut Arrays::default(), &reader, 0, generation)?;
        Ok(Self {
            bytes: bytes.to_vec(),
            animation,
            place,
        })
    }

    /// The animation.
    pub fn animation(&self) -> &ShapeAnimation {
        &self.animation
    }

    /// The layout it was read in.
    pub fn generation(&self) -> Generation {
        self.place.generation
    }

    /// The same file with another animation of the same names, counts and types in it.
    ///
    /// # Errors
    ///
    /// See [`InvalidReplacement`].
    pub fn replace(&mut self, animation: ShapeAnimation) -> Result<(), InvalidReplacement> {
        let generation = self.generation();
        let animation = animation.in_generation(generation);
        animation.check(generation)?;
        let bytes = replace_animation(&self.bytes, &self.place, &self.animation, &animation)?;
        match Self::parse_generation(&bytes, generation) {
            Ok(replaced) if replaced.animation == animation => {
                *self = replaced;
                Ok(())
            }
            _ => Err(InvalidReplacement::Room),
        }
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// What is unusual about the animation.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = of_place(&self.place, &self.animation);
        warnings.extend(of_animation(&self.animation));
        warnings
    }
}
