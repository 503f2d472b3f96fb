#!/usr/bin/env python3
"""Prints the tables of the f32 logaddexp and logit in crates/eltwise-math, which compute in `f64` lanes."""

import struct

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


def reciprocal(a, magic):
    """1 - a y for the seed y of 1/a, whose bits are magic - bits(a) as f32."""
    bits = struct.unpack("I", struct.pack("f", a))[0]
    return 1 - a * struct.unpack("f", struct.pack("I", magic - bits))[0]


low, high = 0x7ef00000, 0x7f000000
while high - low > 1:
    middle = (low + high) // 2
    values = [reciprocal(1 + k / 4096, middle) for k in range(4096)]
    low, high = (middle, high) if max(values) + min(values) > 0 else (low, middle)
h = mpf(max(reciprocal(1 + k / 4096, high) for k in range(4096))) + mpf(2) ** -12
print(f"RECIPROCAL_SEED 0x{int((mpf(high) / 2**23 + 2 * (1023 - 127)) * 2**52):016x}, |h| < {float(h)}")
c, error = exchange(lambda x: 1 / (1 - x), -h, h, list(range(5)), lambda x: abs(x) + mpf(2) ** -12)
show("RECIPROCAL", c, "f64", error)

c, error = exchange(lambda t: mpf(1) / 3 if t < tiny else (atanh(mp.sqrt(t)) / mp.sqrt(t) - 1) / t, mpf(0), mpf("0.0403"),
                    list(range(4)), lambda t: t + mpf(2) ** -20)
show("ATANH", c, "f64", error)
