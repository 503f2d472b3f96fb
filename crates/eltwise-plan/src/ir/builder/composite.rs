//! Composite operators: operators without a kernel, which a builder replaces by steps of other operators. [`is_composite`] tells
//! which.
//!
//! | operator | steps |
//! |---|---|
//! | `sum`, `mean`; `maximum`, `minimum` of more than two operands | one operand after the other; sums of f16 and bf16 in f32 |
//! | `cast_saturating` | `clamp` to the target's range, `cast` |
//! | `ldexp` | `scalb` with the exponent as a float |
//! | `bitwise_count` | `popcount` of `abs`, a cast to u8 |
//! | `mantissa`, `exponent` | `logb`, and `scalb` |
//! | math over f16 and bf16 | a cast to f32 (correctly rounded: to f64), the operator, a cast back |
//! | math over f32, correctly rounded, without a kernel for that tier | a cast to f64, the operator, a cast back |
//! | `quantize_linear`, `dequantize_linear` | divide, round and add, or subtract and multiply, in f32 (f64 if the integers are i32) |

use eltwise_core::{Accuracy, Broadcast, Constant, DType, Error, Op};
use smallvec::SmallVec;

use crate::ir::builder::ProgramBuilder;
use crate::ir::program::ValueId;

/// Whether a step of this operator over operands of these dtypes becomes several steps, possibly with constants.
pub fn is_composite(op: Op, operands: &[DType], accuracy: Accuracy) -> bool {
    let t = operands.first().copied().unwrap_or(DType::F32);
    match op {
        Op::Maximum | Op::Minimum => operands.len() > 2,
        _ if op.is_composite(t) => true,
        _ => accuracy == Accuracy::CorrectlyRounded && op.info().is_math(t) && !op.has_tier_kernel(t, accuracy),
    }
}

/// Whether this operator over operands of these dtypes has a kernel for this tier of accuracy, which is not `Fast`.
pub(crate) fn has_tier_kernel(op: Op, operands: &[DType], accuracy: Accuracy) -> bool {
    operands.first().is_some_and(|&t| op.has_tier_kernel(t, accuracy))
}

/// Adds the steps of a composite operator to a program. The operands must be well typed.
pub(crate) struct Composer<'b> {
    pub(crate) builder: &'b mut ProgramBuilder,
    /// The broadcast mode of the operands.
    pub(crate) mode: Broadcast,
}

impl Composer<'_> {
    /// The value of `op` over `args`, whose dtypes are `dtypes`. The result has dtype `to`.
    pub(crate) fn compose(&mut self, op: Op, args: &[ValueId], dtypes: &[DType], to: DType) -> Result<ValueId, Error> {
        match op {
            Op::Maximum | Op::Minimum => self.fold(op, args),
            Op::Sum | Op::Mean => self.sum(op, args, to),
            Op::CastSaturating => self.cast_saturating(args[0], dtypes[0], to),
            Op::Ldexp => self.ldexp(args, dtypes),
            Op::Mantissa | Op::Exponent => self.frexp(op, args[0], dtypes[0]),
            Op::BitwiseCount => self.bitwise_count(args[0]),
            Op::QuantizeLinear => self.quantize(args, to),
            Op::DequantizeLinear => self.dequantize(args, dtypes, to),
            _ => self.math(op, args, dtypes[0]),
        }
    }

    /// Computes in a wider dtype and rounds to `t` at the end. The error of the wider result is far below that of the rounding.
    fn math(&mut self, op: Op, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let accuracy = self.builder.accuracy();
        let wider = match (t, accuracy) {
            (DType::F16 | DType::BF16, Accuracy::Fast) => DType::F32,
            (DType::F16 | DType::BF16 | DType::F32, _) => DType::F64,
            _ => {
                let operands = args.iter().map(|_| t).collect();
                let why = "f64 has no correctly rounded results: expected accuracy fast";
                return Err(Error::Operand { op, operands, operand: 0, why });
            }
        };
        let wide: SmallVec<[ValueId; 4]> = args.iter().map(|&x| self.cast(x, wider)).collect::<Result<_, _>>()?;
        self.builder.set_accuracy(if wider == DType::F64 { Accuracy::RoundToOdd } else { Accuracy::Fast });
        let result = self.join(op, &wide);
        self.builder.set_accuracy(accuracy);
        let mut result = self.cast(result?, t)?;
        for &(x, exact) in if t == DType::F32 { exceptions(op) } else { &[] } {
            let (x, exact) = (self.integer(t, x.into()), self.integer(t, exact.into()));
            let is_x = self.plain(Op::Equal, &[args[0], x])?;
            result = self.plain(Op::Where, &[is_x, exact, result])?;
        }
        Ok(result)
    }

    fn fold(&mut self, op: Op, args: &[ValueId]) -> Result<ValueId, Error> {
        args[1..].iter().try_fold(args[0], |all, &next| self.join(op, &[all, next]))
    }

    fn sum(&mut self, op: Op, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        // The sum of two operands is rounded once in any case.
        let compute = if op == Op::Sum && args.len() < 3 { t } else { t.compute() };
        let wide: SmallVec<[ValueId; 4]> = args.iter().map(|&x| self.cast(x, compute)).collect::<Result<_, _>>()?;
        let mut sum = self.fold(Op::Add, &wide)?;
        if op == Op::Mean {
            let n = self.number(compute, args.len() as f64);
            sum = self.plain(Op::Divide, &[sum, n])?;
        }
        self.cast(sum, t)
    }

    fn cast_saturating(&mut self, mut x: ValueId, mut from: DType, to: DType) -> Result<ValueId, Error> {
        if from == DType::Bool || to == DType::Bool || from == to {
            return self.cast(x, to);
        }
        if from == DType::BF16 && to == DType::F16 {
            // The largest f16 is not a bf16.
            (x, from) = (self.cast(x, DType::F32)?, DType::F32);
        }
        let (source, target) = (finite_range(from), finite_range(to));
        // A cast of floats to integers saturates; NaN becomes 0.
        if !(from.is_float() && to.is_integer()) && (source.0 < target.0 || source.1 > target.1) {
            let (low, high) = if from.is_float() {
                (self.number(from, target.0), self.number(from, target.1))
            } else {
                // The only float dtype that is narrower than an integer dtype is f16.
                let target = if to.is_integer() { to.integer_range() } else { -65504..=65504 };
                let source = from.integer_range();
                let (low, high) = (*source.start().max(target.start()), *source.end().min(target.end()));
                (self.integer(from, low), self.integer(from, high))
            };
            x = self.plain(Op::Clamp, &[x, low, high])?;
        }
        self.cast(x, to)
    }

    fn ldexp(&mut self, args: &[ValueId], dtypes: &[DType]) -> Result<ValueId, Error> {
        let (t, n) = (dtypes[0], dtypes[1]);
        // Beyond these exponents every result is 0 or infinite. A float holds them exactly.
        let (low, high) = (self.integer(n, -5000), self.integer(n, 5000));
        let n = self.plain(Op::Clamp, &[args[1], low, high])?;
        let n = self.cast(n, t.compute())?;
        let x = self.cast(args[0], t.compute())?;
        let scaled = self.join(Op::Scalb, &[x, n])?;
        self.cast(scaled, t)
    }

    fn frexp(&mut self, op: Op, x: ValueId, t: DType) -> Result<ValueId, Error> {
        let x = self.cast(x, t.compute())?;
        let power = self.plain(Op::Logb, &[x])?;
        let one = self.number(t.compute(), 1.0);
        let exponent = self.plain(Op::Add, &[power, one])?;
        // Zeros, infinities and NaN have no exponent.
        let has_exponent = self.plain(Op::IsFinite, &[power])?;
        if op == Op::Exponent {
            let zero = self.number(t.compute(), 0.0);
            let exponent = self.plain(Op::Where, &[has_exponent, exponent, zero])?;
            return self.cast(exponent, DType::I32);
        }
        let negative = self.plain(Op::Negative, &[exponent])?;
        let mantissa = self.plain(Op::Scalb, &[x, negative])?;
        let mantissa = self.plain(Op::Where, &[has_exponent, mantissa, x])?;
        self.cast(mantissa, t)
    }

    /// `abs` wraps for the lowest integer. The result has the bits of the magnitude.
    fn bitwise_count(&mut self, x: ValueId) -> Result<ValueId, Error> {
        let magnitude = self.plain(Op::Abs, &[x])?;
        let count = self.plain(Op::Popcount, &[magnitude])?;
        self.cast(count, DType::U8)
    }

    fn quantize(&mut self, args: &[ValueId], to: DType) -> Result<ValueId, Error> {
        let x = self.cast(args[0], DType::F32)?;
        let scale = self.cast(args[1], DType::F32)?;
        let quotient = self.join(Op::Divide, &[x, scale])?;
        let whole = self.plain(Op::Round, &[quotient])?;
        // The sum is exact: in f64 for i32; in f32 between these limits, which are beyond every 16-bit result.
        let (whole, exact) = if to == DType::I32 {
            (self.cast(whole, DType::F64)?, DType::F64)
        } else {
            let (low, high) = (self.number(DType::F32, -4e5), self.number(DType::F32, 4e5));
            (self.plain(Op::Clamp, &[whole, low, high])?, DType::F32)
        };
        let zero_point = self.cast(args[2], exact)?;
        let sum = self.join(Op::Add, &[whole, zero_point])?;
        self.cast(sum, to)
    }

    fn dequantize(&mut self, args: &[ValueId], dtypes: &[DType], to: DType) -> Result<ValueId, Error> {
        // Differences of 16-bit integers are exact in f32, differences of 32-bit integers in f64.
        let exact = if dtypes[0] == DType::I32 { DType::F64 } else { DType::F32 };
        let x = self.cast(args[0], exact)?;
        let zero_point = self.cast(args[2], exact)?;
        let difference = self.join(Op::Subtract, &[x, zero_point])?;
        let difference = self.cast(difference, DType::F32)?;
        let scale = self.cast(args[1], DType::F32)?;
        let product = self.join(Op::Multiply, &[difference, scale])?;
        self.cast(product, to)
    }

    /// A step over the operands of the composite operator, in their broadcast mode.
    fn join(&mut self, op: Op, args: &[ValueId]) -> Result<ValueId, Error> {
        self.builder.step(op, args, None, self.mode.clone())
    }

    /// A step over one operand and scalars, or over values of one shape.
    fn plain(&mut self, op: Op, args: &[ValueId]) -> Result<ValueId, Error> {
        self.builder.step(op, args, None, Broadcast::Numpy)
    }

    fn cast(&mut self, x: ValueId, to: DType) -> Result<ValueId, Error> {
        self.builder.step(Op::Cast, &[x], Some(to), Broadcast::Numpy)
    }

    fn integer(&mut self, dtype: DType, x: i128) -> ValueId {
        let bits = x as u128 & (u128::MAX >> (128 - 8 * dtype.size()));
        self.builder.constant(Constant { dtype, bits })
    }

    /// `x` as f32 or f64.
    fn number(&mut self, dtype: DType, x: f64) -> ValueId {
        let bits = if dtype == DType::F64 { x.to_bits() } else { u64::from((x as f32).to_bits()) };
        self.builder.constant(Constant { dtype, bits: bits.into() })
    }
}

/// Inputs of `f32` whose `f64` result rounds to a different `f32` than the exact value, with the correct result (both as bits).
/// `eltwise verify` finds them.
const fn exceptions(op: Op) -> &'static [(u32, u32)] {
    match op {
        Op::Sinh => &[(0x3a12_85ff, 0x3a12_85ff), (0xba12_85ff, 0xba12_85ff)],
        Op::Erfc => &[(0xb76c_9f62, 0x3f80_0085)],
        Op::Logit => &[(0x3489_cc36, 0xc172_cec5)],
        _ => &[],
    }
}

/// The smallest and the largest finite number of a dtype, rounded to f64: enough to compare dtypes.
fn finite_range(dtype: DType) -> (f64, f64) {
    let largest = match dtype {
        DType::F16 => 65504.0,
        DType::BF16 => f64::from(f32::from_bits(0x7f7f_0000)),
        DType::F32 => f64::from(f32::MAX),
        DType::F64 => f64::MAX,
        _ => {
            let range = dtype.integer_range();
            return (*range.start() as f64, *range.end() as f64);
        }
    };
    (-largest, largest)
}
