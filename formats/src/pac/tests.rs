use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

const ALIGNMENTS: [Alignment; 3] = [Alignment::Bytes16, Alignment::Bytes8, Alignment::Bytes4];

fn pac(entries: &[&[u8]], alignment: Alignment) -> Pac {
    let entries = entries.iter().map(|entry| entry.to_vec()).collect();
    Pac::new(entries, alignment).unwrap()
}

/// A file with this table and zeros up to `length`.
fn file(table: &[(u32, u32)], length: usize) -> Vec<u8> {
    let mut bytes = (table.len() as u32).to_le_bytes().to_vec();
    for (offset, size) in table {
        bytes.extend(offset.to_le_bytes());
        bytes.extend(size.to_le_bytes());
    }
    bytes.resize(length.max(bytes.len()), 0);
    bytes
}

fn table(bytes: &[u8]) -> Vec<u32> {
    let count = bytes[0] as usize;
    bytes[4..4 + 8 * count]
        .as_chunks()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word))
        .collect()
}

#[test]
fn entries_stand_where_the_specification_puts_them() {
    // spec/mhp-formats.md §1.6.
    let first = pac(&[b"abc", b"", b"defgh"], Alignment::Bytes16).with_tail(vec![0; 2]);
    let bytes = first.write();
    assert_eq!(table(&bytes), [32, 3, 0, 0, 48, 5]);
    assert_eq!((&bytes[32..35], &bytes[48..53]), (&b"abc"[..], &b"defgh"[..]));
    assert_eq!(bytes.len(), 55);
    let read = Pac::parse(&bytes).unwrap();
    assert_eq!(read, first);
    assert_eq!(read.packing(), &Packing::Aligned(Alignment::Bytes16));
    assert_eq!(read.tail(), [0, 0]);
    assert_eq!(
        (read.entry(0), read.entry(1), read.entry(3)),
        (Some(&b"abc"[..]), None, None)
    );

    let bytes = pac(&[b"abcde", b"fg"], Alignment::Bytes4).write();
    assert_eq!(table(&bytes), [20, 5, 28, 2]);
    let read = Pac::parse(&bytes).unwrap();
    assert_eq!(read.packing(), &Packing::Aligned(Alignment::Bytes4));
}

#[test]
fn the_largest_alignment_that_fits_is_found() {
    let found = |entries: &[&[u8]], alignment| {
        let bytes = pac(entries, alignment).write();
        let read = Pac::parse(&bytes).unwrap();
        assert_eq!(read.write(), bytes);
        read.packing().clone()
    };
    for alignment in ALIGNMENTS {
        assert_eq!(
            found(&[b"abcdef", b"x", b"y"], alignment),
            Packing::Aligned(alignment)
        );
    }
    // The table ends at 28 and the entry starts at 32, be it aligned to 8 or to 16.
    assert_eq!(
        found(&[b"", b"", b"1234"], Alignment::Bytes8),
        Packing::Aligned(Alignment::Bytes16)
    );
    let empty: [&[u8]; 6] = [b""; 6];
    // Nothing to align: the first alignment that is tried gives the bytes back.
    assert_eq!(
        found(&empty, Alignment::Bytes4),
        Packing::Aligned(Alignment::Bytes16)
    );
}

#[test]
fn a_pac_with_an_exporters_gaps_is_kept_as_it_was() {
    // spec/mhp-formats.md §1.2: the first entry 20 bytes behind the table, a full 16 bytes behind
    // an entry that ends on a multiple of 16.
    let mut bytes = file(&[(40, 8), (64, 16), (96, 3)], 99 + 5);
    for (offset, byte) in [(40, 1), (64, 2), (96, 3), (103, 4)] {
        bytes[offset] = byte;
    }
    let mut read = Pac::parse(&bytes).unwrap();
    let Packing::Gaps(gaps) = read.packing() else {
        panic!("{:?}", read.packing());
    };
    assert_eq!(gaps.iter().map(Vec::len).collect::<Vec<_>>(), [12, 16, 16]);
    assert_eq!(read.tail(), [0, 0, 0, 0, 4]);
    assert_eq!(read.write(), bytes);
    assert_eq!(Pac::parse(&read.write()).unwrap(), read);
    assert!(recognise(&bytes).is_some());

    // An edit keeps the gaps and moves what follows.
    read.replace(1, vec![9; 20]).unwrap();
    assert_eq!(table(&read.write()), [40, 8, 64, 20, 100, 3]);
    read.replace(1, vec![]).unwrap();
    assert_eq!(table(&read.write()), [40, 8, 0, 0, 64, 3]);
    read.replace(1, vec![9]).unwrap();
    assert_eq!(table(&read.write()), [40, 8, 48, 1, 65, 3]);
    assert_eq!(Pac::parse(&read.write()).unwrap(), read);
}

#[test]
fn a_gap_that_is_not_zero_is_kept_and_not_recognised() {
    let mut bytes = pac(&[b"abc", b"d"], Alignment::Bytes16).write();
    bytes[36] = 1;
    let read = Pac::parse(&bytes).unwrap();
    assert!(matches!(read.packing(), Packing::Gaps(_)));
    assert_eq!(read.write(), bytes);
    assert_eq!(recognise(&bytes), None);
}

#[test]
fn a_table_without_content_is_a_placeholder_stage_or_nothing() {
    // spec/mhp-formats.md §1.6 and §1.3.
    let refused = Pac::parse(&file(&[(0, 0)], 0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "PAC: table at 0x4: found 1 empty entries, expected an entry with content, or 6 entries"
    );
    assert!(Pac::parse(&file(&[(0, 0); 5], 100)).is_err());
    let stage = Pac::parse(&file(&[(0, 0); 6], 100)).unwrap();
    assert_eq!(stage.entries().len(), 6);
    assert_eq!(stage.tail().len(), 48);
}

#[test]
fn broken_tables_are_refused_with_the_place() {
    let error = |table: &[(u32, u32)], length| Pac::parse(&file(table, length)).unwrap_err().to_string();
    assert_eq!(
        error(&[(0, 0), (16, 4)], 64),
        "PAC: entry 1, offset at 0xc: found 0x10, expected 0x14 or more, where what lies before it ends"
    );
    assert_eq!(
        error(&[(32, 4), (32, 4)], 64),
        "PAC: entry 1, offset at 0xc: found 0x20, expected 0x24 or more, where what lies before it ends"
    );
    assert_eq!(
        error(&[(32, 33)], 64),
        "PAC: entry 0, size at 0x8: found 0x21, expected 0x20 at most"
    );
    assert!(error(&[(u32::MAX, u32::MAX)], 64).contains("0x0 at most"));
    assert_eq!(
        error(&[(32, 0)], 64),
        "PAC: entry 0, size at 0x8: found 0 at offset 0x20, expected offset 0 for an empty entry"
    );
    let count = |count: u32| Pac::parse(&count.to_le_bytes()).unwrap_err().to_string();
    assert_eq!(count(0), "PAC: entry count at 0x0: found 0, expected 1 to 256");
    assert_eq!(
        count(257),
        "PAC: entry count at 0x0: found 257, expected 1 to 256"
    );
    assert!(count(256).starts_with("PAC: table at 0x4: found a file of 0x4 bytes"));
    assert!(Pac::parse(&[1, 0]).is_err());
}

#[test]
fn what_no_file_can_hold_is_refused_when_built() {
    let new = |entries: Vec<Vec<u8>>| Pac::new(entries, Alignment::Bytes16).map(|_| ());
    assert_eq!(new(vec![]), Err(InvalidPac::EntryCount(0)));
    assert_eq!(new(vec![vec![1]; 257]), Err(InvalidPac::EntryCount(257)));
    assert_eq!(new(vec![vec![]; 5]), Err(InvalidPac::NoContent(5)));
    assert_eq!(new(vec![vec![]; 6]), Ok(()));
    assert_eq!(new(vec![vec![1]; 256]), Ok(()));
    let mut one = pac(&[b"a"], Alignment::Bytes16);
    assert_eq!(one.replace(0, vec![]), Err(InvalidPac::NoContent(1)));
    assert_eq!(one.entry(0), Some(&b"a"[..]));
    assert_eq!(
        one.replace(1, vec![]),
        Err(InvalidPac::NoSuchEntry { index: 1, count: 1 })
    );
}

prop_compose! {
    fn any_pac()(
        entries in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..10),
        alignment in prop::sample::select(ALIGNMENTS.to_vec()),
        gaps in prop::option::of(prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 10)),
        tail in prop::collection::vec(any::<u8>(), 0..20),
    ) -> Pac {
        let mut entries = entries;
        if entries.iter().all(Vec::is_empty) {
            entries[0].push(7);
        }
        let packing = gaps.map_or(Packing::Aligned(alignment), |mut gaps| {
            gaps.truncate(entries.len());
            for (gap, _) in gaps.iter_mut().zip(&entries).filter(|(_, entry)| entry.is_empty()) {
                gap.clear();
            }
            Packing::Gaps(gaps)
        });
        Pac { entries, packing, tail }
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(pac in any_pac()) {
        let bytes = pac.write();
        let read = Pac::parse(&bytes).unwrap();
        prop_assert_eq!(read.write(), bytes);
        prop_assert_eq!(read, pac);
    }

    #[test]
    fn damage_is_an_error_or_another_pac_and_never_a_panic(
        pac in any_pac(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        length in any::<Index>(),
    ) {
        let mut bytes = pac.write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(read) = Pac::parse(bytes) {
                prop_assert_eq!(read.write(), bytes);
            } else {
                prop_assert_eq!(recognise(bytes), None);
            }
        }
    }
}
