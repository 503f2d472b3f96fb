#!/usr/bin/env bash
# Makes a Python environment with eltwise and its peers: about 4 GB, a few minutes.
# usage: benches/peers/setup.sh DIR      then: DIR/bin/python benches/peers
set -euo pipefail
dir=${1:?usage: setup.sh DIR}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

python3 -m venv "$dir"
install=("$dir/bin/pip" --quiet --disable-pip-version-check install)
"${install[@]}" numpy ml_dtypes scipy onnx onnxruntime openvino numexpr jax pytest matplotlib
# Intel's library is for x86-64 only.
[ "$(uname -m)" != x86_64 ] || "${install[@]}" mkl

# PyTorch's wheel depends on gigabytes of CUDA libraries; for the CPU, stubs with their symbols are enough.
"${install[@]}" typing_extensions sympy networkx jinja2 fsspec filelock mpmath MarkupSafe setuptools
"${install[@]}" --no-deps torch
if ! "$dir/bin/python" -c 'import torch' 2>/dev/null; then
    "${install[@]}" --no-deps nvidia-cuda-runtime nvidia-cuda-cupti
    "$dir/bin/python" "$here/torch_cpu_stubs.py"
fi

"${install[@]}" "$root/crates/eltwise-python"
"$dir/bin/python" "$here" --only 'call add/float32/n=64 out' --budget 0.01
