"""ONNX Runtime: a graph of the expression, with inputs and output bound once."""

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper

from ..case import LETTERS, Problem
from ..data import Slice
from ..expression import evaluate
from .base import Engine, Prepared, Unsupported, bind, lookup

OPSET = 22
# Operator, or operator with its attributes.
NODES = {
    "add": "Add",
    "subtract": "Sub",
    "multiply": "Mul",
    "divide": "Div",
    "remainder": "Mod",
    "fmod": ("Mod", {"fmod": 1}),
    "maximum": "Max",
    "minimum": "Min",
    "clamp": "Clip",
    "where": "Where",
    "negative": "Neg",
    "abs": "Abs",
    "sign": "Sign",
    "reciprocal": "Reciprocal",
    "equal": "Equal",
    "less": "Less",
    "less_equal": "LessOrEqual",
    "greater": "Greater",
    "greater_equal": "GreaterOrEqual",
    "logical_and": "And",
    "logical_or": "Or",
    "logical_xor": "Xor",
    "logical_not": "Not",
    "isnan": "IsNaN",
    "isinf": "IsInf",
    "bitwise_and": "BitwiseAnd",
    "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor",
    "bitwise_not": "BitwiseNot",
    "shift_left": ("BitShift", {"direction": "LEFT"}),
    "shift_right": ("BitShift", {"direction": "RIGHT"}),
    "floor": "Floor",
    "ceil": "Ceil",
    "round": "Round",
    "relu": "Relu",
    "sqrt": "Sqrt",
    "exp": "Exp",
    "log": "Log",
    "sin": "Sin",
    "cos": "Cos",
    "tan": "Tan",
    "asin": "Asin",
    "acos": "Acos",
    "atan": "Atan",
    "sinh": "Sinh",
    "cosh": "Cosh",
    "tanh": "Tanh",
    "asinh": "Asinh",
    "acosh": "Acosh",
    "atanh": "Atanh",
    "erf": "Erf",
    "sigmoid": "Sigmoid",
    "softplus": "Softplus",
    "softsign": "Softsign",
    "gelu": "Gelu",
    "gelu_tanh": ("Gelu", {"approximate": "tanh"}),
    "mish": "Mish",
    "hard_swish": "HardSwish",
    "selu": "Selu",
    "pow": "Pow",
}


class _Graph:
    """Collects nodes. A value is a pair of its name and its dtype."""

    def __init__(self, weak: np.dtype):
        self.weak, self.nodes, self.constants, self.count = weak, [], [], 0

    def add(self, op: str, inputs: list[str], dtype, **attributes):
        self.count += 1
        self.nodes.append(helper.make_node(op, inputs, [f"v{self.count}"], **attributes))
        return f"v{self.count}", dtype

    def number(self, value):
        self.count += 1
        name = f"v{self.count}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, self.weak), name))
        return name, self.weak

    def apply(self, op: str, args: list, dtype):
        if op == "cast":
            return self.cast(args[0], np.dtype(dtype))
        if op == "silu":
            gate, _ = self.add("Sigmoid", [args[0][0]], args[0][1])
            return self.add("Mul", [args[0][0], gate], args[0][1])
        node = lookup(NODES, op)
        node, attributes = node if isinstance(node, tuple) else (node, {})
        values = args[1:] if op == "where" else args
        common = np.result_type(*(d for _, d in values))
        values = [x if x[1] == common else self.cast(x, common) for x in values]
        args = [args[0], *values] if op == "where" else values
        return self.add(node, [name for name, _ in args], common, **attributes)

    def cast(self, value, dtype: np.dtype):
        return self.add("Cast", [value[0]], dtype, to=helper.np_dtype_to_tensor_dtype(dtype))


class Adapter(Engine):
    name = "ort"

    def version(self) -> str:
        return onnxruntime.__version__

    def prepare(self, problem: Problem) -> Prepared:
        if problem.out is None:
            raise Unsupported("needs an existing result array")
        if any(isinstance(x.view, Slice) for x in problem.case.inputs):
            raise Unsupported("no strided inputs")
        if any(x.dtype.name == "bfloat16" for x in [*problem.bases, problem.out]):
            raise Unsupported("no bfloat16")
        try:
            return self._prepare(problem)
        except Unsupported:
            raise
        except Exception as error:  # its exceptions have no common base class
            raise Unsupported(str(error).strip().splitlines()[0]) from error

    def _prepare(self, problem: Problem) -> Prepared:
        kind = helper.np_dtype_to_tensor_dtype
        graph = _Graph(next((b.dtype for b in problem.bases if b.dtype.kind != "b"), problem.dtype))
        leaves, inputs = {}, []
        for letter, b, data in zip(LETTERS, problem.bases, problem.case.inputs, strict=False):
            inputs.append(helper.make_tensor_value_info(letter, kind(b.dtype), b.shape))
            leaves[letter] = letter, b.dtype
            if data.view:
                leaves[letter] = graph.add("Transpose", [letter], b.dtype, perm=data.view.axes)
        name, _ = evaluate(problem.tree, leaves.__getitem__, graph.number, graph.apply)
        output = helper.make_tensor_value_info(name, kind(problem.dtype), problem.shape)
        model = helper.make_model(
            helper.make_graph(graph.nodes, "case", inputs, [output], graph.constants),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=10,
        )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.settings.threads
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for letter, b in zip(LETTERS, problem.bases, strict=False):
            binding.bind_cpu_input(letter, b)
        binding.bind_output(name, "cpu", 0, problem.dtype, problem.shape, problem.out.ctypes.data)
        return Prepared(bind(session.run_with_iobinding, binding), lambda value: problem.out)
