#!/usr/bin/env python3
"""Prints the tables of the f32 trigonometric functions in crates/eltwise-math."""

from mpmath import cos, mp, mpf, nint, pi, sin, sqrt, tan, floor

from minimax import double, rounded, show, single
from rational import rational

mp.prec = 400


def sine(u):
    r = sqrt(u)
    return (sin(r) / r - 1) / u


def tangent(u):
    return tan(sqrt(u)) / sqrt(u)


def tangent_tail(u):
    return mpf(1) / 3 + u * 2 / 15 if u < mpf(2) ** -40 else (tangent(u) - 1) / u


def short_sine(u):
    return -mpf(1) / 6 if u < mpf(2) ** -60 else sine(u)


def short_cosine(u):
    return -mpf(1) / 2 if u < mpf(2) ** -60 else (cos(sqrt(u)) - 1) / u


def inverse_pi():
    """Row k: 1/pi modulo 2^(23 - 8k), in parts of 29, 24 and 53 bits."""
    rows = []
    for k in range(16):
        rest = 1 / pi
        rest -= floor(rest / mpf(2) ** (23 - 8 * k)) * mpf(2) ** (23 - 8 * k)
        row = []
        for last in (-8 * k - 6, -8 * k - 30):
            part = floor(rest / mpf(2) ** last) * mpf(2) ** last
            row.append(part)
            rest -= part
        row.append(double(rest))
        rows.append(row)
    return rows


if __name__ == "__main__":
    c, error = rounded(sine, mpf(2) ** -30, (pi / 2) ** 2 * (1 + mpf(2) ** -20), [0, 1, 2, 3], lambda u: u * sqrt(u) / sin(sqrt(u)), double)
    show("SINE", c, "f64", error)
    high = (pi / 4) ** 2 * (1 + mpf(2) ** -20)
    grid = [high / 2 - high / 2 * cos(pi * k / 2000) for k in range(1, 2001)]
    n, d, error = rational(tangent, grid, 1, 2)
    show("TANGENT_NUMERATOR", [double(n[1] / n[0])], "f64", error)
    show("TANGENT_DENOMINATOR", [double(x / n[0]) for x in d], "f64", error)
    high = (pi / 4 * (1 + mpf(2) ** -12)) ** 2
    c, error = rounded(tangent_tail, 0, high, range(7), lambda u: (u + mpf(2) ** -20) / tangent(u + mpf(2) ** -60), single)
    show("TANGENT_TAIL", c, "f32", error)
    sines = [sin(pi * k / 8) for k in range(4)]
    sines += [mpf(1)] + sines[:0:-1]
    sines += [-x for x in sines]
    show("SINES", [single(x) for x in sines], "f32")
    show("SINES_LOW", [single(x - single(x)) for x in sines], "f32")
    show("COSINES", [single(x) for x in sines[4:] + sines[:4]], "f32")
    high = (pi / 16 * (1 + mpf(2) ** -12)) ** 2
    for name, f in (("SINE_SHORT", short_sine), ("COSINE_SHORT", short_cosine)):
        c, error = rounded(f, 0, high, [0, 1], lambda u: u + mpf(2) ** -30, single)
        show(name, c, "f32", error)
    print("MORE is about", double((cos(pi / 8) - single(cos(pi / 8))) / cos(pi / 8) / 2))
    first = single(pi / 2)
    second = nint((pi / 2 - first) * 2**36) / mpf(2) ** 36
    show("HALF_PI", [first, second, pi / 2 - first - second], "f32")
    for part in range(3):
        show("INVERSE_PI", [row[part] for row in inverse_pi()], "f64")
    print("PI", double(pi))
