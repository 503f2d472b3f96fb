"""`out=`: any array that the result fits is written as if nothing overlapped; others raise and are unchanged."""

import eltwise
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import OPERATORS, PLAIN, cast, expected
from support import BF16, BOOL, LAYOUTS, NUMERIC, assert_same, values

WRITABLE = [name for name in LAYOUTS if name != "read-only"]


def example(name, shape=(6, 5)):
    """A function, operands that it takes, and the expected result."""
    dtype = np.dtype("f4") if OPERATORS[name].takes(np.dtype("f4")) else np.dtype("i4")
    dtypes = [BOOL, dtype, dtype] if name == "where" else [dtype] * OPERATORS[name].arity
    x = [values(d, shape, seed) for seed, d in enumerate(dtypes)]
    return getattr(eltwise, name), x, expected(name, *x)


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("layout", WRITABLE)
def test_out_may_have_any_layout(name, layout):
    function, x, result = example(name)
    out = LAYOUTS[layout](np.ones_like(result))
    assert function(*x, out=out) is out
    assert_same(np.asarray(out, result.dtype), result)
    out[...] = 0
    assert function(*x, out=(out,)) is out
    assert_same(np.asarray(out, result.dtype), result)


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name", [n for n in PLAIN if OPERATORS[n].gives != "bool"])
def test_out_may_be_an_operand(name):
    for shape in [(), (1,), (40,), (33, 17), (400, 400)]:
        for position in range(OPERATORS[name].arity):
            function, x, result = example(name, shape)
            if x[position].dtype == result.dtype:
                target = x[position]
                assert function(*x, out=target) is target
                assert_same(target, result, f"{name} {shape} {position}")


def test_one_array_may_be_every_operand_and_out():
    x = values("f4", (33, 17))
    result = expected("fma", x, x, x)
    assert_same(eltwise.fma(x, x, x, out=x), result)


@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8", BF16], ids=str)
@pytest.mark.parametrize("shift", [-40, -7, -1, 1, 3, 40])
def test_out_may_be_a_shifted_operand(dtype, shift):
    """Shifts in both directions, by less and more than a vector."""
    for n in (50, 1000, 70_000):
        memory = values(dtype, (n + 80,))
        x, out = memory[40 : 40 + n], memory[40 + shift : 40 + shift + n]
        result = expected("maximum", x.copy(), x[::-1].copy())
        assert eltwise.maximum(x, x[::-1], out=out) is out
        assert_same(out, result, f"{dtype} {shift} {n}")


@given(st.data())
def test_random_overlaps_equal_copies(data):
    """Two operands and an output are views of one array, with any direction and step."""
    rows, columns = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 40))

    def window(memory):
        steps = [data.draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in range(2)]
        starts = [data.draw(st.integers(0, 30)) for _ in range(2)]
        view = memory[starts[0] :, starts[1] :][: rows * abs(steps[0]), : columns * abs(steps[1])]
        return view[:: steps[0], :: steps[1]]

    memory = values(data.draw(st.sampled_from(["u1", "f4", "i8"])), (60, 120))
    x, y, out = window(memory), window(memory), window(memory)
    after = memory.copy()
    out_after = np.ndarray(out.shape, out.dtype, after, out.ctypes.data - memory.ctypes.data, out.strides)
    out_after[...] = expected("subtract", x.copy(), y.copy())
    eltwise.subtract(x, y, out=out)
    assert_same(memory, after)


def test_out_may_be_a_transposed_operand():
    for n in (3, 40, 500):
        x = values("f4", (n, n))
        result = expected("add", x, x.T)
        eltwise.add(x, x.T, out=x)
        assert_same(x, result, n)
        result = x.T.copy()
        eltwise.copy(x.T, out=x)
        assert_same(x, result, n)


def test_out_may_be_a_reversed_operand():
    x = values("i2", (3001,))
    result = x[::-1].copy()
    eltwise.copy(x[::-1], out=x)
    assert_same(x, result)


def test_a_broadcast_operand_may_be_a_part_of_out():
    x = values("f4", (30, 20))
    for part in (x[:1], x[:, :1], x[7, 3, ...], x[-1], x[:, 19:]):
        result = expected("subtract", *np.broadcast_arrays(x.copy(), part.copy()))
        y = x.copy()
        view = np.ndarray(part.shape, x.dtype, y, part.ctypes.data - x.ctypes.data, part.strides)
        eltwise.subtract(y, view, out=y)
        assert_same(y, result, part.shape)


def test_a_larger_out_in_every_mode():
    """The mode applies to the operands only. The result is aligned with `out` at the last axis."""
    a, b = values("i4", (2, 3, 4, 5)), values("i4", (3, 4), 1)
    result = a + b[:, :, None]
    for shape in ((7, 2, 3, 4, 5), (1, 2, 3, 4, 5), (2, 7, 2, 3, 4, 5)):
        out = np.zeros(shape, "i4")
        assert eltwise.add(a, b, out=out, broadcast="pdpd", axis=1) is out
        assert_same(out, np.broadcast_to(result, shape), shape)
        out = np.zeros(shape, "i4")
        eltwise.compile("add(a, b, broadcast=pdpd, axis=1)", "ab")(a, b, out=out)
        assert_same(out, np.broadcast_to(result, shape), shape)
        for mode, y in (("none", a), ("unidirectional", a[0]), ("numpy", a[:, :1])):
            assert_same(eltwise.add(a, y, out=np.zeros(shape, "i4"), broadcast=mode), np.broadcast_to(a + y, shape))
    out = np.zeros((3, 6, 5), "i4")
    for b in (values("i4", (6,)), values("i4", (6, 1)), values("i4", (1,))):
        eltwise.add(values("i4", (6, 1)), b, out=out, broadcast="pdpd", axis=0)
        assert_same(out, np.broadcast_to(values("i4", (6, 1)) + b.reshape(-1, 1), out.shape))


def test_a_larger_out_of_an_expression():
    f = eltwise.compile("a + 1", "ab")
    for unused in ((5,), (1, 1, 1, 1, 3), (0,), (2, 3)):
        assert_same(f(X[0, :3], np.ones(unused), out=np.zeros((2, 3), "f4")), np.stack([X[0, :3] + np.float32(1)] * 2))
    g = eltwise.compile("a + broadcast_to(b, [3, 1, 4])", "ab")
    a, b = values("i4", (4, 1)), values("i4", (3, 1, 1), 1)
    result = np.broadcast_to(a + np.broadcast_to(b, (3, 1, 4)), (2, 3, 4, 4))
    assert_same(g(a, b, out=np.zeros((2, 3, 4, 4), "i4")), result)
    assert_same(g(a, b, out=np.zeros((3, 4, 4), "i4")), result[0])
    assert_same(eltwise.compile("broadcast_to(a, [1])")(np.ones(1), out=np.zeros((2, 3))), np.ones((2, 3)))


def test_results_broadcast_to_a_larger_out():
    out = np.zeros((3, 4, 5), "f4")
    x, y = values("f4", (5,)), values("f4", (4, 1), 1)
    assert eltwise.multiply(x, y, out=out) is out
    assert_same(out, np.broadcast_to(expected("multiply", *np.broadcast_arrays(x, y)), out.shape))
    assert_same(eltwise.negative(2.0, out=np.zeros((2, 2), "f4")), np.full((2, 2), -2, "f4"))
    assert_same(eltwise.add(x[:1], 1, out=np.zeros(0, "f4")), np.zeros(0, "f4"))


@pytest.mark.parametrize("target", NUMERIC, ids=str)
def test_out_may_have_another_dtype_of_the_same_kind(target):
    """Results are cast if `np.can_cast(.., "same_kind")`; else the call raises TypeError."""
    for dtype in NUMERIC:
        x, y = values(dtype, (40,)), values(dtype, (40,), 1)
        out = np.ones((40,), target)
        if np.can_cast(dtype, target, "same_kind"):
            eltwise.maximum(x, y, out=out)
            assert_same(out, cast(expected("maximum", x, y), target), f"{dtype} into {target}")
        else:
            with pytest.raises(TypeError):
                eltwise.maximum(x, y, out=out)
            assert_same(out, np.ones((40,), target))
        compared = np.ones((40,), target)
        if np.can_cast(bool, target, "same_kind"):
            eltwise.less(x, y, out=compared)
            assert_same(compared, expected("less", x, y).astype(target), f"less of {dtype} into {target}")


def test_out_may_be_an_operand_of_another_dtype():
    x = values("f4", (33, 17))
    result = x.astype("f8") + np.arange(17.0)
    assert eltwise.add(x, np.arange(17.0), out=x) is x
    with np.errstate(invalid="ignore"):
        assert_same(x, cast(result, "f4"))


X, Y = values("f4", (3, 4)), values("f4", (4,), 1)


@pytest.mark.parametrize(
    "out, error",
    [
        (LAYOUTS["read-only"](X), ValueError),
        (np.broadcast_to(np.zeros(4, "f4"), (3, 4)), ValueError),
        (np.zeros((3, 5), "f4"), ValueError),
        (np.zeros(4, "f4"), ValueError),
        (np.zeros((1, 4), "f4"), ValueError),
        (np.zeros((), "f4"), ValueError),
        (np.zeros((3, 0), "f4"), ValueError),
        (np.zeros((3, 4), "i4"), TypeError),
        (np.zeros((3, 4), bool), TypeError),
        (np.zeros((3, 4), "S4"), TypeError),
        (np.zeros((3, 4), object), TypeError),
        ([[0.0] * 4] * 3, TypeError),
        (np.float32(1), TypeError),
        (memoryview(np.zeros((3, 4), "f4")), TypeError),
        (0.0, TypeError),
        ("out", TypeError),
        ((), (TypeError, ValueError)),
        ((np.zeros((3, 4), "f4"),) * 2, (TypeError, ValueError)),
        ([np.zeros((3, 4), "f4")], TypeError),
        ((1.0,), TypeError),
    ],
    ids=lambda v: str(getattr(v, "dtype", type(v).__name__)) + str(getattr(v, "shape", "")),
)
def test_invalid_outputs_raise_and_are_unchanged(out, error):
    before = np.array(out, copy=True) if isinstance(out, np.ndarray) else None
    with pytest.raises(error):
        eltwise.add(X, Y, out=out)
    if before is not None:
        np.testing.assert_array_equal(out, before)


def test_an_output_that_overlaps_itself_does_not_crash():
    """The output raises, or gets unspecified values; nothing is written outside it."""
    memory = np.zeros(64, "f4")
    out = np.lib.stride_tricks.as_strided(memory[8:], (5, 6), (4, 4), writeable=True)
    try:
        eltwise.add(np.ones((5, 6), "f4"), 1, out=out)
    except ValueError:
        pass
    assert not memory[:8].any() and not memory[18:].any()


def test_out_may_be_none_and_positional():
    assert_same(eltwise.add(X, Y, None), expected("add", X, np.broadcast_to(Y, X.shape)))
    out = np.zeros_like(X)
    assert eltwise.add(X, Y, out) is out


def test_memory_next_to_out_is_unchanged():
    for n in range(70):
        for dtype in NUMERIC:
            memory = np.full(n + 64, 1, dtype)
            eltwise.cast(np.zeros(n, dtype), out=memory[32 : 32 + n])
            assert memory[:32].all() and memory[32 + n :].all() and not memory[32 : 32 + n].any()


def test_an_error_says_what_out_is():
    x = np.ones(3, "f4")
    for out, given in [([1], "list"), (([1],), "list"), ((), "a tuple of 0"), ((x, x), "a tuple of 2")]:
        with pytest.raises(TypeError, match=f"out is {given}, expected a numpy.ndarray or a tuple of one"):
            eltwise.sqrt(x, out=out)
