//! Exact inputs: those whose exact result is a number of the format, or next to nothing from one.
//!
//! Candidates are numbers of few bits, powers, roots' arguments, whole triangles, and numbers of every magnitude, for what a function
//! is near 0 and far out. The exact value says which of them count, so no list of identities can be wrong or forget one.

use crate::correct::correct;
use crate::function::Function;
use crate::ulp::ulp_error;
use crate::wide::{Format, exp2};

/// In ULP. If the exact value is within `NEAR` of a number, a result with an error below 1 - `NEAR` must be that number.
const NEAR: f64 = 1.0 / (1 << 12) as f64;

/// Whether the exact value at an input is a number of the format, or within 1/4096 ULP of one, so that every tier has to return that number.
/// Operands are bits of `format`; the second is 0 for functions of one. A result that is NaN is none.
pub fn is_nearly_exact(format: Format, f: Function, x: u64, y: u64) -> bool {
    let right = correct(format, f, x, y);
    right & !format.sign() <= format.infinity() && ulp_error(format, right, f, x, y) <= NEAR
}

/// Inputs of a function that are [nearly exact](is_nearly_exact), as bits of `format`; the second operand is 0 for functions of one.
pub fn exact_inputs(format: Format, f: Function) -> Vec<[u64; 2]> {
    let mut points: Vec<[u64; 2]> = match f.arity() {
        1 => singles(format).into_iter().map(|x| [x, 0]).collect(),
        _ => pairs(f, format),
    };
    points.sort_unstable();
    points.dedup();
    points.retain(|&[x, y]| is_nearly_exact(format, f, x, y));
    points
}

/// Numbers as bits of `format`, with both signs; none that rounding made infinite.
fn signed(format: Format, numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    let bits = numbers.into_iter().map(|v| format.nearest(v)).filter(|&bits| bits < format.infinity());
    bits.flat_map(|bits| [bits, bits | format.sign()]).collect()
}

/// Zero, infinity, and numbers of few bits around 1.
fn short() -> impl Iterator<Item = f64> {
    let fractions = (0..=6).flat_map(|j| (1..=24).map(move |k| f64::from(k) * exp2(-j)));
    [0.0, 100.0, 127.0, 255.0, 256.0, 1000.0].into_iter().chain(fractions)
}

/// A number whose exponent is `e`, with each of some fractions: none, one bit, the last bit, all bits, and some.
fn of_exponent(format: Format, e: i32) -> [f64; 5] {
    let last = exp2(1 - format.precision);
    [1.0, 1.5, 1.0 + last, 2.0 - last, 1.0 + (0.618_033_988 * f64::from(e)).rem_euclid(1.0)].map(|m| m * exp2(e))
}

/// Numbers of every magnitude, from the smallest one on.
fn magnitudes(format: Format, step: usize) -> impl Iterator<Item = f64> {
    let end = format.min - format.precision + 1;
    let exponents = (end..=format.max).step_by(step).chain(-70..=70).chain([format.min, format.max]);
    // Of subnormal numbers of f64 a product would round twice.
    exponents
        .flat_map(move |e| of_exponent(format, e.max(-1022)))
        .chain([1, 2, 3, 5].map(move |k| f64::from(k) * exp2(end)))
}

/// Squares, cubes and their like, and powers of ten, and all these from 1 down.
fn powers(format: Format) -> impl Iterator<Item = f64> {
    let largest = 2f64.powi(format.precision);
    let roots = (1..=40).chain([99, 1023, 1625, 4097, 46341, 94_906_265, 208_063]).map(f64::from);
    let powers = roots.flat_map(|k| (2..=10).map(move |n| k.powi(n)));
    let tens = (0..=22).map(|n| 10f64.powi(n));
    let whole = powers.filter(move |&v| v <= largest).chain(tens).collect::<Vec<f64>>();
    let scaled = whole.clone().into_iter().flat_map(|v| [-60, -24, -12, -6, -1, 1, 6, 12].map(|e| v * exp2(e)));
    whole.into_iter().chain(scaled)
}

/// The candidates of functions of one operand.
fn singles(format: Format) -> Vec<u64> {
    let step = if format == Format::F64 { 5 } else { 1 };
    let whole = (25..=400).map(f64::from);
    let beside_one = (0..=4)
        .flat_map(|k| [1.0 - f64::from(k) * exp2(-format.precision), 1.0 + f64::from(k) * exp2(1 - format.precision)]);
    let numbers = short().chain(whole).chain(beside_one).chain(powers(format)).chain(magnitudes(format, step));
    let infinities = [format.infinity(), format.infinity() | format.sign()];
    signed(format, numbers).into_iter().chain(infinities).collect()
}

/// The candidates of functions of two.
fn pairs(f: Function, format: Format) -> Vec<[u64; 2]> {
    let step = if format == Format::F64 { 97 } else { 13 };
    let infinities = [format.infinity(), format.infinity() | format.sign()];
    let few =
        signed(format, (0..=12).chain([16, 20, 27, 64, 125]).flat_map(|k| [1.0, 0.5, 0.125].map(|m| f64::from(k) * m)));
    let many = signed(format, magnitudes(format, step).step_by(3).chain((13..=63).map(f64::from)));
    let few: Vec<u64> = few.into_iter().chain(infinities).collect();
    let mut all: Vec<[u64; 2]> = few.iter().flat_map(|&x| few.iter().map(move |&y| [x, y])).collect();
    all.extend(few.iter().flat_map(|&x| many.iter().flat_map(move |&y| [[x, y], [y, x]])));
    all.extend(many.iter().flat_map(|&x| [[x, x], [x, x ^ format.sign()], [x, 0], [0, x]]));
    match f {
        Function::Hypot => all.extend(triangles(format)),
        Function::Pow => {
            let exponents = signed(format, [0.5, 0.25, 0.125, 1.5, 2.5, 0.75, 1.0, 2.0, 3.0, 4.0]);
            let bases = signed(format, powers(format));
            all.extend(bases.iter().flat_map(|&x| exponents.iter().map(move |&y| [x, y])));
        }
        _ => {}
    }
    all
}

/// Right triangles of whole sides (Euclid), of several sizes, either side first.
fn triangles(format: Format) -> Vec<[u64; 2]> {
    let sides = (2..=30u32).flat_map(|m| (1..m).map(move |n| (f64::from(m), f64::from(n))));
    let largest = 2f64.powi(format.precision);
    let legs = sides.map(|(m, n)| (m * m - n * n, 2.0 * m * n)).filter(move |&(a, b)| a.max(b) <= largest);
    let sizes = [0, 3, -7, format.max - 12, format.min + 4, format.min - 3];
    let sized = legs.flat_map(move |(a, b)| sizes.map(|e| [format.nearest(a * exp2(e)), format.nearest(b * exp2(e))]));
    sized.flat_map(|[a, b]| [[a, b], [b | format.sign(), a]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has to be among them: identities of each kind.
    #[test]
    fn identities_are_exact_inputs() {
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
            let found = exact_inputs(Format::F64, f);
            assert!(found.contains(&[x.to_bits(), 0]), "{f}({x:e}) is not among {} inputs", found.len());
            assert_eq!(f64::from_bits(correct(Format::F64, f, x.to_bits(), 0)), y, "{f}({x:e})");
        }
        let two = [
            (Function::Pow, 3.0, 4.0, 81.0),
            (Function::Hypot, 3.0, 4.0, 5.0),
            (Function::Atan2, 0.0, 1.0, 0.0),
            (Function::Logaddexp2, 3.0, 3.0, 4.0),
        ];
        for (f, x, y, r) in two {
            let found = exact_inputs(Format::F32, f);
            let bits = |v: f64| Format::F32.nearest(v);
            assert!(found.contains(&[bits(x), bits(y)]), "{f}({x}, {y}) is not among {} inputs", found.len());
            assert_eq!(correct(Format::F32, f, bits(x), bits(y)), bits(r), "{f}({x}, {y})");
        }
    }
}
