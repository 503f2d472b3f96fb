//! The program of each operator over each combination of dtypes, made once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use eltwise::promote::can_cast_same_kind;
use eltwise::{Broadcast, DType, Error, Expr, Op, Program, Signature};
use smallvec::SmallVec;

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
}

/// Few calls differ in their dtypes; a program that makes up modes without end starts again.
const MOST: usize = 4096;

/// The program for a key.
///
/// # Errors
/// Dtypes that the operator does not take or that have no common dtype; an output that the result cannot be cast to
/// within its kind.
pub(crate) fn program(key: &Key) -> Result<Program, Error> {
    static PROGRAMS: Mutex<Option<HashMap<Key, Program>>> = Mutex::new(None);
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let programs = programs.get_or_insert_with(HashMap::new);
    if let Some(program) = programs.get(key) {
        return Ok(program.clone());
    }
    let program = make(key)?;
    if programs.len() >= MOST {
        programs.clear();
    }
    programs.insert(key.clone(), program.clone());
    Ok(program)
}

fn make(key: &Key) -> Result<Program, Error> {
    let names = key.op.operand_names();
    let inputs: SmallVec<[(&str, DType); 4]> = names.iter().copied().zip(key.operands.iter().copied()).collect();
    let args: SmallVec<[Expr; 4]> = names.iter().map(|name| Expr::input(name)).collect();
    let expr = match (key.op.signature(), key.target) {
        (Signature::Convert, Some(target)) => args[0].convert(key.op, target)?,
        _ => Expr::apply(key.op, &args)?,
    };
    let expr = if key.mode == Broadcast::Numpy { expr } else { expr.broadcast(key.mode.clone()) };
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
