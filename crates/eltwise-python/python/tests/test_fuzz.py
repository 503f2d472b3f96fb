"""Random arguments: a result or a documented error, never a crash, and never a write outside the output."""

import inspect
import os
import random
import warnings

import eltwise
import numpy as np
import pytest
from junk import FACTORIES, PLAUSIBLE, HostileError

#: The errors that a call may raise: documented ones, `MemoryError`, and those of methods of the arguments (iterating
#: over a memoryview of rank 2 raises `NotImplementedError`).
ALLOWED = (TypeError, ValueError, OverflowError, MemoryError, HostileError, NotImplementedError)
ROUNDS = int(os.environ.get("ELTWISE_FUZZ_CALLS", "10000"))
KEYWORDS = ["x", "y", "z", "lo", "hi", "cond", "out", "broadcast", "axis", "accuracy", "dtype", "shape", "min", "max"]
KEYWORDS += ["target", "names", "expression", "nonsense"]
COMPILED = eltwise.compile("a*b + c", "abc")
TARGETS = {name: getattr(eltwise, name) for name in eltwise.operators()} | {
    "clip": eltwise.clip,
    "broadcast_shapes": eltwise.broadcast_shapes,
    "broadcast_arrays": eltwise.broadcast_arrays,
    "compile": eltwise.compile,
    "isa": lambda *a, **k: eltwise.isa(*a, **k),
    "set_num_threads": eltwise.set_num_threads,
    "operators": eltwise.operators,
    "isas": eltwise.isas,
    "get_num_threads": eltwise.get_num_threads,
    "compiled": COMPILED,
    "explain": COMPILED.explain,
}
ARITY = {"compiled": 3, "explain": 3, "clamp": 3, "fma": 3, "where": 3, "clip": 3, "cast": 2, "broadcast_to": 2}
#: Values that are mostly valid, so that calls pass the first checks.
LIKELY = {
    "axis": [-1, 0, 1],
    "broadcast": ["numpy", "pdpd", "none", "unidirectional"],
    "accuracy": ["fast", "correct"],
    "out": PLAUSIBLE,
}


def parameters(name):
    """The operands and the other parameters of a function."""
    if name in ("compiled", "explain"):
        return ["a", "b", "c"], ["out"]
    names = list(inspect.signature(TARGETS[name]).parameters)
    count = min(ARITY.get(name, 2 if "y" in names else 1), len(names))
    return names[:count], names[count:]


def attempt(name, args, kwargs):
    """Makes one call, and restores the number of threads."""
    try:
        TARGETS[name](*args, **kwargs)
    except ALLOWED as error:
        assert "internal error in eltwise" not in str(error) if not isinstance(error, HostileError) else True, error
    except BaseException as error:
        try:
            shown = f"{args!r} {kwargs!r}"[:600]
        except BaseException:  # noqa: BLE001
            shown = f"{[type(a) for a in args]} {kwargs.keys()}"
        raise AssertionError(f"{name} raised {type(error).__name__}: {error}, given {shown}") from error
    finally:
        if name == "set_num_threads":
            eltwise.set_num_threads(2)


@pytest.fixture
def quiet():
    """Ignores warnings and data conditions."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", TARGETS)
def test_every_invalid_argument_in_every_position(name):
    good = np.ones((3, 4), "f4")
    arity = ARITY.get(name, 2)
    if name == "set_num_threads":
        for make in FACTORIES:
            value = make()
            if not isinstance(value, int) or not 8 < value < 2**64:
                attempt(name, [value], {})
        return
    for make in FACTORIES:
        attempt(name, [make()], {})
        for position in range(arity):
            args = [good.copy() for _ in range(arity)]
            args[position] = make()
            attempt(name, args, {})
        for keyword in ("out", "broadcast", "axis", "accuracy", "dtype", "target", "names", "min"):
            attempt(name, [good.copy() for _ in range(arity)], {keyword: make()})
        attempt(name, [make() for _ in range(arity)], {"out": np.zeros((3, 4), "f4")})


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("seed", range(10))
def test_random_calls_give_a_result_or_an_allowed_error(seed):
    rng = random.Random(seed)
    names = [n for n in TARGETS if n != "set_num_threads"]
    for _ in range(ROUNDS // 10):
        name = rng.choice(names)
        operands, others = parameters(name)
        count = len(operands) if rng.random() < 0.9 else rng.randrange(6)
        args = [rng.choice(PLAUSIBLE if rng.random() < 0.85 else FACTORIES)() for _ in range(count)]
        kwargs = {}
        known = others if others and rng.random() < 0.9 else KEYWORDS
        for keyword in dict.fromkeys(rng.choices(known, k=rng.choice([0, 0, 1, 1, 2]))):
            likely = keyword in LIKELY and rng.random() < 0.7
            kwargs[keyword] = rng.choice(LIKELY[keyword] if likely else FACTORIES)
            if not likely or keyword == "out":
                kwargs[keyword] = kwargs[keyword]()
        attempt(name, args, kwargs)


def window(rng, room, dtype, shape):
    """A small array around byte 300 with random strides. Elements may overlap each other."""
    strides = tuple(int(s) for s in rng.integers(-30, 31, 2))
    return np.ndarray(shape, dtype, room, 300, strides)


@pytest.mark.usefixtures("quiet")
def test_overlapping_arrays_write_only_the_output():
    """Operands and outputs are random views of one buffer."""
    rng = np.random.default_rng(0)
    for i in range(1500):
        room = np.full(700, 0xA5, np.uint8)
        dtype = np.dtype(["u1", "i2", "f4", "f8"][i % 4])
        shape = tuple(int(n) for n in rng.integers(1, 6, 2))
        x, out = window(rng, room, dtype, shape), window(rng, room, dtype, shape)
        y = np.ndarray(x.shape, dtype, room, int(rng.integers(260, 340)), x.strides) if i % 3 else np.ones((), dtype)
        inside = np.zeros(700, bool)
        for index in np.ndindex(out.shape):
            first = 300 + sum(i * s for i, s in zip(index, out.strides))
            inside[first : first + dtype.itemsize] = True
        before = room.copy()
        try:
            eltwise.maximum(x, y, out=out)
        except ALLOWED:
            assert (room == before).all()
        assert (room == before)[~inside].all(), (x.strides, out.strides)
