"""Operands and `out` that are views of one buffer and interleave without sharing a byte."""

import eltwise
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import expected
from support import NUMERIC, assert_same, values

SHAPES = [(1, 2), (3, 16), (7, 34), (33, 128), (300, 64)]


def rotated(x, c, s, lanes):
    """The definition of rotary embeddings."""
    (e, o), result = lanes(x), np.empty_like(x)
    to_e, to_o = lanes(result)
    to_e[...] = e * c - o * s
    to_o[...] = e * s + o * c
    return result


def pairs(x):
    return x[:, ::2], x[:, 1::2]


def halves(x):
    return np.split(x, 2, axis=1)


@pytest.mark.parametrize("lanes", [pairs, halves])
@pytest.mark.parametrize("shape", SHAPES)
def test_rotary_embeddings_in_one_buffer(lanes, shape):
    rows, columns = shape
    rng = np.random.default_rng(0)
    buffer = rng.standard_normal((rows, 3 * columns)).astype("f4")
    x, angles, y = np.split(buffer, 3, axis=1)
    c, s = halves(angles)
    result = rotated(x, c, s, lanes)
    even, odd = eltwise.compile("e * c - o * s", "eocs"), eltwise.compile("e * s + o * c", "eocs")
    (e, o), (to_e, to_o) = lanes(x), lanes(y)
    assert even(e, o, c, s, out=to_e) is to_e
    assert odd(e, o, c, s, out=to_o) is to_o
    assert_same(y, result)
    # In place on both lanes.
    old = e.copy()
    even(e, o, c, s, out=e)
    odd(old, o, c, s, out=o)
    assert_same(x, result)
    assert_same(y, result)


@pytest.mark.parametrize("shape", SHAPES)
def test_gated_units_in_one_buffer(shape):
    rows, n = shape
    buffer = values("f4", (rows, 3 * n))
    for a, b, out in (np.split(buffer, 3, axis=1), (buffer[:, ::3], buffer[:, 1::3], buffer[:, 2::3])):
        glu = eltwise.compile("a * sigmoid(b)", "ab")
        untouched = a.copy(), b.copy()
        result = glu(*untouched)
        assert_same(result, eltwise.multiply(untouched[0], eltwise.sigmoid(untouched[1])))
        assert glu(a, b, out=out) is out
        assert_same(out, result)
        assert_same(a, untouched[0])
        assert_same(b, untouched[1])
        # By two functions, the second in place.
        eltwise.sigmoid(b, out=out)
        eltwise.multiply(a, out, out=out)
        assert_same(out, result)


@given(st.data())
def test_blocks_of_columns_equal_copies(data):
    """Split and concatenation: blocks of columns are read, and others are written."""
    rows, width, blocks = (data.draw(st.integers(1, most)) for most in (20, 20, 6))
    memory = values(data.draw(st.sampled_from(NUMERIC[1:])), (rows, blocks * width))
    axis = data.draw(st.integers(0, 1))
    split = np.split(memory, blocks, axis=1)
    block = st.integers(0, blocks - 1)
    read, write = (data.draw(block), data.draw(block)), data.draw(block)
    steps = [data.draw(st.sampled_from([1, -1])) for _ in range(3)]
    x, y, out = (split[i][:, ::step] for i, step in zip((*read, write), steps))
    x, y, out = (view.T if axis else view for view in (x, y, out))
    after = memory.copy()
    written = np.ndarray(out.shape, out.dtype, after, out.ctypes.data - memory.ctypes.data, out.strides)
    written[...] = expected("maximum", x.copy(), y.copy())
    assert eltwise.maximum(x, y, out=out) is out
    assert_same(memory, after)


def test_fields_of_records():
    records = np.zeros(300, [("wide", "f8"), ("narrow", "u2"), ("flag", bool)])
    records["narrow"] = values("u2", (300,))
    result = records["narrow"].copy()
    eltwise.cast(records["narrow"], out=records["wide"])
    eltwise.greater(records["narrow"], 9, out=records["flag"])
    assert_same(records["wide"], result.astype("f8"))
    assert_same(records["flag"], result > 9)
    assert_same(records["narrow"], result)


@pytest.mark.parametrize("split", [pairs, halves])
def test_both_outputs_of_a_function_in_one_buffer(split):
    """Two outputs that interleave with each other and with the operand, or are the operand."""
    for rows, columns in SHAPES:
        buffer = values("f8", (rows, 2 * columns))
        x, out = halves(buffer)
        first, second = split(out)
        x = split(x)[1]
        untouched = x.copy()
        fraction, whole = expected("fraction", untouched), expected("trunc", untouched)
        got = eltwise.modf(x, out=(first, second))
        assert got[0] is first and got[1] is second
        assert_same(first, fraction)
        assert_same(second, whole)
        assert_same(x, untouched)
        eltwise.modf(x, out=(x, second))
        assert_same(x, fraction)


def test_two_outputs_that_share_a_byte_are_errors_and_unchanged():
    buffer = values("f8", (5, 16))
    before = buffer.copy()
    x = np.ones((5, 8))
    # From the middle of the elements of the other array.
    shifted = np.ndarray((5, 4), "f8", buffer, 4, (128, 16))
    for out in (
        (buffer[:, :8:2], shifted),
        (buffer[:, :8], buffer[:, 7:15]),
        (buffer[:, :8], buffer[:, ::2]),
        (buffer[:, :8], buffer[:, 7::-1]),
        (buffer[:, ::2], buffer[:, 14::-2][:, ::-1]),
    ):
        with pytest.raises(ValueError, match=r"modf\(\): the two arrays of out overlap"):
            eltwise.modf(x[:, : out[0].shape[1]], out=out)
        assert_same(buffer, before)
