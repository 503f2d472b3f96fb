#!/usr/bin/env python3
"""Prints the constants of the f64 sin, cos and tan in crates/eltwise-math."""

from minimax import double, exchange, mp, mpf, pi, show

mp.prec = 300


def chopped(x, digits):
    """The leading binary digits of x."""
    unit = mpf(2) ** (mp.floor(mp.log(x, 2)) - digits + 1)
    return mp.floor(x / unit) * unit


first = double(pi / 16)
second = chopped(pi / 16 - first, 28)
third = double(pi / 16 - first - second)
show("SIXTEENTH", [first, second, third], "f64")
show("HALF_PI_TAIL", [double(pi / 2 - double(pi / 2))], "f64")

# Multiples of pi/16 below pi.
for name, f, zero in (("sine", mp.sin, 0), ("cosine", mp.cos, 8)):
    values = [f(i * pi / 16) if i != zero else mpf(0) for i in range(16)]
    show(name, [double(v) for v in values], "f64")
    show(name + ", remainder", [double(v - double(v)) for v in values], "f64")

far = (pi / 32 * mpf("1.0002")) ** 2


def tangent(u):
    d = mp.sqrt(u)
    return (mp.tan(d) / d - 1) / u if d > mpf(2) ** -20 else mpf(1) / 3


for name, f, n in (
    ("SIN", lambda u: sum((-1) ** (i + 1) * u**i / mp.factorial(2 * i + 3) for i in range(14)), 4),
    ("COS", lambda u: sum((-1) ** (i + 1) * u**i / mp.factorial(2 * i + 2) for i in range(14)), 4),
    ("TAN", tangent, 5),
):
    c, error = exchange(f, 0, far, range(n), lambda u: u + mpf(2) ** -12, points=300)
    show(name, [double(x) for x in c], "f64", error)

# 2 / pi in words of 16 bits: the bits of word k have the weights 2^(-1 - 16 k) to 2^(-16 - 16 k).
mp.prec = 1400
digits = int(mp.floor(2 / mp.pi * mpf(2) ** (16 * 73)))
words = [digits >> 16 * (72 - k) & 0xFFFF for k in range(73)]
print(", ".join(f"0x{w:04x}" for w in words))
