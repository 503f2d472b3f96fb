//! The high-precision values equal mpmath's digits, and everything else in the crate agrees with the high-precision
//! values.

use eltwise_oracle::{
    BigFloat, Evaluation, Format, Function, correctly_rounded, correctly_rounded_f32, correctly_rounded_f64, evaluate,
    evaluate_double_double, ulp_error_f32, ulp_error_f64,
};

/// A line of `hard_inputs.txt`.
struct HardInput {
    f: Function,
    x: f64,
    y: f64,
    /// The digits of the value without the decimal point, and the power of ten that scales them.
    digits: String,
    power_of_ten: i32,
    negative: bool,
}

fn hard_inputs() -> Vec<HardInput> {
    let lines = include_str!("../src/hard_inputs.txt").lines().filter(|line| !line.starts_with('#'));
    let cases: Vec<HardInput> = lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let operand = |w: &str| f64::from_bits(if w == "-" { 0 } else { u64::from_str_radix(w, 16).unwrap() });
            let (number, exponent) = words[3].split_once('e').unwrap_or((words[3], "0"));
            let (whole, fraction) = number.trim_start_matches('-').split_once('.').unwrap();
            HardInput {
                f: words[0].parse().unwrap(),
                x: operand(words[1]),
                y: operand(words[2]),
                digits: format!("{whole}{fraction}"),
                power_of_ten: exponent.parse::<i32>().unwrap() - fraction.len() as i32,
                negative: number.starts_with('-'),
            }
        })
        .collect();
    assert!(cases.len() > 1000);
    cases
}

impl HardInput {
    /// Whether the argument is so small that the high-precision value is only on the correct side of a tie; its 72
    /// digits do not even show the side.
    fn shows_only_side_of_tie(&self) -> bool {
        matches!(
            self.f,
            Function::Gelu
                | Function::GeluTanh
                | Function::Silu
                | Function::Swish
                | Function::Elu
                | Function::Celu
                | Function::Exprel
        ) && self.x.abs() < 1e-57
    }

    fn value(&self) -> BigFloat<4> {
        let ten = BigFloat::<4>::from_f64(10.0);
        let mut v = self.digits.bytes().fold(BigFloat::ZERO, |v, d| v * ten + BigFloat::from_f64(f64::from(d - b'0')));
        for _ in 0..self.power_of_ten.abs() {
            v = if self.power_of_ten < 0 { v / ten } else { v * ten };
        }
        if self.negative { -v } else { v }
    }
}

/// log2 of the relative error, and the number of bits that [`evaluate`] says are correct.
fn relative_error<const N: usize>(case: &HardInput) -> Option<(i32, i32)> {
    let exact = case.value();
    match evaluate::<N>(case.f, case.x, case.y) {
        Evaluation::Special(v) => {
            assert!(
                (BigFloat::from_f64(v) - exact).exponent() < exact.exponent() - 225,
                "{} {:e} {:e}: {v:e}",
                case.f,
                case.x,
                case.y
            );
            None
        }
        Evaluation::Approximate(w, bits) => Some(((w.resize::<4>() - exact).exponent() - exact.exponent(), bits)),
    }
}

#[test]
fn high_precision_values_equal_mpmath() {
    let mut worst = [(-999, String::new()), (-999, String::new())];
    for case in hard_inputs() {
        let at = format!("{} {:e} {:e}", case.f, case.x, case.y);
        for (i, found) in [relative_error::<2>(&case), relative_error::<4>(&case)].into_iter().enumerate() {
            if let Some((log, bits)) = found {
                let bits = if case.shows_only_side_of_tie() { bits.min(180) } else { bits };
                assert!(log < -bits, "{at}: relative error 2^{log}, expected {bits} correct bits");
                if log > worst[i].0 && !case.shows_only_side_of_tie() && !case.f.name().starts_with("logaddexp") {
                    worst[i] = (log, at.clone());
                }
            }
        }
        let (hi, lo) = evaluate_double_double(case.f, case.x, case.y);
        let exact = case.value();
        let error = (BigFloat::<4>::from_f64(hi) + BigFloat::from_f64(lo) - exact).exponent() - exact.exponent();
        let cancels = case.f.name().starts_with("logaddexp") || matches!(case.f, Function::LGamma | Function::Digamma);
        assert!(
            error < -95 || hi.abs() < 1e-270 || hi.is_infinite() || cancels,
            "{at}: {hi:e} + {lo:e} has a relative error of 2^{error}"
        );
    }
    println!(
        "largest relative error: 2^{} ({}) with 128 bits, 2^{} ({}) with 256",
        worst[0].0, worst[0].1, worst[1].0, worst[1].1
    );
}

/// The correctly rounded f64 equals mpmath's digits rounded once.
#[test]
fn correctly_rounded_f64_equals_rounded_mpmath() {
    for case in hard_inputs().iter().filter(|case| !case.shows_only_side_of_tie()) {
        let expected = f64::from_bits(case.value().round(Format::F64, 224, true).unwrap());
        let got = correctly_rounded_f64(case.f, case.x, case.y);
        assert_eq!(
            got.to_bits(),
            expected.to_bits(),
            "{} {:e} {:e}: {got:e}, not {expected:e}",
            case.f,
            case.x,
            case.y
        );
        let error = ulp_error_f64(got, case.f, case.x, case.y);
        assert!(error <= 0.5, "{} {:e} {:e}: {error}", case.f, case.x, case.y);
        let next = f64::from_bits(got.to_bits() + 1);
        if next.is_finite() {
            let error = ulp_error_f64(next, case.f, case.x, case.y);
            // Just above a power of two, the next number is two of the ULPs below it away.
            assert!((0.5..=2.5).contains(&error), "{} {:e} {:e}: {error}", case.f, case.x, case.y);
        }
    }
}

/// The fast path and 256-bit arithmetic round to the same bits, in every format.
#[test]
fn fast_path_equals_256_bit_arithmetic() {
    let mut state = 7u64;
    for &f in Function::ALL {
        for format in [Format::F32, Format::F64, Format::F16, Format::BF16] {
            for _ in 0..if cfg!(debug_assertions) { 2000 } else { 20000 } {
                let mut next = || {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let random = state >> 33 ^ state << 20;
                    // Half of the operands have exponents from about -16 to 16.
                    let any = random & (format.sign_bit() << 1).wrapping_sub(1);
                    let e = (format.max_exponent + (random >> 40) as i32 % 32 - 16).clamp(1, 2 * format.max_exponent)
                        as u64;
                    let near = any & !format.infinity() | e << (format.precision - 1);
                    if random >> 60 & 1 == 1 { any } else { near }
                };
                let (x, y) = (next(), next());
                let got = correctly_rounded(format, f, x, y);
                let (a, b) = (format.to_f64(x), format.to_f64(y));
                let expected = match evaluate::<4>(f, a, b) {
                    Evaluation::Special(v) if v.is_nan() => format.nan(),
                    Evaluation::Special(v) => {
                        assert!(format.to_f64(got) == v, "{f} {format:?} {a:e} {b:e}");
                        continue;
                    }
                    Evaluation::Approximate(w, bits) => w.round(format, bits, true).unwrap(),
                };
                assert_eq!(got, expected, "{f} {format:?} {a:e} {b:e}: {got:x}, not {expected:x}");
            }
        }
    }
}

/// x/2 (1 + x c) is almost a tie for odd subnormals; the sign of x decides the rounding.
#[test]
fn tiny_terms_break_ties() {
    let tiny = f64::from_bits(1);
    for f in [Function::Gelu, Function::GeluTanh, Function::Silu] {
        assert_eq!(correctly_rounded_f64(f, tiny, 0.0).to_bits(), 1, "{f}");
        assert_eq!(correctly_rounded_f64(f, -tiny, 0.0).to_bits(), 1 << 63, "{f}");
        assert_eq!(correctly_rounded_f64(f, 3.0 * tiny, 0.0).to_bits(), 2, "{f}");
        assert_eq!(correctly_rounded_f64(f, -3.0 * tiny, 0.0), -tiny, "{f}");
        assert_eq!(correctly_rounded_f32(f, f32::from_bits(1), 0.0).to_bits(), 1, "{f}");
        assert_eq!(correctly_rounded_f32(f, -f32::from_bits(1), 0.0).to_bits(), 1 << 31, "{f}");
    }
    assert_eq!(correctly_rounded_f64(Function::Elu, -tiny, 0.5).to_bits(), 1 << 63);
}

#[test]
fn ulp_errors_of_overflow_subnormals_and_special_values() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a}, not {b}");
    let inf = f32::INFINITY;
    // Overflow: e^88.7228 is below the largest number, e^88.73 above the overflow threshold.
    near(ulp_error_f32(inf, Function::Exp, 88.73, 0.0), 0.0);
    assert!(ulp_error_f32(inf, Function::Exp, 88.7228, 0.0) > 0.5);
    assert!(ulp_error_f32(f32::MAX, Function::Exp, 88.73, 0.0) > 0.5);
    near(ulp_error_f64(f64::INFINITY, Function::Pow, 1e200, 2.0), 0.0);
    // The ULP of a subnormal result is the smallest subnormal.
    near(ulp_error_f32(0.0, Function::Exp, -104.0, 0.0), f64::from(-104f32).exp() / 2f64.powi(-149));
    near(ulp_error_f64(0.0, Function::Exp2, -1075.0, 0.0), 0.5);
    near(ulp_error_f64(f64::from_bits(2), Function::Exp2, -1074.0, 0.0), 1.0);
    // Zeros, poles and NaN.
    assert_eq!(ulp_error_f32(-0.0, Function::Sin, 0.0, 0.0), f64::INFINITY);
    assert!(ulp_error_f32(-0.0, Function::Silu, -200.0, 0.0) < 0.5);
    assert_eq!(ulp_error_f32(0.0, Function::Silu, -200.0, 0.0), f64::INFINITY);
    assert_eq!(ulp_error_f32(f32::MAX, Function::Log, 0.0, 0.0), f64::INFINITY);
    assert_eq!(ulp_error_f32(f32::NAN, Function::Log, -1.0, 0.0), 0.0);
    assert_eq!(ulp_error_f32(0.0, Function::Log, -1.0, 0.0), f64::INFINITY);
    assert_eq!(ulp_error_f32(f32::NAN, Function::Log, 2.0, 0.0), f64::INFINITY);
    // Ordinary results: sqrt(1), and the number above e.
    near(ulp_error_f32(1.0, Function::Sqrt, 1.0, 0.0), 0.0);
    near(ulp_error_f64(f64::from_bits(std::f64::consts::E.to_bits() + 1), Function::Exp, 1.0, 0.0), 0.674_469_26);
}

/// Special values follow C23 Annex F, or the definitions of functions that are not in it.
#[test]
fn special_values_follow_annex_f() {
    let (inf, nan, zero) = (f64::INFINITY, f64::NAN, 0.0);
    let pi = std::f64::consts::PI;
    let one: &[(&str, f64, f64)] = &[
        ("exp", -inf, 0.0),
        ("exp", inf, inf),
        ("expm1", -0.0, -0.0),
        ("expm1", -inf, -1.0),
        ("log", -0.0, -inf),
        ("log", 1.0, zero),
        ("log", -1.0, nan),
        ("log1p", -1.0, -inf),
        ("log1p", -0.0, -0.0),
        ("sin", inf, nan),
        ("sin", -0.0, -0.0),
        ("cos", 0.0, 1.0),
        ("tan", -inf, nan),
        ("acos", 1.0, zero),
        ("acos", -1.0, pi),
        ("asin", 1.0, pi / 2.0),
        ("atan", -inf, -pi / 2.0),
        ("atanh", -1.0, -inf),
        ("cosh", -inf, inf),
        ("acosh", 1.0, zero),
        ("acosh", 0.5, nan),
        ("tanh", -inf, -1.0),
        ("erf", inf, 1.0),
        ("erfc", -inf, 2.0),
        ("erfc", inf, zero),
        ("rsqrt", -0.0, -inf),
        ("rsqrt", inf, zero),
        ("cbrt", -8.0, -2.0),
        ("sigmoid", -inf, zero),
        ("sigmoid", 0.0, 0.5),
        ("logit", 0.0, -inf),
        ("logit", 1.0, inf),
        ("logit", 0.5, zero),
        ("logit", 2.0, nan),
        ("softplus", -inf, zero),
        ("selu", -0.0, -0.0),
        ("gelu", -inf, -0.0),
        ("gelu", inf, inf),
        ("gelu_tanh", -inf, -0.0),
        ("silu", -inf, -0.0),
        ("mish", -inf, -0.0),
        ("mish", inf, inf),
        ("selu", -inf, -1.7580993408473768),
        ("log2", 8.0, 3.0),
        ("exp2", -1074.0, 5e-324),
        ("log10", 1e22, 22.0),
        ("exp10", 3.0, 1000.0),
    ];
    for &(name, x, expected) in one {
        let got = correctly_rounded_f64(name.parse().unwrap(), x, inf);
        assert!(got.to_bits() == expected.to_bits(), "{name}({x:e}) = {got:e}, not {expected:e}");
    }
    let two: &[(&str, f64, f64, f64)] = &[
        ("pow", nan, 0.0, 1.0),
        ("pow", 1.0, nan, 1.0),
        ("pow", -1.0, inf, 1.0),
        ("pow", -2.0, 0.5, nan),
        ("pow", -0.0, -3.0, -inf),
        ("pow", -0.0, -2.0, inf),
        ("pow", -0.0, 3.0, -0.0),
        ("pow", 0.5, -inf, inf),
        ("pow", 2.0, -inf, zero),
        ("pow", -inf, -3.0, -0.0),
        ("pow", -inf, 3.0, -inf),
        ("pow", -inf, 2.0, inf),
        ("pow", inf, -1.0, zero),
        ("pow", -8.0, 3.0, -512.0),
        ("pow", 0.0, -inf, inf),
        ("atan2", 0.0, -0.0, pi),
        ("atan2", -0.0, 1.0, -0.0),
        ("atan2", -0.0, -1.0, -pi),
        ("atan2", 1.0, inf, 0.0),
        ("atan2", inf, -inf, 0.75 * pi),
        ("atan2", -1.0, 0.0, -pi / 2.0),
        ("atan2", -inf, 3.0, -pi / 2.0),
        ("atan2", -3.0, -inf, -pi),
        ("hypot", -inf, nan, inf),
        ("hypot", -0.0, -0.0, 0.0),
        ("hypot", -3.0, 4.0, 5.0),
        ("logaddexp", inf, -inf, inf),
        ("logaddexp", -inf, -inf, -inf),
        ("logaddexp", -inf, 3.0, 3.0),
        ("logaddexp2", -1.0, -1.0, 0.0),
        ("elu", -inf, 2.0, -2.0),
        ("elu", -0.0, 2.0, -0.0),
        ("elu", 3.0, nan, 3.0),
        ("elu", 0.0, inf, nan),
        ("celu", -inf, 2.0, -2.0),
        ("celu", -0.0, 2.0, -0.0),
        ("celu", 3.0, 2.0, 3.0),
        ("celu", -3.0, inf, -3.0),
        ("softcap", inf, 30.0, 30.0),
        ("softcap", -0.0, 30.0, -0.0),
        ("softcap", 1.0, inf, 1.0),
        ("softcap", nan, 1.0, nan),
    ];
    for &(name, x, y, expected) in two {
        let got = correctly_rounded_f64(name.parse().unwrap(), x, y);
        assert!(got.to_bits() == expected.to_bits(), "{name}({x:e}, {y:e}) = {got:e}, not {expected:e}");
    }
}
