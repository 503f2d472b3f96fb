#!/usr/bin/env python3
"""Prints the tables of the f32 erf and erfc in crates/eltwise-math."""

import struct
from functools import cache

import numpy as np
from mpmath import cos, pi, mp, mpf, erf, erfc, exp, findroot, log, sqrt

import linear_program
from minimax import double, rounded, show, single

mp.prec = 200

SPLIT = mpf(1)
END = mpf("3.93")
# The f32 next to the x with erfc(x) = 2^-3.
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
    """The factor from an error of `large` to a relative error of erf."""
    x = CENTRE + b
    return (abs(b) + mpf(2) ** -60) * erfc(x) / erf(x) * log(2)


@cache
def scaled(a):
    return erfc(a) * exp(a * a)


def intervals():
    """The intervals of erfc's argument a, by the exponent and the first two mantissa bits of a + 3/4: table index, low
    and high end.
    """
    for bits in range(4 * 127 - 2, 4 * 127 + 14):
        low, high = (mpf(2) ** (k // 4 - 127) * (1 + mpf(k % 4) / 4) - mpf("0.75") for k in (bits, bits + 1))
        yield bits % 16, low, min(high, mpf("10.1"))


def centre(low, high):
    """A number near the middle for which `scaled` is nearly an f32; 0 in the first interval."""
    middle = struct.unpack("I", struct.pack("f", float(low + high) / 2))[0]
    near = [mpf(struct.unpack("f", struct.pack("I", middle + k))[0]) for k in range(-150, 150)]
    return mpf(0) if low == 0 else min(near, key=lambda c: abs(single(scaled(c)) / scaled(c) - 1))


def slopes(low, high):
    """Centre, value of `scaled` there, and the coefficients of (scaled(centre + t) - value) / t. In the first interval,
    erfc instead of `scaled`, and 1 is added to the quotient.
    """
    c = centre(low, high)
    f, extra = (erfc, 1) if low == 0 else (scaled, 0)
    value = single(f(c))
    t = [low - c + (high - low) * (1 - cos(pi * (k + mpf(1) / 2) / 120)) / 2 for k in range(120)]
    target = np.array([float((f(c + x) - value) / x + extra) for x in t])
    weight = np.array([float(abs(x) / f(c + x)) for x in t])
    slope, error = linear_program.rounded(np.array([float(x) for x in t]), target, weight, list(range(6)))
    return [c, value, *slope], error


def power(f):
    """(2^f - 1) / f"""
    f = f if abs(f) > mpf(2) ** -60 else mpf(2) ** -60
    return (mpf(2) ** f - 1) / f


def power_weight(f):
    """In erf, a fraction above 0.34 occurs only with 2^-4 and smaller powers."""
    return (abs(f) + mpf(2) ** -60) / (1 if f < mpf("0.34") else 2)


if __name__ == "__main__":
    c, error = rounded(small, mpf(2) ** -40, SPLIT**2, list(range(7)), lambda u: sqrt(u) / erf(sqrt(u)), single)
    show("SMALL", c, "f32", error)
    print("CENTRE", float(CENTRE))
    c, error = rounded(large, SPLIT - CENTRE, END - CENTRE, list(range(6)), large_weight, single)
    show("LARGE", c, "f32", error)
    c, error = rounded(power, -0.5, 0.5, list(range(6)), power_weight, single)
    show("POWER", c, "f32", error / 8)
    rows, errors = [None] * 16, []
    for at, low, high in intervals():
        rows[at], error = slopes(low, high)
        errors.append(error)
    for k, name in enumerate(["CENTRES", "SCALED"] + [f"SLOPES[{k}]" for k in range(6)]):
        show(name, [row[k] for row in rows], "f32", max(errors))
    c, error = rounded(lambda f: mpf(2) ** f, mpf(-1) / 2, mpf(1) / 2, list(range(7)), lambda f: mpf(2) ** -f, double)
    show("WIDE_POWER", c, "f64", error)
