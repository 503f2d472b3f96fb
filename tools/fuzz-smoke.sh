#!/usr/bin/env bash
# Smoke test: fuzzes every target for a short time, with a quarter of the kernels (fuzz/Cargo.toml).
#
# usage: tools/fuzz-smoke.sh [TARGET...]
# Each target first reads FUZZ_SEEDS inputs of its corpus (64 by default), then mutates them for FUZZ_SECONDS (60 by
# default). Reading the whole corpus of `run` takes longer than that. One target runs per core.
# `just fuzz TARGET SECONDS` runs one target for longer, with all kernels and all inputs.
# Installs cargo-fuzz under target/ci-tools if it is missing; needs a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=../.ci/lib.sh
source .ci/lib.sh

CARGO_FUZZ=0.13.2
seconds=${FUZZ_SECONDS:-60}
seeds=${FUZZ_SEEDS:-64}
export PATH="$PWD/target/ci-tools/bin:$PATH"
# The default of one codegen unit would compile the kernels on one core.
options=(--no-default-features --codegen-units 16)

mkdir -p target
cargo_tool cargo-fuzz "$CARGO_FUZZ"
cargo +nightly fuzz build "${options[@]}"
if [ $# -eq 0 ]; then
    mapfile -t targets < <(cargo +nightly fuzz list)
else
    targets=("$@")
fi
# fuzz TARGET FOLDER... -- OPTION...: runs the target and writes its output to a log.
fuzz() {
    cargo +nightly fuzz run "${options[@]}" "$@" -malloc_limit_mb=512 -timeout=120 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
        >"target/fuzz-$1.log" 2>&1 || { tail -n 200 "target/fuzz-$1.log"; return 1; }
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# smoke TARGET: reads a part of the corpus, then mutates it.
smoke() {
    local target=$1 all every i read_in kept executed
    mkdir -p "$folder/$target/"{found,seeds}
    # A regular sample by name; names are hashes.
    mapfile -t all < <(find "fuzz/corpus/$target" -type f | sort)
    every=$(((${#all[@]} + seeds - 1) / seeds))
    for ((i = 0; i < ${#all[@]}; i += every)); do cp "${all[$i]}" "$folder/$target/seeds"; done
    read_in=$SECONDS
    fuzz "$target" "$folder/$target/seeds" -- -runs=0
    read_in=$((SECONDS - read_in + 1))
    kept=$(find "$folder/$target/seeds" -type f | wc -l)
    fuzz "$target" "$folder/$target/found" "$folder/$target/seeds" -- -max_total_time=$((seconds + read_in)) -len_control=0 -max_len=512
    echo "$target: $seconds s of fuzzing, after $kept of ${#all[@]} inputs in $read_in s"
    grep -E '^stat::(number_of_executed_units|new_units_added)' "target/fuzz-$target.log"
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "target/fuzz-$target.log")
    if [ "${executed:-0}" -le "$kept" ]; then
        echo "error: $target: $executed executions for $kept inputs, so nothing was mutated; raise FUZZ_SECONDS=$seconds" >&2
        return 1
    fi
}

# One job per core. All targets run to their end, even after a failure.
running=0 failed=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
    smoke "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
exit "$failed"
