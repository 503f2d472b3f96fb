"""Shared by the tests: dtypes, test values, memory layouts, and comparison of bits."""

import json
import math
import zlib
from functools import cache
from pathlib import Path

import ml_dtypes
import numpy as np

#: The largest rank of a NumPy array.
MAX_RANK = 32 if np.__version__.startswith("1.") else 64
BF16 = np.dtype(ml_dtypes.bfloat16)
SIGNED = [np.dtype(f"i{n}") for n in (1, 2, 4, 8)]
UNSIGNED = [np.dtype(f"u{n}") for n in (1, 2, 4, 8)]
INTEGERS = SIGNED + UNSIGNED
FLOATS = [np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8")]
BOOL = np.dtype(bool)
NUMERIC = [BOOL, *INTEGERS, *FLOATS]
#: Dtypes of plain bytes, which are moved only: one or more per element size.
OPAQUE = [np.dtype(d) for d in ("S1", "V2", "U1", "S8", "c8", "c16", "M8[s]", "m8[ns]", "M8[D]")] + [
    np.dtype([("a", "i4"), ("b", "f4")]),
    np.dtype([("a", "i1"), ("b", "u1")]),
]


def kind(dtype):
    """The kind `b`, `i`, `u` or `f` of a dtype; bfloat16 is `f` too."""
    return "f" if dtype == BF16 else dtype.kind


@cache
def conformance(file):
    """The records of a file in the folder `tests/conformance` of the repository."""
    folder = next(
        p / "tests/conformance" for p in Path(__file__).resolve().parents if (p / "tests/conformance").is_dir()
    )
    return json.loads((folder / file).read_text())


# Elements


@cache
def specials(dtype):
    """Corner cases of a dtype: limits, powers of two, subnormals, infinities, NaN."""
    if kind(dtype) == "b":
        return np.array([False, True])
    if kind(dtype) == "f":
        info = ml_dtypes.finfo(dtype)
        numbers = [
            0.0,
            1.0,
            0.5,
            1.5,
            127.5,
            128,
            255.5,
            256,
            2.0**31,
            2.0**32,
            2.0**62,
            2.0**63,
            2.0**64,
            65519.0,
            1e-7,
        ]
        numbers += [float(info.smallest_subnormal), float(info.tiny), float(info.max), float(info.eps), np.inf, np.nan]
        with np.errstate(over="ignore"):
            return np.array(numbers + [-n for n in numbers]).astype(dtype)
    info = np.iinfo(dtype)
    numbers = {0, 1, 2, 3, -1, -2, info.min, info.min + 1, info.max, info.max - 1, 2**24 + 1, 2**53 + 1}
    numbers |= {1 << shift for shift in range(8 * dtype.itemsize)}
    return np.array([n for n in sorted(numbers) if info.min <= n <= info.max], dtype=dtype)


def near_ties(dtype, count, rng):
    """Elements halfway between two neighbours of a narrower float, or next to that: double rounding would show."""
    bits = rng.choice([8, 11, 24], count)
    odd = 2 * (2 ** (bits - 1) + rng.integers(0, 2 ** (bits - 1))) + 1
    offset = rng.integers(-1, 2, count)
    if kind(dtype) != "f":
        return ((odd << rng.integers(0, 39, count)) + offset).astype(dtype)
    with np.errstate(over="ignore"):
        x = (odd * 2.0 ** rng.integers(-40, 30, count)).astype(dtype)
    return x if dtype == BF16 else np.where(offset == 0, x, np.nextafter(x, (offset * np.inf).astype(dtype)))


def values(dtype, shape, seed=0):
    """An array in C order: special values, small ones, near ties, and random bits."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng([seed, zlib.crc32(str(dtype).encode())])
    count = math.prod(shape)
    if dtype == BOOL:
        return rng.integers(0, 2, count).astype(bool).reshape(shape)
    raw = np.frombuffer(rng.bytes(count * dtype.itemsize), np.uint8)
    if dtype not in NUMERIC:
        safe = raw % 64 + 1 if dtype.kind in "SV" else raw
        return (np.resize(np.array(["a", "ß", "語"]), count) if dtype.kind == "U" else safe.view(dtype).copy()).reshape(
            shape
        )
    result = raw.view(dtype).copy()
    pick = rng.integers(0, 5, count)
    small = rng.integers(0 if kind(dtype) == "u" else -100, 100, count)
    result[pick == 0] = rng.choice(specials(dtype), count)[pick == 0]
    result[pick == 1] = (small / 4 if kind(dtype) == "f" else small).astype(dtype)[pick == 1]
    with np.errstate(invalid="ignore"):
        result[pick == 2] = near_ties(dtype, count, rng)[pick == 2]
    return result.reshape(shape)


# Layouts: each function returns an array of the same elements in a different memory layout.


def _strided(a, steps):
    """A view of a larger array with `steps[axis]` elements per step, starting at index 1 of every axis."""
    base = np.zeros([n * s + 1 for n, s in zip(a.shape, steps)], a.dtype)
    view = base[(*(slice(1, n * s + 1, s) for n, s in zip(a.shape, steps)), ...)]
    view[...] = a
    return view


def _at_byte(a, offset):
    """An array that starts `offset` bytes after the start of an allocation."""
    base = np.zeros(a.nbytes + offset, np.uint8)
    view = np.ndarray(a.shape, a.dtype, base, offset)
    view[...] = a
    return view


def _reversed(a):
    flips = (*(slice(None, None, -1),) * a.ndim, ...)
    return a[flips].copy()[flips]


def _rotated(a):
    return a if a.ndim < 2 else np.moveaxis(np.moveaxis(a, 0, -1).copy(), -1, 0)


def _read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {
    "c": lambda a: a.copy(order="C"),
    "fortran": lambda a: a.copy(order="F"),
    "rotated": _rotated,
    "reversed": _reversed,
    "gaps": lambda a: _strided(a, [2] * a.ndim),
    "columns apart": lambda a: _strided(a, [1] * (a.ndim - 1) + [3] * (a.ndim > 0)),
    "rows apart": lambda a: _strided(a, [2] * (a.ndim > 1) + [1] * (a.ndim - (a.ndim > 1))),
    "unaligned": lambda a: _at_byte(a, 1),
    "off by one": lambda a: _at_byte(a, a.itemsize),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">") if a.dtype != BF16 else BF16),
    "read-only": _read_only,
    "transposed gaps": lambda a: _strided(a.T, [2] * a.ndim).T,
    "transposed reversed": lambda a: _reversed(a.T).T,
    "unaligned fortran": lambda a: _at_byte(a.T, 3).T,
}

#: Broadcast layouts: a part of the array, repeated with stride 0.
REPEATS = {
    "row": lambda a: np.broadcast_to(a[:1], a.shape),
    "column": lambda a: np.broadcast_to(a[..., :1], a.shape),
    "scalar": lambda a: np.broadcast_to(a[(*(slice(0, 1),) * a.ndim, ...)], a.shape),
    "reversed row": lambda a: np.broadcast_to(a[:1, ..., ::-1], a.shape),
}


# Comparison


def bits(a):
    """The bytes of each element, little-endian."""
    a = np.array(a, order="C", subok=False, ndmin=1)
    if a.dtype.byteorder == ">":
        a = a.astype(a.dtype.newbyteorder("<"))
    return a.view(np.uint8).reshape(*a.shape, a.itemsize)


def assert_same(got, expected, about="", exact=False):
    """Asserts the same dtype, shape and bits. Any two NaN are equal, unless `exact`."""
    assert isinstance(got, (np.ndarray, np.generic)), f"{about}: got {type(got)}"
    expected = np.asarray(expected)
    assert got.dtype == expected.dtype, f"{about}: dtype {got.dtype}, expected {expected.dtype}"
    assert got.shape == expected.shape, f"{about}: shape {got.shape}, expected {expected.shape}"
    # Some versions of NumPy have no tobytes of more than 32 axes.
    if got.dtype.isnative and got.ravel().tobytes() == expected.ravel().tobytes():
        return
    differs = (bits(got) != bits(expected)).any(axis=-1).reshape(expected.shape)
    if not exact and kind(expected.dtype) in "fc":
        with np.errstate(invalid="ignore"):  # for a signalling NaN of bfloat16
            differs &= ~(np.isnan(np.asarray(got)) & np.isnan(expected))
    if differs.any():
        at = tuple(int(i) for i in np.argwhere(differs)[0])
        raise AssertionError(
            f"{about}: element {list(at)} is {np.asarray(got)[at]!r}, expected {expected[at]!r};"
            f" {differs.sum()} of {differs.size} differ"
        )


def choose(cond, x, y):
    """`np.where` as in NumPy 2: Python numbers are weak."""
    x, y = (v if type(v) in (bool, int, float) else np.asarray(v) for v in (x, y))
    dtype = np.result_type(x, y)
    return np.where(cond, np.asarray(x, dtype), np.asarray(y, dtype))


def outcome(function, *args, **kwargs):
    """The outcome of a call: `(result, None)` or `(None, type of the exception)`."""
    try:
        return function(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001
        return None, type(error)
