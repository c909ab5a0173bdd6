//! The window: events come in, frames go out, and it sleeps while nothing changes.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::ModifiersState;
use winit::window::{Fullscreen, Window, WindowId};

use super::gpu::{Gpu, Painted};
use super::keys::Action;
use super::mailbox::Mailbox;
use super::panels::{self, Panels};
use super::recorded::{self, Question};
use super::strokes::pressed;
use super::thread::Thread;
use super::viewer::{Effect, Viewer};
use super::worker::{self, Reply, Task};
use crate::error::HarnessError;

/// Points of the window at first, and at least.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 800.0);
const SMALLEST: LogicalSize<f64> = LogicalSize::new(640.0, 420.0);
/// Frames a second where the display does not tell.
const USUAL_RATE: f64 = 60.0;

/// Shows a viewer in a window until it is closed. What is written is told on `out`.
///
/// # Errors
/// No display, no graphics adapter, or one that fails.
pub fn run(viewer: Viewer, out: &mut dyn Write) -> Result<(), HarnessError> {
    let event_loop = event_loop().map_err(|error| no_window(&error))?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let proxy = event_loop.create_proxy();
    let painter = Thread::start("rasteriser", &proxy, worker::work)?;
    let teller = Thread::start("histories", &proxy, recorded::answer)?;
    let mut app = App {
        viewer,
        out,
        pictures: Arc::clone(&painter.mailbox),
        questions: Arc::clone(&teller.mailbox),
        open: None,
        modifiers: ModifiersState::empty(),
        leaving: false,
        failure: None,
    };
    let ended = event_loop.run_app(&mut app);
    let failure = app.failure.take();
    drop(app);
    // What is being written is written to its end; nobody waits for histories.
    painter.finish();
    teller.mailbox.close();
    match failure {
        Some(error) => Err(error),
        None => ended.map_err(|error| no_window(&error)),
    }
}

fn event_loop() -> Result<EventLoop<Reply>, winit::error::EventLoopError> {
    let mut builder = EventLoop::with_user_event();
    #[cfg(target_os = "linux")]
    if std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty()) {
        // Files can be dropped on windows of X11 alone.
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    builder.build()
}

fn no_window(error: &impl std::fmt::Display) -> HarnessError {
    let text = error.to_string();
    // The library tells where in its source it failed, which helps nobody.
    let line = text.rsplit("rs:").next().unwrap_or(&text);
    let line = line.split_once(": ").map_or(line, |(_, message)| message);
    HarnessError::refused(
        "no window",
        line.lines().next().unwrap_or_default(),
        "a display is needed, such as X11's in DISPLAY; ge-harness render and replay draw into files without one",
    )
}

struct App<'a> {
    viewer: Viewer,
    out: &'a mut dyn Write,
    pictures: Arc<Mailbox<Task>>,
    questions: Arc<Mailbox<Question>>,
    open: Option<Open>,
    modifiers: ModifiersState,
    /// Whether the window closes as soon as nothing is being written.
    leaving: bool,
    failure: Option<HarnessError>,
}

/// A window that is open.
struct Open {
    window: Arc<Window>,
    gpu: Gpu,
    context: egui::Context,
    input: egui_winit::State,
    panels: Panels,
    title: String,
    /// When the window was last painted.
    painted: Option<Instant>,
    /// When the panels want to be painted without an event, such as in a tooltip's delay.
    paint_at: Option<Instant>,
    /// When time was last let pass, while it runs.
    ticked: Option<Instant>,
}

impl Open {
    fn new(event_loop: &ActiveEventLoop) -> Result<Self, HarnessError> {
        let attributes = Window::default_attributes()
            .with_title("ge-harness")
            .with_inner_size(SIZE)
            .with_min_inner_size(SMALLEST);
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| no_window(&error))?;
        let window = Arc::new(window);
        let gpu = Gpu::new(Arc::clone(&window), event_loop.owned_display_handle())?;
        let context = egui::Context::default();
        panels::dress(&context);
        let input = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(gpu.longest_side()),
        );
        Ok(Self {
            window,
            gpu,
            context,
            input,
            panels: Panels::default(),
            title: String::new(),
            painted: None,
            paint_at: None,
            ticked: None,
        })
    }

    /// How long a frame of the display is.
    fn frame_time(&self) -> Duration {
        let rate = self
            .window
            .current_monitor()
            .and_then(|monitor| monitor.refresh_rate_millihertz())
            .map_or(USUAL_RATE, |rate| f64::from(rate) / 1000.0);
        Duration::from_secs_f64(1.0 / rate.clamp(10.0, 500.0))
    }

    fn retitle(&mut self, viewer: &Viewer) {
        let name = viewer.path().file_name().unwrap_or_default().to_string_lossy();
        if self.title != name {
            self.title = name.into_owned();
            self.window.set_title(&format!("{} - ge-harness", self.title));
        }
    }
}

impl App<'_> {
    /// Hands out the work that has come up.
    fn hand_out(&mut self) {
        for task in self.viewer.take_tasks() {
            self.pictures.push(task);
        }
        if let Some(shot) = self.viewer.wanted() {
            self.pictures.replace(Task::Draw(shot));
        }
        for question in self.viewer.take_questions() {
            self.questions.push(question);
        }
        if let Some(question) = self.viewer.wanted_history() {
            self.questions.replace(question);
        }
    }

    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        match (self.viewer.act(action), &self.open) {
            (Some(Effect::Quit), _) => self.leave(event_loop),
            (Some(Effect::FullScreen), Some(open)) => {
                let next = match open.window.fullscreen() {
                    Some(_) => None,
                    None => Some(Fullscreen::Borderless(None)),
                };
                open.window.set_fullscreen(next);
            }
            _ => {}
        }
    }

    /// Closes the window, once every picture that was asked for is written and told of.
    fn leave(&mut self, event_loop: &ActiveEventLoop) {
        self.leaving = true;
        if !self.viewer.is_saving() {
            event_loop.exit();
        }
    }

    fn paint(&mut self, event_loop: &ActiveEventLoop) -> Result<(), HarnessError> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let now = Instant::now();
        if self.viewer.is_playing() {
            let since = open.ticked.replace(now).map_or(Duration::ZERO, |then| now - then);
            self.viewer.advance(since.as_secs_f64());
        } else {
            open.ticked = None;
        }
        open.retitle(&self.viewer);
        let input = open.input.take_egui_input(&open.window);
        let (viewer, panels) = (&mut self.viewer, &mut open.panels);
        let mut actions = Vec::new();
        let output = open
            .context
            .run_ui(input, |ui| actions.extend(panels.show(ui, viewer)));
        open.input
            .handle_platform_output(&open.window, output.platform_output);
        let shapes = open.context.tessellate(output.shapes, output.pixels_per_point);
        let painted = open
            .gpu
            .paint(&shapes, output.textures_delta, output.pixels_per_point)?;
        open.painted = Some(now);
        let delay = output
            .viewport_output
            .get(&egui::ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        open.paint_at = match painted {
            Painted::Again => Some(now),
            // Panels that move are painted at the display's rate, not as fast as can be.
            Painted::Done | Painted::Unseen => now.checked_add(delay.max(open.frame_time())),
        };
        for action in actions {
            self.act(event_loop, action);
        }
        self.hand_out();
        Ok(())
    }

    /// When to paint next though nothing happens; `None` for never.
    fn next_paint(&self) -> Option<Instant> {
        let open = self.open.as_ref()?;
        if !self.viewer.is_playing() {
            return open.paint_at;
        }
        // The surface waits for the display itself, where it can; waking early leaves that to it.
        let painted = open
            .painted
            .map(|painted| painted + open.frame_time().mul_f64(0.75));
        painted.into_iter().chain(open.paint_at).min()
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: HarnessError) {
        self.failure.get_or_insert(error);
        event_loop.exit();
    }

    fn redraw_soon(&self) {
        if let Some(open) = &self.open {
            open.window.request_redraw();
        }
    }
}

impl ApplicationHandler<Reply> for App<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_none() {
            match Open::new(event_loop) {
                Ok(open) => self.open = Some(open),
                Err(error) => return self.fail(event_loop, error),
            }
        }
        self.hand_out();
        self.redraw_soon();
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, reply: Reply) {
        if let Reply::Saved { path, command } = &reply {
            // Nothing is lost with a reader that went away: the window says it too.
            let _ = tell(self.out, path, command.as_deref());
        }
        self.viewer.hear(reply);
        if self.leaving {
            self.leave(event_loop);
        }
        self.hand_out();
        self.redraw_soon();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        if let WindowEvent::KeyboardInput { event, .. } = &event
            && let Some(action) = pressed(event, self.modifiers, self.viewer.scope())
        {
            self.act(event_loop, action);
            self.hand_out();
            return self.redraw_soon();
        }
        let response = open.input.on_window_event(&open.window, &event);
        match event {
            WindowEvent::CloseRequested => self.leave(event_loop),
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::Resized(size) => {
                open.gpu.resize(size.into());
                open.window.request_redraw();
            }
            WindowEvent::DroppedFile(path) => {
                self.viewer.drop_file(path);
                self.hand_out();
                self.redraw_soon();
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.paint(event_loop) {
                    self.fail(event_loop, error);
                }
            }
            _ if response.repaint => open.window.request_redraw(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let next = self.next_paint();
        event_loop.set_control_flow(match next {
            Some(next) if next <= Instant::now() => {
                if let Some(open) = &mut self.open {
                    open.paint_at = None;
                    open.painted = Some(Instant::now());
                    open.window.request_redraw();
                }
                ControlFlow::Wait
            }
            Some(next) => ControlFlow::WaitUntil(next),
            None => ControlFlow::Wait,
        });
    }
}

/// Tells which picture was written, and the command that draws it too.
fn tell(out: &mut dyn Write, path: &Path, command: Option<&str>) -> std::io::Result<()> {
    writeln!(out, "wrote {}", path.display())?;
    if let Some(command) = command {
        writeln!(out, "  {command}")?;
    }
    out.flush()
}
