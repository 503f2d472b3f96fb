"""Calls leak nothing: resident memory and reference counts stay the same.

`ELTWISE_LEAK_CALLS` is the number of calls (default 200000).
"""

import gc
import os
import sys
from pathlib import Path

import eltwise
import ml_dtypes
import numpy as np
import pytest

CALLS = int(os.environ.get("ELTWISE_LEAK_CALLS", "200000"))
#: Growth of the resident memory that is not a leak, in bytes.
ALLOWED_BYTES = 1 << 20

X, Y, WIDE = np.ones((4, 5), "f4"), np.ones(5, "f4"), np.ones((4, 5), "f8")
N, Z = np.ones(5, "i4"), np.zeros(5, "i4")
OUT, BIG_ENDIAN, HALF = np.zeros((4, 5), "f4"), np.ones((4, 5), ">f4"), np.ones((4, 5), ml_dtypes.bfloat16)
OBJECTS = np.array([object(), None, "a"], object)
F = eltwise.compile("a*b + c", "abc")


def raises(function, *args, **kwargs):
    """Makes a call that must fail."""
    try:
        function(*args, **kwargs)
    except (TypeError, ValueError, OverflowError, FloatingPointError):
        return
    raise AssertionError(f"{function.__name__} did not raise")


def divided():
    with np.errstate(divide="ignore"):
        eltwise.floor_divide(N, Z)


def divided_raising():
    with np.errstate(divide="raise"):
        raises(eltwise.floor_divide, N, Z)


#: Kinds of calls: the share of all calls, and one call.
KINDS = {
    "new": (10, lambda: eltwise.add(X, Y)),
    "out": (10, lambda: eltwise.add(X, Y, out=OUT)),
    "tuple": (5, lambda: eltwise.add(X, Y, out=(OUT,))),
    "scalar": (10, lambda: eltwise.multiply(X, 2.5)),
    "rank 0": (10, lambda: eltwise.add(X[0, 0], 1)),
    "list": (3, lambda: eltwise.add([1, 2, 3], (4, 5, 6))),
    "keywords": (5, lambda: eltwise.add(X, Y, broadcast="pdpd", axis=1)),
    "promotes": (5, lambda: eltwise.add(X, WIDE)),
    "bfloat16": (5, lambda: eltwise.add(HALF, 1)),
    "big-endian": (3, lambda: eltwise.add(BIG_ENDIAN, BIG_ENDIAN, out=BIG_ENDIAN)),
    "overlap": (3, lambda: eltwise.add(OUT[:, 1:], 1, out=OUT[:, :-1])),
    "casts into out": (3, lambda: eltwise.add(X, WIDE, out=OUT)),
    "clamp": (5, lambda: eltwise.clamp(X, 0, 1)),
    "where": (5, lambda: eltwise.where(N, Y, 0)),
    "cast": (5, lambda: eltwise.cast(X, "int8")),
    "compare": (3, lambda: eltwise.less(N, 10**30)),
    "compiled": (10, lambda: F(X, Y, 1.0)),
    "compiled out": (5, lambda: F(X, Y, X, out=OUT)),
    "compiled, a different dtype": (2, lambda: F(WIDE, X, N)),
    "compile": (2, lambda: eltwise.compile("a*b - 1", "ab")),
    "explain": (1, lambda: F.explain(X, Y, 1)),
    "views": (3, lambda: eltwise.broadcast_arrays(X, Y)),
    "view": (3, lambda: eltwise.broadcast_to(Y, (2, 4, 5))),
    "objects": (3, lambda: eltwise.broadcast_to(OBJECTS, (4, 3))),
    "shapes": (3, lambda: eltwise.broadcast_shapes((4, 1), (5,))),
    "division": (2, divided),
    "division raises": (1, divided_raising),
    "shapes error": (2, lambda: raises(eltwise.add, X, N[:3])),
    "dtype error": (2, lambda: raises(eltwise.add, OBJECTS, 1)),
    "operator error": (2, lambda: raises(eltwise.bitwise_and, X, X)),
    "out error": (2, lambda: raises(eltwise.add, X, Y, out=N)),
    "integer error": (2, lambda: raises(eltwise.add, N, 10**30)),
    "keyword error": (2, lambda: raises(eltwise.add, X, Y, nonsense=1)),
    "mode error": (2, lambda: raises(eltwise.add, X, Y, broadcast="nonsense")),
    "text error": (1, lambda: raises(eltwise.compile, "a + + * b")),
    "compiled error": (2, lambda: raises(F, X, N[:3], 1)),
    "compiled count error": (2, lambda: raises(F, X)),
}
SHARES = sum(share for share, _ in KINDS.values())


def resident():
    """The resident memory of this process, in bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def repeat(call, times):
    for _ in range(times):
        call()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_resident_memory_does_not_grow():
    """Measures each kind of call by itself, to name a leak, and all of them together."""
    growth = {}
    for _, call in KINDS.values():
        repeat(call, max(300, CALLS // 200))
    before = resident()
    for name, (share, call) in KINDS.items():
        before_kind = resident()
        repeat(call, CALLS * share // SHARES)
        growth[name] = resident() - before_kind
    grown = resident() - before
    by_kind = {kind: bytes_more for kind, bytes_more in growth.items() if bytes_more}
    assert grown < ALLOWED_BYTES, f"{CALLS} calls: {grown} bytes more; by kind: {by_kind}"


@pytest.fixture(scope="module", autouse=True)
def quick_collections():
    """Exempts older objects from garbage collection, which makes the collections of the tests fast."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", KINDS)
def test_reference_counts_do_not_grow(name):
    watched = [
        X,
        Y,
        WIDE,
        N,
        Z,
        OUT,
        HALF,
        OBJECTS,
        OBJECTS[0],
        F,
        np.dtype("f4"),
        np.dtype("f8"),
        HALF.dtype,
        np.dtype(bool),
    ]
    watched += [np.ndarray, np.float32, eltwise.add, X.shape, None, True, "numpy"]
    call = KINDS[name][1]
    repeat(call, 50)
    gc.collect()
    before, blocks = [sys.getrefcount(o) for o in watched], sys.getallocatedblocks()
    repeat(call, 500)
    gc.collect()
    blocks = sys.getallocatedblocks() - blocks
    after = [sys.getrefcount(o) for o in watched]
    changed = {
        f"{type(o).__name__} {i}": b - a for i, (o, a, b) in enumerate(zip(watched, before, after)) if abs(b - a) > 20
    }
    assert not changed, changed
    assert blocks < 100, f"500 calls left {blocks} blocks of Python's memory"


@pytest.mark.lowers_isa
def test_resident_memory_does_not_grow_with_a_lowered_isa():
    def lowered():
        with eltwise.isa("scalar"):
            eltwise.add(X, Y)

    repeat(lowered, 1000)
    before = resident()
    repeat(lowered, CALLS // 20)
    assert resident() - before < ALLOWED_BYTES


def test_large_results_are_freed():
    size = 8 << 20
    x = np.ones(size, "u1")
    eltwise.add(x, x)
    before = resident()
    for _ in range(20):
        eltwise.add(x, x)
    assert resident() - before < 2 * size
