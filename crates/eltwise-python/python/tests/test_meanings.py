"""Functions with a NumPy name do what NumPy's do, except for the differences in docs/semantics.md."""

import itertools
from fractions import Fraction

import eltwise
import numpy as np
import pytest
from support import FLOATS, INTEGERS, assert_same

#: Functions that differ for integers (docs/semantics.md): `reciprocal` gives floats here, truncated integers in NumPy.
DIFFERENT = {"reciprocal"}
#: The functions that NumPy has as ufuncs of the same name.
UFUNC_NAMES = sorted(
    name
    for name in dir(eltwise)
    if isinstance(getattr(np, name, None), np.ufunc) and not name.startswith("_") and name not in DIFFERENT
)


def _outcome(function, *operands):
    try:
        return function(*operands)
    except (TypeError, ValueError):
        return None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UFUNC_NAMES)
def test_integers_and_bools_give_numpys_dtypes_and_values(name):
    ours, numpys = getattr(eltwise, name), getattr(np, name)
    arrays = [np.array([True, False, True])] + [np.array([3, 1, 7]).astype(dtype) for dtype in INTEGERS]
    for operands in itertools.product(arrays, repeat=numpys.nin):
        with np.errstate(all="ignore"):
            expected, got = _outcome(numpys, *operands), _outcome(ours, *operands)
        case = f"{name} {[x.dtype.name for x in operands]}"
        assert (expected is None) == (got is None), case
        for a, b in zip(expected, got) if isinstance(expected, tuple) else [(expected, got)] if expected is not None else []:
            assert a.dtype == b.dtype, f"{case}: {b.dtype}, expected {a.dtype}"
            tolerance = 2e-3 if a.dtype == np.float16 else 1e-6
            np.testing.assert_allclose(b.astype(float), a.astype(float), rtol=tolerance, err_msg=case)


def test_bitwise_count_counts_bits_of_the_magnitude():
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        x = np.array([info.min, info.max, info.min + 1, 0, 1, 5], dtype)
        assert_same(eltwise.bitwise_count(x), np.bitwise_count(x), dtype)
        assert eltwise.popcount(x).dtype == dtype


def test_rint_and_modf_convert_integers_to_floats():
    for dtype in ["?", *INTEGERS]:
        x = np.array([0, 1, 1], dtype)
        assert_same(eltwise.rint(x), np.rint(x), dtype)
        for got, expected in zip(eltwise.modf(x), np.modf(x)):
            assert_same(got, expected, dtype)
    assert_same(eltwise.rint(np.array([0.5, 1.5, -0.5], "f4")), np.array([0, 2, -0.0], "f4"))


@pytest.mark.parametrize("name", ["sum", "mean", "maximum", "minimum"])
def test_one_operand_raises(name):
    function, x = getattr(eltwise, name), np.ones((2, 2))
    for call in (lambda: function(x), lambda: function(x, axis=0), lambda: eltwise.compile(f"{name}(x)", "x")(x)):
        with pytest.raises((TypeError, ValueError), match=r"does not reduce an array; use numpy\.(sum|mean|max|min) for that"):
            call()


def test_sum_and_mean_reject_an_int_after_an_array():
    for function in (eltwise.sum, eltwise.mean):
        for x in ([[1, 2], [3, 4]], np.ones((2, 2))):
            with pytest.raises(TypeError, match="looks like an axis.*does not reduce"):
                function(x, 0)
    assert eltwise.sum(1, 2) == 3 and eltwise.maximum(np.ones(2), 0).all()


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_division_equals_numpys(dtype):
    x, y = np.array([7, 1, 0], dtype), np.array([2, 3, 5], dtype)
    for got in (eltwise.divide(x, y), eltwise.true_divide(x, y), eltwise.compile("x / y", "xy")(x, y)):
        assert_same(got, np.true_divide(x, y))
    for got in (eltwise.floor_divide(x, y), eltwise.compile("x // y", "xy")(x, y), eltwise.trunc_divide(x, y)):
        assert_same(got, x // y)


def test_comparisons_of_python_integers_are_exact():
    sizes = [2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64, 2**127, 2**200, 2**200 + 1, -(2**63) - 1, -(2**200)]
    for a, b in itertools.product(sizes, repeat=2):
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
            assert getattr(eltwise, name)(a, b) == getattr(np, name)(a, b), f"{name} {a} {b}"
    assert_same(eltwise.positive(2**63), np.uint64(2**63))
    with pytest.raises(OverflowError):
        eltwise.positive(2**64)


@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_literals_and_python_numbers_overflow_the_same_way(dtype):
    x = np.ones(3, dtype)
    for number in ("1e200", "-1e200", "10000000000000000000000000000000000000000"):
        for call in (lambda: eltwise.multiply(x, eval(number)), lambda: eltwise.compile(f"x * {number}", "x")(x)):
            with pytest.warns(RuntimeWarning, match="overflow encountered in cast") as caught:
                assert_same(call(), np.full(3, np.inf if number[0] != "-" else -np.inf, dtype))
            assert caught[0].filename == __file__
            with np.errstate(over="raise"), pytest.raises(FloatingPointError):
                call()


@pytest.mark.parametrize("name", ["inf", "nan", "true", "false", "pi", "e"])
def test_parameters_take_precedence_over_constants(name):
    x = np.arange(3.0)
    assert_same(eltwise.compile(f"{name} + 1", [name])(x), x + 1)
    assert eltwise.compile(f"x + {name}", ["x"]).names == ("x",)


def test_decimal_literals_round_once():
    for text in ("17.328679084777833", "0.50000002980232238769531250000001", "1.00048828125000000000001", "1e-45"):
        for dtype in FLOATS:
            if dtype.name == "bfloat16":
                continue
            got = eltwise.compile(f"x * {text}", "x")(np.ones(1, dtype))[0]
            around = [np.nextafter(got, dtype.type(-np.inf)), got, np.nextafter(got, dtype.type(np.inf))]
            assert got == min(around, key=lambda near: abs(Fraction(float(near)) - Fraction(text))), f"{text} {dtype}"


def test_expressions_of_literals_equal_pythons():
    x = np.array([1, 2], "u1")
    for text in ("7 / 2", "1 // 3", "7 // 2", "-7 % 3", "2 ** 5", "2 ** -1", "6 & 3 | 8", "~-5", "1 << 3 >> 1"):
        assert_same(eltwise.compile(f"x * ({text})", "x")(x), x * eval(text), text)


def test_calls_take_thousands_of_operands():
    arrays = [np.array([i, 1.0]) for i in range(10_000)]
    assert_same(eltwise.maximum(*arrays), np.array([9999.0, 1.0]))
    assert_same(eltwise.sum(*arrays), np.array([49_995_000.0, 10_000.0]))
    backwards = [x[::-1] for x in arrays]
    assert_same(eltwise.sum(*backwards), np.array([10_000.0, 49_995_000.0]))
    names = [f"v{i}" for i in range(1000)]
    assert_same(eltwise.compile("+".join(names), names)(*arrays[:1000]), np.array([499_500.0, 1000.0]))
