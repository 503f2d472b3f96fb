"""Thread counts, CPU affinity, and the description of the machine.

`prepare` must run before any engine is imported: most engines read their thread count at import.
"""

import datetime
import os
import platform
import re
from pathlib import Path

VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_MAX_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "ELTWISE_NUM_THREADS",
)
FEATURES = ("avx2", "avx512f", "avx512_fp16", "amx_tile", "asimd", "asimdhp", "sve")


def prepare(threads: int):
    """Sets the number of threads of every engine, and pins the process to as many CPUs."""
    for variable in VARIABLES:
        os.environ[variable] = str(threads)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    cpus = sorted(os.sched_getaffinity(0))
    if threads == 1:
        os.environ["MKL_THREADING_LAYER"] = "SEQUENTIAL"
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    # JAX sizes its thread pool by the CPU affinity.
    os.sched_setaffinity(0, cpus[:threads])


def settle(threads: int) -> float:
    """Seconds that an engine's worker threads may spin after its last call."""
    return 0.0 if threads == 1 else 0.02


def describe(threads: int) -> dict[str, str]:
    """The machine, threads and date, as text by title."""
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"^model name\s*: (.*)$", info, re.M)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", info, re.M)
    present = set(flags[1].split()) if flags else set()
    return {
        "CPU": model[1].strip() if model else platform.processor() or platform.machine(),
        "features": " ".join(x for x in FEATURES if x in present),
        "caches": _caches(),
        "CPUs": f"{os.cpu_count()}, used: {len(os.sched_getaffinity(0))}",
        "threads": str(threads),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _caches() -> str:
    found = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind, level, size = ((folder / x).read_text().strip() for x in ("type", "level", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found)
