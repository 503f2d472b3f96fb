#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/power.rs."""

import struct

from mpmath import log, mpf

from minimax import exchange, mp, show, single


def seeds(root, magic, divide):
    """The range of 1 - a y^root over the seeds y of a, whose bits are magic - bits(a) / root."""
    values = []
    for k in range(root << 14):
        bits = 0x3f800000 + (k << 9)
        a = struct.unpack("f", struct.pack("I", bits))[0]
        y = struct.unpack("f", struct.pack("I", magic - divide(bits)))[0]
        values.append(1 - a * y**root)
    return min(values), max(values)


def seed(root, start, divide):
    """The magic number that makes that range symmetric, and the range."""
    low, high = start - 300000, start + 300000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if sum(seeds(root, middle, divide)) > 0 else (low, middle)
    return high, max(seeds(root, high, divide)) + 2.0**-12


def step(name, power, h, n):
    """(1 - h)^-power = 1 + h p(h), relative to the whole."""
    def f(x):
        return power if abs(x) < mpf(2) ** -60 else ((1 - x) ** -power - 1) / x

    c, error = exchange(f, -h, h, list(range(n)), lambda x: abs(x) + mpf(2) ** -12)
    show(name, [single(k) for k in c], "f32", error)


RSQRT_SEED, RSQRT_H = seed(2, 0x5f3759df, lambda bits: bits >> 1)


def main():
    magic, h = RSQRT_SEED, RSQRT_H
    print(f"RSQRT_SEED 0x{magic:08x}, |h| < {h}")
    step("RSQRT", mpf(1) / 2, h, 5)
    step("SQRT", mpf(1) / 2, h, 3)
    magic, h = seed(3, 0x54a21d2a, lambda bits: bits // 3)
    print(f"CBRT_SEED 0x{magic:08x}, |h| < {h}")
    step("CBRT", mpf(2) / 3, h, 3)

    # pow: 1/c of 11 bits at the middle of 16 intervals above CUT, 1 where 1 is, and log2 c.
    CUT = 0x3fe7800000000000
    reciprocals, width = [], mpf(0)
    for k in range(16):
        ends = [mpf(struct.unpack("d", struct.pack("Q", CUT + (k << 48) + (j << 48)))[0]) for j in (0, 1)]
        r = mpf(1) if ends[0] < 1 < ends[1] else mp.nint(2 / sum(ends) * 1024) / 1024
        reciprocals.append(r)
        width = max([width] + [abs(r * end - 1) for end in ends])
    show("RECIPROCALS", reciprocals, "f64")
    show("LOG2_C", [0 - log(r, 2) for r in reciprocals], "f64")
    c, error = exchange(lambda r: 1 / log(2) if abs(r) < mpf(2) ** -90 else log(1 + r) / log(2) / r, -width, width, list(range(6)))
    print("|r| <", float(width))
    show("LOG2_1P", c, "f64", error)
    c, error = exchange(lambda f: log(2) if abs(f) < mpf(2) ** -90 else (2**f - 1) / f, mpf(-1) / 2, mpf(1) / 2, list(range(6)),
                        lambda f: abs(f) + mpf(2) ** -30)
    show("EXP2", c, "f64", error)


if __name__ == "__main__":
    main()
