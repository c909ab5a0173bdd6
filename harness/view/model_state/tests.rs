use std::path::Path;

use motion::rig::entry::Entry;

use super::*;
use crate::model::{Companions, Model};

fn state(name: &str) -> ModelState {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden/models")
        .join(name);
    let model = Model::open(&path, &Companions::default(), None).unwrap();
    let open = OpenModel {
        path,
        companions: Companions::default(),
        monster: None,
        model: Arc::new(model),
    };
    ModelState::dropped(open, RenderOptions::default())
}

#[test]
fn a_model_begins_as_render_draws_it() {
    let state = state("wyvern.pac");
    assert_eq!(state.played, Played::Listed(state.list[0].selection));
    assert_eq!(state.clock.frame(), f64::from(state.clock.end() as u32 / 2));
    assert!(!state.clock.is_playing());
}

#[test]
fn the_list_is_gone_through_and_ends() {
    let mut state = state("wyvern.pac");
    state.act(Action::Animation(-1));
    assert_eq!(state.played, Played::Listed(state.list[0].selection));
    state.act(Action::Animation(1));
    assert_eq!(state.played, Played::Listed(state.list[1].selection));
    state.act(Action::Animation(isize::MAX));
    assert_eq!(state.played, Played::Listed(state.list.last().unwrap().selection));
}

#[test]
fn the_bind_pose_remembers_what_was_played() {
    let mut state = state("wyvern.pac");
    state.choose(Selection::Entry(Entry(24)));
    state.act(Action::Bind);
    assert!(state.shot().motion.is_none() && !state.clock.moves());
    state.act(Action::Bind);
    assert_eq!(state.played, Played::Listed(Selection::Entry(Entry(24))));
    assert!(state.shot().motion.is_some());
}

#[test]
fn a_selection_that_is_not_there_changes_nothing() {
    let mut state = state("wyvern.pac");
    let before = state.played.clone();
    state.choose(Selection::Entry(Entry(99)));
    assert_eq!(state.played, before);
}

#[test]
fn reading_again_keeps_place_pace_and_view() {
    let mut state = state("wyvern.pac");
    state.choose(Selection::Entry(Entry(24)));
    state.act(Action::StepFrames(3));
    state.act(Action::Faster(1));
    state.act(Action::Look(View::Game));
    let (frame, open) = (state.clock.frame(), state.open.clone());
    state.reopen(open.clone());
    assert_eq!(state.played, Played::Listed(Selection::Entry(Entry(24))));
    assert_eq!((state.clock.frame(), state.clock.speed()), (frame, 1.5));
    assert_eq!(state.options.view, View::Game);
    state.act(Action::ResetView);
    assert_eq!(state.options.view, View::THREE_QUARTER);

    state.act(Action::Play);
    state.reopen(open.clone());
    assert!(state.clock.is_playing());

    let motion = Motion::clone(state.shot().motion.as_ref().unwrap());
    state.play_mot("walk.mot".into(), motion.clone());
    state.reopen(open.clone());
    assert_eq!(state.played, Played::Mot("walk.mot".into()));
    assert_eq!(state.shot().motion.as_deref(), Some(&motion));

    state.act(Action::Bind);
    state.reopen(open);
    assert_eq!(state.played, Played::Bind);
}

#[test]
fn a_model_that_gets_its_clips_plays_them() {
    let sample = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("golden/models/loose")
            .join(name)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alone.pmo");
    std::fs::copy(sample("wyvern.pmo"), &path).unwrap();
    let opened = |companions: Companions| OpenModel {
        path: path.clone(),
        model: Arc::new(Model::open(&path, &companions, None).unwrap()),
        companions,
        monster: None,
    };
    let mut state = ModelState::dropped(opened(Companions::default()), RenderOptions::default());
    assert!(state.list.is_empty() && state.played == Played::Bind);
    state.reopen(opened(Companions {
        skeleton: Some(sample("wyvern.skeleton")),
        animation: Some(sample("wyvern.animation")),
        ..Companions::default()
    }));
    assert_eq!(state.played, Played::Listed(state.list[0].selection));
    assert!(state.clock.moves());
}

#[test]
fn meshes_are_hidden_and_shown() {
    let mut state = state("wyvern.pac");
    state.toggle_mesh(1);
    state.toggle_mesh(0);
    assert_eq!(state.options.hidden_meshes, [0, 1]);
    state.toggle_mesh(1);
    assert_eq!(state.options.hidden_meshes, [0]);
    state.act(Action::AllMeshes);
    assert!(state.options.hidden_meshes.is_empty());
}

#[test]
fn a_tail_goes_round_its_three_ways() {
    let mut state = state("wyvern.pac");
    assert!(state.has_tail());
    let ways: Vec<Tail> = (0..3)
        .map(|_| {
            state.act(Action::Tail);
            state.options.tail
        })
        .collect();
    assert_eq!(ways, [Tail::Cut, Tail::Dropped, Tail::Attached]);
}

#[test]
fn a_model_without_clips_rests() {
    let mut state = state("stage.pac");
    for action in [
        Action::Play,
        Action::StepFrames(1),
        Action::Animation(1),
        Action::LastFrame,
        Action::Bind,
        Action::Tail,
    ] {
        state.act(action);
    }
    assert_eq!((&state.played, state.clock.frame()), (&Played::Bind, 0.0));
    assert!(!state.clock.is_playing());
}
