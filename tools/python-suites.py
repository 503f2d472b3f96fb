#!/usr/bin/env python3
"""Runs other projects' tests with the functions of the installed package in NumPy's place, and prints what differs.

usage: tools/python-suites.py [--all] [--array-api FOLDER]
NumPy's own tests of ufuncs are in its wheel. FOLDER has the source of the array API's tests (data-apis/array-api-tests with its
submodule); they run with NumPy as well, and only tests that NumPy passes count. The differences are counted by kind; --all prints
each with its error. Needs pytest and hypothesis; the array API's tests need pytest-json-report and ndindex. Exit code 1 for a test
of NumPy that fails without an explanation, and for a test of the array API that fails and passes with NumPy.
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
# The kinds of differences of docs/python/differences.md, each with a pattern of `TEST - ERROR`.
KINDS = {
    "floating-point errors are not reported": r"FloatingPointError|test_log2_special",
    "overflow of an integer division is not reported": r"test_overflows|test_signed_division_overflow",
    "no signature=": r"argument '(sig|signature)'|test_signature_errors|test_signature_dtype_instances_allowed",
    "no out=...": r"test_output_ellipsis",
    "functions are not ufuncs": r"test_pickle|test_ufunc_docstring|_add_newdoc_ufunc",
    "no warning for where= without out": r"test_where_warns",
    "casting= of byte orders and Python numbers": r"test_cast_safety",
    "Python numbers are not rounded for dtype=": r"test_use_output_signature_for_all_arguments",
    "Python integers beyond 64 bits": r"test_bitwise_count",
    "axis= is of broadcast='pdpd'": r"test_axis_argument",
    "subok= is any truth value": r"test_out_subok",
    "__array_ufunc__ is called with ufuncs only": r"test_ufunc_override_(out|methods)",
    "__array_wrap__ of out is not called": r"test_wrap_out",
    "error messages": r"Regex pattern did not match|does not support ufuncs",
}


def failures(title, arguments, variables=(), folder=None):
    """The lines of the tests that failed, after one line with the counts."""
    path = os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", *arguments]
    environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "500"} | dict(variables)
    run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    if not lines or not re.search(r"\d+ passed", lines[-1]):
        sys.exit(f"error: {title} did not run:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    print(f"{title}: {lines[-1]}")
    return [line for line in lines if line.startswith(("FAILED", "ERROR"))]


def count(failed, every):
    """Prints the failures by kind, and one by one with `every`. Returns those without a kind."""
    kinds = [next((kind for kind, pattern in KINDS.items() if re.search(pattern, line)), None) for line in failed]
    for kind, number in collections.Counter(kinds).most_common():
        print(f"  {number:5} {kind or 'NOT EXPLAINED in docs/python/differences.md'}")
    unexplained = [line for line, kind in zip(failed, kinds, strict=True) if kind is None]
    print(*(failed if every else unexplained), sep="\n", end="\n" if every or unexplained else "")
    return unexplained


def array_api(folder):
    """The lines of tests of the array API that fail with the package's functions and pass with NumPy's."""
    failed = {}
    for namespace in ("numpy", "eltwise_namespace"):
        variables = {"ARRAY_API_TESTS_MODULE": namespace, "ARRAY_API_TESTS_VERSION": ARRAY_API_VERSION}
        arguments = ["--max-examples", "100", "--hypothesis-disable-deadline", "--hypothesis-seed=0", "-k", f"not {COMPLEX}", "array_api_tests"]
        lines = failures(f"array API {ARRAY_API_VERSION}, {namespace}", arguments, variables, folder)
        failed[namespace] = {line.split(" - ")[0]: line for line in lines}
    return [line for test, line in failed["eltwise_namespace"].items() if test not in failed["numpy"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="print each difference with its error")
    parser.add_argument("--array-api", metavar="FOLDER", type=Path, help="the source of the array API's tests")
    options = parser.parse_args()
    wrong = []
    for suite in OF_NUMPY:
        wrong += count(failures(suite, ["-p", "numpy_namespace", "--pyargs", suite]), options.all)
    if options.array_api:
        only_ours = array_api(options.array_api)
        print(f"tests of the array API that fail and pass with NumPy: {len(only_ours)}")
        print(*only_ours, sep="\n")
        wrong += only_ours
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
