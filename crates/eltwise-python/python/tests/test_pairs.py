"""Functions with two results: outputs that overlap the operands in every way, and invalid outputs."""

import itertools
import warnings

import eltwise
import numpy as np
import pytest
from support import assert_same

INTEGERS = np.array([7, -8, 9, -1, 100, 6, 3, -13], "i4"), np.array([2, 3, -4, 5, -7, 1, 8, 2], "i4")
FLOATS = np.linspace(-9.5, 9.25, 8, dtype="f4"), np.array([2, -3, 0.5, 4, 7, -1.5, 3, 2.25], "f4")
DOUBLES = np.linspace(-90.3, 90.4, 8)
CALLS = {
    "divmod of integers": (eltwise.divmod, INTEGERS),
    "divmod of floats": (eltwise.divmod, FLOATS),
    "divmod by a scalar": (eltwise.divmod, (INTEGERS[0], np.int32(2))),
    "modf": (eltwise.modf, (DOUBLES,)),
    "frexp": (eltwise.frexp, (DOUBLES,)),
    "sincos": (eltwise.sincos, (DOUBLES,)),
}

#: Positions of an output relative to an operand, which is `room[4:12]`.
PLACES = {
    "over it": np.s_[4:12],
    "over it, reversed": np.s_[11:3:-1],
    "over its beginning": np.s_[1:9],
    "over its end": np.s_[7:15],
    "apart": np.s_[12:20],
}


def in_room(x):
    """An array with the operand at `[4:12]` and space around it."""
    room = np.zeros(20, x.dtype)
    room[4:12] = x
    return room


def output(rooms, place, dtype):
    """The output at a place: None, or the index of an operand and a position relative to it."""
    if place is None:
        return None
    array = rooms[place[0]][PLACES[place[1]]]
    # The exponents of frexp are int32: use the lower half of each element.
    return array if dtype == array.dtype else array.view(dtype)[:: array.itemsize // dtype.itemsize]


@pytest.mark.parametrize("call", CALLS)
def test_outputs_may_overlap_operands(call):
    function, operands = CALLS[call]
    arrays = [x for x in operands if x.ndim]
    if function is eltwise.frexp:
        # Only contiguous memory can be viewed as elements of half the size.
        places = [None, (0, "over it"), (0, "over its beginning"), (0, "apart")]
    else:
        places = [None, *itertools.product(range(len(arrays)), PLACES)]
    expected = function(*operands)
    compared = errors = 0
    for pair in itertools.product(places, places):
        rooms = [in_room(x) for x in arrays]
        given = [room[4:12] for room in rooms] + list(operands[len(arrays) :])
        before = [room.copy() for room in rooms]
        out = tuple(output(rooms, place, result.dtype) for place, result in zip(pair, expected))
        about = f"{call}, out: {pair}"
        if None not in pair and np.shares_memory(*out):
            with pytest.raises(ValueError, match="overlap"):
                function(*given, out=out)
            assert all((room == was).all() for room, was in zip(rooms, before)), f"{about}: written"
            errors += 1
            continue
        got = function(*given, out=out)
        for k in range(2):
            assert out[k] is None or got[k] is out[k], about
            assert_same(got[k], expected[k], f"{about}, result {k}", exact=True)
        compared += 1
    assert compared > len(places) and errors >= len(places) - 1


def test_interleaved_outputs_are_accepted():
    """Outputs whose memory interleaves share no byte."""
    both = np.empty((8, 2))
    fraction, whole = eltwise.modf(DOUBLES, out=(both[:, 0], both[:, 1]))
    assert_same(both[:, 0], np.modf(DOUBLES)[0])
    assert_same(both[:, 1], np.modf(DOUBLES)[1])
    assert fraction.base is both and whole.base is both


def test_outputs_may_have_other_dtypes_and_larger_shapes():
    """Either result is cast within its kind and broadcast to a larger output."""
    for k in range(2):
        for over in (False, True):
            room = np.zeros((3, 8), "f8")
            room[0] = FLOATS[0]
            x = room[0] if over else FLOATS[0].astype("f8")
            expected = eltwise.divmod(x, 2.5)
            out = (room, None) if k == 0 else (None, room)
            got = eltwise.divmod(x, 2.5, out=out)
            assert got[k] is room
            assert_same(got[k], np.broadcast_to(expected[k], (3, 8)))
            assert_same(got[1 - k], expected[1 - k])


def test_outputs_may_overlap_operands_that_are_not_arrays():
    """An output may overlap the memory that an operand offers by the buffer protocol."""
    x = np.array([7, -8, 9], "i4")
    quotient, rest = eltwise.divmod(memoryview(x), 2, out=(x, None))
    assert quotient is x
    assert_same(x, np.array([3, -4, 4], "i4"))
    assert_same(rest, np.array([1, 0, 1], "i4"))
    assert_same(eltwise.divmod([7, 8], [2, 3], out=(np.empty(2, "i8"), None))[1], np.array([1, 2]))


@pytest.mark.parametrize("out", [None, "apart", "over x", "over y"])
def test_a_division_by_zero_is_reported_once(out):
    x, y = np.array([7, -8, 9], "i4"), np.array([2, 0, 4], "i4")
    outs = {None: None, "apart": tuple(np.empty((2, 3), "i4")), "over x": (x, y), "over y": (y, None)}[out]
    with warnings.catch_warnings(record=True) as reports:
        warnings.simplefilter("always")
        quotient, rest = eltwise.divmod(x, y, out=outs)
    name = "divmod" if out is None else "floor_divide"
    assert [str(report.message) for report in reports] == [f"divide by zero encountered in {name}"]
    assert_same(quotient, np.array([3, 0, 2], "i4"))
    assert_same(rest, np.array([1, 0, 1], "i4"))


@pytest.mark.parametrize("function", [eltwise.divmod, eltwise.modf, eltwise.frexp, eltwise.sincos])
def test_outputs_that_are_not_two_arrays_raise(function):
    x = np.array([1.5, 2.5])
    operands = (x, 2.0) if function is eltwise.divmod else (x,)
    wrong = [np.empty((2, 2)), (), (x,), (x, None, None), [None, None], ((x,), None), (None, 3), (x.tolist(), None)]
    for out in wrong:
        with pytest.raises(TypeError, match="two arrays"):
            function(*operands, out=out)
    assert_same(x, np.array([1.5, 2.5]))
    assert_same(function(*operands, out=(None, None))[0], function(*operands)[0])


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(lambda: np.zeros(3, np.int64), id="shape"),
        pytest.param(lambda: np.zeros(2, np.uint8), id="dtype"),
        pytest.param(lambda: np.broadcast_to(np.int64(0), (2,)), id="read-only"),
    ],
)
def test_a_call_that_fails_changes_no_operand(second):
    x = np.array([7, 8])
    for out in ((x, second()), (second(), x)):
        with pytest.raises((TypeError, ValueError)):
            eltwise.divmod(x, 2, out=out)
        assert x.tolist() == [7, 8]


@pytest.mark.parametrize("shape", [(), (3,), (257,), (300, 700)])
@pytest.mark.parametrize("name", ["divmod", "modf", "frexp", "sincos"])
def test_both_results_are_those_of_the_two_functions(name, shape):
    parts = {
        "divmod": (eltwise.floor_divide, eltwise.remainder),
        "modf": (eltwise.fraction, eltwise.trunc),
        "frexp": (eltwise.mantissa, eltwise.exponent),
        "sincos": (eltwise.sin, eltwise.cos),
    }
    rng = np.random.default_rng(3)
    for dtypes in ("ff", "dd", "fd", "ee"):
        x, y = (rng.uniform(-9, 9, shape).astype(dtype) for dtype in dtypes)
        for operands in ((x, y), (np.asarray(x)[..., None][..., 0].T, np.asarray(y).T)) if name == "divmod" else ((x,),):
            both = getattr(eltwise, name)(*operands)
            assert type(both) is tuple
            for got, part in zip(both, parts[name]):
                expected = part(*operands)
                assert type(got) is type(expected)
                assert_same(got, expected, f"{name} {dtypes}")


def test_a_division_of_many_elements_by_zero_is_reported_once():
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in divmod") as record:
        quotient, rest = eltwise.divmod(np.arange(200_000), 0)
    assert len(record) == 1
    assert not quotient.any() and not rest.any()


def test_an_error_state_that_raises_writes_both_outputs():
    quotient, remainder = np.full(3, 9, "i4"), np.full(3, 9, "i4")
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        eltwise.divmod(np.array([7, 8, 9], "i4"), np.array([2, 0, 5], "i4"), out=(quotient, remainder))
    assert_same(quotient, np.array([3, 0, 1], "i4"))
    assert_same(remainder, np.array([1, 0, 4], "i4"))


def test_a_number_that_overflows_warns_once():
    with pytest.warns(RuntimeWarning, match="overflow") as warned:
        eltwise.divmod(np.ones(3, "f2"), 70000.0)
    assert len(warned) == 1
