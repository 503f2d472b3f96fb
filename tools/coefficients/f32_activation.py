#!/usr/bin/env python3
"""Prints the tables of the f32 activations in crates/eltwise-math."""

from mpmath import exp, log, log1p, mpf, nint, pi, sqrt

from minimax import double, rounded, show, single

edge = log(2) / 2 * (1 + mpf(2) ** -12)
c, error = rounded(lambda r: exp(r) - 1 - r, -edge, edge, range(2, 7), lambda r: exp(-r), double)
show("EXP_TAIL", c, "f64", error)
c, error = rounded(lambda t: log1p(t) / t if t else mpf(1), 0, 1, range(10), lambda t: t / log1p(t) if t else mpf(1), double)
show("LOG1P", c, "f64", error)

slope, reach = single(log(2)), (1 + mpf(2) ** -12) / 2
c, error = rounded(lambda f: 2**f - 1 - slope * f, -reach, reach, range(2, 7), lambda f: 2**-f, single)
show("EXP2_TAIL", c, "f32", error)
show("LN_2_REST", [log(2) - slope], "f32")

linear = 2 * sqrt(2 / pi) / log(2)
cubic = linear * mpf(44715) / 10**6
high = nint(linear * 2**20) / 2**20
show("GELU_LINEAR", [high, linear - high], "f32")
show("GELU_CUBIC", [cubic, cubic - single(cubic)], "f32")

scale, alpha = mpf("1.0507009873554804934193349852946"), mpf("1.6732632423543772848170429916717")
print("SELU_SCALE:", repr(float(scale)), " SELU_ALPHA * SCALE:", repr(float(scale * alpha)))
