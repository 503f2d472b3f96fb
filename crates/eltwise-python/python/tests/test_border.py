"""The fuzzer of the package (`fuzz/python/border.py`): a range of its cases passes, and it detects broken packages."""

import os
import sys
from collections import Counter
from pathlib import Path

import eltwise
import numpy as np
import pytest

if os.name != "posix":
    pytest.skip("needs guard pages", allow_module_level=True)
REPOSITORY = next(p for p in Path(__file__).resolve().parents if (p / "fuzz/python").is_dir())
sys.path.insert(0, str(REPOSITORY / "fuzz/python"))

import border  # noqa: E402
from guarded_memory import GuardedPage, elements_per_byte, page_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
#: The number of cases that must pass, and the most cases that may be needed to detect a broken package.
CASES, MAX_CASES = 600, 6000


@pytest.fixture(scope="module")
def pages():
    """Memory for the operands of all cases."""
    return [GuardedPage() for _ in range(border.PAGES)]


class Broken:
    """The package with every function, or the named ones, replaced by `change(function, operands, options)`."""

    def __init__(self, change, functions=None):
        self.change = change
        self.functions = functions

    def __getattr__(self, name):
        function = getattr(eltwise, name)
        if self.functions and name not in self.functions:
            return function
        if name == "compile":
            return lambda *a: lambda *operands, **options: self.change(eltwise.compile(*a), operands, options)
        return lambda *operands, **options: self.change(function, operands, options)


def rejects(function, operands, options):
    raise TypeError("no")


def rejects_outputs(function, operands, options):
    if options.get("out") is not None:
        raise ValueError("no output")
    return function(*operands, **options)


def rejects_overlaps(function, operands, options):
    out = options.get("out")
    if isinstance(out, np.ndarray) and any(isinstance(x, np.ndarray) and np.may_share_memory(x, out) for x in operands):
        raise ValueError("an overlap")
    return function(*operands, **options)


def rejects_strides(function, operands, options):
    if any(isinstance(x, np.ndarray) and not x.flags.aligned for x in operands):
        raise ValueError("unaligned")
    return function(*operands, **options)


def writes_no_output(function, operands, options):
    out = options.pop("out", None)
    result = function(*operands, **options)
    return result if out is None else out


def gives_another_output(function, operands, options):
    result = function(*operands, **options)
    return result.copy() if isinstance(options.get("out"), np.ndarray) else result


def takes_any_output(function, operands, options):
    out = options.get("out")
    if not isinstance(out, np.ndarray):
        return function(*operands, **options)
    result = function(*operands, **{k: v for k, v in options.items() if k != "out"})
    np.copyto(out, result, casting="unsafe")
    return out


def is_off_by_one(function, operands, options):
    result = function(*operands, **options)
    if isinstance(result, np.ndarray) and result.size and result.dtype.kind in "iuf" and result.flags.writeable:
        result.flat[-1] += 1
    return result


def ignores_negative_strides(function, operands, options):
    forwards = [x[..., ::-1] if isinstance(x, np.ndarray) and x.ndim and x.strides[-1] < 0 else x for x in operands]
    return function(*forwards, **options)


def writes_next_to_out(function, operands, options):
    result = function(*operands, **options)
    out = options.get("out")
    if page_of(out) is not None and out.size:
        outside = np.flatnonzero(elements_per_byte(out) == 0)
        if outside.size:
            page_of(out)[outside[-1]] ^= 1
    return result


def writes_an_operand(function, operands, options):
    result = function(*operands, **options)
    for x in operands:
        if page_of(x) is not None and x.flags.writeable and x.size:
            page_of(x)[np.flatnonzero(elements_per_byte(x))[0]] ^= 1
            break
    return result


def is_of_another_dtype(function, operands, options):
    result = function(*operands, **options)
    return result.astype("f8") if isinstance(result, np.ndarray) and result.dtype == "f4" and "out" not in options else result


def divides_before_it_reads(function, operands, options):
    """A `divmod` that writes the quotient before the remainder reads the operands."""
    first, second = options.get("out") or (None, None)
    return eltwise.floor_divide(*operands, out=first), eltwise.remainder(*operands, out=second)


BROKEN = [rejects, rejects_outputs, rejects_overlaps, rejects_strides, writes_no_output, gives_another_output, takes_any_output]
BROKEN += [is_off_by_one, ignores_negative_strides, writes_next_to_out, writes_an_operand, is_of_another_dtype]
BROKEN = {change.__name__: Broken(change) for change in BROKEN}
BROKEN |= {
    "divides_before_it_reads": Broken(divides_before_it_reads, ["divmod"]),
    "rejects_casts": Broken(rejects, ["cast"]),
    "rejects_pairs": Broken(rejects, ["frexp"]),
    "rejects_expressions": Broken(rejects, ["compile"]),
    "writes_no_output_of_expressions": Broken(writes_no_output, ["compile"]),
    "rejects_one_function": Broken(rejects, ["lcm"]),
    "rejects_views": Broken(rejects, ["broadcast_to"]),
}


def test_a_range_of_cases_passes(pages):
    counts, quiet = Counter(), np.geterr()
    with np.errstate(all="ignore"):
        for seed in range(CASES):
            counts.update(border.one_case(seed, pages))
    assert np.geterr() == quiet
    # Scale the counts to a longer range, in which every function would be called.
    longer = Counter({name: border.MIN_CASES * count // CASES for name, count in counts.items()})
    assert not [rare for rare in border.too_few(border.MIN_CASES, longer) if "never called" not in rare]


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_packages_are_detected(broken, pages):
    with np.errstate(all="ignore"):
        for seed in range(MAX_CASES):
            try:
                border.one_case(seed, pages, BROKEN[broken])
            except AssertionError:
                return
    pytest.fail(f"{MAX_CASES} cases find nothing wrong")


def test_too_few_comparisons_are_reported():
    enough = {name: border.MIN_CASES for name in [*border.MIN_SHARES, *border.CALLED]}
    assert border.too_few(border.MIN_CASES, enough) == []
    for name in enough:
        assert len(border.too_few(border.MIN_CASES, enough | {name: 0})) == 1, name
    assert border.too_few(border.MIN_CASES - 1, {}) == []
