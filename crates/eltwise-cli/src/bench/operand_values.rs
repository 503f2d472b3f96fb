//! The values of operands: [`fill`] generates them, [`element_at`] reads elements back as numbers.

use eltwise::{DType, Layout};
use half::{bf16, f16};

/// Fills memory with a repeating pattern of 509 (a prime) values that depend on `seed`: floats from 0.5 to 4.5, integers from 1
/// to 101, both booleans. No value causes a division by zero, is subnormal, or overflows an `f16` or `u8` in a sum.
pub(crate) fn fill(bytes: &mut [u8], dtype: DType, seed: u32) {
    let mut pattern = Vec::with_capacity(509 * dtype.size());
    let mut state = seed;
    for _ in 0..509 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let random = state >> 16;
        let float = 0.5 + f64::from(random) / 16384.0;
        let integer = 1 + random % 101;
        match dtype {
            DType::Bool => pattern.push(random as u8 & 1),
            DType::F16 => pattern.extend(f16::from_f64(float).to_le_bytes()),
            DType::BF16 => pattern.extend(bf16::from_f64(float).to_le_bytes()),
            DType::F32 => pattern.extend((float as f32).to_le_bytes()),
            DType::F64 => pattern.extend(float.to_le_bytes()),
            _ => pattern.extend(u128::from(integer).to_le_bytes().iter().take(dtype.size())),
        }
    }
    for chunk in bytes.chunks_mut(pattern.len()) {
        chunk.copy_from_slice(&pattern[..chunk.len()]);
    }
}

/// The element at an index of a layout. `bytes` start at the lowest address of the layout.
pub(crate) fn element_at(layout: &Layout, bytes: &[u8], index: &[usize]) -> f64 {
    let low = layout.span().map_or(0, |(low, _)| low);
    let steps = index.iter().zip(layout.strides().iter());
    let offset = steps.fold(-low, |at, (&i, &stride)| at + i as isize * stride) as usize;
    number(layout.dtype(), &bytes[offset..offset + layout.dtype().size()])
}

/// The value of one element.
fn number(dtype: DType, bytes: &[u8]) -> f64 {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
    }
    match dtype {
        DType::F16 => f16::from_le_bytes(array(bytes)).to_f64(),
        DType::BF16 => bf16::from_le_bytes(array(bytes)).to_f64(),
        DType::F32 => f32::from_le_bytes(array(bytes)).into(),
        DType::F64 => f64::from_le_bytes(array(bytes)),
        DType::I8 => i8::from_le_bytes(array(bytes)).into(),
        DType::I16 => i16::from_le_bytes(array(bytes)).into(),
        DType::I32 => i32::from_le_bytes(array(bytes)).into(),
        DType::I64 => i64::from_le_bytes(array(bytes)) as f64,
        _ => u64::from_le_bytes(array(bytes)) as f64,
    }
}

/// The distance from 1 to the next number of a float dtype; 0 for other dtypes.
pub(crate) fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f16::EPSILON.to_f64(),
        DType::BF16 => bf16::EPSILON.to_f64(),
        DType::F32 => f32::EPSILON.into(),
        DType::F64 => f64::EPSILON,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_range_and_not_constant() {
        for dtype in DType::VALUES {
            let layout = Layout::contiguous(dtype, [509]).unwrap();
            let mut bytes = vec![0; 509 * dtype.size()];
            fill(&mut bytes, dtype, 7);
            let values: Vec<f64> = (0..509).map(|i| element_at(&layout, &bytes, &[i])).collect();
            let (low, high) = match dtype {
                DType::Bool => (0.0, 1.0),
                _ if dtype.is_float() => (0.5, 4.5),
                _ => (1.0, 101.0),
            };
            assert!(values.iter().all(|v| (low..=high).contains(v)), "{dtype}: {values:?}");
            assert!(values.iter().any(|v| v != &values[0]), "{dtype}");
        }
    }

    #[test]
    fn element_at_follows_negative_strides() {
        let layout = Layout::strided(DType::U8, [2, 3], [1, -2]).unwrap();
        assert_eq!(element_at(&layout, &[0, 1, 2, 3, 4, 5], &[1, 0]), 5.0);
        assert_eq!(element_at(&layout, &[0, 1, 2, 3, 4, 5], &[0, 2]), 0.0);
    }
}
