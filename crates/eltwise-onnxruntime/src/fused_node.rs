//! A group of nodes as one node of the runtime: [`FusedNode`].

use core::cell::Cell;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use eltwise::{BindOptions, Error, LayoutParts, Plan, PlanCache, Shape};
use eltwise_onnx::{FourBits, GroupInput, GroupProgram, ShapeCheck, ValueInput, View};
use ort_sys::{OrtKernelContext, OrtStatusPtr, OrtValue};
use smallvec::SmallVec;

use crate::abi::{Absent, NodeComputeContext, NodeComputeInfo, VERSION};
use crate::api::{Api, Failure, Outcome, ask, give_null};
use crate::handles::{ElementType, Tensor};
use crate::model::{Model, nibbles};
use crate::pool::SessionPool;

/// Inputs and outputs of a call that needs no memory from the heap.
const INLINE_INPUTS: usize = 8;
const INLINE_OUTPUTS: usize = 4;

/// The capacity of a node's plan cache: about so many combinations of shapes of its operands.
const PLANS: usize = 32;

thread_local! {
    /// Memory for values between the stages of a run. A run takes it, so that a run inside of another has its own.
    static SCRATCH: Cell<Vec<MaybeUninit<u8>>> = const { Cell::new(vec![]) };
}

/// A group of nodes, which the runtime calls as one. Several threads may call it at the same time.
#[repr(C)]
pub(crate) struct FusedNode {
    /// The functions that the runtime calls. The first field, so that a pointer to it is a pointer to the whole.
    table: NodeComputeInfo,
    api: Api,
    /// The nodes, for messages.
    name: String,
    /// The program of all outputs.
    all_outputs: CallProgram,
    /// A program for each output, for runs in which the outputs do not broadcast with each other, although the model says so: symbols
    /// of a model are a promise that the runtime does not check.
    single_outputs: Vec<CallProgram>,
    /// Whether the outputs of a run did not broadcast with each other. Their own programs compute them from then on.
    runs_singly: AtomicBool,
}

/// A program of a group, and its operands in a call.
struct CallProgram {
    plans: PlanCache,
    inputs: Vec<Input>,
    /// The input whose axes are split. The outputs get its shape back.
    split: Option<usize>,
    /// The program's outputs, as indices into those of the call.
    outputs: Vec<usize>,
    /// The shapes that the nodes accept.
    check: ShapeCheck,
}

/// An input of the program.
struct Input {
    /// The value of the model, if it is one.
    value: Option<usize>,
    source: Source,
    /// How it is aligned, if not as in NumPy: the view, and the operand whose axes it names.
    view: Option<(View, Reference)>,
}

/// Where an input comes from.
enum Source {
    /// The argument of the call with this index.
    Argument(usize),
    /// A constant, which programs share.
    Constant(Arc<Constant>),
}

/// The operand whose axes a view counts.
enum Reference {
    /// The program's input with this index.
    Input(usize),
    /// One that the program computes, with so many axes.
    Computed(usize),
}

/// A constant.
struct Constant {
    elements: ElementType,
    shape: Vec<usize>,
    /// The bytes, in words for their alignment.
    words: Vec<u64>,
}

impl Constant {
    /// A copy of a constant of the model: the runtime may release its own.
    fn copy(tensor: &Tensor<'_>) -> Outcome<Constant> {
        Ok(Constant::new(tensor.elements(), tensor.shape(), tensor.bytes()?))
    }

    /// A constant of elements of four bits, one in each byte.
    fn unpacked(tensor: &Tensor<'_>) -> Outcome<Constant> {
        let elements = ElementType { four_bits: None, ..tensor.elements() };
        let bytes: Vec<u8> = tensor.bytes()?.iter().flat_map(|&pair| nibbles(elements.dtype, pair)).collect();
        Ok(Constant::new(elements, tensor.shape(), &bytes))
    }

    fn new(elements: ElementType, shape: &[usize], bytes: &[u8]) -> Constant {
        let mut words = vec![0u64; bytes.len().div_ceil(size_of::<u64>())];
        // SAFETY: there is room for all bytes, and the new memory overlaps nothing.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), words.as_mut_ptr().cast(), bytes.len()) };
        Constant { elements, shape: shape.to_vec(), words }
    }

    fn tensor(&self) -> Tensor<'_> {
        // SAFETY: the words have the bytes of all elements, and live as long as `self`.
        unsafe { Tensor::new(self.elements, &self.shape, self.words.as_ptr().cast()) }
    }
}

impl FusedNode {
    /// The node of a group, from the program of all outputs and those of single outputs, if there are any. `arguments` has the operands
    /// of the call, by value.
    ///
    /// # Errors
    /// A program with an input that the call does not have, which is a fault.
    pub(crate) fn new(
        api: Api,
        model: &Model<'_>,
        all_outputs: GroupProgram,
        single_outputs: Vec<GroupProgram>,
        arguments: &HashMap<usize, usize>,
    ) -> Outcome<FusedNode> {
        let mut sources = Sources { model, arguments, constants: HashMap::new() };
        let outputs = (0..all_outputs.program.outputs().len()).collect();
        let all_outputs = CallProgram::new(all_outputs, outputs, &mut sources)?;
        let single = |(output, program)| CallProgram::new(program, vec![output], &mut sources);
        let single_outputs = single_outputs.into_iter().enumerate().map(single).collect::<Outcome<_>>()?;
        let table = NodeComputeInfo { version: VERSION, create_state, compute, release_state, tail: Absent::TAIL };
        let runs_singly = AtomicBool::new(false);
        Ok(FusedNode { table, api, name: model.description(), all_outputs, single_outputs, runs_singly })
    }

    /// Computes the outputs of a call.
    ///
    /// # Errors
    /// Shapes that do not broadcast, and errors of the runtime.
    ///
    /// # Safety
    /// The context is the runtime's, for a call of this node.
    unsafe fn compute(&self, context: *mut OrtKernelContext) -> Outcome<()> {
        if !self.runs_singly.load(Ordering::Relaxed) {
            // SAFETY: the caller's contract.
            match unsafe { self.compute_with(&self.all_outputs, context) } {
                Err(Refusal::Plan(Error::Layout { .. })) if !self.single_outputs.is_empty() => {
                    self.runs_singly.store(true, Ordering::Relaxed);
                }
                outcome => return outcome.map_err(|refusal| self.refused(refusal)),
            }
        }
        for program in &self.single_outputs {
            // SAFETY: the caller's contract.
            unsafe { self.compute_with(program, context) }.map_err(|refusal| self.refused(refusal))?;
        }
        Ok(())
    }

    /// Computes the outputs of a program.
    ///
    /// # Safety
    /// As for [`FusedNode::compute`].
    unsafe fn compute_with(&self, program: &CallProgram, context: *mut OrtKernelContext) -> Result<(), Refusal> {
        let mut tensors: SmallVec<[Tensor<'_>; INLINE_INPUTS]> = SmallVec::new();
        for input in &program.inputs {
            tensors.push(match &input.source {
                // SAFETY: the caller's contract.
                Source::Argument(number) => unsafe { self.argument(context, *number)? },
                Source::Constant(constant) => constant.tensor(),
            });
        }
        let mut view_shapes: SmallVec<[Shape; INLINE_INPUTS]> = SmallVec::new();
        program.add_view_shapes(&tensors, &mut view_shapes)?;
        let mut view_shapes = view_shapes.iter();
        let mut layouts: SmallVec<[LayoutParts<'_>; INLINE_INPUTS]> = SmallVec::new();
        for (input, tensor) in program.inputs.iter().zip(&tensors) {
            let view_shape = input.view.as_ref().and_then(|_| view_shapes.next());
            let shape = view_shape.map_or(tensor.shape(), |shape| shape);
            layouts.push(LayoutParts { dtype: tensor.elements().dtype, shape, strides: None });
        }
        let plan = program.plans.plan_of_checked(&layouts, None, || program.check(&tensors))?;

        let mut outputs: SmallVec<[*mut u8; INLINE_OUTPUTS]> = SmallVec::new();
        for (&number, layout) in program.outputs.iter().zip(plan.output_layouts()) {
            let mut shape = &layout.shape()[..];
            if let Some(input) = program.split {
                shape = tensors[input].shape();
                // The plan was checked: the result has the elements of the input whose axes were split.
                assert_eq!(shape.iter().product::<usize>(), layout.elements(), "a result that is not like operand 0");
            }
            // SAFETY: the caller's contract.
            outputs.push(unsafe { self.output(context, number, shape)? });
        }
        if plan.output_layouts().iter().all(|layout| layout.elements() == 0) {
            return Ok(());
        }
        let inputs: SmallVec<[*const u8; INLINE_INPUTS]> = tensors.iter().map(Tensor::data).collect();
        // SAFETY: the runtime's tensors are dense. So are the layouts of the plan: inputs have no strides of their own, and outputs are
        // in C order. Dtypes of inputs are part of the key; those of outputs are the model's, which `GroupProgram::new` checked, and
        // the runtime makes tensors of the model's. It keeps inputs as they are and reads no output during the call.
        unsafe { run(&plan, &SessionPool::new(self.api, context), &inputs, &outputs) }
    }

    /// The tensor of an argument.
    ///
    /// # Safety
    /// As for [`FusedNode::compute`]. The tensor is valid during the call.
    #[inline]
    unsafe fn argument<'a>(&self, context: *const OrtKernelContext, number: usize) -> Outcome<Tensor<'a>> {
        // SAFETY: the caller's contract.
        let tensor = unsafe {
            let value = ask!(self.api, KernelContext_GetInput(context, number) -> *const OrtValue);
            if value.is_null() { None } else { Tensor::read(self.api, value)? }
        };
        tensor.ok_or_else(|| Failure::invalid(format_args!("{}: argument {number} is missing", self.name)))
    }

    /// The memory of an output of this shape.
    ///
    /// # Safety
    /// As for [`FusedNode::compute`]. The memory is valid during the call.
    unsafe fn output(&self, context: *mut OrtKernelContext, number: usize, shape: &[usize]) -> Outcome<*mut u8> {
        // SAFETY: the caller's contract; sizes of tensors are below 2^63.
        unsafe {
            let (sizes, rank) = (shape.as_ptr().cast::<i64>(), shape.len());
            let value = ask!(self.api, KernelContext_GetOutput(context, number, sizes, rank) -> *mut OrtValue);
            Ok(ask!(self.api, GetTensorMutableData(value) -> *mut u8))
        }
    }

    fn refused(&self, refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Plan(error @ (Error::Broadcast { .. } | Error::Layout { .. } | Error::TooLarge { .. })) => {
                Failure::invalid(format_args!("{}: {error}", self.name))
            }
            Refusal::Plan(error) => Failure::fault(format_args!("{}: {error}", self.name)),
            Refusal::Shape(why) => Failure::invalid(format_args!("{}: {why}", self.name)),
            Refusal::Runtime(failure) => failure,
        }
    }

    /// The pointer for the runtime. It is given back to [`FusedNode::release`].
    pub(crate) fn into_table(self) -> *mut NodeComputeInfo {
        Box::into_raw(Box::new(self)).cast()
    }

    /// Releases a node.
    ///
    /// # Safety
    /// The pointer is from [`FusedNode::into_table`], and is not used again.
    pub(crate) unsafe fn release(table: *mut NodeComputeInfo) {
        // SAFETY: the caller's contract: the table is the first field of a node in a box.
        drop(unsafe { Box::from_raw(table.cast::<FusedNode>()) });
    }
}

/// Why a call is not computed.
enum Refusal {
    /// The engine's error.
    Plan(Error),
    /// Shapes that a node does not accept.
    Shape(String),
    /// An error of the runtime.
    Runtime(Failure),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Plan(error)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Runtime(failure)
    }
}

/// Where the programs of a group take their inputs from.
struct Sources<'m, 'a> {
    model: &'m Model<'a>,
    /// The operands of the call, by value.
    arguments: &'m HashMap<usize, usize>,
    /// The constants so far, by value.
    constants: HashMap<usize, Arc<Constant>>,
}

impl Sources<'_, '_> {
    fn source(&mut self, value: usize) -> Outcome<Source> {
        if let Some(constant) = self.constants.get(&value) {
            return Ok(Source::Constant(constant.clone()));
        }
        if let Some(tensor) = self.model.constant(value) {
            let is_unpacked = self.model.four_bits(value) == Some(FourBits::OnePerByte);
            let constant = if is_unpacked { Constant::unpacked(&tensor)? } else { Constant::copy(&tensor)? };
            return Ok(Source::Constant(self.constants.entry(value).or_insert(Arc::new(constant)).clone()));
        }
        let argument = self.arguments.get(&value).copied();
        argument.map(Source::Argument).ok_or_else(|| Failure::fault("an input of a group is no argument of its node"))
    }
}

impl CallProgram {
    /// A program whose outputs have these indices in the call.
    fn new(program: GroupProgram, outputs: Vec<usize>, sources: &mut Sources<'_, '_>) -> Outcome<CallProgram> {
        let mut inputs = vec![];
        let mut split = None;
        for (number, input) in program.inputs.iter().enumerate() {
            let &ValueInput { value, view, aligned_to, .. } = match input {
                GroupInput::Value(input) => input,
                &GroupInput::NibbleShifts(dtype) => {
                    let elements = ElementType { dtype, four_bits: None };
                    let shifts = Constant::new(elements, &[GroupInput::SHIFTS.len()], &GroupInput::SHIFTS);
                    inputs.push(Input { value: None, source: Source::Constant(Arc::new(shifts)), view: None });
                    continue;
                }
            };
            let is_reference = |input: &GroupInput| input.value().is_some_and(|input| input.value == aligned_to);
            let reference = match program.inputs.iter().position(is_reference) {
                Some(input) => Some(Reference::Input(input)),
                None => sources.model.rank(aligned_to).map(Reference::Computed),
            };
            let view = match (view, reference) {
                (Some(view), Some(reference)) => Some((view, reference)),
                (Some(_), None) => return Err(Failure::fault("a view counts axes of an unknown number")),
                (None, _) => None,
            };
            if view.as_ref().is_some_and(|(view, _)| view.splits_operand_0()) {
                split = Some(number);
            }
            inputs.push(Input { value: Some(value), source: sources.source(value)?, view });
        }
        let plans = PlanCache::new(program.program, BindOptions::new().c_order(), PLANS);
        Ok(CallProgram { plans, inputs, split, outputs, check: program.check })
    }

    /// Checks that the nodes accept the shapes of a call.
    fn check(&self, tensors: &[Tensor<'_>]) -> Result<(), Refusal> {
        let shape_of = |value: usize| {
            let found = self.inputs.iter().position(|input| input.value == Some(value));
            found.map(|input| tensors[input].shape())
        };
        self.check.check(shape_of).map_err(Refusal::Shape)
    }

    /// Adds the shapes of the inputs that have a view, in their order.
    fn add_view_shapes(
        &self,
        tensors: &[Tensor<'_>],
        shapes: &mut SmallVec<[Shape; INLINE_INPUTS]>,
    ) -> Result<(), Refusal> {
        for (input, tensor) in self.inputs.iter().zip(tensors) {
            if let Some((view, reference)) = &input.view {
                let rank = match reference {
                    Reference::Input(number) => tensors[*number].shape().len(),
                    Reference::Computed(rank) => *rank,
                };
                shapes.push(view.shape(tensor.shape(), rank).map_err(Refusal::Shape)?);
            }
        }
        Ok(())
    }
}

/// Runs a plan.
///
/// # Safety
/// As for [`Plan::run_at`].
unsafe fn run(plan: &Plan, pool: &SessionPool, inputs: &[*const u8], outputs: &[*mut u8]) -> Result<(), Refusal> {
    let bytes = plan.scratch();
    if bytes == 0 {
        // SAFETY: the caller's contract.
        let _ = unsafe { plan.run_at(pool, inputs, outputs)? };
        return Ok(());
    }
    let mut scratch = SCRATCH.take();
    if scratch.len() < bytes {
        scratch.resize(bytes, MaybeUninit::uninit());
    }
    // SAFETY: the caller's contract; the scratch is ours.
    let outcome = unsafe { plan.run_at_with_scratch(pool, inputs, outputs, &mut scratch) };
    SCRATCH.set(scratch);
    let _ = outcome?;
    Ok(())
}

/// NULL: a fused node keeps no state for the runtime.
unsafe extern "system" fn create_state(
    _: *mut NodeComputeInfo,
    _: *mut NodeComputeContext,
    state: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: the runtime's own place for the state.
    give_null::<c_void>(unsafe { &mut *state.cast() })
}

unsafe extern "system" fn compute(
    table: *mut NodeComputeInfo,
    _: *mut c_void,
    context: *mut OrtKernelContext,
) -> OrtStatusPtr {
    // SAFETY: the table is the first field of a node, which lives as long as the session.
    let node = unsafe { &*table.cast::<FusedNode>() };
    // SAFETY: the runtime gives the context of this call.
    node.api.guard(|| unsafe { node.compute(context) })
}

unsafe extern "system" fn release_state(_: *mut NodeComputeInfo, _: *mut c_void) {}
