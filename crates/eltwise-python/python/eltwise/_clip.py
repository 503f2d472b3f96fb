"""`clip`, with optional bounds as in NumPy and the array API standard."""

import numpy

from . import _eltwise, _errors, _protocols


def clip(x, min=None, max=None, out=None, *, a_min=None, a_max=None, **options):
    """Limit x to the range [min, max].

    Parameters
    ----------
    x : array_like
        Integers or floats.
    min, max : array_like, optional
        None is no bound. A Python int that no element of an integer x can pass is no bound either.
    out : numpy.ndarray or tuple of one, optional
        The array to write, as for `eltwise.clamp`.
    a_min, a_max : array_like, optional
        NumPy's names for min and max.
    **options
        where, dtype, casting, order, subok, broadcast, accuracy: see `eltwise.clamp`.

    Returns
    -------
    numpy.ndarray or NumPy scalar
        `eltwise.clamp`, `eltwise.maximum` or `eltwise.minimum` of x and the bounds, or a copy of x. NaN propagates.

    Raises
    ------
    TypeError, ValueError, OverflowError
        See `eltwise.clamp`.

    Examples
    --------
    >>> eltwise.clip([-2, 0, 5], 0)
    array([0, 0, 5])
    """
    if (min is not None and a_min is not None) or (max is not None and a_max is not None):
        raise TypeError("clip(): min and a_min, or max and a_max, are both given")
    min, max = a_min if min is None else min, a_max if max is None else max
    foreign = _protocols.handled(clip, (x, min, max), options if out is None else {"out": out, **options})
    if foreign is not NotImplemented:
        return foreign
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, numpy.dtype) and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        if type(min) is int and min < limits.min:
            min = None
        if type(max) is int and max > limits.max:
            max = None
    try:
        if min is not None and max is not None:
            return _eltwise.clamp(x, min, max, out=out, **options)
        if min is not None:
            return _eltwise.maximum(x, min, out=out, **options)
        if max is not None:
            return _eltwise.minimum(x, max, out=out, **options)
        options.pop("broadcast", None)
        options.pop("accuracy", None)
        return (_eltwise.positive if options else _eltwise.copy)(x, out=out, **options)
    except (TypeError, ValueError, OverflowError) as error:
        parameters = (("lo", "min"), ("hi", "max"), ("y", "min" if max is None else "max"))
        raise _errors.renamed(error, "clip", ("clamp", "maximum", "minimum", "positive", "copy"), parameters) from None
