//! Divisions and powers of integers: every pair of 8 bits, and one divisor for many elements at every place in a vector. Divisions of
//! floats with quotients of every size.

use eltwise::{Broadcast, DType, Layout, Op, Shape};
use eltwise_reference::{Tensor, Value};
use eltwise_testkit::values::{Random, Values};
use eltwise_testkit::{Arrangement, Cell, Operand, check};

use crate::on_every_level;

const DIVISIONS: [Op; 5] = [Op::Divide, Op::TruncDivide, Op::FloorDivide, Op::Remainder, Op::Fmod];

/// An operand of integers, whose low bits count.
fn integers(dtype: DType, shape: &[usize], numbers: impl IntoIterator<Item = i128>) -> Operand {
    let mut data = Vec::new();
    numbers.into_iter().for_each(|n| Value::from_i128(dtype, n).write(&mut data));
    Operand::holding(
        &Tensor::new(dtype, Shape::new(shape), data).expect("as many numbers as elements"),
        &Arrangement::dense(),
    )
}

/// A dividend and a divisor whose quotient is of any size: exponents over the whole range, subnormal numbers, infinities and NaN among them,
/// and quotients about those from which on they are integers; fractions of few bits, or next to a power of two, or the same twice.
fn floats(dtype: DType, random: &mut Random) -> [u128; 2] {
    let (width, p) = match dtype {
        DType::F16 => (16, 10),
        DType::BF16 => (16, 7),
        DType::F32 => (32, 23),
        _ => (64, 52),
    };
    let (most, ones) = ((1u64 << (width - 1 - p)) - 1, (1u64 << p) - 1);
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
    let y = if random.below(4) == 0 { 0 } else { any(random, most + 1) };
    let x = match random.below(8) {
        0 | 1 => any(random, most + 1),
        2 => y + p as u64 - 2 + any(random, 6),
        3 => y + 2 * p as u64 - 4 + any(random, 8),
        4 => y + any(random, 3 * p as u64),
        5 => most - 1 - any(random, 3),
        _ => y.max(1) + any(random, most),
    };
    let y = y << p | fraction(random);
    let x = x.min(most) << p | if random.below(4) == 0 { y & ones } else { fraction(random) };
    [x, y].map(|v| u128::from(v | (random.bits() & 1) << (width - 1)))
}

/// Whether the second operand is one element a row for the kernels.
fn is_splat(cell: Cell, inputs: &[Operand]) -> bool {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let plan = cell.program(&Broadcast::Numpy).bind(&layouts).expect("the operands fit");
    plan.explain(1).to_string().contains("splat per row")
}

fn built(op: Op, dtype: DType) -> Option<Cell> {
    Some(Cell { op, dtype, target: None }).filter(|cell| cell.is_built())
}

fn integer_dtypes() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|d| d.is_integer())
}

#[test]
fn every_pair_of_eight_bits() {
    let levels = check::levels();
    for dtype in [DType::I8, DType::U8] {
        for cell in DIVISIONS.into_iter().chain([Op::Pow]).filter_map(|op| built(op, dtype)) {
            let all = || 0..256i128;
            let splat = [integers(dtype, &[256], all()), integers(dtype, &[256, 1], all())];
            assert!(is_splat(cell, &splat), "{cell:?}");
            on_every_level(cell, &Broadcast::Numpy, &splat, None, &levels).unwrap();
            let pairs = [
                integers(dtype, &[65536], all().flat_map(|_| all())),
                integers(dtype, &[65536], all().flat_map(|y| all().map(move |_| y))),
            ];
            on_every_level(cell, &Broadcast::Numpy, &pairs, None, &levels).unwrap();
        }
    }
}

#[test]
fn every_divisor_of_sixteen_bits() {
    let levels = check::levels();
    for dtype in [DType::I16, DType::U16] {
        for (seed, op) in DIVISIONS.into_iter().enumerate() {
            let Some(cell) = built(op, dtype) else { continue };
            let mut values = Values::new(dtype, 2 * seed as u64);
            let inputs = [
                integers(dtype, &[96], (0..96).map(|_| values.bits() as i128)),
                integers(dtype, &[65536, 1], 0..65536),
            ];
            assert!(is_splat(cell, &inputs), "{cell:?}");
            on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
        }
    }
}

/// The ends of the dtype, and what lies about powers of two.
#[test]
fn one_divisor_for_every_place_in_a_vector() {
    let levels = check::levels();
    // Blocks of every level, whole vectors behind them and a part of one.
    let length = 4 * 64 + 3 * 16 + 7;
    for dtype in integer_dtypes() {
        let width = 8 * dtype.size() as u32;
        let mut divisors: Vec<i128> = vec![0, 1, -1, 1 << (width - 1), (1 << (width - 1)) - 1, 7, -7, 10];
        divisors.extend((1..width).flat_map(|i| [-1, 0, 1].map(|beside| (1 << i) + beside)));
        divisors.extend((1..width).flat_map(|i| [-1, 0, 1].map(|beside| -(1 << i) + beside)));
        for cell in DIVISIONS.into_iter().filter_map(|op| built(op, dtype)) {
            for (seed, &divisor) in divisors.iter().enumerate() {
                // Multiples of the divisor, what lies beside them, and others.
                let mut values = Values::new(dtype, 2 * seed as u64);
                let dividends = (0..length).map(|i| {
                    let x = Value::new(dtype, values.bits()).to_i128();
                    let multiple = x.checked_div(divisor).unwrap_or(x).wrapping_mul(divisor);
                    [x, multiple, multiple - 1, multiple + 1][i % 4]
                });
                let inputs = [integers(dtype, &[length], dividends), integers(dtype, &[], [divisor])];
                on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
            }
        }
    }
}

/// Rows with divisors of their own, one of which is 0: only a divisor that divides something is reported.
#[test]
fn a_divisor_of_zero_in_a_row_is_reported() {
    let levels = check::levels();
    for dtype in integer_dtypes() {
        for cell in DIVISIONS.into_iter().filter_map(|op| built(op, dtype)) {
            for zero in 0..5 {
                let divisors = (0..4).map(|row| if row == zero { 0 } else { row as i128 + 2 });
                let inputs = [integers(dtype, &[4, 301], 0..4 * 301), integers(dtype, &[4, 1], divisors)];
                assert!(is_splat(cell, &inputs), "{cell:?}");
                on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
            }
        }
    }
}

/// Exponents that padding must not be, and those of every number of bits.
#[test]
fn negative_exponents_are_reported_exactly() {
    let levels = check::levels();
    for dtype in integer_dtypes() {
        let Some(cell) = built(Op::Pow, dtype) else { continue };
        for length in (1..40).chain([63, 64, 65, 127, 257, 300]) {
            for negative in [length, 0, length / 2, length - 1] {
                let exponents = (0..length).map(|i| if i == negative { -1 - (i as i128 % 2) } else { 1 << (i % 7) });
                let bases = (0..length).map(|i| i as i128 % 5 - 2);
                let inputs = [integers(dtype, &[length], bases), integers(dtype, &[length], exponents)];
                let (_, met) = crate::answer(cell, &Broadcast::Numpy, &inputs);
                let signed = Value::from_i128(dtype, -1).to_i128() < 0;
                assert_eq!(met.negative_exponent, signed && negative < length);
                on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
            }
        }
        let width = 8 * dtype.size();
        let exponents = (0..40 * width).map(|i| (1i128 << (i % width)) - (i as i128 / width as i128) % 2);
        let mut values = Values::new(dtype, 6);
        let bases: Vec<i128> = (0..40 * width).map(|_| values.bits() as i128).collect();
        let inputs = [integers(dtype, &[40 * width], bases), integers(dtype, &[40 * width], exponents)];
        on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
    }
}

#[test]
fn quotients_of_floats_of_every_size() {
    let levels = check::levels();
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float()) {
        for (seed, op) in [Op::FloorDivide, Op::Remainder, Op::Fmod].into_iter().enumerate() {
            let Some(cell) = built(op, dtype) else { continue };
            let mut random = Random(seed as u64);
            let (x, y): (Vec<u128>, Vec<u128>) = (0..20_000).map(|_| floats(dtype, &mut random).into()).unzip();
            let operand = |bits: Vec<u128>| {
                let mut data = Vec::new();
                bits.iter().for_each(|&b| Value::new(dtype, b).write(&mut data));
                Operand::holding(
                    &Tensor::new(dtype, Shape::new(&[20_000]), data).expect("as many as elements"),
                    &Arrangement::dense(),
                )
            };
            on_every_level(cell, &Broadcast::Numpy, &[operand(x), operand(y)], None, &levels).unwrap();
        }
    }
}

/// Floors that lie between two floats, and quotients next to them that do not.
#[test]
fn floors_halfway_between_floats() {
    let levels = check::levels();
    let Some(cell) = built(Op::FloorDivide, DType::F64) else { return };
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
        Operand::holding(
            &Tensor::new(DType::F64, Shape::new(&[numbers.len()]), data).expect("as many numbers as elements"),
            &Arrangement::dense(),
        )
    };
    on_every_level(cell, &Broadcast::Numpy, &[operand(&x), operand(&y)], None, &levels).unwrap();
}
