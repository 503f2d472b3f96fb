//! The first elements of a result as text.

use eltwise::{DType, Layout};
use half::{bf16, f16};

/// Elements printed.
const MOST: usize = 12;

/// `[0.5, 1, -3, ...]`: the first elements in C order, `...` when there are more. A scalar has no brackets.
pub(crate) fn first(layout: &Layout, bytes: &[u8]) -> String {
    let elements = layout.shape().elements().unwrap_or(0);
    let list: Vec<String> = (0..elements.min(MOST)).map(|i| element(layout, bytes, i)).collect();
    let list = list.join(", ");
    match layout.shape().rank() {
        0 => list,
        _ if elements > MOST => format!("[{list}, ...]"),
        _ => format!("[{list}]"),
    }
}

/// The element with this position in C order. Strides are not negative: the engine chose them.
fn element(layout: &Layout, bytes: &[u8], mut position: usize) -> String {
    let mut offset = 0;
    for (&d, &s) in layout.shape().iter().zip(layout.strides().iter()).rev() {
        offset += (position % d) * s.unsigned_abs();
        position /= d;
    }
    let size = layout.dtype().size();
    match bytes.get(offset..offset + size) {
        Some(b) => text(layout.dtype(), b),
        None => "?".into(),
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
    fn elements_go_in_c_order_whatever_the_strides() {
        let f = Layout::strided(DType::U8, [2, 3], [1, 2]).unwrap();
        assert_eq!(first(&f, &[0, 3, 1, 4, 2, 5]), "[0, 1, 2, 3, 4, 5]");
        let long = Layout::contiguous(DType::U8, [100]).unwrap();
        assert_eq!(first(&long, &[7; 100]), format!("[{}...]", "7, ".repeat(MOST)));
        assert_eq!(first(&Layout::contiguous(DType::U8, [0, 3]).unwrap(), &[]), "[]");
        assert_eq!(first(&Layout::contiguous(DType::I16, []).unwrap(), &[0xff, 0xff]), "-1");
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
