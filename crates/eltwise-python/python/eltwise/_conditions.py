"""Reports of data conditions, as NumPy reports its own."""

import sys
import warnings

import numpy


def zero_division(name):
    """A division of integers by zero happened in the operator `name`: does what `numpy.errstate(divide=...)` says."""
    _report("divide", "divide by zero", 1, name)


def overflow():
    """A number became infinite in the dtype that it took: does what `numpy.errstate(over=...)` says."""
    _report("over", "overflow", 2, "cast")


def _report(kind, condition, flag, name):
    what = numpy.geterr()[kind]
    text = f"{condition} encountered in {name}"
    if what == "raise":
        raise FloatingPointError(text)
    if what == "warn":
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    elif what == "call":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError(f"numpy.errstate({kind}='call') without a callback: see numpy.seterrcall")
        handler(condition, flag)
    elif what == "print":
        print(f"Warning: {text}", file=sys.stderr)
    elif what == "log":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError(f"numpy.errstate({kind}='log') without a log: see numpy.seterrcall")
        handler.write(f"Warning: {text}\n")
