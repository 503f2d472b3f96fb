//! Elements that a file stores in a different form than memory does: big-endian numbers, 8-bit floats, and dtypes that the
//! engine does not know. The main type is [`Encoding`].

use eltwise::DType;
use safetensors::tensor::Dtype;

/// How a file stores the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// As in memory.
    Native,
    /// With the bytes of each element reversed.
    BigEndian,
    /// As a `.safetensors` dtype that the engine has no arithmetic for. It copies these elements as opaque bytes, and
    /// results that are copies have the same dtype in their file.
    Opaque(Dtype),
    /// As 8-bit floats, which reads convert to `f32`. The conversion is exact.
    Float8(Dtype),
}

/// An array in a file: its layout, the byte at which element `[0, 0, ...]` starts, and how elements are stored.
pub(crate) type FoundArray = (eltwise::Layout, usize, Encoding);

impl Encoding {
    /// The file's dtype, if its elements are opaque to the engine.
    pub(crate) fn opaque_dtype(self) -> Option<Dtype> {
        match self {
            Encoding::Opaque(name) => Some(name),
            _ => None,
        }
    }

    /// The encoding that converts these elements to `f32`; `None` if they are not 8-bit floats.
    pub(crate) fn as_f32(self) -> Option<Encoding> {
        self.opaque_dtype().filter(|&name| is_float8(name)).map(Encoding::Float8)
    }

    /// The first byte of the file to read, and the range of a buffer of `bytes` bytes to read into, so that
    /// [`Encoding::decode`] makes `bytes` bytes of elements of `dtype` that start at byte `at` of the array. Elements that
    /// are shorter in the file are read into the end of the buffer, so that they are decoded in place.
    pub(crate) fn file_range(self, dtype: DType, at: u64, bytes: usize) -> (u64, std::ops::Range<usize>) {
        let ratio = if matches!(self, Encoding::Float8(_)) { dtype.size() } else { 1 };
        (at / ratio as u64, bytes - bytes / ratio..bytes)
    }

    /// Converts the elements that were read into the range of [`Encoding::file_range`] to elements of `dtype`, in place.
    pub(crate) fn decode(self, dtype: DType, bytes: &mut [u8]) {
        match self {
            Encoding::Native | Encoding::Opaque(_) => {}
            Encoding::BigEndian => bytes.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse),
            Encoding::Float8(kind) => {
                let count = bytes.len() / size_of::<f32>();
                // Each source byte is after the destination of all elements before it, so no unread byte is overwritten.
                for (i, at) in (bytes.len() - count..bytes.len()).enumerate() {
                    let value = float8(kind, bytes[at]);
                    bytes[i * size_of::<f32>()..][..size_of::<f32>()].copy_from_slice(&value.to_le_bytes());
                }
            }
        }
    }
}

/// Whether a dtype is an 8-bit float.
fn is_float8(dtype: Dtype) -> bool {
    use Dtype::{F8_E4M3, F8_E4M3FNUZ, F8_E5M2, F8_E5M2FNUZ, F8_E8M0};
    matches!(dtype, F8_E4M3 | F8_E5M2 | F8_E8M0 | F8_E4M3FNUZ | F8_E5M2FNUZ)
}

/// The value of an 8-bit float. Sources: Micikevicius et al., "FP8 Formats for Deep Learning", 2022; for FNUZ: Noune et al.,
/// "8-bit Numerical Formats for Deep Neural Networks", 2022; for E8M0: OCP Microscaling Formats.
fn float8(kind: Dtype, byte: u8) -> f32 {
    let magnitude = byte & 0x7f;
    let (fraction_bits, bias, special) = match kind {
        // An exponent without sign and fraction.
        Dtype::F8_E8M0 => return if byte == 0xff { f32::NAN } else { 2f32.powi(i32::from(byte) - 127) },
        Dtype::F8_E4M3 => (3, 7, (magnitude == 0x7f).then_some(f32::NAN)),
        Dtype::F8_E4M3FNUZ => (3, 8, (byte == 0x80).then_some(f32::NAN)),
        Dtype::F8_E5M2FNUZ => (2, 16, (byte == 0x80).then_some(f32::NAN)),
        _ if magnitude == 0x7c => (2, 15, Some(f32::INFINITY)),
        _ => (2, 15, (magnitude > 0x7c).then_some(f32::NAN)),
    };
    let (exponent, fraction) = (i32::from(magnitude >> fraction_bits), magnitude & ((1 << fraction_bits) - 1));
    // Normal numbers have an implicit bit above the fraction.
    let significand = if exponent == 0 { fraction } else { fraction | 1 << fraction_bits };
    let value = f32::from(significand) * 2f32.powi(exponent.max(1) - bias - fraction_bits);
    special.unwrap_or(value).copysign(if byte < 0x80 { 1.0 } else { -1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float8_values_match_the_formats() {
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
        Encoding::BigEndian.decode(DType::F32, &mut bytes);
        assert_eq!(bytes, [3, 2, 1, 0, 7, 6, 5, 4]);
        assert_eq!(Encoding::BigEndian.file_range(DType::F32, 40, 8), (40, 0..8));
        let float8 = Encoding::Opaque(Dtype::F8_E4M3).as_f32().unwrap();
        let (at, range) = float8.file_range(DType::F32, 40, 12);
        assert_eq!((at, range.clone()), (10, 9..12));
        let mut bytes = [0; 12];
        bytes[range].copy_from_slice(&[0x38, 0x40, 0xb8]);
        float8.decode(DType::F32, &mut bytes);
        assert_eq!(
            bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect::<Vec<_>>(),
            [1.0, 2.0, -1.0]
        );
        assert_eq!(Encoding::Opaque(Dtype::C64).as_f32(), None);
    }
}
