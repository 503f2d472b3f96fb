"""The keywords of NumPy's ufuncs: where, dtype, casting, order, subok, x1 and x2. NumPy is the reference."""

import eltwise
import numpy as np
import pytest
from support import BF16, assert_same

RNG = np.random.default_rng(39)
NUMPY_FUNCTIONS = ["add", "multiply", "maximum", "less", "negative", "abs", "isnan", "floor", "logical_and"]


def drawn(dtype, shape):
    return (RNG.standard_normal(shape) * 50).astype(dtype)


@pytest.mark.parametrize("name", NUMPY_FUNCTIONS)
@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "f8", "f2"])
def test_where_equals_numpys(name, dtype):
    ours, numpys = getattr(eltwise, name), getattr(np, name)
    if name in ("isnan", "floor") and dtype[0] != "f":
        return
    for shape, mask_shape in [((), ()), ((5,), (5,)), ((33, 70), (33, 70)), ((33, 70), (70,)), ((33, 70), (33, 1)), ((300, 300), ())]:
        operands = [drawn(dtype, shape) for _ in range(numpys.nin)]
        result = numpys(*operands).dtype
        mask = RNG.random(mask_shape) < 0.5 if mask_shape else np.bool_(RNG.random() < 0.5)
        for order in "CF":
            old = np.asarray(drawn(result, shape), order=order)
            expected, out = old.copy(order), old.copy(order)
            numpys(*operands, out=expected, where=mask)
            assert ours(*operands, out=out, where=mask) is out
            assert_same(out, expected, f"{name} {dtype} {shape} {mask_shape}")
        zeros = np.zeros(shape, result)
        numpys(*operands, out=zeros, where=mask)
        assert_same(np.asarray(ours(*operands, where=mask)), zeros)


def test_elements_that_the_mask_leaves_out_keep_their_bits():
    bits = RNG.integers(0, 2**32, 1000, "u4")
    out = bits.view("f4").copy()
    mask = RNG.random(1000) < 0.3
    eltwise.add(np.float32(1), np.ones(1000, "f4"), out=out, where=mask)
    assert (out.view("u4")[~mask] == bits[~mask]).all()
    assert (out[mask] == 2).all()
    bf16 = np.arange(64).astype(BF16)
    eltwise.exp(bf16, out=bf16, where=bf16 < 0)
    assert_same(bf16, np.arange(64).astype(BF16))


def test_where_broadcasts_and_casts_with_out():
    x, out, expected = drawn("f4", (40,)), np.full((3, 40), 7.0), np.full((3, 40), 7.0)
    mask = RNG.random((3, 40)) < 0.5
    eltwise.add(x, x, out=out, where=mask)
    np.add(x, x, out=expected, where=mask)
    assert_same(out, expected)
    swapped, native = np.full(40, 9, ">f4"), np.full(40, 9, "f4")
    eltwise.add(x, x, out=swapped, where=mask[0])
    np.add(x, x, out=native, where=mask[0])
    assert_same(swapped.astype("f4"), native)
    line = np.arange(20.0)
    expected = line.copy()
    np.add(line[:-1].copy(), 1, out=expected[1:], where=mask[0][:19])
    eltwise.add(line[:-1], 1, out=line[1:], where=mask[0][:19])
    assert_same(line, expected)
    with pytest.raises(ValueError, match="shape"):
        eltwise.add(x, x, out=np.zeros(40, "f4"), where=mask)
    assert_same(eltwise.add(x[:2], 1, where=[2, 0.0]), np.add(x[:2], 1, where=[2, 0.0], out=np.zeros(2, "f4")))
    with pytest.raises(TypeError, match=r"where is int64\[2\], expected bool"):
        eltwise.add(x[:2], 1, where=np.array([1, 0]))


def test_conditions_count_only_where_the_mask_is_true():
    x, y, out = np.arange(6, dtype="i4"), np.array([1, 0, 2, 0, 3, 0], "i4"), np.full(6, -9, "i4")
    for function in (eltwise.floor_divide, eltwise.remainder, eltwise.fmod, eltwise.trunc_divide):
        out[:] = -9
        function(x, y, out=out, where=y != 0)  # a warning would be an error
        assert (out[1::2] == -9).all() and (out[::2] != -9).all()
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        eltwise.floor_divide(x, y, out=out, where=y < 2)
    eltwise.pow(x, y - 1, out=out, where=y > 0)
    with pytest.raises(ValueError, match="negative"):
        eltwise.pow(x, y - 1, out=out, where=y < 2)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i8", "u2", "c8", "i4", "?"])
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe", None])
def test_dtype_and_casting_equal_numpys(dtype, casting):
    keywords = {"dtype": dtype} if casting is None else {"dtype": dtype, "casting": casting}
    for operands in [(drawn("i4", 9), drawn("f4", 9)), (drawn("i2", 9), 3), (drawn("f8", 9), 1.5), (drawn("u1", 9), drawn("u1", 9))]:
        if casting == "unsafe" and np.dtype(dtype).kind in "iu" and any(np.asarray(x).dtype.kind == "f" for x in operands):
            continue  # NumPy's conversions of floats out of range differ from CPU to CPU
        for name in ("add", "multiply", "maximum"):
            with np.errstate(all="ignore"):
                try:
                    expected = getattr(np, name)(*operands, **keywords)
                except TypeError:
                    expected = None
            if dtype in ("c8", "?"):
                continue  # no dtype that these functions compute in
            if expected is None:
                with pytest.raises(TypeError, match="cast|integer"):
                    getattr(eltwise, name)(*operands, **keywords)
            else:
                assert_same(getattr(eltwise, name)(*operands, **keywords), expected, f"{name} {keywords}")


def test_casting_decides_what_out_may_be():
    x, integers = drawn("f4", 9), np.zeros(9, "i4")
    with pytest.raises(TypeError, match="out"):
        eltwise.add(x, x, out=integers)
    assert_same(eltwise.add(x, x, out=integers, casting="unsafe"), np.add(x, x, out=np.zeros(9, "i4"), casting="unsafe"))
    with pytest.raises(TypeError, match="cannot cast the result from float32 to float16 with casting='safe'"):
        eltwise.add(x, x, out=np.zeros(9, "f2"), casting="safe")
    with pytest.raises(TypeError, match="cannot cast y from float64 to float32 with casting='safe'"):
        eltwise.add(x, x.astype("f8"), dtype="f4", casting="safe")
    with pytest.raises(ValueError, match="casting='any', expected 'no', 'equiv', 'safe', 'same_kind', 'unsafe'"):
        eltwise.add(x, x, casting="any")
    assert eltwise.less(x, 0, dtype=bool).dtype == bool
    with pytest.raises(TypeError, match="dtype is float32, expected bool"):
        eltwise.less(x, 0, dtype="f4")


def test_dtype_of_math_and_of_divisions():
    x = np.arange(1, 9, dtype="i4")
    assert_same(eltwise.exp(x, dtype="f4"), eltwise.exp(x.astype("f4")))
    assert_same(eltwise.divide(x, 3, dtype="f4"), x.astype("f4") / np.float32(3))
    assert_same(eltwise.sum(x, x, x, dtype="i8"), 3 * x.astype("i8"))
    assert eltwise.add(1, 2, dtype="f2").dtype == np.float16
    with pytest.raises(TypeError):
        eltwise.exp(x, dtype="i4", casting="unsafe")


def test_order_is_that_of_the_result():
    c, f = drawn("f4", (5, 6, 7)), np.asfortranarray(drawn("f4", (5, 6, 7)))
    for operands in [(c, c), (f, f), (c, f), (c.transpose(1, 0, 2), f.transpose(1, 0, 2))]:
        for order in "KCFA":
            expected, result = np.add(*operands, order=order), eltwise.add(*operands, order=order)
            assert_same(result, expected)
            if order != "K":
                assert result.strides == expected.strides, order
    with pytest.raises(ValueError, match="order='X', expected 'K', 'C', 'F', 'A'"):
        eltwise.add(c, c, order="X")


def test_operands_have_numpys_names():
    x, y = drawn("f4", 5), drawn("f4", 5)
    assert_same(eltwise.arctan2(x1=x, x2=y), eltwise.atan2(x, y))
    assert_same(eltwise.arctan2(x, x2=y), eltwise.atan2(x, y))
    assert_same(eltwise.subtract(x1=x, x2=y), x - y)
    assert_same(eltwise.subtract(x, x2=y), x - y)
    assert_same(eltwise.clip(x, a_min=-1, a_max=1), np.clip(x, -1, 1))
    assert_same(eltwise.clip(x, 0, where=y > 0, out=y.copy()), np.maximum(x, 0, out=y.copy(), where=y > 0))
    for call, message in [
        (lambda: eltwise.exp(x1=x), "unexpected keyword argument 'x1'"),
        (lambda: eltwise.subtract(x, x1=y), "multiple values for argument 'x1'"),
        (lambda: eltwise.add(x, y, None, "numpy", -1, "fast", True), "takes at most 6 arguments"),
        (lambda: eltwise.clip(x, 0, a_min=1), "both given"),
    ]:
        with pytest.raises(TypeError, match=message):
            call()


def test_a_mask_keeps_elements_of_outputs_that_are_operands():
    x, other, mask = np.array([7, 8, 9, 10]), np.full(4, -5), np.array([True, False, True, False])
    eltwise.divmod(x, 3, out=(x, other), where=mask)
    assert_same(x, np.array([2, 8, 3, 10]))
    assert_same(other, np.array([1, -5, 0, -5]))
    floats = np.array([1.5, 2.5])
    eltwise.frexp(floats, out=(floats, None), where=[True, False])
    assert_same(floats, np.array([0.75, 2.5]))


def test_dtype_converts_once():
    x = np.array([(1 << 60) + (1 << 36) + 1])
    assert_same(eltwise.rint(x, dtype="f4", casting="unsafe"), np.rint(x, dtype="f4", casting="unsafe"))
    assert_same(eltwise.bitwise_and(np.uint64([7]), np.int64([3]), dtype="i8"), np.int64([3]))
    assert_same(eltwise.add([1.0], 1, order=None), eltwise.add([1.0], 1, order="c"))
    with pytest.raises(TypeError, match="where is MaskedArray"):
        eltwise.add([1, 2], 1, where=np.ma.array([True, True], mask=[0, 1]))
    with pytest.raises(TypeError, match="where is NoneType"):
        eltwise.add([1, 2], 1, where=None)


def test_functions_with_two_results_take_a_mask():
    x, mask = drawn("f8", 9), np.arange(9) % 2 == 0
    for name in ("modf", "frexp"):
        second = np.full(9, 7, "i4" if name == "frexp" else "f8")
        expected, outs = (np.full(9, 7.0), second.copy()), (np.full(9, 7.0), second.copy())
        getattr(np, name)(x, out=expected, where=mask)
        getattr(eltwise, name)(x, out=outs, where=mask)
        for ours, numpys in zip(outs, expected, strict=True):
            assert_same(ours, numpys)
    assert [part.dtype for part in eltwise.sincos(np.arange(3), dtype="f4")] == [np.float32, np.float32]


def test_variadic_functions_keep_out_by_keyword():
    x, out, mask = drawn("f4", 9), np.zeros(9, "f4"), np.arange(9) % 2 == 0
    for name in ("sum", "mean", "maximum", "minimum"):
        whole = getattr(eltwise, name)(x, x, x, 1)
        out[:] = 5
        assert getattr(eltwise, name)(x, x, x, 1, out=out, where=mask) is out
        assert_same(out, np.where(mask, whole, np.float32(5)))


def test_a_mask_changes_no_dtype_of_divisions():
    x, y, every = np.array([2**63 + 5, 7], "u8"), np.array([True, True]), [True, True]
    for name in ("floor_divide", "remainder", "fmod", "pow", "trunc_divide"):
        function = getattr(eltwise, name)
        assert_same(function(x, y, where=every), function(x, y))
        assert_same(function(np.uint8([5, 6]), True, where=every), function(np.uint8([5, 6]), True))
    f = eltwise.compile("(x**y)*100")
    assert_same(f(np.uint8([5, 6]), y, where=every), f(np.uint8([5, 6]), y))
    x, y = np.full((2, 2), 100.0), np.array([7, 30.0])
    assert_same(eltwise.remainder(x, y, broadcast="pdpd", axis=0, where=x > 0), eltwise.remainder(x, y, broadcast="pdpd", axis=0))
    # An output of a pair may overlap the mask.
    mask = np.array([1, 0, 1, 0], "u1")
    rest = np.full(4, 9, "u1")
    eltwise.divmod(np.array([2, 2, 7, 7], "u1"), np.full(4, 3, "u1"), out=(mask, rest), where=mask.view(bool))
    assert mask.tolist() == [0, 0, 2, 0] and rest.tolist() == [2, 9, 1, 9]


def test_casting_holds_for_integers_that_become_floats():
    for call in (eltwise.rint, eltwise.modf):
        call(np.array([1, 2]), casting="safe")
        for casting in ("no", "equiv"):
            with pytest.raises(TypeError, match=f"cannot cast x from int64 to float64 with casting='{casting}'"):
                call(np.array([1, 2]), casting=casting)
