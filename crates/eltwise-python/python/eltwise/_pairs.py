"""Functions with two results: `divmod`, `modf`, `frexp`, `sincos`."""

import numpy

from . import _eltwise, _errors, _protocols
from ._rint import as_float


def _parse_out(name, out):
    """The arrays for the two results; None for a new array."""
    if out is None:
        return None, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"{name}(): out must be a tuple of two arrays (or None), not {type(out).__name__}")
    for array in out:
        if not isinstance(array, (numpy.ndarray, type(None))):
            raise TypeError(f"{name}(): out must be a tuple of two arrays (or None), not of {type(array).__name__}")
        if array is not None and not array.flags.writeable:
            raise ValueError(f"{name}(): an array of out is read-only, expected arrays that can be written")
    if out[0] is not None and out[1] is not None and _eltwise._may_overlap(*out):
        raise ValueError(
            f"{name}(): the two arrays of out overlap, or interleave without a common period, expected arrays that share"
            " no byte: the second result would be written over the first"
        )
    return out


def _call_both(name, pair, first, second, operands, out, **options):
    """(first(*operands), second(*operands)), for outputs that may be operands or overlap them.

    If an output overlaps an operand, both results are complete before either is written: a call that fails changes no
    operand. `pair` computes both of a call of the common kind, and returns None for any other.
    """
    if out is None and not options:
        both = pair(*operands)
        if both is not None:
            return both
    foreign = _protocols.handled(globals()[name], operands, options if out is None else {"out": out, **options})
    if foreign is not NotImplemented:
        return foreign
    outs = _parse_out(name, out)

    def overlaps(array):
        read = (*operands, options.get("where"))
        return array is not None and any(_eltwise._may_overlap(array, operand) for operand in read if operand is not None)

    is_over_operand = any(overlaps(array) for array in outs)
    # Under a mask, elements keep the values of the outputs.
    new = numpy.copy if "where" in options else numpy.empty_like
    targets = [new(array) if is_over_operand and array is not None else array for array in outs]
    # As in NumPy, an error state that raises does so when both results are written.
    error = first_result = None
    try:
        first_result = first(*operands, out=targets[0], **options)
    except FloatingPointError as raised:
        error = raised
    except (TypeError, ValueError, OverflowError) as raised:
        raise _errors.renamed(raised, name, (first.__name__,)) from None
    try:
        # The first call has reported every condition.
        with numpy.errstate(divide="ignore", over="ignore"):
            results = first_result, second(*operands, out=targets[1], **options)
    except (TypeError, ValueError, OverflowError) as raised:
        raise _errors.renamed(raised, name, (second.__name__,)) from None
    if error is not None:
        raise error
    if not is_over_operand:
        return results
    return tuple(
        result if array is None else _eltwise.copy(result, out=array) for result, array in zip(results, outs, strict=True)
    )


def divmod(x, y, out=None, **options):
    """Return (floor_divide(x, y), remainder(x, y)).

    Parameters
    ----------
    x, y : array_like
        See `eltwise.floor_divide`.
    out : tuple of two, optional
        Arrays to write, or None for a new array. They must not overlap each other; they may overlap the operands.
    **options
        where, dtype, casting, order, broadcast, axis, accuracy: see `eltwise.floor_divide`.

    Returns
    -------
    tuple of two
        Arrays of the operands' shape, or NumPy scalars for rank 0.

    Raises
    ------
    TypeError, ValueError, OverflowError
        See `eltwise.floor_divide`; also for an `out` that is not a tuple of two arrays or whose arrays overlap.

    Warns
    -----
    RuntimeWarning
        Integer division by zero gives 0 in both results. It is reported once, as numpy.errstate(divide=...) says.

    Examples
    --------
    >>> eltwise.divmod([-7, 7], 2)
    (array([-4,  3]), array([1, 1]))
    """
    return _call_both("divmod", _eltwise._divmod, _eltwise.floor_divide, _eltwise.remainder, (x, y), out, **options)


def modf(x, out=None, **options):
    """Return (fraction(x), trunc(x)). Their sum is x, and both have its sign. The fraction of an infinity is a zero.

    Parameters
    ----------
    x : array_like
        Floats. Integers and bool are converted to the float dtype that NumPy uses.
    out : tuple of two, optional
        Arrays to write, or None for a new array. They must not overlap each other; they may overlap x.
    **options
        where, dtype, casting, order, accuracy: see `eltwise.trunc`.

    Returns
    -------
    tuple of two
        Arrays of the operands' shape, or NumPy scalars for rank 0.

    Raises
    ------
    TypeError, ValueError
        See `eltwise.trunc`; also for an `out` that is not a tuple of two arrays or whose arrays overlap.

    Examples
    --------
    >>> eltwise.modf([-2.5, 0.25])
    (array([-0.5 ,  0.25]), array([-2.,  0.]))
    """
    return _call_both("modf", _eltwise._modf, _eltwise.fraction, _eltwise.trunc, (as_float(x, options),), out, **options)


def frexp(x, out=None, **options):
    """Return (mantissa(x), exponent(x)): x = mantissa * 2**exponent with 0.5 <= abs(mantissa) < 1.

    The exponent is int32. Zeros, infinities and NaN are their own mantissa, with the exponent 0.

    Parameters
    ----------
    x : array_like
        Floats.
    out : tuple of two, optional
        Arrays to write, or None for a new array. They must not overlap each other; they may overlap x.
    **options
        where, casting, order, accuracy: see `eltwise.mantissa`.

    Returns
    -------
    tuple of two
        Arrays of the operands' shape, or NumPy scalars for rank 0.

    Raises
    ------
    TypeError, ValueError
        See `eltwise.mantissa`; also for an `out` that is not a tuple of two arrays or whose arrays overlap.

    Examples
    --------
    >>> eltwise.frexp([0.25, 10.0])
    (array([0.5  , 0.625]), array([-1,  4], dtype=int32))
    """
    return _call_both("frexp", _eltwise._frexp, _eltwise.mantissa, _eltwise.exponent, (x,), out, **options)


def sincos(x, out=None, **options):
    """Return (sin(x), cos(x)) for x in radians. Both are NaN for infinities.

    Parameters
    ----------
    x : array_like
        See `eltwise.sin`.
    out : tuple of two, optional
        Arrays to write, or None for a new array. They must not overlap each other; they may overlap x.
    **options
        where, dtype, casting, order, accuracy: see `eltwise.sin`.

    Returns
    -------
    tuple of two
        Arrays of the operands' shape, or NumPy scalars for rank 0.

    Raises
    ------
    TypeError, ValueError
        See `eltwise.sin`; also for an `out` that is not a tuple of two arrays or whose arrays overlap.

    Examples
    --------
    >>> eltwise.sincos([0.0, 0.5])
    (array([0.        , 0.47942554]), array([1.        , 0.87758256]))
    """
    return _call_both("sincos", _eltwise._sincos, _eltwise.sin, _eltwise.cos, (x,), out, **options)
