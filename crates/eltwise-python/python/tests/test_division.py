"""Integer division by zero gives 0 and is reported through `np.errstate`, as by NumPy's ufuncs."""

import warnings

import eltwise
import numpy as np
import pytest
from reference import expected
from support import FLOATS, INTEGERS, assert_same

X = np.array([7, -7, 0, 5], "i4")
Y = np.array([2, 0, 0, 3], "i4")
Q = np.array([3, 0, 0, 1], "i4")  # X / Y
MESSAGE = "divide by zero encountered in "  # and the operator's name, or the expression


class Log:
    """A log object for `np.seterrcall`."""

    def __init__(self):
        self.lines = []

    def write(self, message):
        self.lines.append(message)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_quotients_equal_the_definition(dtype):
    x = np.array([7, 100, 0, 5], dtype)
    with np.errstate(divide="ignore"):
        for y in (np.array([2, 0, 0, 3], dtype), np.array(0, dtype), 0, np.zeros((3, 4), dtype)):
            other = np.broadcast_to(np.asarray(y).astype(dtype), np.broadcast_shapes((4,), np.shape(y)))
            assert_same(eltwise.trunc_divide(x, y), expected("trunc_divide", np.broadcast_to(x, other.shape), other))
        assert_same(eltwise.trunc_divide(x[0], 0), np.zeros((), dtype))
        lowest, minus_one = np.array([np.iinfo(dtype).min], dtype), np.array([-1]).astype(dtype)
        assert_same(eltwise.trunc_divide(lowest, minus_one), expected("trunc_divide", lowest, minus_one))


def calls():
    """Calls that divide by zero, for every path through the package."""
    out = np.ones(4, "i4")
    f = eltwise.compile("trunc_divide(a, b) + 0", "ab")
    big = np.ones(300_000, "i4")
    return {
        "new": lambda: eltwise.trunc_divide(X, Y),
        "out": lambda: eltwise.trunc_divide(X, Y, out=out),
        "scalar": lambda: eltwise.trunc_divide(7, 0),
        "strided": lambda: eltwise.trunc_divide(X[::-1], Y[::-1]),
        "cast": lambda: eltwise.trunc_divide(X, Y, out=np.ones(4, "f8")),
        "compiled": lambda: f(X, Y),
        "threads": lambda: eltwise.trunc_divide(big, np.concatenate([big[1:], Y[1:2]])),
    }


@pytest.mark.parametrize("form", calls())
def test_every_mode_of_errstate(form, capfd):
    call = calls()[form]
    with np.errstate(divide="warn"):
        with pytest.warns(RuntimeWarning, match=MESSAGE) as caught:
            call()
        assert len(caught) == 1 and caught[0].filename == __file__, caught[0].filename
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match=MESSAGE):
        call()
    with np.errstate(divide="ignore"):
        call()
    seen = []
    with np.errstate(divide="call", call=lambda *args: seen.append(args)):
        call()
    assert len(seen) == 1 and seen[0][0] == "divide by zero" and seen[0][1] & 1
    log = Log()
    with np.errstate(divide="log", call=log):
        call()
    assert len(log.lines) == 1 and MESSAGE in log.lines[0]
    capfd.readouterr()
    with np.errstate(divide="print"):
        call()
    printed = capfd.readouterr()
    assert MESSAGE in printed.out + printed.err


def test_only_the_state_divide_matters():
    assert np.geterr()["divide"] == "warn"
    with pytest.warns(RuntimeWarning, match=f"^{MESSAGE}trunc_divide$"):
        eltwise.trunc_divide(X, Y)
    for kind in ("over", "invalid", "under"):
        with np.errstate(**{kind: "raise"}), pytest.warns(RuntimeWarning, match=MESSAGE):
            eltwise.trunc_divide(X, Y)
    assert np.geterr()["divide"] == "warn"


def test_out_is_written_before_the_report():
    out = np.ones(4, "i4")
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        eltwise.trunc_divide(X, Y, out=out)
    assert_same(out, Q)
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning):
        warnings.simplefilter("error")
        eltwise.trunc_divide(X, Y)


def test_exceptions_of_a_callback_propagate():
    def fail(*_):
        raise KeyError("mine")

    with np.errstate(divide="call", call=fail), pytest.raises(KeyError, match="mine"):
        eltwise.trunc_divide(X, Y)
    with np.errstate(divide="call", call=None), pytest.raises((NameError, TypeError, ValueError)):
        eltwise.trunc_divide(X, Y)


def test_a_callback_may_call_the_package():
    seen = []

    def divide(*args):
        seen.append(args)
        if len(seen) < 5:
            eltwise.trunc_divide(np.ones(200_000, "i4"), 0)

    with np.errstate(divide="call", call=divide):
        eltwise.trunc_divide(X, Y)
    assert len(seen) == 5


def test_other_operations_report_nothing():
    with np.errstate(all="raise"):
        assert_same(eltwise.trunc_divide(X, Y + 9), expected("trunc_divide", X, Y + 9))
        eltwise.trunc_divide(X[:0], Y[:0])
        eltwise.trunc_divide(np.int8(-128), np.int8(-1))
        for dtype in FLOATS:
            zero = np.zeros(9, dtype)
            assert_same(eltwise.divide(np.ones(9, dtype), zero), (np.ones(9) * np.inf).astype(dtype), dtype)
            assert np.isnan(eltwise.divide(zero, zero).astype("f8")).all()
            eltwise.sqrt(-np.ones(9, dtype))
            eltwise.multiply(np.full(9, 6e4, dtype), np.full(9, 6e4, dtype))
    # Lengths around a vector: the padding of the last block must not count as a division by zero.
    for n in range(200):
        with np.errstate(divide="raise"):
            assert (eltwise.trunc_divide(np.full(n, 6, "i2"), np.full(n, 3, "i2")) == 2).all()


def test_a_discarded_quotient_is_reported():
    f = eltwise.compile("where(b == 0, a, trunc_divide(a, b))", "ab")
    with pytest.warns(RuntimeWarning, match=MESSAGE):
        assert_same(f(X, Y), np.where(Y == 0, X, Q))
