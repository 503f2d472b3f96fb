#!/usr/bin/env python3
"""Prints the tables of the f64 logaddexp in crates/eltwise-math: short numbers with their logarithms in three parts.

Needs mpmath (pip install mpmath).

    python tools/coefficients/f64_cancelling.py

Asserts that each reduction leaves at most 15 steps of the next table, and prints the bound of |u|.
"""

import struct

from mpmath import mp, mpf, exp, floor, log, nint

from minimax import double

mp.prec = 400
ln2 = log(mpf(2))


def on_grid(x, bits):
    """The nearest multiple of 2^-bits; asserts that it is a double."""
    grid = mpf(2) ** bits
    rounded = nint(x * grid) / grid
    assert rounded == double(rounded)
    return rounded


def parts(x, grids):
    """x as a sum of multiples of 2^-grids[0], 2^-grids[1], ... (a double for a grid of 0), and a last double."""
    out = []
    for bits in grids:
        out.append(on_grid(x, bits) if bits else double(x))
        x -= out[-1]
    return out + [double(x)]


def line(x):
    x = float(x)
    digits = f"{struct.unpack('Q', struct.pack('d', x))[0]:016x}"
    return f"f64::from_bits(0x{'_'.join(digits[i:i + 4] for i in range(0, 16, 4))}), // {x!r}"


def show(name, doc, values):
    print(f"/// {doc}\nconst {name}: [f64; {len(values)}] = [")
    for x in values:
        print("    " + line(x))
    print("];")


def table(name, doc, numbers, grids):
    """Prints a table. Entry i, at index i modulo 16, has the number and the three parts of its logarithm."""
    by_place = {i % 16: a for i, a in numbers.items()}
    rows = [[by_place.get(k, mpf(1))] for k in range(16)]
    for row in rows:
        row += parts(log(row[0]), grids)
    print(f"/// {doc}\nstatic {name}: Tables<4> = Tables::new([")
    for column in range(4):
        print("    [")
        for row in rows:
            print("        " + line(row[column]))
        print("    ],")
    print("]);")


def main():
    first = {i: on_grid(exp(i * ln2 / 16), 9) for i in range(-8, 8)}
    left = ln2 / 32 + max(abs(log(a) - i * ln2 / 16) for i, a in first.items())
    second = {i: on_grid(exp(mpf(i) / 304), 12) for i in range(-7, 8)}
    assert left * 304 < 7.5
    left = mpf(1) / 608 + max(abs(log(a) - mpf(i) / 304) for i, a in second.items())
    third = {i: 1 + mpf(i) / 4096 for i in range(-7, 8)}
    assert left * 4096 < 7.5
    left = mpf(1) / 8192 + max(abs(log(a) - mpf(i) / 4096) for i, a in third.items())
    print(f"// |u| <= 2^{float(log(left, 2)):.2f}")
    # The high parts make the reduced argument exact; the middle parts of the first two tables have an exact sum.
    table("FIRST", "Numbers of 10 bits near 2^(i/16), i from -8 to 7, at i modulo 16, and their logarithms.", first, (53, 106))
    table("SECOND", "Numbers of 13 bits near e^(i/304), i from -7 to 7.", second, (57, 106))
    table("THIRD", "1 + i/4096, i from -7 to 7.", third, (62, 0))
    show("LN2", "log 2: three parts of 42 bits, whose products with integers below 2^11 are exact, and the remainder.", parts(ln2, (42, 85, 128)))
    show("LN2_LONG", "log 2 in three parts of 53 bits.", parts(ln2, (0, 0)))
    for k in (5, 6, 7):
        c = 6 / mp.factorial(k)
        show(f"OVER_{int(mp.factorial(k) / 6)}", f"6/{k}!, and the remainder.", parts(c, (0,)))
    show("TAIL", "6/8!, 6/9!, 6/10!", [double(6 / mp.factorial(k)) for k in range(8, 11)])
    show("SIXTH", "1/6, and the remainder.", parts(mpf(1) / 6, (0,)))
    show("SIXTH_OF_LOG2_E", "1 / (6 log 2), and the remainder.", parts(1 / (6 * ln2), (0,)))
    show("LOG1P", "-1/2, 1/3, -1/4, ...: (log(1 + x) - x) / x^2.", [double(mpf((-1) ** (k + 1)) / k) for k in range(2, 7)])


main()
