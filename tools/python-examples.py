#!/usr/bin/env python3
"""Writes the examples of the docstrings of the Python package, `src/examples.txt`, with the results of the installed one.

usage: tools/python-examples.py [--check]
--check compares with the file and fails if they differ. The package has to be built again to have new examples.
"""

import inspect
from pathlib import Path

import eltwise
import generated
import numpy as np

EXAMPLES = Path(__file__).resolve().parent.parent / "crates/eltwise-python/src/examples.txt"

NAMES = {"eltwise": eltwise, "np": np}
#: The arguments by operator; those of other operators come from the sets below.
ARGUMENTS = {
    "acosh": "[1.0, 1.5, 2.0]",
    "addcdiv": "[1.0, 2.0], [3.0, 4.0], [2.0, 8.0], 0.5",
    "addcmul": "[1.0, 2.0], [3.0, 4.0], [2.0, 8.0], 0.5",
    "atan2": "[1.0, -1.0], [1.0, -1.0]",
    "bitcast": "np.float32([1.0, -0.0]), np.int32",
    "bitwise_count": "[7, 255, -1]",
    "bitwise_not": "[0, 1, 255]",
    "cast": '[1.5, 2.5, -3.5], "int32"',
    "cast_saturating": '[1.5, 300.0, -3.5], "uint8"',
    "clamp": "[-2, 0, 5], -1, 3",
    "clamped_logit": "[0.0, 0.5, 1.0], 1e-3",
    "copysign": "[1.5, -2.0], [-1.0, 1.0]",
    "cos": "[0.0, 0.5, 1e10]",
    "cosh": "[0.0, 1.0, 10.0]",
    "deg2rad": "[45.0, 90.0, 180.0]",
    "dequantize_linear": "np.uint8([0, 128, 255]), np.float32(0.5), np.uint8(128)",
    "digamma": "[1.0, 2.5, 10.0]",
    "entr": "[0.0, 0.5, 1.0, 2.0]",
    "equal": "[1, 2, 3], [1, 5, 3]",
    "exp": "[0.0, 1.0, -np.inf]",
    "exp10": "[0.0, 0.5, -3.0]",
    "exp2": "[0.0, 0.5, 10.0]",
    "expm1": "[1e-10, 0.5, 1.0]",
    "exponent": "[0.25, 1.0, 10.0]",
    "exprel": "[0.0, 1e-10, 1.0]",
    "fma": "[1, 2], [3, 4], 5",
    "fmax": "[1.0, 5.0, np.nan], 2.0",
    "fmin": "[1.0, 5.0, np.nan], 2.0",
    "fraction": "[-2.5, 0.25, 3.0]",
    "gcd": "[12, 18], 8",
    "greater": "[1, 2, 3], 2",
    "greater_equal": "[1, 2, 3], 2",
    "heaviside": "[-1.0, 0.0, 2.0], 0.5",
    "hypot": "[3.0, 1e200], [4.0, 1e200]",
    "isclose": "[1.0, 1e-9, np.nan], [1.000001, 0.0, np.nan]",
    "isfinite": "[1.0, np.inf, np.nan]",
    "isinf": "[1.0, np.inf, np.nan]",
    "isnan": "[1.0, np.inf, np.nan]",
    "isneginf": "[-np.inf, np.inf, np.nan]",
    "isposinf": "[-np.inf, np.inf, np.nan]",
    "lcm": "[12, 18], 8",
    "ldexp": "[1.0, 1.5, 2.0], [3, -1, 0]",
    "leading_zeros": "np.uint8([1, 16, 255])",
    "lerp": "[0.0, 10.0], [1.0, 20.0], 0.25",
    "less": "[1, 2, 3], 2",
    "less_equal": "[1, 2, 3], 2",
    "lgamma": "[1.0, 4.0, 10.5]",
    "log": "[1.0, 2.0, 0.0]",
    "log10": "[1.0, 1000.0, 0.5]",
    "log1p": "[1e-10, 0.5, 1.0]",
    "log2": "[1.0, 8.0, 0.1]",
    "logaddexp": "[1.0, 1000.0], [2.0, 1000.0]",
    "logaddexp2": "[1.0, 2000.0], [2.0, 2000.0]",
    "logb": "[0.25, 1.0, 10.0]",
    "logical_and": "[0, 1, 2], [1, 1, 0]",
    "logical_not": "[0, 1, 2]",
    "logical_or": "[0, 1, 2], [0, 1, 0]",
    "logical_xor": "[0, 1, 2], [0, 1, 0]",
    "mantissa": "[0.25, 1.0, 10.0]",
    "maximum": "[1.0, 5.0, np.nan], 2.0",
    "mean": "[1, 2], [10, 20], [100, 200]",
    "minimum": "[1.0, 5.0, np.nan], 2.0",
    "nan_to_num": "[np.nan, np.inf, -1.0], 0.0, 100.0",
    "nextafter": "np.float32([1.0, 1.0]), np.float32([2.0, 0.0])",
    "not_equal": "[1, 2, 3], [1, 5, 3]",
    "popcount": "np.uint8([7, 255])",
    "pow": "[2.0, 3.0], [3.0, 0.5]",
    "pow_constant": "[0.25, 1.0, 4.0], 0.5",
    "prelu": "[-2.0, -1.0, 3.0], 0.25",
    "quantize_linear": "np.float32([0.1, -0.26, 100.0]), np.float32(0.5), np.uint8(128)",
    "rad2deg": "[0.5, np.pi]",
    "reciprocal": "[2.0, 0.5, -0.0]",
    "round_decimals": "[1.25, 3.14159], 1",
    "rsqrt": "[4.0, 0.25, 2.0]",
    "saturating_add": "np.uint8([100, 200]), np.uint8(100)",
    "saturating_multiply": "np.int8([10, 100]), np.int8(2)",
    "saturating_subtract": "np.uint8([100, 50]), np.uint8(70)",
    "scalb": "[1.0, 1.5, 2.0], [3.0, -1.0, 0.0]",
    "sin": "[0.0, 0.5, 1e10]",
    "sinc": "[0.0, 0.5, 1.0]",
    "sinh": "[0.0, 1e-10, 10.0]",
    "softcap": "[-1.0, 10.0, 1000.0], 30.0",
    "spacing": "np.float32([1.0, 1000.0])",
    "sqrt": "[4.0, 2.0, -1.0]",
    "sum": "[1, 2], [10, 20], [100, 200]",
    "tan": "[0.0, 0.5, 1e10]",
    "thresholded_relu": "[-1.0, 0.5, 2.0]",
    "trailing_zeros": "np.uint8([1, 16, 24])",
    "where": "[True, False, True], [1, 2, 3], 0",
    "xlog1py": "[0.0, 1.0, 2.0], [-1.0, 1.0, 1.0]",
    "xlogy": "[0.0, 1.0, 2.0], [0.0, 2.0, 2.0]",
}
#: Operators whose examples have integers.
INTEGERS = {"add", "subtract", "multiply", "divide", "squared_difference", "abs_difference", "copy", "float_power", "positive", "square"}
INTEGERS |= {"bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right"}
#: Operators of integers that depend on the sign.
SIGNED_INTEGERS = {"fmod", "remainder", "floor_divide", "trunc_divide", "negative", "abs", "sign"}
#: Operators of floats that depend on the sign or the fraction.
SIGNED = {"relu", "leaky_relu", "elu", "celu", "selu", "gelu", "gelu_tanh", "silu", "mish", "swish", "softplus", "signbit", "cbrt"}
SIGNED |= {"hard_swish", "hard_sigmoid", "hard_tanh", "softsign", "log_sigmoid", "tanhshrink", "hardshrink", "shrink", "relu6"}
SIGNED |= {"floor", "ceil", "trunc", "round", "round_half_away", "parametric_selu", "parametric_softplus"}


def arguments(name):
    """The arguments of the example of an operator."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    first, second = "[0.25, 0.5, 0.75]", "0.5"
    if name in INTEGERS or name in SIGNED_INTEGERS:
        first, second = "[-7, 0, 7]" if name in SIGNED_INTEGERS else "[5, 6, 7]", "2"
    elif name in SIGNED:
        first = "[-2.5, -0.5, 1.5]"
    return first if operands(name) == 1 else f"{first}, {second}"


def operands(name):
    """The number of operands of an operator that have no default."""
    parameters = inspect.signature(getattr(eltwise, name)).parameters.values()
    return sum(p.default is p.empty for p in parameters)


def example(name):
    """The example of an operator: the call and its result, as in Python's shell."""
    call = f"eltwise.{name}({arguments(name)})"
    return f"{name}\n>>> {call}\n{eval(call, NAMES)!r}\n"


def examples():
    """The examples of all operators."""
    return "\n".join(example(name) for name in eltwise.operators() if hasattr(eltwise, name) and name != "broadcast_to")


if __name__ == "__main__":
    generated.main(__doc__, EXAMPLES, examples)
