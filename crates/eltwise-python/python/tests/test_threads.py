"""Threads and processes: the package's threads, Python's threads, the GIL, fork and spawn, the ISA per context."""

import asyncio
import contextvars
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import warnings

import eltwise
import numpy as np
import pytest
from support import assert_same, values

N = 1_000_000


def large():
    """Whether sums large enough for several threads are right. Child processes call it too."""
    x = np.arange(N, dtype="f4")
    return bool((eltwise.add(x, 1) == x + 1).all() and eltwise.add(x, x)[-1] == 2 * x[-1])


@pytest.mark.parametrize("dtype", ["f4", "u1", "f8"])
def test_results_do_not_depend_on_the_number_of_threads(dtype):
    x, y = values(dtype, (1000, 700)), values(dtype, (700,), 1)
    f = eltwise.compile("maximum(a, b) * 2", "ab")
    results = []
    for threads in (1, 2, 3, 7):
        eltwise.set_num_threads(threads)
        assert eltwise.get_num_threads() == threads
        x_f = np.asfortranarray(x)
        results.append([eltwise.maximum(x, y), eltwise.maximum(x_f, y), f(x, y), eltwise.copy(x.T)])
    for others in results[1:]:
        for got, first in zip(others, results[0]):
            assert_same(got, first)
            assert got.strides == first.strides


def test_set_num_threads_rejects_invalid_numbers():
    for bad, error in [(0, ValueError), (-1, (ValueError, OverflowError)), (1 << 70, (ValueError, OverflowError))]:
        with pytest.raises(error):
            eltwise.set_num_threads(bad)
    for bad in (1.5, "2", None, [2]):
        with pytest.raises(TypeError):
            eltwise.set_num_threads(bad)
    eltwise.set_num_threads(np.int64(3))
    assert eltwise.get_num_threads() == 3


@pytest.mark.parametrize(
    "value, count",
    [("3", 3), ("1", 1), (None, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None)],
)
def test_the_environment_sets_the_number_of_threads(value, count):
    environment = {k: v for k, v in os.environ.items() if k != "ELTWISE_NUM_THREADS"}
    environment |= {"ELTWISE_NUM_THREADS": value} if value else {}
    command = [sys.executable, "-c", "import eltwise; print(eltwise.get_num_threads())"]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(printed) == count


@pytest.mark.parametrize("value", ["0", "-3", "many", "1.5", "1025", "99999999999999999999", "3 threads", "\udcff"])
@pytest.mark.parametrize("call", ["eltwise.get_num_threads()", "eltwise.add(np.ones(9), 1)", "eltwise.add([1, 2], 1)"])
def test_invalid_values_of_the_environment_warn_once(value, call):
    """The value is ignored with one warning, and calls still work."""
    code = f"""
import warnings, eltwise, numpy as np
with warnings.catch_warnings(record=True) as reports:
    warnings.simplefilter("always")
    for _ in range(3):
        {call}
        threads = eltwise.get_num_threads()
print(threads, *[f"{{report.category.__name__}}: {{report.message}}" for report in reports], sep="\\n")
"""
    environment = os.environ | {"ELTWISE_NUM_THREADS": value}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    threads, *reports = ran.stdout.splitlines()
    shown = value.replace("\udcff", "\ufffd")
    assert reports == [f'RuntimeWarning: ELTWISE_NUM_THREADS="{shown}", expected 1 to 1024; using {threads}']
    assert int(threads) >= 1 and ran.stderr == ""


@pytest.mark.parametrize("value", ["", " ", "2", " 2 ", None])
def test_valid_and_empty_values_of_the_environment_do_not_warn(value):
    environment = {k: v for k, v in os.environ.items() if k != "ELTWISE_NUM_THREADS"}
    environment |= {} if value is None else {"ELTWISE_NUM_THREADS": value}
    code = "import eltwise, numpy as np; assert eltwise.add(np.ones(9), 1)[8] == 2; assert eltwise.get_num_threads()"
    ran = subprocess.run([sys.executable, "-W", "always", "-c", code], env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_an_invalid_value_does_not_raise_if_warnings_are_errors():
    code = "import eltwise, numpy as np; assert eltwise.add(np.ones(9), 1)[8] == 2; assert eltwise.get_num_threads()"
    environment = os.environ | {"ELTWISE_NUM_THREADS": "many"}
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stderr.count('ELTWISE_NUM_THREADS="many"') == 1, ran.stderr


def test_many_python_threads_compute_at_once():
    wrong = []

    def work(seed):
        for i in range(25):
            x = values("f4", (1 + 4000 * (i % 5) * seed, 3), seed)
            y = values("f4", (3,), seed + 1)
            with np.errstate(all="ignore"):
                result = x + y
            out = np.empty_like(x)
            for got in (eltwise.add(x, y), eltwise.add(x, y, out=out), out):
                try:
                    assert_same(got, result)
                except AssertionError as error:
                    wrong.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert not wrong, wrong[0]


def test_the_number_of_threads_changes_during_calls():
    stop = threading.Event()
    wrong = []

    def work():
        while not stop.is_set():
            if not large():
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(3)]
    [w.start() for w in workers]
    for i in range(60):
        eltwise.set_num_threads(1 + i % 4)
        time.sleep(0.005)
    stop.set()
    [w.join() for w in workers]
    assert not wrong


def ticks(call):
    """How often another thread runs during a call. It can run only if the call releases the GIL."""
    interval = sys.getswitchinterval()
    count, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            time.sleep(0.001)
            count[0] += 1

    sys.setswitchinterval(1000)  # the interpreter does not switch threads by itself
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        time.sleep(0.02)
        before = count[0]
        call()
        return count[0] - before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_long_calls_release_the_gil():
    assert ticks(lambda: sum(range(2_000_000))) == 0
    x, out = np.ones((2000, 4000), "f8")[:, ::2], np.ones((2000, 2000), "f8")
    f = eltwise.compile("sqrt(sqrt(sqrt(a + 1) / 3) / 5) / 7")
    for call in (lambda: eltwise.sqrt(x, out=out), lambda: f(x, out=out)):
        seen = 0
        for _ in range(20):
            seen += ticks(call)
        assert seen > 0


def in_fork(work):
    """The exit code of a forked process that calls `work`: 0 if it returns true."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_processes_compute():
    eltwise.set_num_threads(3)
    assert large()
    assert in_fork(large) == 0
    assert in_fork(lambda: eltwise.get_num_threads() == 3 and large()) == 0
    assert in_fork(lambda: in_fork(large) == 0 and large()) == 0
    assert in_fork(lambda: eltwise.set_num_threads(2) is None and large()) == 0
    assert large()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_during_calls_of_other_threads():
    stop = threading.Event()

    def work():
        while not stop.is_set():
            large()

    workers = [threading.Thread(target=work) for _ in range(2)]
    [w.start() for w in workers]
    try:
        for _ in range(5):
            assert in_fork(large) == 0
    finally:
        stop.set()
        [w.join() for w in workers]


@pytest.mark.parametrize(
    "method", [m for m in ("fork", "spawn", "forkserver") if m in multiprocessing.get_all_start_methods()]
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_multiprocessing_pools_compute(method):
    assert large()
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = [pool.apply_async(large) for _ in range(4)]
        assert all(r.get(timeout=60) for r in results)
        x = np.arange(12.0)
        assert_same(pool.apply_async(eltwise.add, (x, x)).get(timeout=60), x + x)


# The ISA


@pytest.mark.lowers_isa
def test_isa_blocks_nest_and_restore():
    names = eltwise.isas()
    assert isinstance(names, tuple) and names[0] == "scalar" and eltwise.isa() in names
    best = eltwise.isa()
    for name in names[: names.index(best) + 1]:
        with eltwise.isa(name):
            assert eltwise.isa() == name
            with eltwise.isa("scalar"):
                assert eltwise.isa() == "scalar"
            assert eltwise.isa() == name
        assert eltwise.isa() == best
    with pytest.raises(KeyError), eltwise.isa("scalar"):
        raise KeyError
    assert eltwise.isa() == best


@pytest.mark.lowers_isa
def test_unknown_and_unavailable_isas_raise():
    for bad in ("sse2", "", "AVX9", "neon" if "avx2" in eltwise.isas() else "avx2"):
        with pytest.raises(ValueError), eltwise.isa(bad):
            pass
    for bad in (3, b"scalar", ["scalar"]):
        with pytest.raises(TypeError), eltwise.isa(bad):
            pass
    if len(eltwise.isas()) > 1:
        with eltwise.isa("scalar"), pytest.raises(ValueError), eltwise.isa(eltwise.isas()[-1]):
            pass
    assert eltwise.isa() == eltwise.isas()[-1]


@pytest.mark.lowers_isa
def test_the_isa_belongs_to_its_context():
    best, seen = eltwise.isa(), []
    with eltwise.isa("scalar"):
        thread = threading.Thread(
            target=lambda: seen.append(eltwise.isa()),
            **({"context": contextvars.Context()} if sys.version_info >= (3, 14) else {}),
        )
        thread.start()
        thread.join()
        assert seen == [best]
        inherited = contextvars.copy_context()
        assert contextvars.Context().run(eltwise.isa) == best
    assert inherited.run(eltwise.isa) == "scalar"
    assert eltwise.isa() == best


@pytest.mark.lowers_isa
def test_the_isa_belongs_to_its_task():
    async def task(name):
        with eltwise.isa(name):
            for _ in range(20):
                await asyncio.sleep(0)
                assert eltwise.isa() == name
                assert_same(eltwise.add(np.ones(9), 1), np.full(9, 2.0))

    async def all_tasks():
        await asyncio.gather(*[task(name) for name in eltwise.isas() * 2])

    asyncio.run(all_tasks())
    assert eltwise.isa() == eltwise.isas()[-1]


def test_the_environment_lowers_the_isa():
    for name in eltwise.isas():
        command = [sys.executable, "-c", "import eltwise; print(eltwise.isa())"]
        ran = subprocess.run(
            command, env=os.environ | {"ELTWISE_ISA": name}, capture_output=True, text=True, check=True
        )
        assert ran.stdout.strip() == name
