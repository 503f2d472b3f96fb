//! The thresholds of the planner: plans of growing operands below, at and above each size at which it chooses a different
//! strategy, tile, access, store or number of tasks.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_core::{Broadcast, Constant, DType, Layout, Op, Shape, Strides};
use eltwise_plan::strategy::{Access, Slot, Strategy};
use eltwise_plan::tuning::SCRATCH_BYTES;
use eltwise_plan::{BindOptions, Binding, CpuModel, KernelCapabilities, Program, ProgramBuilder, Schedule, Target};

/// The layout of an operand for a shape. The golden files have the names of the variants.
#[derive(Clone, Copy, Debug)]
enum OperandLayout {
    /// Dense, in C order.
    Dense,
    /// Dense, with the last two axes exchanged.
    Turned,
    /// Strided: neighbours along the innermost axis are this many elements apart.
    Gap(isize),
    /// Reversed along the innermost axis.
    Back,
    /// Size 1 on the axes with a bit set. The lowest bit is the innermost axis.
    Ones(u32),
    /// Like `Ones`, with the last two axes exchanged.
    TurnedOnes(u32),
}

use OperandLayout::{Back, Dense, Gap, Ones, Turned, TurnedOnes};

impl OperandLayout {
    fn layout(self, dtype: DType, dims: &[usize]) -> Layout {
        let rank = dims.len();
        let ones = match self {
            Ones(bits) | TurnedOnes(bits) => bits,
            _ => 0,
        };
        let dims: Vec<usize> =
            (0..rank).map(|axis| if ones >> (rank - 1 - axis) & 1 == 1 { 1 } else { dims[axis] }).collect();
        let mut order: Vec<usize> = (0..rank).collect();
        if matches!(self, Turned | TurnedOnes(_)) && rank > 1 {
            order.swap(rank - 1, rank - 2);
        }
        let mut step = dtype.size() as isize;
        let mut strides = vec![0; rank];
        for &axis in order.iter().rev() {
            strides[axis] = step;
            if let (Gap(gap), true) = (self, axis == rank - 1) {
                strides[axis] *= gap;
                step *= gap;
            }
            step *= dims[axis] as isize;
            if let (Back, true) = (self, axis == rank - 1) {
                strides[axis] = -strides[axis];
            }
        }
        Layout::strided(dtype, Shape::new(&dims), Strides::new(&strides)).unwrap()
    }
}

/// A chain of steps. The first operand of each is the previous value, and its other operands are new inputs.
fn chain(ops: &[Op], dtype: DType) -> Program {
    let mut b = ProgramBuilder::new();
    let mut value = b.input("a", dtype);
    for (i, &op) in ops.iter().enumerate() {
        let mut args = vec![value];
        (1..op.arity()).for_each(|k| args.push(b.input(["b", "c", "d", "e", "f", "g"][i + k - 1], dtype)));
        value = b.step(op, &args, None, Broadcast::Numpy).unwrap();
    }
    b.output(value);
    b.finish().unwrap()
}

/// The decisions of the planner in short, and with all details.
fn describe(schedule: &Schedule, target: &Target) -> (String, String) {
    let tile = &schedule.tile;
    let access: String = schedule
        .access
        .iter()
        .map(|access| match access {
            Access::Contiguous => 'c',
            Access::Splat => 's',
            Access::Permuted => 'a',
            _ => 'p',
        })
        .collect();
    let mut kind = match schedule.strategy {
        Strategy::Direct => format!("direct {access}"),
        Strategy::Tiled if tile.rows > 1 => format!("planes of loops {} and {} {access}", tile.row_axis, tile.axis),
        _ => format!("tiles of loop {} {access}", tile.axis),
    };
    kind += if schedule.max_tasks(target) > 1 { ", shared" } else { "" };
    kind += if schedule.prefers_non_temporal(target) { ", streamed" } else { "" };
    let slots: Vec<usize> = (0..schedule.access.len())
        .filter(|_| schedule.strategy == Strategy::Tiled)
        .flat_map(|operand| [schedule.packed_rows(operand), schedule.slot_bytes(operand)])
        .collect();
    let joins = schedule.strategy == Strategy::Tiled && schedule.tiles_join();
    let all = format!(
        "{kind} {:?} {tile:?} {:?} {:?} {:?} {} {} {:?} {joins} {slots:?}",
        schedule.nest.sizes,
        schedule.permuted,
        schedule.second_permuted,
        schedule.access,
        schedule.scratch,
        schedule.units(),
        schedule.cost(target)
    );
    (kind, all)
}

/// FNV-1a of the details, which a line of the golden file only has as this hash.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The sizes up to `max` to plan for: all small ones, and the neighbours of every threshold of the planner.
fn sizes(max: usize) -> Vec<usize> {
    let near =
        [50, 64, 66, 85, 100, 128, 171, 200, 256, 341, 400, 512, 700, 1024, 2048, 3000, 4096, 8192, 16384, 40_000];
    let far = [65_536, 131_072, 262_144, 1 << 20, 1 << 22, 1 << 23];
    let mut all: Vec<usize> = (2..40).collect();
    all.extend(near.iter().chain(&far).flat_map(|&n| [n - 1, n, n + 1]));
    all.retain(|&n| n <= max);
    all
}

/// A chain of steps over operands of a kind, for a target.
struct Case<'a> {
    ops: &'a [Op],
    dtype: DType,
    operands: &'a [OperandLayout],
    out: OperandLayout,
    target: &'a Target,
    name: String,
}

/// A golden file with one line for each range of sizes that have the same decisions.
struct Table {
    text: String,
}

impl Table {
    fn family(&mut self, case: &Case<'_>, sizes: &[usize], dims: impl Fn(usize) -> Vec<usize>) {
        let &Case { ops, dtype, operands, out, target, ref name } = case;
        let program = chain(ops, dtype);
        let mut runs: Vec<(usize, usize, String, String)> = Vec::new();
        for &n in sizes {
            let dims = dims(n);
            let layouts: Vec<Layout> = operands.iter().map(|operand| operand.layout(dtype, &dims)).collect();
            let to = program.value(program.outputs()[0]).dtype;
            let output = out.layout(to, &dims);
            let inputs: Vec<&Layout> = layouts.iter().collect();
            let mut binding = Binding::new(&program, &inputs, Some(&[&output]), false).unwrap();
            binding.fuse();
            let schedule = Schedule::new(binding, target);
            let (kind, all) = describe(&schedule, target);
            match runs.last_mut() {
                Some((_, last, same, details)) if *same == kind => {
                    *last = n;
                    *details += &all;
                }
                _ => runs.push((n, n, kind, all)),
            }
        }
        let (l2, vector_bytes) = (target.cpu.l2, target.kernels.vector_bytes);
        let permutes = if target.kernels.permutes { ", arranges" } else { "" };
        let names: Vec<&str> = ops.iter().map(|op| op.name()).collect();
        let names = names.join("+");
        writeln!(self.text, "{names} {dtype} {name} {operands:?} to {out:?}; {vector_bytes} bytes, {l2}{permutes}")
            .unwrap();
        for (first, last, kind, details) in runs {
            writeln!(self.text, "    {first}..={last}: {kind} {:08x}", digest(&details)).unwrap();
        }
    }
}

/// The default target with kernels for vectors of a size, which permute or not.
fn with_vectors(vector_bytes: usize, permutes: bool) -> Target {
    let kernels = KernelCapabilities { vector_bytes, permutes, ..KernelCapabilities::default() };
    Target { kernels, ..Target::default() }
}

/// A target with a different CPU model.
fn with_cpu(target: &Target, change: impl Fn(&mut CpuModel)) -> Target {
    let mut changed = *target;
    change(&mut changed.cpu);
    changed
}

fn targets() -> [Target; 4] {
    let target = |vector_bytes, l2, permutes| {
        with_cpu(&with_vectors(vector_bytes, permutes), |cpu| (cpu.l2, cpu.llc) = (l2, 16 * l2))
    };
    [target(64, 1 << 20, false), target(32, 1 << 16, true), target(16, 1 << 20, false), target(64, 1 << 17, true)]
}

const PAIRS: [[OperandLayout; 2]; 12] = [
    [Dense, Dense],
    [Dense, Ones(1)],
    [Dense, Ones(2)],
    [Dense, Turned],
    [Turned, Turned],
    [Turned, Ones(2)],
    [Gap(2), Dense],
    [Gap(5), Gap(5)],
    [Gap(2), Gap(2)],
    [Back, Back],
    [Ones(1), Ones(2)],
    [TurnedOnes(1), Turned],
];

#[test]
fn plans_of_two_operands_of_rank_2_are_those_of_the_golden_file() {
    let mut table = Table { text: String::new() };
    let targets = targets();
    let mut count = 0;
    for pair in PAIRS {
        for fixed in [3, 8, 9, 16, 130, 600] {
            for dtype in [DType::F32, DType::U8, DType::F64] {
                count += 1;
                let target = &targets[count % 4];
                let sizes = sizes(400_000 / fixed);
                let rows = count % 2 == 0;
                let name = if rows { format!("[n, {fixed}]") } else { format!("[{fixed}, n]") };
                let case = Case { ops: &[Op::Add], dtype, operands: &pair, out: Dense, target, name };
                table.family(&case, &sizes, |n| if rows { vec![n, fixed] } else { vec![fixed, n] });
            }
        }
    }
    golden::compare("schedules_rank2", &table.text);
}

#[test]
fn plans_of_two_operands_of_rank_3_are_those_of_the_golden_file() {
    let mut table = Table { text: String::new() };
    let targets = targets();
    let mut count = 0;
    for pair in [
        [Dense, Ones(4)],
        [Dense, Ones(2)],
        [Dense, Ones(6)],
        [Dense, Ones(5)],
        [Dense, Ones(3)],
        [Turned, Ones(2)],
        [Gap(3), Ones(4)],
        [Gap(2), Back],
    ] {
        for fixed in [[5, 40], [6, 64], [127, 12], [128, 50], [200, 7], [2, 300], [4, 1016], [3, 4056]] {
            for at in 0..3 {
                count += 1;
                let target = &targets[count % 4];
                let dtype = [DType::F32, DType::F32, DType::I16, DType::F64][count / 2 % 4];
                let sizes = sizes(400_000 / fixed[0] / fixed[1]);
                let dims = |n: usize| match at {
                    0 => vec![n, fixed[0], fixed[1]],
                    1 => vec![fixed[0], n, fixed[1]],
                    _ => vec![fixed[0], fixed[1], n],
                };
                let name = format!("{fixed:?} with n at {at}");
                table.family(&Case { ops: &[Op::Add], dtype, operands: &pair, out: Dense, target, name }, &sizes, dims);
            }
        }
    }
    golden::compare("schedules_rank3", &table.text);
}

#[test]
fn plans_of_moves_and_of_several_steps_are_those_of_the_golden_file() {
    let mut table = Table { text: String::new() };
    let targets = targets();
    let root: &[Op] = &[Op::Add, Op::Sqrt];
    let long: &[Op] = &[Op::Divide, Op::Maximum, Op::Sqrt, Op::Divide];
    let mut count = 0;
    for operands in [
        [Dense; 4],
        [Turned; 4],
        [Turned, Turned, Ones(3), Turned],
        [Dense, Turned, Dense, Ones(2)],
        [Dense, Ones(1), Ones(2), Dense],
        [Gap(4), Back, Dense, Ones(3)],
    ] {
        for ops in [&[Op::Copy][..], &[Op::Negative], root, long, &[Op::Fma], &[Op::Multiply, Op::Add]] {
            for (fixed, out) in [(1, Dense), (7, Dense), (300, Dense), (40, Turned), (33, Gap(2))] {
                count += 1;
                let target = &targets[count % 4];
                let dtype = [DType::F32, DType::F64, DType::F32, DType::F16][count / 4 % 4];
                let sizes = sizes(if fixed == 1 { 10_000_000 } else { 400_000 / fixed });
                let inputs = &operands[..ops.iter().map(|op| op.arity() - 1).sum::<usize>() + 1];
                let rows = count % 2 == 0 || fixed == 1;
                let name = if rows { format!("[n, {fixed}]") } else { format!("[{fixed}, n]") };
                let case = Case { ops, dtype, operands: inputs, out, target, name };
                table.family(&case, &sizes, |n| if rows { vec![n, fixed] } else { vec![fixed, n] });
            }
        }
    }
    golden::compare("schedules_steps", &table.text);
}

/// The plan of a chain of steps into a dense output.
fn plan(ops: &[Op], dtype: DType, dims: &[usize], operands: &[OperandLayout], target: &Target) -> Schedule {
    let layouts: Vec<Layout> = operands.iter().map(|operand| operand.layout(dtype, dims)).collect();
    let program = chain(ops, dtype);
    let output = Dense.layout(program.value(program.outputs()[0]).dtype, dims);
    let inputs: Vec<&Layout> = layouts.iter().collect();
    Schedule::new(Binding::new(&program, &inputs, Some(&[&output]), false).unwrap(), target)
}

#[test]
fn runs_up_to_16_kib_are_direct_for_rows_of_a_vector_and_never_permute() {
    let plan_of = |rows: usize, vector_bytes: usize| {
        plan(&[Op::Add], DType::U8, &[rows, 28], &[Ones(2), Ones(1)], &with_vectors(vector_bytes, true))
    };
    // (564 + 1) * (28 + 1) - 1 is 16 KiB.
    let (small, large) = (plan_of(564, 16), plan_of(565, 16));
    assert_eq!((small.bytes, small.strategy), (16 << 10, Strategy::Direct));
    assert_eq!((large.bytes, large.strategy), ((16 << 10) + 29, Strategy::Tiled));
    // Rows shorter than a vector are tiled. Up to 16 KiB no operand is permuted.
    let (small, large) = (plan_of(564, 64), plan_of(565, 64));
    assert_eq!((small.strategy, small.permuted), (Strategy::Tiled, None));
    assert_eq!((large.strategy, large.permuted), (Strategy::Tiled, Some(2)));
}

#[test]
fn rows_below_two_vectors_are_permuted_if_kernels_can() {
    for (permutes, longest) in [(true, 31), (false, 16)] {
        let target = with_vectors(64, permutes);
        for columns in [15, 16, 17, 31, 32, 33] {
            // The second operand repeats over a loop of two steps.
            let schedule = plan(&[Op::Add], DType::F32, &[400, 2, columns], &[Dense, Ones(2)], &target);
            let tiled = schedule.strategy == Strategy::Tiled;
            assert_eq!(
                (tiled, schedule.permuted.is_some()),
                (columns <= longest, columns <= longest && permutes),
                "{columns}"
            );
        }
    }
}

#[test]
fn repeated_rows_are_permuted_from_8_repeats_of_few_vectors_and_from_4_of_many() {
    // Two rows of 40 floats are five whole vectors of 16 floats, which fit in registers together. Two rows of 104
    // floats are thirteen, which do not fit, so vectors are not written in order of their addresses. That pays within
    // the L2 cache only.
    let plan_of = |repeats: usize, columns: usize, target: &Target| {
        plan(&[Op::Add], DType::F32, &[400, repeats, columns], &[Dense, Ones(2)], target)
    };
    let large_l2 = with_cpu(&with_vectors(64, true), |cpu| cpu.l2 = 4 << 20);
    let cases = [
        (2, 40, false),
        (14, 40, false),
        (15, 40, false),
        (16, 40, true),
        (18, 40, true),
        (6, 104, false),
        (8, 104, true),
    ];
    for (repeats, columns, expected) in cases {
        let permuted = plan_of(repeats, columns, &large_l2).permuted.is_some();
        assert_eq!(permuted, expected, "{repeats} times {columns}");
    }
    let bytes = plan_of(8, 104, &large_l2).bytes;
    assert_eq!(bytes, 4 * (2 * 400 * 8 * 104 + 400 * 104));
    for (l2, repeats, columns, expected) in [(bytes, 8, 104, true), (bytes - 1, 8, 104, false), (1 << 10, 16, 40, true)]
    {
        let permuted = plan_of(repeats, columns, &with_cpu(&large_l2, |cpu| cpu.l2 = l2)).permuted.is_some();
        assert_eq!(permuted, expected, "{l2} of {bytes}, {repeats} rows of {columns}");
    }
    // Or beyond the last-level cache, if tiles use non-temporal stores.
    let small_llc = with_cpu(&large_l2, |cpu| (cpu.llc, cpu.double_pumped_512) = (1 << 20, true));
    let permutes =
        |target: &Target| plan(&[Op::Add], DType::F32, &[6000, 8, 104], &[Ones(4), Ones(2)], target).permuted.is_some();
    let without = [
        with_cpu(&small_llc, |cpu| cpu.double_pumped_512 = false),
        Target { options: BindOptions { non_temporal: false }, ..small_llc },
        with_cpu(&small_llc, |cpu| cpu.llc = 1 << 30),
    ];
    assert!(permutes(&small_llc) && !without.iter().any(permutes));
}

#[test]
fn repeated_rows_are_permuted_above_16_kib_and_at_any_rank() {
    let target = with_vectors(64, true);
    // Runs up to 16 KiB are direct.
    for (outer, strategy) in [(8, Strategy::Direct), (9, Strategy::Tiled)] {
        let schedule = plan(&[Op::Less], DType::F32, &[outer, 12, 32], &[Dense, Ones(2)], &target);
        assert_eq!(schedule.bytes, outer * 2048);
        assert_eq!((schedule.strategy, schedule.permuted.is_some()), (strategy, outer > 8), "{outer}");
    }
    // Rows repeat over the last loop but one: 9 times, which is no multiple of the two rows of 184 floats that are
    // whole vectors.
    for (dims, ones) in [(&[6, 9, 184][..], 0b10), (&[2, 3, 4, 9, 184], 0b01010)] {
        let schedule = plan(&[Op::Add], DType::F32, dims, &[Dense, Ones(ones)], &target);
        assert_eq!(schedule.nest.sizes.len(), dims.len());
        assert!(schedule.permuted.is_some(), "{dims:?}");
    }
}

#[test]
fn tiles_change_from_the_first_byte_beyond_the_l2_cache() {
    let target = |l2: usize| with_cpu(&Target::default(), |cpu| cpu.l2 = l2);
    let tile = |ops: &[Op], operands: &[OperandLayout], l2: usize| {
        plan(ops, DType::F32, &[300, 400], operands, &target(l2)).tile
    };
    for (ops, operands) in [(&[Op::Add][..], &[Dense, Turned][..]), (&[Op::Add, Op::Sqrt], &[Dense, Dense])] {
        let bytes = plan(ops, DType::F32, &[300, 400], operands, &target(1)).bytes;
        assert_eq!(bytes, 3 * 300 * 400 * 4);
        let tiles = [bytes - 1, bytes, bytes + 1].map(|l2| tile(ops, operands, l2));
        assert!(tiles[0] != tiles[1] && tiles[1] == tiles[2], "{tiles:?}");
    }
}

#[test]
fn tiles_are_shorter_for_a_small_l1_cache() {
    let elements = |kib: usize, ops: &[Op], dims: &[usize], operands: &[OperandLayout]| {
        let target = with_cpu(&Target::default(), |cpu| cpu.l1 = kib << 10);
        let tile = plan(ops, DType::F32, dims, operands, &target).tile;
        tile.length * tile.inner
    };
    let lengths = |ops: &[Op], dims: &[usize], operands: &[OperandLayout]| {
        [32, 47, 48, 64].map(|kib| elements(kib, ops, dims, operands))
    };
    // Several steps: only beyond the L2 cache. Within it, tiles are always short.
    let steps = [Op::Add, Op::Sqrt];
    assert_eq!(lengths(&steps, &[1 << 20], &[Dense, Dense]), [1024, 1024, 2048, 2048]);
    assert_eq!(lengths(&steps, &[1 << 14], &[Dense, Dense]), [1024; 4]);
    // One step: only if all packed operands are packed once. The length depends on the packed bytes per element.
    let pixels = [100_000, 3];
    assert_eq!(lengths(&[Op::Add], &pixels, &[Dense, Ones(2)]), [816, 1200, 2016, 2016]);
    assert_eq!(lengths(&[Op::Fma], &pixels, &[Dense, Ones(2), Ones(2)]), [384, 576, 2016, 2016]);
    assert_eq!(lengths(&[Op::Fma], &pixels, &[Dense, Ones(1), Ones(2)]), [2016; 4]);
}

#[test]
fn large_outputs_use_non_temporal_stores() {
    let target = Target::default();
    let rows = (32 << 20) / (1 << 10);
    // Outputs of at least 32 MiB in rows of at least 1 KiB, with two inputs that move forward along all loops.
    let padded = |operands: [OperandLayout; 2], rows: usize, columns: usize| {
        let dims = [rows, columns];
        let out = Layout::strided(DType::F32, dims, [4 * columns as isize + 4, 4]).unwrap();
        let inputs = operands.map(|operand| operand.layout(DType::F32, &dims));
        let binding = Binding::new(&chain(&[Op::Add], DType::F32), &inputs.each_ref(), Some(&[&out]), false).unwrap();
        let schedule = Schedule::new(binding, &target);
        assert_eq!((schedule.strategy, schedule.nest.sizes.len()), (Strategy::Direct, 2));
        schedule.prefers_non_temporal(&target)
    };
    assert!(padded([Dense, Dense], rows, 256) && !padded([Dense, Dense], rows - 1, 256));
    assert!(!padded([Dense, Dense], 2 * rows, 255) && padded([Dense, Dense], rows, 257));
    assert!(!padded([Dense, Ones(1)], rows, 512) && !padded([Dense, Ones(2)], rows, 512));
    let one = |operand: OperandLayout| {
        plan(&[Op::Negative], DType::F32, &[rows, 1024], &[operand], &target).prefers_non_temporal(&target)
    };
    assert!(!one(Dense));
    // Several steps that write tiles directly to the output: working sets larger than the last-level cache.
    let several = |ops: &[Op], operands: &[OperandLayout], llc: usize| {
        let target = with_cpu(&target, |cpu| cpu.llc = llc);
        plan(ops, DType::F32, &[300, 400], operands, &target).prefers_non_temporal(&target)
    };
    let steps = [Op::Add, Op::Sqrt];
    let bytes = 3 * 300 * 400 * 4;
    assert_eq!([bytes - 1, bytes, bytes + 1].map(|llc| several(&steps, &[Dense, Dense], llc)), [true, false, false]);
    assert!(!several(&steps, &[Dense, Turned], 1), "2-D tiles");
    assert!(!several(&[Op::Negative], &[Back], 1), "one step");
}

#[test]
fn cpus_with_double_pumped_vectors_use_non_temporal_stores_beyond_the_caches() {
    let target = with_cpu(&Target::default(), |cpu| (cpu.double_pumped_512, cpu.llc) = (true, 30 << 20));
    let target = Target { kernels: KernelCapabilities { vector_bytes: 64, ..KernelCapabilities::default() }, ..target };
    let is_non_temporal = |ops: &[Op], dims: &[usize], operands: &[OperandLayout], target: &Target| {
        plan(ops, DType::F32, dims, operands, target).prefers_non_temporal(target)
    };
    // With one input or two: outputs of at least 16 MiB, if the working set is larger than the last-level cache.
    let rows = (16 << 20) / (1 << 12);
    for (op, operands) in [(Op::Add, &[Dense, Dense][..]), (Op::Negative, &[Dense]), (Op::Add, &[Dense, Ones(2)])] {
        assert!(is_non_temporal(&[op], &[rows, 1024], operands, &target), "{op}");
        assert!(!is_non_temporal(&[op], &[rows - 1, 1024], operands, &target), "{op}");
        assert!(!is_non_temporal(&[op], &[rows, 1024], operands, &with_cpu(&target, |cpu| cpu.llc = 48 << 20)), "{op}");
        assert!(
            !is_non_temporal(&[op], &[rows, 1024], operands, &with_cpu(&target, |cpu| cpu.double_pumped_512 = false)),
            "{op}"
        );
    }
    // Only if the inputs have at most three times the bytes of the output.
    assert!(!is_non_temporal(&[Op::Less], &[4 * rows, 1024], &[Dense, Dense], &target));
    let less = |dtype, operands: &[OperandLayout]| {
        plan(&[Op::Less], dtype, &[4 * rows, 1024], operands, &target).prefers_non_temporal(&target)
    };
    assert!(!less(DType::I16, &[Dense, Dense]) && less(DType::I16, &[Dense, Ones(2)]));
    // Not for arithmetic on 16-bit floats, which is limited by computing.
    let add =
        |dtype| plan(&[Op::Add], dtype, &[4 * rows, 1024], &[Dense, Ones(2)], &target).prefers_non_temporal(&target);
    assert!(!add(DType::F16) && add(DType::I16) && less(DType::F16, &[Dense, Ones(2)]));
    // Only for rows that are whole cache lines or long, and no repeated operand larger than the L1 cache.
    assert!(!is_non_temporal(&[Op::Add], &[4 * rows, 1000 / 4], &[Dense, Ones(1)], &target));
    assert!(is_non_temporal(&[Op::Add], &[4 * rows, 1025], &[Dense, Ones(1)], &target));
    assert!(is_non_temporal(&[Op::Add], &[rows, 4096], &[Dense, Ones(2)], &target));
    assert!(!is_non_temporal(&[Op::Add], &[rows, 8192], &[Dense, Ones(2)], &target));
    assert!(!is_non_temporal(&[Op::Add], &[rows, 1024], &[Dense, Back], &target));
    // Not for steps that are limited by computing.
    let heavy = |target: &Target| is_non_temporal(&[Op::Hypot], &[4 * rows, 1024], &[Dense, Dense], target);
    assert!(!heavy(&target) && heavy(&with_cpu(&target, |cpu| cpu.double_pumped_512 = false)));
    assert!(!is_non_temporal(&[Op::Abs, Op::Exp], &[1 << 24], &[Dense], &target));
    // Without an input of the output's size: outputs of twice the cache, if the repeated row has at least 4 KiB.
    let outer = |rows: usize, columns: usize| {
        let (target, operands) = (with_cpu(&target, |cpu| cpu.llc = 1 << 20), [Ones(1), Ones(2)]);
        let schedule = plan(&[Op::Add], DType::F32, &[rows, columns], &operands, &target);
        (schedule.strategy, schedule.prefers_non_temporal(&target))
    };
    assert_eq!(outer(512, 1024), (Strategy::Direct, true));
    assert!(!outer(500, 1024).1 && !outer(600, 1023).1 && !outer(4096, 128).1);
    // Tiles of a single step, if they are whole cache lines, with repeated operands only or with an input of the
    // output's size.
    let tiles = |dims: &[usize], operands: &[OperandLayout]| {
        let target = Target { kernels: KernelCapabilities { permutes: true, ..target.kernels }, ..target };
        let schedule = plan(&[Op::Add], DType::F32, dims, operands, &target);
        assert_eq!(schedule.strategy, Strategy::Tiled);
        schedule.prefers_non_temporal(&target)
    };
    assert!(tiles(&[6000, 128, 16], &[Ones(4), Ones(2)]) && tiles(&[12000, 63, 16], &[Ones(4), Ones(2)]));
    assert!(!tiles(&[12001, 63, 15], &[Ones(4), Ones(2)]));
    assert!(tiles(&[1 << 20, 5], &[Dense, Ones(2)]) && !tiles(&[1 << 17, 5], &[Dense, Ones(2)]));
    // Several steps with one contiguous input, not with two.
    let dims = [1 << 23];
    assert!(is_non_temporal(&[Op::Abs, Op::Floor], &dims, &[Dense], &target));
    assert!(!is_non_temporal(&[Op::Add, Op::Sqrt], &dims, &[Dense, Dense], &target));
    assert!(is_non_temporal(
        &[Op::Add, Op::Sqrt],
        &dims,
        &[Dense, Dense],
        &with_cpu(&target, |cpu| cpu.double_pumped_512 = false)
    ));
}

#[test]
fn parts_of_rows_are_equal_multiples_of_64() {
    for columns in [1, 63, 64, 8191, 8192, 8193, 100_000, 123_457, 2_000_000, 2_097_152, 2_097_153, 10_000_000] {
        let layout = Layout::contiguous(DType::F32, [columns]).unwrap();
        let program = chain(&[Op::Negative], DType::F32);
        let binding = Binding::new(&program, &[&layout], None, false).unwrap();
        let schedule = Schedule::new(binding, &Target::default());
        let (rows, parts) = schedule.direct_grid();
        assert_eq!((rows, parts), (1, columns.div_ceil(8192).min(256)), "{columns}");
        for parts in [parts, 1, 2, 3, 7, 100] {
            let at = |part: usize| if part == parts { columns } else { columns * part / parts / 64 * 64 };
            (0..parts).for_each(|part| assert_eq!(schedule.part(part, parts), (at(part), at(part + 1)), "{columns}"));
        }
    }
    // From 64 rows on, a row is one part.
    for (rows, parts) in [(63, 3), (64, 1)] {
        let dims = [rows, 20_000];
        let input = Layout::strided(DType::F32, dims, [80_004, 4]).unwrap();
        let program = chain(&[Op::Negative], DType::F32);
        let output = Layout::contiguous(DType::F32, dims).unwrap();
        let binding = Binding::new(&program, &[&input], Some(&[&output]), false).unwrap();
        let schedule = Schedule::new(binding, &Target::default());
        assert_eq!((schedule.direct_grid(), schedule.units()), ((rows, parts), rows * parts));
    }
}

/// A program with `count` quotients that are all live at once, because the first is read after the last is computed.
fn live_values(count: usize) -> Program {
    let mut b = ProgramBuilder::new();
    let x = b.input("x", DType::F64);
    let quotient = |i: usize, b: &mut ProgramBuilder| {
        let c = b.constant(Constant { dtype: DType::F64, bits: i as u128 });
        b.step(Op::Divide, &[x, c], None, Broadcast::Numpy).unwrap()
    };
    let values: Vec<_> = (0..count).map(|i| quotient(i, &mut b)).collect();
    let all = values.into_iter().rev().reduce(|a, v| b.step(Op::Maximum, &[a, v], None, Broadcast::Numpy).unwrap());
    b.output(all.unwrap());
    b.finish().unwrap()
}

#[test]
fn tiles_shrink_to_16_elements_before_they_exceed_the_usual_scratch() {
    let layout = Layout::contiguous(DType::F64, [1000]).unwrap();
    let plan = |count: usize| {
        Schedule::new(Binding::new(&live_values(count), &[&layout], None, false).unwrap(), &Target::default())
    };
    let first = (100..140).find(|&count| plan(count).scratch > SCRATCH_BYTES).unwrap();
    let last = plan(first - 1);
    assert_eq!(last.tile.length, 16);
    // 128 values and the first maximum: 16 elements of each, with 128 bytes more for each, are larger than 32 KiB.
    assert_eq!((first, plan(first).tile.length), (128, 64));
    for count in [300, 2000] {
        let schedule = plan(count);
        assert_eq!(schedule.tile.length, 64);
        assert_eq!(schedule.scratch, (count + 1) * (64 * 8 + 64), "each value is followed by a cache line");
    }
}

#[test]
fn live_values_have_addresses_that_differ_modulo_4096() {
    // A load whose address has the lower 12 bits of an earlier store's waits for it (4K aliasing). Eight places, 512
    // bytes apart, are enough for seven live values and their result.
    for (count, elements) in [(2, 512), (2, 1000), (3, 4096), (4, 700), (5, 1 << 20), (7, 1 << 20)] {
        let layout = Layout::contiguous(DType::F64, [elements]).unwrap();
        let binding = Binding::new(&live_values(count), &[&layout], None, false).unwrap();
        let schedule = Schedule::new(binding, &Target::default());
        let results = schedule.steps.iter().map(|step| step.result);
        let mut places: Vec<usize> =
            results.filter_map(|r| if let Slot::Register(at) = r { Some(at) } else { None }).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.len() >= count && schedule.tile.length >= 256, "{count}: {places:?} {:?}", schedule.tile);
        for (i, a) in places.iter().enumerate() {
            for b in &places[i + 1..] {
                let between = (b - a) % 4096;
                assert!((512..=4096 - 512).contains(&between), "{count} of {elements}: {places:?}");
            }
        }
        assert!(schedule.scratch <= SCRATCH_BYTES);
    }
}
