#!/usr/bin/env python3
"""Prints the tables of the f64 inverse hyperbolic functions in crates/eltwise-math: atanh s for |s| <= 0.145, and log
1.5 in two parts.
"""

from mpmath import log, mpf
from minimax import double, rounded, show

if __name__ == "__main__":
    odd, error = rounded(
        lambda u: sum(u**k / (3 + 2 * k) for k in range(60)), 0, mpf(0.145) ** 2, range(7), lambda u: u + mpf(2) ** -20
    )
    show("ATANH", odd, "f64", error)
    for name, value in (("LOG_3_2", mpf(1.5)),):
        high = mpf(int(log(value) * 2**42)) / 2**42  # The bits of the high part of ln 2, so that their sums are exact.
        show(name, [high, double(log(value) - high)], "f64")
