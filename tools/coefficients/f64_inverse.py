#!/usr/bin/env python3
"""Prints the constants of the f64 asin, acos, atan and atan2 in crates/eltwise-math."""

from minimax import double, exchange, mp, mpf, pi, rounded, show

mp.prec = 300
low = mpf(10) ** -8
for name, c in [("PI", pi), ("HALF_PI", pi / 2), ("QUARTER_PI", pi / 4), ("THREE_QUARTERS_PI", 3 * pi / 4)]:
    show(name, [double(c), double(c - double(c))], "f64")
c, error = rounded(lambda u: (mp.atan(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, low, mpf(1) / 4, range(14), lambda u: u * mp.sqrt(u) / mp.atan(mp.sqrt(u)))
show("ATAN", c, "f64", error)
c, error = rounded(lambda u: (mp.asin(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, low, mpf(1) / 4, range(13), lambda u: u * mp.sqrt(u) / mp.asin(mp.sqrt(u)))
show("ASIN", c, "f64", error)

# atan: 16 cells of half an octave, by the exponent and the first bit of the mantissa. The first starts at 0, the last
# ends at infinity.
def cell(k):
    low = mpf(2) ** (k // 2 - 4) * (1 + mpf(k % 2) / 2)
    return low, low * mpf(3) / 2 if k % 2 == 0 else low * mpf(4) / 3


centres = []
for k in range(16):
    a, b = cell(k)
    middle = mp.tan((mp.atan(a) + mp.atan(b)) / 2)
    unit = mpf(2) ** (mp.floor(mp.log(middle, 2)) - 8)
    centres.append(mpf(0) if k == 0 else mp.floor(middle / unit + mpf(1) / 2) * unit)
far = max([mp.tan(abs(mp.atan(y) - mp.atan(c))) for k, c in enumerate(centres[:15]) for y in cell(k)] + [mpf(1) / 12])
# A table is indexed by the low four bits of the cell's number; that of 0.0625 is 2038.
order = [(k - 2038) % 16 for k in range(16)]
show("p", [mpf(1) if k == 15 else centres[k] for k in order], "f64")
show("q", [mpf(0) if k == 15 else mpf(1) for k in order], "f64")
angles = [mp.pi / 2 if k == 15 else mp.atan(centres[k]) for k in order]
show("angle", [double(v) for v in angles], "f64")
show("angle, remainder", [double(v - double(v)) for v in angles], "f64")


def tail(u):
    z = mp.sqrt(u)
    return (mp.atan(z) / z - 1) / u if z > mpf(2) ** -20 else -mpf(1) / 3


c, error = exchange(tail, 0, far**2 * mpf("1.001"), range(6), lambda u: u + mpf(2) ** -12, points=400)
show("NEAR_ATAN", [double(x) for x in c], "f64", error)
