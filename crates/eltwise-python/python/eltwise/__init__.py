"""Elementwise operators and expressions over arrays: SIMD kernels for any layout, with the same bits on every CPU.

    >>> import eltwise, numpy as np
    >>> eltwise.add([1.0, 2.0], 1)                # functions with NumPy's names and arguments
    array([2., 3.])
    >>> f = eltwise.compile("a * b + c")          # one pass over memory for a whole expression
    >>> f([1.0, 2.0], 10.0, 0.5)
    array([10.5, 20.5])

Functions
    help(eltwise.exp) shows a function: its arguments, dtypes, accuracy, an example
    operators() lists the names of the operators

Expressions
    compile(text, names)    a function of an expression
    evaluate(text)          the value of an expression of the caller's variables

Broadcasting without an operator
    broadcast_shapes, broadcast_arrays, broadcast_to

Settings
    get_num_threads, set_num_threads
    isa, isas               the instruction sets of this machine and the one in use
    show_config()           versions and settings, for bug reports

Objects of pandas, xarray, dask, PyTorch and JAX are operands, too. The documentation is in docs/python of the source:
ten-minutes.md is a tour, recipes.md has examples, api.md has all functions, differences.md compares with NumPy.
"""

import builtins as _builtins
import sys as _sys

import numpy as _numpy  # noqa: F401  (fails here, with a clear message, if NumPy is missing)

from ._eltwise import *  # noqa: F403
from ._eltwise import (
    __version__,
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    compile,
    get_num_threads,
    isa,
    isas,
    operators,
    set_num_threads,
)
from . import _eltwise
from ._clip import clip
from ._config import show_config
from ._evaluate import evaluate
from ._pairs import divmod, frexp, modf, sincos
from ._rint import rint

# `from eltwise import *` must not replace Python's builtins (abs, compile, ...).
__all__ = sorted(
    {name for name in vars(_eltwise) if not name.startswith("_") and name not in ("Compiled", "LoweredIsa")}
    .union({"clip", "divmod", "evaluate", "frexp", "modf", "rint", "show_config", "sincos"})
    .difference(dir(_builtins))
)


def __dir__():
    # help() prints the page of every function that it finds here. A module of 190 functions has a short page instead.
    frame = _sys._getframe()
    for _ in range(4):
        frame = frame and frame.f_back
        # Of `python -m pydoc`, the name is __main__.
        spec = frame and frame.f_globals.get("__spec__")
        if spec and spec.name == "pydoc":
            return ["__all__", "__doc__", "__file__", "__version__"]
    return sorted(globals())
