//! Operands: the value of `NAME=VALUE` is an array in a file, a scalar, or (for `plan`) a layout without data. The main
//! type is [`Operand`]; [`open`] parses and opens the operands of an expression.

use eltwise::{DType, Layout, Shape, Strides};
use safetensors::tensor::Dtype;

use crate::error::{CliError, Result, engine};
use crate::files::{ArrayLocation, FileArray};
use crate::option_values::Binding;
use crate::scalar;

/// An operand of an expression.
pub(crate) enum Operand {
    /// An array in a file.
    File(FileArray),
    /// One element.
    Scalar(Layout, Vec<u8>),
    /// A layout without data.
    Layout(Layout),
}

impl Operand {
    pub(crate) fn layout(&self) -> &Layout {
        match self {
            Operand::File(array) => &array.layout,
            Operand::Scalar(layout, _) | Operand::Layout(layout) => layout,
        }
    }

    /// The file's dtype, if its elements are opaque to the engine.
    pub(crate) fn opaque_dtype(&self) -> Option<Dtype> {
        match self {
            Operand::File(array) => array.encoding().opaque_dtype(),
            _ => None,
        }
    }

    /// Makes reads convert 8-bit floats to `f32`.
    pub(crate) fn read_as_f32(&mut self) -> Result<()> {
        match self {
            Operand::File(array) => array.read_as_f32(),
            _ => Ok(()),
        }
    }

    /// Reads elements into `bytes`, starting at byte `at` of the array.
    ///
    /// # Errors
    /// I/O errors, and an operand that is a layout.
    pub(crate) fn read(&self, bytes: &mut [u8], at: u64) -> Result<()> {
        match self {
            Operand::File(array) => array.read(bytes, at),
            Operand::Scalar(_, element) => {
                bytes.copy_from_slice(element);
                Ok(())
            }
            Operand::Layout(layout) => Err(CliError::Argument(format!("{layout} is a layout without elements"))),
        }
    }
}

/// The kinds of operands that a subcommand accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OperandKinds {
    /// Files and scalars.
    Data,
    /// Files, scalars and layouts.
    DataOrLayout,
}

/// Opens one operand for each name, in the order of `names`.
///
/// # Errors
/// A missing, unknown or repeated name; a value that does not parse; a file that cannot be opened.
pub(crate) fn open(names: &[&str], given: &[Binding], allowed: OperandKinds) -> Result<Vec<Operand>> {
    let list = || if names.is_empty() { "no names".to_string() } else { names.join(", ") };
    for (i, b) in given.iter().enumerate() {
        if !names.contains(&&b.name[..]) {
            return Err(CliError::Argument(format!("{} is not in the expression, which has {}", b.name, list())));
        }
        if given[..i].iter().any(|other| other.name == b.name) {
            return Err(CliError::Argument(format!("{} is given twice", b.name)));
        }
    }
    let open = |name: &&str| match given.iter().find(|b| b.name == *name) {
        Some(b) => value(b, allowed),
        None => {
            let example = if allowed == OperandKinds::Data { "FILE.npy" } else { "f32[8,64]" };
            Err(CliError::Argument(format!("{name} has no value; add {name}={example}")))
        }
    };
    names.iter().map(open).collect()
}

fn value(binding: &Binding, allowed: OperandKinds) -> Result<Operand> {
    let Binding { name, value } = binding;
    let wrong = |why: String| CliError::Argument(format!("{name}={value}: {why}"));
    if let Some((dtype, number)) = value.split_once(':').and_then(|(d, n)| Some((d.parse::<DType>().ok()?, n)))
        && !number.starts_with("strides[")
    {
        let layout = Layout::contiguous(dtype, Shape::scalar())?;
        return scalar::bytes(dtype, number).map(|bytes| Operand::Scalar(layout, bytes)).map_err(wrong);
    }
    if let Some(layout) = layout(value).map_err(wrong)? {
        return match allowed {
            OperandKinds::DataOrLayout => Ok(Operand::Layout(layout)),
            OperandKinds::Data => Err(wrong("is a layout without elements; expected a file".into())),
        };
    }
    if value.parse::<f64>().is_ok() || matches!(&value[..], "true" | "false") {
        let why = format!("a scalar needs a dtype: write {name}=f32:{value}, or {value} in the expression");
        return Err(wrong(why));
    }
    let place = ArrayLocation::parse(value).map_err(|why| wrong(unknown_dtype(value).unwrap_or(why)))?;
    place.open().map(Operand::File)
}

/// The error for a misspelt dtype in a layout or scalar, such as `f31[3]` or `f33:1`; `None` for text of a different form,
/// such as `x.png`.
fn unknown_dtype(text: &str) -> Option<String> {
    /// Lengths of words that may be a misspelt dtype. A single letter is more likely a drive, as in `c:/x`.
    const LENGTHS: std::ops::RangeInclusive<usize> = 2..=16;
    let word = &text[..text.find(['[', ':'])?];
    let is_word = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (is_word && LENGTHS.contains(&word.len())).then(|| word.parse::<DType>().err().map(|e| e.to_string())).flatten()
}

/// Parses `f32`, `f32[8,64]` or `f32[8,64]:strides[256,4]`; `None` if the text does not begin with a dtype.
fn layout(text: &str) -> std::result::Result<Option<Layout>, String> {
    let end = text.find(['[', ':']).unwrap_or(text.len());
    let Ok(dtype) = text[..end].parse::<DType>() else {
        return Ok(None);
    };
    let rest = &text[end..];
    let (dims, strides) = match rest.split_once(":strides") {
        Some((dims, strides)) => (dims, Some(strides)),
        None => (rest, None),
    };
    let shape: Shape = if dims.is_empty() { Shape::scalar() } else { list(dims, "shape")?.into_iter().collect() };
    let layout = match strides {
        None => Layout::contiguous(dtype, shape),
        Some(s) => Layout::strided(dtype, shape, list(s, "strides")?.into_iter().collect::<Strides>()),
    };
    layout.map(Some).map_err(|e| engine(&e))
}

fn list<T: std::str::FromStr>(text: &str, what: &str) -> std::result::Result<Vec<T>, String> {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let inner = inner.ok_or_else(|| format!("the {what} {text:?} is not of the form [2,3]"))?.trim();
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    let number = |t: &str| t.trim().parse().map_err(|_| format!("{:?} in the {what} is not a number", t.trim()));
    inner.split(',').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &str, value: &str, allowed: OperandKinds) -> String {
        match open(&["x"], &[Binding { name: name.into(), value: value.into() }], allowed) {
            Err(e) => e.to_string(),
            Ok(_) => "no error".into(),
        }
    }

    #[test]
    fn layouts_parse() {
        let l = |s: &str| layout(s).map(|l| l.map(|l| l.to_string()));
        assert_eq!(l("f32[8,64,56,56]").unwrap().unwrap(), "f32[8, 64, 56, 56]");
        assert_eq!(l("u8").unwrap().unwrap(), "u8[]");
        assert_eq!(l("float32[]").unwrap().unwrap(), "f32[]");
        assert_eq!(l("f32[4, 5]:strides[4,-16]").unwrap().unwrap(), "f32[4, 5] strides [4, -16]");
        assert_eq!(l("x.npy").unwrap(), None);
        assert_eq!(l("f32.npy").unwrap(), None);
        assert!(l("f32[4").unwrap_err().contains("not of the form"));
        assert!(l("f32[4,-5]").unwrap_err().contains("\"-5\" in the shape is not a number"));
        assert!(l("f32[4]:strides[1,2]").unwrap_err().contains("rank 1"));
        let huge = "shape [4294967296, 4294967296] is larger than the address space, whatever the dtype";
        for text in ["f32[4294967296,4294967296]", "f32[4294967296,4294967296]:strides[0,4]"] {
            assert_eq!(l(text).unwrap_err(), huge);
        }
        let bytes = l("f32[2305843009213693952]").unwrap_err();
        assert!(bytes.contains("elements of 4 bytes"), "{bytes}");
    }

    #[test]
    fn wrong_operands_are_named() {
        assert_eq!(error("y", "a.npy", OperandKinds::Data), "y is not in the expression, which has x");
        assert!(error("x", "0.5", OperandKinds::Data).contains("x=f32:0.5"));
        assert!(error("x", "f32[2]", OperandKinds::Data).contains("layout without elements"));
        assert_eq!(error("x", "f32[2]", OperandKinds::DataOrLayout), "no error");
        assert!(error("x", "missing.npy", OperandKinds::DataOrLayout).contains("no such file"));
        assert_eq!(
            error("x", "a.png", OperandKinds::Data),
            "x=a.png: unknown file type: expected .npy or .safetensors"
        );
    }

    #[test]
    fn unknown_dtypes_are_named() {
        for (value, word) in [("f31[3]", "f31"), ("f33:1", "f33"), ("floot32:1", "floot32"), ("F32[2]", "F32")] {
            let expected = format!("x={value}: unknown dtype {word:?}; expected one of bool ");
            for allowed in [OperandKinds::Data, OperandKinds::DataOrLayout] {
                assert!(error("x", value, allowed).starts_with(&expected), "{}", error("x", value, allowed));
            }
        }
        for file in ["c:/x.png", "dir/x[1].png", "f31", "m.safetensors:", "größe:1", "[3]"] {
            assert!(!error("x", file, OperandKinds::Data).contains("dtype \""), "{file}");
        }
    }
}
