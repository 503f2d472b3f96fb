//! Pseudo-random elements of every dtype, edge cases frequent: [`Values`].

use eltwise::DType;
use eltwise_reference::Value;

use crate::random::Random;

/// A generator of elements of one dtype.
#[derive(Clone, Debug)]
pub struct Values {
    dtype: DType,
    random: Random,
    specials: Vec<u128>,
    with_zeros: bool,
}

impl Values {
    /// Elements from a seed. With an odd seed no integer is 0, so that no division by zero occurs.
    pub fn new(dtype: DType, seed: u64) -> Values {
        Values { dtype, random: Random(seed), specials: specials(dtype), with_zeros: seed.is_multiple_of(2) }
    }

    /// The bits of the next element.
    pub fn bits(&mut self) -> u128 {
        let r = self.random.bits();
        let bits = match self.dtype {
            DType::Bool => u128::from(if r & 2 == 0 { r & 1 } else { r >> 8 & 0xff }),
            d if d.is_float() => self.float(r),
            d if d.is_integer() => self.integer(r),
            _ => u128::from(r) << 64 | u128::from(self.random.bits()),
        };
        let value = Value::new(self.dtype, bits);
        if value.bits == 0 && !self.with_zeros && self.dtype.is_integer() { 1 } else { value.bits }
    }

    fn special(&self, r: u64) -> u128 {
        self.specials[(r >> 8) as usize % self.specials.len()]
    }

    fn integer(&mut self, r: u64) -> u128 {
        match r % 8 {
            0 | 1 => self.special(r),
            2..=4 => ((r >> 8) as i64 % 100) as u128,
            5 => self.near_tie(r),
            _ => u128::from(r >> 3),
        }
    }

    /// An integer halfway between two neighbouring numbers of some float dtype, or off by one.
    fn near_tie(&mut self, r: u64) -> u128 {
        let width = 8 * self.dtype.size() as u32;
        let top = 9 + (r >> 8) as u32 % 55;
        let kept = [7, 10, 23, 52][(r >> 16) as usize % 4].min(top - 1).min(width - 1);
        let half = 1u64 << (top - kept - 1);
        let x = ((1 << top) | (self.random.bits() & ((1 << top) - 1) & !(2 * half - 1)) | half) as i64;
        let near = x.wrapping_add([0, 0, 1, -1][(r >> 20) as usize % 4]);
        (if r >> 24 & 1 == 1 { near.wrapping_neg() } else { near }) as u128
    }

    fn float(&mut self, r: u64) -> u128 {
        match r % 8 {
            0 | 1 => self.special(r),
            2..=4 => Value::from_f64(self.dtype, ((r >> 8) % 801) as f64 / 4.0 - 100.0).bits,
            5 => u128::from(r >> 3),
            _ => {
                // Halfway between two neighbouring numbers of a narrower float dtype, or off by the last bit of f64.
                let kept = [7, 10, 23][(r >> 4) as usize % 3];
                let half = 1u64 << (51 - kept);
                let above = self.random.bits() & ((1 << 52) - 1) & !(2 * half - 1);
                let mantissa = above + [half, half + 1, half - 1, 0][(r >> 8) as usize % 4];
                let exponent = match (r >> 12) % 4 {
                    0 => 1023 - 30 + (r >> 16) % 60,
                    1 => 1023 - 150 + (r >> 16) % 300,
                    _ => 1023 - 8 + (r >> 16) % 16,
                };
                let x = f64::from_bits((r & (1 << 63)) | (exponent << 52) | mantissa);
                Value::from_f64(self.dtype, x).bits
            }
        }
    }
}

/// The edge cases of a dtype.
fn specials(dtype: DType) -> Vec<u128> {
    let width = 8 * dtype.size() as u32;
    if dtype.is_float() {
        let one = Value::from_f64(dtype, 1.0).bits;
        let infinity = Value::from_f64(dtype, f64::INFINITY).bits;
        let quiet = Value::from_f64(dtype, f64::NAN).bits;
        let sign = 1u128 << (width - 1);
        let smallest_normal = infinity & infinity.wrapping_neg();
        let mut all = vec![0, 1, smallest_normal - 1, smallest_normal, one, one + 1, one - 1, infinity - 1, infinity];
        all.extend([quiet, quiet | 3, infinity | 1]);
        let numbers = [0.5, 1.5, 127.5, 128.0, 255.5, 256.0, 2e9, 2147483648.0, 4294967296.0, 65519.0, 65520.0, 1e-7];
        all.extend(numbers.map(|x| Value::from_f64(dtype, x).bits));
        all.extend([63, 64, 62].map(|e| Value::from_f64(dtype, f64::from(e).exp2()).bits));
        all.extend(all.clone().iter().map(|b| b | sign));
        return all;
    }
    let top = 1u128 << (width - 1);
    let mut all = vec![0, 0, 1, 2, 3, u128::MAX, u128::MAX - 1, top, top - 1, top + 1];
    all.extend((0..width).map(|shift| 1u128 << shift));
    all.extend([24, 53].map(|bits| (1u128 << bits) + 1));
    all
}

/// The bytes of `count` pseudo-random elements.
pub fn bytes(dtype: DType, count: usize, seed: u64) -> Vec<u8> {
    let mut values = Values::new(dtype, seed);
    let mut bytes = Vec::with_capacity(count * dtype.size());
    (0..count).for_each(|_| Value::new(dtype, values.bits()).write(&mut bytes));
    bytes
}
