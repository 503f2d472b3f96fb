#!/usr/bin/env bash
# The house rules that a compiler does not check: file length, no leftovers, no switched-off tests, where `unsafe` may
# stand, and that the documentation knows every operator.
# usage: tools/check-house-rules.sh
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s globstar nullglob

LONGEST=700
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
    [ "$lines" -le "$LONGEST" ] || complain "$file has $lines lines, more than $LONGEST"
done
if grep -nEw 'TODO|FIXME|XXX' "${files[@]}" crates/*/Cargo.toml; then complain "leftovers, above"; fi
if grep -nE '\b(todo|unimplemented|dbg)!' "${files[@]}"; then complain "leftover macros, above"; fi
if grep -nE '#\[ignore' "${files[@]}"; then complain "ignored tests, above"; fi

# `unsafe` belongs to a few places; the crates without it forbid it.
for crate in plan reference oracle; do
    grep -q 'forbid(unsafe_code)' "crates/eltwise-$crate/src/lib.rs" || complain "eltwise-$crate does not forbid unsafe code"
done
outside=$(grep -lE '\bunsafe (\{|fn|impl)' crates/eltwise/src/**/*.rs | grep -vE 'src/(view|array|exec)(\.rs|/)' || true)
[ -z "$outside" ] || complain "unsafe outside view, array and exec of eltwise: $outside"

# Every operator of the catalogue is explained.
catalogue=crates/eltwise-plan/src/catalogue.rs
operators=$(sed -nE 's/^ +[A-Z][A-Za-z0-9]+ ([a-z0-9_]+) [A-Z][A-Za-z0-9]+ \(.*/\1/p' $catalogue)
[ -n "$operators" ] || complain "found no operators in $catalogue"
for operator in $operators; do
    grep -qE "\`${operator%_}[\`(]" docs/semantics.md || complain "docs/semantics.md says nothing of $operator"
done

[ "$failures" -eq 0 ] || exit 1
echo "house rules: ${#files[@]} source files pass"
