"""Times several calls in turn (`interleave`), so that a disturbance of the machine affects all of them."""

import gc
import statistics
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat

# Seconds of a batch of calls: shorter than a time slice of the scheduler, so that some batches are not interrupted.
BATCH = 0.001
MIN_ROUNDS = 5
MAX_ROUNDS = 200
# If a call of an engine takes at least LONG seconds, most operands do not fit L2. All engines of the case then run
# untimed before each batch, for WARM_UP seconds and WARM_CALLS calls, but at most MAX_WARM_UP seconds: operands of 20
# MiB are in the last-level cache only after 8 calls, and the first call takes three times as long.
LONG = 30e-6
WARM_UP = 0.004
WARM_CALLS = 8
MAX_WARM_UP = 0.02
# An engine stops after MIN_ROUNDS rounds once its batches have taken this many budgets.
PATIENCE = 3


@dataclass
class Figures:
    """Microseconds per call in each batch, and the number of calls of a batch."""

    samples: list[float]
    count: int

    @property
    def best(self) -> float:
        return min(self.samples)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def rounds(self) -> int:
        return len(self.samples)


@contextmanager
def no_gc():
    """Collects garbage once, then disables the collector."""
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def batch(call: Callable, count: int) -> int:
    """Nanoseconds of `count` calls."""
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        call()
    return time.perf_counter_ns() - start


def calibrate(call: Callable, seconds: float = BATCH) -> int:
    """The number of calls that take about `seconds`."""
    count = 1
    while True:
        took = batch(call, count)
        if took >= seconds * 0.5e9:
            return max(1, round(count * seconds * 1e9 / took))
        count = max(count * 2, min(count * 50, int(count * seconds * 0.6e9 / max(took, 1))))


def warm_up(call: Callable, count: int, is_long: bool):
    """Runs `count` untimed calls, and more until the caches are warm if calls are long."""
    took, calls = batch(call, count), count
    while is_long and took < MAX_WARM_UP * 1e9 and (took < WARM_UP * 1e9 or calls < WARM_CALLS):
        took += batch(call, 1)
        calls += 1


def interleave(calls: dict[str, Callable], budget: float, settle: float = 0.0) -> dict[str, Figures]:
    """Times `calls` in turn for about `budget` seconds each, and up to five times as long untimed if calls are long.

    A turn is one untimed call (more for long calls, see LONG) and one batch. Each round starts with the next engine, so
    that no engine always follows the same one. A sleep of `settle` seconds before a turn lets the threads of the
    previous engine stop spinning; then at least one batch is untimed, which wakes the threads of this engine.
    """
    with no_gc():
        # Twice, because calls with cold caches would make the batches too short.
        counts = {name: max(calibrate(call), calibrate(call)) for name, call in calls.items()}
        rounds = max(MIN_ROUNDS, min(MAX_ROUNDS, round(budget / BATCH)))
        is_long = any(BATCH / count >= LONG for count in counts.values())
        samples: dict[str, list[float]] = {name: [] for name in calls}
        spent = dict.fromkeys(calls, 0.0)
        order = list(calls)
        for _ in range(rounds):
            for name in order:
                if len(samples[name]) >= MIN_ROUNDS and spent[name] > PATIENCE * budget:
                    continue
                if settle:
                    time.sleep(settle)
                warm_up(calls[name], counts[name] if settle else 1, is_long)
                took = batch(calls[name], counts[name])
                spent[name] += took / 1e9
                samples[name].append(took / counts[name] / 1e3)
            order.append(order.pop(0))
    return {name: Figures(x, counts[name]) for name, x in samples.items()}
