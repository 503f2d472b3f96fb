//! The catalogue: one row per operator.
//!
//! A row is a doc comment and a line of columns:
//!
//! ```text
//! /// x + y. Integers wrap.
//! Add add Binary (x, y) [int float] Exact Arithmetic Native [] [];
//! ```
//!
//! | column | values |
//! |---|---|
//! | variant, name | the variant of [`Op`](crate::Op), and the name in every language; a Rust keyword ends in `_`, which other languages omit |
//! | signature | see [`Signature`](crate::op::Signature) |
//! | operands | their names; `name = number` for one with a default |
//! | dtypes | any of `bool`, `int`, `float`, `opaque`, `f16`, `f32`: the dtypes of the operands that the signature calls T |
//! | exactness | `Exact`: a formula in IEEE operations, equal to the reference bit for bit; `Math`: over floats, bounded in ULP |
//! | cost | see [`CostClass`](crate::CostClass) |
//! | half | how f16 and bf16 are computed: see [`HalfCompute`](crate::HalfCompute) |
//! | kernels | `composite`: none, because programs replace the operator by others; otherwise [special kernels](crate::SpecialKernel); `fast_only`: no tier of accuracy but `fast`; `three_ulp`, `four_ulp`: at most that over f64; `absolute_error`: or 2^-45 ([`ErrorBound`](crate::ErrorBound)) |
//! | conditions | data conditions that a run reports: `zero_division`, `negative_exponent` |
//!
//! A crate that needs the rows passes the name of a macro to [`catalogue!`](macro@crate::catalogue), which calls it with all
//! rows. This crate makes `enum Op` and [`Op::info`](crate::Op::info) of them; `eltwise-reference` and `eltwise-kernels` make
//! their tables, and do not compile if a row has no function.

/// Calls `$callback!` with every row of the catalogue. See the [module](mod@crate::catalogue).
#[macro_export]
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            /// x + y. Integers wrap.
            Add add Binary (x, y) [int float] Exact Arithmetic Native [] [];
            /// x - y. Integers wrap.
            Subtract subtract Binary (x, y) [int float] Exact Arithmetic Native [] [];
            /// x * y. Integers wrap.
            Multiply multiply Binary (x, y) [int float] Exact Arithmetic Native [] [];
            /// x + y, limited to the range of the dtype.
            SaturatingAdd saturating_add Binary (x, y) [int] Exact SaturatingSum Never [] [];
            /// x - y, limited to the range of the dtype.
            SaturatingSubtract saturating_subtract Binary (x, y) [int] Exact SaturatingSum Never [] [];
            /// x * y, limited to the range of the dtype.
            SaturatingMultiply saturating_multiply Binary (x, y) [int] Exact SaturatingProduct Never [] [];
            /// x / y. IEEE 754 division for floats. Integers round toward zero; x / 0 is 0, and MIN / -1 wraps to MIN.
            Divide divide Binary (x, y) [int float] Exact Divide Native [] [zero_division];
            /// The floor of the exact quotient x / y, rounded once, so 1.0 // 0.1 is 9. x // 0 is x / 0 for floats and 0 for integers; MIN // -1 wraps to MIN.
            FloorDivide floor_divide Binary (x, y) [int float] Exact Remainder ViaF32 [] [zero_division];
            /// x / y rounded toward zero. x / 0 is 0, and MIN / -1 wraps to MIN.
            TruncDivide trunc_divide Binary (x, y) [int] Exact Remainder Never [] [zero_division];
            /// The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers.
            Remainder remainder Binary (x, y) [int float] Exact Remainder ViaF32 [] [zero_division];
            /// The exact remainder of x / y with the quotient rounded toward zero. It has the sign of x. fmod(x, 0) is 0 for integers.
            Fmod fmod Binary (x, y) [int float] Exact Remainder ViaF32 [] [zero_division];
            /// x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; if y < 0, the result is 1 for x = 1, 1 or -1 for x = -1, and 0 for other x.
            Pow pow Binary (x, y) [int float] Math Power ViaF32 [correctly_rounded] [negative_exponent];
            /// x to the power of y, as programs compute `pow` with a constant y: by products if y is an integer of at most 64 in magnitude, by a root if it is 0.5 or -0.5, else as `pow`.
            PowConstant pow_constant Binary (x, y) [float] Math Exp ViaF32 [fast_only] [];
            /// x to the power of y in f64, whatever the dtype of x and y.
            FloatPower float_power ToF64 (x, y) [float] Math Power ViaF32 [composite fast_only] [];
            /// The larger of x and y (IEEE 754-2019 maximum). NaN propagates, and -0.0 < +0.0.
            Maximum maximum Binary (x, y) [int float] Exact Extremum BitsOrNative [] [];
            /// The smaller of x and y (IEEE 754-2019 minimum). NaN propagates, and -0.0 < +0.0.
            Minimum minimum Binary (x, y) [int float] Exact Extremum BitsOrNative [] [];
            /// The larger of x and y (IEEE 754-2019 maximumNumber). If one is NaN, the result is the other; -0.0 < +0.0.
            Fmax fmax Binary (x, y) [int float] Exact Choose Native [] [];
            /// The smaller of x and y (IEEE 754-2019 minimumNumber). If one is NaN, the result is the other; -0.0 < +0.0.
            Fmin fmin Binary (x, y) [int float] Exact Choose Native [] [];
            /// x + value * y * z: the products from left to right, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end. Integers wrap.
            AddCMul addcmul Quaternary (x, y, z, value = 1.0) [int float] Exact Plain ViaF32 [composite] [];
            /// x + value * y / z: the product, the quotient, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end.
            AddCDiv addcdiv Quaternary (x, y, z, value = 1.0) [float] Exact Plain ViaF32 [composite] [];
            /// (x - y) * (x - y), with both operations rounded. Integers wrap.
            SquaredDifference squared_difference Binary (x, y) [int float] Exact Arithmetic ViaF32 [] [];
            /// |x - y|. A difference outside a signed integer dtype wraps.
            AbsDifference abs_difference Binary (x, y) [int float] Exact MultiplyAdd Native [] [];
            /// The sum of all operands, from left to right. f16 and bf16 are added in f32 and rounded once at the end. Integers wrap.
            Sum sum Fold (x, y) [int float] Exact Plain ViaF32 [composite] [];
            /// The sum of all n operands divided by n. f16 and bf16 are computed in f32 and rounded once at the end.
            Mean mean Fold (x, y) [float] Exact Plain ViaF32 [composite] [];
            /// x, unchanged.
            Positive positive Unary (x) [int float] Exact Plain ViaF32 [] [];
            /// -x. Integers wrap, so -MIN is MIN.
            Negative negative Unary (x) [int float] Exact Plain Bits [] [];
            /// The absolute value of x. Integers wrap, so abs(MIN) is MIN.
            Abs abs Unary (x) [int float] Exact Plain Bits [] [];
            /// -1, 0 or 1, the sign of x. +0.0 for -0.0, NaN for NaN.
            Sign sign Unary (x) [int float] Exact Plain Native [] [];
            /// x * x. Integers wrap.
            Square square Unary (x) [int float] Exact Arithmetic Native [] [];
            /// 1 / x, correctly rounded.
            Reciprocal reciprocal Unary (x) [float] Exact Divide Native [] [];
            /// The square root of x, correctly rounded. NaN for x < 0; sqrt(-0.0) is -0.0.
            Sqrt sqrt Unary (x) [float] Exact Sqrt Native [] [];
            /// 1 / sqrt(x). An infinity with the sign of x for zeros, NaN for x < 0.
            Rsqrt rsqrt Unary (x) [float] Math Exp ViaF32 [] [];
            /// The cube root of x, with the sign of x.
            Cbrt cbrt Unary (x) [float] Math Log ViaF32 [] [];
            /// sqrt(x * x + y * y) without intermediate overflow. +inf if either operand is infinite, even if the other is NaN.
            Hypot hypot Binary (x, y) [float] Math Log ViaF32 [round_to_odd] [];
            /// e to the power of x.
            Exp exp Unary (x) [float] Math Exp ViaF32 [correctly_rounded] [];
            /// 2 to the power of x. Exact for integers.
            Exp2 exp2 Unary (x) [float] Math Exp ViaF32 [correctly_rounded] [];
            /// 10 to the power of x.
            Exp10 exp10 Unary (x) [float] Math Exp ViaF32 [correctly_rounded] [];
            /// exp(x) - 1, accurate near zero. Returns x for zeros.
            Expm1 expm1 Unary (x) [float] Math Sigmoid ViaF32 [] [];
            /// The natural logarithm of x. -inf for zeros, NaN for x < 0.
            Log log Unary (x) [float] Math Log ViaF32 [correctly_rounded round_to_odd] [];
            /// The logarithm of x to base 2, exact for powers of 2. -inf for zeros, NaN for x < 0.
            Log2 log2 Unary (x) [float] Math Log ViaF32 [correctly_rounded] [];
            /// The logarithm of x to base 10. -inf for zeros, NaN for x < 0.
            Log10 log10 Unary (x) [float] Math Log ViaF32 [correctly_rounded round_to_odd] [];
            /// The natural logarithm of 1 + x, accurate near zero. Returns x for zeros, -inf for -1, NaN for x < -1.
            Log1p log1p Unary (x) [float] Math Log ViaF32 [round_to_odd] [];
            /// x * log(y). +0 for x = 0, unless y is NaN.
            XLogY xlogy Binary (x, y) [float] Math Power ViaF32 [fast_only] [];
            /// x * log1p(y). +0 for x = 0, unless y is NaN.
            XLog1pY xlog1py Binary (x, y) [float] Math Power ViaF32 [fast_only] [];
            /// -x * log(x). +0 for 0 and 1, -inf for x < 0.
            Entr entr Unary (x) [float] Math Power ViaF32 [fast_only] [];
            /// (exp(x) - 1) / x, accurate near zero. 1 for 0, +0 for -inf.
            Exprel exprel Unary (x) [float] Math Power ViaF32 [fast_only] [];
            /// log(exp(x) + exp(y)) without intermediate overflow.
            LogAddExp logaddexp Binary (x, y) [float] Math Area ViaF32 [round_to_odd] [];
            /// log2(exp2(x) + exp2(y)) without intermediate overflow.
            LogAddExp2 logaddexp2 Binary (x, y) [float] Math Area ViaF32 [round_to_odd] [];
            /// The sine of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities.
            Sin sin Unary (x) [float] Math Sigmoid ViaF32 [correctly_rounded round_to_odd] [];
            /// The cosine of x in radians, accurate for all finite x. NaN for infinities.
            Cos cos Unary (x) [float] Math Sigmoid ViaF32 [correctly_rounded round_to_odd] [];
            /// The tangent of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities.
            Tan tan Unary (x) [float] Math Sigmoid ViaF32 [correctly_rounded] [];
            /// sin(pi * x) / (pi * x). 1 for 0, +0 for other integers and infinities.
            Sinc sinc Unary (x) [float] Math Area ViaF32 [fast_only] [];
            /// The inverse sine of x in radians, from -pi/2 to pi/2. Returns x for zeros, NaN for |x| > 1.
            Asin asin Unary (x) [float] Math Log ViaF32 [round_to_odd] [];
            /// The inverse cosine of x in radians, from 0 to pi. NaN for |x| > 1.
            Acos acos Unary (x) [float] Math Log ViaF32 [round_to_odd] [];
            /// The inverse tangent of x in radians, from -pi/2 to pi/2. Returns x for zeros.
            Atan atan Unary (x) [float] Math Log ViaF32 [round_to_odd] [];
            /// atan2(y, x): the angle of the point (x, y) in radians, from -pi to pi. The signs of zeros count.
            Atan2 atan2 Binary (y, x) [float] Math Power ViaF32 [round_to_odd] [];
            /// x * (pi / 180): degrees to radians, within 1 ULP. Returns x for zeros and infinities.
            Deg2Rad deg2rad Unary (x) [float] Exact MultiplyAdd ViaF32 [] [];
            /// x * (180 / pi): radians to degrees, within 1 ULP. Returns x for zeros and infinities.
            Rad2Deg rad2deg Unary (x) [float] Exact MultiplyAdd ViaF32 [] [];
            /// The hyperbolic sine of x. Returns x for zeros.
            Sinh sinh Unary (x) [float] Math Sigmoid ViaF32 [] [];
            /// The hyperbolic cosine of x.
            Cosh cosh Unary (x) [float] Math Log ViaF32 [] [];
            /// The hyperbolic tangent of x. Returns x for zeros.
            Tanh tanh Unary (x) [float] Math Log ViaF32 [correctly_rounded] [];
            /// The inverse hyperbolic sine of x. Returns x for zeros.
            Asinh asinh Unary (x) [float] Math Area ViaF32 [correctly_rounded round_to_odd] [];
            /// The inverse hyperbolic cosine of x, at least 0. NaN for x < 1.
            Acosh acosh Unary (x) [float] Math Area ViaF32 [correctly_rounded round_to_odd] [];
            /// The inverse hyperbolic tangent of x. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1.
            Atanh atanh Unary (x) [float] Math Power ViaF32 [correctly_rounded round_to_odd] [];
            /// The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x. Returns x for zeros.
            Erf erf Unary (x) [float] Math Sigmoid ViaF32 [] [];
            /// 1 - erf(x), accurate for large x.
            Erfc erfc Unary (x) [float] Math Power ViaF32 [round_to_odd] [];
            /// The inverse of erf. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1.
            Erfinv erfinv Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// The inverse of erfc. +inf for zeros, 0 for 1, -inf for 2, NaN outside 0 to 2.
            Erfcinv erfcinv Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// exp(x * x) * erfc(x), the scaled complementary error function.
            Erfcx erfcx Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// The distribution function of the normal distribution: erfc(-x / sqrt(2)) / 2.
            Ndtr ndtr Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// The inverse of ndtr. -inf for zeros, 0 for 1/2, +inf for 1, NaN outside 0 to 1.
            Ndtri ndtri Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// log(ndtr(x)) without intermediate underflow. -0.0 for +inf.
            LogNdtr log_ndtr Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// log(|gamma(x)|). +inf for 0, negative integers and +inf, -inf for -inf.
            LGamma lgamma Unary (x) [float] Math Area ViaF32 [fast_only four_ulp absolute_error] [];
            /// The derivative of lgamma. -inf for +0.0, +inf for -0.0 and +inf, NaN for negative integers and -inf.
            Digamma digamma Unary (x) [float] Math Area ViaF32 [fast_only four_ulp absolute_error] [];
            /// The modified Bessel function of the first kind of order 0.
            I0 i0 Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// exp(-|x|) * i0(x).
            I0e i0e Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// The modified Bessel function of the first kind of order 1. Returns x for zeros and infinities.
            I1 i1 Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// exp(-|x|) * i1(x). Returns x for zeros, a zero with the sign of x for infinities.
            I1e i1e Unary (x) [float] Math Area ViaF32 [fast_only four_ulp] [];
            /// 1 / (1 + exp(-x)).
            Sigmoid sigmoid Unary (x) [float] Math Sigmoid ViaF32 [round_to_odd] [];
            /// log(x / (1 - x)), accurate near 1/2. -inf for zeros, +inf for 1, NaN outside 0 to 1.
            Logit logit Unary (x) [float] Math Area ViaF32 [] [];
            /// logit(clamp(x, eps, 1 - eps)). NaN for NaN.
            ClampedLogit clamped_logit Binary (x, eps) [float] Math Area ViaF32 [composite] [];
            /// log(1 + exp(x)) without intermediate overflow.
            Softplus softplus Unary (x) [float] Math Area ViaF32 [correctly_rounded] [];
            /// log(1 + exp(beta * x)) / beta; x where beta * x > threshold, by default nowhere.
            ParametricSoftplus parametric_softplus Ternary (x, beta = 1.0, threshold = 1.7976931348623157e308) [float] Math Area ViaF32 [composite fast_only three_ulp] [];
            /// log(sigmoid(x)) = -softplus(-x) without intermediate underflow.
            LogSigmoid log_sigmoid Unary (x) [float] Math Area ViaF32 [fast_only] [];
            /// x * sigmoid(alpha * x). x / 2 for alpha = 0; at infinite x the limit, x or a zero with its sign.
            Swish swish Binary (x, alpha = 1.0) [float] Math Area ViaF32 [fast_only] [];
            /// x - tanh(x), accurate near zero. Returns x for zeros and infinities.
            Tanhshrink tanhshrink Unary (x) [float] Math Power ViaF32 [fast_only] [];
            /// x * sigmoid(x). -0.0 for -inf.
            Silu silu Unary (x) [float] Math Sigmoid ViaF32 [round_to_odd] [];
            /// x / 2 * erfc(-x / sqrt(2)). -0.0 for -inf.
            Gelu gelu Unary (x) [float] Math Area ViaF32 [correctly_rounded round_to_odd] [];
            /// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). -0.0 for -inf.
            GeluTanh gelu_tanh Unary (x) [float] Math Area ViaF32 [round_to_odd] [];
            /// x * tanh(softplus(x)). -0.0 for -inf.
            Mish mish Unary (x) [float] Math Power ViaF32 [correctly_rounded] [];
            /// x if x > 0, else alpha * expm1(x).
            Elu elu Binary (x, alpha = 1.0) [float] Math Sigmoid ViaF32 [correctly_rounded round_to_odd] [];
            /// maximum(x, 0) + minimum(0, alpha * expm1(x / alpha)).
            Celu celu Binary (x, alpha = 1.0) [float] Math Area ViaF32 [correctly_rounded round_to_odd] [];
            /// 1.0507009873554805 * x if x > 0, else 1.0507009873554805 * 1.6732632423543772 * expm1(x).
            Selu selu Unary (x) [float] Math Sigmoid ViaF32 [correctly_rounded round_to_odd] [];
            /// gamma * x if x > 0, else gamma * alpha * expm1(x).
            ParametricSelu parametric_selu Ternary (x, alpha = 1.6732632423543772, gamma = 1.0507009873554805) [float] Math Sigmoid ViaF32 [composite fast_only] [];
            /// c * tanh(x / c).
            Softcap softcap Binary (x, c) [float] Math Area ViaF32 [round_to_odd] [];
            /// maximum(x, +0). relu(-0.0) is +0.0; NaN propagates.
            Relu relu Unary (x) [int float] Exact Plain BitsOrNative [] [];
            /// minimum(maximum(x, +0), 6). NaN propagates.
            Relu6 relu6 Unary (x) [float] Exact Choose Native [] [];
            /// x * (clamp(x + 3, 0, 6) / 6). -0 for finite x <= -3, x for x >= 3.
            HardSwish hard_swish Unary (x) [float] Exact Divide ViaF32 [] [];
            /// clamp(fma(alpha, x, beta), 0, 1).
            HardSigmoid hard_sigmoid Ternary (x, alpha = 0.2, beta = 0.5) [float] Exact MultiplyAdd ViaF32 [] [];
            /// clamp(x, lo, hi). NaN propagates.
            HardTanh hard_tanh Ternary (x, lo = -1.0, hi = 1.0) [float] Exact Choose BitsOrNative [] [];
            /// x / (1 + |x|).
            Softsign softsign Unary (x) [float] Exact Divide ViaF32 [] [];
            /// prelu(x, slope): slope * x if x < 0, else x.
            Prelu prelu Binary (x, slope) [float] Exact Plain Native [] [];
            /// alpha * x if x < 0, else x.
            LeakyRelu leaky_relu Binary (x, alpha = 0.01) [float] Exact Plain Native [] [];
            /// x if x > alpha, else +0. +0 for NaN.
            ThresholdedRelu thresholded_relu Binary (x, alpha = 1.0) [float] Exact Plain Native [] [];
            /// x + bias if x < -lambd, x - bias if x > lambd, else +0. +0 for NaN.
            Shrink shrink Ternary (x, lambd = 0.5, bias = 0.0) [float] Exact Plain Native [] [];
            /// +0 if |x| <= lambd, else x. NaN for NaN.
            HardShrink hardshrink Binary (x, lambd = 0.5) [float] Exact Plain Native [] [];
            /// heaviside(x, h): 0 if x < 0, h if x is 0, 1 if x > 0. NaN for NaN.
            Heaviside heaviside Binary (x, h) [float] Exact Exponent Native [] [];
            /// x with the sign of y.
            Copysign copysign Binary (x, y) [float] Exact Plain Bits [] [];
            /// The next number after x in the direction of y, in the dtype of x. Returns y if x == y, NaN if either is NaN.
            NextAfter nextafter Binary (x, y) [float] Exact Exponent Bits [] [];
            /// The distance from x to the next number of the dtype away from zero, with the sign of x. The smallest subnormal for zeros, NaN for infinities.
            Spacing spacing Unary (x) [float] Exact Plain ViaF32 [composite] [];
            /// x * 2^n, rounded once, for integers n (i32 or i64). Returns x for zeros.
            Ldexp ldexp Scale (x, n) [float] Exact Plain ViaF32 [composite] [];
            /// x * 2^n, rounded once. The fraction of n is dropped. Returns x for zeros, NaN if either operand is NaN.
            Scalb scalb Binary (x, n) [float] Exact Scale ViaF32 [] [];
            /// The exponent e in |x| = m * 2^e with 1 <= m < 2, also for subnormals. -inf for zeros, +inf for infinities.
            Logb logb Unary (x) [float] Exact Exponent ViaF32 [] [];
            /// x - trunc(x) with the sign of x, the fractional part that modf returns. 0 for infinities.
            Fraction fraction Unary (x) [float] Exact Round ViaF32 [] [];
            /// The mantissa m in x = m * 2^exponent(x) with 0.5 <= |m| < 1, as frexp returns it. Returns x for zeros, infinities and NaN.
            Mantissa mantissa Unary (x) [float] Exact Exponent ViaF32 [] [];
            /// The exponent e in x = mantissa(x) * 2^e, as frexp returns it. 0 for zeros, infinities and NaN.
            Exponent exponent Exponent (x) [float] Exact Exponent ViaF32 [] [];
            /// The largest integer that is not above x. floor(-0.0) is -0.0.
            Floor floor Unary (x) [int float] Exact Round Native [] [];
            /// The smallest integer that is not below x. -0.0 for -1 < x <= -0.0.
            Ceil ceil Unary (x) [int float] Exact Round Native [] [];
            /// The integer part of x. The sign of x is kept, also for zeros.
            Trunc trunc Unary (x) [int float] Exact Round Native [] [];
            /// The nearest integer to x; halves round to even. The sign of x is kept, also for zeros.
            Round round Unary (x) [int float] Exact Round Native [] [];
            /// x to n = decimals decimal places: round(x * 10^n) / 10^n, each rounded, or x if x * 10^n overflows; for n < 0 round(x / 10^-n) * 10^-n. Halves round to even. Integers are computed in f64 and saturate.
            RoundDecimals round_decimals Scale (x, decimals = 0.0) [int float] Exact Plain ViaF32 [composite] [];
            /// The nearest integer to x; halves round away from zero. The sign of x is kept, also for zeros.
            RoundHalfAway round_half_away Unary (x) [int float] Exact Round Native [] [];
            /// clamp(x, lo, hi) = minimum(maximum(x, lo), hi). NaN propagates; the result is hi if lo > hi.
            Clamp clamp Ternary (x, lo, hi) [int float] Exact Choose BitsOrNative [] [];
            /// x with NaN replaced by nan, +inf by posinf and -inf by neginf; by default 0 and the largest finite numbers of the dtype.
            NanToNum nan_to_num Quaternary (x, nan = 0.0, posinf = 1.7976931348623157e308, neginf = -1.7976931348623157e308) [float] Exact Plain ViaF32 [composite] [];
            /// x * y + z, rounded once. f16 and bf16 compute one fma in f32 and round the result again. Integers wrap.
            Fma fma Ternary (x, y, z) [int float] Exact Fma ViaF32 [] [];
            /// lerp(x, y, t) = fma(t, y, fma(-t, x, x)). If x and y are finite, the result is x for t = 0 and y for t = 1, except for the sign of zeros.
            Lerp lerp Ternary (x, y, t) [float] Exact MultiplyAdd ViaF32 [] [];
            /// x == y. False if either operand is NaN.
            Equal equal BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// x != y. True if either operand is NaN.
            NotEqual not_equal BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// x < y. False if either operand is NaN.
            Less less BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// x <= y. False if either operand is NaN.
            LessEqual less_equal BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// x > y. False if either operand is NaN.
            Greater greater BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// x >= y. False if either operand is NaN.
            GreaterEqual greater_equal BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// Whether x == y, or y is finite and |x - y| <= atol + rtol * |y|, each operation rounded in the compute type. Two NaN are close only with equal_nan.
            IsClose isclose Tolerance (x, y, rtol = 1e-5, atol = 1e-8, equal_nan = 0.0) [float] Exact Plain ViaF32 [composite] [];
            /// Whether x is NaN.
            IsNan isnan UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether x is +inf or -inf.
            IsInf isinf UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether x is +inf.
            IsPosInf isposinf UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether x is -inf.
            IsNegInf isneginf UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether x is neither infinite nor NaN.
            IsFinite isfinite UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether the sign bit of x is set, also for -0.0 and NaN.
            SignBit signbit UnaryPredicate (x) [float] Exact Plain Native [] [];
            /// Whether x and y are both true. Numbers other than 0, including NaN, are true.
            LogicalAnd logical_and BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// Whether x or y, or both, are true. Numbers other than 0, including NaN, are true.
            LogicalOr logical_or BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// Whether exactly one of x and y is true. Numbers other than 0, including NaN, are true.
            LogicalXor logical_xor BinaryPredicate (x, y) [bool int float] Exact Plain Native [] [];
            /// Whether x is false. Numbers other than 0, including NaN, are true.
            LogicalNot logical_not UnaryPredicate (x) [bool int float] Exact Plain Native [] [];
            /// The bits set in both x and y. Logical and for bool.
            BitwiseAnd bitwise_and Binary (x, y) [bool int] Exact Plain Never [] [];
            /// The bits set in x or y, or both. Logical or for bool.
            BitwiseOr bitwise_or Binary (x, y) [bool int] Exact Plain Never [] [];
            /// The bits set in exactly one of x and y. Logical xor for bool.
            BitwiseXor bitwise_xor Binary (x, y) [bool int] Exact Plain Never [] [];
            /// x with all bits inverted. Logical not for bool.
            BitwiseNot bitwise_not Unary (x) [bool int] Exact Plain Never [] [];
            /// x shifted left by y bits. 0 if y is negative or not below the width.
            ShiftLeft shift_left Binary (x, y) [int] Exact Plain Never [] [];
            /// x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x.
            ShiftRight shift_right Binary (x, y) [int] Exact Plain Never [] [];
            /// The number of set bits of x. Negative numbers are in two's complement.
            Popcount popcount Unary (x) [int] Exact CountBits Never [] [];
            /// The number of set bits of |x|, as in NumPy: 1 for -1.
            BitwiseCount bitwise_count Count (x) [int] Exact Plain Never [composite] [];
            /// The number of zero bits above the highest set bit. The width for 0.
            LeadingZeros leading_zeros Unary (x) [int] Exact CountBits Never [] [];
            /// The number of zero bits below the lowest set bit. The width for 0.
            TrailingZeros trailing_zeros Unary (x) [int] Exact CountBits Never [] [];
            /// The greatest common divisor of |x| and |y|; 0 if both are 0. A result of -MIN wraps to MIN.
            Gcd gcd Binary (x, y) [int] Exact Gcd Never [] [];
            /// The least common multiple of |x| and |y|; 0 if either is 0. The result wraps.
            Lcm lcm Binary (x, y) [int] Exact Gcd Never [] [];
            /// where(cond, x, y): x if cond is true, else y. Moves bits.
            Where where_ Select (cond, x, y) [bool int float opaque] Exact Plain Move [] [];
            /// cast(x, dtype), rounded once. Floats to integers round toward zero and saturate, NaN becomes 0. Integers to integers wrap. To bool: x != 0.
            Cast cast Convert (x) [bool int float] Exact Cast Move [] [];
            /// cast(x, dtype) with values out of range replaced by the nearest value in range, also from integer to integer; for float dtypes, that is the largest finite one.
            CastSaturating cast_saturating Convert (x) [bool int float] Exact Plain ViaF32 [composite] [];
            /// bitcast(x, dtype): the bits of x as another dtype of the same size.
            Bitcast bitcast Convert (x) [bool int float opaque] Exact Plain Move [] [];
            /// round(x / scale) + zero_point, with halves rounded to even, saturating. f16 divides in f32, and the sum is exact. 0 for NaN.
            QuantizeLinear quantize_linear Quantize (x, scale, zero_point = 0.0) [f16 f32] Exact Plain ViaF32 [composite] [];
            /// (x - zero_point) * scale, computed in f32. The difference is rounded to f32 first; f16 rounds the result again.
            DequantizeLinear dequantize_linear Dequantize (x, scale, zero_point = 0.0) [f16 f32] Exact Plain ViaF32 [composite] [];
            /// x, unchanged, in any layout. Moves bits.
            Copy copy Move (x) [bool int float opaque] Exact Plain Move [] [];
            /// broadcast_to(x, shape): x repeated along the axes where its size is 1. Moves bits.
            BroadcastTo broadcast_to Move (x) [bool int float opaque] Exact Plain Move [] [];
        }
    };
}
