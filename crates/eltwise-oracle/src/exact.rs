//! Values as exact as wanted.

use crate::function::Function;
use crate::special::{parity, special};
use crate::wide::Wide;
use crate::wide::constants::{LN_2, ONE_OVER_SQRT_2, PI, SQRT_TWO_OVER_PI};

/// A function's value.
#[derive(Clone, Copy, Debug)]
pub enum Value<const N: usize> {
    /// This number: NaN, an infinity, a zero with its sign, or a small exact number.
    Special(f64),
    /// A number of which so many leading bits are right.
    Number(Wide<N>, i32),
}

/// The value of `f`; `y` counts for functions of two operands only. Right to about 105 bits for N = 2, 225 for N = 4.
///
/// Of `gelu`, `gelu_tanh`, `silu`, `elu` and `celu` of arguments below 2^-190 only the side of a tie is right to 225 bits: they are
/// `x c (1 + d)` with a tiny d, in whose place 2^-190 with its sign stands.
pub fn value<const N: usize>(f: Function, x: f64, y: f64) -> Value<N> {
    if let Some(v) = special(f, x, y) {
        return Value::Special(v);
    }
    let y = if f.arity() == 2 { y } else { 1.0 };
    // What the series, reductions and compositions may lose.
    let mut bits = 64 * N as i32 - if N == 2 { 23 } else { 31 };
    let result = number(f, x, y);
    if matches!(f, Function::Logaddexp | Function::Logaddexp2) {
        // The one place where numbers cancel.
        let high = Wide::<N>::from_f64(x.max(y));
        bits -= (high.exponent() - result.exponent()).clamp(0, bits);
    }
    Value::Number(result, bits)
}

/// The decimal `digits / 10^places`.
fn decimal<const N: usize>(digits: u128, places: u32) -> Wide<N> {
    Wide::from_u128(digits) / Wide::from_u128(10u128.pow(places))
}

fn scale<const N: usize>() -> Wide<N> {
    decimal(10_507_009_873_554_804_934_193_349_852_946, 31)
}

fn alpha<const N: usize>() -> Wide<N> {
    decimal(16_732_632_423_543_772_848_170_429_916_717, 31)
}

/// `x`, or something so small that 1 + x shows on which side of 1 it is with N = 4 and not with N = 2: for `x/2 (1 + x c)`, which is
/// above or below a tie by the sign of x only.
fn visible<const N: usize>(x: Wide<N>) -> Wide<N> {
    const SMALLEST: i32 = -190;
    if x.exponent() < SMALLEST { Wide::one().scale(SMALLEST).signed(x.is_negative()) } else { x }
}

/// `expm1(t) / t`.
fn expm1_over<const N: usize>(t: Wide<N>) -> Wide<N> {
    let t = visible(t);
    t.exp_m1() / t
}

fn number<const N: usize>(f: Function, first: f64, second: f64) -> Wide<N> {
    use Function::*;
    let one = Wide::<N>::one();
    if first.is_infinite() || second.is_infinite() || (f == Atan2 && (first == 0.0 || second == 0.0)) {
        return limit(f, first, second);
    }
    let (x, y) = (Wide::<N>::from_f64(first), Wide::<N>::from_f64(second));
    match f {
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Exp10 => x.exp10(),
        Expm1 => x.exp_m1(),
        Log => x.log(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Log1p => x.log_1p(),
        Sin => Wide::sin(first),
        Cos => Wide::cos(first),
        Tan => Wide::tan(first),
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
        Selu if x.is_negative() => scale() * alpha() * x.exp_m1(),
        Selu => scale() * x,
        Gelu => x.scale(-1) * (-(visible(x) * ONE_OVER_SQRT_2.resize())).erfc(),
        GeluTanh => {
            let x1 = visible(x);
            let u = SQRT_TWO_OVER_PI.resize() * x1 * (one + decimal(44_715, 6) * x1.square());
            x * u.scale(1).sigmoid()
        }
        Silu => x * visible(x).sigmoid(),
        Mish => {
            // tanh(log(1 + e^x)) = n / (n + 2), n = e^x (e^x + 2)
            let e = x.exp();
            let n = e * (e + Wide::from_f64(2.0));
            x * (n / (n + Wide::from_f64(2.0)))
        }
        Pow => (y * x.abs().log()).exp().signed(x.is_negative() && parity(second) == 2),
        Atan2 => Wide::atan2(x, y),
        Hypot => (x.square() + y.square()).sqrt(),
        Logaddexp => logaddexp(x, y, (x - y).abs()),
        Logaddexp2 => {
            let (high, low) = if (x - y).is_negative() { (y, x) } else { (x, y) };
            high + (low - high).exp2().log_1p() / LN_2.resize()
        }
        Elu => y * x * expm1_over(x),
        Celu => x * expm1_over(x / y),
        Softcap => y * (x / y).tanh(),
    }
}

fn logaddexp<const N: usize>(x: Wide<N>, y: Wide<N>, distance: Wide<N>) -> Wide<N> {
    let high = if (x - y).is_negative() { y } else { x };
    high + (-distance).exp().log_1p()
}

/// Limits that are no numbers of every dtype.
fn limit<const N: usize>(f: Function, x: f64, y: f64) -> Wide<N> {
    let pi = PI.resize::<N>();
    match f {
        Function::Selu => -(scale() * alpha()),
        Function::Atan2 => {
            let (y, x) = (x, y);
            let a = match (y.is_infinite(), x.is_infinite()) {
                (true, true) if x > 0.0 => pi.scale(-2),
                (true, true) => pi - pi.scale(-2),
                (true, false) => pi.scale(-1),
                _ if y == 0.0 || x.is_infinite() => pi,
                _ => pi.scale(-1),
            };
            a.signed(y.is_sign_negative())
        }
        _ => pi.scale(-1).signed(x.is_sign_negative()),
    }
}

/// The value as a sum of two `f64`: right to 2^-105 or so while `lo` is a normal number.
pub fn extended(f: Function, x: f64, y: f64) -> (f64, f64) {
    match value::<2>(f, x, y) {
        Value::Special(v) => (v, 0.0),
        Value::Number(w, _) => {
            let hi = w.to_f64();
            let lo = if hi.is_finite() { (w - Wide::from_f64(hi)).to_f64() } else { 0.0 };
            (hi, lo)
        }
    }
}
