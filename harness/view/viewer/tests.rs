use std::sync::Arc;

use super::*;
use crate::model::{Companions, Model};
use crate::view::subject::OpenModel;
use crate::view::worker;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden/models")
        .join(name)
}

fn viewer(name: &str) -> Viewer {
    let path = sample(name);
    let model = Model::open(&path, &Companions::default(), None).unwrap();
    let options = RenderOptions {
        size: [40, 24],
        ..RenderOptions::default()
    };
    let open = OpenModel {
        path,
        companions: Companions::default(),
        monster: None,
        model: Arc::new(model),
    };
    let habits = Habits {
        model: options.clone(),
        replay: ReplayOptions::default(),
        folder: ".".into(),
    };
    Viewer::new(
        Showing::Model(Box::new(ModelState::dropped(open, options))),
        habits,
    )
}

/// Does all work that has come up, as the threads do.
fn work(viewer: &mut Viewer) {
    loop {
        let mailbox = crate::view::mailbox::Mailbox::default();
        let mut tasks = viewer.take_tasks();
        tasks.extend(viewer.wanted().map(Task::Draw));
        if tasks.is_empty() {
            return;
        }
        tasks.into_iter().for_each(|task| mailbox.push(task));
        mailbox.close();
        let replies = std::sync::Mutex::new(Vec::new());
        worker::work(&mailbox, &|reply| replies.lock().unwrap().push(reply));
        for reply in replies.into_inner().unwrap() {
            viewer.hear(reply);
        }
    }
}

fn line(viewer: &Viewer) -> &str {
    viewer.message().map_or("", |message| &message.line)
}

#[test]
fn nothing_is_drawn_twice() {
    let mut viewer = viewer("wyvern.pac");
    assert!(viewer.wanted().is_some());
    assert!(viewer.wanted().is_none() && viewer.is_behind());
    work(&mut viewer);
    viewer.act(Action::StepFrames(1));
    assert!(viewer.wanted().is_some());
    viewer.act(Action::StepFrames(-1));
    assert!(viewer.wanted().is_some(), "the picture before was not kept");
}

#[test]
fn what_is_dropped_is_shown_in_its_order() {
    let mut viewer = viewer("wyvern-head.pac");
    work(&mut viewer);
    assert!(!viewer.is_behind());
    for name in ["loose/wyvern.pmo", "loose/wyvern.skeleton", "loose/wyvern.mot"] {
        viewer.drop_file(sample(name));
    }
    work(&mut viewer);
    let Showing::Model(state) = &viewer.showing else {
        panic!()
    };
    assert_eq!(state.open.path, sample("loose/wyvern.pmo"));
    assert_eq!(
        state.open.companions.skeleton,
        Some(sample("loose/wyvern.skeleton"))
    );
    assert!(matches!(&state.played, super::super::Played::Mot(_)));
    assert!(line(&viewer).starts_with("opened "), "{}", line(&viewer));
    assert!(!viewer.is_behind());
}

#[test]
fn a_file_of_no_use_leaves_everything_as_it_was() {
    let mut viewer = viewer("wyvern.pac");
    work(&mut viewer);
    let before = viewer.drawn.as_ref().unwrap().image.clone();
    for name in ["README.md", "no-such.zip"] {
        viewer.drop_file(sample(name));
    }
    work(&mut viewer);
    let message = viewer.message().unwrap();
    assert_eq!(message.weight, Weight::Failed);
    assert!(message.line.contains("no-such.zip") && !message.hint.is_empty());
    assert!(Arc::ptr_eq(&viewer.drawn.as_ref().unwrap().image, &before));
    viewer.act(Action::StepFrames(1));
    assert!(
        viewer.message().is_some(),
        "a failure stays until it is dismissed"
    );
    viewer.act(Action::Dismiss);
    assert!(viewer.message().is_none());
}

#[test]
fn escape_closes_one_thing_after_another() {
    let mut viewer = viewer("wyvern.pac");
    viewer.act(Action::Help);
    viewer.hear(Reply::Failed(Message::done("news")));
    viewer.act(Action::Dismiss);
    assert_eq!((viewer.help, line(&viewer)), (Part::Hidden, "news"));
    viewer.act(Action::Dismiss);
    assert_eq!(line(&viewer), "");
    assert_eq!(viewer.act(Action::Quit), Some(Effect::Quit));
}

#[test]
fn a_picture_is_written_as_it_was_when_the_key_went_down() {
    let mut viewer = viewer("wyvern.pac");
    viewer.act(Action::Screenshot);
    viewer.act(Action::StepFrames(1));
    let tasks = viewer.take_tasks();
    let [Task::Save { shot, command, .. }] = &tasks[..] else {
        panic!("{tasks:?}")
    };
    assert_ne!(Some(shot), viewer.wanted().as_ref());
    let command = command.as_ref().unwrap();
    assert!(command.contains(" --size 40x24"), "{command}");
    assert_ne!(Some(command), viewer.command().as_ref());
}

#[test]
fn reading_again_finds_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wyvern.pac");
    std::fs::copy(sample("wyvern.pac"), &path).unwrap();
    let mut viewer = viewer("wyvern.pac");
    viewer.drop_file(path.clone());
    work(&mut viewer);
    let before = viewer.drawn.as_ref().unwrap().image.clone();
    std::fs::copy(sample("wyvern-head.pac"), &path).unwrap();
    viewer.act(Action::Reload);
    work(&mut viewer);
    assert_ne!(viewer.drawn.as_ref().unwrap().image, before);
    std::fs::remove_file(&path).unwrap();
    let before = viewer.drawn.as_ref().unwrap().image.clone();
    viewer.act(Action::Reload);
    work(&mut viewer);
    assert_eq!(viewer.message().unwrap().weight, Weight::Failed);
    assert_eq!(viewer.drawn.as_ref().unwrap().image, before);
}
