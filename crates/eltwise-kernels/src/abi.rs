//! The kernel ABI: rows x columns of contiguous or splat operands.

use core::sync::atomic::AtomicU32;

/// A division by zero was computed; a bit of [`Call::flags`].
pub const ZERO_DIVISION: u32 = 1;
/// A power with a negative exponent was computed, of integers; a bit of [`Call::flags`].
pub const NEGATIVE_EXPONENT: u32 = 2;

/// The most inputs of a kernel.
pub const INPUTS: usize = 4;
/// The most outputs of a kernel.
pub const OUTPUTS: usize = 2;

/// One operand of a call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Operand {
    /// The first element of the first row.
    pub ptr: *mut u8,
    /// Bytes from a row to the next; any sign, 0 repeats the row.
    pub row: isize,
    /// Whether the operand does not move along the columns: one element a row. Else its columns lie contiguous.
    pub splat: bool,
}

impl Operand {
    /// An operand that a kernel does not have.
    pub const NONE: Operand = Operand { ptr: core::ptr::null_mut(), row: 0, splat: false };
}

/// The arguments of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Call {
    /// The number of rows.
    pub rows: usize,
    /// The elements of a row.
    pub cols: usize,
    /// The outputs; never splat.
    pub outs: [Operand; OUTPUTS],
    /// The inputs.
    pub ins: [Operand; INPUTS],
    /// Parameters of the operator in its compute type; unused by operators without.
    pub params: *const u8,
    /// Data conditions are ORed in once a call.
    pub flags: *const AtomicU32,
}

/// A kernel.
///
/// # Safety
/// The CPU has the kernel's ISA. Every operand is valid for the rows and columns of the call: inputs for reading,
/// outputs for writing; no alignment needed. An input may be exactly the output (same pointer, row stride and element
/// size); no other overlap of an output with anything. `flags` points to an atomic.
pub type Kernel = unsafe fn(&Call);
