#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/sums.rs, for `f64` lanes."""

from mpmath import atanh, exp, log, mpf

from minimax import exchange, mp, show

tiny = mpf(2) ** -40
half = log(2) / 2

c, error = exchange(lambda r: mpf(1) / 2 + r / 6 if abs(r) < tiny else (exp(r) - 1 - r) / r**2, -half, half, list(range(9)),
                    lambda r: r**2 + mpf(2) ** -10)
show("EXP", c, "f64", error)
high = mp.mpf(2) ** -40 * mp.floor(log(2) * 2**40)
print("LN_2", float(high), float(log(2) - high))

z = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
c, error = exchange(lambda t: mpf(2) / 3 if t < tiny else 2 * (atanh(mp.sqrt(t)) / mp.sqrt(t) - 1) / t, mpf(0), z**2,
                    list(range(7)), lambda t: t + mpf(2) ** -20)
show("LOG", c, "f64", error)
