//! [`Constant`]: a typed scalar.

use half::{bf16, f16};

use crate::dtype::DType;

/// A scalar of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constant {
    /// The dtype.
    pub dtype: DType,
    /// The bits of the element, in the low bytes. Byte 0 of the element in little-endian order is the
    /// lowest byte.
    pub bits: u128,
}

impl Constant {
    /// The number, rounded to nearest if it is an integer beyond 2^53; 1 for true. `None` for opaque elements.
    pub fn to_f64(self) -> Option<f64> {
        let bits = self.bits as u64;
        Some(match self.dtype {
            DType::Bool | DType::U8 | DType::U16 | DType::U32 | DType::U64 => bits as f64,
            DType::I8 => f64::from(bits as i8),
            DType::I16 => f64::from(bits as i16),
            DType::I32 => f64::from(bits as i32),
            DType::I64 => bits as i64 as f64,
            DType::F16 => f16::from_bits(bits as u16).to_f64(),
            DType::BF16 => bf16::from_bits(bits as u16).to_f64(),
            DType::F32 => f64::from(f32::from_bits(bits as u32)),
            DType::F64 => f64::from_bits(bits),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_have_the_numbers_of_their_bits() {
        let number = |dtype, bits| Constant { dtype, bits }.to_f64();
        let expected: [(DType, u128, f64); 16] = [
            (DType::Bool, 1, 1.0),
            (DType::U64, u128::from(u64::MAX), 2f64.powi(64)),
            (DType::I8, 0xff, -1.0),
            (DType::I16, 0x8000, -32768.0),
            (DType::I32, 0xffff_fffe, -2.0),
            (DType::I64, 1 << 63, -(2f64.powi(63))),
            (DType::F16, 0x3c00, 1.0),
            (DType::F16, 0xc200, -3.0),
            (DType::F16, 0x0001, 2f64.powi(-24)),
            (DType::F16, 0x83ff, -1023.0 * 2f64.powi(-24)),
            (DType::F16, 0x7bff, 65504.0),
            (DType::F16, 0xfc00, f64::NEG_INFINITY),
            (DType::BF16, 0xbf00, -0.5),
            (DType::F32, 0x4040_0000, 3.0),
            (DType::F32, 0x0000_0001, 2f64.powi(-149)),
            (DType::F64, 0x4008_0000_0000_0000, 3.0),
        ];
        for (dtype, bits, x) in expected {
            assert_eq!(number(dtype, bits), Some(x), "{dtype} {bits:#x}");
        }
        assert!(number(DType::F16, 0x7e00).is_some_and(f64::is_nan));
        assert!(number(DType::F16, 0x8000).is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
        assert_eq!(number(DType::Opaque16, 0), None);
    }
}
