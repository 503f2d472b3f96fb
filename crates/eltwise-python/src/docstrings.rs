//! The docstrings of the operators' functions ([`docstring`]), in numpydoc form, made from the catalogue.

use eltwise::{DType, Literal, Op, Signature};

use crate::arguments::Parameters;
use crate::dtypes;

/// The documentation of an operator's function: the signature in the form that `inspect` reads, then the text.
pub(crate) fn docstring(op: Op) -> String {
    let parameters = Parameters::of(op);
    let with_parameters = op.with_parameters().unwrap_or(op);
    let names = with_parameters.operand_names()[op.arity()..].join("` or `");
    let more = match op.with_parameters() {
        Some(_) => format!("\nWith `{names}`: {}\n", with_parameters.info().doc),
        None => String::new(),
    };
    let sections = [
        section("Parameters", operands(with_parameters, &parameters).into_iter().chain(options(op, &parameters))),
        section("Returns", [returns(op)]),
        section("Raises", errors(op)),
        section("Warns", [warnings(op)]),
    ];
    format!("{}\n--\n\n{}\n{more}{}{}", signature(op, &parameters), summary(op), sections.concat(), example(op))
}

/// What the function computes. Divisions and powers of integers are NumPy's in Python.
fn summary(op: Op) -> &'static str {
    match op {
        Op::Divide => "x / y. Integers become floats, as in NumPy; floor_divide and trunc_divide keep them.",
        Op::Pow => {
            "x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; a negative exponent is a \
             ValueError."
        }
        _ => op.info().doc,
    }
}

/// The section of the example, which `tools/python-examples.py` writes; empty for an operator without one.
fn example(op: Op) -> String {
    let mut examples = include_str!("examples.txt").split("\n\n");
    let lines = examples.find_map(|example| example.strip_prefix(op.name())?.strip_prefix('\n'));
    lines.map(|lines| format!("\nExamples\n--------\n{}\n", lines.trim_end())).unwrap_or_default()
}

/// `add(x, y, out=None, broadcast="numpy", axis=-1, accuracy="fast")`.
fn signature(op: Op, parameters: &Parameters) -> String {
    let name = op.name();
    let op = op.with_parameters().unwrap_or(op);
    let defaults = op.info().defaults;
    let mut text = format!("{name}({}", if parameters.variadic.is_some() { "*operands" } else { "" });
    for (i, name) in parameters.names.iter().enumerate() {
        let comma = if i == 0 && parameters.variadic.is_none() { "" } else { ", " };
        // The parameters from here on are keyword-only.
        let star = if i == parameters.positional && i > 0 { "*, " } else { "" };
        let default = match i.checked_sub(parameters.required).and_then(|i| defaults.get(i)) {
            _ if i < parameters.required => String::new(),
            Some(_) if parameters.variadic.is_none() => match Literal::default_of(op, i) {
                Some(Literal::Largest { .. }) | None => "=None".into(),
                Some(Literal::Bool(truth)) => if truth { "=True" } else { "=False" }.into(),
                Some(number) => format!("={}", number.to_f64()),
            },
            _ => format!("={}", option_default(name)),
        };
        text += &format!("{comma}{star}{name}{default}");
    }
    text + ")"
}

/// The default of an option, in Python's notation.
fn option_default(name: &str) -> &'static str {
    match name {
        "broadcast" => "\"numpy\"",
        "axis" => "-1",
        "accuracy" => "\"fast\"",
        "where" | "subok" => "True",
        "casting" => "\"same_kind\"",
        "order" => "\"K\"",
        _ => "None",
    }
}

/// An item of a section: names and a type, then sentences.
struct Item {
    head: String,
    text: String,
}

impl Item {
    fn new(head: impl Into<String>, text: impl Into<String>) -> Item {
        Item { head: head.into(), text: text.into() }
    }
}

/// A section with a heading.
fn section(heading: &str, items: impl IntoIterator<Item = Item>) -> String {
    let items = items.into_iter().map(|item| format!("{}\n{}", item.head, indented(&item.text)));
    format!("\n{heading}\n{}\n{}", "-".repeat(heading.len()), items.collect::<String>())
}

/// A paragraph in lines of at most 88 columns, indented by 4.
fn indented(text: &str) -> String {
    const WIDTH: usize = 88;
    let mut lines = String::new();
    let mut line = String::from("   ");
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > WIDTH {
            lines += &line;
            lines += "\n";
            line = String::from("   ");
        }
        line += " ";
        line += word;
    }
    lines + &line + "\n"
}

/// The parameters that are operands.
fn operands(op: Op, parameters: &Parameters) -> Vec<Item> {
    const QUANTIZED: &str = "int8, uint8, int16, uint16 or int32";
    let t = dtypes::accepted(op);
    let shapes = if op.arity() == 1 { "Any shape and strides." } else { "Any shapes that broadcast, any strides." };
    let promotion = match op.signature() {
        Signature::Convert | Signature::Move => "",
        _ => {
            " Dtypes promote as in NumPy 2: Python numbers adapt to the arrays, integers become floats if the operator \
             takes only floats, and bool is accepted if NumPy accepts it."
        }
    };
    let common = format!("Dtypes: {t}. {shapes}{promotion}");
    match op.signature() {
        Signature::Select => vec![
            Item::new("cond : array_like", "Numbers are true if they are not 0; NaN is true."),
            Item::new("x, y : array_like", common),
        ],
        Signature::Tolerance => vec![
            Item::new("x, y, rtol, atol : array_like", common),
            Item::new("equal_nan : array_like", "Dtype: bool. Whether two NaN are close. Broadcasts with x."),
        ],
        Signature::Scale => vec![
            Item::new("x : array_like", common),
            Item::new(
                format!("{} : array_like", op.operand_names()[1]),
                "Dtypes: integers except uint64. Broadcasts with x.",
            ),
        ],
        Signature::Quantize => vec![
            Item::new("x, scale : array_like", common),
            Item::new(
                "zero_point : array_like",
                format!("Dtypes: {QUANTIZED}. A Python number is uint8. Broadcasts with x."),
            ),
        ],
        Signature::Dequantize => vec![
            Item::new("x, zero_point : array_like", format!("Dtypes: {QUANTIZED}, the same for both. {shapes}")),
            Item::new("scale : array_like", format!("Dtypes: {t}. Broadcasts with x.")),
        ],
        _ if parameters.variadic.is_some() => vec![Item::new(
            "*operands : array_like",
            format!("{} or more operands. {common}", op.counts_given().start()),
        )],
        _ => vec![Item::new(format!("{} : array_like", op.operand_names().join(", ")), common)],
    }
}

/// The parameters that are not operands.
fn options(op: Op, parameters: &Parameters) -> Vec<Item> {
    let has_axis = parameters.names.contains(&"axis");
    let option = |name: &&str| match *name {
        "where" => Some(Item::new(
            "where, dtype, casting, order, subok : optional, keyword-only",
            "As for NumPy's ufuncs. `where` selects the elements to compute: the others keep their value in `out`, and are 0 \
             in a new array.",
        )),
        "dtype" if parameters.names.contains(&"where") => None,
        "dtype" => Some(Item::new(
            "dtype : dtype_like, optional",
            "Anything that numpy.dtype accepts, or \"bfloat16\". Default: the dtype of `out`.",
        )),
        "out" => Some(Item::new(
            "out : numpy.ndarray or tuple of one, optional",
            "The array to write. The result broadcasts to its shape, and is cast to its dtype within the same kind. It \
             may be an operand, or overlap one.",
        )),
        "broadcast" if has_axis => Some(Item::new(
            "broadcast : {\"numpy\", \"none\", \"unidirectional\", \"pdpd\"}",
            "\"numpy\": aligned at the last axis, sizes are equal or 1. \"none\": equal shapes. \"unidirectional\": as \
             \"numpy\", and the result has the shape of the first operand. \"pdpd\": the second operand starts at axis \
             `axis` of the first, and only the second is repeated.",
        )),
        "broadcast" => Some(Item::new(
            "broadcast : {\"numpy\", \"none\"}",
            "\"numpy\": aligned at the last axis, sizes are equal or 1. \"none\": equal shapes.",
        )),
        "axis" => Some(Item::new(
            "axis : int",
            "For broadcast=\"pdpd\": the axis of the first operand that the first axis of the second is aligned with. \
             -1 aligns the last axes.",
        )),
        "accuracy" if op.is_fast_only() => {
            let bound = op.info().error_bound(DType::F64);
            let wide = if bound.ulp > 1 { format!(", {} ULP for float64", bound.ulp) } else { String::new() };
            let or = if bound.absolute > 0.0 { " For x below -1/4, the error may also be 2^-45." } else { "" };
            let text = format!("At most 1 ULP from the exact value (0.501 ULP for float16 and bfloat16{wide}).{or}");
            Some(Item::new("accuracy : {\"fast\"}", text))
        }
        "accuracy" if op.info().has_math() => Some(Item::new(
            "accuracy : {\"fast\", \"correct\"}",
            "\"fast\": at most 1 ULP from the exact value (0.501 ULP for float16 and bfloat16). \"correct\": correctly \
             rounded; not for float64.",
        )),
        "accuracy" => {
            Some(Item::new("accuracy : {\"fast\", \"correct\"}", "No effect: the operator is exact by definition."))
        }
        // An operand: see `operands`.
        _ => None,
    };
    parameters.names.iter().filter_map(option).collect()
}

fn returns(op: Op) -> Item {
    let dtype = match op.signature() {
        Signature::UnaryPredicate | Signature::BinaryPredicate | Signature::Tolerance => "bool",
        Signature::ToF64 => "float64",
        Signature::Exponent => "int32",
        Signature::Count => "uint8",
        Signature::Convert => "`dtype`",
        Signature::Scale => "same as x",
        Signature::Select => "the common dtype of x and y",
        Signature::Quantize => "same as zero_point",
        Signature::Dequantize => "same as scale",
        Signature::Move => "same as x",
        _ if op == Op::Divide => "the common dtype of the operands; float for integers",
        _ => "the common dtype of the operands",
    };
    Item::new(
        "numpy.ndarray or NumPy scalar",
        format!(
            "Dtype: {dtype}. `out` if it is given; else a new array in the axis order of the operands, or a scalar for \
             rank 0."
        ),
    )
}

fn errors(op: Op) -> [Item; 3] {
    let mut values = String::from("Shapes that do not broadcast, an unknown option, or a read-only `out`.");
    if op.info().conditions.contains(&"negative_exponent") {
        values += " A negative exponent of integers; `out` is written.";
    }
    [
        Item::new("TypeError", "An unsupported dtype, or a wrong number of arguments."),
        Item::new("ValueError", values),
        Item::new("OverflowError", "A Python integer that its integer dtype cannot hold."),
    ]
}

fn warnings(op: Op) -> Item {
    let mut text = String::from(
        "A Python number past the range of its float dtype becomes infinite, and is reported as \
         numpy.errstate(over=...) says.",
    );
    if op.info().conditions.contains(&"zero_division") {
        text += " Integer division by zero gives 0, and is reported as numpy.errstate(divide=...) says.";
    }
    Item::new("RuntimeWarning", text)
}
