//! Where the planner changes its mind: plans of operands that grow, below, at and above each size from which another
//! strategy, tile, access or number of tasks is chosen.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_plan::plan::{Access, SCRATCH_BYTES, Slot, Strategy};
use eltwise_plan::{
    Binding, Broadcast, Constant, DType, Layout, Machine, Op, Program, ProgramBuilder, Schedule, Shape, Strides,
};

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
            let schedule = Schedule::new(binding, machine);
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
    let of = |vector_bytes, l2, arranges| Machine { vector_bytes, l2, llc: 16 * l2, arranges, ..Machine::default() };
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
        [Gap(2), Back],
    ] {
        for fixed in [[5, 40], [6, 64], [127, 12], [128, 50], [200, 7], [2, 300], [4, 1016], [3, 4056]] {
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
        [Turned, Turned, Ones(3), Turned],
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

/// The plan of one step of two operands, or of several.
fn plan(ops: &[Op], dtype: DType, dims: &[usize], lies: &[Lie], machine: &Machine) -> Schedule {
    let layouts: Vec<Layout> = lies.iter().map(|lie| lie.layout(dtype, dims)).collect();
    let program = chain(ops, dtype);
    let output = Dense.layout(program.value(program.outputs()[0]).dtype, dims);
    let inputs: Vec<&Layout> = layouts.iter().collect();
    Schedule::new(Binding::new(&program, &inputs, Some(&[&output]), false).unwrap(), machine)
}

#[test]
fn runs_of_few_bytes_have_rows_of_a_vector() {
    let of = |rows: usize, vector_bytes: usize| {
        let machine = Machine { vector_bytes, arranges: true, ..Machine::default() };
        plan(&[Op::Add], DType::U8, &[rows, 28], &[Ones(2), Ones(1)], &machine)
    };
    // (564 + 1) * (28 + 1) - 1 is 16 KiB.
    let (few, more) = (of(564, 16), of(565, 16));
    assert_eq!((few.bytes, few.strategy), (16 << 10, Strategy::Direct));
    assert_eq!((more.bytes, more.strategy), ((16 << 10) + 29, Strategy::Tiled));
    // Shorter rows are tiles, and of few bytes nothing is put in order.
    let (few, more) = (of(564, 64), of(565, 64));
    assert_eq!((few.strategy, few.arranged), (Strategy::Tiled, None));
    assert_eq!((more.strategy, more.arranged), (Strategy::Tiled, Some(2)));
}

#[test]
fn rows_below_two_vectors_are_put_in_order_where_they_can_be() {
    for (arranges, longest) in [(true, 31), (false, 16)] {
        let machine = Machine { vector_bytes: 64, arranges, ..Machine::default() };
        for columns in [15, 16, 17, 31, 32, 33] {
            // Repeated over a loop of a few steps.
            let schedule = plan(&[Op::Add], DType::F32, &[400, 2, columns], &[Dense, Ones(2)], &machine);
            let tiled = schedule.strategy == Strategy::Tiled;
            assert_eq!(
                (tiled, schedule.arranged.is_some()),
                (columns <= longest, columns <= longest && arranges),
                "{columns}"
            );
        }
    }
}

#[test]
fn rows_come_again_eight_times_their_steps_and_long_ones_four_times_within_the_second_level() {
    // 40 floats are whole vectors of 16 after two steps, five of them; 104 floats thirteen, which are not written in order.
    let of = |again: usize, columns: usize, machine: &Machine| {
        plan(&[Op::Add], DType::F32, &[400, again, columns], &[Dense, Ones(2)], machine)
    };
    let roomy = Machine { vector_bytes: 64, l2: 4 << 20, arranges: true, ..Machine::default() };
    let times = [
        (2, 40, false),
        (14, 40, false),
        (15, 40, false),
        (16, 40, true),
        (18, 40, true),
        (6, 104, false),
        (8, 104, true),
    ];
    for (again, columns, comes) in times {
        assert_eq!(of(again, columns, &roomy).arranged.is_some(), comes, "{again} times {columns}");
    }
    let bytes = of(8, 104, &roomy).bytes;
    assert_eq!(bytes, 4 * (2 * 400 * 8 * 104 + 400 * 104));
    for (l2, again, columns, comes) in [(bytes, 8, 104, true), (bytes - 1, 8, 104, false), (1 << 10, 16, 40, true)] {
        let machine = Machine { l2, ..roomy };
        assert_eq!(
            of(again, columns, &machine).arranged.is_some(),
            comes,
            "{l2} of {bytes}, {again} rows of {columns}"
        );
    }
    // Or beyond the last level, where tiles are streamed.
    let far = Machine { llc: 1 << 20, halves: true, ..roomy };
    let of = |machine: &Machine| plan(&[Op::Add], DType::F32, &[6000, 8, 104], &[Ones(4), Ones(2)], machine);
    let none = [Machine { halves: false, ..far }, Machine { streams: false, ..far }, Machine { llc: 1 << 30, ..far }];
    assert!(of(&far).arranged.is_some() && none.iter().all(|machine| of(machine).arranged.is_none()));
}

#[test]
fn rows_that_come_again_are_put_in_order_beyond_few_bytes_and_at_any_rank() {
    let machine = Machine { vector_bytes: 64, arranges: true, ..Machine::default() };
    // Of 16 KiB and not more they are read where they are.
    for (outer, strategy) in [(8, Strategy::Direct), (9, Strategy::Tiled)] {
        let schedule = plan(&[Op::Less], DType::F32, &[outer, 12, 32], &[Dense, Ones(2)], &machine);
        assert_eq!(schedule.bytes, outer * 2048);
        assert_eq!((schedule.strategy, schedule.arranged.is_some()), (strategy, outer > 8), "{outer}");
    }
    // The loop over which they come again is the last but one of any number: 9 times, which are no whole number of the two steps that
    // vectors of 184 floats take.
    for (dims, ones) in [(&[6, 9, 184][..], 0b10), (&[2, 3, 4, 9, 184], 0b01010)] {
        let schedule = plan(&[Op::Add], DType::F32, dims, &[Dense, Ones(ones)], &machine);
        assert_eq!(schedule.nest.sizes.len(), dims.len());
        assert!(schedule.arranged.is_some(), "{dims:?}");
    }
}

#[test]
fn a_run_is_far_from_the_first_byte_beyond_the_second_level() {
    let machine = |l2: usize| Machine { l2, ..Machine::default() };
    let tile = |ops: &[Op], lies: &[Lie], l2: usize| plan(ops, DType::F32, &[300, 400], lies, &machine(l2)).tile;
    for (ops, lies) in [(&[Op::Add][..], &[Dense, Turned][..]), (&[Op::Add, Op::Sqrt], &[Dense, Dense])] {
        let bytes = plan(ops, DType::F32, &[300, 400], lies, &machine(1)).bytes;
        assert_eq!(bytes, 3 * 300 * 400 * 4);
        let tiles = [bytes - 1, bytes, bytes + 1].map(|l2| tile(ops, lies, l2));
        assert!(tiles[0] != tiles[1] && tiles[1] == tiles[2], "{tiles:?}");
    }
}

#[test]
fn tiles_are_shorter_where_the_first_level_is_small() {
    let elements = |kib: usize, ops: &[Op], dims: &[usize], lies: &[Lie]| {
        let tile = plan(ops, DType::F32, dims, lies, &Machine { l1: kib << 10, ..Machine::default() }).tile;
        tile.length * tile.inner
    };
    let of = |ops: &[Op], dims: &[usize], lies: &[Lie]| [32, 47, 48, 64].map(|kib| elements(kib, ops, dims, lies));
    // Several steps: beyond the second level. Within it they are short anyway.
    let steps = [Op::Add, Op::Sqrt];
    assert_eq!(of(&steps, &[1 << 20], &[Dense, Dense]), [1024, 1024, 2048, 2048]);
    assert_eq!(of(&steps, &[1 << 14], &[Dense, Dense]), [1024; 4]);
    // One step: where all that is packed is packed once, by what is packed of an element.
    let pixels = [100_000, 3];
    assert_eq!(of(&[Op::Add], &pixels, &[Dense, Ones(2)]), [816, 1200, 2016, 2016]);
    assert_eq!(of(&[Op::Fma], &pixels, &[Dense, Ones(2), Ones(2)]), [384, 576, 2016, 2016]);
    assert_eq!(of(&[Op::Fma], &pixels, &[Dense, Ones(1), Ones(2)]), [2016; 4]);
}

#[test]
fn large_outputs_are_streamed() {
    let machine = Machine::default();
    let rows = (32 << 20) / (1 << 10);
    // From 32 MiB on, in rows of 1 KiB and more, beside two inputs that move forward along all loops.
    let apart = |lies: [Lie; 2], rows: usize, columns: usize| {
        let dims = [rows, columns];
        let out = Layout::strided(DType::F32, dims, [4 * columns as isize + 4, 4]).unwrap();
        let inputs = lies.map(|lie| lie.layout(DType::F32, &dims));
        let binding = Binding::new(&chain(&[Op::Add], DType::F32), &inputs.each_ref(), Some(&[&out]), false).unwrap();
        let schedule = Schedule::new(binding, &machine);
        assert_eq!((schedule.strategy, schedule.nest.sizes.len()), (Strategy::Direct, 2));
        schedule.is_worth_streaming(&machine)
    };
    assert!(apart([Dense, Dense], rows, 256) && !apart([Dense, Dense], rows - 1, 256));
    assert!(!apart([Dense, Dense], 2 * rows, 255) && apart([Dense, Dense], rows, 257));
    assert!(!apart([Dense, Ones(1)], rows, 512) && !apart([Dense, Ones(2)], rows, 512));
    let one =
        |lie: Lie| plan(&[Op::Negative], DType::F32, &[rows, 1024], &[lie], &machine).is_worth_streaming(&machine);
    assert!(!one(Dense));
    // Programs of several steps that write tiles where they lie: beyond the caches.
    let several = |ops: &[Op], lies: &[Lie], llc: usize| {
        let machine = Machine { llc, ..machine };
        plan(ops, DType::F32, &[300, 400], lies, &machine).is_worth_streaming(&machine)
    };
    let steps = [Op::Add, Op::Sqrt];
    let bytes = 3 * 300 * 400 * 4;
    assert_eq!([bytes - 1, bytes, bytes + 1].map(|llc| several(&steps, &[Dense, Dense], llc)), [true, false, false]);
    assert!(!several(&steps, &[Dense, Turned], 1), "planes");
    assert!(!several(&[Op::Negative], &[Back], 1), "one step");
}

#[test]
fn machines_that_halve_vectors_stream_what_leaves_the_caches() {
    let machine = Machine { vector_bytes: 64, halves: true, llc: 30 << 20, ..Machine::default() };
    let streams = |ops: &[Op], dims: &[usize], lies: &[Lie], machine: &Machine| {
        plan(ops, DType::F32, dims, lies, machine).is_worth_streaming(machine)
    };
    // Beside one input or two: outputs of 16 MiB, if the run does not fit.
    let rows = (16 << 20) / (1 << 12);
    for (op, lies) in [(Op::Add, &[Dense, Dense][..]), (Op::Negative, &[Dense]), (Op::Add, &[Dense, Ones(2)])] {
        assert!(streams(&[op], &[rows, 1024], lies, &machine), "{op}");
        assert!(!streams(&[op], &[rows - 1, 1024], lies, &machine), "{op}");
        assert!(!streams(&[op], &[rows, 1024], lies, &Machine { llc: 48 << 20, ..machine }), "{op}");
        assert!(!streams(&[op], &[rows, 1024], lies, &Machine { halves: false, ..machine }), "{op}");
    }
    // Beside inputs of at most three times its bytes.
    assert!(!streams(&[Op::Less], &[4 * rows, 1024], &[Dense, Dense], &machine));
    let less =
        |dtype, lies: &[Lie]| plan(&[Op::Less], dtype, &[4 * rows, 1024], lies, &machine).is_worth_streaming(&machine);
    assert!(!less(DType::I16, &[Dense, Dense]) && less(DType::I16, &[Dense, Ones(2)]));
    // 16-bit floats compute meanwhile.
    let add =
        |dtype| plan(&[Op::Add], dtype, &[4 * rows, 1024], &[Dense, Ones(2)], &machine).is_worth_streaming(&machine);
    assert!(!add(DType::F16) && add(DType::I16) && less(DType::F16, &[Dense, Ones(2)]));
    // Rows that are whole cache lines, or long; and nothing that comes again from beyond the first level.
    assert!(!streams(&[Op::Add], &[4 * rows, 1000 / 4], &[Dense, Ones(1)], &machine));
    assert!(streams(&[Op::Add], &[4 * rows, 1025], &[Dense, Ones(1)], &machine));
    assert!(streams(&[Op::Add], &[rows, 4096], &[Dense, Ones(2)], &machine));
    assert!(!streams(&[Op::Add], &[rows, 8192], &[Dense, Ones(2)], &machine));
    assert!(!streams(&[Op::Add], &[rows, 1024], &[Dense, Back], &machine));
    // What computes longer than memory takes.
    let heavy = |machine: &Machine| streams(&[Op::Hypot], &[4 * rows, 1024], &[Dense, Dense], machine);
    assert!(!heavy(&machine) && heavy(&Machine { halves: false, ..machine }));
    assert!(!streams(&[Op::Abs, Op::Exp], &[1 << 24], &[Dense], &machine));
    // Beside none, twice the cache; where a row of 4 KiB comes again.
    let outer = |rows: usize, columns: usize| {
        let (machine, lies) = (Machine { llc: 1 << 20, ..machine }, [Ones(1), Ones(2)]);
        let schedule = plan(&[Op::Add], DType::F32, &[rows, columns], &lies, &machine);
        (schedule.strategy, schedule.is_worth_streaming(&machine))
    };
    assert_eq!(outer(512, 1024), (Strategy::Direct, true));
    assert!(!outer(500, 1024).1 && !outer(600, 1023).1 && !outer(4096, 128).1);
    // Tiles of a single step, of whole lines: whatever comes again in them, or beside an input.
    let tiles = |dims: &[usize], lies: &[Lie]| {
        let machine = Machine { arranges: true, ..machine };
        let schedule = plan(&[Op::Add], DType::F32, dims, lies, &machine);
        assert_eq!(schedule.strategy, Strategy::Tiled);
        schedule.is_worth_streaming(&machine)
    };
    assert!(tiles(&[6000, 128, 16], &[Ones(4), Ones(2)]) && tiles(&[12000, 63, 16], &[Ones(4), Ones(2)]));
    assert!(!tiles(&[12001, 63, 15], &[Ones(4), Ones(2)]));
    assert!(tiles(&[1 << 20, 5], &[Dense, Ones(2)]) && !tiles(&[1 << 17, 5], &[Dense, Ones(2)]));
    // Several steps: with one contiguous input, not with two.
    let dims = [1 << 23];
    assert!(streams(&[Op::Abs, Op::Floor], &dims, &[Dense], &machine));
    assert!(!streams(&[Op::Add, Op::Sqrt], &dims, &[Dense, Dense], &machine));
    assert!(streams(&[Op::Add, Op::Sqrt], &dims, &[Dense, Dense], &Machine { halves: false, ..machine }));
}

#[test]
fn parts_of_rows_are_even_multiples_of_64() {
    for columns in [1, 63, 64, 8191, 8192, 8193, 100_000, 123_457, 2_000_000, 2_097_152, 2_097_153, 10_000_000] {
        let layout = Layout::contiguous(DType::F32, [columns]).unwrap();
        let program = chain(&[Op::Negative], DType::F32);
        let binding = Binding::new(&program, &[&layout], None, false).unwrap();
        let schedule = Schedule::new(binding, &Machine::default());
        let (rows, parts) = schedule.direct_grid();
        assert_eq!((rows, parts), (1, columns.div_ceil(8192).min(256)), "{columns}");
        for parts in [parts, 1, 2, 3, 7, 100] {
            let at = |part: usize| if part == parts { columns } else { columns * part / parts / 64 * 64 };
            (0..parts).for_each(|part| assert_eq!(schedule.part(part, parts), (at(part), at(part + 1)), "{columns}"));
        }
    }
    // Rows are parts by themselves from 64 on.
    for (rows, parts) in [(63, 3), (64, 1)] {
        let dims = [rows, 20_000];
        let input = Layout::strided(DType::F32, dims, [80_004, 4]).unwrap();
        let program = chain(&[Op::Negative], DType::F32);
        let output = Layout::contiguous(DType::F32, dims).unwrap();
        let binding = Binding::new(&program, &[&input], Some(&[&output]), false).unwrap();
        let schedule = Schedule::new(binding, &Machine::default());
        assert_eq!((schedule.direct_grid(), schedule.units()), ((rows, parts), rows * parts));
    }
}

/// Values that are all alive at once: each of some number of quotients is read after the last is made.
fn alive(count: usize) -> Program {
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
fn tiles_of_sixteen_elements_are_the_smallest_that_share_the_scratch() {
    let layout = Layout::contiguous(DType::F64, [1000]).unwrap();
    let plan = |count: usize| {
        Schedule::new(Binding::new(&alive(count), &[&layout], None, false).unwrap(), &Machine::default())
    };
    let first = (100..140).find(|&count| plan(count).scratch > SCRATCH_BYTES).unwrap();
    let last = plan(first - 1);
    assert_eq!(last.tile.length, 16);
    // 128 values and the first maximum: no room for 16 elements of each in 32 KiB less 128 bytes for each.
    assert_eq!((first, plan(first).tile.length), (128, 64));
    for count in [300, 2000] {
        let schedule = plan(count);
        assert_eq!(schedule.tile.length, 64);
        assert_eq!(schedule.scratch, (count + 1) * (64 * 8 + 64), "a line behind each");
    }
}

#[test]
fn registers_lie_apart_in_the_lower_bits_of_their_addresses() {
    // Values that live at once, of tiles of so many elements: loads of one would wait for stores of another. Eight places, 512 bytes apart,
    // serve seven values and what is made of them.
    for (count, elements) in [(2, 512), (2, 1000), (3, 4096), (4, 700), (5, 1 << 20), (7, 1 << 20)] {
        let layout = Layout::contiguous(DType::F64, [elements]).unwrap();
        let binding = Binding::new(&alive(count), &[&layout], None, false).unwrap();
        let schedule = Schedule::new(binding, &Machine::default());
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
