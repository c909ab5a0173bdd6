//! Reading reference pictures.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use replay::Picture;

/// The colours of the visible screen in a PNG: its first 480 columns, row after row.
pub(crate) fn read(path: &Path) -> Vec<[u8; 3]> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    let (width, height) = (info.width as usize, info.height as usize);
    assert!(width >= Picture::WIDTH, "{}: {width} columns", path.display());
    assert_eq!(height, Picture::HEIGHT, "{}", path.display());
    let samples = info.color_type.samples();
    let color = |pixel: &[u8]| match *pixel {
        [red, green, blue, _] => [red, green, blue],
        _ => [pixel[0]; 3],
    };
    bytes[..info.buffer_size()]
        .chunks_exact(width * samples)
        .flat_map(|row| row[..Picture::WIDTH * samples].chunks_exact(samples))
        .map(color)
        .collect()
}
