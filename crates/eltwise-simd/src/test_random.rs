//! Random bits for the tests of this crate, which depends on no crate with a generator.

/// The next state of a linear congruential generator with the constants of Knuth's MMIX. Its upper bits are random; the
/// lower bits have short periods.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state
}
