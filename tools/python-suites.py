#!/usr/bin/env python3
"""Runs other projects' tests with the functions of the installed package in NumPy's place, and prints what differs.

usage: tools/python-suites.py [--all] [--array-api FOLDER]
NumPy's own tests of ufuncs are in its wheel. FOLDER has the source of the array API's tests (data-apis/array-api-tests with its
submodule); they run with NumPy as well, and only tests that NumPy passes count. By default the differences are counted by test;
--all prints each with its error. Needs pytest and hypothesis; the array API's tests need pytest-json-report and ndindex.
Exit code 1 if a test of the array API fails that NumPy passes.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

PLUGINS = Path(__file__).resolve().parent / "suites"
OF_NUMPY = ["numpy._core.tests.test_umath", "numpy._core.tests.test_ufunc"]
ARRAY_API_VERSION = "2024.12"
# Special cases of complex numbers, which NumPy computes. Some fail for some random values.
COMPLEX = "imag"


def failures(title, arguments, variables=(), folder=None):
    """The lines of the tests that failed, after one line with the counts."""
    path = os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rf", *arguments]
    environment = os.environ | {"PYTHONPATH": path} | dict(variables)
    run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    if not lines or not re.search(r"\d+ passed", lines[-1]):
        sys.exit(f"error: {title} did not run:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    print(f"{title}: {lines[-1]}")
    return [line for line in lines if line.startswith("FAILED")]


def count(failed, every):
    """Prints the failures by test, and one by one with `every`."""
    counts = collections.Counter(re.sub(r"^FAILED [^:]*::|\[.*| - .*", "", line) for line in failed)
    for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"  {number:5} {name}")
    if every:
        print(*failed, sep="\n")


def array_api(folder):
    """The lines of tests of the array API that fail with the package's functions and pass with NumPy's."""
    failed = {}
    for namespace in ("numpy", "eltwise_namespace"):
        variables = {"ARRAY_API_TESTS_MODULE": namespace, "ARRAY_API_TESTS_VERSION": ARRAY_API_VERSION}
        arguments = ["--max-examples", "100", "--hypothesis-disable-deadline", "-k", f"not {COMPLEX}", "array_api_tests"]
        lines = failures(f"array API {ARRAY_API_VERSION}, {namespace}", arguments, variables, folder)
        failed[namespace] = {line.split(" - ")[0]: line for line in lines}
    return [line for test, line in failed["eltwise_namespace"].items() if test not in failed["numpy"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="print each difference with its error")
    parser.add_argument("--array-api", metavar="FOLDER", type=Path, help="the source of the array API's tests")
    options = parser.parse_args()
    for suite in OF_NUMPY:
        count(failures(suite, ["-p", "numpy_namespace", "--pyargs", suite]), options.all)
    if options.array_api:
        only_ours = array_api(options.array_api)
        print(f"tests of the array API that fail and pass with NumPy: {len(only_ours)}")
        count(only_ours, options.all)
        sys.exit(bool(only_ours))


if __name__ == "__main__":
    main()
