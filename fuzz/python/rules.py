"""The expected behaviour of calls, by rules that do not use the library: which operands must be accepted, which values
result, which outputs fit.

The definitions of the operators are those of the package's own tests (`crates/eltwise-python/python/tests/reference.py`).
"""

import inspect
import math
import sys
from pathlib import Path

import eltwise
import ml_dtypes
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "crates/eltwise-python/python/tests"))

import reference  # noqa: E402
from support import BF16, NUMERIC, kind  # noqa: E402

#: NumPy functions that are equal except for the last bits, by the name of the operator, with their numbers of operands.
NEAR = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh cbrt hypot logaddexp logaddexp2"
NEAR = {name: name for name in NEAR.split()}
NEAR |= {name: "arc" + name[1:] for name in "asin acos atan atan2 asinh acosh atanh".split()}
NEAR = {name: (getattr(np, function).nin, getattr(np, function)) for name, function in NEAR.items()}
#: Formulas in float64 that are as near, with their numbers of operands.
NEAR |= {
    "sigmoid": (1, lambda x: np.exp(-np.logaddexp(0, -x))),
    "softplus": (1, lambda x: np.logaddexp(0, x)),
    "log_sigmoid": (1, lambda x: -np.logaddexp(0, -x)),
    "erf": (1, np.vectorize(math.erf, otypes=["f8"])),
    "erfc": (1, np.vectorize(math.erfc, otypes=["f8"])),
}
#: NumPy functions with the same bits for all dtypes, by the name of the operator. fmax and fmin are missing, because they differ
#: for signalling NaN.
ALIKE = "positive negative abs square floor ceil trunc sqrt sign isnan isfinite signbit logical_not bitwise_not add subtract "
ALIKE += "multiply maximum minimum less equal not_equal greater greater_equal logical_and logical_or logical_xor bitwise_and "
ALIKE += "bitwise_or bitwise_xor isinf copysign heaviside"
ALIKE = {name: name for name in ALIKE.split()} | {"bitwise_not": "invert", "abs": "absolute", "shift_left": "left_shift"}
#: The tolerated relative difference, and the magnitude below which any difference is tolerated.
NEARNESS = {np.dtype("f8"): (1e-12, 1e-290), np.dtype("f4"): (1e-6, 1e-37), np.dtype("f2"): (2e-3, 1e-4), BF16: (2e-2, 1e-37)}
QUANTISED = [np.dtype(d) for d in ("i1", "u1", "i2", "u2", "i4")]
#: Operators with operands of two dtypes: the dtypes of the operands for a chosen dtype T.
MIXED = {
    "where": lambda t: (np.dtype(bool), t, t),
    "ldexp": lambda t: (t, np.dtype("i4")) if kind(t) == "f" else None,
    "round": lambda t: (t, np.dtype("i4")) if kind(t) in "iuf" else None,
    "quantize_linear": lambda t: (t, t, np.dtype("u1")) if t in (np.dtype("f2"), np.dtype("f4")) else None,
    "dequantize_linear": lambda t: (t, np.dtype("f4"), t) if t in QUANTISED else None,
}
KINDS = {"pow": "iuf", "sum": "iuf", "mean": "f", "exponent": "f"} | dict.fromkeys(reference.MATH, "f")
#: Parameters that are not operands.
OPTIONS = ("out", "dtype", "shape", "broadcast", "axis", "accuracy", "where", "casting", "order", "subok")


def arities(name):
    """The possible numbers of operands of an operator."""
    parameters = inspect.signature(getattr(eltwise, name)).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return range(2 if name in reference.OPERATORS else 1, 6)
    operands = [p for p in parameters if p.name not in OPTIONS]
    return range(sum(p.default is p.empty for p in operands), len(operands) + 1)


def native(dtype):
    """A dtype in native byte order."""
    return dtype if dtype == BF16 else dtype.newbyteorder("=")


def dtypes_of(name, dtype, count):
    """The dtypes of an operator's operands if T is `dtype`. None if the operator does not take T."""
    if name in MIXED:
        dtypes = MIXED[name](dtype) if dtype in NUMERIC else None
        return dtypes and dtypes[:count]
    row = reference.OPERATORS.get(name)
    kinds = KINDS.get(name) or (row.kinds if row else "")
    if row and count > row.arity:
        # `maximum` and `minimum` of bools take two operands only, as NumPy's do.
        kinds = kinds.replace("b", "")
    return (dtype,) * count if dtype in NUMERIC and kind(dtype) in kinds else None


def joined(operands):
    """The operands broadcast to their common shape, or None."""
    try:
        return np.broadcast_arrays(*operands)
    except ValueError:
        return None


def as_numpy(name, operands):
    """NumPy's result for arrays of dtypes that both libraries compute with, and Python numbers. None if there is none."""
    arrays = [x for x in operands if type(x) is np.ndarray and native(x.dtype) in NUMERIC and x.dtype != BF16]
    if name not in ALIKE or not arrays or any(type(x) not in (np.ndarray, int, float) for x in operands):
        return None
    function = getattr(np, ALIKE[name])
    # NumPy squares bools as integers; here the caller has to convert them.
    bools = name == "square" and arrays[0].dtype == bool
    if len(arrays) + sum(type(x) is not np.ndarray for x in operands) != len(operands) or len(operands) != function.nin or bools:
        return None
    try:
        return np.asarray(function(*operands))
    except (TypeError, ValueError, OverflowError):
        return None


def must_take(name, operands):
    """Whether a call with these operands and no options must succeed."""
    if not all(type(x) is np.ndarray for x in operands) or joined(operands) is None:
        return False
    dtypes = tuple(native(x.dtype) for x in operands)
    t = dtypes[1] if name == "where" else dtypes[0]
    if dtypes != dtypes_of(name, t, len(operands)):
        return False
    # Integers have no negative powers.
    return not (name == "pow" and kind(t) == "i" and (operands[1] < 0).any())


def value(name, operands):
    """The result of an operator on contiguous operands that it must accept, and whether it is exact to the bit. None if no rule
    computes it."""
    operands = joined(operands)
    if name in reference.OPERATORS and reference.OPERATORS[name].arity == len(operands):
        return reference.expected(name, *operands), True
    if name in NEAR and NEAR[name][0] == len(operands):
        t = operands[0].dtype
        with np.errstate(all="ignore"):
            return np.asarray(NEAR[name][1](*[x.astype("f8") for x in operands])).astype(t), False
    return None


def same(got, expected, exact_nan=False):
    """Whether two arrays have the same dtype, shape and bits. Any two NaNs are equal, unless `exact_nan`."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if got.dtype.hasobject or got.tobytes() == expected.tobytes():
        return True
    if exact_nan or kind(got.dtype) not in "fc":
        return False
    nan = np.isnan(got.astype("f8" if kind(got.dtype) == "f" else "c16"))
    nan &= np.isnan(expected.astype("f8" if kind(got.dtype) == "f" else "c16"))
    return np.where(nan, got.dtype.type(0), got).tobytes() == np.where(nan, got.dtype.type(0), expected).tobytes()


def near(got, expected):
    """Whether two arrays are equal except for the last bits, and for values close to overflow."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    relative, absolute = NEARNESS[got.dtype]
    most = float(ml_dtypes.finfo(got.dtype).max)
    got, expected = (np.clip(x.astype("f8"), -most, most) for x in (got, expected))
    return bool(np.isclose(got, expected, rtol=relative, atol=absolute, equal_nan=True).all())


def nested(array):
    """Whether the stride of each axis is at least the extent of the axes with smaller strides; then no two elements share memory."""
    reach = array.dtype.itemsize
    for stride, size in sorted((abs(stride), size) for stride, size in zip(array.strides, array.shape) if size != 1):
        if stride < reach:
            return False
        reach += (size - 1) * stride
    return True


def fits(result, out):
    """Whether a result can be written to an output: True, False, or None if no rule decides, as for interleaved axes."""
    if not isinstance(out, np.ndarray) or not out.flags.writeable or out.dtype.hasobject:
        return False
    try:
        if np.broadcast_shapes(result.shape, out.shape) != out.shape:
            return False
    except ValueError:
        return False
    given, to = native(result.dtype), native(out.dtype)
    if given not in NUMERIC or to not in NUMERIC:
        # Opaque elements are only moved, so the dtypes must be equal.
        return False if given != to else nested(out) or None
    if not np.can_cast(given, to, "same_kind"):
        return False
    return nested(out) or None


def written(result, out):
    """The elements of an output after a result was written to it, in native byte order."""
    to = native(out.dtype)
    result = np.asarray(result)
    if result.dtype != to:
        result = np.asarray(reference.cast(result, to))
    return np.broadcast_to(result, out.shape)
