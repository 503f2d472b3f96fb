//! divide, and the divisions of integers. x / 0 and x % 0 are 0 and reported, MIN / -1 wraps to MIN, MIN % -1 is 0.

use eltwise_simd::lanes::{Element, FloatLanes};
use eltwise_simd::quotient::QuotientLanes;

use super::Same2;
use crate::abi::ZERO_DIVISION;

/// x / y: IEEE for floats, toward zero for integers.
pub struct Divide;
/// The floor of x / y.
pub struct FloorDivide;
/// x / y toward zero.
pub struct TruncDivide;
/// x - y * floor_divide(x, y): the sign of y.
pub struct Remainder;
/// x - y * trunc_divide(x, y): the sign of x.
pub struct Fmod;

macro_rules! divide_floats {
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same2<$t, L> for Divide {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                l.div(a, b)
            }
        }
    )*};
}

divide_floats!(f32 f64);

// One row an operator: its result where the divisor is not 0.
macro_rules! integer_divisions {
    ($($name:ident ($l:ident $a:ident $b:ident) $result:expr, [$($t:ty)*];)*) => {$($(
        impl<L: QuotientLanes<$t>> Same2<$t, L> for $name {
            const CONDITION: u32 = ZERO_DIVISION;
            #[inline(always)]
            fn lanes($l: L, $a: L::V, $b: L::V) -> L::V {
                let zero = $l.splat(<$t>::ZERO);
                let result = $result;
                $l.select($l.eq($b, zero), zero, result)
            }
            #[inline(always)]
            fn condition(l: L, _a: L::V, b: L::V) -> L::M {
                l.eq(b, l.splat(<$t>::ZERO))
            }
        }
    )*)*};
}

integer_divisions! {
    Divide(l a b) l.quotient_toward_zero(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    TruncDivide(l a b) l.quotient_toward_zero(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    FloorDivide(l a b) l.quotient_down(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    Remainder(l a b) l.sub(a, l.mul(l.quotient_down(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
    Fmod(l a b) l.sub(a, l.mul(l.quotient_toward_zero(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};

    use eltwise_plan::{DType, Op};
    use eltwise_simd::{Isa, quotient::Integer};

    use crate::{Call, Operand, ZERO_DIVISION, kernel};

    /// Every kernel of every level that runs here against the scalar quotients.
    fn check<C: Integer + core::fmt::Debug>(
        dtype: DType,
        (x, y): (&[C], &[C]),
        times: fn(C, C) -> C,
        minus: fn(C, C) -> C,
    ) {
        let rest = |x: C, y: C, q: C| if y == C::ZERO { C::ZERO } else { minus(x, times(q, y)) };
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            for op in [Op::Divide, Op::TruncDivide, Op::FloorDivide, Op::Remainder, Op::Fmod] {
                let mut out = vec![C::ONE; x.len()];
                let flags = AtomicU32::new(0);
                let operand = |v: &[C]| Operand { ptr: v.as_ptr().cast_mut().cast(), row: 0, splat: false };
                let call = Call {
                    rows: 1,
                    cols: x.len(),
                    outs: [Operand { ptr: out.as_mut_ptr().cast(), row: 0, splat: false }, Operand::NONE],
                    ins: [operand(x), operand(y), Operand::NONE, Operand::NONE],
                    params: core::ptr::null(),
                    flags: &raw const flags,
                };
                let kernel = kernel(op, dtype, dtype, isa).expect("the kernel is in the table").kernel;
                // SAFETY: the level is available; the operands have as many elements as columns.
                unsafe { kernel(&call) };
                let reported = flags.load(Ordering::Relaxed) & ZERO_DIVISION != 0;
                assert_eq!(reported, y.contains(&C::ZERO), "{op} {dtype} {isa}");
                for ((&x, &y), &got) in x.iter().zip(y).zip(&out) {
                    let (toward_zero, down) = (x.quotient_toward_zero(y), x.quotient_down(y));
                    let expect = match op {
                        Op::FloorDivide => down,
                        Op::Remainder => rest(x, y, down),
                        Op::Fmod => rest(x, y, toward_zero),
                        _ => toward_zero,
                    };
                    assert!(got == expect, "{op}({x:?}, {y:?}) on {isa}: {got:?} is not {expect:?}");
                }
            }
        }
    }

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state ^ *state >> 29
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
                let mut state = 5;
                for i in 0..300_000u32 {
                    // Of all sizes; multiples of the divisor and what lies beside them.
                    let b = (random(&mut state) as $t) >> (random(&mut state) % u64::from($t::BITS)) as u32;
                    let q = (random(&mut state) as $t) >> (random(&mut state) % u64::from($t::BITS)) as u32;
                    let beside = [0, 1, (0 as $t).wrapping_sub(1)][i as usize % 3];
                    x.push(if i % 4 == 0 { q } else { q.wrapping_mul(b).wrapping_add(beside) });
                    y.push(b);
                    if i % 5 == 0 && b != 0 {
                        // The largest quotients of a divisor.
                        x.push(($t::MAX / b).wrapping_mul(b).wrapping_add(beside));
                        y.push(b);
                    }
                }
                check(DType::$dtype, (&x, &y), $t::wrapping_mul, $t::wrapping_sub);
                let (x, y): (Vec<$t>, Vec<$t>) = x.into_iter().zip(y).filter(|p| p.1 != 0).unzip();
                check(DType::$dtype, (&x, &y), $t::wrapping_mul, $t::wrapping_sub);
            }
        )*};
    }

    types! {
        i8_is_divided_exactly i8 I8; u8_is_divided_exactly u8 U8;
        i16_is_divided_exactly i16 I16; u16_is_divided_exactly u16 U16;
        i32_is_divided_exactly i32 I32; u32_is_divided_exactly u32 U32;
        i64_is_divided_exactly i64 I64; u64_is_divided_exactly u64 U64;
    }

    /// Small values, so that the 64-bit lanes take the way through floats.
    #[test]
    fn sixty_four_bits_below_fifty_are_divided_exactly() {
        let mut state = 9;
        let (mut x, mut y) = (vec![], vec![]);
        for i in 0..300_000i64 {
            let b = (random(&mut state) as i64 >> 14) >> (random(&mut state) % 50);
            let a = random(&mut state) as i64 >> 14;
            let a = if i % 2 == 0 || b == 0 { a } else { a / b * b + i % 3 - 1 };
            let low = |v: i64| v.clamp(-1 << 50, (1 << 50) - 1);
            x.push(low(a));
            y.push(if b == 0 { 1 } else { low(b) });
        }
        check(DType::I64, (&x, &y), i64::wrapping_mul, i64::wrapping_sub);
    }
}
