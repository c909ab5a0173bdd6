use formats::skeleton::BoneEncoding;
use proptest::prelude::*;

use super::*;

fn bone(parent: i32, position: [f32; 3]) -> Bone {
    Bone::new(u16::try_from(parent).ok(), position)
}

fn rig(bones: Vec<Bone>) -> Rig {
    Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones))
}

fn bind_positions(rig: &Rig) -> Vec<[f64; 3]> {
    rig.joints()
        .iter()
        .map(|joint| joint.bind_world.translation.to_array())
        .collect()
}

#[test]
fn broken_parents_become_roots() {
    // spec/mhp-formats.md §4.2.
    let rig = rig([-1, 2, 1, 7].map(|parent| bone(parent, [0.0; 3])).to_vec());
    let parents: Vec<_> = rig.joints().iter().map(|joint| joint.parent).collect();
    assert_eq!(parents, [None, Some(2), None, None]);
    assert_eq!(
        rig.diagnostics(),
        [
            RigDiagnostic::ParentDropped { bone: 2, parent: 1 },
            RigDiagnostic::ParentDropped { bone: 3, parent: 7 },
            RigDiagnostic::NoCarriers { first: 2, last: 2 },
        ]
    );
}

#[test]
fn bind_positions_add_up_the_chain() {
    // spec/mhp-formats.md §4.3; the last bone is its own parent.
    let rig = rig(vec![
        bone(-1, [0.0, 1.0, 0.0]),
        bone(0, [1.0, 0.0, 0.0]),
        bone(1, [0.0, 0.0, 2.0]),
        bone(3, [5.0, 0.0, 0.0]),
    ]);
    assert_eq!(
        bind_positions(&rig),
        [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 2.0], [5.0, 0.0, 0.0]]
    );
}

#[test]
fn children_before_their_parents_are_posed_all_the_same() {
    let rig = rig(vec![
        bone(1, [1.0, 0.0, 0.0]),
        bone(2, [0.0, 1.0, 0.0]),
        bone(-1, [0.0, 0.0, 1.0]),
    ]);
    assert_eq!(
        bind_positions(&rig),
        [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    );
}

#[test]
fn parts_forks_and_roots() {
    let bones = [-1, 0, 1, 2, 2, 4].map(|parent| bone(parent, [0.0; 3]));
    let parts = [0, 0, 0, 1, 2, 2];
    let bones = bones
        .into_iter()
        .zip(parts)
        .map(|(bone, part)| bone.in_part(part))
        .collect();
    let rig = rig(bones);
    let parts: Vec<_> = rig
        .parts()
        .iter()
        .map(|part| (part.id, part.joints.clone()))
        .collect();
    assert_eq!(parts, [(0, vec![0, 1, 2]), (1, vec![3]), (2, vec![4, 5])]);
    assert_eq!((rig.fork(), rig.root_joint()), (2, Some(1)));
    let above: Vec<_> = rig.joints().iter().map(|joint| joint.above_fork).collect();
    assert_eq!(above, [true, true, true, false, false, false]);
}

#[test]
fn accumulated_scales_act_in_each_joints_own_axes() {
    // Under a parent that doubles X, a child turned by 90 degrees about Z stretches along its own
    // X, which is the parent's Y: the accumulated scale is applied behind the rotation.
    let mut parent = bone(-1, [0.0; 3]);
    parent.scale = [2.0, 1.0, 1.0];
    let mut child = bone(0, [3.0, 0.0, 0.0]);
    child.rotation = [0.0, 0.0, std::f32::consts::FRAC_PI_2];
    let rig = rig(vec![parent, child]);
    let joint = &rig.joints()[1];
    assert!(
        joint
            .bind_world
            .translation
            .abs_diff_eq(DVec3::new(6.0, 0.0, 0.0), 1e-6)
    );
    let stretched = joint.bind_world.transform_vector3(DVec3::X);
    assert!(stretched.abs_diff_eq(DVec3::new(0.0, 2.0, 0.0), 1e-6));
    let identity = joint.bind_world * joint.inverse_bind;
    assert!(identity.abs_diff_eq(DAffine3::IDENTITY, 1e-12));
    assert_eq!(
        rig.diagnostics(),
        [RigDiagnostic::BindScaled {
            bone: 0,
            scale: [2.0, 1.0, 1.0]
        }]
    );
}

#[test]
fn hostile_bind_values_are_replaced_and_named() {
    let mut broken = bone(-1, [f32::NAN, f32::INFINITY, 3.0]);
    broken.scale = [0.0, 1.0, 1.0];
    let rig = rig(vec![broken]);
    assert_eq!(bind_positions(&rig), [[0.0, 0.0, 3.0]]);
    assert_eq!(
        rig.diagnostics(),
        [
            RigDiagnostic::BindNotFinite { bone: 0 },
            RigDiagnostic::BindScaled {
                bone: 0,
                scale: [0.0, 1.0, 1.0]
            },
            RigDiagnostic::BindSingular { bone: 0 },
        ]
    );
}

/// A body whose tail is the joints `tail`, and a second chain with `offsets`.
fn tailed(body: usize, tail: std::ops::Range<usize>, tail_offsets: &[f32], chain: &[f32]) -> Skeleton {
    let mut bones = vec![bone(-1, [0.0; 3])];
    for index in 1..body {
        let along = tail.clone().position(|joint| joint == index);
        let z = along.and_then(|along| tail_offsets.get(along)).copied();
        bones.push(bone(
            index as i32 - 1,
            [0.5 * index as f32, 0.0, z.unwrap_or(1.0)],
        ));
    }
    for (index, &z) in chain.iter().enumerate() {
        let parent = if index == 0 { -1 } else { (body + index) as i32 - 1 };
        let x = if index < 2 {
            0.0
        } else {
            0.5 * (tail.start + index - 1) as f32
        };
        bones.push(bone(parent, [x, 0.0, z]));
    }
    Skeleton::new(BoneEncoding::Mhfu, bones)
}

fn pairs(rig: &Rig) -> Vec<(usize, usize)> {
    let carriers = rig.tail().map(|tail| tail.carriers.clone()).unwrap_or_default();
    carriers.iter().map(|pair| (pair.joint, pair.carrier)).collect()
}

#[test]
fn carriers_are_the_joints_with_the_chains_offsets() {
    // The shapes of the three known rigs (spec/mhp-formats.md §3.12).
    for (body, tail, offsets, expected) in [
        (45, 43..45, vec![-90.0, -80.0], vec![(45, 43), (46, 43), (47, 44)]),
        (44, 42..44, vec![-90.0, -80.0], vec![(44, 42), (45, 42), (46, 43)]),
        (
            46,
            42..46,
            vec![-90.0, -80.0, -70.0, -60.0],
            vec![(46, 42), (47, 42), (48, 43), (49, 44), (50, 45)],
        ),
    ] {
        let chain: Vec<f32> = [0.0, 0.0]
            .into_iter()
            .chain(offsets[1..].iter().copied())
            .collect();
        let rig = Rig::new(&tailed(body, tail, &offsets, &chain));
        assert_eq!(pairs(&rig), expected);
        assert_eq!(
            rig.tail().map(|tail| tail.basis),
            Some(CarrierBasis::MatchingOffsets)
        );
        assert_eq!(rig.animated_count(), body);
    }
}

#[test]
fn known_rigs_do_without_matching_offsets() {
    let rig = Rig::new(&tailed(45, 43..45, &[-90.0, -80.0], &[0.0, 0.0, -33.0]));
    assert_eq!(pairs(&rig), [(45, 43), (46, 43), (47, 44)]);
    assert_eq!(
        rig.tail().map(|tail| tail.basis),
        Some(CarrierBasis::KnownRig("Tigrex"))
    );
}

#[test]
fn a_chain_without_carriers_is_named() {
    let rig = Rig::new(&tailed(20, 18..20, &[-90.0, -80.0], &[0.0, 0.0, -33.0]));
    assert_eq!(rig.tail(), None);
    assert_eq!(
        rig.diagnostics(),
        [RigDiagnostic::NoCarriers { first: 20, last: 22 }]
    );
    assert_eq!(
        rig.diagnostics()[0].to_string(),
        "bones 20 to 22: a second chain without known carriers; hide what rides it"
    );
}

proptest! {
    #[test]
    fn any_parents_give_a_rig(
        parents in prop::collection::vec(-1_i32..40, 0..40),
        second in prop::option::of(any::<u32>()),
        numbers in prop::collection::vec(any::<f32>(), 9),
    ) {
        let bones = parents.iter().enumerate().map(|(index, &parent)| {
            let mut bone = bone(parent, [1.0, 2.0, 3.0]).in_part(index as u32 % 3);
            if index == 5 {
                bone.scale.copy_from_slice(&numbers[..3]);
                bone.rotation.copy_from_slice(&numbers[3..6]);
                bone.position.copy_from_slice(&numbers[6..]);
            }
            bone
        });
        let mut skeleton = Skeleton::new(BoneEncoding::Mhfu, bones.collect());
        if let Some(second) = second {
            skeleton.parameters = vec![0, second % 64];
        }
        let rig = Rig::new(&skeleton);
        prop_assert_eq!(rig.joints().len(), parents.len());
        let mut order = rig.order.clone();
        let mut placed = vec![false; order.len()];
        for &joint in &order {
            prop_assert!(rig.joints()[joint].parent.is_none_or(|parent| placed[parent]));
            placed[joint] = true;
        }
        order.sort_unstable();
        prop_assert_eq!(order, (0..parents.len()).collect::<Vec<_>>());
        prop_assert!(rig.animated_count() <= parents.len());
    }

    #[test]
    fn skinning_at_bind_changes_nothing(
        parents in prop::collection::vec(-1_i32..12, 1..12),
        positions in prop::collection::vec(prop::array::uniform3(-2000.0_f32..2000.0), 12),
        turned in any::<bool>(),
    ) {
        let bones = parents.iter().zip(&positions).map(|(&parent, &position)| {
            let mut bone = bone(parent, position);
            if turned {
                bone.rotation = position.map(|number| number / 500.0);
            }
            bone
        });
        let rig = rig(bones.collect());
        for joint in rig.joints() {
            let skin = joint.bind_world * joint.inverse_bind;
            if turned {
                prop_assert!(skin.abs_diff_eq(DAffine3::IDENTITY, 1e-9));
            } else {
                prop_assert_eq!(skin, DAffine3::IDENTITY);
            }
        }
    }
}
