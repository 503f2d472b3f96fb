//! The instruction sets of `eltwise`.
//!
//! | question | module |
//! |---|---|
//! | which ISAs are there, which may run, which was chosen? | [`isa`] |
//! | how does control enter code compiled for an ISA? | [`token`] |
//! | what can a vector do? | [`lanes`] |
//! | how do elements in memory become lanes, and lanes elements? | [`storage`] |
//! | ... floats integers, 64-bit integers floats, bytes floats? | [`truncate`], [`wide`], [`bytes`] |
//! | how are units of memory rearranged? | [`shuffle`], [`arrange`] |
//! | how are vectors of integers divided? | [`quotient`], `x86_64` |
//! | ... by one divisor? | [`reciprocal`] |
//! | how are roots taken where nothing else is done? | `roots`, `x86_64` |
//! | what does vector math need besides? | [`math`] |
//! | the portable level | [`scalar`] |
//! | `f16` and `bf16` without an instruction for them | [`half_bits`] |
//! | `f16` in instructions of its own | [`native_half`] |
//! | the vector levels, over `pulp` | `over_pulp`, `x86_64`, `aarch64` |
//! | the thread's rounding and flush modes | [`control`] |
//!
//! A *token* proves that the CPU has an ISA: only the entry of that ISA makes one, and calling an entry is unsafe: its
//! caller checks [`Isa::is_available`] (a plan does, once, when it chooses its kernels). Lane functions take the token
//! and are safe to call.
//!
//! Everything between an entry and an intrinsic is `#[inline(always)]`: a function in between that LLVM does not
//! inline would lose the CPU features and turn each intrinsic into a call.

pub mod arrange;
pub mod bytes;
pub mod control;
pub mod half_bits;
pub mod isa;
pub mod lanes;
pub mod math;
pub mod native_half;
mod over_pulp;
pub mod quotient;
pub mod reciprocal;
#[cfg(target_arch = "x86_64")]
mod roots;

pub mod scalar;
pub mod shuffle;
pub mod storage;
pub mod token;
pub mod truncate;
pub mod wide;

#[cfg(target_arch = "aarch64")]
pub mod aarch64;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

pub use arrange::{Arrange, Arranges, Opens};
pub use bytes::AsFloat;
pub use isa::Isa;
pub use lanes::{BasicFloatLanes, Element, FloatLanes, IntLanes, Lanes, Level};
pub use math::{LongLanes, MathLanes, WideLanes};
pub use native_half::{NativeHalf, NativeHalfLanes};
pub use quotient::QuotientLanes;
pub use scalar::{OneLane, Scalar};
pub use shuffle::{Parts, Quarters, Shuffle};
pub use storage::{Bool, HalfLanes, Load, Rounds, Storage, Store, Stored};
pub use token::{Entry, Token};
pub use truncate::Truncated;
pub use wide::{Nearest, ToOdd};
