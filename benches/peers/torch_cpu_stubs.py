#!/usr/bin/env python3
"""Makes PyTorch's CUDA wheel importable for use on the CPU, without 2 GB of CUDA libraries.

usage, in the environment: pip install --no-deps torch nvidia-cuda-runtime nvidia-cuda-cupti; python torch_cpu_stubs.py

Builds a stub for each other CUDA library that the wheel needs: every undefined symbol, with its version, is a function
that prints its name and aborts. The stubs are in a folder on the wheel's search path. CPU kernels are unchanged, and
`torch.cuda.is_available()` is False. Needs gcc, nm and readelf.
"""

import importlib.util
import re
import subprocess
import tempfile
from pathlib import Path

# Library -> prefix of its functions.
LIBRARIES = {
    "libcublas.so.13": "cublas",
    "libcublasLt.so.13": "cublasLt",
    "libcudnn.so.9": "cudnn",
    "libcufft.so.12": "cufft",
    "libcusparse.so.12": "cusparse",
    "libcusparseLt.so.0": "cusparseLt",
    "libnccl.so.2": "nccl",
    "libnvrtc.so.13": "nvrtc",
    "libcufile.so.0": "cuFile",
    "libnvshmem_host.so.3": "nvshmem",
}
HEAD = """#include <stdio.h>
#include <stdlib.h>
static void die(const char *name) { fprintf(stderr, "stub CUDA symbol called: %s\\n", name); abort(); }
"""
FUNCTION = '__attribute__((visibility("default"))) void {0}(void) {{ die("{0}"); }}\n'


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(folder: Path) -> tuple[set[str], set[str]]:
    """Libraries and symbols that the wheel's libraries need, except those that load for CUDA tensors only."""
    libraries, symbols = set(), set()
    for path in folder.glob("*.so*"):
        if path.is_file() and "linalg" not in path.name:
            libraries |= set(re.findall(r"NEEDED.*\[(.*?)\]", output("readelf", "-d", str(path))))
            undefined = output("nm", "-D", "--undefined-only", str(path))
            symbols |= {line.split()[-1] for line in undefined.splitlines()}
    return libraries, symbols


def select(library: str, prefix: str, symbols: set[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The symbols of one library: by version, and those without a version."""
    # cublas and cusparse are prefixes of cublasLt and cusparseLt.
    longer = [x for x in LIBRARIES.values() if x != prefix and x.startswith(prefix)]
    versioned: dict[str, list[str]] = {}
    plain = []
    for symbol in sorted(symbols):
        name, _, version = symbol.partition("@")
        version = version.lstrip("@")
        if version == library or (prefix == "nvshmem" and version == "NVSHMEM"):
            versioned.setdefault(version, []).append(name)
        elif not version and name.startswith(prefix) and not name.startswith(tuple(longer)):
            plain.append(name)
    return versioned, plain


def build(path: Path, versioned: dict[str, list[str]], plain: list[str]) -> int:
    """Compiles the stub; returns its number of symbols."""
    names = sorted({name for group in versioned.values() for name in group} | set(plain))
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder) / "stub.c", Path(folder) / "versions.map"
        source.write_text(HEAD + "".join(FUNCTION.format(name) for name in names))
        command = ["gcc", "-shared", "-fPIC", "-O1", "-w", "-o", str(path), str(source), f"-Wl,-soname,{path.name}"]
        if versioned:
            groups = (f"{v} {{ global: {' '.join(n + ';' for n in group)} }};" for v, group in versioned.items())
            script.write_text("\n".join(groups) + "\n")
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)
    return len(names)


def main():
    site = Path(importlib.util.find_spec("torch").origin).parent.parent
    target = site / "nvidia" / "cu13" / "lib"
    target.mkdir(parents=True, exist_ok=True)
    libraries, symbols = needed(site / "torch" / "lib")
    for library, prefix in LIBRARIES.items():
        if library in libraries and not (target / library).exists():
            print(f"stub: {library}, {build(target / library, *select(library, prefix, symbols))} symbols")


if __name__ == "__main__":
    main()
