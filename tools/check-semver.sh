#!/usr/bin/env bash
# Compares the public API with that of an earlier revision: a removed item or a changed type is a breaking change, which
# needs another version number (docs/stability.md).
#
# usage: tools/check-semver.sh [REVISION]
# The default REVISION is in tools/semver-baseline.txt; the git history must contain it. Re-exported items are compared
# in the crate that defines them, so several crates are checked. A break of an item that `eltwise` does not re-export
# moves the baseline, with the reason in that file. Installs cargo-semver-checks under target/ci-tools if the version
# below is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=../.ci/lib.sh
source .ci/lib.sh

SEMVER_CHECKS=0.51.0
packages=(-p eltwise -p eltwise-core -p eltwise-plan -p eltwise-simd -p eltwise-kernels)
export PATH="$PWD/target/ci-tools/bin:$PATH"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/semver

[ $# -le 1 ] || { echo "error: $0 takes one revision, given: $*" >&2; exit 2; }
revision=${1:-$(awk '!/^#/ && NF { print $1; exit }' tools/semver-baseline.txt)}
if ! git cat-file -e "$revision^{commit}" 2>/dev/null; then
    echo "error: revision \`$revision\` is not in this history; expected a commit, as \`git fetch --unshallow\` brings" >&2
    exit 2
fi
case $(cargo-semver-checks --version 2>/dev/null) in
    "cargo-semver-checks $SEMVER_CHECKS") ;;
    *)
        rm -f target/ci-tools/bin/cargo-semver-checks
        # It takes minutes to compile and a second to compare.
        cargo_tool cargo-semver-checks "$SEMVER_CHECKS" --debug
        ;;
esac
cargo semver-checks "${packages[@]}" --baseline-rev "$revision" --release-type minor --all-features
