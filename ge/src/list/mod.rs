//! The display list: where it stands, how it goes on, and where it stops
//! (`spec/ge-frontend.md §2`).

mod control;
mod step;

pub(crate) use control::{BoundingBox, Fetch, ListState};

use crate::observer::Observer;
use crate::{Address, Ge, GeError, Stop};

impl Ge {
    /// Runs a list from its first command to its end, to the stall address, or until the budget is
    /// spent. A command costs 1, and so does each vertex that it draws, each 16 pixels that its
    /// primitives' bounding rectangles cover, each 128 texels of the texture that it draws with, and
    /// each 64 bytes that it transfers: no list runs for ever, nor for very long. Where a texture lies
    /// where its draw writes, each primitive costs its texels again. What has been drawn before and who
    /// draws make no difference.
    ///
    /// The list starts with address offset 0, an empty call stack and the last bounding box
    /// "outside"; registers, matrices and memory are those of the runs before. Draws may stay pending
    /// in the rasteriser: see [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// [`GeError`] where the list cannot go on; what it did until then stays done.
    ///
    /// ```
    /// use ge::{Address, Ge, GeOptions, Stop};
    /// use ge::command::{Command, Opcode};
    ///
    /// let mut ge = Ge::new(GeOptions::default());
    /// let list = Address::new(0x0800_0000);
    /// let words = [Command::new(Opcode::FINISH, 7), Command::new(Opcode::END, 0)];
    /// ge.write_list(list, &words);
    /// assert_eq!(ge.run(list, None, 1000)?, Stop::Finished { id: 7 });
    /// # Ok::<(), ge::GeError>(())
    /// ```
    pub fn run(&mut self, list: Address, stall: Option<Address>, budget: u64) -> Result<Stop, GeError> {
        self.run_with(list, stall, budget, &mut ())
    }

    /// As [`run`](Self::run), watched.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_with<O: Observer>(
        &mut self,
        list: Address,
        stall: Option<Address>,
        budget: u64,
        observer: &mut O,
    ) -> Result<Stop, GeError> {
        if !list.get().is_multiple_of(4) {
            return Err(GeError::Unaligned { address: list });
        }
        self.list = Some(ListState::new(list));
        self.resume_with(stall, budget, observer)
    }

    /// Goes on with a list that stalled or paused, with a new stall address.
    ///
    /// # Errors
    ///
    /// [`GeError::NoList`] if the last list has ended or failed; else as [`run`](Self::run).
    pub fn resume(&mut self, stall: Option<Address>, budget: u64) -> Result<Stop, GeError> {
        self.resume_with(stall, budget, &mut ())
    }

    /// As [`resume`](Self::resume), watched.
    ///
    /// # Errors
    ///
    /// As [`resume`](Self::resume).
    pub fn resume_with<O: Observer>(
        &mut self,
        stall: Option<Address>,
        budget: u64,
        observer: &mut O,
    ) -> Result<Stop, GeError> {
        if let Some(address) = stall.filter(|address| !address.get().is_multiple_of(4)) {
            return Err(GeError::Unaligned { address });
        }
        let stop = self.execute(stall, budget, observer);
        // Vertices do not wait for a command that may never come.
        self.flush_immediate(observer);
        stop
    }

    fn execute<O: Observer>(
        &mut self,
        stall: Option<Address>,
        budget: u64,
        observer: &mut O,
    ) -> Result<Stop, GeError> {
        let mut list = self.list.take().ok_or(GeError::NoList)?;
        self.begin_run();
        self.budget = i64::try_from(budget).unwrap_or(i64::MAX);
        loop {
            let address = list.next();
            if observer.stops() {
                self.list = Some(list);
                return Ok(Stop::Observed { address });
            }
            // Only equality counts: a jump can skip past the stall address.
            if stall == Some(address) {
                self.list = Some(list);
                return Ok(Stop::Stalled { address });
            }
            if self.budget == 0 {
                return Err(GeError::BudgetExhausted { address, budget });
            }
            self.budget -= 1;
            let fetch = self.step(&mut list, observer)?;
            if self.budget < 0 {
                return Err(GeError::BudgetExhausted {
                    address: list.next(),
                    budget,
                });
            }
            match fetch {
                Fetch::Next => {}
                Fetch::Stop(stop @ Stop::Finished { .. }) => return Ok(stop),
                Fetch::Stop(stop) => {
                    self.list = Some(list);
                    return Ok(stop);
                }
            }
        }
    }

    /// Takes the cost of a command's work off the budget, and says whether there was enough. Where not,
    /// the work is left out, and the run ends.
    pub(crate) fn afford(&mut self, cost: usize) -> bool {
        self.budget = self
            .budget
            .saturating_sub(i64::try_from(cost).unwrap_or(i64::MAX));
        self.budget >= 0
    }
}
