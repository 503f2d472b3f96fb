"""The example of the crate `ort`, with the shared library of the installed runtime."""

import os
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import onnxruntime_ep_eltwise
import pytest


@pytest.mark.skipif("SESSION_EXAMPLE" not in os.environ, reason="SESSION_EXAMPLE is not set: tools/test-onnxruntime.sh builds it")
def test_a_session_from_rust(tmp_path):
    text = '<ir_version: 8, opset_import: ["": 17]> g (float[N,8] x) => (float[N,8] y) { a = Exp(x)  b = Mul(a, x)  y = Sqrt(b) }'
    onnx.save(onnx.parser.parse_model(text), tmp_path / "model.onnx")
    (runtime,) = Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.*")
    command = [os.environ["SESSION_EXAMPLE"], runtime, onnxruntime_ep_eltwise.get_library_path(), tmp_path / "model.onnx"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run
    name, _, rest = run.stdout.partition(" ")
    shape, _, elements = rest.partition("] ")
    assert (name, shape) == ("y", "[2, 8")
    numbers = np.array([float(number) for number in elements.strip(" []\n").split(",")], "f4")
    np.testing.assert_allclose(numbers, np.full(4, np.sqrt(np.e)), rtol=1e-6)
