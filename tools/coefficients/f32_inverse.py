#!/usr/bin/env python3
"""Prints the tables of the f32 inverse trigonometric functions in crates/eltwise-math."""

from mpmath import asin, atan, mp, mpf, pi, sqrt

from minimax import double, exchange, rounded, show, single

mp.prec = 200
TINY = mpf(2) ** -40


def arc(f):
    """(f(x)/x - 1) / x^2 as a function of x^2, and its weight for an error relative to f."""
    return (lambda u: (f(sqrt(u)) / sqrt(u) - 1) / u, lambda u: u * sqrt(u) / f(sqrt(u)))


# A u for which atan(sqrt(u)) / sqrt(u) is nearly an f32.
MIDDLE = mpf(3198) / 8192


def quotient_of_atan(n):
    """atan(x)/x as a function of x^2 - MIDDLE for |x| <= 1, and its relative error with rounded coefficients."""
    def f(v):
        x = sqrt(v + MIDDLE)
        return atan(x) / x

    low, high = TINY - MIDDLE, 1 - MIDDLE
    c, _ = exchange(f, low, high, list(range(n)), lambda v: 1 / f(v))
    c = [single(k) for k in c]
    return c, max(abs(sum(k * v**i for i, k in enumerate(c)) / f(v) - 1) for v in mp.linspace(low, high, 2001))


if __name__ == "__main__":
    f, weight = arc(atan)
    c, error = rounded(f, TINY, mpf("0.547") ** 2, list(range(5)), weight, single)
    show("ATAN", c, "f32", error)
    c, error = quotient_of_atan(10)
    show("ATAN_WIDE", c, "f32", error)
    f, weight = arc(asin)
    c, error = rounded(f, TINY, mpf(1) / 4, list(range(5)), weight, single)
    show("ASIN", c, "f32", error)
    for name, x in (("PI", pi), ("HALF_PI", pi / 2)):
        print(name, float(single(x)), float(single(x - single(x))), float(x), float(x - double(x)))
    print("LOW", float(single((pi - single(pi)) / single(pi))))
