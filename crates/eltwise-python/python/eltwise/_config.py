"""`show_config`, which says what the package runs on."""

import os
import platform
import sys

import numpy

from . import _eltwise

_VARIABLES = ("ELTWISE_ISA", "ELTWISE_NUM_THREADS", "OMP_NUM_THREADS")


def show_config(mode="stdout"):
    """Print or return the version, the instruction sets and the threads, for bug reports.

    Parameters
    ----------
    mode : {"stdout", "dicts"}
        "stdout": print. "dicts": return a dict instead.

    Raises
    ------
    ValueError
        Another mode.
    """
    if mode not in ("stdout", "dicts"):
        raise ValueError(f"show_config(): mode={mode!r}, expected 'stdout' or 'dicts'")
    config = {
        "Package": {"eltwise": _eltwise.__version__, "operators": len(_eltwise.operators()), "path": os.path.dirname(__file__)},
        "Instruction sets": {"in use": _eltwise.isa(), "of this machine": ", ".join(_eltwise.isas())},
        "Threads": {"at most": _eltwise.get_num_threads()},
        "Environment": {name: os.environ[name] for name in _VARIABLES if name in os.environ},
        "Python": {"version": platform.python_version(), "numpy": numpy.__version__, "platform": f"{sys.platform} {platform.machine()}"},
    }
    if mode == "dicts":
        return config
    for section, items in config.items():
        print(f"{section}:")
        for name, value in items.items():
            print(f"  {name}: {value}")
    return None
