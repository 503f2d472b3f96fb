#!/usr/bin/env python3
"""Minimax polynomials for crates/eltwise-math: the Remez exchange (`exchange`), with rounded coefficients (`rounded`).

Needs mpmath (pip install mpmath). The other scripts of this folder print the tables of a group of functions each:

    python tools/coefficients/f32_exponential.py
"""

import struct

from mpmath import mp, mpf, matrix, lu_solve, cos, pi

mp.prec = 200


def single(x):
    """The nearest f32."""
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def double(x):
    """The nearest f64."""
    return mpf(float(x))


def exchange(f, low, high, powers, weight=lambda x: mpf(1), fixed=(), points=2000):
    """The c that minimise max |f(x) - fixed(x) - sum c[i] x^powers[i]| * weight(x) on [low, high], and that maximum.

    `fixed` lists (power, coefficient) of given terms. `weight` must be positive; 1/|f| gives relative errors.
    """
    low, high = mpf(low), mpf(high)
    n = len(powers)
    grid = [(low + high) / 2 + (high - low) / 2 * cos(pi * (points - k) / points) for k in range(points + 1)]
    target = [f(x) - sum(c * x**p for p, c in fixed) for x in grid]
    weights = [weight(x) for x in grid]
    rows = [[x**p for p in powers] for x in grid]
    at = [(points * k) // n for k in range(n + 1)]
    best = None
    for _ in range(40):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for row, k in enumerate(at):
            for column in range(n):
                a[row, column] = rows[k][column]
            a[row, n] = (-1) ** row / weights[k]
            b[row] = target[k]
        solved = lu_solve(a, b)
        c = [solved[i] for i in range(n)]
        errors = [(t - sum(x * y for x, y in zip(c, r))) * w for t, r, w in zip(target, rows, weights)]
        peak = max(abs(e) for e in errors)
        if best is None or peak < best[1]:
            best = (c, peak)
        if peak < abs(solved[n]) * (1 + mpf(2) ** -10):
            break
        # The extremum of each run of one sign. If there are more than n + 1, drop the smaller one at either end.
        runs, k = [], 0
        while k <= points:
            end, top = k, k
            while end <= points and (errors[end] > 0) == (errors[k] > 0):
                top = end if abs(errors[end]) > abs(errors[top]) else top
                end += 1
            runs.append(top)
            k = end
        while len(runs) > n + 1:
            runs.pop(0) if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else runs.pop()
        if len(runs) < n + 1:
            break
        at = runs
    return best


def rounded(f, low, high, powers, weight=lambda x: mpf(1), kinds=double, fixed=()):
    """As `exchange`, with coefficients of dtype `kinds` (one, or one per coefficient): rounds each and refits the later
    ones.
    """
    kinds = kinds if isinstance(kinds, (list, tuple)) else [kinds] * len(powers)
    fixed = list(fixed)
    for i, kind in enumerate(kinds):
        c, _ = exchange(f, low, high, powers[i:], weight, fixed)
        fixed.append((powers[i], kind(c[0])))
    points = [mpf(low) + (mpf(high) - mpf(low)) * k / 4000 for k in range(4001)]
    error = max(abs(f(x) - sum(c * x**p for p, c in fixed)) * weight(x) for x in points)
    return [c for _, c in fixed[len(fixed) - len(powers):]], error


def show(name, coefficients, dtype, error=None):
    """Prints a Rust constant."""
    note = "" if error is None else f" Error 2^{float(mp.log(error, 2)):.2f}."
    print(f"/// {name}.{note}")
    print(f"const {name}: [{dtype}; {len(coefficients)}] = [")
    for c in coefficients:
        c = float(c)
        bits = struct.unpack("I", struct.pack("f", c))[0] if dtype == "f32" else struct.unpack("Q", struct.pack("d", c))[0]
        width = 8 if dtype == "f32" else 16
        digits = f"{bits:0{width}x}"
        digits = "_".join(digits[i:i + 4] for i in range(0, width, 4))
        print(f"    {dtype}::from_bits(0x{digits}), // {c!r}")
    print("];")
