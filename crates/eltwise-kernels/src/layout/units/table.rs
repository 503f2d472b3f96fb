//! The unit kernel of each operator, dtype and ISA.

use eltwise_core::tables::{BOTH_WINDOWS, LOOP_WINDOWS, SHARED_VECTORS};
use eltwise_core::{DType, Op};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::x86_64::{Avx2, Avx512, Avx512Vbmi};
use eltwise_simd::{Isa, PermuteToken, Stored, WidenNarrow};
#[cfg(all(target_arch = "x86_64", feature = "half"))]
use eltwise_simd::{NativeF16, NativeF16Lanes, x86_64::Avx512Fp16};
#[cfg(feature = "half")]
use half::{bf16, f16};

use super::UnitKernel;
use super::blocks::{Blocks, Job};
use super::loops::{Any, Block, Loop, Shared, Units, Vectors};
use super::reader::{CONTIGUOUS, SPLAT, UnitToken};
use crate::functions::{self, Binary, Lanewise};
use crate::layout::permute::{Chain, Lookup};

/// The unit kernel of an operator of two operands of `dtype` on `isa`; `None` if it has none.
pub fn unit_kernel(op: Op, dtype: DType, isa: Isa) -> Option<UnitKernel> {
    #[cfg(all(target_arch = "x86_64", feature = "half"))]
    if isa == Isa::Avx512Fp16
        && let Some(kernel) = of_f16::<Avx512Fp16>(op, dtype)
    {
        return Some(kernel);
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of_token::<Avx2, Avx2>(op, dtype),
        // Bytes need VBMI.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if dtype.size() == 1 => None,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => of_token::<Avx512, Avx512Vbmi>(op, dtype),
        _ => {
            let _ = (op, dtype);
            None
        }
    }
}

/// The kernel of a function over floats; whether its operands may change places.
macro_rules! floats {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::F32 => kernel_of!(functions::$f, $commutes, L f32 4),
            #[cfg(feature = "f64")]
            DType::F64 => kernel_of!(functions::$f, $commutes, L f64 4),
            #[cfg(feature = "half")]
            DType::F16 => kernel_of!(functions::forms::f16::$f, $commutes, L f16 2),
            #[cfg(feature = "half")]
            DType::BF16 => kernel_of!(functions::$f, $commutes, L bf16 2),
            _ => None,
        }
    };
}

/// The kernel of a function over all numbers, where integers with and without a sign have the same result bits.
macro_rules! wrapping {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::I32 | DType::U32 => kernel_of!(functions::$f, $commutes, L u32 4),
            #[cfg(feature = "wide-int")]
            DType::I64 | DType::U64 => kernel_of!(functions::$f, $commutes, L u64 4),
            #[cfg(feature = "small-int")]
            DType::I16 | DType::U16 => kernel_of!(functions::$f, $commutes, L u16 2),
            #[cfg(feature = "small-int")]
            DType::I8 | DType::U8 => kernel_of!(functions::$f, $commutes, B u8 1),
            _ => floats!($f $commutes, $dtype),
        }
    };
}

/// The kernel of a function over all numbers, where signed and unsigned integers differ.
macro_rules! ordered {
    ($f:ident $commutes:literal, $dtype:ident) => {
        match $dtype {
            DType::I32 => kernel_of!(functions::$f, $commutes, L i32 4),
            #[cfg(feature = "wide-int")]
            DType::I64 => kernel_of!(functions::$f, $commutes, L i64 4),
            #[cfg(feature = "small-int")]
            DType::I16 => kernel_of!(functions::$f, $commutes, L i16 2),
            #[cfg(feature = "small-int")]
            DType::I8 => kernel_of!(functions::$f, $commutes, B i8 1),
            #[cfg(feature = "half")]
            DType::F16 => kernel_of!(functions::half_bits::$f<0x7c00>, $commutes, L u16 2),
            #[cfg(feature = "half")]
            DType::BF16 => kernel_of!(functions::half_bits::$f<0x7f80>, $commutes, L u16 2),
            _ => wrapping!($f $commutes, $dtype),
        }
    };
}

/// The kernel of a function over elements of a stored type and its size, with a token.
macro_rules! kernel_of {
    ($f:ty, $commutes:literal, $l:ident $stored:ident $size:literal) => {
        Some(UnitKernel {
            blocks: $l::entry::<Blocks<$size>, Job>(),
            select: select::<$l, Binary<$f>, $stored, $size, $commutes>,
        })
    };
}

/// The kernel with token `L`, with `B` over bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other ISA has unit kernels"))]
#[cfg_attr(not(feature = "small-int"), allow(clippy::extra_unused_type_parameters, reason = "there are no bytes"))]
fn of_token<L, B>(op: Op, dtype: DType) -> Option<UnitKernel>
where
    L: PermuteToken + UnitToken<2> + UnitToken<4>,
    B: UnitToken<1> + WidenNarrow<u8, 1> + WidenNarrow<i8, 1>,
{
    match op {
        Op::Add => wrapping!(Add true, dtype),
        Op::Subtract => wrapping!(Subtract false, dtype),
        Op::Multiply => wrapping!(Multiply true, dtype),
        Op::Maximum => ordered!(Maximum true, dtype),
        Op::Minimum => ordered!(Minimum true, dtype),
        Op::Divide => floats!(Divide false, dtype),
        _ => None,
    }
}

/// The kernel over `f16` with token `L`, which computes in it: of the operators that [do](crate::native_half).
#[cfg(all(target_arch = "x86_64", feature = "half"))]
fn of_f16<L: NativeF16Lanes + WidenNarrow<NativeF16, 2> + UnitToken<2>>(op: Op, dtype: DType) -> Option<UnitKernel> {
    match (op, dtype) {
        (Op::Add, DType::F16) => kernel_of!(functions::Add, true, L NativeF16 2),
        (Op::Subtract, DType::F16) => kernel_of!(functions::Subtract, false, L NativeF16 2),
        (Op::Multiply, DType::F16) => kernel_of!(functions::Multiply, true, L NativeF16 2),
        (Op::Maximum, DType::F16) => kernel_of!(functions::Maximum, true, L NativeF16 2),
        (Op::Minimum, DType::F16) => kernel_of!(functions::Minimum, true, L NativeF16 2),
        (Op::Divide, DType::F16) if L::FAST_QUOTIENTS => kernel_of!(functions::Divide, false, L NativeF16 2),
        _ => None,
    }
}

macro_rules! unit_tokens {
    ($($token:ty, $permuter:ty, $new:expr, $($size:literal)*;)*) => {$($(
        #[cfg(target_arch = "x86_64")]
        impl UnitToken<$size> for $token {
            type Permuter = $permuter;

            #[inline(always)]
            fn permuter(self) -> $permuter {
                $new(self)
            }
        }
    )*)*};
}

unit_tokens! {
    Avx2, Lookup<Avx2>, Lookup, 1 2 4;
    Avx512, Chain<Avx512, 2>, Chain, 2;
    Avx512, Chain<Avx512, 4>, Chain, 4;
    Avx512Vbmi, Chain<Avx512Vbmi, 1>, Chain, 1;
}
#[cfg(all(target_arch = "x86_64", feature = "half"))]
unit_tokens! {
    Avx512Fp16, Chain<Avx512Fp16, 2>, Chain, 2;
}

/// The loops of function `F` of two operands over elements stored as `S`, of `SIZE` bytes or several times as many, whose operands
/// may change places if that `COMMUTES`.
fn select<L, F, S, const SIZE: usize, const COMMUTES: bool>(way: Loop, is_swapped: bool) -> unsafe fn(&Block)
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    if is_swapped && !COMMUTES { of_operand::<L, F, S, SIZE, 1>(way) } else { of_operand::<L, F, S, SIZE, 0>(way) }
}

// The loops below are for these numbers.
const _: () = assert!(LOOP_WINDOWS == 4 && BOTH_WINDOWS == 2 && SHARED_VECTORS == 4);

/// The loops whose own operand is operand `K` of the function.
fn of_operand<L, F, S, const SIZE: usize, const K: usize>(way: Loop) -> unsafe fn(&Block)
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    macro_rules! entry {
        ($loop:ident, $own:expr, $other:expr) => {
            L::entry::<$loop<F, S, SIZE, K, { $own }, { $other }>, Block>()
        };
    }
    macro_rules! entries {
        ($loop:ident, $own:expr, $other:expr) => {
            match ($own, $other) {
                (CONTIGUOUS, CONTIGUOUS) => entry!($loop, CONTIGUOUS, CONTIGUOUS),
                (CONTIGUOUS, _) => entry!($loop, CONTIGUOUS, SPLAT),
                (1, CONTIGUOUS) => entry!($loop, 1, CONTIGUOUS),
                (1, _) => entry!($loop, 1, SPLAT),
                (2, CONTIGUOUS) => entry!($loop, 2, CONTIGUOUS),
                (2, _) => entry!($loop, 2, SPLAT),
                (3, CONTIGUOUS) => entry!($loop, 3, CONTIGUOUS),
                (3, _) => entry!($loop, 3, SPLAT),
                (_, CONTIGUOUS) => entry!($loop, 4, CONTIGUOUS),
                _ => entry!($loop, 4, SPLAT),
            }
        };
    }
    match way {
        Loop::Vectors(1, 1) => entry!(Vectors, 1, 1),
        Loop::Vectors(2, 2) => entry!(Vectors, 2, 2),
        Loop::Vectors(own, other) => entries!(Vectors, own, other),
        Loop::Units(own, other) => entries!(Units, own, other),
        Loop::Shared(1) => L::entry::<Shared<F, S, SIZE, K, 1>, Block>(),
        Loop::Shared(2) => L::entry::<Shared<F, S, SIZE, K, 2>, Block>(),
        Loop::Shared(3) => L::entry::<Shared<F, S, SIZE, K, 3>, Block>(),
        Loop::Shared(_) => L::entry::<Shared<F, S, SIZE, K, 4>, Block>(),
        Loop::Any => L::entry::<Any<F, S, SIZE, K>, Block>(),
    }
}
