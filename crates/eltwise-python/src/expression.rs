//! The expression of a compiled function ([`Expression`]): its definition, and its programs by dtypes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::{Accuracy, DType, Error, ErrorKind, Expr, caret};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::errors::{self, CallError};
use crate::operand::Operand;
use crate::programs::{CachedProgram, OutputCasts, program_into};

/// What `compile` was given: two functions with equal definitions compute the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Definition {
    /// The text of the expressions.
    pub text: String,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The accuracy of math operators without one in the text.
    pub accuracy: Option<Accuracy>,
    /// Whether products and sums are contracted.
    pub contract: bool,
    /// Whether a call returns a tuple.
    pub returns_tuple: bool,
}

/// An expression, or several that are computed together.
pub(crate) struct Expression {
    /// What it was made from.
    pub definition: Definition,
    /// The outputs. They include the accuracy of the definition.
    pub exprs: Vec<Expr>,
    programs: Mutex<Programs>,
}

/// The programs of an expression, one per combination of dtypes.
#[derive(Default)]
struct Programs {
    all: HashMap<Key, Arc<CachedProgram>>,
    /// The program of the last call. A comparison here is much cheaper than a lookup in the map.
    last: Option<(Key, Arc<CachedProgram>)>,
}

/// What a program of an expression depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The dtypes of the operands in memory.
    pub operands: SmallVec<[DType; 4]>,
    /// The dtype of each output that is given.
    pub outs: SmallVec<[Option<DType>; 1]>,
    /// Whether a mask follows the operands.
    pub is_masked: bool,
}

/// The most programs kept per expression.
const MAX_PROGRAMS: usize = 256;

impl Expression {
    pub(crate) fn new(definition: Definition, exprs: Vec<Expr>) -> Expression {
        Expression { definition, exprs, programs: Mutex::default() }
    }

    /// Checks the number of operands or dtypes of a call.
    pub(crate) fn check_count(&self, given: usize, what: &str) -> PyResult<()> {
        let names = &self.definition.names;
        if given == names.len() {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!(
            "{} takes {} {what} ({}), {given} given",
            self.short_text(),
            names.len(),
            errors::join_operands(names.iter().cloned())
        )))
    }

    /// The program for these dtypes, built on the first use.
    pub(crate) fn program(&self, key: Key) -> Result<Arc<CachedProgram>, Error> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let Programs { all, last } = &mut *programs;
        if let Some((_, program)) = last.as_ref().filter(|(last_key, _)| *last_key == key) {
            return Ok(Arc::clone(program));
        }
        let program = match all.get(&key) {
            Some(program) => Arc::clone(program),
            None => {
                let Definition { names, contract, .. } = &self.definition;
                let inputs: Vec<(&str, DType)> =
                    names.iter().map(String::as_str).zip(key.operands.iter().copied()).collect();
                let casts = OutputCasts { outs: &key.outs, is_masked: key.is_masked, casts_out: false };
                let program = program_into(&self.exprs, &inputs, &casts)?.contract(*contract);
                let program = Arc::new(CachedProgram::new(program));
                if all.len() >= MAX_PROGRAMS {
                    all.clear();
                }
                all.insert(key.clone(), Arc::clone(&program));
                program
            }
        };
        *last = Some((key, Arc::clone(&program)));
        Ok(program)
    }

    pub(crate) fn exception(&self, error: CallError, operands: &[Operand<'_>]) -> PyErr {
        let names = &self.definition.names;
        let texts = names.iter().zip(operands).map(|(name, operand)| format!("{name}: {}", operand.describe()));
        error.into_exception_with_caret(&format!("{} ({})", self.short_text(), errors::join_operands(texts)))
    }

    /// The text for messages: the beginning of a long one.
    pub(crate) fn short_text(&self) -> Cow<'_, str> {
        const MAX_CHARS: usize = 200;
        let text = &self.definition.text;
        match text.char_indices().nth(MAX_CHARS) {
            None => Cow::Borrowed(text),
            Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        }
    }
}

impl CallError {
    /// As [`CallError::into_exception`]. An error in an expression is followed by the text with a caret at its place.
    pub(crate) fn into_exception_with_caret(self, context: &str) -> PyErr {
        match &self {
            CallError::Engine(error @ Error::Parse { text, at, .. }) => {
                // A wrong number of operands is a `ValueError`, like all errors of syntax.
                let kind = if error.kind() == ErrorKind::Arity { ErrorKind::Parse } else { error.kind() };
                errors::exception_of(kind, format!("{}\n{}", errors::text(error), caret(text, at)))
            }
            _ => self.into_exception(|| context.into()),
        }
    }
}
