//! The vector levels: lanes over `pulp`'s tokens, for every level that implements [`Gaps`].
//!
//! `pulp` gives arithmetic, comparisons and bit operations. What it lacks, or does in another way than the
//! definitions ask (IEEE maximum, masked memory, booleans as bytes, 16-bit floats, some integer widths on some ISA),
//! each level adds in its own file.

use bytemuck::Pod;
use pulp::Simd;

use crate::lanes::{BasicFloatLanes, Element, FloatLanes, IntLanes, Lanes};
use crate::token::Token;

pub(crate) type S<T> = <T as Gaps>::Simd;

/// What a level adds to its `pulp` token. Vectors of every element type have the same size.
pub trait Gaps: Token {
    /// The `pulp` token.
    type Simd: Simd;
    /// The `pulp` token.
    fn simd(self) -> Self::Simd;

    /// Loads the first `bytes` bytes of a vector; the others come from `fill`.
    ///
    /// # Safety
    /// `p` is valid for reading `bytes` bytes; `bytes` is at most the size of `V`.
    unsafe fn load_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V;
    /// Stores the first `bytes` bytes of a vector.
    ///
    /// # Safety
    /// `p` is valid for writing `bytes` bytes; `bytes` is at most the size of `V`.
    unsafe fn store_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V);

    /// 8-bit multiplication, the low half.
    fn mul_u8s(self, a: <S<Self> as Simd>::u8s, b: <S<Self> as Simd>::u8s) -> <S<Self> as Simd>::u8s;
    /// 64-bit multiplication, the low half.
    fn mul_u64s(self, a: <S<Self> as Simd>::u64s, b: <S<Self> as Simd>::u64s) -> <S<Self> as Simd>::u64s;
    /// Selects bytes.
    fn select_u8s(
        self,
        m: <S<Self> as Simd>::m8s,
        a: <S<Self> as Simd>::u8s,
        b: <S<Self> as Simd>::u8s,
    ) -> <S<Self> as Simd>::u8s;
    /// Selects 16-bit lanes.
    fn select_u16s(
        self,
        m: <S<Self> as Simd>::m16s,
        a: <S<Self> as Simd>::u16s,
        b: <S<Self> as Simd>::u16s,
    ) -> <S<Self> as Simd>::u16s;
    /// IEEE 754-2019 maximum.
    fn maximum_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// IEEE 754-2019 minimum.
    fn minimum_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// IEEE 754-2019 maximum.
    fn maximum_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// IEEE 754-2019 minimum.
    fn minimum_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// See [`Lanes::ne`].
    fn unequal_f32s(self, a: <S<Self> as Simd>::f32s, b: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::m32s;
    /// See [`Lanes::ne`].
    fn unequal_f64s(self, a: <S<Self> as Simd>::f64s, b: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::m64s;
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
    /// See [`BasicFloatLanes::integral`].
    fn integral_f32s<const MODE: i32>(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// See [`BasicFloatLanes::integral`].
    fn integral_f64s<const MODE: i32>(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// The bits moved up by those of a fraction, into the exponent field.
    fn up_f32s(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// The bits moved up by those of a fraction, into the exponent field.
    fn up_f64s(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
    /// The bits moved down by those of a fraction: what is left is sign and exponent field.
    fn down_f32s(self, a: <S<Self> as Simd>::f32s) -> <S<Self> as Simd>::f32s;
    /// The bits moved down by those of a fraction: what is left is sign and exponent field.
    fn down_f64s(self, a: <S<Self> as Simd>::f64s) -> <S<Self> as Simd>::f64s;
}

/// Masks of one lane width; `M` is `pulp`'s mask type.
pub trait Masks<M>: Gaps {
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
    /// As [`Lanes::load_bools_first`].
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> M;
    /// # Safety
    /// As [`Lanes::store_bools4`].
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [M; 4]);
}

/// A level over `pulp` with all its masks.
pub trait OverPulp:
    Gaps
    + Masks<<S<Self> as Simd>::m8s>
    + Masks<<S<Self> as Simd>::m16s>
    + Masks<<S<Self> as Simd>::m32s>
    + Masks<<S<Self> as Simd>::m64s>
{
}

// One row an element type: vector, mask, and how each operation is spelt: the name of pulp's method, or
// `[token operands: expression]` (an expression and no closure, which would lose the CPU features).
macro_rules! pulp_lanes {
    ($($c:ident $v:ident $m:ident: $splat:ident $add:ident $sub:ident [$mt:ident $ma:ident $mb:ident: $mul:expr],
       [$et:ident $ea:ident $eb:ident: $eq:expr], $lt:ident $le:ident [$ut:ident $ua:ident $ub:ident: $ne:expr], [$st:ident $sm:ident $sa:ident $sb:ident: $select:expr],
       [$nt:ident $na:ident: $neg:expr], [$at:ident $aa:ident: $abs:expr],
       [$xt:ident $xa:ident $xb:ident: $max:expr], [$it:ident $ia:ident $ib:ident: $min:expr];)*) => {$(
        impl<T: OverPulp> Lanes<$c> for T {
            type V = <S<T> as Simd>::$v;
            type M = <S<T> as Simd>::$m;
            const N: usize = size_of::<<S<T> as Simd>::$v>() / size_of::<$c>();

            #[inline(always)]
            unsafe fn load(self, p: *const $c) -> Self::V {
                // SAFETY: the caller's contract; the vector is N elements of plain data.
                unsafe { p.cast::<Self::V>().read_unaligned() }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $c, v: Self::V) {
                // SAFETY: the caller's contract.
                unsafe { p.cast::<Self::V>().write_unaligned(v) };
            }
            #[inline(always)]
            unsafe fn load_first(self, p: *const $c, n: usize) -> Self::V {
                let one = self.simd().$splat(<$c>::ONE);
                // SAFETY: the caller's contract, in bytes.
                unsafe { self.load_bytes(p.cast(), n * size_of::<$c>(), one) }
            }
            #[inline(always)]
            unsafe fn store_first(self, p: *mut $c, n: usize, v: Self::V) {
                // SAFETY: the caller's contract, in bytes.
                unsafe { self.store_bytes(p.cast(), n * size_of::<$c>(), v) };
            }
            #[inline(always)]
            fn splat(self, c: $c) -> Self::V {
                self.simd().$splat(c)
            }
            #[inline(always)]
            fn add(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$add(a, b)
            }
            #[inline(always)]
            fn sub(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$sub(a, b)
            }
            #[inline(always)]
            fn mul(self, a: Self::V, b: Self::V) -> Self::V {
                let ($mt, $ma, $mb) = (self, a, b);
                $mul
            }
            #[inline(always)]
            fn neg(self, a: Self::V) -> Self::V {
                let ($nt, $na) = (self, a);
                $neg
            }
            #[inline(always)]
            fn abs(self, a: Self::V) -> Self::V {
                let ($at, $aa) = (self, a);
                let _ = $at;
                $abs
            }
            #[inline(always)]
            fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
                let ($xt, $xa, $xb) = (self, a, b);
                $max
            }
            #[inline(always)]
            fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
                let ($it, $ia, $ib) = (self, a, b);
                $min
            }
            #[inline(always)]
            fn eq(self, a: Self::V, b: Self::V) -> Self::M {
                let ($et, $ea, $eb) = (self, a, b);
                $eq
            }
            #[inline(always)]
            fn ne(self, a: Self::V, b: Self::V) -> Self::M {
                let ($ut, $ua, $ub) = (self, a, b);
                $ne
            }
            #[inline(always)]
            fn lt(self, a: Self::V, b: Self::V) -> Self::M {
                self.simd().$lt(a, b)
            }
            #[inline(always)]
            fn le(self, a: Self::V, b: Self::V) -> Self::M {
                self.simd().$le(a, b)
            }
            #[inline(always)]
            fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V {
                let ($st, $sm, $sa, $sb) = (self, m, a, b);
                $select
            }
            #[inline(always)]
            fn mask_and(self, a: Self::M, b: Self::M) -> Self::M {
                Masks::<Self::M>::and(self, a, b)
            }
            #[inline(always)]
            fn mask_or(self, a: Self::M, b: Self::M) -> Self::M {
                Masks::<Self::M>::or(self, a, b)
            }
            #[inline(always)]
            fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M {
                Masks::<Self::M>::xor(self, a, b)
            }
            #[inline(always)]
            fn mask_not(self, a: Self::M) -> Self::M {
                Masks::<Self::M>::not(self, a)
            }
            #[inline(always)]
            fn any(self, m: Self::M) -> bool {
                self.any_lane(m)
            }
            #[inline(always)]
            unsafe fn load_bools(self, p: *const u8) -> Self::M {
                // SAFETY: the caller's contract.
                unsafe { self.mask_from_bytes(p) }
            }
            #[inline(always)]
            unsafe fn load_bools_first(self, p: *const u8, n: usize) -> Self::M {
                // SAFETY: the caller's contract.
                unsafe { self.mask_from_first_bytes(p, n) }
            }
            #[inline(always)]
            unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]) {
                // SAFETY: the caller's contract.
                unsafe { self.masks_to_bytes(p, m) };
            }
        }
    )*};
}

/// Bit-casts between vectors of one size.
#[inline(always)]
pub(crate) fn cast<A: Pod, B: Pod>(a: A) -> B {
    bytemuck::cast(a)
}

// `abs_f32s` and `equal_i32s` with their kin are functions of pulp's that are not inlined by themselves.
pulp_lanes! {
    u8 u8s m8s: splat_u8s add_u8s sub_u8s [t a b: t.mul_u8s(a, b)], [t a b: t.simd().equal_u8s(a, b)], less_than_u8s less_than_or_equal_u8s
        [t a b: t.not(t.simd().equal_u8s(a, b))],
        [t m a b: t.select_u8s(m, a, b)], [t a: t.simd().sub_u8s(t.simd().splat_u8s(0), a)], [t a: a],
        [t a b: t.simd().max_u8s(a, b)], [t a b: t.simd().min_u8s(a, b)];
    i8 i8s m8s: splat_i8s add_i8s sub_i8s [t a b: cast(t.mul_u8s(cast(a), cast(b)))], [t a b: t.simd().equal_u8s(cast(a), cast(b))], less_than_i8s less_than_or_equal_i8s
        [t a b: t.not(t.simd().equal_u8s(cast(a), cast(b)))],
        [t m a b: cast(t.select_u8s(m, cast(a), cast(b)))], [t a: t.simd().sub_i8s(t.simd().splat_i8s(0), a)],
        [t a: cast(t.simd().min_u8s(cast(a), cast(Lanes::<i8>::neg(t, a))))],
        [t a b: t.simd().max_i8s(a, b)], [t a b: t.simd().min_i8s(a, b)];
    u16 u16s m16s: splat_u16s add_u16s sub_u16s [t a b: t.simd().mul_u16s(a, b)], [t a b: t.simd().equal_u16s(a, b)], less_than_u16s less_than_or_equal_u16s
        [t a b: t.not(t.simd().equal_u16s(a, b))],
        [t m a b: t.select_u16s(m, a, b)], [t a: t.simd().sub_u16s(t.simd().splat_u16s(0), a)], [t a: a],
        [t a b: t.simd().max_u16s(a, b)], [t a b: t.simd().min_u16s(a, b)];
    i16 i16s m16s: splat_i16s add_i16s sub_i16s [t a b: t.simd().mul_i16s(a, b)], [t a b: t.simd().equal_u16s(cast(a), cast(b))], less_than_i16s less_than_or_equal_i16s
        [t a b: t.not(t.simd().equal_u16s(cast(a), cast(b)))],
        [t m a b: cast(t.select_u16s(m, cast(a), cast(b)))], [t a: t.simd().sub_i16s(t.simd().splat_i16s(0), a)],
        [t a: cast(t.simd().min_u16s(cast(a), cast(Lanes::<i16>::neg(t, a))))],
        [t a b: t.simd().max_i16s(a, b)], [t a b: t.simd().min_i16s(a, b)];
    u32 u32s m32s: splat_u32s add_u32s sub_u32s [t a b: t.simd().mul_u32s(a, b)], [t a b: t.simd().equal_u32s(a, b)], less_than_u32s less_than_or_equal_u32s
        [t a b: t.not(t.simd().equal_u32s(a, b))],
        [t m a b: t.simd().select_u32s(m, a, b)], [t a: t.simd().sub_u32s(t.simd().splat_u32s(0), a)], [t a: a],
        [t a b: t.simd().max_u32s(a, b)], [t a b: t.simd().min_u32s(a, b)];
    i32 i32s m32s: splat_i32s add_i32s sub_i32s [t a b: t.simd().mul_i32s(a, b)], [t a b: t.simd().equal_u32s(cast(a), cast(b))], less_than_i32s less_than_or_equal_i32s
        [t a b: t.not(t.simd().equal_u32s(cast(a), cast(b)))],
        [t m a b: t.simd().select_i32s(m, a, b)], [t a: t.simd().sub_i32s(t.simd().splat_i32s(0), a)],
        [t a: cast(t.simd().min_u32s(cast(a), cast(Lanes::<i32>::neg(t, a))))],
        [t a b: t.simd().max_i32s(a, b)], [t a b: t.simd().min_i32s(a, b)];
    u64 u64s m64s: splat_u64s add_u64s sub_u64s [t a b: t.mul_u64s(a, b)], [t a b: t.simd().equal_u64s(a, b)], less_than_u64s less_than_or_equal_u64s
        [t a b: t.not(t.simd().equal_u64s(a, b))],
        [t m a b: t.simd().select_u64s(m, a, b)], [t a: t.simd().sub_u64s(t.simd().splat_u64s(0), a)], [t a: a],
        [t a b: Lanes::<u64>::select(t, Lanes::<u64>::lt(t, a, b), b, a)],
        [t a b: Lanes::<u64>::select(t, Lanes::<u64>::lt(t, b, a), b, a)];
    i64 i64s m64s: splat_i64s add_i64s sub_i64s [t a b: cast(t.mul_u64s(cast(a), cast(b)))], [t a b: t.simd().equal_u64s(cast(a), cast(b))], less_than_i64s less_than_or_equal_i64s
        [t a b: t.not(t.simd().equal_u64s(cast(a), cast(b)))],
        [t m a b: t.simd().select_i64s(m, a, b)], [t a: t.simd().sub_i64s(t.simd().splat_i64s(0), a)],
        [t a: Lanes::<i64>::select(t, Lanes::<i64>::lt(t, a, t.simd().splat_i64s(0)), Lanes::<i64>::neg(t, a), a)],
        [t a b: Lanes::<i64>::select(t, Lanes::<i64>::lt(t, a, b), b, a)],
        [t a b: Lanes::<i64>::select(t, Lanes::<i64>::lt(t, b, a), b, a)];
    f32 f32s m32s: splat_f32s add_f32s sub_f32s [t a b: t.simd().mul_f32s(a, b)], [t a b: t.simd().equal_f32s(a, b)], less_than_f32s less_than_or_equal_f32s
        [t a b: t.unequal_f32s(a, b)],
        [t m a b: t.simd().select_f32s(m, a, b)], [t a: t.simd().neg_f32s(a)], [t a: t.simd().and_f32s(a, t.simd().splat_f32s(f32::from_bits(u32::MAX >> 1)))],
        [t a b: t.maximum_f32s(a, b)], [t a b: t.minimum_f32s(a, b)];
    f64 f64s m64s: splat_f64s add_f64s sub_f64s [t a b: t.simd().mul_f64s(a, b)], [t a b: t.simd().equal_f64s(a, b)], less_than_f64s less_than_or_equal_f64s
        [t a b: t.unequal_f64s(a, b)],
        [t m a b: t.simd().select_f64s(m, a, b)], [t a: t.simd().neg_f64s(a)], [t a: t.simd().and_f64s(a, t.simd().splat_f64s(f64::from_bits(u64::MAX >> 1)))],
        [t a b: t.maximum_f64s(a, b)], [t a b: t.minimum_f64s(a, b)];
}

macro_rules! pulp_ints {
    ($($c:ident: $and:ident $or:ident $xor:ident $not:ident;)*) => {$(
        impl<T: OverPulp> IntLanes<$c> for T {
            #[inline(always)]
            fn and(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$and(a, b)
            }
            #[inline(always)]
            fn or(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$or(a, b)
            }
            #[inline(always)]
            fn xor(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$xor(a, b)
            }
            #[inline(always)]
            fn not(self, a: Self::V) -> Self::V {
                cast(self.simd().$not(cast(a)))
            }
        }
    )*};
}

pulp_ints! {
    u8: and_u8s or_u8s xor_u8s not_u8s; i8: and_i8s or_i8s xor_i8s not_u8s;
    u16: and_u16s or_u16s xor_u16s not_u16s; i16: and_i16s or_i16s xor_i16s not_u16s;
    u32: and_u32s or_u32s xor_u32s not_u32s; i32: and_i32s or_i32s xor_i32s not_u32s;
    u64: and_u64s or_u64s xor_u64s not_u64s; i64: and_i64s or_i64s xor_i64s not_u64s;
}

macro_rules! pulp_floats {
    ($($c:ident: $div:ident $sqrt:ident $alone:ident $fma:ident $integral:ident $up:ident $down:ident, $bits:ident $splat:ident $and:ident $or:ident $xor:ident;)*) => {$(
        impl<T: OverPulp> BasicFloatLanes<$c> for T {
            #[inline(always)]
            fn div(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$div(a, b)
            }
            #[inline(always)]
            fn sqrt(self, a: Self::V) -> Self::V {
                self.simd().$sqrt(a)
            }
            #[inline(always)]
            fn sqrt_alone(self, a: Self::V) -> Self::V {
                self.$alone(a)
            }
            #[inline(always)]
            fn copysign(self, a: Self::V, b: Self::V) -> Self::V {
                // a, and the sign turned where the signs differ.
                let (sign, a) = (self.simd().$splat(1 << ($bits::BITS - 1)), cast(a));
                cast(self.simd().$xor(a, self.simd().$and(sign, self.simd().$xor(a, cast(b)))))
            }
            #[inline(always)]
            fn integral<const MODE: i32>(self, a: Self::V) -> Self::V {
                self.$integral::<MODE>(a)
            }
        }

        impl<T: OverPulp> FloatLanes<$c> for T {
            #[inline(always)]
            fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
                self.simd().$fma(a, b, c)
            }
            #[inline(always)]
            fn power_of_two(self, n: Self::V) -> Self::V {
                // Added to a number whose last bit counts ones, n + bias stands in the lowest bits.
                let ones = (3u64 << (<$c>::MANTISSA_DIGITS - 2)) as $c;
                let ones = Lanes::<$c>::splat(self, ones + (<$c>::MAX_EXP - 1) as $c);
                self.$up(Lanes::<$c>::add(self, n, ones))
            }
            #[inline(always)]
            fn exponent_field(self, a: Self::V) -> Self::V {
                let ones = Lanes::<$c>::splat(self, (1u64 << (<$c>::MANTISSA_DIGITS - 1)) as $c);
                Lanes::<$c>::sub(self, cast(self.simd().$or(cast(self.$down(a)), cast(ones))), ones)
            }
        }
    )*};
}

pulp_floats! {
    f32: div_f32s sqrt_f32s sqrt_alone_f32s mul_add_f32s integral_f32s up_f32s down_f32s, u32 splat_u32s and_u32s or_u32s xor_u32s;
    f64: div_f64s sqrt_f64s sqrt_alone_f64s mul_add_f64s integral_f64s up_f64s down_f64s, u64 splat_u64s and_u64s or_u64s xor_u64s;
}
