//! Composite operators: operators without a kernel, which a builder replaces by steps of other operators. [`is_composite`] tells
//! which.
//!
//! | operator | steps |
//! |---|---|
//! | `sum`, `mean`; `maximum`, `minimum` of more than two operands | one operand after the other; sums of f16 and bf16 in f32 |
//! | `cast_saturating` | `clamp` to the target's range, `cast` |
//! | `addcmul`, `addcdiv` | products, a quotient, a sum; of f16 and bf16 in f32 |
//! | `float_power` | casts to f64, `pow` |
//! | `nan_to_num` | `where` for each of the three values |
//! | `isclose` | the inequality and the equality, joined by `logical_or` |
//! | `spacing` | `nextafter` away from zero, a difference |
//! | `ldexp` | `scalb` with the exponent as a float |
//! | `round_decimals` | `pow` of 10, `round` between products and quotients, `where` |
//! | `clamped_logit` | `maximum`, `minimum`, `logit` |
//! | `parametric_softplus`, `parametric_selu` | `softplus` or `elu`, a product, a quotient; f16, bf16 and f32 in f64 |
//! | `bitwise_count` | `popcount` of `abs`, a cast to u8 |
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
            Op::AddCMul | Op::AddCDiv => self.add_scaled(op, args, to),
            Op::FloatPower => self.float_power(args),
            Op::NanToNum => self.nan_to_num(args, to),
            Op::IsClose => self.is_close(args, dtypes[0]),
            Op::Spacing => self.spacing(args[0], to),
            Op::Ldexp => self.ldexp(args, dtypes),
            Op::RoundDecimals => self.round_decimals(args, to),
            Op::ClampedLogit => self.clamped_logit(args, to),
            Op::ParametricSoftplus => self.parametric_softplus(args, to),
            Op::ParametricSelu => self.parametric_selu(args, to),
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

    fn add_scaled(&mut self, op: Op, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let compute = t.compute();
        let wide: SmallVec<[ValueId; 4]> = args.iter().map(|&x| self.cast(x, compute)).collect::<Result<_, _>>()?;
        // A product with 1 is exact.
        let is_one = self.builder.scalar(args[3]).and_then(Constant::to_f64) == Some(1.0);
        let scaled = if is_one { wide[1] } else { self.join(Op::Multiply, &[wide[3], wide[1]])? };
        let last = if op == Op::AddCMul { Op::Multiply } else { Op::Divide };
        let term = self.join(last, &[scaled, wide[2]])?;
        let sum = self.join(Op::Add, &[wide[0], term])?;
        self.cast(sum, t)
    }

    fn float_power(&mut self, args: &[ValueId]) -> Result<ValueId, Error> {
        let wide = [self.cast(args[0], DType::F64)?, self.cast(args[1], DType::F64)?];
        self.join(Op::Pow, &wide)
    }

    fn nan_to_num(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let mut x = args[0];
        for (test, by) in [(Op::IsNan, args[1]), (Op::IsPosInf, args[2]), (Op::IsNegInf, args[3])] {
            let is_replaced = self.plain(test, &[args[0]])?;
            x = self.join(Op::Where, &[is_replaced, by, x])?;
        }
        self.cast(x, t)
    }

    fn is_close(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let compute = t.compute();
        let [x, y, rtol, atol] = [0, 1, 2, 3].map(|k| self.cast(args[k], compute));
        let (x, y, rtol, atol) = (x?, y?, rtol?, atol?);
        let difference = self.join(Op::Subtract, &[x, y])?;
        let distance = self.plain(Op::Abs, &[difference])?;
        let size = self.plain(Op::Abs, &[y])?;
        let relative = self.join(Op::Multiply, &[rtol, size])?;
        let tolerance = self.join(Op::Add, &[atol, relative])?;
        let is_near = self.join(Op::LessEqual, &[distance, tolerance])?;
        let is_finite = self.plain(Op::IsFinite, &[y])?;
        let is_near = self.join(Op::LogicalAnd, &[is_finite, is_near])?;
        let is_equal = self.join(Op::Equal, &[x, y])?;
        let is_close = self.join(Op::LogicalOr, &[is_equal, is_near])?;
        if self.builder.scalar(args[4]).is_some_and(|equal_nan| equal_nan.bits == 0) {
            return Ok(is_close);
        }
        let (x_is_nan, y_is_nan) = (self.plain(Op::IsNan, &[x])?, self.plain(Op::IsNan, &[y])?);
        let both = self.join(Op::LogicalAnd, &[x_is_nan, y_is_nan])?;
        let both = self.join(Op::LogicalAnd, &[both, args[4]])?;
        self.join(Op::LogicalOr, &[is_close, both])
    }

    fn spacing(&mut self, x: ValueId, t: DType) -> Result<ValueId, Error> {
        // Adding +0 makes a zero positive.
        let (zero, infinity) = (self.literal(t, 0.0)?, self.literal(t, f64::INFINITY)?);
        let x = self.plain(Op::Add, &[x, zero])?;
        let limit = self.plain(Op::Copysign, &[infinity, x])?;
        let next = self.plain(Op::NextAfter, &[x, limit])?;
        self.plain(Op::Subtract, &[next, x])
    }

    fn ldexp(&mut self, args: &[ValueId], dtypes: &[DType]) -> Result<ValueId, Error> {
        let t = dtypes[0];
        // A float holds every exponent for which the result is neither 0 nor infinite.
        let n = self.cast(args[1], t.compute())?;
        let x = self.cast(args[0], t.compute())?;
        let scaled = self.join(Op::Scalb, &[x, n])?;
        self.cast(scaled, t)
    }

    fn round_decimals(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let compute = if t.is_float() { t.compute() } else { DType::F64 };
        let (x, n) = (self.cast(args[0], compute)?, self.cast(args[1], DType::F64)?);
        let power = self.power_of_ten(n)?;
        let power = self.cast(power, compute)?;
        let zero = self.number(DType::F64, 0.0);
        let has_places = self.plain(Op::GreaterEqual, &[n, zero])?;
        // The factors of x: a power and 1, or 1 and a power. Their shape is that of n.
        let (up, down) = match self.builder.scalar(args[1]).and_then(Constant::to_f64) {
            Some(n) if n >= 0.0 => (Some(power), None),
            Some(_) => (None, Some(power)),
            None => {
                let one = self.number(compute, 1.0);
                let up = self.plain(Op::Where, &[has_places, power, one])?;
                (Some(up), Some(self.plain(Op::Where, &[has_places, one, power])?))
            }
        };
        let mut scaled = x;
        for (op, factor) in [(Op::Multiply, up), (Op::Divide, down)] {
            scaled = factor.map_or(Ok(scaled), |factor| self.join(op, &[scaled, factor]))?;
        }
        let whole = self.plain(Op::Round, &[scaled])?;
        let mut rounded = whole;
        for (op, factor) in [(Op::Multiply, down), (Op::Divide, up)] {
            rounded = factor.map_or(Ok(rounded), |factor| self.join(op, &[rounded, factor]))?;
        }
        // The product of 0 with an infinite power is NaN. Without a finite product x has no such places.
        let zero = self.number(compute, 0.0);
        let is_zero = self.plain(Op::Equal, &[whole, zero])?;
        let rounded = self.plain(Op::Where, &[is_zero, whole, rounded])?;
        let is_finite = self.plain(Op::IsFinite, &[scaled])?;
        let rounded = self.plain(Op::Where, &[is_finite, rounded, x])?;
        let rounded = self.cast(rounded, t)?;
        if t.is_float() {
            return Ok(rounded);
        }
        // An integer has no places. A comparison of x with itself has the shape of the result.
        let always = self.plain(Op::Equal, &[args[0], args[0]])?;
        let is_unchanged = self.join(Op::LogicalAnd, &[always, has_places])?;
        self.plain(Op::Where, &[is_unchanged, args[0], rounded])
    }

    /// 10 to the power of |n|, correctly rounded.
    fn power_of_ten(&mut self, n: ValueId) -> Result<ValueId, Error> {
        let size = self.plain(Op::Abs, &[n])?;
        let ten = self.number(DType::F64, 10.0);
        let mut power = self.plain(Op::Pow, &[ten, size])?;
        // `pow` rounds all others correctly.
        for (exponent, exact) in [(210.0, 1e210), (244.0, 1e244)] {
            let (exponent, exact) = (self.number(DType::F64, exponent), self.number(DType::F64, exact));
            let is_exponent = self.plain(Op::Equal, &[size, exponent])?;
            power = self.plain(Op::Where, &[is_exponent, exact, power])?;
        }
        Ok(power)
    }

    fn clamped_logit(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let one = self.literal(t, 1.0)?;
        let largest = self.plain(Op::Subtract, &[one, args[1]])?;
        let x = self.join(Op::Maximum, &[args[0], args[1]])?;
        let x = self.join(Op::Minimum, &[x, largest])?;
        self.plain(Op::Logit, &[x])
    }

    fn parametric_softplus(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let [x, beta, threshold] = [0, 1, 2].map(|k| self.cast(args[k], DType::F64));
        let (x, beta, threshold) = (x?, beta?, threshold?);
        let product = self.join(Op::Multiply, &[x, beta])?;
        let softplus = self.plain(Op::Softplus, &[product])?;
        let mut result = self.join(Op::Divide, &[softplus, beta])?;
        if t == DType::F64 {
            result = self.compensated_softplus([x, beta, product, softplus], result)?;
        }
        let is_linear = self.join(Op::Greater, &[product, threshold])?;
        let result = self.join(Op::Where, &[is_linear, x, result])?;
        self.cast(result, t)
    }

    /// `softplus(product) / beta` with the rounding errors of the product and of the quotient. Products of narrower floats are
    /// exact in f64.
    fn compensated_softplus(
        &mut self,
        [x, beta, product, softplus]: [ValueId; 4],
        quotient: ValueId,
    ) -> Result<ValueId, Error> {
        let negative = self.plain(Op::Negative, &[product])?;
        let lost = self.join(Op::Fma, &[x, beta, negative])?;
        // The derivative of softplus is the sigmoid.
        let slope = self.plain(Op::Sigmoid, &[product])?;
        let minus_quotient = self.plain(Op::Negative, &[quotient])?;
        let rest = self.join(Op::Fma, &[minus_quotient, beta, softplus])?;
        let rest = self.join(Op::Fma, &[lost, slope, rest])?;
        let rest = self.join(Op::Divide, &[rest, beta])?;
        let near = self.plain(Op::Add, &[quotient, rest])?;
        // Infinities have no rounding errors.
        let is_number = self.plain(Op::IsFinite, &[near])?;
        let near = self.plain(Op::Where, &[is_number, near, quotient])?;
        // Below -40, softplus is the exponential, which may underflow before the division.
        let (half, limit) = (self.number(DType::F64, 0.5), self.number(DType::F64, -40.0));
        let half = self.plain(Op::Multiply, &[product, half])?;
        let root = self.plain(Op::Exp, &[half])?;
        let exact = self.plain(Op::Fma, &[root, lost, root])?;
        let far = self.join(Op::Divide, &[root, beta])?;
        let far = self.plain(Op::Multiply, &[far, exact])?;
        let is_far = self.plain(Op::Less, &[product, limit])?;
        let is_number = self.plain(Op::IsFinite, &[product])?;
        let is_far = self.plain(Op::LogicalAnd, &[is_far, is_number])?;
        self.plain(Op::Where, &[is_far, far, near])
    }

    fn parametric_selu(&mut self, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        let [x, alpha, gamma] = [0, 1, 2].map(|k| self.cast(args[k], DType::F64));
        let (x, gamma) = (x?, gamma?);
        let alpha = self.join(Op::Multiply, &[gamma, alpha?])?;
        let elu = self.join(Op::Elu, &[x, alpha])?;
        let positive = self.join(Op::Multiply, &[gamma, x])?;
        let zero = self.number(DType::F64, 0.0);
        let is_positive = self.plain(Op::Greater, &[x, zero])?;
        let selu = self.join(Op::Where, &[is_positive, positive, elu])?;
        self.cast(selu, t)
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

    /// A number that every float dtype has, in one of them.
    fn literal(&mut self, dtype: DType, x: f64) -> Result<ValueId, Error> {
        let wide = self.number(DType::F32, x);
        self.cast(wide, dtype)
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
