"""help() of the package and of its functions, and the examples in the docstrings."""

import contextlib
import doctest
import io
import subprocess
import sys

import eltwise
import numpy as np
import pytest

FUNCTIONS = [name for name in [*eltwise.operators(), "clip", "divmod", "frexp", "modf", "sincos", "rint"] if hasattr(eltwise, name)]


def page(thing):
    """What help(thing) prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        help(thing)
    return printed.getvalue()


def test_the_page_of_the_package_is_short():
    text = page(eltwise)
    assert len(text.splitlines()) < 60
    for word in ("compile", "operators()", "help(eltwise.exp)", "set_num_threads", "ten-minutes.md"):
        assert word in text
    assert {"exp", "compile", "add"} <= set(dir(eltwise))
    printed = subprocess.run([sys.executable, "-m", "pydoc", "eltwise"], capture_output=True, text=True, check=True).stdout
    assert len(printed.splitlines()) < 60


def run_examples(text, name):
    """Runs the examples of a docstring. Returns their number."""
    test = doctest.DocTestParser().get_doctest(text, {"eltwise": eltwise, "np": np}, name, None, None)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    return len(test.examples)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example_that_runs(name):
    function = getattr(eltwise, name)
    text = function.__doc__
    assert "Examples\n" in text and "Returns\n" in text
    assert run_examples(text, name)
    assert text.splitlines()[0] in page(function) and f"{name}(" in page(function)


@pytest.mark.parametrize("name", ["broadcast_arrays", "broadcast_shapes", "compile", "evaluate"])
def test_the_examples_of_other_functions_run(name):
    assert run_examples(getattr(eltwise, name).__doc__, name)


def test_the_example_of_the_package_runs():
    assert run_examples(eltwise.__doc__, "eltwise") == 4
