"""Settings of the test run: one seed, no deadlines, no warning unseen, every test leaves the thread count as it was."""

import tempfile
from pathlib import Path

import eltwise
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

pytest.register_assert_rewrite("support")

# No files beside the tests.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "eltwise-hypothesis")
settings.register_profile(
    "eltwise", deadline=None, max_examples=60, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("eltwise")

if np.__version__.startswith("1."):
    # NumPy 1.26 can promote as NumPy 2 does, and the package always does.
    np._set_promotion_state("weak")


def pytest_configure(config):
    """Names the suite's own marker."""
    config.addinivalue_line("markers", "levels: lowers the level of instructions; runs after all other tests")


def pytest_collection_modifyitems(items):
    """Warnings are errors, and tests at lowered levels come last.

    From the first lowered level on, every call of the process looks for one: what runs before covers calls that do not.
    """
    for item in items:
        # In front, so that a test's own filters win.
        item.own_markers.insert(0, pytest.mark.filterwarnings("error").mark)
    items.sort(key=lambda item: item.get_closest_marker("levels") is not None)


@pytest.fixture(params=["best", pytest.param("levels", marks=pytest.mark.levels)])
def levels(request):
    """A function whose loop runs once at the best level, or at every level that this machine has, and names it."""
    if request.param == "best":
        return lambda: ["best"]

    def each():
        for name in eltwise.isas():
            with eltwise.isa(name):
                assert eltwise.isa() == name
                yield name

    return each


@pytest.fixture(autouse=True)
def threads_restored():
    """Puts the number of threads back after each test."""
    threads = eltwise.get_num_threads()
    yield
    if eltwise.get_num_threads() != threads:
        eltwise.set_num_threads(threads)
