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
/// | `copies`, `tiles` | `just fit-cost`; so far for Zen 3, the other rows say how |
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
    /// The costs of copies between layouts.
    pub copies: CopyCosts,
    /// The costs of kernel calls, unit kernels and memory.
    pub tiles: TileCosts,
}

/// The time of copies between layouts, in picoseconds, with all operands in the first-level cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyCosts {
    /// A call of a layout kernel.
    pub call: u32,
    /// A run of at most 32 bytes; of at most 64; each 64 bytes of a longer one.
    pub run: [u32; 3],
    /// An element that is copied alone.
    pub element: u32,
    /// 64 bytes that are permuted from one window of 64 bytes; each window more.
    pub permute_64: [u32; 2],
    /// The same, with windows of 16 bytes.
    pub permute_16: [u32; 2],
    /// A row of units that are permuted.
    pub permute_row: u32,
    /// As `permute_64`, of units of one vector, whose indices stay in registers.
    pub vector_64: [u32; 2],
    /// The same, with windows of 16 bytes.
    pub vector_16: [u32; 2],
    /// 16 bytes of each row of a block, transposed: elements of 1, 2, 4 and 8 bytes, by vectors of up to two blocks and of four.
    pub transpose: [[u32; 4]; 2],
    /// A row of a block.
    pub transpose_row: u32,
}

/// The time of kernel calls over tiles, and of their memory, in picoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileCosts {
    /// The overhead of a tile, without its calls.
    pub tile: u32,
    /// A kernel call.
    pub call: u32,
    /// A row of units of a unit kernel; a unit of several vectors; a vector that is computed alone: of units without a loop of their
    /// own, or the last ones of a row of units that are shorter.
    pub unit_row: [u32; 3],
    /// 64 bytes of a unit kernel whose operands are not permuted.
    pub unit_vector: u32,
    /// 64 bytes of an operand that is permuted from one window of 64 bytes, and each window more: in units of one vector, in others.
    pub unit_64: [[u32; 2]; 2],
    /// The same, with windows of 16 bytes.
    pub unit_16: [[u32; 2]; 2],
    /// An index vector of 64 bytes when the plan is made: elements of 1, 2, 4 and 8 bytes.
    pub index: [u32; 4],
    /// A row of a call; more if it is shorter than 32 bytes; more if it is not whole vectors.
    pub row: [u32; 3],
    /// 64 bytes of a row, by the cheapest operators.
    pub vector: u32,
    /// 64 bytes of scratch that left the first level before they are read.
    pub far_scratch: u32,
    /// The time of an operand's memory in percent of `run` and `line`, if it is packed: reading does not overlap with computing.
    pub packed_memory: [u32; 3],
    /// A run of memory, and each of its lines, if all operands fit the second level, the last level, neither.
    pub run: [u32; 3],
    /// See `run`.
    pub line: [u32; 3],
}

impl TileCosts {
    /// Zen 3 at 3.6 GHz, without vectors of 64 bytes: `just fit-cost`.
    pub const ZEN3: TileCosts = TileCosts {
        tile: 90_000,
        call: 21_500,
        unit_row: [4500, 1000, 4500],
        unit_vector: 2100,
        unit_16: [[350, 2200], [1600, 2400]],
        row: [7300, 800, 5800],
        vector: 1430,
        far_scratch: 660,
        packed_memory: [86, 80, 115],
        run: [610, 1140, 2300],
        line: [690, 890, 6800],
        ..TileCosts::ZEN5
    };
    /// Emerald Rapids at 3 GHz: single calls in the first-level cache. The times of memory are Zen 4's.
    pub const SAPPHIRE_RAPIDS: TileCosts = TileCosts {
        tile: 15_000,
        call: 7000,
        unit_row: [3000, 700, 2500],
        unit_vector: 700,
        unit_64: [[160, 380], [630, 500]],
        unit_16: [[340, 700], [900, 1000]],
        ..TileCosts::ZEN4
    };
    /// Estimates for Neoverse V1 and V2 at 2.6 GHz, from the throughput of `tbl`, `ldr` and `str`. Nobody measured them.
    pub const NEOVERSE: TileCosts = TileCosts {
        tile: 30_000,
        call: 10_000,
        unit_row: [4000, 1000, 3500],
        unit_vector: 1400,
        unit_16: [[1000, 2000], [1600, 2400]],
        row: [3000, 900, 2500],
        vector: 1400,
        ..TileCosts::ZEN4
    };
    /// Zen 5 at 4 GHz.
    pub const ZEN5: TileCosts = TileCosts {
        tile: 20_000,
        call: 8000,
        unit_row: [3000, 700, 2200],
        unit_vector: 450,
        unit_64: [[200, 220], [420, 320]],
        unit_16: [[340, 660], [900, 1000]],
        ..TileCosts::ZEN4
    };
    /// Zen 4 at 3.6 GHz.
    pub const ZEN4: TileCosts = TileCosts {
        tile: 7000,
        call: 6000,
        unit_row: [3000, 700, 2200],
        unit_vector: 600,
        unit_64: [[300, 350], [550, 400]],
        unit_16: [[400, 700], [900, 1000]],
        index: [50_000, 32_000, 20_000, 14_000],
        row: [1500, 800, 1500],
        vector: 780,
        far_scratch: 600,
        packed_memory: [100, 120, 160],
        run: [500, 2000, 6000],
        line: [370, 650, 2200],
    };
}

impl CopyCosts {
    /// Zen 3 at 3.6 GHz, without vectors of 64 bytes: `just fit-cost`.
    pub const ZEN3: CopyCosts = CopyCosts {
        call: 35_000,
        run: [1300, 1900, 1700],
        element: 590,
        permute_16: [2950, 2050],
        permute_row: 10_000,
        vector_16: [1550, 2200],
        transpose: [[30_000, 11_000, 4200, 1600], CopyCosts::ZEN5.transpose[1]],
        transpose_row: 690,
        ..CopyCosts::ZEN5
    };
    /// Zen 4 at 3.6 GHz, measured with a prototype of the kernels. The units of one vector and the transpositions by four blocks
    /// are estimates.
    pub const ZEN4: CopyCosts = CopyCosts {
        call: 5000,
        run: [320, 600, 600],
        element: 230,
        permute_64: [700, 720],
        permute_16: [1500, 1150],
        permute_row: 500,
        vector_64: [450, 350],
        vector_16: [1000, 700],
        transpose: [[11_000, 5000, 2400, 1250], [18_000, 9000, 4600, 2400]],
        transpose_row: 130,
    };
    /// Emerald Rapids at 3 GHz: single copies.
    pub const SAPPHIRE_RAPIDS: CopyCosts = CopyCosts {
        call: 8000,
        run: [600, 1000, 780],
        element: 420,
        permute_64: [1300, 400],
        vector_64: [1090, 300],
        transpose: [[21_000, 7000, 2900, 1200], [41_000, 14_000, 5800, 2300]],
        transpose_row: 200,
        ..CopyCosts::ZEN4
    };
    /// Estimates for Neoverse V1 and V2 at 2.6 GHz. Nobody measured them.
    pub const NEOVERSE: CopyCosts = CopyCosts {
        call: 15_000,
        run: [700, 1200, 1000],
        element: 450,
        permute_16: [3000, 2700],
        vector_16: [1800, 2000],
        transpose: [[20_000, 9000, 4000, 1800], CopyCosts::ZEN4.transpose[1]],
        transpose_row: 400,
        ..CopyCosts::ZEN4
    };
    /// Zen 5 at 4 GHz.
    pub const ZEN5: CopyCosts = CopyCosts {
        call: 12_000,
        run: [300, 600, 420],
        element: 250,
        permute_64: [1150, 550],
        permute_16: [1650, 1000],
        permute_row: 500,
        vector_64: [450, 240],
        vector_16: [800, 580],
        transpose: [[10_400, 4900, 2050, 1050], [21_000, 10_300, 4400, 2100]],
        transpose_row: 200,
    };
}

impl CpuModel {
    /// CPUs that nobody measured.
    pub const GENERIC: CpuModel = CpuModel {
        l1: 48 << 10,
        l2: 1 << 20,
        llc: 16 << 20,
        double_pumped_512: false,
        non_temporal_block: 4 << 10,
        prefetch_nta: false,
        copies: CopyCosts::ZEN4,
        tiles: TileCosts::ZEN4,
    };
    /// Intel's cores with AVX-512. Blocks of 4 KiB take 1.04 to 1.06 times as long as the best loop, blocks of
    /// 1 KiB 1.12 (Sapphire Rapids, 64 MiB of f32 `add`). `prefetchnta` takes 1.1 to 2.4 times as long.
    pub const SAPPHIRE_RAPIDS: CpuModel = CpuModel {
        l2: 2 << 20,
        llc: 32 << 20,
        copies: CopyCosts::SAPPHIRE_RAPIDS,
        tiles: TileCosts::SAPPHIRE_RAPIDS,
        ..CpuModel::GENERIC
    };
    /// Every aarch64 CPU.
    pub const NEOVERSE: CpuModel = CpuModel {
        l1: 64 << 10,
        llc: 32 << 20,
        copies: CopyCosts::NEOVERSE,
        tiles: TileCosts::NEOVERSE,
        ..CpuModel::GENERIC
    };
    /// AMD Zen 2 and Zen 3.
    pub const ZEN3: CpuModel =
        CpuModel { l1: 32 << 10, l2: 512 << 10, copies: CopyCosts::ZEN3, tiles: TileCosts::ZEN3, ..CpuModel::ZEN5 };
    /// AMD Zen 4. Compared with blocks of 1 KiB, blocks of 512 bytes take 1.07 (`a + b`), 1.1 (`abs(a)`) and 1.28 (an outer
    /// product) times as long, blocks of 2 KiB 1.1, 0.97 and 0.98.
    pub const ZEN4: CpuModel = CpuModel {
        l1: 32 << 10,
        l2: 1 << 20,
        llc: 32 << 20,
        double_pumped_512: true,
        non_temporal_block: 1 << 10,
        prefetch_nta: true,
        copies: CopyCosts::ZEN4,
        tiles: TileCosts::ZEN4,
    };
    /// AMD Zen 5, with 512-bit units. Blocks of 512 bytes take 1.0 to 1.05 times as long as the best loop.
    pub const ZEN5: CpuModel = CpuModel {
        l1: 48 << 10,
        double_pumped_512: false,
        non_temporal_block: 512,
        copies: CopyCosts::ZEN5,
        tiles: TileCosts::ZEN5,
        ..CpuModel::ZEN4
    };
}

impl Default for CpuModel {
    /// [`CpuModel::GENERIC`], the same on every host.
    fn default() -> CpuModel {
        CpuModel::GENERIC
    }
}
