"""Operators with two results."""

import numpy

from . import _eltwise
from ._rint import as_float

#: Steps of the search for an element that two arrays share, which are enough for all but odd strides.
_MOST_WORK = 10_000


def _share(first, second):
    """Whether two arrays are found to have memory in common."""
    try:
        return numpy.shares_memory(first, second, max_work=_MOST_WORK)
    except RuntimeError:  # NumPy's TooHardError, whose place depends on its version
        return False


def _outputs(name, out):
    """The arrays for the two results, None where one is new."""
    if out is None:
        return None, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"{name}(): out must be a tuple of two arrays (or None), not {type(out).__name__}")
    for array in out:
        if not isinstance(array, (numpy.ndarray, type(None))):
            raise TypeError(f"{name}(): out must be a tuple of two arrays (or None), not of {type(array).__name__}")
    if out[0] is not None and out[1] is not None and _share(*out):
        raise ValueError(f"{name}(): the two arrays of out overlap: the second result would be written over the first")
    return out


def _both(name, first, second, operands, out, **options):
    """first(*operands) and second(*operands), where an output may be an operand or overlap one."""
    into, after = _outputs(name, out)
    if into is None or not any(numpy.may_share_memory(into, operand) for operand in operands):
        one = first(*operands, out=into, **options)
        # What there is to report was reported with the first result.
        with numpy.errstate(divide="ignore"):
            return one, second(*operands, out=after, **options)
    # The second result needs the operands as they were.
    with numpy.errstate(divide="ignore"):
        other = second(*operands, **options)
    one = first(*operands, out=into, **options)
    return one, other if after is None else _eltwise.copy(other, out=after)


def divmod(x, y, out=None, **options):
    """(floor_divide(x, y), remainder(x, y)).

    out: None or two arrays (or None) that do not overlap each other; they may overlap the operands. options: broadcast,
    axis, accuracy. See `eltwise.floor_divide`; a division of integers by zero is reported once.
    """
    return _both("divmod", _eltwise.floor_divide, _eltwise.remainder, (x, y), out, **options)


def modf(x, out=None):
    """(fraction(x), trunc(x)): x is their sum, and both have its sign. Of integers both are floats.

    out: None or two arrays (or None) that do not overlap each other; they may overlap x.
    """
    return _both("modf", _eltwise.fraction, _eltwise.trunc, (as_float(x),), out)


def frexp(x, out=None):
    """(mantissa(x), exponent(x)): x = mantissa * 2**exponent with 0.5 <= abs(mantissa) < 1; exponents are int32.

    out: None or two arrays (or None) that do not overlap each other; they may overlap x.
    """
    return _both("frexp", _eltwise.mantissa, _eltwise.exponent, (x,), out)


def sincos(x, out=None, *, accuracy="fast"):
    """(sin(x), cos(x)) of radians.

    out: None or two arrays (or None) that do not overlap each other; they may overlap x. accuracy: see `eltwise.sin`.
    """
    return _both("sincos", _eltwise.sin, _eltwise.cos, (x,), out, accuracy=accuracy)
