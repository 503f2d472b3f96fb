#!/usr/bin/env python3
"""Prints the tables of the double-double exp and log in crates/eltwise-math, and the constants of the f64 exp and log.

Needs numpy (pip install numpy); takes a minute.

    python tools/coefficients/f64_extended.py
"""

import numpy as np
from mpmath import mp, mpf, exp, floor, log

from minimax import double, rounded, show

mp.prec = 220
EXP_CELLS = 16
LOG_CELLS = 32
# e * ln 2 + log c is exact on this grid: e has 11 bits, and the sum 10 bits before the point.
GRID = mpf(2) ** 42
# The cell of 1 is [1 - 1/128, 1 + 1/64]; the lowest cell starts at the start of the octave.
FIRST = 1 - mpf(37) / 128
WEIGHT = 2


def series(k, r):
    """The terms of e^r from r^k, divided by r^k."""
    return sum(r**i / mp.factorial(i + k) for i in range(40))


def log_tail(k, r):
    """The terms of log(1 + r) from r^k, divided by r^k."""
    return sum((-1) ** (i + k + 1) * r**i / (i + k) for i in range(60))


def fit(name, tail, k, n, reach):
    """Prints n coefficients of tail(k, r), the factor of r^k. The error is weighted with r^2: absolute for k = 2, relative
    to r for k = 3.
    """
    # The equations are well scaled in u = 32 r, with the same rounding. A symmetric interval would make the last one
    # singular.
    c, e = rounded(lambda u: tail(k, u / 32), -reach * 32, reach * 33, range(n), lambda u: (abs(u) + reach / 2) ** WEIGHT)
    c = [x * mpf(32) ** i for i, x in enumerate(c)]
    show(name, c, "f64", e * mpf(32) ** -WEIGHT)
    return c


def place(i):
    """The lower end of cell i. Cells are equal steps of the bits: 1/64 below 1 and 1/32 above."""
    below = 1 - FIRST
    step = FIRST + mpf(i) / 64
    return step if step <= 1 else 1 + (mpf(i) / 64 - below) * 2


def accurate(c):
    """A double near c whose logarithm is within 2^-73 of a multiple of 1 / GRID, and that multiple (Gal 1986)."""
    start = floor(-log(c) * GRID)
    scaled = exp(-start / GRID) * mpf(2) ** (53 if c < 1 else 52)
    # scaled * exp(-k / GRID) must be nearly an integer. Its fraction, with the linear term exact modulo 1 in 64 bits:
    k = np.arange(1 << 23, dtype=np.uint64)
    fraction = np.uint64(int(scaled * mpf(2) ** 64) % 2**64) - k * np.uint64(int(scaled / GRID * mpf(2) ** 64) % 2**64)
    x = k.astype(np.float64) / float(GRID)
    fraction = fraction.astype(np.float64) * 2.0**-64 + float(scaled) * (x * x / 2 - x**3 / 6)
    best = int(np.argmin(np.abs(fraction - np.rint(fraction))))
    high = (start + best) / GRID
    c = double(exp(-high))
    assert abs(log(c) + high) < mpf(2) ** -73
    return c, high


def cells():
    inverse, high, width = [], [], mpf(0)
    for i in range(LOG_CELLS):
        a, b = place(i), place(i + 1)
        c, h = (mpf(1), mpf(0)) if a < 1 < b else accurate(2 / (a + b))
        width = max(width, abs(a * c - 1), abs(b * c - 1))
        inverse.append(c)
        high.append(h)
    return inverse, high, width


def main():
    powers = [mpf(2) ** (mpf(i) / EXP_CELLS) for i in range(EXP_CELLS)]
    show("POWERS", [double(p) for p in powers], "f64")
    show("POWERS_LOW", [double(p - double(p)) for p in powers], "f64")
    ln2 = log(mpf(2))
    for name, x in (("LN2", ln2), ("LOG10_2", ln2 / log(10)), ("INVERSE_LOG_2", 1 / ln2), ("INVERSE_LOG_10", 1 / log(10))):
        show(name, [double(x), double(x - double(x))], "f64")
    reach = ln2 / (2 * EXP_CELLS) * mpf("1.0001")
    fit("EXP_TAIL", series, 3, 6, reach)
    fit("EXP", series, 2, 6, reach)
    slope = [mpf(1)] + fit("GROWTH", series, 2, 5, reach)
    for name, ln in (("GROWTH_2", ln2), ("GROWTH_10", log(mpf(10)))):
        show(name, [double(c * ln ** (i + 1)) for i, c in enumerate(slope)], "f64")

    inverse, high, width = cells()
    print(f"// |r| <= {float(width)}")
    show("INVERSE", inverse, "f64")
    show("LOG", high, "f64")
    h = floor(ln2 * GRID + mpf(1) / 2) / GRID
    show("LOG_2", [h, double(ln2 - h)], "f64")
    fit("LOG_TAIL", log_tail, 3, 8, width)


main()
