"""Functions and expressions over dask arrays, also on a local cluster."""

import pickle
import subprocess
import sys
from pathlib import Path

import eltwise
import numpy as np
import pytest
from support import assert_same

array = pytest.importorskip("dask.array")
A, B = np.random.default_rng(3).standard_normal((2, 60, 70)).astype("f4")
ROSENBROCK = eltwise.compile("(0.5 - x)**2 + 0.8*(y - x**2)**2")


def chunked(x, chunks=(25, 30)):
    return array.from_array(x, chunks=chunks)


def test_functions_return_dask_arrays():
    for name, operands in [("add", (A, B)), ("exp", (A,)), ("less", (A, 0.5)), ("clip", (A, -1, 1)), ("add", (A, B[0]))]:
        function = getattr(eltwise, name)
        lazy = function(*[chunked(x) if getattr(x, "ndim", 0) == 2 else x for x in operands])
        assert isinstance(lazy, array.Array) and lazy.dtype == function(*operands).dtype
        assert_same(lazy.compute(), function(*operands))
    # Chunks are unified.
    assert_same(eltwise.add(chunked(A), chunked(B, (60, 7))).compute(), A + B)
    assert_same(eltwise.add(chunked(A), B, where=chunked(A > 0)).compute(), np.where(A > 0, A + B, np.float32(0)))
    for cast in (eltwise.cast(chunked(A), "f8"), eltwise.cast(chunked(A), dtype="f8")):
        assert_same(cast.compute(), A.astype("f8"))
    with pytest.raises(TypeError, match="out"):
        eltwise.add(chunked(A), 1, out=np.zeros_like(A))
    with pytest.raises(TypeError, match="out"):
        eltwise.exp(chunked(A), np.zeros_like(A))
    assert_same(eltwise.clip(chunked(A), 0).compute(), np.maximum(A, 0))
    assert_same(eltwise.clip(chunked(A), max=0).compute(), np.minimum(A, 0))
    assert_same(eltwise.add(chunked(A), y=B).compute(), A + B)
    assert_same(eltwise.add(array.from_array(np.array(3.0), chunks=()), y=np.arange(4.0)).compute(), 3 + np.arange(4.0))
    with pytest.raises(TypeError, match="broadcast"):
        eltwise.add(chunked(A), B[:, 0], broadcast="pdpd", axis=0)
    with pytest.raises(TypeError, match="ProgressBar"):
        ROSENBROCK(chunked(A), 1, progress=print)


def test_an_expression_is_one_layer():
    x, y = chunked(A), chunked(B)
    lazy = ROSENBROCK(x, y=y)
    assert_same(lazy.compute(), ROSENBROCK(A, B))
    layers = set(lazy.dask.layers) - set(x.dask.layers) - set(y.dask.layers)
    assert len(layers) == 1
    assert lazy.name == ROSENBROCK(x, y).name != eltwise.compile("x - y")(x, y).name
    sine, cosine = eltwise.compile("sin(a); cos(a)")(x)
    assert_same(sine.compute(), eltwise.sin(A))
    assert_same(cosine.compute(), eltwise.cos(A))
    fractions = eltwise.modf(x)
    assert_same(fractions[0].compute(), eltwise.fraction(A))


def test_tokens_are_equal_in_every_process():
    tokenize = pytest.importorskip("dask.base").tokenize
    code = (
        "import eltwise; from dask.base import tokenize;"
        "print(tokenize(eltwise.compile('(0.5 - x)**2 + 0.8*(y - x**2)**2'), eltwise.exp))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert tokenize(ROSENBROCK, eltwise.exp) == tokenize(pickle.loads(pickle.dumps(ROSENBROCK)), eltwise.exp) == other
    assert tokenize(ROSENBROCK) != tokenize(eltwise.compile(ROSENBROCK.text, contract=True))


CLUSTER = """
import eltwise, numpy as np, threading
import dask.array as da
from distributed import Client, LocalCluster

def running():
    return threading.active_count(), len(__import__("os").listdir("/proc/self/task"))

def main():
    x = np.random.default_rng(3).standard_normal((400, 500))
    f = eltwise.compile("(0.5 - x)**2 + 0.8*(y - x**2)**2")
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster, Client(cluster) as client:
        lazy = da.from_array(x, chunks=(100, 250))
        before = client.run(running)
        (0.5 - lazy).sum().compute()
        plain = client.run(running)
        result = f(lazy, lazy + 1).compute()
        assert result.tobytes() == f(x, x + 1).tobytes()
        assert eltwise.tanh(lazy).compute().tobytes() == eltwise.tanh(x).tobytes()
        after = client.run(running)
        for worker in plain:
            assert after[worker][1] <= plain[worker][1] + 1, (before, plain, after)
    print("done")

if __name__ == "__main__":
    main()
"""


def test_a_local_cluster_computes_the_same_bits(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    printed = subprocess.run([sys.executable, tmp_path / "cluster.py"], capture_output=True, text=True, timeout=120)
    assert printed.stdout.endswith("done\n"), printed.stderr[-3000:]


EXAMPLE = next((p / "crates/eltwise-python/examples/dask_index.py" for p in Path(__file__).resolve().parents if (p / "crates").is_dir()), None)


def test_the_example_runs(tmp_path):
    pytest.importorskip("distributed")
    if EXAMPLE is None:
        pytest.skip("the tests are not in the source tree")
    command = [sys.executable, EXAMPLE, tmp_path, "--rows", "1200", "--columns", "300"]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert printed.stdout.startswith("1200 x 300 pixels"), printed.stderr[-3000:]
    index = array.from_npy_stack(tmp_path / "index").compute()
    assert index.dtype == np.float32 and 0.1 < (index > 0.4).mean() < 0.15
