//! Hard inputs.

use crate::function::Function;

/// The hard `f64` inputs of a function: borders of ranges, and inputs whose values come close to the middle between two numbers. The
/// second operand is 0 for functions of one.
pub fn hard_inputs(f: Function) -> impl Iterator<Item = (f64, f64)> {
    let lines = include_str!("../tests/hard.txt").lines();
    lines.filter_map(move |line| {
        let mut words = line.split(' ');
        let bits = |word: &str| u64::from_str_radix(word, 16).unwrap_or(0);
        let (name, x, y) = (words.next()?, words.next()?, words.next()?);
        (name == f.name()).then(|| (f64::from_bits(bits(x)), f64::from_bits(bits(y))))
    })
}
