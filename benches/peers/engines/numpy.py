"""NumPy: ufuncs with preallocated outputs; operators that it lacks are the shortest chain of ufuncs."""

from collections.abc import Callable

import numpy as np

from ..case import Problem
from ..expression import Input, Number
from . import chain
from .base import Engine, Prepared, Unsupported, bind, lookup

UFUNCS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "fmod": np.fmod,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "copysign": np.copysign,
    "clamp": np.clip,
    "negative": np.negative,
    "abs": np.absolute,
    "sign": np.sign,
    "square": np.square,
    "reciprocal": np.reciprocal,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "logical_not": np.logical_not,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_not": np.bitwise_not,
    "shift_left": np.left_shift,
    "shift_right": np.right_shift,
    "popcount": np.bitwise_count,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "pow": np.power,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "logaddexp": np.logaddexp,
}


def _sigmoid(x, out):
    np.negative(x, out=out)
    np.exp(out, out=out)
    np.add(out, 1, out=out)
    return np.reciprocal(out, out=out)


def _silu(x, out):
    np.negative(x, out=out)
    np.exp(out, out=out)
    np.add(out, 1, out=out)
    return np.divide(x, out, out=out)


# These write `out` more than once, so `out` must not be an operand.
CHAINS = {
    "relu": lambda x, out: np.maximum(x, 0, out=out),
    "fma": lambda x, y, z, out: np.add(np.multiply(x, y, out=out), z, out=out),
    "rsqrt": lambda x, out: np.reciprocal(np.sqrt(x, out=out), out=out),
    "softplus": lambda x, out: np.logaddexp(x, 0, out=out),
    "softsign": lambda x, out: np.divide(x, np.add(np.abs(x, out=out), 1, out=out), out=out),
    "sigmoid": _sigmoid,
    "silu": _silu,
}


class Adapter(Engine):
    name = "numpy"

    def version(self) -> str:
        return np.__version__

    def prepare(self, problem: Problem) -> Prepared:
        if problem.out is None:
            return self._allocating(problem)
        plan = chain.plan(problem, lambda op: op in UFUNCS)
        buffers = [problem.out, *(np.empty(*x) for x in plan.buffers[1:])]
        steps = [self._step(step, problem, buffers) for step in plan.steps]

        def read(value):
            return problem.out if value is None else value  # np.copyto returns nothing

        return Prepared(steps[0] if len(steps) == 1 else bind(_run, steps), read)

    def _step(self, step: chain.Step, problem: Problem, buffers: list[np.ndarray]) -> Callable:
        arguments = [self._argument(x, problem, buffers) for x in step.args]
        out = buffers[step.target.index]
        if step.op == "where":
            if step.target.index:
                raise Unsupported("np.where has no out")
            # It allocates, but is faster than two np.copyto.
            return bind(np.where, *arguments)
        if step.op == "cast":
            return bind(np.copyto, out, arguments[0], casting="unsafe")
        if step.op in CHAINS:
            return bind(CHAINS[step.op], *arguments, out)
        # The ufunc converts operands of mixed dtypes in its internal buffer.
        return bind(_ufunc(step.op, out.dtype), *arguments, out=out)

    def _argument(self, x, problem: Problem, buffers: list[np.ndarray]):
        if isinstance(x, Input):
            return problem.array(x.name)
        return x.value if isinstance(x, Number) else buffers[x.index]

    def _allocating(self, problem: Problem) -> Prepared:
        if not chain.single_call(problem):
            raise Unsupported("without out, one operator only")
        op = problem.tree.op
        arguments = [self._argument(x, problem, []) for x in problem.tree.args]
        if op == "cast":
            return Prepared(bind(arguments[0].astype, problem.dtype), lambda value: value)
        function = np.where if op == "where" else _ufunc(op, problem.dtype)
        return Prepared(bind(function, *arguments), lambda value: value)


def _ufunc(op: str, dtype: np.dtype):
    return np.floor_divide if op == "divide" and dtype.kind in "iu" else lookup(UFUNCS, op)


def _run(steps):
    for step in steps:
        value = step()
    return value
