//! Where a scene is looked at from.

use std::fmt;
use std::str::FromStr;

use glam::{DVec3, Vec3};

/// A direction to look from, chosen by name or by angles.
///
/// The angles are those of the spec's reference viewer (spec/mhp-formats.md §8): yaw 0 looks at
/// the model's face, from +Z along -Z, and grows towards +X; pitch lifts the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// Looks from this direction, as near as shows the whole model.
    Fitted {
        /// Degrees about Y.
        yaw: f64,
        /// Degrees above the horizon, within ±89.
        pitch: f64,
    },
    /// Looks from this direction and distance at the model's middle.
    Placed {
        /// Degrees about Y.
        yaw: f64,
        /// Degrees above the horizon, within ±89.
        pitch: f64,
        /// Units from the middle of the model.
        distance: f64,
    },
    /// Looks from this direction and distance at a point.
    Around {
        /// Degrees about Y.
        yaw: f64,
        /// Degrees above the horizon, within ±89.
        pitch: f64,
        /// Units from the point.
        distance: f64,
        /// The point, in the model's space.
        target: [f64; 3],
    },
    /// The game's follow camera behind a hunter who stands 700 before the model and faces it: 280 above the ground and
    /// 500 behind the hunter, looking at height 170, 78.5 degrees wide (spec/mhp-formats.md §3.13; that the angle is the
    /// horizontal one is unverified).
    Game,
}

impl View {
    /// The default: a three-quarter view from the front, a little above.
    pub const THREE_QUARTER: Self = Self::Fitted {
        yaw: 40.0,
        pitch: 20.0,
    };
}

const NAMED: [(&str, f64, f64); 6] = [
    ("three-quarter", 40.0, 20.0),
    ("front", 0.0, 8.0),
    ("back", 180.0, 8.0),
    ("left", 90.0, 7.0),
    ("right", -90.0, 7.0),
    ("top", 0.0, 80.0),
];

/// Why a text is not a view.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no view: use three-quarter, front, back, left, right, top, game, YAW,PITCH, YAW,PITCH,DISTANCE or \
     YAW,PITCH,DISTANCE,X,Y,Z (degrees, pitch within ±89; units)"
)]
pub struct ViewError(String);

impl FromStr for View {
    type Err = ViewError;

    fn from_str(text: &str) -> Result<Self, ViewError> {
        if text == "game" {
            return Ok(Self::Game);
        }
        if let Some(&(_, yaw, pitch)) = NAMED.iter().find(|(name, ..)| *name == text) {
            return Ok(Self::Fitted { yaw, pitch });
        }
        let error = || ViewError(text.to_owned());
        let numbers = text
            .split(',')
            .map(|part| {
                part.trim()
                    .parse::<f64>()
                    .ok()
                    .filter(|number| number.is_finite())
            })
            .collect::<Option<Vec<f64>>>()
            .ok_or_else(error)?;
        match numbers[..] {
            [yaw, pitch] if pitch.abs() <= 89.0 => Ok(Self::Fitted { yaw, pitch }),
            [yaw, pitch, distance] if pitch.abs() <= 89.0 && distance > 0.0 => {
                Ok(Self::Placed { yaw, pitch, distance })
            }
            [yaw, pitch, distance, x, y, z] if pitch.abs() <= 89.0 && distance > 0.0 => Ok(Self::Around {
                yaw,
                pitch,
                distance,
                target: [x, y, z],
            }),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Fitted { yaw, pitch } => {
                match NAMED
                    .iter()
                    .find(|&&(_, named_yaw, named_pitch)| (named_yaw, named_pitch) == (yaw, pitch))
                {
                    Some((name, ..)) => formatter.write_str(name),
                    None => write!(formatter, "{yaw},{pitch}"),
                }
            }
            Self::Placed { yaw, pitch, distance } => write!(formatter, "{yaw},{pitch},{distance}"),
            Self::Around {
                yaw,
                pitch,
                distance,
                target: [x, y, z],
            } => write!(formatter, "{yaw},{pitch},{distance},{x},{y},{z}"),
            Self::Game => formatter.write_str("game"),
        }
    }
}

/// Vertical angle of the fitted views, in degrees.
pub(crate) const FIELD_OF_VIEW: f64 = 40.0;
/// Share of the picture that a fitted model leaves free, on each side that limits it.
const MARGIN: f64 = 1.08;

/// A camera in world space, right-handed, Y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: DVec3,
    /// Unit vector to the right of the picture.
    pub right: DVec3,
    /// Unit vector to the top of the picture.
    pub up: DVec3,
    /// Unit vector from the picture's middle back to the camera.
    pub back: DVec3,
    /// Tangent of half the horizontal angle.
    pub tangent_x: f64,
    /// Tangent of half the vertical angle.
    pub tangent_y: f64,
    /// Distance of the near plane, positive.
    pub near: f64,
    /// Distance of the far plane.
    pub far: f64,
}

impl Camera {
    /// The camera of `view` onto `points`, for a picture `aspect` times as wide as high. Without
    /// points it looks at a unit cube about the origin.
    #[must_use]
    pub fn new(view: View, points: &[Vec3], aspect: f64) -> Self {
        let points: Vec<DVec3> = points
            .iter()
            .map(|point| point.as_dvec3())
            .filter(|point| point.is_finite())
            .collect();
        let corner = [DVec3::splat(-0.5), DVec3::splat(0.5)];
        let points = if points.is_empty() {
            &corner[..]
        } else {
            &points[..]
        };
        match view {
            View::Fitted { yaw, pitch } => Self::looking(yaw, pitch, aspect).fitted(points),
            View::Placed { yaw, pitch, distance } => {
                let (low, high) = bounds(points);
                let camera = Self::looking(yaw, pitch, aspect);
                camera
                    .at((low + high) / 2.0 + camera.back * distance)
                    .ranged(points)
            }
            View::Around {
                yaw,
                pitch,
                distance,
                target,
            } => {
                let camera = Self::looking(yaw, pitch, aspect);
                camera
                    .at(DVec3::from_array(target) + camera.back * distance)
                    .ranged(points)
            }
            View::Game => {
                let hunter = bounds(points).1.z + 700.0;
                let (eye, target) = (
                    DVec3::new(0.0, 280.0, hunter + 500.0),
                    DVec3::new(0.0, 170.0, hunter),
                );
                let (sine, cosine) = angle(78.5 / 2.0);
                let tangent = sine / cosine;
                let camera = Self::facing((eye - target).normalize(), tangent, tangent / aspect).at(eye);
                Self {
                    near: 30.0,
                    far: 65000.0,
                    ..camera
                }
            }
        }
    }

    fn looking(yaw: f64, pitch: f64, aspect: f64) -> Self {
        let (yaw_sine, yaw_cosine) = angle(yaw);
        let (pitch_sine, pitch_cosine) = angle(pitch);
        let (sine, cosine) = angle(FIELD_OF_VIEW / 2.0);
        let back = DVec3::new(yaw_sine * pitch_cosine, pitch_sine, yaw_cosine * pitch_cosine);
        Self::facing(back, sine / cosine * aspect, sine / cosine)
    }

    fn facing(back: DVec3, tangent_x: f64, tangent_y: f64) -> Self {
        let right = DVec3::Y.cross(back).normalize();
        Self {
            eye: back,
            right,
            up: back.cross(right),
            back,
            tangent_x,
            tangent_y,
            near: 1.0,
            far: 2.0,
        }
    }

    fn at(self, eye: DVec3) -> Self {
        Self { eye, ..self }
    }

    /// The nearest place, looking the same way, from which all `points` are inside the picture.
    ///
    /// A point is inside where its sideways distance from the eye is at most tangent times its
    /// distance from the eye; each of the four sides gives one such line, and two opposite ones
    /// meet where the eye has to be.
    fn fitted(self, points: &[DVec3]) -> Self {
        let (tangent_x, tangent_y) = (self.tangent_x / MARGIN, self.tangent_y / MARGIN);
        let most = |side: DVec3, tangent: f64| {
            points
                .iter()
                .map(|&point| side.dot(point) + tangent * self.back.dot(point))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let (right, left) = (most(self.right, tangent_x), most(-self.right, tangent_x));
        let (top, bottom) = (most(self.up, tangent_y), most(-self.up, tangent_y));
        let depth = points
            .iter()
            .map(|&point| self.back.dot(point))
            .fold(f64::NEG_INFINITY, f64::max);
        let distance = ((right + left) / (2.0 * tangent_x))
            .max((top + bottom) / (2.0 * tangent_y))
            .max(depth + 1.0);
        let eye =
            self.right * ((right - left) / 2.0) + self.up * ((top - bottom) / 2.0) + self.back * distance;
        self.at(eye).ranged(points)
    }

    /// Near and far planes just outside of `points`.
    fn ranged(self, points: &[DVec3]) -> Self {
        let distances = points.iter().map(|&point| self.back.dot(self.eye - point));
        let (nearest, farthest) = distances
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), distance| {
                (low.min(distance), high.max(distance))
            });
        let far = (farthest * 1.05).max(2.0);
        Self {
            near: (nearest * 0.9).clamp(far / 1000.0, far / 1.01),
            far,
            ..self
        }
    }

    /// The view matrix in the order in which the GE loads it: images of the three axes, then the
    /// translation (spec/ge-frontend.md §5.3).
    #[must_use]
    pub fn view_matrix(&self) -> [f32; 12] {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z, -self.eye];
        let mut matrix = [0.0; 12];
        for (row, axis) in matrix.chunks_exact_mut(3).zip(axes) {
            row.copy_from_slice(
                &[self.right.dot(axis), self.up.dot(axis), self.back.dot(axis)].map(|number| number as f32),
            );
        }
        matrix
    }

    /// The projection matrix in the order in which the GE loads it. Depth runs from -1 at the near plane to 1 at the
    /// far one after the division.
    #[must_use]
    pub fn projection_matrix(&self) -> [f32; 16] {
        let mut matrix = [0.0; 16];
        matrix[0] = (1.0 / self.tangent_x) as f32;
        matrix[5] = (1.0 / self.tangent_y) as f32;
        matrix[10] = (-(self.far + self.near) / (self.far - self.near)) as f32;
        matrix[11] = -1.0;
        matrix[14] = (-2.0 * self.far * self.near / (self.far - self.near)) as f32;
        matrix
    }

    /// Distance of the eye from the middle of `points`.
    #[must_use]
    pub fn distance_from_middle(&self, points: &[Vec3]) -> f64 {
        let points: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
        let (low, high) = bounds(&points);
        ((low + high) / 2.0 - self.eye).length()
    }

    /// Distance of `point` from the eye along the line of sight, which is what fog and depth
    /// depend on.
    #[must_use]
    pub fn distance_to(&self, point: Vec3) -> f64 {
        self.back.dot(self.eye - point.as_dvec3())
    }
}

/// Sine and cosine, equal on every machine.
fn angle(degrees: f64) -> (f64, f64) {
    motion::rotation::Angle::from_radians(degrees.to_radians()).sin_cos()
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &point| {
            (low.min(point), high.max(point))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_screen(camera: &Camera, point: DVec3) -> (f64, f64) {
        let offset = point - camera.eye;
        let depth = -camera.back.dot(offset);
        (
            camera.right.dot(offset) / (depth * camera.tangent_x),
            camera.up.dot(offset) / (depth * camera.tangent_y),
        )
    }

    #[test]
    fn a_fitted_view_holds_every_point_and_touches_two_sides() {
        let points = [
            Vec3::new(-300.0, 0.0, 40.0),
            Vec3::new(250.0, 120.0, -10.0),
            Vec3::new(10.0, 400.0, 800.0),
            Vec3::new(0.0, -20.0, -900.0),
        ];
        for (name, ..) in NAMED {
            let camera = Camera::new(name.parse().unwrap(), &points, 480.0 / 272.0);
            let seen: Vec<_> = points
                .iter()
                .map(|point| on_screen(&camera, point.as_dvec3()))
                .collect();
            let most = |values: &mut dyn Iterator<Item = f64>| {
                values.fold(0.0_f64, |most, value| most.max(value.abs()))
            };
            let widest = most(&mut seen.iter().map(|seen| seen.0));
            let highest = most(&mut seen.iter().map(|seen| seen.1));
            assert!(widest <= 1.0 && highest <= 1.0, "{name}: {seen:?}");
            assert!(
                (widest.max(highest) - 1.0 / MARGIN).abs() < 1e-9,
                "{name}: {widest} {highest}"
            );
            for point in points {
                let distance = camera.distance_to(point);
                assert!(camera.near < distance && distance < camera.far, "{name}");
            }
        }
    }

    #[test]
    fn the_front_view_shows_plus_x_at_the_right() {
        let camera = Camera::new(
            "front".parse().unwrap(),
            &[Vec3::splat(-1.0), Vec3::splat(1.0)],
            1.0,
        );
        assert!(camera.right.x > 0.99 && camera.eye.z > 0.0);
    }

    #[test]
    fn a_view_around_the_middle_is_the_placed_view() {
        let points = [Vec3::new(-30.0, 0.0, 40.0), Vec3::new(50.0, 120.0, -10.0)];
        let [placed, around] =
            ["10,20,900", "10,20,900,10,60,15"].map(|view| Camera::new(view.parse().unwrap(), &points, 1.5));
        assert_eq!(placed, around);
    }

    #[test]
    fn views_are_read_as_they_are_written() {
        for text in [
            "three-quarter",
            "top",
            "game",
            "12.5,-30",
            "10,20,900",
            "10,20,900,1,-2,3.5",
        ] {
            assert_eq!(text.parse::<View>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "sideways",
            "1",
            "1,90",
            "1,2,0",
            "1,2,3,4",
            "1,2,0,0,0,0",
            "1,2,3,4,5,6,7",
            "nan,0",
        ] {
            assert!(text.parse::<View>().is_err(), "{text}");
        }
    }
}
