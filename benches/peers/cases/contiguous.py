"""Contiguous operands of one shape: float32 from one element to many times the caches, other dtypes at two sizes."""

from .make import BAR, BAR_ELEMENTS, same

SIZES = (1, 64, 1024, 16384, 262144, 4194304, 33554432)
OPERATORS = (
    "add",
    "multiply",
    "subtract",
    "divide",
    "maximum",
    "less",
    "equal",
    "where",
    "abs",
    "sqrt",
    "relu",
    "clamp",
)
FLOATS = ("float64", "float16", "bfloat16")
INTEGERS = ("int8", "uint8", "int16", "int32", "uint32", "int64")
FLOAT_ONLY = {"sqrt"}


def cases():
    for op in OPERATORS:
        for n in SIZES:
            yield same("contiguous", op, "float32", (n,), bar=op in BAR and n >= BAR_ELEMENTS)
    for op in OPERATORS:
        dtypes = FLOATS if op in FLOAT_ONLY else FLOATS + INTEGERS
        for dtype in dtypes:
            if op in ("abs", "relu") and dtype.startswith("uint"):
                continue  # the identity
            for n in (16384, 4194304):
                yield same("contiguous", op, dtype, (n,))
