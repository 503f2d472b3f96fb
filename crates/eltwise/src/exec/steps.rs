//! The kernel calls of a tile's steps: made for the first tile, then told where the next one lies.

use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::bind::Place;
use eltwise_plan::plan::{Access, Slot};
use smallvec::SmallVec;

use super::tiled::{Current, Extent};
use super::{Run, leaf_of, prefetch, stream};

/// The most steps whose calls are kept; those of longer programs are made for each tile.
const MOST: usize = 8;
/// The operands of a call: the output, then the inputs.
const OPERANDS: usize = 5;
/// An operand that is no leaf: its place is the same in every tile.
const NO_LEAF: usize = usize::MAX;

/// One step over a tile.
#[derive(Clone, Copy)]
struct Made {
    kernel: Kernel,
    call: Call,
    /// The leaf that each operand is; [`NO_LEAF`] for registers and constants.
    leaves: [usize; OPERANDS],
}

/// The calls of all steps over one tile.
pub(super) struct Steps {
    /// None where each is made when it is run: of many steps, and where no other tile follows; and of moves, which call none.
    made: SmallVec<[Made; MOST]>,
    keeps: bool,
    /// Of the tile that they were made for.
    shape: (usize, usize, usize),
}

impl Steps {
    /// Of a run over so many tiles.
    #[inline]
    pub(super) fn new(schedule: &Schedule, tiles: usize) -> Steps {
        let keeps = tiles > 1 && !schedule.is_move && schedule.steps.len() <= MOST;
        Steps { made: SmallVec::new(), keeps, shape: (0, 0, 0) }
    }

    /// Goes over to a tile of leaves that lie there.
    #[inline]
    pub(super) fn move_to(&mut self, run: &Run<'_>, tile: &Extent, scratch: *mut u8, leaves: &[Current]) {
        if self.shape != shape(tile) {
            self.shape = shape(tile);
            self.made.clear();
            let count = if self.keeps { run.program.schedule.steps.len() } else { 0 };
            (0..count).for_each(|i| self.made.push(make(run, i, tile, scratch, leaves)));
            return;
        }
        for Made { call, leaves: of, .. } in &mut self.made {
            let operands = call.outs[..1].iter_mut().chain(&mut call.ins);
            for (operand, &leaf) in operands.zip(&*of) {
                if let Some(leaf) = leaves.get(leaf) {
                    operand.ptr = leaf.at;
                }
            }
        }
    }

    /// Runs them. What the tile packs was packed.
    #[inline]
    pub(super) fn run(&self, run: &Run<'_>, tile: &Extent, scratch: *mut u8, leaves: &[Current]) {
        let program = run.program;
        let schedule = &program.schedule;
        let last = schedule.steps.len() - 1;
        for i in 0..=last {
            let made;
            let one = match self.made.get(i) {
                Some(kept) => kept,
                None => {
                    made = make(run, i, tile, scratch, leaves);
                    &made
                }
            };
            let streams = run.streams && i == last && (last == 0 || one.call.rows == 1);
            if program.prefetches && i == last && !streams {
                for (leaf, current) in leaves.iter().enumerate() {
                    prefetch::behind(schedule, leaf, current.memory, tile.steps);
                }
            }
            // SAFETY: operands are the tile's elements in memory or in scratch; registers of one step are distinct; the
            // kernel was chosen for this CPU; a streaming run has an output that overlaps no input.
            unsafe {
                match &program.arranged {
                    _ if streams && last == 0 => {
                        let mut sizes = sizes_of(schedule, i);
                        // What is not walked along is not asked for.
                        let walked = |leaf: usize| schedule.access.get(leaf) == Some(&Access::Contiguous);
                        let inputs = sizes.ins.iter_mut().zip(&one.leaves[1..]);
                        inputs.filter(|(_, leaf)| !walked(**leaf)).for_each(|(bytes, _)| *bytes = 0);
                        let row = |part: &Call| match &program.arranged {
                            Some(arranged) => arranged.run(schedule, *part, tile.steps, run.pointers),
                            None => (one.kernel)(part),
                        };
                        stream::rows(row, &one.call, &sizes);
                    }
                    Some(arranged) => arranged.run(schedule, one.call, tile.steps, run.pointers),
                    None if streams => {
                        let next = prefetch::next(schedule, leaves, tile, scratch);
                        stream::call(one.kernel, &one.call, &sizes_of(schedule, i), Some(next));
                    }
                    None => (one.kernel)(&one.call),
                }
            }
        }
    }
}

/// What tells tiles apart whose calls differ in more than places.
#[inline]
fn shape(tile: &Extent) -> (usize, usize, usize) {
    (tile.steps, tile.rows, tile.tiles)
}

/// The call of a step over a tile.
#[inline(always)]
fn make(run: &Run<'_>, i: usize, tile: &Extent, scratch: *mut u8, leaves: &[Current]) -> Made {
    let program = run.program;
    let schedule = &program.schedule;
    let step = &schedule.steps[i];
    let columns = tile.steps * schedule.tile.inner;
    let mut call = run.call(tile.rows * tile.tiles, columns);
    let mut of = [NO_LEAF; OPERANDS];
    let sizes = sizes_of(schedule, i);
    // Rows that follow each other in every operand are one. What is put in order begins anew with each row.
    let mut joins = program.arranged.is_none();
    let mut place = |slot: Slot, size: usize, of: &mut usize| {
        let operand = operand_of(run, slot, size, tile, scratch, leaves);
        *of = leaf_of(slot).unwrap_or(NO_LEAF);
        joins &= operand.row == if operand.splat { 0 } else { (columns * size) as isize };
        operand
    };
    call.outs[0] = place(step.result, sizes.out, &mut of[0]);
    for (k, &arg) in step.args.iter().enumerate() {
        call.ins[k] = place(arg, sizes.ins[k], &mut of[k + 1]);
    }
    if joins {
        (call.rows, call.cols) = (1, call.rows * call.cols);
    }
    Made { kernel: program.kernels[i], call, leaves: of }
}

/// Bytes of an element of each operand of a step; 0 for constants.
#[inline(always)]
fn sizes_of(schedule: &Schedule, i: usize) -> stream::Sizes {
    let bound = &schedule.binding.steps[i];
    let mut sizes = stream::Sizes { out: bound.to.size(), ins: [0; 4] };
    for (into, &source) in sizes.ins.iter_mut().zip(&bound.args) {
        *into = match source {
            Place::Step(s) => schedule.binding.steps[s].to.size(),
            Place::Leaf(leaf) => schedule.binding.leaves[leaf].size,
            _ => 0,
        };
    }
    sizes
}

/// Where a slot's elements of a tile are.
#[inline(always)]
fn operand_of(run: &Run<'_>, slot: Slot, size: usize, tile: &Extent, scratch: *mut u8, leaves: &[Current]) -> Operand {
    let schedule = &run.program.schedule;
    // A row of scratch follows the row before it.
    let dense = |ptr: *mut u8| {
        let row = (tile.steps * schedule.tile.inner * size) as isize;
        Operand { ptr, row, splat: false }
    };
    match slot {
        Slot::Leaf(leaf) => match schedule.access[leaf] {
            // One row of scratch for all rows, where the leaf repeats over them.
            Access::Packed { .. } if tile.tiles > 1 || (tile.rows > 1 && schedule.packed_rows(leaf) == 1) => {
                Operand { ptr: leaves[leaf].at, row: 0, splat: false }
            }
            Access::Packed { .. } => dense(leaves[leaf].at),
            access => {
                let row = match tile.tiles {
                    1 => stride(schedule, leaf, schedule.tile.row_axis),
                    _ => stride(schedule, leaf, schedule.tile.axis).wrapping_mul(tile.steps as isize),
                };
                Operand { ptr: leaves[leaf].at, row, splat: access == Access::Splat }
            }
        },
        Slot::Constant(c) => run.constant(c),
        Slot::Register(at) => dense(scratch.wrapping_add(at)),
        _ => Operand::NONE,
    }
}

/// The stride of a leaf along a loop; 0 where there is none.
#[inline]
fn stride(schedule: &Schedule, leaf: usize, axis: usize) -> isize {
    schedule.nest.walks[leaf].strides.get(axis).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise_kernels::table::is_built;

    use crate::{Array, BindOptions, DType, Hoist, Layout, Program, View};

    /// The bytes of the output of a run of some tasks over `x` and `y`, without and with streaming stores, `shift` elements behind a
    /// cache line.
    fn outputs(text: &str, [x, y]: [&View<'_>; 2], shift: usize) -> [Vec<u8>; 2] {
        let inputs = [("x", DType::F32), ("y", DType::F32)];
        let options = BindOptions::new().hoist(Hoist::Never);
        let plan = Program::parse(text, &inputs).unwrap().bind_with(&[x.layout(), y.layout()], &options).unwrap();
        let layout = &plan.output_layouts()[0];
        let size = layout.dtype().size();
        let bytes = layout.shape().bytes(size).unwrap();
        [false, true].map(|streams| {
            let mut out = vec![0xa5u8; bytes + 256];
            let at = out.as_mut_ptr().align_offset(64) + shift * size;
            let place = |leaf: usize| match &plan.whole().unwrap().schedule.binding.leaves[leaf] {
                leaf if leaf.output => out.as_mut_ptr().wrapping_add(at),
                leaf => [x, y][leaf.index].as_ptr().cast_mut(),
            };
            let pointers: Vec<*mut u8> = (0..plan.whole().unwrap().schedule.binding.leaves.len()).map(place).collect();
            // SAFETY: the pointers are those of arrays of the plan's layouts, and of room for the output, which is no input.
            let run = unsafe { Run::new(plan.whole().unwrap(), &pointers) };
            // SAFETY: as above.
            let run = if streams { unsafe { run.streaming() } } else { run };
            // Tasks that begin anywhere.
            (0..5).for_each(|task| run.task(task, 5));
            assert!(out[..at].iter().chain(&out[at + bytes..]).all(|&b| b == 0xa5), "{text}: bytes beside the output");
            out[at..at + bytes].to_vec()
        })
    }

    fn array(shape: &[usize]) -> Array {
        let elements: usize = shape.iter().product();
        let values: Vec<f32> = (0..elements).map(|i| (i * 37 % 1013) as f32 * 0.37 - 100.0).collect();
        Array::from_slice(&values, shape).unwrap()
    }

    #[test]
    fn tiles_that_stream_equal_those_that_do_not() {
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
        let texts: Vec<&str> = texts.iter().filter(|of| is_built(of.1)).map(|of| of.0).collect();
        for (a, b) in [
            (&[9001usize] as &[usize], &[9001usize] as &[usize]),
            (&[4096], &[1]),
            (&[3, 5000], &[3, 1]),
            (&[5, 7, 700], &[7, 1]),
            (&[40, 300], &[300]),
            (&[17], &[17]),
            // Single steps over tiles of 4 KiB and less, whose operands are put in order or packed once.
            (&[1, 64, 3], &[90, 1, 3]),
            (&[200, 1, 5], &[1, 40, 5]),
            (&[300, 1, 7], &[1, 9, 1]),
        ] {
            let (x, y) = (array(a), array(b));
            let backwards = x.view().flipped(a.len() - 1).unwrap();
            for text in &texts {
                for shift in [0, 1, 15] {
                    for x in [&x.view(), &backwards] {
                        let [stored, streamed] = outputs(text, [x, &y.view()], shift);
                        assert_eq!(stored, streamed, "{text} of {a:?} and {b:?}, {shift} elements off a line");
                    }
                }
            }
        }
    }

    #[test]
    fn programs_of_more_steps_than_are_kept_are_right() {
        // None of them becomes part of another: MOST, one fewer, one more, and many.
        for steps in [MOST - 1, MOST, MOST + 1, 40] {
            let text = (0..steps).fold("x".to_string(), |text, i| {
                if i.is_multiple_of(2) { format!("maximum({text}, y)") } else { format!("({text} - y)") }
            });
            let inputs = [("x", DType::F32), ("y", DType::F32)];
            let (x, y) = (array(&[9001]), array(&[9001]));
            let plan = Program::parse(&text, &inputs).unwrap().bind(&[x.layout(), y.layout()]).unwrap();
            assert_eq!(plan.whole().unwrap().schedule.steps.len(), steps, "{text}");
            let [stored, streamed] = outputs(&text, [&x.view(), &y.view()], 0);
            let wanted = x.as_slice::<f32>().unwrap().iter().zip(y.as_slice::<f32>().unwrap());
            let step = |v: f32, y: f32, i: usize| if i.is_multiple_of(2) { v.max(y) } else { v - y };
            let wanted = wanted.flat_map(|(&x, &y)| (0..steps).fold(x, |v, i| step(v, y, i)).to_ne_bytes());
            assert!(wanted.eq(stored.iter().copied()), "{steps} steps");
            assert_eq!(stored, streamed, "{steps} steps");
        }
    }

    #[test]
    fn what_streams_is_large_and_goes_out_by_its_last_step() {
        let isa = eltwise_simd::Isa::current();
        let machine = crate::machine::machine(isa);
        let one = Layout::contiguous(DType::F32, [machine.llc / 4]).unwrap();
        let small = Layout::contiguous(DType::F32, [machine.llc / 16]).unwrap();
        let bind = |text: &str, layout: &Layout| {
            let program = Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap();
            program.bind_to(&[layout, layout], &[layout], None).unwrap().streams()
        };
        // Where vectors move by halves, only what has one input and computes little.
        let little = !machine.halves || isa != eltwise_simd::Isa::Scalar;
        assert_eq!(bind("abs(x) * 2", &one), cfg!(target_arch = "x86_64") && little);
        assert_eq!(bind("sqrt(x * x + y * y)", &one), cfg!(target_arch = "x86_64") && !machine.halves);
        assert!(!bind("sqrt(x * x + y * y)", &small) && !bind("abs(x) * 2", &small));
    }
}
