//! Animation packs: streams of slots, each a clip of keyframed channels or empty.
