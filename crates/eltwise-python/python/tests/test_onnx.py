"""ONNX's own node tests of elementwise operators, through `eltwise.onnx.Backend`."""

import re
import unittest

import numpy as np
import pytest
from support import BF16, assert_same

onnx = pytest.importorskip("onnx")
import eltwise.onnx  # noqa: E402
import onnx.backend.test  # noqa: E402
import onnx.reference  # noqa: E402

OPERATORS = set(
    "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast"
    " CastLike Ceil Celu Clip Cos Cosh DequantizeLinear Div Elu Equal Erf Exp Expand Floor Gelu Greater GreaterOrEqual HardSigmoid"
    " HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow QuantizeLinear"
    " Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where"
    " Xor".split()
)
#: What may be unsupported of these operators: dtypes without elements of ours, training.
REASONS = re.compile(r"dtype|data type|is not a tensor|results")


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
    q, scales = np.arange(24, dtype=np.int8).reshape(2, 12), np.array([[1, 2, 3], [0.5, 0.25, 4]], "f4")
    for size in (4, 5):
        expected = q * np.repeat(scales, size, 1)[:, :12]
        assert_same(eltwise.onnx.run_node("DequantizeLinear", [q, scales], {"block_size": size}), expected)
    with pytest.raises(NotImplementedError, match="MatMul: not an operator"):
        eltwise.onnx.run_node("MatMul", [x, x])
    with pytest.raises(NotImplementedError, match="Add: "):
        eltwise.onnx.run_node("Add", [x, x.astype("f8")])
    with pytest.raises(ValueError, match="cannot broadcast"):
        eltwise.onnx.run_node("Add", [x, np.ones(2, "f4")])


def test_attributes_are_checked():
    x = np.array([-4, 0, 4], "f4")
    # An int where the operator has a float, before and after a call with that float.
    for alpha in (1, 1.0, 1, np.int64(1)):
        assert_same(eltwise.onnx.run_node("Elu", [x], {"alpha": alpha}), eltwise.elu(x, np.float32(1)))
    with pytest.raises(NotImplementedError, match="Elu: no attribute is called 'alhpa', expected alpha"):
        eltwise.onnx.run_node("Elu", [x], {"alhpa": 1.0})
    for value in (None, [1.0], (1.0,)):
        with pytest.raises(NotImplementedError, match="Elu: attribute alpha is .*, expected an int, a float or a str"):
            eltwise.onnx.run_node("Elu", [x], {"alpha": value})


def test_scales_have_the_shapes_and_dtypes_that_onnx_demands():
    quantize = lambda *operands, **attributes: eltwise.onnx.run_node("QuantizeLinear", operands, attributes)
    dequantize = lambda *operands, **attributes: eltwise.onnx.run_node("DequantizeLinear", operands, attributes)
    ones = lambda *shape, dtype="f4": np.ones(shape, dtype)
    for number, dtype in ((21, "uint4"), (22, "int4")):
        # In whole blocks, in a shorter last block, along an axis.
        for x, scale, attributes in ((ones(4, 4), ones(4, 2), {"block_size": 2}), (ones(4, 3), ones(4, 2), {"block_size": 2}), (ones(2, 3), ones(3), {})):
            result = quantize(x * 9, scale, axis=1, output_dtype=number, **attributes)
            assert result.dtype.name == dtype and (result.astype(int) == (9 if number == 21 else 7)).all()
    q = ones(3, 4, dtype="i1")
    for scale, attributes, message in (
        (ones(3), {}, r"operand 1 has shape \[3\], expected \[4\] for an operand of shape \[3, 4\]"),
        (ones(4), {"axis": 5}, "axis 5 is not an axis of an operand of rank 2"),
        (ones(5, 4), {"axis": 0, "block_size": 2}, r"operand 1 has shape \[5, 4\], expected \[2, 4\]"),
        (ones(), {"axis": 0, "block_size": 2}, r"operand 1 has shape \[\], expected \[2, 4\]"),
        (ones(2, 4), {"axis": 7, "block_size": 2}, "axis 7 is not an axis"),
    ):
        with pytest.raises(ValueError, match=message):
            dequantize(q, scale, **attributes)
    assert dequantize(np.int8(3), np.float32([2])).shape == ()
    zero = np.array(0, q.dtype)
    int4 = onnx.helper.tensor_dtype_to_np_dtype(22)
    for operands, attributes in (((q, ones(), zero.astype(int4)), {}), ((q.astype(int4), ones(), zero), {})):
        with pytest.raises(NotImplementedError, match="does not have the dtype of the quantised elements"):
            dequantize(*operands, **attributes)
    with pytest.raises(NotImplementedError, match="does not have the dtype of the quantised elements"):
        quantize(ones(3), ones(), zero.astype(int4), output_dtype=21)


def test_scales_of_bfloat16():
    q, zero = np.arange(-128, 128, dtype=np.int8), np.int8(3)
    scale = np.array(0.37, BF16)
    x = (q.astype("f4") - 3) * scale.astype("f4")
    assert_same(eltwise.onnx.run_node("DequantizeLinear", [q, scale, zero]), x.astype(BF16))
    x = np.linspace(-40, 40, 999, dtype="f4").astype(BF16)
    quotient = (x.astype("f4") / scale.astype("f4")).astype(BF16).astype("f4")
    expected = np.clip(np.rint(quotient) + 3, -128, 127).astype(np.int8)
    assert_same(eltwise.onnx.run_node("QuantizeLinear", [x, scale, zero]), expected)


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


def quantised_model(op_type, operands):
    """DequantizeLinear of each operand, the operator, QuantizeLinear: a model over uint8."""
    names = ["a", "b"][:operands]
    lines = [f"x{name} = DequantizeLinear({name}, s{name}, z{name})" for name in names]
    lines.append(f"v = {op_type}({', '.join('x' + name for name in names)})")
    lines.append("q = QuantizeLinear(v, sc, zc)")
    inputs = [f"uint8[N] {name}, float s{name}, uint8 z{name}" for name in names]
    text = f'<ir_version: 8, opset_import: ["": 21]> g ({", ".join([*inputs, "float sc, uint8 zc"])}) => (uint8[N] q, float[N] v)'
    return onnx.parser.parse_model(text + "{" + "\n".join(lines) + "}")


@pytest.mark.parametrize("op_type", ["Add", "Sub", "Mul", "Max", "Div", "LeakyRelu", "Sigmoid", "HardSwish"])
def test_quantised_operators_equal_the_reference(op_type):
    random = np.random.default_rng(len(op_type))
    operands = 1 if op_type in ("LeakyRelu", "Sigmoid", "HardSwish") else 2
    model = quantised_model(op_type, operands)
    ours, reference = eltwise.onnx.Backend.prepare(model), onnx.reference.ReferenceEvaluator(model)
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8)))
    for _ in range(20):
        inputs = {"a": a if operands == 2 else np.arange(256, dtype=np.uint8), "b": b}
        for name in "abc":
            inputs["s" + name] = np.float32(np.exp2(random.integers(-12, 4)) * random.choice([1.0, random.uniform(1, 2)]))
            inputs["z" + name] = np.uint8(random.integers(256))
        inputs = {value.name: np.asarray(inputs[value.name]) for value in model.graph.input}
        with np.errstate(all="ignore"):
            (q, v), (expected, exact) = ours.run(inputs), reference.run(None, inputs)
            quotient = v / inputs["sc"]
        # The reference has no rule for infinities, NaN and quotients beyond int32; exponentials differ in the last bits.
        checked = np.isfinite(quotient) & (np.abs(quotient) < 2**31)
        if op_type in ("Sigmoid", "HardSwish"):
            far = np.abs(np.abs(quotient - np.floor(quotient)) - 0.5) > 4 * np.spacing(np.abs(quotient))
            checked &= far
            # Near x = -3, where the terms of HardSwish cancel, the reference rounds once more.
            assert np.allclose(v, exact, rtol=4e-7, atol=4e-7)
        assert checked.mean() > (0.3 if op_type == "HardSwish" else 0.9)  # many of its values are ties
        assert (q == expected)[checked].all(), (op_type, inputs)
