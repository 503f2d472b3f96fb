"""Sessions with the provider."""

import json

import numpy as np
import onnx
import onnxruntime
import onnxruntime_ep_eltwise
import pytest


class Runtime:
    """Makes sessions of a test, with their reports in its folder."""

    def __init__(self, folder):
        self.folder = folder
        self.reports = 0

    def session(self, model, claim="all", **options):
        """A session with the provider, and its report."""
        self.reports += 1
        report = self.folder / f"report{self.reports}.json"
        threads = options.pop("threads", 1)
        session_options = onnxruntime.SessionOptions()
        session_options.log_severity_level = 3
        session_options.intra_op_num_threads = threads
        onnxruntime_ep_eltwise.register(onnxruntime, session_options, claim=claim, report=report, **options)
        session = onnxruntime.InferenceSession(serialized(model), session_options)
        return session, json.loads(report.read_text())

    def reference(self, model):
        """A session of the runtime's own provider."""
        session_options = onnxruntime.SessionOptions()
        session_options.log_severity_level = 3
        return onnxruntime.InferenceSession(serialized(model), session_options, providers=["CPUExecutionProvider"])


def serialized(model):
    """A model as bytes; a text is parsed."""
    if isinstance(model, str):
        model = onnx.parser.parse_model(model)
    return model.SerializeToString()


def groups(report):
    """The operators of the groups of a report."""
    return [[node["op_type"] for node in group] for graph in report["graphs"] for group in graph["groups"]]


def unclaimed(report):
    """Why nodes are in no group, by operator."""
    return {node["op_type"]: node["why"] for graph in report["graphs"] for node in graph["unclaimed"]}


def assert_close(ours, theirs, rtol=1e-6):
    """Compares outputs of two sessions."""
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if np.issubdtype(a.dtype, np.floating):
            np.testing.assert_allclose(a.astype("f8"), b.astype("f8"), rtol=rtol, atol=1e-7)
        else:
            assert np.array_equal(a, b)


@pytest.fixture
def runtime(tmp_path):
    return Runtime(tmp_path)
