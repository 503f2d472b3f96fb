//! What a vector can do, per element type.
//!
//! [`Lanes<C>`] is implemented for a token and a *compute* type `C`: `f32`, `f64` or an integer. [`Storage<S>`] adds
//! how elements of a *stored* type `S` come into lanes of `S::Compute` and go back: the identity for most, a
//! conversion in registers for `f16` and `bf16`, a normalisation to 0 and 1 for [`Bool`].

use bytemuck::Pod;
use half::{bf16, f16};

use crate::quotient::QuotientLanes;
use crate::token::Token;

/// A compute type.
pub trait Element: Pod + PartialEq + PartialOrd + Send + Sync {
    /// The value that pads blocks: harmless as a divisor, under a root, in a logarithm.
    const ONE: Self;
    /// Zero.
    const ZERO: Self;
}

/// A stored type and the type that its operators compute in.
pub trait Stored: Pod + Send + Sync {
    /// The compute type.
    type Compute: Element;
}

/// A stored boolean: any byte; every non-zero byte is true. Lanes of it are 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub struct Bool(pub u8);

macro_rules! elements {
    ($($t:ty, $zero:literal, $one:literal;)*) => {$(
        impl Element for $t {
            const ONE: $t = $one;
            const ZERO: $t = $zero;
        }
        impl Stored for $t {
            type Compute = $t;
        }
    )*};
}

elements! {
    i8, 0, 1; i16, 0, 1; i32, 0, 1; i64, 0, 1;
    u8, 0, 1; u16, 0, 1; u32, 0, 1; u64, 0, 1;
    f32, 0.0, 1.0; f64, 0.0, 1.0;
}

impl Stored for f16 {
    type Compute = f32;
}
impl Stored for bf16 {
    type Compute = f32;
}
impl Stored for Bool {
    type Compute = u8;
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

/// How [`FloatLanes::integral`] rounds. The numbers are those of `roundps`: exceptions are not raised.
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

/// Vectors of floats.
pub trait FloatLanes<C: Element>: Lanes<C> {
    /// `a / b`
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The square root, correctly rounded.
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a` with the sign bit of `b`.
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rounded to an integer, by [`integral`]; the sign stays.
    fn integral<const MODE: i32>(self, a: Self::V) -> Self::V;
    /// `2^n` for integers `n` that are exponents of normal numbers; any bits for others.
    fn power_of_two(self, n: Self::V) -> Self::V;
    /// The exponent field of the bits, as a number; the sign bit must be 0.
    fn exponent_field(self, a: Self::V) -> Self::V;
}

/// How elements of a stored type come into lanes and go back.
pub trait Storage<S: Stored>: Lanes<S::Compute> {
    /// Loads `N` elements.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn load_stored(self, p: *const S) -> Self::V;
    /// Stores `N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn store_stored(self, p: *mut S, v: Self::V);
    /// Loads the first `n <= N` elements, the other lanes are `ONE`.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_stored_first(self, p: *const S, n: usize) -> Self::V;
    /// Stores the first `n <= N` lanes.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_stored_first(self, p: *mut S, n: usize, v: Self::V);
}

macro_rules! stored_as_computed {
    ($($t:ty)*) => {$(
        impl<T: Lanes<$t>> Storage<$t> for T {
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $t) -> Self::V {
                // SAFETY: the caller's contract is load's.
                unsafe { self.load(p) }
            }
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut $t, v: Self::V) {
                // SAFETY: the caller's contract is store's.
                unsafe { self.store(p, v) };
            }
            #[inline(always)]
            unsafe fn load_stored_first(self, p: *const $t, n: usize) -> Self::V {
                // SAFETY: the caller's contract is load_first's.
                unsafe { self.load_first(p, n) }
            }
            #[inline(always)]
            unsafe fn store_stored_first(self, p: *mut $t, n: usize, v: Self::V) {
                // SAFETY: the caller's contract is store_first's.
                unsafe { self.store_first(p, n, v) };
            }
        }
    )*};
}

stored_as_computed!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// The 16-bit floats: `N` of them in a register of half the size of a vector of `f32`.
pub trait HalfLanes: Lanes<f32> {
    /// `N` 16-bit elements.
    type H: Copy;
    /// Loads `N` elements.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn load_halves(self, p: *const u16) -> Self::H;
    /// Loads the first `n <= N` elements, the others are `fill`.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_halves_first(self, p: *const u16, n: usize, fill: u16) -> Self::H;
    /// Stores `N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn store_halves(self, p: *mut u16, h: Self::H);
    /// Stores the first `n <= N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_halves_first(self, p: *mut u16, n: usize, h: Self::H);
    /// `f16` to `f32`, exactly.
    fn widen_f16(self, h: Self::H) -> Self::V;
    /// `f32` to `f16`, rounded to nearest even.
    fn narrow_f16(self, v: Self::V) -> Self::H;
    /// `bf16` to `f32`, exactly.
    fn widen_bf16(self, h: Self::H) -> Self::V;
    /// `f32` to `bf16`, rounded to nearest even, a NaN kept quiet.
    fn narrow_bf16(self, v: Self::V) -> Self::H;
}

macro_rules! half_storage {
    ($($t:ty, $widen:ident, $narrow:ident;)*) => {$(
        impl<T: HalfLanes> Storage<$t> for T {
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $t) -> Self::V {
                // SAFETY: the caller's contract; the element is two bytes.
                self.$widen(unsafe { self.load_halves(p.cast()) })
            }
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut $t, v: Self::V) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.store_halves(p.cast(), self.$narrow(v)) };
            }
            #[inline(always)]
            unsafe fn load_stored_first(self, p: *const $t, n: usize) -> Self::V {
                // SAFETY: the caller's contract; the element is two bytes.
                self.$widen(unsafe { self.load_halves_first(p.cast(), n, <$t>::ONE.to_bits()) })
            }
            #[inline(always)]
            unsafe fn store_stored_first(self, p: *mut $t, n: usize, v: Self::V) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.store_halves_first(p.cast(), n, self.$narrow(v)) };
            }
        }
    )*};
}

half_storage! {
    f16, widen_f16, narrow_f16;
    bf16, widen_bf16, narrow_bf16;
}

impl<T: IntLanes<u8>> Storage<Bool> for T {
    #[inline(always)]
    unsafe fn load_stored(self, p: *const Bool) -> Self::V {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        let v = unsafe { self.load(p.cast()) };
        self.minimum(v, self.splat(1))
    }
    #[inline(always)]
    unsafe fn store_stored(self, p: *mut Bool, v: Self::V) {
        // SAFETY: the caller's contract; Bool is a transparent u8. The lowest bit is the truth: `!1` is false.
        unsafe { self.store(p.cast(), self.and(v, self.splat(1))) };
    }
    #[inline(always)]
    unsafe fn load_stored_first(self, p: *const Bool, n: usize) -> Self::V {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        let v = unsafe { self.load_first(p.cast(), n) };
        self.minimum(v, self.splat(1))
    }
    #[inline(always)]
    unsafe fn store_stored_first(self, p: *mut Bool, n: usize, v: Self::V) {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        unsafe { self.store_first(p.cast(), n, self.and(v, self.splat(1))) };
    }
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
{
}
