"""Conversions between dtypes."""

from ..case import Case
from ..data import Data
from .contiguous import SIZES
from .make import BAR_ELEMENTS

# Conversions that are common in models and images, timed at all sizes.
SERIES = (("float32", "float16"), ("float16", "float32"), ("uint8", "float32"), ("float32", "int32"))
PAIRS = (
    ("float32", "uint8"),
    ("float32", "int8"),
    ("int32", "float32"),
    ("int8", "float32"),
    ("float32", "bfloat16"),
    ("bfloat16", "float32"),
    ("float32", "float64"),
    ("float64", "float32"),
    ("float16", "bfloat16"),
    ("float32", "int64"),
    ("int64", "float32"),
    ("int64", "int32"),
    ("int32", "int64"),
    ("int32", "uint8"),
    ("float32", "bool"),
    ("bool", "float32"),
)


def _case(source: str, target: str, n: int) -> Case:
    bar = "float32" in (source, target) and n >= BAR_ELEMENTS
    return Case("casts", f"cast/{source} to {target}/n={n}", f"cast(a, '{target}')", (_data(source, n),), bar=bar)


def _data(source: str, n: int) -> Data:
    # Values in the range of every target.
    return Data((n,), source, "few" if source in ("int32", "int64") else "positive")


def cases():
    for source, target in SERIES:
        for n in SIZES:
            yield _case(source, target, n)
    for source, target in PAIRS:
        for n in (16384, 4194304):
            yield _case(source, target, n)
