"""Groups, shapes, options and errors of sessions."""

import os
import re
import subprocess
import sys
import threading

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import onnxruntime_ep_eltwise
import pytest
from conftest import assert_close, groups, serialized, unclaimed
from onnx import TensorProto, helper, numpy_helper

HARD_SWISH = """<ir_version: 8, opset_import: ["": 17]> g (float[N,8,H] x, float[8,1] s) => (float[N,8,H] y)
    <float three = {3}, float zero = {0}, float six = {6}> {
    sum = Add(x, three)  clipped = Clip(sum, zero, six)  product = Mul(clipped, x)  quotient = Div(product, six)  y = Mul(quotient, s)
}"""


def random(*shape, dtype="f4", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def messages_of_session(options):
    """What a session says whose options another process makes with this code.

    Runtimes before 1.32 make a session of the CPU provider after an error, and print the message.
    """
    code = f"""
import onnxruntime, onnxruntime_ep_eltwise as ep
{options}
try:
    onnxruntime.InferenceSession({serialized(HARD_SWISH)!r}, options)
except Exception as error:
    print(error)
"""
    run = in_another_process(code)
    assert run.returncode == 0, run
    return run.stdout + run.stderr


def in_another_process(code):
    """The outcome of Python code that registers the library in its own way."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_a_chain_is_one_node_for_all_shapes(runtime):
    session, report = runtime.session(HARD_SWISH)
    reference = runtime.reference(HARD_SWISH)
    assert groups(report) == [["Add", "Clip", "Mul", "Div", "Mul"]]
    assert session.get_providers()[0] == "EltwiseExecutionProvider"
    for shape in [(2, 8, 3), (1, 8, 1), (4, 8, 1000), (0, 8, 3), (3, 8, 0), (2, 8, 3)]:
        feeds = {"x": random(*shape), "s": random(8, 1)}
        (ours,), (theirs,) = session.run(None, feeds), reference.run(None, feeds)
        assert np.array_equal(ours, theirs), shape


def test_constants_are_part_of_the_node(runtime):
    scales = random(8, 1)
    text = HARD_SWISH.replace(", float[8,1] s", "").replace("float six = {6}", "float six = {6}, float[8,1] s = {%s}" % ", ".join(map(str, scales.ravel())))
    session, _ = runtime.session(text)
    x = random(2, 8, 5)
    assert_close(session.run(None, {"x": x}), runtime.reference(text).run(None, {"x": x}), rtol=0)


def test_outputs_of_different_shapes(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N,4] x, float[4] row) => (float[N,4] y, float[4] gate, float[N,4] z) {
        gate = Sigmoid(row)  y = Mul(x, gate)  z = Tanh(y)
    }"""
    session, report = runtime.session(text)
    assert groups(report) == [["Sigmoid", "Mul", "Tanh"]]
    feeds = {"x": random(5, 4), "row": random(4)}
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def test_a_path_through_another_node_splits_the_group(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[4,4] x) => (float[4,4] y) {
        a = Exp(x)  c = Sqrt(a)  m = Softmax(c)  s = Add(a, m)  y = Tanh(s)
    }"""
    session, report = runtime.session(text)
    assert groups(report) == [["Exp", "Sqrt"], ["Add", "Tanh"]]
    assert unclaimed(report) == {"Softmax": "Softmax: not an operator that is supported in opset 13 of ai.onnx"}
    feeds = {"x": random(4, 4)}
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


@pytest.mark.parametrize("dtype", ["float16", "double", "int32", "int64", "uint8"])
def test_dtypes(runtime, dtype):
    if dtype in ("float16", "double"):
        nodes = "a = Mul(x, y)  b = Exp(a)  z = Sub(b, x)"
    else:
        nodes = "a = Mul(x, y)  b = Sub(a, x)  z = Max(b, y)"
    text = f'<ir_version: 8, opset_import: ["": 17]> g ({dtype}[N] x, {dtype}[N] y) => ({dtype}[N] z) {{ {nodes} }}'
    session, report = runtime.session(text, claim="auto")
    assert len(groups(report)) == 1
    numpy_dtype = {"float16": "f2", "double": "f8"}.get(dtype, dtype)
    feeds = {"x": (random(100) * 3).astype(numpy_dtype), "y": (random(100, seed=1) * 3).astype(numpy_dtype)}
    if dtype == "uint8":
        # The runtime has no product of bytes; the values are computed here.
        x, y = feeds["x"], feeds["y"]
        assert np.array_equal(session.run(None, feeds)[0], np.maximum(x * y - x, y))
        return
    if dtype == "float16":
        # Each node rounds its result. The runtime's own provider computes the chain in float32.
        x, y = feeds["x"], feeds["y"]
        with np.errstate(over="ignore"):
            assert np.array_equal(session.run(None, feeds)[0], np.exp((x * y).astype("f4")).astype("f2") - x)
        return
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def body(name, ops, outer):
    """A graph without inputs that computes from a value of the outer graph."""
    nodes, value = [], outer
    for i, op_type in enumerate(ops):
        nodes.append(helper.make_node(op_type, [value], [f"{name}{i}"]))
        value = f"{name}{i}"
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(value, TensorProto.FLOAT, ["N"])])


def test_bodies_of_control_flow(runtime):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N"]), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N"])
    nodes = [
        helper.make_node("Exp", ["x"], ["e"]),
        helper.make_node("Sqrt", ["e"], ["s"]),
        helper.make_node("If", ["c"], ["i"], then_branch=body("then", ["Tanh", "Neg"], "e"), else_branch=body("else", ["Sin", "Abs"], "s")),
        helper.make_node("Neg", ["i"], ["n"]),
        helper.make_node("Add", ["n", "s"], ["y"]),
    ]
    model = helper.make_model(helper.make_graph(nodes, "g", inputs, [output]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session, report = runtime.session(model)
    assert sorted(groups(report)) == [["Exp", "Sqrt"], ["Neg", "Add"], ["Sin", "Abs"], ["Tanh", "Neg"]]
    for condition in (True, False):
        feeds = {"x": random(9), "c": np.array(condition)}
        assert_close(session.run(None, feeds), runtime.reference(model).run(None, feeds))


def test_bodies_use_constants_of_their_graph(runtime):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N"]), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N"])
    result = helper.make_tensor_value_info("r", TensorProto.FLOAT, ["N"])
    scaled = [helper.make_node("Mul", ["x", "k"], ["m"]), helper.make_node("Add", ["m", "v"], ["r"])]
    node = helper.make_node(
        "If",
        ["c"],
        ["y"],
        then_branch=helper.make_graph(scaled, "then", [], [result]),
        else_branch=body("else", ["Tanh", "Neg"], "x"),
    )
    constants = [numpy_helper.from_array(np.float32(3), "k"), numpy_helper.from_array(random(9), "v")]
    graph = helper.make_graph([node], "g", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session, report = runtime.session(model)
    assert sorted(groups(report)) == [["Mul", "Add"], ["Tanh", "Neg"]]
    for condition in (True, False):
        feeds = {"x": random(9, seed=1), "c": np.array(condition)}
        assert_close(session.run(None, feeds), runtime.reference(model).run(None, feeds))


def test_initializers_that_a_caller_may_replace_are_no_constants(runtime):
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])
    nodes = [helper.make_node("Mul", ["x", "k"], ["m"]), helper.make_node("Tanh", ["m"], ["y"])]
    graph = helper.make_graph(nodes, "g", [value("x"), value("k")], [value("y")], [numpy_helper.from_array(np.full(4, 2, "f4"), "k")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session, report = runtime.session(model)
    assert groups(report) == [["Mul", "Tanh"]]
    x = random(4)
    for feeds, k in (({"x": x}, 2), ({"x": x, "k": np.full(4, -3, "f4")}, -3)):
        assert_close(session.run(None, feeds), [np.tanh(x * np.float32(k))], rtol=1e-6)


def test_groups_of_many_operands(runtime):
    names = [f"x{i}" for i in range(20)]
    text = f"""<ir_version: 8, opset_import: ["": 17]> g ({", ".join(f"float[N] {name}" for name in names)}) => (float[N] y) {{
        s = Sum({", ".join(names)})  y = Abs(s)
    }}"""
    session, report = runtime.session(text)
    assert groups(report) == [["Sum", "Abs"]]
    feeds = {name: np.full(5, i, "f4") for i, name in enumerate(names)}
    assert session.run(None, feeds)[0].tolist() == [190.0] * 5


def test_a_loop_runs_its_body_each_time(runtime):
    state = helper.make_tensor_value_info
    loop_body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Mul", ["v", "x"], ["m"]),
            helper.make_node("Add", ["m", "x"], ["w"]),
        ],
        "body",
        [state("i", TensorProto.INT64, []), state("go", TensorProto.BOOL, []), state("v", TensorProto.FLOAT, ["N"])],
        [state("go_on", TensorProto.BOOL, []), state("w", TensorProto.FLOAT, ["N"])],
    )
    nodes = [helper.make_node("Loop", ["count", "", "x"], ["y"], body=loop_body)]
    inputs = [state("x", TensorProto.FLOAT, ["N"]), state("count", TensorProto.INT64, [])]
    graph = helper.make_graph(nodes, "g", inputs, [state("y", TensorProto.FLOAT, ["N"])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session, report = runtime.session(model)
    assert ["Mul", "Add"] in [[op for op in group if op != "Identity"] for group in groups(report)]
    feeds = {"x": random(9) / 2, "count": np.array(5)}
    assert_close(session.run(None, feeds), runtime.reference(model).run(None, feeds))


def test_quantised_chains_are_one_pass(runtime):
    scale = lambda name: f"float {name} = {{0.0371}}"
    text = f"""<ir_version: 8, opset_import: ["": 17]> g (uint8[N] a, uint8[N] b) => (uint8[N] y)
        <{scale("sa")}, {scale("sb")}, {scale("sy")}, uint8 za = {{3}}, uint8 zb = {{130}}, uint8 zy = {{99}}> {{
        xa = DequantizeLinear(a, sa, za)  xb = DequantizeLinear(b, sb, zb)  s = Add(xa, xb)  h = HardSwish(s)
        y = QuantizeLinear(h, sy, zy)
    }}"""
    session, report = runtime.session(text, claim="auto")
    assert groups(report) == [["DequantizeLinear", "DequantizeLinear", "Add", "HardSwish", "QuantizeLinear"]]
    a, b = (grid.ravel().astype(np.uint8) for grid in np.meshgrid(np.arange(256), np.arange(256)))
    x = ((a - np.float32(3)) * np.float32(0.0371)) + ((b - np.float32(130)) * np.float32(0.0371))
    v = x * np.clip(x * np.float32(1 / 6) + np.float32(0.5), 0, 1)
    expected = np.clip(np.rint(v / np.float32(0.0371)) + 99, 0, 255)
    ours = session.run(None, {"a": a, "b": b})[0]
    far = np.abs(np.abs(v / np.float32(0.0371) % 1) - 0.5) > 1e-4
    assert np.array_equal(ours[far], expected[far].astype(np.uint8)) and far.mean() > 0.99


def test_blocks_are_not_repeated_in_memory(runtime):
    text = """<ir_version: 10, opset_import: ["": 21]> g (int8[M,64] q, float[M,4] s) => (float[M,64] y) {
        y = DequantizeLinear<axis = 1, block_size = 16>(q, s)
    }"""
    session, report = runtime.session(text, claim="auto")
    assert groups(report) == [["DequantizeLinear"]]
    for rows in (3, 200):
        q = np.random.default_rng(0).integers(-128, 128, (rows, 64)).astype(np.int8)
        scales = random(rows, 4)
        assert np.array_equal(session.run(None, {"q": q, "s": scales})[0], q * np.repeat(scales, 16, 1))


def test_a_last_block_that_is_shorter_is_left_to_the_runtime(runtime):
    text = """<ir_version: 10, opset_import: ["": 21]> g (int8[M,10] q, float[M,3] s) => (float[M,10] y) {
        y = DequantizeLinear<axis = 1, block_size = 4>(q, s)
    }"""
    session, report = runtime.session(text)
    assert unclaimed(report) == {"DequantizeLinear": "axis -1 has 10 elements, expected a multiple of 4"}
    feeds = {"q": np.arange(20, dtype=np.int8).reshape(2, 10), "s": random(2, 3)}
    assert session.run(None, feeds)[0].shape == (2, 10)


def quantised(dtype, shape, seed=0):
    """Random elements of four bits, and the bytes in which ONNX has them."""
    low, high = (-8, 8) if dtype == "int4" else (0, 16)
    elements = np.random.default_rng(seed).integers(low, high, shape)
    return elements.astype(getattr(ml_dtypes, dtype)), elements


#: Shape of operand 0, shape of the scales, attributes.
FOUR_BITS = {
    "per tensor": ((3, 10), (), {}),
    "per row": ((6, 10), (6,), {"axis": 0}),
    "per column": ((3, 5, 14), (14,), {"axis": -1}),
    "one column": ((6, 2), (1,), {"axis": 0}),
    "blocks of columns": ((5, 64), (5, 4), {"axis": 1, "block_size": 16}),
    "blocks of rows": ((12, 6), (3, 6), {"axis": 0, "block_size": 4}),
    "one block": ((3, 32), (3, 1), {"axis": 1, "block_size": 32}),
}


@pytest.mark.parametrize("dtype", ["int4", "uint4"])
@pytest.mark.parametrize("case", FOUR_BITS)
@pytest.mark.parametrize("is_constant", [True, False])
def test_elements_of_four_bits(runtime, dtype, case, is_constant):
    shape, scales_shape, attributes = FOUR_BITS[case]
    number = getattr(TensorProto, dtype.upper())
    q, values = quantised(dtype, shape)
    zero_points, zeros = quantised(dtype, scales_shape, seed=1)
    scales = np.asarray(np.abs(random(*scales_shape)) + np.float32(0.5))
    node = helper.make_node("DequantizeLinear", ["q", "s", "z"], ["x"], **attributes)
    operands = [helper.make_tensor_value_info("s", TensorProto.FLOAT, scales_shape)]
    constants = [numpy_helper.from_array(zero_points, "z")]
    feeds = {"s": onnxruntime.OrtValue.ortvalue_from_numpy(scales)}
    if is_constant:
        constants.append(numpy_helper.from_array(q, "q"))
    else:
        operands.append(helper.make_tensor_value_info("q", number, shape))
        packed = np.zeros(values.size, np.uint8)
        packed[: values.size // 2] = (values.ravel()[::2] & 15) | ((values.ravel()[1::2] & 15) << 4)
        feeds["q"] = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(packed.reshape(shape), number)
    result = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    graph = helper.make_graph([node], "g", operands, [result], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session, report = runtime.session(model, claim="auto")
    assert groups(report) == [["DequantizeLinear"]]

    def expand(x):
        if "block_size" in attributes:
            return np.repeat(x, attributes["block_size"], attributes["axis"])
        return x.reshape([-1] + [1] * (len(shape) - 1 - attributes["axis"] % len(shape))) if x.ndim else x

    expected = (values - expand(zeros)).astype("f4") * expand(scales)
    assert np.array_equal(session.run_with_ort_values(None, feeds)[0].numpy(), expected)
    if is_constant:
        theirs = runtime.reference(model).run(None, {"s": scales})[0]
        assert np.array_equal(theirs, expected)


@pytest.mark.parametrize(
    "x, scale, attributes, message",
    [
        # A result that is larger than operand 0 would be written past its end.
        ((1, 4), (100000, 2), "axis = 1, block_size = 2", "operand 1 has shape [100000, 2], expected [1, 2]"),
        ((1, 6), (3,), "axis = 0", "operand 1 has shape [3], expected [1]"),
        ((4, 6), (2,), "axis = 1", "operand 1 has shape [2], expected [6]"),
        ((4, 6), (4, 1), "axis = 1, block_size = 2", "operand 1 has shape [4, 1], expected [4, 3]"),
    ],
)
@pytest.mark.parametrize("dtype", ["int8", "int4"])
def test_scales_of_other_sizes_are_errors_of_the_caller(runtime, x, scale, attributes, message, dtype):
    axes = ",".join(f"S{i}" for i in range(len(scale)))
    text = f"""<ir_version: 10, opset_import: ["": 21]> g ({dtype}[N,{x[1]}] q, float[{axes}] s) => (float[N,{x[1]}] y) {{
        y = DequantizeLinear<{attributes}>(q, s)
    }}"""
    session, report = runtime.session(text)
    assert groups(report) == [["DequantizeLinear"]]
    q, s = np.zeros(x, np.int8), onnxruntime.OrtValue.ortvalue_from_numpy(np.ones(scale, "f4"))
    number = getattr(TensorProto, dtype.upper())
    q = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(q, number)
    with pytest.raises(Exception, match=re.escape(f"eltwise: DequantizeLinear: {message} for an operand of shape {list(x)}")) as error:
        session.run_with_ort_values(None, {"q": q, "s": s})
    assert "INVALID_ARGUMENT" in str(error.value)


def test_scales_of_one_element_give_no_axes(runtime):
    text = """<ir_version: 10, opset_import: ["": 21]> g (int8 q, float[K] s) => (float y) { y = DequantizeLinear(q, s) }"""
    session, report = runtime.session(text)
    assert groups(report) == [["DequantizeLinear"]]
    result = session.run(None, {"q": np.array(3, np.int8), "s": np.float32([2])})[0]
    assert result.shape == () and result == 6


def test_a_group_that_spans_others_makes_no_cycle(runtime):
    text = """<ir_version: 10, opset_import: ["": 21]> g (float[4,4096] x, float[4096] y) => (uint8[A,B] q, float[C] b, float[D] c)
        <int64[1] axes = {0}> {
        p0 = Exp(x)  p = Neg(p0)  r = ReduceMax<keepdims = 0>(p, axes)  a0 = Abs(y)  a = Sqrt(a0)  b = Mul(a, r)
        q = QuantizeLinear<axis = 1>(p, a)  c = Softmax<axis = 0>(r)
    }"""
    session, _ = runtime.session(text)
    feeds = {"x": random(4, 4096), "y": np.abs(random(4096)) + np.float32(0.5)}
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def test_four_bits_that_are_left_to_the_runtime(runtime):
    constant = lambda name, dtype, shape: numpy_helper.from_array(quantised(dtype, shape)[0], name)
    scale = helper.make_tensor_value_info("s", TensorProto.FLOAT, ())

    def why(node, operands, constants, result):
        graph = helper.make_graph([node], "g", operands, [helper.make_tensor_value_info("y", *result)], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        return unclaimed(runtime.session(model)[1])[node.op_type]

    node = helper.make_node("DequantizeLinear", ["q", "s"], ["y"])
    odd = why(node, [scale], [constant("q", "int4", (2, 5))], (TensorProto.FLOAT, (2, 5)))
    assert odd == "elements of four bits in rows or blocks of 5, expected an even number"
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, (2, 6))
    result = why(node, [x, scale], [constant("z", "int4", ())], (TensorProto.INT4, (2, 6)))
    assert result == "QuantizeLinear: a result has a dtype of four bits, which is not supported"
    node = helper.make_node("Cast", ["q"], ["y"], to=TensorProto.FLOAT)
    operand = helper.make_tensor_value_info("q", TensorProto.INT4, (2, 6))
    assert "four bits" in why(node, [operand], [], (TensorProto.FLOAT, (2, 6)))


def test_a_constant_shape_is_expanded_inside_of_a_group(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N,1] x) => (float[N,5] y) <int64[2] shape = {1, 5}> {
        e = Expand(x, shape)  y = Tanh(e)
    }"""
    session, report = runtime.session(text, claim="auto")
    assert groups(report) == [["Expand", "Tanh"]]
    feeds = {"x": random(4, 1)}
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def test_symbols_are_not_trusted(runtime):
    # Both results of the group have the shape [N]; in the run, they do not broadcast with each other.
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N] x, float[N] y, float[N] z) => (float[K] v, float[L] w) {
        u = Exp(y)  v = Add(x, u)  w = Mul(u, z)
    }"""
    session, report = runtime.session(text)
    assert len(groups(report)) == 1
    for sizes in [(5, 1, 3), (4, 4, 4), (5, 1, 3)]:
        feeds = {name: random(size) for name, size in zip("xyz", sizes)}
        assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def test_constants_keep_their_dtypes(runtime):
    quantise = '''<ir_version: 10, opset_import: ["": 21]> g (float[N] x) => (%s[N] y) <float s = {0.5}, %s z = {%d}> {
        y = QuantizeLinear(x, s, z)
    }'''
    for dtype, zero in [("int8", 0), ("int8", -3), ("int16", -100), ("uint16", 7), ("uint8", 200)]:
        text = quantise % (dtype, dtype, zero)
        session, report = runtime.session(text)
        assert groups(report) == [["QuantizeLinear"]]
        feeds = {"x": np.linspace(-3e4, 3e4, 999, dtype="f4")}
        assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))
    text = """<ir_version: 8, opset_import: ["": 17]> g (bool[N] c) => (int64[N] y) <int64 p = {3}, int64 q = {-5}> { y = Where(c, p, q) }"""
    session, report = runtime.session(text)
    assert groups(report) == [["Where"]]
    assert session.run(None, {"c": np.array([True, False])})[0].tolist() == [3, -5]


def test_results_of_other_nodes_are_outputs(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N] x) => (float[N] y) { a = Exp(x)  b = Tanh(a)  y = Softmax(b) }"""
    session, report = runtime.session(text)
    assert groups(report) == [["Exp", "Tanh"]]
    feeds = {"x": random(9)}
    assert_close(session.run(None, feeds), runtime.reference(text).run(None, feeds))


def test_nodes_that_nothing_uses(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N] x) => (float[N] y) { y = Softmax(x)  a = Exp(x)  b = Neg(a) }"""
    session, report = runtime.session(text)
    assert groups(report) == []
    assert session.run(None, {"x": np.zeros(2, "f4")})[0].tolist() == [0.5, 0.5]


def test_the_library_under_a_second_name():
    # In another process, because a second device stays.
    code = """
import onnxruntime, onnxruntime_ep_eltwise as ep
ep.register(onnxruntime)
onnxruntime.register_execution_provider_library("another", ep.get_library_path())
assert len(ep.find_devices(onnxruntime)) == 2
ep.register(onnxruntime)
"""
    run = in_another_process(code)
    assert run.returncode == 0, run


def test_shapes_that_do_not_broadcast_are_errors_of_the_caller(runtime):
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[N] x, float[M] y) => (float[K] z) {
        a = Add(x, y)  z = Mul(a, x)
    }"""
    session, report = runtime.session(text)
    assert groups(report) == [["Add", "Mul"]]
    with pytest.raises(Exception, match=r'eltwise: Add, Mul: Add: cannot broadcast \[3\] with \[4\]') as error:
        session.run(None, {"x": random(3), "y": random(4)})
    assert type(error.value).__name__ == "InvalidArgument"
    # The session goes on, with our provider.
    assert session.run(None, {"x": random(3), "y": random(1)})[0].shape == (3,)
    assert session.get_providers()[0] == "EltwiseExecutionProvider"


def test_options(runtime, tmp_path):
    _, report = runtime.session(HARD_SWISH, claim="none")
    assert groups(report) == [] and unclaimed(report)["Add"] == "the policy claims nothing"
    exp = '<ir_version: 8, opset_import: ["": 17]> g (float[N] x) => (float[N] y) { a = Exp(x)  y = Tanh(a) }'
    rounded, _ = runtime.session(exp, accuracy="correctly_rounded")
    x = random(100000)
    # Each node rounds the exact value once.
    exact = np.tanh(np.exp(x.astype("f8")).astype("f4").astype("f8")).astype("f4")
    assert np.array_equal(rounded.run(None, {"x": x})[0], exact)
    fast, _ = runtime.session(exp)
    assert not np.array_equal(fast.run(None, {"x": x})[0], exact)
    # Doubles have no correctly rounded tier.
    _, report = runtime.session(exp.replace("float", "double"), accuracy="correctly_rounded")
    assert "correctly rounded" in unclaimed(report)["Exp"]
    with pytest.raises(ValueError, match="claim is 'some', expected 'auto' or 'all' or 'none'"):
        onnxruntime_ep_eltwise.register(onnxruntime, claim="some")
    with pytest.raises(ValueError, match="accuracy is 'exact', expected"):
        onnxruntime_ep_eltwise.register(onnxruntime, accuracy="exact")


def test_a_report_that_cannot_be_written(tmp_path):
    report = str(tmp_path / "missing" / "report.json")
    assert "eltwise: cannot write the report" in messages_of_session(f"options = ep.register(onnxruntime, report={report!r})")


def test_unknown_options_of_a_session_are_refused():
    options = """
ep.register(onnxruntime)
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(ep.find_devices(onnxruntime), {"clam": "all"})
"""
    assert 'eltwise: no option is called "clam", expected "claim", "accuracy" or "report"' in messages_of_session(options)


def test_threads_share_a_session(runtime):
    """8 threads with 250 runs each, of shapes that change: the bits are equal, and the memory does not grow."""
    session, _ = runtime.session(HARD_SWISH, threads=2)
    reference = runtime.reference(HARD_SWISH)
    scales = random(8, 1)
    inputs = [random(1 + i % 5, 8, 1 + 97 * i) for i in range(24)]
    expected = [reference.run(None, {"x": x, "s": scales})[0].tobytes() for x in inputs]
    failures = []

    def work(number):
        for i in range(250):
            which = (i * 7 + number) % len(inputs)
            if session.run(None, {"x": inputs[which], "s": scales})[0].tobytes() != expected[which]:
                failures.append((number, i))

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def run_all():
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]

    run_all()
    before = resident()
    for _ in range(3):
        run_all()
    assert not failures
    assert resident() - before < 8 << 20


def test_the_library_is_unregistered_after_its_sessions():
    code = f"""
import gc, onnxruntime, onnxruntime_ep_eltwise as ep
for _ in range(3):
    session = onnxruntime.InferenceSession({serialized(HARD_SWISH)!r}, ep.register(onnxruntime))
    assert session.get_providers()[0] == ep.get_ep_name()
    del session
    gc.collect()
    onnxruntime.unregister_execution_provider_library("eltwise")
    assert not ep.find_devices(onnxruntime)
print("unregistered")
"""
    run = in_another_process(code)
    assert (run.returncode, run.stdout) == (0, "unregistered\n"), run


def test_libraries_and_names():
    path = onnxruntime_ep_eltwise.get_library_path()
    assert os.path.exists(path)
    assert onnxruntime_ep_eltwise.get_ep_name() == "EltwiseExecutionProvider"
    options = onnxruntime_ep_eltwise.register(onnxruntime)
    assert isinstance(options, onnxruntime.SessionOptions)
    (device,) = onnxruntime_ep_eltwise.find_devices(onnxruntime)
    assert device.ep_vendor == "eltwise" and device.ep_metadata["version"]
    assert device.ep_metadata["isa"]


def test_a_runtime_that_is_too_old_is_named():
    class Old:
        __version__ = "1.23.2"

    with pytest.raises(RuntimeError, match="needs ONNX Runtime 1.24 or newer, this is 1.23.2"):
        onnxruntime_ep_eltwise.register(Old)
