#!/usr/bin/env python3
"""Prints the tables of the special functions of statistics in crates/eltwise-math/src/f64: a polynomial in each of 16
intervals, as the coefficients in x - centre.
"""

import struct
import sys

from mpmath import besseli, cos, digamma, erfc, erfinv, exp, expm1, findroot, log, loggamma, lu_solve, matrix, mp, mpf
from mpmath import pi, polyval, psi, sqrt

mp.prec = 170


def centre_of(f, low, high):
    """A double near the middle of [low, high] at which f is almost exactly a double (Gal and Bachelis 1991)."""
    middle, step = (low + high) / 2, (high - low) / 2**16

    def distance(x):
        return abs(f(x) - mpf(float(f(x)))) / abs(f(x))

    return min((mpf(float(middle + k * step)) for k in range(-100, 100)), key=distance)


def chebyshev(f, low, high, degree):
    """The polynomial through f at the Chebyshev points of [low, high], in x - centre."""
    n = degree + 1
    centre = centre_of(f, low, high)
    points = [(low + high) / 2 + (high - low) / 2 * cos(pi * (k + mpf(1) / 2) / n) for k in range(n)]
    half = (high - low) / 2
    a, b = matrix(n, n), matrix(n, 1)
    for row, x in enumerate(points):
        for column in range(n):
            a[row, column] = ((x - centre) / half) ** column
        b[row] = f(x)
    solved = lu_solve(a, b)
    return centre, [mpf(float(solved[k] / half**k)) for k in range(n)]


def table(name, f, edges, degree):
    """Prints the table of f over the intervals between 17 edges, one row for each coefficient, after the centres."""
    columns, worst = [], mpf(0)
    for low, high in zip(edges, edges[1:]):
        centre, c = chebyshev(f, low, high, degree)
        columns.append([centre, *c])
        for k in range(60):
            x = low + (high - low) * (k + mpf(1) / 3) / 60
            worst = max(worst, abs(polyval(c[::-1], x - centre) / f(x) - 1))
    print(f"/// The centres and the coefficients in x - centre. Error 2^{float(log(worst, 2)):.2f}.")
    print("#[rustfmt::skip]")
    print(f"static {name}: Tables<{degree + 2}> = Tables::new([")
    for row in zip(*columns):
        texts = [repr(float(x)) for x in row]
        for k in range(0, 16, 4):
            print(("    [" if k == 0 else "     ") + ", ".join(texts[k : k + 4]) + ("]," if k == 12 else ","))
    print("]);")


def growing(low, width):
    """17 edges from `low`: four intervals in each of the binades of t = 2 to 32, x = low + (t - 2) width."""
    t = [mpf(2) ** k * (1 + mpf(j) / 4) for k in range(1, 5) for j in range(4)]
    return [low + (t - 2) * width for t in [*t, mpf(32)]]


def even(high):
    return [high * k / 16 for k in range(17)]


def inverse_error(s):
    """erfinv(x) / x with 1 - x^2 = e^(-s^2)."""
    x = sqrt(-expm1(-s * s))
    y = exp(-s * s) / (1 + x)
    z = erfinv(x) if y > mpf(1) / 4 else s * mpf("0.95")
    for _ in range(0 if y > mpf(1) / 4 else 100):
        step = (log(erfc(z)) - log(y)) * sqrt(pi) / 2 * exp(z * z) * erfc(z)
        z += step
        if abs(step) < mpf(2) ** -150:
            break
    return z / x


def log_gamma(x):
    """lgamma(x) / ((x - 1) (x - 2))"""
    x += mpf(2) ** -70
    return loggamma(x).real / ((x - 1) * (x - 2))


ROOT = findroot(digamma, mpf("1.4616"))


def digamma_ratio(x):
    """digamma(x) / (x - ROOT)"""
    x += mpf(2) ** -70
    return digamma(x) / (x - ROOT)


def bessel(order):
    """i0e(x) sqrt(x + 2), or i1e(x) sqrt(x + 2) / v, as a function of v = x / (x + 4)."""

    def f(v):
        v = min(v, 1 - mpf(2) ** -60)
        x = 4 * v / (1 - v)
        if order == 0:
            return besseli(0, x) * exp(-x) * sqrt(x + 2)
        ratio = besseli(1, x) / x if x > mpf(2) ** -80 else mpf(1) / 2
        return ratio * (x + 4) * exp(-x) * sqrt(x + 2)

    return f


def stirling(u):
    """(lgamma(x) - (x - 1/2) (log x - 1) - log(2 pi) / 2 + 1/2) x as a function of u = 1 / x^2."""
    x = 1 / sqrt(u)
    return (loggamma(x).real - (x - mpf(1) / 2) * (log(x) - 1) - log(2 * pi) / 2 + mpf(1) / 2) * x


def digamma_tail(u):
    """(log x - 1 / (2 x) - digamma(x)) x^2 as a function of u = 1 / x^2."""
    x = 1 / sqrt(u)
    return (log(x) - 1 / (2 * x) - digamma(x)) * x * x


def show(name, c):
    print(f"const {name}: [f64; {len(c)}] = [")
    for x in c:
        bits = struct.unpack("Q", struct.pack("d", float(x)))[0]
        digits = "_".join(f"{bits:016x}"[i : i + 4] for i in range(0, 16, 4))
        print(f"    f64::from_bits(0x{digits}), // {float(x)!r}")
    print("];")


def series(name, f, high, degree):
    low = mpf(2) ** -100
    n = degree + 1
    points = [high / 2 * (1 + cos(pi * (k + mpf(1) / 2) / n)) for k in range(n)]
    a, b = matrix(n, n), matrix(n, 1)
    for row, x in enumerate(points):
        for column in range(n):
            a[row, column] = (x / high) ** column
        b[row] = f(x)
    solved = lu_solve(a, b)
    c = [mpf(float(solved[k] / high**k)) for k in range(n)]
    worst = max(abs(polyval(c[::-1], x) - f(x)) for x in [high * (k + mpf(1) / 3) / 60 for k in range(60)])
    print(f"/// Absolute error 2^{float(log(worst, 2)):.2f}.")
    show(name, c)


PARTS = {
    "erfinv": lambda: table("INVERSE", inverse_error, growing(mpf(0), mpf(32) / 35), 16),
    "lgamma": lambda: table("LGAMMA", log_gamma, growing(mpf(1), mpf(7) / 30), 12),
    "digamma": lambda: table("DIGAMMA", digamma_ratio, growing(mpf(1), mpf(7) / 30), 12),
    "bessel": lambda: (table("I0", bessel(0), even(mpf(1)), 11), table("I1", bessel(1), even(mpf(1)), 11)),
    "stirling": lambda: (series("STIRLING", stirling, mpf(1) / 64, 8), series("DIGAMMA_TAIL", digamma_tail, mpf(1) / 64, 8)),
    "constants": lambda: (
        show("ROOT", [mpf(float(ROOT)), ROOT - mpf(float(ROOT))]),
        show("ROOT_MINUS_1", [mpf(float(ROOT - 1)), ROOT - 1 - mpf(float(ROOT - 1))]),
        show("LOG_SQRT_2_PI", [log(2 * pi) / 2]),
        show("LOG_PI", [log(pi)]),
    ),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
