//! Kernels that permute operands in registers instead of packing a tile of them.
//!
//! An operand's rows are permuted vectors of memory (see [`layout`](crate::layout)): stretched elements, a short row that
//! repeats, two loops of either, elements two to four apart. The output is contiguous. The other operand is contiguous,
//! splat, or has the layout of the first and is permuted too. A few operators have such kernels; the operands of all other
//! operators are packed, with the same results.
//!
//! | question | module |
//! |---|---|
//! | which operators and dtypes have such kernels? | here |
//! | one permuted operand | `one` |
//! | the same, for an operand that repeats | `again` |
//! | both operands permuted in the same way | `both` |
//! | row reuse: a row that all rows share stays in registers | `held` |

mod again;
mod both;
mod held;
mod one;
mod orders;

use core::marker::PhantomData;

use eltwise_core::permute_limits::{MAX_REPEATED_VECTORS, MAX_VECTORS_IN_REGISTERS};
use eltwise_core::{DType, Op};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::x86_64::{Avx2, Avx512, Avx512Vbmi};
use eltwise_simd::{Entry, Isa, Permute, PermuteToken, Stored, WidenNarrow};
#[cfg(all(target_arch = "x86_64", feature = "half"))]
use eltwise_simd::{NativeF16, NativeF16Lanes, x86_64::Avx512Fp16};
#[cfg(feature = "half")]
use half::{bf16, f16};

use orders::Orders;
use smallvec::SmallVec;

use crate::abi::{Call, Kernel};
use crate::functions::{self, Binary, Lanewise};

/// How an operand's rows come out of memory, made with the plan.
#[derive(Clone, Debug)]
pub struct Arrangement {
    orders: Orders,
}

/// The arguments of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct ArrangedCall {
    /// The operands: contiguous along the columns or splat. The pointer of a permuted operand is to the first element of
    /// its first row.
    pub call: Call,
    /// The input that is permuted: 0, 1, or [`BOTH`](ArrangedCall::BOTH).
    pub input: usize,
    /// Its orders.
    pub arrangement: *const Arrangement,
    /// Bytes from a row's first element to the end of its last: everything between is on pages of the operand's elements.
    pub reach: usize,
    /// For each permuted input: the bytes from a row's first element up to here are on such pages too, if this is past the
    /// row.
    pub past: [*const u8; 2],
}

/// A loop of a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Loop {
    size: usize,
    stride: isize,
}

/// The loops of a nest, with neighbours coalesced.
fn coalesced(sizes: &[usize], strides: &[isize]) -> SmallVec<[Loop; 4]> {
    let mut loops: SmallVec<[Loop; 4]> = SmallVec::new();
    for (&size, &stride) in sizes.iter().zip(strides).filter(|(size, _)| **size != 1) {
        match loops.last_mut() {
            // The loop outside goes on where this one ends.
            Some(last) if stride.checked_mul(size as isize) == Some(last.stride) => {
                *last = Loop { size: last.size * size, stride };
            }
            _ => loops.push(Loop { size, stride }),
        }
    }
    loops
}

impl ArrangedCall {
    /// Both inputs are permuted and have the same layout.
    pub const BOTH: usize = 2;
}

/// A kernel with permuted operands.
///
/// # Safety
/// As for [`Kernel`], for an arrangement made for the operand's loops and the kernel's ISA. A permuted operand overlaps no
/// output.
pub type ArrangedKernel = unsafe fn(&ArrangedCall);

impl Arrangement {
    /// The arrangement of rows that are a nest of `sizes` and byte `strides`, outermost first, of elements of `size`
    /// bytes; `None`: they cannot be permuted.
    pub fn new(size: usize, sizes: &[usize], strides: &[isize], isa: Isa) -> Option<Arrangement> {
        Arrangement::with_cycles(size, sizes, strides, isa, MAX_VECTORS_IN_REGISTERS)
    }

    /// The arrangement of such rows for operands that all fit the caches: a repeated row of several vectors is written
    /// one vector after the other, at every repetition. In memory beyond the caches, that takes twice as long.
    pub fn near(size: usize, sizes: &[usize], strides: &[isize], isa: Isa) -> Option<Arrangement> {
        Arrangement::with_cycles(size, sizes, strides, isa, MAX_REPEATED_VECTORS)
    }

    /// The arrangement in which cycles of at most `most` vectors repeat.
    fn with_cycles(size: usize, sizes: &[usize], strides: &[isize], isa: Isa, most: usize) -> Option<Arrangement> {
        let (nest, level) = (coalesced(sizes, strides), level(size, isa)?);
        if let [Loop { stride, .. }] = nest[..]
            && stride == -(size as isize)
        {
            return Some(Arrangement { orders: Orders::backwards(size, level)? });
        }
        let orders = Orders::again(size, &nest, level, most).or_else(|| Orders::new(size, &nest, level))?;
        Some(Arrangement { orders })
    }
}

/// The orders of elements of `size` bytes at `isa`; `None`: no kernel takes them.
fn level(size: usize, isa: Isa) -> Option<orders::Level> {
    match (isa, size) {
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, 1) => Some(orders::Level::of::<Avx2, 1>()),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, 2) => Some(orders::Level::of::<Avx2, 2>()),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, 4 | 8) => Some(orders::Level::of::<Avx2, 4>()),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512Vbmi | Isa::Avx512Fp16, 1) => Some(orders::Level::of::<Avx512Vbmi, 1>()),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16, 2) => Some(orders::Level::of::<Avx512, 2>()),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16, 4 | 8) => Some(orders::Level::of::<Avx512, 4>()),
        _ => None,
    }
}

/// The kernels of an operator that hold vectors of an operand in registers.
#[derive(Clone, Copy)]
struct InRegisters {
    arranged: ArrangedKernel,
    held: Kernel,
}

/// The kernel of an operator of two operands of `dtype`, at `isa`, if there is one.
pub fn arranged(op: Op, dtype: DType, isa: Isa) -> Option<ArrangedKernel> {
    Some(in_registers(op, dtype, isa)?.arranged)
}

/// The kernel of the same operators for calls with one input that is contiguous along the columns and has the same row for
/// all rows; the other is contiguous or splat. It loads that row once.
pub fn held(op: Op, dtype: DType, isa: Isa) -> Option<Kernel> {
    Some(in_registers(op, dtype, isa)?.held)
}

fn in_registers(op: Op, dtype: DType, isa: Isa) -> Option<InRegisters> {
    level(dtype.size(), isa)?;
    #[cfg(all(target_arch = "x86_64", feature = "half"))]
    if isa == Isa::Avx512Fp16
        && let Some(kernel) = of_f16::<Avx512Fp16>(op, dtype)
    {
        return Some(kernel);
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of_level::<Avx2, Avx2>(op, dtype),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => of_level::<Avx512, Avx512Vbmi>(op, dtype),
        _ => {
            let _ = (op, dtype);
            None
        }
    }
}

/// The kernel of a function over floats; whether its operands may change places.
macro_rules! floats {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::F32 => kernel_of!(functions::$f, $commutes, L f32 4),
            #[cfg(feature = "f64")]
            DType::F64 => kernel_of!(functions::$f, $commutes, L f64 4),
            #[cfg(feature = "half")]
            DType::F16 => kernel_of!(functions::forms::f16::$f, $commutes, L f16 2),
            #[cfg(feature = "half")]
            DType::BF16 => kernel_of!(functions::$f, $commutes, L bf16 2),
            _ => None,
        }
    };
}

/// The kernel of a function over all numbers, where integers with and without a sign have the same result bits.
macro_rules! wrapping {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::I32 | DType::U32 => kernel_of!(functions::$f, $commutes, L u32 4),
            #[cfg(feature = "wide-int")]
            DType::I64 | DType::U64 => kernel_of!(functions::$f, $commutes, L u64 4),
            #[cfg(feature = "small-int")]
            DType::I16 | DType::U16 => kernel_of!(functions::$f, $commutes, L u16 2),
            #[cfg(feature = "small-int")]
            DType::I8 | DType::U8 => kernel_of!(functions::$f, $commutes, B u8 1),
            _ => floats!($f $commutes, $dtype),
        }
    };
}

/// The kernel of a function over all numbers, where signed and unsigned integers differ.
macro_rules! ordered {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::I32 => kernel_of!(functions::$f, $commutes, L i32 4),
            #[cfg(feature = "wide-int")]
            DType::I64 => kernel_of!(functions::$f, $commutes, L i64 4),
            #[cfg(feature = "small-int")]
            DType::I16 => kernel_of!(functions::$f, $commutes, L i16 2),
            #[cfg(feature = "small-int")]
            DType::I8 => kernel_of!(functions::$f, $commutes, B i8 1),
            #[cfg(feature = "half")]
            DType::F16 => kernel_of!(functions::half_bits::$f<0x7c00>, $commutes, L u16 2),
            #[cfg(feature = "half")]
            DType::BF16 => kernel_of!(functions::half_bits::$f<0x7f80>, $commutes, L u16 2),
            _ => wrapping!($f $commutes, $dtype),
        }
    };
}

/// The kernel of a function over elements of a stored type and its size, at a level.
macro_rules! kernel_of {
    ($f:ty, $commutes:literal, $l:ident $stored:ident $size:literal) => {
        Some(InRegisters {
            arranged: $l::entry::<Arranged<Binary<$f>, $stored, $size, $commutes>, ArrangedCall>(),
            held: $l::entry::<Arranged<Binary<$f>, $stored, $size, $commutes>, Call>(),
        })
    };
}

/// The kernel at level `L`, at level `B` over bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
#[cfg_attr(not(feature = "small-int"), allow(clippy::extra_unused_type_parameters, reason = "there are no bytes"))]
fn of_level<L: PermuteToken, B: WidenNarrow<u8, 1> + WidenNarrow<i8, 1>>(op: Op, dtype: DType) -> Option<InRegisters> {
    match op {
        Op::Add => wrapping!(Add true, dtype),
        Op::Subtract => wrapping!(Subtract false, dtype),
        Op::Multiply => wrapping!(Multiply true, dtype),
        Op::Maximum => ordered!(Maximum true, dtype),
        Op::Minimum => ordered!(Minimum true, dtype),
        Op::Divide => floats!(Divide false, dtype),
        _ => None,
    }
}

/// The kernel of function `F` of two operands over elements stored as `S`, of `SIZE` bytes or several times as many;
/// whether the operands may change places.
struct Arranged<F, S, const SIZE: usize, const COMMUTES: bool>(PhantomData<(F, S)>);

impl<L, F, S, const SIZE: usize, const COMMUTES: bool> Entry<L, ArrangedCall> for Arranged<F, S, SIZE, COMMUTES>
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, call: &ArrangedCall) {
        // SAFETY: the arrangement lives as long as the call; the caller's contract.
        unsafe {
            let orders = &(*call.arrangement).orders;
            if call.input == ArrangedCall::BOTH {
                return both::rows::<L, F, S, SIZE>(l, call, orders);
            }
            if COMMUTES || call.input == 0 {
                one::all::<L, F, S, SIZE, 0>(l, call, orders);
            } else {
                one::all::<L, F, S, SIZE, 1>(l, call, orders);
            }
        }
    }
}

impl<L, F, S, const SIZE: usize, const COMMUTES: bool> Entry<L, Call> for Arranged<F, S, SIZE, COMMUTES>
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, call: &Call) {
        let [a, b, ..] = &call.ins;
        let first = !a.splat && a.row == 0;
        let (own, other) = if first { (a, b) } else { (b, a) };
        // SAFETY: the caller's contract.
        unsafe {
            if COMMUTES || first {
                held::rows::<L, F, S, SIZE, 0>(l, call, own, other);
            } else {
                held::rows::<L, F, S, SIZE, 1>(l, call, own, other);
            }
        }
    }
}

/// The kernel over `f16` at level `L`, which computes in it: of the operators that [do](crate::native_half).
#[cfg(all(target_arch = "x86_64", feature = "half"))]
fn of_f16<L: NativeF16Lanes + WidenNarrow<NativeF16, 2>>(op: Op, dtype: DType) -> Option<InRegisters> {
    match (op, dtype) {
        (Op::Add, DType::F16) => kernel_of!(functions::Add, true, L NativeF16 2),
        (Op::Subtract, DType::F16) => kernel_of!(functions::Subtract, false, L NativeF16 2),
        (Op::Multiply, DType::F16) => kernel_of!(functions::Multiply, true, L NativeF16 2),
        (Op::Maximum, DType::F16) => kernel_of!(functions::Maximum, true, L NativeF16 2),
        (Op::Minimum, DType::F16) => kernel_of!(functions::Minimum, true, L NativeF16 2),
        (Op::Divide, DType::F16) if L::FAST_QUOTIENTS => kernel_of!(functions::Divide, false, L NativeF16 2),
        _ => None,
    }
}

/// The function of a permuted vector, which is operand `K`, and the other one; both [widened](WidenNarrow::widen).
#[inline(always)]
fn apply<L, F, S, const SIZE: usize, const K: usize>(l: L, own: [L::V; 2], other: [L::V; 2]) -> [L::V; 2]
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let (a, b) = if K == 0 { (own, other) } else { (other, own) };
    let first = F::apply(l, a[0], b[0], a[0]);
    [first, if L::VECTORS == 2 { F::apply(l, a[1], b[1], a[1]) } else { first }]
}

/// A vector out of one window, or two.
///
/// # Safety
/// As [`Permute::permute`].
#[inline(always)]
unsafe fn in_order<L: Permute<SIZE>, const SIZE: usize>(
    l: L,
    pairs: bool,
    windows: [L::Vector; 2],
    order: *const u8,
) -> L::Vector {
    // SAFETY: the caller's contract.
    unsafe { if pairs { l.permute2(windows, order) } else { l.permute(windows[0], order) } }
}

/// The part of a window before `past`.
///
/// # Safety
/// Bytes from `p` to `past` are readable.
#[inline(always)]
unsafe fn first_of<L: Permute<SIZE>, const SIZE: usize>(l: L, p: *const u8, past: usize) -> L::Vector {
    // SAFETY: the caller's contract.
    unsafe { l.load_window_n(p, L::BYTES.min(past.saturating_sub(p.addr()))) }
}

/// A window with elements only in its last `left` bytes.
///
/// # Safety
/// The last `left` bytes of the window are readable.
#[inline(always)]
unsafe fn last_of<L: Permute<SIZE>, const SIZE: usize>(l: L, p: *const u8, left: usize) -> L::Vector {
    let mut window = [0u8; 64];
    let missing = L::BYTES - left;
    // SAFETY: the caller's contract; a window is 64 bytes at most.
    unsafe {
        core::ptr::copy_nonoverlapping(p.wrapping_add(missing), window.as_mut_ptr().add(missing), left);
        l.load_window(window.as_ptr())
    }
}
