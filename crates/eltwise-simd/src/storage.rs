//! Stored types ([`Stored`]): how elements in memory become lanes of a compute type ([`Load`]), and lanes become
//! elements ([`Store`]).
//!
//! For most types that is the identity, for `f16` and `bf16` a conversion in registers, for [`Bool`] a normalization to
//! 0 and 1. Casts that run in registers are stored types as well: [`Truncated`](crate::float_to_int::Truncated) stores
//! floats as integers; [`Int64AsF64`](crate::int64_to_float::Int64AsF64),
//! [`Int64AsF32Odd`](crate::int64_to_float::Int64AsF32Odd) and [`Int8AsF32`](crate::int8_to_float::Int8AsF32) load
//! integers as floats.

use bytemuck::Pod;
use half::{bf16, f16};

use crate::lanes::{Element, IntLanes, Lanes};
use crate::native_f16::NativeF16;

/// A stored type and the type that its operators compute in.
pub trait Stored: Pod + Send + Sync {
    /// The compute type.
    type Compute: Element;
}

/// A stored boolean: a byte, where every non-zero value is true. Its lanes are 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub struct Bool(pub u8);

impl Stored for f16 {
    type Compute = f32;
}
impl Stored for bf16 {
    type Compute = f32;
}
impl Stored for Bool {
    type Compute = u8;
}

/// Loads elements of a stored type into lanes.
pub trait Load<S: Stored>: Lanes<S::Compute> {
    /// Whether [`load4_permuted`](Load::load4_permuted) may permute the elements.
    const PERMUTED4: bool = false;

    /// Loads `N` elements.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn load_stored(self, p: *const S) -> Self::V;
    /// Loads `n <= N` elements into the first lanes; the other lanes are `ONE`.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_stored_n(self, p: *const S, n: usize) -> Self::V;
    /// Loads `4 N` elements.
    ///
    /// # Safety
    /// `p` is valid for reading `4 N` elements.
    #[inline(always)]
    unsafe fn load4(self, p: *const S) -> [Self::V; 4] {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            [
                self.load_stored(p),
                self.load_stored(p.add(n)),
                self.load_stored(p.add(2 * n)),
                self.load_stored(p.add(3 * n)),
            ]
        }
    }
    /// Loads `4 N` elements in any order that [`Store::store4_permuted`] of the same type undoes.
    ///
    /// # Safety
    /// `p` is valid for reading `4 N` elements.
    #[inline(always)]
    unsafe fn load4_permuted(self, p: *const S) -> [Self::V; 4] {
        // SAFETY: the caller's contract.
        unsafe { self.load4(p) }
    }
}

/// Stores lanes as elements of a stored type.
pub trait Store<S: Stored>: Lanes<S::Compute> {
    /// Whether [`store4_permuted`](Store::store4_permuted) may permute the elements.
    const PERMUTED4: bool = false;

    /// Stores `N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn store_stored(self, p: *mut S, v: Self::V);
    /// Stores the first `n <= N` lanes.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_stored_n(self, p: *mut S, n: usize, v: Self::V);
    /// Stores `4 N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4(self, p: *mut S, v: [Self::V; 4]) {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            self.store_stored(p, v[0]);
            self.store_stored(p.add(n), v[1]);
            self.store_stored(p.add(2 * n), v[2]);
            self.store_stored(p.add(3 * n), v[3]);
        }
    }
    /// Stores `4 N` elements from the order in which [`Load::load4_permuted`] of the same type loads them.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_permuted(self, p: *mut S, v: [Self::V; 4]) {
        // SAFETY: the caller's contract.
        unsafe { self.store4(p, v) };
    }
}

/// Rounds lanes to a stored type and back, in registers.
pub trait RoundTrip<S: Stored>: Lanes<S::Compute> {
    /// The value that each lane has after [`Store`] and [`Load`].
    fn round_trip(self, v: Self::V) -> Self::V;
}

/// [`Load`] and [`Store`].
pub trait Storage<S: Stored>: Load<S> + Store<S> {}
impl<S: Stored, T: Load<S> + Store<S>> Storage<S> for T {}

macro_rules! stored_as_computed {
    ($($t:ty: $c:ty;)*) => {$(
        impl Stored for $t {
            type Compute = $c;
        }
        impl<T: Lanes<$c>> Load<$t> for T {
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $t) -> Self::V {
                // SAFETY: the caller's contract is that of `load`.
                unsafe { self.load(p.cast()) }
            }
            #[inline(always)]
            unsafe fn load_stored_n(self, p: *const $t, n: usize) -> Self::V {
                // SAFETY: the caller's contract is that of `load_n`.
                unsafe { self.load_n(p.cast(), n) }
            }
        }
        impl<T: Lanes<$c>> Store<$t> for T {
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut $t, v: Self::V) {
                // SAFETY: the caller's contract is that of `store`.
                unsafe { self.store(p.cast(), v) };
            }
            #[inline(always)]
            unsafe fn store_stored_n(self, p: *mut $t, n: usize, v: Self::V) {
                // SAFETY: the caller's contract is that of `store_n`.
                unsafe { self.store_n(p.cast(), n, v) };
            }
        }
        impl<T: Lanes<$c>> RoundTrip<$t> for T {
            #[inline(always)]
            fn round_trip(self, v: Self::V) -> Self::V {
                v
            }
        }
    )*};
}

stored_as_computed! {
    i8: i8; i16: i16; i32: i32; i64: i64;
    u8: u8; u16: u16; u32: u32; u64: u64;
    f32: f32; f64: f64; NativeF16: f16;
}

/// The 16-bit floats `f16` and `bf16`: a register with `N` of them is half the size of a vector of `f32`.
pub trait HalfLanes: Lanes<f32> {
    /// `N` 16-bit elements.
    type H: Copy;
    /// Loads `N` elements.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    unsafe fn load_halves(self, p: *const u16) -> Self::H;
    /// Loads `n <= N` elements; the others are `fill`.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_halves_n(self, p: *const u16, n: usize, fill: u16) -> Self::H;
    /// Stores `N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `N` elements.
    unsafe fn store_halves(self, p: *mut u16, h: Self::H);
    /// Stores the first `n <= N` elements.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_halves_n(self, p: *mut u16, n: usize, h: Self::H);
    /// `f16` to `f32`, exactly.
    fn widen_f16(self, h: Self::H) -> Self::V;
    /// `f32` to `f16`, rounded to nearest even.
    fn narrow_f16(self, v: Self::V) -> Self::H;
    /// `a + b`, for operands converted from `f16` and a result that is converted to `f16`. An ISA may use another
    /// instruction for the same result.
    #[inline(always)]
    fn add_converted(self, a: Self::V, b: Self::V) -> Self::V {
        self.add(a, b)
    }
    /// `a - b`, under the same conditions as [`add_converted`](HalfLanes::add_converted).
    #[inline(always)]
    fn sub_converted(self, a: Self::V, b: Self::V) -> Self::V {
        self.sub(a, b)
    }
    /// `bf16` to `f32`, exactly.
    fn widen_bf16(self, h: Self::H) -> Self::V;
    /// `f32` to `bf16`, rounded to nearest even; a NaN becomes a quiet NaN.
    fn narrow_bf16(self, v: Self::V) -> Self::H;

    /// Widens `4 N` elements of `f16`.
    ///
    /// # Safety
    /// `p` is valid for reading `4 N` elements.
    #[inline(always)]
    unsafe fn load4_f16(self, p: *const u16) -> [Self::V; 4] {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            [
                self.widen_f16(self.load_halves(p)),
                self.widen_f16(self.load_halves(p.add(n))),
                self.widen_f16(self.load_halves(p.add(2 * n))),
                self.widen_f16(self.load_halves(p.add(3 * n))),
            ]
        }
    }
    /// Narrows four vectors to `f16`.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_f16(self, p: *mut u16, v: [Self::V; 4]) {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            self.store_halves(p, self.narrow_f16(v[0]));
            self.store_halves(p.add(n), self.narrow_f16(v[1]));
            self.store_halves(p.add(2 * n), self.narrow_f16(v[2]));
            self.store_halves(p.add(3 * n), self.narrow_f16(v[3]));
        }
    }
    /// Narrows four vectors to `bf16`.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_bf16(self, p: *mut u16, v: [Self::V; 4]) {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            self.store_halves(p, self.narrow_bf16(v[0]));
            self.store_halves(p.add(n), self.narrow_bf16(v[1]));
            self.store_halves(p.add(2 * n), self.narrow_bf16(v[2]));
            self.store_halves(p.add(3 * n), self.narrow_bf16(v[3]));
        }
    }
    /// Widens `4 N` elements of `bf16`, in any order that [`store4_permuted_bf16`](HalfLanes::store4_permuted_bf16)
    /// undoes.
    ///
    /// # Safety
    /// `p` is valid for reading `4 N` elements.
    #[inline(always)]
    unsafe fn load4_permuted_bf16(self, p: *const u16) -> [Self::V; 4] {
        let n = Self::N;
        // SAFETY: the caller's contract.
        unsafe {
            [
                self.widen_bf16(self.load_halves(p)),
                self.widen_bf16(self.load_halves(p.add(n))),
                self.widen_bf16(self.load_halves(p.add(2 * n))),
                self.widen_bf16(self.load_halves(p.add(3 * n))),
            ]
        }
    }
    /// Narrows four vectors to `bf16`, from the order in which [`load4_permuted_bf16`](HalfLanes::load4_permuted_bf16)
    /// loads them.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_permuted_bf16(self, p: *mut u16, v: [Self::V; 4]) {
        // SAFETY: the caller's contract.
        unsafe { self.store4_bf16(p, v) };
    }
}

macro_rules! half_storage {
    ($($t:ty, $own_order:literal, $widen:ident, $narrow:ident, $load4_permuted:ident, $store4:ident, $store4_permuted:ident;)*) => {$(
        impl<T: HalfLanes> Load<$t> for T {
            const PERMUTED4: bool = $own_order;
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $t) -> Self::V {
                // SAFETY: the caller's contract; the element is two bytes.
                self.$widen(unsafe { self.load_halves(p.cast()) })
            }
            #[inline(always)]
            unsafe fn load_stored_n(self, p: *const $t, n: usize) -> Self::V {
                // SAFETY: the caller's contract; the element is two bytes.
                self.$widen(unsafe { self.load_halves_n(p.cast(), n, <$t>::ONE.to_bits()) })
            }
            #[inline(always)]
            unsafe fn load4_permuted(self, p: *const $t) -> [Self::V; 4] {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.$load4_permuted(p.cast()) }
            }
        }
        impl<T: HalfLanes> Store<$t> for T {
            const PERMUTED4: bool = $own_order;
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut $t, v: Self::V) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.store_halves(p.cast(), self.$narrow(v)) };
            }
            #[inline(always)]
            unsafe fn store_stored_n(self, p: *mut $t, n: usize, v: Self::V) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.store_halves_n(p.cast(), n, self.$narrow(v)) };
            }
            #[inline(always)]
            unsafe fn store4(self, p: *mut $t, v: [Self::V; 4]) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.$store4(p.cast(), v) };
            }
            #[inline(always)]
            unsafe fn store4_permuted(self, p: *mut $t, v: [Self::V; 4]) {
                // SAFETY: the caller's contract; the element is two bytes.
                unsafe { self.$store4_permuted(p.cast(), v) };
            }
        }
        impl<T: HalfLanes> RoundTrip<$t> for T {
            #[inline(always)]
            fn round_trip(self, v: Self::V) -> Self::V {
                self.$widen(self.$narrow(v))
            }
        }
    )*};
}

half_storage! {
    f16, false, widen_f16, narrow_f16, load4_f16, store4_f16, store4_f16;
    bf16, true, widen_bf16, narrow_bf16, load4_permuted_bf16, store4_bf16, store4_permuted_bf16;
}

impl<T: IntLanes<u8>> Load<Bool> for T {
    #[inline(always)]
    unsafe fn load_stored(self, p: *const Bool) -> Self::V {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        let v = unsafe { self.load(p.cast()) };
        self.minimum(v, self.splat(1))
    }
    #[inline(always)]
    unsafe fn load_stored_n(self, p: *const Bool, n: usize) -> Self::V {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        let v = unsafe { self.load_n(p.cast(), n) };
        self.minimum(v, self.splat(1))
    }
}

impl<T: IntLanes<u8>> Store<Bool> for T {
    #[inline(always)]
    unsafe fn store_stored(self, p: *mut Bool, v: Self::V) {
        // SAFETY: the caller's contract; Bool is a transparent u8. Only the lowest bit counts: `not` turns a 1 into
        // 0xfe, which is false.
        unsafe { self.store(p.cast(), self.and(v, self.splat(1))) };
    }
    #[inline(always)]
    unsafe fn store_stored_n(self, p: *mut Bool, n: usize, v: Self::V) {
        // SAFETY: the caller's contract; Bool is a transparent u8.
        unsafe { self.store_n(p.cast(), n, self.and(v, self.splat(1))) };
    }
}

impl<T: IntLanes<u8>> RoundTrip<Bool> for T {
    #[inline(always)]
    fn round_trip(self, v: Self::V) -> Self::V {
        self.and(v, self.splat(1))
    }
}
