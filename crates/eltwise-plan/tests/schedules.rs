//! Where the planner changes its mind: plans of operands that grow, below, at and above each size from which another
//! strategy, tile, access or number of tasks is chosen.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_plan::plan::{Access, Strategy};
use eltwise_plan::{Binding, Broadcast, DType, Layout, Machine, Op, Program, ProgramBuilder, Schedule, Shape, Strides};

/// How an operand lies under a shape.
#[derive(Clone, Copy, Debug)]
enum Lie {
    /// Dense, in C order.
    Dense,
    /// Dense, the last two axes exchanged.
    Turned,
    /// So many elements between neighbours of the innermost axis.
    Gap(isize),
    /// The innermost axis runs backwards.
    Back,
    /// Of size 1 on the axes of these bits, the innermost the lowest.
    Ones(u32),
    /// The same, the last two axes exchanged.
    TurnedOnes(u32),
}

use Lie::{Back, Dense, Gap, Ones, Turned, TurnedOnes};

impl Lie {
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

/// A chain of steps: each takes the value before and the next input, if it takes two.
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

/// What is chosen, by kind, and all of it.
fn describe(schedule: &Schedule, machine: &Machine) -> (String, String) {
    let tile = &schedule.tile;
    let access: String = schedule
        .access
        .iter()
        .map(|access| match access {
            Access::Contiguous => 'c',
            Access::Splat => 's',
            Access::Arranged => 'a',
            _ => 'p',
        })
        .collect();
    let mut kind = match schedule.strategy {
        Strategy::Direct => format!("direct {access}"),
        Strategy::Tiled if tile.rows > 1 => format!("planes of loops {} and {} {access}", tile.row_axis, tile.axis),
        _ => format!("tiles of loop {} {access}", tile.axis),
    };
    kind += if schedule.most_tasks(machine) > 1 { ", shared" } else { "" };
    kind += if schedule.is_worth_streaming(machine) { ", streamed" } else { "" };
    let slots: Vec<usize> = (0..schedule.access.len())
        .filter(|_| schedule.strategy == Strategy::Tiled)
        .flat_map(|leaf| [schedule.packed_rows(leaf), schedule.slot_bytes(leaf)])
        .collect();
    let joins = schedule.strategy == Strategy::Tiled && schedule.tiles_join();
    let all = format!(
        "{kind} {:?} {tile:?} {:?} {:?} {:?} {} {} {:?} {joins} {slots:?}",
        schedule.nest.sizes,
        schedule.arranged,
        schedule.twin,
        schedule.access,
        schedule.scratch,
        schedule.units(),
        schedule.cost(machine)
    );
    (kind, all)
}

/// FNV-1a: what a line does not spell out changes it.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The sizes of which plans are made: all small ones, and those beside the numbers that tables of the planner have.
fn sizes(most: usize) -> Vec<usize> {
    let near =
        [50, 64, 66, 85, 100, 128, 171, 200, 256, 341, 400, 512, 700, 1024, 2048, 3000, 4096, 8192, 16384, 40_000];
    let far = [65_536, 131_072, 262_144, 1 << 20, 1 << 22, 1 << 23];
    let mut all: Vec<usize> = (2..40).collect();
    all.extend(near.iter().chain(&far).flat_map(|&n| [n - 1, n, n + 1]));
    all.retain(|&n| n <= most);
    all
}

/// A step or several over operands that lie so, for a machine.
struct Case<'a> {
    ops: &'a [Op],
    dtype: DType,
    lies: &'a [Lie],
    out: Lie,
    machine: &'a Machine,
    name: String,
}

/// One line for each stretch of sizes over which the same is chosen.
struct Table {
    text: String,
}

impl Table {
    fn family(&mut self, case: &Case<'_>, sizes: &[usize], dims: impl Fn(usize) -> Vec<usize>) {
        let &Case { ops, dtype, lies, out, machine, ref name } = case;
        let program = chain(ops, dtype);
        let mut runs: Vec<(usize, usize, String, String)> = Vec::new();
        for &n in sizes {
            let dims = dims(n);
            let layouts: Vec<Layout> = lies.iter().map(|lie| lie.layout(dtype, &dims)).collect();
            let to = program.value(program.outputs()[0]).dtype;
            let output = out.layout(to, &dims);
            let inputs: Vec<&Layout> = layouts.iter().collect();
            let mut binding = Binding::new(&program, &inputs, Some(&[&output]), false).unwrap();
            binding.fuse();
            let schedule = Schedule::new(binding, machine).unwrap();
            let (kind, all) = describe(&schedule, machine);
            match runs.last_mut() {
                Some((_, last, same, details)) if *same == kind => {
                    *last = n;
                    *details += &all;
                }
                _ => runs.push((n, n, kind, all)),
            }
        }
        let Machine { vector_bytes, l2, arranges, .. } = *machine;
        let arranges = if arranges { ", arranges" } else { "" };
        let names: Vec<&str> = ops.iter().map(|op| op.name()).collect();
        let names = names.join("+");
        writeln!(self.text, "{names} {dtype} {name} {lies:?} to {out:?}; {vector_bytes} bytes, {l2}{arranges}")
            .unwrap();
        for (first, last, kind, details) in runs {
            writeln!(self.text, "    {first}..={last}: {kind} {:08x}", digest(&details)).unwrap();
        }
    }
}

fn machines() -> [Machine; 4] {
    let of = |vector_bytes, l2, arranges| Machine { vector_bytes, l2, llc: 16 * l2, fuses: true, arranges };
    [of(64, 1 << 20, false), of(32, 1 << 16, true), of(16, 1 << 20, false), of(64, 1 << 17, true)]
}

const PAIRS: [[Lie; 2]; 12] = [
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
fn two_operands_of_rank_two() {
    let mut table = Table { text: String::new() };
    let machines = machines();
    let mut count = 0;
    for pair in PAIRS {
        for fixed in [3, 8, 9, 16, 130, 600] {
            for dtype in [DType::F32, DType::U8, DType::F64] {
                count += 1;
                let machine = &machines[count % 4];
                let sizes = sizes(400_000 / fixed);
                let rows = count % 2 == 0;
                let name = if rows { format!("[n, {fixed}]") } else { format!("[{fixed}, n]") };
                let case = Case { ops: &[Op::Add], dtype, lies: &pair, out: Dense, machine, name };
                table.family(&case, &sizes, |n| if rows { vec![n, fixed] } else { vec![fixed, n] });
            }
        }
    }
    golden::compare("schedules_rank2", &table.text);
}

#[test]
fn two_operands_of_rank_three() {
    let mut table = Table { text: String::new() };
    let machines = machines();
    let mut count = 0;
    for pair in [
        [Dense, Ones(4)],
        [Dense, Ones(2)],
        [Dense, Ones(6)],
        [Dense, Ones(5)],
        [Dense, Ones(3)],
        [Turned, Ones(2)],
        [Gap(3), Ones(4)],
    ] {
        for fixed in [[5, 40], [6, 64], [127, 12], [128, 50], [200, 7], [2, 300]] {
            for at in 0..3 {
                count += 1;
                let machine = &machines[count % 4];
                let dtype = [DType::F32, DType::F32, DType::I16, DType::F64][count / 2 % 4];
                let sizes = sizes(400_000 / fixed[0] / fixed[1]);
                let dims = |n: usize| match at {
                    0 => vec![n, fixed[0], fixed[1]],
                    1 => vec![fixed[0], n, fixed[1]],
                    _ => vec![fixed[0], fixed[1], n],
                };
                let name = format!("{fixed:?} with n at {at}");
                table.family(&Case { ops: &[Op::Add], dtype, lies: &pair, out: Dense, machine, name }, &sizes, dims);
            }
        }
    }
    golden::compare("schedules_rank3", &table.text);
}

#[test]
fn moves_and_programs_of_several_steps() {
    let mut table = Table { text: String::new() };
    let machines = machines();
    let root: &[Op] = &[Op::Add, Op::Sqrt];
    let long: &[Op] = &[Op::Divide, Op::Maximum, Op::Sqrt, Op::Divide];
    let mut count = 0;
    for lies in [
        [Dense; 4],
        [Turned; 4],
        [Dense, Turned, Dense, Ones(2)],
        [Dense, Ones(1), Ones(2), Dense],
        [Gap(4), Back, Dense, Ones(3)],
    ] {
        for ops in [&[Op::Copy][..], &[Op::Negative], root, long, &[Op::Fma], &[Op::Multiply, Op::Add]] {
            for (fixed, out) in [(1, Dense), (7, Dense), (300, Dense), (40, Turned), (33, Gap(2))] {
                count += 1;
                let machine = &machines[count % 4];
                let dtype = [DType::F32, DType::F64, DType::F32, DType::F16][count / 4 % 4];
                let sizes = sizes(if fixed == 1 { 10_000_000 } else { 400_000 / fixed });
                let inputs = &lies[..ops.iter().map(|op| op.arity() - 1).sum::<usize>() + 1];
                let rows = count % 2 == 0 || fixed == 1;
                let name = if rows { format!("[n, {fixed}]") } else { format!("[{fixed}, n]") };
                let case = Case { ops, dtype, lies: inputs, out, machine, name };
                table.family(&case, &sizes, |n| if rows { vec![n, fixed] } else { vec![fixed, n] });
            }
        }
    }
    golden::compare("schedules_steps", &table.text);
}
