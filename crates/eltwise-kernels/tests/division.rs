//! Integer divisions equal scalar divisions on every ISA, with a divisor per element and with a splat divisor per row.

use core::fmt::Debug;
use core::sync::atomic::{AtomicU32, Ordering};

use eltwise_core::{DType, Op};
use eltwise_simd::{Isa, int_div::Integer};

use eltwise_kernels::{Call, Operand, ZERO_DIVISION, kernel};
use eltwise_testkit::Random;

/// The result of an operator for a pair. `times` and `minus` are the wrapping operations of the integer type.
fn expected<C: Integer>(op: Op, x: C, y: C, times: fn(C, C) -> C, minus: fn(C, C) -> C) -> C {
    let rest = |q: C| if y == C::ZERO { C::ZERO } else { minus(x, times(q, y)) };
    match op {
        Op::FloorDivide => x.div_floor(y),
        Op::Remainder => rest(x.div_floor(y)),
        Op::Fmod => rest(x.div_trunc(y)),
        _ => x.div_trunc(y),
    }
}

const OPERATORS: [Op; 5] = [Op::Divide, Op::TruncDivide, Op::FloorDivide, Op::Remainder, Op::Fmod];

/// Compares every operator on every available ISA with scalar divisions, for pairs of dividend and divisor.
fn check<C: Integer + Debug>(dtype: DType, (x, y): (&[C], &[C]), times: fn(C, C) -> C, minus: fn(C, C) -> C) {
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        for op in OPERATORS {
            let mut out = vec![C::ONE; x.len()];
            let flags = AtomicU32::new(0);
            let operand = |v: &[C]| Operand { ptr: v.as_ptr().cast_mut().cast(), row: 0, splat: false };
            let call = Call {
                rows: 1,
                cols: x.len(),
                out: Operand { ptr: out.as_mut_ptr().cast(), row: 0, splat: false },
                ins: [operand(x), operand(y), Operand::NONE, Operand::NONE],
                flags: &raw const flags,
            };
            let kernel = kernel(op, dtype, dtype, isa).expect("the kernel is in the table").kernel;
            // SAFETY: the ISA is available; the operands have as many elements as the call has columns.
            unsafe { kernel(&call) };
            let reported = flags.load(Ordering::Relaxed) & ZERO_DIVISION != 0;
            assert_eq!(reported, y.contains(&C::ZERO), "{op} {dtype} {isa}");
            for ((&x, &y), &got) in x.iter().zip(y).zip(&out) {
                let expect = expected(op, x, y, times, minus);
                assert!(got == expect, "{op}({x:?}, {y:?}) on {isa}: {got:?} is not {expect:?}");
            }
        }
    }
}

/// Compares every operator on every available ISA with scalar divisions, for one row of dividends `x` and a splat
/// divisor per row.
fn check_splats<C: Integer + Debug>(
    dtype: DType,
    (x, divisors): (&[C], &[C]),
    times: fn(C, C) -> C,
    minus: fn(C, C) -> C,
) {
    let size = size_of::<C>();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        for op in OPERATORS {
            let mut out = vec![C::ONE; x.len() * divisors.len()];
            let flags = AtomicU32::new(0);
            let call = Call {
                rows: divisors.len(),
                cols: x.len(),
                out: Operand { ptr: out.as_mut_ptr().cast(), row: size_of_val(x) as isize, splat: false },
                ins: [
                    Operand { ptr: x.as_ptr().cast_mut().cast(), row: 0, splat: false },
                    Operand { ptr: divisors.as_ptr().cast_mut().cast(), row: size as isize, splat: true },
                    Operand::NONE,
                    Operand::NONE,
                ],
                flags: &raw const flags,
            };
            let kernel = kernel(op, dtype, dtype, isa).expect("the kernel is in the table").kernel;
            // SAFETY: the ISA is available; the operands have as many rows and columns as the call.
            unsafe { kernel(&call) };
            let reported = flags.load(Ordering::Relaxed) & ZERO_DIVISION != 0;
            assert_eq!(reported, divisors.contains(&C::ZERO), "{op} {dtype} {isa}");
            for (&d, row) in divisors.iter().zip(out.chunks(x.len())) {
                for (&x, &got) in x.iter().zip(row) {
                    let expect = expected(op, x, d, times, minus);
                    assert!(got == expect, "{op}({x:?}, {d:?}) on {isa}: {got:?} is not {expect:?}");
                }
            }
        }
    }
}

macro_rules! types {
    ($($test:ident $t:ident $dtype:ident;)*) => {$(
        #[test]
        fn $test() {
            let (mut x, mut y) = (vec![], vec![]);
            if $t::BITS == 8 {
                for a in $t::MIN..=$t::MAX {
                    for b in $t::MIN..=$t::MAX {
                        x.push(a);
                        y.push(b);
                    }
                }
            }
            let edges = [0, 1, 2, 3, 7, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, (0 as $t).wrapping_sub(1),
                (0 as $t).wrapping_sub(2), $t::MAX / 2, $t::MIN / 2, $t::MAX / 2 + 1];
            for a in edges {
                for b in edges {
                    x.push(a);
                    y.push(b);
                }
            }
            let mut random = Random(5);
            for i in 0..300_000u32 {
                // Integers of every number of bits; multiples of the divisor and their neighbours.
                let b = (random.bits() as $t) >> (random.bits() % u64::from($t::BITS)) as u32;
                let q = (random.bits() as $t) >> (random.bits() % u64::from($t::BITS)) as u32;
                let offset = [0, 1, (0 as $t).wrapping_sub(1)][i as usize % 3];
                x.push(if i % 4 == 0 { q } else { q.wrapping_mul(b).wrapping_add(offset) });
                y.push(b);
                if i % 5 == 0 && b != 0 {
                    // The largest quotient of a divisor.
                    x.push(($t::MAX / b).wrapping_mul(b).wrapping_add(offset));
                    y.push(b);
                }
            }
            check(DType::$dtype, (&x, &y), $t::wrapping_mul, $t::wrapping_sub);
            let (x, y): (Vec<$t>, Vec<$t>) = x.into_iter().zip(y).filter(|p| p.1 != 0).unzip();
            check(DType::$dtype, (&x, &y), $t::wrapping_mul, $t::wrapping_sub);

            // Splat divisors: all of 8 bits; else the limits, powers of two with their neighbours, and many others.
            let mut divisors: Vec<$t> = edges.into();
            divisors.extend((0..$t::BITS).flat_map(|i| [-1, 0, 1].map(|offset| ((1 as $t) << i).wrapping_add(offset as $t))));
            divisors.extend(divisors.clone().into_iter().map(|d| (0 as $t).wrapping_sub(d)));
            let step = if $t::BITS == 8 { 1 } else { y.len() / 300 };
            divisors.extend(y.iter().step_by(step).take(70_000));
            divisors.sort_unstable();
            divisors.dedup();
            let mut dividends: Vec<$t> = edges.into();
            let step = if $t::BITS == 8 { 255 } else { x.len() / 400 };
            dividends.extend(x.iter().step_by(step).take(1000));
            check_splats(DType::$dtype, (&dividends, &divisors), $t::wrapping_mul, $t::wrapping_sub);
            divisors.retain(|&d| d != 0);
            check_splats(DType::$dtype, (&dividends, &divisors), $t::wrapping_mul, $t::wrapping_sub);
        }
    )*};
}

types! {
    i8_is_divided_exactly i8 I8; u8_is_divided_exactly u8 U8;
    i16_is_divided_exactly i16 I16; u16_is_divided_exactly u16 U16;
    i32_is_divided_exactly i32 I32; u32_is_divided_exactly u32 U32;
    i64_is_divided_exactly i64 I64; u64_is_divided_exactly u64 U64;
}

/// Up to 50 bits, 64-bit lanes divide in `f64`.
#[test]
fn i64_of_up_to_50_bits_is_divided_exactly() {
    let mut random = Random(9);
    let (mut x, mut y) = (vec![], vec![]);
    for i in 0..300_000i64 {
        let b = (random.bits() as i64 >> 14) >> (random.bits() % 50);
        let a = random.bits() as i64 >> 14;
        let a = if i % 2 == 0 || b == 0 { a } else { a / b * b + i % 3 - 1 };
        let low = |v: i64| v.clamp(-1 << 50, (1 << 50) - 1);
        x.push(low(a));
        y.push(if b == 0 { 1 } else { low(b) });
    }
    check(DType::I64, (&x, &y), i64::wrapping_mul, i64::wrapping_sub);
}

/// Quotients that the 64-bit divisions in `f64` compute in one step, in two steps, and not at all.
#[test]
fn quotients_of_every_size_of_64_bit_integers_are_exact() {
    let mut random = Random(11);
    let (mut x, mut y) = (vec![], vec![]);
    for bits in 1..64 {
        // All quotients of a vector have one size. Dividends are multiples of the divisor, or next to one.
        for _ in 0..512 {
            let b = random.bits() >> (random.bits() % bits) >> (64 - bits) | 1;
            let q = random.bits() >> bits;
            for offset in [0, 1, u64::MAX, b / 2] {
                x.push(q.wrapping_mul(b).wrapping_add(offset));
                y.push(b);
            }
        }
    }
    check(DType::U64, (&x, &y), u64::wrapping_mul, u64::wrapping_sub);
    let signed = |v: &[u64]| {
        v.iter()
            .enumerate()
            .map(|(i, &v)| if i % 3 == 0 { (v as i64).wrapping_neg() } else { v as i64 })
            .collect::<Vec<_>>()
    };
    let (x, y) = (signed(&x), signed(&y));
    check(DType::I64, (&x, &y), i64::wrapping_mul, i64::wrapping_sub);
}

/// One splat divisor for all rows, with a splat dividend per row, and a call without columns.
#[test]
fn one_divisor_for_all_rows_divides_exactly() {
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        for (cols, divisor, reported) in [(5usize, 0i32, true), (0, 0, false), (77, -7, false)] {
            let (x, mut out) = ([100, -100, i32::MIN], vec![1; 3 * cols]);
            let flags = AtomicU32::new(0);
            let call = Call {
                rows: 3,
                cols,
                out: Operand { ptr: out.as_mut_ptr().cast(), row: 4 * cols as isize, splat: false },
                ins: [
                    Operand { ptr: x.as_ptr().cast_mut().cast(), row: 4, splat: true },
                    Operand { ptr: (&raw const divisor).cast_mut().cast(), row: 0, splat: true },
                    Operand::NONE,
                    Operand::NONE,
                ],
                flags: &raw const flags,
            };
            let kernel = kernel(Op::FloorDivide, DType::I32, DType::I32, isa).expect("it is in the table").kernel;
            // SAFETY: the ISA is available; the operands have as many rows and columns as the call.
            unsafe { kernel(&call) };
            assert_eq!(flags.load(Ordering::Relaxed) == ZERO_DIVISION, reported, "{isa}");
            for (at, &got) in out.iter().enumerate() {
                assert_eq!(got, Integer::div_floor(x[at / cols], divisor), "{isa} {divisor}");
            }
        }
    }
}
