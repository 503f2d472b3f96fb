"""Reports of data conditions, as NumPy reports its own."""

import sys
import warnings

import numpy


def zero_division(name):
    """A division of integers by zero happened in the operator `name`: does what `numpy.errstate(divide=...)` says."""
    what = numpy.geterr()["divide"]
    text = f"divide by zero encountered in {name}"
    if what == "raise":
        raise FloatingPointError(text)
    if what == "warn":
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    elif what == "call":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError("numpy.errstate(divide='call') without a callback: see numpy.seterrcall")
        handler("divide by zero", 1)
    elif what == "print":
        print(f"Warning: {text}", file=sys.stderr)
    elif what == "log":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError("numpy.errstate(divide='log') without a log: see numpy.seterrcall")
        handler.write(f"Warning: {text}\n")
