//! Every constant that a decision of the planner reads, once: its unit, its reason, the CPU it was measured on, and the
//! command that measures it.
//!
//! Unless a comment says otherwise, figures are ratios of run times on one thread, and were measured on a Zen 5 core (48 KiB
//! first level, 1 MiB second level, 32 MiB last level) with AVX-512. The history of the measurements is in
//! `docs/tuning-log.md`. The rates of the operators are a table of their own, in [`cost`](mod@crate::cost).

/// Bytes of a cache line, on every CPU of the supported architectures.
pub const CACHE_LINE: usize = 64;

// ---- Cost of a run: `perf_gates cost` prints each prediction next to the measured time. ----

/// Nanoseconds per KiB for operands in the second-level cache, the last-level cache, and memory; reads and writes alike. The
/// rate of a step includes its operands in the first-level cache.
pub(crate) const MEMORY_NS_PER_KIB: [usize; 3] = [4, 14, 45];
/// Bytes that still run at first-level speed: a part of the 48 KiB is lost to scratch and the stack.
pub(crate) const FIRST_LEVEL_BYTES: usize = 40 << 10;
/// Nanoseconds per KiB that is packed into a tile, or unpacked.
pub(crate) const PACK_NS_PER_KIB: usize = 30;
/// Nanoseconds of a run, without its kernel calls.
pub(crate) const RUN_NS: usize = 10;
/// Nanoseconds of a kernel call, without its rows.
pub(crate) const CALL_NS: usize = 12;
/// Nanoseconds of a row of a kernel call, without its elements.
pub(crate) const ROW_NS: usize = 3;
/// Time of a correctly rounded operator in times of the fast one.
pub(crate) const CORRECTLY_ROUNDED_FACTOR: usize = 3;

// ---- Tasks. Measured by a gate, `executors`, that no longer exists. ----

/// Nanoseconds of work that are worth a task: a few times the 6 us that it takes to wake another thread and to wait for it.
pub const TASK_NS: usize = 20_000;
/// Nanoseconds of the largest run that always runs on the calling thread.
pub(crate) const INLINE_RUN_NS: usize = 10_000;
/// Nanoseconds of work that are worth a task for a thread of `eltwise::Team` that is awake; twice as many for one that sleeps.
pub const TEAM_TASK_NS: usize = 5_000;
/// Nanoseconds that a thread of `eltwise::Team` polls for work before it sleeps: as long as waking it takes at worst.
pub const TEAM_AWAKE_NS: u64 = 200_000;
/// Nanoseconds of work between two checks of a cancel flag, by the estimated time of the run.
pub const CANCEL_CHECK_NS: usize = 20_000;
/// Rows from which a direct plan is partitioned by rows; with fewer rows, each row is cut into parts.
pub(crate) const ROWS_FOR_ROW_TASKS: usize = 64;
/// Elements of a part of a row.
pub(crate) const PART_ELEMENTS: usize = 8 << 10;
/// The largest number of parts of a row: more tasks than any executor has threads.
pub(crate) const MAX_PARTS: usize = 256;
/// Parts start at multiples of this many elements, which are whole cache lines for every element size.
pub(crate) const PART_ALIGN_ELEMENTS: usize = 64;

// ---- Hoisting: `perf_gates hoist`. Work is in units of one `add` of one element. ----

/// Work to write and read an element of a value that is computed once.
pub(crate) const WORK_PER_STORED_ELEMENT: usize = 8;
/// Work to begin a stage: a quarter of a microsecond.
pub(crate) const WORK_PER_STAGE: usize = 4096;
/// Bytes of the largest value that is stored to save work: a larger one would leave the caches.
pub(crate) const MAX_STORED_BYTES: usize = 16 << 20;
/// Work per element of a custom function: an assumption, not measured.
pub(crate) const WORK_OF_CUSTOM: usize = 8;

// ---- Non-temporal stores and 256-bit vectors: `perf_gates memory`, `layouts --size dram --streams`. ----

/// Bytes of the shortest row that is written by non-temporal stores.
pub(crate) const NT_MIN_ROW: usize = 1 << 10;
/// Bytes of the shortest row that is written by non-temporal stores on double-pumped CPUs (Zen 4), for elements of 4
/// bytes and more. Narrower elements take longer per byte than memory does.
pub(crate) const NT_MIN_ROW_DOUBLE_PUMPED: usize = 512;
/// Bytes of the smallest output that is written by non-temporal stores, if two inputs have its length: 0.92 of the time of
/// regular stores at 64 and 128 MiB, 1.03 at 16 MiB.
pub(crate) const NT_MIN_OUTPUT: usize = 32 << 20;
/// Bytes of the smallest output that is written by non-temporal stores on double-pumped CPUs, if at least one input has
/// its length: 0.8 of the time of regular stores at 16 MiB for `a + b`, 0.86 for `x + s`.
pub(crate) const NT_MIN_OUTPUT_DOUBLE_PUMPED: usize = 16 << 20;
/// Nanoseconds of compute per KiB up to which memory is the limit on double-pumped CPUs. Longer steps hide the traffic of
/// regular stores, and their non-temporal blocks do not overlap with each other.
pub(crate) const NT_MAX_NS_PER_KIB: usize = 24;
/// Bytes of the largest repeated operand of such a run, if an input has the output's length: with rows of 40 KB, which come
/// from the second-level cache, non-temporal stores take 1.2 times as long.
pub(crate) const NT_MAX_REPEATED: usize = 16 << 10;
/// Bytes of the smallest repeated operand of such a run, if no input has the output's length. Regular stores evict longer
/// ones from the first-level cache: rows of 1 KiB take 1.3 times as long with non-temporal stores, rows of 4 KiB 0.85. Tiles
/// (0.5 to 0.85) have no such limit.
pub(crate) const NT_MIN_REPEATED_ALONE: usize = 4 << 10;
/// Bytes from which a row may be no whole number of cache lines. Neighbouring rows write the line they share twice: rows of
/// 1000 bytes took 2.7 times as long.
pub(crate) const NT_UNALIGNED_ROW: usize = 4 << 10;
/// Bytes of the largest tile of a single step that is written by non-temporal stores: it goes through a buffer on the stack.
pub const NT_MAX_TILE: usize = 4 << 10;
/// Bytes between neighbours along the innermost loop from which an operand counts as transposed.
pub(crate) const TRANSPOSED_STRIDE: usize = 16;

/// Bytes that each task writes by non-temporal stores, at least: less stays in its second-level cache.
pub const NT_MIN_TASK: usize = 1 << 20;
/// Rows that non-temporal stores of a two-dimensional tile prefetch ahead, if an input's rows are apart in memory. Zen 4, a
/// transposed operand of 4096 x 4096, rows of 576 bytes: `f32` takes 13.5 ms with 8 rows, 14.5 with 4, 18 if the next tile is
/// prefetched instead, 26 without; `u8` 4.2 ms with 4 and 8, 6.2 with 1, 7.4 without.
pub const NT_PREFETCH_ROWS: usize = 8;
/// Bytes of the longest row that non-temporal stores do not prefetch if all rows of a call read it: it stays in the first-level
/// cache.
pub const NT_MAX_RESIDENT_ROW: usize = 16 << 10;
/// Bytes of a tile of an input up to which the next tile is prefetched during the last step: half of a first-level cache of
/// 32 KiB. More would evict the tile that is computed. `perf_gates chains` measures the prefetching, not this limit.
pub const PREFETCH_MAX_TILE: usize = 16 << 10;

// ---- Rows of a direct plan against tiles: `layouts --size l2 --bar`. ----

/// Bytes of a run that is not worth a search: whole vectors run directly.
pub(crate) const SMALL_RUN: usize = 16 << 10;
/// Bytes of rows that run directly without a search: the overhead of a row is small.
pub(crate) const SIMPLE_ROW: usize = 2 << 10;
/// Bytes of the longest row that other rows share: longer ones leave the first-level cache before they are read again.
pub(crate) const MAX_UNCUT_SHARED_ROW: usize = 8 << 10;

// ---- Tiles: `layouts --size l2 --bar`, `layouts --size dram --bar`. ----

/// Bytes of scratch that tiles fill. [`LARGE_SCRATCH_BYTES`] and programs of hundreds of values need more.
pub const SCRATCH_BYTES: usize = 32 << 10;
/// Bytes of a first-level cache that holds tiles of 8 KiB together with the operands that pass through it: Intel since Ice
/// Lake, AMD since Zen 5. Other CPUs have 32 KiB.
pub(crate) const LARGE_FIRST_LEVEL: usize = 48 << 10;
/// Bytes of a tile in general, and of a tile that may be longer. In 32 KiB (Zen 4), tiles of 8 KiB take 1.4 times as long.
pub(crate) const TILE_BYTES: usize = 4 << 10;
pub(crate) const LONG_TILE_BYTES: usize = 8 << 10;
/// Bytes that slots in scratch are rounded up to, and that lie between them.
pub(crate) const SLOT_ALIGN: usize = 64;
/// Bytes after which the low bits of addresses repeat, by which a core detects a load that follows a store.
pub(crate) const ALIAS_PERIOD: usize = 4 << 10;
/// Bytes between the low address bits of two slots, if there is room. A step that reads one slot and writes another reads
/// ahead of its stores: with slots a few cache lines apart, modulo [`ALIAS_PERIOD`], its loads seem to depend on its last
/// stores and wait for them. On Zen 4 one run in ten then takes 2.4 times as long (`exp` of f16, slots 64 bytes apart).
pub(crate) const SLOT_DISTANCE: usize = 512;
/// Elements of a tile that is long enough for [`SLOT_DISTANCE`] to matter.
pub(crate) const ALIASING_TILE_ELEMENTS: usize = 256;
/// Elements of the smallest tile whose slots share [`SCRATCH_BYTES`]: with fewer elements, kernel calls take most of
/// the time.
pub(crate) const MIN_TILE_ELEMENTS: usize = 16;
/// The elements of a tile with more slots than that allows. Its scratch has no limit.
pub(crate) const MANY_SLOTS_TILE_ELEMENTS: usize = 64;
/// Bytes of the shortest row of a chain. A chain goes through all of its operators for each row; separate steps may walk more loops
/// as one.
pub const MIN_CHAIN_ROW: usize = 256;
/// Bytes of scratch of a large tile.
pub const LARGE_SCRATCH_BYTES: usize = (160 << 10) + (1 << 10);

// ---- The search for tiles: `survey`. ----

/// The part of the shorter of two times that overlap, in percent, that adds to the longer one.
pub(crate) const OVERLAP_PERCENT: u64 = 15;
/// Bytes of a single run of memory that counts as a run; a shorter one is a part of what neighbouring tiles read.
pub(crate) const SHARED_RUN_BYTES: usize = 16 << 10;
/// Bytes of a row below which it takes longer: see `TileCosts::row`.
pub(crate) const SHORT_ROW: usize = 32;

/// A kind of boxes that the search tries.
pub(crate) struct BoxKind {
    /// Bytes of the widest operand.
    pub(crate) bytes: usize,
    /// Bytes of rows.
    pub(crate) row: usize,
    /// Bytes along the closest loops of an operand that is not contiguous.
    pub(crate) close: usize,
    /// What these boxes and the ones after them save of a run without them, in thousandths: the geometric mean of the predicted
    /// times of 2,171 random plans. Few plans save more than that.
    pub(crate) saved: u64,
}

const fn boxes(bytes: usize, row: usize, close: usize, saved: u64) -> BoxKind {
    BoxKind { bytes, row, close, saved }
}

/// The boxes that are tried, the most useful ones first. The best of the first seven is at most 1.4 times as slow as the best of
/// all combinations of three sizes, two rows and three close parts.
pub(crate) const BOXES: [BoxKind; 13] = [
    boxes(16 << 10, 1 << 10, 256, 150),
    boxes(6 << 10, 256, 64, 59),
    boxes(6 << 10, 1 << 10, 256, 24),
    boxes(16 << 10, 256, 64, 17),
    boxes(48 << 10, 256, 64, 11),
    boxes(6 << 10, 1 << 10, 0, 8),
    boxes(6 << 10, 256, 256, 6),
    boxes(48 << 10, 1 << 10, 256, 3),
    boxes(48 << 10, 1 << 10, 64, 3),
    boxes(48 << 10, 256, 256, 3),
    boxes(16 << 10, 1 << 10, 64, 3),
    boxes(16 << 10, 256, 256, 3),
    boxes(16 << 10, 256, 0, 3),
];
/// Bytes of the units that are tried, 0 for one vector; what they and the ones after them save of a run, as in [`BoxKind::saved`].
pub(crate) const UNITS: [(usize, u64); 3] = [(0, 300), (256, 140), (1 << 10, 12)];
/// The same for the linear tile, if there is another candidate. Without one, it is always tried.
pub(crate) const LINEAR_SAVED: u64 = 12;
/// Bytes of the longest unit: its index vectors stay in the first-level cache.
pub(crate) const MAX_UNIT: usize = 16 << 10;
/// Runs of a plan that is bound without a number of runs.
pub const MANY_RUNS: usize = 32;
/// Windows of the vectors of a unit kernel, at most.
pub(crate) const MAX_UNIT_WINDOWS: usize = 16;
/// Bytes of a permuted operand that is copied before the run: windows may then end after it.
pub(crate) const SMALL_OPERAND: usize = 2 << 10;
/// Bytes of the units of one call of a unit kernel: tasks are ranges of tiles.
pub(crate) const UNIT_TILE_BYTES: usize = 32 << 10;
/// A later candidate replaces the best one only if it takes less than so many percent of its time.
pub(crate) const BETTER_PERCENT: u64 = 99;
/// A candidate is good enough if it takes at most so many percent of the time of contiguous operands.
pub(crate) const GOOD_PERCENT: u64 = 105;
/// Picoseconds that it takes to evaluate a tile, and units of one length.
pub(crate) const EVALUATION_PS: u64 = 800_000;
pub(crate) const UNITS_EVALUATION_PS: u64 = 300_000;

// ---- Copies between layouts. Their costs are in the CPU model: `CpuModel::copies`. ----

/// Bytes of the units of permuted vectors if loops can be cut there. Longer units need more index vectors.
pub(crate) const PERMUTE_UNIT: usize = 384;
/// The largest number of windows of a permuted vector, as estimated from the strides.
pub(crate) const PERMUTE_MAX_WINDOWS: usize = 24;
/// The largest number of loops that the windows of a transposition cover.
pub(crate) const TRANSPOSE_MAX_COVERED: usize = 3;
/// The time of a block with too few rows in percent of the time of a whole block: its vectors are stored in parts.
pub(crate) const TRANSPOSE_PARTIAL_PERCENT: u32 = 133;

// ---- Memory of arrays. ----

/// Bytes of the smallest array that asks for huge pages, unless the caller sets another limit: two pages of 2 MiB.
pub const HUGE_PAGES_FROM: usize = 4 << 20;
