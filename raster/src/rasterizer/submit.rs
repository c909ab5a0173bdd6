//! From primitives to records in the batch, and what has to be drawn before.

use super::Rasterizer;
use super::current::CurrentDraw;
use super::tuning::Method;
use crate::batch;
use crate::hazard::PendingWrites;
use crate::history::{Fragment, PixelValue, PrimitiveKind, Steps, Watch};
use crate::reference::{self, Pixel};
use crate::setup::{Attributes, EdgeBases, Primitive};
use crate::statistics::FlushReason;
use crate::vram::Vram;
use crate::wide::PixelCounts;

/// Words of attributes that there is room for before a primitive: a line has a record for each of its pixels, of which
/// there are fewer than 2048, and each has less than 64 words. A triangle that PPSSPP's profile cuts into more parts may
/// bring more; what then is beyond a GPU's buffers the processor draws.
const MOST_ATTRIBUTES: usize = 2048 * 64;

impl Rasterizer {
    /// Sets up a primitive of the current draw, given the state's index, and adds its records to the batch.
    pub(super) fn submit(
        &mut self,
        vram: &mut Vram,
        current: &mut CurrentDraw<'_>,
        set_up: impl FnOnce(u32, &mut Attributes, &mut Vec<(Primitive, EdgeBases)>),
    ) {
        if self.allowance == 0 {
            return;
        }
        let is_full = self.batch.primitives.len() >= self.tuning.batch_primitives.get()
            || self.batch.attributes.words() + MOST_ATTRIBUTES > self.capacity().attributes;
        if is_full {
            self.flush_during(vram, current, FlushReason::BatchFull);
        }
        if current.reads(&self.pending(), vram) {
            self.flush_during(vram, current, FlushReason::TextureRead);
        }
        if self.batch.is_empty() {
            self.batch.recycle();
            current.state_index = None;
        }
        let state_index = match current.state_index {
            Some(index) => index,
            None => self.enter_state(vram, current),
        };
        let pipeline = &self.batch.states[state_index as usize].pipeline;
        let cost = current.texture_cost(pipeline.writes_color, pipeline.writes_depth, vram);
        self.allowance = self.allowance.saturating_sub(cost);
        self.fresh.clear();
        set_up(state_index, &mut self.batch.attributes, &mut self.fresh);
        if self.fresh.is_empty() {
            self.statistics.invisible_primitives += 1;
        }
        let fresh = std::mem::take(&mut self.fresh);
        for &(record, bases) in &fresh {
            let area = batch::rectangle(&record);
            let pixels = i64::from(area.right - area.left) * i64::from(area.bottom - area.top);
            self.allowance = self.allowance.saturating_sub(u64::try_from(pixels).unwrap_or(0));
            self.place(vram, current, record, bases);
        }
        self.fresh = fresh;
    }

    /// Enters the state of the current draw in the batch, with its texture as it is now.
    fn enter_state(&mut self, vram: &mut Vram, current: &mut CurrentDraw<'_>) -> u32 {
        let known = current.texture.take().filter(|texture| {
            // What only the GPU has is good until everything is fetched.
            !texture.is_on_device() || current.settlements == self.settlements()
        });
        let on_gpu = match (&known, current.source_in_vram()) {
            (None, Some((source, levels))) => self.decode_on_gpu(vram, source, levels),
            _ => None,
        };
        current.settlements = self.settlements();
        let texture = match known.or(on_gpu) {
            Some(texture) => texture,
            None => {
                for range in current.vram_ranges() {
                    self.settle_range(vram, range);
                }
                current.find_texture(&mut self.textures, vram, &mut self.statistics)
            }
        };
        if !self.batch.is_empty() && !self.batch.has_room_for_state(&self.capacity(), &texture) {
            self.draw_pending(vram, FlushReason::BatchFull);
            self.batch.recycle();
        }
        let index = self
            .batch
            .state_index(current.draw.state, &texture, || current.sampler(&texture));
        current.texture = Some(texture);
        current.state_index = Some(index);
        index
    }

    /// Draws what is pending in the course of a draw, whose texture may change by it.
    fn flush_during(&mut self, vram: &mut Vram, current: &mut CurrentDraw<'_>, reason: FlushReason) {
        current.note_written(&self.pending(), vram);
        self.draw_pending(vram, reason);
    }

    /// Adds a record to the bins, or draws it where that would be wrong.
    fn place(&mut self, vram: &mut Vram, current: &mut CurrentDraw<'_>, record: Primitive, bases: EdgeBases) {
        let pipeline = &self.batch.states[record.state as usize].pipeline;
        let uses_depth = pipeline.uses_depth();
        let alone = PendingWrites {
            target: self.batch.target,
            area: batch::rectangle(&record),
            color: pipeline.writes_color,
            depth: pipeline.writes_depth,
        };
        let watched = |watch: &Watch| watch.is_covered_by(&self.batch.target, &record, bases);
        if self.watch.as_ref().is_some_and(watched) {
            self.flush_during(vram, current, FlushReason::ProcessorRead);
            current.note_written(&alone, vram);
            return self.draw_by_reference(vram, current, &record, bases);
        }
        let together = PendingWrites {
            area: self.batch.area.union(alone.area),
            ..alone
        };
        let grows = together.area != self.batch.area || (uses_depth && !self.batch.uses_depth);
        if grows && together.overlap_themselves(uses_depth || self.batch.uses_depth, vram.translation()) {
            self.flush_during(vram, current, FlushReason::OverlappingTarget);
            if alone.overlap_themselves(uses_depth, vram.translation()) {
                self.statistics.count_flush(FlushReason::OverlappingTarget);
                current.note_written(&alone, vram);
                return self.draw_by_reference(vram, current, &record, bases);
            }
        }
        match self.tuning.method {
            Method::Tiles => {
                if !self.batch.has_room_for(&self.capacity(), &record) {
                    self.flush_during(vram, current, FlushReason::BatchFull);
                }
                self.batch.add(record, bases);
            }
            Method::Reference => {
                current.note_written(&alone, vram);
                self.draw_by_reference(vram, current, &record, bases);
            }
        }
    }

    /// Draws a record with the reference kernel, row after row, so that each pixel sees what the ones before it wrote.
    fn draw_by_reference(
        &mut self,
        vram: &mut Vram,
        current: &CurrentDraw<'_>,
        record: &Primitive,
        bases: EdgeBases,
    ) {
        self.settle_for_primitive(vram);
        let target = &self.batch.target;
        let state = &self.batch.states[record.state as usize];
        let mut counts = PixelCounts::default();
        for y in i32::from(record.top)..i32::from(record.bottom) {
            for x in i32::from(record.left)..i32::from(record.right) {
                if !reference::covers(record, bases, x, y) {
                    continue;
                }
                let pixel = Pixel {
                    primitive: record,
                    attributes: &self.batch.attributes,
                    state,
                    x,
                    y,
                };
                let stored = reference::load(vram, target, x, y);
                let watch = self.watch.as_mut().filter(|watch| watch.is_at(target, x, y));
                let mut steps = Steps::default();
                let shaded = match &watch {
                    Some(_) => reference::shade(pixel, stored, &mut steps),
                    None => reference::shade(pixel, stored, &mut ()),
                };
                reference::store(vram, target, (x, y), shaded.stored, &state.pipeline);
                counts.covered += 1;
                counts.passed += u64::from(shaded.passed);
                let Some(watch) = watch else { continue };
                watch.fragments.push(Fragment {
                    kind: PrimitiveKind::of(&current.draw.primitives),
                    primitive: current.primitive,
                    position: [x as u16, y as u16],
                    steps: steps.0,
                    passed: shaded.passed,
                    written_bits: state.pipeline.written_bits(),
                    before: PixelValue::new(stored, target.format),
                    after: PixelValue::new(reference::load(vram, target, x, y), target.format),
                });
            }
        }
        self.count_pixels(counts);
    }
}
