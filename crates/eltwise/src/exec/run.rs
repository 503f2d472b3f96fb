//! The ways to run a plan: checked views, in place, raw memory, tasks of the caller's.

use core::mem::MaybeUninit;

use eltwise_plan::bind::Leaf;
use eltwise_plan::{Error, Layout};
use smallvec::SmallVec;

use crate::array::Array;
use crate::exec::memory::Memory;
use crate::exec::observe::{Watch, is_watched};
use crate::exec::{Cancel, LineCall, Program, Run, Single, pages, stream};
use crate::executor::{Executor, Serial, tasks_on};
use crate::machine::machine;
use crate::plan::Plan;
use crate::status::{CANCELLED, Status};
use crate::view::{RawView, View, ViewMut};

impl Plan {
    /// Runs on the calling thread.
    ///
    /// # Errors
    /// Views that do not have the layouts the plan was bound to; nothing is written then.
    #[inline]
    pub fn run(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<Status, Error> {
        // What most small runs are, in few instructions; `run_with` says what is wrong.
        if let (Some(line), [output]) = (self.line(), &mut *outputs)
            && inputs.len() == line.inputs
            && line.fits(inputs.iter().map(View::layout), output.layout())
        {
            let input = inputs.iter().map(|view| view.as_ptr().cast_mut());
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
            return Ok(unsafe { line.run(input, output.as_mut_ptr()) });
        }
        self.run_otherwise(inputs, outputs)
    }

    /// As [`Plan::run`], out of its way.
    #[inline(never)]
    fn run_otherwise(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<Status, Error> {
        if let (Some(single), [output], [result]) = (self.alone(), &mut *outputs, &self.0.outputs[..])
            && let expected = &self.0.inputs[..]
            && inputs.len() == expected.len()
            && inputs.iter().zip(expected).all(|(view, expected)| view.layout().places_as(expected))
            && output.layout().places_as(result)
        {
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
            return Ok(unsafe { single.run(|i| inputs[i].as_ptr().cast_mut(), output.as_mut_ptr()) });
        }
        self.run_with(&Serial, inputs, outputs)
    }

    /// Whether runs do more than compute: they are compared, or somebody watches.
    #[inline]
    fn is_looked_at() -> bool {
        #[cfg(feature = "check")]
        if super::check::is_on() {
            return true;
        }
        is_watched()
    }

    /// The kernel call that is all of a run on the calling thread: of an output that does not stream, while nobody looks.
    #[inline]
    fn alone(&self) -> Option<&Single> {
        if self.0.streams || Plan::is_looked_at() { None } else { self.0.single.as_ref() }
    }

    /// The same, where all operands are lines.
    #[inline]
    fn line(&self) -> Option<&LineCall> {
        if Plan::is_looked_at() { None } else { self.0.line.as_ref() }
    }

    /// Runs on an executor's threads.
    ///
    /// # Errors
    /// As [`Plan::run`].
    #[inline]
    pub fn run_with(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
    ) -> Result<Status, Error> {
        self.check(inputs.iter().map(View::layout), outputs.iter().map(ViewMut::layout))?;
        let input = |i: usize| inputs[i].as_ptr().cast_mut();
        // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
        unsafe { self.execute(executor, input, |o| outputs[o].as_mut_ptr(), None) }
    }

    /// As [`Plan::run_with`], with [`Plan::scratch`] bytes of memory for what lies between stages: such a run allocates
    /// nothing but what its executor does.
    ///
    /// # Errors
    /// As [`Plan::run`]; [`Error::Bounds`] for less memory.
    pub fn run_with_scratch(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
        scratch: &mut [MaybeUninit<u8>],
    ) -> Result<Status, Error> {
        self.check(inputs.iter().map(View::layout), outputs.iter().map(ViewMut::layout))?;
        self.check_scratch(scratch)?;
        let input = |i: usize| inputs[i].as_ptr().cast_mut();
        // SAFETY: views are valid for their layouts, which are the plan's; outputs and scratch are exclusive borrows.
        unsafe { self.execute(executor, input, |o| outputs[o].as_mut_ptr(), Some(scratch)) }
    }

    /// Runs on an executor's threads and turns data conditions into errors; the outputs are written all the same.
    ///
    /// # Errors
    /// As [`Plan::run`], and [`Error::Data`].
    pub fn run_checked(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
    ) -> Result<(), Error> {
        self.run_with(executor, inputs, outputs)?.check()
    }

    /// Runs a plan of one output in place: the output's memory is input `input_index`. The other inputs are given in
    /// their order. Bind with the input's layout as the output's ([`BindOptions::outputs`](crate::BindOptions)).
    ///
    /// # Errors
    /// As [`Plan::run`]; [`Error::Alias`] when the output's layout is not the input's, or the input is read after, or
    /// at other places than, the output is written.
    pub fn run_in_place(
        &self,
        executor: &dyn Executor,
        input_index: usize,
        others: &[View<'_>],
        in_out: &mut ViewMut<'_>,
    ) -> Result<Status, Error> {
        let count = self.0.inputs.len();
        if others.len() + 1 != count {
            return Err(Error::Count { what: "inputs", given: others.len() + 1, expected: count });
        }
        if input_index >= count {
            return Err(Error::Count { what: "inputs", given: input_index.saturating_add(1), expected: count });
        }
        let other = |i: usize| if i < input_index { i } else { i - 1 };
        let layout = in_out.layout();
        let layouts = (0..count).map(|i| if i == input_index { layout } else { others[other(i)].layout() });
        self.check(layouts, core::iter::once(layout))?;
        if !self.may_alias(0, input_index) {
            return Err(self.alias(0, input_index));
        }
        let memory = in_out.as_mut_ptr();
        let input = |i: usize| if i == input_index { memory } else { others[other(i)].as_ptr().cast_mut() };
        // SAFETY: views are valid for their layouts, which are the plan's; the only overlap is one that it may have.
        unsafe { self.execute(executor, input, |_| memory, None) }
    }

    /// Runs over memory that the caller manages. An output that is exactly an input (same address and layout) is run
    /// in place; any other overlap of an output is refused. Overlap is between the first and the last byte of operands:
    /// two that interleave without meeting overlap.
    ///
    /// # Errors
    /// As [`Plan::run_in_place`].
    ///
    /// # Safety
    /// Every element of every layout is valid: inputs for reading, outputs for writing; nothing else writes them
    /// during the run.
    pub unsafe fn run_raw(
        &self,
        executor: &dyn Executor,
        inputs: &[RawView],
        outputs: &[RawView],
    ) -> Result<Status, Error> {
        self.check(inputs.iter().map(|v| &v.layout), outputs.iter().map(|v| &v.layout))?;
        let (input, output) = (|i: usize| inputs[i].ptr, |o: usize| outputs[o].ptr);
        // SAFETY: the caller's contract, for layouts that are the plan's.
        unsafe { self.run_apart(executor, input, output, None) }
    }

    /// As [`Plan::run_raw`], given the addresses of element `[0, 0, ...]` of every operand: their layouts are the plan's.
    ///
    /// # Errors
    /// As [`Plan::run_raw`].
    ///
    /// # Safety
    /// As for [`Plan::run_raw`], for the layouts that the plan was bound to.
    #[inline]
    pub unsafe fn run_at(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
    ) -> Result<Status, Error> {
        // What most small runs are; what is wrong is told below.
        if let (Some(line), &[output]) = (self.line(), outputs)
            && inputs.len() == line.inputs
            && line.is_apart(inputs, output)
            && self.is_small()
            && executor.options().is_none()
        {
            // SAFETY: the caller's contract; the output overlaps no input.
            return Ok(unsafe { line.run(inputs.iter().map(|ptr| ptr.cast_mut()), output) });
        }
        // SAFETY: the caller's contract.
        unsafe { self.run_at_otherwise(executor, inputs, outputs) }
    }

    /// As [`Plan::run_at`], out of its way.
    ///
    /// # Safety
    /// As for [`Plan::run_at`].
    #[inline(never)]
    unsafe fn run_at_otherwise(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
    ) -> Result<Status, Error> {
        self.count(inputs.len(), outputs.len())?;
        // SAFETY: the caller's contract.
        unsafe { self.run_apart(executor, |i| inputs[i].cast_mut(), |o| outputs[o], None) }
    }

    /// As [`Plan::run_at`], with [`Plan::scratch`] bytes of memory for what lies between stages: such a run allocates
    /// nothing but what its executor does.
    ///
    /// # Errors
    /// As [`Plan::run_at`]; [`Error::Bounds`] for less memory.
    ///
    /// # Safety
    /// As for [`Plan::run_at`]; the scratch overlaps no operand.
    pub unsafe fn run_at_with_scratch(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
        scratch: &mut [MaybeUninit<u8>],
    ) -> Result<Status, Error> {
        self.count(inputs.len(), outputs.len())?;
        self.check_scratch(scratch)?;
        // SAFETY: the caller's contract.
        unsafe { self.run_apart(executor, |i| inputs[i].cast_mut(), |o| outputs[o], Some(scratch)) }
    }

    /// Whether the plan may run over operands at these addresses of their elements `[0, 0, ...]`: what
    /// [`Plan::run_at`] checks first.
    ///
    /// # Errors
    /// As [`Plan::run_at`].
    pub fn check_at(&self, inputs: &[*const u8], outputs: &[*mut u8]) -> Result<(), Error> {
        self.count(inputs.len(), outputs.len())?;
        self.check_overlap(&|i| inputs[i].cast_mut(), &|o| outputs[o])
    }

    /// Checks that outputs overlap no other operand, but exactly an input that may be overwritten.
    fn check_overlap(
        &self,
        input: &impl Fn(usize) -> *mut u8,
        output: &impl Fn(usize) -> *mut u8,
    ) -> Result<(), Error> {
        for (o, layout) in self.0.outputs.iter().enumerate() {
            let written = bytes(output(o), layout);
            for (i, layout) in self.0.inputs.iter().enumerate() {
                if overlap(written, bytes(input(i), layout)) && !(output(o) == input(i) && self.may_alias(o, i)) {
                    return Err(self.alias(o, i));
                }
            }
            for (p, layout) in self.0.outputs[..o].iter().enumerate() {
                if overlap(written, bytes(output(p), layout)) {
                    return Err(Error::Alias { output: format!("output {o}"), operand: format!("output {p}") });
                }
            }
        }
        Ok(())
    }

    /// Runs when no output overlaps another operand but exactly and harmlessly.
    ///
    /// # Safety
    /// As for [`Plan::run_raw`].
    unsafe fn run_apart(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl Fn(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        self.check_overlap(&input, &output)?;
        if let (true, None, Some(single)) = (self.is_small(), executor.options(), self.alone()) {
            // SAFETY: the caller's contract; overlaps were checked.
            return Ok(unsafe { single.run(input, output(0)) });
        }
        // SAFETY: the caller's contract; overlaps were checked.
        unsafe { self.execute(executor, input, output, scratch) }
    }

    /// Runs into new arrays and returns them.
    ///
    /// # Errors
    /// As [`Plan::run_checked`].
    pub fn run_to_arrays(&self, executor: &dyn Executor, inputs: &[View<'_>]) -> Result<Vec<Array>, Error> {
        let mut arrays: Vec<Array> =
            self.output_layouts().iter().map(|l| Array::with_layout(l.clone())).collect::<Result<_, _>>()?;
        let mut views: Vec<ViewMut<'_>> = arrays.iter_mut().map(Array::view_mut).collect();
        self.run_checked(executor, inputs, &mut views)?;
        drop(views);
        Ok(arrays)
    }

    /// Prepares a run whose tasks the caller calls on its own threads: `tasks` of them, each once, in any order. Stages
    /// that come before the last run here.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn tasks_over<'a>(
        &'a self,
        tasks: usize,
        inputs: &[View<'a>],
        outputs: &'a mut [ViewMut<'_>],
    ) -> Result<Tasks<'a>, Error> {
        self.check(inputs.iter().map(View::layout), outputs.iter().map(ViewMut::layout))?;
        let program = self.whole()?;
        let tasks = tasks.max(1);
        let input = |i: usize| inputs[i].as_ptr().cast_mut();
        let mut output = |o: usize| outputs[o].as_mut_ptr();
        if let Some(stages) = &self.0.stages {
            let counts = (self.0.inputs.len(), self.0.outputs.len());
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
            let (met, memory, pointers) = unsafe { stages.prepare(program, counts, &input, &mut output) }?;
            return Ok(Tasks { program, tasks, pointers: pointers.into(), met, _memory: Some(memory) });
        }
        let pointers = (program.schedule.binding.leaves.iter())
            .map(|l| if l.output { output(l.index) } else { input(l.index) })
            .collect();
        Ok(Tasks { program, tasks, pointers, met: Status::default(), _memory: None })
    }

    /// Runs, and compares the outputs with the definition in check mode.
    ///
    /// # Safety
    /// The pointers are valid for the plan's layouts; overlaps are only those that `may_alias` allows.
    #[inline]
    unsafe fn execute(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl FnMut(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        #[cfg(feature = "check")]
        if super::check::is_on() {
            // SAFETY: the caller's contract.
            return unsafe { super::check::run(self, executor, input, output, scratch) };
        }
        // SAFETY: the caller's contract.
        unsafe { self.execute_unchecked(executor, input, output, scratch) }
    }

    /// # Safety
    /// As for [`Plan::execute`].
    #[inline]
    pub(super) unsafe fn execute_unchecked(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl FnMut(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        if executor.options().is_none() && !is_watched() {
            // SAFETY: the caller's contract.
            return Ok(unsafe { self.dispatch(executor, None, input, output, scratch) }?.status);
        }
        // SAFETY: the caller's contract.
        unsafe { self.execute_with_options(executor, input, output, scratch) }
    }

    /// # Safety
    /// As for `execute`.
    #[cold]
    #[inline(never)]
    unsafe fn execute_with_options(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl FnMut(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        let options = executor.options().copied().unwrap_or_default();
        let watch = (is_watched() || options.observer.is_some()).then(|| Watch::start(options.observer));
        // SAFETY: the caller's contract.
        let done = unsafe { self.dispatch(executor, options.cancel, input, output, scratch) };
        let Done { status, tasks, streamed } = done?;
        if let Some(watch) = watch {
            watch.end(self, tasks, streamed, status);
        }
        Ok(status)
    }

    /// # Safety
    /// As for `execute`.
    #[inline(always)]
    pub(super) unsafe fn dispatch(
        &self,
        executor: &dyn Executor,
        cancel: Option<&Cancel>,
        input: impl Fn(usize) -> *mut u8,
        mut output: impl FnMut(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Done, Error> {
        if let Some(stages) = &self.0.stages {
            // SAFETY: the caller's contract.
            return unsafe { stages.run(self, (executor, cancel), &input, &mut output, scratch) };
        }
        let cost = &self.0.cost;
        // A plan that cannot be made whole says so below.
        let tasks = tasks_on(executor, cost, || self.whole().map_or(1, |program| program.schedule.units()));
        let streamed = self.0.streams && self.is_worth_streaming(0, tasks, &input, &mut output);
        if let (Some(single), 1, false) = (&self.0.single, tasks, streamed)
            && (cancel.is_none() || cost.tasks == 1)
        {
            let status = match cancel {
                Some(cancel) if cancel.is_cancelled() => Status::from_flags(CANCELLED),
                // SAFETY: the caller's contract.
                _ => unsafe { single.run(input, output(0)) },
            };
            return Ok(Done { status, tasks, streamed });
        }
        let program = self.whole()?;
        let place = |leaf: &Leaf| if leaf.output { output(leaf.index) } else { input(leaf.index) };
        // SAFETY: the caller's contract; an output that streams is no input.
        let status = unsafe { program.run_over(executor, tasks, streamed, (cancel, cost.ns), place) };
        Ok(Done { status, tasks, streamed })
    }

    /// Whether a run of a plan that streams does: it [pays](stream::pays) for so many tasks, each writes enough of the output, none of it in
    /// place, and none of it to pages that were never touched: the system makes those in the cache, from where regular stores take them.
    pub(crate) fn is_worth_streaming(
        &self,
        index: usize,
        tasks: usize,
        input: &impl Fn(usize) -> *mut u8,
        output: &mut impl FnMut(usize) -> *mut u8,
    ) -> bool {
        /// Bytes that a thread writes: below, its second-level cache holds them.
        const LEAST: usize = 1 << 20;
        let layout = &self.0.outputs[index];
        let to = output(index);
        let (low, high) = bytes(to, layout);
        // A block ends on a cache line only where elements do.
        let cost = &self.0.cost;
        stream::pays((cost.read, cost.written), tasks, &machine(self.isa()))
            && to.addr().is_multiple_of(layout.dtype().size().max(1))
            && layout.elements() * layout.dtype().size() / tasks >= LEAST
            && (0..self.0.inputs.len()).all(|i| input(i) != to)
            && pages::are_touched(to.with_addr(low), high - low)
    }

    /// Checks the numbers of operands.
    #[inline]
    fn count(&self, inputs: usize, outputs: usize) -> Result<(), Error> {
        let (ins, outs) = (self.0.inputs.len(), self.0.outputs.len());
        if inputs != ins {
            return Err(Error::Count { what: "inputs", given: inputs, expected: ins });
        }
        if outputs != outs {
            return Err(Error::Count { what: "outputs", given: outputs, expected: outs });
        }
        Ok(())
    }

    /// Checks that layouts are the ones that the plan was bound to, but for the strides of axes of size 1.
    #[inline]
    fn check<'l>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'l Layout>,
        outputs: impl ExactSizeIterator<Item = &'l Layout>,
    ) -> Result<(), Error> {
        self.count(inputs.len(), outputs.len())?;
        for (i, (given, expected)) in inputs.zip(&self.0.inputs).enumerate() {
            if !given.places_as(expected) {
                return Err(self.input_differs(i, given));
            }
        }
        for (o, (given, expected)) in outputs.zip(&self.0.outputs).enumerate() {
            if !given.places_as(expected) {
                return Err(self.output_differs(o, given));
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn input_differs(&self, input: usize, given: &Layout) -> Error {
        differs(format!("input {}", self.0.program.inputs()[input].name), given, &self.0.inputs[input])
    }

    #[cold]
    #[inline(never)]
    fn output_differs(&self, output: usize, given: &Layout) -> Error {
        differs(format!("output {output}"), given, &self.0.outputs[output])
    }

    #[cold]
    fn alias(&self, output: usize, input: usize) -> Error {
        let operand = format!("input {}", self.0.program.inputs()[input].name);
        Error::Alias { output: format!("output {output}"), operand }
    }
}

/// What a run was.
pub(crate) struct Done {
    pub(crate) status: Status,
    pub(crate) tasks: usize,
    pub(crate) streamed: bool,
}

/// A run in the caller's hands. See [`Plan::tasks_over`].
pub struct Tasks<'a> {
    program: &'a Program,
    tasks: usize,
    pointers: SmallVec<[*mut u8; 4]>,
    /// What the stages met that ran already.
    met: Status,
    /// What they wrote.
    _memory: Option<Memory>,
}

// SAFETY: the pointers come from views that the borrow keeps valid; tasks write disjoint parts.
unsafe impl Sync for Tasks<'_> {}
// SAFETY: as above.
unsafe impl Send for Tasks<'_> {}

impl Tasks<'_> {
    /// How many tasks there are.
    pub fn count(&self) -> usize {
        self.tasks
    }

    /// Runs one task. Two threads must not run the same one. It takes up to 256 KiB of the thread's stack.
    ///
    /// # Errors
    /// A number that is no task.
    ///
    /// # Safety
    /// No other thread runs the same task now.
    pub unsafe fn run(&self, task: usize) -> Result<Status, Error> {
        if task >= self.tasks {
            return Err(Error::Limit { what: "task number", given: task, most: self.tasks - 1 });
        }
        // SAFETY: the pointers are those of views of the plan's layouts, borrowed while this lives.
        let run = unsafe { Run::new(self.program, &self.pointers) };
        run.task(task, self.tasks);
        Ok(run.status() | self.met)
    }
}

#[cold]
fn differs(what: String, given: &Layout, expected: &Layout) -> Error {
    if given.dtype() != expected.dtype() {
        Error::DType { what, given: given.dtype(), expected: expected.dtype() }
    } else if given.shape() != expected.shape() {
        Error::Shape { what, given: given.shape().clone(), expected: expected.shape().clone() }
    } else {
        Error::Strides { what, given: given.strides().clone(), expected: expected.strides().clone() }
    }
}

/// The addresses of an operand's memory, from its lowest to behind its highest byte.
#[inline(always)]
fn bytes(ptr: *mut u8, layout: &Layout) -> (usize, usize) {
    // It was looked at when the layout was made: there is one.
    let (low, high) = layout.span().unwrap_or_default();
    (ptr.addr().wrapping_add_signed(low), ptr.addr().wrapping_add_signed(high))
}

/// Whether two ranges of addresses overlap.
#[inline]
fn overlap(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0 < a.1 && b.0 < b.1 && a.0 < b.1 && b.0 < a.1
}
