"""Input arrays, aligned to 64 bytes and shared by all engines. `Data` has shape, dtype, values and layout of one."""

from dataclasses import dataclass

import numpy as np

from . import dtypes

# Ranges of float values by kind. `integer_range` has those of integers.
RANGES = {
    "signed": (-2, 2),
    "positive": (0.1, 4.1),
    "divisor": (0.1, 4.1),
    "unit": (-0.99, 0.99),
    "above_one": (1.01, 50),
    "wide": (-100, 100),
    "large": (-2e6, 2e6),
}


@dataclass(frozen=True)
class Transpose:
    """A view with permuted axes."""

    axes: tuple[int, ...]

    def __call__(self, x):
        return x.transpose(self.axes)


@dataclass(frozen=True)
class Slice:
    """A view by slices."""

    slices: tuple[slice, ...]

    def __call__(self, x):
        return x[self.slices]


@dataclass(frozen=True)
class Data:
    """The description of an operand: `view`, if any, of a contiguous array of `shape`."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    values: str = "signed"
    view: Transpose | Slice | None = None


def aligned_empty(shape: tuple[int, ...], dt: np.dtype) -> np.ndarray:
    """A contiguous array whose first element is aligned to 64 bytes."""
    count = int(np.prod(shape, dtype=np.int64))
    raw = np.empty(count * dt.itemsize + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + count * dt.itemsize].view(dt).reshape(shape)


def base(data: Data, rng: np.random.Generator) -> np.ndarray:
    """The contiguous array of `data`, before its view is taken."""
    dt = dtypes.dtype(data.dtype)
    out = aligned_empty(data.shape, dt)
    out[...] = _values(data, dt, rng)
    return out


def _values(data: Data, dt: np.dtype, rng: np.random.Generator) -> np.ndarray:
    if dt.kind == "b" or data.values == "truth":
        return rng.integers(0, 2, data.shape, np.uint8).astype(dt)
    if data.values == "few":
        # Few different values, so that comparisons are true and false.
        return rng.integers(0, 4, data.shape, np.uint8).astype(dt)
    if dt.kind in "iu":
        if data.values == "amount":
            return rng.integers(0, 8 * dt.itemsize, data.shape).astype(dt)
        low, high = integer_range(data.values, dt)
        return rng.integers(low, high, data.shape, np.int64).astype(dt)
    low, high = RANGES[data.values]
    x = rng.random(data.shape, np.float64 if dt.itemsize == 8 else np.float32)
    x *= high - low
    x += low
    return x


def integer_range(values: str, dt: np.dtype) -> tuple[int, int]:
    """The range of integers: the whole dtype, or 48 bits for int64.

    This detects an engine that saturates or computes in a narrower dtype. With 48 bits, the high halves of two int64
    are sometimes equal.
    """
    limit = min(2**48, 2 ** (8 * dt.itemsize - (dt.kind == "i")) - 1)
    if values == "divisor":
        return 1, min(limit, 1000)
    return (-limit if dt.kind == "i" and values == "signed" else 1, limit)
