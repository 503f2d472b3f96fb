#!/usr/bin/env bash
# Builds the source distribution and the wheels of the Python package, and tests them in clean environments.
#
# usage: tools/python-package.sh [PYTHON...]
# PYTHON are interpreters; by default all of pyenv that are 3.10 or later, else python3. The files are in target/python/dist:
#
# * eltwise-VERSION.tar.gz, which is installed by the first interpreter: that compiles the kernels.
# * A wheel of the stable ABI for manylinux2014 (glibc 2.17), linked by zig. abi3audit checks it, and every interpreter installs
#   it and runs the tests.
# * Wheels for other CPUs and for musl, if rustup has their targets (*-unknown-linux-gnu, *-unknown-linux-musl). They are not run.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$PWD/target/python/dist
tests=$PWD/crates/eltwise-python/python/tests
environments=$(mktemp -d)
trap 'rm -rf "$environments"' EXIT
rm -rf "$dist"

pythons=("$@")
if [ $# -eq 0 ]; then
    # Free-threaded versions, whose names end in t, have no stable ABI.
    pythons=()
    for python in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[0-9].*[0-9]/bin/python; do
        [ ! -x "$python" ] || pythons+=("$python")
    done
    [ ${#pythons[@]} -gt 0 ] || pythons=(python3)
fi

# environment PYTHON NAME: makes a virtual environment and prints its interpreter.
environment() {
    "$1" -m venv "$environments/$2"
    "$environments/$2/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
    echo "$environments/$2/bin/python"
}

# smoke PYTHON: the package works outside of the source tree.
smoke() {
    (cd "$environments" && "$1" -c '
import eltwise, numpy, sys
assert eltwise.compile("a * b + c")(2.0, numpy.ones(3), 1).tolist() == [3, 3, 3]
print("Python", sys.version.split()[0], "numpy", numpy.__version__, "eltwise", eltwise.__version__, "on", eltwise.isa())')
}

tools=$(environment "${pythons[0]}" tools)
"$tools" -m pip install --quiet 'maturin[zig]>=1.9.4,<2' abi3audit
# maturin starts zig as a module of the first python3 of the path.
maturin=(env "PATH=$(dirname "$tools"):$PATH" "$tools" -m maturin)
"${maturin[@]}" sdist --manifest-path crates/eltwise-python/Cargo.toml --out "$dist"
host=$(rustc -vV | sed -n 's/^host: //p')
targets=("$host")
for target in $(rustup target list --installed); do
    case $target in "$host") ;; *-unknown-linux-gnu | *-unknown-linux-musl) targets+=("$target") ;; esac
done
for target in "${targets[@]}"; do
    compatibility=manylinux2014
    case $target in *musl) compatibility=musllinux_1_2 ;; esac
    "${maturin[@]}" build --release --locked --zig --target "$target" --compatibility "$compatibility" \
        --manifest-path crates/eltwise-python/Cargo.toml --out "$dist"
done
wheel=$(ls "$dist"/*manylinux*"${host%%-*}".whl)
"$tools" -m abi3audit --strict --report "$wheel"
"$tools" -c 'import sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
for file in ("LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt"):
    assert any(name.endswith("licenses/" + file) for name in names), f"{file} is not in the wheel: {names}"
assert "eltwise/py.typed" in names and "eltwise/__init__.pyi" in names' "$wheel"

for python in "${pythons[@]}"; do
    python=$(environment "$python" "$("$python" -c 'import platform; print(platform.python_version())')")
    "$python" -m pip install --quiet "$wheel"
    smoke "$python"
    "$python" -m pip install --quiet "$wheel[test]"
    (cd "$environments" && "$python" -m pytest -q -p no:cacheprovider --numprocesses auto --tb=short "$tests" | grep -v '%\]$')
done

# The oldest NumPy that the package takes. It is for Python 3.11 at most.
if "${pythons[0]}" -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then
    oldest=$(environment "${pythons[0]}" oldest)
    "$oldest" -m pip install --quiet "$wheel" 'numpy==1.24.*'
    smoke "$oldest"
else
    echo "SKIPPED: NumPy 1.24 with ${pythons[0]}, which is too new"
fi

source=$(environment "${pythons[0]}" source)
"$source" -m pip install --quiet "$dist"/eltwise-*.tar.gz
smoke "$source"
ls -l "$dist"
