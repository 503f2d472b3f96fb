#!/usr/bin/env python3
"""Constants of crates/eltwise-math/src/double/inverse.rs: asin, acos, atan, atan2 of f64."""

from minimax import double, mp, mpf, pi, rounded, show

mp.prec = 300
low = mpf(10) ** -8
for name, c in [("PI", pi), ("HALF_PI", pi / 2), ("QUARTER_PI", pi / 4), ("THREE_QUARTERS_PI", 3 * pi / 4)]:
    show(name, [double(c), double(c - double(c))], "f64")
c, error = rounded(lambda u: (mp.atan(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, low, mpf(1) / 4, range(14), lambda u: u * mp.sqrt(u) / mp.atan(mp.sqrt(u)))
show("ATAN", c, "f64", error)
c, error = rounded(lambda u: (mp.asin(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, low, mpf(1) / 4, range(13), lambda u: u * mp.sqrt(u) / mp.asin(mp.sqrt(u)))
show("ASIN", c, "f64", error)
