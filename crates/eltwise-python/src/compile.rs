//! `eltwise.compile`: an expression from text as a [`Compiled`] function.

use std::collections::HashSet;

use eltwise::Expr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::parse_accuracy;
use crate::compiled::Compiled;
use crate::errors::CallError;
use crate::expression::Definition;

/// Compiles an expression into a function of arrays.
///
/// After `f = eltwise.compile("a * b + c", ["a", "b", "c"])`, call `f(a, b, c)`, `f(a, b, c=c)` or `f(a, b, c, out=x)`.
///
/// A call runs all operators in one pass over memory, without temporary arrays. Dtypes promote as in NumPy 2 at
/// every operator, and literals adapt to the arrays: `/` of integers is true division. A Python number among the
/// operands of a call takes the dtype that the arrays of the call promote to.
///
/// Parameters
/// ----------
/// expression : str or sequence of str
///     Numbers, names, `+ - * / // % ** & | ^ ~ << >>`, comparisons, parentheses, every operator of the package by its
///     name or NumPy's, and `cast(x, float32)`. `pi`, `e`, `inf`, `nan`, `largest`, `true` and `false` are constants, unless a
///     parameter has the name. `t = a * b; t + t` names a part. Several expressions, in a sequence or with `;` between them,
///     are computed in one pass. A comment begins with `#`.
/// names : sequence of str or str, optional
///     The names of the parameters, or a str of one-letter names. Default: the names in the order in which they appear.
/// accuracy : {"fast", "correct"}, optional
///     The accuracy of the math operators that have no `accuracy=` in the text. See `eltwise.exp`.
/// contract : bool
///     True replaces `a * b + c`, `c + a * b` and the differences by `fma(a, b, c)` for floats. The product is not
///     rounded then, so results may differ in the last bit.
///
/// Returns
/// -------
/// Compiled
///     A callable that can be pickled and compared. It returns a tuple if there are several expressions, or if they are given
///     in a sequence. It has the attributes `text` and `inputs` and the methods `result_type` and `explain`.
///
/// Raises
/// ------
/// ValueError
///     An expression that does not parse, with the place; names that do not match the expression.
///
/// Examples
/// --------
/// >>> f = eltwise.compile("a * b + c")
/// >>> f([1.0, 2.0], 10.0, c=0.5)
/// array([10.5, 20.5])
/// >>> f.inputs
/// ('a', 'b', 'c')
#[pyfunction]
#[pyo3(signature = (expression, names=None, *, accuracy=None, contract=false))]
pub(crate) fn compile(
    expression: &Bound<'_, PyAny>,
    names: Option<&Bound<'_, PyAny>>,
    accuracy: Option<&Bound<'_, PyAny>>,
    contract: bool,
) -> PyResult<Compiled> {
    let names = match names {
        None => None,
        Some(names) => Some(match names.cast::<PyString>() {
            Ok(letters) => {
                let text = letters.to_cow()?;
                text.chars().filter(|c| !c.is_whitespace() && *c != ',').map(String::from).collect()
            }
            Err(_) => texts("names", names)?,
        }),
    };
    let (text, is_sequence) = match expression.cast::<PyString>() {
        Ok(text) => (text.to_cow()?.into_owned(), false),
        Err(_) => {
            let texts = texts("expression", expression)?;
            // A comment ends with its line.
            let separator = if texts.iter().any(|text| text.contains('#')) { "\n; " } else { "; " };
            (texts.join(separator), true)
        }
    };
    let inputs: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let exprs =
        Expr::parse_several(&text, &inputs).map_err(|e| CallError::Engine(e).into_exception_with_caret("compile()"))?;
    let accuracy = parse_accuracy(accuracy)?;
    let exprs: Vec<Expr> =
        exprs.iter().map(|expr| accuracy.map_or(expr.clone(), |accuracy| expr.accuracy(accuracy))).collect();
    let mut seen = HashSet::new();
    let used: Vec<String> =
        exprs.iter().flat_map(Expr::names).filter(|name| seen.insert(*name)).map(String::from).collect();
    let names = names.unwrap_or_else(|| used.clone());
    check_names(&text, &names, &used)?;
    let returns_tuple = is_sequence || exprs.len() > 1;
    Ok(Compiled::new(Definition { text, names, accuracy, contract, returns_tuple }, exprs))
}

/// The items of a sequence of str. It may claim any length.
fn texts(what: &str, sequence: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let refusal = |given: &Bound<'_, PyAny>| {
        let class = given.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
        PyTypeError::new_err(format!("compile(): {what} is or has a {class}, expected str or a sequence of str"))
    };
    let Ok(items) = sequence.try_iter() else { return Err(refusal(sequence)) };
    let mut texts = Vec::new();
    for item in items {
        let item = item?;
        texts.push(item.cast::<PyString>().map_err(|_| refusal(&item))?.to_cow()?.into_owned());
    }
    Ok(texts)
}

/// Checks that all names that an expression uses are parameters, each once.
fn check_names(text: &str, names: &[String], used: &[String]) -> PyResult<()> {
    let is_name = |name: &str| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        name.chars().all(is_word) && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    if let Some((index, name)) = names.iter().enumerate().find(|(_, name)| !is_name(name)) {
        return Err(PyValueError::new_err(format!("compile(): parameter {index} is {name:?}, expected a name")));
    }
    let list = |names: &[String]| if names.is_empty() { "none".to_string() } else { names.join(", ") };
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    if let Some(unknown) = used.iter().find(|name| !known.contains(name.as_str())) {
        return Err(PyValueError::new_err(format!(
            "compile(): {text:?} has the name {unknown:?}, and the parameters are {}",
            list(names)
        )));
    }
    let mut seen = HashSet::new();
    if let Some((index, name)) = names.iter().enumerate().find(|(_, name)| !seen.insert(name.as_str())) {
        return Err(PyValueError::new_err(format!("compile(): parameter {index} repeats the name {name:?}")));
    }
    Ok(())
}
