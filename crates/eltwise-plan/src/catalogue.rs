//! The catalogue: one row per operator.
//!
//! A row is `Variant name Signature (operands) [dtypes] Exactness [conditions] "one line of doc";`. The crates that need the
//! rows pass the name of their own macro to [`catalogue!`](macro@crate::catalogue) and get all rows in one call: this crate
//! makes `enum Op` and `Op::info()`, `eltwise-reference` and `eltwise-kernels` make their tables, and do not compile
//! while a row has no function.
//!
//! | column | values |
//! |---|---|
//! | name | the name in every language; a Rust keyword ends in `_`, which the other languages leave out |
//! | signature | see [`Signature`](crate::op::Signature) |
//! | operands | their names; `name = number` for one that front doors may leave out |
//! | dtypes | any of `bool`, `int`, `float`, `opaque`, `f16`, `f32`: the dtypes of the operands that the signature calls T |
//! | exactness | `Exact`: a formula in IEEE operations, equal to the oracle bit for bit; `Math`: over floats, bounded in ULP |
//! | conditions | data conditions a run reports: `zero_division`, `negative_exponent` |

/// Calls `$callback!` with every row of the catalogue. See the [module](mod@crate::catalogue).
#[macro_export]
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            Add add Same2 (x, y) [int float] Exact [] "x + y; integers wrap.";
            Subtract subtract Same2 (x, y) [int float] Exact [] "x - y; integers wrap.";
            Multiply multiply Same2 (x, y) [int float] Exact [] "x * y; integers wrap.";
            SaturatingAdd saturating_add Same2 (x, y) [int] Exact [] "x + y, or the end of the dtype's range that is nearest to it.";
            SaturatingSubtract saturating_subtract Same2 (x, y) [int] Exact [] "x - y, or the end of the dtype's range that is nearest to it.";
            SaturatingMultiply saturating_multiply Same2 (x, y) [int] Exact [] "x * y, or the end of the dtype's range that is nearest to it.";
            Divide divide Same2 (x, y) [int float] Exact [zero_division] "x / y: IEEE for floats; toward zero for integers, where x / 0 is 0 and MIN / -1 wraps to MIN.";
            FloorDivide floor_divide Same2 (x, y) [int float] Exact [zero_division] "The floor of the exact x / y, rounded once: 1.0 // 0.1 is 9; floats: x // 0 = x / 0; integers: x // 0 is 0, MIN // -1 wraps to MIN.";
            TruncDivide trunc_divide Same2 (x, y) [int] Exact [zero_division] "x / y toward zero; x / 0 is 0, MIN / -1 wraps to MIN.";
            Remainder remainder Same2 (x, y) [int float] Exact [zero_division] "fmod moved into the sign of y by adding y; a zero of floats has the sign of y; integers: x % 0 is 0.";
            Fmod fmod Same2 (x, y) [int float] Exact [zero_division] "The exact remainder of x / y toward zero: it has the sign of x; integers: fmod(x, 0) is 0.";
            Pow pow Same2 (x, y) [int float] Math [negative_exponent] "x to the power of y, 1 for y = 0: IEEE 754-2019 pow for floats; integers, exact, wrap; for y < 0 they are 1 for 1, 1 or -1 for -1, else 0.";
            Maximum maximum Same2 (x, y) [int float] Exact [] "The larger of x and y (IEEE 754-2019 maximum): NaN propagates, -0.0 < +0.0.";
            Minimum minimum Same2 (x, y) [int float] Exact [] "The smaller of x and y (IEEE 754-2019 minimum): NaN propagates, -0.0 < +0.0.";
            Fmax fmax Same2 (x, y) [int float] Exact [] "The larger of x and y (IEEE 754-2019 maximumNumber): a number wins over NaN, -0.0 < +0.0.";
            Fmin fmin Same2 (x, y) [int float] Exact [] "The smaller of x and y (IEEE 754-2019 minimumNumber): a number wins over NaN, -0.0 < +0.0.";
            SquaredDifference squared_difference Same2 (x, y) [int float] Exact [] "(x - y) * (x - y), each rounded; integers wrap.";
            AbsDifference abs_difference Same2 (x, y) [int float] Exact [] "|x - y|; a difference beyond a signed integer dtype wraps.";
            Sum sum Fold (x, y) [int float] Exact [] "The sum of all operands, from left to right; f16 and bf16 in f32, rounded once at the end; integers wrap.";
            Mean mean Fold (x, y) [float] Exact [] "sum / n over all n operands; f16 and bf16 in f32, rounded once at the end.";
            Positive positive Same1 (x) [int float] Exact [] "x as it is.";
            Negative negative Same1 (x) [int float] Exact [] "-x; integers wrap, so -MIN is MIN.";
            Abs abs Same1 (x) [int float] Exact [] "The absolute value; integers wrap, so abs(MIN) is MIN.";
            Sign sign Same1 (x) [int float] Exact [] "-1, 0 or 1 by the sign of x: +0.0 of -0.0, NaN of NaN.";
            Square square Same1 (x) [int float] Exact [] "x * x; integers wrap.";
            Reciprocal reciprocal Same1 (x) [float] Exact [] "1 / x, correctly rounded.";
            Sqrt sqrt Same1 (x) [float] Exact [] "The square root, correctly rounded; NaN below zero, sqrt(-0.0) = -0.0.";
            Rsqrt rsqrt Same1 (x) [float] Math [] "1 / sqrt(x): infinite, with its sign, for a zero; NaN below zero.";
            Cbrt cbrt Same1 (x) [float] Math [] "The cube root, with the sign of x.";
            Hypot hypot Same2 (x, y) [float] Math [] "sqrt(x * x + y * y) without overflow on the way; +inf where one is infinite, beside a NaN too.";
            Exp exp Same1 (x) [float] Math [] "e to the power of x.";
            Exp2 exp2 Same1 (x) [float] Math [] "2 to the power of x; exact for integers.";
            Exp10 exp10 Same1 (x) [float] Math [] "10 to the power of x.";
            Expm1 expm1 Same1 (x) [float] Math [] "e to the power of x, minus 1, near zero too; a zero stays.";
            Log log Same1 (x) [float] Math [] "The natural logarithm: -inf for zeros, NaN below zero.";
            Log2 log2 Same1 (x) [float] Math [] "The logarithm to base 2, exact for powers of 2: -inf for zeros, NaN below zero.";
            Log10 log10 Same1 (x) [float] Math [] "The logarithm to base 10: -inf for zeros, NaN below zero.";
            Log1p log1p Same1 (x) [float] Math [] "The natural logarithm of 1 + x, near zero too; a zero stays, -inf for -1, NaN below.";
            LogAddExp logaddexp Same2 (x, y) [float] Math [] "log(exp(x) + exp(y)) without overflow on the way.";
            LogAddExp2 logaddexp2 Same2 (x, y) [float] Math [] "log2(exp2(x) + exp2(y)) without overflow on the way.";
            Sin sin Same1 (x) [float] Math [] "The sine of x radians, of the largest x too; a zero stays, NaN for infinities.";
            Cos cos Same1 (x) [float] Math [] "The cosine of x radians, of the largest x too; NaN for infinities.";
            Tan tan Same1 (x) [float] Math [] "The tangent of x radians, of the largest x too; a zero stays, NaN for infinities.";
            Asin asin Same1 (x) [float] Math [] "The angle from -pi/2 to pi/2 whose sine is x; a zero stays, NaN for |x| > 1.";
            Acos acos Same1 (x) [float] Math [] "The angle from 0 to pi whose cosine is x; NaN for |x| > 1.";
            Atan atan Same1 (x) [float] Math [] "The angle from -pi/2 to pi/2 whose tangent is x; a zero stays.";
            Atan2 atan2 Same2 (y, x) [float] Math [] "atan2(y, x): the angle of the point (x, y), from -pi to pi, by the signs of zeros too.";
            Sinh sinh Same1 (x) [float] Math [] "The hyperbolic sine; a zero stays.";
            Cosh cosh Same1 (x) [float] Math [] "The hyperbolic cosine.";
            Tanh tanh Same1 (x) [float] Math [] "The hyperbolic tangent; a zero stays.";
            Asinh asinh Same1 (x) [float] Math [] "The inverse of sinh; a zero stays.";
            Acosh acosh Same1 (x) [float] Math [] "The inverse of cosh, from 0 on; NaN below 1.";
            Atanh atanh Same1 (x) [float] Math [] "The inverse of tanh; a zero stays, infinite for 1 and -1, NaN beyond.";
            Erf erf Same1 (x) [float] Math [] "The error function, 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x; a zero stays.";
            Erfc erfc Same1 (x) [float] Math [] "1 - erf(x), for large x too.";
            Sigmoid sigmoid Same1 (x) [float] Math [] "1 / (1 + exp(-x)).";
            Logit logit Same1 (x) [float] Math [] "log(x / (1 - x)), near 1/2 too: -inf for zeros, +inf for 1, NaN outside.";
            Softplus softplus Same1 (x) [float] Math [] "log(1 + exp(x)) without overflow on the way.";
            Silu silu Same1 (x) [float] Math [] "x * sigmoid(x): -0.0 for -inf.";
            Gelu gelu Same1 (x) [float] Math [] "x / 2 * erfc(-x / sqrt(2)): -0.0 for -inf.";
            GeluTanh gelu_tanh Same1 (x) [float] Math [] "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))): -0.0 for -inf.";
            Mish mish Same1 (x) [float] Math [] "x * tanh(softplus(x)): -0.0 for -inf.";
            Elu elu Same2 (x, alpha = 1.0) [float] Math [] "x where x > 0, else alpha * expm1(x).";
            Celu celu Same2 (x, alpha = 1.0) [float] Math [] "maximum(x, 0) + minimum(0, alpha * expm1(x / alpha)).";
            Selu selu Same1 (x) [float] Math [] "1.0507009873554805 * x where x > 0, else 1.0507009873554805 * 1.6732632423543772 * expm1(x).";
            Softcap softcap Same2 (x, c) [float] Math [] "c * tanh(x / c).";
            Relu relu Same1 (x) [int float] Exact [] "maximum(x, +0): relu(-0.0) = +0.0, NaN propagates.";
            Relu6 relu6 Same1 (x) [float] Exact [] "minimum(maximum(x, +0), 6): NaN propagates.";
            HardSwish hard_swish Same1 (x) [float] Exact [] "x * (clamp(x + 3, 0, 6) / 6): -0 for finite x <= -3, x from 3 on.";
            HardSigmoid hard_sigmoid Same3 (x, alpha = 0.2, beta = 0.5) [float] Exact [] "clamp(fma(alpha, x, beta), 0, 1).";
            HardTanh hard_tanh Same3 (x, lo = -1.0, hi = 1.0) [float] Exact [] "clamp(x, lo, hi): NaN propagates.";
            Softsign softsign Same1 (x) [float] Exact [] "x / (1 + |x|).";
            Prelu prelu Same2 (x, slope) [float] Exact [] "prelu(x, slope): slope * x where x < 0, else x.";
            LeakyRelu leaky_relu Same2 (x, alpha = 0.01) [float] Exact [] "alpha * x where x < 0, else x.";
            ThresholdedRelu thresholded_relu Same2 (x, alpha = 1.0) [float] Exact [] "x where x > alpha, else +0: for NaN too.";
            Shrink shrink Same3 (x, lambd = 0.5, bias = 0.0) [float] Exact [] "x + bias where x < -lambd, x - bias where x > lambd, else +0: for NaN too.";
            Heaviside heaviside Same2 (x, h) [float] Exact [] "heaviside(x, h): 0 below zero, h at zero, 1 above; NaN for NaN.";
            Copysign copysign Same2 (x, y) [float] Exact [] "x with the sign of y.";
            NextAfter nextafter Same2 (x, y) [float] Exact [] "The number of x's dtype next to x in the direction of y; y where they are equal, NaN for a NaN.";
            Ldexp ldexp Scale (x, n) [float] Exact [] "x * 2^n, rounded once; a zero stays. n: i32 or i64.";
            Scalb scalb Same2 (x, n) [float] Exact [] "x * 2^n, rounded once; n without its fraction, NaN where one is NaN, a zero stays.";
            Logb logb Same1 (x) [float] Exact [] "The exponent e of |x| = m * 2^e with 1 <= m < 2, also of subnormals; -inf for zeros, +inf for infinities.";
            Fraction fraction Same1 (x) [float] Exact [] "x - trunc(x) with the sign of x, which modf has beside trunc: 0 for an infinity.";
            Mantissa mantissa Same1 (x) [float] Exact [] "frexp: the m of x = m * 2^exponent(x) with 0.5 <= |m| < 1; zeros, infinities and NaN as they are.";
            Exponent exponent Exponent (x) [float] Exact [] "frexp: the e of x = mantissa(x) * 2^e; 0 for zeros, infinities and NaN.";
            Floor floor Same1 (x) [int float] Exact [] "The largest integer that is at most x; -0.0 stays.";
            Ceil ceil Same1 (x) [int float] Exact [] "The smallest integer that is at least x, -0.0 above -1.";
            Trunc trunc Same1 (x) [int float] Exact [] "x without its fraction; the sign stays.";
            Round round Same1 (x) [int float] Exact [] "The nearest integer, halves to the even one; the sign stays.";
            RoundHalfAway round_half_away Same1 (x) [int float] Exact [] "The nearest integer, halves away from zero; the sign stays.";
            Clamp clamp Same3 (x, lo, hi) [int float] Exact [] "clamp(x, lo, hi) = minimum(maximum(x, lo), hi): NaN propagates, lo > hi gives hi.";
            Fma fma Same3 (x, y, z) [int float] Exact [] "x * y + z, rounded once; f16 and bf16: one f32 fma, then one rounding; integers wrap.";
            Lerp lerp Same3 (x, y, t) [float] Exact [] "lerp(x, y, t) = fma(t, y, fma(-t, x, x)): x at t = 0 and y at t = 1 where both are finite, but for the sign of zero.";
            Equal equal Test2 (x, y) [bool int float] Exact [] "x == y; NaN equals nothing.";
            NotEqual not_equal Test2 (x, y) [bool int float] Exact [] "x != y; true for NaN.";
            Less less Test2 (x, y) [bool int float] Exact [] "x < y; false for NaN.";
            LessEqual less_equal Test2 (x, y) [bool int float] Exact [] "x <= y; false for NaN.";
            Greater greater Test2 (x, y) [bool int float] Exact [] "x > y; false for NaN.";
            GreaterEqual greater_equal Test2 (x, y) [bool int float] Exact [] "x >= y; false for NaN.";
            IsNan isnan Test1 (x) [float] Exact [] "Whether x is NaN.";
            IsInf isinf Test1 (x) [float] Exact [] "Whether x is an infinity.";
            IsPosInf isposinf Test1 (x) [float] Exact [] "Whether x is +infinity.";
            IsNegInf isneginf Test1 (x) [float] Exact [] "Whether x is -infinity.";
            IsFinite isfinite Test1 (x) [float] Exact [] "Whether x is neither infinite nor NaN.";
            SignBit signbit Test1 (x) [float] Exact [] "Whether the sign bit is set: of -0.0 and of a NaN too.";
            LogicalAnd logical_and Test2 (x, y) [bool int float] Exact [] "Whether both are true; a number is true when it is not 0, NaN is true.";
            LogicalOr logical_or Test2 (x, y) [bool int float] Exact [] "Whether one is true; a number is true when it is not 0, NaN is true.";
            LogicalXor logical_xor Test2 (x, y) [bool int float] Exact [] "Whether exactly one is true; a number is true when it is not 0, NaN is true.";
            LogicalNot logical_not Test1 (x) [bool int float] Exact [] "Whether x is false; a number is true when it is not 0, NaN is true.";
            BitwiseAnd bitwise_and Same2 (x, y) [bool int] Exact [] "The bits set in both; for bool, logical and.";
            BitwiseOr bitwise_or Same2 (x, y) [bool int] Exact [] "The bits set in one or both; for bool, logical or.";
            BitwiseXor bitwise_xor Same2 (x, y) [bool int] Exact [] "The bits set in exactly one; for bool, logical xor.";
            BitwiseNot bitwise_not Same1 (x) [bool int] Exact [] "Every bit turned; for bool, logical not.";
            ShiftLeft shift_left Same2 (x, y) [int] Exact [] "x with its bits y places higher; 0 when y is negative or at least the width.";
            ShiftRight shift_right Same2 (x, y) [int] Exact [] "x with its bits y places lower, the sign repeated; when y is negative or at least the width, 0, or -1 for a negative x.";
            Popcount popcount Same1 (x) [int] Exact [] "The number of bits set, of a negative number in two's complement.";
            BitwiseCount bitwise_count Count (x) [int] Exact [] "The number of bits set in the magnitude of x, as NumPy counts: 1 for -1.";
            LeadingZeros leading_zeros Same1 (x) [int] Exact [] "The number of zero bits above the highest one set; the width for 0.";
            TrailingZeros trailing_zeros Same1 (x) [int] Exact [] "The number of zero bits below the lowest one set; the width for 0.";
            Gcd gcd Same2 (x, y) [int] Exact [] "The greatest common divisor of |x| and |y|, 0 for two zeros; wraps where it is -MIN.";
            Lcm lcm Same2 (x, y) [int] Exact [] "The least common multiple of |x| and |y|, 0 where one is 0; wraps.";
            Where where_ Select (cond, x, y) [bool int float opaque] Exact [] "where(cond, x, y): x where cond is true, else y; moves bits.";
            Cast cast Convert (x) [bool int float] Exact [] "cast(x, dtype), rounded once: float to integer toward zero, saturating, NaN to 0; integer to integer wraps; to bool: != 0.";
            CastSaturating cast_saturating Convert (x) [bool int float] Exact [] "cast(x, dtype), but what is out of range becomes the nearest end of it: also an integer for an integer, and for a float the largest finite one.";
            Bitcast bitcast Convert (x) [bool int float opaque] Exact [] "bitcast(x, dtype): the same bits as another dtype of the same size.";
            QuantizeLinear quantize_linear Quantize (x, scale, zero_point = 0.0) [f16 f32] Exact [] "round(x / scale) + zero_point, halves to even, saturating; f16 divides in f32, the sum is exact; NaN gives 0.";
            DequantizeLinear dequantize_linear Dequantize (x, scale, zero_point = 0.0) [f16 f32] Exact [] "(x - zero_point) * scale in f32, the difference rounded to f32 first; f16 rounds once more.";
            Copy copy Move (x) [bool int float opaque] Exact [] "x as it is, into any layout; moves bits.";
            BroadcastTo broadcast_to Move (x) [bool int float opaque] Exact [] "broadcast_to(x, shape): x repeated along the axes where its size is 1; moves bits.";
        }
    };
}
