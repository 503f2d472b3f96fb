//! Definitions on scalars, compared with independent facts: Rust's operators, IEEE 754, tables of special values.

use std::f64::consts::{FRAC_PI_2, PI};

use eltwise_core::{DType, Op, Signature};
use eltwise_reference::{Value, apply, conditions, same};

use DType::*;

fn int(dtype: DType, x: i128) -> Value {
    Value::from_i128(dtype, x)
}

fn float(dtype: DType, x: f64) -> Value {
    Value::from_f64(dtype, x)
}

/// The result of `op` on `f64` numbers converted to `dtype`.
fn apply_to(op: Op, dtype: DType, args: &[f64]) -> f64 {
    let args: Vec<Value> = args.iter().map(|&x| float(dtype, x)).collect();
    apply(op, &args, None).to_f64()
}

fn truth(op: Op, args: &[Value]) -> bool {
    let out = apply(op, args, None);
    assert!(out.dtype == Bool && out.bits <= 1, "{op}: {out}");
    out.bits == 1
}

/// The next 64 bits of a linear congruential generator with the constants of Knuth's MMIX.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state ^ *state >> 29
}

/// Bits that are an edge case of some dtype, truncated to this one.
fn edges(dtype: DType) -> Vec<Value> {
    let width = 8 * dtype.size() as u32;
    let top = 1u128 << (width - 1);
    let mut bits = vec![0, 1, 2, 3, 7, top, top - 1, top + 1, u128::MAX, u128::MAX - 1, 0x3c00, 0x3f80_0000, 0x80];
    bits.extend([1.0, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300].map(|x| float(dtype, x).bits));
    bits.into_iter().map(|b| Value::new(dtype, b)).collect()
}

/// For finite x and y, `lerp(x, y, 0)` is x, `lerp(x, y, 1)` is y, and values in between are finite.
#[test]
fn lerp_reaches_its_ends_and_stays_finite() {
    let mut state = 7;
    let bf16 = f64::from(f32::from_bits(0x7f7f_0000));
    for (dtype, largest) in [(F16, 65504.0), (BF16, bf16), (F32, f64::from(f32::MAX)), (F64, f64::MAX)] {
        let random_finite = |state: &mut u64| loop {
            let bits = u128::from(random(state)) & (u128::MAX >> (128 - 8 * dtype.size()));
            let value = Value::new(dtype, bits);
            if value.to_f64().is_finite() {
                return value;
            }
        };
        let finite = |value: &Value| value.to_f64().is_finite();
        let edges: Vec<Value> = edges(dtype).into_iter().filter(finite).collect();
        let largest = float(dtype, largest);
        let pairs = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y)));
        let pairs: Vec<(Value, Value)> =
            pairs.chain((0..20_000).map(|_| (random_finite(&mut state), random_finite(&mut state)))).collect();
        for &(x, y) in &pairs {
            let lerp = |t: f64| apply(Op::Lerp, &[x, y, float(dtype, t)], None).to_f64();
            assert_eq!((lerp(0.0), lerp(1.0)), (x.to_f64(), y.to_f64()), "{dtype} from {x} to {y}");
        }
        for i in 0..20_000 {
            let t = float(dtype, (random(&mut state) >> 11) as f64 / (1u64 << 53) as f64);
            let minus = apply(Op::Negative, &[largest], None);
            let (x, y) = match i % 4 {
                0 => (largest, largest),
                1 => (largest, minus),
                2 => (minus, minus),
                _ => (random_finite(&mut state), largest),
            };
            let value = apply(Op::Lerp, &[x, y, t], None);
            assert!(value.to_f64().is_finite(), "{dtype} from {x} to {y} at {t}: {value}");
        }
    }
}

#[test]
fn every_operator_gives_its_result_dtype_for_every_dtype_it_takes() {
    for &op in Op::ALL {
        for dtype in DType::ALL.into_iter().filter(|&d| op.info().takes(d)) {
            let fits = |&target: &DType| match op {
                Op::Bitcast => target.size() == dtype.size(),
                _ => op.signature() != Signature::Convert || op.info().takes(target),
            };
            let second: Vec<DType> = op.signature().second_dtypes().iter().copied().filter(fits).collect();
            let targets: Vec<Option<DType>> =
                if second.is_empty() { vec![None] } else { second.into_iter().map(Some).collect() };
            let (edges, bools) = (edges(dtype), edges(Bool));
            for target in targets {
                let second_operands = target.map_or(bools.clone(), self::edges);
                for (i, &x) in edges.iter().enumerate() {
                    for (j, &y) in edges.iter().enumerate() {
                        let other = second_operands[(i + j) % second_operands.len()];
                        let t = [x, y, edges[1], edges[2]];
                        let args: Vec<Value> =
                            (0..op.arity()).map(|k| if op.signature().is_t(k) { t[k] } else { other }).collect();
                        let dtypes: Vec<DType> = args.iter().map(|a| a.dtype).collect();
                        let out = apply(op, &args, target);
                        assert_eq!(out.dtype, op.result(&dtypes, target).unwrap(), "{op} {args:?}");
                        assert_eq!(out, Value::new(out.dtype, out.bits), "bits above the dtype: {op} {args:?}");
                        if conditions(op, &args).any() {
                            assert!(!op.info().conditions.is_empty() && dtype.is_integer(), "{op} {args:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "operands must have one dtype")]
fn apply_panics_on_mismatched_dtypes() {
    apply(Op::Add, &[int(I8, 1), int(U8, 1)], None);
}

fn power(x: i8, y: i8) -> i8 {
    match (x, u32::try_from(y)) {
        (_, Ok(y)) => x.wrapping_pow(y),
        (1, _) => 1,
        (-1, _) => {
            if y % 2 == 0 {
                1
            } else {
                -1
            }
        }
        _ => 0,
    }
}

/// All pairs of 8-bit integers give the results of Rust's operators.
#[test]
fn eight_bit_integers_equal_rust_operators() {
    for x in i8::MIN..=i8::MAX {
        for y in i8::MIN..=i8::MAX {
            let (a, b) = (
                [int(I8, x.into()), int(I8, y.into())],
                [Value::new(U8, x as u8 as u128), Value::new(U8, y as u8 as u128)],
            );
            let (u, v) = (x as u8, y as u8);
            let floor = |x: i8, y: i8| if y == 0 { 0 } else { (f64::from(x) / f64::from(y)).floor() as i32 as i8 };
            let modulo = |x: i8, y: i8| if y == 0 { 0 } else { x.wrapping_sub(floor(x, y).wrapping_mul(y)) };
            for (op, signed, unsigned) in [
                (Op::Add, x.wrapping_add(y), u.wrapping_add(v)),
                (Op::Subtract, x.wrapping_sub(y), u.wrapping_sub(v)),
                (Op::Multiply, x.wrapping_mul(y), u.wrapping_mul(v)),
                (Op::Divide, if y == 0 { 0 } else { x.wrapping_div(y) }, u.checked_div(v).unwrap_or(0)),
                (
                    Op::TruncDivide,
                    x.checked_div(y).unwrap_or(if y == 0 { 0 } else { x }),
                    u.checked_div(v).unwrap_or(0),
                ),
                (Op::FloorDivide, floor(x, y), u.checked_div(v).unwrap_or(0)),
                (Op::Remainder, modulo(x, y), u.checked_rem(v).unwrap_or(0)),
                (Op::Fmod, if y == 0 { 0 } else { x.wrapping_rem(y) }, u.checked_rem(v).unwrap_or(0)),
                (Op::Maximum, x.max(y), u.max(v)),
                (Op::Minimum, x.min(y), u.min(v)),
                (Op::BitwiseAnd, x & y, u & v),
                (Op::BitwiseOr, x | y, u | v),
                (Op::BitwiseXor, x ^ y, u ^ v),
                (Op::Fmax, x.max(y), u.max(v)),
                (Op::SquaredDifference, x.wrapping_sub(y).wrapping_pow(2), u.wrapping_sub(v).wrapping_pow(2)),
                (Op::AbsDifference, x.abs_diff(y) as i8, u.abs_diff(v)),
                (Op::Pow, power(x, y), u.wrapping_pow(v.into())),
                (Op::SaturatingAdd, x.saturating_add(y), u.saturating_add(v)),
                (Op::SaturatingSubtract, x.saturating_sub(y), u.saturating_sub(v)),
                (Op::SaturatingMultiply, x.saturating_mul(y), u.saturating_mul(v)),
                (Op::ShiftLeft, x.checked_shl(y as u32).unwrap_or(0), u.checked_shl(v.into()).unwrap_or(0)),
                (Op::ShiftRight, x.checked_shr(y as u32).unwrap_or(x >> 7), u.checked_shr(v.into()).unwrap_or(0)),
            ] {
                assert_eq!(apply(op, &a, None), int(I8, signed.into()), "{op} {x} {y}");
                assert_eq!(apply(op, &b, None), int(U8, unsigned.into()), "{op} {u} {v}");
            }
            assert_eq!(conditions(Op::Divide, &a).zero_division, y == 0);
            assert_eq!(conditions(Op::Pow, &a).negative_exponent, y < 0);
            assert!(!conditions(Op::Pow, &b).any());
            for (op, signed, unsigned) in [
                (Op::Equal, x == y, u == v),
                (Op::NotEqual, x != y, u != v),
                (Op::Less, x < y, u < v),
                (Op::LessEqual, x <= y, u <= v),
                (Op::Greater, x > y, u > v),
                (Op::GreaterEqual, x >= y, u >= v),
            ] {
                assert_eq!((truth(op, &a), truth(op, &b)), (signed, unsigned), "{op} {x} {y}");
            }
        }
        let a = [int(I8, x.into())];
        assert_eq!(apply(Op::Negative, &a, None), int(I8, x.wrapping_neg().into()));
        assert_eq!(apply(Op::Abs, &a, None), int(I8, x.wrapping_abs().into()));
        assert_eq!(apply(Op::Relu, &a, None), int(I8, x.max(0).into()));
        assert_eq!(apply(Op::BitwiseNot, &a, None), int(I8, (!x).into()));
        assert_eq!(apply(Op::Sign, &a, None), int(I8, x.signum().into()));
        assert_eq!(apply(Op::Square, &a, None), int(I8, x.wrapping_mul(x).into()));
        assert_eq!(apply(Op::Popcount, &a, None), int(I8, x.count_ones().into()));
        assert_eq!(apply(Op::LeadingZeros, &a, None), int(I8, x.leading_zeros().into()));
        assert_eq!(apply(Op::TrailingZeros, &a, None), int(I8, x.trailing_zeros().into()));
    }
}

#[test]
fn wide_integers_wrap_or_saturate() {
    let max = [int(U64, u64::MAX.into()); 3];
    assert_eq!(apply(Op::Multiply, &max[..2], None).bits, 1);
    assert_eq!(apply(Op::Fma, &max, None).bits, 0);
    let min = int(I64, i64::MIN.into());
    assert_eq!(apply(Op::Divide, &[min, int(I64, -1)], None), min);
    assert_eq!(apply(Op::Divide, &[int(I32, -7), int(I32, 2)], None), int(I32, -3));
    assert_eq!(apply(Op::Divide, &[int(U64, u64::MAX.into()), int(U64, 2)], None), int(U64, i64::MAX.into()));
    assert_eq!(apply(Op::Negative, &[int(U16, 1)], None).bits, 0xffff);
    assert_eq!(apply(Op::SaturatingMultiply, &max[..2], None).bits, u64::MAX.into());
    assert_eq!(apply(Op::SaturatingMultiply, &[min, min], None), int(I64, i64::MAX.into()));
    assert_eq!(apply(Op::SaturatingSubtract, &[min, int(I64, 1)], None), min);
    assert_eq!(apply(Op::ShiftRight, &[min, int(I64, 64)], None), int(I64, -1));
    assert_eq!(apply(Op::ShiftLeft, &[int(U64, 3), int(U64, 63)], None).bits, 1 << 63);
    for (x, y, gcd, lcm) in
        [(12, -18, 6, 36), (0, -5, 5, 0), (0, 0, 0, 0), (7, 5, 1, 35), (-128, 0, -128, 0), (-128, 1, 1, -128)]
    {
        assert_eq!(apply(Op::Gcd, &[int(I8, x), int(I8, y)], None), int(I8, gcd), "gcd {x} {y}");
        assert_eq!(apply(Op::Lcm, &[int(I8, x), int(I8, y)], None), int(I8, lcm), "lcm {x} {y}");
    }
    assert_eq!(apply(Op::Gcd, &[min, min], None), min);
    assert_eq!(apply(Op::Lcm, &[int(U8, 16), int(U8, 24)], None), int(U8, 48));
    assert_eq!(apply(Op::Lcm, &[int(U8, 15), int(U8, 19)], None), int(U8, 285 - 256));
    assert_eq!(apply(Op::Clamp, &[int(I16, 5), int(I16, 9), int(I16, 2)], None), int(I16, 2));
}

/// `f16` results computed in `f32` and rounded again equal the exact results rounded once, because `f32` has 24 >= 2 *
/// 11 + 2 bits. In `f64`, sums, differences and products of `f16` are exact, and quotients and roots are far from ties.
#[test]
fn f16_arithmetic_is_correctly_rounded() {
    let mut state = 5;
    for _ in 0..300_000 {
        let r = random(&mut state);
        let (x, y) = (Value::new(F16, (r & 0xffff).into()), Value::new(F16, (r >> 16 & 0xffff).into()));
        let (a, b) = (x.to_f64(), y.to_f64());
        for (op, exact) in [(Op::Add, a + b), (Op::Subtract, a - b), (Op::Multiply, a * b), (Op::Divide, a / b)] {
            let (ours, expect) = (apply(op, &[x, y], None), float(F16, exact));
            assert!(same(ours, expect), "{op} {x} {y}: {ours}, not {expect}");
        }
        let (ours, expect) = (apply(Op::Sqrt, &[x], None), float(F16, a.sqrt()));
        assert!(same(ours, expect), "sqrt {x}: {ours}, not {expect}");
    }
}

/// `fma` of `f16` is one fma in `f32`, then a rounding to `f16`. The exact sum here is 2^-31 below the midpoint of two
/// `f16`; in `f32` it becomes the midpoint, which rounds to the even number above.
#[test]
fn f16_fma_rounds_in_f32_first() {
    let (a, b) = (2f64.powi(-5) * (1.0 + 2f64.powi(-10)), 2f64.powi(-6) * (1.0 - 2f64.powi(-10)));
    let c = 1.0 + 2f64.powi(-10);
    assert_eq!(float(F16, a * b + c).to_f64(), c);
    assert_eq!(apply_to(Op::Fma, F16, &[a, b, c]), 1.0 + 2f64.powi(-9));
    assert_eq!(apply_to(Op::Fma, F64, &[1.0 + f64::EPSILON, 1.0 - f64::EPSILON, -1.0]), -f64::EPSILON * f64::EPSILON);
}

#[test]
fn extremes_and_arithmetic_respect_nan_and_signs_of_zero() {
    for dtype in [F16, BF16, F32, F64] {
        let zero = |x: f64| float(dtype, x);
        for (op, x, y, bits) in [
            (Op::Maximum, -0.0, 0.0, zero(0.0)),
            (Op::Maximum, 0.0, -0.0, zero(0.0)),
            (Op::Maximum, -0.0, -0.0, zero(-0.0)),
            (Op::Minimum, 0.0, -0.0, zero(-0.0)),
            (Op::Minimum, -0.0, 0.0, zero(-0.0)),
            (Op::Minimum, 0.0, 0.0, zero(0.0)),
            (Op::Maximum, 1.0, f64::NEG_INFINITY, zero(1.0)),
            (Op::Minimum, 1.0, f64::NEG_INFINITY, zero(f64::NEG_INFINITY)),
            (Op::Add, 0.0, -0.0, zero(0.0)),
            (Op::Add, -0.0, -0.0, zero(-0.0)),
            (Op::Divide, 1.0, -0.0, zero(f64::NEG_INFINITY)),
        ] {
            assert_eq!(apply(op, &[zero(x), zero(y)], None), bits, "{op} {x} {y}");
        }
        for op in [Op::Maximum, Op::Minimum, Op::Add] {
            assert!(apply_to(op, dtype, &[f64::NAN, 1.0]).is_nan() && apply_to(op, dtype, &[1.0, f64::NAN]).is_nan());
        }
        assert_eq!(apply(Op::Relu, &[zero(-0.0)], None), zero(0.0));
        assert_eq!(apply(Op::Relu, &[zero(-2.0)], None), zero(0.0));
        assert!(apply_to(Op::Relu, dtype, &[f64::NAN]).is_nan());
        assert_eq!(apply(Op::Sqrt, &[zero(-0.0)], None), zero(-0.0));
        assert!(apply_to(Op::Sqrt, dtype, &[-1.0]).is_nan());
        assert_eq!(apply(Op::Abs, &[zero(-0.0)], None), zero(0.0));
        assert_eq!(apply(Op::Negative, &[zero(0.0)], None), zero(-0.0));
        assert_eq!(apply_to(Op::Clamp, dtype, &[5.0, 3.0, 1.0]), 1.0);
        assert_eq!(apply_to(Op::Clamp, dtype, &[-0.0, 0.0, 1.0]).to_bits(), 0);
        for at in 0..3 {
            let mut args = [0.5, 0.0, 1.0];
            args[at] = f64::NAN;
            assert!(apply_to(Op::Clamp, dtype, &args).is_nan());
        }
        assert!(!conditions(Op::Divide, &[zero(1.0), zero(0.0)]).any());
    }
}

#[test]
fn rounding_keeps_signs_and_breaks_ties() {
    // x, floor, ceil, trunc, round, round_half_away
    for row in [
        [0.5, 0.0, 1.0, 0.0, 0.0, 1.0],
        [-0.5, -1.0, -0.0, -0.0, -0.0, -1.0],
        [1.5, 1.0, 2.0, 1.0, 2.0, 2.0],
        [-2.5, -3.0, -2.0, -2.0, -2.0, -3.0],
        [3.5, 3.0, 4.0, 3.0, 4.0, 4.0],
        [-0.25, -1.0, -0.0, -0.0, -0.0, -0.0],
        [0.75, 0.0, 1.0, 0.0, 1.0, 1.0],
        [-0.0; 6],
        [0.0; 6],
        [-7.0; 6],
        [f64::INFINITY; 6],
        [f64::NEG_INFINITY; 6],
    ] {
        for dtype in [F16, BF16, F32, F64] {
            let ops = [Op::Floor, Op::Ceil, Op::Trunc, Op::Round, Op::RoundHalfAway];
            for (op, expect) in ops.into_iter().zip(&row[1..]) {
                assert_eq!(apply_to(op, dtype, &row[..1]).to_bits(), expect.to_bits(), "{op} {dtype} {}", row[0]);
                assert!(apply_to(op, dtype, &[f64::NAN]).is_nan());
                assert_eq!(apply(op, &[int(I8, -128)], None), int(I8, -128));
            }
        }
    }
    // The number just below 1/2, and a large odd integer.
    for x in [0.5 - f64::EPSILON / 4.0, -0.5 + f64::EPSILON / 4.0] {
        assert_eq!((apply_to(Op::Round, F64, &[x]), apply_to(Op::RoundHalfAway, F64, &[x])), (0.0, 0.0));
    }
    let odd = 2f64.powi(52) + 1.0;
    assert_eq!((apply_to(Op::Round, F64, &[odd]), apply_to(Op::RoundHalfAway, F64, &[-odd])), (odd, -odd));
}

#[test]
fn decimals_round_as_in_numpy() {
    let rounded = |x: f64, n: i128| apply(Op::RoundDecimals, &[float(F64, x), int(I64, n)], None).to_f64();
    for (x, n, expect) in [
        (2.675, 2, 2.68),
        (0.125, 2, 0.12),
        (-0.04, 1, -0.0),
        (1234.5, -2, 1200.0),
        (1250.0, -2, 1200.0),
        (-1e300, 300, -1e300),
        (1e300, -310, 0.0),
        (f64::INFINITY, -400, f64::INFINITY),
        (1.5, i128::from(i64::MAX), 1.5),
        (7.3e212, -210, 730.0 * 1e210),
    ] {
        assert_eq!(rounded(x, n).to_bits(), f64::to_bits(expect), "{x} {n}");
    }
    assert!(rounded(f64::NAN, -1).is_nan());
    let integer = |x: i128, n: i128| apply(Op::RoundDecimals, &[int(I8, x), int(I32, n)], None);
    assert_eq!(
        [integer(15, -1), integer(127, -1), integer(-128, 1), integer(50, -2)],
        [20, 127, -128, 0].map(|x| int(I8, x))
    );
}

#[test]
fn signs_neighbours_and_step_functions_match_tables() {
    for dtype in [F16, BF16, F32, F64] {
        let value = |x: f64| float(dtype, x);
        let (nan, sign) = (value(f64::NAN), 1u128 << (8 * dtype.size() - 1));
        let minus_nan = Value::new(dtype, nan.bits | sign);
        for (op, x, y, expect) in [
            (Op::Fmax, -0.0, 0.0, 0.0),
            (Op::Fmax, 0.0, -0.0, 0.0),
            (Op::Fmin, 0.0, -0.0, -0.0),
            (Op::Fmax, f64::NAN, -1.0, -1.0),
            (Op::Fmin, 2.0, f64::NAN, 2.0),
            (Op::Copysign, 2.0, -0.0, -2.0),
            (Op::Copysign, -0.0, 1.0, 0.0),
            (Op::Heaviside, -3.0, 0.5, 0.0),
            (Op::Heaviside, -0.0, 0.5, 0.5),
            (Op::Heaviside, f64::INFINITY, 0.5, 1.0),
            (Op::Prelu, -2.0, 0.5, -1.0),
            (Op::Prelu, 2.0, 0.5, 2.0),
            (Op::Prelu, -0.0, 0.5, -0.0),
            (Op::SquaredDifference, 1.0, 3.0, 4.0),
            (Op::AbsDifference, 1.0, 3.0, 2.0),
            (Op::NextAfter, 0.0, -0.0, -0.0),
            (Op::NextAfter, -0.0, 0.0, 0.0),
            (Op::NextAfter, 1.0, 1.0, 1.0),
        ] {
            assert_eq!(apply(op, &[value(x), value(y)], None), value(expect), "{op} {dtype} {x} {y}");
        }
        assert!(apply_to(Op::Fmax, dtype, &[f64::NAN, f64::NAN]).is_nan());
        assert!(apply_to(Op::Heaviside, dtype, &[f64::NAN, 1.0]).is_nan());
        for (op, x, expect) in [
            (Op::Sign, -3.0, -1.0),
            (Op::Sign, 0.25, 1.0),
            (Op::Sign, -0.0, 0.0),
            (Op::Square, -3.0, 9.0),
            (Op::Reciprocal, -0.0, f64::NEG_INFINITY),
            (Op::Reciprocal, 4.0, 0.25),
            (Op::Relu6, 7.0, 6.0),
            (Op::Relu6, -0.0, 0.0),
            (Op::HardSwish, 3.0, 3.0),
            (Op::HardSwish, -4.0, -0.0),
            (Op::HardSwish, -3.0, -0.0),
            (Op::HardSwish, 1024.0, 1024.0),
            (Op::Softsign, 1.0, 0.5),
            (Op::Softsign, -3.0, -0.75),
            (Op::Deg2Rad, 1.0, 0.017453292519943295),
            (Op::Deg2Rad, 180.0, PI),
            (Op::Deg2Rad, -90.0, -FRAC_PI_2),
            (Op::Rad2Deg, 1.0, 57.29577951308232),
            (Op::Rad2Deg, -0.5, -28.64788975654116),
        ] {
            assert_eq!(apply(op, &[value(x)], None), value(expect), "{op} {dtype} {x}");
        }
        assert!(apply_to(Op::Sign, dtype, &[f64::NAN]).is_nan() && apply_to(Op::Relu6, dtype, &[f64::NAN]).is_nan());
        assert_eq!(apply(Op::Sign, &[value(0.0)], None), value(0.0), "+0.0 of both zeros");
        assert_eq!(apply_to(Op::Lerp, dtype, &[2.0, 4.0, 0.25]), 2.5);
        assert_eq!(apply(Op::Copysign, &[value(1.0), minus_nan], None), value(-1.0));
        assert_eq!(apply(Op::Positive, &[minus_nan], None), minus_nan);
        // One step changes the bits by 1, in every dtype.
        let next = |x: Value, y: f64| apply(Op::NextAfter, &[x, value(y)], None);
        let one = value(1.0);
        assert_eq!(next(one, 2.0).bits, one.bits + 1);
        assert_eq!(next(one, f64::NEG_INFINITY).bits, one.bits - 1);
        assert_eq!(next(value(-1.0), 0.0).bits, value(-1.0).bits - 1);
        assert_eq!(next(value(0.0), -1.0).bits, sign | 1);
        assert_eq!(next(Value::new(dtype, 1), -1.0), value(0.0));
        assert_eq!(next(Value::new(dtype, sign | 1), 1.0), value(-0.0));
        assert_eq!(next(value(f64::INFINITY), 0.0).bits, value(f64::INFINITY).bits - 1);
        assert!(next(nan, 1.0).is_nan() && next(one, f64::NAN).is_nan());
        // nan, inf, finite, sign
        for (x, expect) in [
            (one, [false, false, true, false]),
            (value(-0.0), [false, false, true, true]),
            (Value::new(dtype, sign | 1), [false, false, true, true]),
            (value(f64::NEG_INFINITY), [false, true, false, true]),
            (nan, [true, false, false, false]),
            (minus_nan, [true, false, false, true]),
        ] {
            assert_eq!([Op::IsNan, Op::IsInf, Op::IsFinite, Op::SignBit].map(|op| truth(op, &[x])), expect, "{x}");
        }
    }
}

#[test]
fn comparisons_and_logic_of_nan_zero_and_bool() {
    for dtype in [F16, BF16, F32, F64] {
        let (nan, one) = (float(dtype, f64::NAN), float(dtype, 1.0));
        for pair in [[nan, one], [one, nan], [nan, nan]] {
            for op in [Op::Equal, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual] {
                assert!(!truth(op, &pair), "{op} {pair:?}");
            }
            assert!(truth(Op::NotEqual, &pair));
        }
        assert!(truth(Op::Equal, &[float(dtype, 0.0), float(dtype, -0.0)]));
        assert!(truth(Op::LogicalAnd, &[nan, one]) && !truth(Op::LogicalNot, &[nan]));
        assert!(!truth(Op::LogicalOr, &[float(dtype, -0.0), float(dtype, 0.0)]));
    }
    let (two, one, no) = (Value::new(Bool, 2), Value::new(Bool, 1), Value::new(Bool, 0));
    assert!(truth(Op::Equal, &[two, one]) && truth(Op::Less, &[no, two]) && !truth(Op::LogicalXor, &[two, one]));
    assert!(truth(Op::BitwiseAnd, &[two, one]) && !truth(Op::BitwiseNot, &[two]) && truth(Op::BitwiseNot, &[no]));
    assert!(truth(Op::BitwiseOr, &[two, no]) && !truth(Op::BitwiseXor, &[two, one]));
    let (a, b) = (int(I64, (1 << 53) + 1), int(I64, 1 << 53));
    assert!(truth(Op::Greater, &[a, b]) && !truth(Op::Equal, &[a, b]));
}

#[test]
fn where_and_copy_keep_bits() {
    let (x, y) = (Value::new(F32, 0x7f80_0001), Value::new(F32, 0x8000_0000));
    for (byte, expect) in [(0, y), (1, x), (0x80, x)] {
        assert_eq!(apply(Op::Where, &[Value::new(Bool, byte), x, y], None), expect);
    }
    let wide = [Value::new(Opaque16, u128::MAX), Value::new(Opaque16, 1 << 127)];
    assert_eq!(apply(Op::Where, &[Value::new(Bool, 1), wide[0], wide[1]], None), wide[0]);
    assert_eq!(apply(Op::Copy, &[x], None), x);
}

#[test]
fn casts_round_once_saturate_and_wrap() {
    let cast = |x: Value, to: DType| apply(Op::Cast, &[x], Some(to));
    assert_eq!(cast(float(F64, -1.9), I8), int(I8, -1));
    assert_eq!(cast(float(F64, 300.0), I8), int(I8, 127));
    assert_eq!(cast(float(F32, -3.0), U64), int(U64, 0));
    assert_eq!(cast(float(F16, f64::INFINITY), I64), int(I64, i64::MAX.into()));
    assert_eq!(cast(float(BF16, f64::NAN), U8), int(U8, 0));
    assert_eq!(cast(int(I32, 300), U8), int(U8, 44));
    assert_eq!(cast(int(I8, -1), U64), int(U64, u64::MAX.into()));
    assert_eq!(cast(int(U64, u64::MAX.into()), F32).to_f64(), 2f64.powi(64));
    assert_eq!(cast(int(I32, 65520), F16).to_f64(), f64::INFINITY);
    assert_eq!(cast(float(F64, 0.4), Bool), Value::from_bool(true));
    assert_eq!(cast(float(F64, f64::NAN), Bool), Value::from_bool(true));
    assert_eq!(cast(float(F32, -0.0), Bool), Value::from_bool(false));
    assert_eq!(cast(int(I64, 256), Bool), Value::from_bool(true));
    assert_eq!(cast(Value::new(Bool, 9), F16).to_f64(), 1.0);
    assert_eq!(cast(Value::new(Bool, 9), I32), int(I32, 1));
    // One rounding: rounded to f32 first, this would become the tie, and then the even number below.
    let above_tie = (1i128 << 40) + (1 << 32) + 1;
    assert_eq!(cast(int(I64, above_tie), BF16).to_f64(), 2f64.powi(40) * (1.0 + 2f64.powi(-7)));
    let above_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    assert_eq!(cast(float(F64, above_tie), F16).to_f64(), 1.0 + 2f64.powi(-10));
    // A cast to the same dtype keeps the bits.
    assert_eq!(cast(Value::new(F32, 0x7f80_0001), F32).bits, 0x7f80_0001);
    assert_eq!(cast(Value::new(Bool, 9), Bool).bits, 9);
    // A NaN stays a NaN and becomes quiet.
    assert!(cast(Value::new(F32, 0x7f80_0001), F16).is_nan());
    assert_eq!(cast(Value::new(F32, 0xffa0_0000), BF16).bits, 0xffe0);
}

/// Quotients and remainders of floats equal the results of Python (`floor_divide`, `remainder`) and C (`fmod`).
#[test]
fn float_quotients_and_remainders_equal_python_and_c() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let tiny = f64::from_bits(1);
    // x, y, floor_divide, remainder, fmod
    for (x, y, floor, modulo, c) in [
        (7.0, 2.0, 3.0, 1.0, 1.0),
        (-7.0, 2.0, -4.0, 1.0, -1.0),
        (7.0, -2.0, -4.0, -1.0, 1.0),
        (-7.0, -2.0, 3.0, -1.0, -1.0),
        (1.0, 0.1, 9.0, 0.09999999999999995, 0.09999999999999995),
        (-1e-20, 1.0, -1.0, 1.0, -1e-20),
        (6.0, -3.0, -2.0, -0.0, 0.0),
        (-6.0, 3.0, -2.0, 0.0, -0.0),
        (0.0, 5.0, 0.0, 0.0, 0.0),
        (-0.0, 5.0, -0.0, 0.0, -0.0),
        (0.0, -5.0, -0.0, -0.0, 0.0),
        (1.0, 0.0, inf, nan, nan),
        (-1.0, 0.0, -inf, nan, nan),
        (0.0, 0.0, nan, nan, nan),
        (inf, 0.0, inf, nan, nan),
        (inf, 2.0, nan, nan, nan),
        (inf, inf, nan, nan, nan),
        (2.0, inf, 0.0, 2.0, 2.0),
        (-2.0, inf, -1.0, inf, -2.0),
        (2.0, -inf, -1.0, -inf, 2.0),
        (-2.0, -inf, 0.0, -2.0, -2.0),
        (nan, 1.0, nan, nan, nan),
        (1.0, nan, nan, nan, nan),
        (f64::MAX, tiny, inf, 0.0, 0.0),
        (5.0 * tiny, 3.0 * tiny, 1.0, 2.0 * tiny, 2.0 * tiny),
        (1e300, 7.0, 1.4285714285714286e+299, 1.0, 1.0),
    ] {
        for (op, expect) in [(Op::FloorDivide, floor), (Op::Remainder, modulo), (Op::Fmod, c)] {
            let got = apply_to(op, F64, &[x, y]);
            assert!(got.to_bits() == expect.to_bits() || (got.is_nan() && expect.is_nan()), "{op}({x}, {y}) = {got:e}");
        }
    }
    // Rust's % is fmod; floor quotients of integers are computed as i128.
    let mut state = 3;
    for _ in 0..200_000 {
        let (x, y) = (f64::from_bits(random(&mut state)), f64::from_bits(random(&mut state)));
        let y = if state & 64 == 0 { x.abs().sqrt() * (y % 4.0) } else { y };
        let (got, expect) = (apply_to(Op::Fmod, F64, &[x, y]), x % y);
        assert!(got.to_bits() == expect.to_bits() || (got.is_nan() && expect.is_nan()), "fmod({x:e}, {y:e}) = {got:e}");
        let (x, y) =
            ((random(&mut state) as i64 >> (state % 64)) as f32, (random(&mut state) as i32 >> (state % 30)) as f32);
        if y != 0.0 {
            let (a, b) = (x as i128, y as i128);
            let floor = if (a % b != 0) && ((a < 0) != (b < 0)) { a / b - 1 } else { a / b };
            let got = apply(Op::FloorDivide, &[float(F32, x.into()), float(F32, y.into())], None).to_f32();
            assert_eq!(got, floor as f32, "floor_divide({x}, {y})");
        }
    }
}
