#!/usr/bin/env python3
"""Prints the tables of the f64 erf and erfc in crates/eltwise-math: one polynomial per interval."""

import functools
import sys

from minimax import double, mp, mpf, rounded, show

mp.prec = 200


def nearly_double(f, x, step, limit):
    """A double near x for which f is nearly a double (Gal and Bachelis 1991)."""
    best = None
    for k in range(4000):
        y = double(x + (k // 2 * step if k % 2 else -(k // 2) * step))
        value = f(y)
        off = abs(value - double(value)) / abs(value)
        if best is None or off < best[1]:
            best = (y, off)
        if off < limit:
            break
    return best[0]


def fitted(f, low, high, powers, fixed):
    """Coefficients of the least-squares polynomial of relative errors on Chebyshev nodes, and the largest error.

    The lowest four are rounded one after the other, with a refit of the rest. `fixed` has the (power, coefficient)
    below `powers`. A Remez exchange would gain less than a digit and takes minutes.
    """
    fixed, powers = list(fixed), list(powers)
    count = 4 * len(powers)
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (k + mpf(1) / 2) / count) for k in range(count)]
    while powers:
        a, b = mp.matrix(count, len(powers)), mp.matrix(count, 1)
        for row, x in enumerate(nodes):
            for column, q in enumerate(powers):
                a[row, column] = x**q / f(x)
            b[row] = 1 - sum(c * x**q for q, c in fixed) / f(x)
        c = mp.qr_solve(a, b)[0]
        taken = 1 if len(fixed) < 5 else len(powers)
        fixed += [(q, double(c[i])) for i, q in enumerate(powers[:taken])]
        powers = powers[taken:]
    points = [low + (high - low) * k / 300 for k in range(301)]
    error = max(abs(1 - sum(c * x**q for q, c in fixed) / f(x)) for x in points if x != 0)
    return [c for _, c in fixed], error


def table(name, f, rows, degree, slope=mpf(0)):
    """Prints a table for the intervals `rows` of (centre, low, high): centres, values of f there, and the other
    coefficients.

    `slope` x is subtracted from f in every interval: the part of erf's slope at 0 that its coefficient, a double,
    lacks.
    """
    columns, worst = [], mpf(0)
    for centre, low, high in rows:
        of = functools.lru_cache(None)(lambda d, centre=centre: f(centre + d))
        base = functools.lru_cache(None)(lambda d, of=of: of(d) - slope * d)
        c, error = fitted(base, low - centre, high - centre, range(1, degree + 1), [(0, double(of(mpf(0))))])
        columns.append([centre] + c)
        worst = max(worst, error)
        print(f"// {float(low)} to {float(high)}: 2^{float(mp.log(error, 2)):.2f}", file=sys.stderr)
    print(f"/// Centres, values there, and coefficients of x less the centre. Error 2^{float(mp.log(worst, 2)):.2f}.")
    print("#[rustfmt::skip]")
    print(f"static {name}: Tables<{degree + 2}> = Tables::new([")
    for j in range(degree + 2):
        row = [repr(float(column[j])) for column in columns]
        row = ["core::f64::consts::FRAC_2_SQRT_PI" if c == "1.1283791670955126" else c for c in row]
        print("    [" + ",\n     ".join(", ".join(row[k:k + 4]) for k in range(0, 16, 4)) + "],")
    print("]);")


def erf_rows():
    width = mpf(49) / 128
    rows = [(mpf(0), mpf(0), width / 2)]
    for k in range(1, 16):
        rows.append((nearly_double(mp.erf, k * width, mpf(2) ** -20, mpf(2) ** -63), (k - mpf(1) / 2) * width, (k + mpf(1) / 2) * width))
    return rows


def scaled(x):
    return mp.exp(x * x) * mp.erfc(x)


def erfc_rows():
    rows = []
    for k in range(16):
        low, high = ((mpf(4 + k % 4 + j) / 4 * 2 ** (1 + k // 4) - 2) * 32 / 35 for j in (0, 1))
        centre = mpf("0.14") if k == 0 else (low + high) / 2
        rows.append((nearly_double(scaled, centre, mpf(2) ** -20, mpf(2) ** -63), low, high))
    return rows


if __name__ == "__main__":
    slope = 2 / mp.sqrt(mp.pi)
    slope = double(slope - double(slope))
    table("ERF", mp.erf, erf_rows(), 13, slope)
    print(f"const SLOPE_TAIL: f64 = {float(slope)!r};")
    table("ERFC", scaled, erfc_rows(), 14)
    mp.prec = 300

    bound = mp.log(2) / 32 * mpf("1.001")
    growth = lambda r: mpf(1) + r / 2 + r**2 / 6 if abs(r) < mpf(10) ** -40 else (mp.exp(r) - 1) / r
    c, error = rounded(growth, -bound, bound, range(7), lambda r: abs(r) / mp.exp(r) + mpf(10) ** -6)
    show("GROWTH", c, "f64", error)
