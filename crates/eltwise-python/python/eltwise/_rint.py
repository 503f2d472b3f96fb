"""`rint`, which converts integers to floats as NumPy does."""

import numpy

from . import _eltwise, _errors, _protocols


def as_float(x, options):
    """Return x, or its conversion to the float dtype that NumPy computes in if x has integers or bools.

    The options of the call may have a dtype, to which x is converted later, and `casting`, which may forbid the conversion.
    """
    if isinstance(x, float) or "dtype" in options:
        return x
    dtype = getattr(x, "dtype", None)
    if not isinstance(dtype, numpy.dtype):
        if not isinstance(x, (int, complex, list, tuple)):
            return x  # an object of another library, or no operand
        x = numpy.asarray(x)
        dtype = x.dtype
    if dtype.kind not in "biu":
        return x
    to = numpy.result_type(dtype, numpy.float16)
    if options.get("casting") in ("no", "equiv"):
        raise TypeError(f"cannot cast x from {dtype} to {to} with casting={options['casting']!r}")
    return _eltwise.cast(x, to)


def rint(x, out=None, **options):
    """Return the nearest integers as floats, ties to even. `eltwise.round` returns integers unchanged instead.

    Parameters
    ----------
    x : array_like
        Floats. Integers and bool are converted to the float dtype that NumPy uses.
    out : numpy.ndarray or tuple of one, optional
        The array to write, as for `eltwise.round`.
    **options
        where, dtype, casting, order, subok, accuracy: see `eltwise.round`.

    Returns
    -------
    numpy.ndarray or NumPy scalar
        Dtype: the float dtype of x, or of its conversion.

    Raises
    ------
    TypeError, ValueError
        See `eltwise.round`.

    Examples
    --------
    >>> eltwise.rint([0.5, 1.5, 2])
    array([0., 2., 2.])
    """
    foreign = _protocols.handled(rint, (x,), options if out is None else {"out": out, **options})
    if foreign is not NotImplemented:
        return foreign
    try:
        return _eltwise.round(as_float(x, options), out=out, **options)
    except (TypeError, ValueError, OverflowError) as error:
        raise _errors.renamed(error, "rint", ("round",)) from None
