//! The keywords of NumPy's ufuncs: `where`, `dtype`, `casting`, `order` and `subok` ([`UfuncOptions`]).

use eltwise::{DType, Op, Signature};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::array::{self, fields};
use crate::dtypes::{self, ElementKind};
use crate::operand::{Operand, describe_array, is_masked};

/// The names of the keywords, which are keyword-only.
pub(crate) const NAMES: [&str; 5] = ["where", "dtype", "casting", "order", "subok"];

/// Whether the function of an operator has these keywords: all but moves, casts and `where`, which are no ufuncs in NumPy.
pub(crate) fn has_ufunc_options(op: Op) -> bool {
    !matches!(op.signature(), Signature::Convert | Signature::Move | Signature::Select)
}

/// The keywords of a call.
#[derive(Default)]
pub(crate) struct UfuncOptions<'py> {
    /// The elements to compute, `bool`; `None` for all.
    pub mask: Option<Bound<'py, PyUntypedArray>>,
    /// The dtype in which the operator computes.
    pub dtype: Option<DType>,
    /// Which casts are allowed.
    pub casting: Casting,
    /// The order of the axes of a new result in memory.
    pub order: Order,
}

/// A rule of `numpy.can_cast`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Casting {
    No,
    Equiv,
    Safe,
    #[default]
    SameKind,
    Unsafe,
}

impl Casting {
    const ALL: [(&'static str, Casting); 5] = [
        ("no", Casting::No),
        ("equiv", Casting::Equiv),
        ("safe", Casting::Safe),
        ("same_kind", Casting::SameKind),
        ("unsafe", Casting::Unsafe),
    ];

    /// The name in NumPy.
    pub(crate) fn name(self) -> &'static str {
        Casting::ALL[self as usize].0
    }

    /// Checks that elements of dtype `from` may be cast to `to`. `what` is cast, for the message.
    ///
    /// # Errors
    /// `TypeError` if they may not.
    pub(crate) fn check(self, py: Python<'_>, what: &str, from: DType, to: DType) -> PyResult<()> {
        let numpy = py.import("numpy")?;
        let descrs = (dtypes::descr(py, from)?, dtypes::descr(py, to)?, self.name());
        if self == Casting::Unsafe || from == to || numpy.call_method1("can_cast", descrs)?.extract()? {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!(
            "cannot cast {what} from {} to {} with casting='{}'",
            dtypes::name(from),
            dtypes::name(to),
            self.name()
        )))
    }
}

/// The order of the axes of an array in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    /// As the operands.
    #[default]
    Keep,
    /// The last axis fastest.
    C,
    /// The first axis fastest.
    Fortran,
    /// `Fortran` if all operands are so and not in `C` order too, else `C`.
    Any,
}

impl Order {
    const ALL: [(&'static str, Order); 4] =
        [("K", Order::Keep), ("C", Order::C), ("F", Order::Fortran), ("A", Order::Any)];

    /// The order that NumPy's function `empty` takes for a result of these operands; `None` for [`Order::Keep`].
    pub(crate) fn of_result(self, operands: &[Operand<'_>]) -> Option<&'static str> {
        let is_fortran = |operand: &Operand<'_>| {
            operand.array().is_none_or(|(array, _)| {
                let array = fields(array);
                array.is_f_contiguous() && (!array.is_c_contiguous() || array.shape().len() < 2)
            })
        };
        match self {
            Order::Keep => None,
            Order::Any if operands.iter().all(is_fortran) => Some("F"),
            Order::Fortran => Some("F"),
            Order::C | Order::Any => Some("C"),
        }
    }
}

impl<'py> UfuncOptions<'py> {
    /// The options of a call. `given` has the argument of each keyword, if there is one.
    ///
    /// # Errors
    /// `TypeError` for a mask that is not `bool` and an unknown dtype; `ValueError` for an unknown rule or order.
    pub(crate) fn parse(given: impl Fn(&str) -> Option<Bound<'py, PyAny>>) -> PyResult<UfuncOptions<'py>> {
        if let Some(subok) = given("subok") {
            // The class of a result is decided before the call gets here.
            subok.is_truthy()?;
        }
        Ok(UfuncOptions {
            mask: given("where").map_or(Ok(None), |mask| parse_mask(&mask))?,
            dtype: given("dtype").filter(|dtype| !dtype.is_none()).map(|dtype| dtypes::parse(&dtype)).transpose()?,
            casting: parse_name("casting", given("casting"), &Casting::ALL)?,
            order: parse_name("order", given("order"), &Order::ALL)?,
        })
    }
}

/// The mask that the argument `where` is. True is no mask.
pub(crate) fn parse_mask<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if object.is(&*pyo3::types::PyBool::new(object.py(), true)) {
        return Ok(None);
    }
    if object.is_none() || is_masked(object)? {
        return Err(PyTypeError::new_err(format!("where is {}, expected an array of bool", object.get_type().name()?)));
    }
    // As in NumPy, numbers of a sequence are true if they are not 0, and arrays are not converted.
    let array = match object.hasattr("dtype")? {
        true => array::asarray(object)?,
        false => object.py().import("numpy")?.call_method1("asarray", (object, "?"))?.cast_into()?,
    };
    match array::element_kind(&array)? {
        ElementKind::Value(DType::Bool) => Ok(Some(array)),
        kind => Err(PyTypeError::new_err(format!("where is {}, expected bool", describe_array(&array, kind)))),
    }
}

/// The value of an option that is a name.
fn parse_name<T: Copy + Default>(option: &str, given: Option<Bound<'_, PyAny>>, names: &[(&str, T)]) -> PyResult<T> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(T::default()) };
    let text = given.cast::<PyString>().ok().map(|text| text.to_string_lossy().into_owned());
    let is_given = |name: &str| text.as_deref().is_some_and(|text| text.eq_ignore_ascii_case(name));
    if let Some((_, value)) = names.iter().find(|(name, _)| is_given(name)) {
        return Ok(*value);
    }
    let expected: Vec<String> = names.iter().map(|(name, _)| format!("'{name}'")).collect();
    Err(PyValueError::new_err(format!("{option}={}, expected {}", given.repr()?, expected.join(", "))))
}
