//! Decoded vertices as a structure of arrays.

use fearless_simd::Level;

use crate::{LANES, VertexLayout, VertexType};

/// The columns of one morph target. They are as long as the longest draw seen, so that a draw
/// writes only its own rows, and end with whole lanes; [`Vertices::len`] says how many rows count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) texture_coordinate: [Vec<f32>; 2],
    pub(crate) color: Vec<u32>,
    pub(crate) normal: [Vec<f32>; 3],
    pub(crate) position: [Vec<f32>; 3],
}

/// Decoded vertices: one array for each number of each component, reused from draw to draw.
///
/// A [`Decoder`](crate::Decoder) fills it, [`morph`](crate::morph::morph) folds its morph targets
/// into one, [`skin`](crate::skin::skin) applies the bones. Row i of every array is vertex
/// [`first`](Self::first) + i of the buffer that was decoded.
///
/// A component that the vertex type lacks reads as `None`. The GE then takes the material's colour,
/// or the last normal or texture coordinate of an earlier vertex (`spec/ge-frontend.md §6.9`): state
/// that the caller holds.
///
/// Memory grows to the largest draw and stays.
#[derive(Clone, Debug)]
pub struct Vertices {
    level: Level,
    vertex_type: VertexType,
    layout: VertexLayout,
    first: usize,
    len: usize,
    target_count: usize,
    pub(crate) weights: [Vec<f32>; 8],
    pub(crate) targets: Vec<Columns>,
}

impl Default for Vertices {
    fn default() -> Self {
        Self::with_level(Level::new())
    }
}

impl Vertices {
    /// No vertices yet, and no memory. They are decoded, morphed and skinned with the best
    /// instructions that the processor has.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`new`](Self::new), with the instructions of a level. Results do not depend on it.
    #[must_use]
    pub fn with_level(level: Level) -> Self {
        Self {
            level,
            vertex_type: VertexType::default(),
            layout: VertexType::default().layout(),
            first: 0,
            len: 0,
            target_count: 0,
            weights: Default::default(),
            targets: Vec::new(),
        }
    }

    /// The level of instructions that works on these vertices.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Makes room for `len` rows of the components of `vertex_type`. Their contents are stale.
    pub(crate) fn reset(&mut self, vertex_type: VertexType, layout: VertexLayout, first: usize, len: usize) {
        fn grow<T: Copy + Default>(columns: &mut [Vec<T>], len: usize) {
            for column in columns {
                if column.len() < len {
                    column.resize(len, T::default());
                }
            }
        }
        self.vertex_type = vertex_type;
        self.layout = layout;
        self.first = first;
        self.len = len;
        let len = len.next_multiple_of(LANES);
        self.target_count = vertex_type.morph_count();
        if self.targets.len() < self.target_count {
            self.targets.resize_with(self.target_count, Columns::default);
        }
        grow(&mut self.weights[..vertex_type.weight_count()], len);
        for target in &mut self.targets[..self.target_count] {
            if layout.texture_coordinate.is_some() {
                grow(&mut target.texture_coordinate, len);
            }
            if layout.color.is_some() {
                grow(std::slice::from_mut(&mut target.color), len);
            }
            if layout.normal.is_some() {
                grow(&mut target.normal, len);
            }
            if layout.position.is_some() {
                grow(&mut target.position, len);
            }
        }
    }

    /// Keeps target 0, which now holds the morphed values.
    pub(crate) fn fold_targets(&mut self) {
        self.target_count = self.target_count.min(1);
    }

    /// The type the vertices were decoded from.
    #[must_use]
    pub const fn vertex_type(&self) -> VertexType {
        self.vertex_type
    }

    /// Where the components of a vertex of that type stand.
    #[must_use]
    pub const fn layout(&self) -> &VertexLayout {
        &self.layout
    }

    /// The position of row 0 in the vertex buffer.
    #[must_use]
    pub const fn first(&self) -> usize {
        self.first
    }

    /// How many vertices there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no vertices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row of the vertex that an index names, if it was decoded.
    #[must_use]
    pub fn row(&self, index: u32) -> Option<usize> {
        usize::try_from(index)
            .ok()?
            .checked_sub(self.first)
            .filter(|&row| row < self.len)
    }

    /// How many morph targets are held: the type's number, or 1 once they are folded into one.
    #[must_use]
    pub const fn target_count(&self) -> usize {
        self.target_count
    }

    /// Morph target `number`, counted from 0.
    #[must_use]
    pub fn target(&self, number: usize) -> Option<Target<'_>> {
        let columns = self.targets[..self.target_count].get(number)?;
        Some(Target {
            layout: &self.layout,
            len: self.len,
            columns,
        })
    }

    /// Target 0 in blocks of [`LANES`] rows, to compute with side by side.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        fn whole<T, const N: usize>(columns: &[Vec<T>; N]) -> [&[[T; LANES]]; N] {
            columns.each_ref().map(|column| column.as_chunks().0)
        }
        let columns = self.targets[..self.target_count].first();
        let of = |component: Option<usize>| component.and(columns);
        Blocks {
            position: of(self.layout.position).map(|columns| whole(&columns.position)),
            normal: of(self.layout.normal).map(|columns| whole(&columns.normal)),
            texture_coordinate: of(self.layout.texture_coordinate)
                .map(|columns| whole(&columns.texture_coordinate)),
            color: of(self.layout.color).map(|columns| columns.color.as_chunks().0),
        }
    }

    /// The weights of bone `bone`, counted from 0, of every vertex.
    ///
    /// They are those of morph target 0: PPSSPP looks at no others; unverified on hardware
    /// (`spec/ge-frontend.md §7.1`).
    #[must_use]
    pub fn weights(&self, bone: usize) -> Option<&[f32]> {
        let columns = &self.weights[..self.vertex_type.weight_count()];
        columns.get(bone).map(|column| &column[..self.len])
    }

    /// The positions x, y, z of target 0: see [`Target::position`].
    #[must_use]
    pub fn position(&self) -> Option<[&[f32]; 3]> {
        self.target(0)?.position()
    }

    /// The normals x, y, z of target 0: see [`Target::normal`].
    #[must_use]
    pub fn normal(&self) -> Option<[&[f32]; 3]> {
        self.target(0)?.normal()
    }

    /// The texture coordinates u, v of target 0: see [`Target::texture_coordinate`].
    #[must_use]
    pub fn texture_coordinate(&self) -> Option<[&[f32]; 2]> {
        self.target(0)?.texture_coordinate()
    }

    /// The colours of target 0: see [`Target::color`].
    #[must_use]
    pub fn color(&self) -> Option<&[u32]> {
        self.target(0)?.color()
    }
}

/// The arrays of a morph target in blocks: at least as many as the rows need. Rows past the last vertex hold
/// anything.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    /// As [`Target::position`].
    pub position: Option<[&'a [[f32; LANES]]; 3]>,
    /// As [`Target::normal`].
    pub normal: Option<[&'a [[f32; LANES]]; 3]>,
    /// As [`Target::texture_coordinate`].
    pub texture_coordinate: Option<[&'a [[f32; LANES]]; 2]>,
    /// As [`Target::color`].
    pub color: Option<&'a [[u32; LANES]]>,
}

/// The arrays of one morph target.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    layout: &'a VertexLayout,
    len: usize,
    columns: &'a Columns,
}

impl<'a> Target<'a> {
    fn rows<const N: usize>(&self, columns: &'a [Vec<f32>; N]) -> [&'a [f32]; N] {
        columns.each_ref().map(|column| &column[..self.len])
    }

    /// The positions x, y, z, in fractions of the model's extent (16 bits: 1.0 stands for 32768), or
    /// in pixels and depth steps in through mode.
    ///
    /// A float depth in through mode is not clamped: where hardware does that is not known
    /// (`spec/ge-frontend.md §6.4`).
    #[must_use]
    pub fn position(&self) -> Option<[&'a [f32]; 3]> {
        self.layout.position.map(|_| self.rows(&self.columns.position))
    }

    /// The normals x, y, z, not normalised.
    #[must_use]
    pub fn normal(&self) -> Option<[&'a [f32]; 3]> {
        self.layout.normal.map(|_| self.rows(&self.columns.normal))
    }

    /// The texture coordinates u, v: 1.0 is the whole texture, or one texel in through mode.
    #[must_use]
    pub fn texture_coordinate(&self) -> Option<[&'a [f32]; 2]> {
        let columns = &self.columns.texture_coordinate;
        self.layout.texture_coordinate.map(|_| self.rows(columns))
    }

    /// The colours: red in the low byte, then green, blue, alpha. Parts of fewer bits are widened to 8
    /// by repeating their top bits.
    #[must_use]
    pub fn color(&self) -> Option<&'a [u32]> {
        self.layout.color.map(|_| &self.columns.color[..self.len])
    }
}
