//! The inputs that a function is tried at.

use std::ops::Range;

use eltwise::DType;
use eltwise_oracle::{Format, Function, exact_inputs, hard_inputs};

use super::borders;
use super::job::format_of;

/// Bits of the operands; the second is 0 for functions of one.
pub(crate) type Point = [u64; 2];

/// Inputs by number: some that are written down, then a sweep.
pub(crate) struct Inputs {
    format: Format,
    fixed: Vec<Point>,
    sweep: Sweep,
    count: u64,
}

/// What follows the inputs that are written down.
pub(crate) enum Sweep {
    /// Of one operand: bits `first`, `first + stride` ...
    Bits { first: u64, stride: u64 },
    /// Of two 16-bit operands: all pairs from `first` on.
    Pairs { first: u64 },
    /// Random numbers of several kinds. `range`: where a function of one operand is neither trivial nor constant.
    Samples { two: bool, range: (f64, f64) },
}

impl Inputs {
    /// What a function of a dtype is tried at; `quick`: a small part that still reaches every range.
    pub(crate) fn of(function: Function, dtype: DType, quick: bool) -> Inputs {
        let format = format_of(dtype);
        let two = function.arity() == 2;
        let all = 1u64 << format.width().min(32);
        let mut fixed = borders::points(function, format);
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
                (Sweep::Samples { two, range: borders::range(function) }, 1 << power)
            }
        };
        if dtype == DType::F64 {
            fixed.extend(hard(function));
        }
        Inputs { format, fixed, sweep, count }
    }

    /// The same, and inputs whose exact value is a number of the dtype, where not all are tried anyway.
    pub(crate) fn with_exact(mut self, function: Function) -> Inputs {
        if !self.fixed.is_empty() {
            self.fixed.extend(exact_inputs(self.format, function));
        }
        self
    }

    /// A part of a sweep by itself.
    #[cfg(test)]
    pub(crate) fn part(dtype: DType, sweep: Sweep, count: u64) -> Inputs {
        Inputs { format: format_of(dtype), fixed: Vec::new(), sweep, count }
    }

    /// How many inputs there are.
    pub(crate) fn len(&self) -> u64 {
        self.fixed.len() as u64 + self.count
    }

    /// Makes `points` the inputs of these numbers.
    pub(crate) fn fill(&self, numbers: Range<u64>, points: &mut Vec<Point>) {
        points.clear();
        match self.sweep {
            // Most of what is tried: without asking input by input what it is.
            Sweep::Bits { first, stride } if self.fixed.is_empty() => {
                points.extend(numbers.map(|i| self.swept(first, stride, i)));
            }
            _ => points.extend(numbers.map(|i| self.get(i))),
        }
    }

    /// Input `i` of a sweep over bits.
    #[inline]
    fn swept(&self, first: u64, stride: u64, i: u64) -> Point {
        [(first + i * stride) & (self.format.sign() << 1).wrapping_sub(1), 0]
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

/// The oracle's hard inputs and three neighbours on each side.
fn hard(function: Function) -> impl Iterator<Item = Point> {
    hard_inputs(function).flat_map(move |(x, y)| {
        let beside =
            move |d: i64| [x.to_bits().wrapping_add_signed(d), if function.arity() == 2 { y.to_bits() } else { 0 }];
        (-3..=3).map(beside)
    })
}

/// Steele, Lea and Flood 2014: one number of a sequence, by its place.
fn random(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A quarter any bits; a quarter of every magnitude that is common; a quarter even over the range; a quarter with few bits set
/// or, of two operands, close to each other.
fn sample(format: Format, two: bool, range: (f64, f64), i: u64) -> Point {
    let [a, b, c] = [random(3 * i), random(3 * i + 1), random(3 * i + 2)];
    let mask = (format.sign() << 1).wrapping_sub(1);
    let fraction = |r: u64| (r >> 11) as f64 / (1u64 << 53) as f64;
    let common = |r: u64, e: u64| {
        let e = (format.max - 40 + (e % 52) as i32).clamp(0, 2 * format.max);
        r & mask & !format.infinity() | (e as u64) << (format.precision - 1)
    };
    let even = |r: u64| format.nearest(range.0 + (range.1 - range.0) * fraction(r));
    let few = |r: u64, e: u64| {
        let cleared = (format.precision - 1 - (e >> 8 & 0xffff) as i32 % 12).max(0);
        common(r & !((1 << cleared) - 1), e >> 16)
    };
    let x = match i % 4 {
        0 => a & mask,
        1 => common(a, b),
        2 => even(a),
        _ => few(a, b),
    };
    if !two {
        return [x, 0];
    }
    let y = match (i % 4, i / 4 % 4) {
        (0, 0) => c & mask,
        (_, 0) | (0, _) => common(c, c >> 40),
        (_, 1) => even(c),
        (_, 2) => few(c, c >> 32),
        // Some units of the last place away, and for half of them of the other sign.
        _ => (x.wrapping_add(c % 64).wrapping_sub(32) ^ ((c >> 32 & 1) * format.sign())) & mask,
    };
    [x, y]
}
