//! Limits of the kernels that permute an operand in registers. The planner and the kernels must agree on them.

/// The largest number of vectors of a repeated row. A row that is not whole vectors counts with the repeats that make
/// it whole.
pub const MAX_REPEATED_VECTORS: usize = 24;
/// The largest number of vectors of a repeated row that a kernel keeps in registers while it writes the output in
/// order.
pub const MAX_VECTORS_IN_REGISTERS: usize = 6;

/// The smallest number of repeats of a cycle of `vectors` vectors for which the kernel permutes each vector once for
/// all repeats instead of once per repeat. `size` is the size of an element in bytes; elements of 2 bytes may be
/// converted at the same time.
pub const fn min_repeats(size: usize, vectors: usize) -> usize {
    match (size, vectors) {
        (2, _) => 2,
        (_, 2..8) => 8,
        _ => 4,
    }
}
