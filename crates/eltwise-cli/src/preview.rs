//! Previews: [`format`] writes the first elements of a result as text, such as `[0.5, 1, -3, ...]`.

use eltwise::{DType, Layout};
use half::{bf16, f16};

/// The largest number of elements in a preview.
const MAX_SHOWN: usize = 12;

/// The number of elements in the preview of an array.
pub(crate) fn len(layout: &Layout) -> usize {
    layout.shape().elements().unwrap_or(0).min(MAX_SHOWN)
}

/// Formats the first elements of an array in C order, given as `bytes`. The preview ends in `...` if the array has more
/// elements. A scalar has no brackets.
pub(crate) fn format(layout: &Layout, bytes: &[u8]) -> String {
    let list: Vec<String> =
        bytes.chunks_exact(layout.dtype().size()).map(|b| element_text(layout.dtype(), b)).collect();
    let is_cut = layout.shape().elements().is_ok_and(|n| n > list.len());
    let list = list.join(", ");
    match layout.shape().rank() {
        0 => list,
        _ if is_cut => format!("[{list}, ...]"),
        _ => format!("[{list}]"),
    }
}

/// The text of one element.
fn element_text(dtype: DType, bytes: &[u8]) -> String {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
    }
    match dtype {
        DType::Bool => (bytes.iter().any(|&b| b != 0)).to_string(),
        DType::I8 => i8::from_le_bytes(array(bytes)).to_string(),
        DType::I16 => i16::from_le_bytes(array(bytes)).to_string(),
        DType::I32 => i32::from_le_bytes(array(bytes)).to_string(),
        DType::I64 => i64::from_le_bytes(array(bytes)).to_string(),
        DType::U8 => u8::from_le_bytes(array(bytes)).to_string(),
        DType::U16 => u16::from_le_bytes(array(bytes)).to_string(),
        DType::U32 => u32::from_le_bytes(array(bytes)).to_string(),
        DType::U64 => u64::from_le_bytes(array(bytes)).to_string(),
        DType::F16 => f16::from_le_bytes(array(bytes)).to_string(),
        DType::BF16 => bf16::from_le_bytes(array(bytes)).to_string(),
        DType::F32 => {
            let v = f32::from_le_bytes(array(bytes));
            if needs_exponent(f64::from(v)) { format!("{v:e}") } else { v.to_string() }
        }
        DType::F64 => {
            let v = f64::from_le_bytes(array(bytes));
            if needs_exponent(v) { format!("{v:e}") } else { v.to_string() }
        }
        _ => bytes.iter().fold("0x".to_string(), |text, b| format!("{text}{b:02x}")),
    }
}

/// Whether `value` is printed with an exponent, because it has many zeros otherwise.
fn needs_exponent(value: f64) -> bool {
    value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_have_brackets_and_an_ellipsis() {
        let of = |dtype, shape: &[usize]| Layout::contiguous(dtype, shape).unwrap();
        assert_eq!(format(&of(DType::U8, &[2, 3]), &[0, 1, 2, 3, 4, 5]), "[0, 1, 2, 3, 4, 5]");
        let long = of(DType::U8, &[100]);
        assert_eq!(format(&long, &vec![7; len(&long)]), format!("[{}...]", "7, ".repeat(MAX_SHOWN)));
        assert_eq!(format(&of(DType::U8, &[0, 3]), &[]), "[]");
        assert_eq!(format(&of(DType::I16, &[]), &[0xff, 0xff]), "-1");
    }

    #[test]
    fn every_dtype_has_a_text() {
        assert_eq!(element_text(DType::Bool, &[9]), "true");
        assert_eq!(element_text(DType::F32, &0.1f32.to_le_bytes()), "0.1");
        assert_eq!(element_text(DType::F64, &1e300f64.to_le_bytes()), "1e300");
        assert_eq!(element_text(DType::F32, &1e-7f32.to_le_bytes()), "1e-7");
        assert_eq!(element_text(DType::F64, &f64::NAN.to_le_bytes()), "NaN");
        assert_eq!(element_text(DType::F16, &0x3e00u16.to_le_bytes()), "1.5");
        assert_eq!(element_text(DType::BF16, &0xbf80u16.to_le_bytes()), "-1");
        assert_eq!(element_text(DType::Opaque4, &[1, 2, 0xab, 0]), "0x0102ab00");
    }
}
