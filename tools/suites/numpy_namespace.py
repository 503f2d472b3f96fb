"""A pytest plug-in that puts the package's functions into NumPy's namespace, for NumPy's own tests.

NumPy computes calls with operands of dtypes that the package does not have, so that a test that goes through all dtypes shows
what differs for the others.
"""

import functools
import importlib
import types

import eltwise
import numpy


# Long double, complex, objects, strings, records, dates.
MISSING = frozenset("gGFDOSUVMmT")


def is_missing(operand):
    """Whether the package does not have the dtype of the operand, or the dtype."""
    if operand is None:
        return False
    if isinstance(operand, (list, tuple)):
        return any(map(is_missing, operand))
    if isinstance(operand, (type, str, numpy.dtype)):
        return numpy.dtype(operand).char in MISSING
    if isinstance(operand, (numpy.ndarray, numpy.generic)):
        return operand.dtype.char in MISSING
    return not isinstance(operand, (bool, int, float)) and not hasattr(operand, "__array_ufunc__")


class Function:
    """A ufunc of NumPy whose calls are computed by the package. Attributes and methods are the ufunc's."""

    def __init__(self, ufunc, ours):
        self._ufunc, self._ours = ufunc, ours
        functools.update_wrapper(self, ufunc, updated=())

    def __call__(self, *args, **keywords):
        count = self._ufunc.nin
        if len(args) > count:
            outs = (*args[count:], *[None] * (self._ufunc.nout - len(args) + count))
            keywords["out"] = outs if len(outs) > 1 else outs[0]
        if any(map(is_missing, (*args[:count], keywords.get("dtype")))):
            return self._ufunc(*args[:count], **keywords)
        return self._ours(*args[:count], **keywords)

    def __getattr__(self, name):
        return getattr(self._ufunc, name)

    def __eq__(self, other):
        return self._ufunc is getattr(other, "_ufunc", other)

    def __hash__(self):
        return hash(self._ufunc)

    def __repr__(self):
        return repr(self._ufunc)


def pytest_configure(config):
    # These compiled modules of the tests register loops with the ufuncs that they find by name.
    for module in ("_rational_tests", "_umath_tests", "_operand_flag_tests"):
        importlib.import_module(f"numpy._core.{module}")
    # Objects that compute by themselves are given to NumPy's ufuncs, not to the functions in their place.
    eltwise._protocols.numpy = types.SimpleNamespace(**vars(numpy) | {"ma": numpy.ma})
    for name in dir(numpy):
        function = getattr(numpy, name)
        if isinstance(function, numpy.ufunc) and hasattr(eltwise, name):
            setattr(numpy, name, Function(function, getattr(eltwise, name)))
