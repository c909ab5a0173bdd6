//! A window to look through: models that move, recorded frames draw by draw.
//!
//! The picture is the rasteriser's and nothing else; the window scales it by whole numbers. What the viewer knows
//! ([`Viewer`]) and does to time, cameras and frames stands in modules that know of no window; `window`, `strokes`,
//! `thread`, `gpu` and `panels` are the only ones that do.

mod capture_state;
mod clock;
mod command;
mod gpu;
pub mod keys;
mod mailbox;
mod message;
mod model_state;
mod orbit;
mod panels;
mod recorded;
mod scale;
mod screenshot;
mod scrub;
mod strokes;
pub mod subject;
mod thread;
mod viewer;
mod window;
mod worker;

pub use capture_state::CaptureState;
pub use model_state::{ModelStart, ModelState, Played, played_of};
pub use viewer::{Habits, Showing, Viewer};
pub use window::run;
