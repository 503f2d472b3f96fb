"""NumPy's namespace with the package's elementwise functions in it, for the tests of the array API standard.

NumPy computes calls with complex operands, which the package does not take. The tests cannot do without complex dtypes.
"""

import functools

import eltwise
import numpy

# Functions of the standard that are elementwise and no ufuncs of NumPy.
ALSO = ["clip", "round", "where", "broadcast_arrays", "broadcast_shapes", "broadcast_to"]


def of_real_operands(ours, numpys):
    """`ours`, unless an operand is complex."""

    @functools.wraps(ours)
    def function(*args, **keywords):
        is_complex = any(isinstance(arg, complex) or getattr(arg, "dtype", bool) in ("F", "D") for arg in args)
        return (numpys if is_complex else ours)(*args, **keywords)

    return function


globals().update({name: getattr(numpy, name) for name in dir(numpy) if not name.startswith("__")})
__array_api_version__ = numpy.__array_api_version__
__array_namespace_info__ = numpy.__array_namespace_info__
for name in dir(numpy):
    if hasattr(eltwise, name) and (name in ALSO or isinstance(getattr(numpy, name), numpy.ufunc)):
        globals()[name] = of_real_operands(getattr(eltwise, name), getattr(numpy, name))
