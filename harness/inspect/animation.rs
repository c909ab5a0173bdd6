//! What an animation pack holds.
use std::io::{self, Write};

use formats::animation::{AnimationPack, ClipId, Encoding};
use motion::play::CLIP_FRAMES_PER_SECOND;
use serde::Serialize;

use super::kind::game_of;
use super::table::{Align, Table, count, short};

/// An animation pack in numbers.
#[derive(Debug, Serialize)]
pub struct AnimationReport {
    encoding: Option<&'static str>,
    streams: Vec<StreamReport>,
    clips: Vec<ClipReport>,
    tail_bytes: usize,
}

#[derive(Debug, Serialize)]
struct StreamReport {
    stream: usize,
    slots: usize,
    filled: usize,
    /// The track counts of its clips, each once.
    tracks: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct ClipReport {
    clip: usize,
    /// Stream and slot of every use; more than one where a clip is shared.
    slots: Vec<(usize, usize)>,
    tracks: usize,
    empty_tracks: usize,
    channels: usize,
    keys: usize,
    frames: i16,
    /// At the usual speed of two clip frames for each of the game's 30 frames a second
    /// (`spec/mhp-formats.md` §5.7).
    seconds: f64,
    loops: bool,
    loop_start: f32,
}

impl AnimationReport {
    /// The report of a pack.
    #[must_use]
    pub fn new(pack: &AnimationPack) -> Self {
        let mut clips: Vec<_> = pack
            .clips()
            .iter()
            .enumerate()
            .map(|(index, clip)| {
                let channels = || clip.tracks.iter().flat_map(|track| &track.channels);
                ClipReport {
                    clip: index,
                    slots: Vec::new(),
                    tracks: clip.tracks.len(),
                    empty_tracks: clip
                        .tracks
                        .iter()
                        .filter(|track| track.channels.is_empty())
                        .count(),
                    channels: channels().count(),
                    keys: channels().map(|channel| channel.keys.len()).sum(),
                    frames: clip.last_frame(),
                    seconds: f64::from(clip.last_frame()) / CLIP_FRAMES_PER_SECOND,
                    loops: clip.is_looping(),
                    loop_start: clip.loop_start,
                }
            })
            .collect();
        let mut streams = Vec::new();
        for (stream, slots) in pack.streams().iter().enumerate() {
            let mut tracks = Vec::new();
            for (slot, clip) in slots.iter().enumerate() {
                let Some(ClipId(clip)) = *clip else { continue };
                if let Some(clip) = clips.get_mut(clip as usize) {
                    clip.slots.push((stream, slot));
                    tracks.push(clip.tracks);
                }
            }
            tracks.sort_unstable();
            tracks.dedup();
            let filled = slots.iter().flatten().count();
            streams.push(StreamReport {
                stream,
                slots: slots.len(),
                filled,
                tracks,
            });
        }
        Self {
            encoding: pack.encoding().map(|encoding| match encoding {
                Encoding::Mhfu => "mhfu",
                Encoding::Mhp3rd => "mhp3rd",
            }),
            streams,
            clips,
            tail_bytes: pack.tail().len(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        format!(
            "{}, {}",
            count(self.streams.len(), "stream"),
            count(self.clips.len(), "clip")
        )
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let encoding = self.encoding.map_or("either game, as it is empty", game_of);
        writeln!(out, "  {}, encoded as in {encoding}\n", self.summary())?;
        let mut streams = Table::new([
            ("stream", Align::Right),
            ("slots", Align::Right),
            ("filled", Align::Right),
            ("tracks a clip", Align::Left),
        ]);
        for stream in &self.streams {
            let tracks: Vec<_> = stream.tracks.iter().map(usize::to_string).collect();
            streams.row([
                stream.stream.to_string(),
                stream.slots.to_string(),
                stream.filled.to_string(),
                tracks.join(", "),
            ]);
        }
        streams.write(out)?;
        if !self.clips.is_empty() {
            writeln!(out)?;
            self.clip_table().write(out)?;
        }
        if self.tail_bytes > 0 {
            writeln!(out, "\n  {} after the last clip", count(self.tail_bytes, "byte"))?;
        }
        Ok(())
    }

    fn clip_table(&self) -> Table<9> {
        let mut table = Table::new([
            ("clip", Align::Right),
            ("stream:slot", Align::Left),
            ("frames", Align::Right),
            ("seconds", Align::Right),
            ("loop", Align::Left),
            ("tracks", Align::Right),
            ("channels", Align::Right),
            ("keys", Align::Right),
            ("note", Align::Left),
        ]);
        for clip in &self.clips {
            // A clip can be shared by every slot of a pack; the JSON has all of them.
            let mut slots: Vec<_> = clip
                .slots
                .iter()
                .take(4)
                .map(|(stream, slot)| format!("{stream}:{slot}"))
                .collect();
            if clip.slots.len() > 4 {
                slots.push(format!("(+{})", clip.slots.len() - 4));
            }
            let note = if clip.empty_tracks > 0 {
                format!("{} without channels", count(clip.empty_tracks, "track"))
            } else {
                String::new()
            };
            table.row([
                clip.clip.to_string(),
                slots.join(" "),
                clip.frames.to_string(),
                format!("{:.2}", clip.seconds),
                if clip.loops {
                    format!("from {}", short(clip.loop_start))
                } else {
                    "once".into()
                },
                clip.tracks.to_string(),
                clip.channels.to_string(),
                clip.keys.to_string(),
                note,
            ]);
        }
        table
    }
}
