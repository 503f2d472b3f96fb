#!/usr/bin/env python3
"""Tables and constants of crates/eltwise-math/src/single/activation.rs: `python tools/coefficients/single_activation.py`."""

from mpmath import log1p, mpf, pi, sqrt

from minimax import double, rounded, show

c, error = rounded(lambda t: log1p(t) / t if t else mpf(1), 0, 1, range(12), lambda t: t / log1p(t) if t else mpf(1), double)
show("LOG1P", c, "f64", error)

linear = 2 * sqrt(2 / pi)
print("GELU_LINEAR:", repr(float(linear)), " GELU_CUBIC:", repr(float(linear * mpf(44715) / 10**6)))
scale, alpha = mpf("1.0507009873554804934193349852946"), mpf("1.6732632423543772848170429916717")
print("SELU_SCALE:", repr(float(scale)), " SELU_ALPHA * SCALE:", repr(float(scale * alpha)))
