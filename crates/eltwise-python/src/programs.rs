//! The program of each operator over each combination of dtypes, made once, with its last plan.
//!
//! Calls in a loop mostly have operands of one layout. Planning a program of several steps costs a microsecond or two; to
//! see that the last plan fits costs a few nanoseconds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::promote::can_cast_same_kind;
use eltwise::{
    Accuracy, BindOptions, Broadcast, DType, Error, Expr, Isa, Layout, Op, Plan, Program, Shape, Signature, Strides,
};
use smallvec::SmallVec;

use crate::array::Fields;

/// What decides a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    /// The operator.
    pub op: Op,
    /// The dtypes of its operands in memory.
    pub operands: SmallVec<[DType; 4]>,
    /// The dtype parameter of a conversion.
    pub target: Option<DType>,
    /// The dtype of the output in memory, where it is given.
    pub out: Option<DType>,
    /// How the operands are brought to one shape.
    pub mode: Broadcast,
    /// The tier of a math operator.
    pub accuracy: Option<Accuracy>,
}

/// A program, and the plans of its last runs.
#[derive(Debug)]
pub(crate) struct Made {
    program: Program,
    /// Of the last run into a new output, and into a given one.
    last: [Mutex<Option<Arc<Plan>>>; 2],
}

/// An operand in memory.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    pub ptr: *mut u8,
    pub dtype: DType,
    pub shape: &'a [usize],
    pub strides: &'a [isize],
}

impl<'a> Memory<'a> {
    /// That of an array whose elements are of this dtype.
    pub(crate) fn of(fields: Fields<'a>, dtype: DType) -> Memory<'a> {
        Memory { ptr: fields.data(), dtype, shape: fields.shape(), strides: fields.strides() }
    }

    fn layout(&self) -> Result<Layout, Error> {
        Layout::strided(self.dtype, Shape::new(self.shape), Strides::new(self.strides))
    }

    fn has(&self, layout: &Layout) -> bool {
        self.dtype == layout.dtype() && *self.shape == **layout.shape() && *self.strides == **layout.strides()
    }
}

impl Made {
    pub(crate) fn new(program: Program) -> Made {
        Made { program, last: [Mutex::new(None), Mutex::new(None)] }
    }

    /// Whether a number of the text became infinite.
    pub(crate) fn overflows(&self) -> bool {
        !self.program.warnings().is_empty()
    }

    /// The plan for operands, and for an output if it is given.
    ///
    /// # Errors
    /// Shapes that do not fit.
    pub(crate) fn plan(&self, operands: &[Memory<'_>], out: Option<&Memory<'_>>, isa: Isa) -> Result<Arc<Plan>, Error> {
        let mut last = self.last[usize::from(out.is_some())].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = &*last
            && plan.isa() == isa
            && operands.iter().zip(plan.input_layouts()).all(|(operand, layout)| operand.has(layout))
            && out.is_none_or(|out| out.has(&plan.output_layouts()[0]))
        {
            return Ok(Arc::clone(plan));
        }
        let layouts: SmallVec<[Layout; 4]> = operands.iter().map(Memory::layout).collect::<Result<_, _>>()?;
        let layouts: SmallVec<[&Layout; 4]> = layouts.iter().collect();
        let plan = Arc::new(match out {
            Some(out) => self.program.bind_to(&layouts, &[&out.layout()?], Some(isa))?,
            None => self.program.bind_with(&layouts, &BindOptions::new().isa(isa))?,
        });
        *last = Some(Arc::clone(&plan));
        Ok(plan)
    }
}

/// Few calls differ in their dtypes; a program that makes up modes without end starts again.
const MOST: usize = 1024;

/// The program for a key.
///
/// # Errors
/// Dtypes that the operator does not take or that have no common dtype; an output that the result cannot be cast to
/// within its kind.
pub(crate) fn program(key: &Key) -> Result<Arc<Made>, Error> {
    static PROGRAMS: Mutex<Option<HashMap<Key, Arc<Made>>>> = Mutex::new(None);
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let programs = programs.get_or_insert_with(HashMap::new);
    if let Some(made) = programs.get(key) {
        return Ok(Arc::clone(made));
    }
    let made = Arc::new(Made::new(make(key)?));
    if programs.len() >= MOST {
        programs.clear();
    }
    programs.insert(key.clone(), Arc::clone(&made));
    Ok(made)
}

fn make(key: &Key) -> Result<Program, Error> {
    let names: SmallVec<[Cow<'_, str>; 4]> = (0..key.operands.len())
        .map(|i| match key.op.operand_names().get(i) {
            Some(name) => Cow::Borrowed(*name),
            None => Cow::Owned(format!("operand{i}")),
        })
        .collect();
    let inputs: SmallVec<[(&str, DType); 4]> =
        names.iter().map(AsRef::as_ref).zip(key.operands.iter().copied()).collect();
    let args: SmallVec<[Expr; 4]> = names.iter().map(|name| Expr::input(name)).collect();
    let expr = match (key.op.signature(), key.target) {
        (Signature::Convert, Some(target)) => args[0].convert(key.op, target)?,
        _ => Expr::apply(key.op, &args)?,
    };
    let expr = if key.mode == Broadcast::Numpy { expr } else { expr.broadcast(key.mode.clone()) };
    let expr = key.accuracy.map_or(expr.clone(), |accuracy| expr.accuracy(accuracy));
    cast_to(&expr, &inputs, key.out)
}

/// The program of an expression, with NumPy's promotion, its result cast to the dtype of the output.
///
/// # Errors
/// As for [`program`].
pub(crate) fn cast_to(expr: &Expr, inputs: &[(&str, DType)], out: Option<DType>) -> Result<Program, Error> {
    let program = Program::promoting(&[expr], inputs)?;
    let result = program.value(program.outputs()[0]).dtype;
    match out {
        None => Ok(program),
        Some(out) if out == result => Ok(program),
        Some(out) if can_cast_same_kind(result, out) => Program::promoting(&[&expr.cast(out)], inputs),
        Some(out) => Err(Error::DType { what: "out".into(), given: out, expected: result }),
    }
}
