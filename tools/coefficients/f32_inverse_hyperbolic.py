#!/usr/bin/env python3
"""Prints the tables of the f32 inverse hyperbolic functions in crates/eltwise-math."""

from mpmath import atanh, log, mpf

from minimax import exchange, mp, rounded, show, single

tiny = mpf(2) ** -60


def remainder(f):
    return mpf(-1) / 2 if abs(f) < tiny else (mp.log1p(f) - f) / f**2


def weight(f):
    """Relative to the result: log(1 + f), plus at least log 2 if f is negative."""
    return f**2 / (mp.log1p(f) + (log(2) if f < 0 else 0)) if abs(f) > tiny else abs(f)


# The first coefficients were found by search among the neighbours of the rounded ones.
first = [(0, single(-0.49999991059303284)), (1, single(0.33333367109298706)), (2, single(-0.2500161826610565))]
root = mp.sqrt(2)
low, high = 1 / root - 1, root - 1
fixed = list(first)
for k in range(3, 9):
    # The exchange may not converge, depending on its start.
    tries = [exchange(remainder, low, high, list(range(k, 9)), lambda f: weight(f) + mpf(2) ** -10, fixed, points)
             for points in range(400, 424)]
    fixed.append((k, single(min(tries, key=lambda found: found[1])[0][0])))
c = [value for _, value in fixed]
points = [low + (high - low) * k / 4000 for k in range(4001)]
show("LN", c, "f32", max(abs(remainder(f) - sum(v * f**k for k, v in enumerate(c))) * weight(f) for f in points))


def atanh_remainder(t):
    return mpf(1) / 3 if t < tiny else (atanh(mp.sqrt(t)) / mp.sqrt(t) - 1) / t


c, error = rounded(atanh_remainder, mpf(0), mpf(1) / 4, list(range(6)),
                   lambda t: (t if t < tiny else t * mp.sqrt(t) / atanh(mp.sqrt(t))) + mpf(2) ** -30, single)
show("ATANH", c, "f32", error)

print(f"log(2) / 2 = {float(single(log(2) / 2))!r}")
