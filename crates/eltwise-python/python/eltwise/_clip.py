"""`clip`, with NumPy's and the array API's optional bounds."""

import numpy

from . import _eltwise


def clip(x, min=None, max=None, out=None, **options):
    """Clamps x to [min, max]; None is no bound, nor is an int that no element of x can pass.

    options: broadcast, accuracy. See `eltwise.clamp`, `eltwise.maximum` and `eltwise.minimum`.
    """
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, numpy.dtype) and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        if type(min) is int and min < limits.min:
            min = None
        if type(max) is int and max > limits.max:
            max = None
    if min is not None and max is not None:
        return _eltwise.clamp(x, min, max, out=out, **options)
    if min is not None:
        return _eltwise.maximum(x, min, out=out, **options)
    if max is not None:
        return _eltwise.minimum(x, max, out=out, **options)
    options.pop("broadcast", None)
    options.pop("accuracy", None)
    return _eltwise.copy(x, out=out, **options)
