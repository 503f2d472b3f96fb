"""Other operators at 16384 elements: integers, bits, truth values, rounding, classification."""

from .make import same

N = (16384,)
FLOAT32 = (
    "negative",
    "sign",
    "square",
    "reciprocal",
    "minimum",
    "fmax",
    "copysign",
    "fma",
    "remainder",
    "fmod",
    "less_equal",
    "not_equal",
    "logical_and",
    "logical_not",
    "floor",
    "ceil",
    "trunc",
    "round",
    "isnan",
    "isfinite",
    "signbit",
)
INTEGER = ("negative", "minimum", "floor_divide", "remainder", "bitwise_and", "bitwise_xor")
SHIFTS = ("shift_left", "shift_right")


def cases():
    for op in FLOAT32:
        yield same("other", op, "float32", N)
    for op in (*INTEGER, *SHIFTS):
        for dtype in ("int8", "int32", "int64"):
            yield same("other", op, dtype, N)
    yield same("other", "bitwise_not", "int32", N)
    yield same("other", "popcount", "uint8", N)
    for op in ("logical_and", "logical_xor", "logical_not", "bitwise_and", "equal", "where"):
        yield same("other", op, "bool", N)
