"""ONNX's own node tests of elementwise operators, in a session in which the provider claims every node of theirs."""

import ctypes
import re
import warnings

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
from conftest import groups, unclaimed
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

OPERATORS = set(
    "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast"
    " CastLike Ceil Celu Clip Cos Cosh DequantizeLinear Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid"
    " HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow QuantizeLinear"
    " Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where"
    " Xor".split()
)
#: Other operators that functions of ONNX, such as DynamicQuantizeLinear, are made of.
OTHERS = set(
    "Concat Constant ConstantOfShape Expand Flatten ReduceMax ReduceMean ReduceMin ReduceSum Reshape Shape Size Slice Squeeze Transpose"
    " Unsqueeze".split()
)
#: The reasons to leave an operator of ours: dtypes without elements of ours, training, and what nothing uses.
REASONS = re.compile(r"dtype|data type|output_dtype|results|four bits|nothing uses")
#: Errors of a runtime that does not have an operator, a dtype or an opset.
NOT_LOADED = re.compile(r"not a registered function|NOT_IMPLEMENTED|is under development|INVALID_GRAPH|[Uu]nsupported|No Op registered|not currently registered")


def cases():
    """The node tests of our operators."""
    with warnings.catch_warnings():
        # NumPy's, of the values that the tests are made of.
        warnings.simplefilter("ignore")
        found = load_model_tests(kind="node")
    for case in found:
        op_types = {node.op_type for node in case.model.graph.node}
        if op_types & OPERATORS and op_types <= OPERATORS | OTHERS:
            yield pytest.param(case, id=case.name)


def loadable(model):
    """A model in versions that all runtimes load."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.ir_version = min(copy.ir_version, 10)
    for opset in copy.opset_import:
        if opset.domain in ("", "ai.onnx"):
            opset.version = min(opset.version, OPSET)
    return copy


def newest_opset():
    """The newest opset that the runtime has. Most opsets change Cast."""
    for opset in range(onnx.defs.onnx_opset_version(), 20, -1):
        text = f'<ir_version: 8, opset_import: ["": {opset}]> g (float[N] x) => (double[N] y) {{ y = Cast<to = 11>(x) }}'
        model = onnx.parser.parse_model(text)
        try:
            onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        except Exception:
            continue
        return opset
    raise AssertionError("the runtime loads no model")


OPSET = newest_opset()


def array(value):
    """An array of a test. Some tests have protobufs."""
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def run(session, feeds):
    """The outputs of a session. The runtime makes no arrays of bfloat16."""
    values = {}
    for name, x in feeds.items():
        if x.dtype == ml_dtypes.bfloat16:
            bits = x.view(np.uint16)
            values[name] = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, onnx.TensorProto.BFLOAT16)
        else:
            values[name] = onnxruntime.OrtValue.ortvalue_from_numpy(x)
    results = []
    for value in session.run_with_ort_values(None, values):
        if value.element_type() == onnx.TensorProto.BFLOAT16:
            size = int(np.prod(value.shape()))
            bits = np.ctypeslib.as_array(ctypes.cast(value.data_ptr(), ctypes.POINTER(ctypes.c_uint16)), (size,))
            results.append(bits.reshape(value.shape()).view(ml_dtypes.bfloat16).copy())
        else:
            results.append(value.numpy())
    return results


@pytest.mark.parametrize("case", list(cases()))
def test_node(runtime, case):
    model = loadable(case.model)
    try:
        session, report = runtime.session(model)
    except Exception as error:
        assert NOT_LOADED.search(str(error)), error
        pytest.skip(f"not loaded: {error}")
    for op_type, why in unclaimed(report).items():
        assert op_type in OTHERS or REASONS.search(why), (op_type, why)
    if not groups(report):
        pytest.skip(f"unclaimed: {unclaimed(report)}")
    for inputs, outputs in case.data_sets:
        feeds = {value.name: array(x) for value, x in zip(model.graph.input, inputs)}
        try:
            results = run(session, feeds)
        except (RuntimeError, TypeError) as error:
            # NumPy has no dtype for some of ONNX's.
            assert "type" in str(error), error
            pytest.skip(f"not run: {error}")
        for result, expected in zip(results, map(array, outputs)):
            assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
            if expected.dtype == ml_dtypes.bfloat16 or np.issubdtype(expected.dtype, np.inexact):
                np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-7)
            else:
                assert np.array_equal(result, expected)


def test_dynamic_quantisation_is_one_pass_after_its_reductions(runtime):
    """The elementwise part of DynamicQuantizeLinear: scale and zero point of one element, and the result."""
    case = next(case.values[0] for case in cases() if case.id == "test_dynamicquantizelinear_expanded")
    session, report = runtime.session(loadable(case.model))
    reductions = {"ReduceMin", "ReduceMax", "Constant"}
    assert unclaimed(report).keys() <= reductions
    assert any("Div" in group and "QuantizeLinear" in group for group in groups(report)), groups(report)
