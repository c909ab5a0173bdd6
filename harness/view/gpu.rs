//! The window's surface: the only module that speaks to the graphics adapter.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{ClippedPrimitive, TexturesDelta};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use crate::error::HarnessError;

/// The surface of a window, with what paints on it.
pub(super) struct Gpu {
    instance: wgpu::Instance,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    configuration: wgpu::SurfaceConfiguration,
    renderer: Renderer,
    /// What the adapter reported and nobody waited for.
    trouble: Arc<Mutex<Option<String>>>,
}

/// What came of painting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Painted {
    /// It is on its way to the screen.
    Done,
    /// Nothing is seen of the window, so nothing was painted.
    Unseen,
    /// The surface was made anew: paint again.
    Again,
}

/// What to do without an adapter.
const HINT: &str = "install a Vulkan driver, such as mesa-vulkan-drivers, which draws in software too; \
                    ge-harness render and replay need none";

fn failed(error: impl std::fmt::Display) -> HarnessError {
    let line = error.to_string().lines().next().unwrap_or_default().to_owned();
    HarnessError::refused("no graphics adapter for a window", line, HINT)
}

impl Gpu {
    /// The surface of a window on the first adapter that can show something there.
    ///
    /// # Errors
    /// No such adapter, or one that fails.
    pub(super) fn new(window: Arc<Window>, display: OwnedDisplayHandle) -> Result<Self, HarnessError> {
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(display));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(&window)).map_err(failed)?;
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::LowPower,
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options)).map_err(failed)?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("ge-harness view"),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(failed)?;
        let trouble = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }));
        let size = window.inner_size();
        let mut configuration = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| failed("the adapter cannot show pictures in windows"))?;
        // Colours are written as they are, so that pixels arrive unchanged.
        let formats = surface.get_capabilities(&adapter).formats;
        let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
        if let Some(format) = plain.into_iter().find(|format| formats.contains(format)) {
            configuration.format = format;
        }
        configuration.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&device, &configuration);
        let options = RendererOptions {
            dithering: false,
            ..Default::default()
        };
        let renderer = Renderer::new(&device, configuration.format, options);
        Ok(Self {
            instance,
            window,
            surface,
            device,
            queue,
            configuration,
            renderer,
            trouble,
        })
    }

    /// The longest side of a texture.
    pub(super) fn longest_side(&self) -> usize {
        self.device.limits().max_texture_dimension_2d as usize
    }

    /// Takes over the window's size.
    pub(super) fn resize(&mut self, [width, height]: [u32; 2]) {
        let longest = self.device.limits().max_texture_dimension_2d;
        if width > 0 && height > 0 {
            self.configuration.width = width.min(longest);
            self.configuration.height = height.min(longest);
            self.surface.configure(&self.device, &self.configuration);
        }
    }

    /// Paints the window.
    ///
    /// # Errors
    /// What the adapter reports.
    pub(super) fn paint(
        &mut self,
        shapes: &[ClippedPrimitive],
        mut textures: TexturesDelta,
        pixels_per_point: f32,
    ) -> Result<Painted, HarnessError> {
        // Textures are told once, whether the window is seen or not.
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.renderer
                    .update_texture(&self.device, &self.queue, *id, delta);
            }
        }
        let painted = self.paint_shapes(shapes, pixels_per_point);
        for id in &textures.free {
            self.renderer.free_texture(id);
        }
        textures.clear();
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
        match trouble {
            Some(trouble) => Err(failed(trouble)),
            None => painted,
        }
    }

    fn paint_shapes(
        &mut self,
        shapes: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) -> Result<Painted, HarnessError> {
        use wgpu::CurrentSurfaceTexture as Current;
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            Current::Timeout | Current::Occluded => return Ok(Painted::Unseen),
            Current::Outdated => {
                self.surface.configure(&self.device, &self.configuration);
                return Ok(Painted::Again);
            }
            Current::Lost => {
                self.surface = self
                    .instance
                    .create_surface(Arc::clone(&self.window))
                    .map_err(failed)?;
                self.surface.configure(&self.device, &self.configuration);
                return Ok(Painted::Again);
            }
            Current::Validation => return Ok(Painted::Unseen),
        };
        let screen = ScreenDescriptor {
            size_in_pixels: [self.configuration.width, self.configuration.height],
            pixels_per_point,
        };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut commands =
            self.renderer
                .update_buffers(&self.device, &self.queue, &mut encoder, shapes, &screen);
        let view = frame.texture.create_view(&Default::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("window"),
                color_attachments: &[Some(attachment)],
                ..Default::default()
            })
            .forget_lifetime();
        self.renderer.render(&mut pass, shapes, &screen);
        drop(pass);
        commands.push(encoder.finish());
        self.queue.submit(commands);
        self.window.pre_present_notify();
        self.queue.present(frame);
        Ok(Painted::Done)
    }
}
