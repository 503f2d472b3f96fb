//! The value of `NAME=VALUE`: an array in a file, a scalar, or (for `plan`) a layout without data.

use eltwise::{DType, Layout, Shape, Strides};
use safetensors::tensor::Dtype;

use crate::args::Binding;
use crate::error::{CliError, Result, engine};
use crate::files::{Array, Place};
use crate::scalar;

/// A value of an operand.
pub(crate) enum Operand {
    /// Elements in a file.
    File(Array),
    /// One element.
    Scalar(Layout, Vec<u8>),
    /// Dtype, shape and strides only.
    Layout(Layout),
}

impl Operand {
    /// Dtype, shape and strides.
    pub(crate) fn layout(&self) -> &Layout {
        match self {
            Operand::File(array) => &array.layout,
            Operand::Scalar(layout, _) | Operand::Layout(layout) => layout,
        }
    }

    /// The name of a dtype that the engine only moves.
    pub(crate) fn moved(&self) -> Option<Dtype> {
        match self {
            Operand::File(array) => array.stored().name(),
            _ => None,
        }
    }

    /// Casts 8-bit floats to `f32` on reading.
    pub(crate) fn read_as_f32(&mut self) -> Result<()> {
        match self {
            Operand::File(array) => array.read_as_f32(),
            _ => Ok(()),
        }
    }

    /// Fills `bytes` from byte `at` of the elements on; a layout has none.
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

/// Which values a subcommand takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    /// Files and scalars.
    Data,
    /// Layouts too.
    Layouts,
}

/// Opens the operand of each name, in the order of `names`.
pub(crate) fn open(names: &[&str], given: &[Binding], takes: Takes) -> Result<Vec<Operand>> {
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
        Some(b) => value(b, takes),
        None => {
            let example = if takes == Takes::Data { "FILE.npy" } else { "f32[8,64]" };
            Err(CliError::Argument(format!("{name} has no value; add {name}={example}")))
        }
    };
    names.iter().map(open).collect()
}

fn value(binding: &Binding, takes: Takes) -> Result<Operand> {
    let Binding { name, value } = binding;
    let wrong = |why: String| CliError::Argument(format!("{name}={value}: {why}"));
    if let Some((dtype, number)) = value.split_once(':').and_then(|(d, n)| Some((d.parse::<DType>().ok()?, n)))
        && !number.starts_with("strides[")
    {
        let layout = Layout::contiguous(dtype, Shape::scalar())?;
        return scalar::bytes(dtype, number).map(|bytes| Operand::Scalar(layout, bytes)).map_err(wrong);
    }
    if let Some(layout) = layout(value).map_err(wrong)? {
        return match takes {
            Takes::Layouts => Ok(Operand::Layout(layout)),
            Takes::Data => Err(wrong("is a layout without elements; expected a file".into())),
        };
    }
    if value.parse::<f64>().is_ok() || matches!(&value[..], "true" | "false") {
        let why = format!("a scalar needs its dtype: {name}=f32:{value}, or stands in the expression as {value}");
        return Err(wrong(why));
    }
    let place = Place::parse(value).map_err(|why| wrong(unknown_dtype(value).unwrap_or(why)))?;
    place.open().map(Operand::File)
}

/// What is wrong with `f31[3]` or `f33:1`, which look like a layout or a scalar; nothing looks so in `x.png`.
fn unknown_dtype(text: &str) -> Option<String> {
    /// Longer words, and shorter ones such as the drive of `c:/x`, are no misspelt dtypes.
    const LENGTHS: std::ops::RangeInclusive<usize> = 2..=16;
    let word = &text[..text.find(['[', ':'])?];
    let is_word = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (is_word && LENGTHS.contains(&word.len())).then(|| word.parse::<DType>().err().map(|e| e.to_string())).flatten()
}

/// Reads `f32`, `f32[8,64]` or `f32[8,64]:strides[256,4]`; `None` when the text does not begin with a dtype.
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

    fn error(name: &str, value: &str, takes: Takes) -> String {
        match open(&["x"], &[Binding { name: name.into(), value: value.into() }], takes) {
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
        assert_eq!(error("y", "a.npy", Takes::Data), "y is not in the expression, which has x");
        assert!(error("x", "0.5", Takes::Data).contains("x=f32:0.5"));
        assert!(error("x", "f32[2]", Takes::Data).contains("layout without elements"));
        assert_eq!(error("x", "f32[2]", Takes::Layouts), "no error");
        assert!(error("x", "missing.npy", Takes::Layouts).contains("no such file"));
        assert_eq!(error("x", "a.png", Takes::Data), "x=a.png: unknown file type: expected .npy or .safetensors");
    }

    #[test]
    fn unknown_dtypes_are_named() {
        for (value, word) in [("f31[3]", "f31"), ("f33:1", "f33"), ("floot32:1", "floot32"), ("F32[2]", "F32")] {
            let expected = format!("x={value}: unknown dtype {word:?}; expected one of bool ");
            for takes in [Takes::Data, Takes::Layouts] {
                assert!(error("x", value, takes).starts_with(&expected), "{}", error("x", value, takes));
            }
        }
        for file in ["c:/x.png", "dir/x[1].png", "f31", "m.safetensors:", "größe:1", "[3]"] {
            assert!(!error("x", file, Takes::Data).contains("dtype \""), "{file}");
        }
    }
}
