//! Lanes on top of `pulp`'s tokens, for every vector ISA: an ISA implements [`TargetOps`] and [`MaskOps`], and gets
//! [`Lanes`] and the other traits of [`lanes`](crate::lanes) from here.
//!
//! `pulp` provides arithmetic, comparisons and bit operations. [`TargetOps`] adds operations that `pulp` lacks or
//! defines differently: IEEE maximum, masked memory access, some integer widths on some ISAs. [`MaskOps`] adds booleans
//! as bytes.

mod floats;
mod lanes;

use bytemuck::Pod;
use pulp::Simd;

#[cfg(doc)]
use crate::lanes::{BasicFloatLanes, Lanes};
use crate::token::Token;

pub(crate) type S<T> = <T as TargetOps>::Simd;

/// The operations that an ISA adds to its `pulp` token. Vectors of all element types have the same size.
pub trait TargetOps: Token {
    /// The `pulp` token.
    type Simd: Simd;
    /// The `pulp` token.
    fn simd(self) -> Self::Simd;

    /// Loads the first `bytes` bytes of a vector; the other bytes come from `fill`.
    ///
    /// # Safety
    /// `p` is valid for reading `bytes` bytes; `bytes` is at most the size of `V`.
    unsafe fn load_n_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V;
    /// Stores the first `bytes` bytes of a vector.
    ///
    /// # Safety
    /// `p` is valid for writing `bytes` bytes; `bytes` is at most the size of `V`.
    unsafe fn store_n_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V);

    /// The low halves of 8-bit products.
    fn mul_u8s(self, a: <S<Self> as Simd>::u8s, b: <S<Self> as Simd>::u8s) -> <S<Self> as Simd>::u8s;
    /// The low halves of 64-bit products.
    fn mul_u64s(self, a: <S<Self> as Simd>::u64s, b: <S<Self> as Simd>::u64s) -> <S<Self> as Simd>::u64s;
    /// See [`Lanes::select`].
    fn select_u8s(
        self,
        m: <S<Self> as Simd>::m8s,
        a: <S<Self> as Simd>::u8s,
        b: <S<Self> as Simd>::u8s,
    ) -> <S<Self> as Simd>::u8s;
    /// See [`Lanes::select`].
    fn select_u16s(
        self,
        m: <S<Self> as Simd>::m16s,
        a: <S<Self> as Simd>::u16s,
        b: <S<Self> as Simd>::u16s,
    ) -> <S<Self> as Simd>::u16s;
    /// See [`Lanes::maximum`].
    fn maximum_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// See [`Lanes::minimum`].
    fn minimum_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// See [`Lanes::maximum`].
    fn maximum_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// See [`Lanes::minimum`].
    fn minimum_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// See [`Lanes::ne`].
    fn not_equal_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::m32s;
    /// See [`Lanes::ne`].
    fn not_equal_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::m64s;
    /// See [`BasicFloatLanes::sqrt_alone`].
    #[inline(always)]
    fn sqrt_alone_f32s(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s {
        self.simd().sqrt_f32s(a)
    }
    /// See [`BasicFloatLanes::sqrt_alone`].
    #[inline(always)]
    fn sqrt_alone_f64s(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s {
        self.simd().sqrt_f64s(a)
    }
    /// See [`BasicFloatLanes::round_to_integral`].
    fn round_to_integral_f32s<const MODE: i32>(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// See [`BasicFloatLanes::round_to_integral`].
    fn round_to_integral_f64s<const MODE: i32>(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// Shifts the bits left by the size of the fraction, into the exponent field.
    fn shift_to_exponent_f32s(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// Shifts the bits left by the size of the fraction, into the exponent field.
    fn shift_to_exponent_f64s(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// Shifts the bits right by the size of the fraction, which leaves sign and exponent field.
    fn shift_from_exponent_f32s(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// Shifts the bits right by the size of the fraction, which leaves sign and exponent field.
    fn shift_from_exponent_f64s(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
}

/// Masks of one lane width; `M` is `pulp`'s mask type.
pub trait MaskOps<M>: TargetOps {
    /// See [`Lanes::mask_and`].
    fn and(self, a: M, b: M) -> M;
    /// See [`Lanes::mask_or`].
    fn or(self, a: M, b: M) -> M;
    /// See [`Lanes::mask_xor`].
    fn xor(self, a: M, b: M) -> M;
    /// See [`Lanes::mask_not`].
    fn not(self, a: M) -> M;
    /// See [`Lanes::any`].
    fn any_lane(self, m: M) -> bool;
    /// # Safety
    /// As [`Lanes::load_bools`].
    unsafe fn mask_from_bytes(self, p: *const u8) -> M;
    /// # Safety
    /// As [`Lanes::load_bools_n`].
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> M;
    /// # Safety
    /// As [`Lanes::store_bools4`].
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [M; 4]);
}

/// A token with [`TargetOps`] and the masks of all lane widths.
pub trait PulpToken:
    TargetOps
    + MaskOps<<S<Self> as Simd>::m8s>
    + MaskOps<<S<Self> as Simd>::m16s>
    + MaskOps<<S<Self> as Simd>::m32s>
    + MaskOps<<S<Self> as Simd>::m64s>
{
}

/// Bit-casts between vectors of the same size.
#[inline(always)]
pub(crate) fn cast<A: Pod, B: Pod>(a: A) -> B {
    bytemuck::cast(a)
}
