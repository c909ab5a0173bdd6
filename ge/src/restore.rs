//! State that a host sets from outside a list.

use crate::command::Command;
use crate::matrices::MatrixKind;
use crate::report::Report;
use crate::{Float24, Ge, Matrices, Pointers, Registers};

impl Ge {
    /// Goes back to the state at power-up, but for memory, which stays as it is, pending draws included:
    /// registers, matrices, CLUT memory, pointers, and what draws leave for the draws after them are zero, no list
    /// runs, and nothing has been met. Draws are numbered from 0 again; what the rasteriser counted stays.
    ///
    /// Decoded textures and buffers stay too, so that a frame that is drawn again finds them.
    pub fn reset(&mut self) {
        self.finish();
        self.registers = Registers::default();
        self.matrices = Matrices::default();
        self.clut.load(&[0; 1024]);
        self.list = None;
        self.pointers = Pointers::default();
        self.assembler = Default::default();
        self.sticky = Default::default();
        self.immediate = Default::default();
        self.report = Report::default();
        self.sampler_codes = Default::default();
        self.current = Default::default();
        self.draw_number = 0;
        self.budget = 0;
        self.invalidate();
    }

    /// Stores a command's word in its register. The command is not carried out.
    pub fn set_register(&mut self, command: Command) {
        self.registers.store(command);
        self.invalidate();
    }

    /// Sets the first elements of a matrix, in upload order, and then its write counter. The number register,
    /// which a list would change too, stays.
    pub fn set_matrix(&mut self, kind: MatrixKind, elements: &[Float24], counter: u32) {
        self.matrices.set_counter(kind, 0);
        for &element in elements {
            self.matrices.push(kind, element);
        }
        self.matrices.set_counter(kind, counter);
        self.invalidate();
    }

    /// Sets the working pointers.
    pub fn set_pointers(&mut self, pointers: Pointers) {
        self.pointers = pointers;
    }

    /// What the last run of a list has left of its [budget](Self::run): 0 where it was not enough.
    #[must_use]
    pub fn budget_left(&self) -> u64 {
        u64::try_from(self.budget).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::command::{Command, Opcode};
    use crate::{Address, Float24, Ge, MatrixKind, Pointers, Stop};

    const LIST: Address = Address::new(0x0800_0000);

    /// A white rectangle of 4 x 4 pixels at VRAM's start, drawn in clear mode.
    fn draw(ge: &mut Ge) {
        let vertices = Address::new(0x0810_0000);
        ge.write(vertices, &[0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0]);
        let list = [
            Command::new(Opcode::FBWIDTH, 64),
            Command::new(Opcode::FBFORMAT, 3),
            Command::new(Opcode::SCISSOR2, 63 << 10 | 63),
            Command::new(Opcode::REGION2, 63 << 10 | 63),
            Command::new(Opcode::CLEARMODE, 0x301),
            Command::new(Opcode::MATAMBIENT, 0xFF_FFFF),
            Command::new(Opcode::VTYPE, 0x80_0100),
            Command::new(Opcode::BASE, 0x08_0000),
            Command::new(Opcode::VADDR, vertices.get() & 0xFF_FFFF),
            Command::new(Opcode::PRIM, 6 << 16 | 2),
            Command::new(Opcode::FINISH, 0),
            Command::new(Opcode::END, 0),
        ];
        ge.write_list(LIST, &list);
        let stop = ge.run(LIST, None, 1000);
        assert_eq!(stop, Ok(Stop::Finished { id: 0 }));
    }

    #[test]
    fn a_reset_leaves_memory_and_nothing_else() {
        let mut ge = Ge::default();
        draw(&mut ge);
        ge.set_matrix(MatrixKind::World, &[Float24::from_f32(1.5)], 1);
        ge.set_clut(&[7; 1024]);
        ge.reset();
        let new = Ge::default();
        assert!(ge.registers() == new.registers() && ge.matrices() == new.matrices());
        assert_eq!((ge.pointers(), ge.clut()), (new.pointers(), new.clut()));
        assert!(ge.resume(None, 1).is_err(), "no list runs");
        let corner = |ge: &mut Ge| ge.memory().word(Address::new(0x0400_0000));
        assert_eq!(corner(&mut ge), Some(0xFF_FFFF));
        ge.memory_mut().vram_mut().bytes_mut().fill(0);
        draw(&mut ge);
        assert_eq!(corner(&mut ge), Some(0xFF_FFFF), "it draws again");
    }

    #[test]
    fn what_a_host_sets_is_what_draws_use() {
        let mut ge = Ge::default();
        draw(&mut ge);
        // The list is not asked: the register holds, and the next draw from memory follows it.
        ge.set_register(Command::new(Opcode::MATAMBIENT, 0x11_2233));
        assert_eq!(ge.registers().argument(Opcode::MATAMBIENT), 0x11_2233);
        let vertex = Address::new(0x0810_0000);
        let index = Address::new(0x0820_0000);
        ge.set_pointers(Pointers { vertex, index });
        let list = [
            Command::new(Opcode::PRIM, 6 << 16 | 2),
            Command::new(Opcode::FINISH, 0),
            Command::new(Opcode::END, 0),
        ];
        ge.write_list(LIST, &list);
        assert_eq!(ge.run(LIST, None, 100), Ok(Stop::Finished { id: 0 }));
        // Three commands, two vertices and 16 pixels.
        assert_eq!(ge.budget_left(), 100 - 3 - 2 - 1);
        assert_eq!(ge.memory().word(Address::new(0x0400_0000)), Some(0x11_2233));
        assert_eq!(ge.pointers().vertex, vertex.offset(12));
    }

    #[test]
    fn matrices_are_set_from_their_first_element() {
        let mut ge = Ge::default();
        let elements = [1.0, 2.0, 3.0].map(Float24::from_f32);
        ge.set_matrix(MatrixKind::View, &elements, 5);
        assert_eq!(ge.matrices().view[..4], [1.0, 2.0, 3.0, 0.0]);
        assert_eq!(ge.matrices().visible(MatrixKind::View)[..3], elements);
        assert_eq!(ge.matrices().counter(MatrixKind::View), 5);
    }
}
