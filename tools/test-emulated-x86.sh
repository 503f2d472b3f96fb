#!/usr/bin/env bash
# Runs tests on emulated x86-64 CPUs: Nehalem (no AVX) and qemu's largest (AVX2). The same binary must start and pass on
# an old CPU. Installs qemu if it is missing (Debian).
#
# usage: tools/test-emulated-x86.sh [CRATE...] [-- ARGUMENTS OF THE TEST BINARY...]
# CPUS="Nehalem max" selects other CPUs (`qemu-x86_64-static -cpu help` lists them).
#
# Without CRATE: all tests of eltwise-simd and eltwise-kernels, and some tests of eltwise with few cases, which take
# seconds: random programs with and without math, hoisting, extreme arguments. With CRATE, core-math, which the tests
# against `eltwise-oracle` call, is compiled for TARGET_CPU=x86-64 and not for this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

crates=()
while [ $# -gt 0 ] && [ "$1" != "--" ]; do crates+=("$1"); shift; done
[ "${1:-}" = "--" ] && shift
[ ${#crates[@]} -gt 0 ] || {
    crates=(eltwise-simd eltwise-kernels)
    few=1
}
[ -n "${few:-}" ] || export TARGET_CPU=${TARGET_CPU:-x86-64}

if ! command -v qemu-x86_64-static >/dev/null; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "installing qemu-user-static (a Debian package)"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends qemu-user-static >/dev/null
fi

export PROPTEST_CASES=${PROPTEST_CASES:-16}
unset ELTWISE_ISA
for cpu in ${CPUS:-Nehalem max}; do
    echo "x86-64 as $cpu: $(qemu-x86_64-static --version | head -1)"
    tools/workspace-tests.py --runner "qemu-x86_64-static -cpu $cpu" "${crates[@]}" -- "$@"
    # The tests without memory start a child process, which the CPU of this machine runs. To start it, qemu forks while
    # it has several threads, and in one run of ten never returns.
    [ -z "${few:-}" ] || PROPTEST_CASES=4 tools/workspace-tests.py --runner "qemu-x86_64-static -cpu $cpu" \
        --test programs --test hoist --test limits eltwise -- --skip without_memory "$@"
    echo "x86-64 as $cpu: passed: ${crates[*]}${few:+, and few cases of eltwise}"
done
