//! What holds of every binding and schedule, whatever the program, the layouts and the machine. The tests of this crate
//! and the fuzz targets share it.

use std::collections::HashMap;

use eltwise_plan::bind::Binding;
use eltwise_plan::explain::Explain;
use eltwise_plan::fuse::Operation;
use eltwise_plan::one_call::{DenseStep, OneCall};
use eltwise_plan::plan::{Access, Machine, PLANE_SCRATCH, SCRATCH_BYTES, Schedule, Slot, Strategy};
use eltwise_plan::program::{Node, Program};
use eltwise_plan::{DType, ErrorKind, Layout, Op};

use super::rules::{indices, shapes, start};

/// Below this many elements the walk is compared element by element.
const FEW: usize = 2048;
/// Below this many, what is computed of which elements, too.
const FEWER: usize = 512;

/// Binds and plans; compares with the rules, and the schedule with the program. What was planned, if it was not refused.
pub fn plan(
    program: &Program,
    layouts: &[Layout],
    outputs: Option<&[Layout]>,
    c_order: bool,
    machine: &Machine,
) -> Option<Schedule> {
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let given: Option<Vec<&Layout>> = outputs.map(|o| o.iter().collect());
    let dims: Vec<Vec<usize>> = layouts.iter().map(|l| l.shape().to_vec()).collect();
    let expected = shapes(program, &dims);
    let of_outputs = |shapes: &Vec<Vec<usize>>| -> Vec<Vec<usize>> {
        program.outputs().iter().map(|o| shapes[o.index()].clone()).collect()
    };
    let binding = match (expected.as_ref().map(of_outputs), Binding::new(program, &inputs, given.as_deref(), c_order)) {
        (Some(shapes), Ok(binding)) => {
            assert!(shapes.iter().all(|shape| *shape == binding.shape.dims()), "{shapes:?}: {}", binding.shape);
            binding
        }
        (Some(shapes), Err(error)) => {
            let one_shape = shapes.iter().all(|shape| *shape == shapes[0]);
            let refused = matches!(error.kind(), ErrorKind::TooLarge | ErrorKind::Layout);
            assert!(refused && !(one_shape && error.kind() == ErrorKind::Layout && outputs.is_none()), "{error}");
            return None;
        }
        (None, Ok(binding)) => panic!("not refused: {}", binding.shape),
        (None, Err(error)) => {
            assert!(matches!(error.kind(), ErrorKind::Broadcast | ErrorKind::TooLarge), "{error}");
            return None;
        }
    };
    outputs_are_right(&binding, outputs, c_order);
    let few = |shape: &[usize]| shape.iter().try_fold(1, |n: usize, &d| n.checked_mul(d)).is_some_and(|n| n <= FEWER);
    let meaning = match &expected {
        Some(shapes) if shapes.iter().all(|shape| few(shape)) => Some(meaning(program, layouts, shapes)),
        _ => None,
    };
    let mut fused = binding.clone();
    fused.fuse();
    // The last is what a front door plans.
    let mut planned = None;
    for binding in [binding, fused] {
        let schedule = Schedule::new(binding, machine);
        inspect(&schedule, machine);
        if let Some(meaning) = &meaning {
            computes(&schedule, meaning, program);
        }
        aliases(&schedule, layouts.len());
        let explained = Explain {
            program,
            schedule: &schedule,
            machine,
            isa: "any",
            inputs: layouts,
            width: 3,
            before: &[],
            stored: &[],
        };
        assert!(!explained.to_string().is_empty());
        if let ([output], Some(call)) = (&schedule.binding.outputs[..], OneCall::of(&schedule)) {
            let found = OneCall::find(program, &inputs, output, machine);
            assert!(found.is_none_or(|found| found.call == call), "{call:?}");
            let dense = DenseStep::of(program).and_then(|step| step.find(&inputs, output, machine));
            assert!(dense.is_none_or(|found| found.call == call), "{call:?}");
        }
        planned = Some(schedule);
    }
    planned
}

/// Outputs are the given ones, or dense, and in C order when that was asked for.
fn outputs_are_right(binding: &Binding, given: Option<&[Layout]>, c_order: bool) {
    if let Some(given) = given {
        return assert_eq!(binding.outputs[..], *given);
    }
    for output in &binding.outputs {
        let (low, high) = output.span().expect("it was bound");
        let bytes = output.shape().bytes(output.dtype().size()).expect("it was bound");
        assert_eq!((low, high), (0, bytes as isize), "{output}");
        assert!(!output.overlaps_itself() && (!c_order || output.is_contiguous()), "{output}");
    }
}

/// The lowest and the highest of the offsets that loops give.
fn reach(sizes: &[usize], strides: &[isize], offset: isize) -> (i128, i128) {
    let (mut low, mut high) = (offset as i128, offset as i128);
    for (&size, &stride) in sizes.iter().zip(strides) {
        let far = (size as i128 - 1) * stride as i128;
        *(if far < 0 { &mut low } else { &mut high }) += far;
    }
    (low, high)
}

/// Where an element lies.
fn at(index: &[usize], strides: &[isize], offset: isize) -> isize {
    index.iter().zip(strides).fold(offset, |sum, (&i, &s)| sum.wrapping_add((i as isize).wrapping_mul(s)))
}

/// The offsets of all leaves at every index of loops, in any order.
fn walk(sizes: &[usize], strides: &[(isize, &[isize])]) -> Vec<Vec<isize>> {
    let of_leaves = |index: Vec<usize>| strides.iter().map(|&(offset, strides)| at(&index, strides, offset)).collect();
    let mut all: Vec<Vec<isize>> = indices(sizes).map(of_leaves).collect();
    all.sort_unstable();
    all
}

/// What holds of every schedule by itself.
pub fn inspect(schedule: &Schedule, machine: &Machine) {
    let (binding, nest) = (&schedule.binding, &schedule.nest);
    let cost = schedule.cost(machine);
    if binding.shape.contains(&0) {
        assert_eq!(schedule.strategy, Strategy::Empty);
        assert_eq!((schedule.units(), cost.ns, cost.tasks, cost.read + cost.written), (0, 0, 1, 0));
        return;
    }
    let elements = binding.shape.elements().expect("it was bound");
    assert_eq!(nest.elements(), elements);
    assert!(nest.sizes.iter().all(|&size| size >= 2), "{nest:?}");
    let mut bytes = 0usize;
    for (leaf, walked) in binding.leaves.iter().zip(&nest.walks) {
        let given = reach(&binding.shape, &leaf.strides, 0);
        assert_eq!(reach(&nest.sizes, &walked.strides, walked.offset), given, "{leaf:?}");
        let moving = walked.strides.iter().zip(&nest.sizes).filter(|(stride, _)| **stride != 0);
        bytes = bytes.saturating_add(moving.fold(leaf.size, |all, (_, &size)| all.saturating_mul(size)));
    }
    assert_eq!(schedule.bytes, bytes);
    if elements <= FEW {
        let given: Vec<_> = binding.leaves.iter().map(|leaf| (0, &leaf.strides[..])).collect();
        let walked: Vec<_> = nest.walks.iter().map(|walk| (walk.offset, &walk.strides[..])).collect();
        assert_eq!(walk(&nest.sizes, &walked), walk(&binding.shape, &given), "the walk");
    }
    assert!(schedule.units() >= 1 && (1..=schedule.units()).contains(&schedule.most_tasks(machine)));
    for width in [0, 1, 3] {
        assert_eq!(schedule.tasks(width, machine), cost.tasks.min(width).max(1));
    }
    assert_eq!(schedule.access.len(), binding.leaves.len());
    assert_eq!(schedule.steps.len(), binding.steps.len());
    match schedule.strategy {
        Strategy::Direct => rows_are_right(schedule),
        _ => {
            tiles_are_right(schedule);
            scratch_is_right(schedule, machine);
        }
    }
}

/// Rows of one step: contiguous or one element, in parts that follow each other.
fn rows_are_right(schedule: &Schedule) {
    let nest = &schedule.nest;
    assert!(schedule.steps.len() == 1 && schedule.scratch == 0 && schedule.binding.outputs.len() == 1);
    for ((access, leaf), walk) in schedule.access.iter().zip(&schedule.binding.leaves).zip(&nest.walks) {
        match (access, walk.strides.last()) {
            (Access::Splat, None | Some(0)) => assert!(!leaf.output),
            (Access::Contiguous, None) => {}
            (Access::Contiguous, Some(&stride)) => assert_eq!(stride, leaf.size as isize),
            (access, stride) => panic!("{access:?} of {stride:?}"),
        }
    }
    let columns = nest.sizes.last().copied().unwrap_or(1);
    let (rows, parts) = schedule.direct_grid();
    assert_eq!((rows * columns, rows * parts), (nest.elements(), schedule.units()));
    let mut next = 0;
    for part in 0..parts {
        let (from, to) = schedule.part(part, parts);
        assert!(from == next && from <= to && from.is_multiple_of(64), "part {part} of {parts}: {from}..{to}");
        next = to;
    }
    assert_eq!(next, columns);
}

/// Tiles share the nest out, and leaves appear in them as is said.
fn tiles_are_right(schedule: &Schedule) {
    let (nest, tile) = (&schedule.nest, &schedule.tile);
    let size = |axis: usize| nest.sizes.get(axis).copied().unwrap_or(1);
    let inner: usize = nest.sizes.iter().skip(tile.axis + 1).product();
    assert_eq!(tile.inner, inner, "{tile:?} of {:?}", nest.sizes);
    assert!((1..=size(tile.axis)).contains(&tile.length), "{tile:?} of {:?}", nest.sizes);
    assert_eq!(schedule.tiles_along(), size(tile.axis).div_ceil(tile.length));
    let mut units = schedule.tiles_along();
    for axis in 0..tile.axis {
        let is_cut = tile.rows > 1 && axis == tile.row_axis;
        units *= if is_cut { size(axis).div_ceil(tile.rows) } else { size(axis) };
    }
    assert_eq!(schedule.units(), units, "{tile:?} of {:?}", nest.sizes);
    if tile.rows > 1 {
        assert!(tile.row_axis < tile.axis && tile.rows <= size(tile.row_axis), "{tile:?} of {:?}", nest.sizes);
        assert_eq!(schedule.row_loop(), size(tile.row_axis));
    } else {
        assert_eq!((tile.rows, schedule.row_loop(), schedule.tiles_down()), (1, 1, 1));
    }
    for (i, (access, leaf)) in schedule.access.iter().zip(&schedule.binding.leaves).enumerate() {
        let strides = nest.walks[i].strides.iter().skip(tile.axis);
        let mut dense = leaf.size as isize;
        let mut is_dense = true;
        for (&stride, &size) in strides.clone().zip(nest.sizes.iter().skip(tile.axis)).rev() {
            is_dense &= stride == dense;
            dense = dense.wrapping_mul(size as isize);
        }
        let stands = strides.clone().all(|&stride| stride == 0);
        match access {
            Access::Contiguous => assert!(is_dense, "leaf {i} of {tile:?}"),
            Access::Splat => assert!(stands && !leaf.output, "leaf {i} of {tile:?}"),
            Access::Arranged => assert!(!leaf.output && [schedule.arranged, schedule.twin].contains(&Some(i))),
            _ => assert!(schedule.is_move || !(is_dense || stands && !leaf.output), "leaf {i} of {tile:?}"),
        }
    }
}

/// Registers and packed leaves lie apart, within the scratch, and that within its bound.
fn scratch_is_right(schedule: &Schedule, machine: &Machine) {
    let tile = &schedule.tile;
    let far = schedule.bytes > machine.l2 && tile.rows > 1;
    let most = if far { PLANE_SCRATCH } else { SCRATCH_BYTES };
    // Only the short tiles of hundreds of slots need more.
    let is_short = tile.rows == 1 && tile.length * tile.inner <= 64;
    assert!(schedule.scratch <= most || is_short, "{tile:?}: {} bytes", schedule.scratch);
    let mut slots: HashMap<usize, usize> = HashMap::new();
    for (i, access) in schedule.access.iter().enumerate() {
        // What a move reads goes straight to where it is written.
        if let Access::Packed { scratch } = access
            && (!schedule.is_move || schedule.binding.leaves[i].output)
        {
            let needed = schedule.packed_rows(i) * tile.length * tile.inner * schedule.binding.leaves[i].size;
            assert!(schedule.slot_bytes(i) >= needed, "leaf {i}");
            assert_eq!(slots.insert(*scratch, schedule.slot_bytes(i)), None, "leaf {i}");
        }
    }
    for (step, bound) in schedule.steps.iter().zip(&schedule.binding.steps) {
        if let Slot::Register(at) = step.result {
            assert!(!step.args.contains(&step.result), "{step:?}");
            let bytes = tile.rows * tile.length * tile.inner * bound.to.size();
            let slot = slots.entry(at).or_default();
            *slot = bytes.max(*slot);
        }
    }
    let mut slots: Vec<(usize, usize)> = slots.into_iter().collect();
    slots.sort_unstable();
    let ends = slots.iter().skip(1).map(|slot| slot.0).chain([schedule.scratch]);
    for (&(from, bytes), end) in slots.iter().zip(ends) {
        assert!(from.is_multiple_of(64) && from + bytes <= end, "{slots:?} of {} bytes", schedule.scratch);
    }
}

/// An input may lie where an output does when it is walked alike, in one way only, and read before all is written.
fn aliases(schedule: &Schedule, inputs: usize) {
    let binding = &schedule.binding;
    if schedule.strategy == Strategy::Empty {
        return;
    }
    for (output, target) in binding.leaves.iter().enumerate().filter(|(_, leaf)| leaf.output) {
        for input in 0..inputs {
            let walked: Vec<usize> = (0..binding.leaves.len())
                .filter(|&i| !binding.leaves[i].output && binding.leaves[i].index == input)
                .collect();
            let may = match walked[..] {
                [] => true,
                [leaf] => {
                    let read = |step: usize| schedule.steps[step].args.contains(&Slot::Leaf(leaf));
                    let written = schedule.steps.iter().position(|s| s.result == Slot::Leaf(output));
                    let alike = binding.leaves[leaf].strides == target.strides;
                    alike
                        && binding.leaves[leaf].size == target.size
                        && (0..schedule.steps.len()).all(|step| !read(step) || Some(step) <= written)
                }
                _ => false,
            };
            assert_eq!(binding.may_alias(output, input), may, "output {output}, input {input}");
        }
    }
}

/// A number for a value that says how it is computed, and of which elements.
fn number(of: impl IntoIterator<Item = u64>) -> u64 {
    of.into_iter().fold(0, |sum: u64, x| {
        let mixed = (sum ^ x).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 29)
    })
}

fn element(input: usize, offset: isize) -> u64 {
    number([1, input as u64, offset as u64])
}

fn scalar(dtype: DType, bits: u128) -> u64 {
    number([2, dtype.index() as u64, bits as u64, (bits >> 64) as u64])
}

/// Of an operator: operands of sums and products in any order, and an `fma` of integers is what it is made of.
fn result(op: Op, from: DType, to: DType, args: &[u64]) -> u64 {
    let mut args = args.to_vec();
    if op == Op::Fma && from.is_integer() {
        args = vec![result(Op::Multiply, from, to, &args[..2]), args[2]];
        return result(Op::Add, from, to, &args);
    }
    if matches!(op, Op::Add | Op::Multiply) {
        args.sort_unstable();
    }
    number([3, op.index() as u64, from.index() as u64, to.index() as u64].into_iter().chain(args))
}

/// Of a function of the caller's.
fn custom_result(id: u32, args: &[u64]) -> u64 {
    number([4, id.into()].into_iter().chain(args.iter().copied()))
}

/// The same of a bound step.
fn step_result(op: Operation, from: DType, to: DType, args: &[u64]) -> u64 {
    let fused = match op {
        Operation::Op(op) => return result(op, from, to, args),
        Operation::Custom(custom) => return custom_result(custom.id, args),
        Operation::Fused(fused) => fused,
        _ => panic!("{op:?} is not known here"),
    };
    let dtype = fused.dtype();
    let mut args = args.to_vec();
    if let Some(load) = fused.load() {
        args[0] = result(Op::Cast, load, dtype, &args[..1]);
    }
    if let Some(first) = fused.first() {
        let value = result(first, dtype, dtype, &args[..first.arity()]);
        args.splice(..first.arity(), [value]);
    }
    assert_eq!(args.len(), fused.last().arity(), "{fused}");
    let value = result(fused.last(), dtype, dtype, &args);
    assert_eq!(to, fused.store().unwrap_or(dtype), "{fused}");
    fused.store().map_or(value, |store| result(Op::Cast, dtype, store, &[value]))
}

/// For each output the numbers of its elements in C order, as the program says.
fn meaning(program: &Program, layouts: &[Layout], shapes: &[Vec<usize>]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = Vec::new();
    for (value, shape) in program.values().iter().zip(shapes) {
        let of = |index: Vec<usize>| match &value.node {
            Node::Input(input) => element(*input, at(&index, layouts[*input].strides(), 0)),
            Node::Constant(constant) => scalar(constant.dtype, constant.bits),
            node => {
                let args = node.args().iter().enumerate();
                let args: Vec<u64> = args
                    .map(|(k, arg)| {
                        let (values, dims) = (&all[arg.index()], &shapes[arg.index()]);
                        let start = node.broadcast().map_or(0, |mode| start(mode, shape.len(), k, dims));
                        let place = dims.iter().enumerate().fold(0, |place, (axis, &size)| {
                            place * size + if size == 1 { 0 } else { index[start + axis] }
                        });
                        values[place]
                    })
                    .collect();
                match node {
                    Node::Step { op, args: ids, .. } => {
                        let t = (0..ids.len()).find(|&k| *op != Op::Where || k > 0).unwrap_or(0);
                        result(*op, program.value(ids[t]).dtype, value.dtype, &args)
                    }
                    Node::Custom { function, .. } => custom_result(function.id, &args),
                    other => panic!("{other:?} is not known here"),
                }
            }
        };
        all.push(indices(shape).map(of).collect());
    }
    let copied = |(i, out): (usize, &eltwise_plan::ValueId)| {
        let dtype = program.value(*out).dtype;
        let is_first = !program.outputs()[..i].contains(out);
        let copy = |&value: &u64| if is_first { value } else { result(Op::Copy, dtype, dtype, &[value]) };
        all[out.index()].iter().map(copy).collect()
    };
    program.outputs().iter().enumerate().map(copied).collect()
}

/// The schedule writes every element of every output, each as the program says.
fn computes(schedule: &Schedule, meaning: &[Vec<u64>], program: &Program) {
    let (binding, nest) = (&schedule.binding, &schedule.nest);
    if schedule.strategy == Strategy::Empty {
        return;
    }
    let mut written: Vec<HashMap<isize, u64>> = vec![HashMap::new(); binding.outputs.len()];
    for index in indices(&nest.sizes) {
        let place = |leaf: usize| at(&index, &nest.walks[leaf].strides, nest.walks[leaf].offset);
        let mut registers: HashMap<usize, u64> = HashMap::new();
        for (bound, step) in binding.steps.iter().zip(&schedule.steps) {
            let value = |slot: &Slot| match *slot {
                Slot::Leaf(leaf) if binding.leaves[leaf].output => written[leaf][&place(leaf)],
                Slot::Leaf(leaf) => element(binding.leaves[leaf].index, place(leaf)),
                Slot::Constant(c) => scalar(binding.constants[c].dtype, binding.constants[c].bits),
                Slot::Register(register) => registers[&register],
                other => panic!("{other:?} is not known here"),
            };
            let args: Vec<u64> = step.args.iter().map(value).collect();
            let value = step_result(bound.op, bound.from, bound.to, &args);
            match step.result {
                Slot::Register(register) => drop(registers.insert(register, value)),
                Slot::Leaf(leaf) => assert_eq!(written[leaf].insert(place(leaf), value), None, "{index:?}"),
                other => panic!("{other:?} is written"),
            }
        }
    }
    for (leaf, layout) in binding.outputs.iter().enumerate() {
        let output = binding.leaves[leaf].index;
        assert_eq!(layout.dtype(), program.value(program.outputs()[output]).dtype);
        assert_eq!(written[leaf].len(), meaning[output].len());
        for (index, value) in indices(layout.shape()).zip(&meaning[output]) {
            assert_eq!(
                written[leaf].get(&at(&index, layout.strides(), 0)),
                Some(value),
                "output {output} at {index:?}"
            );
        }
    }
}
