use super::*;
use crate::bfres::builder::put;
use crate::fsha::ShapeKey;

/// F1 with a model "head" behind it, of a shape "face" with the key shapes of the animation.
fn with_model() -> Vec<u8> {
    let mut builder = Builder::default();
    let at = builder.reserve(talk().len());
    put(builder.bytes_mut(), at, &talk());
    let (models, data) = dictionary::build(&mut builder, &["head".into()]).unwrap();
    let model = builder.reserve(0x30);
    put(builder.bytes_mut(), model, b"FMDL");
    builder.point(data[0], model);
    let (shapes, data) = dictionary::build(&mut builder, &["face".into()]).unwrap();
    builder.point(model + 0x14, shapes);
    let shape = builder.reserve(0x40);
    put(builder.bytes_mut(), shape, b"FSHP");
    put(builder.bytes_mut(), shape + 0x18, &[3, 2]);
    builder.point(data[0], shape);
    let names: Vec<_> = ["base", "smile", "blink"].map(Arc::from).to_vec();
    let (key_shapes, data) = dictionary::build(&mut builder, &names).unwrap();
    builder.point(shape + 0x2C, key_shapes);
    for (index, field) in data.into_iter().enumerate() {
        let key_shape = builder.reserve(24);
        put(builder.bytes_mut(), key_shape, &[index as u8, 10 + index as u8]);
        builder.point(field, key_shape);
    }
    builder.point(0x20, models);
    builder.point(0x94 + 0x20, model);
    builder.finish().bytes
}

#[test]
fn animations_find_the_key_shapes_they_bind_to() {
    let bytes = with_model();
    let file = Bfres::parse(&bytes).unwrap();
    assert_eq!(file.write(), bytes);
    let models = file.models().unwrap();
    assert_eq!((models.len(), &*models[0].name), (1, "head"));
    assert_eq!(file.model_of(0), Some(0));
    let shape = &models[0].shapes[0];
    assert_eq!(&*shape.name, "face");
    assert_eq!(
        (shape.key_shapes[2].position, shape.key_shapes[2].normal),
        (2, 12)
    );
    let face = &file.animations()[0].shapes[0];
    assert_eq!(face.name, shape.name);
    let found: Vec<_> = face.keys.iter().map(|key| shape.find(key)).collect();
    assert_eq!(found, [Some(0), Some(1), Some(2)]);
    // By name, where the index says nothing or too much.
    for sub_bind in [None, Some(3)] {
        let key = ShapeKey {
            name: "blink".into(),
            curve: None,
            sub_bind,
        };
        assert_eq!(shape.find(&key), Some(2));
        let key = ShapeKey {
            name: "frown".into(),
            ..key
        };
        assert_eq!(shape.find(&key), None);
    }
}

#[test]
fn a_model_that_does_not_read_keeps_no_animation_from_it() {
    let mut bytes = with_model();
    let shape = bytes.windows(4).position(|magic| magic == b"FSHP").unwrap();
    bytes[shape + 0x18] = 2;
    let file = Bfres::parse(&bytes).unwrap();
    assert_eq!(file.animations().len(), 1);
    assert_eq!(
        file.models().unwrap_err().to_string(),
        format!(
            "BFRES: model 0, shape 0, key shape count at {:#x}: found 2, expected 3, as the dictionary has",
            shape + 0x18
        )
    );
    bytes[shape] = b'X';
    let file = Bfres::parse(&bytes).unwrap();
    assert!(file.models().unwrap_err().to_string().contains("found \"XSHP\""));
}
