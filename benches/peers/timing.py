"""Times several calls against each other: round robin, so that a slow spell of the machine meets all of them."""

import gc
import statistics
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat

# Seconds that a batch of calls should last: shorter than the time slice of a scheduler, so that some are undisturbed.
BATCH = 0.001
MIN_ROUNDS = 5
MAX_ROUNDS = 200
# Where an engine's call lasts this many seconds, most operands lie beyond the second-level cache. All engines of the case then run untimed
# before a batch, until the last-level cache has taken their operands in: 8 calls of 20 MiB, of which the first takes three times as long. No
# longer than MOST_WARM_UP.
LONG = 30e-6
WARM_UP = 0.004
WARM_CALLS = 8
MOST_WARM_UP = 0.02
# An engine whose single call is longer than a batch leaves the rounds after this many budgets.
PATIENCE = 3


@dataclass
class Figures:
    """Microseconds a call in each batch, and how many calls a batch has."""

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
    """Collects garbage once and keeps the collector out of the timing."""
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def batch(call: Callable, count: int) -> int:
    """Nanoseconds that `count` calls take."""
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        call()
    return time.perf_counter_ns() - start


def calibrate(call: Callable, seconds: float = BATCH) -> int:
    """How many calls last about `seconds`."""
    count = 1
    while True:
        took = batch(call, count)
        if took >= seconds * 0.5e9:
            return max(1, round(count * seconds * 1e9 / took))
        count = max(count * 2, min(count * 50, int(count * seconds * 0.6e9 / max(took, 1))))


def warm_up(call: Callable, count: int, is_long: bool):
    """Calls `count` times untimed; in a case of long calls until the caches are warm."""
    took, calls = batch(call, count), count
    while is_long and took < MOST_WARM_UP * 1e9 and (took < WARM_UP * 1e9 or calls < WARM_CALLS):
        took += batch(call, 1)
        calls += 1


def interleave(calls: dict[str, Callable], budget: float, settle: float = 0.0) -> dict[str, Figures]:
    """Times `calls` in turn for about `budget` seconds each, and up to five times as much untimed where calls are long.

    A turn is one untimed call (as many as the caches need where a call is long) and one batch. Each round starts with the next
    engine, so no one always follows the same neighbour. `settle` seconds of sleep before a turn let the threads of the
    previous engine stop spinning; the untimed calls are a batch at least then, which wakes this one's and places them.
    """
    with no_gc():
        # Twice: caches that were cold for an engine must not give it shorter batches.
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
