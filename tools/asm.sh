#!/usr/bin/env bash
# Prints the assembly of kernels, or their names and sizes.
#
# usage: tools/asm.sh [--list] PATTERN...      kernels whose name matches every PATTERN (a regular expression)
#
#   tools/asm.sh avx2 Add f32                  the AVX2 kernel of add over f32
#   tools/asm.sh --list avx512 Convert         names and bytes of all AVX-512 casts
#
# A name looks like `eltwise_simd::x86_64::avx2::enter::<...Rows<...Map<...Binary<...Add>, f32>>, ...Call>`. The crate is built under
# target/asm with the v0 mangling, whose symbols have their type parameters. Needs binutils.
set -euo pipefail
cd "$(dirname "$0")/.."

list=false
if [ "${1:-}" = "--list" ]; then list=true; shift; fi
[ $# -gt 0 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,12p' >&2; exit 2; }

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asm
RUSTFLAGS="-Csymbol-mangling-version=v0" cargo build --quiet --release -p eltwise-kernels
archive=$CARGO_TARGET_DIR/release/libeltwise_kernels.rlib

# Reads `address size type name` and keeps the entries that match every pattern.
names() {
    nm --demangle --print-size --size-sort "$archive" 2>/dev/null | grep '::enter' | sed -E 's/^[0-9a-f]+ ([0-9a-f]+) . /\1 /' |
        awk -v patterns="$(printf '%s\n' "$@")" '
            BEGIN { count = split(patterns, pattern, "\n") }
            { name = $0; sub(/^[0-9a-f]+ /, "", name); for (i = 1; i <= count; i++) if (name !~ pattern[i]) next; print }'
}

found=$(names "$@")
[ -n "$found" ] || { echo "error: no kernel matches: $*" >&2; exit 1; }
if $list; then
    printf '%s\n' "$found" | while read -r size name; do printf '%8d  %s\n' "$((16#$size))" "$name"; done
    exit
fi
printf '%s\n' "$found" | cut -d' ' -f2- >"$CARGO_TARGET_DIR/names"
objdump --disassemble --demangle --no-show-raw-insn --reloc "$archive" 2>/dev/null |
    awk -v names="$CARGO_TARGET_DIR/names" '
        BEGIN { while ((getline name < names) > 0) wanted[name] = 1 }
        /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); on = name in wanted }
        on' | sed -E 's/(j[a-z]+ +[0-9a-f]+) <.*(\+0x[0-9a-f]+)>$/\1 <\2>/'
