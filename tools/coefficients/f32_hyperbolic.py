#!/usr/bin/env python3
"""Prints the tables of the f32 hyperbolic functions in crates/eltwise-math. Needs numpy."""

import sys

import numpy
from mpmath import atanh, factorial, log, mpf, tanh

from minimax import rounded, show, single

EDGE = log(2) / 2 * (1 + mpf(2) ** -12)
WAYS, OFFSET, DEGREE = 1.65, 1.0625, 6


def cell(k):
    """The range of |x| with index k: two exponent bits and two mantissa bits of 1.65 |x| + 1.0625."""
    octave = (k // 4 + 1) % 4
    low = 2.0**octave * (1 + (k % 4) / 4)
    high = low + 2.0**octave / 4
    slope = float(single(WAYS))
    return max((low - OFFSET) / slope, 0.0), (high - OFFSET) / slope


def centre(low, high):
    """A float near the middle of a cell whose tanh is nearly a float, so that it needs no low part."""
    if low == 0:
        return mpf(0), mpf(0)
    middle = (mpf(low) + high) / 2
    y = single(tanh(middle))
    best = None
    for i in range(-1500, 1500):
        to = y + i * mpf(2) ** -24
        x = single(atanh(to)) if to < 1 else mpf(100)
        off = abs(tanh(x) - to) / to
        if abs(x - middle) < (high - low) / 5 and to == single(to) and (best is None or off < best[0]):
            best = (off, x, to)
    return best[1], best[2]


def minimax(rows, target):
    """Minimax by iteratively reweighted least squares (Lawson 1961)."""
    weight = numpy.ones(len(target))
    best = None
    for _ in range(200):
        root = numpy.sqrt(weight)
        c = numpy.linalg.lstsq(rows * root[:, None], target * root, rcond=None)[0]
        off = numpy.abs(rows @ c - target)
        if best is None or off.max() < best[0]:
            best = (off.max(), c)
        weight = weight * (off + 1e-3 * off.max())
        weight /= weight.sum()
    return best[1]


def fit(x0, y0, low, high):
    """Coefficients of t, t^2, ... that minimise the relative error of y0 + ..., each rounded before the later ones are
    refitted.
    """
    t = [mpf(low) - x0 + mpf(high - low) * (1 - mpf(numpy.cos(numpy.pi * (i + 0.5) / 300))) / 2 for i in range(300)]
    t = [v for v in t if abs(v) > 2.0**-20]
    left = [tanh(x0 + v) - y0 for v in t]
    weight = [1 / tanh(x0 + v) for v in t]
    reach = max(abs(v) for v in t)
    c = []
    for power in range(1, DEGREE + 1):
        if power == 1 and y0 == 0:
            c.append(mpf(1))
        else:
            rows = numpy.array([[float(w * (v / reach) ** p) for p in range(power, DEGREE + 1)] for v, w in zip(t, weight)])
            solved = minimax(rows, numpy.array([float(w * e) for w, e in zip(weight, left)]))
            c.append(single(mpf(solved[0]) / reach**power))
        left = [e - c[-1] * v**power for e, v in zip(left, t)]
    return c, max(abs(e * w) for e, w in zip(left, weight))


centres, table, worst = [], [], 0
for k in range(16):
    low, high = cell(k)
    high = min(high, 9.053)
    x0, y0 = centre(low, high)
    c, error = fit(x0, y0, low, high)
    centres.append(x0)
    table.append([y0] + c)
    worst = max(worst, error)
    print(f"// cell {k}: {low:.4f} to {high:.4f}, 2^{float(log(error, 2)):.2f}", file=sys.stderr)
show("TANH_CENTRE", centres, "f32")
for power in range(DEGREE + 1):
    show(f"TANH_{power}", [row[power] for row in table], "f32", worst)

# SINH: for n = 0, sinh is as small as r; for n = 1, it is half of the sum. The weight is between absolute and relative
# errors.
for name, first, terms, power in [("COSH", 2, 3, 1), ("SINH", 3, 2, 1.25)]:
    c, error = rounded(lambda z: sum(z**j / factorial(2 * j + first) for j in range(30)), 0, EDGE**2, range(terms),
                       lambda z: z**mpf(power) + mpf(2) ** -30, single)
    show(name, c, "f32", error)

# Halves of 1 + 4^-n and 1 - 4^-n, and their rounding errors times e^-r. The errors matter most for r < 0, where the
# factor of the difference's error is about 1.05. At n = 12 the sum loses 4^-n, and with it r 4^-n.
powers = [mpf(4) ** -n / 2 if n < 15 else mpf(0) for n in range(16)]
lost = [mpf(0)] * 16
lost[12], lost[13], lost[14] = -0.2 * powers[12], -1.05 * powers[13], -1.05 * powers[14]
show("SUM", [single(0.5 + k) for k in powers], "f32")
show("DIFFERENCE", [single(0.5 - k) for k in powers], "f32")
show("LOST", [single(k) for k in lost], "f32")
