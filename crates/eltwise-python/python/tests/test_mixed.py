"""Operators with operands of two dtypes, any number of operands, a different result dtype, or two results."""

import eltwise
import numpy as np
import pytest
from reference import cast
from support import BF16, FLOATS, INTEGERS, LAYOUTS, NUMERIC, assert_same, kind, values

SHAPES = [(), (0,), (7,), (1031,), (33, 17), (300, 3)]
QUANTISED = [np.dtype(d) for d in ("i1", "u1", "i2", "u2", "i4")]
HALVES = FLOATS[:2]


def widened(x):
    """`x`, as float32 if it has 16-bit floats."""
    return x.astype("f4") if x.dtype in HALVES else x


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS], ids=str)
@pytest.mark.parametrize("count", [2, 3, 5])
def test_sum_and_mean_add_from_left_to_right(count, dtype, isas):
    for shape in SHAPES:
        operands = [values(dtype, shape, seed) for seed in range(count)]
        with np.errstate(all="ignore"):
            total = widened(operands[0])
            for x in operands[1:]:
                total = total + widened(x)
            mean = (total / total.dtype.type(count)).astype(dtype) if kind(dtype) == "f" else None
            total = total.astype(dtype)
        for isa in isas():
            assert_same(eltwise.sum(*operands), total, f"sum {shape} {isa}")
            if mean is not None:
                assert_same(eltwise.mean(*operands), mean, f"mean {shape} {isa}")


def test_sum_and_mean_take_any_number_of_operands():
    x, row, column = np.ones((4, 3), "f4"), np.arange(3, dtype="i2"), np.arange(4, dtype="f2")[:, None]
    assert_same(eltwise.sum(x, row, column, 1), (x + row + column + 1).astype("f4"))
    out = np.zeros((4, 3), "f8")
    assert eltwise.mean(x, row, out=out) is out
    assert_same(out, ((x + row) / 2).astype("f8"))
    with pytest.raises(TypeError, match="2 or more operands"):
        eltwise.sum()
    with pytest.raises(TypeError, match="unexpected keyword"):
        eltwise.sum(x, axis=0)
    with pytest.raises(ValueError, match="broadcast"):
        eltwise.sum(x, np.ones(5, "f4"))
    with pytest.raises(TypeError, match="operand 1.*arrays of dtype <U4"):
        eltwise.sum(x, "text")


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_maximum_and_minimum_take_any_number_of_operands(name):
    a, b, c = (values(np.dtype("f4"), (257,), seed) for seed in range(3))
    extreme = getattr(eltwise, name)
    expected = extreme(extreme(a, b), c)
    assert_same(extreme(a, b, c), expected)
    assert_same(eltwise.compile(f"{name}(a, b, c)", "abc")(a, b, c), expected)
    # The third array is an operand, not `out`.
    before = c.copy()
    out = np.zeros_like(c)
    assert extreme(a, b, c, out=out) is out
    assert_same(out, expected)
    assert_same(c, before)
    assert_same(extreme(a, b[:1], c, 0), extreme(extreme(a, b[:1]), extreme(c, 0)))
    with pytest.raises(TypeError, match="takes 2 or more operands, 1 given"):
        extreme(a)


@pytest.mark.parametrize("shapes", [[(8, 1), (1, 8)], [(3, 4), (4,)], [(1000, 1), (1, 1000)], [(2, 1, 3), (4, 1)], [(0, 3), (3,)]])
@pytest.mark.parametrize("dtype", [np.dtype("f4"), np.dtype("i1"), np.dtype("f8")], ids=str)
def test_last_plans_are_reused_for_the_same_layouts_only(shapes, dtype):
    """A call uses the last plan of its operator only if layouts, dtypes, ISA and operand count are the same."""
    # No -0.0, which NumPy's maximum does not tell from 0.0.
    x, y = (np.abs(values(dtype, shape, seed)) for seed, shape in enumerate(shapes))
    expected = np.maximum(x, y)
    for _ in range(2):
        assert_same(eltwise.maximum(x, y), expected)
        out = np.full(expected.shape, 7, dtype)
        assert eltwise.maximum(x, y, out=out) is out
        assert_same(out, expected)
        transposed = np.full(expected.shape[::-1], 7, dtype).T
        assert_same(eltwise.maximum(x, y, out=transposed), expected)
        for other in (y, x, np.array(3, dtype)):
            assert_same(eltwise.maximum(x, y, other), np.maximum(expected, other))
        assert_same(eltwise.less(x, y), np.less(x, y))
        assert_same(eltwise.where(eltwise.less(x, y), x, 1), np.where(x < y, x, dtype.type(1)))
        # Into an operand.
        wide = np.broadcast_to(x, expected.shape).copy()
        assert_same(eltwise.maximum(wide, y, out=wide), expected)
        with pytest.raises(ValueError, match="out has shape"):
            eltwise.maximum(x, y, out=np.empty((*expected.shape[:-1], 5), dtype))


def test_an_output_may_overlap_a_part_of_an_operand():
    for step in (1, 2):
        memory = np.arange(40, dtype="f4")
        x, out = memory[: 20 : step, None], memory[step : 20 + step : step, None]
        expected = x + np.float32([[0]])
        assert_same(eltwise.add(x, np.float32([[0]]), out=out), expected)


def test_operands_have_defaults():
    x = np.array([-2, -0.25, 0, 0.25, 2], "f4")
    assert_same(eltwise.leaky_relu(x), eltwise.leaky_relu(x, 0.01))
    assert_same(eltwise.leaky_relu(x, alpha=0.5), eltwise.prelu(x, np.float32(0.5)))
    assert_same(eltwise.hard_sigmoid(x, beta=1), eltwise.hard_sigmoid(x, 0.2, 1))
    assert_same(eltwise.hard_tanh(x), np.clip(x, -1, 1))
    assert_same(eltwise.shrink(x), np.array([-2, 0, 0, 0, 2], "f4"))
    assert_same(eltwise.thresholded_relu(x), np.array([0, 0, 0, 0, 2], "f4"))
    assert_same(eltwise.compile("shrink(x, bias=1)", "x")(x), np.array([-1, 0, 0, 0, 1], "f4"))
    assert "alpha=0.01" in eltwise.leaky_relu.__doc__ or "alpha=0.01" in str(eltwise.leaky_relu.__text_signature__)
    with pytest.raises(TypeError, match="missing required argument: 'x'"):
        eltwise.leaky_relu(alpha=0.5)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_ldexp_and_frexp_equal_numpys(dtype, isas):
    x = values(dtype, (2003,))
    n = np.resize(np.array([0, 1, -1, 24, -24, 126, -126, 150, -150, 280, -280, 1080, -1080, 2**31 - 1, -(2**31)]), 2003)
    with np.errstate(all="ignore"):
        whole = np.clip(n, -5000, 5000).astype("i4")
        scaled = cast(np.ldexp(x.astype("f8"), whole), dtype) if dtype != "f8" else np.ldexp(x, whole)
        mantissa, exponent = np.frexp(x.astype("f8") if dtype == BF16 else x)
        exponent = np.where(np.isfinite(x.astype("f8")), exponent, 0).astype("i4")
    for isa in isas():
        for exponents in (n.astype("i4"), n.astype("i8")):
            assert_same(eltwise.ldexp(x, exponents), scaled, f"{isa} {exponents.dtype}")
        assert_same(eltwise.ldexp(x, np.int8(3)), eltwise.ldexp(x, 3))
        got = eltwise.frexp(x)
        assert_same(got[0], mantissa.astype(dtype), f"mantissa {isa}")
        assert_same(got[1], exponent, f"exponent {isa}")
        assert_same(eltwise.ldexp(*got), x)
    with pytest.raises(TypeError, match="exponent"):
        eltwise.ldexp(x, np.uint64(1))


def test_functions_with_two_results_equal_numpys():
    x, y = values(np.dtype("i4"), (501,)), values(np.dtype("i4"), (501,), 1)
    y = np.where(y == 0, 7, y)
    quotient, rest = eltwise.divmod(x, y)
    assert_same(quotient, x // y)
    assert_same(rest, x % y)
    out = np.empty(501, "i4"), np.empty(501, "i4")
    assert eltwise.divmod(x, 3, out=out)[1] is out[1]
    assert_same(out[0], x // 3)
    with pytest.warns(RuntimeWarning, match="divide by zero") as reports:
        eltwise.divmod(x, 0)
    assert len(reports) == 1
    f = values(np.dtype("f8"), (501,))
    with np.errstate(all="ignore"):
        for got, expected in zip(eltwise.modf(f), np.modf(f)):
            assert_same(got, expected)
    for function, operands in [(eltwise.divmod, (x, y)), (eltwise.modf, (f,)), (eltwise.frexp, (f,))]:
        with pytest.raises(TypeError, match="two arrays"):
            function(*operands, out=np.empty(501))


@pytest.mark.parametrize("target", NUMERIC, ids=str)
@pytest.mark.parametrize("source", NUMERIC, ids=str)
def test_cast_saturating_gives_the_nearest_limit(source, target, isas):
    x = values(source, (3001,))
    result = cast(x, target)
    if kind(target) in "iu" and kind(source) in "iu":
        info = np.iinfo(target)
        result = np.array([min(max(int(v), info.min), info.max) for v in x], target)
    elif kind(target) == "f" and kind(source) != "b" and source != target:
        largest = {"f2": 65504.0, "f4": float(np.finfo("f4").max), "f8": float(np.finfo("f8").max)}
        largest = largest.get(target.str[1:], 3.3895313892515355e38) if target != BF16 else 3.3895313892515355e38
        source_largest = np.inf
        if kind(source) == "f":
            source_largest = {2: 65504.0 if source != BF16 else 3.39e38, 4: 3.41e38, 8: 1.8e308}[source.itemsize]
        saturates = np.isinf(result.astype("f8")) & (source_largest > largest)
        result = np.where(saturates, np.copysign(largest, result.astype("f8")).astype(target), result).astype(target)
    for isa in isas():
        assert_same(eltwise.cast_saturating(x, target), result, f"{isa}")


def test_bitcast_keeps_the_bytes():
    for source in NUMERIC:
        x = values(source, (101,))
        for target in NUMERIC:
            if source.itemsize == target.itemsize:
                got = eltwise.bitcast(x[::-1], target)
                assert got.dtype == target and got.tobytes() == x[::-1].tobytes()
            else:
                with pytest.raises(TypeError, match="bitcast"):
                    eltwise.bitcast(x, target)
    with pytest.raises(TypeError, match="bitcast"):
        eltwise.bitcast(np.zeros(3, "M8[s]"), "i8")


@pytest.mark.parametrize("target", QUANTISED, ids=str)
@pytest.mark.parametrize("dtype", [np.dtype("f2"), np.dtype("f4")], ids=str)
def test_quantize_and_dequantize_equal_the_definition(dtype, target, isas):
    rng = np.random.default_rng(5)
    x = np.concatenate([values(dtype, (1001,)), rng.normal(0, 300, 2000).astype(dtype), np.arange(-9, 9).astype(dtype) / 2])
    zero_point = values(target, x.shape, 3)
    info = np.iinfo(target)
    for scale in (dtype.type(0.5), dtype.type(3), rng.uniform(0.01, 2, x.shape).astype(dtype)):
        with np.errstate(all="ignore"):
            whole = np.rint(x.astype("f4") / np.asarray(scale, "f4"))
            exact = [int(w) if np.isfinite(w) else (0 if np.isnan(w) else int(np.copysign(1e30, w))) for w in whole]
            sums = [(e + int(z)) if not np.isnan(w) else 0 for e, z, w in zip(exact, zero_point, whole)]
            quantised = np.array([min(max(s, info.min), info.max) for s in sums], target)
            difference = (zero_point[::-1].astype("i8") - zero_point.astype("i8")).astype("f4")
            back = (difference * np.asarray(scale, "f4")).astype(dtype)
        for isa in isas():
            assert_same(eltwise.quantize_linear(x, scale, zero_point), quantised, f"{isa} {scale}")
            assert_same(eltwise.dequantize_linear(zero_point[::-1], scale, zero_point), back, f"{isa} {scale}")


def test_quantize_linear_of_python_numbers_and_invalid_dtypes():
    x = np.array([-1, 0, 0.25, 0.75, 200], "f4")
    assert_same(eltwise.quantize_linear(x, 0.5, 128), np.array([126, 128, 128, 130, 255], "u1"))
    assert_same(eltwise.quantize_linear(x, 0.5, np.int8(0)), np.array([-2, 0, 0, 2, 127], "i1"))
    q = np.array([0, 128, 255], "u1")
    assert_same(eltwise.dequantize_linear(q, 0.5, 128), np.array([-64, 0, 63.5], "f4"))
    assert_same(eltwise.dequantize_linear(q, np.float16(0.5), 128), np.array([-64, 0, 63.5], "f2"))
    assert_same(eltwise.quantize_linear(x, 0.5), eltwise.quantize_linear(x, 0.5, np.uint8(0)))
    assert_same(eltwise.dequantize_linear(q.view("i1"), 0.5), np.array([0, -64, -0.5], "f4"))
    for arguments in [(x, 0.5, np.uint32(1)), (x.astype("f8"), 0.5, 128), (x, 0.5, 0.5)]:
        with pytest.raises((TypeError, OverflowError)):
            eltwise.quantize_linear(*arguments)
    with pytest.raises(TypeError, match="one dtype"):
        eltwise.dequantize_linear(q, 0.5, np.int8(1))


@pytest.mark.parametrize("name", ["ldexp", "quantize_linear", "sum", "exponent", "bitcast", "cast_saturating"])
def test_every_layout_gives_the_same_result(name):
    x = values(np.dtype("f4"), (33, 17))
    call = {
        "ldexp": lambda x: eltwise.ldexp(x, np.arange(17)),
        "quantize_linear": lambda x: eltwise.quantize_linear(x, 0.1, np.arange(17, dtype="i1")),
        "sum": lambda x: eltwise.sum(x, x, np.arange(17)),
        "exponent": eltwise.exponent,
        "bitcast": lambda x: eltwise.bitcast(x, "u4"),
        "cast_saturating": lambda x: eltwise.cast_saturating(x, "f2"),
    }[name]
    result = call(x)
    for layout, arrange in LAYOUTS.items():
        assert_same(call(arrange(x)), result, layout)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_isclose_is_that_of_numpy(dtype, isas):
    rng = np.random.default_rng(3)
    x = rng.uniform(-10, 10, 3000).astype(dtype)
    y = (x.astype("f8") * (1 + rng.choice([0, 1e-7, 1e-6, 1e-5, 2e-5, 1e-3, 1], 3000))).astype(dtype)
    x[:8] = [0, -0.0, np.inf, np.inf, -np.inf, np.nan, np.nan, 1]
    y[:8] = [-0.0, 1e-8, np.inf, -np.inf, 1, np.nan, 1, np.inf]
    a, b = widened(x), widened(y)
    for isa in isas():
        for options in ({}, {"equal_nan": True}, {"rtol": 1e-6}, {"rtol": 0, "atol": 1e-3}):
            with np.errstate(all="ignore"):
                # The tolerances have the dtype that the operator computes in.
                wide = {k: v if k == "equal_nan" else a.dtype.type(dtype.type(v)) for k, v in options.items()}
                defaults = {k: a.dtype.type(dtype.type(v)) for k, v in (("rtol", 1e-5), ("atol", 1e-8))}
                expected = np.isclose(a, b, **{**defaults, **wide})
            assert_same(eltwise.isclose(x, y, **options), expected, f"isclose {options} {isa}")
    text = eltwise.compile("isclose(x, y, rtol=0.001, equal_nan=true)", "xy")(x, y)
    assert_same(text, eltwise.isclose(x, y, rtol=0.001, equal_nan=True))
    assert_same(eltwise.isclose(x, y, equal_nan=1), eltwise.isclose(x, y, equal_nan=True))
    with pytest.raises(TypeError, match="equal_nan"):
        eltwise.isclose(x, y, equal_nan=np.ones(3))


def test_isclose_of_integers_computes_in_float64():
    for dtype in ("i1", "u1", "?", "i2", "i8"):
        x = np.array([1, 0, 100]).astype(dtype)
        for options in ({}, {"rtol": 0, "atol": 1948}, {"rtol": 0, "atol": 2047}):
            assert_same(eltwise.isclose(x, 2049, **options), np.isclose(x, 2049, **options))
        text = eltwise.compile("isclose(x, 2049, rtol=0, atol=1948)", "x")
        assert_same(text(x), np.isclose(x, 2049, rtol=0, atol=1948))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_nan_to_num_has_the_defaults_of_numpy(dtype):
    x = np.array([np.nan, np.inf, -np.inf, 1.5, -0.0], dtype)
    largest = float(np.finfo(dtype).max) if dtype != BF16 else float.fromhex("0x1.fep127")
    expected = np.array([0, largest, -largest, 1.5, -0.0], dtype)
    assert_same(eltwise.nan_to_num(x), expected)
    assert_same(eltwise.nan_to_num(x, posinf=None, neginf=None), expected)
    assert_same(eltwise.compile("nan_to_num(x)", "x")(x), expected)
    assert_same(eltwise.compile("nan_to_num(x, 0, largest, -largest)", "x")(x), expected)
    assert_same(eltwise.nan_to_num(x, neginf=-1.0), np.array([0, largest, -1, 1.5, -0.0], dtype))
    assert_same(eltwise.nan_to_num(x, nan=x), np.array([np.nan, largest, -largest, 1.5, -0.0], dtype))
    assert_same(eltwise.nan_to_num(x, nan=np.float64(2), posinf=3), np.array([2, 3, -largest, 1.5, -0.0], dtype))
    with pytest.raises(TypeError, match="None is not an operand"):
        eltwise.nan_to_num(x, nan=None)


def test_nan_to_num_copies_integers():
    for x in (np.array([2**53 + 1, -(2**62) - 1]), np.array([1, 200], "u1"), np.array([True, False])):
        assert_same(eltwise.nan_to_num(x), x)
        assert_same(eltwise.nan_to_num(x, nan=0.5, posinf=1e300), x)
        assert_same(eltwise.compile("nan_to_num(x)", "x")(x), x)
        out = np.empty_like(x)
        assert eltwise.nan_to_num(x, out=out) is out
        assert_same(out, x)


def test_the_largest_number_takes_part_in_no_arithmetic():
    for text in ("largest / 2", "x + (largest - 1)", "2 * -largest"):
        with pytest.raises(ValueError, match="the largest number depends on the dtype"):
            eltwise.compile(text, "x")(np.ones(3, "f4"))


def test_float_power_is_a_power_in_float64():
    for dtype in NUMERIC:
        if dtype == BF16 or kind(dtype) == "b":
            continue
        x = np.array([1, 2, 3, 7, 100]).astype(dtype)
        y = np.array([0, 3, 2, 1, 2]).astype(dtype)
        assert_same(eltwise.float_power(x, y), np.float_power(x, y))
    for x in (np.array([1.001, 2, 3], "f2"), np.array([2], "f4"), np.array([-1], "i1"), np.array([3], "i8")):
        for y in (0.1, 2049, 2**24 + 1, 70000.0):
            with np.errstate(all="ignore"):
                expected = np.float_power(x, y)
            for power in (eltwise.float_power(x, y), eltwise.compile(f"float_power(x, {y})", "x")(x)):
                assert power.dtype == np.dtype("f8")
                np.testing.assert_allclose(power, expected, rtol=1e-15)
    assert eltwise.float_power(1e200, np.array([0.5], "f4"))[0] == 1e100
    ones = np.ones(3)
    assert_same(eltwise.float_power(ones.astype(BF16), ones.astype("i8")), ones)


def test_addcmul_and_swish_have_defaults():
    x, y, z = (values(np.dtype("f4"), (300,), seed) for seed in range(3))
    with np.errstate(all="ignore"):
        assert_same(eltwise.addcmul(x, y, z), x + y * z)
        assert_same(eltwise.addcdiv(x, y, z, value=0.5), x + np.float32(0.5) * y / z)
    assert_same(eltwise.swish(x), eltwise.swish(x, 1))
    assert_same(eltwise.hardshrink(x), eltwise.hardshrink(x, 0.5))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_round_to_decimals_is_that_of_numpy(dtype, isas):
    special = [np.nan, np.inf, -np.inf, -0.0, 0.0, 0.5, 2.675, -1.005, 1e-40, 1e30]
    x = np.concatenate([np.linspace(-3, 300, 611), np.geomspace(1e-12, 1e25, 200), special]).astype(dtype)
    for isa in isas():
        for decimals in (0, 1, 2, 3, 7, -1, -2, -9):
            with np.errstate(all="ignore"):
                expected = np.round(x, decimals)
            assert_same(eltwise.round(x, decimals), expected, f"{decimals} {isa}")
            assert_same(eltwise.round(x, decimals=np.array(decimals)), expected, f"{decimals} {isa}")
            assert_same(eltwise.compile(f"round(x, {decimals})", "x")(x), expected, f"{decimals} {isa}")
    assert_same(eltwise.round(x), np.rint(x))
    # NumPy's result is infinite or NaN where the product overflows.
    with np.errstate(all="ignore"):
        places = 300 if dtype == "f8" else 37
        power = np.array(10.0**places, dtype)
        assert_same(eltwise.round(x, places), np.where(np.isfinite(x * power), np.rint(x * power) / power, x))
    each = np.arange(x.size) % 7 - 3
    expected = np.array([np.round(v, d) for v, d in zip(x, each)], dtype)
    with np.errstate(all="ignore"):
        assert_same(eltwise.round(x, each), expected)


def test_integers_round_to_tens():
    x = np.array([0, 4, 5, 6, 15, 25, -15, -25, 1234567])
    assert_same(eltwise.round(x, -1), np.round(x, -1))
    assert_same(eltwise.round(x, 2), x)
    large = np.array([2**53 + 1, -(2**62) - 1, 2**63 - 2])
    assert_same(eltwise.round(large, 0), large)
    assert_same(eltwise.round(large, np.array([0, 5, 1])), large)
    assert_same(eltwise.round_decimals(np.array([255, 254], "u1"), -1), np.array([255, 250], "u1"))
    with pytest.raises(TypeError, match=r"^round\(x: int64\[9\], decimals: float\): 1.5 is not an integer"):
        eltwise.round(x, 1.5)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", BF16], ids=str)
def test_activations_have_parameters(dtype):
    x = np.linspace(-30, 30, 501).astype(dtype)
    wide = x.astype("f8")
    tolerance = {"f2": 1e-3, "f4": 1e-7, "f8": 4e-16}.get(dtype, 8e-3)

    def assert_near(got, expected):
        assert got.dtype == x.dtype
        np.testing.assert_allclose(got.astype("f8"), expected, rtol=tolerance, atol=1e-7 if dtype == "f2" else 0)

    for beta in (1.0, 2.5, 0.125):
        expected = np.logaddexp(0, beta * wide) / beta if beta != 2.5 else None
        if expected is not None:
            assert_near(eltwise.softplus(x, beta=beta), expected)
        linear = eltwise.softplus(x, beta, threshold=2)
        assert_same(linear[beta * wide > 2], x[beta * wide > 2])
    assert_same(eltwise.softplus(x, threshold=None), eltwise.softplus(x))
    assert_same(eltwise.softplus(x, None, 2), eltwise.softplus(x, threshold=2))
    assert_same(eltwise.compile("softplus(x, beta=0.5)", "x")(x), eltwise.softplus(x, 0.5))
    assert_near(eltwise.selu(x, alpha=1.5, gamma=2), 2 * np.where(wide > 0, wide, 1.5 * np.expm1(wide)))
    assert_same(eltwise.compile("selu(x, gamma=2, alpha=1.5)", "x")(x), eltwise.selu(x, 1.5, 2))
    p = np.linspace(-0.25, 1.25, 301).astype(dtype)
    eps = np.array(0.125, dtype)
    assert_same(eltwise.logit(p, eps), eltwise.logit(eltwise.clamp(p, 0.125, 0.875)))
    assert_same(eltwise.logit(p, eps=0.125), eltwise.logit(p, eps))
    assert_same(eltwise.compile("logit(p, eps=0.125)", "p")(p), eltwise.logit(p, eps))
    assert_same(eltwise.logit(p, eps=None), eltwise.logit(p))
    with pytest.raises(ValueError, match="parametric_softplus has no correctly rounded results"):
        eltwise.softplus(x, 2.0, accuracy="correct")
    with pytest.raises(TypeError, match="softplus.. takes at most 6 arguments"):
        eltwise.softplus(x, 1, 2, 3, 4, 5, 6)


def test_round_and_logit_take_broadcast_modes():
    x = np.linspace(0.01, 0.99, 6).reshape(2, 3)
    places, eps = np.array([1, 2]), np.array([0.1, 0.3])
    assert_same(eltwise.round(x, places, broadcast="pdpd", axis=0), eltwise.round(x, places[:, None]))
    assert_same(eltwise.logit(x, eps, broadcast="pdpd", axis=0), eltwise.logit(x, eps[:, None]))
    assert_same(eltwise.round(x, np.array([1, 2, 0]), broadcast="unidirectional"), eltwise.round(x, [1, 2, 0]))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "i8", "f2", "f4"])
def test_omitted_operands_promote_as_their_defaults(dtype):
    x = np.array([1, 0, 1], dtype)
    defaults = {"leaky_relu": (0.01,), "elu": (1,), "hard_sigmoid": (0.2, 0.5), "hardshrink": (0.5,), "shrink": (0.5, 0)}
    for name, values_ in defaults.items():
        function = getattr(eltwise, name)
        assert_same(function(x), function(x, *values_), name)
        assert_same(function(x), function(x=x), name)
        assert_same(function(x[0]), function(x=x[0]), name)


def test_nan_to_num_takes_the_dtype_of_its_first_operand():
    by = np.array([1.5, np.nan], "f4")
    assert_same(eltwise.nan_to_num(1, by), eltwise.nan_to_num(x=1, nan=by))
    assert_same(eltwise.nan_to_num(0.1, by), eltwise.nan_to_num(x=0.1, nan=by))


def test_small_calls_take_scalars_and_mixed_dtypes():
    scalars = [np.float32(1.5), np.float64(-2.5), np.float16(0.5), np.int8(3), np.uint64(7), np.bool_(True), 2, 1.5]
    arrays = [np.arange(1, 4, dtype=dtype) for dtype in ("i1", "u2", "i4", "u8", "f2", "f4", "f8")]
    for name in ("add", "multiply", "divide", "less", "equal", "maximum", "power"):
        ours, numpys = getattr(eltwise, name), getattr(np, name)
        for x in scalars + arrays:
            for y in scalars + arrays:
                with np.errstate(all="ignore"):
                    try:
                        expected = numpys(x, y)
                    except TypeError:
                        continue
                    if name == "power" and np.asarray(expected).dtype.kind == "f":
                        continue
                    got = ours(x, y)
                assert type(got) is type(expected), f"{name} {x!r} {y!r}: {type(got)}"
                assert_same(got, expected, f"{name} {x!r} {y!r}")


def test_pairs_report_conditions_once():
    for call in (lambda: eltwise.divmod(np.array([5, 1]), 0), lambda: eltwise.divmod(5, 0)):
        with pytest.warns(RuntimeWarning, match="divide by zero encountered in divmod") as caught:
            call()
        assert len(caught) == 1 and caught[0].filename == __file__
    for x in (np.float32(2.5), 2.5, np.linspace(-3, 3, 7), np.array([1.5], "f2")):
        for name, numpys in (("modf", np.modf), ("frexp", np.frexp)):
            for got, expected in zip(getattr(eltwise, name)(x), numpys(x)):
                assert_same(got, expected, name)
