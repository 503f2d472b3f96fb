"""Mixed dtypes and Python scalars give NumPy's dtypes and NumPy's values (NEP 50)."""

import itertools
import operator

import eltwise
import numpy as np
import pytest
from reference import BINARY, OPERATORS, expected
from support import BF16, BOOL, INTEGERS, NUMERIC, SIGNED, UNSIGNED, assert_same, kind, outcome, values

ARRAYS_OF_NUMPY = [d for d in NUMERIC if d != BF16]
COMPARE = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
ARITHMETIC = ["add", "multiply", "maximum", "minimum"]


def promoted(*dtypes):
    """`np.result_type`, or None."""
    result, error = outcome(np.result_type, *dtypes)
    return None if error else result


@pytest.mark.parametrize("y", NUMERIC, ids=str)
@pytest.mark.parametrize("x", NUMERIC, ids=str)
def test_every_pair_of_dtypes_promotes(x, y):
    dtype = promoted(x, y)
    a, b = values(x, (7, 5)), values(y, (5,), 1)
    for name in ARITHMETIC + ["where"]:
        operands = (values(bool, (7, 1)), a, b) if name == "where" else (a, b)
        if dtype is None:
            with pytest.raises(TypeError, match=name):
                getattr(eltwise, name)(*operands)
            continue
        with np.errstate(all="ignore"):
            same = [*operands[:-2], a.astype(dtype), b.astype(dtype)]
        result = expected(name, *np.broadcast_arrays(*same))
        assert_same(getattr(eltwise, name)(*operands), result, f"{name} {x} {y}")


@pytest.mark.parametrize("y", ARRAYS_OF_NUMPY, ids=str)
@pytest.mark.parametrize("x", ARRAYS_OF_NUMPY, ids=str)
def test_binary_operators_promote_as_ufuncs(x, y):
    """The result dtype or the error equals that of the NumPy ufunc of the same name."""
    for name in BINARY:
        # `test_meanings.py` compares these for bool.
        divisors = ("gcd", "lcm", "floor_divide", "remainder", "fmod")
        if name == "divide" or not hasattr(np, name) or (name in divisors and x == y == BOOL):
            continue
        got, raised = outcome(getattr(eltwise, name), np.ones(2, x), np.ones(2, y))
        result, error = outcome(getattr(np, name), np.ones(2, x), np.ones(2, y))
        assert raised == (TypeError if error else None), f"{name} {x} {y}: {raised}, NumPy: {error}"
        if not error:
            assert_same(got, result, f"{name} {x} {y}")


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize("scalar", [True, 1, 3.0, 0.1, float("inf"), float("nan")], ids=repr)
def test_python_scalars_are_weak(dtype, scalar):
    """A Python bool, int or float takes the dtype of the array, unless its kind is higher."""
    order = "b i f"
    mine, its = "i" if kind(dtype) == "u" else kind(dtype), {bool: "b", int: "i", float: "f"}[type(scalar)]
    target = dtype if order.index(mine) >= order.index(its) else np.result_type(dtype, scalar)
    x = values(dtype, (9,))
    for name in ARITHMETIC:
        for shape in [(9,), (1,), ()]:
            plain = np.broadcast_to(x[3:4] if shape != (9,) else x, shape or (1,)).reshape(shape)
            constant = np.full(shape, np.array(scalar).astype(target), target)
            with np.errstate(all="ignore"):
                forth = expected(name, plain.astype(target), constant)
            assert_same(getattr(eltwise, name)(plain, scalar), forth, f"{name} {dtype}{shape} {scalar!r}")
            assert_same(getattr(eltwise, name)(scalar, plain), forth, f"{name} {scalar!r} {dtype}{shape}")
            if dtype != BF16:
                with np.errstate(all="ignore"):
                    numpy, error = outcome(getattr(np, name), plain, scalar)
                assert error is None and numpy.dtype == target


def test_python_scalars_without_arrays_equal_numpys():
    for x, y in itertools.product([True, 2, 3.5], repeat=2):
        for name in ARITHMETIC + list(COMPARE):
            assert_same(getattr(eltwise, name)(x, y), getattr(np, name)(x, y), f"{name} {x} {y}")
    assert eltwise.sqrt(2).dtype == eltwise.sqrt(2.0).dtype == np.float64
    assert_same(eltwise.negative(3), np.negative(3))


@pytest.mark.parametrize("dtype", ARRAYS_OF_NUMPY, ids=str)
def test_numpy_scalars_and_lists_are_strong(dtype):
    for other in ARRAYS_OF_NUMPY:
        x, scalar = values(dtype, (5,)), values(other, (3,), 2)[1]
        with np.errstate(all="ignore"):
            result, error = outcome(np.multiply, x, scalar)
            assert error is None
            assert_same(eltwise.multiply(x, scalar), result, f"{dtype} {other}")
            assert_same(eltwise.multiply(scalar, x), result, f"{dtype} {other}")
            assert_same(eltwise.multiply(x, np.array(scalar)), result, f"{dtype} {other} 0-d")
    assert_same(eltwise.multiply(np.ones(3, dtype), [1, 2, 3]), np.multiply(np.ones(3, dtype), [1, 2, 3]))
    assert_same(eltwise.multiply([[1.5]], np.ones(3, dtype)), np.multiply([[1.5]], np.ones(3, dtype)))


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
def test_float_functions_convert_integers_as_numpy(dtype):
    x = values(dtype, (40,))
    with np.errstate(all="ignore"):
        result = expected("sqrt", x.astype(np.sqrt(np.ones(1, dtype)).dtype))
    assert_same(eltwise.sqrt(x), result, dtype)
    for i in range(3):
        got = eltwise.sqrt(x[i])
        assert isinstance(got, np.generic)
        assert_same(got, result[i])


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_out_of_range_raise(dtype):
    info = np.iinfo(dtype)
    x = values(dtype, (9,))
    for n in (info.min - 1, info.max + 1, 10**30, -(10**30), 1 << 64, -(1 << 63) - 1):
        for name in ARITHMETIC + ["subtract", "trunc_divide", "bitwise_and"]:
            for operands in ((x, n), (n, x), (x[2], n), (n, x[:0])):
                with pytest.raises(OverflowError, match=name):
                    getattr(eltwise, name)(*operands)
        out = np.ones_like(x)
        with pytest.raises(OverflowError):
            eltwise.clamp(x, n, 1, out=out)
        with pytest.raises(OverflowError):
            eltwise.where(x, x, n)
        assert out.all()
    for n in (info.min, info.max):
        assert_same(eltwise.maximum(x, n), np.maximum(x, n))


@pytest.mark.parametrize("dtype", [BOOL, *INTEGERS], ids=str)
@pytest.mark.parametrize("name", COMPARE)
def test_comparisons_with_integers_of_any_size_are_exact(name, dtype):
    x = values(dtype, (40,))
    numbers = [0, 1, -1, 2, 127, 128, 255, 256, 300, -129, -(1 << 63), (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    for n in numbers + [(1 << 64), -(1 << 63) - 1, 10**30, -(10**30), 10**400]:
        forth = np.array([COMPARE[name](int(v), n) for v in x])
        back = np.array([COMPARE[name](n, int(v)) for v in x])
        assert_same(getattr(eltwise, name)(x, n), forth, f"{name} {dtype} {n}")
        assert_same(getattr(eltwise, name)(n, x), back, f"{name} {n} {dtype}")
        assert_same(getattr(eltwise, name)(x[:0], n), forth[:0])
        got = getattr(eltwise, name)(x[3], n)
        assert isinstance(got, np.bool_) and got == forth[3]
        out = np.zeros((2, 40), bool)
        assert getattr(eltwise, name)(x, n, out=out) is out
        assert_same(out, np.stack([forth, forth]))


@pytest.mark.parametrize("name", COMPARE)
def test_comparisons_of_signed_with_unsigned_are_exact(name):
    """At the limits, in both orders, for every pair of widths."""
    for signed, unsigned in itertools.product(SIGNED, UNSIGNED):
        x, y = values(signed, (60, 1)), values(unsigned, (60,))
        x[:4, 0] = [np.iinfo(signed).min, np.iinfo(signed).max, -1, 0]
        y[:4] = [np.iinfo(unsigned).max, np.iinfo(unsigned).max // 2, np.iinfo(unsigned).max // 2 + 1, 0]
        forth = np.array([[COMPARE[name](int(a), int(b)) for b in y] for a in x[:, 0]])
        back = np.array([[COMPARE[name](int(b), int(a)) for b in y] for a in x[:, 0]])
        assert_same(getattr(eltwise, name)(x, y), forth, f"{name} {signed} {unsigned}")
        assert_same(getattr(eltwise, name)(y, x), back, f"{name} {unsigned} {signed}")
        out = np.zeros((60, 60), bool, order="F")
        assert_same(getattr(eltwise, name)(x, y, out=out), forth, f"{name} {signed} {unsigned} out")


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
def test_comparisons_of_floats_with_large_integers_equal_numpys():
    for x in (values("f2", (30,)), values("f4", (30,)), values("f8", (30,))):
        for n in (10**5, -(10**5), 10**30, 10**300):
            for name in COMPARE:
                with np.errstate(all="ignore"):
                    result, error = outcome(getattr(np, name), x, n)
                got, raised = outcome(getattr(eltwise, name), x, n)
                assert (raised is None) == (error is None)
                assert_same(got, result, f"{name} {x.dtype} {n}")


def test_three_operands_promote():
    for dtypes in itertools.product(["i1", "u2", "f2", "f4"], repeat=3):
        x = [values(d, (20,), i) for i, d in enumerate(dtypes)]
        target = np.result_type(*dtypes)
        result = [v.astype(target) for v in x]
        assert_same(eltwise.clamp(*x), expected("clamp", *result), f"clamp {dtypes}")
        assert_same(eltwise.fma(*x), expected("fma", *result), f"fma {dtypes}")


@pytest.mark.parametrize("name", [n for n in BINARY if OPERATORS[n].gives == "same"])
def test_rank_zero_arrays_are_strong(name):
    kinds = "iu" if OPERATORS[name].takes(BOOL) or "f" not in OPERATORS[name].kinds else "iuf"
    kinds = "f" if OPERATORS[name].kinds == "f" else kinds
    for dtype in (d for d in NUMERIC if kind(d) in kinds and d.itemsize < 8):
        target = promoted(dtype, "i8")
        if target is not None:
            assert getattr(eltwise, name)(np.ones(3, dtype), np.array(1, "i8")).dtype == target, f"{name} {dtype}"


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("dtype", [BOOL, *INTEGERS], ids=str)
@pytest.mark.parametrize("name", ["copysign", "heaviside", "nextafter", "hypot", "arctan2"])
def test_float_functions_take_integers_out_of_range_of_the_array(name, dtype):
    """The array becomes floats, so the integer has to fit the float dtype only."""
    x = values(dtype, (40,))
    for n in (-1, -300, 300, 40_000, -70_000, 1 << 31, 1 << 33, 1 << 63, -(1 << 64)):
        for operands in ((x, n), (n, x), (x[:0], n), (x[3], n)):
            with np.errstate(all="ignore"):
                expected, error = outcome(getattr(np, name), *operands)
            if error is None:
                got = getattr(eltwise, name)(*operands)
                assert got.dtype == expected.dtype, f"{operands}: {got.dtype}, NumPy has {expected.dtype}"
                assert np.allclose(got, expected, rtol=1e-3 if dtype.itemsize == 1 else 1e-6, equal_nan=True), f"{operands}"
    for n in (1 << 63, 1 << 64):
        assert_same(eltwise.sqrt(n), np.float64(2.0 ** (n.bit_length() / 2 - 0.5)))
