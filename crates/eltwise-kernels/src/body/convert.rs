//! T -> U: conversions, sixteen elements at a time, of up to two bytes sixty-four, each rounded once.
//!
//! An element is widened to what its conversion starts from (`f16` and `bf16` to `f32`, by the level's own
//! instructions), converted by a scalar function that LLVM vectorises, and narrowed by the level again. What goes to
//! `f16` or `bf16` passes through an `f32` *rounded to odd*, so that the last rounding is the only one (Boldo and
//! Melquiond, 2008).
//!
//! Casts for which levels have instructions of their own are no conversions but [maps](super::map) between stored types: those
//! between floats of up to 32 bits, from them to integers that vectors are packed to, and from 64-bit integers.

use core::marker::PhantomData;

use eltwise_simd::half_bits::f64_to_f32_odd;
use eltwise_simd::lanes::{Lanes, copy_elements};
use eltwise_simd::storage::{Bool, HalfLanes, Load, Store, Stored};
use eltwise_simd::truncate::Truncate;
use eltwise_simd::wide::IntegerSource;
use half::{bf16, f16};

use crate::abi::INPUTS;
use crate::rows::Body;

/// The body of a cast from elements stored as `S` to elements stored as `D`.
pub struct Convert<S, D>(PhantomData<(S, D)>);

const GROUP: usize = 16;
const BLOCK: usize = 4 * GROUP;

/// A byte that is true when it is not 0.
#[derive(Clone, Copy)]
pub struct Flag(u8);
/// A byte of 0 or 1.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Truth(u8);
/// An `f32` on the way to a 16-bit float: exact, or rounded to odd.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Odd(f32);

/// A stored type, and what its conversions start from.
pub trait Source<L>: Stored {
    /// What conversions start from.
    type Wide: Copy;
    /// Reads `N` elements, a multiple of sixteen.
    ///
    /// # Safety
    /// `p` is valid for reading them.
    unsafe fn read<const N: usize>(l: L, p: *const Self) -> [Self::Wide; N];
}

/// The lowest byte of an integer of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct LowByte(u8);

// SAFETY: a byte.
unsafe impl bytemuck::Zeroable for LowByte {}

/// A stored type, and what its conversions end with.
pub trait Target<L>: Copy + bytemuck::Zeroable {
    /// What conversions end with.
    type Narrow: Copy;
    /// Writes `N` elements, a multiple of sixteen.
    ///
    /// # Safety
    /// `p` is valid for writing them.
    unsafe fn write<const N: usize>(l: L, p: *mut Self, v: [Self::Narrow; N]);
}

/// One conversion.
pub trait To<N> {
    /// Converts, rounding once.
    fn to(self) -> N;
}

impl<L, S, D> Body<L> for Convert<S, D>
where
    L: eltwise_simd::Token,
    S: Source<L>,
    D: Target<L>,
    S::Wide: To<D::Narrow>,
{
    const ARITY: usize = 1;
    const IN_BYTES: [usize; INPUTS] = [size_of::<S>(); INPUTS];
    const OUT_BYTES: usize = size_of::<D>();
    const BLOCK: usize = BLOCK;
    type Note = ();

    #[inline(always)]
    fn note(_: L) {}

    #[inline(always)]
    fn flags(_: L, (): ()) -> u32 {
        0
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        let (from, to) = (ins[0].cast::<S>(), out.cast::<D>());
        // SAFETY: a block is valid behind both pointers.
        unsafe {
            if const { size_of::<S::Wide>() <= 2 && size_of::<D::Narrow>() <= 2 } {
                group::<L, S, D, BLOCK>(l, from, to);
            } else {
                for k in 0..BLOCK / GROUP {
                    group::<L, S, D, GROUP>(l, from.add(k * GROUP), to.add(k * GROUP));
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, note: &mut ()) {
        let mut from = [<S as bytemuck::Zeroable>::zeroed(); BLOCK];
        let mut to = [<D as bytemuck::Zeroable>::zeroed(); BLOCK];
        // SAFETY: `count < BLOCK` elements are valid behind both pointers; the arrays are whole blocks.
        unsafe {
            copy_elements(ins[0].cast::<S>(), from.as_mut_ptr(), count);
            Self::block(l, to.as_mut_ptr().cast(), [from.as_ptr().cast(); INPUTS], note);
            copy_elements(to.as_ptr(), out.cast::<D>(), count);
        }
    }
}

/// Converts `N` elements: they are read before they are written, and the two lie at the same place only when elements have the same size.
///
/// # Safety
/// `N` elements are valid behind both pointers.
#[inline(always)]
unsafe fn group<L, S, D, const N: usize>(l: L, from: *const S, to: *mut D)
where
    L: eltwise_simd::Token,
    S: Source<L>,
    D: Target<L>,
    S::Wide: To<D::Narrow>,
{
    // SAFETY: the caller's contract.
    unsafe {
        let wide = S::read::<N>(l, from);
        D::write(l, to, each::<S::Wide, D::Narrow, N>(wide));
    }
}

#[inline(always)]
fn each<W: To<T> + Copy, T: Copy, const N: usize>(wide: [W; N]) -> [T; N] {
    let mut narrow = [core::mem::MaybeUninit::<T>::uninit(); N];
    for i in 0..N {
        narrow[i].write(wide[i].to());
    }
    // SAFETY: every element was written; an array of MaybeUninit has the layout of the array.
    unsafe { core::mem::transmute_copy(&narrow) }
}

macro_rules! plain {
    ($($t:ty)*) => {$(
        impl<L> Source<L> for $t {
            type Wide = $t;
            #[inline(always)]
            unsafe fn read<const N: usize>(_: L, p: *const $t) -> [$t; N] {
                // SAFETY: the caller's contract.
                unsafe { p.cast::<[$t; N]>().read_unaligned() }
            }
        }
        impl<L> Target<L> for $t {
            type Narrow = $t;
            #[inline(always)]
            unsafe fn write<const N: usize>(_: L, p: *mut $t, v: [$t; N]) {
                // SAFETY: the caller's contract.
                unsafe { p.cast::<[$t; N]>().write_unaligned(v) };
            }
        }
    )*};
}

plain!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl<L> Source<L> for Bool {
    type Wide = Flag;
    #[inline(always)]
    unsafe fn read<const N: usize>(_: L, p: *const Bool) -> [Flag; N] {
        // SAFETY: the caller's contract; a flag is a byte.
        unsafe { p.cast::<[Flag; N]>().read_unaligned() }
    }
}

impl<L> Target<L> for Bool {
    type Narrow = Truth;
    #[inline(always)]
    unsafe fn write<const N: usize>(_: L, p: *mut Bool, v: [Truth; N]) {
        // SAFETY: the caller's contract; a truth value is a byte.
        unsafe { p.cast::<[Truth; N]>().write_unaligned(v) };
    }
}

impl<L: IntegerSource<u64>> Target<L> for LowByte {
    type Narrow = u64;
    #[inline(always)]
    unsafe fn write<const N: usize>(l: L, p: *mut LowByte, v: [u64; N]) {
        // SAFETY: the caller's contract.
        unsafe {
            for k in 0..N / GROUP {
                let group = v.as_ptr().add(k * GROUP).cast::<[u64; GROUP]>().read();
                l.store_low_bytes(p.add(k * GROUP).cast(), group);
            }
        }
    }
}

macro_rules! halves {
    ($($t:ty)*) => {$(
        impl<L: HalfLanes> Source<L> for $t {
            type Wide = f32;
            #[inline(always)]
            unsafe fn read<const N: usize>(l: L, p: *const $t) -> [f32; N] {
                let mut wide = [0f32; N];
                let mut at = 0;
                while at < N {
                    // SAFETY: the caller's contract; N is a multiple of every level's lanes of f32.
                    unsafe { l.store(wide.as_mut_ptr().add(at), Load::<$t>::load_stored(l, p.add(at))) };
                    at += <L as Lanes<f32>>::N;
                }
                wide
            }
        }
        impl<L: HalfLanes> Target<L> for $t {
            type Narrow = Odd;
            #[inline(always)]
            unsafe fn write<const N: usize>(l: L, p: *mut $t, v: [Odd; N]) {
                let mut at = 0;
                while at < N {
                    // SAFETY: the caller's contract; N is a multiple of every level's lanes of f32.
                    unsafe { Store::<$t>::store_stored(l, p.add(at), l.load(v.as_ptr().add(at).cast::<f32>())) };
                    at += <L as Lanes<f32>>::N;
                }
            }
        }
    )*};
}

halves!(f16 bf16);

// `as` is the definition: integers wrap, integer to float rounds to nearest even, f64 to f32 rounds to nearest even.
macro_rules! as_casts {
    ($($s:ty => $($d:ty)*;)*) => {$($(
        impl To<$d> for $s {
            #[inline(always)]
            fn to(self) -> $d {
                self as $d
            }
        }
    )*)*};
}

as_casts! {
    i8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64; i16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    i32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64; i64 => i8 i16 i32 i64 u8 u16 u32 u64 f32;
    u8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64; u16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64;
    u32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64; u64 => i8 i16 i32 i64 u8 u16 u32 u64 f32;
    f32 => f32 f64; f64 => f32 f64;
}

macro_rules! truncations {
    ($($s:ty => $($d:ty)*;)*) => {$($(
        impl To<$d> for $s {
            #[inline(always)]
            fn to(self) -> $d {
                Truncate::truncate(self)
            }
        }
    )*)*};
}

truncations! {
    f32 => i64 u32 u64;
    f64 => i8 i16 i32 i64 u8 u16 u32 u64;
}

macro_rules! to_and_from_bool {
    ($($t:ty, $zero:literal;)*) => {$(
        impl To<Truth> for $t {
            #[inline(always)]
            fn to(self) -> Truth {
                Truth(u8::from(self != $zero))
            }
        }
        impl To<$t> for Flag {
            #[inline(always)]
            fn to(self) -> $t {
                u8::from(self.0 != 0) as $t
            }
        }
    )*};
}

to_and_from_bool! {
    i8, 0; i16, 0; i32, 0; i64, 0; u8, 0; u16, 0; u32, 0; u64, 0; f32, 0.0; f64, 0.0;
}

impl To<Truth> for Flag {
    #[inline(always)]
    fn to(self) -> Truth {
        Truth(u8::from(self.0 != 0))
    }
}

/// Conversions to 16-bit floats, through an `f32` that is exact or rounded to odd.
macro_rules! to_odd {
    ($($t:ty, $x:ident => $odd:expr;)*) => {$(
        impl To<Odd> for $t {
            #[inline(always)]
            fn to(self) -> Odd {
                let $x = self;
                Odd($odd)
            }
        }
    )*};
}

to_odd! {
    Flag, x => To::<f32>::to(x);
    i8, x => f32::from(x);
    u8, x => f32::from(x);
    i16, x => f32::from(x);
    u16, x => f32::from(x);
    i32, x => f64_to_f32_odd(f64::from(x));
    u32, x => f64_to_f32_odd(f64::from(x));
    f32, x => x;
    f64, x => f64_to_f32_odd(x);
}
