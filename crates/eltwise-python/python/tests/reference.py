"""The reference for the Python tests: every operator as a NumPy expression.

`OPERATORS` has a row for each operator; `test_operators.py` fails for an operator that is in none of the tables below.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import ml_dtypes
import numpy as np
from support import BF16, NUMERIC, kind

F32, F64 = np.dtype("f4"), np.dtype("f8")


class Reference(NamedTuple):
    """An operator: the number and kinds (`b`, `i`, `u`, `f`) of its operands, and the function that computes it."""

    arity: int
    kinds: str
    compute: Callable
    #: `same`: computed in `computes_in(dtype)`, rounded to the dtype of the operands; `bool`: a truth value; `moved`:
    #: the bits of an operand; `stored`: computed in the dtype of the operands, 16-bit floats too.
    gives: str = "same"

    def takes(self, dtype):
        """Whether the operator takes operands of this dtype without promotion."""
        return kind(dtype) in self.kinds


def computes_in(dtype):
    """The dtype that an operator computes in: float32 for 16-bit floats."""
    return F32 if kind(dtype) == "f" and dtype.itemsize == 2 else dtype


def expected(name, *operands):
    """The result of an operator for operands of one dtype, except the condition of `where`."""
    operator = OPERATORS[name]
    if operator.gives == "moved":
        return operator.compute(*operands)
    if operator.gives == "stored":
        with np.errstate(all="ignore"):
            return operator.compute(*[x.astype(x.dtype.newbyteorder("=")) if x.dtype != BF16 else x for x in operands])
    dtype = operands[0].dtype.newbyteorder("=") if operands[0].dtype != BF16 else BF16
    with np.errstate(all="ignore"):
        result = np.asarray(operator.compute(*[x.astype(computes_in(dtype)) for x in operands]))
        return result.astype(bool if operator.gives == "bool" else dtype)


# Rounding


def round_to_odd(x, exact_above):
    """`x` with its last bit set where it is not exact (round to odd): rounding it again then equals rounding once.

    `exact_above` is the sign of (exact value - x).
    """
    as_integer = x.view(f"i{x.itemsize}")
    even = (as_integer & 1 == 0) & (exact_above != 0)
    return np.where(even, np.nextafter(x, np.where(exact_above > 0, np.inf, -np.inf).astype(x.dtype)), x)


def to_bf16(x):
    """float64 to bfloat16, rounded once."""
    narrow = x.astype(F32)
    above = np.where(np.isfinite(x), np.sign(x - np.where(np.isinf(narrow), np.copysign(3.5e38, x), narrow)), 0)
    return round_to_odd(narrow, above).astype(BF16)


# Operators


def maximum(x, y):
    result = np.maximum(x, y)
    return np.where((x == 0) & (y == 0), x + y, result) if x.dtype.kind == "f" else result


def minimum(x, y):
    result = np.minimum(x, y)
    return np.where((x == 0) & (y == 0), -(-x + -y), result) if x.dtype.kind == "f" else result


def divide(x, y):
    if x.dtype.kind == "f":
        return x / y
    quotient, inexact = x // y, x % y != 0
    toward_zero = quotient + (inexact & ((x < 0) != (y < 0))).astype(x.dtype)
    return np.where(y == 0, x.dtype.type(0), toward_zero)


def _floor_of(x, y, dtype):
    """The floor of the exact quotient, rounded once to float32 or float64."""
    if y == 0 or not np.isfinite(x) or not np.isfinite(y):
        if y == 0 or np.isnan(x) or np.isnan(y):
            return dtype.type(x) / dtype.type(y)
        if np.isinf(x):
            return np.nan
        return -1.0 if x != 0 and (x < 0) != (y < 0) else x / y
    whole = Fraction(float(x)) // Fraction(float(y))
    if whole == 0:
        return np.copysign(0.0, np.copysign(1.0, x) * np.copysign(1.0, y))
    # Round to 53 or 24 bits, ties to even.
    dropped = max(abs(whole).bit_length() - (53 if dtype == F64 else 24), 0)
    size, rest = divmod(abs(whole), 1 << dropped)
    size += 2 * rest > 1 << dropped or (2 * rest == 1 << dropped and size % 2 == 1 and dropped > 0)
    sign = 1.0 if whole > 0 else -1.0
    try:
        return sign * float(size << dropped)
    except OverflowError:
        return sign * np.inf


def floor_divide(x, y):
    if x.dtype.kind != "f":
        return np.where(y == 0, x.dtype.type(0), np.floor_divide(x, y))
    return np.asarray(np.frompyfunc(lambda a, b: _floor_of(a, b, x.dtype), 2, 1)(x, y)).astype(F64).astype(x.dtype)


def remainder(x, y):
    if x.dtype.kind != "f":
        return np.where(y == 0, x.dtype.type(0), np.remainder(x, y))
    rest = np.fmod(x, y)
    moved = np.where((rest < 0) != (y < 0), rest + y, rest)
    return np.where(rest == 0, np.copysign(rest, y), moved)


def fmod(x, y):
    return np.fmod(x, y) if x.dtype.kind == "f" else np.where(y == 0, x.dtype.type(0), np.fmod(x, y))


def relu(x):
    return maximum(x, np.zeros_like(x))


def clamp(x, lo, hi):
    return minimum(maximum(x, lo), hi)


def _fma_f64(x, y, z):
    naive = x * y + z
    if np.isfinite(x) and np.isfinite(y) and not np.isfinite(z):
        return z  # the product, which is not rounded, is finite
    if not all(map(np.isfinite, (x, y, z))):
        return naive
    value = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    if value == 0:
        return naive if x == 0 or y == 0 else 0.0
    sign = 1.0 if value > 0 else -1.0
    try:
        return np.copysign(float(value), sign)
    except OverflowError:
        return sign * np.inf


def fma(x, y, z):
    if x.dtype == F64:
        return np.asarray(np.frompyfunc(_fma_f64, 3, 1)(x, y, z)).astype(F64)
    if x.dtype != F32:
        return x * y + z
    product, addend = x.astype(F64) * y, z.astype(F64)  # the product is exact
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    return round_to_odd(total, np.where(np.isfinite(error), np.sign(error), 0)).astype(F32)


def fmax(x, y):
    return maximum(np.where(np.isnan(x), y, x), np.where(np.isnan(y), x, y)) if x.dtype.kind == "f" else np.fmax(x, y)


def fmin(x, y):
    return minimum(np.where(np.isnan(x), y, x), np.where(np.isnan(y), x, y)) if x.dtype.kind == "f" else np.fmin(x, y)


def round_half_away(x):
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x).astype(x.dtype), whole)


def _of_floats(function):
    """A function of floats; integers stay as they are."""
    return lambda x: function(x) if x.dtype.kind == "f" else x


def _constant(x, value):
    return np.full_like(x, value)


def hard_swish(x):
    gate = clamp(x + x.dtype.type(3), _constant(x, 0), _constant(x, 6))
    return x * (gate / x.dtype.type(6))


def lerp(x, y, t):
    x, y, t = np.broadcast_arrays(x, y, t)
    return fma(t, y, fma(-t, x, x))


#: Irrational factors as `hi + lo`, by the dtype of the computation: `hi` is rounded toward zero, `lo` to nearest.
RADIANS_PER_DEGREE = {
    F32: ("0x1.1df46ap-6", "0x1.294e9cp-33"),
    F64: ("0x1.1df46a2529d39p-6", "0x1.5c1d8becdd291p-62"),
}
DEGREES_PER_RADIAN = {
    F32: ("0x1.ca5dcp+5", "0x1.a63c2p-19"),
    F64: ("0x1.ca5dc1a63c1f7p+5", "0x1.70c2a5d4dfd03p-48"),
}


def scaled_by(factor):
    def compute(x):
        hi, lo = (x.dtype.type(float.fromhex(part)) for part in factor[x.dtype])
        return fma(x, _constant(x, hi), x * lo)

    return compute


def saturating(operation):
    def compute(x, y):
        low, high = int(np.iinfo(x.dtype).min), int(np.iinfo(x.dtype).max)
        inside = np.frompyfunc(lambda a, b: min(max(operation(int(a), int(b)), low), high), 2, 1)
        return np.asarray(inside(x, y), object).astype(x.dtype)

    return compute


def shift_right(x, y):
    bits = 8 * x.dtype.itemsize
    return (
        np.right_shift(x, np.where((y < 0) | (y >= bits), bits - 1, y)) if x.dtype.kind == "i" else np.right_shift(x, y)
    )


def _bits(function):
    """An operator that counts bits: `function(bits as an unsigned Python integer, number of bits)`."""

    def compute(x):
        size = 8 * x.dtype.itemsize
        unsigned = x.astype(f"u{x.dtype.itemsize}")
        return np.asarray(np.frompyfunc(lambda v: function(int(v), size), 1, 1)(unsigned))

    return compute


def hard_sigmoid(x, alpha, beta):
    x, alpha, beta = np.broadcast_arrays(x, alpha, beta)
    return clamp(fma(alpha, x, beta), _constant(x, 0), _constant(x, 1))


def shrink(x, lambd, bias):
    return np.where(x < -lambd, x + bias, np.where(x > lambd, x - bias, np.zeros_like(x)))


def nan_to_num(x, nan, posinf, neginf):
    return np.where(np.isnan(x), nan, np.where(x == np.inf, posinf, np.where(x == -np.inf, neginf, x)))


def spacing(x):
    """The distance to the next number away from zero. NumPy's own function differs for float16."""
    infinity = np.asarray(np.inf, x.dtype)
    return np.nextafter(x, np.where(x < 0, -infinity, infinity)) - x


def scalb(x, n):
    """x * 2**trunc(n), rounded once by `ldexp`; n is limited to what is far out of range for every dtype."""
    size = np.clip(np.nan_to_num(np.trunc(n), nan=0.0, posinf=5000, neginf=-5000), -5000, 5000).astype("i4")
    return np.where(np.isnan(n), n, np.ldexp(x, size))


def logb(x):
    _, exponent = np.frexp(x)
    return np.where(x == 0, -np.inf, np.where(np.isfinite(x), exponent - 1, np.abs(x))).astype(x.dtype)


def truth(x):
    return x != 0  # NaN is true


def cast(x, dtype):
    """`x` converted: rounded once, saturated from floats to integers, wrapped between integers."""
    source, dtype = x.dtype, np.dtype(dtype)
    if source == dtype:
        return x.copy()
    if dtype.kind == "b":
        return truth(x.astype(computes_in(source)))
    with np.errstate(all="ignore"):
        wide = x.astype(F64) if kind(source) == "f" else x
        if kind(source) == "f" and dtype.kind in "iu":
            low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
            inside = np.where((wide > low) & (wide < float(high)), wide, 0)
            result = np.trunc(inside).astype(dtype)
            result = np.where(wide <= low, dtype.type(low), result)
            return np.where(wide >= float(high), dtype.type(high), result)
        if dtype == BF16 and source.itemsize == 8 and source.kind in "iu":
            size = np.where(x < 0, -x, x).astype("u8")
            odd = (size & ~np.uint64(0xFFF)) | ((size & np.uint64(0xFFF) != 0).astype("u8") << np.uint64(12))
            wide = np.where(size < 2**52, size, odd).astype(F64) * np.where(x < 0, -1.0, 1.0)
        return to_bf16(wide.astype(F64)) if dtype == BF16 else wide.astype(dtype)


OPERATORS = {
    "add": Reference(2, "biuf", np.add),
    "subtract": Reference(2, "iuf", np.subtract),
    "multiply": Reference(2, "biuf", np.multiply),
    "divide": Reference(2, "f", divide),
    "floor_divide": Reference(2, "iuf", floor_divide),
    "trunc_divide": Reference(2, "iu", divide),
    "remainder": Reference(2, "iuf", remainder),
    "fmod": Reference(2, "iuf", fmod),
    "maximum": Reference(2, "biuf", maximum),
    "minimum": Reference(2, "biuf", minimum),
    "saturating_add": Reference(2, "iu", saturating(int.__add__)),
    "saturating_subtract": Reference(2, "iu", saturating(int.__sub__)),
    "saturating_multiply": Reference(2, "iu", saturating(int.__mul__)),
    "fmax": Reference(2, "biuf", fmax),
    "fmin": Reference(2, "biuf", fmin),
    "squared_difference": Reference(2, "iuf", lambda x, y: (x - y) * (x - y)),
    "abs_difference": Reference(
        2, "iuf", lambda x, y: np.abs(x - y) if x.dtype.kind == "f" else np.where(x > y, x - y, y - x)
    ),
    "gcd": Reference(2, "iu", np.gcd),
    "lcm": Reference(2, "iu", np.lcm),
    "positive": Reference(1, "iuf", np.positive),
    "sign": Reference(1, "iuf", np.sign),
    "square": Reference(1, "iuf", np.square),
    "reciprocal": Reference(1, "f", np.reciprocal),
    "floor": Reference(1, "biuf", _of_floats(np.floor)),
    "ceil": Reference(1, "biuf", _of_floats(np.ceil)),
    "trunc": Reference(1, "biuf", _of_floats(np.trunc)),
    "round": Reference(1, "iuf", _of_floats(np.rint)),
    "round_half_away": Reference(1, "iuf", _of_floats(round_half_away)),
    "copysign": Reference(2, "f", np.copysign),
    # For float16, NumPy returns x for two zeros.
    "nextafter": Reference(2, "f", lambda x, y: np.where(x == y, y, np.nextafter(x, y)), "stored"),
    "heaviside": Reference(2, "f", np.heaviside),
    "lerp": Reference(3, "f", lerp),
    "deg2rad": Reference(1, "f", scaled_by(RADIANS_PER_DEGREE)),
    "rad2deg": Reference(1, "f", scaled_by(DEGREES_PER_RADIAN)),
    "relu6": Reference(1, "f", lambda x: clamp(x, np.zeros_like(x), _constant(x, 6))),
    "hard_swish": Reference(1, "f", hard_swish),
    "softsign": Reference(1, "f", lambda x: x / (1 + np.abs(x))),
    "prelu": Reference(2, "f", lambda x, slope: np.where(x < 0, slope * x, x)),
    "leaky_relu": Reference(2, "f", lambda x, alpha: np.where(x < 0, alpha * x, x)),
    "thresholded_relu": Reference(2, "f", lambda x, alpha: np.where(x > alpha, x, np.zeros_like(x))),
    "shrink": Reference(3, "f", shrink),
    "hardshrink": Reference(2, "f", lambda x, lambd: np.where(np.abs(x) <= lambd, np.zeros_like(x), x)),
    "addcmul": Reference(4, "iuf", lambda x, y, z, value: x + value * y * z),
    "addcdiv": Reference(4, "f", lambda x, y, z, value: x + value * y / z),
    "nan_to_num": Reference(4, "f", nan_to_num),
    "spacing": Reference(1, "f", spacing, "stored"),
    "hard_sigmoid": Reference(3, "f", hard_sigmoid),
    "hard_tanh": Reference(3, "f", clamp),
    "scalb": Reference(2, "f", scalb),
    "logb": Reference(1, "f", logb),
    "fraction": Reference(1, "f", lambda x: np.modf(x)[0]),
    "mantissa": Reference(1, "f", lambda x: np.frexp(x)[0]),
    "negative": Reference(1, "iuf", np.negative),
    "abs": Reference(1, "biuf", np.abs),
    "sqrt": Reference(1, "f", np.sqrt),
    "relu": Reference(1, "biuf", relu),
    "clamp": Reference(3, "iuf", clamp),
    "fma": Reference(3, "iuf", fma),
    "equal": Reference(2, "biuf", np.equal, "bool"),
    "not_equal": Reference(2, "biuf", np.not_equal, "bool"),
    "less": Reference(2, "biuf", np.less, "bool"),
    "less_equal": Reference(2, "biuf", np.less_equal, "bool"),
    "greater": Reference(2, "biuf", np.greater, "bool"),
    "greater_equal": Reference(2, "biuf", np.greater_equal, "bool"),
    "isnan": Reference(1, "f", np.isnan, "bool"),
    "isinf": Reference(1, "f", np.isinf, "bool"),
    "isposinf": Reference(1, "f", lambda x: x == np.inf, "bool"),
    "isneginf": Reference(1, "f", lambda x: x == -np.inf, "bool"),
    "isfinite": Reference(1, "f", np.isfinite, "bool"),
    "signbit": Reference(1, "f", np.signbit, "bool"),
    "logical_and": Reference(2, "biuf", lambda x, y: truth(x) & truth(y), "bool"),
    "logical_or": Reference(2, "biuf", lambda x, y: truth(x) | truth(y), "bool"),
    "logical_xor": Reference(2, "biuf", lambda x, y: truth(x) ^ truth(y), "bool"),
    "logical_not": Reference(1, "biuf", lambda x: ~truth(x), "bool"),
    "bitwise_and": Reference(2, "biu", np.bitwise_and),
    "bitwise_or": Reference(2, "biu", np.bitwise_or),
    "bitwise_xor": Reference(2, "biu", np.bitwise_xor),
    "bitwise_not": Reference(1, "biu", np.bitwise_not),
    "shift_left": Reference(2, "iu", np.left_shift),
    "shift_right": Reference(2, "iu", shift_right),
    "popcount": Reference(1, "iu", _bits(lambda v, _: v.bit_count())),
    "leading_zeros": Reference(1, "iu", _bits(lambda v, size: size - v.bit_length())),
    "trailing_zeros": Reference(1, "iu", _bits(lambda v, size: (v & -v).bit_length() - 1 if v else size)),
    "where": Reference(3, "biuf", np.where, "moved"),
    "cast": Reference(1, "biuf", lambda x: {d: cast(x, d) for d in NUMERIC}, "moved"),
    "copy": Reference(1, "biuf", lambda x: x.copy(), "moved"),
    "broadcast_to": Reference(1, "biuf", lambda x: x, "moved"),
}
#: Operators that `test_power.py` and `test_mixed.py` test: some values are errors, have operands of two dtypes, take
#: any number of operands, or have a different result dtype.
MIXED = ["pow", "sum", "mean", "ldexp", "exponent", "bitwise_count", "cast_saturating", "bitcast"]
MIXED += ["quantize_linear", "dequantize_linear", "isclose", "float_power", "round_decimals", "parametric_softplus"]
MIXED += ["parametric_selu", "clamped_logit"]
#: Operators that compute bools as int8, as in NumPy.
BOOLS_AS_INT8 = ["floor_divide", "remainder", "fmod", "pow", "square", "shift_left", "shift_right", "bitwise_count"]
#: Operators with an error bound in ULP: see `test_math.py`.
MATH = ["rsqrt", "cbrt", "hypot", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "logaddexp"]
MATH += ["logaddexp2", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh"]
MATH += ["acosh", "atanh", "erf", "erfc", "sigmoid", "logit", "softplus", "silu", "gelu", "gelu_tanh", "mish", "elu"]
MATH += ["celu", "selu", "softcap"]
#: Those without the accuracy "correct".
FAST_ONLY = ["xlogy", "xlog1py", "entr", "exprel", "sinc", "log_sigmoid", "swish", "tanhshrink", "pow_constant"]
#: Those with an error of up to 4 ULP in float64.
STATISTICS = ["erfinv", "erfcinv", "erfcx", "ndtr", "ndtri", "log_ndtr", "lgamma", "digamma", "i0", "i0e", "i1", "i1e"]
FAST_ONLY += STATISTICS
MATH += FAST_ONLY
#: Operators whose functions have only operands as required parameters.
PLAIN = [name for name in OPERATORS if name not in ("cast", "broadcast_to")]
BINARY = [name for name in PLAIN if OPERATORS[name].arity == 2]
assert ml_dtypes.finfo(BF16).bits == 16
