//! Vectors and masks, and the operations on them, per element type: [`Lanes`], [`IntLanes`], [`BasicFloatLanes`] and
//! [`FloatLanes`]. Look here for the arithmetic that a kernel can use.
//!
//! [`Lanes<C>`] is implemented for a token and a *compute* type `C`: `f32`, `f64`, an integer, or `f16` on CPUs with
//! `f16` arithmetic ([`native_f16`](crate::native_f16)). [`storage`](crate::storage) loads and stores elements of other
//! *stored* types.

use bytemuck::Pod;
use half::f16;

use crate::token::Token;

/// A compute type.
pub trait Element: Pod + PartialEq + PartialOrd + Send + Sync {
    /// One. It fills the unused lanes of a partial load: no operation traps on it or is slow, as divisor, under a root
    /// or in a logarithm.
    const ONE: Self;
    /// Zero.
    const ZERO: Self;
}

macro_rules! elements {
    ($($t:ty, $zero:literal, $one:literal;)*) => {$(
        impl Element for $t {
            const ONE: $t = $one;
            const ZERO: $t = $zero;
        }
    )*};
}

elements! {
    i8, 0, 1; i16, 0, 1; i32, 0, 1; i64, 0, 1;
    u8, 0, 1; u16, 0, 1; u32, 0, 1; u64, 0, 1;
    f32, 0.0, 1.0; f64, 0.0, 1.0;
}

impl Element for f16 {
    const ONE: f16 = f16::ONE;
    const ZERO: f16 = f16::ZERO;
}

/// Vectors of `C` and masks of their lanes, for the ISA of a token.
pub trait Lanes<C: Element>: Token {
    /// A vector of `N` lanes.
    type V: Copy;
    /// A mask: one boolean per lane.
    type M: Copy;
    /// The number of lanes.
    const N: usize;

    /// Loads `N` elements; no alignment needed.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn load(self, p: *const C) -> Self::V;
    /// Stores `N` elements; no alignment needed.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn store(self, p: *mut C, v: Self::V);
    /// Loads `n <= N` elements into the first lanes; the other lanes are `ONE`. (Highway's `LoadNOr`.)
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_n(self, p: *const C, n: usize) -> Self::V;
    /// Stores the first `n <= N` lanes. (Highway's `StoreN`.)
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_n(self, p: *mut C, n: usize, v: Self::V);
    /// `c` in every lane.
    fn splat(self, c: C) -> Self::V;

    /// `a + b`; integers wrap.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`; integers wrap.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b`; integers wrap.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `-a`; integers wrap.
    fn neg(self, a: Self::V) -> Self::V;
    /// The absolute value; integers wrap.
    fn abs(self, a: Self::V) -> Self::V;
    /// IEEE 754-2019 `maximum`: NaN if an operand is NaN, and `-0 < +0`.
    fn maximum(self, a: Self::V, b: Self::V) -> Self::V;
    /// IEEE 754-2019 `minimum`: NaN if an operand is NaN, and `-0 < +0`.
    fn minimum(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a == b`
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a != b`
    #[inline(always)]
    fn ne(self, a: Self::V, b: Self::V) -> Self::M {
        self.mask_not(self.eq(a, b))
    }
    /// `a < b`
    fn lt(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a <= b`
    fn le(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a` in lanes where the mask is set, `b` elsewhere.
    fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V;

    /// Lanes set in both masks.
    fn mask_and(self, a: Self::M, b: Self::M) -> Self::M;
    /// Lanes set in at least one mask.
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M;
    /// Lanes set in exactly one mask.
    fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M;
    /// Lanes that are not set.
    fn mask_not(self, a: Self::M) -> Self::M;
    /// Whether any lane is set.
    fn any(self, m: Self::M) -> bool;

    /// Loads `N` bytes as a mask: non-zero is true.
    ///
    /// # Safety
    /// `p` is valid for reading `N` bytes.
    unsafe fn load_bools(self, p: *const u8) -> Self::M;
    /// Loads `n <= N` bytes as a mask; the other lanes are false.
    ///
    /// # Safety
    /// `p` is valid for reading `n` bytes.
    unsafe fn load_bools_n(self, p: *const u8, n: usize) -> Self::M;
    /// Stores four masks as `4 N` bytes of 0 and 1.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` bytes.
    unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]);
}

/// Bit operations on vectors of integers.
pub trait IntLanes<C: Element>: Lanes<C> {
    /// Bits set in both.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bits set in one or both.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bits set in exactly one.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// Every bit inverted.
    fn not(self, a: Self::V) -> Self::V;
}

/// Rounding modes of [`BasicFloatLanes::round_to_integral`]. The values are the immediates of `roundps` that suppress
/// exceptions.
pub mod rounding {
    /// To the nearest, ties to even.
    pub const NEAREST: i32 = 8;
    /// Down.
    pub const FLOOR: i32 = 9;
    /// Up.
    pub const CEIL: i32 = 10;
    /// Toward zero.
    pub const TRUNC: i32 = 11;
}

/// Vectors of floats: the operations that give the same `f16` bits whether they are computed in `f16`, or in `f32` and
/// then rounded.
pub trait BasicFloatLanes<C: Element>: Lanes<C> {
    /// `a / b`
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The square root, correctly rounded.
    fn sqrt(self, a: Self::V) -> Self::V;
    /// The square root, correctly rounded, for kernels that do little else. [`sqrt`](BasicFloatLanes::sqrt) is one
    /// instruction that overlaps with other work but occupies its unit for many cycles; this may be a longer sequence
    /// with a higher throughput.
    #[inline(always)]
    fn sqrt_alone(self, a: Self::V) -> Self::V {
        self.sqrt(a)
    }
    /// `a` with the sign bit of `b`.
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rounds to an integer in the mode `MODE` (see [`rounding`]); keeps the sign, also of zeros.
    fn round_to_integral<const MODE: i32>(self, a: Self::V) -> Self::V;
}

/// Vectors of `f32` or `f64`: operations that would round differently in `f16`, and helpers of math functions.
pub trait FloatLanes<C: Element>: BasicFloatLanes<C> {
    /// `a * b + c`, rounded once.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `2^n`, if `n` is an integer and `2^n` a normal number; unspecified otherwise.
    fn power_of_two(self, n: Self::V) -> Self::V;
    /// The biased exponent field as a number; the sign bit must be 0.
    fn exponent_field(self, a: Self::V) -> Self::V;
}

/// Copies `n` elements between regions that do not overlap. Meant for tails, where `n` is small.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `n` elements; they do not overlap.
#[inline(always)]
pub unsafe fn copy_elements<S: Copy>(from: *const S, to: *mut S, n: usize) {
    // SAFETY: the caller's contract; bytes need no alignment.
    unsafe { core::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), n * size_of::<S>()) };
}
