//! The program of an operator for given dtypes ([`program`]), built once and kept, together with a cache of its plans
//! ([`CachedProgram::plan`]).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use eltwise::promote::can_cast_same_kind;
use eltwise::{
    Accuracy, BindOptions, Broadcast, Constant, DType, Error, Expr, Isa, LayoutParts, Literal, Op, Plan, PlanCache,
    Program, Signature,
};
use smallvec::SmallVec;

use crate::array::ArrayFields;

/// Everything that a program of one operator depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ProgramKey {
    /// The operator.
    pub op: Op,
    /// The dtypes of its operands in memory.
    pub operands: SmallVec<[DType; 4]>,
    /// The exponent of `pow`, if it is a number that chooses another operator (`constant_power`). The operand is then not
    /// read.
    pub exponent: Option<Constant>,
    /// The dtype parameter of a conversion.
    pub target: Option<DType>,
    /// The dtype of the output in memory, if one is given.
    pub out: Option<DType>,
    /// The broadcast mode.
    pub mode: Broadcast,
    /// The accuracy of a math operator.
    pub accuracy: Option<Accuracy>,
    /// The dtype to which the operands are cast; `None` if they promote.
    pub compute: Option<DType>,
    /// Whether a mask follows the operands, and then the output if one is given.
    pub is_masked: bool,
    /// Whether the result is cast to any dtype of the output, not only within its kind.
    pub casts_out: bool,
}

/// Plans that are kept of a program for one ISA, at least.
const MAX_PLANS: usize = 16;

/// A program and the plans of its last calls.
#[derive(Debug)]
pub(crate) struct CachedProgram {
    program: Program,
    /// For each ISA.
    plans: [OnceLock<PlanCache>; Isa::ALL.len()],
}

/// An operand or output in memory.
#[derive(Clone, Copy)]
pub(crate) struct OperandMemory<'a> {
    /// The address of element `[0, 0, ...]`.
    pub ptr: *mut u8,
    /// The dtype of the elements.
    pub dtype: DType,
    /// The sizes of the axes.
    pub shape: &'a [usize],
    /// The strides of the axes, in bytes.
    pub strides: &'a [isize],
}

impl<'a> OperandMemory<'a> {
    /// An array whose elements have this dtype.
    pub(crate) fn of(array: ArrayFields<'a>, dtype: DType) -> OperandMemory<'a> {
        OperandMemory { ptr: array.data(), dtype, shape: array.shape(), strides: array.strides() }
    }

    /// One element, given as bits, of rank 0. For reading only.
    pub(crate) fn of_scalar(bits: &'a u128, dtype: DType) -> OperandMemory<'a> {
        OperandMemory { ptr: (&raw const *bits).cast_mut().cast(), dtype, shape: &[], strides: &[] }
    }

    fn layout(&self) -> LayoutParts<'a> {
        LayoutParts { dtype: self.dtype, shape: self.shape, strides: Some(self.strides) }
    }
}

impl CachedProgram {
    pub(crate) fn new(program: Program) -> CachedProgram {
        CachedProgram { program, plans: [const { OnceLock::new() }; Isa::ALL.len()] }
    }

    /// Whether a literal of the expression's text became infinite in its dtype.
    pub(crate) fn overflows(&self) -> bool {
        !self.program.warnings().is_empty()
    }

    /// The dtype of each output.
    pub(crate) fn result_dtypes(&self) -> impl Iterator<Item = DType> {
        self.program.outputs().iter().map(|&id| self.program.value(id).dtype)
    }

    /// The plan for these operands, and for this output if one is given.
    ///
    /// # Errors
    /// Shapes that do not broadcast, or do not fit the output.
    pub(crate) fn plan(
        &self,
        operands: &[OperandMemory<'_>],
        out: Option<&OperandMemory<'_>>,
        isa: Isa,
    ) -> Result<Arc<Plan>, Error> {
        let plans = self.plans[isa as usize]
            .get_or_init(|| PlanCache::new(self.program.clone(), BindOptions::new().isa(isa), MAX_PLANS));
        let inputs: SmallVec<[LayoutParts<'_>; 4]> = operands.iter().map(OperandMemory::layout).collect();
        let out = out.map(|out| [out.layout()]);
        plans.plan_of(&inputs, out.as_ref().map(|out| &out[..]))
    }
}

/// The most programs kept. Few calls differ in their dtypes; a caller that makes up ever new `axis` values empties the
/// map.
const MAX_PROGRAMS: usize = 1024;

/// The program for a key, built on the first use.
///
/// # Errors
/// Dtypes that the operator does not take or that have no common dtype; an output dtype that the result cannot be cast
/// to within its kind.
pub(crate) fn program(key: &ProgramKey) -> Result<Arc<CachedProgram>, Error> {
    static PROGRAMS: Mutex<Option<HashMap<ProgramKey, Arc<CachedProgram>>>> = Mutex::new(None);
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let programs = programs.get_or_insert_with(HashMap::new);
    if let Some(program) = programs.get(key) {
        return Ok(Arc::clone(program));
    }
    let program = Arc::new(CachedProgram::new(build(key)?));
    if programs.len() >= MAX_PROGRAMS {
        programs.clear();
    }
    programs.insert(key.clone(), Arc::clone(&program));
    Ok(program)
}

fn build(key: &ProgramKey) -> Result<Program, Error> {
    let names: SmallVec<[Cow<'_, str>; 4]> = (0..key.operands.len())
        .map(|i| match key.op.operand_names().get(i) {
            Some(name) => Cow::Borrowed(*name),
            None => Cow::Owned(format!("operand{i}")),
        })
        .collect();
    let inputs: SmallVec<[(&str, DType); 4]> =
        names.iter().map(AsRef::as_ref).zip(key.operands.iter().copied()).collect();
    let mut args: SmallVec<[Expr; 4]> = names.iter().map(|name| Expr::input(name)).collect();
    if let Some(exponent) = key.exponent
        && let Some(y) = exponent.to_f64()
    {
        let is_integer = exponent.dtype.is_integer();
        args[1] = if is_integer { Literal::Int(y as i128) } else { Literal::Float(y) }.into();
    }
    if let Some(compute) = key.compute {
        let casts = |(i, arg): (usize, &mut Expr)| {
            if key.op.signature().is_t(i) && key.operands[i] != compute {
                *arg = arg.cast(compute);
            }
        };
        args.iter_mut().enumerate().for_each(casts);
    }
    let expr = match (key.op.signature(), key.target) {
        (Signature::Convert, Some(target)) => args[0].convert(key.op, target)?,
        _ => Expr::apply(key.op, &args)?,
    };
    let expr = if key.mode == Broadcast::Numpy { expr } else { expr.broadcast(key.mode.clone()) };
    let expr = key.accuracy.map_or(expr.clone(), |accuracy| expr.accuracy(accuracy));
    let casts = OutputCasts { outs: &[key.out], is_masked: key.is_masked, casts_out: key.casts_out };
    program_into(&[expr], &inputs, &casts)
}

/// The outputs of a program in memory.
pub(crate) struct OutputCasts<'a> {
    /// The dtype of each output that is given.
    pub outs: &'a [Option<DType>],
    /// Whether the results are under a mask. The mask is then an input after all others, and the given outputs follow it.
    pub is_masked: bool,
    /// Whether a result is cast to any dtype of its output, not only within its kind.
    pub casts_out: bool,
}

/// The program of expressions with NumPy's promotion. Results are cast to the dtypes of their outputs. Under a mask, elements
/// that it leaves out keep the bits of a given output, and are 0 in a new one.
///
/// # Errors
/// As for [`program`].
pub(crate) fn program_into(exprs: &[Expr], inputs: &[(&str, DType)], to: &OutputCasts<'_>) -> Result<Program, Error> {
    let program = Program::promoting(&exprs.iter().collect::<SmallVec<[&Expr; 1]>>(), inputs)?;
    let results: SmallVec<[DType; 1]> = program.outputs().iter().map(|&id| program.value(id).dtype).collect();
    let mut is_cast = false;
    for (&out, &result) in to.outs.iter().zip(&results) {
        match out {
            Some(out) if out != result && !to.casts_out && !can_cast_same_kind(result, out) => {
                return Err(Error::DType { what: "out".into(), given: out, expected: result });
            }
            out => is_cast |= out.is_some_and(|out| out != result),
        }
    }
    if !to.is_masked && !is_cast {
        return Ok(program);
    }
    // No input of an expression has such a name.
    let (mask, names) = (" mask", (0..exprs.len()).map(|i| format!(" out {i}")).collect::<SmallVec<[String; 1]>>());
    let mut inputs: SmallVec<[(&str, DType); 6]> = inputs.into();
    if to.is_masked {
        inputs.push((mask, DType::Bool));
    }
    let mut typed: SmallVec<[Expr; 1]> = SmallVec::new();
    for (i, expr) in exprs.iter().enumerate() {
        let value = to.outs[i].map_or_else(|| expr.clone(), |out| expr.cast(out));
        typed.push(match to.outs[i] {
            _ if !to.is_masked => value,
            Some(out) => {
                inputs.push((&names[i], out));
                value.masked(&Expr::input(mask), &Expr::input(&names[i]), true)
            }
            None if results[i] == DType::Bool => value.masked(&Expr::input(mask), &Literal::Bool(false).into(), true),
            None => value.masked(&Expr::input(mask), &0.into(), true),
        });
    }
    Program::promoting(&typed.iter().collect::<SmallVec<[&Expr; 1]>>(), &inputs)
}
