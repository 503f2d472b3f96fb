#!/usr/bin/env python3
"""Prints the tables of crates/eltwise-math/src/correctly_rounded.

    python tools/coefficients/correctly_rounded.py
"""

import struct

from mpmath import erfc, factorial, log, log1p, mpf

from minimax import double, exchange, mp, rounded, show, single
from rational import rational

LN_2 = log(2)
# The reduction rounds in f32, so |r| may be slightly more than 1/2.
EDGE = mpf(1) / 2 * (1 + mpf(2) ** -12)
c, error = rounded(lambda r: mpf(2) ** r, -EDGE, EDGE, range(9), lambda r: mpf(2) ** -r)
show("EXP2", c, "f64", error)


def growth(r):
    """(2^r - 1) / r"""
    return sum(LN_2 ** (k + 1) * r**k / factorial(k + 1) for k in range(40))


c, error = rounded(growth, -EDGE, EDGE, range(9), lambda r: 1 / growth(r))
show("GROWTH_2", c, "f64", error)
edge = mpf(1) / 32 * (1 + mpf(2) ** -12)
c, error = rounded(growth, -edge, edge, range(5), lambda r: 1 / growth(r))
show("GROWTH_SHORT", c, "f64", error)
c, error = rounded(lambda t: log1p(t) / t if t else mpf(1), 0, 1, range(14), lambda t: t / log1p(t) if t else mpf(1))
show("LOG1P", c, "f64", error)

# The intervals of the mantissa are those of f32_logarithm.py.
CUT = 0x3F888000


def value(bits):
    return mpf(struct.unpack("f", struct.pack("I", bits))[0])


reciprocals = [mpf(r) for r in (0.875, 0.8125, 0.71875, 0.65625, 0.625, 0.5625, 0.53125, 0.5)]
edges = [value(CUT + (k << 20)) for k in range(8)] + [2 * value(CUT)]
low = min(e * r - 1 for e, r in zip(edges, reciprocals))
high = max(e * r - 1 for e, r in zip(edges[1:], reciprocals))


def tail(t):
    """(log(1 + t) - t) / t^2"""
    return mpf(-1) / 2 if abs(t) < mpf(2) ** -50 else (log1p(t) - t) / (t * t)


# Relative to the logarithm in the interval whose table entry is 0.
def weight(t):
    return (t * t + mpf(2) ** -20) / max(abs(log1p(t)), mpf(2) ** -10)


c, error = rounded(tail, low, high, range(7), weight)
show("TAIL", c, "f64", error)

# log, log2 and log10: 16 intervals, with reciprocals of 5 bits, so that |t| < 1/16 and t is an f32. The high parts of
# their logarithms have few bits after the point; above 3/2, they are the sum of those of c / 2 and of 2.
CUT = 0x3F840000
reciprocals, low, high = [], mpf(0), mpf(0)
for k in range(16):
    a, b = value(CUT + (k << 19)), value(CUT + ((k + 1) << 19))
    r = mpf(1) / 2 if a < 2 < b else min((mpf(i) / 32 for i in range(15, 33)), key=lambda r: max(abs(a * r - 1), abs(b * r - 1)))
    low, high = min(low, a * r - 1), max(high, b * r - 1)
    reciprocals.append(r)
show("RECIPROCALS", reciprocals, "f32")
for name, base, bits in (("NATURAL", mp.e, 16), ("BINARY", mpf(2), 17), ("DECIMAL", mpf(10), 18)):
    unit = 1 / log(base)
    two_upper = mp.floor(LN_2 * unit * 2**bits) / 2**bits
    two_rest = single(LN_2 * unit - two_upper)
    upper, rest = [], []
    for r in reciprocals:
        more = r < mpf(2) / 3 and base != 2
        c = -log(2 * r if more else r) * unit
        nearest = mp.nint(c * 2**bits) / 2**bits
        upper.append(nearest + (two_upper if more else 0))
        rest.append(single(c - nearest + (LN_2 * unit - two_upper if more else 0)))
    show(f"{name} upper", upper, "f32")
    show(f"{name} rest", rest, "f32")
    show(f"{name} two", [two_upper, two_rest], "f32")
    c, error = rounded(
        lambda t: log1p(t) * unit / t if t else unit, low, high, range(7), lambda t: t / (log1p(t) * unit) if t else 1 / unit,
        [double] * 4 + [single] * 3,
    )
    show(f"{name} of_one_more", c[:4], "f64", error)
    show(f"{name} end", c[4:], "f32")

# gelu: Phi(-a) exp(a^2/2) as a function of t = (a - 4) / (a + 4), for a from 0 to 13.2.
CENTRE, MOST = mpf(4), mpf("13.2")


def tail(t):
    a = CENTRE * (1 + t) / (1 - t)
    return erfc(a / mp.sqrt(2)) / 2 * mp.exp(a * a / 2)


c, error = exchange(tail, -1, (MOST - CENTRE) / (MOST + CENTRE), range(14), lambda t: 1 / tail(t))
show("TAIL", c, "f64", error)

# sin r / r as a function of r^2, and tan r = r n(r^2) / d(r^2). Arguments up to 2^30 are reduced in f64.
half = (mp.pi / 2 * (1 + mpf(2) ** -10)) ** 2


def sine(u):
    return mp.sin(mp.sqrt(u)) / mp.sqrt(u) if u > mpf(2) ** -60 else 1 - u / 6


c, error = rounded(sine, 0, half, range(7), lambda u: 1 / sine(u))
show("SINE", c, "f64", error)
print(f"PI_REST: {float(mp.pi - double(mp.pi))!r}")
edge = (mp.pi / 4 * (1 + mpf(2) ** -10)) ** 2
grid = [edge / 2 * (1 - mp.cos(mp.pi * k / 400)) for k in range(401)]
n, d, error = rational(lambda u: mp.tan(mp.sqrt(u)) / mp.sqrt(u) if u > mpf(2) ** -60 else 1 + u / 3, grid, 2, 3)
show("TANGENT_NUMERATOR", [double(x / d[0]) for x in n], "f64", error)
show("TANGENT_DENOMINATOR", [double(x / d[0]) for x in d], "f64", error)

# pow: the 16 intervals of log2, with reciprocals of 8 bits, and their logarithms in `f64`.
reciprocals, low, high = [], mpf(0), mpf(0)
for k in range(16):
    a, b = value(CUT + (k << 19)), value(CUT + ((k + 1) << 19))
    steps = [mpf(i) / 256 for i in range(128, 257)]
    r = mpf(1) / 2 if a < 2 < b else min(steps, key=lambda r: max(abs(a * r - 1), abs(b * r - 1)))
    low, high = min(low, a * r - 1), max(high, b * r - 1)
    reciprocals.append(r)
show("RECIPROCALS", reciprocals, "f64")
show("LOG2_C", [-mp.log(r, 2) for r in reciprocals], "f64")
c, error = exchange(
    lambda t: log1p(t) / (t * LN_2) if t else 1 / LN_2, low, high, range(8), lambda t: t * LN_2 / log1p(t) if t else LN_2
)
show("LOG2_1P", c, "f64", error)
