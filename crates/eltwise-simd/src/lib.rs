//! Instruction sets, CPU detection, and portable vector operations for the kernels of `eltwise`.
//!
//! A kernel is written once, generic over the instruction set, and compiled for each: AVX2 and AVX-512 on x86-64, NEON
//! on aarch64, portable code elsewhere. Vector types and most of the arithmetic come from [`pulp`]; this crate adds
//! the rest of what element-wise kernels need: IEEE maximum, partial loads, booleans as bytes, 16-bit floats, integer
//! division, saturating conversions, and permutes. The results have the same bits on every instruction set (except the
//! payload of NaNs).
//!
//! # Three types to know
//!
//! 1. [`Isa`] is an instruction set: [`Isa::current`] is the one to use on this CPU, lowered by the environment variable
//!    `ELTWISE_ISA` or by [`Isa::limit`].
//! 2. A [`Token`], for example [`x86_64::Avx2`](crate::x86_64) or [`Scalar`], is a value that proves that the CPU has an
//!    instruction set. [`Token::entry`] compiles an [`Entry`] for it and returns a function pointer. Calling the pointer
//!    is unsafe: the caller checks [`Isa::is_available`] (a plan does so once, when it chooses its kernels).
//! 3. [`Lanes<C>`] has the operations on vectors of `C`, as methods of the token. They are safe, because the token is the
//!    proof; only methods that take a pointer are unsafe. [`IntLanes`], [`FloatLanes`] and the traits below add more.
//!
//! # Example
//!
//! ```
//! use eltwise_simd::{Entry, Isa, Lanes, Scalar, Token};
//!
//! /// Adds 1 to each element.
//! struct AddOne;
//!
//! struct Elements {
//!     p: *mut f32,
//!     len: usize,
//! }
//!
//! impl<L: Lanes<f32>> Entry<L, Elements> for AddOne {
//!     #[inline(always)]
//!     unsafe fn run(l: L, x: &Elements) {
//!         let one = l.splat(1.0);
//!         let mut i = 0;
//!         while i < x.len {
//!             let n = (x.len - i).min(L::N);
//!             // SAFETY: the elements i to i + n are in the slice.
//!             unsafe {
//!                 let p = x.p.add(i);
//!                 l.store_n(p, n, l.add(l.load_n(p, n), one));
//!             }
//!             i += n;
//!         }
//!     }
//! }
//!
//! let entry = match Isa::current() {
//!     #[cfg(target_arch = "x86_64")]
//!     Isa::Avx2 => eltwise_simd::x86_64::Avx2::entry::<AddOne, Elements>(),
//!     // ... the other instruction sets
//!     _ => Scalar::entry::<AddOne, Elements>(),
//! };
//! let mut x = [1.0f32, 2.0, 3.0, 4.0, 5.0];
//! // SAFETY: the CPU has the instruction set; the slice is valid for reading and writing.
//! unsafe { entry(&Elements { p: x.as_mut_ptr(), len: x.len() }) };
//! assert_eq!(x, [2.0, 3.0, 4.0, 5.0, 6.0]);
//! ```
//!
//! # Where to go
//!
//! | for | see |
//! |---|---|
//! | instruction sets, detection, the override | [`isa`] |
//! | compiling code for an instruction set | [`token`] |
//! | arithmetic, comparisons, masks | [`lanes`] |
//! | one bound for all element types | [`SimdToken`], [`PermuteToken`] |
//! | loading and storing elements, `f16`, `bf16`, booleans | [`storage`] |
//! | `f16` arithmetic in hardware; conversions without hardware | [`native_f16`]; [`half_bits`] |
//! | conversions: floats to integers, 8-bit and 64-bit integers to floats | [`float_to_int`], [`int8_to_float`], [`int64_to_float`] |
//! | integer division, by vectors and by one divisor | [`int_div`], [`divisor`] |
//! | the building blocks of `exp`, `log`, `sin` ... | [`math`] |
//! | windows of memory as vectors, permutes of whole vectors | [`permute`] |
//! | transposes: 128-bit blocks and interleaving | [`blocks`] |
//! | permuted operands as compute vectors | [`widen_narrow`] |
//! | the implementations | [`scalar`], `x86_64`, `aarch64`, and `pulp_lanes` for the code that vector ISAs share |
//! | rounding mode and flushing of the thread | [`fp_env`] |
//!
//! Modules are layered in this order, lowest first: [`isa`], [`token`], [`lanes`], the other traits, the bundles
//! [`SimdToken`] and [`PermuteToken`], the implementations, and detection.
//!
//! # Inlining
//!
//! Every function between an entry and an intrinsic is `#[inline(always)]`. A function that LLVM does not inline would
//! lose the CPU features, and turn each intrinsic in it into a call.

pub mod blocks;
mod detect;
pub mod divisor;
pub mod float_to_int;
pub mod fp_env;
pub mod half_bits;
pub mod int64_to_float;
pub mod int8_to_float;
pub mod int_div;
pub mod isa;
pub mod lanes;
pub mod math;
pub mod native_f16;
pub mod permute;
mod pulp_lanes;
pub mod scalar;
mod simd_token;
#[cfg(target_arch = "x86_64")]
mod sqrt_subnormal;
pub mod storage;
#[cfg(test)]
mod test_random;
pub mod token;
pub mod widen_narrow;

#[cfg(target_arch = "aarch64")]
pub mod aarch64;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

pub use blocks::{Blocks128, NarrowBlocks};
pub use float_to_int::Truncated;
pub use int_div::IntDivLanes;
pub use int8_to_float::Int8AsF32;
pub use int64_to_float::{Int64AsF32Odd, Int64AsF64};
pub use isa::Isa;
pub use lanes::{BasicFloatLanes, Element, FloatLanes, IntLanes, Lanes};
pub use math::{HasMathToken, MathLanes, WideLanes};
pub use native_f16::{NativeF16, NativeF16Lanes};
pub use permute::{Permute, Windows};
pub use scalar::{OneLane, Scalar};
pub use simd_token::{PermuteToken, SimdToken};
pub use storage::{Bool, HalfLanes, Load, RoundTrip, Storage, Store, Stored};
pub use token::{Entry, Token};
pub use widen_narrow::WidenNarrow;
