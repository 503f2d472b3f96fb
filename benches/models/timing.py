"""Times a model in two sessions that take turns, and compares their outputs."""

import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime
import onnxruntime_ep_eltwise

from . import half
from .catalogue import Model

# Seconds of runs of a session in one round, at least.
TURN = 0.01
# Nodes whose time is that of the nodes inside of them.
CONTROL_FLOW = {"If", "Loop", "Scan"}
# The largest difference of outputs, in tolerances. After some 60 layers that amplify it, that of a detector is 1.2.
LIMIT = 2
# Tolerances of ONNX's node tests.
RTOL, ATOL = 1e-3, 1e-7


def session_options(threads: int):
    """Options of a session that writes no warnings."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The threads of a session would otherwise spin while the other session runs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def session(model: "str | bytes", threads: int, claim: "str | None", report=None, profile: "str | None" = None):
    """A session with the provider, or with the CPU provider only if `claim` is None."""
    options = session_options(threads)
    if profile:
        options.enable_profiling, options.profile_file_prefix = True, profile
    if claim is None:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return onnxruntime.InferenceSession(model, onnxruntime_ep_eltwise.register(onnxruntime, options, claim=claim, report=report))


def claimed(report: dict) -> tuple[int, int, int]:
    """The nodes, the claimed nodes and the groups of a report."""
    graphs = report["graphs"]
    groups = [group for graph in graphs for group in graph["groups"]]
    return sum(graph["nodes"] for graph in graphs), sum(map(len, groups)), len(groups)


def difference(ours: list, theirs: list) -> float:
    """The largest difference of the outputs, as a multiple of the tolerance."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            raise SystemExit(f"error: an output is {a.dtype}{a.shape}, expected {b.dtype}{b.shape}")
        if a.size and np.issubdtype(a.dtype, np.floating):
            a, b = a.astype(np.float64), b.astype(np.float64)
            error = np.where((a == b) | np.isnan(a) & np.isnan(b), 0, np.abs(a - b)) / (ATOL + RTOL * np.abs(b).max())
            # A NaN against a number is no small difference.
            worst = max(worst, float(np.where(np.isnan(error), np.inf, error).max()))
        elif not np.array_equal(a, b):
            worst = max(worst, float("inf"))
    return worst


def turns(sessions: list, inputs: dict, rounds: int) -> list[list[float]]:
    """Seconds per run of each session in each round. The order changes from round to round."""
    counts = []
    for each in sessions:
        each.run(None, inputs)
        start = time.perf_counter()
        each.run(None, inputs)
        counts.append(max(1, round(TURN / (time.perf_counter() - start))))
    count, times = max(counts), [[] for _ in sessions]
    for number in range(rounds):
        order = range(len(sessions)) if number % 2 else reversed(range(len(sessions)))
        for i in order:
            start = time.perf_counter()
            for _ in range(count):
                sessions[i].run(None, inputs)
            times[i].append((time.perf_counter() - start) / count)
    return times


def creation(model: "str | bytes", threads: int, claim: str) -> float:
    """The time of making a session with the provider over that of one without, the best of five."""
    times: list[list[float]] = [[], []]
    for _ in range(5):
        for i, provider in enumerate([None, claim]):
            start = time.perf_counter()
            session(model, threads, provider)
            times[i].append(time.perf_counter() - start)
    return min(times[1]) / min(times[0])


def elementwise(model: "str | bytes", threads: int, claim: "str | None", inputs: dict, op_types: set[str]) -> tuple[float, float]:
    """The seconds of elementwise nodes in a run, and those of all nodes, by the runtime's profile: the medians of ten runs."""
    with tempfile.TemporaryDirectory() as folder:
        profiled = session(model, threads, claim, profile=f"{folder}/profile")
        for _ in range(12):
            profiled.run(None, inputs)
        events = json.loads(Path(profiled.end_profiling()).read_text())
    runs: list[list[float]] = []
    nodes: list[float] = [0.0, 0.0]
    for event in sorted(events, key=lambda event: event["ts"] + event.get("dur", 0)):
        if event["name"] == "model_run":
            runs.append(nodes)
            nodes = [0.0, 0.0]
        elif event.get("cat") == "Node" and event["name"].endswith("_kernel_time") and event["args"]["op_name"] not in CONTROL_FLOW:
            args = event["args"]
            is_ours = args.get("provider") == onnxruntime_ep_eltwise.get_ep_name()
            nodes[1] += event["dur"] * 1e-6
            nodes[0] += event["dur"] * 1e-6 * (is_ours or args["op_name"] in op_types)
    mine, total = zip(*runs[2:])
    return statistics.median(mine), statistics.median(total)


def measure(model: Model, options, threads: int) -> dict:
    """The figures of a model."""
    path = str(model.path(options.models))
    source: "str | bytes" = half.converted(path) if options.half else path
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        session(source, threads, "all", report)
        graphs = json.loads(report.read_text())["graphs"]
        op_types = {node["op_type"] for graph in graphs for group in graph["groups"] for node in group}
        ours = session(source, threads, options.claim, report)
        nodes, claimed_nodes, groups = claimed(json.loads(report.read_text()))
    theirs = session(source, threads, None)
    inputs = model.inputs(theirs)
    error = difference(ours.run(None, inputs), theirs.run(None, inputs))
    if error > LIMIT and not options.half:
        raise SystemExit(f"error: {model.name}: the outputs differ by {error:.2g} tolerances, at most {LIMIT} expected")
    their_times, our_times = turns([theirs, ours], inputs, options.rounds)
    their_elementwise, their_nodes = elementwise(source, threads, None, inputs, op_types)
    our_elementwise, _ = elementwise(source, threads, options.claim, inputs, op_types)
    share = their_elementwise / their_nodes
    return {
        "model": model.name, "threads": threads, "nodes": nodes, "claimed": claimed_nodes, "groups": groups,
        "cpu_ms": statistics.median(their_times) * 1e3, "ratio": statistics.median(our_times) / statistics.median(their_times),
        "share": share, "elementwise_ratio": our_elementwise / their_elementwise if their_elementwise else 1.0,
        "bar": model.bar or 1 - 0.5 * share, "error": error, "creation": creation(source, threads, options.claim),
    }
