"""Elementwise operators and expressions over NumPy arrays.

`eltwise.add(x, y, out=None)` and one function for every other operator; `eltwise.compile("a * b + c", "abc")` for
expressions that run in one walk over the memory. Arrays of any shape, strides and dtype; results have the same bits on
every CPU, in every layout and with any number of threads.
"""

import builtins as _builtins

import numpy as _numpy  # noqa: F401  (an ImportError here says what is missing)

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
from ._pairs import divmod, frexp, modf, sincos
from ._rint import rint

# `from eltwise import *` leaves Python's own names (abs, compile, ...) alone.
__all__ = sorted(
    {name for name in vars(_eltwise) if not name.startswith("_") and name not in ("Compiled", "LoweredIsa")}
    .union({"clip", "divmod", "frexp", "modf", "rint", "sincos"})
    .difference(dir(_builtins))
)
