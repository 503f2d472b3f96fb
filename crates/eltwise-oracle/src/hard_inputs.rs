//! The `f64` inputs of `hard_inputs.txt`, which `tools/oracle/hard.py` writes. See [`hard_inputs`].

use crate::function::Function;

/// The `f64` inputs at which a function is hard to compute: ends of argument ranges, and hard-to-round inputs, whose
/// exact values are close to the midpoint of two numbers. The second operand is 0 for functions of one.
pub fn hard_inputs(f: Function) -> impl Iterator<Item = (f64, f64)> {
    let lines = include_str!("hard_inputs.txt").lines();
    lines.filter_map(move |line| {
        let mut words = line.split(' ');
        let bits = |word: &str| u64::from_str_radix(word, 16).unwrap_or(0);
        let (name, x, y) = (words.next()?, words.next()?, words.next()?);
        (name == f.name()).then(|| (f64::from_bits(bits(x)), f64::from_bits(bits(y))))
    })
}
