//! The inputs of a verification. [`Inputs::of`] chooses them by function and dtype.

use std::ops::Range;

use eltwise::DType;
use eltwise_oracle::{Format, Function, hard_inputs, representable_inputs};

use super::boundary_inputs;
use super::job::{Point, format_of};

/// The number of inputs in a block. The inputs and results of a block fit in the L2 cache.
pub(crate) const BLOCK: usize = 1 << 13;

/// A numbered sequence of inputs: a list of fixed points, then a sweep.
pub(crate) struct Inputs {
    format: Format,
    fixed: Vec<Point>,
    sweep: Sweep,
    count: u64,
}

/// The inputs after the fixed points.
pub(crate) enum Sweep {
    /// One operand with the bits `first`, `first + stride`, `first + 2 * stride` ...
    Bits { first: u64, stride: u64 },
    /// Consecutive pairs of 16-bit operands, from the pair with the bits `first`.
    Pairs { first: u64 },
    /// Random numbers of several distributions; see [`sample`]. `range` comes from
    /// [`boundary_inputs::interesting_range`].
    Samples { two: bool, range: (f64, f64) },
}

impl Inputs {
    /// The inputs for a function and dtype. `quick` selects a small part that still covers every range.
    pub(crate) fn of(function: Function, dtype: DType, quick: bool) -> Inputs {
        let format = format_of(dtype);
        let two = function.arity() == 2;
        let all = 1u64 << format.width().min(32);
        let mut fixed = boundary_inputs::points(function, format);
        let (sweep, count) = match (dtype, two) {
            (DType::F32, false) if quick => (Sweep::Bits { first: 0, stride: 4099 }, all / 4099 + 1),
            (DType::F32 | DType::F16 | DType::BF16, false) => {
                fixed.clear();
                (Sweep::Bits { first: 0, stride: 1 }, all)
            }
            (DType::F16 | DType::BF16, true) if !quick => {
                fixed.clear();
                (Sweep::Pairs { first: 0 }, 1 << 32)
            }
            _ => {
                let power = match (quick, dtype) {
                    (true, _) => 16,
                    (false, DType::F32) => 30,
                    (false, _) => 28,
                };
                (Sweep::Samples { two, range: boundary_inputs::interesting_range(function) }, 1 << power)
            }
        };
        if dtype == DType::F64 {
            fixed.extend(hard(function));
        }
        Inputs { format, fixed, sweep, count }
    }

    /// Adds inputs whose exact result is representable in the dtype, unless the inputs are exhaustive.
    pub(crate) fn with_exact(mut self, function: Function) -> Inputs {
        if !self.fixed.is_empty() {
            self.fixed.extend(representable_inputs(self.format, function));
        }
        self
    }

    /// A sweep without fixed points.
    #[cfg(test)]
    pub(crate) fn part(dtype: DType, sweep: Sweep, count: u64) -> Inputs {
        Inputs { format: format_of(dtype), fixed: Vec::new(), sweep, count }
    }

    /// The number of inputs.
    pub(crate) fn len(&self) -> u64 {
        self.fixed.len() as u64 + self.count
    }

    /// Fills `points` with the inputs of these numbers.
    pub(crate) fn fill(&self, numbers: Range<u64>, points: &mut Vec<Point>) {
        points.clear();
        match self.sweep {
            // The exhaustive sweeps, without a branch per input.
            Sweep::Bits { first, stride } if self.fixed.is_empty() => {
                points.extend(numbers.map(|i| self.swept(first, stride, i)));
            }
            _ => points.extend(numbers.map(|i| self.get(i))),
        }
    }

    /// Input `i` of a sweep over bits.
    #[inline]
    fn swept(&self, first: u64, stride: u64, i: u64) -> Point {
        [(first + i * stride) & (self.format.sign_bit() << 1).wrapping_sub(1), 0]
    }

    /// Input `i`.
    pub(crate) fn get(&self, i: u64) -> Point {
        if let Some(&point) = self.fixed.get(usize::try_from(i).unwrap_or(usize::MAX)) {
            return point;
        }
        let i = i - self.fixed.len() as u64;
        match self.sweep {
            Sweep::Bits { first, stride } => self.swept(first, stride, i),
            Sweep::Pairs { first } => [(first + i) >> 16 & 0xffff, (first + i) & 0xffff],
            Sweep::Samples { two, range } => sample(self.format, two, range, i),
        }
    }
}

/// The hard inputs of the oracle, with three neighbours on each side.
fn hard(function: Function) -> impl Iterator<Item = Point> {
    hard_inputs(function).flat_map(move |(x, y)| {
        let neighbour =
            move |d: i64| [x.to_bits().wrapping_add_signed(d), if function.arity() == 2 { y.to_bits() } else { 0 }];
        (-3..=3).map(neighbour)
    })
}

/// Random number `i` of the SplitMix64 sequence (Steele, Lea and Flood 2014).
fn random(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Random input `i`. A quarter of the inputs have random bits, a quarter a common magnitude, a quarter are uniform in the
/// range, and a quarter have few bits set in the fraction. Some second operands are close to the first.
fn sample(format: Format, two: bool, range: (f64, f64), i: u64) -> Point {
    let [a, b, c] = [random(3 * i), random(3 * i + 1), random(3 * i + 2)];
    let mask = (format.sign_bit() << 1).wrapping_sub(1);
    let fraction = |r: u64| (r >> 11) as f64 / (1u64 << 53) as f64;
    let common = |r: u64, e: u64| {
        let e = (format.max_exponent - 40 + (e % 52) as i32).clamp(0, 2 * format.max_exponent);
        r & mask & !format.infinity() | (e as u64) << (format.precision - 1)
    };
    let uniform = |r: u64| format.from_f64(range.0 + (range.1 - range.0) * fraction(r));
    let few_bits = |r: u64, e: u64| {
        let cleared = (format.precision - 1 - (e >> 8 & 0xffff) as i32 % 12).max(0);
        common(r & !((1 << cleared) - 1), e >> 16)
    };
    let x = match i % 4 {
        0 => a & mask,
        1 => common(a, b),
        2 => uniform(a),
        _ => few_bits(a, b),
    };
    if !two {
        return [x, 0];
    }
    let y = match (i % 4, i / 4 % 4) {
        (0, 0) => c & mask,
        (_, 0) | (0, _) => common(c, c >> 40),
        (_, 1) => uniform(c),
        (_, 2) => few_bits(c, c >> 32),
        // At most 32 ULP from the first operand, and for half of them with the opposite sign.
        _ => (x.wrapping_add(c % 64).wrapping_sub(32) ^ ((c >> 32 & 1) * format.sign_bit())) & mask,
    };
    [x, y]
}
