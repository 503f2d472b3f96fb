//! Constants that several functions of `f64` share.

/// 2^n, for `n` from -1022 to 1023.
pub(crate) const fn two_to(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// 1.5 * 2^48: adding it rounds a number to a multiple of 1/16 and leaves the count in the lowest bits.
pub(crate) const SIXTEENTHS: f64 = (3u64 << 47) as f64;

/// 2^-200. Functions compute with arguments of at least this size, so that no product is subnormal, and handle smaller
/// arguments in a rare branch.
pub(crate) const TINY: f64 = two_to(-200);

/// log 2 as a sum of two floats.
pub(crate) const LN2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ef), // 0.6931471805599453
    f64::from_bits(0x3c7a_bc9e_3b39_803f), // 2.3190468138462996e-17
];
