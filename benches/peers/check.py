"""Compares a result with NumPy's before it is timed."""

from dataclasses import dataclass

import numpy as np

from . import dtypes
from .case import LETTERS, Problem
from .expression import evaluate, operators
from .operators import EXACT, MATH, ROUNDED, TABLE

CHAIN = "chain"  # several operators, which engines may round differently
_CHUNK = 1 << 20


class WrongResult(Exception):
    """The result differs from NumPy's by more than the limit."""


@dataclass(frozen=True)
class Limit:
    """|result - reference| <= relative * |reference| + absolute."""

    relative: float
    absolute: float


@dataclass
class Reference:
    """NumPy's result, and the largest allowed difference."""

    values: np.ndarray
    dtype: np.dtype
    limit: Limit


def kind(problem: Problem) -> str:
    """The accuracy that is checked: the kind of the least accurate operator."""
    ops = operators(problem.tree)
    kinds = {TABLE[op].kind for op in ops}
    if MATH in kinds:
        return MATH
    if ROUNDED not in kinds or not dtypes.is_float(problem.dtype):
        return EXACT
    return ROUNDED if len(ops) == 1 else CHAIN


def limit(kind: str, dt: np.dtype, magnitude: float) -> Limit:
    """The limit for a kind and a dtype of the result. `magnitude` is the largest |reference|.

    Wide enough for the approximations that engines use on purpose, narrow enough to detect wrong results.
    """
    if kind == EXACT:
        return Limit(0, 0)
    eps = dtypes.eps(dt)
    if kind == ROUNDED:
        return Limit(eps, 0)
    factor = 64 if dt.itemsize >= 4 else 4
    return Limit(factor * eps, 8 * eps * max(1.0, magnitude))


def reference(problem: Problem) -> Reference:
    """NumPy's result: in the case's dtype if that is exact or rounds once, otherwise in a wider one."""
    accuracy = kind(problem)
    arrays = dict(zip(LETTERS, problem.arrays, strict=False))
    if accuracy in (MATH, CHAIN):
        wide = np.longdouble if problem.dtype.itemsize == 8 else np.float64
        arrays = {k: x.astype(wide) if dtypes.is_float(x.dtype) else x for k, x in arrays.items()}

    def apply(op, args, dtype):
        if op == "cast":
            # In a wide computation, a cast to a float keeps the wide dtype.
            target = wide if accuracy in (MATH, CHAIN) and dtypes.is_float(dtypes.dtype(dtype)) else dtypes.dtype(dtype)
            return args[0].astype(target)
        return TABLE[op].reference(*args)

    with np.errstate(all="ignore"):
        values = np.asarray(evaluate(problem.tree, arrays.__getitem__, lambda value: value, apply))
    if accuracy in (EXACT, ROUNDED):
        values = values.astype(problem.dtype, copy=False)
        return Reference(values, problem.dtype, limit(accuracy, problem.dtype, 0))
    return Reference(values, problem.dtype, limit(accuracy, problem.dtype, float(np.max(np.abs(values), initial=0))))


def compare(got, want: Reference) -> float:
    """The largest error in ULP; raises WrongResult if an element is outside the limit."""
    got = np.asarray(got)
    if got.dtype != want.dtype:
        raise WrongResult(f"the result is {got.dtype}, expected {want.dtype}")
    if got.shape != want.values.shape:
        raise WrongResult(f"the result has shape {list(got.shape)}, expected {list(want.values.shape)}")
    if want.limit == Limit(0, 0):
        equal = np.equal(got, want.values)
        if dtypes.is_float(want.dtype):
            equal |= (got != got) & (want.values != want.values)
        if not equal.all():
            _complain(got, want, ~equal)
        return 0.0
    got, values = got.reshape(-1), want.values.reshape(-1)
    worst = 0.0
    for start in range(0, got.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        worst = max(worst, _compare_floats(got[part], Reference(values[part], want.dtype, want.limit)))
    return worst


def _compare_floats(got: np.ndarray, want: Reference) -> float:
    wide = np.longdouble if want.dtype.itemsize == 8 else np.float64
    g, w = got.astype(wide), want.values.astype(wide)
    with np.errstate(all="ignore"):
        error = np.abs(g - w)
        error[(g == w) | (np.isnan(g) & np.isnan(w))] = 0
        magnitude = np.abs(w)
        bad = ~(error <= want.limit.relative * magnitude + want.limit.absolute) & (error != 0)
        if bad.any():
            _complain(got, want, bad)
        error = error[np.isfinite(magnitude)]
        magnitude = magnitude[np.isfinite(magnitude)]
        return float(np.max(error / dtypes.spacing(magnitude, want.dtype), initial=0))


def _complain(got: np.ndarray, want: Reference, bad: np.ndarray):
    at = tuple(int(k) for k in np.unravel_index(int(np.argmax(bad)), bad.shape))
    count = int(np.count_nonzero(bad))
    share = f"{count} of {bad.size} elements differ"
    raise WrongResult(f"{share}, the first at {list(at)}: {got[at]!s}, expected {want.values[at]!s}")
