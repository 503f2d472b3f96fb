//! Kernels of a few operators of two operands over units: short runs of the output, which follow each other in rows.
//!
//! The output is contiguous over a unit. Each operand is contiguous over it as well, or one element, or permuted in registers from
//! windows of memory, by a [`Permute`] table whose vectors follow each other and have one number of windows: nothing is written to
//! scratch. Units of a row follow each other with a constant distance for each operand. The last vector of a unit may be partial:
//! exactly the bytes of the output are written, so that an operand that is not permuted may be the output. The operands of all
//! other operators are packed, with the same results.

mod blocks;
mod loops;
mod reader;
mod table;

use eltwise_core::tables::{List, Permute, Tables};

use blocks::Job;
use loops::{Block, Loop};

pub use table::unit_kernel;

/// An operand of a [`UnitCall`].
#[derive(Clone, Copy, Debug)]
pub struct UnitOperand {
    /// The first element of the first unit.
    pub ptr: *const u8,
    /// Bytes from one unit to the next.
    pub step: isize,
    /// How it is read.
    pub source: UnitSource,
    /// The end of its readable memory, for a permuted operand.
    pub end: *const u8,
}

/// How a [`UnitOperand`] is read over a unit.
#[derive(Clone, Copy, Debug)]
pub enum UnitSource {
    /// Its elements are contiguous.
    Contiguous,
    /// It is one element.
    Splat,
    /// It is permuted.
    Permuted(Permute),
}

/// The arguments of a unit kernel.
#[derive(Clone, Copy, Debug)]
pub struct UnitCall {
    /// The output's first element.
    pub out: *mut u8,
    /// Bytes from one unit of the output to the next.
    pub step: isize,
    /// Bytes of a unit of the output.
    pub bytes: usize,
    /// The number of units of a row.
    pub units: usize,
    /// The inputs, in the order of the operator.
    pub ins: [UnitOperand; 2],
    /// Where rows of units begin, from the first one: for the output and each input a list of `i64` in `tables`.
    pub rows: [List; 3],
    /// The lists of the tables.
    pub tables: *const Tables,
}

/// A unit kernel.
#[derive(Clone, Copy, Debug)]
pub struct UnitKernel {
    /// Cuts a call into blocks, by element size only.
    blocks: unsafe fn(&Job),
    select: Select,
}

/// Finds a loop of the operator. The flag: the own operand of [`Block`] is the second one.
type Select = fn(Loop, bool) -> unsafe fn(&Block);

impl UnitKernel {
    /// Computes all units of a call.
    ///
    /// # Safety
    /// The CPU has the kernel's ISA. The tables are for that ISA and for elements of the output's size. The lists of `rows` have one
    /// length. All units of the output are writable and those of the inputs readable. Bytes between units of an input that are less
    /// than a vector apart are readable, and every byte from an element of a permuted input to its `end`. A permuted input overlaps
    /// no output; any other input overlaps none, or is exactly the output.
    pub unsafe fn run(&self, call: &UnitCall) {
        // SAFETY: the caller's contract.
        unsafe { (self.blocks)(&Job { call, select: self.select }) };
    }
}
