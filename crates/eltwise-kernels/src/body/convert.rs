//! T -> U: casts, 16 elements at a time (64 if both have up to two bytes), each rounded once.
//!
//! A [`Source`] widens an element to the type from which it is converted (`f16` and `bf16` to `f32`, with the ISA's
//! instructions). [`To`] converts it with a scalar expression that LLVM vectorizes. A [`Target`] narrows the result.
//! Conversions to `f16` and `bf16` go through an `f32` *rounded to odd*, so that only the last rounding counts (Boldo
//! and Melquiond, 2008).
//!
//! The operator `exponent` is a conversion too: to an [`Exponent`].
//!
//! Casts for which ISAs have instructions are [maps](super::map) between stored types instead: between floats of up to
//! 32 bits, from these to most integers, and from 64-bit integers to `f16`, `bf16` and `f64`.

use core::marker::PhantomData;

use eltwise_simd::float_to_int::Truncate;
use eltwise_simd::half_bits::f64_to_f32_odd;
use eltwise_simd::int64_to_float::Int64ToFloatLanes;
use eltwise_simd::lanes::{Lanes, copy_elements};
use eltwise_simd::storage::{Bool, HalfLanes, Load, Store, Stored};
use half::{bf16, f16};

use crate::abi::INPUTS;
use crate::rows::Body;

/// The body of a cast from elements stored as `S` to elements stored as `D`.
pub struct Convert<S, D>(PhantomData<(S, D)>);

const GROUP: usize = 16;
const BLOCK: usize = 4 * GROUP;

/// A stored boolean: true if it is not 0.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Flag(u8);
/// A boolean result: 0 or 1.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Truth(u8);
/// An `f32` before it is narrowed to a 16-bit float: exact or rounded to odd.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Odd(f32);

/// A stored type that is cast from.
pub trait Source<L>: Stored {
    /// The type from which elements are converted.
    type Wide: Copy;
    /// Loads and widens `N` elements, a multiple of 16.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn read<const N: usize>(l: L, p: *const Self) -> [Self::Wide; N];
}

/// The lowest byte of a 64-bit integer, packed with the instructions of the ISA.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct LowByte(u8);

// SAFETY: `LowByte` is a transparent `u8`, which is zeroable.
unsafe impl bytemuck::Zeroable for LowByte {}

/// The exponent that `frexp` returns.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Exponent(i32);

// SAFETY: `Exponent` is a transparent `i32`, which is zeroable.
unsafe impl bytemuck::Zeroable for Exponent {}

/// A stored type that is cast to.
pub trait Target<L>: Copy + bytemuck::Zeroable {
    /// The type to which elements are converted.
    type Narrow: Copy;
    /// Narrows and stores `N` elements, a multiple of 16.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn write<const N: usize>(l: L, p: *mut Self, v: [Self::Narrow; N]);
}

/// The conversion of one element.
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
    type State = ();

    #[inline(always)]
    fn start(_: L) {}

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        let (from, to) = (ins[0].cast::<S>(), out.cast::<D>());
        // SAFETY: both pointers are valid for a block.
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
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, state: &mut ()) {
        let mut from = [<S as bytemuck::Zeroable>::zeroed(); BLOCK];
        let mut to = [<D as bytemuck::Zeroable>::zeroed(); BLOCK];
        // SAFETY: both pointers are valid for `count < BLOCK` elements; the arrays are whole blocks.
        unsafe {
            copy_elements(ins[0].cast::<S>(), from.as_mut_ptr(), count);
            Self::block(l, to.as_mut_ptr().cast(), [from.as_ptr().cast(); INPUTS], state);
            copy_elements(to.as_ptr(), out.cast::<D>(), count);
        }
    }
}

/// Converts `N` elements. All are read before the first is written: an input may be the output if the sizes are equal.
///
/// # Safety
/// Both pointers are valid for `N` elements.
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
        D::write(l, to, convert_all::<S::Wide, D::Narrow, N>(wide));
    }
}

#[inline(always)]
fn convert_all<W: To<T> + Copy, T: Copy, const N: usize>(wide: [W; N]) -> [T; N] {
    let mut narrow = [core::mem::MaybeUninit::<T>::uninit(); N];
    for i in 0..N {
        narrow[i].write(wide[i].to());
    }
    // SAFETY: every element was written; an array of MaybeUninit has the layout of the array.
    unsafe { core::mem::transmute_copy(&narrow) }
}

// A row is a stored type, and the types of the same layout from and to which it is converted.
macro_rules! same_layout {
    ($($t:ty: $wide:ty, $narrow:ty;)*) => {$(
        impl<L> Source<L> for $t {
            type Wide = $wide;
            #[inline(always)]
            unsafe fn read<const N: usize>(_: L, p: *const $t) -> [$wide; N] {
                // SAFETY: the caller's contract; the types have the same layout.
                unsafe { p.cast::<[$wide; N]>().read_unaligned() }
            }
        }
        impl<L> Target<L> for $t {
            type Narrow = $narrow;
            #[inline(always)]
            unsafe fn write<const N: usize>(_: L, p: *mut $t, v: [$narrow; N]) {
                // SAFETY: the caller's contract; the types have the same layout.
                unsafe { p.cast::<[$narrow; N]>().write_unaligned(v) };
            }
        }
    )*};
}

same_layout! {
    i8: i8, i8; i16: i16, i16; i32: i32, i32; i64: i64, i64;
    u8: u8, u8; u16: u16, u16; u32: u32, u32; u64: u64, u64;
    f32: f32, f32; f64: f64, f64;
    Bool: Flag, Truth;
}

impl<L: Int64ToFloatLanes<u64>> Target<L> for LowByte {
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

impl<L> Target<L> for Exponent {
    type Narrow = Exponent;
    #[inline(always)]
    unsafe fn write<const N: usize>(_: L, p: *mut Exponent, v: [Exponent; N]) {
        // SAFETY: the caller's contract.
        unsafe { p.cast::<[Exponent; N]>().write_unaligned(v) };
    }
}

macro_rules! halves {
    ($($t:ty)*) => {$(
        impl<L: HalfLanes> Source<L> for $t {
            type Wide = f32;
            #[inline(always)]
            unsafe fn read<const N: usize>(l: L, p: *const $t) -> [f32; N] {
                let mut wide = [0f32; N];
                let mut offset = 0;
                while offset < N {
                    // SAFETY: the caller's contract; N is a multiple of the f32 lanes of every ISA.
                    unsafe { l.store(wide.as_mut_ptr().add(offset), Load::<$t>::load_stored(l, p.add(offset))) };
                    offset += <L as Lanes<f32>>::N;
                }
                wide
            }
        }
        impl<L: HalfLanes> Target<L> for $t {
            type Narrow = Odd;
            #[inline(always)]
            unsafe fn write<const N: usize>(l: L, p: *mut $t, v: [Odd; N]) {
                let mut offset = 0;
                while offset < N {
                    // SAFETY: the caller's contract; N is a multiple of the f32 lanes of every ISA.
                    unsafe { Store::<$t>::store_stored(l, p.add(offset), l.load(v.as_ptr().add(offset).cast::<f32>())) };
                    offset += <L as Lanes<f32>>::N;
                }
            }
        }
    )*};
}

halves!(f16 bf16);

// A row is a type, the types to which it is converted, and the conversion. `i8 => f32, |x| x as _;` expands to
//
//     impl To<f32> for i8 {
//         #[inline(always)]
//         fn to(self) -> f32 {
//             let x = self;
//             x as _
//         }
//     }
macro_rules! conversions {
    ($($from:ty => $($to:ty)*, |$x:ident| $result:expr;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                let $x = self;
                $result
            }
        }
    )*)*};
}

// `as` is the definition: integers wrap; integers and `f64` round to the nearest float, ties to even.
conversions! {
    i8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    i16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    i32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    i64 => i8 i16 i32 i64 u8 u16 u32 u64 f32, |x| x as _;
    u8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    u16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    u32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x as _;
    u64 => i8 i16 i32 i64 u8 u16 u32 u64 f32, |x| x as _;
    f32 => f32 f64, |x| x as _;
    f64 => f32 f64, |x| x as _;
}

// Floats to integers, with the values for NaN and out of range that `Truncate` documents.
conversions! {
    f32 => i64 u32 u64, |x| Truncate::truncate(x);
    f64 => i8 i16 i32 i64 u8 u16 u32 u64, |x| Truncate::truncate(x);
}

// To and from booleans.
conversions! {
    i8 => Truth, |x| Truth(u8::from(x != 0));
    i16 => Truth, |x| Truth(u8::from(x != 0));
    i32 => Truth, |x| Truth(u8::from(x != 0));
    i64 => Truth, |x| Truth(u8::from(x != 0));
    u8 => Truth, |x| Truth(u8::from(x != 0));
    u16 => Truth, |x| Truth(u8::from(x != 0));
    u32 => Truth, |x| Truth(u8::from(x != 0));
    u64 => Truth, |x| Truth(u8::from(x != 0));
    f32 => Truth, |x| Truth(u8::from(x != 0.0));
    f64 => Truth, |x| Truth(u8::from(x != 0.0));
    Flag => Truth, |x| Truth(u8::from(x.0 != 0));
    Flag => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| u8::from(x.0 != 0) as _;
}

// To 16-bit floats, through an `f32` that is exact or rounded to odd.
conversions! {
    Flag => Odd, |x| Odd(x.to());
    i8 => Odd, |x| Odd(f32::from(x));
    u8 => Odd, |x| Odd(f32::from(x));
    i16 => Odd, |x| Odd(f32::from(x));
    u16 => Odd, |x| Odd(f32::from(x));
    i32 => Odd, |x| Odd(f64_to_f32_odd(f64::from(x)));
    u32 => Odd, |x| Odd(f64_to_f32_odd(f64::from(x)));
    f32 => Odd, |x| Odd(x);
    f64 => Odd, |x| Odd(f64_to_f32_odd(x));
}

// The `e` in `|x| = m * 2^e` with `0.5 <= m < 1`; 0 for zeros, infinities and NaN.
macro_rules! exponents {
    ($($t:ty, $bits:ty, $fraction_bits:literal;)*) => {$(
        impl To<Exponent> for $t {
            #[inline(always)]
            fn to(self) -> Exponent {
                const BIAS: i32 = <$t>::MAX_EXP - 2;
                const ONE: $bits = (1.0 as $t).to_bits();
                let bits = self.abs().to_bits();
                let field = (bits >> $fraction_bits) as i32;
                // Of a subnormal number, the fraction as a normal one.
                let fraction = <$t>::from_bits(bits | ONE) - 1.0;
                let low = (fraction.to_bits() >> $fraction_bits) as i32 - 2 * BIAS;
                // One condition at a time: LLVM makes vectors of that.
                let exponent = if field == 0 { low } else { field - BIAS };
                let exponent = if field == 2 * <$t>::MAX_EXP - 1 { 0 } else { exponent };
                Exponent(if bits == 0 { 0 } else { exponent })
            }
        }
    )*};
}

exponents! { f32, u32, 23; f64, u64, 52; }
