#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/double/hyperbolic.rs: cosh and sinh where |r| <= ln 2 / 2."""

from mpmath import cosh, log, mp, mpf, sinh, taylor
from minimax import rounded, show

LIMIT = float(log(2) / 2) * 1.001


def series(first, terms=20):
    """(cosh or sinh of r, less its first terms) / r^first as a function of u = r^2."""
    return lambda u: sum(u**k / mp.factorial(first + 2 * k) for k in range(terms))


if __name__ == "__main__":
    even, error = rounded(series(4), 0, LIMIT**2, range(5), lambda u: u**2 + mpf(2) ** -20)
    show("EVEN", even, "f64", error)
    odd, error = rounded(series(3), 0, LIMIT**2, range(5), lambda u: u + mpf(2) ** -20)
    show("ODD", odd, "f64", error)
