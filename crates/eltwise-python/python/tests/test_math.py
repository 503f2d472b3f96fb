"""Math functions: both accuracies are near NumPy's and Python's results in float64; invalid arguments raise."""

import math
import statistics

import eltwise
import ml_dtypes
import numpy as np
import pytest
from reference import FAST_ONLY, MATH

erf, erfc = np.frompyfunc(math.erf, 1, 1), np.frompyfunc(math.erfc, 1, 1)
lgamma = np.frompyfunc(math.lgamma, 1, 1)
normal = statistics.NormalDist()
ndtri = np.frompyfunc(normal.inv_cdf, 1, 1)


def _expm1(x):
    return np.expm1(np.minimum(x, 0))


def _digamma(x):
    """Stirling's series (1730) from 20 on, reached by digamma(x) = digamma(x + 1) - 1/x."""
    total = 0.0
    while np.any(x < 20):
        total = total - np.where(x < 20, 1 / x, 0)
        x = np.where(x < 20, x + 1, x)
    return total + np.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6) + 1 / (240 * x**8)


def _bessel(order, x):
    """The power series, whose terms are positive."""
    term = (x / 2) ** order
    total = term
    for k in range(1, 60):
        term = term * (x / 2) ** 2 / (k * (k + order))
        total = total + term
    return total


SCALE, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
#: The definition of each function, in float64.
FUNCTIONS = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "hypot": np.hypot,
    "exp": np.exp,
    "exp2": np.exp2,
    "exp10": lambda x: 10.0**x,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "logaddexp": np.logaddexp,
    "logaddexp2": np.logaddexp2,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": lambda x: erf(x).astype("f8"),
    "erfc": lambda x: erfc(x).astype("f8"),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "logit": lambda x: np.log(x) - np.log1p(-x),
    "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: x / 2 * erfc(-x / math.sqrt(2)).astype("f8"),
    "gelu_tanh": lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "elu": lambda x, alpha: np.where(x > 0, x, alpha * _expm1(x)),
    "celu": lambda x, alpha: np.where(x > 0, x, alpha * _expm1(x / alpha)),
    "selu": lambda x: SCALE * np.where(x > 0, x, ALPHA * _expm1(x)),
    "softcap": lambda x, c: c * np.tanh(x / c),
    "xlogy": lambda x, y: x * np.log(y),
    "xlog1py": lambda x, y: x * np.log1p(y),
    "entr": lambda x: -x * np.log(x),
    "exprel": lambda x: np.expm1(x) / x,
    "sinc": lambda x: np.sinc(x),
    "log_sigmoid": lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
    "swish": lambda x, alpha: x / (1 + np.exp(-alpha * x)),
    "tanhshrink": lambda x: x - np.tanh(x),
    "pow_constant": lambda x, y: np.power(x, y),
    "erfinv": lambda x: ndtri((1 + x) / 2).astype("f8") / math.sqrt(2),
    "erfcinv": lambda x: -ndtri(x / 2).astype("f8") / math.sqrt(2),
    "erfcx": lambda x: np.exp(x * x) * erfc(x).astype("f8"),
    "ndtr": lambda x: erfc(-x / math.sqrt(2)).astype("f8") / 2,
    "ndtri": lambda x: ndtri(x).astype("f8"),
    "log_ndtr": lambda x: np.log(erfc(-x / math.sqrt(2)).astype("f8") / 2),
    "lgamma": lambda x: lgamma(x).astype("f8"),
    "digamma": _digamma,
    "i0": lambda x: _bessel(0, x),
    "i0e": lambda x: _bessel(0, x) * np.exp(-x),
    "i1": lambda x: _bessel(1, x),
    "i1e": lambda x: _bessel(1, x) * np.exp(-x),
}
DTYPES = [np.dtype(d) for d in ("f2", "f4", "f8", ml_dtypes.bfloat16)]
#: The relative tolerance by element size: a few ULP, and the rounding of the definition.
TOLERANCES = {2: 2e-3, 4: 2e-7, 8: 2e-14}

#: The range of the first operand, if it is not (-4, 4).
RANGES = {
    "logit": (0.01, 0.99),
    "acosh": (1.1, 9),
    "asin": (-0.99, 0.99),
    "acos": (-0.99, 0.99),
    "atanh": (-0.9, 0.9),
    "log": (0.1, 50),
    "log2": (0.1, 50),
    "log10": (0.1, 50),
    "rsqrt": (0.1, 50),
    "log1p": (-0.9, 4),
    "entr": (0.1, 50),
    "sinc": (-0.9, 0.9),
    "tanhshrink": (1, 4),
    "erfcx": (-2, 3),
    "log_ndtr": (-4, 0.5),
    "erfinv": (0.1, 0.9),
    "erfcinv": (0.1, 0.9),
    "ndtri": (0.01, 0.45),
    "lgamma": (3, 50),
    "digamma": (2, 50),
    "i0": (0.1, 10),
    "i0e": (0.1, 20),
    "i1": (0.1, 10),
    "i1e": (0.1, 20),
}


def _operands(name, dtype):
    function = FUNCTIONS[name]
    count = function.nin if isinstance(function, np.ufunc) else function.__code__.co_argcount
    rng = np.random.default_rng(7)
    x = rng.uniform(*RANGES.get(name, (-4, 4)), 1001)
    return tuple(operand.astype(dtype) for operand in (x, rng.uniform(0.5, 3, 1001))[:count])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", MATH)
def test_results_are_near_the_definition(name, dtype):
    given = _operands(name, dtype)
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](*[x.astype("f8") for x in given])
    got = getattr(eltwise, name)(*given)
    assert got.dtype == dtype
    tolerance = 1e-2 if dtype == ml_dtypes.bfloat16 else TOLERANCES[dtype.itemsize]
    # The smallest positive float16 is 6e-8.
    smallest = 6e-8 if dtype == np.dtype("f2") else 1e-300
    np.testing.assert_allclose(got.astype("f8"), expected, rtol=tolerance, atol=smallest)
    if name in FAST_ONLY:
        with pytest.raises(ValueError, match=f"{name} has no correctly rounded results"):
            getattr(eltwise, name)(*given, accuracy="correct")
    elif dtype.itemsize < 8:
        correct = getattr(eltwise, name)(*given, accuracy="correct")
        np.testing.assert_allclose(correct.astype("f8"), expected, rtol=tolerance, atol=smallest)
        compiled = eltwise.compile(f"{name}({', '.join('xy'[: len(given)])})", accuracy="correct")
        assert compiled(*given).tobytes() == correct.tobytes()


def test_correct_is_correctly_rounded_and_fast_is_within_one_ulp():
    x = np.linspace(-20, 20, 100_001).astype("f4")
    correct, fast = eltwise.exp(x, accuracy="correct"), eltwise.exp(x)
    assert correct.tobytes() == np.exp(x.astype("f8")).astype("f4").tobytes()
    assert fast.tobytes() != correct.tobytes()
    assert np.abs(fast.view("i4") - correct.view("i4")).max() == 1


def test_invalid_accuracies_raise():
    x = np.ones(3)
    for accuracy in ("best", 1, b"fast"):
        with pytest.raises(ValueError, match="accuracy="):
            eltwise.exp(x, accuracy=accuracy)
    with pytest.raises((TypeError, ValueError), match="fast"):
        eltwise.exp(x, accuracy="correct")
    with pytest.raises(ValueError, match="accuracy"):
        eltwise.compile("exp(x)", accuracy="most")


def test_integers_become_floats():
    x = np.arange(5)
    np.testing.assert_allclose(eltwise.exp(x), np.exp(x), rtol=1e-15)
    assert eltwise.exp(x.astype("i2")).dtype == np.exp(x.astype("i2")).dtype


def test_pow_of_floats_equals_numpys():
    x, y = np.array([2.0, -8.0, 0.0, np.nan], "f4"), np.array([0.5, 3.0, -1.0, 0.0], "f4")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(eltwise.pow(x, y), np.power(x.astype("f8"), y).astype("f4"))
    with pytest.raises(ValueError):
        eltwise.pow(np.array([2]), np.array([-1]))


def test_sincos_equals_sin_and_cos():
    x = np.linspace(-9, 9, 77).astype("f4")
    sine, cosine = eltwise.sincos(x)
    assert sine.tobytes() == eltwise.sin(x).tobytes() and cosine.tobytes() == eltwise.cos(x).tobytes()
    y = x.copy()
    other = np.empty_like(y)
    eltwise.sincos(y, out=(other, y))
    assert y.tobytes() == cosine.tobytes() and other.tobytes() == sine.tobytes()
    correct = eltwise.sincos(x, accuracy="correct")
    assert correct[0].tobytes() == np.sin(x.astype("f8")).astype("f4").tobytes()
