//! A mesh's triangles sorted into groups of few bones, vertices as the whole numbers they are stored as.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::surface::{Surface, place, whole_weights};

/// Most bones of a group: the games' models have one to five weights a vertex.
pub(crate) const MOST_BONES: usize = 5;

/// A vertex as a file stores it: positions in 32768ths of the model's scale, normals in 128ths, texture
/// coordinates in 32768ths of the mesh's scale, weights in 128ths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StoredVertex {
    pub(crate) position: [i16; 3],
    pub(crate) normal: [i8; 3],
    pub(crate) uv: [u16; 2],
    /// Red, green, blue in 5, 6 and 5 bits, for vertices without a normal.
    pub(crate) color: u16,
    pub(crate) weights: Vec<(u8, u8)>,
}

/// Triangles over few bones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// In ascending order; empty for a model without a skeleton.
    pub(crate) bones: Vec<u8>,
    pub(crate) vertices: Vec<StoredVertex>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// The surfaces of one material as batches. Texture coordinates are stored over `uv_scale`,
/// positions over `scale`.
pub(crate) fn batches(surfaces: &[&Surface], uv_scale: [f64; 2], scale: f64) -> Vec<Batch> {
    let mut corners: Vec<StoredVertex> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for surface in surfaces {
        let first = corners.len() as u32;
        let weights = shared_weights(surface);
        corners.extend(surface.vertices.iter().map(|vertex| {
            StoredVertex {
                position: vertex
                    .position
                    .to_array()
                    .map(|x| (x * 32768.0 / scale).round() as i16),
                normal: vertex.normal.to_array().map(|x| (x * 127.0).round() as i8),
                uv: std::array::from_fn(|i| {
                    (vertex.uv[i] / uv_scale[i] * 32768.0).round().clamp(0.0, 65535.0) as u16
                }),
                color: rgb565(vertex.tint),
                weights: weights.get(&place(vertex.position)).cloned().unwrap_or_default(),
            }
        }));
        triangles.extend(surface.triangles.iter().map(|t| t.map(|i| i + first)));
    }
    let bones = |t: &[u32; 3]| -> BTreeSet<u8> {
        t.iter()
            .flat_map(|&i| corners[i as usize].weights.iter().map(|w| w.0))
            .collect()
    };
    let mut sets: BTreeMap<BTreeSet<u8>, usize> = BTreeMap::new();
    for triangle in &triangles {
        *sets.entry(bones(triangle)).or_default() += 1;
    }
    let homes = homes(&sets);
    let mut sorted: BTreeMap<&BTreeSet<u8>, Vec<[u32; 3]>> = BTreeMap::new();
    for triangle in triangles.iter().filter(|t| proper(&corners, t)) {
        sorted
            .entry(&homes[&bones(triangle)])
            .or_default()
            .push(*triangle);
    }
    sorted
        .into_iter()
        .map(|(bones, triangles)| batch(bones, &corners, &triangles))
        .collect()
}

/// A colour in 16 bits, red in the lowest.
fn rgb565(tint: DVec3) -> u16 {
    let [red, green, blue] = (tint * DVec3::new(31.0, 63.0, 31.0))
        .round()
        .to_array()
        .map(|c| c as u16);
    red | green << 5 | blue << 11
}

/// Whether a triangle's stored corners are three places.
fn proper(corners: &[StoredVertex], &[a, b, c]: &[u32; 3]) -> bool {
    let at = |i: u32| corners[i as usize].position;
    at(a) != at(b) && at(b) != at(c) && at(c) != at(a)
}

/// Whole weights by place, thinned until no triangle needs more than [`MOST_BONES`]. Corners at one
/// place share theirs, so no seam can open.
fn shared_weights(surface: &Surface) -> BTreeMap<[i64; 3], Vec<(u8, u8)>> {
    let mut weights: BTreeMap<[i64; 3], Vec<(u8, u8)>> = BTreeMap::new();
    for vertex in &surface.vertices {
        weights
            .entry(place(vertex.position))
            .or_insert_with(|| whole_weights(&vertex.weights));
    }
    for triangle in &surface.triangles {
        let places = triangle.map(|i| place(surface.vertices[i as usize].position));
        loop {
            let mut sums: BTreeMap<u8, u32> = BTreeMap::new();
            for &(bone, weight) in places.iter().filter_map(|p| weights.get(p)).flatten() {
                *sums.entry(bone).or_default() += u32::from(weight);
            }
            let Some((&weakest, _)) = sums
                .iter()
                .min_by_key(|&(bone, sum)| (*sum, *bone))
                .filter(|_| sums.len() > MOST_BONES)
            else {
                break;
            };
            for place in &places {
                if let Some(list) = weights.get_mut(place) {
                    let rest: Vec<(u8, f64)> = list
                        .iter()
                        .filter(|w| w.0 != weakest)
                        .map(|&(bone, w)| (bone, f64::from(w)))
                        .collect();
                    if !rest.is_empty() {
                        *list = whole_weights(&rest);
                    }
                }
            }
        }
    }
    weights
}

/// The group that each bone set's triangles go to: sets of few triangles join a larger one.
fn homes(sets: &BTreeMap<BTreeSet<u8>, usize>) -> BTreeMap<BTreeSet<u8>, BTreeSet<u8>> {
    let mut order: Vec<(&BTreeSet<u8>, usize)> = sets.iter().map(|(set, &count)| (set, count)).collect();
    order.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(b.1.cmp(&a.1)).then(a.0.cmp(b.0)));
    let mut groups: Vec<BTreeSet<u8>> = Vec::new();
    let mut homes = BTreeMap::new();
    for (set, count) in order {
        let worth_it = |group: &&mut BTreeSet<u8>| {
            let union = group.union(set).count();
            union == group.len() && (union <= set.len() + 1 || count < 12) || count < 8 && union <= 3
        };
        let mut candidates: Vec<&mut BTreeSet<u8>> = groups.iter_mut().filter(worth_it).collect();
        candidates.sort_by_key(|group| group.union(set).count());
        match candidates.into_iter().next() {
            Some(group) => group.extend(set.iter().copied()),
            None => groups.push(set.clone()),
        }
    }
    for set in sets.keys() {
        let home = groups
            .iter()
            .filter(|group| set.is_subset(group))
            .min_by_key(|group| group.len());
        homes.insert(set.clone(), home.unwrap_or(set).clone());
    }
    homes
}

/// The triangles of one group, their corners counted anew in order of first use.
fn batch(bones: &BTreeSet<u8>, corners: &[StoredVertex], triangles: &[[u32; 3]]) -> Batch {
    let mut batch = Batch {
        bones: bones.iter().copied().collect(),
        ..Batch::default()
    };
    let mut numbers: BTreeMap<&StoredVertex, u32> = BTreeMap::new();
    for triangle in triangles {
        batch.triangles.push(triangle.map(|i| {
            let corner = &corners[i as usize];
            *numbers.entry(corner).or_insert_with(|| {
                batch.vertices.push(corner.clone());
                batch.vertices.len() as u32 - 1
            })
        }));
    }
    batch
}
