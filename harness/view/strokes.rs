//! Keys as the window reports them.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{self, ModifiersState, NamedKey};

use super::keys::{self, Action, Key, Scope, Shift};

/// What a key does that went down. A key that is held down steps on, but turns nothing on and off.
pub(super) fn pressed(event: &KeyEvent, modifiers: ModifiersState, shown: Scope) -> Option<Action> {
    let others = ModifiersState::CONTROL | ModifiersState::ALT | ModifiersState::SUPER;
    if event.state != ElementState::Pressed || modifiers.intersects(others) {
        return None;
    }
    let shift = if modifiers.shift_key() {
        Shift::Down
    } else {
        Shift::Up
    };
    let action = keys::action(key(&event.logical_key)?, shift, shown)?;
    (!event.repeat || action.repeats()).then_some(action)
}

fn key(key: &keyboard::Key) -> Option<Key> {
    let named = match key {
        keyboard::Key::Character(text) => {
            let mut signs = text.chars().flat_map(char::to_lowercase);
            return signs.next().filter(|_| signs.next().is_none()).map(Key::Sign);
        }
        keyboard::Key::Named(named) => named,
        _ => return None,
    };
    Some(match named {
        NamedKey::Space => Key::Space,
        NamedKey::ArrowLeft => Key::Left,
        NamedKey::ArrowRight => Key::Right,
        NamedKey::ArrowUp => Key::Up,
        NamedKey::ArrowDown => Key::Down,
        NamedKey::Home => Key::Home,
        NamedKey::End => Key::End,
        NamedKey::PageUp => Key::PageUp,
        NamedKey::PageDown => Key::PageDown,
        NamedKey::Tab => Key::Tab,
        NamedKey::Escape => Key::Escape,
        NamedKey::F1 => Key::Function(1),
        NamedKey::F5 => Key::Function(5),
        NamedKey::F11 => Key::Function(11),
        NamedKey::F12 => Key::Function(12),
        _ => return None,
    })
}
