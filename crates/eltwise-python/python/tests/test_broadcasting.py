"""Every broadcast mode: conformance cases, views without copies, dtypes of any kind."""

import math

import eltwise
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes
from reference import BINARY, OPERATORS, expected
from support import BF16, LAYOUTS, MAX_RANK, NUMERIC, OPAQUE, assert_same, bits, conformance, values

CASES = conformance("broadcast_cases.json")
MODES = sorted({case["mode"] for case in CASES})
DTYPES = {"float": "f4", "double": "f8", "bfloat16": BF16, "string": object}


def arguments(case):
    """The keyword arguments of a conformance case."""
    mode = {"nary": "numpy"}.get(case["mode"], case["mode"])
    return {"broadcast": mode} | {k: case[k] for k in ("axis", "target") if k in case}


def array(shape):
    """An array of the shape that takes one byte of memory."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, "u1"), shape, [0] * len(shape), writeable=False)


def fits_numpy(case):
    """Whether NumPy supports the rank and the number of elements of the arrays of a case."""
    shapes = case["inputs"] + [case["expect"] if case["expect"] != "error" else []]
    return all(len(s) <= MAX_RANK and math.prod(n for n in s if n) < 1 << 63 for s in shapes)


@pytest.mark.parametrize("mode", MODES)
def test_broadcast_shapes_gives_the_conformance_results(mode):
    for case in (c for c in CASES if c["mode"] == mode):
        shapes = [tuple(s) for s in case["inputs"]]
        if case["expect"] == "error":
            with pytest.raises(ValueError):
                print(case["id"], eltwise.broadcast_shapes(*shapes, **arguments(case)))
        elif "also_ok" not in case:
            assert eltwise.broadcast_shapes(*shapes, **arguments(case)) == tuple(case["expect"]), case["id"]


@pytest.mark.parametrize("mode", MODES)
def test_broadcast_arrays_gives_the_conformance_results(mode):
    for case in filter(fits_numpy, (c for c in CASES if c["mode"] == mode and "also_ok" not in c)):
        arrays = [array(s) for s in case["inputs"]]
        if case["expect"] == "error":
            with pytest.raises(ValueError):
                print(case["id"], eltwise.broadcast_arrays(*arrays, **arguments(case)))
        else:
            views = eltwise.broadcast_arrays(*arrays, **arguments(case))
            assert isinstance(views, tuple) and len(views) == len(arrays)
            assert all(v.shape == tuple(case["expect"]) for v in views), case["id"]


@pytest.mark.parametrize("mode", ["none", "numpy", "pdpd"])
def test_operators_broadcast_as_the_conformance_cases(mode):
    """`add` equals NumPy's sum with the second operand aligned as the case says."""
    for case in (c for c in CASES if c["mode"] == mode and "also_ok" not in c and fits_numpy(c)):
        keywords = arguments(case)
        if case["expect"] == "error":
            with pytest.raises(ValueError, match="add"):
                print(case["id"], eltwise.add(*map(array, case["inputs"]), **keywords))
        elif math.prod(case["expect"]) < 100_000 and max(map(math.prod, case["inputs"])) < 100_000:
            a, b = (values("i4", shape, i) for i, shape in enumerate(case["inputs"]))
            aligned = b.reshape(case["b_aligned"]) if "b_aligned" in case else b
            assert_same(np.asarray(eltwise.add(a, b, **keywords)), np.asarray(a + aligned), case["id"])


def as_array(record, dtype):
    """The data of a value case. Floats are given as hexadecimal bits."""
    data = record["data"]
    if dtype in ("float16", "bfloat16", "float", "double"):
        size = {"float16": 2, "bfloat16": 2, "float": 4, "double": 8}[dtype]
        return np.array([int(h, 16) for h in data], f"u{size}").view(DTYPES.get(dtype, dtype)).reshape(record["shape"])
    return np.array(data, DTYPES.get(dtype, dtype)).reshape(record["shape"])


def test_views_have_the_conformance_values():
    for case in conformance("broadcast_values.json"):
        shape = tuple(case["output_shape"])
        if case["op"] == "pdpd":
            a, b = (np.zeros(r["shape"], "i8") for r in case["inputs"])
            b = np.arange(b.size).reshape(b.shape)
            source = np.array(case["b_flat_index"]).reshape(shape)
            keywords = {"broadcast": "pdpd", "axis": case["axis"]}
            assert_same(eltwise.broadcast_arrays(a, b, **keywords)[1], source, case["id"])
            assert_same(eltwise.broadcast_to(b, shape, **keywords), source, case["id"])
            assert_same(eltwise.add(a, b, **keywords), source, case["id"])
            continue
        arrays = [as_array(r, case["dtype"]) for r in case["inputs"]]
        for got, x, data in zip(eltwise.broadcast_arrays(*arrays), arrays, case["outputs"]):
            result = as_array({"shape": shape, "data": data}, case["dtype"])
            to, copied = eltwise.broadcast_to(x, shape), [] if x.dtype == object else [np.asarray(eltwise.copy(got))]
            for view in [got, to, *copied]:
                assert view.shape == shape and view.dtype == x.dtype
                if x.dtype == object:
                    assert view.tolist() == result.tolist(), case["id"]
                else:
                    assert (bits(view) == bits(result)).all(), case["id"]


@given(st.data())
def test_shapes_and_views_equal_numpys(data):
    shapes = data.draw(mutually_broadcastable_shapes(num_shapes=data.draw(st.integers(1, 5)), min_side=0, max_dims=6))
    arrays = [LAYOUTS[data.draw(st.sampled_from(list(LAYOUTS)))](values("i2", s)) for s in shapes.input_shapes]
    assert eltwise.broadcast_shapes(*shapes.input_shapes) == np.broadcast_shapes(*shapes.input_shapes)
    for got, result in zip(eltwise.broadcast_arrays(*arrays), np.broadcast_arrays(*arrays), strict=True):
        assert got.dtype == result.dtype and got.shape == result.shape and (got == result).all()
        assert all(g == r for g, r, n in zip(got.strides, result.strides, got.shape) if n > 1 and got.size)


@given(st.lists(st.lists(st.integers(0, 3), max_size=4).map(tuple), min_size=1, max_size=4))
def test_shapes_that_numpy_rejects_raise(shapes):
    try:
        result = np.broadcast_shapes(*shapes)
    except ValueError:
        with pytest.raises(ValueError):
            eltwise.broadcast_shapes(*shapes)
    else:
        assert eltwise.broadcast_shapes(*shapes) == result


ANY = [
    *NUMERIC,
    *OPAQUE,
    np.dtype(object),
    np.dtype("U7"),
    np.dtype("S3"),
    np.dtype(">f4"),
    np.dtype("g"),
    np.dtype("V11"),
]


@pytest.mark.parametrize("dtype", ANY, ids=str)
def test_views_share_memory_and_are_read_only_if_elements_repeat(dtype):
    for x in (
        np.zeros((3, 1), dtype),
        np.zeros((4, 3), dtype)[:, :1][::-1][:3],
        np.asfortranarray(np.zeros((3, 1), dtype)),
    ):
        same, wide = eltwise.broadcast_arrays(x, np.zeros((3, 4)))[0], eltwise.broadcast_to(x, (2, 3, 4))
        for view in (same, wide):
            assert view.dtype == x.dtype and view.strides[-2:] == (x.strides[0], 0)
            assert np.shares_memory(view, x) and not view.flags.writeable and not view.flags.owndata
            with pytest.raises(ValueError):
                view[...] = x[0, 0]
        assert_same_memory(eltwise.broadcast_to(x, (3, 1)), x)
    x = np.zeros((3, 4), dtype)
    for view in (eltwise.broadcast_to(x, (3, 4)), eltwise.broadcast_arrays(x, x)[0]):
        assert_same_memory(view, x)


def assert_same_memory(view, x):
    """Asserts that a view starts at the address of `x` and has its shape."""
    assert view.__array_interface__["data"][0] == x.__array_interface__["data"][0] and view.shape == x.shape
    assert np.shares_memory(view, x)


def test_views_of_objects_count_references():
    import sys

    thing = object()
    x = np.empty((2, 1), object)
    x[:] = thing
    before = sys.getrefcount(thing)
    view = eltwise.broadcast_to(x, (2, 50))
    assert view[1, 40] is thing
    del x
    assert view[1, 40] is thing
    assert sys.getrefcount(thing) == before
    del view
    assert sys.getrefcount(thing) == before - 2


def test_views_keep_memory_alive():
    view = eltwise.broadcast_to(np.full(1000, 7.0), (3, 1000))
    others = [np.zeros(1000) for _ in range(50)]
    assert (view == 7).all() and len(others) == 50
    assert (eltwise.broadcast_to([1, 2], (2, 2)) == [[1, 2], [1, 2]]).all()
    assert (eltwise.broadcast_to(5, (2, 2)) == 5).all()


def test_broadcast_to_in_every_mode():
    x = np.arange(3)
    assert eltwise.broadcast_to(x, (2, 3)).shape == (2, 3)
    assert eltwise.broadcast_to(x, 3).shape == (3,)
    assert eltwise.broadcast_to(x, [2, 3]).shape == (2, 3)
    assert eltwise.broadcast_to(x, (2, 3, 4), broadcast="pdpd", axis=1)[1, :, 2].tolist() == [0, 1, 2]
    assert eltwise.broadcast_to(x, (3,), broadcast="none").shape == (3,)
    assert eltwise.broadcast_to(x, (2, 1), broadcast="bidirectional").shape == (2, 3)
    assert eltwise.broadcast_to(x[:, None], (1, 5), broadcast="bidirectional").shape == (3, 5)
    for shape, mode in [
        ((1,), "numpy"),
        ((2, 1), "numpy"),
        ((2, 1), "unidirectional"),
        ((), "numpy"),
        ((2, 3), "none"),
    ]:
        with pytest.raises(ValueError, match="broadcast_to"):
            eltwise.broadcast_to(x, shape, broadcast=mode)
    for shape in ((-1,), (3, -1), (1 << 64,), (1 << 62, 1 << 62, 3)):
        with pytest.raises((ValueError, OverflowError)):
            eltwise.broadcast_to(x, shape)
    for shape in (None, "3", (3.0,), (None,), {3}):
        with pytest.raises(TypeError):
            eltwise.broadcast_to(x, shape)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operators_in_every_mode(name):
    dtype = np.dtype("f4") if OPERATORS[name].takes(np.dtype("f4")) else np.dtype("i4")
    a, b = values(dtype, (2, 3, 4, 5)), values(dtype, (3, 4), 1)
    function = getattr(eltwise, name)
    result = expected(name, *np.broadcast_arrays(a, b.reshape(3, 4, 1)))
    assert_same(function(a, b, broadcast="pdpd", axis=1), result)
    out = np.ones_like(result)
    assert function(a, b, out=out, broadcast="pdpd", axis=1) is out
    assert_same(out, result)
    row = values(dtype, (5,), 2)
    result = expected(name, *np.broadcast_arrays(a, row))
    for mode in ("numpy", "unidirectional", "pdpd"):
        assert_same(function(a, row, broadcast=mode), result, mode)
    with pytest.raises(ValueError, match=name):
        function(row, a, broadcast="unidirectional")
    with pytest.raises(ValueError, match=name):
        function(a, row, broadcast="none")
    with pytest.raises(ValueError, match=name):
        function(row, a, broadcast="pdpd")


def test_invalid_modes_axes_and_targets_raise():
    x = np.ones((2, 3), "f4")
    for bad in ("Numpy ", "", "multidirectional!", "bidirectional"):
        with pytest.raises(ValueError):
            eltwise.add(x, x, broadcast=bad)
    for bad in (None, 3, b"numpy", ["numpy"]):
        with pytest.raises((TypeError, ValueError)):
            eltwise.add(x, x, broadcast=bad)
    for axis in (-2, 5, 1 << 70):
        with pytest.raises((ValueError, OverflowError)):
            eltwise.add(x, x, broadcast="pdpd", axis=axis)
    for axis in ("1", 1.0, None):
        with pytest.raises((TypeError, ValueError)):
            eltwise.add(x, x, broadcast="pdpd", axis=axis)
    with pytest.raises((TypeError, ValueError)):
        eltwise.broadcast_shapes((2,), (2,), broadcast="bidirectional", target=(2,))
    with pytest.raises((TypeError, ValueError)):
        eltwise.broadcast_shapes((2,), broadcast="bidirectional")
    with pytest.raises((TypeError, ValueError)):
        eltwise.broadcast_shapes((2,), (2,), (2,), broadcast="pdpd")
    with pytest.raises((TypeError, ValueError)):
        eltwise.clamp(x, x, x, broadcast="pdpd")
