#!/usr/bin/env python3
"""Prints the tables of the f32 gelu in crates/eltwise-math."""

from mpmath import erf, erfc, exp, mp, mpf, sqrt

from minimax import double, rounded, show

mp.prec = 200
MIDDLE = mpf(4)
END = sqrt(mpf(212))
TINY = mpf(2) ** -40


def middle(u):
    """(Phi(x) - 1/2) / x as a function of x^2."""
    return erf(sqrt(u / 2)) / 2 / sqrt(u)


def far(v):
    """x Phi(-x) exp(x^2/2) as a function of 1/x^2."""
    x = 1 / sqrt(v)
    return x * erfc(x / sqrt(2)) / 2 * exp(x * x / 2)


if __name__ == "__main__":
    c, error = rounded(middle, TINY, MIDDLE**2, list(range(15)), lambda u: sqrt(u) / erfc(sqrt(u / 2)) * 2, double)
    show("MIDDLE", c, "f64", error)
    c, error = rounded(far, 1 / END**2, 1 / MIDDLE**2, list(range(7)), lambda v: 1 / far(v), double)
    show("FAR", c, "f64", error)
