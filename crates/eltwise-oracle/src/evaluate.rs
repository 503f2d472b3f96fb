//! Values of the functions to 105 or 225 bits: [`evaluate`].

use crate::bigfloat::BigFloat;
use crate::bigfloat::constants::{LN_2, ONE_OVER_SQRT_2, PI, SQRT_TWO_OVER_PI};
use crate::function::Function;
use crate::special_values::{is_odd_integer, special_value};

/// The value of a function at a point.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation<const N: usize> {
    /// Exactly this: NaN, an infinity, a signed zero, or a number that every format has.
    Special(f64),
    /// An approximation, and the number of its leading bits that are correct.
    Approximate(BigFloat<N>, i32),
}

/// The value of `f`, correct to about 105 bits for N = 2 and 225 for N = 4. `y` does not count for functions of one
/// operand.
///
/// Exception: for arguments below 2^-190 in magnitude, `gelu`, `gelu_tanh`, `silu`, `swish`, `elu`, `celu` and `exprel` are correct only
/// as far as rounding needs. They equal `x c (1 + d)`, or `1 + d`, with a tiny `d`, which is replaced by 2^-190 with the sign of
/// `d`: the result is on the correct side of a tie, and its other low bits are wrong.
pub fn evaluate<const N: usize>(f: Function, x: f64, y: f64) -> Evaluation<N> {
    if let Some(v) = special_value(f, x, y) {
        return Evaluation::Special(v);
    }
    let y = if f.arity() == 2 { y } else { 1.0 };
    // Series, argument reductions and compositions lose at most 23 bits of 128, 31 of 256.
    let mut bits = BigFloat::<N>::BITS - if N == 2 { 23 } else { 31 };
    let result = approximate(f, x, y);
    // The exponent of terms that cancel.
    let cancels = match f {
        Function::LogAddExp | Function::LogAddExp2 => Some(BigFloat::<N>::from_f64(x.max(y)).exponent()),
        Function::LGamma | Function::Digamma => Some(10),
        _ => None,
    };
    if let Some(exponent) = cancels {
        bits -= (exponent - result.exponent()).clamp(0, bits);
    }
    Evaluation::Approximate(result, bits)
}

/// The decimal `digits / 10^places`.
fn decimal<const N: usize>(digits: u128, places: u32) -> BigFloat<N> {
    BigFloat::from_u128(digits) / BigFloat::from_u128(10u128.pow(places))
}

/// The constant `scale` of `selu`.
fn selu_scale<const N: usize>() -> BigFloat<N> {
    decimal(10_507_009_873_554_804_934_193_349_852_946, 31)
}

/// The constant `alpha` of `selu`.
fn selu_alpha<const N: usize>() -> BigFloat<N> {
    decimal(16_732_632_423_543_772_848_170_429_916_717, 31)
}

/// `x`, with its magnitude raised to 2^-190 if it is smaller.
///
/// `x/2 (1 + x c)` is above or below a tie by the sign of `x` alone. With the raised magnitude, `1 + x` shows the side
/// with N = 4 and is exactly 1 with N = 2, so the 128-bit layer does not decide wrongly.
fn at_least_2_pow_minus_190<const N: usize>(x: BigFloat<N>) -> BigFloat<N> {
    const SMALLEST: i32 = -190;
    if x.exponent() < SMALLEST { BigFloat::ONE.scale(SMALLEST).with_sign(x.is_negative()) } else { x }
}

/// `expm1(t) / t`.
fn expm1_over<const N: usize>(t: BigFloat<N>) -> BigFloat<N> {
    let t = at_least_2_pow_minus_190(t);
    t.exp_m1() / t
}

/// The value at a point that is not special.
fn approximate<const N: usize>(f: Function, first: f64, second: f64) -> BigFloat<N> {
    use Function::*;
    let one = BigFloat::<N>::ONE;
    if first.is_infinite() || second.is_infinite() || (f == Atan2 && (first == 0.0 || second == 0.0)) {
        return limit(f, first, second);
    }
    let (x, y) = (BigFloat::<N>::from_f64(first), BigFloat::<N>::from_f64(second));
    match f {
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Exp10 => x.exp10(),
        Expm1 => x.exp_m1(),
        Log => x.log(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Log1p => x.log_1p(),
        Sin => BigFloat::sin(first),
        Cos => BigFloat::cos(first),
        Tan => BigFloat::tan(first),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Asinh => x.asinh(),
        Acosh => x.acosh(),
        Atanh => x.atanh(),
        Erf => x.erf(),
        Erfc => x.erfc(),
        Sqrt => x.sqrt(),
        Cbrt => x.cbrt(),
        Rsqrt => x.sqrt().reciprocal(),
        Sigmoid => x.sigmoid(),
        Logit => x.logit(),
        Softplus => x.softplus(),
        Selu if x.is_negative() => selu_scale() * selu_alpha() * x.exp_m1(),
        Selu => selu_scale() * x,
        Gelu => x.scale(-1) * (-(at_least_2_pow_minus_190(x) * ONE_OVER_SQRT_2.resize())).erfc(),
        GeluTanh => {
            let x1 = at_least_2_pow_minus_190(x);
            let u = SQRT_TWO_OVER_PI.resize() * x1 * (one + decimal(44_715, 6) * x1.square());
            x * u.scale(1).sigmoid()
        }
        Silu => x * at_least_2_pow_minus_190(x).sigmoid(),
        Mish => {
            // tanh(log(1 + e^x)) = n / (n + 2), n = e^x (e^x + 2)
            let e = x.exp();
            let n = e * (e + BigFloat::from_f64(2.0));
            x * (n / (n + BigFloat::from_f64(2.0)))
        }
        Pow | PowConstant => (y * x.abs().log()).exp().with_sign(x.is_negative() && is_odd_integer(second)),
        Atan2 => BigFloat::atan2(x, y),
        Hypot => (x.square() + y.square()).sqrt(),
        LogAddExp => logaddexp(x, y, (x - y).abs()),
        LogAddExp2 => {
            let (high, low) = if (x - y).is_negative() { (y, x) } else { (x, y) };
            high + (low - high).exp2().log_1p() / LN_2.resize()
        }
        Elu => y * x * expm1_over(x),
        Celu => x * expm1_over(x / y),
        Softcap => y * (x / y).tanh(),
        LogSigmoid => -(-x).softplus(),
        Tanhshrink => x.tanhshrink(),
        Sinc => BigFloat::sin_pi(first) / (PI.resize() * x),
        Exprel => expm1_over(x),
        Entr => -(x * x.log()),
        XLogY => x * y.log(),
        XLog1pY => x * y.log_1p(),
        Swish if second == 0.0 => x.scale(-1),
        Swish => x * at_least_2_pow_minus_190(x * y).sigmoid(),
        LGamma | Digamma | Erfinv | Erfcinv | Erfcx | Ndtr | Ndtri | LogNdtr | I0 | I0e | I1 | I1e => {
            statistics(f, first)
        }
    }
}

/// The value of a function of statistics.
fn statistics<const N: usize>(f: Function, first: f64) -> BigFloat<N> {
    use Function::*;
    let x = BigFloat::<N>::from_f64(first);
    match f {
        LGamma => BigFloat::lgamma(first),
        Digamma => BigFloat::digamma(first),
        Erfinv => inverse_erf(x),
        Erfcinv => inverse_erfc(x),
        Erfcx => x.erfcx(),
        Ndtr => ndtr(x),
        Ndtri => -(BigFloat::from_f64(2.0).sqrt() * inverse_erfc(x.scale(1))),
        // 1 - q for a small q = ndtr(-x).
        LogNdtr if first > 0.0 => (-ndtr(-x)).log_1p(),
        // From e^(x^2 / 2) ndtr(x), which does not underflow.
        LogNdtr => (-(x * ONE_OVER_SQRT_2.resize())).erfcx().scale(-1).log() - x.square().scale(-1),
        I0 => x.abs().exp() * x.abs().scaled_bessel(0),
        I0e => x.abs().scaled_bessel(0),
        I1 => (x.abs().exp() * x.abs().scaled_bessel(1)).with_sign(x.is_negative()),
        I1e => x.abs().scaled_bessel(1).with_sign(x.is_negative()),
        _ => unreachable!("{f} is no function of statistics"),
    }
}

/// erfc(-x / sqrt 2) / 2.
fn ndtr<const N: usize>(x: BigFloat<N>) -> BigFloat<N> {
    (-(x * ONE_OVER_SQRT_2.resize())).erfc().scale(-1)
}

/// erfinv(x).
fn inverse_erf<const N: usize>(x: BigFloat<N>) -> BigFloat<N> {
    let rest = BigFloat::ONE - x.abs();
    if (rest - BigFloat::from_f64(0.5)).is_negative() {
        return rest.inverse_erfc().with_sign(x.is_negative());
    }
    x.inverse_erf()
}

/// erfcinv(y).
fn inverse_erfc<const N: usize>(y: BigFloat<N>) -> BigFloat<N> {
    if (y - BigFloat::from_f64(0.5)).is_negative() { y.inverse_erfc() } else { inverse_erf(BigFloat::ONE - y) }
}

fn logaddexp<const N: usize>(x: BigFloat<N>, y: BigFloat<N>, distance: BigFloat<N>) -> BigFloat<N> {
    let high = if (x - y).is_negative() { y } else { x };
    high + (-distance).exp().log_1p()
}

/// Limits at infinities and zeros that not every format has exactly: multiples of pi, and the lower limit of `selu`.
fn limit<const N: usize>(f: Function, x: f64, y: f64) -> BigFloat<N> {
    let pi = PI.resize::<N>();
    match f {
        Function::Selu => -(selu_scale() * selu_alpha()),
        Function::Atan2 => {
            let (y, x) = (x, y);
            let a = match (y.is_infinite(), x.is_infinite()) {
                (true, true) if x > 0.0 => pi.scale(-2),
                (true, true) => pi - pi.scale(-2),
                (true, false) => pi.scale(-1),
                _ if y == 0.0 || x.is_infinite() => pi,
                _ => pi.scale(-1),
            };
            a.with_sign(y.is_sign_negative())
        }
        _ => pi.scale(-1).with_sign(x.is_sign_negative()),
    }
}

/// The value as a double-double, the unevaluated sum `hi + lo` of two `f64`. Its relative error is about 2^-105 if `lo`
/// is a normal number.
pub fn evaluate_double_double(f: Function, x: f64, y: f64) -> (f64, f64) {
    match evaluate::<2>(f, x, y) {
        Evaluation::Special(v) => (v, 0.0),
        Evaluation::Approximate(w, _) => {
            let hi = w.to_f64();
            let lo = if hi.is_finite() { (w - BigFloat::from_f64(hi)).to_f64() } else { 0.0 };
            (hi, lo)
        }
    }
}
