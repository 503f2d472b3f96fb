"""Operators with two results."""

import numpy

from . import _eltwise


def _outputs(name, out):
    if out is None:
        return None, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"{name}(): out must be a tuple of two arrays (or None), not {type(out).__name__}")
    return out


def divmod(x, y, out=None, **options):
    """(floor_divide(x, y), remainder(x, y)).

    out: None or two arrays (or None). options: broadcast, axis, accuracy. See `eltwise.floor_divide`; a division of
    integers by zero is reported once.
    """
    first, second = _outputs("divmod", out)
    if first is not None and second is not None and any(numpy.may_share_memory(first, a) for a in (x, y, second)):
        # The second result needs the operands as they were.
        rest = _eltwise.remainder(x, y, **options)
        quotient = _eltwise.floor_divide(x, y, out=first, **options)
        return quotient, _eltwise.copy(rest, out=second)
    quotient = _eltwise.floor_divide(x, y, out=first, **options)
    with numpy.errstate(divide="ignore"):
        return quotient, _eltwise.remainder(x, y, out=second, **options)


def _of_one(name, first, second, x, out, **options):
    """first(x) and second(x), where an output may be x."""
    into, after = _outputs(name, out)
    other = second(x, **options)
    return first(x, out=into, **options), other if after is None else _eltwise.copy(other, out=after)


def modf(x, out=None):
    """(fraction(x), trunc(x)): x is their sum, and both have its sign.

    out: None or two arrays (or None).
    """
    return _of_one("modf", _eltwise.fraction, _eltwise.trunc, x, out)


def frexp(x, out=None):
    """(mantissa(x), exponent(x)): x = mantissa * 2**exponent with 0.5 <= abs(mantissa) < 1; exponents are int32.

    out: None or two arrays (or None).
    """
    return _of_one("frexp", _eltwise.mantissa, _eltwise.exponent, x, out)


def sincos(x, out=None, *, accuracy="fast"):
    """(sin(x), cos(x)) of radians.

    out: None or two arrays (or None). accuracy: see `eltwise.sin`.
    """
    return _of_one("sincos", _eltwise.sin, _eltwise.cos, x, out, accuracy=accuracy)
