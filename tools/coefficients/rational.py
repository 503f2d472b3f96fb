#!/usr/bin/env python3
"""Rational minimax approximations by the Remez exchange."""

from mpmath import lu_solve, matrix, mpf


def rational(f, grid, top, bottom):
    """Coefficients of N and D for f = N / D on an ascending grid, and the relative error. N has degree `top`, D degree
    `bottom` with leading coefficient 1.
    """
    count = top + bottom + 1
    exact = [f(u) for u in grid]
    points = len(grid)
    at = [(points * (2 * k + 1)) // (2 * count) for k in range(count)]
    n, d, e = None, None, mpf(0)
    for _ in range(60):
        for _ in range(1 if n is None else 12):
            # N - (1 + s e) f D = 0, linear in N, D and the change of e.
            a, b = matrix(len(at), len(at)), matrix(len(at), 1)
            for row, k in enumerate(at):
                u, s = grid[k], (-1) ** row
                t = exact[k] * (1 + s * e)
                values = [u**p for p in range(top + 1)] + [-t * u**p for p in range(bottom)]
                b[row] = t * u**bottom
                if n is not None:
                    slope = -s * exact[k] * (sum(c * u**p for p, c in enumerate(d)) + u**bottom)
                    values.append(slope)
                    b[row] += slope * e
                for column, v in enumerate(values):
                    a[row, column] = v
            x = lu_solve(a, b)
            n, d = [x[i] for i in range(top + 1)], [x[top + 1 + i] for i in range(bottom)]
            e = x[count] if len(at) > count else e
        errors = [
            sum(c * u**p for p, c in enumerate(n)) / (sum(c * u**p for p, c in enumerate(d)) + u**bottom) / t - 1
            for u, t in zip(grid, exact)
        ]
        runs, k = [], 0
        while k < points:
            end, best = k, k
            while end < points and (errors[end] > 0) == (errors[k] > 0):
                best = end if abs(errors[end]) > abs(errors[best]) else best
                end += 1
            runs.append(best)
            k = end
        peak = max(abs(x) for x in errors)
        while len(runs) > count + 1:
            runs.pop(0) if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else runs.pop()
        if len(runs) != count + 1 or min(abs(errors[k]) for k in runs) > peak * (1 - mpf(2) ** -8):
            break
        at = runs
    return n, d + [mpf(1)], peak
