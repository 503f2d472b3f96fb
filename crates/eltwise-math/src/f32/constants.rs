//! Constants that several functions of `f32` share.

/// 2^n, for `n` from -126 to 127.
pub(crate) const fn two_to(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

/// 1.5 * 2^23: adding and subtracting it rounds numbers below 2^22 to integers. After the addition, the integer is in
/// the lowest bits.
pub(crate) const ROUND: f32 = 12_582_912.0;

/// 1.5 * 2^52: the same in `f64` lanes, for numbers below 2^51.
pub(crate) const ROUND_WIDE: f64 = 6_755_399_441_055_744.0;

/// Floats from their bits.
pub(super) const fn floats_from_bits(bits: [u32; 16]) -> [f32; 16] {
    let mut out = [0.0; 16];
    let mut k = 0;
    while k < 16 {
        out[k] = f32::from_bits(bits[k]);
        k += 1;
    }
    out
}
