# shellcheck shell=bash
# Functions of `.ci/run`. Each step is named and timed in the log; the first failure ends the run.

declare -a STEP_NAMES=() STEP_SECONDS=()
STEPS_PASSED=0
STEP_RUNNING=""
STEP_BEGAN=$SECONDS

# step NAME COMMAND...: runs the command as a step; its failure ends the run.
step() {
    STEP_RUNNING=$1
    STEP_BEGAN=$SECONDS
    shift
    printf '\n=== %s\n' "$STEP_RUNNING"
    "$@"
    step_ends
    STEPS_PASSED=$((STEPS_PASSED + 1))
    printf '=== %s: passed in %d s\n' "$STEP_RUNNING" "${STEP_SECONDS[-1]}"
    STEP_RUNNING=""
}

step_ends() {
    STEP_NAMES+=("$STEP_RUNNING")
    STEP_SECONDS+=($((SECONDS - STEP_BEGAN)))
}

# skip NAME WHY: logs a step that this machine cannot run.
skip() {
    printf '\n=== %s: SKIPPED: %s\n' "$1" "$2"
}

# step_before SECONDS NAME COMMAND...: as step; skips it if the steps before took longer.
step_before() {
    if [ "$SECONDS" -gt "$1" ]; then
        skip "$2" "the steps before took $SECONDS s, more than $1"
    else
        step "${@:2}"
    fi
}

# report: the EXIT trap; prints the slowest steps, the tests that were skipped, and the number of steps.
report() {
    local code=$? failed=0 i
    if [ -n "$STEP_RUNNING" ]; then
        failed=1
        step_ends
        printf '\n=== %s: FAILED (exit code %d)\n' "$STEP_RUNNING" "$code"
    elif [ "$code" -ne 0 ]; then
        failed=1
    fi
    printf '\nslowest steps, of %d s in total\n' "$SECONDS"
    for i in "${!STEP_NAMES[@]}"; do
        printf '%6d s  %s\n' "${STEP_SECONDS[$i]}" "${STEP_NAMES[$i]}"
    done | sort -rn | head -8
    if [ -s "${ELTWISE_SKIPPED:-}" ]; then
        printf '\nSKIPPED by tests, with their number:\n'
        sort "$ELTWISE_SKIPPED" | uniq -c
    fi
    printf '\nsteps: %d passed, %d failed\n' "$STEPS_PASSED" "$failed"
}

# cargo_tool NAME VERSION OPTION...: installs a version of a cargo program under target/ci-tools, unless it is there.
cargo_tool() {
    if ! [ -x "target/ci-tools/bin/$1" ]; then
        cargo install --quiet --locked --root target/ci-tools --target-dir target/ci-tools/build "${@:3}" "$1@$2"
        rm -rf target/ci-tools/build
    fi
}
