"""`pow` of integers equals NumPy's, and a negative exponent raises NumPy's error."""

import eltwise
import numpy as np
import pytest
from support import LAYOUTS, NUMERIC, assert_same, kind, values

INTEGERS = [dtype for dtype in NUMERIC if kind(dtype) in "iu"]
MESSAGE = "Integers to negative integer powers are not allowed."


def exponents(dtype, shape, seed=1):
    """Exponents that are not negative, many of them small."""
    y = values(dtype, shape, seed)
    return np.where(y % 3 == 0, y % 7, y & np.iinfo(dtype).max).astype(dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_layout_and_length_equals_numpy(dtype, isas):
    for shape in [(), (1,), (0,), (131,), (33, 17), (300, 3), (5, 3, 4)]:
        x, y = values(dtype, shape), exponents(dtype, shape)
        for isa in isas():
            for layout, arrange in LAYOUTS.items():
                assert_same(eltwise.pow(arrange(x), y), np.power(x, y), f"{dtype} {shape} {layout} {isa}")
            if shape:
                assert_same(eltwise.pow(x, y[..., :1]), np.power(x, y[..., :1]), f"{dtype} {shape} rows {isa}")


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_python_numbers_equal_numpys(dtype):
    x = values(dtype, (77,))
    for y in (0, 1, 2, 3, 10, np.iinfo(dtype).max):
        assert_same(eltwise.pow(x, y), np.power(x, y), f"{dtype} {y}")
        assert_same(eltwise.power(2, x & 7), np.power(2, x & 7), f"{dtype}")


@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d.kind == "i"], ids=str)
def test_a_negative_exponent_raises_after_out_is_written(dtype):
    x, y = np.array([1, -1, -1, 2, 0, 3], dtype), np.array([-5, -2, -3, -1, -1, 2], dtype)
    result = np.array([1, 1, -1, 0, 0, 9], dtype)
    with pytest.raises(ValueError, match=MESSAGE):
        np.power(x, y)
    for operands in ((x, y), (x[::-1], y[::-1]), (np.stack([x] * 4000), y), (x, -1), (x[:1][0], y[:1][0])):
        with pytest.raises(ValueError, match=MESSAGE):
            eltwise.pow(*operands)
    out = np.zeros_like(x)
    with pytest.raises(ValueError, match=MESSAGE):
        eltwise.pow(x, y, out=out)
    assert_same(out, result)
    out[:] = 7
    with pytest.raises(ValueError, match=MESSAGE):
        eltwise.compile("pow(x, y) + 1", "xy")(x, y, out=out)
    assert_same(out, result + np.ones_like(result))
    assert_same(eltwise.pow(x, np.abs(y)), np.power(x, np.abs(y)))


def test_mixed_dtypes_promote_as_numpy():
    x, y = np.arange(5, dtype="u1"), np.arange(5, dtype="i2")
    assert_same(eltwise.pow(x, y), np.power(x, y))
    assert eltwise.pow(np.ones(3, "f4"), y[:3]).dtype == np.dtype("f4")
    truths = np.array([True, False, True])
    assert_same(eltwise.pow(truths, truths[::-1]), np.power(truths, truths[::-1]))
