//! The kernel calls of a tile's steps. [`Steps`] makes them for the first tile and updates their addresses for the next
//! ones.

use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::strategy::{Access, Slot};
use smallvec::SmallVec;

use super::extent::{Extent, TileOperand};
use super::prefetch::{self, NextTile};
use super::{ElementSizes, Run, blank, non_temporal, operand_of_slot};
use crate::sys::cpu::cpu_model;

/// The largest number of steps whose calls are kept from tile to tile. Longer programs make theirs for each tile.
const MAX_KEPT: usize = 8;
/// The operands of a call: the output, then the inputs.
const OPERANDS: usize = 5;
/// Marks an operand of a call that is a register or a constant: its address is the same in every tile.
const NOT_IN_MEMORY: usize = usize::MAX;

/// One step over a tile.
#[derive(Clone, Copy)]
struct StepCall {
    kernel: Kernel,
    call: Call,
    /// The operand of the schedule that each operand of the call is, or [`NOT_IN_MEMORY`].
    operands: [usize; OPERANDS],
}

/// The calls of all steps over one tile.
pub(super) struct Steps {
    /// Empty if each call is made when it runs: if there are many steps or only one tile, and for moves, which call no
    /// kernel.
    calls: SmallVec<[StepCall; MAX_KEPT]>,
    keeps_calls: bool,
    /// The [size](size_of_tile) of the tile that the calls were made for.
    size: (usize, usize, usize),
}

impl Steps {
    /// The steps of a run over `tiles` tiles.
    #[inline]
    pub(super) fn new(schedule: &Schedule, tiles: usize) -> Steps {
        let keeps_calls = tiles > 1 && !schedule.is_move && schedule.steps.len() <= MAX_KEPT;
        Steps { calls: SmallVec::new(), keeps_calls, size: (0, 0, 0) }
    }

    /// Moves to a tile with these operands.
    #[inline]
    pub(super) fn move_to(&mut self, run: &Run<'_>, tile: &Extent, scratch: *mut u8, operands: &[TileOperand]) {
        if self.size != size_of_tile(tile) {
            self.size = size_of_tile(tile);
            self.calls.clear();
            let count = if self.keeps_calls { run.plan.schedule.steps.len() } else { 0 };
            (0..count).for_each(|i| self.calls.push(step_call(run, i, tile, scratch, operands)));
            return;
        }
        for step in &mut self.calls {
            let in_call = core::iter::once(&mut step.call.out).chain(&mut step.call.ins);
            for (into, &operand) in in_call.zip(&step.operands) {
                if let Some(operand) = operands.get(operand) {
                    into.ptr = operand.data;
                }
            }
        }
    }

    /// Runs the steps over a tile whose inputs are packed.
    #[inline]
    pub(super) fn run(&self, run: &Run<'_>, tile: &Extent, scratch: *mut u8, operands: &[TileOperand]) {
        let (plan, schedule) = (run.plan, &run.plan.schedule);
        let last = schedule.steps.len() - 1;
        for i in 0..=last {
            let made;
            let step = match self.calls.get(i) {
                Some(kept) => kept,
                None => {
                    made = step_call(run, i, tile, scratch, operands);
                    &made
                }
            };
            let is_non_temporal = run.non_temporal && i == last && (last == 0 || step.call.rows == 1);
            if plan.prefetches && i == last && !is_non_temporal {
                for (operand, current) in operands.iter().enumerate() {
                    prefetch::after_tile(schedule, operand, current.memory, tile.steps);
                }
            }
            // SAFETY: operands are the tile's elements in memory or in scratch; the registers of one step are distinct;
            // the kernel was chosen for this CPU.
            let invoke = |call: &Call| unsafe {
                match &plan.arranged {
                    Some(arranged) => arranged.run(schedule, *call, tile.steps, run.pointers),
                    None => (step.kernel)(call),
                }
            };
            if !is_non_temporal {
                invoke(&step.call);
                continue;
            }
            let mut sizes = ElementSizes::of_step(schedule, i);
            if last > 0 {
                let next = NextTile::new(schedule, operands, tile);
                // Only single steps permute.
                // SAFETY: operands are the tile's elements in memory or in scratch; the kernel was chosen for this CPU;
                // the output of a non-temporal run overlaps no input.
                unsafe { non_temporal::call(step.kernel, &step.call, &sizes, Some(next), &cpu_model()) };
                continue;
            }
            // Only contiguous inputs are prefetched.
            for (bytes, &operand) in sizes.ins.iter_mut().zip(&step.operands[1..]) {
                *bytes *= usize::from(schedule.access.get(operand) == Some(&Access::Contiguous));
            }
            // SAFETY: operands are the tile's elements in memory or in scratch; the kernel was chosen for this CPU; the
            // output of a non-temporal run overlaps no input.
            unsafe { non_temporal::rows(invoke, &step.call, &sizes, &cpu_model()) };
        }
    }
}

/// The size of a tile. The calls of tiles of one size differ in addresses only.
#[inline]
fn size_of_tile(tile: &Extent) -> (usize, usize, usize) {
    (tile.steps, tile.rows, tile.tiles)
}

/// The call of a step over a tile.
#[inline(always)]
fn step_call(run: &Run<'_>, i: usize, tile: &Extent, scratch: *mut u8, operands: &[TileOperand]) -> StepCall {
    let (plan, schedule) = (run.plan, &run.plan.schedule);
    let step = &schedule.steps[i];
    let columns = tile.steps * schedule.tile.inner;
    let mut call = blank(tile.rows * tile.tiles, columns, &run.flags);
    let mut in_memory = [NOT_IN_MEMORY; OPERANDS];
    let sizes = ElementSizes::of_step(schedule, i);
    // Rows that follow each other in every operand run as one. A permutation starts anew with each row.
    let mut is_one_row = plan.arranged.is_none();
    let mut operand = |slot: Slot, size: usize, in_memory: &mut usize| {
        let operand = call_operand(run, slot, size, tile, scratch, operands);
        *in_memory = operand_of_slot(slot).unwrap_or(NOT_IN_MEMORY);
        is_one_row &= operand.row == if operand.splat { 0 } else { (columns * size) as isize };
        operand
    };
    call.out = operand(step.result, sizes.out, &mut in_memory[0]);
    for (k, &arg) in step.args.iter().enumerate() {
        call.ins[k] = operand(arg, sizes.ins[k], &mut in_memory[k + 1]);
    }
    if is_one_row {
        (call.rows, call.cols) = (1, call.rows * call.cols);
    }
    StepCall { kernel: plan.kernels[i], call, operands: in_memory }
}

/// A slot of a tile as an operand of a call.
#[inline(always)]
fn call_operand(
    run: &Run<'_>,
    slot: Slot,
    size: usize,
    tile: &Extent,
    scratch: *mut u8,
    operands: &[TileOperand],
) -> Operand {
    let schedule = &run.plan.schedule;
    // The rows in scratch follow each other.
    let in_scratch = |ptr: *mut u8| {
        let row = (tile.steps * schedule.tile.inner * size) as isize;
        Operand { ptr, row, splat: false }
    };
    match slot {
        Slot::Operand(operand) => {
            let (data, access) = (operands[operand].data, schedule.access[operand]);
            match access {
                // One row of scratch for all rows, if the operand repeats over them.
                Access::Packed { .. } if tile.tiles > 1 || (tile.rows > 1 && schedule.packed_rows(operand) == 1) => {
                    Operand { ptr: data, row: 0, splat: false }
                }
                Access::Packed { .. } => in_scratch(data),
                access => {
                    let row = match tile.tiles {
                        1 => stride(schedule, operand, schedule.tile.row_axis),
                        _ => stride(schedule, operand, schedule.tile.axis).wrapping_mul(tile.steps as isize),
                    };
                    Operand { ptr: data, row, splat: access == Access::Splat }
                }
            }
        }
        Slot::Constant(c) => run.constant(c),
        Slot::Register(offset) => in_scratch(scratch.wrapping_add(offset)),
        _ => Operand::NONE,
    }
}

/// The stride of an operand along a loop; 0 if there is no such loop.
#[inline]
fn stride(schedule: &Schedule, operand: usize, axis: usize) -> isize {
    schedule.nest.operands[operand].strides.get(axis).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use eltwise_kernels::table::is_built;
    use eltwise_plan::bind::BoundOperand;

    use super::*;
    use crate::{Array, BindOptions, DType, Hoist, Layout, Program, View};

    /// The bytes of the output of a run of five tasks over `x` and `y`, with regular and with non-temporal stores,
    /// `shift` elements after a cache line.
    fn outputs(text: &str, [x, y]: [&View<'_>; 2], shift: usize) -> [Vec<u8>; 2] {
        let inputs = [("x", DType::F32), ("y", DType::F32)];
        let options = BindOptions::new().hoist(Hoist::Never);
        let plan = Program::parse(text, &inputs).unwrap().bind_with(&[x.layout(), y.layout()], &options).unwrap();
        let layout = &plan.output_layouts()[0];
        let size = layout.dtype().size();
        let bytes = layout.shape().bytes(size).unwrap();
        [false, true].map(|non_temporal| {
            let mut out = vec![0xa5u8; bytes + 256];
            let start = out.as_mut_ptr().align_offset(64) + shift * size;
            let exec = plan.exec().unwrap();
            let place = |operand: &BoundOperand| match operand.output {
                true => out.as_mut_ptr().wrapping_add(start),
                false => [x, y][operand.index].as_ptr().cast_mut(),
            };
            let pointers: Vec<*mut u8> = exec.schedule.binding.operands.iter().map(place).collect();
            // SAFETY: the pointers are to arrays with the plan's layouts and to room for the output, which is no input.
            let run = Run { non_temporal, ..unsafe { Run::new(exec, &pointers) } };
            // Tasks start at any tile.
            (0..5).for_each(|task| run.task(task, 5));
            assert!(
                out[..start].iter().chain(&out[start + bytes..]).all(|&b| b == 0xa5),
                "{text}: bytes around the output"
            );
            out[start..start + bytes].to_vec()
        })
    }

    fn array(shape: &[usize]) -> Array {
        let elements: usize = shape.iter().product();
        let values: Vec<f32> = (0..elements).map(|i| (i * 37 % 1013) as f32 * 0.37 - 100.0).collect();
        Array::from_slice(&values, shape).unwrap()
    }

    #[test]
    fn tiles_with_non_temporal_stores_equal_those_with_regular_stores() {
        // Outputs of 4, 1, 2 and 8 bytes, of dtypes that this build has.
        let texts = [
            ("x - y", DType::F32),
            ("maximum(x * y, y)", DType::F32),
            ("sqrt(x * x + y * y)", DType::F32),
            ("where(x < y, x, y * 2)", DType::F32),
            ("abs(x - y) / 3 - x", DType::F32),
            ("x * y - x < y * 2", DType::Bool),
            ("cast(sqrt(x * x + y * y), i16)", DType::I16),
            ("cast(sqrt(x * x + y * y), f64)", DType::F64),
        ];
        let texts: Vec<&str> = texts.iter().filter(|(_, dtype)| is_built(*dtype)).map(|(text, _)| *text).collect();
        for (a, b) in [
            (&[9001usize] as &[usize], &[9001usize] as &[usize]),
            (&[4096], &[1]),
            (&[3, 5000], &[3, 1]),
            (&[5, 7, 700], &[7, 1]),
            (&[40, 300], &[300]),
            (&[17], &[17]),
            // Single steps over tiles of at most 4 KiB, whose operands are permuted or packed once.
            (&[1, 64, 3], &[90, 1, 3]),
            (&[200, 1, 5], &[1, 40, 5]),
            (&[300, 1, 7], &[1, 9, 1]),
        ] {
            let (x, y) = (array(a), array(b));
            let backwards = x.view().flipped(a.len() - 1).unwrap();
            for text in &texts {
                for shift in [0, 1, 15] {
                    for x in [&x.view(), &backwards] {
                        let [regular, non_temporal] = outputs(text, [x, &y.view()], shift);
                        assert_eq!(regular, non_temporal, "{text} of {a:?} and {b:?}, {shift} elements off a line");
                    }
                }
            }
        }
    }

    #[test]
    fn programs_of_more_steps_than_are_kept_equal_their_definition() {
        // No step is fused with another. MAX_KEPT steps, one fewer, one more, and many.
        for steps in [MAX_KEPT - 1, MAX_KEPT, MAX_KEPT + 1, 40] {
            let text = (0..steps).fold("x".to_string(), |text, i| {
                if i.is_multiple_of(2) { format!("maximum({text}, y)") } else { format!("({text} - y)") }
            });
            let inputs = [("x", DType::F32), ("y", DType::F32)];
            let (x, y) = (array(&[9001]), array(&[9001]));
            let plan = Program::parse(&text, &inputs).unwrap().bind(&[x.layout(), y.layout()]).unwrap();
            assert_eq!(plan.exec().unwrap().schedule.steps.len(), steps, "{text}");
            let [regular, non_temporal] = outputs(&text, [&x.view(), &y.view()], 0);
            let expected = x.as_slice::<f32>().unwrap().iter().zip(y.as_slice::<f32>().unwrap());
            let step = |v: f32, y: f32, i: usize| if i.is_multiple_of(2) { v.max(y) } else { v - y };
            let expected = expected.flat_map(|(&x, &y)| (0..steps).fold(x, |v, i| step(v, y, i)).to_ne_bytes());
            assert!(expected.eq(regular.iter().copied()), "{steps} steps");
            assert_eq!(regular, non_temporal, "{steps} steps");
        }
    }

    #[test]
    fn large_outputs_of_several_steps_are_written_with_non_temporal_stores() {
        let isa = eltwise_simd::Isa::current();
        let target = crate::sys::cpu::target(isa);
        let large = Layout::contiguous(DType::F32, [target.cpu.llc / 4]).unwrap();
        let small = Layout::contiguous(DType::F32, [target.cpu.llc / 16]).unwrap();
        let bind = |text: &str, layout: &Layout| {
            let program = Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap();
            program.bind_to(&[layout, layout], &[layout], None).unwrap().is_non_temporal()
        };
        // Double-pumped CPUs: only runs with one input that compute little.
        let computes_little = !target.cpu.double_pumped_512 || isa != eltwise_simd::Isa::Scalar;
        assert_eq!(bind("abs(x) * 2", &large), cfg!(target_arch = "x86_64") && computes_little);
        assert_eq!(bind("sqrt(x * x + y * y)", &large), cfg!(target_arch = "x86_64") && !target.cpu.double_pumped_512);
        assert!(!bind("sqrt(x * x + y * y)", &small) && !bind("abs(x) * 2", &small));
    }
}
