#!/usr/bin/env bash
# Rules that the compiler does not check: the length of test files, no leftovers, no ignored tests, `unsafe` only in
# some modules, and every operator in docs/semantics.md. tools/check-structure.py checks the length of other files, and
# more.
#
# usage: tools/check-house-rules.sh
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s globstar nullglob

# Test files included; check-structure.py allows other files 450 lines.
MAX_LINES=700
failures=0
complain() { echo "error: $*" >&2; failures=$((failures + 1)); }

sources=(crates/**/*.rs benches/**/*.rs fuzz/**/*.rs)
files=()
for file in "${sources[@]}"; do
    case $file in */target/*) ;; *) files+=("$file") ;; esac
done
[ ${#files[@]} -gt 0 ] || complain "no Rust source found"

for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le "$MAX_LINES" ] || complain "$file has $lines lines, at most $MAX_LINES allowed"
done
if grep -nEw 'TODO|FIXME|XXX' "${files[@]}" crates/*/Cargo.toml; then complain "the leftovers above"; fi
if grep -nE '\b(todo|unimplemented|dbg)!' "${files[@]}"; then complain "the leftover macros above"; fi
if grep -nE '#\[ignore' "${files[@]}"; then complain "the ignored tests above"; fi

# `unsafe` is in a few modules only; crates without it forbid it.
for crate in core plan reference oracle; do
    grep -q 'forbid(unsafe_code)' "crates/eltwise-$crate/src/lib.rs" || complain "eltwise-$crate does not forbid unsafe code"
done
modules='view|array|run|exec|threads|sys|lanes'
outside=$(grep -lE '^[^/]*\bunsafe (\{|fn|impl)' crates/eltwise/src/**/*.rs | grep -vE "src/($modules)(\.rs|/)" || true)
[ -z "$outside" ] || complain "unsafe code outside the modules $modules of eltwise:" $outside

# docs/semantics.md describes every operator of the catalogue.
catalogue=crates/eltwise-core/src/catalogue.rs
operators=$(sed -nE 's/^ +[A-Z][A-Za-z0-9]+ ([a-z0-9_]+) [A-Z][A-Za-z0-9]+ \(.*/\1/p' $catalogue)
[ -n "$operators" ] || complain "found no operators in $catalogue"
for operator in $operators; do
    grep -qE "\`${operator%_}[\`(]" docs/semantics.md || complain "docs/semantics.md does not describe $operator"
done

[ "$failures" -eq 0 ] || exit 1
echo "house rules: ${#files[@]} source files checked"
