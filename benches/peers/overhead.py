"""The release bar of small calls: `add(x, y, out=o)` over 1 and 64 float32 elements takes at most NumPy's time."""

import statistics
import time
from collections.abc import Callable
from itertools import repeat

import numpy as np

from . import timing

SIZES = (1, 64)
CALLS = 20_000


def loop(add: Callable, x, y, out, count: int) -> float:
    """Nanoseconds a call, of `count` calls."""
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        add(x, y, out=out)
    return (time.perf_counter_ns() - start) / count


def compare(ours: Callable, theirs: Callable, n: int, rounds: int) -> tuple[list[float], list[float]]:
    """Alternating rounds, ours and NumPy's first in turn; nanoseconds a call of every round."""
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
    """Prints the ratios; whether the minimum of ours is at most NumPy's at every size."""
    held = True
    print(f"add(x, y, out=o), float32, nanoseconds a call, {rounds} alternating rounds of {CALLS} calls")
    print(f"{'n':>4}{'ours min':>10}{'median':>8}{'NumPy min':>11}{'median':>8}{'min/min':>9}{'median/median':>15}")
    with timing.no_gc():
        for n in SIZES:
            mine, other = compare(ours, theirs, n, rounds)
            best, middle = min(mine) / min(other), statistics.median(mine) / statistics.median(other)
            held &= best <= 1
            print(
                f"{n:>4}{min(mine):>10.1f}{statistics.median(mine):>8.1f}{min(other):>11.1f}"
                f"{statistics.median(other):>8.1f}{best:>9.3f}{middle:>15.3f}"
            )
    print("held: at most NumPy's" if held else "NOT held: slower than NumPy")
    return held
