#!/usr/bin/env bash
# Runs tests on aarch64 (NEON) under qemu, on x86-64 Debian. Installs the cross toolchain if it is missing.
#
# usage: tools/test-aarch64.sh [CRATE...] [-- ARGUMENTS OF THE TEST BINARY...]
#
# Does not need rustup's standard library for aarch64, which may not be downloadable: the compiler is Debian's
# `rustc-web`, whose library packages install for a foreign architecture. Cargo is the one in the PATH. The C library is
# `libc6:arm64`, found without qemu's -L: the loader of Debian's cross packages has another revision, with which the
# first thread hangs. Tests run 10 to 50 times slower than natively, so they use fewer proptest cases.
set -euo pipefail
cd "$(dirname "$0")/.."

crates=()
while [ $# -gt 0 ] && [ "$1" != "--" ]; do crates+=("$1"); shift; done
[ "${1:-}" = "--" ] && shift
# Without CRATE: unit tests, the assembly of the inner loops, every operator over every dtype against the oracle, f16 on
# CPUs with and without f16 arithmetic; with few cases, random layouts, random programs with and without math, hoisting
# and extreme arguments; and some of the tests of guard pages and executors.
targets=(--lib --tests)
[ ${#crates[@]} -gt 0 ] || {
    crates=(eltwise-core eltwise-plan eltwise-simd eltwise-kernels eltwise)
    targets=(--lib --test units --test assembly --test conformance --test dtype_features --test math_bits --test native_f16 --test layout --test soak --test table)
    all=1
}

arm64_std() { ls -d /usr/lib/rustlib/aarch64-unknown-linux-gnu/lib/libstd-*.rlib >/dev/null 2>&1; }

install_toolchain() {
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "installing the aarch64 toolchain (Debian packages)"
    "${as_root[@]}" dpkg --add-architecture arm64
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        rustc-web libstd-rust-web-dev:arm64 libc6:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
        qemu-user-static >/dev/null
}

have() { command -v "$1" >/dev/null; }
if ! { [ -x /usr/bin/rustc ] && [ -e /lib/ld-linux-aarch64.so.1 ] && arm64_std && have aarch64-linux-gnu-gcc &&
    have qemu-aarch64-static; }; then
    install_toolchain
fi
arm64_std || { echo "error: no standard library for aarch64-unknown-linux-gnu under /usr/lib/rustlib" >&2; exit 1; }

export RUSTC=/usr/bin/rustc
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/aarch64-emulated
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64-static
export PROPTEST_CASES=${PROPTEST_CASES:-16}
# The caller's environment may name an ISA or a CPU of another architecture.
unset ELTWISE_ISA TARGET_CPU

echo "aarch64: $($RUSTC --version), qemu $(qemu-aarch64-static --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')"
selection=()
for crate in "${crates[@]}"; do selection+=(-p "$crate"); done
cargo test --target aarch64-unknown-linux-gnu "${targets[@]}" "${selection[@]}" -- "$@"
[ -z "${all:-}" ] || PROPTEST_CASES=4 cargo test --target aarch64-unknown-linux-gnu --test programs --test hoist \
    --test limits "${selection[@]}" -- "$@"
# Fused and correctly rounded kernels next to guard pages; callers and workers that flush subnormals, with FZ16
# too.
[ -z "${all:-}" ] || cargo test --target aarch64-unknown-linux-gnu --test executors --test guard_pages "${selection[@]}" -- \
    the_control_register correctly_rounded_fused_and_custom "$@"
# qemu's default CPU has f16 arithmetic; this one does not, and must give the same bits. The same crates are selected,
# so that nothing is compiled again.
[ -z "${all:-}" ] || QEMU_CPU=cortex-a72 cargo test --target aarch64-unknown-linux-gnu --test native_f16 "${selection[@]}" -- hard_pairs "$@"
echo "aarch64: passed: ${crates[*]}"
