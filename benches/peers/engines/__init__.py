"""One adapter per engine. `load` imports the selected ones."""

import importlib

from .base import Engine, Prepared, Settings, Unsupported

# Name on the command line -> module in this folder; the order of the columns.
MODULES = {
    "eltwise": "eltwise",
    "numpy": "numpy",
    "torch": "torch",
    "openvino": "openvino",
    "ort": "onnxruntime",
    "jax": "jax",
    "numexpr": "numexpr",
    "mkl": "onemkl",
}

__all__ = ["MODULES", "Engine", "Prepared", "Settings", "Unsupported", "load"]


def load(names: list[str], settings: Settings) -> tuple[list[Engine], dict[str, str]]:
    """The installed engines, and for each other name the reason why it could not be loaded."""
    engines, absent = [], {}
    for name in names:
        try:
            module = importlib.import_module(f".{MODULES[name]}", __name__)
            engines.append(module.Adapter(settings))
        except (ImportError, OSError) as error:
            absent[name] = f"{type(error).__name__}: {error}"
    return engines, absent
