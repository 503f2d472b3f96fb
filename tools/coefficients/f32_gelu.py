#!/usr/bin/env python3
"""Prints the tables of the f32 gelu in crates/eltwise-math."""

import struct
from math import erfc as double_erfc

from mpmath import erfc, exp, log, mp, mpf, nint, sqrt

from minimax import double, rounded, show, single

mp.prec = 200
# The interval of a is the nearest integer of a (A a + B): about as many per unit as Q needs for degree 5.
A, B = single(0.522), single(2.6)
NEAR = mpf(7) / 2
END = sqrt(mpf(212))


def q(a):
    """Phi(-a), Phi the distribution function of the normal distribution."""
    return erfc(a / sqrt(mpf(2))) / 2


def far(v):
    """x Phi(-x) exp(x^2/2) as a function of 1/x^2."""
    x = 1 / sqrt(v)
    return x * erfc(x / sqrt(mpf(2))) / 2 * exp(x * x / 2)


def start(k):
    """The a with a (A a + B) = k."""
    return (sqrt(B * B + 4 * A * k) - B) / (2 * A) if k > 0 else mpf(0)


def centre(low, high):
    """The f32 next to the point that halves q(low)/q(high), such that q there is almost exactly a multiple of 2^-24."""
    target = 2 / (1 / q(low) + 1 / q(high))
    a, b = low, high
    while b - a > mpf(2) ** -30:
        a, b = ((a + b) / 2, b) if q((a + b) / 2) > target else (a, (a + b) / 2)
    c = single(a)
    step = mpf(2) ** (int(mp.floor(log(c, 2))) - 23)
    for k in range(1 << 20):
        for at in (c + k * step, c - k * step):
            near = double_erfc(float(at) * 0.7071067811865476) * 2**23
            if abs(near - round(near)) < float(q(at)) * 2.0**-5:
                if abs(q(at) * 2**24 - nint(q(at) * 2**24)) < q(at) * mpf(2) ** -7:
                    return at
    raise ValueError("no centre")


if __name__ == "__main__":
    # A row per table: the centres, q there, and the coefficients of (q(c + r) - q(c)) / r.
    entries, worst = [], 0
    for i in range(16):
        low, high = start(mpf(i) - mpf(1) / 2), start(mpf(i) + mpf(1) / 2)
        c = centre(low, high) if i > 0 else mpf(0)
        value = nint(q(c) * 2**24) / 2**24
        first, last = low - c, high - c
        if i == 0:
            first = mpf(2) ** -20
        else:
            first, last = first * mpf("1.0001"), last * mpf("1.0001")
        slope = lambda r: (q(c + r) - value) / r if abs(r) > mpf(2) ** -60 else -exp(-c * c / 2) / sqrt(2 * mp.pi)
        coefficients, error = rounded(slope, first, last, list(range(5)), lambda r: abs(r) / q(c + r) + mpf(2) ** -30, single)
        worst = max(worst, error)
        entries.append([c, value] + coefficients)
    print(f"// Error relative to Phi(-a) 2^{float(log(worst, 2)):.2f}.")
    for table in zip(*entries):
        print("    floats_from_bits([")
        for k in range(0, 16, 8):
            bits = [struct.unpack("I", struct.pack("f", float(v)))[0] for v in table[k:k + 8]]
            print("        " + ", ".join(f"0x{b >> 16:04x}_{b & 0xffff:04x}" for b in bits) + ",")
        print("    ]),")
    c, error = rounded(far, 1 / END**2, 1 / NEAR**2, list(range(8)), lambda v: 1 / far(v), double)
    show("FAR", c, "f64", error)
