#!/usr/bin/env python3
"""Prints the tables of the f64 roots in crates/eltwise-math: polynomials that correct an estimate from the bits of the
argument.

    python tools/coefficients/f64_power.py
"""

import struct

from mpmath import mp, mpf

from minimax import double, exchange, show

mp.prec = 160
# Lomont's constant minus 132/512 of an octave: 0.84 / sqrt(x), for which the first coefficient of the cubic is 1.
ROOT = 0x5FE6_EB50_C7B5_37A9 - (132 << 52) // 512
CUBE_ROOT = 1430189300.0


def of_bits(bits):
    return struct.unpack("d", struct.pack("Q", bits))[0]


def bits_of(x):
    return struct.unpack("Q", struct.pack("d", x))[0]


def root(x):
    return of_bits(ROOT - (bits_of(x) >> 1))


def cube_root(x):
    return of_bits(round((bits_of(x) >> 32) * (-1 / 3) + CUBE_ROOT) << 32)


def residuals(estimate, n):
    """The range of 1 - x estimate(x)^n over n octaves, after which it repeats."""
    h = [1 - x * estimate(x) ** n for x in (2.0 ** (n * k / 40000) for k in range(40001))]
    return min(h), max(h)


def monic_root():
    """1/sqrt(t) for t = x root(x)^2 as `h (h^2 + a) + b`, `h = c - t`: three operations, because the first coefficient
    is 1.
    """
    low, high = residuals(root, 2)
    low, high = (1 - high) * 0.99999, (1 - low) * 1.00001
    p, e = exchange(lambda t: 1 / mp.sqrt(t) + t**3, low, high, range(3), mp.sqrt)
    c = p[2] / 3
    a = -3 * c**2 - p[1]
    b = p[0] - c**3 - a * c
    print(f"const ROOT: i64 = 0x{ROOT:016x};")
    print(f"// t from {float(low)} to {float(high)}")
    show("ROOT_CUBIC: c, a, b", [double(x) for x in (c, a, b)], "f64", e)


def main():
    monic_root()
    for name, estimate, n in (("CUBE_ROOT_TAIL", cube_root, 3),):
        low, high = residuals(estimate, n)
        print(f"// residuals {low} to {high}")
        low, high = low * 1.001, high * 1.001
        f = lambda h: mp.binomial(mpf(-1) / n, 1) * -1 if h == 0 else ((1 - h) ** (mpf(-1) / n) - 1) / h
        # The equations are well scaled in u = 8 h. The error is that of the root.
        c, e = exchange(lambda u: f(u / 8), low * 8, high * 8, range(6), lambda u: abs(u) / 8 + mpf(2) ** -8)
        show(name, [double(x * mpf(8) ** i) for i, x in enumerate(c)], "f64", e)


main()
