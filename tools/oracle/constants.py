#!/usr/bin/env python3
"""Prints crates/eltwise-oracle/src/wide/constants.rs: constants of 256 bits, and the bits of 2/pi.

Needs mpmath (pip install mpmath).

    python tools/oracle/constants.py > crates/eltwise-oracle/src/wide/constants.rs
"""

from mpmath import floor, frexp, ldexp, log, mp, mpf, pi, sqrt

mp.prec = 2000


def limbs(x, count):
    """The limbs of x in [0, 1), lowest first."""
    n = int(floor(ldexp(x, 64 * count)))
    return [(n >> (64 * i)) & (2**64 - 1) for i in range(count)]


def text(numbers):
    rows = []
    for i in range(0, len(numbers), 4):
        rows.append("    " + " ".join(f"0x{n:016x}," for n in numbers[i:i + 4]))
    return "\n".join(rows)


print("//! Constants of 256 bits, and the bits of 2/pi. Made by tools/oracle/constants.py.\n")
print("use super::Wide;\n")
for name, doc, value in [
    ("PI", "pi", pi),
    ("LN_2", "log(2)", log(mpf(2))),
    ("LN_10", "log(10)", log(mpf(10))),
    ("TWO_OVER_SQRT_PI", "2 / sqrt(pi)", 2 / sqrt(pi)),
    ("ONE_OVER_SQRT_2", "1 / sqrt(2)", 1 / sqrt(mpf(2))),
    ("SQRT_TWO_OVER_PI", "sqrt(2 / pi)", sqrt(2 / pi)),
]:
    mantissa, exponent = frexp(value)
    print(f"/// {doc}: {mp.nstr(+value, 40)}")
    print("#[rustfmt::skip]")
    print(f"pub(crate) const {name}: Wide<4> = Wide::constant({exponent}, [\n{text(limbs(mantissa, 4))}\n]);\n")
print("/// The bits of 2 / pi behind the point, lowest first.")
print("#[rustfmt::skip]")
print(f"pub(crate) const TWO_OVER_PI: [u64; 24] = [\n{text(limbs(2 / pi, 24))}\n];")
