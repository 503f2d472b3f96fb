//! Inputs: random numbers of a range, and the edges that every function has to survive.

use super::float::Float;

/// SplitMix64: the same inputs on every machine.
pub(crate) struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A range of one operand, or a pair of ranges.
pub(crate) trait Range: Copy {
    /// A random pair of operands in the range; the second is 0 for functions of one operand.
    fn sample<C: Float>(self, random: &mut Random) -> [C; 2];
}

impl Range for [f64; 2] {
    fn sample<C: Float>(self, random: &mut Random) -> [C; 2] {
        [number(self, random), C::ZERO]
    }
}

impl Range for [[f64; 2]; 2] {
    fn sample<C: Float>(self, random: &mut Random) -> [C; 2] {
        self.map(|range| number(range, random))
    }
}

/// A random number between two finite ones: uniform in value or, as often, uniform in its bits, which gives every
/// magnitude.
fn number<C: Float>([low, high]: [f64; 2], random: &mut Random) -> C {
    let (first, last) = (order(C::from_f64(low)), order(C::from_f64(high)));
    let steps = i128::from(last) - i128::from(first);
    if random.bits() & 1 == 0 {
        let v = C::from_f64(low + (high - low) * random.unit());
        return at(order(v).clamp(first, last));
    }
    at((i128::from(first) + (random.unit() * steps as f64) as i128) as i64)
}

/// The position of a float among all floats in increasing order; both zeros are at 0.
pub(crate) fn order<C: Float>(v: C) -> i64 {
    let magnitude = (v.to_bits() & !C::FORMAT.sign_bit()) as i64;
    if v.to_bits() & C::FORMAT.sign_bit() == 0 { magnitude } else { -magnitude }
}

/// The float at a position.
pub(crate) fn at<C: Float>(position: i64) -> C {
    C::from_bits(position.unsigned_abs() | if position < 0 { C::FORMAT.sign_bit() } else { 0 })
}

/// `count` random inputs from each range.
pub(crate) fn samples<C: Float, R: Range>(ranges: &[R], count: usize, seed: u64) -> Vec<[C; 2]> {
    let mut random = Random(seed);
    ranges.iter().flat_map(|range| (0..count).map(|_| range.sample(&mut random)).collect::<Vec<_>>()).collect()
}

/// Zeros, subnormal and smallest normal numbers, ones, the largest number, infinities, NaN.
pub(crate) fn edges<C: Float>() -> Vec<C> {
    let one = order(C::from_f64(1.0));
    let smallest_normal = 1i64 << (C::FORMAT.precision - 1);
    let infinity = C::FORMAT.infinity() as i64;
    let positions = [0, 1, 3, smallest_normal - 1, smallest_normal, one, infinity / 4, infinity - 1, infinity];
    let edges = positions.into_iter().flat_map(|p| [at(p), C::from_bits(p as u64 | C::FORMAT.sign_bit())]);
    edges.chain([C::from_f64(f64::NAN)]).collect()
}
