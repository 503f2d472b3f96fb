#!/usr/bin/env python3
"""Prints the tables of the f32 pow and roots in crates/eltwise-math."""

import struct

from mpmath import log, mpf

from minimax import exchange, mp, show, single


def seeds(root, magic, divide):
    """The range of 1 - a y^root for the seed y of a, whose bits are magic - divide(bits(a))."""
    values = []
    for k in range(root << 14):
        bits = 0x3f800000 + (k << 9)
        a = struct.unpack("f", struct.pack("I", bits))[0]
        y = struct.unpack("f", struct.pack("I", magic - divide(bits)))[0]
        values.append(1 - a * y**root)
    return min(values), max(values)


def seed(root, start, divide):
    """The magic number for which the range of `seeds` is symmetric, and the bound of the range."""
    low, high = start - 300000, start + 300000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if sum(seeds(root, middle, divide)) > 0 else (low, middle)
    return high, max(seeds(root, high, divide)) + 2.0**-12


def step(name, power, low, high, n):
    """p of (1 - h)^-power = 1 + h p(h) for h in [low, high]; the error is relative to the power."""
    def f(x):
        return power if abs(x) < mpf(2) ** -60 else ((1 - x) ** -power - 1) / x

    c, error = exchange(f, low, high, list(range(n)), lambda x: abs(x) + mpf(2) ** -12)
    show(name, [single(k) for k in c], "f32", error)


RSQRT_SEED, RSQRT_H = seed(2, 0x5f3759df, lambda bits: bits >> 1)


def number(bits):
    """The f32 with these bits."""
    return mpf(struct.unpack("f", struct.pack("I", bits))[0])


def reciprocal(low, high):
    """The 1/c with the smallest |m/c - 1| among those for which m/c - 1 is an f32 for every mantissa m in [low, high],
    and that bound.
    """
    if low < 1 < high:
        return mpf(1), max(1 - low, high - 1)
    places = 24 if high <= 1 else 23
    best = None
    for bits in range(3, 10):
        for k in range(int(2**bits * 2 / (low + high)) - 2, int(2**bits * 2 / (low + high)) + 4):
            c = mpf(k) / 2**bits
            if (c * 2 ** (bits - 1)) % 1 == 0:
                continue
            width = max(abs(low * c - 1), abs(high * c - 1))
            if width <= mpf(2) ** (24 - places - bits) and (best is None or width < best[1]):
                best = (c, width)
    return best


def power():
    """The tables of pow: 16 intervals above CUT, halves of 1/c, log2 c in two parts, polynomials, and 2^(k/16) in two
    parts.
    """
    CUT = 0x3f343000
    found = [reciprocal(number(CUT + (k << 19)), number(CUT + (k + 1 << 19))) for k in range(16)]
    h = max(width for _, width in found) / 2
    print("|h| <", float(h))
    show("HALF_RECIPROCALS", [c / 2 for c, _ in found], "f32")
    logs = [0 - log(c, 2) for c, _ in found]
    high = [mp.nint(c * 2**16) / 2**16 for c in logs]
    show("LOG2_C", high, "f32")
    show("LOG2_C_LOW", [single(c - d) for c, d in zip(logs, high)], "f32")
    two = 2 / log(2)
    print("TWO_LOG2_E", float(single(two)), float(single(two - single(two))))
    # log2(1 + 2 h) = (h - h^2) (2 log2 e + h^2 q(h)), with relative errors.
    def quotient(x):
        return two if abs(x) < mpf(2) ** -60 else log(1 + 2 * x) / log(2) / (x - x * x)

    c, _ = exchange(quotient, -h, h, [2, 3, 4, 5], fixed=[(0, two)])
    c = [single(k) for k in c]
    error = max(abs(quotient(x) - two - x**2 * sum(k * x**i for i, k in enumerate(c))) for x in mp.linspace(-h, h, 2001)) / two
    show("LOG2_1P", c, "f32", error)
    reach = mpf("0.0865")
    c, _ = exchange(lambda f: log(2) if abs(f) < mpf(2) ** -90 else (2**f - 1) / f, -reach, reach, list(range(4)),
                    lambda f: abs(f) + mpf(2) ** -12)
    c = [single(k) for k in c]
    error = max(abs(2**f - 1 - f * sum(k * f**i for i, k in enumerate(c))) for f in mp.linspace(-reach, reach, 2001))
    show("EXP2", c, "f32", error)
    powers = [mpf(2) ** (mpf(k) / 16) for k in range(16)]
    show("POWERS", [number(struct.unpack("I", struct.pack("f", float(single(c))))[0] - (k << 19)) for k, c in enumerate(powers)], "f32")
    show("POWERS_LOW", [single(c / single(c) - 1) for c in powers], "f32")


def main():
    magic, h = RSQRT_SEED, RSQRT_H
    print(f"RSQRT_SEED 0x{magic:08x}, |h| < {h}")
    step("RSQRT", mpf(1) / 2, -h, h, 5)
    # Seeds of 8 bits: the magic number with the narrowest range.
    ranges = {magic: seeds(2, magic << 16, lambda bits: bits >> 17 << 16) for magic in range(0x5f30, 0x5f3f)}
    magic = min((magic for magic in ranges if max(map(abs, ranges[magic])) < 0.08), key=lambda magic: ranges[magic][1] - ranges[magic][0])
    low, high = ranges[magic][0] - 2.0**-12, ranges[magic][1] + 2.0**-12
    print(f"RSQRT_SHORT_SEED 0x{magic:04x}0000, {low} < h < {high}")
    step("RSQRT_SHORT", mpf(1) / 2, low, high, 5)
    magic, h = seed(3, 0x54a21d2a, lambda bits: bits // 3)
    print(f"CBRT_SEED 0x{magic:08x}, |h| < {h}")
    step("CBRT", mpf(2) / 3, -h, h, 3)
    power()


if __name__ == "__main__":
    main()
