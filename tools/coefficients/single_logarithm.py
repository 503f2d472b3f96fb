#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/logarithm.rs: log(1 + f) = f + f^2 q(f) in base e, and intervals for 2 and 10."""

import struct

from mpmath import log, log10, mpf

from minimax import exchange, mp, rounded, show, single



def series(name, base, n, cut):
    """1 + f is in [cut, 2 cut)."""

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
    # The upper part times an exponent is exact.
    upper = mp.floor(c * 2**bits) / 2**bits
    print(name, float(upper), float(single(c - upper)))

# log2 and log10: 16 intervals of the mantissa from 0.734375 on, 1 inside of one, with reciprocals of 5 and 6 bits, whose products with
# a mantissa less 1 are exact where the logarithm is small, and the logarithms of their inverses: 16 bits after the point, and the rest.
CUT = 0x3F3C0000


def value(bits):
    return mpf(struct.unpack("f", struct.pack("I", bits))[0])


reciprocals, width = [], mpf(0)
for k in range(16):
    low, high = value(CUT + (k << 19)), value(CUT + (k + 1 << 19))
    steps = 32 if high < 1 else 64
    r = mpf(1) if low < 1 < high else mp.nint(2 * steps / (low + high)) / steps
    reciprocals.append(r)
    width = max(width, abs(low * r - 1), abs(high * r - 1))
print("|t| <=", float(width))
show("RECIPROCALS", reciprocals, "f32")
for name, base in (("LOG2", mpf(2)), ("LOG10", mpf(10))):
    logs = [0 - log(r) / log(base) for r in reciprocals]
    upper = [mp.nint(c * 2**16) / 2**16 for c in logs]
    show(f"{name}_C", upper, "f32")
    show(f"{name}_C_LOW", [single(c - u) for c, u in zip(logs, upper)], "f32")

    def tail(t):
        return -1 / (2 * log(base)) if abs(t) < mpf(2) ** -50 else (mp.log1p(t) - t) / (t * t * log(base))

    c, error = exchange(tail, -width, width, list(range(4)), lambda t: width * log(base))
    show(f"{name}_TAIL", [single(k) for k in c], "f32", error)
