#!/usr/bin/env python3
"""Prints the tables of the f32 logarithms in crates/eltwise-math: q of log(1 + f) = f + f^2 q(f) for log1p, and the
intervals of log, log2 and log10.
"""

import struct

from mpmath import log, log10, mpf

from minimax import exchange, mp, rounded, show, single



def series(name, base, n, cut):
    """Prints n coefficients of q for 1 + f in [cut, 2 cut)."""

    def f(x):
        if abs(x) < mpf(2) ** -60:
            return -1 / (2 * log(base))
        return (mp.log1p(x) - x) / (x * x * log(base))

    def weight(x):
        return abs(x) if abs(x) < mpf(2) ** -60 else abs(x * x / mp.log1p(x)) * log(base)

    c, error = rounded(f, cut - 1, 2 * cut - 1, list(range(n)), lambda x: weight(x) + mpf(2) ** -30, single)
    show(name, c, "f32", error)


series("LN", mp.e, 9, mpf("0.75"))

for name, c, bits in (("ln 2", log(2), 16), ("log10 2", log10(2), 16)):
    # The product of the upper part and an exponent is exact.
    upper = mp.floor(c * 2**bits) / 2**bits
    print(name, float(upper), float(single(c - upper)))

# log, log2 and log10: 8 or 16 intervals of the mantissa, from slightly above 1, each with a reciprocal r of few bits,
# so that m r - 1 is exact where the logarithm is small (r = 1/2 for the interval around 2). The logarithm of c = 1/r
# has a part with 16 bits after the point and a remainder. Above 3/2, both are sums of those of c / 2 and of 2, so that
# the logarithm of 2 cancels exactly around 2.
CUT_8, CUT_16 = 0x3F888000, 0x3F840000


def value(bits):
    return mpf(struct.unpack("f", struct.pack("I", bits))[0])


def logarithms(name, base, halved, reciprocals):
    two = 1 / mp.log(base, 2)
    two_upper = mp.floor(two * 2**16) / 2**16
    upper, low = [], []
    for k, r in enumerate(reciprocals):
        c = 0 - log(2 * r if k >= halved else r) / log(base)
        nearest = mp.nint(c * 2**16) / 2**16
        upper.append(nearest + two_upper if k >= halved else nearest)
        low.append(single(c - nearest + (two - two_upper if k >= halved else 0)))
    show(f"{name}_C", upper, "f32")
    show(f"{name}_C_LOW", low, "f32")


def tail(base):
    return lambda t: -1 / (2 * log(base)) if abs(t) < mpf(2) ** -50 else (mp.log1p(t) - t) / (t * t * log(base))


# 1/c with the smallest error, found by search. The neighbours of the last interval determine the error.
reciprocals = [mpf(r) for r in (0.875, 0.8125, 0.71875, 0.65625, 0.625, 0.5625, 0.53125, 0.5)]
show("RECIPROCALS_8", reciprocals, "f32")
logarithms("LOG", mp.e, 3, reciprocals)
c, error = exchange(tail(mp.e), mpf("-0.067"), mpf("0.0665"), list(range(4)), lambda t: max(abs(t), mpf("0.005")))
show("LOG_TAIL", [single(k) for k in c], "f32", error)

reciprocals, width = [], mpf(0)
for k in range(16):
    low, high = value(CUT_16 + (k << 19)), value(CUT_16 + (k + 1 << 19))
    steps = 64
    r = mpf(1) / 2 if low < 2 < high else mp.nint(2 * steps / (low + high)) / steps
    reciprocals.append(r)
    width = max(width, abs(low * r - 1), abs(high * r - 1))
print("|t| <=", float(width))
show("RECIPROCALS_16", reciprocals, "f32")
for name, base in (("LOG2", mpf(2)), ("LOG10", mpf(10))):
    logarithms(name, base, 7, reciprocals)
    c, error = exchange(tail(base), -width, width, list(range(4)), lambda t: width * log(base))
    show(f"{name}_TAIL", [single(k) for k in c], "f32", error)
