//! Comparisons that must find something, and what they find.
use formats::capture::Capture;
use raster::{Profile, Rasterizer, Threads};
use replay::{ReplayOptions, Replayer};

use super::*;
use crate::model::{Companions, Model};
use crate::record::Recorder;
use crate::render::{RenderOptions, Renderer};
use crate::scene::Scene;

/// The sample creature as a capture.
fn capture() -> Capture {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models/wyvern.pac");
    let model = Model::open(&path, &Companions::default(), None).expect("the sample");
    let mut renderer = Renderer::new(&model, RenderOptions::default()).expect("a renderer");
    let take = renderer.bind();
    let mut recorder = Recorder::new(Scene::DISPLAY);
    renderer
        .draw_observed(&take, 0.0, &mut recorder)
        .expect("a picture");
    recorder.finish().expect("a capture")
}

/// Replays whose second side draws another profile's pixels: a back end with a fault.
struct Faulty {
    capture: Capture,
    second: Profile,
}

impl Drawing for Faulty {
    fn draw(&mut self, side: Side, follower: &mut Follower<'_>) -> Result<Box<[u8]>, HarnessError> {
        let mut replayer = Replayer::new(&self.capture, ReplayOptions::default());
        if side == Side::Second {
            let rasterizer = Rasterizer::new(self.second, Threads::Automatic);
            replayer.ge_mut().set_rasterizer(rasterizer);
        }
        // Being stopped is no failure here.
        let _ = replayer.run_with(follower);
        Ok(replayer.ge_mut().memory().vram().bytes().into())
    }
}

#[test]
fn the_same_is_the_same() {
    let mut drawing = Faulty {
        capture: capture(),
        second: Profile::Hardware,
    };
    for thoroughness in [Thoroughness::End, Thoroughness::EveryDraw] {
        let outcome = compare(&mut drawing, thoroughness).expect("a comparison");
        assert_eq!(outcome.parting, None);
        assert!(outcome.draws > 5, "{outcome:?}");
    }
}

#[test]
fn a_fault_is_found_where_it_first_shows() {
    let mut drawing = Faulty {
        capture: capture(),
        second: Profile::Ppsspp,
    };
    let outcome = compare(&mut drawing, Thoroughness::End).expect("a comparison");
    let parting = outcome.parting.expect("other pixels");
    let draw = parting.draw.expect("a draw");
    assert!(parting.bytes > 0 && parting.first != parting.second);
    assert!(parting.place.pixel.is_some(), "{parting:?}");
    // Until that draw all is the same.
    let mut until = |side| {
        let mut at_draw = Vec::new();
        let mut look = |ge: &mut Ge, number: u64, _: &PixelState| {
            if number + 1 == draw {
                at_draw = ge.memory().vram().bytes().to_vec();
            }
            ControlFlow::Continue(())
        };
        drawing
            .draw(side, &mut Follower::new(Some(&mut look)))
            .expect("a drawing");
        at_draw
    };
    assert!(until(Side::First) == until(Side::Second));
}
