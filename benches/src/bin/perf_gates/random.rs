//! Random operands: [`bits`].

/// The next 64 random bits of a linear congruential generator with the constants of Knuth's MMIX. The lower bits of its
/// state have short periods, so the upper bits are folded into them.
pub(crate) fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state ^ *state >> 29
}
