"""Reports data conditions as NumPy's ufuncs do, through `numpy.errstate`. Called by the compiled module."""

import os
import sys
import warnings

import numpy

_PACKAGE = os.path.dirname(__file__)


def zero_division(name):
    """Report that the operator or expression `name` divided an integer by zero: see `numpy.errstate(divide=...)`."""
    _report("divide", "divide by zero", 1, name)


def overflow():
    """Report that a number became infinite in its float dtype: see `numpy.errstate(over=...)`."""
    _report("over", "overflow", 2, "cast")


def _report(kind, condition, flag, name):
    """Do what the error state asks for: `kind` is its key, `flag` NumPy's bit for callbacks."""
    action = numpy.geterr()[kind]
    text = f"{condition} encountered in {name}"
    if action == "raise":
        raise FloatingPointError(text)
    if action == "warn":
        # Level 3 is the caller of the operator, unless that is a function of this package.
        level, frame = 3, sys._getframe(2)
        while frame is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
            level, frame = level + 1, frame.f_back
        warnings.warn(text, RuntimeWarning, stacklevel=level)
    elif action == "call":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError(f"numpy.errstate({kind}='call') without a callback: see numpy.seterrcall")
        handler(condition, flag)
    elif action == "print":
        print(f"Warning: {text}", file=sys.stderr)
    elif action == "log":
        handler = numpy.geterrcall()
        if handler is None:
            raise NameError(f"numpy.errstate({kind}='log') without a log: see numpy.seterrcall")
        handler.write(f"Warning: {text}\n")
