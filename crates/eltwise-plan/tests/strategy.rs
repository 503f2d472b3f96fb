//! The search for the cheapest plan: which plans representative layouts get, and what must hold for any costs.

#[path = "common/golden.rs"]
pub mod golden;
#[path = "common/plans.rs"]
pub mod plans;

use std::fmt::Write;

use eltwise_core::{DType, Layout, Op};
use eltwise_plan::bind::loop_nest::LoopNest;
use eltwise_plan::strategy::{Access, Strategy};
use eltwise_plan::{Binding, CpuModel, Schedule, Target};
use eltwise_testkit::plan_invariants;
use plans::OperandLayout::{self, Axes, Dense, Gap, Repeated, Reversed, Transposed};
use plans::{avx2, avx512, chain, layouts, plan, with_cpu};

/// A row of the table of representative layouts.
struct Case {
    name: &'static str,
    ops: &'static [Op],
    dtype: DType,
    /// The iteration shape. Axes of size 0 grow with the number of elements.
    dims: &'static [usize],
    operands: &'static [OperandLayout],
    out: OperandLayout,
}

/// `"name" ops dtype [shape] operands => output;`
macro_rules! cases {
    ($($name:literal $ops:tt $dtype:ident $dims:tt $operands:tt => $out:expr;)*) => {
        [$(Case {
            name: $name,
            ops: &{ use Op::*; $ops },
            dtype: DType::$dtype,
            dims: &$dims,
            operands: &$operands,
            out: $out,
        }),*]
    };
}

const CASES: [Case; 41] = cases! {
    "dense" [Add] F32 [0] [Dense, Dense] => Dense;
    "one element for each row" [Add] F32 [0, 40] [Dense, Repeated(1)] => Dense;
    "one row for all rows" [Add] F32 [0, 40] [Dense, Repeated(2)] => Dense;
    "long rows that share a row" [Add] F32 [0, 4000] [Dense, Repeated(2)] => Dense;
    "short rows" [Add] F32 [0, 3] [Dense, Repeated(2)] => Dense;
    "short rows" [Add] U8 [0, 3] [Dense, Repeated(2)] => Dense;
    "short rows" [Add] F16 [0, 7] [Dense, Repeated(2)] => Dense;
    "short rows" [Add] F64 [0, 3] [Dense, Repeated(1)] => Dense;
    "parameters of channels" [Add] F32 [0, 64, 49] [Dense, Repeated(0b101)] => Dense;
    "a plane for each channel" [Add] F32 [8, 0, 49] [Dense, Repeated(0b010)] => Dense;
    "both broadcast" [Add] F32 [0, 0] [Repeated(1), Repeated(2)] => Dense;
    "both broadcast, short rows" [Add] U8 [0, 17] [Repeated(1), Repeated(2)] => Dense;
    "transposed" [Add] F32 [0, 0] [Dense, Transposed] => Dense;
    "transposed" [Add] U8 [0, 0] [Dense, Transposed] => Dense;
    "transposed" [Add] F16 [0, 0] [Dense, Transposed] => Dense;
    "transposed" [Add] F64 [0, 0] [Dense, Transposed] => Dense;
    "transposed, and a row" [Add] F32 [0, 0] [Transposed, Repeated(2)] => Dense;
    "both transposed" [Add] F32 [0, 0] [Transposed, Transposed] => Dense;
    "transposed output" [Add] F32 [0, 0] [Dense, Dense] => Transposed;
    "four axes permuted" [Add] F32 [0, 8, 6, 20] [Dense, Axes(&[0, 3, 1, 2])] => Dense;
    "two short axes exchanged" [Add] U8 [0, 4, 5] [Dense, Transposed] => Dense;
    "pixels of planes and of channels" [Add] F32 [3, 0] [Dense, Transposed] => Dense;
    "pixels of planes and of channels" [Add] U8 [0, 3] [Dense, Transposed] => Dense;
    "every second element" [Add] F32 [0] [Dense, Gap(2)] => Dense;
    "every third element" [Add] U8 [0] [Dense, Gap(3)] => Dense;
    "every fifth element" [Add] F64 [0] [Dense, Gap(5)] => Dense;
    "both strided" [Add] F32 [0] [Gap(2), Gap(3)] => Dense;
    "strided output" [Add] F32 [0] [Dense, Dense] => Gap(2);
    "reversed" [Add] F32 [0] [Dense, Reversed] => Dense;
    "reversed rows" [Add] U8 [0, 11] [Reversed, Repeated(2)] => Dense;
    "move: transposed" [Copy] F32 [0, 0] [Transposed] => Dense;
    "move: strided to reversed" [Copy] F16 [0] [Gap(2)] => Reversed;
    "move: one element for each row" [Copy] U8 [0, 40] [Repeated(1)] => Dense;
    "unary, strided" [Negative] F32 [0] [Gap(3)] => Dense;
    "where, broadcast condition" [Where] F32 [0, 60] [Dense, Repeated(1), Repeated(2)] => Dense;
    "where, transposed condition" [Where] F32 [0, 0] [Transposed, Dense, Dense] => Dense;
    "two steps" [Divide, Sqrt] F32 [0] [Dense, Dense] => Dense;
    "four steps" [Divide, Maximum, Sqrt, Divide] F32 [0, 60] [Dense, Repeated(1), Repeated(2), Dense] => Dense;
    "four steps, transposed" [Divide, Maximum, Sqrt, Divide] F16 [0, 0] [Dense, Transposed, Dense, Repeated(2)] => Dense;
    "two steps, all transposed" [Divide, Maximum] F32 [0, 0] [Transposed, Transposed, Transposed] => Dense;
    "two steps, transposed output" [Divide, Sqrt] F64 [0, 0] [Dense, Repeated(1)] => Transposed;
};

impl Case {
    /// The shape with about so many elements.
    fn shape(&self, elements: usize) -> Vec<usize> {
        let fixed: usize = self.dims.iter().filter(|&&size| size != 0).product();
        let free = (elements / fixed).max(2);
        let growing = self.dims.iter().filter(|&&size| size == 0).count();
        let size = if growing == 2 { free.isqrt() } else { free };
        self.dims.iter().map(|&fixed| if fixed == 0 { size } else { fixed }).collect()
    }
}

/// A plan in a line.
fn describe(schedule: &Schedule, target: &Target) -> String {
    let access = schedule.access.iter().map(|access| match access {
        Access::Contiguous => 'c',
        Access::Splat => 's',
        Access::Permuted { copy: None } => 'r',
        Access::Permuted { copy: Some(_) } => 'R',
        _ => 'p',
    });
    let access: String = access.collect();
    let mut line = match (schedule.strategy, &schedule.tile) {
        (Strategy::Direct, _) => format!("direct {access} {} x {}", schedule.nest.rows(), schedule.nest.columns()),
        (_, tile) if schedule.is_move => format!("move {:?} of {:?}", tile.steps, schedule.nest.sizes),
        (_, tile) => {
            let unit = tile.unit.map_or(String::new(), |unit| format!(" units {unit}"));
            let (steps, row, sizes) = (&tile.steps, tile.row, &schedule.nest.sizes);
            format!("tiled {access} {steps:?} of {sizes:?} row {row}{unit}, {} B", schedule.scratch)
        }
    };
    if !schedule.tile.order.is_sorted() {
        write!(line, ", order {:?}", schedule.tile.order).unwrap();
    }
    line + if schedule.prefers_non_temporal(target) { ", non-temporal" } else { "" }
}

/// Plans a case, and checks the invariants of plans.
fn planned(case: &Case, elements: usize, target: &Target) -> (Vec<usize>, Schedule) {
    let (program, dims) = (chain(case.ops, case.dtype), case.shape(elements));
    let (inputs, output) = layouts(&program, &dims, case.operands, case.out);
    let schedule = plan_invariants::plan(&program, &inputs, Some(&[output]), false, target);
    let schedule = schedule.unwrap_or_else(|| panic!("{}", case.name));
    (dims, schedule)
}

/// A change of the cost model changes lines of the file. A reviewer looks whether the new plans are as good.
#[test]
fn plans_of_representative_layouts_are_those_of_the_golden_file() {
    let targets = [("zen5", avx512(CpuModel::ZEN5)), ("zen4", avx512(CpuModel::ZEN4)), ("avx2", avx2(CpuModel::ZEN4))];
    let mut text = "c contiguous, s splat, p packed, r permuted in registers, R the same from a copy\n".to_string();
    for case in &CASES {
        let names: Vec<&str> = case.ops.iter().map(|op| op.name()).collect();
        let Case { name, dtype, operands, out, .. } = case;
        writeln!(text, "{name}: {} {dtype} {operands:?} to {out:?}", names.join("+")).unwrap();
        // Within the second level, the last level, neither.
        for elements in [4000, 60_000, 1 << 24] {
            let mut lines: Vec<(String, String)> = Vec::new();
            let mut shape = Vec::new();
            for (target, schedule) in targets.map(|(name, target)| (name, (target, planned(case, elements, &target)))) {
                let (of_target, (dims, schedule)) = schedule;
                let line = describe(&schedule, &of_target);
                shape = dims;
                match lines.iter_mut().find(|(_, same)| *same == line) {
                    Some((targets, _)) => *targets += &format!(", {target}"),
                    None => lines.push((target.to_string(), line)),
                }
            }
            for (targets, line) in lines {
                writeln!(text, "  {shape:?} {}: {line}", if targets.len() > 12 { "all" } else { &targets }).unwrap();
            }
        }
    }
    golden::compare("schedules", &text);
}

/// The targets of the properties below.
fn all_targets() -> Vec<Target> {
    let cpus = [CpuModel::GENERIC, CpuModel::ZEN3, CpuModel::ZEN4, CpuModel::ZEN5];
    let targets = cpus.into_iter().flat_map(|cpu| [avx512(cpu), avx2(cpu), Target { cpu, ..Target::default() }]);
    targets.collect()
}

#[test]
fn small_runs_of_whole_vectors_and_long_rows_are_direct() {
    for target in all_targets() {
        let vector = target.kernels.vector_bytes;
        let is_direct = |dtype, dims: &[usize], operands: &[OperandLayout]| {
            plan(&[Op::Add], dtype, dims, operands, &target).strategy == Strategy::Direct
        };
        // Up to 16 KiB, rows of at least a vector.
        for columns in [vector, vector + 1, 200] {
            let rows = (16 << 10) / (2 * columns + 1) - 1;
            for operands in [[Dense, Repeated(1)], [Dense, Repeated(2)], [Repeated(1), Repeated(2)]] {
                assert!(
                    is_direct(DType::U8, &[rows, columns], &operands),
                    "[{rows}, {columns}] {operands:?} {target:?}"
                );
            }
        }
        // Rows of at least 2 KiB, unless a row of more than 8 KiB is read again and again from the second-level cache.
        for columns in [512, 1000, 2048, 9000] {
            assert!(is_direct(DType::F32, &[20, columns], &[Dense, Repeated(1)]), "{columns} {target:?}");
            let rows = target.cpu.llc / 4 / columns;
            assert!(is_direct(DType::F32, &[rows, columns], &[Dense, Repeated(2)]), "{columns} {target:?}");
        }
        assert!(is_direct(DType::F32, &[20, 2048], &[Dense, Repeated(2)]), "{target:?}");
    }
}

#[test]
fn plans_follow_the_costs_of_the_cpu() {
    let base = avx512(CpuModel::ZEN4);
    let far = 1_000_000_000;
    for case in &CASES {
        for elements in [4000, 60_000, 1 << 20] {
            let planned = |change: &dyn Fn(&mut CpuModel)| planned(case, elements, &with_cpu(&base, change)).1;
            let has_units = |schedule: &Schedule| schedule.tile.unit.is_some();
            // No kernels over units if they take long, and more if they take no time.
            let slow = planned(&|cpu| cpu.tiles.unit_vector = far);
            assert!(!has_units(&slow), "{}: {:?}", case.name, slow.tile);
            let default = planned(&|_| ());
            let fast = planned(&|cpu| {
                (cpu.tiles.unit_vector, cpu.tiles.unit_row) = (0, [0; 3]);
                (cpu.tiles.unit_64, cpu.tiles.unit_16, cpu.tiles.index) = ([[0; 2]; 2], [[0; 2]; 2], [0; 4]);
            });
            assert!(has_units(&fast) || !has_units(&default), "{}: {:?}", case.name, fast.tile);
            // Few tiles if each takes long.
            let few = planned(&|cpu| cpu.tiles.tile = far);
            let count = |schedule: &Schedule| if schedule.strategy == Strategy::Tiled { schedule.units() } else { 1 };
            assert!(count(&few) <= count(&default), "{}: {:?} {:?}", case.name, few.tile, default.tile);
        }
    }
}

/// Loops follow the output. If several inputs are contiguous along another loop, the loops follow them, and only the result
/// is copied.
#[test]
fn loops_follow_the_inputs_if_several_share_an_order() {
    let target = avx512(CpuModel::ZEN4);
    let plan_of = |transposed: usize, dense: usize, dims: &[usize]| {
        let operands: Vec<_> = [Transposed].repeat(transposed).into_iter().chain([Dense].repeat(dense)).collect();
        let program = chain(&vec![Op::Divide; operands.len() - 1], DType::F32);
        let (inputs, output) = layouts(&program, dims, &operands, Dense);
        let inputs: Vec<&Layout> = inputs.iter().collect();
        let binding = Binding::new(&program, &inputs, Some(&[&output]), false).unwrap();
        let nest = LoopNest::new(&binding.shape, &binding.operands);
        let schedule = Schedule::new(binding, &target);
        (schedule.nest != nest, schedule)
    };
    for dims in [[70, 90], [700, 900], [1400, 1800]] {
        for transposed in [2, 3, 4] {
            let (reordered, schedule) = plan_of(transposed, 0, &dims);
            assert!(reordered, "{transposed} of {dims:?}");
            let packed = schedule.access.iter().map(|access| matches!(access, Access::Packed { .. }));
            assert_eq!(packed.collect::<Vec<_>>(), [&[true][..], &vec![false; transposed]].concat(), "{dims:?}");
        }
        for dense in [1, 2, 3] {
            assert!(!plan_of(1, dense, &dims).0, "one and {dense} of {dims:?}");
        }
        // Most inputs have the order of the output.
        assert!(!plan_of(2, 5, &dims).0, "{dims:?}");
    }
}

/// Interleaved pixels to planes, beyond the second-level cache: a line of the input, which has all channels of some pixels, is read
/// by one tile.
#[test]
fn a_tile_deinterleaves_all_channels_of_its_pixels() {
    for target in all_targets() {
        for (dtype, channels) in [(DType::F32, 3), (DType::F32, 4), (DType::U8, 3), (DType::F16, 2), (DType::F64, 2)] {
            for pixels in [1 << 20, 1 << 23] {
                let schedule = plan(&[Op::Abs], dtype, &[channels, pixels], &[Transposed], &target);
                assert_eq!(schedule.tile.steps[0], channels, "{pixels} of {channels} {dtype}, {target:?}");
            }
        }
    }
}

#[test]
fn tiles_of_several_steps_are_longer_beyond_the_l2_cache_if_the_l1_cache_is_large() {
    let lengths = |elements: usize| {
        [32, 47, 48, 64].map(|kib| {
            let target = with_cpu(&Target::default(), |cpu| cpu.l1 = kib << 10);
            plan(&[Op::Add, Op::Sqrt], DType::F32, &[elements], &[Dense, Dense], &target).tile.elements()
        })
    };
    // Three operands.
    let within = CpuModel::default().l2 / 12;
    assert_eq!(lengths(1 << 14), [1024; 4]);
    assert_eq!(lengths(within / 1024 * 1024), [1024; 4]);
    assert_eq!(lengths(1 << 20), [1024, 1024, 2048, 2048]);
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
