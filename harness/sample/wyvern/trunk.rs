//! Tail, torso and neck: one loft from the tip of the tail to the back of the skull.

use glam::DVec3;

use super::anatomy::{
    CHAIN, CHEST, HEAD, HIP, LOIN, NECK, SEVERED, SHOULDER, SPINE, Side, TAIL, THIGH, chain_joint, joints,
};
use super::{MaterialName, MeshName, Piece, add};
use crate::sample::math::{TAU, cos, mix, profile, sin, smoothstep, spline};
use crate::sample::surface::{Surface, Vertex, Weights, along, blend};

/// Cross sections from the tail's end to the skull: height and z of the middle, half width,
/// height above and below the middle.
const SECTIONS: [[f64; 5]; 18] = [
    [305.0, -985.0, 3.0, 3.0, 3.0],
    [296.0, -890.0, 12.0, 11.0, 11.0],
    [292.0, -790.0, 20.0, 19.0, 18.0],
    [295.0, -670.0, 29.0, 28.0, 26.0],
    [306.0, -550.0, 38.0, 37.0, 34.0],
    [322.0, -430.0, 48.0, 46.0, 44.0],
    [338.0, -310.0, 62.0, 59.0, 57.0],
    [350.0, -190.0, 84.0, 78.0, 80.0],
    [358.0, -90.0, 102.0, 90.0, 100.0],
    [366.0, -10.0, 98.0, 88.0, 98.0],
    [378.0, 75.0, 106.0, 92.0, 108.0],
    [398.0, 160.0, 116.0, 90.0, 118.0],
    [424.0, 214.0, 92.0, 74.0, 98.0],
    [452.0, 258.0, 68.0, 60.0, 72.0],
    [498.0, 312.0, 55.0, 50.0, 56.0],
    [546.0, 372.0, 50.0, 46.0, 48.0],
    [576.0, 418.0, 50.0, 48.0, 46.0],
    [584.0, 462.0, 46.0, 44.0, 40.0],
];

/// Where the tip comes off: just behind the joint that carries both sides of the cut.
pub(crate) const SEAM: f64 = 3.5;
/// Corners of a cross section.
const SEGMENTS: usize = 14;

/// One cross section of the trunk.
pub(crate) struct Section {
    pub(crate) centre: DVec3,
    /// Unit vector towards the head.
    pub(crate) forward: DVec3,
    /// Unit vector away from the belly.
    pub(crate) up: DVec3,
    pub(crate) half_width: f64,
    pub(crate) rise: f64,
    pub(crate) drop: f64,
}

/// The cross section at `at`, counted in [`SECTIONS`].
pub(crate) fn section(at: f64) -> Section {
    let centres: Vec<DVec3> = SECTIONS.iter().map(|s| DVec3::new(0.0, s[0], s[1])).collect();
    let measure = |column: usize| {
        let table: Vec<(f64, f64)> = SECTIONS
            .iter()
            .enumerate()
            .map(|(i, s)| (i as f64, s[column]))
            .collect();
        profile(&table, at)
    };
    let ahead = spline(&centres, at + 0.05) - spline(&centres, at - 0.05);
    let forward = ahead / ahead.length();
    Section {
        centre: spline(&centres, at),
        forward,
        up: forward.cross(DVec3::X),
        half_width: measure(2),
        rise: measure(3),
        drop: measure(4),
    }
}

impl Section {
    /// A point of the skin; `turn` runs from 0 (back) over a half (belly) to 1, the left side first.
    pub(crate) fn skin(&self, turn: f64) -> DVec3 {
        let angle = turn * TAU;
        let (across, high) = (sin(angle), cos(angle));
        // A little fuller than an ellipse between the axes, with a ridge along the back.
        let fuller = 1.0 + 0.10 * (2.0 * across * high) * (2.0 * across * high);
        let ridge = 1.0 + 0.10 * smoothstep(0.9, 1.0, high);
        let height = if high > 0.0 { self.rise * ridge } else { self.drop };
        self.centre + DVec3::X * (self.half_width * across * fuller) + self.up * (height * high * fuller)
    }
}

/// Joints that move the trunk's skin at `at`, limbs not counted.
pub(crate) fn spine_weights(at: f64) -> Weights {
    let limits = [
        (2.0, TAIL + 4),
        (3.0, TAIL + 3),
        (4.0, TAIL + 2),
        (5.0, TAIL + 1),
        (6.0, TAIL),
        (7.2, HIP),
        (9.0, LOIN),
        (10.0, SPINE),
        (11.0, CHEST),
        (13.0, NECK),
        (14.0, NECK + 1),
        (15.0, NECK + 2),
        (16.3, HEAD),
    ];
    along(TAIL + 5, &limits, 0.42, at)
}

/// The spine's weights with the pull of the limbs that grow out of the skin at `position`.
fn skin_weights(at: f64, position: DVec3) -> Weights {
    let mut weights = spine_weights(at);
    let binds = joints();
    for side in Side::BOTH {
        for (joint, reach, share) in [(THIGH, 120.0, 0.55), (SHOULDER, 110.0, 0.5)] {
            let joint = side.joint(joint);
            let distance = (position - binds[usize::from(joint)].bind).length();
            let pull = share * (1.0 - smoothstep(0.3 * reach, reach, distance));
            if position.x * side.sign() > 10.0 && pull > 0.05 {
                weights = blend(&weights, &[(joint, 1.0)], pull);
            }
        }
    }
    weights
}

/// Texture columns passed from the tail's end to each ring: a picture is about four half
/// girths long, less where the girth changes fast, so scales keep their shape.
fn columns(rings: &[f64]) -> Vec<f64> {
    let mut passed = 0.0;
    let mut result = vec![0.0];
    for pair in rings.windows(2) {
        let (a, b) = (section(pair[0]), section(pair[1]));
        let girth = (a.half_width + a.rise + b.half_width + b.rise) / 2.0;
        passed += (b.centre - a.centre).length() / (150.0 + 1.3 * girth);
        result.push(passed);
    }
    result
}

/// Rings of the loft, denser where joints bend much.
fn rings() -> Vec<f64> {
    let mut rings = vec![0.0, 0.5, 1.0, 1.5];
    rings.extend((4..34).map(|half| f64::from(half) * 0.5));
    rings.push(17.0);
    rings
}

/// Adds trunk, tip, stump cap and cut face.
pub(crate) fn build(pieces: &mut Vec<Piece>) {
    let rings = rings();
    let columns = columns(&rings);
    let whole = Surface::grid(rings.len(), SEGMENTS + 1, |row, column| {
        let turn = column as f64 / SEGMENTS as f64;
        let position = section(rings[row]).skin(turn);
        // The picture's top row is the back, its bottom row the belly, mirrored on the right side.
        let v = 1.0 - (1.0 - 2.0 * turn).abs();
        Vertex {
            position,
            uv: [columns[row], mix(0.02, 0.98, v)],
            weights: skin_weights(rings[row], position),
            ..Vertex::default()
        }
    })
    .closed();
    let seam_row = rings.iter().position(|&at| at >= SEAM).unwrap_or(0);
    let (tip, body) = split(&whole, seam_row * (SEGMENTS + 1));
    add(pieces, MeshName::Body, MaterialName::Hide, body);
    add(pieces, MeshName::TailTip, MaterialName::TipHide, onto_chain(tip));
    add(pieces, MeshName::Extras, MaterialName::Stump, cut_disc(1.0));
    add(
        pieces,
        MeshName::TailTip,
        MaterialName::CutFace,
        onto_chain(cut_disc(-1.0)),
    );
    glow_lines(pieces);
}

/// The triangles before and after a row of the grid; the vertices of that row go to both.
fn split(whole: &Surface, first: usize) -> (Surface, Surface) {
    let seam = first as u32;
    let row_end = seam + SEGMENTS as u32 + 1;
    let (mut before, mut after) = (Surface::default(), Surface::default());
    before.vertices = whole.vertices[..row_end as usize].to_vec();
    after.vertices = whole.vertices[first..].to_vec();
    for &triangle in &whole.triangles {
        if triangle.iter().all(|&i| i < row_end) {
            before.triangles.push(triangle);
        } else {
            after.triangles.push(triangle.map(|i| i - seam));
        }
    }
    (before, after)
}

/// Moves a piece of the tail's tip from the tail joints to the chain at the model origin.
pub(crate) fn onto_chain(surface: Surface) -> Surface {
    let carrier = joints()[usize::from(SEVERED)].bind;
    surface.map(|vertex| {
        vertex.position -= carrier;
        for weight in &mut vertex.weights {
            weight.0 = chain_joint(weight.0).clamp(CHAIN, CHAIN + 3);
        }
    })
}

/// The flesh where the tail was cut, facing the tip (`facing` 1) or the body (-1).
fn cut_disc(facing: f64) -> Surface {
    let cut = section(SEAM);
    let disc = Surface::grid(3, SEGMENTS + 1, |row, column| {
        let turn = column as f64 / SEGMENTS as f64;
        let rim = cut.skin(turn) - cut.centre;
        let share = row as f64 / 2.0;
        // The flesh bulges out of the stump and dips into the tip.
        let bulge = cut.forward * (-9.0 * (1.0 - share * share));
        Vertex {
            position: cut.centre + rim * share + bulge,
            uv: [
                0.5 + 0.46 * share * sin(turn * TAU),
                0.5 - 0.46 * share * cos(turn * TAU),
            ],
            weights: vec![(SEVERED, 1.0)],
            ..Vertex::default()
        }
    });
    disc.sheet(cut.forward * -facing)
}

/// Embers between the plates of throat and belly: a strip of skin drawn once more, as light.
fn glow_lines(pieces: &mut Vec<Piece>) {
    let rows: Vec<f64> = (0..11).map(|i| 10.6 + 0.5 * f64::from(i)).collect();
    let strip = Surface::grid(rows.len(), 5, |row, column| {
        let turn = mix(0.42, 0.58, column as f64 / 4.0);
        let cross = section(rows[row]);
        let skin = cross.skin(turn);
        let outward = skin - cross.centre;
        let position = skin + outward / outward.length() * 1.6;
        Vertex {
            position,
            uv: [row as f64 * 0.36, mix(0.02, 0.48, column as f64 / 4.0)],
            weights: skin_weights(rows[row], skin),
            ..Vertex::default()
        }
    });
    add(pieces, MeshName::Glow, MaterialName::Glow, strip.sheet(-DVec3::Y));
}
