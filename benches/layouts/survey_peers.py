"""Times NumPy and PyTorch over the cases of `just survey --peers PYTHON`, on one thread.

Reads from standard input `{"seconds": S, "cases": [...]}`, the layouts and steps of each case, and writes to standard output
`[{"name": "NumPy 2.4.0", "seconds": [...]}, ...]`: the fastest call of each case, or null for a case that a library does not
support. PyTorch has no negative strides.
"""

import json
import os
import sys
import time
from collections.abc import Callable

# Before the import of the libraries, which read it.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

DTYPES = {
    "bool": np.bool_,
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
# Bytes between operands: whole pages, so that operands map to different cache sets, and some lines, so that no load has a
# false dependency on a store 4096 bytes away.
PAGE = 4096
STAGGER = 3 * PAGE + 1024
MIN_CALLS = 5


def end_of(operand: dict, start: int) -> int:
    """The start of the next operand in the buffer."""
    return start + -(-operand["bytes"] // PAGE) * PAGE + STAGGER


def arrays(case: dict) -> list[np.ndarray]:
    """The inputs with random values, then the output, with the layouts of the case in one buffer."""
    operands = [*case["inputs"], case["output"]]
    buffer = np.zeros(sum(end_of(o, 0) for o in operands) + PAGE, np.uint8)
    random = np.random.default_rng(1)
    result, start = [], -buffer.ctypes.data % PAGE
    for operand in operands:
        dtype = np.dtype(DTYPES[operand["dtype"]])
        block = buffer[start : start + operand["bytes"]].view(dtype)
        if dtype == np.bool_:
            block[:] = random.integers(0, 2, block.size)
        else:
            block[:] = random.integers(1, 102, block.size) if dtype.kind in "iu" else random.random(block.size) * 4 + 0.5
        # Strides of axes of size 1 do not matter, so they are not negative.
        strides = [s if n > 1 else dtype.itemsize for n, s in zip(operand["shape"], operand["strides"])]
        first = block[operand["offset"] // dtype.itemsize :]
        result.append(np.lib.stride_tricks.as_strided(first, operand["shape"], strides))
        start = end_of(operand, start)
    return result


def numpy_calls(case: dict, inputs: list, output: np.ndarray) -> Callable:
    """One NumPy call for each step. The last step writes the output, the others write arrays that are allocated here."""
    values: list = []
    calls: list[tuple] = []
    for at, value in enumerate(case["values"]):
        if "input" in value:
            values.append(inputs[value["input"]])
        elif "constant" in value:
            values.append(value["constant"])
        else:
            arguments = [values[a] for a in value["arguments"]]
            is_last = at + 1 == len(case["values"])
            function = getattr(np, value["operator"])
            # `where` has no `out`: each call allocates its result.
            if function is np.where:
                values.append(output)
                calls.append((np.where, arguments, {}))
                continue
            result = output if is_last else function(*arguments)
            values.append(result)
            calls.append((function, arguments, {"out": result}))
    return lambda: [function(*arguments, **keywords) for function, arguments, keywords in calls][-1]


def torch_calls(case: dict, inputs: list, output: np.ndarray) -> Callable | None:
    """As numpy_calls; None if PyTorch does not support the case."""
    if any(s < 0 for array in [*inputs, output] for s in array.strides):
        return None
    tensors, result_tensor = [torch.from_numpy(i) for i in inputs], torch.from_numpy(output)
    values: list = []
    calls: list[tuple] = []
    for at, value in enumerate(case["values"]):
        if "input" in value:
            values.append(tensors[value["input"]])
        elif "constant" in value:
            values.append(value["constant"])
        else:
            arguments = [values[a] for a in value["arguments"]]
            function = getattr(torch, value["operator"])
            result = result_tensor if at + 1 == len(case["values"]) else function(*arguments)
            values.append(result)
            calls.append((function, arguments, result))
    return lambda: [function(*arguments, out=result) for function, arguments, result in calls][-1]


def best(call: Callable, seconds: float) -> float:
    """Seconds of the fastest call, of at least MIN_CALLS calls and about `seconds`."""
    call()
    fastest, calls, end = float("inf"), 0, time.perf_counter() + seconds
    while calls < MIN_CALLS or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        fastest = min(fastest, time.perf_counter() - start)
        calls += 1
    return fastest


def times(case: dict, seconds: float) -> list[float | None]:
    """Seconds of NumPy and PyTorch, None for a library that does not support the case."""
    if any(operand["dtype"] not in DTYPES for operand in case["inputs"]):
        return [None, None]
    *inputs, output = arrays(case)
    with_numpy = numpy_calls(case, inputs, output)
    expected = with_numpy().copy()
    numpy_seconds = best(with_numpy, seconds)
    with_torch = torch_calls(case, inputs, output) if torch else None
    if with_torch is None:
        return [numpy_seconds, None]
    output.fill(0)
    np.testing.assert_allclose(with_torch().numpy(), expected, rtol=1e-2)
    return [numpy_seconds, best(with_torch, seconds)]


def main() -> None:
    request = json.load(sys.stdin)
    rows = [times(case, request["seconds"]) for case in request["cases"]]
    names = [f"NumPy {np.__version__}"] + ([f"PyTorch {torch.__version__}"] if torch else [])
    json.dump([{"name": name, "seconds": [row[k] for row in rows]} for k, name in enumerate(names)], sys.stdout)


if __name__ == "__main__":
    main()
