//! A call of an operator over any operands ([`run`]): conversion to arrays, promotion, a program, a run, and the report
//! of data conditions. The fallback for all calls that the fast path ([`fast_args`](crate::fast_args)) declines.

use eltwise::promote;
use eltwise::{Accuracy, Broadcast, Constant, DType, Literal, Op, Signature, constant_power};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::dtypes::ElementKind;
use crate::errors::CallError;
use crate::operand::{Operand, describe_array};
use crate::programs::{ProgramKey, program};
use crate::promotion::Promotion;
use crate::run::{Output, ProgramRun, TypedOperand};
use crate::ufunc_options::{Casting, UfuncOptions};
use crate::{array, conditions, dtypes, errors, isa, run};

/// The bound arguments of a call.
pub(crate) struct GeneralCall<'py> {
    /// The operator.
    pub op: Op,
    /// The name of the function that was called: `round` for `round_decimals` with parameters.
    pub name: &'static str,
    /// The operands as given; None for those that are omitted.
    pub operands: SmallVec<[Bound<'py, PyAny>; 4]>,
    /// For each operand that is omitted, its position and its default.
    pub defaults: SmallVec<[(usize, Literal); 4]>,
    /// The argument `out`, if it is given and not None.
    pub out: Option<Bound<'py, PyAny>>,
    /// The broadcast mode.
    pub mode: Broadcast,
    /// The dtype parameter of a conversion.
    pub target: Option<DType>,
    /// The accuracy of a math operator.
    pub accuracy: Option<Accuracy>,
    /// The keywords of NumPy's ufuncs.
    pub ufunc: UfuncOptions<'py>,
}

/// Runs a call. Returns `out` if it is given, else a new array, or a NumPy scalar for rank 0.
///
/// # Errors
/// As [`errors::to_exception`], and those of [`conditions::report`].
pub(crate) fn run<'py>(py: Python<'py>, call: GeneralCall<'py>) -> PyResult<Bound<'py, PyAny>> {
    let (op, name) = (call.op, call.name);
    let operands: SmallVec<[Operand<'py>; 4]> = call
        .operands
        .iter()
        .enumerate()
        .map(|(i, object)| {
            if let Some(&(_, default)) = call.defaults.iter().find(|(omitted, _)| *omitted == i) {
                return Ok(Operand::Weak(default.into()));
            }
            Operand::from_object(object)
                .map_err(|e| errors::with_context(e, || format!("{name}(): {}", operand_name(op, i))))
        })
        .collect::<PyResult<_>>()?;
    let out = call
        .out
        .as_ref()
        .map(Output::from_object)
        .transpose()
        .map_err(|e| errors::with_context(e, || format!("{name}(): out")))?;
    let describe = || describe_call((op, name), &operands, call.out.as_ref());
    let compute = compute_dtype(py, &call, &operands, out.as_ref()).map_err(|e| errors::with_context(e, describe))?;
    let mut promotion = Promotion::new(op, compute);
    promotion.resolve(py, &call.operands, &operands).map_err(|e| e.into_exception(describe))?;
    let key = ProgramKey {
        op: promotion.constant.map_or(op, |truth| if truth { Op::Equal } else { Op::NotEqual }),
        operands: promotion.operands.iter().map(TypedOperand::dtype).collect(),
        exponent: match (op, &promotion.operands[..]) {
            (Op::Pow, [_, TypedOperand::Scalar(dtype, bits)]) => {
                Some(Constant { dtype: *dtype, bits: *bits }).filter(|&exponent| constant_power(exponent).is_some())
            }
            _ => None,
        },
        target: call.target,
        out: out.as_ref().map(|out| out.dtype),
        mode: call.mode,
        accuracy: call.accuracy,
        compute,
        is_masked: call.ufunc.mask.is_some(),
        casts_out: call.ufunc.casting == Casting::Unsafe,
    };
    if let Some(out) = &out
        && (out.dtype.is_opaque() || promotion.descr.is_some())
    {
        promotion.check_opaque_out(out).map_err(|e| e.into_exception(describe))?;
    }
    let program = program(&key).map_err(|e| CallError::Engine(e).into_exception(describe))?;
    let has_out = out.is_some();
    if let Some(mask) = call.ufunc.mask {
        run::push_mask(&mut promotion.operands, mask, &out)?;
    }
    let program_run = ProgramRun {
        program: &program,
        operands: &promotion.operands,
        out,
        descr: promotion.descr.clone(),
        order: call.ufunc.order.of_result(&operands),
        isa: isa::current(py)?,
        progress: None,
    };
    let (array, status) = program_run.run(py).map_err(|e| e.into_exception(describe))?;
    conditions::report(py, name, status)?;
    conditions::report_overflow(py, promotion.overflows)?;
    if has_out { Ok(array.into_any()) } else { array::unwrap_scalar(array) }
}

/// The dtype in which the operator computes, if the keywords of NumPy's ufuncs choose it. Checks the casts that they allow.
///
/// # Errors
/// `TypeError` for a dtype that the operator cannot have, and for a cast that `casting` does not allow.
fn compute_dtype(
    py: Python<'_>,
    call: &GeneralCall<'_>,
    operands: &[Operand<'_>],
    out: Option<&Output<'_>>,
) -> PyResult<Option<DType>> {
    let (op, ufunc) = (call.op, &call.ufunc);
    if ufunc.dtype.is_none() && ufunc.casting == Casting::SameKind {
        return Ok(None);
    }
    let kind = |operand: &Operand<'_>| match operand {
        Operand::Array(_, ElementKind::Value(dtype) | ElementKind::Opaque(dtype)) => promote::Operand::DType(*dtype),
        Operand::Array(..) => promote::Operand::DType(DType::U8),
        Operand::Weak(number) => promote::Operand::Literal(number.literal()),
    };
    let kinds: SmallVec<[promote::Operand; 4]> = operands.iter().map(kind).collect();
    // If there is no common dtype, resolving the operands reports it.
    let found = promote::operation(op, &kinds).map(|(_, common)| common);
    let Some(common) = found.or(ufunc.dtype) else { return Ok(None) };
    let is_t = dtypes::of_result(op, DType::F32) == DType::F32;
    let compute = match ufunc.dtype {
        Some(dtype) if is_t && promote::operands_of(op, dtype) == Some((op, dtype)) => dtype,
        Some(dtype) if is_t => {
            let (given, takes) = (dtypes::name(dtype), op.info().dtypes().replace(" opaque", ""));
            return Err(PyTypeError::new_err(format!(
                "dtype is {given}, in which {op} does not compute; it takes {takes}"
            )));
        }
        Some(dtype) if dtype == dtypes::of_result(op, common) => common,
        Some(dtype) => {
            let (given, gives) = (dtypes::name(dtype), dtypes::name(dtypes::of_result(op, common)));
            return Err(PyTypeError::new_err(format!(
                "dtype is {given}, expected {gives}, which the function returns"
            )));
        }
        None => common,
    };
    for (i, operand) in operands.iter().enumerate() {
        if let (Operand::Array(_, ElementKind::Value(dtype)), true) = (operand, op.signature().is_t(i)) {
            ufunc.casting.check(py, &operand_name(op, i), *dtype, compute)?;
        }
    }
    if let Some(out) = out {
        ufunc.casting.check(py, "the result", dtypes::of_result(op, compute), out.dtype)?;
    }
    Ok(ufunc.dtype.and(is_t.then_some(compute)))
}

/// The text of a call for messages: `add(x: float32[3], y: int, out: float32[4])`.
fn describe_call((op, name): (Op, &str), operands: &[Operand<'_>], out: Option<&Bound<'_, PyAny>>) -> String {
    let texts =
        operands.iter().enumerate().map(|(i, operand)| format!("{}: {}", operand_name(op, i), operand.describe()));
    let texts = errors::join_operands(texts);
    let out = out.and_then(|out| Output::from_object(out).ok());
    let out = out.map(|out| format!(", out: {}", describe_array(&out.array, ElementKind::Value(out.dtype))));
    format!("{name}({texts}{})", out.unwrap_or_default())
}

/// The name of operand `i`; the operands of a variadic operator are numbered.
fn operand_name(op: Op, i: usize) -> String {
    match op.operand_names().get(i) {
        Some(name) if op.signature() != Signature::Fold => (*name).into(),
        _ => format!("operand {i}"),
    }
}
