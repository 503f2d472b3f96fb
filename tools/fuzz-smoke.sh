#!/usr/bin/env bash
# Fuzzes every target from its corpus for a short time, over a quarter of the kernels (fuzz/Cargo.toml): a smoke test.
#
# usage: tools/fuzz-smoke.sh [TARGET...]
# FUZZ_SECONDS is the time for each target, 20 by default; `just fuzz TARGET SECONDS` runs one for longer over all kernels.
# Installs cargo-fuzz under target/ci-tools if it is not there; needs a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=../.ci/lib.sh
source .ci/lib.sh

CARGO_FUZZ=0.13.2
seconds=${FUZZ_SECONDS:-20}
log=target/fuzz.log
export PATH="$PWD/target/ci-tools/bin:$PATH"
# Sixteen units: one, the default, compiles the kernels on one core.
options=(--no-default-features --codegen-units 16)

mkdir -p target
cargo_tool cargo-fuzz "$CARGO_FUZZ"
cargo +nightly fuzz build "${options[@]}"
if [ $# -eq 0 ]; then
    mapfile -t targets < <(cargo +nightly fuzz list)
else
    targets=("$@")
fi
for target in "${targets[@]}"; do
    # New inputs go to the first folder; those of the repository are read.
    found=target/corpus/$target
    mkdir -p "$found"
    echo "fuzzing $target for $seconds s"
    cargo +nightly fuzz run "${options[@]}" "$target" "$found" "fuzz/corpus/$target" -- -max_total_time="$seconds" \
        -len_control=0 -max_len=512 -malloc_limit_mb=512 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
        >"$log" 2>&1 || { tail -n 200 "$log"; exit 1; }
    grep -E '^stat::(number_of_executed_units|new_units_added)' "$log"
done
