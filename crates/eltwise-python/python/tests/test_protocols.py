"""Objects of other libraries as operands: labels, dimensions, tensors, subclasses, and classes that compute by themselves."""

import importlib.util
import subprocess
import sys
import warnings

import eltwise
import numpy as np
import pytest
from support import BF16, assert_same

A, B = np.linspace(-2, 3, 6).reshape(2, 3), np.linspace(1, 4, 6).reshape(2, 3)
EXPRESSION = eltwise.compile("a * b + 1")
PAIR = eltwise.compile("sin(a); cos(a)")


class Labelled(np.ndarray):
    """A subclass without methods."""


def test_series_keep_their_labels():
    pandas = pytest.importorskip("pandas")
    x = pandas.Series(A[0], index=list("abc"), name="x")
    y = pandas.Series(B[0], index=list("abc"), name="y")
    result = eltwise.add(x, y)
    pandas.testing.assert_series_equal(result, pandas.Series(A[0] + B[0], index=list("abc")))
    pandas.testing.assert_series_equal(eltwise.exp(x), pandas.Series(eltwise.exp(A[0]), index=list("abc"), name="x"))
    pandas.testing.assert_series_equal(EXPRESSION(x, 2), pandas.Series(A[0] * 2 + 1, index=list("abc"), name="x"))
    assert [type(part) for part in PAIR(x)] == [pandas.Series] * 2
    assert [type(part) for part in eltwise.divmod(x, 2)] == [pandas.Series] * 2
    assert_same(eltwise.exp(x, out=np.zeros(3)), eltwise.exp(A[0]))
    for call in (lambda: eltwise.add(x, y[::-1]), lambda: EXPRESSION(x, b=pandas.Series(B[0]))):
        with pytest.raises(ValueError, match=r"the indexes of two operands differ.*align"):
            call()


def test_frames_keep_their_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(A, index=["p", "q"], columns=list("xyz"))
    pandas.testing.assert_frame_equal(eltwise.tanh(frame), pandas.DataFrame(eltwise.tanh(A), ["p", "q"], list("xyz")))
    pandas.testing.assert_frame_equal(eltwise.add(frame, B), frame + B)
    with pytest.raises(ValueError, match="columns"):
        eltwise.add(frame, frame[list("zyx")])
    with pytest.raises(ValueError, match="a Series and a DataFrame"):
        eltwise.add(frame, frame["x"])


def test_columns_of_different_dtypes_are_computed_one_by_one():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [2**60 + 1, 2], "b": [1.5, 2.5], "c": [True, False]})
    pandas.testing.assert_frame_equal(eltwise.add(frame[["a", "b"]], 0), frame[["a", "b"]] + 0)
    pandas.testing.assert_frame_equal(eltwise.logical_not(frame), np.logical_not(frame))
    assert [list(part.columns) for part in PAIR(frame[["a", "b"]])] == [["a", "b"]] * 2
    with pytest.raises(TypeError, match="has missing values"):
        eltwise.greater(pandas.Series([1, None], dtype="Int64"), 0)
    with pytest.raises(TypeError, match="out is a pandas.Series"):
        eltwise.add(np.ones(2), 1.0, out=(frame["b"],))


def test_frames_of_several_dtypes_broadcast():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3, 4]}, index=["x", "y"])
    column, row = np.array([[10.0], [20.0]]), np.array([1.0, 2.0])
    assert eltwise.add(frame, column).to_numpy().tolist() == [[11, 13], [22, 24]]
    assert eltwise.add(frame, row).to_numpy().tolist() == [[2, 5], [3, 6]]
    assert eltwise.add(frame, 1, where=column > 10).loc["y"].tolist() == [3, 5]
    out = np.zeros((2, 2))
    assert eltwise.add(frame, 1, out=out) is out and out.tolist() == [[2, 4], [3, 5]]
    with pytest.raises(ValueError, match=r"the result has shape \(3, 2\)"):
        eltwise.add(frame["a"], np.ones((3, 1)))
    for call in (
        lambda: eltwise.add(frame, np.ones(3)),
        lambda: eltwise.add(frame, 1, where=[True, False, True]),
        lambda: eltwise.add(frame, np.ones((2, 2, 2))),
    ):
        with pytest.raises(ValueError, match="does not broadcast to the shape"):
            call()
    with pytest.raises(TypeError, match="broadcast"):
        eltwise.add(frame, row, broadcast="pdpd", axis=0)
    frame.attrs["unit"] = "K"
    assert eltwise.add(frame, 1).attrs == eltwise.add(frame["a"], 1).attrs == {"unit": "K"}
    assert eltwise.log(frame["a"], where=(frame["a"] > 1).rename("m")).name == "a"
    whole = pandas.DataFrame({"a": [1, 2], "b": [3, 4]}, dtype="Int64")
    assert eltwise.add(whole, 1).to_numpy().tolist() == [[2, 4], [3, 5]]
    with pytest.raises(TypeError, match="missing values"):
        eltwise.add(pandas.Index([2**60 + 1, None], dtype="Int64"), 0)
    index = pandas.Index([1.0, 2.0], name="i")
    assert eltwise.exp(index).equals(pandas.Index(eltwise.exp(index.to_numpy()))) and eltwise.exp(index).name == "i"
    assert eltwise.add(frame["a"], index).tolist() == [2, 4]


def test_classes_that_derive_from_pandas_are_known():
    pandas = pytest.importorskip("pandas")

    class Derived(pandas.Series):
        @property
        def _constructor(self):
            return Derived

    x = Derived([1.0, 2.0], index=[0, 1])
    assert type(eltwise.add(x, 1)) is Derived and eltwise.compile("a + 1")(x).tolist() == [2, 3]
    with pytest.raises(ValueError, match="indexes of two operands differ"):
        eltwise.add(x, Derived([1.0, 2.0], index=[1, 2]))


def test_arguments_by_name_and_position():
    class Derived(np.ndarray):
        pass

    x = np.ones(2).view(Derived)
    assert type(eltwise.add(x1=x, x2=1)) is type(eltwise.exp(x=x)) is type(eltwise.add(x, 1)) is Derived
    out = np.zeros(2)
    assert eltwise.add(x, 1, out) is out and out.tolist() == [2, 2]
    with pytest.raises(TypeError, match="multiple values for argument 'out'"):
        eltwise.add(x, 1, out, out=out)
    with pytest.raises(TypeError, match="at most 6 positional"):
        eltwise.add(x, 1, out, "numpy", -1, "fast", 1)


def test_names_of_options_may_be_names_of_operands():
    torch = pytest.importorskip("torch")
    x = torch.tensor([1.0, 2.0])
    for name in ("out", "order", "dtype", "where"):
        double = eltwise.compile(f"{name} * 2")
        assert torch.equal(double(**{name: x}), 2 * x)
    out = np.zeros((1, 2))
    low, high = eltwise.compile("a + 1; a * 2")(x.numpy()[None].view(Labelled), out=(out, None))
    assert low is out and type(high) is Labelled and (high == [[2, 4]]).all()
    (one,) = eltwise.compile(["a + 1"])(x, out=torch.zeros(2))
    assert torch.equal(one, x + 1)
    whole, parts = torch.zeros(2), torch.zeros(2)
    assert eltwise.divmod(x, 1, out=(whole, parts))[0] is whole and torch.equal(whole, x)
    assert isinstance(eltwise.rint(x.to(torch.bfloat16)), torch.Tensor)
    assert isinstance(eltwise.modf(x)[0], torch.Tensor)


def test_dimensions_are_matched_by_name():
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(A, dims=("time", "place"), coords={"time": [10, 20]}, attrs={"unit": "K"})
    y = xarray.DataArray(B.T, dims=("place", "time"), coords={"time": [10, 20]})
    result = eltwise.multiply(x, y)
    assert result.dims == ("time", "place") and result.attrs == {"unit": "K"}
    assert_same(result.to_numpy(), A * B)
    xarray.testing.assert_equal(EXPRESSION(x, b=y), x * y + 1)
    assert_same(eltwise.exp(x.variable).to_numpy(), eltwise.exp(A))
    dataset = xarray.Dataset({"u": x, "v": y})
    xarray.testing.assert_equal(eltwise.negative(dataset), -dataset)
    (one,) = eltwise.compile(["a + 1"])(x)
    xarray.testing.assert_equal(one, x + 1)
    xarray.testing.assert_equal(eltwise.rint(dataset), np.rint(dataset))
    sine, cosine = PAIR(x)
    assert sine.dims == cosine.dims == x.dims
    with pytest.raises(ValueError, match="differ"):
        eltwise.add(x, y.assign_coords(time=[10, 21]))
    with pytest.raises(TypeError, match="out"):
        eltwise.add(x, y, out=np.zeros((2, 3)))


def test_tensors_share_memory():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.bool):
        x = torch.arange(12).reshape(3, 4).to(dtype)
        for view in (x, x.T, x[:, ::2], x[1:, 1:]):
            result = eltwise.maximum(view, view) if dtype != torch.bool else eltwise.logical_and(view, view)
            assert type(result) is torch.Tensor and result.dtype == dtype
            assert torch.equal(result, view)
            out = torch.zeros_like(view)
            addresses = view.data_ptr(), out.data_ptr()
            if dtype != torch.bool:
                assert eltwise.add(view, view, out=out) is out
                assert torch.equal(out, view + view)
            assert (view.data_ptr(), out.data_ptr()) == addresses
    out = torch.zeros(3)
    assert eltwise.add(torch.ones(3), torch.ones(3), out) is out and out.tolist() == [2, 2, 2]
    assert eltwise.cast(torch.ones(3), torch.float16).dtype == torch.float16
    x = torch.linspace(-3, 3, 64).to(torch.bfloat16)
    ours = eltwise.gelu(x)
    assert_same(ours.view(torch.int16).numpy().view(BF16), eltwise.gelu(x.view(torch.int16).numpy().view(BF16)))
    assert isinstance(EXPRESSION(x, b=x), torch.Tensor) and isinstance(PAIR(x)[1], torch.Tensor)
    with pytest.raises(TypeError, match="requires gradients"):
        eltwise.exp(torch.ones(3, requires_grad=True))
    with pytest.raises(TypeError, match="is on"):
        eltwise.exp(torch.ones(3, device="meta"))


JAX = """
import eltwise, jax, numpy as np
x = jax.numpy.arange(6, dtype="float32")
result = eltwise.exp(x)
assert isinstance(result, jax.Array)
assert (np.asarray(result) == eltwise.exp(np.arange(6, dtype="f4"))).all()
assert eltwise.add(x.astype("bfloat16"), 1).dtype == "bfloat16"
# Without x64, floats become float32 as everywhere in JAX; integers are not shortened.
assert eltwise.sqrt(jax.numpy.array([4, 9])).dtype == "float32"
for call in (lambda: eltwise.cast(x, "int64"), lambda: eltwise.add(x, 1, dtype="float64")):
    try:
        call()
    except TypeError as error:
        assert "jax_enable_x64" in str(error)
    else:
        raise AssertionError("not refused")
"""


def test_jax_arrays_come_back():
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed")
    # In a separate process: JAX warns of every fork after it, and other tests fork.
    subprocess.run([sys.executable, "-c", JAX], check=True)


def test_subclasses_are_wrapped_as_numpy_does(tmp_path):
    class Old(np.ndarray):
        def __array_wrap__(self, array, context=None):
            return array.view(Old)

    assert type(eltwise.add(A.view(Old), 1)) is Old

    x = A.view(Labelled)
    assert type(eltwise.add(x, 1)) is type(np.add(x, 1)) is Labelled
    assert type(eltwise.add(x, 1, subok=False)) is np.ndarray
    assert type(eltwise.add(A, 1)) is np.ndarray
    assert [type(part) for part in eltwise.modf(x)] == [Labelled] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix(A)
        assert type(eltwise.multiply(matrix, 2)) is np.matrix
    A.tofile(tmp_path / "a")
    memory_map = np.memmap(tmp_path / "a", A.dtype, "r", shape=A.shape)
    assert type(eltwise.add(memory_map, 1)) is type(np.add(memory_map, 1))
    out = np.zeros_like(A).view(Labelled)
    assert eltwise.add(A, 1, out=out) is out


def test_classes_that_compute_by_themselves_do():
    pint = pytest.importorskip("pint")
    length = [1.0, 2.0] * pint.UnitRegistry().metre
    assert (eltwise.add(length, length) == 2 * length).all()
    assert str(eltwise.multiply(length, length).units) == "meter ** 2"
    assert (eltwise.add(x1=length, x2=length) == 2 * length).all()
    assert str(eltwise.sqrt(length, accuracy="fast").units) == "meter ** 0.5"
    with pytest.raises(TypeError, match="computes by itself"):
        eltwise.maximum(length, length, length)
    with pytest.raises(TypeError, match="computes by itself"):
        eltwise.gelu(length)
    with pytest.raises(TypeError, match="computes by itself"):
        EXPRESSION(length, 2)


def test_a_class_may_refuse():
    class Refusing:
        __array_ufunc__ = None

    for call in (lambda: eltwise.add(A, Refusing()), lambda: EXPRESSION(A, Refusing()), lambda: eltwise.exp(A, out=Refusing())):
        with pytest.raises(TypeError, match="__array_ufunc__ is None"):
            call()
