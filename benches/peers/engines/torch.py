"""PyTorch on the CPU in eager mode, with `out=` if the function has it."""

from functools import partial

import numpy as np
import torch

from ..case import Problem
from ..expression import Input, Number
from . import chain
from .base import Engine, Prepared, Unsupported, bind, lookup

nn = torch._C._nn  # the functions behind torch.nn.functional, with `out`
FUNCTIONS = {
    "add": torch.add,
    "subtract": torch.sub,
    "multiply": torch.mul,
    "divide": torch.div,
    "floor_divide": partial(torch.div, rounding_mode="floor"),
    "remainder": torch.remainder,
    "fmod": torch.fmod,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "copysign": torch.copysign,
    "clamp": torch.clamp,
    "fma": lambda x, y, z, out=None: torch.addcmul(z, x, y, out=out),
    "where": torch.where,
    "negative": torch.neg,
    "abs": torch.abs,
    "sign": torch.sign,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "equal": torch.eq,
    "not_equal": torch.ne,
    "less": torch.lt,
    "less_equal": torch.le,
    "greater": torch.gt,
    "greater_equal": torch.ge,
    "logical_and": torch.logical_and,
    "logical_or": torch.logical_or,
    "logical_xor": torch.logical_xor,
    "logical_not": torch.logical_not,
    "signbit": torch.signbit,
    "bitwise_and": torch.bitwise_and,
    "bitwise_or": torch.bitwise_or,
    "bitwise_xor": torch.bitwise_xor,
    "bitwise_not": torch.bitwise_not,
    "shift_left": torch.bitwise_left_shift,
    "shift_right": torch.bitwise_right_shift,
    "floor": torch.floor,
    "ceil": torch.ceil,
    "trunc": torch.trunc,
    "round": torch.round,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "exp": torch.exp,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "log": torch.log,
    "log2": torch.log2,
    "log10": torch.log10,
    "log1p": torch.log1p,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "asin": torch.asin,
    "acos": torch.acos,
    "atan": torch.atan,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "tanh": torch.tanh,
    "asinh": torch.asinh,
    "acosh": torch.acosh,
    "atanh": torch.atanh,
    "erf": torch.erf,
    "erfc": torch.erfc,
    "sigmoid": torch.sigmoid,
    "gelu": nn.gelu,
    "gelu_tanh": partial(nn.gelu, approximate="tanh"),
    "silu": nn.silu,
    "softplus": nn.softplus,
    "hard_swish": nn.hardswish,
    "pow": torch.pow,
    "atan2": torch.atan2,
    "hypot": torch.hypot,
    "logaddexp": torch.logaddexp,
}
# Functions that return a new tensor: they have no `out`, or it is slower.
ALLOCATING = {
    "relu": torch.relu,
    "mish": torch.nn.functional.mish,
    "selu": torch.nn.functional.selu,
    "softsign": torch.nn.functional.softsign,
    "isnan": torch.isnan,
    "isinf": torch.isinf,
    "isfinite": torch.isfinite,
}


def tensor(x: np.ndarray) -> torch.Tensor:
    """A tensor over the same memory."""
    try:
        if x.dtype.name == "bfloat16":
            return torch.from_numpy(x.view(np.uint16)).view(torch.bfloat16)
        return torch.from_numpy(x)
    except (ValueError, TypeError) as error:
        raise Unsupported(str(error).splitlines()[0]) from error


def array(x: torch.Tensor, dtype: np.dtype) -> np.ndarray:
    if x.dtype == torch.bfloat16:
        return x.view(torch.uint16).numpy().view(dtype)
    return x.numpy()


class Adapter(Engine):
    name = "torch"

    def __init__(self, settings):
        super().__init__(settings)
        torch.set_num_threads(settings.threads)
        torch.set_grad_enabled(False)

    def version(self) -> str:
        return f"{torch.__version__} ({torch.backends.cpu.get_cpu_capability()})"

    def prepare(self, problem: Problem) -> Prepared:
        inputs = {name: tensor(problem.array(name)) for name in problem.letters}
        try:
            call = self._call(problem, inputs)
            call()
        except (RuntimeError, TypeError, NotImplementedError) as error:
            raise Unsupported(str(error).splitlines()[0]) from error
        return Prepared(call, lambda value: array(value, problem.dtype))

    def _call(self, problem: Problem, inputs: dict[str, torch.Tensor]):
        if problem.out is None:
            if not chain.single_call(problem):
                raise Unsupported("without out, one operator only")
            op = problem.tree.op
            arguments = [inputs[x.name] if isinstance(x, Input) else x.value for x in problem.tree.args]
            if op == "cast":
                return bind(arguments[0].to, _dtype(problem.dtype))
            return bind(ALLOCATING.get(op) or _function(op, _dtype(problem.dtype)), *arguments)
        plan = chain.plan(problem, lambda op: op in FUNCTIONS or op == "relu")
        buffers = [tensor(problem.out)]
        buffers += [torch.empty(shape, dtype=_dtype(dtype)) for shape, dtype in plan.buffers[1:]]
        steps = [self._step(step, inputs, buffers) for step in plan.steps]
        return steps[0] if len(steps) == 1 else bind(_run, steps)

    def _step(self, step: chain.Step, inputs: dict[str, torch.Tensor], buffers: list[torch.Tensor]):
        arguments = [_argument(x, inputs, buffers) for x in step.args]
        out = buffers[step.target.index]
        if step.op == "cast":
            return bind(out.copy_, arguments[0])
        if step.op == "relu" and arguments[0] is out:
            return bind(torch.relu_, out)
        if step.op in ALLOCATING:
            if step.target.index:
                raise Unsupported(f"{step.op} has no out")
            return bind(ALLOCATING[step.op], *arguments)
        return bind(_function(step.op, out.dtype), *arguments, out=out)


def _argument(x, inputs: dict[str, torch.Tensor], buffers: list[torch.Tensor]):
    if isinstance(x, Input):
        return inputs[x.name]
    return x.value if isinstance(x, Number) else buffers[x.index]


def _function(op: str, dtype: torch.dtype):
    integer = not dtype.is_floating_point and dtype != torch.bool
    return partial(torch.div, rounding_mode="trunc") if op == "divide" and integer else lookup(FUNCTIONS, op)


def _dtype(dtype: np.dtype) -> torch.dtype:
    return getattr(torch, dtype.name)


def _run(steps):
    for step in steps:
        value = step()
    return value
