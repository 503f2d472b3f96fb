"""The operators of the cases: arity, accuracy, values of the operands, and the definition in NumPy.

The names are eltwise's. The table may have operators that eltwise does not have yet; they are timed as soon as
`eltwise` has a function of that name.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

EXACT = "exact"  # the same bits in every engine
ROUNDED = "rounded"  # one correctly rounded arithmetic operation
MATH = "math"  # a function that engines approximate


@dataclass(frozen=True)
class Operator:
    """A row of the table. `reference` takes arrays of one dtype, which may be wider than the case's."""

    name: str
    arity: int
    kind: str
    reference: Callable
    values: tuple[str, ...] = ()
    boolean: bool = False

    def values_of(self, operand: int) -> str:
        """The kind of values (see data.py) of an operand."""
        if not self.values:
            return "signed"
        return self.values[min(operand, len(self.values) - 1)]


TABLE: dict[str, Operator] = {}


def _row(name, arity, kind, reference, *values, boolean=False):
    TABLE[name] = Operator(name, arity, kind, reference, values, boolean)


def _erf(x):
    try:
        from scipy.special import erf

        return erf(x.astype(np.float64))
    except ImportError:
        return np.frompyfunc(math.erf, 1, 1)(x.astype(np.float64)).astype(np.float64)


def _divide(x, y):
    # Truncating division of integers; the operands of the cases are positive.
    return np.floor_divide(x, y) if x.dtype.kind in "iu" else np.divide(x, y)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _softplus(x):
    return np.logaddexp(x, 0)


def _gelu_tanh(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + x * x * x * 44715 / 1000000)))


def _selu(x):
    return np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)) * 1.0507009873554805


_row("add", 2, ROUNDED, np.add)
_row("subtract", 2, ROUNDED, np.subtract)
_row("multiply", 2, ROUNDED, np.multiply)
_row("divide", 2, ROUNDED, _divide, "positive", "divisor")
_row("floor_divide", 2, EXACT, np.floor_divide, "positive", "divisor")
_row("trunc_divide", 2, EXACT, _divide, "positive", "divisor")
_row("remainder", 2, EXACT, np.remainder, "positive", "divisor")
_row("fmod", 2, EXACT, np.fmod, "positive", "divisor")
_row("maximum", 2, EXACT, np.maximum)
_row("minimum", 2, EXACT, np.minimum)
_row("fmax", 2, EXACT, np.fmax)
_row("fmin", 2, EXACT, np.fmin)
_row("copysign", 2, EXACT, np.copysign)
_row("fma", 3, ROUNDED, lambda x, y, z: x * y + z, "positive")
_row("clamp", 3, EXACT, np.clip)
_row("where", 3, EXACT, np.where, "truth", "signed")
_row("negative", 1, EXACT, np.negative)
_row("abs", 1, EXACT, np.abs)
_row("sign", 1, EXACT, np.sign)
_row("square", 1, ROUNDED, np.square)
_row("reciprocal", 1, ROUNDED, np.reciprocal, "positive")
_row("squared_difference", 2, ROUNDED, lambda x, y: np.square(x - y))
_row("abs_difference", 2, ROUNDED, lambda x, y: np.maximum(x, y) - np.minimum(x, y))
_row("heaviside", 2, EXACT, np.heaviside)
_row("nextafter", 2, EXACT, np.nextafter)
_row("lerp", 3, MATH, lambda x, y, t: t * y + (x - t * x))
_row("positive", 1, EXACT, np.positive)
_row("relu", 1, EXACT, lambda x: np.maximum(x, 0))
_row("relu6", 1, EXACT, lambda x: np.clip(x, 0, 6))
_row("prelu", 2, ROUNDED, lambda x, slope: np.where(x < 0, slope * x, x))
_row("copy", 1, EXACT, np.copy)

for _name, _kernel in (
    ("equal", np.equal),
    ("not_equal", np.not_equal),
    ("less", np.less),
    ("less_equal", np.less_equal),
    ("greater", np.greater),
    ("greater_equal", np.greater_equal),
    ("logical_and", np.logical_and),
    ("logical_or", np.logical_or),
    ("logical_xor", np.logical_xor),
):
    _row(_name, 2, EXACT, _kernel, "few", boolean=True)
for _name, _kernel in (
    ("logical_not", np.logical_not),
    ("isnan", np.isnan),
    ("isinf", np.isinf),
    ("isfinite", np.isfinite),
    ("signbit", np.signbit),
):
    _row(_name, 1, EXACT, _kernel, boolean=True)
for _name, _kernel in (("bitwise_and", np.bitwise_and), ("bitwise_or", np.bitwise_or), ("bitwise_xor", np.bitwise_xor)):
    _row(_name, 2, EXACT, _kernel)
_row("bitwise_not", 1, EXACT, np.bitwise_not)
_row("shift_left", 2, EXACT, np.left_shift, "signed", "amount")
_row("shift_right", 2, EXACT, np.right_shift, "signed", "amount")
_row("popcount", 1, EXACT, np.bitwise_count, "positive")
_row("gcd", 2, EXACT, np.gcd, "positive")
_row("lcm", 2, EXACT, np.lcm, "positive")

for _name, _kernel in (("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc), ("round", np.rint)):
    _row(_name, 1, EXACT, _kernel, "wide")

_row("sqrt", 1, ROUNDED, np.sqrt, "positive")
for _name, _kernel, _values in (
    ("rsqrt", lambda x: 1 / np.sqrt(x), "positive"),
    ("cbrt", np.cbrt, "signed"),
    ("exp", np.exp, "signed"),
    ("exp2", np.exp2, "signed"),
    ("exp10", lambda x: np.power(x.dtype.type(10), x), "signed"),
    ("expm1", np.expm1, "signed"),
    ("log", np.log, "positive"),
    ("log2", np.log2, "positive"),
    ("log10", np.log10, "positive"),
    ("log1p", np.log1p, "positive"),
    ("sin", np.sin, "signed"),
    ("cos", np.cos, "signed"),
    ("tan", np.tan, "unit"),
    ("asin", np.arcsin, "unit"),
    ("acos", np.arccos, "unit"),
    ("atan", np.arctan, "signed"),
    ("sinh", np.sinh, "signed"),
    ("cosh", np.cosh, "signed"),
    ("tanh", np.tanh, "signed"),
    ("asinh", np.arcsinh, "signed"),
    ("acosh", np.arccosh, "above_one"),
    ("atanh", np.arctanh, "unit"),
    ("erf", _erf, "signed"),
    ("erfc", lambda x: 1 - _erf(x), "unit"),
    ("sigmoid", _sigmoid, "signed"),
    ("softplus", _softplus, "signed"),
    ("softsign", lambda x: x / (1 + np.abs(x)), "signed"),
    ("gelu", lambda x: x / 2 * (1 + _erf(x / np.sqrt(x.dtype.type(2)))), "signed"),
    ("gelu_tanh", _gelu_tanh, "signed"),
    ("silu", lambda x: x * _sigmoid(x), "signed"),
    ("mish", lambda x: x * np.tanh(_softplus(x)), "signed"),
    ("hard_swish", lambda x: x * np.clip(x + 3, 0, 6) / 6, "wide"),
    ("selu", _selu, "signed"),
):
    _row(_name, 1, MATH, _kernel, _values)
_row("pow", 2, MATH, np.power, "positive", "signed")
_row("atan2", 2, MATH, np.arctan2)
_row("hypot", 2, MATH, np.hypot)
_row("logaddexp", 2, MATH, np.logaddexp)
# Cases write a cast with its target: `cast(a, 'float16')`.
TABLE["cast"] = Operator("cast", 1, EXACT, lambda x: x, ("positive",))
