#!/usr/bin/env python3
"""Calls the Python package with random arrays and arguments, and checks every result and every error.

usage: border.py [--seconds N] [--seed S]     random cases in a child process; if it crashes, reports the case
       border.py --case SEED                  a single case

Operands and outputs are in memory between guard pages, at either end of it, with any strides that fit: reversed, repeated,
overlapping, unaligned, byte-swapped, read-only, empty; outputs may overlap operands. No byte outside the elements of `out`
may change. Calls that `rules.py` allows must succeed and give the values that it computes. At the end the script prints how
often each comparison was made; if one is too rare, it fails.
"""

import argparse
import multiprocessing
import random
import sys
import time
import warnings

import eltwise
import numpy as np
from cases import OPERATORS, PAIRS, Case
from guarded_memory import GuardedPage

PAGES = 8
#: Each count, and the smallest share of the cases at which it must occur.
MIN_SHARES = {
    "accepted": 0.7,
    "rejected": 0.05,
    "must accept": 0.6,
    "value": 0.35,
    "layout": 0.4,
    "out": 0.2,
    "out rejected": 0.05,
    "views": 0.05,
}
#: Every function that is called.
CALLED = [*OPERATORS, *PAIRS, "compile", "broadcast_to", "broadcast_arrays"]
#: The number of cases from which the shares are checked, and every function must have been called.
MIN_CASES = 5000


def one_case(seed, pages, library=eltwise):
    """Runs a case. Returns its counts."""
    case = Case(random.Random(seed).randrange, pages, library)
    case.run()
    return case.counts


def too_few(cases, counts):
    """Descriptions of the counts that are too small, and of the functions that were never called."""
    if cases < MIN_CASES:
        return []
    rare = [f"{name}: {counts[name]} of {cases} cases" for name, share in MIN_SHARES.items() if counts[name] < share * cases]
    return rare + [f"{name} was never called" for name in CALLED if not counts[name]]


def child(seed, deadline, last, cases, counts):
    """Runs cases from a seed on. `last` is the seed of the case that runs."""
    quiet()
    pages = [GuardedPage() for _ in range(PAGES)]
    places = {name: i for i, name in enumerate([*MIN_SHARES, *CALLED])}
    while time.time() < deadline:
        last.value = seed
        for name, count in one_case(seed, pages).items():
            counts[places[name]] += count
        seed += 1
        cases.value += 1


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
        print(dict(one_case(args.case, [GuardedPage() for _ in range(PAGES)])))
        return
    context = multiprocessing.get_context("spawn")
    seed = int(time.time() * 1000) << 20 if args.seed is None else args.seed
    last, cases = context.Value("q", seed, lock=False), context.Value("q", 0, lock=False)
    names = [*MIN_SHARES, *CALLED]
    counts = context.Array("q", len(names), lock=False)
    process = context.Process(target=child, args=(seed, time.time() + args.seconds, last, cases, counts))
    process.start()
    process.join()
    counts = dict(zip(names, counts))
    print(f"{cases.value} cases from {seed} on, eltwise {eltwise.__version__} on {eltwise.isas()[-1]}")
    print(", ".join(f"{name} {counts[name]}" for name in MIN_SHARES))
    if process.exitcode:
        sys.exit(f"error: exit code {process.exitcode}; to repeat the case: {sys.argv[0]} --case {last.value}")
    if rare := too_few(cases.value, counts):
        sys.exit("error: too few: " + "; ".join(rare))


if __name__ == "__main__":
    main()
