"""`rint`, which makes floats of integers as NumPy does."""

import numpy

from . import _eltwise


def as_float(x):
    """x, or as floats where it has integers or truth values: in the float dtype that NumPy computes in."""
    if isinstance(x, float):
        return x
    dtype = getattr(x, "dtype", None)
    if not isinstance(dtype, numpy.dtype):
        x = numpy.asarray(x)
        dtype = x.dtype
    return _eltwise.cast(x, numpy.result_type(dtype, numpy.float16)) if dtype.kind in "biu" else x


def rint(x, out=None):
    """The nearest integer as a float, halves to the even one. `eltwise.round` leaves integers as they are.

    out: see `eltwise.round`.
    """
    return _eltwise.round(as_float(x), out=out)
