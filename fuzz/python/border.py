#!/usr/bin/env python3
"""Throws random arrays and arguments at the Python package: the result that it must give, or a refusal that it may.

usage: border.py [--seconds N] [--seed S]     random cases, in a child process whose death is reported with its case
       border.py --case SEED                  one case again

Operands and outputs lie in memory between unreadable pages, at either end of it, with any strides that fit: backwards,
repeated, overlapping, unaligned, byte-swapped, read-only, empty; outputs over operands. Every byte of the memory that is no
element of `out` must be what it was. Calls that the rules of `rules.py` allow must be taken and give the values of these
rules. At the end stands how often each comparison was made; too few are an error.
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
from rooms import Room

ROOMS = 8
#: What is counted, and the least share of the cases that it is.
COUNTED = {"given": 0.7, "refused": 0.05, "must": 0.6, "value": 0.35, "layout": 0.4, "out": 0.2, "out refused": 0.05, "views": 0.05}
#: What is called.
CALLED = [*OPERATORS, *PAIRS, "compile", "broadcast_to", "broadcast_arrays"]
#: From so many cases on, shares say something, and each function is called.
ENOUGH = 5000


def one_case(seed, rooms, library=eltwise):
    """Runs a case; its counts."""
    case = Case(random.Random(seed).randrange, rooms, library)
    case.run()
    return case.counts


def too_few(cases, counts):
    """What was compared or called too seldom."""
    if cases < ENOUGH:
        return []
    rare = [f"{name}: {counts[name]} of {cases} cases" for name, least in COUNTED.items() if counts[name] < least * cases]
    return rare + [f"{name} was never called" for name in CALLED if not counts[name]]


def child(seed, deadline, last, cases, counts):
    """Cases from a seed on; writes which one runs."""
    quiet()
    rooms = [Room() for _ in range(ROOMS)]
    places = {name: i for i, name in enumerate([*COUNTED, *CALLED])}
    while time.time() < deadline:
        last.value = seed
        for name, count in one_case(seed, rooms).items():
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
        print(dict(one_case(args.case, [Room() for _ in range(ROOMS)])))
        return
    context = multiprocessing.get_context("spawn")
    seed = int(time.time() * 1000) << 20 if args.seed is None else args.seed
    last, cases = context.Value("q", seed, lock=False), context.Value("q", 0, lock=False)
    names = [*COUNTED, *CALLED]
    counts = context.Array("q", len(names), lock=False)
    process = context.Process(target=child, args=(seed, time.time() + args.seconds, last, cases, counts))
    process.start()
    process.join()
    counts = dict(zip(names, counts))
    print(f"{cases.value} cases from {seed} on, eltwise {eltwise.__version__} on {eltwise.isas()[-1]}")
    print(", ".join(f"{name} {counts[name]}" for name in COUNTED))
    if process.exitcode:
        sys.exit(f"error: exit code {process.exitcode}; run it again by: {sys.argv[0]} --case {last.value}")
    if rare := too_few(cases.value, counts):
        sys.exit("error: too few: " + "; ".join(rare))


if __name__ == "__main__":
    main()
