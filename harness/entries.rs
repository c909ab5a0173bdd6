//! The animations of a model: entries of Freedom Unite, clips of Portable 3rd.
use std::io::{self, Write};

use motion::library::{Library, Playable, Selection};
use motion::play::{DEFAULT_SPEED, LoopRule, Timeline};
use motion::rig::Rig;
use motion::rig::entry::ClipNumber;
use motion::rig::records::RecordMapBasis;
use serde::Serialize;

use crate::inspect::{Align, Table, count};

/// What can be played on a model.
#[derive(Debug, Serialize)]
pub struct EntryList {
    version: u32,
    /// `entries` (Freedom Unite: one clip for each part) or `clips` (Portable 3rd: the whole rig).
    kind: &'static str,
    parts: Vec<PartReport>,
    /// Portable 3rd: which bones the records of each stream's clips drive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    record_maps: Vec<RecordMapReport>,
    playable: Vec<PlayableReport>,
}

#[derive(Debug, Serialize)]
struct RecordMapReport {
    stream: usize,
    /// The bone of the first record.
    first_bone: usize,
    driven_bones: usize,
    /// Whether that is a guess (`spec/mhp-formats.md` §5.8).
    guessed: bool,
}

#[derive(Debug, Serialize)]
struct PartReport {
    part: u32,
    joints: usize,
}

#[derive(Debug, Serialize)]
struct PlayableReport {
    /// The entry or clip number; `None` for a slot that no number names.
    number: Option<u32>,
    clips: Vec<PartClipReport>,
    frames: f64,
    /// At the usual speed of two clip frames for each of the game's 30 frames a second.
    seconds: f64,
    loops: bool,
    loop_start: Option<f64>,
    /// Whether some part has no clip: the game then leaves it in the pose that it had.
    partial: bool,
}

#[derive(Debug, Serialize)]
struct PartClipReport {
    part: u32,
    stream: usize,
    slot: usize,
    filled: bool,
    frames: Option<f64>,
}

impl EntryList {
    /// All that `library` has for `rig`.
    #[must_use]
    pub fn new(rig: &Rig, library: &Library) -> Self {
        let playable: Vec<_> = library.playable(rig).collect();
        let whole_rig = playable
            .iter()
            .any(|playable| !matches!(playable.selection, Selection::Entry(_)));
        Self {
            version: 1,
            kind: if whole_rig { "clips" } else { "entries" },
            parts: rig
                .parts()
                .iter()
                .map(|part| PartReport {
                    part: part.id,
                    joints: part.joints.len(),
                })
                .collect(),
            record_maps: (0..)
                .map_while(|stream| Some((stream, library.record_map(stream)?)))
                .filter(|(_, map)| !map.bones.is_empty())
                .map(|(stream, map)| RecordMapReport {
                    stream,
                    first_bone: map.offset,
                    driven_bones: map.bones.len(),
                    guessed: map.basis != RecordMapBasis::Known,
                })
                .collect(),
            playable: playable.iter().map(PlayableReport::new).collect(),
        }
    }

    /// Whether there is nothing to play.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.playable.is_empty()
    }

    /// Writes it for people.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write_text(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let noun = if self.kind == "clips" { "clip" } else { "entry" };
        let partial = self.playable.iter().filter(|playable| playable.partial).count();
        write!(out, "{name}: {}", count(self.playable.len(), noun))?;
        if partial > 0 {
            write!(out, ", {partial} of them partial")?;
        }
        writeln!(out)?;
        if self.kind == "entries" {
            for part in &self.parts {
                writeln!(out, "  part {}: {}", part.part, count(part.joints, "joint"))?;
            }
        }
        for map in &self.record_maps {
            let guessed = if map.guessed {
                " (guessed: --monster N tells)"
            } else {
                ""
            };
            writeln!(
                out,
                "  stream {}: its clips drive {}, from bone {} on{guessed}",
                map.stream,
                count(map.driven_bones, "bone"),
                map.first_bone
            )?;
        }
        writeln!(out)?;
        self.table(noun).write(out)?;
        if let Some(first) = self.playable.iter().find_map(|playable| playable.number) {
            let flag = if self.kind == "clips" { "clip" } else { "entry" };
            writeln!(out, "\n  ge-harness render {name} --{flag} {first} draws one")?;
        }
        Ok(())
    }

    fn table(&self, noun: &'static str) -> Table<6> {
        let mut table = Table::new([
            (noun, Align::Right),
            ("stream:slot", Align::Left),
            ("frames", Align::Right),
            ("seconds", Align::Right),
            ("loop", Align::Left),
            ("note", Align::Left),
        ]);
        for playable in &self.playable {
            let slots = playable.clips.iter().map(|clip| match clip.filled {
                true => format!("{}:{}", clip.stream, clip.slot),
                false => "-".to_owned(),
            });
            table.row([
                playable
                    .number
                    .map_or_else(|| "-".into(), |number| number.to_string()),
                slots.collect::<Vec<_>>().join(" "),
                playable.frames.to_string(),
                format!("{:.2}", playable.seconds),
                match (playable.loops, playable.loop_start) {
                    (true, Some(start)) => format!("from {start}"),
                    (true, None) => "yes".into(),
                    (false, _) => "once".into(),
                },
                playable.note(),
            ]);
        }
        table
    }
}

impl PlayableReport {
    fn new(playable: &Playable) -> Self {
        let timeline: Timeline = playable.timeline();
        let loop_start = match timeline.loop_rule {
            LoopRule::Once => None,
            LoopRule::From(start) => Some(start),
        };
        Self {
            number: match playable.selection {
                Selection::Entry(entry) => Some(entry.0),
                Selection::Clip(clip) => Some(clip.0),
                Selection::Slot(slot) => ClipNumber::of(slot).map(|clip| clip.0),
            },
            clips: playable
                .parts
                .iter()
                .map(|part| PartClipReport {
                    part: part.part,
                    stream: part.slot.stream,
                    slot: part.slot.slot,
                    filled: part.timeline.is_some(),
                    frames: part.timeline.map(|timeline| timeline.end),
                })
                .collect(),
            frames: timeline.end,
            seconds: timeline.seconds(DEFAULT_SPEED),
            loops: loop_start.is_some(),
            loop_start,
            partial: playable.is_partial(),
        }
    }

    /// What is unusual: parts without a clip, parts of other lengths.
    fn note(&self) -> String {
        let empty: Vec<_> = self
            .clips
            .iter()
            .filter(|clip| !clip.filled)
            .map(|clip| clip.part.to_string())
            .collect();
        let lengths: Vec<_> = self
            .clips
            .iter()
            .filter_map(|clip| clip.frames)
            .map(|frames| frames.to_string())
            .collect();
        let mut notes = Vec::new();
        if !empty.is_empty() {
            notes.push(format!("partial: no clip for part {}", empty.join(", ")));
        }
        if lengths.iter().any(|length| *length != lengths[0]) {
            notes.push(format!("parts of {} frames", lengths.join(", ")));
        }
        notes.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use formats::animation::{AnimationPack, Axis, Channel, ChannelKind, Clip, Encoding, Key, Track};
    use formats::skeleton::{Bone, BoneEncoding, Skeleton};

    use super::*;

    fn clip(frames: i16) -> Clip {
        let keys = vec![Key::new(0, 0), Key::new(frames, 100)];
        Clip::new(vec![Track::new(vec![Channel::new(
            ChannelKind::Rotation(Axis::Y),
            keys,
        )])])
    }

    #[test]
    fn entries_tell_their_parts_and_what_is_missing() {
        let bones = vec![Bone::new(None, [0.0; 3]), Bone::new(Some(0), [0.0; 3]).in_part(1)];
        let rig = Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones));
        let streams = vec![
            vec![Some(clip(60)), None],
            vec![],
            vec![Some(clip(30).looping_from(10.0)), Some(clip(107))],
            vec![],
        ];
        let pack = AnimationPack::from_streams(Encoding::Mhfu, streams).unwrap();
        let list = EntryList::new(&rig, &Library::new(&rig, &pack, None));
        let mut out = Vec::new();
        list.write_text(&mut out, "a.pac").unwrap();
        let text = String::from_utf8(out).unwrap();
        let expected = "\
a.pac: 2 entries, 1 of them partial
  part 0: 1 joint
  part 1: 1 joint

  entry  stream:slot  frames  seconds  loop  note
      0  0:0 2:0          60     1.00  once  parts of 60, 30 frames
      1  - 2:1           107     1.78  once  partial: no clip for part 0

  ge-harness render a.pac --entry 0 draws one
";
        assert_eq!(text, expected);
    }
}
