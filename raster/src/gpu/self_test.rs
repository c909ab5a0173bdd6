//! Whether a device computes integers as the kernel needs them: some drivers' compilers do not
//! (spec/gpu-notes.md §7.2).

use super::buffers::buffer;
use super::device::{Gpu, READ, WRITTEN, layout_of, pipeline};
use super::error::{GpuError, one_line};
use crate::reference::{by_reciprocal as quotient_by_reciprocal, exact, exact_finer};

const SHADER: &str = concat!(
    include_str!("shader/wide.wgsl"),
    include_str!("shader/quotient.wgsl"),
    include_str!("shader/self_test.wgsl"),
);

/// What an input gives, in the order of the shader.
const OPERATIONS: [&str; 16] = [
    "a sum",
    "a product",
    "a shift to the right",
    "a shift to the left",
    "a signed bit field",
    "a bit field",
    "leading zeros",
    "trailing zeros",
    "a quotient",
    "a clamped number",
    "the low word of a product",
    "the high word of a product",
    "a quotient by reciprocal",
    "an exact quotient",
    "the low word of a finer quotient",
    "the high word of a finer quotient",
];

type Input = [u32; 4];

/// Ends of ranges in all combinations of the first two words, and others between.
fn inputs() -> Vec<Input> {
    const ENDS: [u32; 12] = [
        0,
        1,
        2,
        0x7FFF,
        0xFFFF,
        0x1_0000,
        0x1234_5678,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_FFFE,
        0xFFFF_FFFF,
    ];
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
        state ^ (state >> 15)
    };
    let mut inputs = Vec::new();
    for a in ENDS {
        for b in ENDS {
            inputs.push([a, b, next(), b ^ (next() >> 20)]);
            inputs.push([next(), a, b, next() >> (a & 31)]);
        }
    }
    inputs
}

fn expected([a, b, c, d]: Input) -> [u32; 16] {
    let shift = c & 31;
    let signed = a as i32;
    let field = |bits: u32| (a >> (shift & 15)) & ((1 << bits) - 1);
    let wide = u64::from(a) * u64::from(b);
    let (numerator, denominator) = (
        ((u64::from(b) << 32) | u64::from(a)) as i64,
        ((u64::from(d) << 32) | u64::from(c)) as i64,
    );
    let by = shift as i32 - 16;
    let finer = exact_finer(numerator, denominator, by, 8);
    [
        a.wrapping_add(b),
        a.wrapping_mul(b),
        (signed >> shift) as u32,
        a << shift,
        ((field(4) << 28) as i32 >> 28) as u32,
        field(7),
        a.leading_zeros(),
        a.trailing_zeros(),
        a / (b | 1),
        signed.clamp(-1000, 1000) as u32,
        wide as u32,
        (wide >> 32) as u32,
        quotient_by_reciprocal(numerator, denominator, by) as u32,
        exact(numerator, denominator, by) as u32,
        finer as u32,
        (finer >> 32) as u32,
    ]
}

impl Gpu {
    /// Has the device compute what the kernel builds on, and compares it with what is right.
    ///
    /// # Errors
    /// [`GpuError::WrongArithmetic`], or what a device that is lost or refuses gives.
    pub fn self_test(&self) -> Result<(), GpuError> {
        let inputs = inputs();
        let found = self.compute(&inputs)?;
        for (input, found) in inputs.iter().zip(found.chunks_exact(OPERATIONS.len())) {
            let right = expected(*input);
            for ((operation, &found), expected) in OPERATIONS.iter().zip(found).zip(right) {
                if found != expected {
                    return Err(GpuError::WrongArithmetic {
                        adapter: self.adapter().name.clone(),
                        operation,
                        found,
                        expected,
                    });
                }
            }
        }
        Ok(())
    }

    fn compute(&self, inputs: &[Input]) -> Result<Vec<u32>, GpuError> {
        let shared = self.shared();
        let device = &shared.device;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let layout = layout_of(device, "self-test", &[READ, WRITTEN]);
        let pipeline = pipeline(device, &layout, SHADER, "self_test");
        let results_size = (size_of::<[u32; OPERATIONS.len()]>() * inputs.len()) as u64;
        let usages = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let sources = buffer(shared, "inputs", usages, size_of_val(inputs) as u64);
        let usages = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let results = buffer(shared, "results", usages, results_size);
        let usages = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let staging = buffer(shared, "results read", usages, results_size);
        let bind_group = shared.bind_group(&layout, &[&sources, &results]);
        shared
            .queue
            .write_buffer(&sources, 0, bytemuck::cast_slice(inputs));
        shared.dispatch(&pipeline, &bind_group, [(inputs.len() as u32).div_ceil(64), 1]);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&results, 0, &staging, 0, results_size);
        shared.queue.submit([encoder.finish()]);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(GpuError::Refused {
                adapter: self.adapter().name.clone(),
                reason: one_line(error),
            });
        }
        let bytes = self.read(&staging, results_size)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_reach_the_ends() {
        let inputs = inputs();
        assert!(
            inputs
                .iter()
                .any(|input| input[0] == u32::MAX && input[1] == u32::MAX)
        );
        assert!(inputs.iter().any(|input| input[2] == 0 && input[3] == 0));
        let quotients = inputs.iter().map(|&input| expected(input)[13] as i32);
        let ends: Vec<i32> = quotients.filter(|quotient| quotient.abs() == 1 << 30).collect();
        assert!(ends.iter().any(|&end| end > 0) && ends.iter().any(|&end| end < 0));
    }
}
