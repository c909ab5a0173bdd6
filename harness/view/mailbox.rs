//! Handing work to a thread: everything that has to be done, and of what only the newest counts, the newest.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where work for a thread waits.
#[derive(Debug)]
pub(super) struct Mailbox<T> {
    slots: Mutex<Slots<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Slots<T> {
    /// Work that is done in order, each of it.
    queue: VecDeque<T>,
    /// Work that a newer one replaces.
    latest: Option<T>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Closed,
}

impl<T> Default for Mailbox<T> {
    fn default() -> Self {
        Self {
            slots: Mutex::new(Slots {
                queue: VecDeque::new(),
                latest: None,
                state: State::Open,
            }),
            changed: Condvar::new(),
        }
    }
}

impl<T> Mailbox<T> {
    /// Asks for work that is done whatever follows.
    pub(super) fn push(&self, work: T) {
        self.slots().queue.push_back(work);
        self.changed.notify_one();
    }

    /// Asks for work in place of what was asked for so before and has not begun.
    pub(super) fn replace(&self, work: T) {
        self.slots().latest = Some(work);
        self.changed.notify_one();
    }

    /// Takes no more work that can be replaced, and ends behind what is queued.
    pub(super) fn close(&self) {
        let mut slots = self.slots();
        slots.state = State::Closed;
        slots.latest = None;
        self.changed.notify_one();
    }

    /// The next work, as soon as there is some; `None` at the end.
    pub(super) fn take(&self) -> Option<T> {
        let mut slots = self.slots();
        loop {
            if let Some(work) = slots.queue.pop_front() {
                return Some(work);
            }
            if slots.state == State::Closed {
                return None;
            }
            if let Some(work) = slots.latest.take() {
                return Some(work);
            }
            slots = self.changed.wait(slots).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots<T>> {
        // What is in the slots is whole at every moment, whoever panicked.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_newest_wins_and_the_queue_loses_nothing() {
        let mailbox = Mailbox::default();
        mailbox.replace("draw 1");
        mailbox.push("save 1");
        mailbox.replace("draw 2");
        mailbox.push("save 2");
        assert_eq!(mailbox.take(), Some("save 1"));
        assert_eq!(mailbox.take(), Some("save 2"));
        assert_eq!(mailbox.take(), Some("draw 2"));
    }

    #[test]
    fn what_is_queued_is_done_before_the_end() {
        let mailbox = Mailbox::default();
        mailbox.push("save");
        mailbox.replace("draw");
        mailbox.close();
        assert_eq!(mailbox.take(), Some("save"));
        assert_eq!(mailbox.take(), None);
        assert_eq!(mailbox.take(), None);
    }

    #[test]
    fn a_waiting_thread_wakes() {
        let mailbox = Arc::new(Mailbox::default());
        let waiting = std::thread::spawn({
            let mailbox = Arc::clone(&mailbox);
            move || std::iter::from_fn(|| mailbox.take()).collect::<Vec<_>>()
        });
        for number in 0..100 {
            mailbox.push(number);
        }
        mailbox.close();
        assert_eq!(waiting.join().unwrap(), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_last_of_many_is_always_done() {
        let mailbox = Arc::new(Mailbox::default());
        let working = std::thread::spawn({
            let mailbox = Arc::clone(&mailbox);
            move || std::iter::from_fn(|| mailbox.take()).find(|work| *work == 9_999)
        });
        for number in 0..10_000 {
            mailbox.replace(number);
        }
        assert_eq!(working.join().unwrap(), Some(9_999));
    }
}
