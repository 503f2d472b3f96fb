#!/usr/bin/env python3
"""Prints crates/eltwise-oracle/src/hard_inputs.txt: f64 inputs at which a math function is hard to compute, and the values
there.

Needs mpmath (pip install mpmath); takes a minute.

    python tools/oracle/hard.py > crates/eltwise-oracle/src/hard_inputs.txt

A line has a function, the bits of its operands (`-` for none), and the value to 72 digits. The inputs are the ends of
argument ranges, random ones of every magnitude, and the hardest to round of many random ones, whose values are closest
to the midpoint of two numbers. `logaddexp` and `logaddexp2` also have pairs that cancel, with values near zero.
"""

import random
import struct

from mpmath import mp, mpf
import mpmath

random.seed(20260101)
mp.prec = 1500

SCALE = mpf("1.0507009873554804934193349852946")
ALPHA = mpf("1.6732632423543772848170429916717")


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def softplus(x):
    return mp.log(1 + mp.exp(-abs(x))) + max(x, mpf(0))


def expm1(x):
    return mp.expm1(x) if abs(x) < 1e-9 else mp.exp(x) - 1


def log1p(x):
    return mp.log1p(x) if abs(x) < 1e-9 else mp.log(1 + x)


def tanh(x):
    return expm1(2 * x) / (expm1(2 * x) + 2)


def gelu(x):
    return x / 2 * mp.erfc(-x / mp.sqrt(2))


def gelu_tanh(x):
    return x * sigmoid(2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))


def tanhshrink(x):
    return x - tanh(x)


def sinc(x):
    return mp.sinpi(x) / (mp.pi * x)


def ndtr(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def log_ndtr(x):
    return mp.log(ndtr(x)) if x < 0 else log1p(-ndtr(-x))


def inverse_erfc(y):
    """The z with erfc(z) = y, by Newton's method on the logarithm."""
    if y > 1:
        return -inverse_erfc(2 - y)
    if y > 0.5:
        return mp.erfinv(1 - y)
    z = mp.sqrt(-mp.log(y)) * 0.9
    for _ in range(200):
        erfc = mp.erfc(z)
        step = (mp.log(erfc) - mp.log(y)) * mp.sqrt(mp.pi) / 2 * mp.exp(z * z) * erfc
        z += step
        if abs(step) < abs(z) * mpf(2) ** (-mp.prec // 2 - 8):
            break
    return z


def mish(x):
    e = mp.exp(x)
    return x * (e * (e + 2)) / (e * (e + 2) + 2)


def logaddexp(x, y):
    return max(x, y) + mp.log(1 + mp.exp(-abs(x - y)))


def logaddexp2(x, y):
    return max(x, y) + mp.log(1 + mpf(2) ** -abs(x - y), 2)


EVERY = [1.0, 0.5, 2.0, 1.5, 0.7071067811865476, 1e-300, 5e-324, 2.0**-1022, 2.0**-30, 0.9999999999999999, 1.0000000000000002]
WIDE = [1e5, 1e15, 1e22, 1e300, 1.7976931348623157e308]
EXP = [0.34657359027997264, 0.3465735902799727, 36.04, 88.72284, 708.3964185322641, 709.782712893384, -708.3964185322641, -745.1332191019411]
NOT_0_1 = [0.1, 0.3333333333333333, 0.4999999999999999, 0.5000000000000001, 0.7499999999999999, 1 - 2.0**-30, 1e-17]
BOTH, POSITIVE, ABOVE_1 = "both", "positive", "above 1"

# name: (function, signs, magnitudes of random inputs (log2), ends of ranges)
UNARY = {
    "exp": (mp.exp, BOTH, (-60, 9.4), EXP),
    "exp2": (lambda x: mpf(2) ** x, BOTH, (-60, 9.9), [1023.9999999999999, -1021.5, -1074.0, -1074.9, 0.25]),
    "exp10": (lambda x: mpf(10) ** x, BOTH, (-60, 8.2), [22.0, 308.2547155599167, -307.6526555685887, -323.3, 15.0]),
    "expm1": (expm1, BOTH, (-60, 9.4), EXP + [-37.0, -38.5]),
    "log": (mp.log, POSITIVE, (-1074, 1023), WIDE + NOT_0_1),
    "log2": (lambda x: mp.log(x) / mp.log(2), POSITIVE, (-1074, 1023), WIDE + NOT_0_1),
    "log10": (lambda x: mp.log(x) / mp.log(10), POSITIVE, (-1074, 1023), WIDE + NOT_0_1 + [1000.0]),
    "log1p": (log1p, POSITIVE, (-1074, 1023), WIDE + [-0.9999999999999999, -0.5, -1e-10, -0.25, -5e-324]),
    "sin": (mp.sin, BOTH, (-60, 1023), WIDE + [3.141592653589793, 1.5707963267948966, 0.7853981633974483, 6381956970095103.0 * 2.0**797]),
    "cos": (mp.cos, BOTH, (-60, 1023), WIDE + [3.141592653589793, 1.5707963267948966, 0.7853981633974484, 6381956970095103.0 * 2.0**797]),
    "tan": (mp.tan, BOTH, (-60, 1023), WIDE + [3.141592653589793, 1.5707963267948966, 0.7853981633974483, 6381956970095103.0 * 2.0**797]),
    "asin": (mp.asin, BOTH, (-60, 0), NOT_0_1),
    "acos": (mp.acos, BOTH, (-60, 0), NOT_0_1),
    "atan": (mp.atan, BOTH, (-60, 60), WIDE),
    "sinh": (mp.sinh, BOTH, (-60, 9.4), EXP + [710.4758600739439, 22.0]),
    "cosh": (mp.cosh, BOTH, (-60, 9.4), EXP + [710.4758600739439, 22.0]),
    "tanh": (tanh, BOTH, (-60, 4.3), [19.06, 18.7, 0.549306144334]),
    "asinh": (mp.asinh, BOTH, (-60, 1023), WIDE),
    "acosh": (mp.acosh, ABOVE_1, (-52, 1023), WIDE),
    "atanh": (mp.atanh, BOTH, (-60, 0), NOT_0_1),
    "erf": (mp.erf, BOTH, (-60, 2.6), [5.9215871957945, 1.9999999999999998, 2.0]),
    "erfc": (mp.erfc, BOTH, (-60, 4.77), [26.543258, 27.2, 1.9999999999999998, 2.0, 5.9, -5.9]),
    "sqrt": (mp.sqrt, POSITIVE, (-1074, 1023), WIDE),
    "cbrt": (lambda x: mp.cbrt(x) if x > 0 else -mp.cbrt(-x), BOTH, (-1074, 1023), WIDE + [27.0, 343.0]),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), POSITIVE, (-1074, 1023), WIDE),
    "sigmoid": (sigmoid, BOTH, (-60, 9.4), EXP),
    "logit": (lambda x: mp.log(x / (1 - x)), "unit", (-1074, 0), NOT_0_1),
    "softplus": (softplus, BOTH, (-60, 9.4), EXP + [1e300]),
    "selu": (lambda x: SCALE * (x if x > 0 else ALPHA * expm1(x)), BOTH, (-60, 9.4), [-37.0, -1e300]),
    "gelu": (gelu, BOTH, (-60, 5.2), [-38.58, -37.5, -14.3, -10.0, 8.3]),
    "gelu_tanh": (gelu_tanh, BOTH, (-60, 4.4), [-21.5, -10.7, 6.0]),
    "silu": (lambda x: x * sigmoid(x), BOTH, (-60, 9.4), EXP + [-751.7]),
    "mish": (mish, BOTH, (-60, 9.4), EXP + [-751.7]),
}

# name: (function, signs, magnitudes of the first operand, of the second)
BINARY = {
    "pow": (lambda x, y: mp.exp(y * mp.log(x)), (POSITIVE, BOTH), (-20, 20), (-10, 5)),
    "atan2": (lambda y, x: mp.atan2(y, x), (BOTH, BOTH), (-500, 500), (-500, 500)),
    "hypot": (mp.hypot, (BOTH, BOTH), (-30, 30), (-30, 30)),
    "logaddexp": (logaddexp, (BOTH, BOTH), (-10, 9), (-10, 9)),
    "logaddexp2": (logaddexp2, (BOTH, BOTH), (-10, 9), (-10, 9)),
    "elu": (lambda x, a: x if x > 0 else a * expm1(x), ("negative", BOTH), (-60, 9), (-10, 10)),
    "celu": (lambda x, a: a * expm1(x / a), ("negative", POSITIVE), (-60, 9), (-10, 10)),
    "softcap": (lambda x, c: c * tanh(x / c), (BOTH, POSITIVE), (-60, 12), (-5, 10)),
}
# Added later: after the others, so that the random inputs above stay the same.
LATER_UNARY = {
    "log_sigmoid": (lambda x: -softplus(-x), BOTH, (-60, 9.4), EXP + [-1e300]),
    "tanhshrink": (tanhshrink, BOTH, (-300, 60), [19.06, 0.549306144334, 0.346, 0.75, 2.0**-27, 1e100]),
    "sinc": (sinc, BOTH, (-60, 52), [0.25, 0.75, 0.9999999999999999, 1.0000000000000002, 2.9999999999999996, 1000000.25, 4503599627370495.5]),
    "exprel": (lambda x: expm1(x) / x, BOTH, (-60, 9.4), EXP + [-37.0, -1e300, 716.3, 716.35]),
    "entr": (lambda x: -x * mp.log(x), POSITIVE, (-1074, 1013), WIDE[:-1] + NOT_0_1),
}
LATER_BINARY = {
    "swish": (lambda x, a: x * sigmoid(a * x), (BOTH, BOTH), (-60, 20), (-12, 4)),
    "xlogy": (lambda x, y: x * mp.log(y), (BOTH, POSITIVE), (-300, 300), (-1074, 1000)),
    "xlog1py": (lambda x, y: x * log1p(y), (BOTH, POSITIVE), (-300, 300), (-700, 1000)),
}
STATISTICS = {
    "lgamma": (lambda x: mp.loggamma(x).real, BOTH, (-60, 6), [3.0, 0.1, 1e-17, 200.5, 1e22, -2.4570247382208006, -0.25]),
    "digamma": (mp.digamma, BOTH, (-60, 6), [3.0, 0.1, 1.4616321449683622, 1.4616321449683624, 200.5, 1e22, -0.5040830082644554]),
    "erfinv": (mp.erfinv, BOTH, (-60, 0), NOT_0_1),
    "erfcinv": (lambda y: inverse_erfc(y), POSITIVE, (-1000, 0.9), NOT_0_1 + [1.9999999999999998]),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), BOTH, (-60, 4.7), [26.6, 27.6, 5.9]),
    "ndtr": (ndtr, BOTH, (-60, 5.2), [38.4, 8.3, 14.3, 5.9]),
    "ndtri": (lambda p: -mp.sqrt(2) * inverse_erfc(2 * p), "unit", (-1000, 0), NOT_0_1),
    "log_ndtr": (log_ndtr, BOTH, (-60, 5.3), [38.4, 14.3, 5.9]),
    "i0": (lambda x: mp.besseli(0, x), BOTH, (-60, 9.4), [99.9, 100.0, 713.9]),
    "i0e": (lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), BOTH, (-60, 20), [99.9, 100.0, 713.9]),
    "i1": (lambda x: mp.besseli(1, x), BOTH, (-60, 9.4), [99.9, 100.0, 713.9]),
    "i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), BOTH, (-60, 20), [99.9, 100.0, 713.9]),
}
PAIRS = {
    "swish": [(5.0, 1.0), (-2.25, 1.702), (-1e-300, 1.5), (1e300, -7e-298), (-1e300, 7e-298), (1e-300, 1e302), (-3.0, 250.0)],
    "xlogy": [(1.0, 0.9999999999999999), (3.0, 1.0000000000000002), (5e-324, 5e-324), (1e-300, 1.7976931348623157e308), (-2.5, 0.3)],
    "xlog1py": [(1.0, -0.9999999999999999), (3.0, 5e-324), (1.0, 1e-300), (-2.5, -0.5), (1e300, 1e-17)],
    "pow": [(0.9999999999999999, 1e18), (1.0000000000000002, 3e18), (3.0, 33.0), (3.0, 34.0), (-3.0, 7.0), (-2.5, -4.0), (2.0, -1074.0),
            (10.0, 22.0), (1e-160, 2.0), (1.0000000000000002, 1.0), (0.5, 0.5), (2.25, 0.5)],
    "atan2": [(1e-300, 1e300), (1e300, -1e-300), (5e-324, -1.0), (-5e-324, 1.7976931348623157e308), (1.0, -1.0), (-3.0, -4.0)],
    "hypot": [(3.0, 4.0), (1e300, 1e280), (1e-300, 1e-310), (1.7976931348623157e308, 1e290), (5e-324, 5e-324), (2.0**27 + 1, 2.0**13)],
    "logaddexp": [(-0.6931471805599453, -0.6931471805599453), (-0.5, -0.9327521295671886), (-1.0, -0.4586751453870819), (1e300, -1e300), (-700.0, -701.0)],
    "logaddexp2": [(-0.5, -1.771552928730038), (-1.0000000000000002, -0.9999999999999999), (1e5, -1e300), (3.0, 3.0)],
    "elu": [(-1e-300, 1.5), (-745.0, 2.0), (-5e-324, 0.3)],
    # The last five were found among 2^28 inputs: e^(x / a) is so large that 1 is one or two units in its last place.
    "celu": [
        (-1e-300, 1.5),
        (-745.0, 2.0),
        (-5.0, -1.0),
        (-412.7592165680886, -11.128055447097049),
        (-740.75, -19.92052929361308),
        (-19.951427918777775, -0.5350047524784003),
        (-0.000194562469009947, -5.245208740234375e-06),
        (-11.591737221424328, -0.311667101846128),
    ],
    "softcap": [(1e300, 30.0), (1e-300, 30.0), (5.0, -50.0), (1000.0, 50.0)],
}


def bits(x):
    return struct.unpack("Q", struct.pack("d", x))[0]


def sample(signs, low, high):
    e = random.uniform(low, high)
    x = float(mpf(2) ** e * random.uniform(1, 2)) if e < 1022 else 2.0**1022 * random.uniform(1, 2)
    if signs == ABOVE_1:
        return 1.0 + x if x < 1e300 else x
    if signs in ("unit", BOTH) and high == 0:
        x = min(x / 2, 0.9999999999999999)
    if signs == "unit":
        return x if random.random() < 0.7 else 1 - max(x, 2.0**-52)
    if signs == "negative" or (signs == BOTH and random.random() < 0.5):
        return -x
    return x


def hardness(value):
    """The distance of the value from the midpoint of two f64, in units of their distance."""
    m, _ = mp.frexp(value)
    scaled = mp.ldexp(abs(m), 53)
    return abs(scaled - mp.floor(scaled) - mpf(0.5))


def inside(name, x):
    return {"log": x > 0, "log2": x > 0, "log10": x > 0, "sqrt": x > 0, "rsqrt": x > 0, "log1p": x > -1, "asin": abs(x) <= 1,
            "acos": abs(x) <= 1, "atanh": abs(x) < 1, "acosh": x >= 1, "logit": 0 < x < 1, "lgamma": x > 0 or x % 1 != 0, "digamma": x > 0 or x % 1 != 0,
            "erfinv": abs(x) < 1, "erfcinv": 0 < x < 2, "ndtri": 0 < x < 1}.get(name, True)


def show(name, operands, f):
    # Enough precision for tiny arguments and cancellation: all printed digits are correct.
    mp.prec = 3500
    value = f(*map(mpf, operands))
    mp.prec = 1500
    if value == 0 or abs(mp.log(abs(value), 10)) > 2000:
        return
    words = [f"{bits(x):016x}" for x in operands] + ["-"] * (2 - len(operands))
    print(name, *words, mp.nstr(value, 72, min_fixed=0, max_fixed=0))


def cancelling(name):
    """Pairs with one operand near log(1 - e^x), or near log2(1 - 2^x), in both orders."""
    choice = random.Random(name)
    power, logarithm, end = (mp.exp, mp.log, -0.6931471805599453) if name == "logaddexp" else (lambda x: mpf(2) ** x, lambda x: mp.log(x, 2), -1.0)
    neighbour = lambda x, places: struct.unpack("d", struct.pack("Q", bits(x) + places))[0]
    numbers = [neighbour(end, places) for places in (-2, -1, 0, 1, 2, 5, 1 << 20, 1 << 45)]
    numbers += [end * choice.random() for _ in range(10)] + [end * 2.0 ** -choice.uniform(1, 60) for _ in range(8)]
    numbers += [-0.5, -0.3125, end * 0.00390625, -(2.0**-13) * 1.25, -(2.0**-52), -1e-300, -5e-324, -2.5e-310, -2.3e-308, -1e-270]
    numbers += [-(2.0 ** -choice.uniform(60, 1020)) for _ in range(8)]
    for x in numbers:
        mp.prec = 3500
        y = float(logarithm(1 - power(mpf(x))))
        for places in (0, choice.choice((-2, -1, 1, 2)), choice.randrange(-(1 << choice.randrange(45)), 1 << 44)):
            pair = x, neighbour(y, places)
            yield pair if choice.random() < 0.5 else pair[::-1]
    if name == "logaddexp2":
        # (x + y) / 2 + 1 is zero, or nearly, so the value is about (log 2) / 8 (x - y)^2.
        for k in (52, 51, 40, 24, 20, 13, 8):
            yield -1 + 2.0**-k, -1 - 2.0**-k
            yield -1 - 2.0**-k, neighbour(-1 + 2.0**-k, 1)


def main():
    print("# Made by tools/oracle/hard.py with mpmath", mpmath.__version__)
    write(UNARY, BINARY)
    write(LATER_UNARY, LATER_BINARY)
    random.seed("statistics")
    write(STATISTICS, {})


def write(unary, binary):
    for name, (f, signs, (low, high), ends) in unary.items():
        chosen = [x * s for x in EVERY + ends for s in ((1, -1) if signs == BOTH else (1,))]
        chosen = [x for x in dict.fromkeys(chosen) if inside(name, x)][:24]
        chosen += [sample(signs, low, high) for _ in range(8)]
        mp.prec = 200
        near = [sample(signs, max(low, -20), min(high, 12)) for _ in range(1500)]
        near = sorted((x for x in near if inside(name, x)), key=lambda x: hardness(f(mpf(x))))
        for x in chosen + near[:4]:
            if inside(name, x):
                show(name, (x,), f)
    for name, (f, (s1, s2), (l1, h1), (l2, h2)) in binary.items():
        for x, y in PAIRS[name]:
            function = f
            if name == "pow" and x < 0:
                function = lambda a, b: mp.exp(b * mp.log(-a)) * (-1 if b % 2 else 1)
            show(name, (x, y), function)
        mp.prec = 200
        pairs = [(sample(s1, l1, h1), sample(s2, l2, h2)) for _ in range(1500)]
        for pair in pairs[:12] + sorted(pairs, key=lambda p: hardness(f(mpf(p[0]), mpf(p[1]))))[:4]:
            show(name, pair, f)
        if name.startswith("logaddexp"):
            for pair in cancelling(name):
                show(name, pair, f)


if __name__ == "__main__":
    main()
