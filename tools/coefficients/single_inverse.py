#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/inverse.rs."""

from mpmath import asin, atan, mp, mpf, pi, sqrt

from minimax import double, rounded, show, single

mp.prec = 200
TINY = mpf(2) ** -40


def arc(f):
    """(f(x)/x - 1) / x^2 of x^2, and its weight for an error relative to f."""
    return (lambda u: (f(sqrt(u)) / sqrt(u) - 1) / u, lambda u: u * sqrt(u) / f(sqrt(u)))


if __name__ == "__main__":
    f, weight = arc(atan)
    c, error = rounded(f, TINY, mpf("0.547") ** 2, list(range(5)), weight, single)
    show("ATAN", c, "f32", error)
    c, error = rounded(f, TINY, 1, list(range(8)), weight, double)
    show("ATAN_WIDE", c, "f64", error)
    f, weight = arc(asin)
    c, error = rounded(f, TINY, mpf(1) / 4, list(range(5)), weight, single)
    show("ASIN", c, "f32", error)
    for name, x in (("PI", pi), ("HALF_PI", pi / 2)):
        print(name, float(single(x)), float(single(x - single(x))), float(x), float(x - double(x)))
    print("LOW", float(single((pi - single(pi)) / single(pi))))
