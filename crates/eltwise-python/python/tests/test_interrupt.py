"""Ctrl-C during a long call, in a separate process; threads from environment variables."""

import os
import signal
import subprocess
import sys
import time

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
