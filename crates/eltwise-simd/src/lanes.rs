//! What a vector can do, per element type.
//!
//! [`Lanes<C>`] is implemented for a token and a *compute* type `C`: `f32`, `f64`, an integer, or `f16` where
//! the CPU computes in it ([`native_half`](crate::native_half)). How elements of a *stored*
//! type come into lanes and go back is in [`storage`](crate::storage).

use bytemuck::Pod;
use half::f16;

use crate::bytes::ByteLanes;
use crate::math::LongLanes;
use crate::quotient::QuotientLanes;
use crate::storage::HalfLanes;
use crate::token::Token;
use crate::truncate::TruncateLanes;
use crate::wide::IntegerSource;

/// A compute type.
pub trait Element: Pod + PartialEq + PartialOrd + Send + Sync {
    /// The value that pads blocks: harmless as a divisor, under a root, in a logarithm.
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

/// Vectors of `C` and masks of their lanes, at the level of a token.
pub trait Lanes<C: Element>: Token {
    /// A vector of `N` lanes.
    type V: Copy;
    /// One truth value a lane.
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
    /// Loads the first `n <= N` lanes and fills the others with `ONE`.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_first(self, p: *const C, n: usize) -> Self::V;
    /// Stores the first `n <= N` lanes.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_first(self, p: *mut C, n: usize, v: Self::V);
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
    /// IEEE 754-2019 maximum.
    fn maximum(self, a: Self::V, b: Self::V) -> Self::V;
    /// IEEE 754-2019 minimum.
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
    /// `a` where the mask is set, else `b`.
    fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V;

    /// Both.
    fn mask_and(self, a: Self::M, b: Self::M) -> Self::M;
    /// One or both.
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M;
    /// Exactly one.
    fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M;
    /// Not.
    fn mask_not(self, a: Self::M) -> Self::M;
    /// Whether a lane is set.
    fn any(self, m: Self::M) -> bool;

    /// Reads `N` bytes as truth values: non-zero is true.
    ///
    /// # Safety
    /// `p` is valid for reading `N` bytes.
    unsafe fn load_bools(self, p: *const u8) -> Self::M;
    /// Reads the first `n <= N` bytes as truth values; the other lanes are false.
    ///
    /// # Safety
    /// `p` is valid for reading `n` bytes.
    unsafe fn load_bools_first(self, p: *const u8, n: usize) -> Self::M;
    /// Writes four masks as `4 N` bytes of 0 and 1.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` bytes.
    unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]);
}

/// Vectors of integers.
pub trait IntLanes<C: Element>: Lanes<C> {
    /// Bits set in both.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bits set in one or both.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bits set in exactly one.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// Every bit turned.
    fn not(self, a: Self::V) -> Self::V;
}

/// How [`BasicFloatLanes::integral`] rounds. The numbers are those of `roundps`: exceptions are not raised.
pub mod integral {
    /// To the nearest, ties to even.
    pub const NEAREST: i32 = 8;
    /// Down.
    pub const FLOOR: i32 = 9;
    /// Up.
    pub const CEIL: i32 = 10;
    /// Toward zero.
    pub const TRUNC: i32 = 11;
}

/// Vectors of floats: what gives an `f16` the same bits in `f16` as in `f32` and one more rounding.
pub trait BasicFloatLanes<C: Element>: Lanes<C> {
    /// `a / b`
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The square root, correctly rounded.
    fn sqrt(self, a: Self::V) -> Self::V;
    /// The same, for kernels that do little else: the instruction of [`sqrt`](BasicFloatLanes::sqrt) is one operation and runs beside others,
    /// but holds its unit for long.
    #[inline(always)]
    fn sqrt_alone(self, a: Self::V) -> Self::V {
        self.sqrt(a)
    }
    /// `a` with the sign bit of `b`.
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rounded to an integer, by [`integral`]; the sign stays.
    fn integral<const MODE: i32>(self, a: Self::V) -> Self::V;
}

/// Vectors of `f32` or `f64`: and what would round another way in `f16`, or serves math functions.
pub trait FloatLanes<C: Element>: BasicFloatLanes<C> {
    /// `a * b + c`, rounded once.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `2^n` for integers `n` that are exponents of normal numbers; any bits for others.
    fn power_of_two(self, n: Self::V) -> Self::V;
    /// The exponent field of the bits, as a number; the sign bit must be 0.
    fn exponent_field(self, a: Self::V) -> Self::V;
}

/// Copies `n` elements between memory that does not overlap; for tails, where `n` is small.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `n` elements; they do not overlap.
#[inline(always)]
pub unsafe fn copy_elements<S: Copy>(from: *const S, to: *mut S, n: usize) {
    // SAFETY: the caller's contract; bytes have no alignment.
    unsafe { core::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), n * size_of::<S>()) };
}

/// A token with lanes of every type: what a kernel table is stamped for.
pub trait Level:
    QuotientLanes<i8>
    + QuotientLanes<i16>
    + QuotientLanes<i32>
    + QuotientLanes<i64>
    + QuotientLanes<u8>
    + QuotientLanes<u16>
    + QuotientLanes<u32>
    + QuotientLanes<u64>
    + FloatLanes<f32>
    + FloatLanes<f64>
    + HalfLanes
    + TruncateLanes<i8>
    + TruncateLanes<i16>
    + TruncateLanes<i32>
    + TruncateLanes<i64>
    + TruncateLanes<u8>
    + TruncateLanes<u16>
    + TruncateLanes<u64>
    + IntegerSource<i64>
    + IntegerSource<u64>
    + ByteLanes<i8>
    + ByteLanes<u8>
    + LongLanes
{
}

impl<T> Level for T where
    T: QuotientLanes<i8>
        + QuotientLanes<i16>
        + QuotientLanes<i32>
        + QuotientLanes<i64>
        + QuotientLanes<u8>
        + QuotientLanes<u16>
        + QuotientLanes<u32>
        + QuotientLanes<u64>
        + FloatLanes<f32>
        + FloatLanes<f64>
        + HalfLanes
        + TruncateLanes<i8>
        + TruncateLanes<i16>
        + TruncateLanes<i32>
        + TruncateLanes<i64>
        + TruncateLanes<u8>
        + TruncateLanes<u16>
        + TruncateLanes<u64>
        + IntegerSource<i64>
        + IntegerSource<u64>
        + ByteLanes<i8>
        + ByteLanes<u8>
        + LongLanes
{
}
