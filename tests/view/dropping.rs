//! Files dropped on a window, as a file manager drops them: by the XDND protocol, version 5.

use std::path::Path;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::support::wait_for;

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndActionCopy,
        UriList: b"text/uri-list",
    }
}

/// A program that something is dragged out of.
struct Source {
    connection: RustConnection,
    window: Window,
    atoms: Atoms,
    /// What is dragged.
    list: String,
}

/// Drops a file on a window of a display, and waits until the window has taken it.
pub(crate) fn drop_file(display: &str, target: &str, file: &Path) {
    let source = Source::new(display, file);
    let target: Window = target.parse().unwrap();
    let Source { atoms, .. } = &source;
    let version_5 = 5 << 24;
    source.send(target, atoms.XdndEnter, [version_5, atoms.UriList, 0, 0]);
    let place = 640 << 16 | 400;
    source.send(
        target,
        atoms.XdndPosition,
        [0, place, x11rb::CURRENT_TIME, atoms.XdndActionCopy],
    );
    let status = source.answer("answer to the drag", atoms.XdndStatus);
    assert_eq!(status.data.as_data32()[1] & 1, 1, "the window takes the file");
    source.send(target, atoms.XdndDrop, [0, x11rb::CURRENT_TIME, 0, 0]);
    source.answer("answer to the drop", atoms.XdndFinished);
}

impl Source {
    fn new(display: &str, file: &Path) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let atoms = Atoms::new(&connection).unwrap().reply().unwrap();
        let window = connection.generate_id().unwrap();
        let root = connection.setup().roots[screen].root;
        connection
            .create_window(
                0,
                window,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_ONLY,
                x11rb::COPY_FROM_PARENT,
                &CreateWindowAux::new(),
            )
            .unwrap();
        connection
            .set_selection_owner(window, atoms.XdndSelection, x11rb::CURRENT_TIME)
            .unwrap();
        connection.flush().unwrap();
        Self {
            connection,
            window,
            atoms,
            list: format!("file://{}\r\n", file.display()),
        }
    }

    fn send(&self, target: Window, kind: Atom, [a, b, c, d]: [u32; 4]) {
        let message = ClientMessageEvent::new(32, target, kind, [self.window, a, b, c, d]);
        self.connection
            .send_event(false, target, EventMask::NO_EVENT, message)
            .unwrap();
        self.connection.flush().unwrap();
    }

    /// Hands out what is dragged until the window answers.
    fn answer(&self, what: &str, kind: Atom) -> ClientMessageEvent {
        wait_for(what, || {
            while let Some(event) = self.connection.poll_for_event().unwrap() {
                match event {
                    Event::SelectionRequest(request) => self.hand_out(request),
                    Event::ClientMessage(message) if message.type_ == kind => return Some(message),
                    _ => {}
                }
            }
            None
        })
    }

    fn hand_out(&self, request: SelectionRequestEvent) {
        let is_list = request.target == self.atoms.UriList;
        if is_list {
            self.connection
                .change_property8(
                    PropMode::REPLACE,
                    request.requestor,
                    request.property,
                    request.target,
                    self.list.as_bytes(),
                )
                .unwrap();
        }
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: if is_list {
                request.property
            } else {
                AtomEnum::NONE.into()
            },
        };
        self.connection
            .send_event(false, request.requestor, EventMask::NO_EVENT, notice)
            .unwrap();
        self.connection.flush().unwrap();
    }
}
