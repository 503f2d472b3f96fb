#!/usr/bin/env python3
"""The table of gelu in crates/eltwise-math/src/double/activation.rs: the tail of the normal distribution without its exponential.

(1 + 1.25 a) e^(a^2 / 2) erfc(a / sqrt 2) / 2 = 0.5625 + p(t), t = (a - 4.5) / (a + 4.5), for 0 <= a <= 39 (the substitution of Shepherd and
Laframboise 1981).
"""

from functools import lru_cache

from mpmath import erfc, exp, mpf, sqrt
from minimax import double, exchange, show

CENTRE, SLOPE, BASE = mpf(4.5), mpf(1.25), mpf(0.5625)


@lru_cache(None)
def ratio(t):
    a = CENTRE * (1 + t) / (1 - t)
    return (1 + SLOPE * a) * erfc(a / sqrt(mpf(2))) * exp(a * a / 2) / 2


if __name__ == "__main__":
    last = (39 - CENTRE) / (39 + CENTRE)
    # The coefficients are rounded all at once: they are small beside the base.
    c, error = exchange(lambda t: ratio(t) - BASE, -1, last, range(25), lambda t: 1 / ratio(t))
    show("TAIL_EVEN", [double(x) for x in c[0::2]], "f64", error)
    show("TAIL_ODD", [double(x) for x in c[1::2]], "f64")
