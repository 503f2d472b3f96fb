"""Settings of the test run: fixed seeds, no deadlines, warnings are errors, the number of threads is restored."""

import tempfile
from pathlib import Path

import eltwise
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

pytest.register_assert_rewrite("support")

# Hypothesis must not write into the folder of the tests.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "eltwise-hypothesis")
settings.register_profile(
    "eltwise", deadline=None, max_examples=60, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("eltwise")

if np.__version__.startswith("1."):
    # The package always promotes as NumPy 2 does; NumPy 1.26 can be made to.
    np._set_promotion_state("weak")


def pytest_configure(config):
    """Registers the marker of this suite."""
    config.addinivalue_line("markers", "lowers_isa: lowers the ISA; runs after all other tests")


def pytest_collection_modifyitems(items):
    """Makes warnings errors, and moves tests that lower the ISA to the end.

    Once a process has lowered the ISA, every call reads the context variable. The tests before cover calls that do not.
    """
    for item in items:
        # First in the list, so that filters of the test itself take precedence.
        item.own_markers.insert(0, pytest.mark.filterwarnings("error").mark)
    items.sort(key=lambda item: item.get_closest_marker("lowers_isa") is not None)


@pytest.fixture(params=["best", pytest.param("every", marks=pytest.mark.lowers_isa)])
def isas(request):
    """A function that yields names of ISAs: the best one, or each ISA of this machine while it is in use."""
    if request.param == "best":
        return lambda: ["best"]

    def lowered():
        for name in eltwise.isas():
            with eltwise.isa(name):
                assert eltwise.isa() == name
                yield name

    return lowered


@pytest.fixture(autouse=True)
def threads_restored():
    """Restores the number of threads after each test."""
    threads = eltwise.get_num_threads()
    yield
    if eltwise.get_num_threads() != threads:
        eltwise.set_num_threads(threads)
