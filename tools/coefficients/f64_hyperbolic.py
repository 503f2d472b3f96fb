#!/usr/bin/env python3
"""Prints the tables of the f64 hyperbolic functions in crates/eltwise-math.

cosh and sinh for |r| <= ln 2 / 2 and for |r| <= ln 2 / 32; with `tanh DEGREE`, tanh in 16 intervals.

    python tools/coefficients/f64_hyperbolic.py [tanh DEGREE]
"""

import sys

from mpmath import log, mp, mpf, tanh
from f64_error import nearly_double, table
from minimax import rounded, show

LIMIT = float(log(2) / 2) * 1.001
SHORT = float(log(2) / 32) * 1.001


def series(first, terms=20):
    """(cosh or sinh of r without its terms below r^first) / r^first, as a function of u = r^2."""
    return lambda u: sum(u**k / mp.factorial(first + 2 * k) for k in range(terms))


def tanh_rows():
    """The intervals of tanh: four per octave of 2 + SCALE a."""
    scale, rows = mpf("1.5575"), []
    for k in range(16):
        low, high = ((mpf(4 + k % 4 + j) / 4 * 2 ** (1 + k // 4) - 2) / scale for j in (0, 1))
        # For large arguments tanh is so flat that neighbouring centres have the same double.
        step = mpf(2) ** (-11 if k > 11 else -20)
        rows.append((mpf(0) if k == 0 else nearly_double(tanh, (low + high) / 2, step, mpf(2) ** -63), low, high))
    return rows


if __name__ == "__main__":
    if "tanh" in sys.argv:
        table("TANH", tanh, tanh_rows(), int(sys.argv[2]))
        sys.exit()
    even, error = rounded(series(4), 0, LIMIT**2, range(5), lambda u: u**2 + mpf(2) ** -20)
    show("EVEN", even, "f64", error)
    odd, error = rounded(series(3), 0, LIMIT**2, range(5), lambda u: u + mpf(2) ** -20)
    show("ODD", odd, "f64", error)
    # The equations are well scaled in 4096 u.
    for name, first, n in (("SHORT_EVEN", 2, 3), ("SHORT_ODD", 3, 2), ("SHORT_ODD", 3, 3)):
        c, error = rounded(lambda u: series(first)(u / 4096), 0, SHORT**2 * 4096, range(n), lambda u: u + mpf(2) ** -10)
        show(name, [x * mpf(4096) ** i for i, x in enumerate(c)], "f64", error * mpf(2)**-12 * (SHORT if first == 3 else 1))
