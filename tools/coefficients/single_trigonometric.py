#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/trigonometric.rs."""

from mpmath import mp, mpf, pi, sin, sqrt, tan, floor, nint

from minimax import double, rounded, show

mp.prec = 400


def sine(u):
    r = sqrt(u)
    return (sin(r) / r - 1) / u


def tangent():
    """tan r = r N(u) / D(u), u = r^2, N and D monic of degree 2: the minimax approximation, by an exchange on linearised errors."""
    from mpmath import matrix, lu_solve, cos

    low, high, count = mpf(0), (pi / 4) ** 2 * (1 + mpf(2) ** -20), 5
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    grid = [low + (high - low) * k / 4000 for k in range(1, 4001)]
    exact = [tan(sqrt(u)) / sqrt(u) for u in grid]
    for _ in range(60):
        # N(u) - (1 + (-1)^k e) t(u) D(u) = 0 at the points, N = n0 + n1 u + u^2, D = d0 + d1 u + c u^2 with d's scaled below.
        e, known = mpf(0), None
        for _ in range(20):
            a, b = matrix(len(points), len(points)), matrix(len(points), 1)
            for k, u in enumerate(points):
                t = tan(sqrt(u)) / sqrt(u) if u > 0 else mpf(1)
                s = (-1) ** k
                d = 1 if known is None else known[2] + known[3] * u + known[4] * u * u
                w = t if known is None else t * (1 + s * e)
                row = [mpf(1), u, -w, -w * u, -w * u * u]
                if len(points) == 6:
                    row.append(-s * t * d)
                    row[2], row[3], row[4] = -t, -t * u, -t * u * u
                for c, v in enumerate(row):
                    a[k, c] = v
                b[k] = -u * u
            x = lu_solve(a, b)
            known = [x[i] for i in range(5)]
            if len(points) == 5:
                break
            e = x[5]
        n0, n1, d0, d1, d2 = known
        errors = [(n0 + n1 * u + u * u) / (d0 + d1 * u + d2 * u * u) / t - 1 for u, t in zip(grid, exact)]
        runs, k = [], 0
        while k < len(grid):
            end, top = k, k
            while end < len(grid) and (errors[end] > 0) == (errors[k] > 0):
                top = end if abs(errors[end]) > abs(errors[top]) else top
                end += 1
            runs.append(top)
            k = end
        peak = max(abs(x) for x in errors)
        if len(runs) != 6 or min(abs(errors[k]) for k in runs) > peak * (1 - mpf(2) ** -8):
            break
        points = [grid[k] for k in runs]
    return known, peak


def inverse_pi():
    """Row k: 1/pi without the bits worth 2^(1 - 8k) and more, in 29 + 29 + 53 bits."""
    rows = []
    for k in range(16):
        rest = 1 / pi
        rest -= floor(rest / mpf(2) ** (1 - 8 * k)) * mpf(2) ** (1 - 8 * k)
        row = []
        for last in (-8 * k - 28, -8 * k - 57):
            part = floor(rest / mpf(2) ** last) * mpf(2) ** last
            row.append(part)
            rest -= part
        row.append(double(rest))
        rows.append(row)
    return rows


if __name__ == "__main__":
    c, error = rounded(sine, mpf(2) ** -30, (pi / 2) ** 2 * (1 + mpf(2) ** -20), [0, 1, 2, 3], lambda u: u * sqrt(u) / sin(sqrt(u)), double)
    show("SINE", c, "f64", error)
    (n0, n1, d0, d1, d2), error = tangent()
    show("TANGENT_NUMERATOR", [double(x) for x in (n0, n1)], "f64", error)
    show("TANGENT_DENOMINATOR", [double(x) for x in (d0, d1, d2)], "f64", error)
    for part in range(3):
        show("INVERSE_PI", [row[part] for row in inverse_pi()], "f64")
    print("PI", double(pi), double(pi - double(pi)))
