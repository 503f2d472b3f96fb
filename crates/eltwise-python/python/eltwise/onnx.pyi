"""Type stubs of `eltwise.onnx`."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

def run_node(
    op_type: str,
    operands: Sequence[ArrayLike | None],
    attributes: Mapping[str, int | float | str] | None = None,
    *,
    opset: int | None = None,
    domain: str = "",
) -> NDArray[Any]:
    """Compute one operator as ONNX defines it."""

class BackendRep:
    """A model that is ready to run."""

    def run(self, inputs: Sequence[Any] | Mapping[str, Any], **kwargs: Any) -> tuple[Any, ...]: ...

class Backend:
    """The interface of `onnx.backend`, for models with elementwise operators only."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep: ...
    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]: ...
    @classmethod
    def run_node(cls, node: Any, inputs: Any, device: str = "CPU", outputs_info: Any = None, **kwargs: Any) -> tuple[Any, ...]: ...
    @classmethod
    def supports_device(cls, device: str) -> bool: ...
