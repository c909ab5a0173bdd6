//! Where a picture stands in its room: scaled by whole numbers, so that each of its pixels is a square.

/// How large a pixel of the picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// So many pixels of the screen wide and high.
    Times(u32),
    /// One pixel of the screen for so many, where the picture does not fit.
    Part(u32),
}

impl Scale {
    /// The largest zoom.
    const LARGEST: u32 = 32;

    /// The largest that shows a whole picture.
    fn fitting([width, height]: [u32; 2], [columns, rows]: [u32; 2]) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        match (columns / width).min(rows / height) {
            0 => Self::Part(width.div_ceil(columns.max(1)).max(height.div_ceil(rows.max(1)))),
            times => Self::Times(times),
        }
    }

    /// Steps larger, or smaller down to 1.
    fn zoomed(self, steps: i32) -> Self {
        match self {
            Self::Times(times) => Self::Times(times.saturating_add_signed(steps).clamp(1, Self::LARGEST)),
            Self::Part(part) if steps > 0 => match part.saturating_sub(steps as u32) {
                0 | 1 => Self::Times(1),
                part => Self::Part(part),
            },
            part => part,
        }
    }

    fn of(self, pixels: u32) -> u32 {
        match self {
            Self::Times(times) => pixels.saturating_mul(times),
            Self::Part(part) => pixels.div_ceil(part),
        }
    }
}

impl std::fmt::Display for Scale {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Times(times) => write!(formatter, "{times}x"),
            Self::Part(part) => write!(formatter, "1/{part}x"),
        }
    }
}

/// How far a user zoomed into a picture, and where to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Zoom {
    steps: i32,
    /// How far the picture is moved from the middle, in its own pixels.
    moved: [f64; 2],
}

impl Zoom {
    /// Whether it shows the picture as a whole, in the middle.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    /// Goes nearer by steps, so that the pixel under the pointer stays there; or back, at last to the whole picture.
    pub fn change(&mut self, steps: i32, pointer: [f64; 2], picture: [u32; 2], room: Room) {
        let before = Fit::new(picture, room, *self);
        self.steps = (self.steps + steps).clamp(0, Scale::LARGEST as i32);
        if self.steps == 0 {
            self.moved = [0.0; 2];
            return;
        }
        let after = Fit::new(picture, room, *self);
        for (axis, at) in pointer.into_iter().enumerate() {
            let [here, there] = [before, after].map(|fit| fit.place(axis, at));
            self.moved[axis] += there - here;
        }
        self.hold(picture);
    }

    /// Moves the picture with the hand, by pixels of the screen.
    pub fn drag(&mut self, by: [f64; 2], picture: [u32; 2], room: Room) {
        if self.steps > 0 {
            let size = Fit::new(picture, room, *self).pixel();
            for (moved, by) in self.moved.iter_mut().zip(by) {
                *moved += by / size;
            }
            self.hold(picture);
        }
    }

    /// Keeps the room's middle on the picture.
    fn hold(&mut self, picture: [u32; 2]) {
        for (moved, length) in self.moved.iter_mut().zip(picture) {
            let half = f64::from(length) / 2.0;
            *moved = moved.clamp(-half, half);
        }
    }
}

/// The room for a picture, in pixels of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The corner at the top left.
    pub corner: [i32; 2],
    /// Columns and rows.
    pub size: [u32; 2],
}

/// Where a picture stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fit {
    /// The picture's corner at the top left, in pixels of the screen.
    pub corner: [i32; 2],
    /// Its columns and rows there.
    pub size: [u32; 2],
    /// The size of its pixels.
    pub scale: Scale,
    picture: [u32; 2],
}

impl Fit {
    /// A picture in a room.
    #[must_use]
    pub(super) fn new(picture: [u32; 2], room: Room, zoom: Zoom) -> Self {
        let scale = Scale::fitting(picture, room.size).zoomed(zoom.steps);
        let size = picture.map(|length| scale.of(length));
        let mut fit = Self {
            corner: [0; 2],
            size,
            scale,
            picture,
        };
        for (axis, length) in size.into_iter().enumerate() {
            let free = i64::from(room.size[axis]) - i64::from(length);
            let moved = (zoom.moved[axis] * fit.pixel()).round() as i64;
            let corner = i64::from(room.corner[axis]) + free.div_euclid(2) + moved;
            fit.corner[axis] = i32::try_from(corner).unwrap_or(0);
        }
        fit
    }

    /// How long a pixel of the picture is on the screen.
    fn pixel(&self) -> f64 {
        match self.scale {
            Scale::Times(times) => f64::from(times),
            Scale::Part(part) => 1.0 / f64::from(part),
        }
    }

    /// A place on the screen in the picture's own pixels.
    fn place(&self, axis: usize, at: f64) -> f64 {
        (at - f64::from(self.corner[axis])) / self.pixel()
    }

    /// The pixel of the picture at a place on the screen.
    #[must_use]
    pub(super) fn pixel_at(&self, at: [f64; 2]) -> Option<[u32; 2]> {
        let [x, y] = [0, 1].map(|axis| self.place(axis, at[axis]).floor());
        let [width, height] = self.picture.map(f64::from);
        let inside = (0.0..width).contains(&x) && (0.0..height).contains(&y);
        inside.then_some([x as u32, y as u32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room {
        corner: [300, 20],
        size: [980, 600],
    };
    const SCREEN: [u32; 2] = [480, 272];

    #[test]
    fn a_picture_stands_in_the_middle_in_whole_pixels() {
        let fit = Fit::new(SCREEN, ROOM, Zoom::default());
        assert_eq!(fit.scale, Scale::Times(2));
        assert_eq!((fit.corner, fit.size), ([310, 48], [960, 544]));
        let odd = Room {
            size: [481, 273],
            ..ROOM
        };
        assert_eq!(Fit::new(SCREEN, odd, Zoom::default()).corner, [300, 20]);
    }

    #[test]
    fn a_large_picture_is_shown_in_part() {
        let fit = Fit::new([2048, 2048], ROOM, Zoom::default());
        assert_eq!((fit.scale, fit.size), (Scale::Part(4), [512, 512]));
        assert_eq!(fit.scale.to_string(), "1/4x");
    }

    #[test]
    fn no_room_and_no_picture_do_no_harm() {
        let none = Room {
            corner: [0; 2],
            size: [0; 2],
        };
        for picture in [[0, 0], [1, 1], SCREEN, [2048, 1]] {
            for room in [none, ROOM] {
                let fit = Fit::new(picture, room, Zoom::default());
                let mut zoom = Zoom::default();
                zoom.change(3, [1.0, 1.0], picture, room);
                zoom.drag([5.0, 5.0], picture, room);
                assert!(fit.size[0] <= room.size[0].max(2048));
            }
        }
    }

    #[test]
    fn pixels_are_found_under_the_pointer() {
        let fit = Fit::new(SCREEN, ROOM, Zoom::default());
        assert_eq!(fit.pixel_at([310.0, 48.0]), Some([0, 0]));
        assert_eq!(fit.pixel_at([311.9, 49.9]), Some([0, 0]));
        assert_eq!(fit.pixel_at([312.0, 50.0]), Some([1, 1]));
        assert_eq!(fit.pixel_at([1269.9, 591.9]), Some([479, 271]));
        assert_eq!(fit.pixel_at([309.9, 48.0]), None);
        assert_eq!(fit.pixel_at([1270.0, 48.0]), None);
    }

    #[test]
    fn zooming_keeps_the_pixel_under_the_pointer() {
        let mut zoom = Zoom::default();
        let pointer = [700.5, 200.5];
        let before = Fit::new(SCREEN, ROOM, zoom).pixel_at(pointer);
        for _ in 0..6 {
            zoom.change(1, pointer, SCREEN, ROOM);
            let fit = Fit::new(SCREEN, ROOM, zoom);
            assert_eq!(fit.pixel_at(pointer), before, "{}", fit.scale);
        }
        assert_eq!(Fit::new(SCREEN, ROOM, zoom).scale, Scale::Times(8));
        zoom.change(-6, pointer, SCREEN, ROOM);
        assert!(zoom.is_whole());
    }

    #[test]
    fn a_drag_moves_a_zoomed_picture_alone_and_never_out_of_sight() {
        let mut zoom = Zoom::default();
        zoom.drag([50.0, 0.0], SCREEN, ROOM);
        assert!(zoom.is_whole());
        zoom.change(2, [800.0, 300.0], SCREEN, ROOM);
        let before = Fit::new(SCREEN, ROOM, zoom).corner;
        zoom.drag([8.0, -4.0], SCREEN, ROOM);
        let after = Fit::new(SCREEN, ROOM, zoom).corner;
        assert_eq!([after[0] - before[0], after[1] - before[1]], [8, -4]);
        zoom.drag([1e9, 1e9], SCREEN, ROOM);
        let fit = Fit::new(SCREEN, ROOM, zoom);
        assert!(fit.corner[0] <= 300 + 490 && fit.corner[1] <= 20 + 300, "{fit:?}");
    }
}
