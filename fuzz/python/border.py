#!/usr/bin/env python3
"""Throws random arrays and arguments at the Python package: a result that equals NumPy's, or a documented error.

usage: border.py [--seconds N] [--seed S]     random cases, in a child process whose death is reported with its case
       border.py --case SEED                  one case again

Operands and outputs lie in memory between unreadable pages, at either end of it, with any strides that fit: backwards,
repeated, overlapping, unaligned, byte-swapped, read-only, empty. Every byte of the memory that is no element of `out` must be
what it was.
"""

import argparse
import ctypes
import mmap
import multiprocessing
import random
import sys
import time
import warnings

import eltwise
import ml_dtypes
import numpy as np

DOCUMENTED = (TypeError, ValueError, OverflowError, MemoryError, NotImplementedError)
DTYPES = [np.dtype(d) for d in "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 >i4 >f8 c8 S3 O V2".split()] + [np.dtype(ml_dtypes.bfloat16)]
#: Functions that NumPy has with the same bits (its fmax and fmin differ for signalling NaN).
ALIKE = {
    1: "negative positive abs square floor ceil trunc sqrt sign isnan isfinite signbit logical_not bitwise_not".split(),
    2: "add subtract multiply maximum minimum less equal not_equal greater_equal logical_xor bitwise_and "
    "left_shift copysign heaviside".split(),
}
OTHERS = {
    1: "relu sigmoid exp erf gelu copy popcount isinf reciprocal mantissa exponent softsign".split(),
    2: "fmax fmin divide floor_divide remainder fmod pow gcd squared_difference saturating_add atan2 ldexp nextafter prelu".split(),
    3: "where fma clamp lerp sum mean".split(),
}
NUMPY_NAMES = {"bitwise_not": "invert", "abs": "absolute"}
KEYWORDS = {
    "broadcast": ["numpy", "pdpd", "none", "unidirectional", "", None, 3],
    "axis": [-1, 0, 1, 2, -2, 2**70, "0", 1.5],
    "accuracy": ["fast", "exact", "best", None],
}
#: Bytes of the memory of an array; a page.
ROOM = 4096
NOTHING, READ_WRITE = 0, 3


class Room:
    """Memory between two unreadable pages."""

    libc = ctypes.CDLL(None, use_errno=True)

    def __init__(self):
        self.map = mmap.mmap(-1, 3 * ROOM)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        for page in (0, 2):
            if self.libc.mprotect(ctypes.c_void_p(self.address + page * ROOM), ROOM, NOTHING):
                raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = np.frombuffer(self.map, np.uint8, ROOM, ROOM)


class Case:
    """Choices from a source with `below(n)`, and what they make."""

    def __init__(self, below, rooms):
        self.below = below
        self.rooms = list(rooms)

    def one(self, options):
        return options[self.below(len(options))]

    def shape(self):
        rank = self.below(5)
        return tuple(self.one([1, 2, 3, 4, 5, 1, 17, 0] if self.below(20) == 0 else [1, 2, 3, 4, 5, 1]) for _ in range(rank))

    def reduced(self, shape):
        shape = shape[self.below(len(shape) + 1) if self.below(3) == 0 else 0 :]
        return tuple(1 if self.below(5) == 0 else self.one([2, 3, 6]) if self.below(60) == 0 else n for n in shape)

    def array(self, shape, dtype):
        """An array at one end of a room; a fresh one on the heap where it does not fit."""
        if dtype.hasobject:
            return np.full(shape, 3, dtype)
        strides, step = [0] * len(shape), dtype.itemsize
        axes = list(range(len(shape)))
        while axes:
            axis = axes.pop(self.below(len(axes)) if self.below(3) == 0 else -1)
            way = self.below(12)
            strides[axis] = {0: 0, 1: -step, 2: step + self.below(9), 3: self.below(40) - 20}.get(way, step)
            step = max(step, abs(strides[axis]) * shape[axis])
        reach = [(n - 1) * s for n, s in zip(shape, strides)]
        low, high = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0) + dtype.itemsize
        if 0 in shape or high - low > ROOM or not self.rooms:
            return np.ones(shape, dtype)
        room = self.rooms.pop()
        room.bytes[:] = np.frombuffer(self.bytes(ROOM), np.uint8)
        first = -low if self.below(2) else ROOM - high
        array = np.ndarray(shape, dtype, room.bytes, first, strides)
        # NumPy takes no byte for a bool but 0 and 1.
        if dtype == bool or self.below(4):
            array[...] = self.values(shape)
        array.flags.writeable = self.below(40) != 0
        return array

    def bytes(self, count):
        return random.Random(self.below(1 << 16)).randbytes(count)

    def values(self, shape):
        return np.random.default_rng(self.below(1 << 16)).integers(0, 2, shape)

    def junk(self):
        return self.one([None, 3, -1, 2.5, 2**40, 10**30, True, 1j, "a", b"b", [1, 2.0], [[1], [2, 3]], (), {}, object(), np.float32(2)])

    def run(self):
        """One call."""
        arity = 1 + self.below(3)
        alike = arity < 3 and self.below(2) == 0
        name = self.one((ALIKE if alike else OTHERS)[arity])
        shape, dtype = self.shape(), self.one(DTYPES[: len(DTYPES) if self.below(4) == 0 else 12])
        operands = []
        for _ in range(arity):
            other = self.one(DTYPES) if self.below(5) == 0 else dtype
            operands.append(self.junk() if self.below(12) == 0 else self.array(self.reduced(shape), other))
        keywords = {k: self.one(KEYWORDS[k]) for k in KEYWORDS if self.below(12) == 0}
        plain = not keywords
        if self.below(3) == 0:
            keywords["out"] = self.junk() if self.below(15) == 0 else self.array(shape, self.one([dtype, np.dtype(bool), dtype]))
        self.call(name, operands, keywords, alike and plain)

    def call(self, name, operands, keywords, alike):
        out = keywords.get("out")
        rooms = [operand.base for operand in [*operands, out] if isinstance(operand, np.ndarray) and operand.base is not None]
        before = [room.copy() for room in rooms]
        arrays = [operand for operand in operands if isinstance(operand, np.ndarray)]
        apart = not isinstance(out, np.ndarray) or not any(np.may_share_memory(out, array) for array in arrays)
        expected = None
        if alike and apart:
            try:
                expected = getattr(np, NUMPY_NAMES.get(name, name))(*operands)
            except Exception:  # noqa: BLE001 - what NumPy refuses is not compared
                expected = None
        try:
            result = getattr(eltwise, name)(*operands, **keywords)
        except DOCUMENTED:
            result = None
        for room, was in zip(rooms, before):
            changed = room != was
            if isinstance(out, np.ndarray) and out.base is room and changed.any():
                changed[inside(out)] = False
            assert not changed.any(), f"{name} wrote at {np.flatnonzero(changed)} of {ROOM}"
        if result is not None and out is None and isinstance(expected, np.ndarray) and expected.dtype == result.dtype:
            assert result.shape == expected.shape, f"{name}: {result.shape}, NumPy has {expected.shape}"
            equal = np.asarray(result == expected) | (result != result) & (expected != expected)
            assert equal.all(), f"{name} of {[getattr(o, 'dtype', o) for o in operands]}: {result}, NumPy has {expected}"


def inside(out):
    """The bytes of a room that are elements of an array in it."""
    room = np.zeros(ROOM, bool)
    first = out.__array_interface__["data"][0] - out.base.__array_interface__["data"][0]
    for index in np.ndindex(out.shape):
        at = first + sum(i * s for i, s in zip(index, out.strides))
        room[at : at + out.dtype.itemsize] = True
    return room


def one_case(seed, rooms):
    Case(random.Random(seed).randrange, rooms).run()


def child(seed, deadline, last, count):
    """Cases from a seed on; writes which one runs."""
    quiet()
    rooms = [Room() for _ in range(5)]
    while time.time() < deadline:
        last.value = seed
        one_case(seed, rooms)
        seed += 1
        count.value += 1


def quiet():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="the first case (default: from the clock)")
    parser.add_argument("--case", type=int, default=None)
    args = parser.parse_args()
    if args.case is not None:
        quiet()
        return one_case(args.case, [Room() for _ in range(5)])
    context = multiprocessing.get_context("spawn")
    seed = int(time.time() * 1000) << 20 if args.seed is None else args.seed
    last, count = context.Value("q", seed, lock=False), context.Value("q", 0, lock=False)
    process = context.Process(target=child, args=(seed, time.time() + args.seconds, last, count))
    process.start()
    process.join()
    print(f"{count.value} cases from {seed} on, eltwise {eltwise.__version__} on {eltwise.isas()[-1]}")
    if process.exitcode:
        sys.exit(f"error: exit code {process.exitcode}; run it again by: {sys.argv[0]} --case {last.value}")


if __name__ == "__main__":
    main()
