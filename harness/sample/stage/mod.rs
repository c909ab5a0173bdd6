//! The stage: a hollow among cliffs, with an arch, boulders and trees.
//!
//! Stage models have no weights and no normals; their light is in the vertex colours
//! (`spec/mhp-formats.md` §1.3, §3.5).

mod environment;
mod land;
mod props;
mod stones;
mod trees;

use formats::pac::{Alignment, Pac};
use formats::pmo::{Group, LightingFlags, Material, Mesh, Pmo, Version};
use formats::tmh::{ColorFormat, PixelFormat, Tmh};
use glam::DVec3;

use super::batches::batches;
use super::blocks::{VertexKind, block};
use super::math::{noise, smoothstep};
use super::surface::{Surface, Vertex};
use super::textures::image;
use super::{SampleError, SampleFile, paint};

/// Half the extent that stored positions reach.
const SCALE: f32 = 4096.0;
/// Fog, no lighting.
const FOGGED: u32 = 0x8000_0002;
/// What stored texture coordinates are multiplied by: they reach 32 pictures.
const UV_SCALE: [f32; 2] = [16.0, 16.0];

/// One mesh of a stage model: a texture and the surfaces that wear it, one group each.
struct Layer {
    image: u8,
    surfaces: Vec<Surface>,
}

/// The stage's PAC.
pub(crate) fn files() -> Result<Vec<SampleFile>, SampleError> {
    let terrain = model(vec![
        Layer {
            image: 0,
            surfaces: land::ground(),
        },
        Layer {
            image: 1,
            surfaces: land::cliffs(),
        },
        Layer {
            image: 1,
            surfaces: stones::stones(),
        },
        Layer {
            image: 2,
            surfaces: trees::trunks(),
        },
        Layer {
            image: 3,
            surfaces: trees::leaves(),
        },
    ]);
    let props = model(vec![
        Layer {
            image: 4,
            surfaces: props::bones(),
        },
        Layer {
            image: 3,
            surfaces: props::ferns(),
        },
    ]);
    let textures = Tmh {
        images: vec![
            image(PixelFormat::Clut8, &paint::ground(), Some(ColorFormat::Rgba8888))?,
            image(PixelFormat::Clut8, &paint::rock(), Some(ColorFormat::Rgba5551))?,
            image(PixelFormat::Clut4, &paint::bark(), Some(ColorFormat::Rgba8888))?,
            image(PixelFormat::Clut4, &paint::leaves(), Some(ColorFormat::Rgba5551))?,
            image(PixelFormat::Clut4, &paint::horn(), Some(ColorFormat::Rgba5551))?,
        ],
        tail: Vec::new(),
    };
    let collision = Pac::new(vec![environment::hits(), environment::hits()], Alignment::Bytes4)?;
    let entries = vec![
        terrain.write()?,
        textures.write(),
        props.write()?,
        environment::environment(),
        environment::parameters(),
        collision.write(),
    ];
    Ok(vec![SampleFile {
        name: "stage.pac".to_owned(),
        bytes: Pac::new(entries, Alignment::Bytes16)?.write(),
        about: "a Freedom Unite stage PAC: terrain, textures, props, fog and lights".to_owned(),
    }])
}

fn model(layers: Vec<Layer>) -> Pmo {
    let mut model = Pmo::new(Version::Mhfu);
    model.radius = SCALE;
    model.scale = [SCALE; 3];
    for layer in layers {
        let mut mesh = Mesh {
            placement: None,
            uv_scale: UV_SCALE,
            lighting: LightingFlags(FOGGED),
            blend: 0,
            pad: 0,
            remap: vec![model.materials.len() as u16],
            groups: Vec::new(),
        };
        model.materials.push(Material {
            color: [255; 4],
            ambient: [255; 4],
            image: Some(layer.image),
            pad: [0; 3],
            leftover: 0,
        });
        for surface in &layer.surfaces {
            for batch in batches(&[surface], UV_SCALE.map(f64::from), f64::from(SCALE)) {
                mesh.groups.push(Group {
                    material: 0,
                    palette: Vec::new(),
                    block: model.blocks.len(),
                });
                model.blocks.push(block(VertexKind::Painted, &batch, &[], 0));
            }
        }
        model.meshes.push(mesh);
    }
    model
}

/// Height of the ground: nearly even in the middle, rolling further out.
fn height(x: f64, z: f64) -> f64 {
    let distance = (x * x + z * z).sqrt();
    let roll = noise(x / 520.0 + 40.0, z / 520.0 + 40.0, (64, 64), 31) - 0.5;
    let bumps = noise(x / 230.0 + 40.0, z / 230.0 + 40.0, (128, 128), 37) - 0.5;
    (150.0 * roll + 30.0 * bumps) * smoothstep(400.0, 1600.0, distance)
        + 120.0 * smoothstep(1500.0, 2300.0, distance)
}

/// The sun's light and the sky's on a surface, as the vertex colours keep it.
fn light(normal: DVec3, open: f64) -> DVec3 {
    let sun = DVec3::new(0.52, 0.72, 0.46);
    let facing = (normal.dot(sun) / sun.length()).max(0.0);
    let sky = 0.5 + 0.5 * normal.y;
    let warm = DVec3::new(0.66, 0.60, 0.50) * facing;
    let cool = DVec3::new(0.30, 0.34, 0.40) * sky + DVec3::new(0.10, 0.09, 0.08);
    ((warm + cool) * open).clamp(DVec3::ZERO, DVec3::ONE)
}

/// Colours every vertex by its normal; `open` says how much sky and sun a place sees, from 0 to 1.
fn lit(surface: Surface, open: impl Fn(&Vertex) -> f64) -> Surface {
    surface.map(|vertex| vertex.tint = light(vertex.normal, open(vertex)))
}

/// The same surface turned about the vertical, scaled, and put down at (x, z) of the ground.
fn put(surface: Surface, at: [f64; 2], turn: f64, scale: f64, sink: f64) -> Surface {
    let [x, z] = at;
    let foot = DVec3::new(x, height(x, z) - sink, z);
    let angle = DVec3::Y * turn;
    surface.map(|vertex| {
        vertex.position = super::math::rotate(vertex.position * scale, angle) + foot;
        vertex.normal = super::math::rotate(vertex.normal, angle);
    })
}
