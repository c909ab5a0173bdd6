//! Triangles into strips, greedily, as the games' models come: strips that face as given, strips
//! that face reversed, and a list of what is left (`shared/data/frametests` shows that order).

use std::collections::BTreeMap;

use formats::pmo::list::FrontFace;

/// A triangle strip and the FFACE it is drawn with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    pub(crate) front: FrontFace,
    pub(crate) corners: Vec<u32>,
}

/// Strips of two triangles or more, and the triangles that found no neighbour.
pub(crate) fn strips(triangles: &[[u32; 3]]) -> (Vec<Strip>, Vec<[u32; 3]>) {
    let mut finder = Finder::new(triangles);
    let (mut strips, mut single) = (Vec::new(), Vec::new());
    while let Some(first) = finder.start() {
        let best = (0..3)
            .map(|turn| finder.walk(first, turn))
            .max_by_key(|(used, _)| used.len())
            .filter(|(used, _)| used.len() > 1);
        match best {
            Some((used, strip)) => {
                used.iter().for_each(|&t| finder.take(t));
                strips.push(strip);
            }
            None => {
                single.push(triangles[first]);
                finder.take(first);
            }
        }
    }
    strips.sort_by_key(|strip| strip.front == FrontFace::Reversed);
    (strips, single)
}

struct Finder<'a> {
    triangles: &'a [[u32; 3]],
    /// The triangle on the left of each directed edge.
    edges: BTreeMap<(u32, u32), Vec<usize>>,
    taken: Vec<bool>,
}

impl<'a> Finder<'a> {
    fn new(triangles: &'a [[u32; 3]]) -> Self {
        let mut edges: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (number, &[a, b, c]) in triangles.iter().enumerate() {
            for edge in [(a, b), (b, c), (c, a)] {
                edges.entry(edge).or_default().push(number);
            }
        }
        Self {
            triangles,
            edges,
            taken: vec![false; triangles.len()],
        }
    }

    fn take(&mut self, triangle: usize) {
        self.taken[triangle] = true;
    }

    /// A free triangle with as few free neighbours as can be: an end of a future strip.
    fn start(&self) -> Option<usize> {
        (0..self.triangles.len())
            .filter(|&t| !self.taken[t])
            .min_by_key(|&t| {
                let [a, b, c] = self.triangles[t];
                [(b, a), (c, b), (a, c)]
                    .iter()
                    .filter(|&&edge| self.across(edge, &[]).is_some())
                    .count()
            })
    }

    /// A free triangle that holds the directed edge and is not in `used`, with its third corner.
    fn across(&self, (from, to): (u32, u32), used: &[usize]) -> Option<(usize, u32)> {
        let candidates = self.edges.get(&(from, to))?;
        let found = *candidates
            .iter()
            .find(|&&t| !self.taken[t] && !used.contains(&t))?;
        let third = self.triangles[found]
            .iter()
            .copied()
            .find(|&c| c != from && c != to)?;
        Some((found, third))
    }

    /// The strip that starts with corner `turn` of a triangle, grown forwards, then backwards. Each
    /// triangle put in front flips the facing of the first.
    fn walk(&self, first: usize, turn: usize) -> (Vec<usize>, Strip) {
        let corner = |i: usize| self.triangles[first][(turn + i) % 3];
        let mut corners = vec![corner(0), corner(1), corner(2)];
        let mut used = vec![first];
        while let [.., a, b] = corners[..] {
            // Triangle k of a strip faces as given when k is even.
            let edge = if (corners.len() - 2) % 2 == 0 {
                (a, b)
            } else {
                (b, a)
            };
            let Some((next, third)) = self.across(edge, &used) else {
                break;
            };
            used.push(next);
            corners.push(third);
        }
        let mut front = FrontFace::AsGiven;
        loop {
            let (a, b) = (corners[0], corners[1]);
            let edge = if front == FrontFace::AsGiven {
                (b, a)
            } else {
                (a, b)
            };
            let Some((next, third)) = self.across(edge, &used) else {
                break;
            };
            used.push(next);
            corners.insert(0, third);
            front = if front == FrontFace::AsGiven {
                FrontFace::Reversed
            } else {
                FrontFace::AsGiven
            };
        }
        (used, Strip { front, corners })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strip's triangles in facing order (`spec/mhp-formats.md` §3.4).
    fn unrolled(strip: &Strip) -> Vec<[u32; 3]> {
        let order = usize::from(strip.front == FrontFace::Reversed);
        strip
            .corners
            .windows(3)
            .enumerate()
            .map(|(k, w)| {
                if (k + order) % 2 == 0 {
                    [w[0], w[1], w[2]]
                } else {
                    [w[1], w[0], w[2]]
                }
            })
            .collect()
    }

    fn from_lowest([a, b, c]: [u32; 3]) -> [u32; 3] {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    }

    #[test]
    fn strips_draw_every_triangle_once_and_facing_as_before() {
        let mut triangles = Vec::new();
        for row in 0..6_u32 {
            for column in 0..9_u32 {
                let corner = row * 10 + column;
                let halves = if (row + column) % 3 == 0 {
                    [
                        [corner, corner + 1, corner + 11],
                        [corner, corner + 11, corner + 10],
                    ]
                } else {
                    [
                        [corner, corner + 1, corner + 10],
                        [corner + 1, corner + 11, corner + 10],
                    ]
                };
                triangles.extend(halves);
            }
        }
        triangles.push([100, 101, 102]);
        let (strips, single) = strips(&triangles);
        assert!(single.contains(&[100, 101, 102]));
        assert!(
            single.len() * 8 < triangles.len(),
            "{} of {}",
            single.len(),
            triangles.len()
        );
        assert!(strips.iter().any(|s| s.front == FrontFace::Reversed));
        assert!(strips.is_sorted_by_key(|s| s.front == FrontFace::Reversed));
        let mut drawn: Vec<_> = strips
            .iter()
            .flat_map(unrolled)
            .chain(single)
            .map(from_lowest)
            .collect();
        let mut expected: Vec<_> = triangles.into_iter().map(from_lowest).collect();
        drawn.sort_unstable();
        expected.sort_unstable();
        assert_eq!(drawn, expected);
    }
}
