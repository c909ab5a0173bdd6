//! A GPU that is open: its device, its pipeline, and what fits into its buffers.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::adapter::{self, AdapterChoice, AdapterDescription};
use super::decode::DecodePipeline;
use super::error::{GpuError, one_line};
use super::records::StateRecord;
use super::variant::Variant;
use crate::batch::Capacity;
use crate::setup::{Primitive, Visit};
use crate::vram::Vram;

/// How long a device may be silent before it is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Storage buffers of the kernel: as many as WebGPU promises.
const STORAGE_BUFFERS: u32 = 8;

/// The kernel's buffers, in the order of shader/bindings.wgsl.
const BINDINGS: [wgpu::BufferBindingType; STORAGE_BUFFERS as usize + 1] = [
    WRITTEN,
    READ,
    READ,
    READ,
    READ,
    READ,
    READ,
    WRITTEN,
    wgpu::BufferBindingType::Uniform,
];

/// The shader, a file for each part.
const SHADER: &str = concat!(
    include_str!("shader/bindings.wgsl"),
    include_str!("shader/wide.wgsl"),
    include_str!("shader/planes.wgsl"),
    include_str!("shader/quotient.wgsl"),
    include_str!("shader/sample.wgsl"),
    include_str!("shader/color.wgsl"),
    include_str!("shader/translation.wgsl"),
    include_str!("shader/vram.wgsl"),
    include_str!("shader/write.wgsl"),
    include_str!("shader/draw.wgsl"),
);

/// What may be chosen about a GPU, without a pixel changing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GpuOptions {
    /// Which adapter.
    pub adapter: AdapterChoice,
    /// Bytes that a buffer may have at most, to behave as a small adapter does; the adapter's own limit
    /// when `None`.
    pub largest_binding: Option<u64>,
}

/// What the largest buffer must at least hold: VRAM and the counters, to be fetched.
const SMALLEST_BUFFER: u64 = Vram::SIZE as u64 + 4096;

/// More than 64 MiB a buffer are not asked for.
const LARGEST_BUFFER: u64 = 64 << 20;

/// What fits into buffers of a size.
fn capacity(largest_binding: u64) -> Capacity {
    let bytes = largest_binding.min(LARGEST_BUFFER) as usize;
    Capacity {
        primitives: bytes / size_of::<Primitive>(),
        visits: bytes / size_of::<Visit>(),
        attributes: bytes / size_of::<u32>(),
        states: bytes / size_of::<StateRecord>(),
        // The rest is for textures that the device decoded.
        texels: bytes / size_of::<u32>() / 2,
    }
}

/// A GPU that is ready to draw. Clones share it, and so may any number of [`crate::Rasterizer`]s and
/// threads.
///
/// ```no_run
/// use raster::{Gpu, GpuOptions, Profile, Rasterizer, Tuning};
///
/// # fn main() -> Result<(), raster::GpuError> {
/// let gpu = Gpu::open(&GpuOptions::default())?;
/// // Drivers differ: this one should compute as the kernel needs it.
/// gpu.self_test()?;
/// let rasterizer = Rasterizer::with_gpu(Profile::Hardware, Tuning::default(), gpu);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Gpu {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) layout: wgpu::BindGroupLayout,
    /// The kernel's variants, built when they are first used.
    pipelines: [OnceLock<wgpu::ComputePipeline>; Variant::ALL.len()],
    module: wgpu::ShaderModule,
    pub(super) decode: DecodePipeline,
    pub(super) capacity: Capacity,
    /// Texels that the heap may hold.
    pub(super) heap_texels: usize,
    description: AdapterDescription,
    /// Why the device is gone.
    lost: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens an adapter and builds the shader.
    ///
    /// # Errors
    /// [`GpuError`] where there is no such adapter, where it is too small (it must hold VRAM's 2 MiB in a
    /// buffer, and give a shader eight of them), or where its driver refuses.
    pub fn open(options: &GpuOptions) -> Result<Self, GpuError> {
        let (adapter, description) = adapter::find(&options.adapter)?;
        let offered = adapter.limits();
        let too_small = |what, found: u64, needed: u64| {
            (found < needed).then(|| GpuError::TooSmall {
                adapter: description.name.clone(),
                what,
                found,
                needed,
            })
        };
        let largest_binding = offered
            .max_storage_buffer_binding_size
            .min(options.largest_binding.unwrap_or(u64::MAX));
        let checks = [
            ("bytes of a storage buffer", largest_binding, Vram::SIZE as u64),
            ("bytes of a buffer", offered.max_buffer_size, SMALLEST_BUFFER),
            (
                "storage buffers of a shader",
                offered.max_storage_buffers_per_shader_stage.into(),
                STORAGE_BUFFERS.into(),
            ),
            (
                "invocations of a workgroup",
                offered.max_compute_invocations_per_workgroup.into(),
                64,
            ),
            (
                "workgroups of a dispatch",
                offered.max_compute_workgroups_per_dimension.into(),
                16384,
            ),
        ];
        if let Some(error) = checks
            .into_iter()
            .find_map(|(what, found, needed)| too_small(what, found, needed))
        {
            return Err(error);
        }
        let refused = |reason: String| GpuError::Refused {
            adapter: description.name.clone(),
            reason,
        };
        let limits = wgpu::Limits {
            max_storage_buffers_per_shader_stage: STORAGE_BUFFERS,
            max_storage_buffer_binding_size: largest_binding,
            max_buffer_size: offered.max_buffer_size,
            ..wgpu::Limits::downlevel_defaults()
        }
        .or_worse_values_from(&offered);
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("rasteriser"),
            required_limits: limits,
            memory_hints: wgpu::MemoryHints::Performance,
            ..wgpu::DeviceDescriptor::default()
        });
        let (device, queue) = pollster::block_on(request).map_err(|error| refused(one_line(error)))?;
        let lost = Arc::new(Mutex::new(None));
        note_losses(&device, &lost);

        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let layout = layout_of(&device, "batch", &BINDINGS);
        let module = shader_module(&device, SHADER, "draw_tile");
        let decode = DecodePipeline::new(&device);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(refused(one_line(error)));
        }
        Ok(Self {
            shared: Arc::new(Shared {
                device,
                queue,
                layout,
                pipelines: Default::default(),
                module,
                decode,
                capacity: capacity(largest_binding),
                heap_texels: 2 * capacity(largest_binding).texels,
                description,
                lost,
            }),
        })
    }

    /// The adapter that draws.
    #[must_use]
    pub fn adapter(&self) -> &AdapterDescription {
        &self.shared.description
    }

    /// Whether the device still answers; a lost one does not come back.
    ///
    /// # Errors
    /// [`GpuError::Lost`], with the driver's reason.
    pub fn check(&self) -> Result<(), GpuError> {
        match &*self
            .shared
            .lost
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
        {
            None => Ok(()),
            Some(reason) => Err(self.lost(reason.clone())),
        }
    }

    /// Gives the device up, as a driver that crashes would: for tests of what comes then.
    pub fn lose(&self) {
        self.shared.device.destroy();
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    fn lost(&self, reason: String) -> GpuError {
        GpuError::Lost {
            adapter: self.shared.description.name.clone(),
            reason,
        }
    }

    /// The bytes of a buffer that can be mapped, when all that was submitted is done.
    pub(super) fn read(&self, buffer: &wgpu::Buffer, length: u64) -> Result<wgpu::BufferView, GpuError> {
        self.check()?;
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, ..length, move |result| {
            // Nobody may be listening any more, which is all right.
            let _ = sender.send(result);
        });
        let waited = self.shared.device.poll(wgpu::PollType::Wait {
            submission_index: None,
            timeout: Some(PATIENCE),
        });
        self.check()?;
        waited.map_err(|error| self.lost(one_line(error)))?;
        // Another thread that polls may still be about to call back.
        match receiver.recv_timeout(PATIENCE) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(self.lost(one_line(error))),
            Err(_) => return Err(self.lost("a buffer is not mapped in time".to_owned())),
        }
        buffer
            .get_mapped_range(..length)
            .map_err(|error| self.lost(one_line(error)))
    }
}

/// Has a device that is lost, or that refuses what it was told, write down why, instead of ending the process.
fn note_losses(device: &wgpu::Device, lost: &Arc<Mutex<Option<String>>>) {
    let note = |lost: &Mutex<Option<String>>, reason: String| {
        let mut place = lost.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        place.get_or_insert(one_line(reason));
    };
    let by_callback = Arc::clone(lost);
    device.set_device_lost_callback(move |reason, words| {
        note(&by_callback, format!("{reason:?} {words}"));
    });
    let by_error = Arc::clone(lost);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        note(&by_error, error.to_string());
    }));
}

pub(super) const READ: wgpu::BufferBindingType = wgpu::BufferBindingType::Storage { read_only: true };
pub(super) const WRITTEN: wgpu::BufferBindingType = wgpu::BufferBindingType::Storage { read_only: false };

/// A bind group of buffers.
pub(super) fn layout_of(
    device: &wgpu::Device,
    label: &str,
    buffers: &[wgpu::BufferBindingType],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

impl Shared {
    /// Buffers, bound in their order.
    pub(super) fn bind_group(
        &self,
        layout: &wgpu::BindGroupLayout,
        buffers: &[&wgpu::Buffer],
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    }

    /// Runs a pipeline in a submission of its own.
    pub(super) fn dispatch(
        &self,
        pipeline: &wgpu::ComputePipeline,
        bind_group: &wgpu::BindGroup,
        groups: [u32; 2],
    ) {
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bind_group, &[]);
            pass.dispatch_workgroups(groups[0], groups[1], 1);
        }
        self.queue.submit([encoder.finish()]);
    }

    /// A variant of the kernel.
    pub(super) fn pipeline(&self, variant: Variant) -> &wgpu::ComputePipeline {
        self.pipelines[variant as usize].get_or_init(|| {
            pipeline_of(
                &self.device,
                &self.layout,
                &self.module,
                "draw_tile",
                &variant.constants(),
            )
        })
    }
}

fn shader_module(device: &wgpu::Device, source: &str, label: &str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

/// A pipeline with one bind group.
pub(super) fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    source: &str,
    entry_point: &str,
) -> wgpu::ComputePipeline {
    let module = shader_module(device, source, entry_point);
    pipeline_of(device, layout, &module, entry_point, &[])
}

fn pipeline_of(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(entry_point),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry_point),
        layout: Some(&layout),
        module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants,
            ..wgpu::PipelineCompilationOptions::default()
        },
        cache: None,
    })
}
