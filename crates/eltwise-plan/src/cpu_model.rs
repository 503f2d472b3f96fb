//! Facts of CPUs that decide what is fast: one row per microarchitecture. No bit of a result depends on them.
//!
//! [`CpuModel`] is one row. The engine reads the host once and starts from the row of its microarchitecture; a caller may
//! plan for a CPU other than the host.

/// Facts of a microarchitecture.
///
/// | fact | measured by |
/// |---|---|
/// | cache sizes | reported by the system |
/// | `double_pumped_512` | `layouts --size dram --isa avx512` against `--isa avx2` |
/// | `non_temporal_block`, `prefetch_nta` | `perf_gates memory`, with each block size built in turn |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuModel {
    /// Bytes of a core's first-level data cache.
    pub l1: usize,
    /// Bytes of a core's second-level cache.
    pub l2: usize,
    /// Bytes of the last-level cache that one core can fill.
    pub llc: usize,
    /// Whether 512-bit operations take two passes through 256-bit units. Vectors of 32 bytes are then faster beyond the
    /// second-level cache and for sums of f16, and non-temporal stores pay off for more runs.
    pub double_pumped_512: bool,
    /// Bytes that a kernel writes to scratch before they are copied out by non-temporal stores.
    pub non_temporal_block: usize,
    /// Whether data that is read once is prefetched with `prefetchnta` instead of `prefetcht0`.
    pub prefetch_nta: bool,
}

impl CpuModel {
    /// Intel's cores since Ice Lake, and CPUs that nobody measured. Blocks of 4 KiB take 1.04 to 1.06 times as long as the
    /// best loop, blocks of 1 KiB 1.12 (Sapphire Rapids, 64 MiB of f32 `add`). `prefetchnta` takes 1.1 to 2.4 times as long.
    pub const GENERIC: CpuModel = CpuModel {
        l1: 48 << 10,
        l2: 1 << 20,
        llc: 16 << 20,
        double_pumped_512: false,
        non_temporal_block: 4 << 10,
        prefetch_nta: false,
    };
    /// AMD Zen 2 and Zen 3.
    pub const ZEN3: CpuModel = CpuModel { l1: 32 << 10, l2: 512 << 10, llc: 32 << 20, ..CpuModel::ZEN5 };
    /// AMD Zen 4. Compared with blocks of 1 KiB, blocks of 512 bytes take 1.07 (`a + b`), 1.1 (`abs(a)`) and 1.28 (an outer
    /// product) times as long, blocks of 2 KiB 1.1, 0.97 and 0.98.
    pub const ZEN4: CpuModel = CpuModel {
        l1: 32 << 10,
        l2: 1 << 20,
        llc: 32 << 20,
        double_pumped_512: true,
        non_temporal_block: 1 << 10,
        prefetch_nta: true,
    };
    /// AMD Zen 5, with 512-bit units. Blocks of 512 bytes take 1.0 to 1.05 times as long as the best loop.
    pub const ZEN5: CpuModel =
        CpuModel { l1: 48 << 10, double_pumped_512: false, non_temporal_block: 512, ..CpuModel::ZEN4 };
}

impl Default for CpuModel {
    /// [`CpuModel::GENERIC`], the same on every host.
    fn default() -> CpuModel {
        CpuModel::GENERIC
    }
}
