"""Functions of this package over dask arrays: one `blockwise` for a function or a whole expression."""

import operator

import numpy

from . import _eltwise


class Task:
    """A function over blocks, run on one thread: the threads of dask compute several blocks at a time."""

    def __init__(self, function, operands, absent, names, options):
        self.function, self.operands, self.absent = function, operands, absent
        self.names, self.options = names, options
        #: Keys of tasks begin with it.
        self.__name__ = function.__name__

    def __call__(self, *blocks):
        named = dict(zip(self.names, blocks[self.operands :], strict=True))
        threads = _eltwise._limit_threads(1)
        try:
            operands = list(blocks[: self.operands])
            for i in sorted(self.absent):
                operands.insert(i, None)
            return self.function(*operands, **named, **self.options)
        finally:
            _eltwise._limit_threads(threads)

    def __dask_tokenize__(self):
        from dask.base import normalize_token

        function = self.function
        name = function if isinstance(function, _eltwise.Compiled) else function.__name__
        return "eltwise", normalize_token((name, self.operands, sorted(self.absent), self.names, sorted(self.options.items())))


def call(this):
    """Return dask arrays for a call (`_protocols.Call`) some of whose operands are dask arrays. Nothing is computed."""
    from dask import array

    function, operands, options = this.function, this.operands, this.options
    if "progress" in options:
        raise TypeError(f"{this.name}(): operands are dask arrays, which are computed later: use dask.diagnostics.ProgressBar")
    if this.has_outs():
        raise TypeError(f"{this.name}(): operands are dask arrays, for which out is not supported: assign the result")
    if options.get("broadcast", "numpy") != "numpy":
        raise TypeError(f"{this.name}(): operands are dask arrays, for which broadcast is \"numpy\" only")
    # Operands that are no blocks, such as a bound of `clip` that is None.
    absent = {i for i, value in enumerate(operands) if value is None}
    operands = [value for value in operands if value is not None]
    named = this.named_operands()
    fixed = {name: value for name, value in options.items() if name not in named and name != "out"}
    task = Task(function, len(operands), absent, tuple(named), fixed)
    given = [value if _is_array(value) else _as_operand(value) for value in (*operands, *named.values())]
    # Dtypes and the number of results come from a call over no elements.
    empty = task(*[numpy.empty((0,) * value.ndim, value.dtype) if hasattr(value, "ndim") else value for value in given])
    if not isinstance(empty, tuple):
        return array.core.elemwise(task, *given, dtype=empty.dtype)
    both = array.core.elemwise(task, *given, dtype=object)
    return tuple(
        both.map_blocks(operator.itemgetter(i), dtype=part.dtype, meta=numpy.empty((0,) * both.ndim, part.dtype))
        for i, part in enumerate(empty)
    )


def _is_array(value):
    return hasattr(value, "__dask_graph__")


def _as_operand(value):
    """A number as it is, so that it adapts to the arrays; everything else as an array."""
    return value if isinstance(value, (int, float, numpy.generic)) else numpy.asarray(value)
