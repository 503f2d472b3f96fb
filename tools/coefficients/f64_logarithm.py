#!/usr/bin/env python3
"""Prints the tables of the f64 log in crates/eltwise-math (inverses and logarithms of 16 cells, and log(1 + r)), and
asinh's.

    python tools/coefficients/f64_logarithm.py
"""

from mpmath import asinh, floor, log, mp, mpf

from minimax import double, exchange, show

# e * ln 2 + log c is exact on this grid: e has 11 bits, and the sum 10 bits before the point.
GRID = mpf(2) ** 42
# The cells are 16 equal steps of the bits: 1/32 below 1 and 1/16 above. Half of the cell of 1 is below 1.
FIRST = -mpf(19) / 2
# The largest allowed error of r, in ULP of the logarithm.
LOSS = mpf("0.13")


def place(i):
    p = FIRST + i
    return 1 + p / 32 if p <= 0 else 1 + p / 16


def unit(x):
    """Half an ULP."""
    return mpf(2) ** (floor(mp.log(x, 2)) - 53) if x else mpf(0)


def loss(a, b, q, c):
    """The largest error of r = m c - 1 in the cell, for a c with q bits after the point. r is exact if it has few bits."""
    worst = mpf(0)
    for i in range(65):
        m = a + (b - a) * i / 64
        r = abs(m * c - 1)
        if 2 * unit(r) > mpf(2) ** (-q - (53 if m < 1 else 52)):
            worst = max(worst, unit(r) / (2 * unit(abs(log(m)))))
    return worst


def inverse(a, b):
    """The c with the smallest |r| among the short numbers near the inverse of the middle that lose at most LOSS, and
    its |r|.
    """
    if a < 1 < b:
        return max(1 - a, b - 1), mpf(1)
    found = []
    for q in range(5, 11):
        k = int(2 / (a + b) * 2**q)
        found += [(max(abs(a * c - 1), abs(b * c - 1)), c) for c in (mpf(i) / 2**q for i in range(k - 1, k + 3)) if loss(a, b, q, c) <= LOSS]
    return min(found)


def asinh_tail(u):
    """(asinh a - a) / a^3 as a function of a^2."""
    a = mp.sqrt(u)
    return (asinh(a) / a - 1) / u if a > mpf(2) ** -20 else -mpf(1) / 6


def main():
    cells = [inverse(place(i), place(i + 1)) for i in range(16)]
    print(f"// |r| <= {float(max(w for w, _ in cells))}")
    show("INVERSE", [c for _, c in cells], "f64")
    widest = max(w for w, _ in cells)
    show("FIRST", [place(0)], "f64")
    # The equations are well scaled in u = 32 r. The error is relative to r.
    tail, error = exchange(
        lambda u: sum((-1) ** (i + 1) * (u / 32) ** i / (i + 2) for i in range(40)),
        -widest * 32, widest * 33, range(9), lambda u: abs(u / 32) + mpf(1) / 1024, points=500)
    tail = [double(x * mpf(32) ** i) for i, x in enumerate(tail)]
    print(f"// Error of the logarithm 2^{float(mp.log(error, 2)):.2f}")
    for base, name in ((mp.e, "NATURAL"), (mpf(2), "BINARY"), (mpf(10), "DECIMAL")):
        logs = [-log(c) / log(base) for _, c in cells]
        high = [floor(y * GRID + mpf(1) / 2) / GRID for y in logs]
        show(f"{name}.high", high, "f64")
        show(f"{name}.low", [double(y - h) for y, h in zip(logs, high)], "f64")
        y = log(mpf(2)) / log(base)
        h = floor(y * GRID + mpf(1) / 2) / GRID
        show(f"{name}.two", [h, double(y - h)], "f64")
        y = 1 / log(base)
        show(f"{name}.unit", [double(y), double(y - double(y))], "f64")
        show(f"{name}.tail", [double(x * y) for x in tail], "f64")
    c, error = exchange(asinh_tail, 0, mpf(9) / 64, range(10), lambda u: u + mpf(2) ** -6, points=400)
    show("ASINH", [double(x) for x in c], "f64", error)


main()
