//! Index groups: the dictionaries of a container, names with what they stand for.

use std::sync::Arc;

use super::builder::{Builder, put};
use super::source::{Source, follow_required};
use crate::{FormatError, Reader};

const NODES: usize = 8;
const NODE_SIZE: usize = 16;

/// An entry: a name and where its data starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) data: usize,
}

/// Reads the dictionary at `at`. Entries are taken in the order of their nodes; the tree that finds
/// names fast is not looked at.
pub(super) fn parse<'a>(
    source: &mut Source<'a>,
    reader: &Reader<'a>,
    at: usize,
) -> Result<Vec<Entry>, FormatError> {
    let size = reader.u32(at, "dictionary size")? as usize;
    let count = reader.u32(at + 4, "dictionary entry count")? as usize;
    let expected = count
        .saturating_add(1)
        .saturating_mul(NODE_SIZE)
        .saturating_add(NODES);
    if size != expected {
        return Err(reader.error(
            "dictionary size",
            at,
            format!("{size:#x}"),
            format!("{expected:#x} for {count} entries"),
        ));
    }
    source.take(reader, "dictionary", at, size)?;
    (1..=count)
        .map(|index| {
            let node = at + NODES + index * NODE_SIZE;
            let reader = reader.within("dictionary entry", index - 1);
            Ok(Entry {
                name: source.name(&reader, "name", node + 8)?,
                data: follow_required(&reader, "data", node + 12)?,
            })
        })
        .collect()
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// The bit that decides between the links; all ones in the root.
    pub(super) reference: u32,
    /// The node for a 0, and for a 1.
    pub(super) links: [u16; 2],
}

/// Bit `reference` of a name: the lowest bit of its first byte is 0; past its end all are 0.
fn bit(name: &str, reference: u32) -> usize {
    let byte = name.as_bytes().get((reference / 8) as usize);
    byte.map_or(0, |byte| usize::from(byte >> (reference % 8) & 1))
}

/// The nodes of a dictionary of `names`, the root first (`spec/fsha.md` §1.2). `None` if a name
/// occurs twice, or for more names than there are node numbers.
pub(super) fn nodes(names: &[Arc<str>]) -> Option<Vec<Node>> {
    let mut nodes = vec![Node {
        reference: u32::MAX,
        links: [0, 0],
    }];
    for name in names {
        let found = search(&nodes, name, None).child;
        // The root counts as an empty name.
        let other = found.checked_sub(1).and_then(|index| names.get(index));
        let other = other.map_or("", |other| &**other);
        let longest = 8 * u32::try_from(name.len().max(other.len())).ok()?;
        let reference = (0..=longest)
            .rev()
            .find(|&reference| bit(name, reference) != bit(other, reference))?;
        let place = search(&nodes, name, Some(reference));
        let own = u16::try_from(nodes.len()).ok()?;
        let child = place.child as u16;
        nodes.push(Node {
            reference,
            links: match bit(name, reference) {
                1 => [child, own],
                _ => [own, child],
            },
        });
        nodes[place.parent].links[place.side] = own;
    }
    Some(nodes)
}

/// Where a search ended.
struct Found {
    parent: usize,
    /// Which link of the parent was followed.
    side: usize,
    child: usize,
}

/// Follows `name` down the tree, until a link leads back up or to a node that decides a bit no
/// higher than `until`.
fn search(nodes: &[Node], name: &str, until: Option<u32>) -> Found {
    let mut found = Found {
        parent: 0,
        side: 0,
        child: nodes[0].links[0].into(),
    };
    loop {
        let (parent, child) = (nodes[found.parent], nodes[found.child]);
        if parent.reference <= child.reference || until.is_some_and(|until| child.reference <= until) {
            return found;
        }
        let side = bit(name, child.reference);
        found = Found {
            parent: found.child,
            side,
            child: child.links[side].into(),
        };
    }
}

/// Lays out a dictionary; gives the places of the entries' data offsets. `None` as for [`nodes`].
pub(super) fn build(builder: &mut Builder, names: &[Arc<str>]) -> Option<(usize, Vec<usize>)> {
    let nodes = nodes(names)?;
    let size = NODES + NODE_SIZE * nodes.len();
    let at = builder.reserve(size);
    for (index, node) in nodes.iter().enumerate() {
        let place = at + NODES + NODE_SIZE * index;
        let bytes = builder.bytes_mut();
        put(bytes, place, &node.reference.to_be_bytes());
        put(bytes, place + 4, &node.links[0].to_be_bytes());
        put(bytes, place + 6, &node.links[1].to_be_bytes());
        if let Some(name) = index.checked_sub(1).and_then(|index| names.get(index)) {
            builder.name(place + 8, name);
        }
    }
    let bytes = builder.bytes_mut();
    put(bytes, at, &(size as u32).to_be_bytes());
    put(bytes, at + 4, &(names.len() as u32).to_be_bytes());
    let data = (1..nodes.len()).map(|index| at + NODES + NODE_SIZE * index + 12);
    Some((at, data.collect()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn names(names: &[&str]) -> Vec<Arc<str>> {
        names.iter().map(|&name| name.into()).collect()
    }

    /// The search that other readers do: the entry whose name the tree leads to, if it is the one.
    fn look_up(nodes: &[Node], names: &[Arc<str>], name: &str) -> Option<usize> {
        let index = search(nodes, name, None).child.checked_sub(1)?;
        (&*names[index] == name).then_some(index)
    }

    #[test]
    fn one_entry_is_that_of_the_specification() {
        // spec/fsha.md §1.2 and vector F10.
        let node = |reference, left, right| Node {
            reference,
            links: [left, right],
        };
        let talk = names(&["talk"]);
        let nodes = nodes(&talk).unwrap();
        assert_eq!(nodes, [node(u32::MAX, 1, 0), node(0x1E, 0, 1)]);
        assert_eq!(bit("talk", 0x1E), 1);
        assert_eq!(look_up(&nodes, &talk, "talk"), Some(0));
        assert_eq!(look_up(&nodes, &talk, "tall"), None);
    }

    #[test]
    fn a_name_twice_is_refused() {
        assert_eq!(nodes(&names(&["a", "b", "a"])), None);
        assert_eq!(nodes(&names(&[""])), None);
    }

    proptest! {
        #[test]
        fn every_name_is_found(set in prop::collection::btree_set("[a-zé]{1,6}", 0..40), seed in any::<u64>()) {
            let mut all: Vec<Arc<str>> = set.iter().map(|name| name.as_str().into()).collect();
            let turn = (seed as usize).checked_rem(all.len()).unwrap_or(0);
            all.rotate_left(turn);
            let nodes = nodes(&all).unwrap();
            for (index, name) in all.iter().enumerate() {
                prop_assert_eq!(look_up(&nodes, &all, name), Some(index));
            }
            prop_assert_eq!(look_up(&nodes, &all, "Z"), None);
            let references: BTreeSet<u32> = nodes.iter().map(|node| node.reference).collect();
            prop_assert!(references.len() <= nodes.len());
        }
    }
}
