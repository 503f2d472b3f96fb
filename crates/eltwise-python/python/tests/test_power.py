"""`pow` of integers equals NumPy's, and a negative exponent raises NumPy's error; `pow` of floats by a Python number."""

import eltwise
import numpy as np
import pytest
from support import BF16, LAYOUTS, NUMERIC, assert_same, kind, values

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


FLOATS = ["f2", "f4", "f8", BF16]
#: NaN, zeros and infinities of either sign, subnormal, small and large numbers.
SPECIAL = [np.nan, 0.0, -0.0, np.inf, -np.inf, 1.0, -1.0, -2.0, 0.5, 3.0, 1e-7, -7.25, 100.0, -50.0]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_python_exponents_choose_operators(dtype, isas):
    x = np.tile(np.array(SPECIAL, dtype), 5)
    wide = x.astype("f8")
    for isa in isas():
        assert_same(eltwise.pow(x, 2), eltwise.square(x), isa)
        assert_same(eltwise.pow(x, -1.0), eltwise.reciprocal(x), isa)
        for y in (0, 1, 3, 4, -2, 10, 64, -64, 0.5, -0.5):
            power = eltwise.pow(x, y)
            assert_same(power, eltwise.pow_constant(x, np.array(y, dtype)), f"{y} {isa}")
            assert_same(power, eltwise.compile(f"x ** {y}", "x")(x), f"{y} {isa}")
            assert_same(power, eltwise.compile(f"pow(x, {y})", "x", accuracy="fast")(x), f"{y} {isa}")
            assert_same(power, eltwise.pow(x, y, accuracy="fast"), f"{y} {isa}")
            out = np.empty_like(x)
            assert_same(eltwise.power(x, y, out=out), power, f"{y} {isa}")
            assert_same(eltwise.pow(x[::3], y), power[::3], f"{y} {isa}")
            with np.errstate(all="ignore"):
                # NumPy takes the square root for the number 0.5, which has other special values.
                expected = np.power(wide, np.full_like(wide, y)).astype(dtype)
            tolerance = {"f2": 1e-3, "f4": 3e-7, "f8": 5e-16}.get(dtype, 1e-2)
            np.testing.assert_allclose(power.astype("f8"), expected.astype("f8"), rtol=tolerance, err_msg=f"{y} {isa}")
            number = ~np.isnan(expected.astype("f8"))
            assert (np.signbit(power.astype("f8")) == np.signbit(expected.astype("f8")))[number].all(), y


def test_exponents_of_arrays_choose_no_operator():
    x = np.linspace(0.1, 30, 1000)
    y = np.full_like(x, 17.0)
    assert_same(eltwise.pow(x, np.float64(17)), eltwise.pow(x, y))
    assert_same(eltwise.pow(x, np.array(17.0)), eltwise.pow(x, y))
    np.testing.assert_allclose(eltwise.pow(x, 17), eltwise.pow(x, y), rtol=3e-16)


def test_python_exponents_promote_as_arrays():
    i = np.arange(-5, 6)
    assert_same(eltwise.pow(i, 2), i**2)
    assert_same(eltwise.pow(i[i != 0], -1.0), 1 / i[i != 0])
    assert_same(eltwise.pow(i * i, 0.5), np.abs(i).astype("f8"))
    assert_same(eltwise.pow(i.astype("i1"), 2), i.astype("i1") ** 2)
    assert_same(eltwise.pow(np.array([2, 3], "u1"), -1.0), np.array([0.5, 1 / 3]))
    assert eltwise.pow(1.5, 2) == 2.25 and eltwise.pow(-8, 3) == -512
    with pytest.raises(ValueError, match=MESSAGE):
        eltwise.pow(i, -1)
    out = np.empty(11)
    assert_same(eltwise.pow(i, 3, out=out), i.astype("f8") ** 3)
    x = np.linspace(0.5, 2, 7, dtype="f4")
    # Correctly rounded powers stay powers.
    assert_same(eltwise.pow(x, 3, accuracy="correct"), (x.astype("f8") ** 3).astype("f4"))
