//! Casts: time per byte of the common ones relative to `f32` add, and of the rest relative to Rust's `as`.

use std::hint::black_box;

use eltwise::{DType, Isa, Op};

use crate::kernel_run::{Elements, KernelRun};
use crate::per_byte::{contiguous, per_byte};
use crate::plain_loops::map1;
use crate::timing::{Comparison, NOT_SLOWER, compare, verdict};

/// Every pair of dtypes on an ISA; returns the number of figures that missed.
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
                uncommon(isa, from, to)
            });
        }
    }
    missed
}

/// At most 1 ns per element, and not slower than Rust's `as`. Prints the line and returns whether it missed.
fn uncommon(isa: Isa, from: DType, to: DType) -> bool {
    let Some(run) = contiguous(Op::Cast, isa, from, to) else { return false };
    let expected = Elements::zeros(to, run.out.count);
    let count = run.out.count as f64;
    let (ours, baseline, ratio) = match against_as(isa, &run, expected) {
        Some(Comparison { ours, baseline, ratio }) => {
            assert_eq!(run.out.bytes_mut(), expected.bytes_mut(), "{}", run.name());
            (ours, format!("Rust's as {:6.3} ns, ratio {ratio:5.3} (bound {NOT_SLOWER})", baseline / count), ratio)
        }
        None => (compare(8, || run.call(), || ()).ours, "no such cast in Rust".into(), 0.0),
    };
    let ns = ours / count;
    let ok = (ns <= 1.0 && ratio <= NOT_SLOWER) || isa == Isa::Scalar;
    println!("kernels     {isa:10} {:34} {ns:6.3} ns/element (bound 1), {baseline}  {}", run.name(), verdict(ok));
    !ok
}

/// Compares the kernel with a loop of the same cast by `as`; `None` if Rust has no such cast.
fn against_as(isa: Isa, run: &KernelRun, out: Elements) -> Option<Comparison> {
    macro_rules! to {
        ($x:ident, $($u:ident $to:ident),*) => {
            match out.dtype {
                $(DType::$to => {
                    let o = out.slice::<$u>();
                    Some(compare(8, || run.call(), || map1(isa, black_box(&mut *o), black_box(&*$x), |x| x as $u)))
                })*
                DType::Bool => {
                    let o = out.slice::<u8>();
                    let zero = Default::default();
                    Some(compare(8, || run.call(), || map1(isa, black_box(&mut *o), black_box(&*$x), |x| u8::from(x != zero))))
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
