#!/usr/bin/env python3
"""Prints the tables of the f64 activations in crates/eltwise-math: constants in two parts, and the tail of the normal
distribution.

The tail without its exponential is

(1 + SLOPE a) e^(a^2 / 2) erfc(a / sqrt 2) / 2 = 1/2 + v (1 - v) p(v - 1/2), v = a / (a + CENTRE), for 0 <= a <= 39: the
substitution of Shepherd and Laframboise (1981). With SLOPE = sqrt(pi / 2) the left side is 1/2 at 0 and at infinity.
"""

import sys

from mpmath import erfc, exp, mp, mpf, pi, sqrt
from minimax import double, exchange, show

SLOPE = double(sqrt(pi / 2))
MIDDLE = mpf(0.5)


def quotient(v, centre):
    if v <= 0:  # The limit, from the series at 0.
        return centre * (SLOPE / 2 - 1 / sqrt(2 * pi))
    a = centre * v / (1 - v)
    return ((1 + SLOPE * a) * erfc(a / sqrt(mpf(2))) * exp(a * a / 2) - 1) / (2 * v * (1 - v))


def fit(centre, terms):
    last = 39 / (39 + centre) - MIDDLE
    return exchange(
        lambda t: quotient(t + MIDDLE, centre), -MIDDLE, last, range(terms),
        lambda t: 2 * (t + MIDDLE) * (1 - t - MIDDLE) + mpf(2) ** -12,
    )


def parts(name, value):
    show(name, [double(value), double(value - double(value))], "f64")


if __name__ == "__main__":
    parts("TANH_FIRST", 2 * sqrt(2 / pi))
    parts("TANH_THIRD", 2 * sqrt(2 / pi) * mpf("0.044715"))
    scale = mpf("1.0507009873554804934193349852946")
    parts("SELU", scale)
    parts("SELU_ALPHA", scale * mpf("1.6732632423543772848170429916717"))
    show("SLOPE", [SLOPE], "f64")
    if len(sys.argv) > 1:  # With any argument: errors of several centres.
        for centre in (4, 5, 6, 7):
            print(centre, [float(mp.log(fit(mpf(centre), n)[1], 2)) for n in (21, 22, 23)])
    c, error = fit(mpf(5.5), 23)
    # The coefficients need no refit after rounding: their terms are small compared to 1/2.
    show("TAIL_EVEN", [double(x) for x in c[0::2]], "f64", error)
    show("TAIL_ODD", [double(x) for x in c[1::2]], "f64")
