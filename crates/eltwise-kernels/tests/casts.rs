//! Casts, `bf16` arithmetic, and operators on the bits of 16-bit floats equal scalar code on every ISA, for every value
//! of the 16-bit floats and every case of rounding.

use core::fmt::Debug;
use core::sync::atomic::AtomicU32;

use eltwise_core::{DType, Op};
use eltwise_simd::Isa;
use half::{bf16, f16};

use eltwise_kernels::{Call, Operand, kernel};

/// Asserts that the result of `op` in each column is `same` as `expect` of the column, on every ISA.
fn check<S: Copy, D: Copy + Debug>(
    (op, from, to): (Op, DType, DType),
    ins: &[&[S]],
    expect: impl Fn(usize) -> D,
    same: impl Fn(D, D) -> bool,
) {
    let cols = ins[0].len();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let mut out = vec![expect(0); cols];
        let flags = AtomicU32::new(0);
        let mut call = Call {
            rows: 1,
            cols,
            out: Operand { ptr: out.as_mut_ptr().cast(), row: 0, splat: false },
            ins: [Operand::NONE; 4],
            flags: &raw const flags,
        };
        for (operand, x) in call.ins.iter_mut().zip(ins) {
            assert_eq!(x.len(), cols);
            *operand = Operand { ptr: x.as_ptr().cast_mut().cast(), row: 0, splat: false };
        }
        let kernel = kernel(op, from, to, isa).expect("the kernel is in the table").kernel;
        // SAFETY: the ISA is available; the operands have as many elements as the call has columns.
        unsafe { kernel(&call) };
        for (i, &got) in out.iter().enumerate() {
            assert!(same(got, expect(i)), "{op} {from} -> {to} on {isa}, column {i}: {got:?} is not {:?}", expect(i));
        }
    }
}

/// Every upper half of an `f32`, with lower halves near the rounding limits of 8 and of 11 significant bits.
fn floats(nans: bool) -> Vec<f32> {
    let lower = [0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff];
    let all = (0..=u16::MAX).flat_map(|upper| lower.map(|lower| f32::from_bits(u32::from(upper) << 16 | lower)));
    all.filter(|x| nans || !x.is_nan()).collect()
}

fn same_bf16(a: bf16, b: bf16) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn same_f16(a: f16, b: f16) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn f32_is_narrowed_to_nearest_even() {
    // NaNs in most blocks, then in none.
    for x in [floats(true), floats(false)] {
        check((Op::Cast, DType::F32, DType::BF16), &[&x], |i| bf16::from_f32(x[i]), same_bf16);
        check((Op::Cast, DType::F32, DType::F16), &[&x], |i| f16::from_f32(x[i]), same_f16);
    }
}

#[test]
fn floats_are_cast_to_integers_as_in_rust() {
    let edges = [0.5f32, 1.0, 127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 65536.0, 2147483648.0];
    let near = edges.into_iter().flat_map(|x| [x.next_down(), x, x.next_up(), x - 0.5, x + 0.5]);
    let near: Vec<f32> = near.flat_map(|x| [x, -x]).collect();
    for mut x in [floats(true), floats(false)] {
        x.extend_from_slice(&near);
        macro_rules! to {
            ($($t:ident $dtype:ident),*) => {
                $(check((Op::Cast, DType::F32, DType::$dtype), &[&x], |i| x[i] as $t, |a, b| a == b);)*
            };
        }
        to!(i8 I8, u8 U8, i16 I16, u16 U16, i32 I32, u32 U32, i64 I64, u64 U64);
        let halves: Vec<bf16> = x.iter().map(|&x| bf16::from_f32(x)).collect();
        check((Op::Cast, DType::BF16, DType::U8), &[&halves], |i| halves[i].to_f32() as u8, |a, b| a == b);
    }
}

#[test]
fn bf16_arithmetic_rounds_to_nearest_even_and_keeps_nans() {
    let every: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let negative = |i: usize| bf16::from_bits(every[i].to_bits() ^ 0x8000);
    check((Op::Negative, DType::BF16, DType::BF16), &[&every], negative, same_bf16);
    for y in [0x0000, 0x8000, 0x0001, 0x3f80, 0x3f81, 0x4049, 0x7f7f, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0xffff] {
        let y = vec![bf16::from_bits(y); every.len()];
        let f = |x: bf16| x.to_f32();
        let sum = |i: usize| bf16::from_f32(f(every[i]) + f(y[i]));
        check((Op::Add, DType::BF16, DType::BF16), &[&every, &y], sum, same_bf16);
        let product = |i: usize| bf16::from_f32(f(every[i]) * f(y[i]));
        check((Op::Multiply, DType::BF16, DType::BF16), &[&every, &y], product, same_bf16);
        let larger = |i: usize| match (f(every[i]), f(y[i])) {
            (a, b) if a.is_nan() || b.is_nan() => bf16::NAN,
            (a, b) if a > b || a == b && b.is_sign_negative() => every[i],
            _ => y[i],
        };
        check((Op::Maximum, DType::BF16, DType::BF16), &[&every, &y], larger, same_bf16);
    }
}

/// Checks the operators that compare or change bits only, with every value of a 16-bit float as the first operand and
/// hard values as the others. `infinity` has the bits of infinity, and `value` gives the number for bits.
fn check_on_bits(dtype: DType, infinity: u16, value: fn(u16) -> f64) {
    const SIGN: u16 = 0x8000;
    let every: Vec<u16> = (0..=u16::MAX).collect();
    let same = |a: u16, b: u16| a == b || value(a).is_nan() && value(b).is_nan();
    // `maximum` and `minimum` of IEEE 754-2019.
    let larger = |a: u16, b: u16| match (value(a), value(b)) {
        (x, y) if x.is_nan() || y.is_nan() => infinity + 1,
        (x, y) if x > y || x == y && b & SIGN != 0 => a,
        _ => b,
    };
    let smaller = |a: u16, b: u16| larger(a ^ SIGN, b ^ SIGN) ^ SIGN;
    check((Op::Abs, dtype, dtype), &[&every], |i| every[i] & !SIGN, |a, b| a == b);
    check((Op::Negative, dtype, dtype), &[&every], |i| every[i] ^ SIGN, |a, b| a == b);
    check((Op::Relu, dtype, dtype), &[&every], |i| larger(every[i], 0), same);
    let positive =
        [0, 1, (infinity & infinity.wrapping_neg()) - 1, 0x3c00, infinity - 1, infinity, infinity + 1, 0x7fff];
    let hard: Vec<u16> = positive.into_iter().flat_map(|bits| [bits, bits | SIGN]).collect();
    for &y in &hard {
        let second = vec![y; every.len()];
        check((Op::Copysign, dtype, dtype), &[&every, &second], |i| every[i] & !SIGN | y & SIGN, |a, b| a == b);
        check((Op::Maximum, dtype, dtype), &[&every, &second], |i| larger(every[i], y), same);
        check((Op::Minimum, dtype, dtype), &[&every, &second], |i| smaller(every[i], y), same);
        for &z in &hard {
            let third = vec![z; every.len()];
            check((Op::Clamp, dtype, dtype), &[&every, &second, &third], |i| smaller(larger(every[i], y), z), same);
        }
    }
}

#[test]
fn comparisons_and_signs_of_16_bit_floats_equal_those_of_f64() {
    check_on_bits(DType::F16, 0x7c00, |bits| f16::from_bits(bits).to_f64());
    check_on_bits(DType::BF16, 0x7f80, |bits| bf16::from_bits(bits).to_f64());
}

/// An integer rounded to `bits` significant bits, to nearest even.
fn rounded(x: i128, bits: u32) -> f64 {
    let magnitude = x.unsigned_abs();
    let drop = (128 - magnitude.leading_zeros()).saturating_sub(bits);
    let (kept, rest) = (magnitude >> drop, magnitude & ((1 << drop) - 1));
    let half = if drop == 0 { 1 } else { 1 << (drop - 1) };
    let up = rest > half || rest == half && kept & 1 == 1;
    let whole = (kept + u128::from(up)) << drop;
    whole as f64 * if x < 0 { -1.0 } else { 1.0 }
}

#[test]
fn casts_of_64_bit_integers_round_once() {
    let mut x = vec![0i64, -1, i64::MAX, i64::MIN];
    for places in 0..63 {
        for head in [1, 3, 0x101, 0x17f, 0x801, 0xbff, 0xfff] {
            let power = i64::wrapping_shl(head, places);
            for near in [power, power | power >> 8, power | power >> 11, power | power >> 24, power | power >> 53] {
                x.extend([near.wrapping_sub(1), near, near.wrapping_add(1), near ^ 0x400, near.wrapping_neg()].iter());
            }
        }
    }
    check((Op::Cast, DType::I64, DType::F64), &[&x], |i| x[i] as f64, |a, b| a == b);
    check((Op::Cast, DType::I64, DType::BF16), &[&x], |i| bf16::from_f64(rounded(x[i].into(), 8)), same_bf16);
    check((Op::Cast, DType::I64, DType::F16), &[&x], |i| f16::from_f64(rounded(x[i].into(), 11)), same_f16);
    let y: Vec<u64> = x.iter().map(|&x| x as u64).collect();
    check((Op::Cast, DType::U64, DType::F64), &[&y], |i| y[i] as f64, |a, b| a == b);
    check((Op::Cast, DType::U64, DType::BF16), &[&y], |i| bf16::from_f64(rounded(y[i].into(), 8)), same_bf16);
    check((Op::Cast, DType::U64, DType::F16), &[&y], |i| f16::from_f64(rounded(y[i].into(), 11)), same_f16);
}
