//! Operators that are small programs of others: a step of one becomes several steps, which run tile by tile like any.
//!
//! | operator | steps |
//! |---|---|
//! | `sum`, `mean`; `maximum`, `minimum` of more than two | one operand after the other; f16 and bf16 in f32 |
//! | `cast_saturating` | `clamp` to the target's range, `cast` |
//! | `ldexp` | `scalb` with the exponent as a float |
//! | `bitwise_count` | `popcount` of `abs`, a cast to u8 |
//! | `mantissa`, `exponent` | `logb`, and `scalb` |
//! | math over f16 and bf16 | a cast to f32, the operator, a cast back; correctly rounded: by way of f64 |
//! | math over f32, correctly rounded, without a kernel for that | a cast to f64, the operator, a cast back |
//! | `quantize_linear`, `dequantize_linear` | divide, round and add, or subtract and multiply, in f32 (f64 beside i32) |

use smallvec::SmallVec;

use crate::accuracy::Accuracy;
use crate::broadcast::Broadcast;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::program::{Constant, ProgramBuilder, ValueId};

/// Whether a step of this operator over operands of these dtypes is several steps.
pub(crate) fn is_composite(op: Op, operands: &[DType], accuracy: Accuracy) -> bool {
    match op {
        Op::Maximum | Op::Minimum => operands.len() > 2,
        _ => {
            let t = operands.first().copied().unwrap_or(DType::F32);
            op.is_composite(t)
                || (accuracy == Accuracy::Exact && op.info().is_math(t) && !is_exact(op, operands, accuracy))
        }
    }
}

/// Whether a step of this operator over operands of these dtypes is one step whose kernel is that of the tier.
pub(crate) fn is_exact(op: Op, operands: &[DType], accuracy: Accuracy) -> bool {
    let Some(&t) = operands.first() else { return false };
    match accuracy {
        Accuracy::Exact => op.has_exact_kernel(t),
        Accuracy::ToNarrow => op.has_narrowing_kernel(t),
        Accuracy::Fast => false,
    }
}

impl Op {
    /// Whether the operator over operands of these dtypes, at a tier of accuracy, is made of others: a program of it has several steps, and
    /// may have constants of its own.
    pub fn is_made_of_others(self, operands: &[DType], accuracy: Accuracy) -> bool {
        is_composite(self, operands, accuracy)
    }

    /// Whether there is a kernel of the operator over `t` whose results are correctly rounded.
    pub fn has_exact_kernel(self, t: DType) -> bool {
        t == DType::F32
            && matches!(
                self,
                Op::Pow
                    | Op::Exp
                    | Op::Exp2
                    | Op::Exp10
                    | Op::Log
                    | Op::Log2
                    | Op::Log10
                    | Op::Sin
                    | Op::Cos
                    | Op::Tan
                    | Op::Tanh
                    | Op::Asinh
                    | Op::Acosh
                    | Op::Atanh
                    | Op::Softplus
                    | Op::Gelu
                    | Op::Mish
                    | Op::Elu
                    | Op::Celu
                    | Op::Selu
            )
    }

    /// Whether there is a kernel of the operator over `t` for results that are rounded to a narrower dtype next
    /// ([`Accuracy::ToNarrow`]); those without may be rounded again as they are.
    pub fn has_narrowing_kernel(self, t: DType) -> bool {
        t == DType::F64
            && matches!(
                self,
                Op::Log
                    | Op::Log10
                    | Op::Log1p
                    | Op::LogAddExp
                    | Op::LogAddExp2
                    | Op::Sin
                    | Op::Cos
                    | Op::Asin
                    | Op::Acos
                    | Op::Atan
                    | Op::Atan2
                    | Op::Hypot
                    | Op::Asinh
                    | Op::Acosh
                    | Op::Atanh
                    | Op::Erfc
                    | Op::Sigmoid
                    | Op::Silu
                    | Op::Gelu
                    | Op::GeluTanh
                    | Op::Elu
                    | Op::Selu
                    | Op::Celu
                    | Op::Softcap
            )
    }

    /// Whether a program never has a step of this operator over operands of `t`, because it is made of others: it has no kernel.
    pub fn is_composite(self, t: DType) -> bool {
        let narrow = matches!(t, DType::F16 | DType::BF16);
        let by_name = matches!(
            self,
            Op::Sum
                | Op::Mean
                | Op::CastSaturating
                | Op::Ldexp
                | Op::Mantissa
                | Op::Exponent
                | Op::BitwiseCount
                | Op::QuantizeLinear
                | Op::DequantizeLinear
        );
        by_name || (narrow && self.info().is_math(t))
    }
}

/// The steps of a composite operator, added to a program; the operands are well typed.
pub(crate) struct Composer<'b> {
    pub(crate) builder: &'b mut ProgramBuilder,
    /// The mode in which the operands come together.
    pub(crate) mode: Broadcast,
}

impl Composer<'_> {
    /// The value of `op` over `args`, whose dtypes are `dtypes`; the result is of `to`.
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

    /// Through a wider dtype, and one last rounding to `t`: the error of the wider result is far below that of the rounding.
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
        self.builder.set_accuracy(if wider == DType::F64 { Accuracy::ToNarrow } else { Accuracy::Fast });
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
        let mut all = args[0];
        for &next in &args[1..] {
            all = self.join(op, &[all, next])?;
        }
        Ok(all)
    }

    fn sum(&mut self, op: Op, args: &[ValueId], t: DType) -> Result<ValueId, Error> {
        // What is rounded once anyway is rounded as it is.
        let compute = if op == Op::Sum && args.len() < 3 { t } else { wide(t) };
        let wide: SmallVec<[ValueId; 4]> = args.iter().map(|&x| self.cast(x, compute)).collect::<Result<_, _>>()?;
        let mut sum = self.fold(Op::Add, &wide)?;
        if op == Op::Mean {
            let n = self.number(compute, args.len() as f64);
            sum = self.plain(Op::Divide, &[sum, n])?;
        }
        self.cast(sum, t)
    }

    fn cast_saturating(&mut self, x: ValueId, from: DType, to: DType) -> Result<ValueId, Error> {
        let (mut x, mut from) = (x, from);
        if from == DType::Bool || to == DType::Bool || from == to {
            return self.cast(x, to);
        }
        if from == DType::BF16 && to == DType::F16 {
            // bf16 has no number as near to the largest f16 as it must be.
            (x, from) = (self.cast(x, DType::F32)?, DType::F32);
        }
        let (own, other) = (range(from), range(to));
        // Floats saturate when they become integers; NaN is 0.
        if !(from.is_float() && to.is_integer()) && (own.0 < other.0 || own.1 > other.1) {
            let (low, high) = if from.is_float() {
                (self.number(from, other.0), self.number(from, other.1))
            } else {
                let (low, high) = (integer_range(from), integer_range(to));
                let high = high.unwrap_or((-65504, 65504));
                let low = low.unwrap_or(high);
                (self.integer(from, low.0.max(high.0)), self.integer(from, low.1.min(high.1)))
            };
            x = self.plain(Op::Clamp, &[x, low, high])?;
        }
        self.cast(x, to)
    }

    fn ldexp(&mut self, args: &[ValueId], dtypes: &[DType]) -> Result<ValueId, Error> {
        let (t, n) = (dtypes[0], dtypes[1]);
        // Past these exponents every number is 0 or infinite; a float has them exactly.
        let (low, high) = (self.integer(n, -5000), self.integer(n, 5000));
        let n = self.plain(Op::Clamp, &[args[1], low, high])?;
        let n = self.cast(n, wide(t))?;
        let x = self.cast(args[0], wide(t))?;
        let scaled = self.join(Op::Scalb, &[x, n])?;
        self.cast(scaled, t)
    }

    fn frexp(&mut self, op: Op, x: ValueId, t: DType) -> Result<ValueId, Error> {
        let x = self.cast(x, wide(t))?;
        let power = self.plain(Op::Logb, &[x])?;
        let one = self.number(wide(t), 1.0);
        let exponent = self.plain(Op::Add, &[power, one])?;
        // Zeros, infinities and NaN have none.
        let has = self.plain(Op::IsFinite, &[power])?;
        if op == Op::Exponent {
            let zero = self.number(wide(t), 0.0);
            let exponent = self.plain(Op::Where, &[has, exponent, zero])?;
            return self.cast(exponent, DType::I32);
        }
        let down = self.plain(Op::Negative, &[exponent])?;
        let mantissa = self.plain(Op::Scalb, &[x, down])?;
        let mantissa = self.plain(Op::Where, &[has, mantissa, x])?;
        self.cast(mantissa, t)
    }

    /// `abs` wraps for the lowest integer, whose bits are those of its magnitude.
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
        // The sum is exact: in f32 between these limits, which lie beyond every 16-bit result; in f64 beside i32.
        let sum = if to == DType::I32 {
            let whole = self.cast(whole, DType::F64)?;
            let zero_point = self.cast(args[2], DType::F64)?;
            self.join(Op::Add, &[whole, zero_point])?
        } else {
            let (low, high) = (self.number(DType::F32, -4e5), self.number(DType::F32, 4e5));
            let whole = self.plain(Op::Clamp, &[whole, low, high])?;
            let zero_point = self.cast(args[2], DType::F32)?;
            self.join(Op::Add, &[whole, zero_point])?
        };
        self.cast(sum, to)
    }

    fn dequantize(&mut self, args: &[ValueId], dtypes: &[DType], to: DType) -> Result<ValueId, Error> {
        // Differences of 16-bit integers are exact in f32, of 32-bit ones in f64.
        let exact = if dtypes[0] == DType::I32 { DType::F64 } else { DType::F32 };
        let x = self.cast(args[0], exact)?;
        let zero_point = self.cast(args[2], exact)?;
        let difference = self.join(Op::Subtract, &[x, zero_point])?;
        let difference = self.cast(difference, DType::F32)?;
        let scale = self.cast(args[1], DType::F32)?;
        let product = self.join(Op::Multiply, &[difference, scale])?;
        self.cast(product, to)
    }

    /// A step over operands of the caller.
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

/// The `f32` inputs whose result of `f64` rounds to another `f32` than the exact value does, and that (`eltwise verify` finds them).
const fn exceptions(op: Op) -> &'static [(u32, u32)] {
    match op {
        Op::Sinh => &[(0x3a12_85ff, 0x3a12_85ff), (0xba12_85ff, 0xba12_85ff)],
        Op::Erfc => &[(0xb76c_9f62, 0x3f80_0085)],
        Op::Logit => &[(0x3489_cc36, 0xc172_cec5)],
        _ => &[],
    }
}

/// The float dtype in which a sum of `t` is rounded once at the end; other dtypes are their own.
const fn wide(t: DType) -> DType {
    match t {
        DType::F16 | DType::BF16 => DType::F32,
        _ => t,
    }
}

/// The smallest and the largest finite number of a dtype, as near as f64 has them: enough to compare dtypes.
fn range(dtype: DType) -> (f64, f64) {
    let largest = match dtype {
        DType::F16 => 65504.0,
        DType::BF16 => f64::from(f32::from_bits(0x7f7f_0000)),
        DType::F32 => f64::from(f32::MAX),
        DType::F64 => f64::MAX,
        _ => return integer_range(dtype).map_or((0.0, 0.0), |(low, high)| (low as f64, high as f64)),
    };
    (-largest, largest)
}

/// The ends of an integer dtype.
fn integer_range(dtype: DType) -> Option<(i128, i128)> {
    let bits = 8 * dtype.size() as u32;
    match dtype {
        _ if !dtype.is_integer() => None,
        _ if dtype.is_signed_integer() => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        _ => Some((0, (1 << bits) - 1)),
    }
}
