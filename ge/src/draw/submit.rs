//! The way of a draw to the rasteriser.

use raster::{Draw, PixelState, Profile, Stamp, StateFlags, TextureFormat, TextureLevel, TextureSource};
use vertex::VertexType;

use super::alpha_test::state_of_ppsspp;
use crate::Ge;
use crate::assembly::PrimitiveCode;
use crate::command::Opcode;
use crate::memory::{Memory, Place, Tracked};
use crate::observer::{DrawEvent, DrawSource, Observer};
use crate::pixel_state::highest_level;
use crate::report::Feature;
use crate::texture::{LevelPlace, texel_order};

/// Pixels that primitives may touch for the price of a command.
const PIXELS_PER_COMMAND: u64 = 16;

/// What the observer is told of a draw beside what the rasteriser gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Submission {
    pub(crate) source: DrawSource,
    pub(crate) primitive: PrimitiveCode,
    pub(crate) vertex_type: VertexType,
    pub(crate) vertex_count: u32,
}

impl Ge {
    /// Hands the assembled primitives to the rasteriser under the registers' state.
    pub(crate) fn submit<O: Observer>(&mut self, submission: Submission, observer: &mut O) {
        let state = self.derived.pixel;
        self.submit_with(&state, submission, observer);
    }

    /// Hands the assembled primitives to the rasteriser.
    pub(crate) fn submit_with<O: Observer>(
        &mut self,
        state: &PixelState,
        submission: Submission,
        observer: &mut O,
    ) {
        let number = self.draw_number;
        self.draw_number += 1;
        if state.flags.contains(StateFlags::ANTIALIAS) && self.scratch.assembled.has_lines() {
            self.meet(Feature::AntialiasedLines);
        }
        let textured = state.flags.contains(StateFlags::TEXTURE);
        let used = if textured {
            usize::from(highest_level(&self.registers)) + 1
        } else {
            0
        };
        let mut places = [(LevelPlace::default(), None); 8];
        for (number, (level, place)) in places[..used].iter_mut().enumerate() {
            *level = LevelPlace::of(&self.registers, number as u8);
            *place = self.memory.place(level.address);
            if place.is_none() {
                self.meet(Feature::TextureOutsideMemory);
            }
        }
        let Memory {
            scratchpad,
            ram,
            vram,
        } = &mut self.memory;
        let mut levels = [TextureLevel::default(); 8];
        for (slot, (level, place)) in levels.iter_mut().zip(&places[..used]) {
            *slot = texture_level(level, *place, scratchpad, ram);
        }
        let texture = textured.then(|| TextureSource {
            format: TextureFormat::from_bits(self.registers.argument(Opcode::TEXFORMAT)),
            order: texel_order(&self.registers),
            levels: &levels[..used],
            clut: self.clut.view(&self.registers),
        });
        let empty = self.scratch.assembled.is_empty();
        for primitives in self.scratch.assembled.parts() {
            let draw = Draw {
                state,
                texture,
                vertices: &self.scratch.staged.screen,
                primitives,
            };
            observer.on_draw(&DrawEvent {
                number,
                address: self.current,
                source: submission.source,
                primitive: submission.primitive,
                vertex_type: submission.vertex_type,
                vertex_count: submission.vertex_count,
                draw: &draw,
            });
            if !empty {
                let left = u64::try_from(self.budget).unwrap_or(0);
                self.rasterizer
                    .set_allowance(left.saturating_mul(PIXELS_PER_COMMAND));
                let mut state = *state;
                if self.profile == Profile::Ppsspp {
                    state = state_of_ppsspp(&draw).unwrap_or(state);
                    let cuts = self.sampler_codes.cuts(&draw);
                    state.flags = state.flags.with(StateFlags::CUT_COORDINATES, cuts);
                }
                self.rasterizer.draw(
                    vram,
                    &Draw {
                        state: &state,
                        ..draw
                    },
                );
                self.budget = match self.rasterizer.allowance() {
                    0 => -1,
                    allowance => i64::try_from(allowance / PIXELS_PER_COMMAND).unwrap_or(i64::MAX),
                };
            }
        }
        observer.after_draw(self, number);
    }
}

/// A level as the rasteriser takes it: bytes of main memory, or a range of VRAM, which it reads
/// itself.
fn texture_level<'a>(
    level: &LevelPlace,
    place: Option<Place>,
    scratchpad: &'a Tracked,
    ram: &'a Tracked,
) -> TextureLevel<'a> {
    let length = level.length as usize;
    let direct = place.and_then(|place| Memory::direct(scratchpad, ram, place, length));
    TextureLevel {
        bytes: direct.map_or(&[], |(bytes, _)| bytes),
        stamp: match place {
            // There are no bytes.
            None => Some(Stamp::default()),
            Some(_) => direct.map(|(_, stamp)| stamp),
        },
        buffer_width: level.buffer_width,
        size: level.size,
        vram: match place {
            Some(Place::Vram(start)) => Some(raster::VramRange {
                start,
                length: level.length,
            }),
            _ => None,
        },
    }
}
