#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it in a new virtual environment, and runs its tests there.
#
# usage: tools/test-python.sh [ARGUMENTS OF PYTEST...]
# PYTHON=python3.12 selects the interpreter; the environment is kept in target/python/venv.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
here=target/python
rm -rf "$here"
mkdir -p "$here"
"$python" -m venv "$here/venv"
pip=("$here/venv/bin/python" -m pip --disable-pip-version-check --quiet)

# Builds in release mode in this workspace's target folder, so that it reuses kernels built before.
"${pip[@]}" wheel --no-deps --wheel-dir "$here/wheels" ./crates/eltwise-python
wheels=("$here"/wheels/eltwise-*.whl)
wheel=${wheels[0]}
echo "built $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
case $wheel in *-abi3-*) ;; *) echo "error: not a wheel of the stable ABI" >&2; exit 1 ;; esac
"${pip[@]}" install "$wheel[test,libraries,types]"

# Run in another folder, so that the tests import the installed package.
tests=$PWD/crates/eltwise-python/python/tests
peers=$PWD/benches/peers
tools=$PWD/tools
interpreter=$PWD/$here/venv/bin/python
cd "$here"
"$interpreter" -c 'import eltwise, numpy; print("eltwise", eltwise.__version__, "numpy", numpy.__version__, "on", *eltwise.isas())'
"$interpreter" -m pytest -q -p no:cacheprovider --numprocesses auto "$tests" "$@"

# Files that are made from the package are up to date.
for tool in python-stubs python-examples python-api; do
    "$interpreter" "$tools/$tool.py" --check
done
"$interpreter" "$tools/python-recipes.py" recipes
"$interpreter" -m mypy --strict "$tests/recipes" recipes
"$interpreter" -m pyright --pythonpath "$interpreter" "$tests/recipes" recipes

# The self-test of the comparison benchmark needs no engine but NumPy.
"$interpreter" "$peers" --self-test
