//! A thread that works for the window and wakes it with its replies.

use std::sync::Arc;
use std::thread::JoinHandle;

use winit::event_loop::EventLoopProxy;

use super::mailbox::Mailbox;
use super::worker::Reply;
use crate::error::HarnessError;

/// A thread with its mailbox.
pub(super) struct Thread<T> {
    /// Where its work waits.
    pub(super) mailbox: Arc<Mailbox<T>>,
    handle: JoinHandle<()>,
}

impl<T: Send + 'static> Thread<T> {
    /// Starts a thread whose replies wake the window.
    ///
    /// # Errors
    /// No thread is left.
    pub(super) fn start(
        name: &str,
        proxy: &EventLoopProxy<Reply>,
        work: fn(&Mailbox<T>, &dyn Fn(Reply)),
    ) -> Result<Self, HarnessError> {
        let mailbox = Arc::new(Mailbox::default());
        let (proxy, theirs) = (proxy.clone(), Arc::clone(&mailbox));
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            // A window that is gone needs no reply.
            work(&theirs, &|reply| drop(proxy.send_event(reply)));
        });
        match spawned {
            Ok(handle) => Ok(Self { mailbox, handle }),
            Err(error) => Err(HarnessError::refused(
                "no thread for the window",
                error,
                "the system allows no more of them: close other programs",
            )),
        }
    }

    /// Waits until what it was asked for is done.
    pub(super) fn finish(self) {
        self.mailbox.close();
        let _ = self.handle.join();
    }
}
