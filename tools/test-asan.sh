#!/usr/bin/env bash
# Runs tests under AddressSanitizer, in a separate target folder. The standard library is not instrumented.
#
# usage: tools/test-asan.sh [all] [ARGUMENTS OF cargo test...]
# Without `all`: the library without default features, which has a quarter of the kernels. With `all`: all crates of the
# library and the command line with all kernels, which takes about ten minutes to build on two cores. The default
# ARGUMENTS are `--lib --tests`, without the tests that inspect the memory of the process or its machine code, because
# AddressSanitizer changes both.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(-p eltwise --no-default-features)
if [ "${1:-}" = all ]; then
    packages=(-p eltwise-core -p eltwise-plan -p eltwise-reference -p eltwise-simd -p eltwise-math -p eltwise-kernels -p eltwise -p eltwise-cli)
    shift
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="-Zsanitizer=address" RUSTDOCFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan
# Fewer cases, because everything takes several times as long.
export PROPTEST_CASES=${PROPTEST_CASES:-32}
# Allocations that are too large must fail and not abort, as without AddressSanitizer.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
if [ $# -eq 0 ]; then
    set -- --lib --tests --no-fail-fast -- --skip memory_does_not_grow_with_the_files \
        --skip memory_is_bounded_for_files_of_different_axis_orders --skip inner_loops_have_no_call \
        --skip clones_without_memory --skip stages_without_memory --skip the_readme_command_needs_little_more_than_its_files
fi
cargo +nightly test --release --target "$host" "${packages[@]}" "$@"
