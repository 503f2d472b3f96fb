//! The first elements of a result as text.

use eltwise::{DType, Layout};
use half::{bf16, f16};

/// Elements printed.
const MOST: usize = 12;

/// How many elements of an array are printed.
pub(crate) fn shown(layout: &Layout) -> usize {
    layout.shape().elements().unwrap_or(0).min(MOST)
}

/// `[0.5, 1, -3, ...]`: the elements of `bytes`, which are the first ones of an array in C order, and `...` when it has
/// more. A scalar has no brackets.
pub(crate) fn first(layout: &Layout, bytes: &[u8]) -> String {
    let list: Vec<String> = bytes.chunks_exact(layout.dtype().size()).map(|b| text(layout.dtype(), b)).collect();
    let more = layout.shape().elements().is_ok_and(|n| n > list.len());
    let list = list.join(", ");
    match layout.shape().rank() {
        0 => list,
        _ if more => format!("[{list}, ...]"),
        _ => format!("[{list}]"),
    }
}

/// One element; `bytes` has its size.
fn text(dtype: DType, bytes: &[u8]) -> String {
    fn of<const N: usize>(bytes: &[u8]) -> [u8; N] {
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
    }
    match dtype {
        DType::Bool => (bytes.iter().any(|&b| b != 0)).to_string(),
        DType::I8 => i8::from_le_bytes(of(bytes)).to_string(),
        DType::I16 => i16::from_le_bytes(of(bytes)).to_string(),
        DType::I32 => i32::from_le_bytes(of(bytes)).to_string(),
        DType::I64 => i64::from_le_bytes(of(bytes)).to_string(),
        DType::U8 => u8::from_le_bytes(of(bytes)).to_string(),
        DType::U16 => u16::from_le_bytes(of(bytes)).to_string(),
        DType::U32 => u32::from_le_bytes(of(bytes)).to_string(),
        DType::U64 => u64::from_le_bytes(of(bytes)).to_string(),
        DType::F16 => f16::from_le_bytes(of(bytes)).to_string(),
        DType::BF16 => bf16::from_le_bytes(of(bytes)).to_string(),
        DType::F32 => {
            let v = f32::from_le_bytes(of(bytes));
            if is_long(f64::from(v)) { format!("{v:e}") } else { v.to_string() }
        }
        DType::F64 => {
            let v = f64::from_le_bytes(of(bytes));
            if is_long(v) { format!("{v:e}") } else { v.to_string() }
        }
        _ => bytes.iter().fold("0x".to_string(), |text, b| format!("{text}{b:02x}")),
    }
}

/// Whether a number without an exponent would be a long row of zeros.
fn is_long(value: f64) -> bool {
    value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_elements_have_brackets_and_dots() {
        let of = |dtype, shape: &[usize]| Layout::contiguous(dtype, shape).unwrap();
        assert_eq!(first(&of(DType::U8, &[2, 3]), &[0, 1, 2, 3, 4, 5]), "[0, 1, 2, 3, 4, 5]");
        let long = of(DType::U8, &[100]);
        assert_eq!(first(&long, &vec![7; shown(&long)]), format!("[{}...]", "7, ".repeat(MOST)));
        assert_eq!(first(&of(DType::U8, &[0, 3]), &[]), "[]");
        assert_eq!(first(&of(DType::I16, &[]), &[0xff, 0xff]), "-1");
    }

    #[test]
    fn every_dtype_has_a_text() {
        assert_eq!(text(DType::Bool, &[9]), "true");
        assert_eq!(text(DType::F32, &0.1f32.to_le_bytes()), "0.1");
        assert_eq!(text(DType::F64, &1e300f64.to_le_bytes()), "1e300");
        assert_eq!(text(DType::F32, &1e-7f32.to_le_bytes()), "1e-7");
        assert_eq!(text(DType::F64, &f64::NAN.to_le_bytes()), "NaN");
        assert_eq!(text(DType::F16, &0x3e00u16.to_le_bytes()), "1.5");
        assert_eq!(text(DType::BF16, &0xbf80u16.to_le_bytes()), "-1");
        assert_eq!(text(DType::Opaque4, &[1, 2, 0xab, 0]), "0x0102ab00");
    }
}
