//! Values that are slow on some processors or in some kernels. [`cases`] lists the operators and values.

use core::fmt;

use eltwise::{Broadcast, DType, Error, Op, Program, Signature};
use eltwise_benches::operand::fill;
use eltwise_reference::Value;

/// Elements of an operand; all operands together fit L1.
pub const ELEMENTS: usize = 2048;
/// One in this many elements is special, unless all are.
const SPARSE_STEP: usize = 100;

/// The kind of the special elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Floats below the smallest normal one, of both signs.
    Subnormal,
    /// Quiet NaN.
    Nan,
    /// Infinities of both signs.
    Infinity,
    /// A quotient near the largest that the dtype's exponents allow.
    HugeQuotient,
    /// Integers of all magnitudes.
    Wide,
    /// Zero as the divisor.
    ZeroDivisor,
    /// Floats of both signs from 65536 to the largest finite one; for `f16` from 32768.
    Large,
    /// Floats of both signs from 4 to 16, where activations and error functions approach their limits.
    Outer,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Subnormal => "subnormal",
            Kind::Nan => "NaN",
            Kind::Infinity => "infinity",
            Kind::HugeQuotient => "huge quotient",
            Kind::Wide => "wide",
            Kind::ZeroDivisor => "zero divisor",
            Kind::Large => "large",
            Kind::Outer => "outer",
        })
    }
}

/// An operator over special values.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The operator.
    pub op: Op,
    /// The dtype of its operands.
    pub dtype: DType,
    /// The dtype of the result of a conversion.
    pub target: Option<DType>,
    /// The values.
    pub kind: Kind,
    /// Whether every element is special, or one in 100.
    pub all: bool,
}

impl Case {
    /// Operator, target and values: `cast f16, subnormal, some`.
    pub fn title(&self) -> String {
        let target = self.target.map(|t| format!(" {t}")).unwrap_or_default();
        let share = if self.all { "all" } else { "some" };
        format!("{}{target}, {}, {share}", self.op, self.kind)
    }

    /// The program.
    ///
    /// # Errors
    /// When the operator does not take the dtype.
    pub fn program(&self) -> Result<Program, Error> {
        Program::single(self.op, &vec![self.dtype; self.op.arity()], self.target, Broadcast::Numpy)
    }

    /// The largest allowed factor of a math operator; `None` for other operators.
    pub fn bar(&self) -> Option<f64> {
        self.op.info().is_math(self.dtype).then_some(if self.all { 6.0 } else { 1.5 })
    }

    /// Fills operand `operand` with ordinary values, for which the operator has a finite result.
    pub fn fill_ordinary(&self, operand: usize, bytes: &mut [u8]) {
        fill(bytes, self.dtype, 12345 + operand as u32);
        // `fill` gives 0.5 to 4.5.
        let (factor, term) = match self.op {
            Op::Asin | Op::Acos | Op::Atanh | Op::Erfinv => (0.4, -1.0),
            Op::Logit | Op::Ndtri => (0.2, 0.05),
            Op::Erfcinv => (0.4, 0.05),
            // The limits are below 1/2.
            Op::ClampedLogit => (0.1, 0.0),
            Op::Acosh => (1.0, 0.75),
            _ => return,
        };
        let mut written = vec![];
        for element in bytes.chunks_exact_mut(self.dtype.size()) {
            let value = Value::from_f64(self.dtype, Value::read(self.dtype, element).to_f64() * factor + term);
            written.clear();
            value.write(&mut written);
            element.copy_from_slice(&written);
        }
    }

    /// Fills operand `operand` with special values, or with ordinary ones and some special ones.
    pub fn fill(&self, operand: usize, bytes: &mut [u8]) {
        self.fill_ordinary(operand, bytes);
        let mut state = 88172645463325252u64 + operand as u64;
        let mut written = vec![];
        for (i, element) in bytes.chunks_exact_mut(self.dtype.size()).enumerate() {
            // Marsaglia, "Xorshift RNGs" (2003).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if !self.all && i % SPARSE_STEP != 5 {
                continue;
            }
            if let Some(value) = self.kind.value(self.dtype, operand, state) {
                written.clear();
                value.write(&mut written);
                element.copy_from_slice(&written);
            }
        }
    }
}

impl Kind {
    /// The special value of an operand from random bits; `None` if the operand keeps its ordinary value.
    fn value(self, dtype: DType, operand: usize, random: u64) -> Option<Value> {
        let bits = |x: f64| Value::from_f64(dtype, x).bits;
        let sign = u128::from(random >> 63) << (8 * dtype.size() - 1);
        let infinity = bits(f64::INFINITY);
        let smallest_normal = infinity & infinity.wrapping_neg();
        let fraction = u128::from(random) & (smallest_normal - 1);
        let value = match self {
            Kind::Subnormal => sign | fraction.max(1),
            Kind::Nan => bits(f64::NAN),
            Kind::Infinity => sign | infinity,
            Kind::HugeQuotient if operand == 0 => (infinity - smallest_normal) | fraction,
            Kind::HugeQuotient => smallest_normal | fraction,
            Kind::Wide => wide(8 * dtype.size() as u32, random),
            Kind::Large => {
                let low = bits(if dtype == DType::F16 { 32768.0 } else { 65536.0 });
                sign | (low + u128::from(random >> 1) % (infinity - low))
            }
            Kind::Outer => sign | bits(4.0 + 12.0 * ((random << 1 >> 12) as f64 / (1u64 << 52) as f64)),
            Kind::ZeroDivisor if operand == 0 => return None,
            Kind::ZeroDivisor => 0,
        };
        Some(Value::new(dtype, value))
    }
}

/// A non-zero integer of `width` bits and either sign, with a random number of leading zeros.
fn wide(width: u32, random: u64) -> u128 {
    let zeros = (random >> 57) as u32 % (width - 1);
    let magnitude = ((random & (u64::MAX >> (65 - width))) >> zeros) | 1;
    let signed = i128::from(magnitude);
    (if random >> 56 & 1 == 1 { -signed } else { signed }) as u128
}

/// All cases: float operators over subnormals, NaN and infinities, math operators also over large arguments, and
/// division also over huge quotients; integer division, gcd and lcm over integers of all magnitudes, and division also
/// by zero.
pub fn cases() -> Vec<Case> {
    let mut cases = vec![];
    let mut push = |op: Op, dtype: DType, target: Option<DType>, kind: Kind| {
        cases.extend([true, false].map(|all| Case { op, dtype, target, kind, all }));
    };
    for &op in Op::ALL {
        let divides = matches!(op, Op::Fmod | Op::Remainder | Op::FloorDivide | Op::Divide);
        for dtype in [DType::F16, DType::F32, DType::F64].into_iter().filter(|&d| op.info().takes(d)) {
            for target in targets(op, dtype) {
                for kind in [Kind::Subnormal, Kind::Nan, Kind::Infinity] {
                    push(op, dtype, target, kind);
                }
                if divides {
                    push(op, dtype, target, Kind::HugeQuotient);
                }
            }
            if op.info().is_math(dtype) {
                push(op, dtype, None, Kind::Large);
                push(op, dtype, None, Kind::Outer);
            }
        }
        let is_data_dependent = divides || matches!(op, Op::TruncDivide | Op::Gcd | Op::Lcm);
        for dtype in [DType::U8, DType::I16, DType::I32, DType::I64].into_iter().filter(|&d| op.info().takes(d)) {
            if is_data_dependent {
                push(op, dtype, None, Kind::Wide);
            }
            if divides || op == Op::TruncDivide {
                push(op, dtype, None, Kind::ZeroDivisor);
            }
        }
    }
    cases
}

/// The target dtypes of an operator over floats: one `None` if it takes no target. Empty for operators that only move
/// bits or have operands of other dtypes.
fn targets(op: Op, dtype: DType) -> Vec<Option<DType>> {
    match op.signature() {
        Signature::Convert if op == Op::Bitcast => vec![],
        Signature::Convert => {
            let all = [DType::F16, DType::F32, DType::F64, DType::I32, DType::U8];
            all.into_iter().filter(|&to| to != dtype).map(Some).collect()
        }
        Signature::Move | Signature::Select | Signature::Scale => vec![],
        Signature::Quantize | Signature::Dequantize | Signature::Tolerance => vec![],
        _ => vec![None],
    }
}

#[cfg(test)]
mod tests {
    use eltwise_reference::{Tensor, evaluate};

    use super::*;

    fn values(kind: Kind, dtype: DType, operand: usize, all: bool) -> Vec<Value> {
        let mut bytes = vec![0; 320 * dtype.size()];
        Case { op: Op::Fmod, dtype, target: None, kind, all }.fill(operand, &mut bytes);
        bytes.chunks(dtype.size()).map(|b| Value::read(dtype, b)).collect()
    }

    #[test]
    fn values_have_the_properties_of_their_kind() {
        for (dtype, normal) in
            [(DType::F16, 6.103515625e-5), (DType::F32, 1.1754943508222875e-38), (DType::F64, 2.2250738585072014e-308)]
        {
            let subnormal = values(Kind::Subnormal, dtype, 0, true);
            assert!(subnormal.iter().all(|v| v.to_f64() != 0.0 && v.to_f64().abs() < normal));
            assert!(subnormal.iter().any(|v| v.to_f64() < 0.0) && subnormal.iter().any(|v| v.to_f64() > 0.0));
            assert!(values(Kind::Nan, dtype, 1, true).iter().all(|v| v.is_nan()));
            assert!(values(Kind::Infinity, dtype, 1, true).iter().all(|v| v.to_f64().is_infinite()));
            let (x, y) = (values(Kind::HugeQuotient, dtype, 0, true), values(Kind::HugeQuotient, dtype, 1, true));
            assert!(x.iter().zip(&y).all(|(x, y)| x.to_f64().is_finite() && x.to_f64() / y.to_f64() > 1e8));
            assert!(y.iter().all(|y| y.to_f64() >= normal));
            let (large, outer) = (values(Kind::Large, dtype, 0, true), values(Kind::Outer, dtype, 0, true));
            assert!(large.iter().all(|v| v.to_f64().is_finite() && v.to_f64().abs() >= 32768.0));
            assert!(outer.iter().all(|v| (4.0..=16.0).contains(&v.to_f64().abs())));
            assert!([large, outer].iter().all(|v| v.iter().any(|v| v.to_f64() < 0.0)));
        }
        assert!(values(Kind::ZeroDivisor, DType::I32, 1, true).iter().all(|v| v.bits == 0));
        assert!(values(Kind::ZeroDivisor, DType::I32, 0, true).iter().all(|v| v.bits != 0));
        let wide = values(Kind::Wide, DType::I64, 1, true);
        assert!(wide.iter().all(|v| v.bits != 0) && wide.iter().any(|v| v.to_i128() < 0));
        assert!(wide.iter().any(|v| v.to_i128() > 1 << 60) && wide.iter().any(|v| (1..1 << 16).contains(&v.to_i128())));
    }

    #[test]
    fn sparse_special_values_are_one_in_a_hundred() {
        let nan = values(Kind::Nan, DType::F32, 0, false).iter().filter(|v| v.is_nan()).count();
        assert_eq!(nan, 4);
    }

    #[test]
    fn ordinary_arguments_have_finite_results() {
        for op in Op::ALL.iter().copied().filter(|op| op.info().is_math(DType::F32)) {
            let case = Case { op, dtype: DType::F32, target: None, kind: Kind::Nan, all: true };
            let operand = |k: usize| {
                let mut bytes = vec![0; 4 * 509];
                case.fill_ordinary(k, &mut bytes);
                Tensor::new(DType::F32, [509], bytes).unwrap()
            };
            let operands: Vec<Tensor> = (0..op.arity()).map(operand).collect();
            let result = evaluate(op, &operands.iter().collect::<Vec<_>>(), None, &Broadcast::Numpy).unwrap();
            assert!(result.values().all(|v| v.to_f64().is_finite()), "{op}");
        }
    }

    #[test]
    fn every_float_operator_has_cases_and_every_case_has_a_program() {
        let all = cases();
        for case in &all {
            case.program().unwrap_or_else(|e| panic!("{}: {e}", case.title()));
        }
        for &op in Op::ALL.iter().filter(|op| op.info().takes(DType::F32) && !targets(**op, DType::F32).is_empty()) {
            for kind in [Kind::Subnormal, Kind::Nan, Kind::Infinity] {
                assert!(
                    all.iter().any(|c| c.op == op && c.kind == kind && c.dtype == DType::F32 && c.all),
                    "{op} {kind}"
                );
            }
        }
        let has = |op, dtype, kind| all.iter().any(|c| c.op == op && c.dtype == dtype && c.kind == kind);
        assert!(has(Op::Fmod, DType::F64, Kind::HugeQuotient) && has(Op::Remainder, DType::F32, Kind::HugeQuotient));
        assert!(has(Op::FloorDivide, DType::I64, Kind::Wide) && has(Op::Gcd, DType::I32, Kind::Wide));
    }
}
