//! Inputs with representable results: the exact value is a number of the format, or almost one. See
//! [`representable_inputs`].
//!
//! Candidates are numbers of few bits, powers, arguments of roots, Pythagorean triples, and numbers of every magnitude
//! (for the limits of a function near 0 and far from it). The high-precision value decides which candidates count, so
//! there is no list of identities that could be wrong or incomplete.

use crate::correctly_rounded::correctly_rounded;
use crate::format::{Format, exp2};
use crate::function::Function;
use crate::ulp::ulp_error;

/// The distance, in ULP, at which a value is almost a number. A result whose error is below 1 - `NEAR` must then be
/// that number.
const NEAR: f64 = 1.0 / (1 << 12) as f64;

/// Whether the exact value at an input is a number of the format or within 1/4096 ULP of one. Every tier of accuracy
/// has to return that number.
///
/// Operands are bits of `format`; the second is 0 for functions of one. False if the result is NaN.
pub fn is_nearly_representable(format: Format, f: Function, x: u64, y: u64) -> bool {
    let right = correctly_rounded(format, f, x, y);
    right & !format.sign_bit() <= format.infinity() && ulp_error(format, right, f, x, y) <= NEAR
}

/// Inputs of a function with [nearly representable](is_nearly_representable) results, as bits of `format`. The second
/// operand is 0 for functions of one.
pub fn representable_inputs(format: Format, f: Function) -> Vec<[u64; 2]> {
    let mut points: Vec<[u64; 2]> = match f.arity() {
        1 => unary_candidates(format).into_iter().map(|x| [x, 0]).collect(),
        _ => binary_candidates(f, format),
    };
    points.sort_unstable();
    points.dedup();
    points.retain(|&[x, y]| is_nearly_representable(format, f, x, y));
    points
}

/// Numbers rounded to `format`, as bits, each with both signs. Numbers that overflow are left out.
fn with_both_signs(format: Format, numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    let bits = numbers.into_iter().map(|v| format.from_f64(v)).filter(|&bits| bits < format.infinity());
    bits.flat_map(|bits| [bits, bits | format.sign_bit()]).collect()
}

/// Zero and numbers of few significant bits around 1.
fn few_bits() -> impl Iterator<Item = f64> {
    let fractions = (0..=6).flat_map(|j| (1..=24).map(move |k| f64::from(k) * exp2(-j)));
    [0.0, 100.0, 127.0, 255.0, 256.0, 1000.0].into_iter().chain(fractions)
}

/// Numbers with exponent `e` and five fractions: zero, the highest bit, the lowest bit, all bits, and an arbitrary one.
fn with_exponent(format: Format, e: i32) -> [f64; 5] {
    let last = exp2(1 - format.precision);
    [1.0, 1.5, 1.0 + last, 2.0 - last, 1.0 + (0.618_033_988 * f64::from(e)).rem_euclid(1.0)].map(|m| m * exp2(e))
}

/// Numbers of every magnitude, from the smallest subnormal up.
fn magnitudes(format: Format, step: usize) -> impl Iterator<Item = f64> {
    let end = format.min_exponent - format.precision + 1;
    let exponents =
        (end..=format.max_exponent).step_by(step).chain(-70..=70).chain([format.min_exponent, format.max_exponent]);
    // A product in f64 would round subnormal numbers of f64 twice.
    exponents
        .flat_map(move |e| with_exponent(format, e.max(-1022)))
        .chain([1, 2, 3, 5].map(move |k| f64::from(k) * exp2(end)))
}

/// Second to tenth powers of integers, powers of ten, and both scaled by powers of two.
fn powers(format: Format) -> impl Iterator<Item = f64> {
    let largest = 2f64.powi(format.precision);
    let roots = (1..=40).chain([99, 1023, 1625, 4097, 46341, 94_906_265, 208_063]).map(f64::from);
    let powers = roots.flat_map(|k| (2..=10).map(move |n| k.powi(n)));
    let tens = (0..=22).map(|n| 10f64.powi(n));
    let whole = powers.filter(move |&v| v <= largest).chain(tens).collect::<Vec<f64>>();
    let scaled = whole.clone().into_iter().flat_map(|v| [-60, -24, -12, -6, -1, 1, 6, 12].map(|e| v * exp2(e)));
    whole.into_iter().chain(scaled)
}

/// Candidates for functions of one operand.
fn unary_candidates(format: Format) -> Vec<u64> {
    let step = if format == Format::F64 { 5 } else { 1 };
    let whole = (25..=400).map(f64::from);
    let around_one = (0..=4)
        .flat_map(|k| [1.0 - f64::from(k) * exp2(-format.precision), 1.0 + f64::from(k) * exp2(1 - format.precision)]);
    let numbers = few_bits().chain(whole).chain(around_one).chain(powers(format)).chain(magnitudes(format, step));
    let infinities = [format.infinity(), format.infinity() | format.sign_bit()];
    with_both_signs(format, numbers).into_iter().chain(infinities).collect()
}

/// Candidates for functions of two operands.
fn binary_candidates(f: Function, format: Format) -> Vec<[u64; 2]> {
    let step = if format == Format::F64 { 97 } else { 13 };
    let infinities = [format.infinity(), format.infinity() | format.sign_bit()];
    let few = with_both_signs(
        format,
        (0..=12).chain([16, 20, 27, 64, 125]).flat_map(|k| [1.0, 0.5, 0.125].map(|m| f64::from(k) * m)),
    );
    let many = with_both_signs(format, magnitudes(format, step).step_by(3).chain((13..=63).map(f64::from)));
    let few: Vec<u64> = few.into_iter().chain(infinities).collect();
    let mut all: Vec<[u64; 2]> = few.iter().flat_map(|&x| few.iter().map(move |&y| [x, y])).collect();
    all.extend(few.iter().flat_map(|&x| many.iter().flat_map(move |&y| [[x, y], [y, x]])));
    all.extend(many.iter().flat_map(|&x| [[x, x], [x, x ^ format.sign_bit()], [x, 0], [0, x]]));
    match f {
        Function::Hypot => all.extend(pythagorean_triples(format)),
        Function::Pow | Function::PowConstant => {
            let exponents = with_both_signs(format, [0.5, 0.25, 0.125, 1.5, 2.5, 0.75, 1.0, 2.0, 3.0, 4.0]);
            let bases = with_both_signs(format, powers(format));
            all.extend(bases.iter().flat_map(|&x| exponents.iter().map(move |&y| [x, y])));
        }
        _ => {}
    }
    all
}

/// The legs of right triangles with integer sides (Euclid's formula), scaled to several magnitudes, either leg first.
fn pythagorean_triples(format: Format) -> Vec<[u64; 2]> {
    let generators = (2..=30u32).flat_map(|m| (1..m).map(move |n| (f64::from(m), f64::from(n))));
    let largest = 2f64.powi(format.precision);
    let legs = generators.map(|(m, n)| (m * m - n * n, 2.0 * m * n)).filter(move |&(a, b)| a.max(b) <= largest);
    let scales = [0, 3, -7, format.max_exponent - 12, format.min_exponent + 4, format.min_exponent - 3];
    let scaled =
        legs.flat_map(move |(a, b)| scales.map(|e| [format.from_f64(a * exp2(e)), format.from_f64(b * exp2(e))]));
    scaled.flat_map(|[a, b]| [[a, b], [b | format.sign_bit(), a]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates include well-known identities of every kind.
    #[test]
    fn known_identities_are_found() {
        let one = [
            (Function::Cos, 0.0, 1.0),
            (Function::Sigmoid, 0.0, 0.5),
            (Function::Sin, exp2(-40), exp2(-40)),
            (Function::Sigmoid, exp2(-30), 0.5 + exp2(-32)),
            (Function::Exp2, 10.0, 1024.0),
            (Function::Exp10, 5.0, 1e5),
            (Function::Log10, 1e22, 22.0),
            (Function::Cbrt, 343.0, 7.0),
            (Function::Rsqrt, 0.0625, 4.0),
            (Function::Tanh, 64.0, 1.0),
            (Function::Erfc, 0.0, 1.0),
        ];
        for (f, x, y) in one {
            let found = representable_inputs(Format::F64, f);
            assert!(found.contains(&[x.to_bits(), 0]), "{f}({x:e}) is not among {} inputs", found.len());
            assert_eq!(f64::from_bits(correctly_rounded(Format::F64, f, x.to_bits(), 0)), y, "{f}({x:e})");
        }
        let two = [
            (Function::Pow, 3.0, 4.0, 81.0),
            (Function::Hypot, 3.0, 4.0, 5.0),
            (Function::Atan2, 0.0, 1.0, 0.0),
            (Function::LogAddExp2, 3.0, 3.0, 4.0),
        ];
        for (f, x, y, r) in two {
            let found = representable_inputs(Format::F32, f);
            let bits = |v: f64| Format::F32.from_f64(v);
            assert!(found.contains(&[bits(x), bits(y)]), "{f}({x}, {y}) is not among {} inputs", found.len());
            assert_eq!(correctly_rounded(Format::F32, f, bits(x), bits(y)), bits(r), "{f}({x}, {y})");
        }
    }
}
