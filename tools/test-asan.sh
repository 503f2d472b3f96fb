#!/usr/bin/env bash
# Runs tests of the library under AddressSanitizer: the build without default features, a quarter of the kernels, in a target folder
# of its own. The standard library is not instrumented.
#
# usage: tools/test-asan.sh [ARGUMENTS OF cargo test...]
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="-Zsanitizer=address" RUSTDOCFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan
# Fewer cases: everything takes several times as long.
export PROPTEST_CASES=${PROPTEST_CASES:-32}
if [ $# -eq 0 ]; then set -- --lib --tests; fi
cargo +nightly test --release --target "$host" -p eltwise --no-default-features "$@"
