"""The peak memory of a process that makes a session and runs it."""

import argparse
import multiprocessing
import re
from pathlib import Path

from .catalogue import Model


def peak(model: Model, options: argparse.Namespace, threads: int, claim: "str | None", result):
    """Runs a model and puts the process's peak of resident memory, in KiB, into the queue.

    `ru_maxrss` would not do: a new process starts with its parent's peak.
    """
    from . import half
    from .timing import session

    path = str(model.path(options.models))
    made = session(half.converted(path) if options.half else path, threads, claim)
    inputs = model.inputs(made)
    for _ in range(3):
        made.run(None, inputs)
    status = Path("/proc/self/status").read_text()
    result.put(int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]))


def ratio(model: Model, options: argparse.Namespace, threads: int) -> float:
    """The peak with the provider over that without."""
    context = multiprocessing.get_context("spawn")
    peaks = []
    for claim in (None, options.claim):
        result = context.Queue()
        process = context.Process(target=peak, args=(model, options, threads, claim, result))
        process.start()
        peaks.append(result.get(timeout=300))
        process.join()
    return peaks[1] / peaks[0]
