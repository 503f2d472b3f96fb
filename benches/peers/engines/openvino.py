"""OpenVINO: a model of the expression, compiled for the CPU, with tensors over our memory, bound once."""

import numpy as np
import openvino as ov
import openvino.opset15 as ops

from .. import dtypes
from ..case import LETTERS, Problem
from ..data import Slice
from ..expression import evaluate
from .base import Engine, Prepared, Unsupported, lookup

NODES = {
    "add": ops.add,
    "subtract": ops.subtract,
    "multiply": ops.multiply,
    "divide": ops.divide,
    "remainder": ops.floor_mod,
    "fmod": ops.mod,
    "maximum": ops.maximum,
    "minimum": ops.minimum,
    "where": ops.select,
    "negative": ops.negative,
    "abs": ops.absolute,
    "sign": ops.sign,
    "equal": ops.equal,
    "not_equal": ops.not_equal,
    "less": ops.less,
    "less_equal": ops.less_equal,
    "greater": ops.greater,
    "greater_equal": ops.greater_equal,
    "logical_and": ops.logical_and,
    "logical_or": ops.logical_or,
    "logical_xor": ops.logical_xor,
    "logical_not": ops.logical_not,
    "isnan": ops.is_nan,
    "isinf": ops.is_inf,
    "isfinite": ops.is_finite,
    "bitwise_and": ops.bitwise_and,
    "bitwise_or": ops.bitwise_or,
    "bitwise_xor": ops.bitwise_xor,
    "bitwise_not": ops.bitwise_not,
    "shift_left": ops.bitwise_left_shift,
    "shift_right": ops.bitwise_right_shift,
    "floor": ops.floor,
    "ceil": ops.ceiling,
    "round": lambda x: ops.round(x, "half_to_even"),
    "relu": ops.relu,
    "sqrt": ops.sqrt,
    "exp": ops.exp,
    "log": ops.log,
    "sin": ops.sin,
    "cos": ops.cos,
    "tan": ops.tan,
    "asin": ops.asin,
    "acos": ops.acos,
    "atan": ops.atan,
    "sinh": ops.sinh,
    "cosh": ops.cosh,
    "tanh": ops.tanh,
    "asinh": ops.asinh,
    "acosh": ops.acosh,
    "atanh": ops.atanh,
    "erf": ops.erf,
    "sigmoid": ops.sigmoid,
    "softplus": ops.softplus,
    "softsign": ops.softsign,
    "gelu": lambda x: ops.gelu(x, "erf"),
    "gelu_tanh": lambda x: ops.gelu(x, "tanh"),
    "silu": lambda x: ops.swish(x, ops.constant(1.0, x.get_element_type())),
    "mish": ops.mish,
    "hard_swish": ops.hswish,
    "pow": ops.power,
}


def _type(dt: np.dtype) -> ov.Type:
    return ov.Type.bf16 if dt.name == "bfloat16" else ov.Type(dt)


def _tensor(x: np.ndarray) -> ov.Tensor:
    if x.dtype.name == "bfloat16":
        return ov.Tensor(x.view(np.uint16), list(x.shape), ov.Type.bf16)
    return ov.Tensor(x, shared_memory=True)


class Adapter(Engine):
    name = "openvino"

    def __init__(self, settings):
        super().__init__(settings)
        self.core = ov.Core()

    def version(self) -> str:
        return ov.__version__.split("-")[0]

    def prepare(self, problem: Problem) -> Prepared:
        if problem.out is None:
            raise Unsupported("needs an existing result array")
        if any(isinstance(x.view, Slice) for x in problem.case.inputs):
            raise Unsupported("no strided inputs")
        try:
            return self._prepare(problem)
        except (RuntimeError, TypeError, AttributeError) as error:
            raise Unsupported(str(error).strip().splitlines()[-1]) from error

    def _prepare(self, problem: Problem) -> Prepared:
        parameters = [ops.parameter(list(b.shape), _type(b.dtype)) for b in problem.bases]
        leaves = {}
        for letter, parameter, data in zip(LETTERS, parameters, problem.case.inputs, strict=False):
            leaves[letter] = ops.transpose(parameter, np.array(data.view.axes)) if data.view else parameter
        weak = next((b.dtype for b in problem.bases if b.dtype.kind != "b"), problem.dtype)

        def number(value):
            return ops.constant(value, _type(weak))

        def apply(op, args, dtype):
            if op == "cast":
                return ops.convert(args[0], _type(dtypes.dtype(dtype)).to_string())
            if op == "clamp":
                return ops.minimum(ops.maximum(args[0], args[1]), args[2])
            if len(args) > 1:
                args = _promote(args)
            return lookup(NODES, op)(*args)

        model = ov.Model([evaluate(problem.tree, leaves.__getitem__, number, apply)], parameters)
        precision = {"float16": "f16", "bfloat16": "bf16"}.get(problem.bases[0].dtype.name, "f32")
        compiled = self.core.compile_model(
            model,
            "CPU",
            {
                "INFERENCE_NUM_THREADS": self.settings.threads,
                "NUM_STREAMS": 1,
                "INFERENCE_PRECISION_HINT": precision,
            },
        )
        request = compiled.create_infer_request()
        for k, b in enumerate(problem.bases):
            request.set_input_tensor(k, _tensor(b))
        request.set_output_tensor(0, _tensor(problem.out))
        return Prepared(request.infer, lambda value: problem.out)


def _promote(args: list) -> list:
    """Converts integers to the float type of the other operands: OpenVINO's nodes take operands of one type."""
    args = [x.output(0) if hasattr(x, "output") else x for x in args]
    floats = [x for x in args if x.get_element_type().is_real()]
    others = [x for x in args if not x.get_element_type().is_real() and x.get_element_type() != ov.Type.boolean]
    if floats and others:
        target = floats[0].get_element_type().to_string()
        return [ops.convert(x, target) if x in others else x for x in args]
    return args
