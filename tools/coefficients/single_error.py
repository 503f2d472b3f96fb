#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/error.rs."""

from mpmath import cos, pi, mp, mpf, erf, erfc, exp, findroot, log, sqrt

from minimax import double, rounded, show, single
from single_rational import rational

mp.prec = 200

SPLIT = mpf(1)
END = mpf("3.93")
# Where erfc is 2^-3, as f32.
CENTRE = single(findroot(lambda x: erfc(x) - mpf(1) / 8, 1.08))


def small(u):
    x = sqrt(u)
    return erf(x) / x - 1


def large(b):
    """log2(erfc(CENTRE + b) / erfc(CENTRE)) / b"""
    if abs(b) < mpf(2) ** -60:
        b = mpf(2) ** -60
    return log(erfc(CENTRE + b) / erfc(CENTRE), 2) / b


def large_weight(b):
    """What an error of large is for erf, relative."""
    x = CENTRE + b
    return (abs(b) + mpf(2) ** -60) * erfc(x) / erf(x) * log(2)


def scaled(a):
    return erfc(a) * exp(a * a)


def power(f):
    """(2^f - 1) / f"""
    f = f if abs(f) > mpf(2) ** -60 else mpf(2) ** -60
    return (mpf(2) ** f - 1) / f


def power_weight(f):
    """In erf, powers above 2^(-3 + 0.34) are those of 2^-4 and less."""
    return (abs(f) + mpf(2) ** -60) / (1 if f < mpf("0.34") else 2)


if __name__ == "__main__":
    c, error = rounded(small, mpf(2) ** -40, SPLIT**2, list(range(7)), lambda u: sqrt(u) / erf(sqrt(u)), single)
    show("SMALL", c, "f32", error)
    print("CENTRE", float(CENTRE))
    c, error = rounded(large, SPLIT - CENTRE, END - CENTRE, list(range(6)), large_weight, single)
    show("LARGE", c, "f32", error)
    c, error = rounded(power, -0.5, 0.5, list(range(6)), power_weight, single)
    show("POWER", c, "f32", error / 8)
    # Points of Chebyshev in 1/(a + 3).
    low, high = 1 / mpf("13.1"), mpf(1) / 3
    grid = [1 / (low + (high - low) * (1 + cos(pi * k / 1500)) / 2) - 3 for k in range(1501)]
    n, d, error = rational(scaled, grid, 4, 5)
    show("NUMERATOR", [double(x) for x in n], "f64", error)
    show("DENOMINATOR", [double(x) for x in d], "f64", error)
    c, error = rounded(lambda f: mpf(2) ** f, mpf(-1) / 2, mpf(1) / 2, list(range(7)), lambda f: mpf(2) ** -f, double)
    show("WIDE_POWER", c, "f64", error)
