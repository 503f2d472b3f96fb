#!/usr/bin/env python3
"""Runs NumPy's own tests of ufuncs with the functions of the installed package in their place, and prints what differs.

usage: tools/python-suites.py [--all]
By default the differences are counted by test; --all prints each with its error. Needs pytest and hypothesis.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

PLUGINS = Path(__file__).resolve().parent / "suites"
SUITES = ["numpy._core.tests.test_umath", "numpy._core.tests.test_ufunc"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="print each difference with its error")
    every = parser.parse_args().all
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH")]))}
    for suite in SUITES:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "numpy_namespace", "-p", "no:cacheprovider", "--tb=no", "-rf"]
        run = subprocess.run([*command, "--pyargs", suite], env=environment, capture_output=True, text=True)
        lines = run.stdout.splitlines()
        failed = [line for line in lines if line.startswith("FAILED")]
        if not lines or not re.search(r"\d+ passed", lines[-1]):
            sys.exit(f"error: {suite} did not run:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
        print(f"{suite}: {lines[-1]}")
        counts = collections.Counter(re.sub(r"^FAILED [^:]*::|\[.*| - .*", "", line) for line in failed)
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            print(f"  {count:5} {name}")
        if every:
            print(*failed, sep="\n")


if __name__ == "__main__":
    main()
