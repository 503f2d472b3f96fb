#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/trigonometric.rs."""

from mpmath import mp, mpf, pi, sin, sqrt, tan, floor

from minimax import double, rounded, show

mp.prec = 400


def sine(u):
    r = sqrt(u)
    return (sin(r) / r - 1) / u


def tangent(top=1, points=4000):
    """tan r = r N(u) / D(u), u = r^2: N of degree `top`, D = u^2 + d1 u + d0. The minimax approximation, by exchange."""
    from mpmath import cos, lu_solve, matrix

    high, count = (pi / 4) ** 2 * (1 + mpf(2) ** -20), top + 3
    grid = [high / 2 - high / 2 * cos(pi * k / points) for k in range(1, points + 1)]
    exact = [tan(sqrt(u)) / sqrt(u) for u in grid]
    at = [(points * (2 * k + 1)) // (2 * count) for k in range(count)]
    n, d, e = None, None, mpf(0)
    for _ in range(40):
        for _ in range(1 if n is None else 12):
            # N - (1 + s e) t D = 0, linear in N, D and the change of e.
            a, b = matrix(len(at), len(at)), matrix(len(at), 1)
            for row, k in enumerate(at):
                u, s = grid[k], (-1) ** row
                t = exact[k] * (1 + s * e)
                values = [u**p for p in range(top + 1)] + [-t, -t * u]
                b[row] = t * u * u
                if n is not None:
                    slope = -s * exact[k] * (d[0] + d[1] * u + u * u)
                    values.append(slope)
                    b[row] += slope * e
                for column, v in enumerate(values):
                    a[row, column] = v
            x = lu_solve(a, b)
            n, d = [x[i] for i in range(top + 1)], [x[top + 1], x[top + 2]]
            e = x[top + 3] if len(at) > top + 3 else e
        errors = [sum(c * u**p for p, c in enumerate(n)) / (d[0] + d[1] * u + u * u) / t - 1 for u, t in zip(grid, exact)]
        runs, k = [], 0
        while k < points:
            end, best = k, k
            while end < points and (errors[end] > 0) == (errors[k] > 0):
                best = end if abs(errors[end]) > abs(errors[best]) else best
                end += 1
            runs.append(best)
            k = end
        peak = max(abs(x) for x in errors)
        if len(runs) != top + 4 or min(abs(errors[k]) for k in runs) > peak * (1 - mpf(2) ** -8):
            break
        at = runs
    return n, d, peak


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
    n, d, error = tangent()
    show("TANGENT_NUMERATOR", [double(x) for x in n], "f64", error)
    show("TANGENT_DENOMINATOR", [double(x) for x in d] + [mpf(1)], "f64", error)
    for part in range(3):
        show("INVERSE_PI", [row[part] for row in inverse_pi()], "f64")
    print("PI", double(pi), double(pi - double(pi)))
