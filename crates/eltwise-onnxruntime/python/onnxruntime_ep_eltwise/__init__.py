"""The execution provider of eltwise for ONNX Runtime 1.24 and later.

It computes groups of elementwise nodes of a model in one pass over memory. Other nodes stay with the runtime.

    import onnxruntime, onnxruntime_ep_eltwise

    options = onnxruntime_ep_eltwise.register(onnxruntime)
    session = onnxruntime.InferenceSession("model.onnx", options)
"""

import os
import re
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args

__all__ = ["get_ep_name", "get_library_path", "register"]

try:
    __version__ = metadata.version("onnxruntime-ep-eltwise")
except metadata.PackageNotFoundError:
    # A source tree on the path.
    __version__ = "0"

# The first runtime whose interface has what the provider needs.
OLDEST = (1, 24)
REGISTRATION = "eltwise"
Claim = Literal["auto", "all", "none"]
Accuracy = Literal["fast", "correctly_rounded"]


def get_library_path() -> str:
    """The path of the shared library, for `onnxruntime.register_execution_provider_library`."""
    folder = Path(__file__).resolve().parent
    for library in sorted(folder.glob("_library.*")):
        if library.suffix in (".so", ".pyd", ".dylib"):
            return str(library)
    raise FileNotFoundError(f"the package has no library: {folder} has no file _library.*")


def get_ep_name() -> str:
    """The name of the execution provider, as in `onnxruntime.get_ep_devices()`."""
    return "EltwiseExecutionProvider"


def register(
    onnxruntime: ModuleType,
    session_options: Any = None,
    *,
    claim: Claim = "auto",
    accuracy: Accuracy = "fast",
    report: "str | os.PathLike[str] | None" = None,
) -> Any:
    """Registers the provider and returns options of a session that uses it.

    onnxruntime: the module. The library is registered at the first call.
    session_options: the options to extend, once; by default new ones.
    claim: the groups of nodes that the provider takes: those that are worth it ("auto"), "all" that it can compute, or "none".
    accuracy: "fast" is at most 1 ULP from the exact value in float32, and at most 0.501 ULP in float16. "correctly_rounded" is the
        nearest number; nodes without a correctly rounded algorithm are left to the runtime.
    report: a file for JSON that lists the groups, and why other nodes are in none.

    Raises RuntimeError for a runtime before 1.24, and ValueError for a word that is not listed here.
    """
    version = tuple(int(part) for part in re.findall(r"\d+", onnxruntime.__version__)[:2])
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise RuntimeError(f"onnxruntime_ep_eltwise needs ONNX Runtime {oldest} or newer, this is {onnxruntime.__version__}")
    for name, word, words in (("claim", claim, get_args(Claim)), ("accuracy", accuracy, get_args(Accuracy))):
        if word not in words:
            raise ValueError(f"{name} is {word!r}, expected {' or '.join(map(repr, words))}")
    options = {"claim": claim, "accuracy": accuracy}
    if report is not None:
        options["report"] = os.path.abspath(report)
    if not find_devices(onnxruntime):
        onnxruntime.register_execution_provider_library(REGISTRATION, get_library_path())
    if session_options is None:
        session_options = onnxruntime.SessionOptions()
    # One device, also if the library is registered under several names.
    session_options.add_provider_for_devices(find_devices(onnxruntime)[:1], options)
    return session_options


def find_devices(onnxruntime: ModuleType) -> list:
    """The provider's devices, if its library is registered."""
    return [device for device in onnxruntime.get_ep_devices() if device.ep_name == get_ep_name()]
