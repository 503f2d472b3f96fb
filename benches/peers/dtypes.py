"""Dtypes by name, including bfloat16 if `ml_dtypes` is installed."""

import numpy as np

try:
    from ml_dtypes import bfloat16 as _bfloat16

    BFLOAT16 = np.dtype(_bfloat16)
except ImportError:
    BFLOAT16 = None

# Distance from 1 to the next larger number.
_EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
# Smallest normal number; below it, the distance between neighbours is constant.
_TINY = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}


def dtype(name) -> np.dtype:
    """The NumPy dtype with this name; a dtype is returned unchanged."""
    if str(name) == "bfloat16":
        if BFLOAT16 is None:
            raise LookupError("bfloat16 needs ml_dtypes")
        return BFLOAT16
    return np.dtype(name)


def is_float(dt: np.dtype) -> bool:
    return dt.name in _EPS


def eps(dt: np.dtype) -> float:
    return _EPS[dt.name]


def spacing(magnitude: np.ndarray, dt: np.dtype) -> np.ndarray:
    """Distance between neighbouring numbers of `dt` at `magnitude` (float64 or wider, not negative): one ULP."""
    _, exponent = np.frexp(np.maximum(magnitude, _TINY[dt.name]))
    return np.ldexp(np.ones_like(magnitude), exponent - 1) * _EPS[dt.name]
