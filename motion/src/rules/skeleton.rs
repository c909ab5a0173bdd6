//! The rules of skeletons.

use std::collections::{BTreeMap, BTreeSet};

use formats::skeleton::{Bone, Skeleton};

use super::{Code, Finding, Findings};

/// A run of animated bones of one part.
pub(super) struct Run {
    pub(super) part: u32,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The runs of parts over the animated bones, in bone order.
pub(super) fn runs(animated: &[Bone]) -> Vec<Run> {
    let mut start = 0;
    animated
        .chunk_by(|a, b| a.stream == b.stream)
        .map(|chunk| {
            let end = start + chunk.len();
            let part = chunk.first().map_or(0, |bone| bone.stream);
            Run {
                part,
                start: std::mem::replace(&mut start, end),
                end,
            }
        })
        .collect()
}

/// Checks a skeleton on its own.
pub fn check_skeleton(skeleton: &Skeleton) -> Vec<Finding> {
    let mut findings = Findings::default();
    let bones = &skeleton.bones;
    let late_parent =
        |(index, bone): &(usize, &Bone)| bone.parent.is_some_and(|parent| usize::from(parent) >= *index);
    let late = bones
        .iter()
        .enumerate()
        .filter(late_parent)
        .map(|(index, _)| index);
    findings.list(Code::ParentOrder, "bones", late);

    let stated = skeleton
        .parameters
        .get(1)
        .map_or(bones.len(), |&count| count as usize);
    let Some(animated) = bones.get(..stated).filter(|animated| !animated.is_empty()) else {
        let message = format!("{stated} animated of {} bones", bones.len());
        findings.add(Code::AnimatedCount, message);
        return findings.0;
    };

    let runs = runs(animated);
    let mut parts = BTreeSet::new();
    if !runs.iter().all(|run| parts.insert(run.part)) {
        let shown = runs
            .iter()
            .map(|run| format!("{}:{}", run.part, run.end - run.start));
        findings.list(Code::StreamRuns, "", shown);
    }
    let mut held = parents_of_earlier_bones(bones, &runs);
    for (index, run) in runs.iter().enumerate().skip(1) {
        check_subtree(bones, run, held.remove(&index).unwrap_or_default(), &mut findings);
    }
    findings.0
}

/// By run, the bones in it that are parents of bones before it.
fn parents_of_earlier_bones(bones: &[Bone], runs: &[Run]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut held: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (index, bone) in bones.iter().enumerate() {
        let Some(parent) = bone.parent.map(usize::from).filter(|&parent| parent > index) else {
            continue;
        };
        let run_index = runs.partition_point(|run| run.end <= parent);
        if runs.get(run_index).is_some_and(|run| run.start > index) {
            held.entry(run_index).or_default().insert(parent);
        }
    }
    held
}

fn check_subtree(bones: &[Bone], run: &Run, held: BTreeSet<usize>, findings: &mut Findings) {
    let inside = run.start..run.end;
    let of_run = bones.get(inside.clone()).unwrap_or_default();
    let outside: BTreeSet<Option<usize>> = of_run
        .iter()
        .map(|bone| bone.parent.map(usize::from))
        .filter(|parent| parent.is_none_or(|parent| !inside.contains(&parent)))
        .collect();
    if outside.len() != 1 || outside.contains(&None) {
        let shown = outside.iter().map(|parent| match parent {
            Some(parent) => parent.to_string(),
            None => "nothing".to_owned(),
        });
        findings.list(
            Code::StreamSubtree,
            &format!("stream {} hangs off", run.part),
            shown,
        );
    }
    findings.list(
        Code::StreamSubtree,
        &format!("stream {} holds parents of earlier bones:", run.part),
        held,
    );
}

/// Checks that a skeleton keeps the bones of the species that it replaces.
pub fn check_template(skeleton: &Skeleton, species: &Skeleton) -> Vec<Finding> {
    let mut findings = Findings::default();
    let (bones, expected) = (&skeleton.bones, &species.bones);
    if bones.len() != expected.len() {
        let message = format!("{} bones, the species {}", bones.len(), expected.len());
        findings.add(Code::Template, message);
    }
    let pairs = bones.iter().zip(expected).enumerate();
    let moved = pairs.filter(|(_, (bone, of_species))| bone.parent != of_species.parent);
    findings.list(
        Code::Template,
        "other parents on bones",
        moved.map(|(index, _)| index),
    );
    findings.0
}

#[cfg(test)]
mod tests {
    use formats::skeleton::BoneEncoding;
    use proptest::prelude::*;

    use super::*;

    fn skeleton(bones: &[(i32, u32)]) -> Skeleton {
        let bone =
            |&(parent, part): &(i32, u32)| Bone::new(u16::try_from(parent).ok(), [0.0; 3]).in_part(part);
        Skeleton::new(BoneEncoding::Mhfu, bones.iter().map(bone).collect())
    }

    fn messages(findings: &[Finding]) -> Vec<(Code, &str)> {
        findings
            .iter()
            .map(|finding| (finding.code, &finding.message[..]))
            .collect()
    }

    #[test]
    fn a_sound_skeleton_has_no_findings() {
        let sound = skeleton(&[(-1, 0), (0, 0), (1, 0), (2, 1), (3, 1), (1, 2), (5, 2)]);
        assert_eq!(check_skeleton(&sound), []);
        assert_eq!(check_template(&sound, &sound), []);
    }

    #[test]
    fn parents_come_first() {
        let findings = check_skeleton(&skeleton(&[(-1, 0), (0, 0), (1, 0), (4, 0), (2, 0)]));
        assert_eq!(messages(&findings), [(Code::ParentOrder, "bones 3")]);
    }

    #[test]
    fn an_impossible_animated_count_stops_the_checks() {
        let mut broken = skeleton(&[(-1, 0), (0, 1), (0, 0), (0, 1), (0, 0), (0, 0)]);
        broken.parameters = vec![0, 9];
        assert_eq!(
            messages(&check_skeleton(&broken)),
            [(Code::AnimatedCount, "9 animated of 6 bones")]
        );
        broken.parameters = vec![0, 0];
        assert_eq!(
            messages(&check_skeleton(&broken)),
            [(Code::AnimatedCount, "0 animated of 6 bones")]
        );
    }

    #[test]
    fn parts_are_runs_that_hang_off_one_joint() {
        let split = skeleton(&[(-1, 0), (0, 1), (0, 0), (2, 1), (3, 1)]);
        let findings = check_skeleton(&split);
        assert_eq!(messages(&findings), [(Code::StreamRuns, "0:1 1:1 0:1 1:2")]);

        let forked = skeleton(&[(-1, 0), (0, 0), (1, 0), (1, 0), (1, 0), (3, 1), (4, 1)]);
        let findings = check_skeleton(&forked);
        assert_eq!(
            messages(&findings),
            [(Code::StreamSubtree, "stream 1 hangs off 3 4")]
        );

        let loose = skeleton(&[(-1, 0), (-1, 1)]);
        let mut loose = loose;
        loose.parameters = vec![0];
        assert_eq!(
            messages(&check_skeleton(&loose)),
            [(Code::StreamSubtree, "stream 1 hangs off nothing")]
        );

        let inverted = skeleton(&[(-1, 0), (2, 0), (0, 1)]);
        assert_eq!(
            messages(&check_skeleton(&inverted)),
            [
                (Code::ParentOrder, "bones 1"),
                (Code::StreamSubtree, "stream 1 holds parents of earlier bones: 2"),
            ]
        );
    }

    #[test]
    fn bones_past_the_animated_ones_do_not_count() {
        let mut tailed = skeleton(&[(-1, 0), (0, 1), (-1, 0), (2, 1)]);
        assert_eq!(tailed.parameters, [0, 2]);
        assert_eq!(check_skeleton(&tailed), []);
        tailed.parameters.truncate(1);
        assert_eq!(check_skeleton(&tailed)[0].code, Code::StreamRuns);
    }

    #[test]
    fn a_template_keeps_bones_and_parents() {
        let species = skeleton(&[(-1, 0), (0, 0), (1, 0), (2, 0)]);
        let findings = check_template(&skeleton(&[(-1, 0), (0, 0), (0, 0)]), &species);
        assert_eq!(
            messages(&findings),
            [
                (Code::Template, "3 bones, the species 4"),
                (Code::Template, "other parents on bones 2"),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_skeleton_can_be_checked(
            bones in prop::collection::vec((-1_i32..30, 0_u32..4), 0..24),
            parameters in prop::collection::vec(any::<u32>(), 0..3),
        ) {
            let mut skeleton = skeleton(&bones);
            skeleton.parameters = parameters;
            let _ = check_skeleton(&skeleton);
        }
    }
}
