"""Ctrl-C during a long call, in a separate process; the progress of long calls; threads from environment variables."""

import os
import signal
import subprocess
import sys
import time

import eltwise
import numpy as np
import pytest

LONG_CALL = """
import signal, sys, time
import eltwise, numpy as np
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have the signal ignored
eltwise.set_num_threads(int(sys.argv[1]))
x = np.ones(4_000_000)
slow = eltwise.compile(" + ".join(f"tanh(x + {i})" for i in range(400)))
print("ready", flush=True)
start = time.perf_counter()
try:
    slow(x)
except KeyboardInterrupt:
    print("interrupted after", time.perf_counter() - start, flush=True)
print("sum", eltwise.sum(1, 2))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_long_call(threads):
    command = [sys.executable, "-c", LONG_CALL, str(threads)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    output, errors = process.communicate(timeout=60)
    assert "interrupted after" in output and "sum 3" in output, (output, errors)
    assert time.perf_counter() - begin < 2


def test_a_long_call_reports_its_progress():
    threads = eltwise.get_num_threads()
    eltwise.set_num_threads(1)
    try:
        slow = eltwise.compile(" + ".join(f"tanh(x + {i})" for i in range(200)))
        x, shares = np.ones(200_000), []
        while not shares:
            x = np.ones(2 * x.size)
            result = slow(x, progress=shares.append)
        assert shares == sorted(shares) and shares[-1] == 1.0
        assert shares[0] < 1 and (result == slow(x[:1])).all()

        def stop(share):
            raise ValueError("enough", share)

        begin = time.perf_counter()
        with pytest.raises(ValueError) as caught:
            slow(np.ones(4 * x.size), progress=stop)
        assert caught.value.args[0] == "enough" and 0 < caught.value.args[1] < 1
        assert caught.traceback[-1].name == "stop"
        assert time.perf_counter() - begin < 4
    finally:
        eltwise.set_num_threads(threads)


def test_a_short_call_tells_nothing():
    told = []
    f = eltwise.compile("x + 1")
    assert f(1.0, progress=told.append) == 2 and told == []
    assert eltwise.evaluate("y * 2", {"y": 3}, progress=told.append) == 6 and told == []
    assert f(1.0, progress=None) == f(1.0, progress=False) == 2
    with pytest.raises(TypeError, match="progress is of type str, expected a function, True or None"):
        f(1.0, progress="yes")
    # An operand may have the name.
    assert eltwise.compile("progress + 1")(progress=1) == 2


def test_a_bar_is_of_tqdm(monkeypatch, capsys):
    pytest.importorskip("tqdm")
    from eltwise import _progress

    show = _progress.bar()
    show(0.25)
    show(1.0)
    assert "100%" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ModuleNotFoundError, match="tqdm"):
        eltwise.compile("x + 1")(1.0, progress=True)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"OMP_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "3,2"}, 3),
        ({"ELTWISE_NUM_THREADS": "5", "OMP_NUM_THREADS": "1"}, 5),
        ({"OMP_NUM_THREADS": "junk"}, None),
        ({}, None),
    ],
)
def test_threads_come_from_environment_variables(variables, expected):
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")} | variables
    command = [sys.executable, "-W", "error", "-c", "import eltwise; print(eltwise.get_num_threads())"]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(printed) == (expected or len(os.sched_getaffinity(0)))
