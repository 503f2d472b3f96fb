"""A pytest plug-in that puts the package's functions into NumPy's namespace, for NumPy's own tests."""

import functools
import importlib

import eltwise
import numpy


class Function:
    """A ufunc of NumPy whose calls are computed by the package. Attributes and methods are the ufunc's."""

    def __init__(self, ufunc, ours):
        self._ufunc, self._ours = ufunc, ours
        functools.update_wrapper(self, ufunc, updated=())

    def __call__(self, *args, **keywords):
        count = self._ufunc.nin
        if len(args) > count:
            outs = args[count:]
            keywords["out"] = outs if len(outs) > 1 else outs[0]
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
    for name in dir(numpy):
        function = getattr(numpy, name)
        if isinstance(function, numpy.ufunc) and hasattr(eltwise, name):
            setattr(numpy, name, Function(function, getattr(eltwise, name)))
