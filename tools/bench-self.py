#!/usr/bin/env python3
"""Compares `eltwise bench` with itself: it must not report a regression of an unchanged program.

usage: tools/bench-self.py [--runs N] [ARGUMENTS OF eltwise bench]

Builds the program, saves one run, and compares N further runs (20 by default) with it. Prints for each run: the exit
code, the numbers of cases reported as slower (listed below the line) and faster, the number of medians that differ by
more than the larger spread of both runs, the load of the machine before the run, and the largest change of a median. A
run takes a minute without --filter or --quick. The exit code is 1 if a run reports a regression, 2 if a run fails.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGRESSED = 3
"""The exit code of `eltwise bench --against` for a regression."""


def build() -> Path:
    """Builds the program and returns its path."""
    command = ["cargo", "build", "--quiet", "--release", "-p", "eltwise-cli", "--message-format=json-render-diagnostics"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(2)
    artifacts = (json.loads(line) for line in done.stdout.splitlines())
    programs = [a["executable"] for a in artifacts if a.get("executable") and a["target"]["name"] == "eltwise"]
    return Path(programs[0])


def times(path: Path) -> dict[str, dict[str, float]]:
    """The times of a saved run in nanoseconds, by case."""
    return {case["name"]: case["time"] for case in json.loads(path.read_text())["cases"]}


def change(before: dict[str, float], now: dict[str, float]) -> float:
    """The relative change of the median."""
    return now["median"] / before["median"] - 1


def is_beyond_spread(before: dict[str, float], now: dict[str, float]) -> bool:
    """Whether the medians differ by more than the larger of both printed spreads."""
    return abs(change(before, now)) > max((time["high"] - time["low"]) / time["median"] for time in (before, now))


def bench(program: Path, directory: Path, arguments: list[str]) -> tuple[int, str]:
    """Runs the benchmark once; returns the exit code and the output."""
    command = [str(program), "bench", "--dir", str(directory), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, REGRESSED):
        print(done.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return done.returncode, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="comparisons")
    options, arguments = parser.parse_known_args()
    program = build()
    # The first run is not a comparison, so it takes no threshold.
    first_arguments = [a for i, a in enumerate(arguments) if not (a.startswith("--threshold") or arguments[i - 1 : i] == ["--threshold"])]
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        bench(program, directory, ["--save", "self", *first_arguments])
        before = times(directory / "self.json")
        print(f"{'run':>3} {'exit':>4} {'slower':>6} {'faster':>6} {'beyond':>6} {'load':>5}  largest change")
        codes = []
        for run in range(1, options.runs + 1):
            load = os.getloadavg()[0]
            code, text = bench(program, directory, ["--against", "self", "--save", "now", *arguments])
            verdicts = [line.rsplit("  ", 1)[-1] for line in text.splitlines()]
            slower_lines = [line for line in text.splitlines() if line.endswith("SLOWER")]
            now = times(directory / "now.json")
            largest = max(now, key=lambda name: abs(change(before[name], now[name])))
            beyond = sum(is_beyond_spread(before[name], now[name]) for name in now)
            slower, faster = verdicts.count("SLOWER"), verdicts.count("faster")
            most = f"{100 * change(before[largest], now[largest]):+.1f} % {largest}"
            print(f"{run:>3} {code:>4} {slower:>6} {faster:>6} {beyond:>6} {load:>5.2f}  {most}", flush=True)
            print("".join(f"    {line}\n" for line in slower_lines), end="", flush=True)
            codes.append(code)
    print(f"{codes.count(REGRESSED)} of {len(codes)} runs report a regression, over {len(before)} cases")
    return 1 if REGRESSED in codes else 0


if __name__ == "__main__":
    sys.exit(main())
