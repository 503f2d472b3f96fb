//! Division of integers, in nanoseconds an element: by a tensor and by one divisor, beside the same loop in plain Rust.

use std::hint::black_box;

use eltwise::{DType, Isa, Op};

use crate::memory::{Elements, Run};
use crate::plain::{each1, each2};
use crate::timing::{SAME, pairs, verdict};

/// Elements in the first two levels of the cache.
const COUNT: usize = 4096;

/// What is divided by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// 64 bits: below 2^50.
    Small,
    /// Numbers of all sizes.
    Any,
    /// 64 bits: large dividends by small divisors.
    Far,
    /// Numbers of all sizes by one.
    Splat,
}

/// Bounds on AVX-512 and AVX2 in nanoseconds an element, and against the loop.
fn bounds(dtype: DType, op: Op, form: Form) -> (Option<[f64; 2]>, Option<f64>) {
    let remainder = matches!(op, Op::Remainder | Op::Fmod);
    match (dtype, form) {
        (DType::I32, Form::Splat) => (Some([0.15, 0.18]), None),
        (DType::U8, Form::Splat) => (Some([0.03, 0.04]), None),
        (DType::I32, _) if remainder => (Some([0.5, 0.8]), None),
        (DType::I32, _) => (Some([0.45, 0.7]), None),
        (DType::I8 | DType::U8, Form::Any) => (Some([0.2, 0.35]), None),
        (DType::I16 | DType::U16, Form::Any) => (Some([0.25, 0.35]), None),
        (DType::I64 | DType::U64, Form::Small) => (Some([1.2, 1.0]), Some(SAME)),
        (DType::I64 | DType::U64, Form::Any | Form::Far) => (None, Some(SAME)),
        _ => (None, None),
    }
}

/// Numbers of every size.
fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state ^ *state >> 29
}

/// Times one operator; `plain` runs the loop. Prints the line, and gives whether it missed.
fn line(run: &Run, isa: Isa, op: Op, form: Form, plain: impl FnMut()) -> bool {
    let (ours, theirs, ratio) = pairs(10 * run.calls(), || run.call(), plain);
    let count = run.out.count as f64;
    let (ns, plain_ns) = (ours / count, theirs / count);
    let (bars, against) = bounds(run.out.dtype, op, form);
    let bar = bars.and_then(|[avx512, avx2]| match isa {
        Isa::Avx512 => Some(avx512),
        Isa::Avx2 => Some(avx2),
        _ => None,
    });
    let against = against.filter(|_| isa != Isa::Scalar);
    let ok = bar.is_none_or(|bar| ns <= bar) && against.is_none_or(|bound| ratio <= bound);
    let bar = bar.map_or("-".into(), |bar| format!("{bar}"));
    let against = against.map_or(String::new(), |bound| format!(" (bound {bound})"));
    let (form, dtype) = (format!("{form:?}").to_lowercase(), run.out.dtype);
    println!(
        "division    {isa:10} {op:12} {dtype:3} {form:5} {ns:6.3} ns an element, bar {bar:4}, plain loop {plain_ns:6.3} ns, ratio {ratio:5.3}{against}  {}",
        verdict(ok)
    );
    !ok
}

macro_rules! dtypes {
    ($($t:ident $dtype:ident;)*) => {
        /// Every dtype, operator and form on a level; the number of figures that missed.
        fn on(isa: Isa) -> usize {
            let mut missed = 0;
            $({
                // Wrapping, and 0 by zero, as the kernels.
                let toward_zero = |x: $t, y: $t| if y == 0 { 0 } else { x.wrapping_div(y) };
                #[allow(unused_comparisons, reason = "the row stands for signed and unsigned integers")]
                let down = |x: $t, y: $t| {
                    let q = toward_zero(x, y);
                    let rest = x.wrapping_sub(q.wrapping_mul(y));
                    if y != 0 && rest != 0 && (rest < 0) != (y < 0) { q.wrapping_sub(1) } else { q }
                };
                let rest = |x: $t, y: $t, q: $t| if y == 0 { 0 } else { x.wrapping_sub(q.wrapping_mul(y)) };
                // With the sign repeated.
                let shifted = |x: u64, places: u32| if $t::MIN == 0 { (x >> places) as $t } else { (x as i64 >> places) as $t };
                let forms: &[Form] = if $t::BITS == 64 { &[Form::Small, Form::Any, Form::Far, Form::Splat] } else { &[Form::Any, Form::Splat] };
                for &form in forms {
                    let (x, out) = (Elements::zeros(DType::$dtype, COUNT), Elements::zeros(DType::$dtype, COUNT));
                    let y = Elements::zeros(DType::$dtype, if form == Form::Splat { 1 } else { COUNT });
                    let theirs = Elements::zeros(DType::$dtype, COUNT);
                    let mut state = 7;
                    let (cut, far) = match form {
                        Form::Small => (14, 14),
                        Form::Far => (0, 58),
                        _ => (0, 0),
                    };
                    for x in x.slice::<$t>() {
                        *x = shifted(bits(&mut state), cut);
                    }
                    for y in y.slice::<$t>() {
                        let d = shifted(bits(&mut state), far);
                        *y = if form == Form::Splat { 7 } else if d == 0 { 1 } else { d };
                    }
                    let (a, b, o) = (x.slice::<$t>(), y.slice::<$t>(), theirs.slice::<$t>());
                    macro_rules! operator {
                        ($op:expr, $f:expr) => {
                            if let Some(run) = Run::new($op, isa, out, &[x, y]) {
                                let missed_it = if form == Form::Splat {
                                    line(&run, isa, $op, form, || {
                                        let d = black_box(b[0]);
                                        each1(isa, black_box(&mut *o), black_box(&*a), |x| $f(x, d));
                                    })
                                } else {
                                    line(&run, isa, $op, form, || each2(isa, black_box(&mut *o), black_box(&*a), black_box(&*b), $f))
                                };
                                assert_eq!(out.slice::<$t>(), theirs.slice::<$t>());
                                missed += usize::from(missed_it);
                            }
                        };
                    }
                    operator!(Op::FloorDivide, |x, y| down(x, y));
                    operator!(Op::TruncDivide, |x, y| toward_zero(x, y));
                    operator!(Op::Remainder, |x, y| rest(x, y, down(x, y)));
                    operator!(Op::Fmod, |x, y| rest(x, y, toward_zero(x, y)));
                }
            })*
            missed
        }
    };
}

dtypes! {
    i8 I8; u8 U8; i16 I16; u16 U16; i32 I32; u32 U32; i64 I64; u64 U64;
}

/// Division of integers within its bounds.
pub(crate) fn division() -> usize {
    Isa::available().map(on).sum()
}
