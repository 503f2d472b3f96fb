"""The arrays that calls return: axis order K, scalars for rank 0, new memory, plain ndarrays."""

import eltwise
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes
from reference import OPERATORS, PLAIN, expected
from support import BF16, LAYOUTS, MAX_RANK, NUMERIC, assert_same, values


@st.composite
def random_layout(draw, shape, dtype="f4"):
    """An array of the shape: permuted axes, some strided, some reversed, some broadcast."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 1, 2, -1, 0])) for _ in shape]
    sizes = [1 if step == 0 and n else n * max(1, abs(step)) for n, step in zip(shape, steps)]
    base = values(dtype, tuple(sizes[axis] for axis in order), draw(st.integers(0, 3)))
    a = base.transpose(np.argsort(order))
    a = a[tuple(slice(None, None, step or 1) for step in steps)]
    return np.broadcast_to(a, shape)


def k_order(*operands):
    """The strides of the output that NumPy's iterator allocates, as for every ufunc."""
    flags = [["readonly"]] * len(operands) + [["writeonly", "allocate"]]
    it = np.nditer([*operands, None], ["zerosize_ok"], flags, order="K", op_dtypes=[o.dtype for o in operands] + ["f4"])
    return it.operands[-1].strides


def same_strides(got, strides):
    """Whether strides are equal for axes with more than one element. Other strides have no meaning."""
    return got.size == 0 or all(g == s for g, s, n in zip(got.strides, strides, got.shape) if n > 1)


@given(st.data())
def test_random_layouts_give_numpys_strides_and_values(data):
    count = data.draw(st.integers(1, 3))
    shapes = data.draw(mutually_broadcastable_shapes(num_shapes=count, min_dims=0, max_dims=5, max_side=6, min_side=0))
    x = [data.draw(random_layout(shape)) for shape in shapes.input_shapes]
    name = {1: "negative", 2: "add", 3: "fma"}[count]
    got = getattr(eltwise, name)(*x)
    assert_same(got, expected(name, *np.broadcast_arrays(*x)))
    assert same_strides(got, k_order(*x)), f"{[o.strides for o in x]}: {got.strides}, expected {k_order(*x)}"
    if count == 2:
        with np.errstate(all="ignore"):
            assert same_strides(got, np.add(*x).strides)


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name", PLAIN)
def test_every_operator_keeps_the_axis_order(name):
    dtype = np.dtype("f4") if OPERATORS[name].takes(np.dtype("f4")) else np.dtype("i4")
    for layout in ("c", "fortran", "rotated", "transposed gaps", "reversed"):
        x = LAYOUTS[layout](values(dtype, (3, 4, 5)))
        cond = LAYOUTS[layout](values(bool, (3, 4, 5)))
        operands = [cond, x, x] if name == "where" else [x] * OPERATORS[name].arity
        got = getattr(eltwise, name)(*operands)
        assert same_strides(got, np.empty_like(x, got.dtype, order="K").strides)


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
def test_rank_zero_results_are_scalars(dtype):
    for name in PLAIN:
        if OPERATORS[name].takes(dtype) and name != "divide":
            x = values(dtype, (), 3)
            operands = [np.True_, x, x] if name == "where" else [x] * OPERATORS[name].arity
            for given_ in (operands, [o[()] for o in operands]):
                got = getattr(eltwise, name)(*given_)
                result = expected(name, *map(np.asarray, operands))
                assert type(got) is result.dtype.type, f"{name} {dtype}: {type(got)}"
                assert_same(got, result, f"{name} {dtype}")
            out = np.ones((), result.dtype)
            assert getattr(eltwise, name)(*operands, out=out) is out
    assert type(eltwise.cast(x, "f2")) is np.float16
    assert type(eltwise.cast(x, "bfloat16")) is BF16.type


def test_results_are_new_plain_arrays():
    for x in (values("f4", (5,)), values("f4", (0,)), values("f4", (3, 4)), values("f4", (2, 3, 0))):
        for got in (
            eltwise.copy(x),
            eltwise.maximum(x, x),
            eltwise.cast(x, "f4"),
            eltwise.relu(x),
            eltwise.where(1, x, x),
        ):
            assert type(got) is np.ndarray
            assert got.flags.writeable and got.flags.aligned and got.dtype.isnative
            assert not np.shares_memory(got, x)
            assert got.shape == x.shape


def test_results_outlive_the_operands():
    kept = [eltwise.add(np.full(n, 1.0, "f4"), n) for n in range(200)]
    assert all((a == 1 + n).all() and len(a) == n for n, a in enumerate(kept))


@pytest.mark.parametrize("rank", [n for n in (5, 16, 31, 32, 33, 63, 64) if n <= MAX_RANK])
def test_high_ranks_equal_numpys(rank):
    shape = (1,) * (rank - 3) + (2, 3, 4)
    x = values("f4", shape).transpose(range(rank)[::-1])
    y = values("f4", (2,), 1)
    with np.errstate(all="ignore"):
        assert_same(eltwise.subtract(x, y[:1]), x - y[:1])
    assert_same(eltwise.negative(x), expected("negative", x))
    ones = np.ones((2,) * min(rank, 12) + (1,) * (rank - min(rank, 12)), "u1")
    assert_same(eltwise.add(ones, ones.T if rank < 13 else ones), np.full(ones.shape, 2, "u1"))


def test_clip_and_aliases_equal_numpys():
    x = values("f4", (40,))
    with np.errstate(all="ignore"):
        x = x[~np.isnan(x)]
        for bounds in ((None, 3), (-2.5, None), (-1, 1), (1, -1), (x[::-1], None), (x[::-1], 0.5)):
            assert_same(eltwise.clip(x, *bounds) + 0, np.clip(x, *bounds) + 0, bounds)
            assert_same(eltwise.clip(x, min=bounds[0], max=bounds[1]) + 0, np.clip(x, *bounds) + 0, bounds)
    assert_same(eltwise.clip(x, None, None), x)
    assert_same(eltwise.clip(x), x)
    out = np.zeros_like(x)
    assert eltwise.clip(x, 0, 1, out=out) is out
    assert_same(out, expected("clamp", x, np.zeros_like(x), np.ones_like(x)))
    n = values("i2", (40,))
    assert_same(eltwise.clip(n, -5, 7), np.clip(n, -5, 7))
    assert_same(eltwise.absolute(x), np.absolute(x))
    assert_same(eltwise.gammaln(x), eltwise.lgamma(x))
    assert_same(eltwise.psi(x), eltwise.digamma(x))
    assert_same(eltwise.invert(n), ~n)
    assert_same(eltwise.bitwise_invert(n), ~n)
