#!/usr/bin/env python3
"""Minimax polynomials by linear programming, for intervals that contain 0, at which the weight of `minimax.exchange`
vanishes.

Needs numpy and scipy.
"""

import numpy as np
from scipy.optimize import linprog


def fit(x, target, weight, powers):
    """The coefficients c that minimise max |target - sum c[i] x^powers[i]| * weight at the points x."""
    scale = np.abs(x).max()
    a = np.stack([(x / scale) ** p for p in powers], 1) * weight[:, None]
    b = target * weight
    # The linear program finds the difference from the least-squares solution, in units of the largest residual.
    first = np.linalg.lstsq(a, b, rcond=None)[0]
    rest = b - a @ first
    unit = np.abs(rest).max()
    ones = np.ones((len(x), 1))
    bounds = [(None, None)] * len(powers) + [(0, None)]
    solved = linprog(
        np.r_[np.zeros(len(powers)), 1],
        A_ub=np.block([[a, -ones], [-a, -ones]]),
        b_ub=np.r_[rest, -rest] / unit,
        bounds=bounds,
        method="highs",
    )
    return (first + solved.x[:-1] * unit) / scale ** np.array(powers)


def rounded(x, target, weight, powers, kind=np.float32):
    """As `fit`, with coefficients of dtype `kind`: rounds each and refits the later ones. Returns the coefficients and
    the error.
    """
    c, rest = [], target
    for i, p in enumerate(powers):
        c.append(float(kind(fit(x, rest, weight, powers[i:])[0])))
        rest = rest - c[-1] * x**p
    return c, np.abs(rest * weight).max()
