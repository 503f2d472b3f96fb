//! Kernels on contiguous data in L2: time per byte relative to `f32` add, and time relative to plain loops.

use std::hint::black_box;

use eltwise::{DType, Isa, Op};

use crate::casts;
use crate::kernel_run::{Elements, KernelRun};
use crate::per_byte::{contiguous, per_byte};
use crate::plain_loops::{map1, map2, map3};
use crate::timing::{compare, verdict};

/// Time per byte relative to `f32` add.
fn against_add(isa: Isa) -> usize {
    use DType::{BF16, Bool, F16, F32, F64, I32, U8};
    let mut missed = 0;
    let mut row = |op, from, to, bound| missed += usize::from(per_byte(op, isa, from, to, bound));
    for from in [F32, F64, I32] {
        for op in [Op::Maximum, Op::Minimum, Op::Abs, Op::Clamp, Op::Where] {
            row(op, from, from, 1.25);
        }
        for op in [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual] {
            row(op, from, Bool, 1.25);
        }
    }
    for from in [Bool, F32] {
        for op in [Op::LogicalAnd, Op::LogicalOr, Op::LogicalXor, Op::LogicalNot] {
            row(op, from, Bool, 1.25);
        }
    }
    row(Op::Add, F16, F16, 1.25);
    row(Op::Cast, F32, U8, 1.25);
    row(Op::Add, BF16, BF16, if isa == Isa::Avx2 { 2.0 } else { 1.5 });
    missed
}

/// At most 1.10 times the time of the loop that the compiler generates from plain Rust.
fn against_loops(isa: Isa) -> usize {
    let mut missed = 0;
    macro_rules! row {
        ($op:ident $from:ident $to:ident, $t:ty => $u:ty, ($($x:ident)+) $each:ident $f:expr) => {
            if let Some(run) = contiguous(Op::$op, isa, DType::$from, DType::$to) {
                let theirs = Elements::zeros(DType::$to, run.out.count);
                let o = theirs.slice::<$u>();
                row!(@ run o $t, ($($x)+) $each $f);
                assert_eq!(run.out.bytes_mut(), theirs.bytes_mut(), "{}", run.name());
            }
        };
        (@ $run:ident $o:ident $t:ty, (x) $each:ident $f:expr) => {
            let x = $run.input(0).slice::<$t>();
            missed += usize::from(misses_loop(&$run, isa, || $each(isa, black_box(&mut *$o), black_box(&*x), $f)));
        };
        (@ $run:ident $o:ident $t:ty, (x y) $each:ident $f:expr) => {
            let (x, y) = ($run.input(0).slice::<$t>(), $run.input(1).slice::<$t>());
            missed += usize::from(misses_loop(&$run, isa, || $each(isa, black_box(&mut *$o), black_box(&*x), black_box(&*y), $f)));
        };
        (@ $run:ident $o:ident $t:ty, (c x y) $each:ident $f:expr) => {
            let (c, x) = ($run.input(0).slice::<u8>(), $run.input(1).slice::<$t>());
            let y = $run.input(2).slice::<$t>();
            missed += usize::from(misses_loop(&$run, isa, || $each(isa, black_box(&mut *$o), black_box(&*c), black_box(&*x), black_box(&*y), $f)));
        };
        (@ $run:ident $o:ident $t:ty, (x y z) $each:ident $f:expr) => {
            let (x, y) = ($run.input(0).slice::<$t>(), $run.input(1).slice::<$t>());
            let z = $run.input(2).slice::<$t>();
            missed += usize::from(misses_loop(&$run, isa, || $each(isa, black_box(&mut *$o), black_box(&*x), black_box(&*y), black_box(&*z), $f)));
        };
    }
    row!(Add F32 F32, f32 => f32, (x y) map2 |x, y| x + y);
    row!(Subtract F64 F64, f64 => f64, (x y) map2 |x, y| x - y);
    row!(Multiply F32 F32, f32 => f32, (x y) map2 |x, y| x * y);
    row!(Divide F32 F32, f32 => f32, (x y) map2 |x, y| x / y);
    row!(Add U8 U8, u8 => u8, (x y) map2 u8::wrapping_add);
    row!(Add I64 I64, i64 => i64, (x y) map2 i64::wrapping_add);
    row!(Multiply I32 I32, i32 => i32, (x y) map2 i32::wrapping_mul);
    row!(Multiply I16 I16, i16 => i16, (x y) map2 i16::wrapping_mul);
    row!(Multiply I8 I8, i8 => i8, (x y) map2 i8::wrapping_mul);
    row!(Multiply I64 I64, i64 => i64, (x y) map2 i64::wrapping_mul);
    row!(SaturatingAdd U8 U8, u8 => u8, (x y) map2 u8::saturating_add);
    row!(SaturatingSubtract I16 I16, i16 => i16, (x y) map2 i16::saturating_sub);
    row!(Maximum I16 I16, i16 => i16, (x y) map2 Ord::max);
    row!(Minimum U32 U32, u32 => u32, (x y) map2 Ord::min);
    row!(Maximum I64 I64, i64 => i64, (x y) map2 Ord::max);
    row!(AbsDifference U8 U8, u8 => u8, (x y) map2 u8::abs_diff);
    row!(Abs I32 I32, i32 => i32, (x) map1 i32::wrapping_abs);
    row!(Negative F64 F64, f64 => f64, (x) map1 |x: f64| -x);
    row!(Sqrt F32 F32, f32 => f32, (x) map1 f32::sqrt);
    row!(Floor F32 F32, f32 => f32, (x) map1 f32::floor);
    row!(BitwiseAnd U64 U64, u64 => u64, (x y) map2 |x, y| x & y);
    row!(BitwiseNot U8 U8, u8 => u8, (x) map1 |x: u8| !x);
    row!(ShiftLeft I32 I32, i32 => i32, (x y) map2 |x: i32, y: i32| x.checked_shl(y as u32).unwrap_or(0));
    row!(Popcount U32 U32, u32 => u32, (x) map1 u32::count_ones);
    row!(Popcount U8 U8, u8 => u8, (x) map1 |x: u8| x.count_ones() as u8);
    row!(Less F32 Bool, f32 => u8, (x y) map2 |x, y| u8::from(x < y));
    row!(Equal U8 Bool, u8 => u8, (x y) map2 |x, y| u8::from(x == y));
    row!(LogicalNot Bool Bool, u8 => u8, (x) map1 |x: u8| u8::from(x == 0));
    row!(Where F32 F32, f32 => f32, (c x y) map3 |c: u8, x: f32, y: f32| if c != 0 { x } else { y });
    row!(Clamp I32 I32, i32 => i32, (x y z) map3 |x: i32, y: i32, z: i32| x.max(y).min(z));
    row!(Fma F64 F64, f64 => f64, (x y z) map3 f64::mul_add);
    row!(Lerp F32 F32, f32 => f32, (x y z) map3 |x: f32, y: f32, t: f32| t.mul_add(y, (-t).mul_add(x, x)));
    missed
}

/// Times a kernel and its loop, prints the line, and returns whether it missed.
fn misses_loop(run: &KernelRun, isa: Isa, plain: impl FnMut()) -> bool {
    let times = compare(8, || run.call(), plain);
    let ok = times.ratio <= 1.10 || isa == Isa::Scalar;
    let count = run.out.count as f64;
    println!(
        "kernels     {isa:10} {:34} {:6.3} ns/element, plain loop {:6.3} ns, ratio {:5.3} (bound 1.10)  {}",
        run.name(),
        times.ours / count,
        times.baseline / count,
        times.ratio,
        verdict(ok)
    );
    !ok
}

/// The gates of all kernels, including casts, on every ISA. Returns the number of missed bounds.
pub(crate) fn kernels() -> usize {
    Isa::available().map(|isa| against_add(isa) + casts::casts(isa) + against_loops(isa)).sum()
}
