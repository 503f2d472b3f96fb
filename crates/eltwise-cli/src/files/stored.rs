//! How a file stores elements that the engine has no dtype for, or has in another byte order, and how they are read.
//!
//! The main type is [`Stored`].

use eltwise::DType;
use safetensors::tensor::Dtype;

/// How a file stores the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// As in memory.
    Native,
    /// With the bytes of each element reversed.
    BigEndian,
    /// As a dtype of `.safetensors` that the engine only moves: results that are moved from there have it too.
    Named(Dtype),
    /// As an 8-bit float, which is cast to `f32` on reading: every value of these dtypes is one of `f32`.
    Float8(Dtype),
}

/// An array in a file: dtype, shape and strides, the byte where element `[0, 0, ...]` is, and how elements are stored.
pub(crate) type Found = (eltwise::Layout, usize, Stored);

impl Stored {
    /// The name of a dtype that the engine only moves.
    pub(crate) fn name(self) -> Option<Dtype> {
        match self {
            Stored::Named(name) => Some(name),
            _ => None,
        }
    }

    /// The same elements cast to `f32` on reading, where they are 8-bit floats.
    pub(crate) fn as_f32(self) -> Option<Stored> {
        self.name().filter(|&name| is_float8(name)).map(Stored::Float8)
    }

    /// Where in a file, and where in `bytes`, elements of `dtype` are to be read that are to become `bytes`, from byte `at` on: at the end of
    /// `bytes` those that are shorter in the file.
    pub(crate) fn place(self, dtype: DType, at: u64, bytes: usize) -> (u64, std::ops::Range<usize>) {
        let narrow = if matches!(self, Stored::Float8(_)) { dtype.size() } else { 1 };
        (at / narrow as u64, bytes - bytes / narrow..bytes)
    }

    /// Makes elements of `dtype` of what was read to its [place](Stored::place).
    pub(crate) fn decode(self, dtype: DType, bytes: &mut [u8]) {
        match self {
            Stored::Native | Stored::Named(_) => {}
            Stored::BigEndian => bytes.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse),
            Stored::Float8(kind) => {
                let count = bytes.len() / size_of::<f32>();
                // Element i is read from behind the place that it is written to, up to the last.
                for (i, at) in (bytes.len() - count..bytes.len()).enumerate() {
                    let value = float8(kind, bytes[at]);
                    bytes[i * size_of::<f32>()..][..size_of::<f32>()].copy_from_slice(&value.to_le_bytes());
                }
            }
        }
    }
}

/// Whether a dtype is one of the 8-bit floats.
fn is_float8(dtype: Dtype) -> bool {
    use Dtype::{F8_E4M3, F8_E4M3FNUZ, F8_E5M2, F8_E5M2FNUZ, F8_E8M0};
    matches!(dtype, F8_E4M3 | F8_E5M2 | F8_E8M0 | F8_E4M3FNUZ | F8_E5M2FNUZ)
}

/// The value of an 8-bit float. (Micikevicius et al., "FP8 Formats for Deep Learning", 2022; for FNUZ: Noune et al., "8-bit Numerical Formats
/// for Deep Neural Networks", 2022; E8M0: OCP Microscaling Formats.)
fn float8(kind: Dtype, byte: u8) -> f32 {
    let magnitude = byte & 0x7f;
    let (fraction_bits, bias, special) = match kind {
        // A power of two alone.
        Dtype::F8_E8M0 => return if byte == 0xff { f32::NAN } else { 2f32.powi(i32::from(byte) - 127) },
        Dtype::F8_E4M3 => (3, 7, (magnitude == 0x7f).then_some(f32::NAN)),
        Dtype::F8_E4M3FNUZ => (3, 8, (byte == 0x80).then_some(f32::NAN)),
        Dtype::F8_E5M2FNUZ => (2, 16, (byte == 0x80).then_some(f32::NAN)),
        _ if magnitude == 0x7c => (2, 15, Some(f32::INFINITY)),
        _ => (2, 15, (magnitude > 0x7c).then_some(f32::NAN)),
    };
    let (exponent, fraction) = (i32::from(magnitude >> fraction_bits), magnitude & ((1 << fraction_bits) - 1));
    // Numbers but subnormal ones have a bit above their fraction.
    let significand = if exponent == 0 { fraction } else { fraction | 1 << fraction_bits };
    let value = f32::from(significand) * 2f32.powi(exponent.max(1) - bias - fraction_bits);
    special.unwrap_or(value).copysign(if byte < 0x80 { 1.0 } else { -1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_floats_have_their_values() {
        use Dtype::{F8_E4M3, F8_E4M3FNUZ, F8_E5M2, F8_E5M2FNUZ, F8_E8M0};
        for (kind, byte, expected) in [
            (F8_E4M3, 0x38, 1.0),
            (F8_E4M3, 0xb8, -1.0),
            (F8_E4M3, 0x7e, 448.0),
            (F8_E4M3, 0x01, 2f32.powi(-9)),
            (F8_E4M3, 0x08, 2f32.powi(-6)),
            (F8_E5M2, 0x3c, 1.0),
            (F8_E5M2, 0x7b, 57344.0),
            (F8_E5M2, 0x01, 2f32.powi(-16)),
            (F8_E5M2, 0xfc, f32::NEG_INFINITY),
            (F8_E4M3FNUZ, 0x40, 1.0),
            (F8_E4M3FNUZ, 0x7f, 240.0),
            (F8_E5M2FNUZ, 0x40, 1.0),
            (F8_E5M2FNUZ, 0x7f, 57344.0),
            (F8_E8M0, 0x7f, 1.0),
            (F8_E8M0, 0x00, 2f32.powi(-127)),
            (F8_E8M0, 0xfe, 2f32.powi(127)),
        ] {
            assert_eq!(float8(kind, byte), expected, "{kind} {byte:#x}");
        }
        assert!(float8(F8_E4M3, 0x80).is_sign_negative() && float8(F8_E4M3, 0x80) == 0.0);
        for (kind, nans) in [
            (F8_E4M3, &[0x7f, 0xff][..]),
            (F8_E5M2, &[0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]),
            (F8_E4M3FNUZ, &[0x80]),
            (F8_E5M2FNUZ, &[0x80]),
            (F8_E8M0, &[0xff]),
        ] {
            let found: Vec<u8> = (0..=u8::MAX).filter(|&byte| float8(kind, byte).is_nan()).collect();
            assert_eq!(found, nans, "{kind}");
        }
    }

    #[test]
    fn elements_are_decoded_in_place() {
        let mut bytes = [0, 1, 2, 3, 4, 5, 6, 7];
        Stored::BigEndian.decode(DType::F32, &mut bytes);
        assert_eq!(bytes, [3, 2, 1, 0, 7, 6, 5, 4]);
        assert_eq!(Stored::BigEndian.place(DType::F32, 40, 8), (40, 0..8));
        let float8 = Stored::Named(Dtype::F8_E4M3).as_f32().unwrap();
        let (at, range) = float8.place(DType::F32, 40, 12);
        assert_eq!((at, range.clone()), (10, 9..12));
        let mut bytes = [0; 12];
        bytes[range].copy_from_slice(&[0x38, 0x40, 0xb8]);
        float8.decode(DType::F32, &mut bytes);
        assert_eq!(
            bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect::<Vec<_>>(),
            [1.0, 2.0, -1.0]
        );
        assert_eq!(Stored::Named(Dtype::C64).as_f32(), None);
    }
}
