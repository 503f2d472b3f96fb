"""Elementwise operators and expressions over NumPy arrays.

`eltwise.add(x, y, out=None)`, and one function for each other operator of `eltwise.operators()`.
`eltwise.compile("a * b + c", ["a", "b", "c"])` compiles an expression, which runs in one pass over memory.

Arrays may have any shape, strides and dtype. Results have the same bits on every CPU, in every layout and with any
number of threads.
"""

import builtins as _builtins

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
