#!/usr/bin/env python3
"""Prints the tables of tanhshrink and sinc in crates/eltwise-math, for f32 and f64."""

from mpmath import mp, mpf, pi, sinpi, sqrt, tanh

from minimax import double, rounded, show

mp.prec = 240


def shrunk(u):
    """(x - tanh x) / x^3 as a function of x^2."""
    if u < mpf(2) ** -60:
        return mpf(1) / 3 - 2 * u / 15
    x = sqrt(u)
    return (x - tanh(x)) / (u * x)


def sine(u):
    """sin(pi t) / t as a function of t^2."""
    return sinpi(sqrt(u)) / sqrt(u) if u > mpf(2) ** -100 else pi


if __name__ == "__main__":
    third = double(mpf(1) / 3)
    # The constant term is 1/3 as a sum of two floats.
    tail = lambda u: (shrunk(u) - mpf(1) / 3) / u if u > mpf(2) ** -60 else -mpf(2) / 15
    c, error = rounded(tail, 0, mpf(1) / 4, list(range(11)), lambda u: (u + mpf(2) ** -40) / shrunk(u), double)
    show("f64: SHRUNK, after 1/3", c, "f64", error)
    show("f64: THIRD", [third, mpf(1) / 3 - third], "f64")
    c, error = rounded(shrunk, 0, mpf(9) / 16, list(range(8)), lambda u: 1 / shrunk(u), double)
    show("f32: SHRUNK", c, "f64", error)
    c, error = rounded(sine, 0, mpf(1) / 4, list(range(7)), lambda u: 1 / sine(u), double)
    show("f32: SINE", c, "f64", error)
    show("f64: PI", [double(pi), pi - double(pi)], "f64")
