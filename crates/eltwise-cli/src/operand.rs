//! The value of `NAME=VALUE`: an array in a file, a scalar, or (for `plan`) a layout without data.

use eltwise::{DType, Layout, Shape, Strides, View};

use crate::args::Binding;
use crate::error::{CliError, Result};
use crate::files::map::Pages;
use crate::files::{Array, Place};

/// A value of an operand.
pub(crate) enum Operand {
    /// Elements in a mapped file.
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

    /// The memory of a mapped file.
    pub(crate) fn pages(&self) -> Option<Pages<'_>> {
        match self {
            Operand::File(array) => Some(array.pages()),
            Operand::Scalar(..) | Operand::Layout(_) => None,
        }
    }

    /// The elements; a layout has none.
    pub(crate) fn view(&self) -> Result<View<'_>> {
        match self {
            Operand::File(array) => array.view(),
            Operand::Scalar(layout, bytes) => Ok(View::from_bytes(bytes, layout.clone(), 0)?),
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
        return scalar(dtype, number).map(|bytes| Operand::Scalar(layout, bytes)).map_err(wrong);
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
    Place::parse(value)?.open().map(Operand::File)
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
    layout.map(Some).map_err(|e| e.to_string())
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

/// The bytes of one element.
fn scalar(dtype: DType, text: &str) -> std::result::Result<Vec<u8>, String> {
    let misfit = || format!("{text} does not fit {dtype}");
    fn int<T: std::str::FromStr>(text: &str) -> Option<T> {
        text.parse().ok()
    }
    let bytes = match dtype {
        DType::Bool => match text {
            "true" | "1" => Some(vec![1]),
            "false" | "0" => Some(vec![0]),
            _ => None,
        },
        DType::I8 => int::<i8>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::I16 => int::<i16>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::I32 => int::<i32>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::I64 => int::<i64>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::U8 => int::<u8>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::U16 => int::<u16>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::U32 => int::<u32>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::U64 => int::<u64>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::F32 => int::<f32>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::F64 => int::<f64>(text).map(|v| v.to_le_bytes().to_vec()),
        DType::F16 | DType::BF16 => match int::<f64>(text) {
            Some(v) => Some(narrow(v, dtype).map_err(|e| e.to_string())?),
            None => None,
        },
        _ => None,
    };
    bytes.ok_or_else(misfit)
}

/// An f64 rounded to f16 or bf16 by the engine's own cast.
fn narrow(value: f64, dtype: DType) -> std::result::Result<Vec<u8>, eltwise::Error> {
    use eltwise::{Broadcast, Op, Program, ViewMut};
    let (from, to) = (Layout::contiguous(DType::F64, [])?, Layout::contiguous(dtype, [])?);
    let plan = Program::single(Op::Cast, &[DType::F64], Some(dtype), Broadcast::Numpy)?.bind(&[&from])?;
    let (input, mut output) = (value.to_le_bytes(), vec![0; dtype.size()]);
    // A cast meets no data condition.
    let _ = plan.run(&[View::from_bytes(&input, from, 0)?], &mut [ViewMut::from_bytes(&mut output, to, 0)?])?;
    Ok(output)
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
        assert!(l("f32[4294967296,4294967296]").unwrap_err().contains("address space"));
    }

    #[test]
    fn scalars_fit_their_dtype() {
        assert_eq!(scalar(DType::U8, "255").unwrap(), [255]);
        assert_eq!(scalar(DType::U8, "256").unwrap_err(), "256 does not fit u8");
        assert_eq!(scalar(DType::I64, "-9223372036854775808").unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(scalar(DType::F32, "-0.0").unwrap(), (-0.0f32).to_le_bytes());
        assert_eq!(scalar(DType::F16, "1.5").unwrap(), 0x3e00u16.to_le_bytes());
        assert_eq!(scalar(DType::BF16, "inf").unwrap(), 0x7f80u16.to_le_bytes());
        assert!(scalar(DType::Opaque4, "1").is_err() && scalar(DType::Bool, "2").is_err());
    }

    #[test]
    fn wrong_operands_are_named() {
        assert_eq!(error("y", "a.npy", Takes::Data), "y is not in the expression, which has x");
        assert!(error("x", "0.5", Takes::Data).contains("x=f32:0.5"));
        assert!(error("x", "f32[2]", Takes::Data).contains("layout without elements"));
        assert_eq!(error("x", "f32[2]", Takes::Layouts), "no error");
        assert!(error("x", "missing.npy", Takes::Layouts).contains("no such file"));
    }
}
