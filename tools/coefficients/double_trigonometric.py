#!/usr/bin/env python3
"""Constants of crates/eltwise-math/src/double/trigonometric.rs: sin, cos, tan of f64."""

from minimax import cos, double, mp, mpf, pi, rounded, show

mp.prec = 300


def chopped(x, digits):
    """The leading binary digits of x."""
    unit = mpf(2) ** (mp.floor(mp.log(x, 2)) - digits + 1)
    return mp.floor(x / unit) * unit


first = double(pi / 2)
second = chopped(pi / 2 - first, 31)
third = double(pi / 2 - first - second)
show("HALF_PI", [first, second, third], "f64")
show("HALF_PI_TAIL", [double(pi / 2 - first)], "f64")

low, high = mpf(10) ** -8, (pi / 4 * mpf("1.0001")) ** 2
c, error = rounded(lambda u: (mp.sin(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, low, high, range(6), lambda u: u * mp.sqrt(u) / mp.sin(mp.sqrt(u)))
show("SIN", c, "f64", error)
c, error = rounded(lambda u: (cos(mp.sqrt(u)) - 1 + u / 2) / u**2, low, high, range(6), lambda u: u**2 / cos(mp.sqrt(u)))
show("COS", c, "f64", error)

# 2 / pi in words of 16 bits, from the weight 2^0 = 2^(-30 + 30) on: word k has the weights 2^(15 - 16 - 16 k ..).
mp.prec = 1400
digits = int(mp.floor(2 / mp.pi * mpf(2) ** (16 * 73)))
words = [digits >> 16 * (72 - k) & 0xFFFF for k in range(73)]
print(", ".join(f"0x{w:04x}" for w in words))
