//! BFRES: resource containers of the Wii U, as far as shape animations need them.
//!
//! A container groups what it holds by kind, each group a dictionary of names: group 9 are the shape
//! animations ([`crate::fsha`]), group 0 the models with the shapes that those drive. Nothing else is
//! looked into, but every byte is kept. All numbers are big-endian. The Switch's files of the same
//! name are laid out otherwise and refused by name.

pub(crate) mod builder;
mod dictionary;
mod header;
mod models;
pub(crate) mod source;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use builder::Builder;
use dictionary::Entry;
pub use header::Version;
use header::{ANIMATIONS, HEADER_SIZE, Header, MODELS};
pub use models::{KeyShape, Model, Shape};
use source::Source;

use crate::FormatError;
use crate::fsha::{
    self, Generation, InvalidAnimation, InvalidReplacement, Place, ShapeAnimation, build_animation,
    of_animation, of_place, parse_animation, replace_animation,
};

/// The name of the format in errors.
const FORMAT: &str = "BFRES";

/// A container with its shape animations.
///
/// Two containers are equal when they write the same bytes.
#[derive(Debug, Clone)]
pub struct Bfres {
    bytes: Vec<u8>,
    header: Header,
    names: Vec<Arc<str>>,
    animations: Vec<ShapeAnimation>,
    places: Vec<Place>,
}

impl PartialEq for Bfres {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// Why animations are no container.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBfres {
    /// A version that is not read either.
    #[error("version {0}, where containers of the Wii U have 3.0 and later")]
    Version(Version),
    /// An animation that no file can hold.
    #[error("animation {animation}: {invalid}")]
    Animation {
        /// The animation.
        animation: usize,
        /// What is wrong with it.
        invalid: InvalidAnimation,
    },
    /// A dictionary holds each name once, none that is empty, and at most 65535.
    #[error("{0} animations whose names are not all different and not empty")]
    Names(usize),
    /// Offsets are 32 bits with a sign.
    #[error("{0} bytes, where offsets reach 2147483647")]
    Size(usize),
    /// The name of the container holds a zero, which ends names.
    #[error("a container's name that holds a zero")]
    Name,
    /// What was put together does not read.
    #[error("the container made of the animations does not read: {0}")]
    Unreadable(FormatError),
}

/// Something unusual in a container that does not keep it from being read.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Warning {
    /// The header's number of animations is not the dictionary's.
    #[error("{stated} shape animations in the header, {found} in the dictionary")]
    Count {
        /// In the header.
        stated: usize,
        /// In the dictionary.
        found: usize,
    },
    /// Something about an animation.
    #[error("animation {animation}: {warning}")]
    Animation {
        /// The animation.
        animation: usize,
        /// What.
        warning: fsha::Warning,
    },
}

impl Bfres {
    /// A container of `animations` and nothing else.
    ///
    /// # Errors
    ///
    /// See [`InvalidBfres`].
    pub fn new(name: &str, version: Version, animations: Vec<ShapeAnimation>) -> Result<Self, InvalidBfres> {
        let Some(generation) = version.generation() else {
            return Err(InvalidBfres::Version(version));
        };
        if name.contains('\0') {
            return Err(InvalidBfres::Name);
        }
        let mut builder = Builder::default();
        builder.reserve(HEADER_SIZE);
        let names: Vec<Arc<str>> = animations
            .iter()
            .map(|animation| Arc::clone(&animation.name))
            .collect();
        let count = u16::try_from(names.len()).map_err(|_| InvalidBfres::Names(names.len()))?;
        let dictionary = match count {
            0 => None,
            _ => Some(dictionary::build(&mut builder, &names).ok_or(InvalidBfres::Names(names.len()))?),
        };
        for (index, animation) in animations.into_iter().enumerate() {
            let animation = animation.in_generation(generation);
            animation
                .check(generation)
                .map_err(|invalid| InvalidBfres::Animation {
                    animation: index,
                    invalid,
                })?;
            let at = build_animation(&mut builder, &animation, generation);
            let data = dictionary.as_ref().and_then(|(_, data)| data.get(index));
            if let Some(&field) = data {
                builder.point(field, at);
            }
        }
        let dictionary = dictionary.map(|(at, _)| at);
        let bytes = header::finish(builder, &name.into(), version, dictionary, count);
        if i32::try_from(bytes.len()).is_err() {
            return Err(InvalidBfres::Size(bytes.len()));
        }
        Self::parse(&bytes).map_err(InvalidBfres::Unreadable)
    }

    /// Reads a container's shape animations.
    ///
    /// # Errors
    ///
    /// Another magic, the Switch's layout, little-endian numbers, a version below 3.0; a dictionary
    /// that does not fit; a subfile of the group that is no animation; an offset out of the file; an
    /// animation whose counts disagree, or with a curve that is none (`spec/fsha.md` §11).
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut source = Source::new(FORMAT, bytes);
        let reader = source.reader;
        let (header, generation) = Header::parse(&mut source)?;
        let entries = group(&mut source, ANIMATIONS)?;
        let mut arrays = fsha::Arrays::default();
        let mut names = Vec::with_capacity(entries.len());
        let mut animations = Vec::with_capacity(entries.len());
        let mut places = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let reader = reader.within("animation", index);
            let (animation, place) =
                parse_animation(&mut source, &mut arrays, &reader, entry.data, generation)?;
            names.push(entry.name);
            animations.push(animation);
            places.push(place);
        }
        Ok(Self {
            bytes: bytes.to_vec(),
            header,
            names,
            animations,
            places,
        })
    }

    /// The container's name.
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// The container's version.
    pub fn version(&self) -> Version {
        self.header.version
    }

    /// The shape animations, in the order of their dictionary.
    pub fn animations(&self) -> &[ShapeAnimation] {
        &self.animations
    }

    /// The animation that the dictionary calls `name`.
    pub fn animation(&self, name: &str) -> Option<&ShapeAnimation> {
        let index = self.names.iter().position(|other| &**other == name)?;
        self.animations.get(index)
    }

    /// The models with their shapes and key shapes. Read only now, since animations play without
    /// them: a model that does not read keeps no animation from it.
    ///
    /// # Errors
    ///
    /// A dictionary, model or shape that is none.
    pub fn models(&self) -> Result<Vec<Model>, FormatError> {
        let mut source = Source::new(FORMAT, &self.bytes);
        match header::group_place(&source.reader, MODELS)? {
            Some(at) => models::parse(&mut source, at),
            None => Ok(Vec::new()),
        }
    }

    /// The place in [`Bfres::models`] of the model that animation `index` says it drives; `None` if
    /// it names none of them.
    pub fn model_of(&self, index: usize) -> Option<usize> {
        let model = self.places.get(index)?.model?;
        let mut source = Source::new(FORMAT, &self.bytes);
        let entries = group(&mut source, MODELS).ok()?;
        entries.iter().position(|entry| entry.data == model)
    }

    /// Puts another animation in the place of number `index`. It must need the same room: have the
    /// same names, counts and types of elements.
    ///
    /// # Errors
    ///
    /// See [`InvalidReplacement`].
    pub fn replace(&mut self, index: usize, animation: ShapeAnimation) -> Result<(), InvalidReplacement> {
        let (Some(place), Some(old)) = (self.places.get(index), self.animations.get(index)) else {
            return Err(InvalidReplacement::NoSuchAnimation {
                index,
                count: self.animations.len(),
            });
        };
        let generation = self.version().generation().unwrap_or(Generation::Late);
        let animation = animation.in_generation(generation);
        animation.check(generation)?;
        let bytes = replace_animation(&self.bytes, place, old, &animation)?;
        let replaced = Self::parse(&bytes).map_err(|_| InvalidReplacement::Room)?;
        // Where parts overlap, more than this animation may have changed.
        let is_as_wanted = replaced.animations.len() == self.animations.len()
            && replaced.animations.iter().enumerate().all(|(other, found)| {
                let wanted = if other == index {
                    Some(&animation)
                } else {
                    self.animations.get(other)
                };
                wanted == Some(found)
            });
        if !is_as_wanted {
            return Err(InvalidReplacement::Room);
        }
        *self = replaced;
        Ok(())
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// What is unusual about the container and its animations.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (stated, found) = (self.header.animation_count.into(), self.animations.len());
        if stated != found {
            warnings.push(Warning::Count { stated, found });
        }
        for (index, (animation, place)) in self.animations.iter().zip(&self.places).enumerate() {
            let of_one = of_place(place, animation)
                .into_iter()
                .chain(of_animation(animation));
            warnings.extend(of_one.map(|warning| Warning::Animation {
                animation: index,
                warning,
            }));
        }
        warnings
    }
}

/// The entries of group `index`, none if the container has no such group.
fn group(source: &mut Source<'_>, index: usize) -> Result<Vec<Entry>, FormatError> {
    let reader = source.reader;
    match header::group_place(&reader, index)? {
        Some(at) => dictionary::parse(source, &reader, at),
        None => Ok(Vec::new()),
    }
}
