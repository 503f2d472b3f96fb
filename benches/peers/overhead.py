"""The release bar of small calls: `add(x, y, out=o)` over 1 and 64 float32 elements is not slower than NumPy's."""

import statistics
import time
from collections.abc import Callable
from itertools import repeat

import numpy as np

from . import timing

SIZES = (1, 64)
CALLS = 20_000


def loop(add: Callable, x, y, out, count: int) -> float:
    """Nanoseconds per call, over `count` calls."""
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        add(x, y, out=out)
    return (time.perf_counter_ns() - start) / count


def compare(ours: Callable, theirs: Callable, n: int, rounds: int) -> tuple[list[float], list[float]]:
    """Nanoseconds per call in each round. Rounds start with ours and with NumPy's alternately."""
    x, y, out = np.full(n, 1.5, np.float32), np.full(n, 2.25, np.float32), np.zeros(n, np.float32)
    for add in (ours, theirs):
        out[...] = 0
        add(x, y, out=out)
        if not (out == 3.75).all():
            raise AssertionError(f"{add!r} gives {out[0]}, expected 3.75")
    found: tuple[list[float], list[float]] = ([], [])
    sides = list(zip((ours, theirs), found, strict=True))
    for k in range(rounds):
        for add, times in sides if k % 2 else sides[::-1]:
            times.append(loop(add, x, y, out, CALLS))
    return found


def run(ours: Callable, theirs: Callable = np.add, rounds: int = 60) -> bool:
    """Prints the ratios; returns whether our minimum is at most NumPy's at every size."""
    ok = True
    print(f"add(x, y, out=o), float32, nanoseconds per call, {rounds} alternating rounds of {CALLS} calls")
    print(f"{'n':>4}{'ours min':>10}{'median':>8}{'NumPy min':>11}{'median':>8}{'min/min':>9}{'median/median':>15}")
    with timing.no_gc():
        for n in SIZES:
            our_times, their_times = compare(ours, theirs, n, rounds)
            our_median, their_median = statistics.median(our_times), statistics.median(their_times)
            best_ratio = min(our_times) / min(their_times)
            ok &= best_ratio <= 1
            print(
                f"{n:>4}{min(our_times):>10.1f}{our_median:>8.1f}{min(their_times):>11.1f}"
                f"{their_median:>8.1f}{best_ratio:>9.3f}{our_median / their_median:>15.3f}"
            )
    print("ok: not slower than NumPy" if ok else "MISSED: slower than NumPy")
    return ok
