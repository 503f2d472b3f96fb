//! Integer division by a tensor and by a scalar: nanoseconds per element, and the ratio to the same loop in plain Rust.

use std::hint::black_box;

use eltwise::{DType, Isa, Op};

use crate::kernel_run::{Elements, KernelRun};
use crate::plain_loops::{map1, map2};
use crate::random::bits;
use crate::timing::{NOT_SLOWER, compare, verdict};

/// Elements per operand; all operands fit L2.
const COUNT: usize = 4096;

/// Ranges of the dividends and divisors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// 64-bit integers below 2^50.
    Small,
    /// Integers of all magnitudes.
    Any,
    /// Large 64-bit dividends by small divisors.
    Far,
    /// Dividends of all magnitudes by one divisor.
    Splat,
}

/// Bounds in nanoseconds per element on AVX-512 and AVX2, and on the ratio to the loop.
fn bounds(dtype: DType, op: Op, form: Form) -> (Option<[f64; 2]>, Option<f64>) {
    let remainder = matches!(op, Op::Remainder | Op::Fmod);
    match (dtype, form) {
        (DType::I32, Form::Splat) => (Some([0.15, 0.18]), None),
        (DType::U8, Form::Splat) => (Some([0.03, 0.04]), None),
        (DType::I32, _) if remainder => (Some([0.5, 0.8]), None),
        (DType::I32, _) => (Some([0.45, 0.7]), None),
        (DType::I8 | DType::U8, Form::Any) => (Some([0.2, 0.35]), None),
        (DType::I16 | DType::U16, Form::Any) => (Some([0.25, 0.35]), None),
        (DType::I64 | DType::U64, Form::Small) => (Some([1.2, 1.0]), Some(NOT_SLOWER)),
        (DType::I64 | DType::U64, Form::Any | Form::Far) => (None, Some(NOT_SLOWER)),
        _ => (None, None),
    }
}

/// Times one operator and its loop `plain`, prints the line, and returns whether it missed.
fn misses(run: &KernelRun, isa: Isa, op: Op, form: Form, plain: impl FnMut()) -> bool {
    let times = compare(10 * run.calls(), || run.call(), plain);
    let count = run.out.count as f64;
    let (ns, plain_ns, ratio) = (times.ours / count, times.baseline / count, times.ratio);
    let (ns_bounds, ratio_bound) = bounds(run.out.dtype, op, form);
    let ns_bound = ns_bounds.and_then(|[avx512, avx2]| match isa {
        Isa::Avx512 => Some(avx512),
        Isa::Avx2 => Some(avx2),
        _ => None,
    });
    let ratio_bound = ratio_bound.filter(|_| isa != Isa::Scalar);
    let ok = ns_bound.is_none_or(|bound| ns <= bound) && ratio_bound.is_none_or(|bound| ratio <= bound);
    let ns_bound = ns_bound.map_or("-".into(), |bound| format!("{bound}"));
    let ratio_bound = ratio_bound.map_or(String::new(), |bound| format!(" (bound {bound})"));
    let (form, dtype) = (format!("{form:?}").to_lowercase(), run.out.dtype);
    println!(
        "division    {isa:10} {op:12} {dtype:3} {form:5} {ns:6.3} ns/element (bound {ns_bound:4}), plain loop {plain_ns:6.3} ns, ratio {ratio:5.3}{ratio_bound}  {}",
        verdict(ok)
    );
    !ok
}

macro_rules! dtypes {
    ($($t:ident $dtype:ident;)*) => {
        /// Every dtype, operator and form on an ISA; returns the number of figures that missed.
        fn division_on(isa: Isa) -> usize {
            let mut missed = 0;
            $({
                // As the kernels: overflow wraps, and division by zero is 0.
                let truncated = |x: $t, y: $t| if y == 0 { 0 } else { x.wrapping_div(y) };
                #[allow(unused_comparisons, reason = "the macro expands for signed and unsigned integers")]
                let floored = |x: $t, y: $t| {
                    let q = truncated(x, y);
                    let rest = x.wrapping_sub(q.wrapping_mul(y));
                    if y != 0 && rest != 0 && (rest < 0) != (y < 0) { q.wrapping_sub(1) } else { q }
                };
                let rest = |x: $t, y: $t, q: $t| if y == 0 { 0 } else { x.wrapping_sub(q.wrapping_mul(y)) };
                // An arithmetic shift for signed integers.
                let shifted = |x: u64, places: u32| if $t::MIN == 0 { (x >> places) as $t } else { (x as i64 >> places) as $t };
                let forms: &[Form] = if $t::BITS == 64 { &[Form::Small, Form::Any, Form::Far, Form::Splat] } else { &[Form::Any, Form::Splat] };
                for &form in forms {
                    let (x, out) = (Elements::zeros(DType::$dtype, COUNT), Elements::zeros(DType::$dtype, COUNT));
                    let y = Elements::zeros(DType::$dtype, if form == Form::Splat { 1 } else { COUNT });
                    let expected = Elements::zeros(DType::$dtype, COUNT);
                    let mut state = 7;
                    let (dividend_shift, divisor_shift) = match form {
                        Form::Small => (14, 14),
                        Form::Far => (0, 58),
                        _ => (0, 0),
                    };
                    for x in x.slice::<$t>() {
                        *x = shifted(bits(&mut state), dividend_shift);
                    }
                    for y in y.slice::<$t>() {
                        let d = shifted(bits(&mut state), divisor_shift);
                        *y = if form == Form::Splat { 7 } else if d == 0 { 1 } else { d };
                    }
                    let (a, b, o) = (x.slice::<$t>(), y.slice::<$t>(), expected.slice::<$t>());
                    macro_rules! operator {
                        ($op:expr, $f:expr) => {
                            if let Some(run) = KernelRun::new($op, isa, out, &[x, y]) {
                                let is_missed = if form == Form::Splat {
                                    misses(&run, isa, $op, form, || {
                                        let d = black_box(b[0]);
                                        map1(isa, black_box(&mut *o), black_box(&*a), |x| $f(x, d));
                                    })
                                } else {
                                    misses(&run, isa, $op, form, || map2(isa, black_box(&mut *o), black_box(&*a), black_box(&*b), $f))
                                };
                                assert_eq!(out.slice::<$t>(), expected.slice::<$t>());
                                missed += usize::from(is_missed);
                            }
                        };
                    }
                    operator!(Op::FloorDivide, |x, y| floored(x, y));
                    operator!(Op::TruncDivide, |x, y| truncated(x, y));
                    operator!(Op::Remainder, |x, y| rest(x, y, floored(x, y)));
                    operator!(Op::Fmod, |x, y| rest(x, y, truncated(x, y)));
                }
            })*
            missed
        }
    };
}

dtypes! {
    i8 I8; u8 U8; i16 I16; u16 U16; i32 I32; u32 U32; i64 I64; u64 U64;
}

/// Integer division within its bounds.
pub(crate) fn division() -> usize {
    Isa::available().map(division_on).sum()
}
