//! [`Lanes`] and [`IntLanes`] of every element type, from `pulp`'s methods and [`TargetOps`](super::TargetOps).

use pulp::Simd;

use super::{MaskOps, PulpToken, S, cast};
use crate::lanes::{Element, IntLanes, Lanes};

// Each `impl Lanes` below is a list of macro calls, one per group of methods. The macros take method names, because a
// closure or function pointer would lose the CPU features. For example, `pulp_mul!(mul_u16s)` is
//
//     fn mul(self, a: Self::V, b: Self::V) -> Self::V { self.simd().mul_u16s(a, b) }

/// Types, memory access, masks, and the operations that `pulp` has for every element type.
macro_rules! shared {
    ($c:ident $v:ident $m:ident: $splat:ident $add:ident $sub:ident $lt:ident $le:ident) => {
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
        unsafe fn load_n(self, p: *const $c, n: usize) -> Self::V {
            let one = self.simd().$splat(<$c>::ONE);
            // SAFETY: the caller's contract, in bytes.
            unsafe { self.load_n_bytes(p.cast(), n * size_of::<$c>(), one) }
        }
        #[inline(always)]
        unsafe fn store_n(self, p: *mut $c, n: usize, v: Self::V) {
            // SAFETY: the caller's contract, in bytes.
            unsafe { self.store_n_bytes(p.cast(), n * size_of::<$c>(), v) };
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
        fn lt(self, a: Self::V, b: Self::V) -> Self::M {
            self.simd().$lt(a, b)
        }
        #[inline(always)]
        fn le(self, a: Self::V, b: Self::V) -> Self::M {
            self.simd().$le(a, b)
        }
        #[inline(always)]
        fn mask_and(self, a: Self::M, b: Self::M) -> Self::M {
            MaskOps::<Self::M>::and(self, a, b)
        }
        #[inline(always)]
        fn mask_or(self, a: Self::M, b: Self::M) -> Self::M {
            MaskOps::<Self::M>::or(self, a, b)
        }
        #[inline(always)]
        fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M {
            MaskOps::<Self::M>::xor(self, a, b)
        }
        #[inline(always)]
        fn mask_not(self, a: Self::M) -> Self::M {
            MaskOps::<Self::M>::not(self, a)
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
        unsafe fn load_bools_n(self, p: *const u8, n: usize) -> Self::M {
            // SAFETY: the caller's contract.
            unsafe { self.mask_from_n_bytes(p, n) }
        }
        #[inline(always)]
        unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]) {
            // SAFETY: the caller's contract.
            unsafe { self.masks_to_bytes(p, m) };
        }
    };
}

/// Equality as the comparison of unsigned integers, because `pulp` does not inline `equal_i32s` and similar functions;
/// and negation.
macro_rules! int_eq_neg {
    ($c:ident: $equal:ident) => {
        #[inline(always)]
        fn eq(self, a: Self::V, b: Self::V) -> Self::M {
            self.simd().$equal(cast(a), cast(b))
        }
        #[inline(always)]
        fn neg(self, a: Self::V) -> Self::V {
            Lanes::<$c>::sub(self, Lanes::<$c>::splat(self, 0), a)
        }
    };
}

/// Product and selection from [`TargetOps`](super::TargetOps), for signed and unsigned lanes alike.
macro_rules! target_mul {
    ($mul:ident) => {
        #[inline(always)]
        fn mul(self, a: Self::V, b: Self::V) -> Self::V {
            cast(self.$mul(cast(a), cast(b)))
        }
    };
}
macro_rules! target_select {
    ($select:ident) => {
        #[inline(always)]
        fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V {
            cast(self.$select(m, cast(a), cast(b)))
        }
    };
}

/// Product and selection from `pulp`.
macro_rules! pulp_mul {
    ($mul:ident) => {
        #[inline(always)]
        fn mul(self, a: Self::V, b: Self::V) -> Self::V {
            self.simd().$mul(a, b)
        }
    };
}
macro_rules! pulp_select {
    ($select:ident) => {
        #[inline(always)]
        fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V {
            self.simd().$select(m, a, b)
        }
    };
}

/// Maximum and minimum of integers, from `pulp`; or, for 64 bits, by comparison.
macro_rules! pulp_max_min {
    ($max:ident $min:ident) => {
        #[inline(always)]
        fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
            self.simd().$max(a, b)
        }
        #[inline(always)]
        fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
            self.simd().$min(a, b)
        }
    };
}
macro_rules! compare_max_min {
    ($c:ident) => {
        #[inline(always)]
        fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
            Lanes::<$c>::select(self, Lanes::<$c>::lt(self, a, b), b, a)
        }
        #[inline(always)]
        fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
            Lanes::<$c>::select(self, Lanes::<$c>::lt(self, b, a), b, a)
        }
    };
}

/// The absolute value. For signed lanes it is the minimum of `a` and `-a`, read as unsigned.
macro_rules! unsigned_abs {
    () => {
        #[inline(always)]
        fn abs(self, a: Self::V) -> Self::V {
            a
        }
    };
}
macro_rules! signed_abs {
    ($c:ident: $min:ident) => {
        #[inline(always)]
        fn abs(self, a: Self::V) -> Self::V {
            cast(self.simd().$min(cast(a), cast(Lanes::<$c>::neg(self, a))))
        }
    };
}

/// Operations of floats. (`pulp` does not inline `abs_f32s`.)
macro_rules! float_ops {
    ($c:ident $bits:ident: $neg:ident $and:ident $equal:ident $not_equal:ident $max:ident $min:ident) => {
        #[inline(always)]
        fn neg(self, a: Self::V) -> Self::V {
            self.simd().$neg(a)
        }
        #[inline(always)]
        fn abs(self, a: Self::V) -> Self::V {
            self.simd().$and(a, Lanes::<$c>::splat(self, <$c>::from_bits($bits::MAX >> 1)))
        }
        #[inline(always)]
        fn eq(self, a: Self::V, b: Self::V) -> Self::M {
            self.simd().$equal(a, b)
        }
        #[inline(always)]
        fn ne(self, a: Self::V, b: Self::V) -> Self::M {
            self.$not_equal(a, b)
        }
        #[inline(always)]
        fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
            self.$max(a, b)
        }
        #[inline(always)]
        fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
            self.$min(a, b)
        }
    };
}

impl<T: PulpToken> Lanes<u8> for T {
    shared!(u8 u8s m8s: splat_u8s add_u8s sub_u8s less_than_u8s less_than_or_equal_u8s);
    int_eq_neg!(u8: equal_u8s);
    target_mul!(mul_u8s);
    target_select!(select_u8s);
    pulp_max_min!(max_u8s min_u8s);
    unsigned_abs!();
}

impl<T: PulpToken> Lanes<i8> for T {
    shared!(i8 i8s m8s: splat_i8s add_i8s sub_i8s less_than_i8s less_than_or_equal_i8s);
    int_eq_neg!(i8: equal_u8s);
    target_mul!(mul_u8s);
    target_select!(select_u8s);
    pulp_max_min!(max_i8s min_i8s);
    signed_abs!(i8: min_u8s);
}

impl<T: PulpToken> Lanes<u16> for T {
    shared!(u16 u16s m16s: splat_u16s add_u16s sub_u16s less_than_u16s less_than_or_equal_u16s);
    int_eq_neg!(u16: equal_u16s);
    pulp_mul!(mul_u16s);
    target_select!(select_u16s);
    pulp_max_min!(max_u16s min_u16s);
    unsigned_abs!();
}

impl<T: PulpToken> Lanes<i16> for T {
    shared!(i16 i16s m16s: splat_i16s add_i16s sub_i16s less_than_i16s less_than_or_equal_i16s);
    int_eq_neg!(i16: equal_u16s);
    pulp_mul!(mul_i16s);
    target_select!(select_u16s);
    pulp_max_min!(max_i16s min_i16s);
    signed_abs!(i16: min_u16s);
}

impl<T: PulpToken> Lanes<u32> for T {
    shared!(u32 u32s m32s: splat_u32s add_u32s sub_u32s less_than_u32s less_than_or_equal_u32s);
    int_eq_neg!(u32: equal_u32s);
    pulp_mul!(mul_u32s);
    pulp_select!(select_u32s);
    pulp_max_min!(max_u32s min_u32s);
    unsigned_abs!();
}

impl<T: PulpToken> Lanes<i32> for T {
    shared!(i32 i32s m32s: splat_i32s add_i32s sub_i32s less_than_i32s less_than_or_equal_i32s);
    int_eq_neg!(i32: equal_u32s);
    pulp_mul!(mul_i32s);
    pulp_select!(select_i32s);
    pulp_max_min!(max_i32s min_i32s);
    signed_abs!(i32: min_u32s);
}

impl<T: PulpToken> Lanes<u64> for T {
    shared!(u64 u64s m64s: splat_u64s add_u64s sub_u64s less_than_u64s less_than_or_equal_u64s);
    int_eq_neg!(u64: equal_u64s);
    target_mul!(mul_u64s);
    pulp_select!(select_u64s);
    compare_max_min!(u64);
    unsigned_abs!();
}

impl<T: PulpToken> Lanes<i64> for T {
    shared!(i64 i64s m64s: splat_i64s add_i64s sub_i64s less_than_i64s less_than_or_equal_i64s);
    int_eq_neg!(i64: equal_u64s);
    target_mul!(mul_u64s);
    pulp_select!(select_i64s);
    compare_max_min!(i64);
    #[inline(always)]
    fn abs(self, a: Self::V) -> Self::V {
        Lanes::<i64>::select(
            self,
            Lanes::<i64>::lt(self, a, Lanes::<i64>::splat(self, 0)),
            Lanes::<i64>::neg(self, a),
            a,
        )
    }
}

impl<T: PulpToken> Lanes<f32> for T {
    shared!(f32 f32s m32s: splat_f32s add_f32s sub_f32s less_than_f32s less_than_or_equal_f32s);
    pulp_mul!(mul_f32s);
    pulp_select!(select_f32s);
    float_ops!(f32 u32: neg_f32s and_f32s equal_f32s not_equal_f32s maximum_f32s minimum_f32s);
}

impl<T: PulpToken> Lanes<f64> for T {
    shared!(f64 f64s m64s: splat_f64s add_f64s sub_f64s less_than_f64s less_than_or_equal_f64s);
    pulp_mul!(mul_f64s);
    pulp_select!(select_f64s);
    float_ops!(f64 u64: neg_f64s and_f64s equal_f64s not_equal_f64s maximum_f64s minimum_f64s);
}

macro_rules! pulp_ints {
    ($($c:ident: $and:ident $or:ident $xor:ident $not:ident;)*) => {$(
        impl<T: PulpToken> IntLanes<$c> for T {
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
