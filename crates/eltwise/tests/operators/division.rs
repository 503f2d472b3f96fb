//! Divisions and powers of integers equal the reference: every pair of 8-bit integers, and splat divisors with
//! dividends at every place in a vector. Divisions of floats equal it for quotients of every size.

use eltwise::{Broadcast, DType, Layout, Op, Shape};
use eltwise_reference::{Tensor, Value};
use eltwise_testkit::Random;
use eltwise_testkit::values::Values;
use eltwise_testkit::{Arrangement, Operand, TypedOp, check};

use crate::check_every_isa;

const DIVISIONS: [Op; 5] = [Op::Divide, Op::TruncDivide, Op::FloorDivide, Op::Remainder, Op::Fmod];

/// An operand of integers, each wrapped to the dtype.
fn integers(dtype: DType, shape: &[usize], numbers: impl IntoIterator<Item = i128>) -> Operand {
    let mut data = Vec::new();
    numbers.into_iter().for_each(|n| Value::from_i128(dtype, n).write(&mut data));
    Operand::from_tensor(
        &Tensor::new(dtype, Shape::new(shape), data).expect("as many numbers as elements"),
        &Arrangement::dense(),
    )
}

/// The bits of a dividend and a divisor whose quotient has any size.
///
/// Exponents cover the whole range with subnormal numbers, infinities and NaN, and are frequent where quotients become
/// integers. Fractions have few bits, or are next to a power of two, or are equal in both.
fn floats(dtype: DType, random: &mut Random) -> [u128; 2] {
    let (width, p) = match dtype {
        DType::F16 => (16, 10),
        DType::BF16 => (16, 7),
        DType::F32 => (32, 23),
        _ => (64, 52),
    };
    let (max_exponent, ones) = ((1u64 << (width - 1 - p)) - 1, (1u64 << p) - 1);
    let fraction = |random: &mut Random| match random.below(8) {
        0 => 0,
        1 => random.bits() & 15,
        2 => ones - (random.bits() & 15),
        3 => 1 << random.below(p),
        4 => (random.bits() & ones) >> random.below(p),
        5 => (random.bits() & ones) >> (p / 2) << (p / 2),
        _ => random.bits() & ones,
    };
    let any = |random: &mut Random, n: u64| random.bits() % n;
    let y = if random.below(4) == 0 { 0 } else { any(random, max_exponent + 1) };
    let x = match random.below(8) {
        0 | 1 => any(random, max_exponent + 1),
        2 => y + p as u64 - 2 + any(random, 6),
        3 => y + 2 * p as u64 - 4 + any(random, 8),
        4 => y + any(random, 3 * p as u64),
        5 => max_exponent - 1 - any(random, 3),
        _ => y.max(1) + any(random, max_exponent),
    };
    let y = y << p | fraction(random);
    let x = x.min(max_exponent) << p | if random.below(4) == 0 { y & ones } else { fraction(random) };
    [x, y].map(|v| u128::from(v | (random.bits() & 1) << (width - 1)))
}

/// Whether the kernels get the second operand as a splat in each row.
fn is_splat(typed_op: TypedOp, inputs: &[Operand]) -> bool {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let plan = typed_op.program(&Broadcast::Numpy).bind(&layouts).expect("the operands fit");
    plan.explain(1).to_string().contains("splat per row")
}

fn built(op: Op, dtype: DType) -> Option<TypedOp> {
    Some(TypedOp { op, dtype, target: None }).filter(|typed_op| typed_op.is_built())
}

fn integer_dtypes() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|d| d.is_integer())
}

#[test]
fn every_pair_of_8_bit_integers_equals_the_reference() {
    let isas = check::isas();
    for dtype in [DType::I8, DType::U8] {
        for typed_op in DIVISIONS.into_iter().chain([Op::Pow]).filter_map(|op| built(op, dtype)) {
            let all = || 0..256i128;
            let splat = [integers(dtype, &[256], all()), integers(dtype, &[256, 1], all())];
            assert!(is_splat(typed_op, &splat), "{typed_op:?}");
            check_every_isa(typed_op, &Broadcast::Numpy, &splat, None, &isas).unwrap();
            let pairs = [
                integers(dtype, &[65536], all().flat_map(|_| all())),
                integers(dtype, &[65536], all().flat_map(|y| all().map(move |_| y))),
            ];
            check_every_isa(typed_op, &Broadcast::Numpy, &pairs, None, &isas).unwrap();
        }
    }
}

#[test]
fn every_divisor_of_16_bits_equals_the_reference() {
    let isas = check::isas();
    for dtype in [DType::I16, DType::U16] {
        for (seed, op) in DIVISIONS.into_iter().enumerate() {
            let Some(typed_op) = built(op, dtype) else { continue };
            let mut values = Values::new(dtype, 2 * seed as u64);
            let inputs = [
                integers(dtype, &[96], (0..96).map(|_| values.bits() as i128)),
                integers(dtype, &[65536, 1], 0..65536),
            ];
            assert!(is_splat(typed_op, &inputs), "{typed_op:?}");
            check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
        }
    }
}

/// Divisors are the limits of the dtype, and powers of two with their neighbours.
#[test]
fn splat_divisors_equal_the_reference_at_every_place_in_a_vector() {
    let isas = check::isas();
    // On every ISA whole blocks, then whole vectors, then part of a vector.
    let length = 4 * 64 + 3 * 16 + 7;
    for dtype in integer_dtypes() {
        let width = 8 * dtype.size() as u32;
        let mut divisors: Vec<i128> = vec![0, 1, -1, 1 << (width - 1), (1 << (width - 1)) - 1, 7, -7, 10];
        divisors.extend((1..width).flat_map(|i| [-1, 0, 1].map(|offset| (1 << i) + offset)));
        divisors.extend((1..width).flat_map(|i| [-1, 0, 1].map(|offset| -(1 << i) + offset)));
        for typed_op in DIVISIONS.into_iter().filter_map(|op| built(op, dtype)) {
            for (seed, &divisor) in divisors.iter().enumerate() {
                // Multiples of the divisor, their neighbours, and other integers.
                let mut values = Values::new(dtype, 2 * seed as u64);
                let dividends = (0..length).map(|i| {
                    let x = Value::new(dtype, values.bits()).to_i128();
                    let multiple = x.checked_div(divisor).unwrap_or(x).wrapping_mul(divisor);
                    [x, multiple, multiple - 1, multiple + 1][i % 4]
                });
                let inputs = [integers(dtype, &[length], dividends), integers(dtype, &[], [divisor])];
                check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
            }
        }
    }
}

/// Each row has its own divisor. One of them is 0, except in the last case.
#[test]
fn a_splat_divisor_of_zero_is_reported() {
    let isas = check::isas();
    for dtype in integer_dtypes() {
        for typed_op in DIVISIONS.into_iter().filter_map(|op| built(op, dtype)) {
            for zero in 0..5 {
                let divisors = (0..4).map(|row| if row == zero { 0 } else { row as i128 + 2 });
                let inputs = [integers(dtype, &[4, 301], 0..4 * 301), integers(dtype, &[4, 1], divisors)];
                assert!(is_splat(typed_op, &inputs), "{typed_op:?}");
                check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
            }
        }
    }
}

/// Padding must not count as a negative exponent. Exponents of every number of bits occur.
#[test]
fn negative_exponents_are_reported_exactly() {
    let isas = check::isas();
    for dtype in integer_dtypes() {
        let Some(typed_op) = built(Op::Pow, dtype) else { continue };
        for length in (1..40).chain([63, 64, 65, 127, 257, 300]) {
            for negative in [length, 0, length / 2, length - 1] {
                let exponents = (0..length).map(|i| if i == negative { -1 - (i as i128 % 2) } else { 1 << (i % 7) });
                let bases = (0..length).map(|i| i as i128 % 5 - 2);
                let inputs = [integers(dtype, &[length], bases), integers(dtype, &[length], exponents)];
                let (_, conditions) = crate::expected(typed_op, &Broadcast::Numpy, &inputs);
                let signed = Value::from_i128(dtype, -1).to_i128() < 0;
                assert_eq!(conditions.negative_exponent, signed && negative < length);
                check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
            }
        }
        let width = 8 * dtype.size();
        let exponents = (0..40 * width).map(|i| (1i128 << (i % width)) - (i as i128 / width as i128) % 2);
        let mut values = Values::new(dtype, 6);
        let bases: Vec<i128> = (0..40 * width).map(|_| values.bits() as i128).collect();
        let inputs = [integers(dtype, &[40 * width], bases), integers(dtype, &[40 * width], exponents)];
        check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
    }
}

#[test]
fn float_divisions_equal_the_reference_for_quotients_of_every_size() {
    let isas = check::isas();
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float()) {
        for (seed, op) in [Op::FloorDivide, Op::Remainder, Op::Fmod].into_iter().enumerate() {
            let Some(typed_op) = built(op, dtype) else { continue };
            let mut random = Random(seed as u64);
            let (x, y): (Vec<u128>, Vec<u128>) = (0..20_000).map(|_| floats(dtype, &mut random).into()).unzip();
            let operand = |bits: Vec<u128>| {
                let mut data = Vec::new();
                bits.iter().for_each(|&b| Value::new(dtype, b).write(&mut data));
                Operand::from_tensor(
                    &Tensor::new(dtype, Shape::new(&[20_000]), data).expect("as many numbers as elements"),
                    &Arrangement::dense(),
                )
            };
            check_every_isa(typed_op, &Broadcast::Numpy, &[operand(x), operand(y)], None, &isas).unwrap();
        }
    }
}

/// Quotients whose floor is the midpoint of two floats, and quotients next to them.
#[test]
fn float_floor_division_equals_the_reference_near_midpoints() {
    let isas = check::isas();
    let Some(typed_op) = built(Op::FloorDivide, DType::F64) else { return };
    let mut random = Random(7);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for i in 0..60_000u64 {
        let divisor = (random.bits() >> (34 + random.below(30)) | 1) as f64;
        let product = (u128::from(random.bits() >> 10 | 1) * divisor as u128) >> random.below(3);
        let near = f64::from_bits((product as f64).to_bits() + i % 5 - 2);
        x.push(if i % 2 == 0 { near } else { -near });
        y.push(divisor);
    }
    let operand = |numbers: &[f64]| {
        let data = numbers.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        Operand::from_tensor(
            &Tensor::new(DType::F64, Shape::new(&[numbers.len()]), data).expect("as many numbers as elements"),
            &Arrangement::dense(),
        )
    };
    check_every_isa(typed_op, &Broadcast::Numpy, &[operand(&x), operand(&y)], None, &isas).unwrap();
}
