//! Casts: the common ones per byte against `f32` add, every other pair against Rust's `as`.

use std::hint::black_box;

use eltwise::{DType, Isa, Op};

use crate::kernels::{contiguous, per_byte};
use crate::memory::{Elements, Run};
use crate::plain::each1;
use crate::timing::{SAME, pairs, verdict};

/// Every pair of dtypes on a level; the number of figures that missed.
pub(crate) fn casts(isa: Isa) -> usize {
    use DType::{BF16, F16, F32, F64, I8, I16, I32, U8, U16};
    let common = [F16, BF16, F64, I32, U8, I8, I16, U16];
    let common: Vec<(DType, DType)> = common.into_iter().flat_map(|d| [(d, F32), (F32, d)]).collect();
    let mut missed = 0;
    for from in DType::ALL.into_iter().filter(|d| !d.is_opaque()) {
        for to in DType::ALL.into_iter().filter(|d| !d.is_opaque() && *d != from) {
            missed += usize::from(if common.contains(&(from, to)) {
                per_byte(Op::Cast, isa, from, to, 1.3)
            } else {
                other(isa, from, to)
            });
        }
    }
    missed
}

/// At most a nanosecond an element, and not slower than the loop. Prints the line, and gives whether it missed.
fn other(isa: Isa, from: DType, to: DType) -> bool {
    let Some(run) = contiguous(Op::Cast, isa, from, to) else { return false };
    let theirs = Elements::zeros(to, run.out.count);
    let count = run.out.count as f64;
    let timed = as_loop(isa, &run, theirs);
    let (ours, against, ratio) = match timed {
        Some((ours, loop_, ratio)) => {
            assert_eq!(run.out.bytes_mut(), theirs.bytes_mut(), "{}", run.name());
            (ours, format!("Rust's as {:6.3} ns, ratio {ratio:5.3} (bound {SAME})", loop_ / count), ratio)
        }
        None => (pairs(8, || run.call(), || ()).0, "no such cast in Rust".into(), 0.0),
    };
    let ns = ours / count;
    let ok = (ns <= 1.0 && ratio <= SAME) || isa == Isa::Scalar;
    println!("kernels     {isa:10} {:34} {ns:6.3} ns an element (bound 1), {against}  {}", run.name(), verdict(ok));
    !ok
}

/// The kernel and the loop of the same cast, where Rust has it: see [`pairs`].
fn as_loop(isa: Isa, run: &Run, out: Elements) -> Option<(f64, f64, f64)> {
    macro_rules! to {
        ($x:ident, $($u:ident $to:ident),*) => {
            match out.dtype {
                $(DType::$to => {
                    let o = out.slice::<$u>();
                    Some(pairs(8, || run.call(), || each1(isa, black_box(&mut *o), black_box(&*$x), |x| x as $u)))
                })*
                DType::Bool => {
                    let o = out.slice::<u8>();
                    let zero = Default::default();
                    Some(pairs(8, || run.call(), || each1(isa, black_box(&mut *o), black_box(&*$x), |x| u8::from(x != zero))))
                }
                _ => None,
            }
        };
    }
    macro_rules! from {
        ($($t:ident $from:ident),*) => {
            match run.input(0).dtype {
                $(DType::$from => {
                    let x = run.input(0).slice::<$t>();
                    to!(x, i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64, f32 F32, f64 F64)
                })*
                _ => None,
            }
        };
    }
    from!(i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64, f32 F32, f64 F64)
}
