#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/inverse_hyperbolic.rs, for `f64` lanes."""

import struct

from mpmath import atanh, mpf

from minimax import exchange, mp, show
from single_power import RSQRT_SEED

tiny = mpf(2) ** -60

# The seed of f32 divided by 2^23 is 3/2 of the bias 127, less a correction that f64 has as well.
print(f"RSQRT_SEED 0x{int((mpf(RSQRT_SEED) / 2**23 + mpf(3) / 2 * (1023 - 127)) * 2**52):016x}")


def reciprocal(a, magic):
    """The seed y of 1/a with the bits magic - bits(a), in units of the last place of 2^-23: 1 - a y."""
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

root = mp.sqrt(2)
c, error = exchange(lambda f: mpf(-1) / 2 if abs(f) < tiny else (mp.log1p(f) - f) / f**2, 1 / root - 1, root - 1, list(range(9)),
                    lambda f: abs(f) + mpf(2) ** -20)
show("LN", c, "f64", error)
