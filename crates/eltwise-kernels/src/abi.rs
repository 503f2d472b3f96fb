//! The kernel ABI: a [`Kernel`] runs a [`Call`], which is rows x columns of contiguous or splat [operands](Operand).

use core::sync::atomic::AtomicU32;

/// A bit of [`Call::flags`]: an integer was divided by zero.
pub const ZERO_DIVISION: u32 = 1;
/// A bit of [`Call::flags`]: an integer was raised to a negative power.
pub const NEGATIVE_EXPONENT: u32 = 2;

/// The largest number of inputs of a kernel.
pub const INPUTS: usize = 4;

/// One operand of a call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Operand {
    /// The first element of the first row.
    pub ptr: *mut u8,
    /// Bytes from one row to the next, of any sign; 0 repeats the row.
    pub row: isize,
    /// Whether a row is one element that all columns share; otherwise the columns are contiguous.
    pub splat: bool,
}

impl Operand {
    /// An input that the kernel does not have.
    pub const NONE: Operand = Operand { ptr: core::ptr::null_mut(), row: 0, splat: false };
}

/// The arguments of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Call {
    /// The number of rows.
    pub rows: usize,
    /// The number of elements in a row.
    pub cols: usize,
    /// The output; never splat.
    pub out: Operand,
    /// The inputs; [`Operand::NONE`] past the arity of the operator.
    pub ins: [Operand; INPUTS],
    /// The data conditions that the call met are ORed in, once per call.
    pub flags: *const AtomicU32,
}

/// A kernel.
///
/// # Safety
/// The CPU has the kernel's ISA. Every operand is valid for the rows and columns of the call: inputs for reading,
/// outputs for writing; no alignment is needed. An input may be exactly the output (same pointer, row stride and
/// element size); otherwise the output overlaps nothing. `flags` points to an atomic.
pub type Kernel = unsafe fn(&Call);
