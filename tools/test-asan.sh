#!/usr/bin/env bash
# Runs tests under AddressSanitizer, in a target folder of its own. The standard library is not instrumented.
#
# usage: tools/test-asan.sh [all] [ARGUMENTS OF cargo test...]
# Without `all`: the library in the build without default features, which has a quarter of the kernels. With it: the crates of the
# library and the program with all kernels, which takes some ten minutes to build on two cores. ARGUMENTS are `--lib --tests` unless given,
# without the tests that look at the memory of the process or at its machine code: AddressSanitizer adds to both.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(-p eltwise --no-default-features)
if [ "${1:-}" = all ]; then
    packages=(-p eltwise-plan -p eltwise-reference -p eltwise-simd -p eltwise-math -p eltwise-kernels -p eltwise -p eltwise-cli)
    shift
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="-Zsanitizer=address" RUSTDOCFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan
# Fewer cases: everything takes several times as long.
export PROPTEST_CASES=${PROPTEST_CASES:-32}
# What asks for too much memory is to see that there is none.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
if [ $# -eq 0 ]; then
    set -- --lib --tests --no-fail-fast -- --skip memory_does_not_grow_with_the_files \
        --skip files_that_lie_across_each_other_take_pieces_of_both --skip inner_loops_have_no_call \
        --skip clones_without_memory --skip stages_without_memory --skip the_readme_command_takes_inputs_output_and_little_more
fi
cargo +nightly test --release --target "$host" "${packages[@]}" "$@"
