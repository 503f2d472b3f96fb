"""Errors name the operator, the operands with their dtypes and shapes, and what was expected."""

import eltwise
import numpy as np
import pytest
from reference import BINARY, OPERATORS, PLAIN
from support import outcome

A, B = np.ones((3, 4), "f4"), np.ones((5, 4), "f4")
C, D = np.ones((3, 4), "i4"), np.ones((5, 4), "i4")


def pair(name):
    return (A, B) if OPERATORS[name].takes(A.dtype) else (C, D)


@pytest.mark.parametrize("name", BINARY)
def test_shapes_that_do_not_broadcast(name):
    x, y = pair(name)
    names = {"heaviside": "h", "prelu": "slope", "leaky_relu": "alpha", "thresholded_relu": "alpha", "scalb": "n", "hardshrink": "lambd"}
    second = names.get(name, "y")
    with pytest.raises(ValueError) as raised:
        getattr(eltwise, name)(x, y)
    message = str(raised.value)
    assert message == (
        f"{name}(x: {x.dtype}[3, 4], {second}: {y.dtype}[5, 4]):"
        " cannot broadcast [3, 4] with [5, 4] (numpy): axis 0 is 3 and 5"
    )


@pytest.mark.parametrize("name", [n for n in PLAIN if OPERATORS[n].arity == 3])
def test_shapes_of_three_operands_that_do_not_broadcast(name):
    with pytest.raises(ValueError, match=rf"^{name}\(") as raised:
        getattr(eltwise, name)(A, B, A)
    assert all(part in str(raised.value) for part in ("float32[3, 4]", "float32[5, 4]", "axis 0"))


@pytest.mark.parametrize("name", PLAIN)
def test_out_of_another_shape(name):
    x = pair(name)[0]
    with pytest.raises(ValueError) as raised:
        getattr(eltwise, name)(*[x] * OPERATORS[name].arity, out=np.zeros((2, 2), "f4"))
    message = str(raised.value)
    assert name in message and "[2, 2]" in message and "[3, 4]" in message


@pytest.mark.parametrize("name", PLAIN)
def test_out_of_another_kind(name):
    x = pair(name)[0]
    with pytest.raises(TypeError) as raised:
        getattr(eltwise, name)(*[x] * OPERATORS[name].arity, out=np.zeros((3, 4), "S3"))
    message = str(raised.value)
    assert name in message and "S3" in message


@pytest.mark.parametrize("name", PLAIN)
def test_unsupported_numpy_dtypes(name):
    for dtype in ("c8", "U3", "O", "M8[s]", "g"):
        if name in ("where", "copy") and dtype != "O" and dtype != "U3":
            continue
        with pytest.raises(TypeError) as raised:
            getattr(eltwise, name)(*[np.zeros((3, 4), dtype)] * OPERATORS[name].arity)
        assert name in str(raised.value) and str(np.dtype(dtype)) in str(raised.value), raised.value


def test_dtypes_that_an_operator_does_not_take():
    for call in (lambda: eltwise.bitwise_and(A, A), lambda: eltwise.bitwise_not(A)):
        with pytest.raises(TypeError, match=r"bitwise_.*float32\[3, 4\]"):
            call()
    with pytest.raises(TypeError, match=r"subtract\(x: bool\[2\], y: bool\[2\]\)"):
        eltwise.subtract([True, False], [True, False])
    with pytest.raises(TypeError, match="negative.*bool"):
        eltwise.negative(np.True_)


def test_python_integers_out_of_range():
    with pytest.raises(OverflowError, match=r"^add\(x: uint8\[3\], y: int\): .*300"):
        eltwise.add(np.ones(3, "u1"), 300)
    with pytest.raises(OverflowError, match=r"^multiply\(x: int, y: uint64\[3\]\): .*-1"):
        eltwise.multiply(-1, np.ones(3, "u8"))


def test_positional_and_keyword_arguments():
    x = np.ones(3, "f4")
    assert (eltwise.add(x=x, y=x) == 2).all()
    assert (eltwise.clamp(x, lo=2, hi=3) == 2).all()
    assert (eltwise.clamp(x=x, lo=2, hi=3) == 2).all()
    assert (eltwise.fma(x=x, y=x, z=x) == 2).all()
    assert (eltwise.where(cond=x, x=x, y=0) == 1).all()
    assert (eltwise.negative(x=x) == -1).all()
    for call in (
        lambda: eltwise.add(),
        lambda: eltwise.add(x),
        lambda: eltwise.add(x, x, x=x),
        lambda: eltwise.add(x, x, None, "numpy", -1, "fast", 0),
        lambda: eltwise.add(x, x, nonsense=1),
        lambda: eltwise.negative(x, x, x, x),
        lambda: eltwise.negative(),
        lambda: eltwise.clamp(x, 1),
        lambda: eltwise.add(x, x, **{"": 1}),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("name", PLAIN)
def test_accuracy_is_accepted_if_it_is_a_parameter(name):
    x = [pair(name)[0]] * OPERATORS[name].arity
    function = getattr(eltwise, name)
    for tier in ("fast", "correct", "exact"):
        got, error = outcome(function, *x, accuracy=tier)
        assert error in (None, TypeError) and (error is None) == ("accuracy" in function.__text_signature__)
    if "accuracy" in function.__text_signature__:
        for bad in ("Fast", "", "best"):
            with pytest.raises(ValueError):
                function(*x, accuracy=bad)
        for bad in (None, 3, b"fast"):
            with pytest.raises((TypeError, ValueError)):
                function(*x, accuracy=bad)


def test_masked_arrays_raise():
    masked = np.ma.masked_array([1.0, 2.0], [True, False])
    for name in PLAIN:
        for position in range(OPERATORS[name].arity):
            operands = [np.ones(2, "i4")] * OPERATORS[name].arity
            operands[position] = masked.astype("i4")
            with pytest.raises(TypeError, match="[Mm]asked"):
                getattr(eltwise, name)(*operands)
        with pytest.raises(TypeError):
            getattr(eltwise, name)(*[np.ones(2, "i4")] * OPERATORS[name].arity, out=masked)
    with pytest.raises(TypeError, match="[Mm]asked"):
        eltwise.compile("a + b")(masked, 1)


def test_other_subclasses_are_accepted(tmp_path):
    class Subclass(np.ndarray):
        pass

    plain = np.arange(12, dtype="f4").reshape(3, 4)
    mapped = np.memmap(tmp_path / "a", "f4", "w+", shape=(3, 4))
    mapped[...] = plain
    for x in (plain.copy().view(Subclass), mapped):
        assert (eltwise.add(x, 1) == plain + 1).all()
        assert eltwise.multiply(x, 2, out=x) is x
        assert (x == plain * 2).all()


def test_messages_for_many_operands_are_short():
    many = [A] * 250
    names = [f"a{i}" for i in range(250)]
    expression = eltwise.compile(" + ".join(names))
    for call, text in [
        (lambda: eltwise.sum(*many, B), "cannot broadcast [3, 4] with [5, 4]"),
        (lambda: eltwise.sum(*many, np.ones(3, "O")), "does not take arrays of dtype object"),
        (lambda: eltwise.sum(*many, out=np.ones(3)), "[3]"),
        (lambda: expression(*many[1:], B), "cannot broadcast [3, 4] with [5, 4]"),
        (lambda: expression(*many[1:], np.ones(3, "O")), "does not take arrays of dtype object"),
        (lambda: expression(*many[1:], None), "None is not an operand"),
        (lambda: expression(*many, A), "251 given"),
    ]:
        with pytest.raises((TypeError, ValueError)) as raised:
            call()
        message = str(raised.value)
        assert text in message and len(message) < 700, message
    with pytest.raises(ValueError) as raised:
        eltwise.sum(*many, B)
    assert "operand 7: float32[3, 4], ... (251 operands)" in str(raised.value)
    # Short lists are complete.
    with pytest.raises(ValueError) as raised:
        eltwise.sum(*[A] * 11, B)
    assert "operand 11: float32[5, 4])" in str(raised.value)


def test_shapes_past_the_address_space_do_not_mention_a_dtype():
    x = np.ones((2, 3), "f4")
    for call in (
        lambda: eltwise.broadcast_to(x, (2**62, 2, 3)),
        lambda: eltwise.broadcast_shapes((2**62, 1), (4,)),
        lambda: eltwise.broadcast_arrays(np.broadcast_to(np.int8(1), (2**62, 1)), np.ones(4)),
    ):
        with pytest.raises(ValueError, match=r"shape \[4611686018427387904, .*\] has too many elements") as raised:
            call()
        assert "elements of" not in str(raised.value)
