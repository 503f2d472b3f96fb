"""ONNX's own node tests of elementwise operators, through `eltwise.onnx.Backend`."""

import re
import unittest

import numpy as np
import pytest
from support import BF16, assert_same

onnx = pytest.importorskip("onnx")
import eltwise.onnx  # noqa: E402
import onnx.backend.test  # noqa: E402

OPERATORS = set(
    "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast"
    " CastLike Ceil Celu Clip Cos Cosh DequantizeLinear Div Elu Equal Erf Exp Expand Floor Gelu Greater GreaterOrEqual HardSigmoid"
    " HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow QuantizeLinear"
    " Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where"
    " Xor".split()
)
#: What may be unsupported of these operators: dtypes without elements of ours, scales of blocks, training.
REASONS = re.compile(r"dtype|data type|block_size|is no tensor|results")


class Strict(eltwise.onnx.Backend):
    """Skips tests of other operators and dtypes."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        prepared = super().prepare(model, device, **kwargs)
        run = prepared.run

        def skipping(inputs, **kwargs):
            try:
                return run(inputs, **kwargs)
            except NotImplementedError as error:
                name, _, reason = str(error).partition(": ")
                assert name not in OPERATORS or REASONS.search(reason), error
                raise unittest.SkipTest(str(error)) from None

        prepared.run = skipping
        return prepared


TESTS = onnx.backend.test.BackendTest(Strict, __name__)
TESTS.include(r"^test_.*_cpu$")
globals().update({name: case for name, case in TESTS.test_cases.items() if "Node" in name})


def test_a_single_operator():
    x = np.array([-4, 0, 4], "f4")
    assert_same(eltwise.onnx.run_node("HardSigmoid", [x], {"alpha": 0.25}), np.array([0, 0.5, 1], "f4"))
    assert_same(eltwise.onnx.run_node("Clip", [x, None, np.float32(1)]), np.array([-4, 0, 1], "f4"))
    assert_same(eltwise.onnx.run_node("Clip", [x], {"min": -1.0}, opset=6), np.array([-1, 0, 4], "f4"))
    assert_same(eltwise.onnx.run_node("Add", [x.astype(BF16), x.astype(BF16)]), (x + x).astype(BF16))
    assert_same(eltwise.onnx.run_node("QuickGelu", [x], domain="com.microsoft"), eltwise.swish(x, np.float32(1.702)))
    with pytest.raises(NotImplementedError, match="MatMul: not an operator"):
        eltwise.onnx.run_node("MatMul", [x, x])
    with pytest.raises(NotImplementedError, match="Add: "):
        eltwise.onnx.run_node("Add", [x, x.astype("f8")])
    with pytest.raises(ValueError, match="cannot broadcast"):
        eltwise.onnx.run_node("Add", [x, np.ones(2, "f4")])


def test_a_model():
    text = """<ir_version: 8, opset_import: ["" : 17]> agraph (float[N] x) => (float[N] y) {
        three = Constant <value_float = 3.0> ()
        s = Add(x, three)
        y = Mul(s, x)
    }"""
    model = onnx.parser.parse_model(text)
    x = np.array([1, 2], "f4")
    assert_same(eltwise.onnx.Backend.run_model(model, [x])[0], np.array([4, 10], "f4"))
    assert_same(eltwise.onnx.Backend.prepare(model).run({"x": x})[0], np.array([4, 10], "f4"))
    assert eltwise.onnx.Backend.supports_device("CPU") and not eltwise.onnx.Backend.supports_device("CUDA")
