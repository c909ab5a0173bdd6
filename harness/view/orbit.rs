//! Going round a model: what drags and the wheel do to the view.

use glam::DVec3;

use crate::scene::{Camera, FIELD_OF_VIEW, View};

/// Degrees that a drag over a picture's height turns.
const DEGREES_A_HEIGHT: f64 = 180.0;
/// Share of the distance that is left after a step of the wheel.
const STEP: f64 = 0.9;
/// The steepest look from above or below.
const STEEPEST: f64 = 89.0;
/// Distances stay between these: beyond them a GE's floats tell no points apart.
const DISTANCES: [f64; 2] = [0.1, 1e6];

/// A place that looks at a point from a direction and a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    yaw: f64,
    pitch: f64,
    distance: f64,
    target: DVec3,
}

impl Orbit {
    /// The orbit on which `camera` stands when it looks at what is as far as `middle`. A camera with another angle than
    /// the orbit's comes to stand where the target looks as large.
    #[must_use]
    pub fn of(camera: &Camera, middle: DVec3) -> Self {
        let [low, high] = DISTANCES;
        let depth = camera.back.dot(camera.eye - middle).clamp(low, high);
        Self {
            yaw: camera.back.x.atan2(camera.back.z).to_degrees(),
            pitch: camera
                .back
                .y
                .clamp(-1.0, 1.0)
                .asin()
                .to_degrees()
                .clamp(-STEEPEST, STEEPEST),
            distance: (depth * camera.tangent_y / tangent()).clamp(low, high),
            target: camera.eye - camera.back * depth,
        }
    }

    /// Turns with a drag, given in picture heights to the right and down: the model follows the hand.
    pub fn turn(&mut self, right: f64, down: f64) {
        self.yaw = (self.yaw - right * DEGREES_A_HEIGHT + 180.0).rem_euclid(360.0) - 180.0;
        self.pitch = (self.pitch + down * DEGREES_A_HEIGHT).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves sideways with a drag, given in picture heights to the right and down: the target follows the hand.
    pub fn pan(&mut self, right: f64, down: f64) {
        let camera = Camera::new(self.exact(), &[], 1.0);
        let height = 2.0 * tangent() * self.distance;
        let moved = self.target + (camera.up * down - camera.right * right) * height;
        if moved.is_finite() && moved.abs().max_element() < DISTANCES[1] {
            self.target = moved;
        }
    }

    /// Goes nearer by steps of the wheel, or away.
    pub fn zoom(&mut self, steps: f64) {
        let [low, high] = DISTANCES;
        self.distance = (self.distance * STEP.powf(steps)).clamp(low, high);
    }

    /// The view, in numbers short enough to be typed: `render --camera` takes them.
    #[must_use]
    pub fn view(&self) -> View {
        let rounded = |number: f64| {
            let rounded = (number * 100.0).round() / 100.0;
            // No minus before a zero.
            rounded + 0.0
        };
        View::Around {
            yaw: rounded(self.yaw),
            pitch: rounded(self.pitch),
            distance: rounded(self.distance),
            target: self.target.to_array().map(rounded),
        }
    }

    fn exact(&self) -> View {
        View::Around {
            yaw: self.yaw,
            pitch: self.pitch,
            distance: self.distance,
            target: self.target.to_array(),
        }
    }
}

/// Of half the vertical angle.
fn tangent() -> f64 {
    (FIELD_OF_VIEW / 2.0).to_radians().tan()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const POINTS: [Vec3; 3] = [
        Vec3::new(-300.0, 0.0, 40.0),
        Vec3::new(250.0, 420.0, -10.0),
        Vec3::new(10.0, 40.0, 800.0),
    ];
    const MIDDLE: DVec3 = DVec3::new(-25.0, 210.0, 395.0);

    fn camera(view: View) -> Camera {
        Camera::new(view, &POINTS, 480.0 / 272.0)
    }

    /// Where a point is seen, in half picture sizes from the middle.
    fn seen(camera: &Camera, point: DVec3) -> [f64; 2] {
        let offset = point - camera.eye;
        let depth = -camera.back.dot(offset);
        [
            camera.right.dot(offset) / (depth * camera.tangent_x),
            camera.up.dot(offset) / (depth * camera.tangent_y),
        ]
    }

    #[test]
    fn taking_hold_of_the_camera_moves_nothing() {
        for view in ["three-quarter", "left", "top", "-130,-40", "12,5,900"] {
            let before = camera(view.parse().unwrap());
            let after = camera(Orbit::of(&before, MIDDLE).view());
            for point in POINTS.map(|point| point.as_dvec3()) {
                let [before, after] = [seen(&before, point), seen(&after, point)];
                for (before, after) in before.into_iter().zip(after) {
                    assert!((before - after).abs() < 1e-3, "{view}: {before} {after}");
                }
            }
        }
    }

    #[test]
    fn another_angle_keeps_the_size_of_the_middle() {
        let before = camera(View::Game);
        let after = camera(Orbit::of(&before, MIDDLE).view());
        let height = |camera: &Camera| {
            let up = seen(camera, MIDDLE + camera.up)[1] - seen(camera, MIDDLE)[1];
            assert!(up > 0.0);
            up
        };
        assert!((height(&before) / height(&after) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn turning_goes_round_and_stops_above() {
        let mut orbit = Orbit::of(&camera("front".parse().unwrap()), MIDDLE);
        orbit.turn(-0.5, 0.0);
        let View::Around { yaw, pitch, .. } = orbit.view() else {
            panic!()
        };
        assert_eq!((yaw, pitch), (90.0, 8.0), "the model's side turns to the eye");
        orbit.turn(-1.0, 10.0);
        let View::Around { yaw, pitch, .. } = orbit.view() else {
            panic!()
        };
        assert_eq!((yaw, pitch), (-90.0, 89.0));
    }

    #[test]
    fn a_panned_target_follows_the_hand() {
        let mut orbit = Orbit::of(&camera("three-quarter".parse().unwrap()), MIDDLE);
        let target = orbit.target;
        let before = seen(&camera(orbit.exact()), target);
        orbit.pan(0.25, -0.1);
        let after = seen(&camera(orbit.exact()), target);
        let aspect = 480.0 / 272.0;
        assert!((after[0] - before[0] - 0.5 / aspect).abs() < 1e-9, "{after:?}");
        assert!((after[1] - before[1] - 0.2).abs() < 1e-9, "{after:?}");
    }

    #[test]
    fn the_wheel_never_arrives() {
        let mut orbit = Orbit::of(&camera("front".parse().unwrap()), MIDDLE);
        orbit.zoom(1.0);
        orbit.zoom(-1.0);
        let distance = orbit.distance;
        assert!(
            (distance / Orbit::of(&camera("front".parse().unwrap()), MIDDLE).distance - 1.0).abs() < 1e-12
        );
        for steps in [1e9, -1e9] {
            orbit.zoom(steps);
            assert!(DISTANCES.contains(&orbit.distance));
            let text = orbit.view().to_string();
            assert!(text.parse::<View>().is_ok(), "{text}");
        }
    }

    #[test]
    fn the_view_is_read_as_it_is_shown() {
        let mut orbit = Orbit::of(&camera("right".parse().unwrap()), MIDDLE);
        orbit.turn(0.123_456, 0.01);
        orbit.pan(0.321, 0.123);
        orbit.zoom(0.7);
        let view = orbit.view();
        assert_eq!(view.to_string().parse::<View>().unwrap(), view);
    }
}
