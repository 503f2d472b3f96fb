//! The loops over memory of the STREAM benchmark: what each reads and writes.

/// A loop over memory, as in the STREAM benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Traffic {
    /// Writes one value.
    Fill,
    /// `y = x`.
    Copy,
    /// `z = x + y`.
    Add,
    /// The sum of `x`.
    Read,
}

impl Traffic {
    /// Every loop, by decreasing share of writes.
    pub(crate) const ALL: [Traffic; 4] = [Traffic::Fill, Traffic::Copy, Traffic::Add, Traffic::Read];

    /// The numbers of arrays read and written.
    pub(crate) fn arrays(self) -> (usize, usize) {
        match self {
            Traffic::Fill => (0, 1),
            Traffic::Copy => (1, 1),
            Traffic::Add => (2, 1),
            Traffic::Read => (1, 0),
        }
    }

    /// The share of writes in the bytes moved.
    pub(crate) fn share_of_writes(self) -> f64 {
        let (reads, writes) = self.arrays();
        writes as f64 / (reads + writes) as f64
    }
}

/// The arrays of a loop. Those that it uses have one length, a multiple of 1024 bytes; the others are empty.
pub(crate) struct LoopArrays<'a> {
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
    pub(crate) out: &'a mut [f32],
}
