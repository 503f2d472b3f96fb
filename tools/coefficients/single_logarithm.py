#!/usr/bin/env python3
"""The tables of crates/eltwise-math/src/single/logarithm.rs: log(1 + f) = f + f^2 q(f), in base e, 2 and 10."""

from mpmath import log, log10, mpf

from minimax import mp, rounded, show, single



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

def tail(x):
    small = abs(x) < mpf(2) ** -50
    return 1 / (3 * log(2)) if small else (mp.log1p(x) - x + x * x / 2) / (x**3 * log(2))


c, error = rounded(tail, 1 / mp.sqrt(2) - 1, mp.sqrt(2) - 1, list(range(8)),
                   lambda x: x * x + mpf(2) ** -30 if abs(x) < mpf(2) ** -50 else abs(x**3 / mp.log1p(x)) * log(2), single)
show("LOG2", c, "f32", error)
series("LOG10", mpf(10), 9, mpf("0.71875"))

for name, c, bits in (("ln 2", log(2), 16), ("log10 2", log10(2), 16)):
    # The upper part times an exponent is exact.
    upper = mp.floor(c * 2**bits) / 2**bits
    print(name, float(upper), float(single(c - upper)))
for name, c in (("log2 e", 1 / log(2)), ("log10 e", 1 / log(10))):
    print(name, float(single(c)), float(single(c - single(c))))
