//! Invariants of bindings and schedules, for any program, layouts and target. [`plan`] binds and plans a program and
//! checks them. The tests of `eltwise-plan` and the fuzz target `plan` call it.

use std::collections::HashMap;

use eltwise_core::{DType, ErrorKind, Layout, Op};
use eltwise_plan::Target;
use eltwise_plan::bind::Binding;
use eltwise_plan::explain::Explain;
use eltwise_plan::ir::operation::Operation;
use eltwise_plan::ir::program::{Node, Program};
use eltwise_plan::single_call::{SingleCall, SingleStep};
use eltwise_plan::strategy::{Access, Schedule, Slot, Strategy};
use eltwise_plan::tuning::LARGE_SCRATCH_BYTES;

use crate::broadcast_rules::{indices, shapes, start};

/// Up to this many elements, the offsets of the loop nest are compared one by one.
const MAX_COMPARED_OFFSETS: usize = 2048;
/// Up to this many elements, the expression of every output element is compared.
const MAX_COMPARED_VALUES: usize = 512;

/// Binds and plans a program, with and without fusion, and checks every invariant. `None` if the binding is an error,
/// as it must be for shapes that do not broadcast.
///
/// # Panics
/// When an invariant does not hold.
pub fn plan(
    program: &Program,
    layouts: &[Layout],
    outputs: Option<&[Layout]>,
    c_order: bool,
    target: &Target,
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
            let is_expected = matches!(error.kind(), ErrorKind::TooLarge | ErrorKind::Layout);
            assert!(is_expected && !(one_shape && error.kind() == ErrorKind::Layout && outputs.is_none()), "{error}");
            return None;
        }
        (None, Ok(binding)) => panic!("shapes that do not broadcast were bound to {}", binding.shape),
        (None, Err(error)) => {
            assert!(matches!(error.kind(), ErrorKind::Broadcast | ErrorKind::TooLarge), "{error}");
            return None;
        }
    };
    check_outputs(&binding, outputs, c_order);
    let is_small = |shape: &[usize]| {
        shape.iter().try_fold(1, |n: usize, &d| n.checked_mul(d)).is_some_and(|n| n <= MAX_COMPARED_VALUES)
    };
    let values = match &expected {
        Some(shapes) if shapes.iter().all(|shape| is_small(shape)) => Some(output_values(program, layouts, shapes)),
        _ => None,
    };
    let mut fused = binding.clone();
    fused.fuse();
    // The fused binding is the last one because plans of `eltwise` are fused.
    let mut planned = None;
    for binding in [binding, fused] {
        let schedule = Schedule::new(binding, target);
        check_schedule(&schedule, target);
        if let Some(values) = &values {
            check_values(&schedule, values, program);
        }
        check_aliases(&schedule, layouts.len());
        let explained = Explain {
            program,
            schedule: &schedule,
            target,
            isa: "any",
            inputs: layouts,
            width: 3,
            before: &[],
            stored: &[],
            chains: &[],
        };
        assert!(!explained.to_string().is_empty());
        if let ([output], Some(call)) = (&schedule.binding.outputs[..], SingleCall::of_schedule(&schedule)) {
            let step = SingleStep::of(program);
            let bound = step.and_then(|step| step.bind(&inputs, Some(output), target));
            assert!(bound.is_none_or(|bound| bound.call == call), "{call:?}");
        }
        planned = Some(schedule);
    }
    planned
}

/// Outputs have the given layouts. If none are given, they are dense, and in C order if `c_order` is set.
fn check_outputs(binding: &Binding, given: Option<&[Layout]>, c_order: bool) {
    if let Some(given) = given {
        return assert_eq!(binding.outputs[..], *given);
    }
    for output in &binding.outputs {
        let (low, high) = output.span().expect("a bound layout should have a size");
        let bytes = output.shape().bytes(output.dtype().size()).expect("a bound layout should have a size");
        assert_eq!((low, high), (0, bytes as isize), "{output}");
        assert!(!output.overlaps_itself() && (!c_order || output.is_contiguous()), "{output}");
    }
}

/// The lowest and the highest offset of a loop nest.
fn reach(sizes: &[usize], strides: &[isize], offset: isize) -> (i128, i128) {
    let (mut low, mut high) = (offset as i128, offset as i128);
    for (&size, &stride) in sizes.iter().zip(strides) {
        let last = (size as i128 - 1) * stride as i128;
        *(if last < 0 { &mut low } else { &mut high }) += last;
    }
    (low, high)
}

/// The offset of an element.
fn offset_of(index: &[usize], strides: &[isize], offset: isize) -> isize {
    index.iter().zip(strides).fold(offset, |sum, (&i, &s)| sum.wrapping_add((i as isize).wrapping_mul(s)))
}

/// The offsets of all operands at every index of a loop nest, sorted.
fn all_offsets(sizes: &[usize], strides: &[(isize, &[isize])]) -> Vec<Vec<isize>> {
    let of_operands =
        |index: Vec<usize>| strides.iter().map(|&(offset, strides)| offset_of(&index, strides, offset)).collect();
    let mut all: Vec<Vec<isize>> = indices(sizes).map(of_operands).collect();
    all.sort_unstable();
    all
}

/// Checks the invariants of a schedule that do not depend on the program.
fn check_schedule(schedule: &Schedule, target: &Target) {
    let (binding, nest) = (&schedule.binding, &schedule.nest);
    let cost = schedule.cost(target);
    if binding.shape.contains(&0) {
        assert_eq!(schedule.strategy, Strategy::Empty);
        assert_eq!((schedule.units(), cost.ns, cost.tasks, cost.read + cost.written), (0, 0, 1, 0));
        return;
    }
    let elements = binding.shape.elements().expect("a bound layout should have a size");
    assert_eq!(nest.elements(), elements);
    assert!(nest.sizes.iter().all(|&size| size >= 2), "{nest:?}");
    let mut bytes = 0usize;
    for (operand, nest_operand) in binding.operands.iter().zip(&nest.operands) {
        let given = reach(&binding.shape, &operand.strides, 0);
        assert_eq!(reach(&nest.sizes, &nest_operand.strides, nest_operand.offset), given, "{operand:?}");
        let moving = nest_operand.strides.iter().zip(&nest.sizes).filter(|(stride, _)| **stride != 0);
        bytes = bytes.saturating_add(moving.fold(operand.size, |all, (_, &size)| all.saturating_mul(size)));
    }
    assert_eq!(schedule.bytes, bytes);
    if elements <= MAX_COMPARED_OFFSETS {
        let given: Vec<_> = binding.operands.iter().map(|operand| (0, &operand.strides[..])).collect();
        let in_nest: Vec<_> = nest.operands.iter().map(|o| (o.offset, &o.strides[..])).collect();
        assert_eq!(all_offsets(&nest.sizes, &in_nest), all_offsets(&binding.shape, &given), "the offsets");
    }
    assert!(schedule.units() >= 1 && (1..=schedule.units()).contains(&schedule.max_tasks(target)));
    for width in [0, 1, 3] {
        assert_eq!(schedule.tasks(width, target), cost.tasks.min(width).max(1));
    }
    assert_eq!(schedule.access.len(), binding.operands.len());
    assert_eq!(schedule.steps.len(), binding.steps.len());
    match schedule.strategy {
        Strategy::Direct => check_rows(schedule),
        _ => {
            check_tiles(schedule);
            check_scratch(schedule);
        }
    }
}

/// Rows of one step are contiguous or splat. Their parts follow each other without gaps and start at multiples of 64.
fn check_rows(schedule: &Schedule) {
    let nest = &schedule.nest;
    assert!(schedule.steps.len() == 1 && schedule.scratch == 0 && schedule.binding.outputs.len() == 1);
    for ((access, operand), nest_operand) in schedule.access.iter().zip(&schedule.binding.operands).zip(&nest.operands)
    {
        match (access, nest_operand.strides.last()) {
            (Access::Splat, None | Some(0)) => assert!(!operand.output),
            (Access::Contiguous, None) => {}
            (Access::Contiguous, Some(&stride)) => assert_eq!(stride, operand.size as isize),
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

/// Tiles cover the loop nest, and each operand has in them the layout that its access says.
fn check_tiles(schedule: &Schedule) {
    let (nest, tile) = (&schedule.nest, &schedule.tile);
    assert_eq!(tile.steps.len(), nest.sizes.len());
    let mut order: Vec<usize> = tile.order.to_vec();
    order.sort_unstable();
    assert_eq!(order, (0..nest.sizes.len()).collect::<Vec<_>>(), "{tile:?}");
    let mut covered = 0;
    for region in schedule.regions() {
        let elements: usize = region.steps.iter().product();
        covered += elements * region.tiles();
        for (axis, &size) in nest.sizes.iter().enumerate() {
            let end = region.first[axis] + region.counts[axis] * region.steps[axis];
            assert!(region.steps[axis] >= 1 && end <= size, "{region:?} of {:?}", nest.sizes);
        }
    }
    assert_eq!(covered, nest.elements(), "{tile:?} of {:?}", nest.sizes);
    assert_eq!(schedule.units(), schedule.regions().iter().map(|region| region.tiles()).sum::<usize>());
    if schedule.is_move || tile.unit.is_some() {
        return;
    }
    for (i, (access, operand)) in schedule.access.iter().zip(&schedule.binding.operands).enumerate() {
        let inside = nest.operands[i].strides.iter().zip(&tile.steps).skip(tile.row);
        let mut dense = operand.size as isize;
        let (mut is_dense, mut is_splat) = (true, !operand.output);
        for (&stride, &steps) in inside.rev().filter(|(_, steps)| **steps > 1) {
            is_dense &= stride == dense;
            is_splat &= stride == 0;
            dense = dense.wrapping_mul(steps as isize);
        }
        match access {
            Access::Contiguous => assert!(is_dense, "operand {i} of {tile:?}"),
            Access::Splat => assert!(is_splat, "operand {i} of {tile:?}"),
            _ => {}
        }
    }
}

/// Registers and packed operands do not overlap and are within the scratch, and the scratch is within its limit.
fn check_scratch(schedule: &Schedule) {
    let tile = &schedule.tile;
    // Only short tiles with hundreds of slots exceed the limit.
    assert!(schedule.scratch <= LARGE_SCRATCH_BYTES || tile.elements() <= 64, "{tile:?}: {} bytes", schedule.scratch);
    let mut slots: HashMap<usize, usize> = HashMap::new();
    for (i, access) in schedule.access.iter().enumerate() {
        // A move copies from its input to its output.
        if let Access::Packed { scratch } = access
            && !schedule.is_move
        {
            let bytes = schedule.packed_strides(i, &tile.steps).1;
            assert_eq!(slots.insert(*scratch, bytes), None, "operand {i}");
        }
    }
    for (step, bound) in schedule.steps.iter().zip(&schedule.binding.steps) {
        if let Slot::Register(at) = step.result {
            assert!(!step.args.contains(&step.result), "{step:?}");
            let bytes = tile.elements() * bound.to.size();
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

/// An input may have the memory of an output if one operand reads it, with the strides and element size of the output,
/// and only in steps up to the one that writes the output.
fn check_aliases(schedule: &Schedule, inputs: usize) {
    let binding = &schedule.binding;
    if schedule.strategy == Strategy::Empty {
        return;
    }
    for (output, target) in binding.operands.iter().enumerate().filter(|(_, operand)| operand.output) {
        for input in 0..inputs {
            let readers: Vec<usize> = (0..binding.operands.len())
                .filter(|&i| !binding.operands[i].output && binding.operands[i].index == input)
                .collect();
            let may = match readers[..] {
                [] => true,
                [operand] => {
                    let read = |step: usize| schedule.steps[step].args.contains(&Slot::Operand(operand));
                    let written = schedule.steps.iter().position(|s| s.result == Slot::Operand(output));
                    binding.operands[operand].strides == target.strides
                        && binding.operands[operand].size == target.size
                        && (0..schedule.steps.len()).all(|step| !read(step) || Some(step) <= written)
                }
                _ => false,
            };
            assert_eq!(binding.may_alias(output, input), may, "output {output}, input {input}");
        }
    }
}

/// The hash of an expression over elements of inputs, from its parts.
fn hash(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0, |sum: u64, x| {
        let mixed = (sum ^ x).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 29)
    })
}

/// The hash of an element of an input.
fn element(input: usize, offset: isize) -> u64 {
    hash([1, input as u64, offset as u64])
}

/// The hash of a constant.
fn scalar(dtype: DType, bits: u128) -> u64 {
    hash([2, dtype.index() as u64, bits as u64, (bits >> 64) as u64])
}

/// The hash of the result of an operator. The order of the operands of a sum or product does not count, and an `fma` of
/// integers is the sum of the product.
fn result(op: Op, from: DType, to: DType, args: &[u64]) -> u64 {
    let mut args = args.to_vec();
    if op == Op::Fma && from.is_integer() {
        args = vec![result(Op::Multiply, from, to, &args[..2]), args[2]];
        return result(Op::Add, from, to, &args);
    }
    if matches!(op, Op::Add | Op::Multiply) {
        args.sort_unstable();
    }
    hash([3, op.index() as u64, from.index() as u64, to.index() as u64].into_iter().chain(args))
}

/// The hash of the result of a custom operator.
fn custom_result(id: u32, args: &[u64]) -> u64 {
    hash([4, id.into()].into_iter().chain(args.iter().copied()))
}

/// The hash of the result of a bound step, which may be fused.
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

/// For each output the hashes of its elements in C order, by the definition of the program.
fn output_values(program: &Program, layouts: &[Layout], shapes: &[Vec<usize>]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = Vec::new();
    for (value, shape) in program.values().iter().zip(shapes) {
        let hash_at = |index: Vec<usize>| match &value.node {
            Node::Input(input) => element(*input, offset_of(&index, layouts[*input].strides(), 0)),
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
        all.push(indices(shape).map(hash_at).collect());
    }
    let copied = |(i, out): (usize, &eltwise_plan::ValueId)| {
        let dtype = program.value(*out).dtype;
        let is_first = !program.outputs()[..i].contains(out);
        let copy = |&value: &u64| if is_first { value } else { result(Op::Copy, dtype, dtype, &[value]) };
        all[out.index()].iter().map(copy).collect()
    };
    program.outputs().iter().enumerate().map(copied).collect()
}

/// The schedule writes every element of every output once, with the value of the program.
fn check_values(schedule: &Schedule, values: &[Vec<u64>], program: &Program) {
    let (binding, nest) = (&schedule.binding, &schedule.nest);
    if schedule.strategy == Strategy::Empty {
        return;
    }
    let mut written: Vec<HashMap<isize, u64>> = vec![HashMap::new(); binding.outputs.len()];
    for index in indices(&nest.sizes) {
        let place = |operand: usize| offset_of(&index, &nest.operands[operand].strides, nest.operands[operand].offset);
        let mut registers: HashMap<usize, u64> = HashMap::new();
        for (bound, step) in binding.steps.iter().zip(&schedule.steps) {
            let value = |slot: &Slot| match *slot {
                Slot::Operand(operand) if binding.operands[operand].output => written[operand][&place(operand)],
                Slot::Operand(operand) => element(binding.operands[operand].index, place(operand)),
                Slot::Constant(c) => scalar(binding.constants[c].dtype, binding.constants[c].bits),
                Slot::Register(register) => registers[&register],
                other => panic!("{other:?} is not known here"),
            };
            let args: Vec<u64> = step.args.iter().map(value).collect();
            let value = step_result(bound.op, bound.from, bound.to, &args);
            match step.result {
                Slot::Register(register) => drop(registers.insert(register, value)),
                Slot::Operand(operand) => assert_eq!(written[operand].insert(place(operand), value), None, "{index:?}"),
                other => panic!("{other:?} is written"),
            }
        }
    }
    for (operand, layout) in binding.outputs.iter().enumerate() {
        let output = binding.operands[operand].index;
        assert_eq!(layout.dtype(), program.value(program.outputs()[output]).dtype);
        assert_eq!(written[operand].len(), values[output].len());
        for (index, value) in indices(layout.shape()).zip(&values[output]) {
            assert_eq!(
                written[operand].get(&offset_of(&index, layout.strides(), 0)),
                Some(value),
                "output {output} at {index:?}"
            );
        }
    }
}
