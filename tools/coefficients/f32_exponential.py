#!/usr/bin/env python3
"""Prints the tables of the f32 exponentials in crates/eltwise-math."""

from mpmath import exp, factorial, log, mpf

from minimax import double, exchange, mp, rounded, show, single

ln2, ln10 = log(2), log(10)
EDGE = ln2 / 2 * (1 + mpf(2) ** -12)  # bound of |r|


def tail(r, k):
    """e^r without the first k terms of its series, divided by r^k."""
    return sum(r**j / factorial(j + k) for j in range(40))


def cut(c, bits):
    """A constant as a high part of few bits, whose products with n are exact, and the remainder."""
    high = mpf(int(c * 2**bits)) / 2**bits
    return float(high).hex(), float(single(c - high)).hex(), repr(float(single(c - high)))


q, error = rounded(lambda r: tail(r, 2), -EDGE, EDGE, range(5), lambda r: r**2 / exp(r) + mpf(2) ** -30, single)
show("EXP", [1, 1] + q, "f32", error)
q, error = rounded(lambda r: tail(r, 2), -EDGE, EDGE, range(5), lambda r: r**2 / exp(1.3 * r) + mpf(2) ** -30, single)
show("EXPM1", q, "f32", error)
edge = ln2 / 16 * (1 + mpf(2) ** -10)
q, error = rounded(lambda r: tail(r, 2), -edge, edge, range(3), lambda r: (r**2 + mpf(2) ** -40) / exp(r), single)
show("EXP_SHORT", q, "f32", error)
for base, name in ((mpf(2), "EXP2_SHORT"), (mpf(10), "EXP10_SHORT")):
    l = log(base)
    edge = ln2 / 16 / l * (1 + mpf(2) ** -9)
    c, _ = exchange(lambda r: l**2 * tail(r * l, 2), -edge, edge, range(3), lambda r: max(r**2, edge**2 / 64) * exp(-r * l))
    c = [single(l - 1)] + [single(k) for k in c]
    points = [edge * k / 500 for k in range(-500, 501)]
    error = max(abs((l * tail(r * l, 1) - 1 - sum(k * r**i for i, k in enumerate(c))) * r * exp(-r * l)) for r in points)
    show(name, c, "f32", error)
show("ROOTS", [mpf(2) ** (mpf(k) / 8) for k in range(8)], "f32")
q, error = rounded(lambda r: tail(r, 2), -EDGE, EDGE, range(6), lambda r: r**2 / exp(r) + mpf(2) ** -30, double)
show("EXP_WIDE", q, "f64", error)

print("ln(2):", *cut(ln2, 16))
print("log10(2):", *cut(ln2 / ln10, 16))
