use std::sync::Mutex;

use super::*;
use crate::model::{Companions, Tail};
use crate::scene::View;

fn sample(name: &str) -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden/models")
        .join(name)
}

fn model(name: &str) -> Arc<Model> {
    Arc::new(Model::open(&sample(name), &Companions::default(), None).unwrap())
}

fn shot(model: &Arc<Model>, frame: f64, change: impl FnOnce(&mut RenderOptions)) -> ModelShot {
    let mut options = RenderOptions {
        size: [64, 40],
        ..RenderOptions::default()
    };
    change(&mut options);
    ModelShot {
        model: Arc::clone(model),
        options,
        motion: crate::render::motion_of(model, None).unwrap().map(Arc::new),
        frame,
    }
}

fn done(tasks: Vec<Task>) -> Vec<Reply> {
    let mailbox = Mailbox::default();
    tasks.into_iter().for_each(|task| mailbox.push(task));
    mailbox.close();
    let replies = Mutex::new(Vec::new());
    work(&mailbox, &|reply| replies.lock().unwrap().push(reply));
    replies.into_inner().unwrap()
}

fn picture(shot: &ModelShot) -> Image {
    let mut renderer = Renderer::new(&shot.model, shot.options.clone()).unwrap();
    let take = renderer.take_motion(Motion::clone(shot.motion.as_ref().unwrap()));
    Image::Colours(renderer.draw(&take, shot.frame).unwrap())
}

#[test]
fn a_kept_scene_draws_what_a_new_one_draws() {
    let [wyvern, head] = ["wyvern.pac", "wyvern-head.pac"].map(model);
    let first = shot(&wyvern, 3.0, |_| {});
    let mut later = first.clone();
    later.frame = 9.0;
    let mut turned = later.clone();
    turned.options.view = View::Fitted {
        yaw: -120.0,
        pitch: 5.0,
    };
    let mut larger = turned.clone();
    larger.options.size = [70, 90];
    let mut cut = larger.clone();
    cut.options.tail = Tail::Cut;
    let other = ModelShot {
        motion: None,
        ..shot(&head, 0.0, |_| {})
    };
    let shots = [&first, &later, &turned, &larger, &cut, &other, &first];
    let tasks = shots.map(|shot| Task::Draw(Shot::Model(Box::new(shot.clone()))));
    let replies = done(tasks.into());
    assert_eq!(replies.len(), shots.len());
    let images: Vec<Image> = replies
        .into_iter()
        .map(|reply| match reply {
            Reply::Drawn(drawn) => Image::clone(&drawn.image),
            other => panic!("{other:?}"),
        })
        .collect();
    for (index, shot) in shots.into_iter().enumerate() {
        if shot.motion.is_some() {
            assert!(images[index] == picture(shot), "picture {index}");
        }
    }
    assert!(images[0] != images[1] && images[1] != images[2] && images[3] != images[4]);
    assert!(images[0] == images[6]);
}

#[test]
fn a_saved_picture_is_the_one_of_the_moment() {
    let folder = tempfile::tempdir().unwrap();
    let shot = shot(&model("wyvern.pac"), 5.0, |_| {});
    let replies = done(vec![Task::Save {
        shot: Shot::Model(Box::new(shot.clone())),
        folder: folder.path().to_owned(),
        command: None,
    }]);
    let [Reply::Saved { path, .. }] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!(*path, folder.path().join("wyvern-001.png"));
    let Image::Colours(expected) = picture(&shot) else {
        panic!()
    };
    assert_eq!(
        std::fs::read(path).unwrap(),
        crate::picture::encode_png(&expected)
    );
}

#[test]
fn what_fails_is_said_and_work_goes_on() {
    let wyvern = model("wyvern.pac");
    let current = Subject::Model(subject::OpenModel {
        path: sample("wyvern.pac"),
        companions: Companions::default(),
        monster: None,
        model: Arc::clone(&wyvern),
    });
    let replies = done(vec![
        Task::Drop {
            path: sample("README.md"),
            current,
            options: ReplayOptions::default(),
        },
        Task::Draw(Shot::Model(Box::new(shot(&wyvern, 0.0, |_| {})))),
    ]);
    assert!(
        matches!(&replies[..], [Reply::NotOpened(_), Reply::Drawn(_)]),
        "{replies:?}"
    );
}
